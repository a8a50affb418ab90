(** Tails of noise that are given up: a proof up to delta.

    Run 1 may end without output where noise is far from its centre.  [loses d t t'] says that t' is t but for such
    ends, which have a chance of at most d in all; they depend on the draws of run 1 alone, so that they are lost once,
    whatever is told.  For that, chances of all runs have to add up to at most 1. *)
From Coq Require Import Lia Lra Psatz FinFun FunctionalExtensionality.
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
  | Choose _ _ _ _ _ | DrawReal _ _ _ _ _ => false
  | Seq a b | If _ _ a b => only_noise a && only_noise b
  | Block _ body | Loop _ body => only_noise body
  | _ => true
  end.

Lemma only_noise_integers c : only_noise c = true -> draws_integers c = true.
Proof. induction c; simpl; auto; rewrite !andb_true_iff; tauto. Qed.

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

(** The same on one side of the centre or on both. *)
Definition sides (both : bool) : R := if both then 2 else 1.

Lemma laplace_below s c t zs : 0 < s -> 0 <= t -> NoDup zs -> (forall z, In z zs -> t <= IZR (c - z)) ->
  sum (noise_mass laplace c s) zs <= exp (- (t / s)) / (1 + exp (- (1 / s))).
Proof.
  intros Hs Ht Hnd H. rewrite (sum_ext _ (fun z => noise_mass laplace (- c) s (- z))).
  2: { intros z _. unfold noise_mass. destruct Rlt_dec; auto. rewrite <- decay_opp. do 2 f_equal. lia. }
  rewrite <- (sum_map (noise_mass laplace (- c) s) Z.opp). apply laplace_above; auto.
  - apply Injective_map_NoDup; auto. intros x y. lia.
  - intros z Hz. apply in_map_iff in Hz. destruct Hz as (y & <- & Hy). specialize (H y Hy).
    replace (- y - - c)%Z with (c - y)%Z by ring. auto.
Qed.

Lemma laplace_tails (both : bool) s c t d zs : 0 <= t -> sides both * exp (- (t / s)) <= d * (1 + exp (- (1 / s))) -> 0 <= d ->
  NoDup zs -> (forall z, In z zs -> t <= IZR (z - c) \/ both = true /\ t <= IZR (c - z)) ->
  sum (mass (Noise laplace c s)) zs <= d.
Proof.
  intros Ht Hd H0 Hnd H. destruct (Rlt_dec 0 s) as [Hs | Hs].
  2: { rewrite sum_zero; [exact H0 |]. intros z _. simpl. unfold noise_mass. destruct (Rlt_dec 0 s); [contradiction | auto]. }
  change (sum (noise_mass laplace c s) zs <= d).
  assert (Hone : forall d' p, p * exp (- (t / s)) <= d' * (1 + exp (- (1 / s))) -> p * (exp (- (t / s)) / (1 + exp (- (1 / s)))) <= d').
  { intros d' p Hp. pose proof (exp_pos (- (1 / s))). apply Rmult_le_reg_r with (1 + exp (- (1 / s))); [lra |].
    unfold Rdiv. rewrite Rmult_assoc, Rmult_assoc, Rinv_l by lra. rewrite Rmult_1_r. exact Hp. }
  apply Hone in Hd. clear Hone.
  set (above := fun z => if Rle_dec t (IZR (z - c)) then true else false).
  rewrite (sum_partition _ above).
  assert (A : sum (noise_mass laplace c s) (filter above zs) <= exp (- (t / s)) / (1 + exp (- (1 / s)))).
  { apply laplace_above; auto; [now apply NoDup_filter |]. intros z Hz. apply filter_In in Hz. destruct Hz as [_ Hz].
    unfold above in Hz. destruct Rle_dec; [auto | discriminate]. }
  destruct both; simpl in Hd.
  - assert (B : sum (noise_mass laplace c s) (filter (fun z => negb (above z)) zs) <= exp (- (t / s)) / (1 + exp (- (1 / s)))).
    { apply laplace_below; auto; [now apply NoDup_filter |]. intros z Hz. apply filter_In in Hz. destruct Hz as [Hz Ha].
      unfold above in Ha. destruct Rle_dec; [discriminate |]. destruct (H z Hz) as [? | [_ ?]]; [contradiction | auto]. }
    lra.
  - rewrite (sum_zero _ (filter (fun z => negb (above z)) zs)); [lra |]. intros z Hz. apply filter_In in Hz. destruct Hz as [Hz Ha].
    unfold above in Ha. destruct Rle_dec; [discriminate |]. destruct (H z Hz) as [? | [? _]]; [contradiction | discriminate].
Qed.

Lemma exp_below x d : 0 < d -> x <= ln d -> exp x <= d.
Proof. intros Hd H. rewrite <- (exp_ln d Hd). now apply exp_le. Qed.

(** * A program with ends *)

(** Noise of a site of run 1 that is given up: where [when] holds, what is [far] or further above the centre (with
    [both], also below it).  Up to [most] such draws are counted in [counter], and each loses [lost] at most. *)
Record tail := Tail { when : expr BOOL; both : bool; far : R; counter : string; most : Z; lost : R }.

Definition gives_up (t : tail) (scale : expr REAL) : expr BOOL :=
  And (when t) (And (Lt (IntVar (counter t)) (IntConst (most t))) (And (RLe (RealConst 0) (RealConst (far t)))
    (RLe (RMul (RealConst (sides (both t))) (Exp (RNeg (RDiv (RealConst (far t)) scale))))
         (RMul (RealConst (lost t)) (RAdd (RealConst 1) (Exp (RNeg (RDiv (RealConst 1) scale)))))))).
Definition near (t : tail) (x : string) (center : expr INT) : expr BOOL :=
  And (RLt (ToReal (Sub (IntVar x) center)) (RealConst (far t)))
      (Or (Not (BoolConst (both t))) (RLt (ToReal (Sub center (IntVar x))) (RealConst (far t)))).
Definition cut (t : tail) (x : string) (center : expr INT) (scale : expr REAL) : code :=
  Assume (Or (Not (gives_up t scale)) (near t x center)) ;;
  Assign (counter t) (Cond (when t) (Add (IntVar (counter t)) (IntConst 1)) (IntVar (counter t))).

(** Behind a draw, what must hold for a run to go on. *)
Fixpoint trim (tails : nat -> option tail) (c : code) : code :=
  match c with
  | Draw n law x center scale => match tails n with Some t => c ;; cut t x center scale | None => c end
  | a ;; b => trim tails a ;; trim tails b
  | If n c a b => If n c (trim tails a) (trim tails b)
  | Block l body => Block l (trim tails body)
  | Loop n body => Loop n (trim tails body)
  | _ => c
  end.

(** * What reads no counter *)

Definition among_names (names : list string) (x : string) : bool := existsb (String.eqb x) names.
Fixpoint free (names : list string) {s} (e : expr s) : bool :=
  match e with
  | IntConst _ | RealConst _ | BoolConst _ => true
  | IntVar x | RealVar x | BoolVar x | Length x => negb (among_names names x)
  | Read x i | ReadReal x i | ReadTruth x i | IntElement x i _ | BoolElement x i _ | RealElement x i _ => negb (among_names names x) && free names i
  | Read2 x i j => negb (among_names names x) && (free names i && free names j)
  | Neg a | Abs a => free names a
  | RNeg a | RAbs a | Exp a | Ln a | Sqrt a => free names a
  | ToReal a => free names a
  | Not a => free names a
  | Add a b | Sub a b | Mul a b | FloorDiv a b | Modulo a b | Min a b | Max a b | Eq a b | Lt a b | Le a b => free names a && free names b
  | RAdd a b | RSub a b | RMul a b | RDiv a b | RMin a b | RMax a b | REq a b | RLt a b | RLe a b => free names a && free names b
  | BEq a b | And a b | Or a b => free names a && free names b
  | Cond c a b => free names c && (free names a && free names b)
  end.

Definition alike (names : list string) (m m' : memory) : Prop := forall x, among_names names x = false -> m x = m' x.

Lemma alike_upd names m m' x v : alike names m m' -> alike names (upd m x v) (upd m' x v).
Proof. intros H y Hy. unfold upd. destruct String.eqb; auto. Qed.

Lemma alike_counted names m m' x v : among_names names x = true -> alike names m m' -> alike names m (upd m' x v).
Proof.
  intros Hx H y Hy. unfold upd. destruct (String.eqb_spec y x) as [-> | _]; [congruence | auto].
Qed.

Lemma eval_alike names {s} (e : expr s) : forall m m', alike names m m' -> free names e = true -> eval m e = eval m' e.
Proof.
  induction e; simpl; intros m m' H Hf; repeat (apply andb_prop in Hf; destruct Hf as [? Hf]);
    repeat match goal with E : negb _ = true |- _ => apply negb_true_iff, H in E end;
    repeat match goal with IH : forall m m', _ -> _ -> eval m ?e = _ |- _ => rewrite (IH m m') by auto; clear IH end;
    try congruence; auto.
Qed.

Definition free_item names (i : item) : bool := match i with Item e => free names e end.
Definition free_chance names (c : expr BOOL * expr REAL) : bool := free names (fst c) && free names (snd c).
Fixpoint free_code (names : list string) (c : code) : bool :=
  match c with
  | Skip | Leave _ => true
  | Assign x e => negb (among_names names x) && free names e
  | Draw _ _ x center scale => negb (among_names names x) && (free names center && free names scale)
  | DrawReal _ _ x center scale => negb (among_names names x) && (free names center && free names scale)
  | Choose _ _ x o chances => negb (among_names names x) && (negb (among_names names o) && forallb (free_chance names) chances)
  | Weigh _ x o count score rate demands => negb (among_names names x) && (negb (among_names names o)
      && (free names count && (free names score && (free names rate && forallb (free names) demands))))
  | NewList x => negb (among_names names x)
  | Append x row => negb (among_names names x) && forallb (free_item names) row
  | a ;; b => free_code names a && free_code names b
  | If _ c a b => free names c && (free_code names a && free_code names b)
  | Block _ body | Loop _ body => free_code names body
  | Ensure c | Assume c => free names c
  | Return vs ls => forallb (free_item names) vs && forallb (fun x => negb (among_names names x)) ls
  end.

Lemma items_alike names m m' row : alike names m m' -> forallb (free_item names) row = true ->
  map (item_value m) row = map (item_value m') row.
Proof.
  intros H. induction row as [| [s e] row IH]; simpl; intros Hf; [auto |]. apply andb_prop in Hf. destruct Hf as [He Hf].
  rewrite (eval_alike names e m m' H He), IH; auto.
Qed.

Lemma rows_alike names m m' ls : alike names m m' -> forallb (fun x => negb (among_names names x)) ls = true ->
  map (fun x => as_rows (m x)) ls = map (fun x => as_rows (m' x)) ls.
Proof.
  intros H. induction ls as [| x ls IH]; simpl; intros Hf; [auto |]. apply andb_prop in Hf. destruct Hf as [Hx Hf].
  apply negb_true_iff, H in Hx. rewrite Hx, IH; auto.
Qed.

Lemma demands_alike names m m' demands : alike names m m' -> forallb (free names) demands = true ->
  forallb (fun d : expr BOOL => eval m d) demands = forallb (fun d : expr BOOL => eval m' d) demands.
Proof.
  intros H. induction demands as [| e ds IH]; simpl; intros Hf; [auto |]. apply andb_prop in Hf. destruct Hf as [He Hf].
  rewrite (eval_alike names e m m' H He), IH; auto.
Qed.

(** * What is left to lose *)

Definition counters := list (string * (Z * R)).
Definition left_of (m : memory) (c : string * (Z * R)) : R := IZR (Z.max 0 (fst (snd c) - as_int (m (fst c)))) * snd (snd c).
Definition left (cs : counters) (m : memory) : R := sum (left_of m) cs.

Lemma left_nonneg cs m : (forall c, In c cs -> 0 <= snd (snd c)) -> 0 <= left cs m.
Proof.
  intros H. apply sum_nonneg. intros c Hc. apply Rmult_le_pos; auto. apply IZR_le. lia.
Qed.

Lemma left_same cs m x v : among_names (map fst cs) x = false -> left cs (upd m x v) = left cs m.
Proof.
  intros Hx. unfold left. apply sum_ext. intros c Hc. unfold left_of, upd.
  destruct (String.eqb_spec (fst c) x) as [E |]; auto. exfalso.
  assert (Ht : among_names (map fst cs) x = true).
  { apply existsb_exists. exists (fst c). split; [now apply in_map | subst; apply String.eqb_refl]. }
  congruence.
Qed.

Lemma left_counted cs m x b d : NoDup (map fst cs) -> In (x, (b, d)) cs ->
  left cs m = (if (as_int (m x) <? b)%Z then d else 0) + left cs (upd m x (Int (as_int (m x) + 1))).
Proof.
  intros Hnd Hin. induction cs as [| c cs IH]; [contradiction |]. unfold left in *. rewrite !sum_cons.
  simpl in Hnd. inversion_clear Hnd as [| ? ? Hc Hnd']. destruct Hin as [-> | Hin].
  - rewrite (sum_ext (left_of (upd m x _)) (left_of m)).
    2: { intros c Hc'. unfold left_of, upd. destruct (String.eqb_spec (fst c) x) as [E |]; auto.
         exfalso. apply Hc. simpl. rewrite <- E. now apply in_map. }
    unfold left_of at 1 3. unfold upd. simpl fst. simpl snd. rewrite String.eqb_refl. simpl as_int.
    destruct (Z.ltb_spec (as_int (m x)) b).
    + rewrite !Z.max_r by lia. replace (b - (as_int (m x) + 1))%Z with (b - as_int (m x) - 1)%Z by ring.
      rewrite (minus_IZR _ 1). ring.
    + rewrite !Z.max_l by lia. ring.
  - rewrite (IH Hnd' Hin).
    replace (left_of (upd m x (Int (as_int (m x) + 1))) c) with (left_of m c); [ring |].
    unfold left_of, upd. destruct (String.eqb_spec (fst c) x) as [E |]; auto.
    exfalso. apply Hc. rewrite E. change x with (fst (x, (b, d))). now apply in_map.
Qed.

Lemma loses_more d t t' : loses d t t' -> forall d', d <= d' -> loses d' t t'.
Proof.
  induction 1 as [d t Hd | d d' law next next' keep Hk Hd Hn IH]; intros e He; [constructor; lra |].
  replace e with (d' + (e - d')) by ring. apply loses_draws with keep; auto; [lra |]. intros z Hz. apply IH; auto. lra.
Qed.

Lemma loses_kept d law next next' : 0 <= d -> (forall z, loses d (next z) (next' z)) -> loses d (Draws law next) (Draws law next').
Proof.
  intros Hd H. replace d with (0 + d) by ring. apply loses_draws with (fun _ => true); auto.
  intros zs _ Hz. destruct zs as [| z zs]; [simpl; lra |]. specialize (Hz z (or_introl eq_refl)). discriminate.
Qed.

(** A tail says what is needed: it reads no counter, nor the noise itself. *)
Definition fits_draw (cs : counters) (tails : nat -> option tail) (n : nat) (law : noise) (x : string)
  (center : expr INT) (scale : expr REAL) : Prop :=
  match tails n with
  | None => True
  | Some t => law = laplace /\ In (counter t, (most t, lost t)) cs /\ free [x] (when t) = true
      /\ free (map fst cs) (when t) = true /\ free [x] center = true /\ free [x] scale = true
  end.
Fixpoint fitting_tails (cs : counters) (tails : nat -> option tail) (c : code) : Prop :=
  match c with
  | Draw n law x center scale => fits_draw cs tails n law x center scale
  | a ;; b | If _ _ a b => fitting_tails cs tails a /\ fitting_tails cs tails b
  | Block _ body | Loop _ body => fitting_tails cs tails body
  | _ => True
  end.

Lemma alike_drawn m x v : alike [x] (upd m x v) m.
Proof. intros y Hy. unfold upd. unfold among_names in Hy. simpl in Hy. destruct (String.eqb y x); [discriminate | auto]. Qed.

Lemma tail_near t m x center : eval m (near t x center) = false ->
  far t <= IZR (as_int (m x) - eval m center) \/ both t = true /\ far t <= IZR (eval m center - as_int (m x)).
Proof.
  unfold near. cbn [eval]. unfold Rltb. destruct Rlt_dec as [H1 | H1]; cbn [andb]; [| left; lra].
  destruct Rlt_dec as [H2 | H2]; [rewrite orb_true_r; discriminate |]. rewrite orb_false_r, negb_false_iff.
  intros E. right. split; auto. lra.
Qed.

Section Losing.
Variables (cs : counters) (tails : nat -> option tail) (fuel : nat).
Hypothesis distinct : NoDup (map fst cs).
Hypothesis positive : forall c, In c cs -> 0 <= snd (snd c).
Notation names := (map fst cs).

Lemma counter_among t : In (counter t, (most t, lost t)) cs -> among_names names (counter t) = true.
Proof.
  intros H. apply existsb_exists. exists (counter t). split; [| apply String.eqb_refl].
  change (counter t) with (fst (counter t, (most t, lost t))). now apply in_map.
Qed.

Lemma left_counts t m : In (counter t, (most t, lost t)) cs ->
  left cs m = (if (as_int (m (counter t)) <? most t)%Z then lost t else 0)
              + left cs (upd m (counter t) (Int (as_int (m (counter t)) + 1))).
Proof. apply left_counted, distinct. Qed.

Lemma left_kept t m : left cs (upd m (counter t) (Int (as_int (m (counter t))))) = left cs m.
Proof.
  unfold left. apply sum_ext. intros c _. unfold left_of, upd. destruct (String.eqb_spec (fst c) (counter t)) as [-> |]; auto.
Qed.

Lemma loses_cut n x center scale t leave leave' (next next' : memory -> tree) m m' :
  fits_draw cs tails n laplace x center scale -> tails n = Some t ->
  negb (among_names names x) && (free names center && free names scale) = true -> alike names m m' ->
  (forall m m', alike names m m' -> loses (left cs m') (next m) (next' m')) ->
  loses (left cs m') (exec fuel (Draw n laplace x center scale) leave next m)
    (exec fuel (Draw n laplace x center scale ;; cut t x center scale) leave' next' m').
Proof.
  intros Hf Ht Hx Hm Hn. unfold fits_draw in Hf. rewrite Ht in Hf. destruct Hf as (_ & Hin & Hw & Hwc & Hc & Hs).
  apply andb_prop in Hx. destruct Hx as [Hx Hx']. apply andb_prop in Hx'. destruct Hx' as [Hcc Hsc]. apply negb_true_iff in Hx.
  cbn [exec cut put of_sort]. rewrite (eval_alike names center m m' Hm Hcc), (eval_alike names scale m m' Hm Hsc).
  pose proof (counter_among t Hin) as I.
  assert (Xc : String.eqb (counter t) x = false) by (apply String.eqb_neq; intros E; congruence).
  set (again := fun z => upd m' x (Int z)).
  assert (R : forall z {s} (e : expr s), free [x] e = true -> eval (again z) e = eval m' e).
  { intros z s e. apply eval_alike, alike_drawn. }
  assert (K : forall z, as_int (again z (counter t)) = as_int (m' (counter t))) by (intros z; unfold again, upd; now rewrite Xc).
  assert (Y : forall z, eval (again z) (gives_up t scale) = eval m' (gives_up t scale)).
  { intros z. unfold gives_up. cbn [eval]. now rewrite !R, K. }
  set (after := upd m' (counter t) (Int (if eval m' (when t) then as_int (m' (counter t)) + 1 else as_int (m' (counter t))))).
  assert (Q : forall z, eval (again z) (Or (Not (gives_up t scale)) (near t x center)) = true ->
    loses (left cs after) (next (upd m x (Int z)))
      (if eval (again z) (Or (Not (gives_up t scale)) (near t x center))
       then next' (upd (again z) (counter t) (Int (eval (again z) (Cond (when t) (Add (IntVar (counter t)) (IntConst 1)) (IntVar (counter t))))))
       else Fails)).
  { intros z ->. cbn [eval]. rewrite (R z BOOL) by auto. rewrite K.
    replace (left cs after) with (left cs (upd (again z) (counter t)
      (Int (if eval m' (when t) then as_int (m' (counter t)) + 1 else as_int (m' (counter t)))))).
    - apply Hn, alike_counted; auto. unfold again. now apply alike_upd.
    - unfold left. apply sum_ext. intros c Hc'. unfold left_of, after, again, upd.
      destruct (String.eqb (fst c) (counter t)); auto. destruct (String.eqb_spec (fst c) x) as [E |]; auto.
      exfalso. enough (among_names names x = true) by congruence.
      apply existsb_exists. exists (fst c). split; [now apply in_map | subst x; apply String.eqb_refl]. }
  assert (Le : left cs after <= left cs m').
  { unfold after. destruct (eval m' (when t)); [| rewrite left_kept; lra]. rewrite (left_counts t m' Hin).
    pose proof (positive _ Hin). simpl in *. destruct (_ <? _)%Z; lra. }
  pose proof (left_nonneg cs after positive) as P.
  destruct (eval m' (gives_up t scale)) eqn:El.
  - unfold gives_up in El. cbn [eval] in El. apply andb_prop in El. destruct El as [E1 El].
    apply andb_prop in El. destruct El as [E2 El]. apply andb_prop in El. destruct El as [E3 E4].
    unfold Rleb in E3, E4. destruct (Rle_dec 0 (far t)) as [Hfar |]; [| discriminate].
    destruct (Rle_dec (sides (both t) * _) _) as [Hlost |]; [| discriminate].
    pose proof (left_counts t m' Hin) as H. rewrite E2 in H. unfold after in *. rewrite E1 in *. rewrite H.
    apply loses_draws with (fun z => eval (again z) (near t x center)); auto.
    + intros zs Hnd Hz. apply (laplace_tails (both t) _ _ (far t)); auto.
      * exact (positive _ Hin).
      * intros z Hin'. specialize (Hz z Hin'). cbv beta in Hz. apply tail_near in Hz. rewrite R in Hz by auto.
        unfold again in Hz. unfold upd in Hz. rewrite String.eqb_refl in Hz. exact Hz.
    + intros z Hz. apply Q. cbn [eval]. rewrite Hz. apply orb_true_r.
  - apply loses_more with (left cs after); auto. apply loses_kept; auto. intros z. apply Q. cbn [eval]. now rewrite Y.
Qed.

Lemma chances_alike m m' chances : alike names m m' -> forallb (free_chance names) chances = true ->
  chance_of m chances = chance_of m' chances.
Proof.
  intros H. induction chances as [| [c p] rest IH]; simpl; intros Hf; auto.
  apply andb_prop in Hf. destruct Hf as [Hc Hf]. apply andb_prop in Hc. destruct Hc as [Hc Hp]. simpl in *.
  rewrite (eval_alike names c m m' H Hc), (eval_alike names p m m' H Hp), IH; auto.
Qed.

Lemma loses_trimmed c : forall leave leave' next next' m m', only_noise c = true -> free_code names c = true ->
  fitting_tails cs tails c -> alike names m m' ->
  (forall l m m', alike names m m' -> loses (left cs m') (leave l m) (leave' l m')) ->
  (forall m m', alike names m m' -> loses (left cs m') (next m) (next' m')) ->
  loses (left cs m') (exec fuel c leave next m) (exec fuel (trim tails c) leave' next' m').
Proof.
  assert (P : forall m, 0 <= left cs m) by (intros; now apply left_nonneg).
  assert (U : forall m x v m', among_names names x = false -> alike names m m' -> 
    left cs (upd m' x v) = left cs m' /\ alike names (upd m x v) (upd m' x v)).
  { intros m x v m' Hx H. split; [now apply left_same | now apply alike_upd]. }
  induction c; intros leave leave' next next' m m' Ho Hf Ht Hm Hl Hn; simpl in Hf;
    repeat match goal with H : _ && _ = true |- _ => apply andb_prop in H; destruct H end;
    repeat match goal with H : negb _ = true |- _ => apply negb_true_iff in H end.
  - apply Hn; auto.
  - simpl. rewrite (eval_alike names e m m') by auto. destruct (U m x (put s (eval m' e)) m') as [<- A]; auto.
  - cbn [trim]. destruct (tails site) as [t |] eqn:E.
    + simpl in Ht. pose proof Ht as Ht'. unfold fits_draw in Ht'. rewrite E in Ht'. destruct Ht' as (-> & _).
      apply loses_cut; auto. rewrite !andb_true_iff, negb_true_iff. auto.
    + simpl. rewrite (eval_alike names center m m'), (eval_alike names scale m m') by auto. apply loses_kept; auto.
      intros z. destruct (U m x (Int z) m') as [<- A]; auto.
  - discriminate.
  - discriminate.
  - simpl. rewrite (eval_alike names count m m') by auto.
    assert (D : demanded m outcome demands = demanded m' outcome demands).
    { extensionality i. unfold demanded. apply demands_alike with names; auto. now apply alike_upd. }
    assert (X : exponent m outcome score rate = exponent m' outcome score rate).
    { extensionality i. unfold exponent. rewrite (eval_alike names rate m m') by auto. f_equal.
      apply eval_alike with names; auto. now apply alike_upd. }
    rewrite D, X. destruct (forallb (demanded _ _ _) _); [| now apply loses_nothing]. apply loses_kept; auto.
    intros z. destruct (U m x (Int z) m') as [<- A]; auto.
  - simpl. destruct (U m x (Rows []) m') as [<- A]; auto.
  - simpl. rewrite (items_alike names m m') by auto. rewrite (Hm x) by auto.
    destruct (U m x (Rows (as_rows (m' x) ++ [map (item_value m') row])) m') as [<- A]; auto.
  - simpl in Ho, Ht. apply andb_prop in Ho. destruct Ho, Ht. simpl. apply IHc1; auto.
  - simpl in Ho, Ht. apply andb_prop in Ho. destruct Ho, Ht. simpl. rewrite (eval_alike names c1 m m') by auto.
    destruct eval; auto.
  - simpl. apply IHc; auto. intros l m0 m0' A. destruct String.eqb; auto.
  - simpl. generalize fuel at 2 4 as n. intros n. revert m m' Hm.
    induction n; intros m m' Hm; [now apply loses_nothing | apply IHc; auto].
  - simpl. auto.
  - simpl. rewrite (eval_alike names c m m') by auto. destruct eval; [auto | now apply loses_nothing].
  - simpl. rewrite (eval_alike names c m m') by auto. destruct eval; [auto | now apply loses_nothing].
  - simpl. rewrite (items_alike names m m'), (rows_alike names m m') by auto. now apply loses_nothing.
Qed.

End Losing.

(** Privacy up to what is lost: run 1 is that of the trimmed program, whose counters begin at 0. *)
Theorem kept_private events epsilon delta cs tails program input1 input2 : only_noise program = true ->
  NoDup (map fst cs) -> (forall c, In c cs -> 0 <= snd (snd c)) -> free_code (map fst cs) program = true ->
  fitting_tails cs tails program -> left cs input1 <= delta ->
  (forall fuel L, coupled L epsilon (told_runs events fuel (trim tails program) input1) (told_runs events fuel program input2)) ->
  private_within epsilon delta program input1 input2.
Proof.
  intros Hn Hd Hp Hf Ht Hdelta H. split; [now apply only_noise_integers |]. intros S p1 p2 [_ Hp1] [Hp2 _]. apply Hp1. intros part (fuel & ds & Hnd & HS & ->).
  assert (Hk : loses (left cs input1) (runs fuel program input1) (runs fuel (trim tails program) input1)).
  { apply loses_trimmed; auto; [intros ? _; auto | |]; intros; apply loses_nothing; apply left_nonneg; auto. }
  destruct (loses_part S _ _ _ Hk (noise_is_sound fuel program input1 Hn) ds) as (ds' & Hds' & Hle).
  { apply part_of_still. auto. }
  apply part_of_still in Hds'. destruct Hds' as [Hnd' HS'].
  destruct (coupled_runs events epsilon _ _ _ _ fuel (H fuel) S ds' Hnd' HS') as (ds2 & H1 & H2 & Hc).
  rewrite (sum_ext (chance _) (told_chance (still (runs fuel program input1)))) by (intros; apply still_quiet).
  eapply Rle_trans; [exact Hle |]. apply Rplus_le_compat; auto.
  rewrite (sum_ext (told_chance _) (chance (runs fuel (trim tails program) input1))) by (intros; symmetry; apply still_quiet).
  eapply Rle_trans; [exact Hc |]. apply Rmult_le_compat_l; [apply Rlt_le, exp_pos |].
  apply Hp2. exists fuel, ds2. auto.
Qed.

(** What is known of run 1's noise behind a draw whose tail is given up. *)
Lemma cut_1 events fuel t x (center : expr INT) (scale : expr REAL) (c : bool) (n a : Z) (s : R) L e lv (k : memory -> telling) m u :
  eval m (when t) = c -> as_int (m (counter t)) = n -> eval m center = a -> eval m scale = s ->
  (c = true -> n < most t)%Z -> (c = true -> 0 <= far t) ->
  (c = true -> sides (both t) * exp (- (far t / s)) <= lost t * (1 + exp (- (1 / s)))) ->
  ((c = true -> IZR (as_int (m x) - a) < far t) -> (c = true -> both t = true -> IZR (a - as_int (m x)) < far t) ->
     coupled L e (k (upd m (counter t) (Int (if c then n + 1 else n)%Z))) u) ->
  coupled L e (published events fuel (cut t x center scale) lv k m) u.
Proof.
  intros E1 E2 E3 E4 H1 H2 H3 K. unfold cut, gives_up, near. simpl. rewrite E1, E2, E3, E4.
  destruct c; simpl.
  - rewrite (proj2 (Z.ltb_lt n (most t)) (H1 eq_refl)). unfold Rleb, Rltb.
    destruct (Rle_dec 0 (far t)) as [_ | N]; [| exfalso; auto]. destruct (Rle_dec (sides (both t) * _) _) as [_ | N]; [| exfalso; auto].
    simpl. destruct (Rlt_dec (IZR (as_int (m x) - a)) (far t)) as [A | _]; simpl; [| apply coupled_fails].
    destruct (Rlt_dec (IZR (a - as_int (m x))) (far t)) as [B | _]; [rewrite orb_true_r; auto |].
    destruct (both t); simpl; [apply coupled_fails | apply K; auto; discriminate].
  - apply K; discriminate.
Qed.
