(** Tails of noise that are given up: a proof up to delta.

    Run 1 may end without output where noise is far from its centre.  [loses d t t'] says that t' is t but for such
    ends, which have a chance of at most d in all; they depend on the draws of run 1 alone, so that they are lost once,
    whatever is told.  For that, chances of all runs have to add up to at most 1. *)
From Coq Require Import Lia Lra Psatz FinFun.
From synth Require Export Rules.

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

(** * Runs that end have chances of at most 1 in all *)

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


(** * What is lost *)

Inductive loses : R -> tree -> tree -> Prop :=
| loses_nothing d t : 0 <= d -> loses d t t
| loses_draws d d' law next next' (keep : Z -> bool) :
    (forall zs, NoDup zs -> (forall z, In z zs -> keep z = false) -> sum (mass law) zs <= d') ->
    0 <= d -> (forall z, keep z = true -> loses d (next z) (next' z)) ->
    loses (d' + d) (Draws law next) (Draws law next').

(** A tree of runs that tell nothing. *)
Fixpoint still (t : tree) : telling :=
  match t with Ends o => TEnds o | Fails => TFails | Draws law next => TDraws law (fun z => still (next z)) end.

Lemma still_quiet t : quiet t (still t).
Proof.
  induction t as [o | | law next IH]; intros d; simpl; [| destruct d; auto |].
  - destruct d; auto.
  - destruct d as [| z d]; simpl; auto. destruct (IH z d) as [-> ->]. auto.
Qed.

Lemma part_of_still S t ds : part_of S [] (still t) ds <->
  NoDup ds /\ forall d, In d ds -> exists o, outcome t d = Some o /\ S o.
Proof.
  assert (E : forall t d o L, told_outcome (still t) d = Some (o, L) -> L = []).
  { clear. induction t as [o | | law next IH]; intros d o' L; simpl; try discriminate.
    - destruct d; congruence.
    - destruct d as [| z d]; [discriminate |]. apply IH. }
  split; intros [Hnd H]; split; auto; intros d Hd; destruct (H d Hd) as (o & Ho & So); exists o; split; auto;
    rewrite (proj1 (still_quiet t d)) in *.
  - now rewrite Ho.
  - destruct (told_outcome (still t) d) as [[o' L] |] eqn:Et; [| discriminate].
    rewrite (E _ _ _ _ Et). simpl in Ho. congruence.
Qed.

Lemma part_at_most_1 S t ds : sound t -> part_of S [] (still t) ds -> sum (told_chance (still t)) ds <= 1.
Proof.
  intros Ht Hds. apply part_of_still in Hds. destruct Hds as [Hnd H].
  rewrite (sum_ext _ (chance t)) by (intros; symmetry; apply still_quiet).
  apply chances_at_most_1; auto. intros d Hd. destruct (H d Hd) as (o & -> & _). discriminate.
Qed.

Lemma sum_partition {A} (f : A -> R) (p : A -> bool) l :
  sum f l = sum f (filter p l) + sum f (filter (fun x => negb (p x)) l).
Proof.
  induction l as [| a l IH]; [simpl; ring |]. simpl filter. rewrite sum_cons, IH.
  destruct (p a); simpl; rewrite ?sum_cons; unfold sum; simpl; ring.
Qed.

Theorem loses_part S d t t' : loses d t t' -> sound t -> forall ds, part_of S [] (still t) ds ->
  exists ds', part_of S [] (still t') ds'
  /\ sum (told_chance (still t)) ds <= sum (told_chance (still t')) ds' + d.
Proof.
  induction 1 as [d t Hd | d d' law next next' keep Hk Hd _ IH]; intros Ht ds Hds.
  - exists ds. split; auto. lra.
  - inversion_clear Ht as [| | ? ? Hl Hs]. simpl in Hds.
    destruct (split_draws _ _ _ _ _ Hds) as (heads & F & Hh & HF & E). simpl still.
    rewrite E. clear E Hds.
    destruct (choose_for Z.eq_dec [] (fun z ds' => part_of S [] (still (next' z)) ds' /\ (keep z = true ->
      sum (told_chance (still (next z))) (F z) <= sum (told_chance (still (next' z))) ds' + d)) heads) as (F' & HF').
    { intros z. destruct (keep z) eqn:Ez.
      - destruct (IH z Ez (Hs z) (F z) (HF z)) as (ds' & H1 & H2). exists ds'. auto.
      - exists []. split; [apply nothing | discriminate]. }
    destruct (join_draws S [] law (fun z => still (next' z)) (fun z => z)
      (fun z => if in_dec Z.eq_dec z heads then F' z else []) (filter keep heads)) as (ds' & H1 & H2); auto.
    { now apply NoDup_filter. } { intros z. destruct in_dec; [now apply HF' | apply nothing]. }
    exists ds'. split; auto. rewrite H2, (sum_partition _ keep heads).
    assert (K : sum (fun z => mass law z * sum (told_chance (still (next z))) (F z)) (filter keep heads)
      <= sum (fun z => mass law z * sum (told_chance (still (next' z)))
               (if in_dec Z.eq_dec z heads then F' z else [])) (filter keep heads) + d).
    { apply Rle_trans with (sum (fun z => mass law z * sum (told_chance (still (next' z)))
               (if in_dec Z.eq_dec z heads then F' z else []) + d * mass law z) (filter keep heads)).
      - apply sum_le. intros z Hz. apply filter_In in Hz. destruct Hz as [Hz Ez]. destruct in_dec; [| contradiction].
        destruct (HF' z Hz) as [_ Hle]. specialize (Hle Ez). pose proof (mass_nonneg law z). nra.
      - rewrite sum_plus, sum_scale. specialize (Hl (filter keep heads) (NoDup_filter _ Hh)). nra. }
    assert (C : sum (fun z => mass law z * sum (told_chance (still (next z))) (F z)) (filter (fun z => negb (keep z)) heads)
      <= d').
    { apply Rle_trans with (sum (mass law) (filter (fun z => negb (keep z)) heads)).
      - apply sum_le. intros z _. pose proof (mass_nonneg law z).
        pose proof (part_at_most_1 S (next z) (F z) (Hs z) (HF z)). nra.
      - apply Hk; [now apply NoDup_filter |]. intros z Hz. apply filter_In in Hz. destruct Hz as [_ Hz].
        now apply negb_true_iff. }
    lra.
Qed.

(** Privacy up to what is lost: [kept] is the program but for the ends of run 1. *)
Theorem kept_private events epsilon delta program kept input1 input2 : only_noise program = true ->
  (forall fuel, loses delta (runs fuel program input1) (runs fuel kept input1)) ->
  (forall fuel L, coupled L epsilon (told_runs events fuel kept input1) (told_runs events fuel program input2)) ->
  private_within epsilon delta program input1 input2.
Proof.
  intros Hn Hk H S p1 p2 [_ Hp1] [Hp2 _]. apply Hp1. intros part (fuel & ds & Hnd & HS & ->).
  destruct (loses_part S _ _ _ (Hk fuel) (noise_is_sound fuel program input1 Hn) ds) as (ds' & Hds' & Hle).
  { apply part_of_still. auto. }
  apply part_of_still in Hds'. destruct Hds' as [Hnd' HS'].
  destruct (coupled_runs events epsilon _ _ _ _ fuel (H fuel) S ds' Hnd' HS') as (ds2 & H1 & H2 & Hc).
  rewrite (sum_ext (chance _) (told_chance (still (runs fuel program input1)))) by (intros; apply still_quiet).
  eapply Rle_trans; [exact Hle |]. apply Rplus_le_compat_r.
  rewrite (sum_ext (told_chance _) (chance (runs fuel kept input1))) by (intros; symmetry; apply still_quiet).
  eapply Rle_trans; [exact Hc |]. apply Rmult_le_compat_l; [apply Rlt_le, exp_pos |].
  apply Hp2. exists fuel, ds2. auto.
Qed.

(** * The mass of a tail *)

Lemma least_above (t : R) : exists n : Z, t <= IZR n /\ forall z : Z, t <= IZR z -> (n <= z)%Z.
Proof.
  destruct (archimed t) as [H1 H2]. destruct (Req_EM_T (IZR (up t - 1)) t) as [E | E].
  - exists (up t - 1)%Z. split; [lra |]. intros z Hz. rewrite <- E in Hz. now apply le_IZR.
  - exists (up t). split; [lra |]. intros z Hz. apply Znot_gt_le. intros Hg.
    assert (z <= up t - 1)%Z as Hu by lia. apply IZR_le in Hu. rewrite minus_IZR in *. apply E. lra.
Qed.

(** Laplace noise is t or more with chance exp(-t/scale) / (1 + exp(-1/scale)) at most. *)
Lemma laplace_above s c t zs : 0 < s -> 0 <= t -> NoDup zs -> (forall z, In z zs -> t <= IZR (z - c)) ->
  sum (noise_mass laplace c s) zs <= exp (- (t / s)) / (1 + exp (- (1 / s))).
Proof.
  intros Hs Ht Hnd H. destruct (least_above t) as (n & Hn & Hleast). pose proof (step_below_1 s Hs) as Ha.
  assert (0 <= n)%Z by (apply le_IZR; lra).
  apply Rle_trans with (exp (- (IZR n / s)) / (1 + exp (- (1 / s))) * sum (noise_mass exponential (c + n) s) zs).
  - rewrite <- sum_scale. apply sum_le. intros z Hz. specialize (H z Hz). apply Hleast in H.
    unfold noise_mass. destruct (Rlt_dec 0 s); [| lra]. rewrite (proj2 (Z.leb_le (c + n) z)) by lia.
    unfold decay. rewrite !Z.abs_eq by lia. right.
    replace (exp (- (IZR (z - c) / s))) with (exp (- (IZR n / s)) * exp (- (IZR (z - (c + n)) / s))).
    + field. lra.
    + rewrite <- exp_plus. f_equal. rewrite !minus_IZR, plus_IZR. field. lra.
  - pose proof (noise_at_most_1 exponential (c + n) s zs Hnd) as Hm.
    assert (E : exp (- (IZR n / s)) <= exp (- (t / s))).
    { apply exp_le. apply Ropp_le_contravar. apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; lra | lra]. }
    pose proof (exp_pos (- (IZR n / s))).
    assert (D : 0 < / (1 + exp (- (1 / s)))) by (apply Rinv_0_lt_compat; lra).
    assert (0 <= sum (noise_mass exponential (c + n) s) zs) by (apply sum_nonneg; intros; apply noise_mass_nonneg).
    set (y := 1 + exp (- (1 / s))) in *. unfold Rdiv. set (w := sum (noise_mass exponential (c + n) s) zs) in *.
    assert (0 <= exp (- (IZR n * / s)) * / y) by (apply Rlt_le, Rmult_lt_0_compat; auto; apply exp_pos).
    apply Rle_trans with (exp (- (IZR n * / s)) * / y * 1); [apply Rmult_le_compat_l; auto |].
    rewrite Rmult_1_r. apply Rmult_le_compat_r; [lra | exact E].
Qed.

(** A bound on what is lost at a draw, by the logarithm of delta. *)
Lemma laplace_tail s c t delta zs : (0 < s -> 0 <= t) -> (0 < s -> exp (- (t / s)) <= delta) -> 0 <= delta -> NoDup zs ->
  (forall z, In z zs -> t <= IZR (z - c)) -> sum (mass (Noise laplace c s)) zs <= delta.
Proof.
  intros Ht Hd H0 Hnd H. destruct (Rlt_dec 0 s) as [Hs | Hs].
  - change (sum (noise_mass laplace c s) zs <= delta).
    eapply Rle_trans; [exact (laplace_above s c t zs Hs (Ht Hs) Hnd H) |]. pose proof (step_below_1 s Hs). specialize (Hd Hs).
    apply Rle_trans with (exp (- (t / s))); auto. pose proof (exp_pos (- (t / s))).
    apply Rmult_le_reg_r with (1 + exp (- (1 / s))); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra.
  - rewrite sum_zero; [exact H0 |]. intros z _. simpl. unfold noise_mass. destruct (Rlt_dec 0 s); [contradiction | auto].
Qed.

Lemma exp_below x d : 0 < d -> x <= ln d -> exp x <= d.
Proof. intros Hd H. rewrite <- (exp_ln d Hd). now apply exp_le. Qed.

(** * A program with ends *)

(** Behind a draw, what must hold for a run to go on. *)
Fixpoint trim (keeps : nat -> option (expr BOOL)) (c : code) : code :=
  match c with
  | Draw n _ _ _ _ => match keeps n with Some k => Seq c (Assume k) | None => c end
  | Seq a b => Seq (trim keeps a) (trim keeps b)
  | If n c a b => If n c (trim keeps a) (trim keeps b)
  | Block l body => Block l (trim keeps body)
  | Loop n body => Loop n (trim keeps body)
  | _ => c
  end.

Lemma loses_checked d (b : bool) t t' : 0 <= d -> (b = true -> loses d t t') ->
  loses d (if b then t else Fails) (if b then t' else Fails).
Proof. intros Hd H. destruct b; auto. now apply loses_nothing. Qed.

Lemma loses_branch d (b : bool) t t' u u' : (b = true -> loses d t t') -> (b = false -> loses d u u') ->
  loses d (if b then t else u) (if b then t' else u').
Proof. destruct b; auto. Qed.

Lemma loses_kept d law next next' : 0 <= d -> (forall z, loses d (next z) (next' z)) -> loses d (Draws law next) (Draws law next').
Proof.
  intros Hd H. replace d with (0 + d) by ring. apply loses_draws with (fun _ => true); auto.
  intros zs _ Hz. destruct zs as [| z zs]; [simpl; lra |]. specialize (Hz z (or_introl eq_refl)). discriminate.
Qed.

Lemma loses_in_all all d t t' : loses (d + (all - d)) t t' -> loses all t t'.
Proof. replace (d + (all - d)) with all by ring. auto. Qed.

Lemma loses_tail d d' fuel n x (center : expr INT) (scale : expr REAL) (kept : expr BOOL) t lv lv' k k' m : (0 < eval m scale -> 0 <= t) ->
  (0 < eval m scale -> exp (- (t / eval m scale)) <= d') -> 0 <= d' -> 0 <= d ->
  (forall z, eval (upd m x (Int z)) kept = false -> t <= IZR (z - eval m center)) ->
  (forall z, eval (upd m x (Int z)) kept = true -> loses d (k (upd m x (Int z))) (k' (upd m x (Int z)))) ->
  loses (d' + d) (exec fuel (Draw n laplace x center scale) lv k m)
    (exec fuel (Seq (Draw n laplace x center scale) (Assume kept)) lv' k' m).
Proof.
  intros Ht Hd' H0 Hd Hcut Hk. simpl. apply loses_draws with (fun z => eval (upd m x (Int z)) kept); auto.
  - intros zs Hnd Hz. apply laplace_tail with t; auto.
  - intros z Hz. simpl in *. rewrite Hz. auto.
Qed.
