(** What keeps the statement from being empty: noise has mass 1, each event of a program whose chances add up to at
    most 1 has a probability between 0 and 1, and a program that tells its private input is not private, however large epsilon is. *)
From Coq Require Import Lia Lra Psatz FinFun.
From synth Require Import Coupling.

(** * Noise has mass 1 *)

Fixpoint around (m : Z) (n : nat) : list Z :=
  match n with O => [m] | S n' => (m + Z.of_nat n)%Z :: (m - Z.of_nat n)%Z :: around m n' end.

Lemma around_in m n z : In z (around m n) <-> (Z.abs (z - m) <= Z.of_nat n)%Z.
Proof. revert z. induction n as [| n IH]; intros z; [simpl; lia |]. simpl around. simpl In. rewrite IH. lia. Qed.

Lemma around_nodup m n : NoDup (around m n).
Proof.
  induction n as [| n IH]; [repeat constructor; simpl; tauto |]. simpl around.
  repeat constructor; auto; simpl In; rewrite ?around_in; lia.
Qed.

Lemma decay_nat s n : decay s (Z.of_nat n) = exp (- (1 / s)) ^ n.
Proof.
  unfold decay. rewrite Z.abs_eq by lia. rewrite <- INR_IZR_INZ. induction n as [| n IH].
  - simpl. unfold Rdiv. rewrite Rmult_0_l, Ropp_0. apply exp_0.
  - rewrite S_INR. simpl. rewrite <- IH, <- exp_plus. f_equal. unfold Rdiv. ring.
Qed.

Lemma decay_opp s z : decay s (- z) = decay s z.
Proof. unfold decay. now rewrite Z.abs_opp. Qed.

Lemma laplace_around s m n : 0 < s ->
  sum (noise_mass laplace m s) (around m n) = 1 - 2 * exp (- (1 / s)) ^ S n / (1 + exp (- (1 / s))).
Proof.
  intros Hs. pose proof (step_below_1 s Hs) as Ha. pose proof (decay_nat s) as D.
  unfold noise_mass. destruct (Rlt_dec 0 s); [| contradiction].
  induction n as [| n IH].
  - simpl around. cbn [sum fold_right]. replace (m - m)%Z with (Z.of_nat 0) by lia. rewrite D. simpl. field. lra.
  - change (around m (S n)) with ((m + Z.of_nat (S n))%Z :: (m - Z.of_nat (S n))%Z :: around m n).
    cbn [sum fold_right].
    fold (sum (fun z => (1 - exp (- (1 / s))) / (1 + exp (- (1 / s))) * decay s (z - m)) (around m n)). rewrite IH.
    replace (m + Z.of_nat (S n) - m)%Z with (Z.of_nat (S n)) by lia.
    replace (m - Z.of_nat (S n) - m)%Z with (- Z.of_nat (S n))%Z by lia.
    rewrite (decay_opp s (Z.of_nat (S n))), D. simpl. field. lra.
Qed.

Fixpoint from (m : Z) (n : nat) : list Z := match n with O => [] | S n' => (m + Z.of_nat n')%Z :: from m n' end.

Lemma from_in m n z : In z (from m n) <-> (m <= z < m + Z.of_nat n)%Z.
Proof. revert z. induction n as [| n IH]; intros z; simpl from; simpl In; [lia |]. rewrite IH. lia. Qed.

Lemma from_nodup m n : NoDup (from m n).
Proof. induction n; simpl from; constructor; auto. rewrite from_in. lia. Qed.

Lemma exponential_from s m n : 0 < s -> sum (noise_mass exponential m s) (from m n) = 1 - exp (- (1 / s)) ^ n.
Proof.
  intros Hs. pose proof (decay_nat s) as D. unfold noise_mass. destruct (Rlt_dec 0 s); [| contradiction].
  induction n as [| n IH]; simpl from; cbn [sum fold_right]; [simpl; lra |].
  match goal with |- _ + fold_right ?f 0 ?l = _ => change (fold_right f 0 l) with (sum (fun z =>
    if (m <=? z)%Z then (1 - exp (- (1 / s))) * decay s (z - m) else 0) l) end. rewrite IH.
  destruct (Z.leb_spec m (m + Z.of_nat n)); [| lia].
  replace (m + Z.of_nat n - m)%Z with (Z.of_nat n) by lia. rewrite D. simpl. ring.
Qed.

Theorem noise_at_most_1 kind m s l : NoDup l -> sum (noise_mass kind m s) l <= 1.
Proof.
  intros Hl. destruct (Rlt_dec 0 s) as [Hs | Hs].
  - pose proof (step_below_1 s Hs) as Ha.
    set (n := S (fold_right (fun z n => Nat.max (Z.to_nat (Z.abs (z - m))) n) 0%nat l)).
    assert (Hn : forall z, In z l -> (Z.abs (z - m) < Z.of_nat n)%Z).
    { subst n. clear. induction l as [| a l IH]; simpl; intros z []; subst; [lia |]. specialize (IH z H). lia. }
    destruct kind.
    + apply Rle_trans with (sum (noise_mass laplace m s) (around m n)).
      * apply sum_le_incl; auto using noise_mass_nonneg. intros z Hz. apply around_in. specialize (Hn z Hz). lia.
      * rewrite laplace_around by auto. pose proof (pow_lt (exp (- (1 / s))) (S n) (proj1 Ha)).
        assert (0 < 2 * exp (- (1 / s)) ^ S n / (1 + exp (- (1 / s)))) by (apply Rdiv_lt_0_compat; lra). lra.
    + destruct (sum_positive (noise_mass exponential m s) l (noise_mass_nonneg _ _ _)) as (l' & Hl').
      destruct (Hl' Hl) as (Hnd & Hin & Hpos & ->).
      apply Rle_trans with (sum (noise_mass exponential m s) (from m n)).
      * apply sum_le_incl; auto using noise_mass_nonneg. intros z Hz. apply from_in.
        specialize (Hn z (Hin z Hz)). specialize (Hpos z Hz). unfold noise_mass in Hpos.
        destruct (Rlt_dec 0 s); [| lra]. destruct (Z.leb_spec m z); [lia | lra].
      * rewrite exponential_from by auto. pose proof (pow_lt (exp (- (1 / s))) n (proj1 Ha)). lra.
  - destruct (sum_positive (noise_mass kind m s) l (noise_mass_nonneg _ _ _)) as (l' & Hl').
    destruct (Hl' Hl) as (_ & _ & Hpos & ->). destruct l' as [| z l']; [simpl; lra |].
    specialize (Hpos z (or_introl eq_refl)). apply mass_scale in Hpos. contradiction.
Qed.

Lemma indices_nodup n : NoDup (indices n).
Proof. unfold indices. apply Injective_map_NoDup; [intros x y; lia | apply seq_NoDup]. Qed.

Theorem weights_at_most_1 n exponent l : NoDup l -> sum (weight_mass n exponent) l <= 1.
Proof.
  intros Hl. destruct (sum_positive (weight_mass n exponent) l (weight_mass_nonneg n exponent)) as (l' & Hl').
  destruct (Hl' Hl) as (Hnd & _ & Hpos & ->).
  assert (Hin : incl l' (indices n)).
  { intros z Hz. specialize (Hpos z Hz). unfold weight_mass in Hpos.
    destruct ((0 <=? z) && (z <? n))%Z%bool eqn:E; [| lra]. now apply indices_in, inside_indices. }
  apply Rle_trans with (sum (weight_mass n exponent) (indices n)).
  { apply sum_le_incl; auto using weight_mass_nonneg. }
  set (total := sum (fun i => exp (exponent i)) (indices n)).
  assert (E : forall l, incl l (indices n) -> sum (weight_mass n exponent) l = sum (fun i => exp (exponent i)) l / total).
  { induction l0 as [| a l0 IH]; intros Hi; [simpl; unfold Rdiv; ring |]. rewrite !sum_cons, IH by (intros x Hx; apply Hi; simpl; auto).
    unfold weight_mass. pose proof (Hi a (or_introl eq_refl)) as Ha. apply indices_in in Ha.
    rewrite (proj2 (Z.leb_le 0 a)), (proj2 (Z.ltb_lt a n)) by lia. simpl. unfold Rdiv. fold total. ring. }
  rewrite E by (intros x Hx; auto). destruct (indices n) as [| i rest] eqn:En; [simpl; unfold Rdiv; lra |].
  assert (0 < total) by (apply (sum_exp_pos exponent (i :: rest) i); simpl; auto).
  unfold Rdiv. rewrite Rinv_r; lra.
Qed.

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

Inductive sound : tree -> Prop :=
| sound_ends o : sound (Ends o)
| sound_fails : sound Fails
| sound_draws l next : (forall zs, NoDup zs -> sum (mass l) zs <= 1) -> (forall z, sound (next z)) -> sound (Draws l next).

Fixpoint only_noise (c : code) : bool :=
  match c with
  | Choose _ _ _ _ _ => false
  | Seq a b | If _ _ a b => only_noise a && only_noise b
  | Block _ body | Loop _ body => only_noise body
  | _ => true
  end.

Lemma sound_exec fuel c : only_noise c = true -> forall leave next m,
  (forall l m, sound (leave l m)) -> (forall m, sound (next m)) -> sound (exec fuel c leave next m).
Proof.
  induction c; simpl; intros Hc leave next m Hl Hn; try discriminate; auto using sound.
  all: try (apply andb_prop in Hc; destruct Hc as [Ha Hb]).
  all: try solve [constructor; auto; apply noise_at_most_1
    | destruct forallb; constructor; auto; apply weights_at_most_1 | apply IHc1; auto | destruct eval; auto using sound].
  all: try solve [apply IHc; auto; intros; destruct String.eqb; auto].
  generalize fuel at 2 as n. intros n. revert m. induction n; intros m; [constructor | apply IHc; auto].
Qed.

Theorem noise_is_sound fuel program input : only_noise program = true -> sound (runs fuel program input).
Proof. intros H. apply sound_exec; auto using sound. Qed.

Theorem chances_at_most_1 t : sound t -> forall ds, NoDup ds -> (forall d, In d ds -> outcome t d <> None) -> sum (chance t) ds <= 1.
Proof.
  induction 1 as [o | | law next Hl _ IH]; intros ds Hnd Hds.
  - destruct ds as [| d ds]; [simpl; lra |]. destruct ds as [| d' ds]; [simpl; lra |]. exfalso.
    assert (E : d = [] /\ d' = []).
    { split; [specialize (Hds d (or_introl eq_refl)) | specialize (Hds d' (or_intror (or_introl eq_refl)))];
        [destruct d | destruct d']; simpl in Hds; congruence. }
    destruct E as [-> ->]. inversion_clear Hnd. simpl in *. tauto.
  - destruct ds as [| d ds]; [simpl; lra |]. exfalso. apply (Hds d); simpl; auto.
  - set (heads := nodup Z.eq_dec (map (hd 0%Z) ds)).
    assert (Hheads : NoDup heads) by apply NoDup_nodup.
    rewrite (sum_by_head _ ds heads Hheads) by (intros d Hd; apply nodup_In; now apply in_map).
    apply Rle_trans with (sum (mass law) heads); [| now apply Hl].
    apply sum_le. intros z _. set (part := filter (head_is z) ds).
    assert (Hpart : forall d, In d part -> exists d', d = z :: d' /\ outcome (next z) d' <> None).
    { intros d Hd. apply filter_In in Hd. destruct Hd as [Hd E]. specialize (Hds d Hd).
      destruct d as [| y d]; simpl in Hds; [congruence |]. unfold head_is in E. simpl in E.
      apply Z.eqb_eq in E as ->. now exists d. }
    rewrite (sum_ext (chance (Draws law next)) (fun d => mass law z * chance (next z) (tl d))).
    2: { intros d Hd. destruct (Hpart d Hd) as (d' & -> & _). reflexivity. }
    rewrite sum_scale, <- (sum_map (chance (next z))).
    rewrite <- (Rmult_1_r (mass law z)) at 2. apply Rmult_le_compat_l; [apply mass_nonneg |]. apply IH.
    + apply NoDup_map_on; [| now apply NoDup_filter]. intros x y Hx Hy.
      destruct (Hpart x Hx) as (x' & -> & _). destruct (Hpart y Hy) as (y' & -> & _). simpl. congruence.
    + intros d Hd. apply in_map_iff in Hd. destruct Hd as (d0 & <- & Hd0). now destruct (Hpart d0 Hd0) as (d' & -> & Hd').
Qed.

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
  intros H. set (S := fun o : output => o = Output [Int 0] []).
  destruct (probability_exists telltale (secret 0) S (telltale_is_sound _)) as (p1 & Hp1 & _).
  destruct (probability_exists telltale (secret 1) S (telltale_is_sound _)) as (p2 & Hp2 & Hnn).
  specialize (H S p1 p2 Hp1 Hp2).
  pose proof (proj1 (telltale_probability 0 S p1 Hp1) eq_refl).
  assert (p2 <= 0) by (apply (proj2 (telltale_probability 1 S p2 Hp2)); unfold S; congruence).
  assert (p2 = 0) by lra. subst p2. lra.
Qed.
