(** [Mix]: what a sample of the records costs.

    Two inputs differ in a record that the one has.  With the coins of all other records given, a run takes this one
    where its coin says so, with chance p, and is then a run of the program that takes every record; else it does
    what the runs on the other input do. *)
From Coq Require Import Lia Lra.
From synth Require Export Parts.
Local Open Scope list_scope.

(** The arithmetic (Li, Qardaji & Su 2012), in both orders. *)
Lemma amplified p e d a1 a0 : 0 <= p <= 1 -> 0 <= e -> 0 <= d -> 0 <= a1 -> 0 <= a0 ->
  a1 <= exp e * a0 + d -> a0 <= exp e * a1 + d ->
  p * a1 + (1 - p) * a0 <= (1 + p * (exp e - 1)) * a0 + p * d
  /\ a0 <= (1 + p * (exp e - 1)) * (p * a1 + (1 - p) * a0) + p * d.
Proof.
  intros Hp He Hd H1 H0 H H'. pose proof (exp_le 0 e He) as HE. rewrite exp_0 in HE. set (E := exp e) in *. split.
  - replace ((1 + p * (E - 1)) * a0 + p * d) with (p * (E * a0 + d) + (1 - p) * a0) by ring.
    apply Rplus_le_compat_r, Rmult_le_compat_l; lra.
  - set (c := 1 - (1 - p) * (E - 1)).
    assert (K : c * a0 <= (1 + p * (E - 1)) * a1 + d).
    { destruct (Rle_dec 0 c) as [Hc | Hc].
      - apply Rle_trans with (c * (E * a1 + d)); [now apply Rmult_le_compat_l |].
        assert (0 <= (1 - p) * (E - 1)) by (apply Rmult_le_pos; lra).
        assert (c * E <= 1 + p * (E - 1)).
        { replace (1 + p * (E - 1)) with (c * E + (1 - p) * (E - 1) * (E - 1)) by (unfold c; ring).
          assert (0 <= (1 - p) * (E - 1) * (E - 1)) by (apply Rmult_le_pos; lra). lra. }
        assert (c * d <= d) by (unfold c; nra). assert (c * E * a1 <= (1 + p * (E - 1)) * a1) by (apply Rmult_le_compat_r; lra). lra.
      - assert (c * a0 <= 0) by nra. assert (0 <= (1 + p * (E - 1)) * a1) by (apply Rmult_le_pos; [nra | lra]). lra. }
    assert (p * (c * a0) <= p * ((1 + p * (E - 1)) * a1 + d)) by (apply Rmult_le_compat_l; lra).
    unfold c in *. nra.
Qed.

Section Coin.
Variables (n : nat) (x o : string) (chances : list (expr BOOL * expr REAL)) (body : code).
Definition tossed : code := Choose n BOOL x o chances ;; body.
Definition is_chance (p : R) (m : memory) : Prop :=
  0 <= p <= 1 /\ chance_of (upd m o (Bool true)) chances = p /\ chance_of (upd m o (Bool false)) chances = 1 - p.

Lemma of_coin p m S q a1 a0 : is_chance p m -> probability tossed m S q -> probability body (upd m x (Bool true)) S a1 ->
  probability body (upd m x (Bool false)) S a0 -> q = p * a1 + (1 - p) * a0.
Proof.
  intros (Hp & C1 & C0) Hq H1 H0. apply probability_adds in Hq, H1, H0. set (law := Chances (chosen m BOOL o chances)).
  assert (M1 : mass law 1 = p) by (simpl; unfold chosen; simpl; rewrite C1; apply Rmax_right; lra).
  assert (M0 : mass law 0 = 1 - p) by (simpl; unfold chosen; simpl; rewrite C0; apply Rmax_right; lra).
  assert (T : forall f, told_runs [] f tossed m = TDraws law (fun z => told_runs [] f body (upd m x (drawn BOOL z)))) by reflexivity.
  assert (P1 : 0 <= a1) by apply H1, adds_nothing. assert (P0 : 0 <= a0) by apply H0, adds_nothing.
  apply Rle_antisym.
  - apply Hq. intros part (f & ds & Hds & ->). rewrite T in *. destruct (split_draws _ _ _ _ _ Hds) as (heads & F & Hh & HF & ->).
    apply Rle_trans with (sum (fun z => mass law z * by_draw (fun _ => a1) (fun _ => a0) z 0%Z) heads).
    + apply sum_le. intros z _. unfold by_draw. destruct (Z.eqb_spec z 1) as [-> | N1]; [| destruct (Z.eqb_spec z 0) as [-> | N0]].
      * apply Rmult_le_compat_l; [apply mass_nonneg |]. apply H1. exists f, (F 1%Z). split; [exact (HF 1%Z) | reflexivity].
      * apply Rmult_le_compat_l; [apply mass_nonneg |]. apply H0. exists f, (F 0%Z). split; [exact (HF 0%Z) | reflexivity].
      * replace (mass law z) with 0; [lra |]. symmetry. simpl. unfold chosen.
        rewrite (proj2 (Z.eqb_neq z 0) N0), (proj2 (Z.eqb_neq z 1) N1). apply Rmax_left. simpl. lra.
    + eapply Rle_trans; [apply (sum_two m o chances (fun _ => a1) (fun _ => a0)); auto |].
      unfold of_two. rewrite C1, C0, !Rmax_right by lra. lra.
  - assert (K : forall y z, adds body (upd m x (Bool true)) S y -> adds body (upd m x (Bool false)) S z -> p * y + (1 - p) * z <= q).
    { intros y z Hy Hz. destruct (adds_more _ _ _ _ Hy) as (f1 & G1). destruct (adds_more _ _ _ _ Hz) as (f0 & G0).
      set (f := (f1 + f0)%nat). destruct (G1 f ltac:(lia)) as (d1 & D1 & ->). destruct (G0 f ltac:(lia)) as (d0 & D0 & ->).
      destruct (join_draws S [] law (fun z => told_runs [] f body (upd m x (drawn BOOL z))) (fun z => z)
        (fun z => if (z =? 1)%Z then d1 else if (z =? 0)%Z then d0 else []) [1%Z; 0%Z]) as (ds & Hds & Hs); auto.
      { repeat constructor; simpl; intuition discriminate. }
      { intros z. destruct (Z.eqb_spec z 1) as [-> |]; [exact D1 |]. destruct (Z.eqb_spec z 0) as [-> |]; [exact D0 | apply nothing]. }
      apply Hq. exists f, ds. rewrite T. split; auto. rewrite Hs. cbn [sum fold_right Z.eqb Pos.eqb]. rewrite M1, M0.
      change (drawn BOOL 1) with (Bool true). change (drawn BOOL 0) with (Bool false). unfold sum. ring. }
    assert (K' : forall z, adds body (upd m x (Bool false)) S z -> p * a1 <= q - (1 - p) * z).
    { intros z Hz. destruct (proj1 Hp) as [Hpos | <-]; [| pose proof (K 0 z (adds_nothing _ _ _) Hz); lra].
      enough (a1 <= (q - (1 - p) * z) / p) as L by (apply Rmult_le_compat_l with (r := p) in L; [| lra];
        replace (p * ((q - (1 - p) * z) / p)) with (q - (1 - p) * z) in L by (field; lra); exact L).
      apply H1. intros y Hy. specialize (K y z Hy Hz). apply Rmult_le_reg_l with p; auto.
      replace (p * ((q - (1 - p) * z) / p)) with (q - (1 - p) * z) by (field; lra). lra. }
    destruct (Rle_lt_dec (1 - p) 0) as [Z1 | Pos]; [pose proof (K' 0 (adds_nothing _ _ _)); assert (p = 1) by lra; nra |].
    enough (a0 <= (q - p * a1) / (1 - p)) as L by (apply Rmult_le_compat_l with (r := 1 - p) in L; [| lra];
      replace ((1 - p) * ((q - p * a1) / (1 - p))) with (q - p * a1) in L by (field; lra); lra).
    apply H0. intros z Hz. specialize (K' z Hz). apply Rmult_le_reg_l with (1 - p); auto.
    replace ((1 - p) * ((q - p * a1) / (1 - p))) with (q - p * a1) by (field; lra). lra.
Qed.

(** The rule: [has] is the input with the record, [lacks] the other one, on which the coin is not asked. *)
Theorem sampled_private epsilon delta p has lacks : 0 <= epsilon -> 0 <= delta -> is_chance p has -> is_chance p lacks ->
  draws_integers body = true -> (forall m S, exists q, probability body m S q /\ 0 <= q) ->
  (forall S q, probability body (upd has x (Bool false)) S q <-> probability body (upd lacks x (Bool true)) S q) ->
  (forall S q, probability body (upd lacks x (Bool false)) S q <-> probability body (upd lacks x (Bool true)) S q) ->
  private_within epsilon delta body (upd has x (Bool true)) (upd lacks x (Bool true)) ->
  private_within epsilon delta body (upd lacks x (Bool true)) (upd has x (Bool true)) ->
  private_within (ln (1 + p * (exp epsilon - 1))) (p * delta) tossed has lacks
  /\ private_within (ln (1 + p * (exp epsilon - 1))) (p * delta) tossed lacks has.
Proof.
  intros He Hd C1 C2 Hi Hex Same1 Same2 [_ P12] [_ P21].
  assert (Pos : 0 < 1 + p * (exp epsilon - 1)).
  { pose proof (exp_le 0 epsilon He) as HE. rewrite exp_0 in HE. destruct C1 as [[Hp _] _]. nra. }
  assert (G : forall S p1 p2, probability tossed has S p1 -> probability tossed lacks S p2 -> exists a1,
    probability body (upd has x (Bool true)) S a1 /\ 0 <= a1 /\ probability body (upd lacks x (Bool true)) S p2 /\ 0 <= p2
    /\ p1 = p * a1 + (1 - p) * p2).
  { intros S p1 p2 H1 H2. destruct (Hex (upd has x (Bool true)) S) as (a1 & A1 & N1). destruct (Hex (upd lacks x (Bool true)) S) as (a0 & A0 & N0).
    pose proof (of_coin p has S p1 a1 a0 C1 H1 A1 (proj2 (Same1 S a0) A0)) as E1.
    pose proof (of_coin p lacks S p2 a0 a0 C2 H2 A0 (proj2 (Same2 S a0) A0)) as E2.
    replace p2 with a0 by lra.
    exists a1. split; [exact A1 |]. split; [exact N1 |]. split; [exact A0 |]. split; [exact N0 | exact E1]. }
  destruct C1 as [Hp _].
  split; split; try exact Hi; intros S p1 p2 H1 H2; rewrite exp_ln by auto.
  - destruct (G S p1 p2 H1 H2) as (a1 & A1 & N1 & A0 & N0 & ->).
    apply (amplified p epsilon delta a1 p2); auto; [apply (P12 S) | apply (P21 S)]; auto.
  - destruct (G S p2 p1 H2 H1) as (a1 & A1 & N1 & A0 & N0 & ->).
    apply (amplified p epsilon delta a1 p1); auto; [apply (P12 S) | apply (P21 S)]; auto.
Qed.
End Coin.
