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

(** Noise, or values with given chances; a negative number is none. *)
Inductive law := Noise (kind : noise) (center : Z) (scale : R) | Chances (chances : Z -> R).

Definition mass (l : law) (z : Z) : R :=
  match l with Noise kind center scale => noise_mass kind center scale z | Chances chances => Rmax 0 (chances z) end.

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

Lemma mass_nonneg l z : 0 <= mass l z.
Proof. destruct l; [apply noise_mass_nonneg | apply Rmax_l]. Qed.

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
