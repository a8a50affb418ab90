(** [LapInt]: where run 1 draws from an interval, run 2 draws from another, which may be narrower.

    Beside the interval each value is moved; inside of it any value of run 1 goes with any of run 2, and what is
    compared is what all of them add up to.  Of an interval of n numbers each goes with n/m of the m numbers of the other,
    in their order, so none is farther away than the ends are (Barthe et al. 2016, "Advanced probabilistic
    couplings", [LapInt]). *)
From Coq Require Import Lia Lra Psatz.
From synth Require Export Tails.
Local Open Scope list_scope.

(** * Sums over two intervals *)

(** Each index, m times. *)
Lemma sum_repeated (f : nat -> R) m n : (0 < m)%nat ->
  sum (fun k => f (k / m)%nat) (seq 0 (n * m)) = INR m * sum f (seq 0 n).
Proof.
  intros Hm. induction n as [| n IH]; [simpl; ring |].
  replace (S n * m)%nat with (n * m + m)%nat by lia. rewrite seq_app, sum_app, IH, (seq_S n 0), sum_app. simpl plus.
  rewrite (sum_ext (fun k => f (k / m)%nat) (fun _ => f n) (seq (n * m) m)).
  - rewrite sum_const, seq_length, <- INR_IZR_INZ. simpl. ring.
  - intros k Hk. apply in_seq in Hk. f_equal. symmetry. apply (Nat.div_unique k m n (k - n * m)); lia.
Qed.

(** Of n numbers the p-th, of m the q-th, at the same place. *)
Definition beside (n m p q : nat) : Prop := ((m <= n -> q <= p /\ p + m <= q + n) /\ (n <= m -> p <= q /\ q + n <= p + m))%nat.

Lemma at_the_same_place n m k : (0 < n)%nat -> (0 < m)%nat -> (k < n * m)%nat -> beside n m (k / m) (k / n).
Proof.
  intros Hn Hm Hk.
  assert (G : forall n m, (0 < n)%nat -> (0 < m)%nat -> (k < n * m)%nat -> (m <= n)%nat -> (k / n <= k / m /\ k / m + m <= k / n + n)%nat).
  { clear. intros n m Hn Hm Hk Hle. pose proof (Nat.div_mod k n ltac:(lia)) as E1. pose proof (Nat.div_mod k m ltac:(lia)) as E2.
    pose proof (Nat.mod_upper_bound k n ltac:(lia)) as B1. pose proof (Nat.mod_upper_bound k m ltac:(lia)) as B2.
    set (q := (k / n)%nat) in *. set (p := (k / m)%nat) in *. set (r := (k mod n)%nat) in *. set (s := (k mod m)%nat) in *.
    assert (q < m)%nat by nia. assert (p < n)%nat by nia. split; [nia |].
    destruct (le_lt_dec (p + m) (q + n)); auto. exfalso.
    assert (E : (n * q + r = m * p + s)%nat) by lia.
    assert (p >= q + n - m + 1)%nat by lia. assert (m * p >= m * (q + n - m + 1))%nat by (apply Nat.mul_le_mono_l; lia).
    assert ((n - m) * (m - q) >= (n - m) * 1)%nat by (apply Nat.mul_le_mono_l; lia). nia. }
  split; intros Hle; [apply G; auto | apply G; auto; lia].
Qed.

Lemma sums_compared (f1 f2 : nat -> R) n m c : (0 < n)%nat -> (0 < m)%nat ->
  (forall p q, (p < n)%nat -> (q < m)%nat -> beside n m p q -> f1 p <= c * f2 q) ->
  INR m * sum f1 (seq 0 n) <= c * (INR n * sum f2 (seq 0 m)).
Proof.
  intros Hn Hm H. rewrite <- (sum_repeated f1 m n Hm), <- (sum_repeated f2 n m Hn), <- sum_scale.
  rewrite (Nat.mul_comm m n). apply sum_le. intros k Hk. apply in_seq in Hk.
  apply H; [apply Nat.div_lt_upper_bound; lia | apply Nat.div_lt_upper_bound; lia | apply at_the_same_place; lia].
Qed.

Lemma sum_range (f : Z -> R) lo hi :
  sum f (range lo hi) = sum (fun k => f (lo + Z.of_nat k)%Z) (seq 0 (Z.to_nat (hi - lo + 1))).
Proof. unfold range, indices. now rewrite map_map, sum_map. Qed.

Lemma interval_moved s c1 c2 l1 h1 l2 h2 within : 0 < s -> (l1 <= h1)%Z -> (l2 <= h2)%Z ->
  (Z.abs (l2 - l1 - (c2 - c1)) <= within)%Z -> (Z.abs (h2 - h1 - (c2 - c1)) <= within)%Z ->
  IZR (h2 - l2 + 1) * sum (noise_mass laplace c1 s) (range l1 h1)
  <= exp (IZR within / s) * (IZR (h1 - l1 + 1) * sum (noise_mass laplace c2 s) (range l2 h2)).
Proof.
  intros Hs H1 H2 Hl Hh. rewrite !sum_range.
  replace (IZR (h2 - l2 + 1)) with (INR (Z.to_nat (h2 - l2 + 1))) by (rewrite INR_IZR_INZ, Z2Nat.id by lia; reflexivity).
  replace (IZR (h1 - l1 + 1)) with (INR (Z.to_nat (h1 - l1 + 1))) by (rewrite INR_IZR_INZ, Z2Nat.id by lia; reflexivity).
  apply sums_compared; try lia. intros p q Hp Hq [B1 B2].
  set (k := (l2 + Z.of_nat q - (l1 + Z.of_nat p))%Z).
  pose proof (laplace_shift s c1 c2 k (l1 + Z.of_nat p)) as E.
  replace (l1 + Z.of_nat p + k)%Z with (l2 + Z.of_nat q)%Z in E by (unfold k; lia).
  eapply Rle_trans; [exact E |]. apply Rmult_le_compat_r; [apply noise_mass_nonneg |]. apply exp_le.
  apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; lra |]. apply IZR_le. unfold k.
  destruct (le_lt_dec (Z.to_nat (h2 - l2 + 1)) (Z.to_nat (h1 - l1 + 1))) as [Hle | Hle]; [specialize (B1 Hle) | specialize (B2 ltac:(lia))]; lia.
Qed.

(** What the narrower interval lacks is at most narrowed/gap of it. *)
Lemma interval_squeezed s c1 c2 l1 h1 l2 h2 within narrowed gap cost : 0 < s -> (l1 <= h1)%Z ->
  (Z.abs (l2 - l1 - (c2 - c1)) <= within)%Z -> (Z.abs (h2 - h1 - (c2 - c1)) <= within)%Z ->
  0 < gap -> gap <= IZR (h2 - l2 + 1) -> 0 <= narrowed -> IZR ((h1 - l1) - (h2 - l2)) <= narrowed ->
  IZR within / s + narrowed / gap <= cost ->
  sum (noise_mass laplace c1 s) (range l1 h1) <= exp cost * sum (noise_mass laplace c2 s) (range l2 h2).
Proof.
  intros Hs H1 Hl Hh Hg Hw Hn Hd Hc.
  assert (H2 : (l2 <= h2)%Z). { assert (0 < IZR (h2 - l2 + 1)) as P by lra. apply lt_IZR in P. lia. }
  pose proof (interval_moved s c1 c2 l1 h1 l2 h2 within Hs H1 H2 Hl Hh) as E.
  set (a := sum (noise_mass laplace c1 s) (range l1 h1)) in *. set (b := sum (noise_mass laplace c2 s) (range l2 h2)) in *.
  assert (0 <= b) by (apply sum_nonneg; intros; apply noise_mass_nonneg).
  set (n := IZR (h1 - l1 + 1)) in *. set (m := IZR (h2 - l2 + 1)) in *.
  assert (D : n <= m + narrowed).
  { unfold n, m. rewrite !plus_IZR. rewrite minus_IZR in Hd. lra. }
  assert (X : n <= exp (narrowed / gap) * m).
  { assert (1 + narrowed / gap <= exp (narrowed / gap)).
    { destruct Hn as [Hn | <-]; [| unfold Rdiv; rewrite Rmult_0_l, exp_0; lra].
      apply Rlt_le, exp_ineq1. apply Rgt_not_eq, Rdiv_lt_0_compat; lra. }
    assert (narrowed <= narrowed / gap * m).
    { apply Rle_trans with (narrowed / gap * gap); [right; field; lra |]. apply Rmult_le_compat_l; [| lra].
      apply Rmult_le_pos; [lra | apply Rlt_le, Rinv_0_lt_compat; lra]. }
    apply Rle_trans with ((1 + narrowed / gap) * m); [lra |]. apply Rmult_le_compat_r; lra. }
  apply Rmult_le_reg_l with m; [lra |].
  apply Rle_trans with (1 := E). rewrite <- Rmult_assoc.
  apply Rle_trans with (exp (IZR within / s) * (exp (narrowed / gap) * m) * b).
  - apply Rmult_le_compat_r; auto. apply Rmult_le_compat_l; auto. apply Rlt_le, exp_pos.
  - rewrite <- Rmult_assoc, <- exp_plus. replace (m * (exp cost * b)) with (exp cost * m * b) by ring.
    apply Rmult_le_compat_r; auto. apply Rmult_le_compat_r; [lra |]. now apply exp_le.
Qed.

(** * The rule *)

(** Where a draw lies: 0 inside of the interval, else its distance from the nearer end. *)
Definition place (lo hi z : Z) : Z := if (z <? lo)%Z then (z - lo)%Z else if (hi <? z)%Z then (z - hi)%Z else 0%Z.
Definition placed (lo hi v : Z) : list Z := if (v <? 0)%Z then [(lo + v)%Z] else if (0 <? v)%Z then [(hi + v)%Z] else range lo hi.

Lemma placed_in lo hi v z : (lo <= hi)%Z -> In z (placed lo hi v) <-> place lo hi z = v.
Proof.
  intros H. unfold placed, place. destruct (Z.ltb_spec v 0); [| destruct (Z.ltb_spec 0 v)]; simpl; [| | rewrite range_in];
    destruct (Z.ltb_spec z lo), (Z.ltb_spec hi z); lia.
Qed.

Lemma placed_once lo hi v : NoDup (placed lo hi v).
Proof. unfold placed. destruct (v <? 0)%Z, (0 <? v)%Z; auto using range_once; repeat constructor; auto. Qed.

Lemma sum_at_place (f : Z -> R) lo hi v zs : (lo <= hi)%Z -> (forall z, 0 <= f z) -> NoDup zs ->
  sum (fun z => f z * point (place lo hi z) v) zs <= sum f (placed lo hi v).
Proof.
  intros Hle Hf Hzs. rewrite (sum_filter_le _ (fun z => v =? place lo hi z)%Z).
  - rewrite (sum_ext _ f).
    + apply sum_le_incl; auto using NoDup_filter. intros z Hz. apply filter_In in Hz. destruct Hz as [_ Hz].
      apply Z.eqb_eq in Hz. now apply placed_in.
    + intros z Hz. apply filter_In in Hz. unfold point. rewrite (proj2 Hz). ring.
  - intros z _ Hz. unfold point. rewrite Hz. ring.
Qed.

Lemma sum_of_placed (f : Z -> R) lo hi v : (lo <= hi)%Z ->
  sum (fun z => f z * point (place lo hi z) v) (placed lo hi v) = sum f (placed lo hi v).
Proof.
  intros Hle. apply sum_ext. intros z Hz. apply placed_in in Hz; auto. unfold point. rewrite Hz, Z.eqb_refl. ring.
Qed.

(** [LapInt]: what is moved and what is squeezed are paid for, each in its cost. *)
Lemma interval_by events fuel (within l1 h1 l2 h2 a1 a2 : Z) (narrowed gap weight1 weight2 : R) (amount1 amount2 : Z)
    (s s2 : R) n1 n2 x (center1 center2 : expr INT) (scale1 scale2 : expr REAL)
    L e lv1 lv2 (k1 k2 : memory -> telling) m1 m2 :
  eval m1 center1 = a1 -> eval m2 center2 = a2 -> eval m1 scale1 = s -> eval m2 scale2 = s2 -> s2 = s ->
  0 < gap -> gap <= IZR (h2 - l2 + 1) -> (l2 <= h2 -> l1 <= h1)%Z ->
  (Z.abs (l2 - l1 - (a2 - a1)) <= within)%Z -> (Z.abs (h2 - h1 - (a2 - a1)) <= within)%Z ->
  0 <= narrowed -> IZR ((h1 - l1) - (h2 - l2)) <= narrowed ->
  (0 < s -> IZR within / s <= weight1 * IZR amount1) -> narrowed / gap <= weight2 * IZR amount2 ->
  (forall y z, 0 < s -> (l1 <= h1)%Z -> (l2 <= h2)%Z -> (y < l1 -> z - y = l2 - l1)%Z -> (h1 < y -> z - y = h2 - h1)%Z ->
     (l1 <= y -> y <= h1 -> l2 <= z /\ z <= h2)%Z ->
     coupled L (e - weight1 * IZR amount1 - weight2 * IZR amount2) (k1 (upd m1 x (Int y))) (k2 (upd m2 x (Int z)))) ->
  coupled L e (published events fuel (Draw n1 laplace x center1 scale1) lv1 k1 m1)
              (published events fuel (Draw n2 laplace x center2 scale2) lv2 k2 m2).
Proof.
  intros <- <- <- <- E Hg Hw H12 Hl Hh Hn Hd Hm Hq K. simpl. rewrite E. clear E.
  assert (H2 : (l2 <= h2)%Z). { assert (0 < IZR (h2 - l2 + 1)) as P by lra. apply lt_IZR in P. lia. }
  pose proof (H12 H2) as H1. clear H12.
  set (a1 := eval m1 center1) in *. set (a2 := eval m2 center2) in *. set (s := eval m1 scale1) in *.
  set (paid := weight1 * IZR amount1 + weight2 * IZR amount2).
  apply coupled_sums with (w1 := fun v => sum (noise_mass laplace a1 s) (placed l1 h1 v))
    (w2 := fun v => sum (noise_mass laplace a2 s) (placed l2 h2 v))
    (is1 := fun v t => exists y, 0 < s /\ place l1 h1 y = v /\ t = k1 (upd m1 x (Int y)))
    (is2 := fun v t => exists z, place l2 h2 z = v /\ t = k2 (upd m2 x (Int z))) (cost := fun _ => paid).
  - apply gathers_draws with (w' := fun y => point (place l1 h1 y)).
    + intros y Hy. apply gathers_value with (place l1 h1 y); auto using point_nonneg.
      * exists y. split; auto. exact (mass_scale _ _ _ _ Hy).
      * unfold point. rewrite Z.eqb_refl. lra.
    + intros. apply point_nonneg.
    + intros v zs Hzs. apply sum_at_place; auto using noise_mass_nonneg.
  - apply scatters_draws with (w' := fun z => point (place l2 h2 z)).
    + intros z. apply scatters_value with (place l2 h2 z); eauto.
      * unfold point. rewrite Z.eqb_refl. lra.
      * intros u Hu. unfold point. rewrite (proj2 (Z.eqb_neq u _) Hu). lra.
    + intros. apply point_nonneg.
    + intros v. exists (placed l2 h2 v). split; [apply placed_once |]. right. symmetry. now apply sum_of_placed.
  - intros v. destruct (Rlt_dec 0 s) as [Hs | Hs].
    2: { rewrite (sum_zero (noise_mass laplace a1 s)).
         2: { intros z _. unfold noise_mass. destruct (Rlt_dec 0 s); [contradiction | reflexivity]. }
         apply Rmult_le_pos; [apply Rlt_le, exp_pos | apply sum_nonneg; intros; apply noise_mass_nonneg]. }
    specialize (Hm Hs). assert (Hp : IZR within / s + narrowed / gap <= paid) by (unfold paid; lra).
    assert (Hmove : forall y z, (Z.abs (z - y - (a2 - a1)) <= within)%Z ->
      sum (noise_mass laplace a1 s) [y] <= exp paid * sum (noise_mass laplace a2 s) [z]).
    { intros y z Hk. simpl. rewrite !Rplus_0_r. pose proof (laplace_shift s a1 a2 (z - y) y) as B.
      replace (y + (z - y))%Z with z in B by lia. eapply Rle_trans; [exact B |].
      apply Rmult_le_compat_r; [apply noise_mass_nonneg |]. apply exp_le. apply Rle_trans with (IZR within / s).
      - apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; lra |]. apply IZR_le. lia.
      - assert (0 <= narrowed / gap) by (apply Rmult_le_pos; [lra | apply Rlt_le, Rinv_0_lt_compat; lra]). lra. }
    unfold placed. destruct (v <? 0)%Z; [apply Hmove; lia |]. destruct (0 <? v)%Z; [apply Hmove; lia |].
    apply interval_squeezed with within narrowed gap; auto.
  - intros v t1 t2 (y & Hs & Hy & ->) (z & Hz & ->). replace (e - paid) with (e - weight1 * IZR amount1 - weight2 * IZR amount2) by (unfold paid; ring).
    apply K; auto; subst v; unfold place in Hz;
      destruct (Z.ltb_spec y l1), (Z.ltb_spec h1 y), (Z.ltb_spec z l2), (Z.ltb_spec h2 z); lia.
Qed.
