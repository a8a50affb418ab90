(** [Sign] and [Pair]: two draws that become one.

    A fair coin and one-sided real noise are the sign and the size of two-sided noise: an interval of the latter is one of
    each sign.  On the integers the difference of two one-sided draws is two-sided noise: for each difference the chances
    of all pairs add up to its chance, and finitely many pairs come as near to it as one likes. *)
From Coq Require Import Lia Lra Psatz FunctionalExtensionality Classical_Prop Znumtheory.
From synth Require Export Rewritten.
Local Open Scope list_scope.

(** * [Sign] *)

Definition sign (r : R) : Z := if Rltb 0 r then 1%Z else 0%Z.
Definition size (r : R) : R := if Rltb 0 r then r else - r.

Lemma two_sides x : at_most laplace x = / 2 + (at_most exponential x - at_most exponential (- x)) / 2.
Proof.
  unfold at_most. rewrite Ropp_involutive. destruct (Rle_dec x 0), (Rle_dec (- x) 0); try lra.
  replace x with 0 by lra. rewrite exp_0. lra.
Qed.
Lemma laplace_two_sides s a b : interval_mass laplace 0 s a b
  = (interval_mass exponential 0 s a b + interval_mass exponential 0 s (- b) (- a)) / 2.
Proof.
  unfold interval_mass. destruct Rlt_dec as [Hs |]; [| lra]. rewrite !Rminus_0_r.
  replace (- a / s) with (- (a / s)) by (unfold Rdiv; ring). replace (- b / s) with (- (b / s)) by (unfold Rdiv; ring).
  rewrite (two_sides (b / s)), (two_sides (a / s)). lra.
Qed.
Lemma above_0 s a b : interval_mass exponential 0 s (Rmax 0 a) (Rmax 0 b) = interval_mass exponential 0 s a b.
Proof.
  unfold interval_mass. destruct Rlt_dec as [Hs |]; auto. rewrite !Rminus_0_r.
  assert (E : forall x, at_most exponential (Rmax 0 x / s) = at_most exponential (x / s)).
  { intros x. unfold Rmax. destruct (Rle_dec 0 x) as [| Hx]; auto. unfold at_most.
    pose proof (scaled_le s x 0 Hs ltac:(lra)). replace (0 / s) with 0 in * by (unfold Rdiv; ring).
    destruct (Rle_dec 0 0); [| lra]. destruct (Rle_dec (x / s) 0); lra. }
  now rewrite !E.
Qed.
Lemma below_0 s a b : a <= 0 -> b <= 0 -> interval_mass exponential 0 s a b = 0.
Proof. intros Ha Hb. rewrite <- above_0, !Rmax_left by auto. unfold interval_mass. destruct Rlt_dec; lra. Qed.

Lemma under_above_0 x b : 0 < x -> x < Rmax 0 b -> x < b.
Proof. unfold Rmax. destruct Rle_dec; lra. Qed.

(** Intervals, moved by a function that grows, or mirrored by one that falls, in front of others. *)
Definition moved (f : R -> R) (pieces : list (R * R * R)) : list (R * R * R) :=
  map (fun piece => (f (fst (fst piece)), f (snd (fst piece)), snd piece)) pieces.
Fixpoint mirrored (f : R -> R) (pieces others : list (R * R * R)) : list (R * R * R) :=
  match pieces with [] => others | (a, b, q) :: rest => mirrored f rest ((f b, f a, q) :: others) end.

Lemma moved_in_order f pieces : (forall x y, x <= y -> f x <= f y) -> in_order pieces -> in_order (moved f pieces).
Proof.
  intros Hf. induction pieces as [| [[a b] q] rest IH]; simpl; auto. intros (Hab & Hnext & Ho). split; auto. split; auto.
  destruct rest as [| [[a' b'] q'] rest]; simpl in *; auto.
Qed.
Lemma mirrored_in_order f pieces : (forall x y, x <= y -> f y <= f x) -> forall others, in_order pieces -> in_order others ->
  match pieces, others with (a, _, _) :: _, (c, _, _) :: _ => f a <= c | _, _ => True end -> in_order (mirrored f pieces others).
Proof.
  intros Hf. induction pieces as [| [[a b] q] rest IH]; simpl; auto. intros others (Hab & Hnext & Ho) Hother Hc. apply IH; auto.
  - simpl. split; auto.
  - destruct rest as [| [[a' b'] q'] rest]; auto.
Qed.
Lemma mirrored_in f pieces : forall others a b q, In (a, b, q) (mirrored f pieces others) ->
  In (a, b, q) others \/ exists a' b', In (a', b', q) pieces /\ a = f b' /\ b = f a'.
Proof.
  induction pieces as [| [[a' b'] q'] rest IH]; simpl; auto. intros others a b q H. destruct (IH _ _ _ _ H) as [[E | Hin] | (a2 & b2 & Hin & E)]; eauto.
  - injection E as <- <- <-. right. exists a', b'. auto.
  - right. exists a2, b2. auto.
Qed.
Lemma mirrored_sum (w : R * R * R -> R) f pieces : forall others,
  sum w (mirrored f pieces others) = sum w others + sum (fun piece => w (f (snd (fst piece)), f (fst (fst piece)), snd piece)) pieces.
Proof.
  induction pieces as [| [[a b] q] rest IH]; intros others; [simpl; ring |]. simpl mirrored. rewrite IH, !sum_cons. simpl. ring.
Qed.

Lemma real_pieces S L law c s next p : at_least S L (TDrawsReal law c s next) p -> exists pieces, in_order pieces
  /\ (forall a b q x, In (a, b, q) pieces -> a < x < b -> at_least S L (next x) q)
  /\ p <= sum (fun piece => interval_mass law c s (fst (fst piece)) (snd (fst piece)) * snd piece) pieces.
Proof.
  intros H. inversion H; subst; [| eauto]. exists []. split; [exact I |]. split; [intros ? ? ? ? [] | simpl; lra].
Qed.

Definition fair (law : law) : Prop := mass law 0 = / 2 /\ mass law 1 = / 2 /\ forall z, z <> 0%Z -> z <> 1%Z -> mass law z = 0.

Lemma of_fair S L law (next : Z -> telling) p : fair law -> at_least S L (TDraws law next) p ->
  exists q0 q1, at_least S L (next 0%Z) q0 /\ at_least S L (next 1%Z) q1 /\ p <= (q0 + q1) / 2.
Proof.
  intros (M0 & M1 & Mz) H. inversion H as [| | | ? ? ? pieces ? Hnd Hq Hsum |]; subst.
  { exists p, p. split; [now apply least_nothing |]. split; [now apply least_nothing | lra]. }
  exists (Rmax 0 (found pieces 0%Z)), (Rmax 0 (found pieces 1%Z)).
  split; [now apply (found_least S L next) |]. split; [now apply (found_least S L next) |].
  set (w := fun z => mass law z * Rmax 0 (found pieces z)).
  assert (P : forall z, 0 <= w z) by (intros z; apply Rmult_le_pos; [apply mass_nonneg | apply Rmax_l]).
  apply Rle_trans with (sum w (map fst pieces)).
  - rewrite sum_map. eapply Rle_trans; [exact Hsum |]. apply sum_le. intros [z q] Hin. unfold w. simpl.
    apply Rmult_le_compat_l; [apply mass_nonneg |]. rewrite (found_in _ _ _ Hnd Hin). apply Rmax_r.
  - destruct (sum_positive w (map fst pieces) P) as (zs & Hzs). destruct (Hzs Hnd) as (N & _ & Hpos & ->).
    apply Rle_trans with (sum w [0%Z; 1%Z]).
    + apply sum_le_incl; auto. intros z Hz. specialize (Hpos z Hz). destruct (Z.eq_dec z 0) as [-> | N0]; [simpl; auto |].
      destruct (Z.eq_dec z 1) as [-> | N1]; [simpl; auto |]. unfold w in Hpos. rewrite (Mz z N0 N1) in Hpos. lra.
    + unfold w. simpl. rewrite M0, M1. lra.
Qed.

Theorem signed law s (next : Z -> R -> telling) : fair law ->
  equally_likely (TDraws law (fun z => TDrawsReal exponential 0 s (next z))) (TDrawsReal laplace 0 s (fun r => next (sign r) (size r))).
Proof.
  intros Hlaw. split; intros S L p H.
  - destruct (of_fair _ _ _ _ _ Hlaw H) as (q0 & q1 & H0 & H1 & Hle).
    destruct (real_pieces _ _ _ _ _ _ _ H0) as (p0 & O0 & P0 & S0). destruct (real_pieces _ _ _ _ _ _ _ H1) as (p1 & O1 & P1 & S1).
    apply least_draws_real with (mirrored (fun x => - Rmax 0 x) p0 (moved (Rmax 0) p1)).
    + apply mirrored_in_order; auto.
      * intros x y Hxy. apply Ropp_le_contravar, Rle_max_compat_l; lra.
      * apply moved_in_order; auto. intros x y Hxy. apply Rle_max_compat_l; lra.
      * destruct p0 as [| [[a b] q] p0]; auto. destruct p1 as [| [[c d] q'] p1]; simpl; auto.
        pose proof (Rmax_l 0 a). pose proof (Rmax_l 0 c). lra.
    + intros a b q x Hin Hx. destruct (mirrored_in _ _ _ _ _ _ Hin) as [Hin' | (a' & b' & Hin' & -> & ->)].
      * apply in_map_iff in Hin'. destruct Hin' as ([[a' b'] q'] & E & Hin'). injection E as <- <- <-.
        assert (0 < x) by (pose proof (Rmax_l 0 a'); lra). unfold sign, size, Rltb. destruct (Rlt_dec 0 x); [| lra].
        apply (P1 a' b'); auto. pose proof (Rmax_r 0 a'). split; [lra | apply under_above_0; lra].
      * assert (x < 0) by (pose proof (Rmax_l 0 a'); lra). unfold sign, size, Rltb. destruct (Rlt_dec 0 x); [lra |].
        apply (P0 a' b'); auto. pose proof (Rmax_r 0 a'). split; [lra | apply under_above_0; lra].
    + rewrite mirrored_sum. unfold moved. rewrite sum_map. simpl.
      rewrite (sum_ext _ (fun piece => / 2 * (interval_mass exponential 0 s (fst (fst piece)) (snd (fst piece)) * snd piece)) p1).
      2: { intros [[a b] q] _. simpl. rewrite laplace_two_sides, above_0, (below_0 s (- Rmax 0 b) (- Rmax 0 a)); [field | |]; pose proof (Rmax_l 0 a); pose proof (Rmax_l 0 b); lra. }
      rewrite (sum_ext _ (fun piece => / 2 * (interval_mass exponential 0 s (fst (fst piece)) (snd (fst piece)) * snd piece)) p0).
      2: { intros [[a b] q] _. simpl. rewrite laplace_two_sides, !Ropp_involutive, above_0, (below_0 s (- Rmax 0 b) (- Rmax 0 a)); [field | |];
           pose proof (Rmax_l 0 a); pose proof (Rmax_l 0 b); lra. }
      rewrite !sum_scale. lra.
  - destruct (real_pieces _ _ _ _ _ _ _ H) as (pieces & O & P & Hle). destruct Hlaw as (M0 & M1 & _).
    set (mass_of := fun piece : R * R * R => interval_mass exponential 0 s (fst (fst piece)) (snd (fst piece)) * snd piece).
    apply least_draws with [(0%Z, sum mass_of (mirrored (fun x => Rmax 0 (- x)) pieces [])); (1%Z, sum mass_of (moved (Rmax 0) pieces))].
    + simpl. repeat constructor; simpl; intuition discriminate.
    + intros z q [E | [E | []]]; injection E as <- <-.
      * apply least_draws_real with (mirrored (fun x => Rmax 0 (- x)) pieces []); [| | right; reflexivity].
        -- apply mirrored_in_order; auto; [| exact I | destruct pieces as [| [[? ?] ?] ?]; exact I]. intros x y Hxy. apply Rle_max_compat_l; lra.
        -- intros a b q x Hin Hx. destruct (mirrored_in _ _ _ _ _ _ Hin) as [[] | (a' & b' & Hin' & -> & ->)].
           assert (0 < x) by (pose proof (Rmax_l 0 (- b')); lra).
           assert (X : a' < - x < b') by (pose proof (Rmax_r 0 (- b')); pose proof (under_above_0 x (- a')); lra).
           specialize (P a' b' q (- x) Hin' X). unfold sign, size, Rltb in P. destruct (Rlt_dec 0 (- x)); [lra |]. now rewrite Ropp_involutive in P.
      * apply least_draws_real with (moved (Rmax 0) pieces); [| | right; reflexivity].
        -- apply moved_in_order; auto. intros x y Hxy. apply Rle_max_compat_l; lra.
        -- intros a b q x Hin Hx. apply in_map_iff in Hin. destruct Hin as ([[a' b'] q'] & E & Hin). injection E as <- <- <-.
           assert (0 < x) by (pose proof (Rmax_l 0 a'); lra).
           assert (X : a' < x < b') by (pose proof (Rmax_r 0 a'); pose proof (under_above_0 x b'); lra).
           specialize (P a' b' q' x Hin X). unfold sign, size, Rltb in P. destruct (Rlt_dec 0 x); [exact P | lra].
    + simpl. rewrite M0, M1. eapply Rle_trans; [exact Hle |]. right. rewrite mirrored_sum. unfold moved. rewrite sum_map. simpl.
      rewrite (sum_ext _ (fun piece => / 2 * mass_of piece + / 2 * (interval_mass exponential 0 s (- snd (fst piece)) (- fst (fst piece)) * snd piece)) pieces)
        by (intros [[a b] q] _; unfold mass_of; simpl; rewrite laplace_two_sides; field).
      rewrite sum_plus, !sum_scale.
      rewrite (sum_ext (fun piece => mass_of (Rmax 0 (- snd (fst piece)), _, _)) (fun piece => interval_mass exponential 0 s (- snd (fst piece)) (- fst (fst piece)) * snd piece) pieces)
        by (intros [[a b] q] _; unfold mass_of; simpl; now rewrite above_0).
      rewrite (sum_ext (fun piece => mass_of (Rmax 0 (fst (fst piece)), _, _)) mass_of pieces)
        by (intros [[a b] q] _; unfold mass_of; simpl; now rewrite above_0).
      lra.
Qed.

(** Where the noise is drawn first and the coin behind it, that is false of some sets of outputs: at each point of an interval
    one of the signs may be in the set, the one at some points, the other at points in between. *)
Definition dyadic (r : R) : Prop := exists k n, r * 2 ^ n = IZR k.

Lemma in_between a b : a < b -> exists n k, a * 2 ^ n < IZR k /\ IZR (k + 1) < b * 2 ^ n.
Proof.
  intros H. set (n := Z.to_nat (up (2 / (b - a)))). exists n, (up (a * 2 ^ n)).
  pose proof (archimed (a * 2 ^ n)) as [H1 H2]. pose proof (archimed (2 / (b - a))) as [H3 _].
  assert (0 < 2 / (b - a)) by (apply Rdiv_lt_0_compat; lra). assert (2 / (b - a) < 2 ^ n).
  { pose proof (poly n 1 ltac:(lra)) as P. replace (1 + 1) with 2 in P by ring. unfold n in P at 1.
    rewrite INR_IZR_INZ, Z2Nat.id in P by (apply le_IZR; lra). lra. }
  assert (2 < (b - a) * 2 ^ n); [| rewrite plus_IZR; split; lra].
  apply Rmult_lt_reg_r with (/ (b - a)); [apply Rinv_0_lt_compat; lra |].
  replace ((b - a) * 2 ^ n * / (b - a)) with (2 ^ n) by (field; lra). assumption.
Qed.
Lemma dyadic_between a b : a < b -> exists x, a < x < b /\ dyadic x.
Proof.
  intros H. destruct (in_between a b H) as (n & k & H1 & H2). rewrite plus_IZR in H2. assert (P : 0 < 2 ^ n) by (apply pow_lt; lra).
  exists (IZR k / 2 ^ n). split; [| exists k, n; field; lra].
  split; apply Rmult_lt_reg_r with (2 ^ n); auto; replace (IZR k / 2 ^ n * 2 ^ n) with (IZR k) by (field; lra); lra.
Qed.
Lemma not_dyadic_between a b : a < b -> exists x, a < x < b /\ ~ dyadic x.
Proof.
  intros H. destruct (in_between (3 * a) (3 * b) ltac:(lra)) as (n & k & H1 & H2). rewrite plus_IZR in H2. assert (P : 0 < 2 ^ n) by (apply pow_lt; lra).
  assert (K : exists j, ~ (3 | j)%Z /\ 3 * a * 2 ^ n < IZR j < 3 * b * 2 ^ n).
  { destruct (Zdivide_dec 3 k) as [[q E] |]; [exists (k + 1)%Z | exists k; split; auto; lra].
    rewrite plus_IZR. split; [intros [q' E']; lia | lra]. }
  destruct K as (j & Hj & H3 & H4). exists (IZR j / (3 * 2 ^ n)). split.
  - split; apply Rmult_lt_reg_r with (3 * 2 ^ n); try lra; replace (IZR j / (3 * 2 ^ n) * (3 * 2 ^ n)) with (IZR j) by (field; lra); lra.
  - intros (l & m & E). assert (E' : IZR j * 2 ^ m = 3 * (IZR l * 2 ^ n)).
    { rewrite <- E. field. lra. }
    rewrite !pow_IZR, <- !mult_IZR in E'. apply eq_IZR in E'.
    destruct (prime_mult 3 prime_3 j (2 ^ Z.of_nat m)) as [| D]; [exists (l * 2 ^ Z.of_nat n)%Z; lia | auto |]. revert D. clear.
    induction m as [| m IH]; [intros [q Hq]; simpl in Hq; lia |]. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. intros [q Hq]. apply IH.
    exists (2 ^ Z.of_nat m - q)%Z. lia.
Qed.

Theorem noise_before_sign law : fair law -> exists S p, 0 < p
  /\ at_least S [] (TDrawsReal exponential 0 1 (fun r => TDraws law (fun z => TEnds (Output [Int z; Real r] [])))) p
  /\ forall q, at_least S [] (TDrawsReal laplace 0 1 (fun r => TEnds (Output [Int (sign r); Real (size r)] []))) q -> q <= 0.
Proof.
  intros (M0 & M1 & _).
  set (S := fun o => match values o with [Int z; Real r] => z = 1%Z /\ dyadic r \/ z = 0%Z /\ ~ dyadic r | _ => False end).
  exists S, (interval_mass exponential 0 1 0 1 * / 2). split; [| split].
  - unfold interval_mass, at_most. destruct Rlt_dec; [| lra]. repeat (destruct Rle_dec; try lra).
    pose proof (exp_increasing (- ((1 - 0) / 1)) 0 ltac:(lra)). rewrite exp_0 in *. lra.
  - apply least_draws_real with [(0, 1, / 2)]; [simpl; repeat split; lra | | simpl; lra].
    intros a b q r [E | []] _. injection E as <- <- <-. destruct (classic (dyadic r)) as [D | D].
    + apply least_draws with [(1%Z, 1)]; [constructor; [intros [] | constructor] | | simpl; lra].
      intros z q [E | []]. injection E as <- <-. apply least_ends; [unfold S; simpl; auto | lra].
    + apply least_draws with [(0%Z, 1)]; [constructor; [intros [] | constructor] | | simpl; lra].
      intros z q [E | []]. injection E as <- <-. apply least_ends; [unfold S; simpl; auto | lra].
  - intros q H. destruct (real_pieces _ _ _ _ _ _ _ H) as (pieces & O & P & Hle). eapply Rle_trans; [exact Hle |]. apply no_pieces; auto.
    assert (Out : forall o q, ~ S o -> at_least S [] (TEnds o) q -> q <= 0) by (intros o q' Ho G; inversion G; subst; tauto).
    intros a b w Hin Hab. destruct (Rlt_dec 0 b) as [Hb | Hb].
    + destruct (not_dyadic_between (Rmax a 0) b) as (x & Hx & D); [unfold Rmax; destruct Rle_dec; lra |].
      pose proof (Rmax_l a 0). pose proof (Rmax_r a 0). apply (Out _ w) with (2 := P a b w x Hin ltac:(lra)).
      unfold S, sign, size, Rltb. simpl. destruct (Rlt_dec 0 x); [intuition discriminate | lra].
    + destruct (dyadic_between (- b) (- a)) as (x & Hx & D); [lra |]. apply (Out _ w) with (2 := P a b w (- x) Hin ltac:(lra)).
      unfold S, sign, size, Rltb. simpl. destruct (Rlt_dec 0 (- x)); [lra | rewrite Ropp_involutive; intuition discriminate].
Qed.

(** The statements: [v] is a new name. *)
Theorem keeps_signed events fuel changed m0 n1 n2 s c o chances e scale v (is_above : expr (match s with BOOL => BOOL | _ => INT end)) :
  v <> c -> v <> e -> c <> e -> In c changed -> In e changed -> In v changed -> free [v] scale = true -> free [c] scale = true ->
  (forall m, fair (Chances (chosen m s o chances))) ->
  (forall m, put _ (eval m is_above) = drawn s (sign (as_real (m v)))) ->
  keeps events equally_likely fuel fuel (same_but [v] changed m0)
    (Choose n1 s c o chances ;; DrawReal n2 exponential e (RealConst 0) scale)
    (DrawReal n2 laplace v (RealConst 0) scale ;; Assign c is_above ;;
     Assign e (Cond (RLt (RealConst 0) (RealVar v)) (RealVar v) (RNeg (RealVar v)))).
Proof.
  intros Hvc Hve Hce Hc He Hv Fv Fc Hfair Habove lv lv' k k' Hl Hk m m' Hm. simpl.
  replace (fun z => TDrawsReal exponential 0 (eval (upd m c (drawn s z)) scale) (fun r => k (upd (upd m c (drawn s z)) e (Real r))))
    with (fun z => TDrawsReal exponential 0 (eval m scale) (fun r => k (upd (upd m c (drawn s z)) e (Real r))))
    by (extensionality z; now rewrite (eval_alike [c] scale (upd m c (drawn s z)) m) by auto using alike_but).
  eapply equally_trans; [apply (signed _ (eval m scale) (fun z r => k (upd (upd m c (drawn s z)) e (Real r)))), Hfair |].
  rewrite <- (eval_alike [v] scale m m') by (auto; apply Hm). apply equally_draws_real. intros r. rewrite Habove.
  match goal with |- equally_likely (k ?m1) (k' (upd _ e (Real ?r2))) => replace r2 with (size r) end.
  2: { unfold size, upd. rewrite (proj2 (String.eqb_neq v c)), String.eqb_refl by auto. reflexivity. }
  replace (as_real (upd m' v (Real r) v)) with r by (unfold upd; now rewrite String.eqb_refl).
  apply Hk. apply same_but_upd; auto. apply same_but_upd; auto. destruct Hm as [H1 H2]. split; auto.
  apply alike_counted; auto. unfold among_names. simpl. now rewrite String.eqb_refl.
Qed.

(** Coins that are fair: a truth value, or 0 or 1. *)
Lemma fair_truth m o chances : chance_of (upd m o (Bool true)) chances = / 2 -> chance_of (upd m o (Bool false)) chances = / 2 ->
  fair (Chances (chosen m BOOL o chances)).
Proof.
  intros H1 H0. unfold fair, mass, chosen. simpl. rewrite H1, H0, !Rmax_right by lra. split; auto. split; auto.
  intros z N0 N1. rewrite (proj2 (Z.eqb_neq z 0) N0), (proj2 (Z.eqb_neq z 1) N1). apply Rmax_left. simpl. lra.
Qed.
Lemma fair_bit m o chances : (forall z, chance_of (upd m o (Int z)) chances = uniform 0 1 (/ 2) z) -> fair (Chances (chosen m INT o chances)).
Proof.
  intros H. unfold fair, mass, chosen. simpl. rewrite !H. unfold uniform, between. simpl. rewrite !Rmax_right by lra. split; auto. split; auto.
  intros z N0 N1. rewrite H. unfold uniform, between. destruct (Z.leb_spec 0 z), (Z.leb_spec z 1); simpl; try lia; apply Rmax_left; lra.
Qed.

(** So a program in which that happens is as private as the other one, where the rest doesn't read the new name. *)
Theorem signed_approaches events (parts : code -> code -> Prop) v changed program program' input :
  (forall fuel c c', parts c c' -> keeps events equally_likely fuel fuel (same_but [v] changed input) c c') ->
  replaced parts [v] changed program program' -> approaches events program program' input /\ approaches events program' program input.
Proof.
  intros P H. apply approaches_equally. intros fuel.
  apply (keeps_replaced events equally_likely fuel fuel order_equally (or_introl eq_refl) (same_but [v] changed input) parts [v] changed); auto.
  - intros m m' Hm. apply Hm.
  - intros. now apply same_but_upd.
  - intros; apply equally_same.
  - intros; apply equally_same.
  - split; intros y _; reflexivity.
Qed.

(** * [Pair], on the integers *)

Lemma pair_product a b s v x : noise_mass exponential a s x * noise_mass exponential b s (x - v)
  = noise_mass laplace (a - b) s v * noise_mass exponential (Z.max a (b + v)) (s / 2) x.
Proof.
  unfold noise_mass. destruct (Rlt_dec 0 s) as [Hs | Hs]; [| lra]. destruct (Rlt_dec 0 (s / 2)) as [_ |]; [| lra].
  destruct (Z.leb_spec (Z.max a (b + v)) x) as [H | H].
  - destruct (Z.leb_spec a x); [| lia]. destruct (Z.leb_spec b (x - v)); [| lia].
    pose proof (step_below_1 s Hs) as St. unfold decay.
    replace (exp (- (1 / (s / 2)))) with (exp (- (1 / s)) * exp (- (1 / s))) by (rewrite <- exp_plus; f_equal; field; lra).
    set (r := exp (- (1 / s))) in *.
    assert (E : exp (- (IZR (Z.abs (x - a)) / s)) * exp (- (IZR (Z.abs (x - v - b)) / s))
      = exp (- (IZR (Z.abs (v - (a - b))) / s)) * exp (- (IZR (Z.abs (x - Z.max a (b + v))) / (s / 2)))).
    { rewrite <- !exp_plus. f_equal. replace (Z.abs (x - a)) with (x - a)%Z by lia. replace (Z.abs (x - v - b)) with (x - v - b)%Z by lia.
      replace (Z.abs (x - Z.max a (b + v))) with (x - Z.max a (b + v))%Z by lia.
      assert (I : (x - a + (x - v - b) = Z.abs (v - (a - b)) + 2 * (x - Z.max a (b + v)))%Z) by lia.
      apply (f_equal IZR) in I. rewrite !plus_IZR, mult_IZR in I.
      replace (- (IZR (x - a) / s) + - (IZR (x - v - b) / s)) with (- ((IZR (x - a) + IZR (x - v - b)) / s)) by (field; lra).
      rewrite I. field. lra. }
    replace ((1 - r) * exp (- (IZR (Z.abs (x - a)) / s)) * ((1 - r) * exp (- (IZR (Z.abs (x - v - b)) / s))))
      with ((1 - r) * (1 - r) * (exp (- (IZR (Z.abs (x - a)) / s)) * exp (- (IZR (Z.abs (x - v - b)) / s)))) by ring.
    rewrite E. field. lra.
  - destruct (Z.leb_spec a x), (Z.leb_spec b (x - v)); try lia; lra.
Qed.

Section Pair.
Variables (a b : Z) (s : R) (next : Z -> telling).
Definition two_draws : telling := TDraws (Noise exponential a s) (fun x => TDraws (Noise exponential b s) (fun y => next (x - y)%Z)).
Definition is_next (v : Z) (t : telling) : Prop := t = next v.

Lemma one_value x v zs : NoDup zs -> sum (fun y => noise_mass exponential b s y * point (x - y) v) zs <= noise_mass exponential b s (x - v).
Proof.
  intros Hn. rewrite (sum_ext _ (fun y => noise_mass exponential b s y * point y (x - v))).
  - rewrite sum_point by auto. destruct in_dec; [lra | apply noise_mass_nonneg].
  - intros y _. unfold point. destruct (Z.eqb_spec v (x - y)), (Z.eqb_spec (x - v) y); auto; lia.
Qed.

Theorem paired : at_most_as_likely two_draws (TDraws (Noise laplace (a - b) s) next).
Proof.
  intros S L p Hp. assert (G : gathers two_draws (noise_mass laplace (a - b) s) is_next).
  { apply gathers_draws with (fun x v => noise_mass exponential b s (x - v)).
    - intros x _. apply gathers_draws with (fun y => point (x - y)).
      + intros y _. apply gathers_value with (x - y)%Z; [reflexivity | unfold point; rewrite Z.eqb_refl; lra | apply point_nonneg].
      + intros; apply point_nonneg.
      + intros v zs Hn. now apply one_value.
    - intros; apply noise_mass_nonneg.
    - intros v zs Hn. simpl. rewrite (sum_ext _ (fun x => noise_mass laplace (a - b) s v * noise_mass exponential (Z.max a (b + v)) (s / 2) x))
        by (intros; apply pair_product).
      rewrite sum_scale. rewrite <- Rmult_1_r. apply Rmult_le_compat_l; [apply noise_mass_nonneg | now apply noise_at_most_1]. }
  destruct (least_gathered S L _ _ _ G p Hp) as (vs & q & Hn & Hq & Hle).
  apply least_draws with (map (fun v => (v, q v)) vs).
  - rewrite map_map. simpl. now rewrite map_id.
  - intros z r Hin. apply in_map_iff in Hin. destruct Hin as (v & E & Hv). injection E as <- <-. destruct (Hq v Hv) as (_ & t & -> & H). exact H.
  - rewrite sum_map. exact Hle.
Qed.

Lemma pairs_reach n : 0 < s ->
  scatters two_draws (fun v => noise_mass laplace (a - b) s v * (1 - exp (- (1 / (s / 2))) ^ n)) is_next.
Proof.
  intros Hs. apply scatters_draws with (fun x v => noise_mass exponential b s (x - v)).
  - intros x. apply scatters_draws with (fun y => point (x - y)).
    + intros y. apply scatters_value with (x - y)%Z; [reflexivity | unfold point; rewrite Z.eqb_refl; lra | apply point_elsewhere].
    + intros; apply point_nonneg.
    + intros v. exists [(x - v)%Z]. split; [repeat constructor; auto |]. simpl. unfold point. replace (x - (x - v))%Z with v by lia. rewrite Z.eqb_refl. lra.
  - intros; apply noise_mass_nonneg.
  - intros v. exists (from (Z.max a (b + v)) n). split; [apply from_nodup |]. simpl.
    rewrite (sum_ext _ (fun x => noise_mass laplace (a - b) s v * noise_mass exponential (Z.max a (b + v)) (s / 2) x)) by (intros; apply pair_product).
    rewrite sum_scale, exponential_from by lra. lra.
Qed.

Theorem paired_back : nearly_as_likely (TDraws (Noise laplace (a - b) s) next) two_draws.
Proof.
  intros S L p Hp gap Hg. inversion Hp as [| | | ? ? ? pieces ? Hnd Hq Hsum |]; subst; [apply least_nothing; lra |].
  set (q := fun v => Rmax 0 (found pieces v)). set (total := sum (fun v => noise_mass laplace (a - b) s v * q v) (map fst pieces)).
  assert (Ht : p <= total).
  { unfold total. rewrite sum_map. eapply Rle_trans; [exact Hsum |]. apply sum_le. intros [z r] Hin. simpl.
    apply Rmult_le_compat_l; [apply noise_mass_nonneg |]. unfold q. rewrite (found_in _ _ _ Hnd Hin). apply Rmax_r. }
  assert (Hn : 0 <= total) by (apply sum_nonneg; intros; apply Rmult_le_pos; [apply noise_mass_nonneg | apply Rmax_l]).
  destruct (Rlt_dec 0 s) as [Hs | Hs].
  2: { apply least_nothing. replace total with 0 in *; [lra |]. symmetry. apply sum_zero. intros v _. unfold noise_mass. destruct Rlt_dec; lra. }
  pose proof (step_below_1 (s / 2) ltac:(lra)) as St.
  destruct (pow_lt_1_zero (exp (- (1 / (s / 2)))) ltac:(rewrite Rabs_right; lra) (gap / (1 + total)) ltac:(apply Rdiv_lt_0_compat; lra)) as (n & Hpow).
  specialize (Hpow n (le_n n)). set (rest := exp (- (1 / (s / 2))) ^ n) in *.
  assert (0 < rest) by (apply pow_lt; lra). rewrite Rabs_right in Hpow by lra.
  apply less with (sum (fun v => noise_mass laplace (a - b) s v * (1 - rest) * q v) (map fst pieces)).
  - apply least_scattered with is_next; auto; [now apply pairs_reach | intros; apply Rmax_l |].
    intros v l _ ->. now apply (found_least S L next).
  - rewrite (sum_ext _ (fun v => (1 - rest) * (noise_mass laplace (a - b) s v * q v))) by (intros; ring). rewrite sum_scale. fold total.
    assert (rest * total <= gap).
    { apply Rle_trans with (gap / (1 + total) * total); [apply Rmult_le_compat_r; lra |].
      apply Rle_trans with (gap / (1 + total) * (1 + total)); [| right; field; lra].
      apply Rmult_le_compat_l; [apply Rlt_le, Rdiv_lt_0_compat |]; lra. }
    lra.
Qed.
End Pair.

(** The statements: of both numbers only the difference is known to be the same. *)
Definition difference (x y : string) : relation := fun m m' => alike [x; y] m m' /\ (as_int (m x) - as_int (m y) = as_int (m' x))%Z.
Definition difference_back (x y : string) : relation := fun m' m => difference x y m m'.

Section PairedStatements.
Variables (events : list event) (fuel : nat) (n1 n2 : nat) (x y : string) (a b : expr INT) (scale : expr REAL).
Hypothesis other : x <> y.
Hypothesis unread_by_laws : free [x; y] a = true /\ free [x; y] b = true /\ free [x; y] scale = true.
Definition two : code := Draw n1 exponential x a scale ;; Draw n2 exponential y b scale.
Definition one : code := Draw n1 laplace x (Sub a b) scale.

Lemma two_runs lv k m m' : difference x y m m' -> published events fuel two lv k m
  = TDraws (Noise exponential (eval m' a) (eval m' scale)) (fun v => TDraws (Noise exponential (eval m' b) (eval m' scale))
      (fun w => k (upd (upd m x (Int v)) y (Int w)))).
Proof.
  intros [H _]. destruct unread_by_laws as (Fa & Fb & Fs). simpl.
  rewrite (eval_alike [x; y] a m m'), (eval_alike [x; y] scale m m') by auto. f_equal. extensionality v.
  assert (G : alike [x; y] (upd m x (Int v)) m').
  { intros z Hz. unfold upd. destruct (String.eqb_spec z x) as [-> |]; auto. unfold among_names in Hz. simpl in Hz. now rewrite String.eqb_refl in Hz. }
  now rewrite (eval_alike [x; y] b (upd m x (Int v)) m'), (eval_alike [x; y] scale (upd m x (Int v)) m') by auto.
Qed.
Lemma difference_drawn m m' v w : difference x y m m' -> difference x y (upd (upd m x (Int v)) y (Int w)) (upd m' x (Int (v - w))).
Proof.
  intros [H _]. split.
  - intros z Hz. unfold upd. unfold among_names in Hz. simpl in Hz. rewrite orb_false_r in Hz. apply orb_false_elim in Hz as [Zx Zy].
    rewrite Zx, Zy. apply H. unfold among_names. simpl. now rewrite Zx, Zy.
  - unfold upd. rewrite !String.eqb_refl, (proj2 (String.eqb_neq x y)) by auto. reflexivity.
Qed.
Lemma nearly_trans t1 t2 t3 : nearly_as_likely t1 t2 -> nearly_as_likely t2 t3 -> nearly_as_likely t1 t3.
Proof.
  intros H G S L p Hp gap Hg. replace (p - gap) with (p - gap / 2 - gap / 2) by lra. apply G; [apply H; auto; lra | lra].
Qed.

Theorem keeps_paired : keeps events nearly_as_likely fuel fuel (difference x y) two one.
Proof.
  intros lv lv' k k' Hl Hk m m' Hm. rewrite (two_runs lv k m m' Hm). simpl.
  apply nearly_trans with (two_draws (eval m' a) (eval m' b) (eval m' scale) (fun d => k' (upd m' x (Int d)))).
  - apply (order_draws _ order_nearly). intros v. apply (order_draws _ order_nearly). intros w. apply Hk. now apply difference_drawn.
  - apply at_most_nearly, paired.
Qed.
Theorem keeps_paired_back : keeps events nearly_as_likely fuel fuel (difference_back x y) one two.
Proof.
  intros lv lv' k k' Hl Hk m' m Hm. rewrite (two_runs lv' k' m m' Hm). simpl.
  apply nearly_trans with (two_draws (eval m' a) (eval m' b) (eval m' scale) (fun d => k (upd m' x (Int d)))); [apply paired_back |].
  apply (order_draws _ order_nearly). intros v. apply (order_draws _ order_nearly). intros w. apply Hk. now apply difference_drawn.
Qed.

End PairedStatements.

(** A statement that reads them, in one sum with opposite signs, reads 0 in place of y. *)
Lemma difference_read {s} events le fuel fuel' x y z (e e' : expr s) : z <> x -> z <> y ->
  (forall m m', difference x y m m' -> eval m e = eval m' e') ->
  keeps events le fuel fuel' (difference x y) (Assign z e) (Assign z e') /\ keeps events le fuel fuel' (difference_back x y) (Assign z e') (Assign z e).
Proof.
  intros Zx Zy E. assert (K : forall m m' v, difference x y m m' -> difference x y (upd m z v) (upd m' z v)).
  { intros m m' v [H G]. split; [now apply alike_upd |]. unfold upd. now rewrite (proj2 (String.eqb_neq x z)), (proj2 (String.eqb_neq y z)) by auto. }
  split; apply sim_assign; intros m m' Hm; [rewrite <- (E m m') by auto | rewrite <- (E m' m) by auto]; now apply K.
Qed.

(** The rule, where all other statements neither read nor assign the two. *)
Theorem paired_approaches events (parts : code -> code -> Prop) x y changed program program' input : ~ In x changed -> ~ In y changed ->
  as_int (input y) = 0%Z ->
  (forall fuel c c', parts c c' -> keeps events nearly_as_likely fuel fuel (difference x y) c c'
    /\ keeps events nearly_as_likely fuel fuel (difference_back x y) c' c) ->
  replaced parts [x; y] changed program program' -> approaches events program program' input /\ approaches events program' program input.
Proof.
  intros Hx Hy H0 P H. assert (D : difference x y input input) by (split; [intros z _; reflexivity | lia]).
  assert (K : forall m m' z v, In z changed -> difference x y m m' -> difference x y (upd m z v) (upd m' z v)).
  { intros m m' z v Hz [H1 H2]. split; [now apply alike_upd |]. unfold upd.
    rewrite (proj2 (String.eqb_neq x z)), (proj2 (String.eqb_neq y z)) by (intros ->; contradiction). exact H2. }
  split.
  - apply approaches_by with nearly_as_likely (difference x y); auto using order_nearly. intros fuel. exists fuel.
    apply (keeps_replaced events nearly_as_likely fuel fuel order_nearly (or_introl eq_refl) (difference x y) parts [x; y] changed); auto.
    + intros m m' Hm. apply Hm.
    + intros c c' Hc. now apply P.
  - apply approaches_by with nearly_as_likely (difference_back x y); auto using order_nearly. intros fuel. exists fuel.
    apply (keeps_replaced events nearly_as_likely fuel fuel order_nearly (or_introl eq_refl) (difference_back x y) (fun c' c => parts c c') [x; y] changed).
    + intros m m' Hm. apply alike_back, Hm.
    + intros m m' z v Hz Hm. now apply K.
    + intros c' c Hc. now apply P.
    + exact (replaced_back _ _ _ _ _ H).
Qed.
