(** [Weigh]: run 2 draws the same index, by weights of which the sum changes, too.

    Weights are given by their logarithms.  The drawn one may be larger in run 1 by [gain], a few others in run 2 by
    [step] each; all are at least [floor], so that the ratio of the chances is bounded by what these are of it, since
    1 + x <= exp x (Barthe, Koepf, Olmedo & Zanella Beguelin 2012, sections 2 and 6.4). *)
From Coq Require Import Lia Lra Psatz.
From synth Require Export Tails.
Local Open Scope list_scope.

Lemma above_1 x : 0 <= x -> 1 + x <= exp x.
Proof. intros [H | <-]; [| rewrite exp_0; lra]. apply Rlt_le, exp_ineq1. lra. Qed.

(** Where a number is at least [least], what is added is no more than a factor. *)
Lemma added_factor a b least x : 0 < least -> least <= b -> 0 <= x -> a <= b + x -> a <= exp (x / least) * b.
Proof.
  intros Hl Hb Hx Ha. assert (Hq : 0 <= x / least) by (apply Rmult_le_pos; [lra | apply Rlt_le, Rinv_0_lt_compat; lra]).
  apply Rle_trans with ((1 + x / least) * b); [| apply Rmult_le_compat_r; [lra | now apply above_1]].
  assert (x <= x / least * b).
  { apply Rle_trans with (x / least * least); [right; field; lra | now apply Rmult_le_compat_l]. } lra.
Qed.

(** If only a few are larger, by at most [step] each. *)
Lemma few_larger (w1 w2 : Z -> R) step larger zs : NoDup zs -> NoDup larger -> 0 <= step ->
  (forall i, In i zs -> ~ In i larger -> w2 i <= w1 i) -> (forall i, In i zs -> w2 i <= w1 i + step) ->
  sum w2 zs <= sum w1 zs + IZR (Z.of_nat (length larger)) * step.
Proof.
  intros Hn Hl Hs Hother Hstep.
  set (is_larger := fun i => if in_dec Z.eq_dec i larger then true else false).
  apply Rle_trans with (sum (fun i => w1 i + (if is_larger i then step else 0)) zs).
  - apply sum_le. intros i Hi. unfold is_larger. destruct in_dec; auto. specialize (Hother i Hi n). lra.
  - rewrite sum_plus. apply Rplus_le_compat_l. rewrite (sum_filter_le _ is_larger).
    + rewrite (sum_ext _ (fun _ => step)).
      2: { intros i Hi. apply filter_In in Hi. now rewrite (proj2 Hi). }
      rewrite <- sum_const. apply sum_le_incl; auto using NoDup_filter. intros i Hi. apply filter_In in Hi.
      unfold is_larger in Hi. destruct in_dec; tauto || (destruct Hi; discriminate).
    + intros i _ ->. reflexivity.
Qed.

Lemma sum_at_least (w : Z -> R) floor zs : (forall i, In i zs -> floor <= w i) -> IZR (Z.of_nat (length zs)) * floor <= sum w zs.
Proof. intros H. rewrite <- sum_const. now apply sum_le. Qed.

Lemma indices_length n : (0 <= n)%Z -> Z.of_nat (length (indices n)) = n.
Proof. intros. unfold indices. rewrite map_length, seq_length. lia. Qed.

Theorem weights_ratio n (w1 w2 : Z -> R) floor gain step larger z : (0 < n)%Z -> 0 < floor -> 0 <= gain -> 0 <= step ->
  (forall i, (0 <= i < n)%Z -> floor <= w1 i /\ floor <= w2 i) -> ((0 <= z < n)%Z -> w1 z <= w2 z + gain) ->
  NoDup larger -> (forall i, (0 <= i < n)%Z -> ~ In i larger -> w2 i <= w1 i) ->
  (forall i, (0 <= i < n)%Z -> w2 i <= w1 i + step) ->
  weight_mass n (fun i => ln (w1 i)) z
  <= exp (gain / floor + IZR (Z.of_nat (length larger)) * step / (IZR n * floor)) * weight_mass n (fun i => ln (w2 i)) z.
Proof.
  intros Hn Hf Hg Hs Hw Hz Hl Hother Hstep. unfold weight_mass.
  destruct ((0 <=? z) && (z <? n))%Z%bool eqn:E; [| lra]. apply inside_indices in E. specialize (Hz E).
  destruct (Hw z E) as [Z1 Z2].
  assert (X : forall w : Z -> R, (forall i, (0 <= i < n)%Z -> floor <= w i) ->
    sum (fun i => exp (ln (w i))) (indices n) = sum w (indices n) /\ IZR n * floor <= sum w (indices n)).
  { intros w H. split.
    - apply sum_ext. intros i Hi. apply indices_in in Hi. apply exp_ln. specialize (H i Hi). lra.
    - rewrite <- (indices_length n) at 1 by lia. apply sum_at_least. intros i Hi. apply H, indices_in, Hi. }
  destruct (X w1) as [-> S1]; [intros; now apply Hw |]. destruct (X w2) as [-> S2]; [intros; now apply Hw |].
  rewrite !exp_ln by lra. clear X.
  assert (P : 0 < IZR n * floor) by (apply Rmult_lt_0_compat; auto; apply IZR_lt; lia).
  set (a := sum w1 (indices n)) in *. set (b := sum w2 (indices n)) in *.
  set (x := IZR (Z.of_nat (length larger)) * step).
  assert (Hx : 0 <= x) by (apply Rmult_le_pos; auto; apply IZR_le; lia).
  assert (A : w1 z <= exp (gain / floor) * w2 z) by (apply added_factor; auto).
  assert (B : b <= exp (x / (IZR n * floor)) * a).
  { apply added_factor; auto. apply few_larger; auto using indices_nodup; intros i Hi; apply indices_in in Hi; auto. }
  rewrite exp_plus. unfold Rdiv at 1 4.
  apply Rmult_le_reg_r with a; [lra |]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  apply Rle_trans with (1 := A).
  replace (exp (gain / floor) * exp (x / (IZR n * floor)) * (w2 z * / b) * a)
    with (exp (gain / floor) * w2 z * (exp (x / (IZR n * floor)) * a * / b)) by ring.
  rewrite <- (Rmult_1_r (exp (gain / floor) * w2 z)) at 1. apply Rmult_le_compat_l.
  - apply Rmult_le_pos; [apply Rlt_le, exp_pos | lra].
  - apply Rmult_le_reg_r with b; [lra |]. rewrite Rmult_1_l, Rmult_assoc, Rinv_l, Rmult_1_r by lra. exact B.
Qed.

(** The rule: the exponents are the logarithms of the weights. *)
Lemma weigh_by events fuel (w1 w2 : Z -> R) floor gain step larger paid n1 n2 x o1 o2
    (count1 count2 : expr INT) s1 s2 r1 r2 d1 d2 L e lv1 lv2 (k1 k2 : memory -> telling) m1 m2 :
  eval m2 count2 = eval m1 count1 -> 0 < floor -> 0 <= gain -> 0 <= step -> NoDup larger ->
  (forall i, (0 <= i < eval m1 count1)%Z -> demanded m1 o1 d1 i = true -> demanded m2 o2 d2 i = true) ->
  (forall i, (0 <= i < eval m1 count1)%Z -> demanded m1 o1 d1 i = true ->
     exponent m1 o1 s1 r1 i = ln (w1 i) /\ exponent m2 o2 s2 r2 i = ln (w2 i)
     /\ floor <= w1 i /\ floor <= w2 i /\ w1 i <= w2 i + gain /\ w2 i <= w1 i + step /\ (~ In i larger -> w2 i <= w1 i)) ->
  gain / floor + IZR (Z.of_nat (length larger)) * step / (IZR (eval m1 count1) * floor) <= paid ->
  (forall z, (0 <= z < eval m1 count1)%Z -> demanded m1 o1 d1 z = true ->
     coupled L (e - paid) (k1 (upd m1 x (Int z))) (k2 (upd m2 x (Int z)))) ->
  coupled L e (published events fuel (Weigh n1 x o1 count1 s1 r1 d1) lv1 k1 m1)
              (published events fuel (Weigh n2 x o2 count2 s2 r2 d2) lv2 k2 m2).
Proof.
  intros Ec Hf Hg Hs Hl Hd H Hp K. simpl. rewrite Ec. set (n := eval m1 count1) in *.
  destruct (forallb (demanded m1 o1 d1) _) eqn:E1; [| apply coupled_fails]. rewrite forallb_forall in E1.
  assert (D : forall i, (0 <= i < n)%Z -> demanded m1 o1 d1 i = true) by (intros; apply E1, indices_in; auto).
  replace (forallb _ _) with true.
  2: { symmetry. apply forallb_forall. intros i Hi. pose proof (proj1 (indices_in _ _) Hi). auto. }
  assert (Same : forall (f g : Z -> R) z, (forall i, (0 <= i < n)%Z -> f i = g i) -> weight_mass n f z = weight_mass n g z).
  { intros f g z Hfg. unfold weight_mass. destruct ((0 <=? z) && (z <? n))%Z%bool eqn:E; auto. apply inside_indices in E.
    rewrite (Hfg z E). f_equal. apply sum_ext. intros i Hi. apply indices_in in Hi. now rewrite Hfg. }
  apply coupled_draws with (move := fun z => z) (cost := fun _ => paid); auto.
  - intros z. simpl mass. destruct (Z_lt_le_dec 0 n) as [Hn | Hn].
    2: { unfold weight_mass. destruct ((0 <=? z) && (z <? n))%Z%bool eqn:E; [| lra]. apply inside_indices in E. lia. }
    rewrite (Same (exponent m1 o1 s1 r1) (fun i => ln (w1 i))) by (intros i Hi; apply (H i Hi (D i Hi))).
    rewrite (Same (exponent m2 o2 s2 r2) (fun i => ln (w2 i))) by (intros i Hi; apply (H i Hi (D i Hi))).
    eapply Rle_trans; [apply (weights_ratio n w1 w2 floor gain step larger) | apply Rmult_le_compat_r]; auto.
    + intros i Hi. destruct (H i Hi (D i Hi)) as (_ & _ & ? & ? & _). auto.
    + intros Hz. destruct (H z Hz (D z Hz)) as (_ & _ & _ & _ & ? & _). auto.
    + intros i Hi. destruct (H i Hi (D i Hi)) as (_ & _ & _ & _ & _ & _ & ?). auto.
    + intros i Hi. destruct (H i Hi (D i Hi)) as (_ & _ & _ & _ & _ & ? & _). auto.
    + apply weight_mass_nonneg.
    + now apply exp_le.
  - intros z Hz. simpl in Hz. unfold weight_mass in Hz.
    destruct ((0 <=? z) && (z <? n))%Z%bool eqn:E; [| lra]. apply inside_indices in E. auto.
Qed.
