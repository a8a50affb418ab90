(** Laws of draws: the chance of each value.

    [laplace] is the two-sided geometric law ("discrete Laplace"), [exponential] the one-sided one.  The chance
    of centre + k is proportional to exp(-|k|/scale); without a positive scale every chance is 0. *)
From Coq Require Export Reals ZArith List.
From Coq Require Import Lia Lra Psatz.
Export ListNotations.
Open Scope R_scope.

Inductive noise := laplace | exponential.

Definition decay (scale : R) (k : Z) : R := exp (- (IZR (Z.abs k) / scale)).

Definition noise_mass (kind : noise) (center : Z) (scale : R) (z : Z) : R :=
  if Rlt_dec 0 scale then
    match kind with
    | laplace => (1 - exp (- (1 / scale))) / (1 + exp (- (1 / scale))) * decay scale (z - center)
    | exponential => if (center <=? z)%Z then (1 - exp (- (1 / scale))) * decay scale (z - center) else 0
    end
  else 0.

Definition sum {A} (f : A -> R) (l : list A) : R := fold_right (fun x s => f x + s) 0 l.

(** 0 to n - 1. *)
Definition indices (n : Z) : list Z := map Z.of_nat (seq 0 (Z.to_nat n)).

(** Of the indices, with probabilities proportional to exp(exponent). *)
Definition weight_mass (n : Z) (exponent : Z -> R) (z : Z) : R :=
  if ((0 <=? z) && (z <? n))%Z%bool then exp (exponent z) / sum (fun i => exp (exponent i)) (indices n) else 0.

(** Noise, values with given chances (a negative number is none), or indices by weights. *)
Inductive law :=
| Noise (kind : noise) (center : Z) (scale : R)
| Chances (chances : Z -> R)
| Weights (n : Z) (exponent : Z -> R).

Definition mass (l : law) (z : Z) : R :=
  match l with
  | Noise kind center scale => noise_mass kind center scale z
  | Chances chances => Rmax 0 (chances z)
  | Weights n exponent => weight_mass n exponent z
  end.

(** * Facts *)

Lemma exp_le x y : x <= y -> exp x <= exp y.
Proof. intros [H | ->]; [left; now apply exp_increasing | apply Rle_refl]. Qed.

Lemma step_below_1 scale : 0 < scale -> 0 < exp (- (1 / scale)) < 1.
Proof.
  intros H. split; [apply exp_pos |]. rewrite <- exp_0 at 2. apply exp_increasing.
  assert (0 < 1 / scale) by (apply Rdiv_lt_0_compat; lra). lra.
Qed.

Lemma noise_mass_nonneg kind center scale z : 0 <= noise_mass kind center scale z.
Proof.
  unfold noise_mass, decay. destruct (Rlt_dec 0 scale) as [H | _]; [| lra].
  pose proof (step_below_1 scale H). pose proof (exp_pos (- (IZR (Z.abs (z - center)) / scale))).
  destruct kind.
  - apply Rmult_le_pos; [| lra]. apply Rlt_le, Rdiv_lt_0_compat; lra.
  - destruct (center <=? z)%Z; [apply Rmult_le_pos; lra | lra].
Qed.

Lemma indices_in n z : In z (indices n) <-> (0 <= z < n)%Z.
Proof.
  unfold indices. rewrite in_map_iff. split.
  - intros (k & <- & Hk). apply in_seq in Hk. lia.
  - intros H. exists (Z.to_nat z). rewrite in_seq. lia.
Qed.

Lemma sum_cons {A} (f : A -> R) a l : sum f (a :: l) = f a + sum f l.
Proof. reflexivity. Qed.

Lemma sum_nonneg {A} (f : A -> R) l : (forall x, In x l -> 0 <= f x) -> 0 <= sum f l.
Proof.
  induction l as [| a l IH]; intros H; [simpl; lra |]. rewrite sum_cons.
  specialize (H a (or_introl eq_refl)) as Ha. specialize (IH (fun x Hx => H x (or_intror Hx))). lra.
Qed.

Lemma sum_exp_pos (f : Z -> R) l z : In z l -> 0 < sum (fun i => exp (f i)) l.
Proof.
  induction l as [| a l IH]; [intros [] |]. intros _. rewrite sum_cons. pose proof (exp_pos (f a)).
  assert (0 <= sum (fun i => exp (f i)) l) by (apply sum_nonneg; intros; apply Rlt_le, exp_pos). lra.
Qed.

Lemma inside_indices n z : ((0 <=? z) && (z <? n))%Z%bool = true -> (0 <= z < n)%Z.
Proof. destruct (Z.leb_spec 0 z), (Z.ltb_spec z n); simpl; try discriminate; auto. Qed.

Lemma weight_mass_nonneg n exponent z : 0 <= weight_mass n exponent z.
Proof.
  unfold weight_mass. destruct ((0 <=? z) && (z <? n))%Z%bool eqn:E; [| lra].
  apply inside_indices, indices_in in E. apply Rlt_le, Rdiv_lt_0_compat; [apply exp_pos | exact (sum_exp_pos _ _ _ E)].
Qed.

Lemma mass_nonneg l z : 0 <= mass l z.
Proof. destruct l; [apply noise_mass_nonneg | apply Rmax_l | apply weight_mass_nonneg]. Qed.

Lemma mass_scale kind center scale z : 0 < noise_mass kind center scale z -> 0 < scale.
Proof. unfold noise_mass. destruct (Rlt_dec 0 scale); lra. Qed.

Lemma decay_shift scale a b : 0 < scale ->
  decay scale a <= exp (IZR (Z.abs (b - a)) / scale) * decay scale b.
Proof.
  intros H. unfold decay. rewrite <- exp_plus. apply exp_le.
  assert (IZR (Z.abs b) <= IZR (Z.abs a) + IZR (Z.abs (b - a))) by (rewrite <- plus_IZR; apply IZR_le; lia).
  unfold Rdiv. pose proof (Rinv_0_lt_compat scale H). nra.
Qed.

(** Moving noise by [k] against its centres costs |k + c1 - c2| / scale (Barthe et al. 2016, Prop. 8). *)
Lemma laplace_shift scale c1 c2 k z :
  noise_mass laplace c1 scale z <= exp (IZR (Z.abs (k + c1 - c2)) / scale) * noise_mass laplace c2 scale (z + k).
Proof.
  unfold noise_mass. destruct (Rlt_dec 0 scale) as [H | _]; [| lra].
  pose proof (step_below_1 scale H).
  assert (0 <= (1 - exp (- (1 / scale))) / (1 + exp (- (1 / scale)))) by (apply Rlt_le, Rdiv_lt_0_compat; lra).
  pose proof (decay_shift scale (z - c1) (z + k - c2) H) as D.
  replace (z + k - c2 - (z - c1))%Z with (k + c1 - c2)%Z in D by ring.
  rewrite <- Rmult_assoc, (Rmult_comm (exp _)), Rmult_assoc. now apply Rmult_le_compat_l.
Qed.

(** The same of one-sided noise that stays in its support (Prop. 10). *)
Lemma exponential_shift scale c1 c2 k z : (0 <= k + c1 - c2)%Z ->
  noise_mass exponential c1 scale z
  <= exp (IZR (Z.abs (k + c1 - c2)) / scale) * noise_mass exponential c2 scale (z + k).
Proof.
  intros Hk. unfold noise_mass. destruct (Rlt_dec 0 scale) as [H | _]; [| lra].
  pose proof (step_below_1 scale H). pose proof (exp_pos (IZR (Z.abs (k + c1 - c2)) / scale)).
  assert (0 <= decay scale (z + k - c2)) by (apply Rlt_le, exp_pos).
  destruct (Z.leb_spec c1 z), (Z.leb_spec c2 (z + k)); try lia; try lra.
  - pose proof (decay_shift scale (z - c1) (z + k - c2) H) as D.
    replace (z + k - c2 - (z - c1))%Z with (k + c1 - c2)%Z in D by ring.
    rewrite <- Rmult_assoc, (Rmult_comm (exp _)), Rmult_assoc. apply Rmult_le_compat_l; lra.
  - rewrite Rmult_comm. apply Rmult_le_pos; [apply Rmult_le_pos |]; lra.
Qed.

Lemma sum_times_le (f g : Z -> R) c a b l : (forall i, In i l -> a * f i <= c * b * g i) -> a * sum f l <= c * b * sum g l.
Proof.
  induction l as [| i l IH]; intros H; [simpl; lra |]. rewrite !sum_cons.
  specialize (H i (or_introl eq_refl)) as Hi. specialize (IH (fun x Hx => H x (or_intror Hx))). lra.
Qed.

(** Where the change of the drawn index's exponent is within c of every other's (McSherry & Talwar 2007, Thm. 6). *)
Lemma weights_shift n f1 f2 c z :
  (forall i j, (0 <= i < n)%Z -> (0 <= j < n)%Z -> (f1 i - f2 i) - (f1 j - f2 j) <= c) ->
  weight_mass n f1 z <= exp c * weight_mass n f2 z.
Proof.
  intros H. unfold weight_mass. destruct ((0 <=? z) && (z <? n))%Z%bool eqn:E; [| lra]. apply inside_indices in E.
  pose proof (proj2 (indices_in n z) E) as Hin.
  pose proof (sum_exp_pos f1 _ _ Hin) as S1. pose proof (sum_exp_pos f2 _ _ Hin) as S2.
  assert (T : exp (f1 z) * sum (fun i => exp (f2 i)) (indices n)
    <= exp c * exp (f2 z) * sum (fun i => exp (f1 i)) (indices n)).
  { apply sum_times_le. intros i Hi. apply indices_in in Hi. rewrite <- !exp_plus. apply exp_le.
    specialize (H z i E Hi). lra. }
  apply Rmult_le_reg_r with (sum (fun i => exp (f1 i)) (indices n)); auto.
  apply Rmult_le_reg_r with (sum (fun i => exp (f2 i)) (indices n)); auto.
  unfold Rdiv. replace (exp (f1 z) * / sum (fun i => exp (f1 i)) (indices n) * sum (fun i => exp (f1 i)) (indices n)
    * sum (fun i => exp (f2 i)) (indices n)) with (exp (f1 z) * sum (fun i => exp (f2 i)) (indices n)) by (field; lra).
  replace (exp c * (exp (f2 z) * / sum (fun i => exp (f2 i)) (indices n)) * sum (fun i => exp (f1 i)) (indices n)
    * sum (fun i => exp (f2 i)) (indices n)) with (exp c * exp (f2 z) * sum (fun i => exp (f1 i)) (indices n))
    by (field; lra). exact T.
Qed.
