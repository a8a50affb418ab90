(** What keeps the statement from being empty: noise has mass 1, each event of a program whose chances add up to at
    most 1 has a probability between 0 and 1, and a program that tells its private input is not private, however large epsilon is. *)
From Coq Require Import Lia Lra Psatz FinFun.
From synth Require Import Tails RealNoise.

(** Of truth values the two chances have to add up to at most 1. *)
Theorem truth_at_most_1 m outcome chances l :
  Rmax 0 (chance_of (upd m outcome (Bool false)) chances) + Rmax 0 (chance_of (upd m outcome (Bool true)) chances) <= 1 ->
  NoDup l -> sum (mass (Chances (chosen m BOOL outcome chances))) l <= 1.
Proof.
  intros H Hl. set (law := Chances (chosen m BOOL outcome chances)).
  destruct (sum_positive (mass law) l (mass_nonneg law)) as (l' & Hl').
  destruct (Hl' Hl) as (Hnd & _ & Hpos & ->).
  apply Rle_trans with (sum (mass law) [0%Z; 1%Z]).
  - apply sum_le_incl; auto using mass_nonneg. intros z Hz. specialize (Hpos z Hz). simpl. simpl in Hpos.
    unfold chosen in Hpos. destruct (Z.eqb_spec z 0) as [E | H0]; [now left |].
    destruct (Z.eqb_spec z 1) as [E | H1]; [now right; left |].
    exfalso. simpl in Hpos. unfold Rmax in Hpos. destruct Rle_dec; lra.
  - simpl. simpl in H. lra.
Qed.

(** * Events have probabilities *)

(** So no statement about probabilities is true because there are none. *)
Theorem probability_exists program input S : (forall fuel, sound (runs fuel program input)) ->
  exists p, probability program input S p /\ 0 <= p <= 1.
Proof.
  intros Hs.
  destruct (completeness (fun part => exists fuel draws, NoDup draws
      /\ (forall d, In d draws -> exists o, outcome (runs fuel program input) d = Some o /\ S o)
      /\ part = sum (chance (runs fuel program input)) draws)) as (p & Hp).
  - exists 1. intros part (fuel & draws & Hnd & HS & ->). apply chances_at_most_1; auto.
    intros d Hd. destruct (HS d Hd) as (o & -> & _). discriminate.
  - exists 0, O, []. repeat split; [constructor | intros d []].
  - exists p. split; [exact Hp |]. destruct Hp as [Hu Hl]. split.
    + apply Hu. exists O, []. repeat split; [constructor | intros d []].
    + apply Hl. intros part (fuel & draws & Hnd & HS & ->). apply chances_at_most_1; auto.
      intros d Hd. destruct (HS d Hd) as (o & -> & _). discriminate.
Qed.

(** * What tells its input is not private *)

Definition telltale : code := Return [Item (IntVar "x")] [].
Definition secret (x : Z) : memory := upd empty "x" (Int x).

Lemma telltale_is_sound x fuel : sound (runs fuel telltale (secret x)).
Proof. now apply noise_is_sound. Qed.

Lemma telltale_probability x (S : output -> Prop) p : probability telltale (secret x) S p ->
  (S (Output [Int x] []) -> 1 <= p) /\ (~ S (Output [Int x] []) -> p <= 0).
Proof.
  intros [Hu Hl]. split.
  - intros HS. apply Hu. exists O, [[]]. split; [repeat constructor; auto |]. split; [| simpl; ring].
    intros d [<- | []]. simpl. eauto.
  - intros HS. apply Hl. intros part (fuel & draws & _ & H & ->). destruct draws as [| d draws]; [simpl; lra |].
    exfalso. destruct (H d (or_introl eq_refl)) as (o & Ho & So). destruct d; simpl in Ho; [| discriminate].
    injection Ho as <-. exact (HS So).
Qed.

Theorem telltale_is_not_private epsilon : ~ private_on epsilon telltale (secret 0) (secret 1).
Proof.
  intros [_ H]. set (S := fun o : output => o = Output [Int 0] []).
  destruct (probability_exists telltale (secret 0) S (telltale_is_sound _)) as (p1 & Hp1 & _).
  destruct (probability_exists telltale (secret 1) S (telltale_is_sound _)) as (p2 & Hp2 & Hnn).
  specialize (H S p1 p2 Hp1 Hp2).
  pose proof (proj1 (telltale_probability 0 S p1 Hp1) eq_refl).
  assert (p2 <= 0) by (apply (proj2 (telltale_probability 1 S p2 Hp2)); unfold S; congruence).
  assert (p2 = 0) by lra. subst p2. lra.
Qed.

(** * Programs that draw reals *)

(** Intervals that don't overlap have at most the chance that a growing function has in all. *)
Lemma in_order_sum (G : R -> R) top pieces : (forall x y, x <= y -> G x <= G y) -> (forall x, G x <= top) -> in_order pieces ->
  match pieces with
  | [] => True
  | (a, _, _) :: _ => sum (fun piece => G (snd (fst piece)) - G (fst (fst piece))) pieces <= top - G a
  end.
Proof.
  intros HG Htop. induction pieces as [| [[a b] q] rest IH]; auto. cbn [in_order]. intros (Hab & Hnext & Hrest).
  rewrite sum_cons. cbn [fst snd]. specialize (IH Hrest). destruct rest as [| [[a' b'] q'] rest].
  - simpl. pose proof (Htop b). lra.
  - pose proof (HG b a' Hnext). lra.
Qed.

Lemma in_order_below (G : R -> R) low top pieces : (forall x y, x <= y -> G x <= G y) -> (forall x, low <= G x <= top) ->
  in_order pieces -> sum (fun piece => G (snd (fst piece)) - G (fst (fst piece))) pieces <= top - low.
Proof.
  intros HG Hb Ho. pose proof (in_order_sum G top pieces HG (fun x => proj2 (Hb x)) Ho) as H.
  destruct pieces as [| [[a b] q] rest]; [simpl; destruct (Hb 0); lra |]. destruct (Hb a). lra.
Qed.

Definition released (scale : R) : code :=
  DrawReal 0 laplace "noisy" (RealVar "x") (RealConst scale) ;; Return [Item (RealVar "noisy")] [].
Definition number (x : R) : memory := upd empty "x" (Real x).
Definition inside_of (a b : R) (o : output) : Prop := exists r, a < r < b /\ o = Output [Real r] [].

Definition clamp (a b x : R) : R := Rmax a (Rmin x b).
Lemma clamp_grows a b x y : x <= y -> clamp a b x <= clamp a b y.
Proof. intros H. unfold clamp, Rmax, Rmin. repeat destruct Rle_dec; lra. Qed.
Lemma clamp_within a b x : a <= b -> a <= clamp a b x <= b.
Proof. intros H. unfold clamp, Rmax, Rmin. repeat destruct Rle_dec; lra. Qed.

Lemma inside_point a b r : inside_of a b (Output [Real r] []) -> a < r < b.
Proof. intros (r' & H & E). injection E as ->. exact H. Qed.

Lemma points_inside a b c d : c < d -> (forall x, c < x < d -> a < x < b) -> a <= c /\ d <= b.
Proof.
  intros H K. split; apply Rnot_lt_le; intros N.
  - set (x := (c + Rmin a d) / 2). assert (c < Rmin a d <= a /\ Rmin a d <= d) by (unfold Rmin; destruct Rle_dec; lra).
    specialize (K x). unfold x in *. lra.
  - set (x := (d + Rmax b c) / 2). assert (b <= Rmax b c < d /\ c <= Rmax b c) by (unfold Rmax; destruct Rle_dec; lra).
    specialize (K x). unfold x in *. lra.
Qed.

(** The probability of an interval is what the law says. *)
Theorem released_probability scale x a b : a <= b ->
  told_probability [] (released scale) (number x) (inside_of a b) (interval_mass laplace x scale a b).
Proof.
  intros Hab. set (m := interval_mass laplace x scale a b).
  assert (Hm : 0 <= m) by now apply interval_mass_nonneg.
  assert (E : forall fuel, told_runs [] fuel (released scale) (number x)
    = TDrawsReal laplace x scale (fun r => TEnds (Output [Real r] []))) by reflexivity.
  split.
  - intros part (fuel & logs & q & Hnd & Hq & ->).
    assert (Q : forall L, In L logs -> q L <= if log_dec L [] then m else 0).
    { intros L HL. specialize (Hq L HL). rewrite E in Hq.
      inversion Hq as [? ? ? Hneg | | | | ? ? ? ? ? pieces ? Ho Hp Hsum]; subst; [destruct log_dec; lra |].
      eapply Rle_trans; [exact Hsum |].
      apply Rle_trans with (sum (fun piece => if log_dec L [] then
        interval_mass laplace x scale (clamp a b (fst (fst piece))) (clamp a b (snd (fst piece))) else 0) pieces).
      - apply sum_le. intros [[c d] p] Hin. simpl. pose proof (in_order_each _ _ _ _ Ho Hin) as Hcd.
        pose proof (interval_mass_nonneg laplace x scale c d Hcd) as N.
        assert (N' : 0 <= interval_mass laplace x scale (clamp a b c) (clamp a b d)) by now apply interval_mass_nonneg, clamp_grows.
        destruct (Rle_dec p 0) as [Hp0 | Hp0]; [destruct log_dec; nra |].
        destruct Hcd as [Hcd | <-].
        2: { replace (interval_mass laplace x scale c c) with 0 by (unfold interval_mass; destruct Rlt_dec; ring). destruct log_dec; lra. }
        assert (K : forall r, c < r < d -> L = [] /\ p <= 1 /\ a < r < b).
        { intros r Hr. specialize (Hp c d p r Hin Hr). inversion Hp; subst; [lra |]. split; auto. split; auto.
          now apply inside_point. }
        destruct (K ((c + d) / 2) ltac:(lra)) as (-> & Hp1 & _). destruct log_dec as [_ | []]; auto.
        destruct (points_inside a b c d Hcd (fun r Hr => proj2 (proj2 (K r Hr)))).
        replace (clamp a b c) with c by (unfold clamp, Rmax, Rmin; repeat destruct Rle_dec; lra).
        replace (clamp a b d) with d by (unfold clamp, Rmax, Rmin; repeat destruct Rle_dec; lra). nra.
      - destruct log_dec; [| rewrite sum_zero; auto; lra]. unfold m, interval_mass. destruct (Rlt_dec 0 scale) as [Hs |].
        2: { rewrite sum_zero; auto. lra. }
        apply (in_order_below (fun y => at_most laplace ((clamp a b y - x) / scale))); auto.
        + intros y z H. apply at_most_grows, scaled_le; auto. pose proof (clamp_grows a b y z H). lra.
        + intros y. pose proof (clamp_within a b y Hab). split; apply at_most_grows, scaled_le; lra. }
    apply Rle_trans with (sum (fun L => if log_dec L [] then m else 0) logs); [now apply sum_le |].
    clear Hq Q E. induction Hnd as [| L logs HL _ IH]; [simpl; lra |]. rewrite sum_cons. destruct (log_dec L []) as [-> |]; [| lra].
    rewrite sum_zero; [lra |]. intros K HK. destruct log_dec as [-> |]; [contradiction | auto].
  - intros bound H. apply H. exists O, [[]], (fun _ => m). split; [repeat constructor; auto |]. split; [| simpl; ring].
    intros L [<- | []]. rewrite E. apply least_draws_real with [(a, b, 1)].
    + simpl. auto.
    + intros c d q r [Hin | []] Hr. injection Hin as <- <- <-. apply least_ends; [| lra]. exists r. auto.
    + simpl. unfold m. lra.
Qed.

(** Half of the noise that is needed is not enough. *)
Theorem half_of_the_noise_is_not_private : ~ told_private_on [] (1 / 2) (released 1) (number 0) (number 1).
Proof.
  intros H. pose proof (H _ _ _ (released_probability 1 0 (-1) 0 ltac:(lra)) (released_probability 1 1 (-1) 0 ltac:(lra))) as N.
  unfold interval_mass, at_most in N. destruct (Rlt_dec 0 1); [| lra]. unfold Rdiv in N. rewrite Rinv_1 in N.
  repeat (destruct Rle_dec in N; try lra).
  replace ((0 - 0) * 1) with 0 in N by ring. replace ((-1 - 0) * 1) with (-1) in N by ring.
  replace ((0 - 1) * 1) with (-1) in N by ring. replace ((-1 - 1) * 1) with (-1 + -1) in N by ring.
  rewrite exp_plus, exp_0 in N.
  assert (A : exp (-1) < 1) by (apply Rlt_le_trans with (exp 0); [apply exp_increasing; lra | rewrite exp_0; lra]).
  assert (B : exp (1 * / 2) * exp (-1) < 1).
  { rewrite <- exp_plus. apply Rlt_le_trans with (exp 0); [apply exp_increasing; lra | rewrite exp_0; lra]. }
  set (u := exp (-1)) in *. set (w := exp (1 * / 2)) in *. assert (0 < (1 - u) * (1 - w * u)) by (apply Rmult_lt_0_compat; lra). lra.
Qed.

(** What tells its input is not private here either. *)
Theorem real_telltale_is_not_private events epsilon : ~ told_private_on events epsilon (Return [Item (RealVar "x")] []) (number 0) (number 1).
Proof.
  intros H. set (S := fun o : output => o = Output [Real 0] []).
  assert (P : exists L, forall x fuel, told_runs events fuel (Return [Item (RealVar "x")] []) (number x)
    = match L with [] => TEnds (Output [Real x] []) | _ => Tells (Returned 0) (TheInt 0) (TEnds (Output [Real x] [])) end
    /\ (L = [] \/ L = [(Returned 0, TheInt 0)])).
  { unfold told_runs, published, tell_row, tell. simpl. destruct existsb; [exists [(Returned 0, TheInt 0)] | exists []]; auto. }
  destruct P as (L & P).
  assert (P1 : told_probability events (Return [Item (RealVar "x")] []) (number 1) S 0).
  { split.
    - intros part (fuel & logs & q & _ & Hq & ->). apply Rle_trans with (sum (fun _ => 0) logs); [| rewrite sum_zero; auto; lra].
      apply sum_le. intros K HK. specialize (Hq K HK). destruct (P 1 fuel) as [E HL]. rewrite E in Hq.
      assert (forall K t, at_least S K (TEnds (Output [Real 1] [])) t -> t <= 0).
      { intros K' t Ht. inversion Ht as [| ? ? HS | | |]; subst; auto. exfalso. unfold S in HS. injection HS. lra. }
      destruct HL as [-> | ->]; [eauto |]. inversion Hq; subst; eauto.
    - intros bound Hb. apply Hb. exists O, [], (fun _ => 0). repeat split; [constructor | intros K []]. }
  assert (P0 : exists p, 1 <= p /\ told_probability events (Return [Item (RealVar "x")] []) (number 0) S p).
  { exists 1. split; [lra |]. split.
    - intros part (fuel & logs & q & Hnd & Hq & ->). destruct (P 0 fuel) as [E HL].
      assert (Q : forall K, In K logs -> q K <= if log_dec K L then 1 else 0).
      { intros K HK. specialize (Hq K HK). rewrite E in Hq.
        assert (T : forall K t, at_least S K (TEnds (Output [Real 0] [])) t -> t <= 0 \/ K = [] /\ t <= 1).
        { intros K' t Ht. inversion Ht; subst; auto. }
        destruct HL as [-> | ->].
        - destruct (T _ _ Hq) as [? | [-> ?]]; destruct log_dec; try lra. contradiction.
        - inversion Hq as [| | ? ? ? ? ? Hq' | |]; subst; [destruct log_dec; lra |].
          destruct (T _ _ Hq') as [? | [-> ?]]; destruct log_dec; try lra. contradiction. }
      apply Rle_trans with (sum (fun K => if log_dec K L then 1 else 0) logs); [now apply sum_le |].
      clear Hq Q E. induction Hnd as [| K logs HK _ IH]; [simpl; lra |]. rewrite sum_cons. destruct (log_dec K L) as [-> |]; [| lra].
      rewrite sum_zero; [lra |]. intros K' HK'. destruct log_dec as [-> |]; [contradiction | auto].
    - intros bound Hb. apply Hb. destruct (P 0 O) as [E HL]. exists O, [L], (fun _ => 1).
      split; [repeat constructor; auto |]. split; [| simpl; ring]. intros K [<- | []]. rewrite E.
      destruct HL as [-> | ->]; repeat apply least_tells; apply least_ends; try reflexivity; lra. }
  destruct P0 as (p & Hp & P0). specialize (H S p 0 P0 P1). lra.
Qed.
