(** Programs that draw reals: why coupled runs give privacy, and the rules of their draws.

    The chance that a run ends in S and tells L is at least p by finitely many intervals of noise ([at_least]).  A
    coupling moves each of them, so that run 2's chance is at least exp (- e) * p: no limit and no integral is taken.
    Different logs stay apart in both runs. *)
From Coq Require Import Lia Lra Psatz.
From synth Require Export Rules.
Local Open Scope list_scope.

(** * The sums of a run, by couplings *)

Lemma less S L t p q : at_least S L t p -> q <= p -> at_least S L t q.
Proof.
  intros H. revert q. induction H; intros r Hr.
  - apply least_nothing. lra.
  - apply least_ends; auto. lra.
  - apply least_tells. auto.
  - apply least_draws with pieces; auto. lra.
  - apply least_draws_real with pieces; auto. lra.
Qed.

Definition pair_dec (a b : Z * R) : {a = b} + {a <> b}.
Proof. decide equality; [apply Req_EM_T | apply Z.eq_dec]. Defined.

(** What a value brings. *)
Definition brings S L (is : Z -> telling -> Prop) (v : Z) (a : R) : Prop :=
  0 <= a /\ exists t, is v t /\ at_least S L t a.

Lemma least_gathered S L t w is : gathers t w is -> forall p, at_least S L t p ->
  exists vs (a : Z -> R), NoDup vs /\ (forall v, In v vs -> brings S L is v (a v)) /\ p <= sum (fun v => w v * a v) vs.
Proof.
  induction 1 as [w is Hw | t w is v Hv H1 Hw | law next w' w is Hn IH Hw' Hs]; intros p Hp.
  - exists [], (fun _ => 0). split; [constructor |]. split; [intros v [] |]. inversion Hp; subst. simpl. lra.
  - exists [v], (fun _ => Rmax 0 p). split; [repeat constructor; auto |]. split.
    + intros u [<- | []]. split; [apply Rmax_l |]. exists t. split; auto.
      unfold Rmax. destruct Rle_dec; [auto | apply least_nothing; lra].
    + simpl. pose proof (Rmax_l 0 p). pose proof (Rmax_r 0 p). nra.
  - inversion Hp as [? ? ? Hneg | | | ? ? ? pieces ? Hnd Hq Hsum |]; subst.
    { exists [], (fun _ => 0). split; [constructor |]. split; [intros v [] |]. simpl. lra. }
    destruct (choose_for pair_dec (([] : list Z), fun _ : Z => 0) (fun piece (G : list Z * (Z -> R)) => In piece pieces ->
      NoDup (fst G) /\ (forall v, In v (fst G) -> brings S L is v (snd G v))
      /\ mass law (fst piece) * snd piece <= sum (fun v => mass law (fst piece) * w' (fst piece) v * snd G v) (fst G)) pieces)
      as (G & HG).
    { intros [z q]. simpl. destruct (in_dec pair_dec (z, q) pieces) as [Hin |]; [| exists ([], fun _ => 0); tauto].
      destruct (Rlt_dec 0 (mass law z)) as [Hz | Hz].
      - destruct (IH z Hz q (Hq z q Hin)) as (vs & a & G1 & G2 & G3). exists (vs, a). intros _. simpl. split; auto. split; auto.
        rewrite (sum_ext _ (fun v => mass law z * (w' z v * a v))) by (intros; ring). rewrite sum_scale.
        apply Rmult_le_compat_l; [lra | auto].
      - exists ([], fun _ => 0). intros _. simpl. split; [constructor |]. split; [intros v [] |].
        pose proof (mass_nonneg law z). replace (mass law z) with 0 by lra. lra. }
    assert (HG' : forall piece, In piece pieces -> NoDup (fst (G piece)) /\ (forall v, In v (fst (G piece)) -> brings S L is v (snd (G piece) v))
      /\ mass law (fst piece) * snd piece <= sum (fun v => mass law (fst piece) * w' (fst piece) v * snd (G piece) v) (fst (G piece))) by auto.
    clear HG. set (vs := nodup Z.eq_dec (flat_map (fun z => fst (G z)) pieces)).
    set (has := fun v z => existsb (Z.eqb v) (fst (G z))).
    assert (Hhas : forall v z, has v z = true <-> In v (fst (G z))).
    { intros v z. unfold has. rewrite existsb_exists. split.
      - intros (u & Hu & E). apply Z.eqb_eq in E. now subst.
      - intros Hu. exists v. split; auto. apply Z.eqb_refl. }
    destruct (choose_for Z.eq_dec 0 (fun v A => 0 <= A /\ (forall z, In z pieces -> has v z = true -> snd (G z) v <= A)
      /\ ((exists z, In z pieces /\ has v z = true) -> brings S L is v A)) vs) as (A & HA).
    { intros v. apply largest; [intros x Hx; apply Hx |]. intros z Hz Hv. apply (HG' z Hz), Hhas, Hv. }
    exists vs, A. split; [apply NoDup_nodup |]. split.
    + intros v Hv. apply HA; auto. apply nodup_In, in_flat_map in Hv. destruct Hv as (z & Hz & Hv).
      exists z. split; auto. now apply Hhas.
    + apply Rle_trans with (sum (fun piece => sum (fun v => mass law (fst piece) * w' (fst piece) v * A v) vs) pieces).
      * eapply Rle_trans; [exact Hsum |]. apply sum_le. intros z Hz. destruct (HG' z Hz) as (G1 & G2 & G3).
        eapply Rle_trans; [exact G3 |].
        assert (Hi : incl (fst (G z)) vs) by (intros v Hv; apply nodup_In, in_flat_map; eauto).
        assert (Hm : forall v, 0 <= mass law (fst z) * w' (fst z) v) by (intros; apply Rmult_le_pos; auto using mass_nonneg).
        apply Rle_trans with (sum (fun v => mass law (fst z) * w' (fst z) v * Rmax 0 (A v)) (fst (G z))).
        { apply sum_le. intros v Hv. apply Rmult_le_compat_l; auto. eapply Rle_trans; [| apply Rmax_r].
          apply (HA v (Hi v Hv)); auto. now apply Hhas. }
        rewrite (sum_ext (fun v => mass law (fst z) * w' (fst z) v * A v) (fun v => mass law (fst z) * w' (fst z) v * Rmax 0 (A v)) vs).
        2: { intros v Hv. rewrite Rmax_right; auto. now destruct (HA v Hv). }
        apply sum_le_incl; auto. intros v. apply Rmult_le_pos; auto. apply Rmax_l.
      * rewrite sum_swap. apply sum_le. intros v Hv.
        rewrite (sum_ext _ (fun z => A v * (mass law (fst z) * w' (fst z) v))) by (intros; ring). rewrite sum_scale, Rmult_comm.
        apply Rmult_le_compat_r; [now destruct (HA v Hv) |].
        rewrite <- (sum_map (fun z => mass law z * w' z v) fst). now apply Hs.
Qed.

Lemma least_scattered S L t w is : scatters t w is -> forall vs (a : Z -> R), NoDup vs -> (forall v, In v vs -> 0 <= a v) ->
  (forall v l, In v vs -> is v l -> at_least S L l (a v)) -> at_least S L t (sum (fun v => w v * a v) vs).
Proof.
  induction 1 as [t w is Hw | t w is v Hv H1 Hw | law next w' w is Hn IH Hw' Hs]; intros vs a Hnd Ha Hl.
  - apply least_nothing. apply Rle_trans with (sum (fun v => 0) vs); [| rewrite sum_zero; auto; lra].
    apply sum_le. intros v Hv. specialize (Ha v Hv). specialize (Hw v). nra.
  - assert (G : forall l, ~ In v l -> (forall u, In u l -> 0 <= a u) -> sum (fun u => w u * a u) l <= 0).
    { intros l Hnot Hpos. apply Rle_trans with (sum (fun v => 0) l); [| rewrite sum_zero; auto; lra].
      apply sum_le. intros u Hu. assert (u <> v) by (intros ->; auto). specialize (Hw u H). specialize (Hpos u Hu). nra. }
    destruct (in_dec Z.eq_dec v vs) as [Hin | Hin]; [| apply least_nothing; auto].
    apply less with (a v); auto. specialize (Ha v Hin) as Hav. destruct (in_split v vs Hin) as (l1 & l2 & ->).
    apply NoDup_remove_2 in Hnd. rewrite sum_app, sum_cons.
    assert (G' : sum (fun u => w u * a u) (l1 ++ l2) <= 0).
    { apply G; auto. intros u Hu. apply Ha. rewrite in_app_iff in *. simpl. tauto. }
    rewrite sum_app in G'. nra.
  - destruct (choose_for Z.eq_dec [] (fun v zs => NoDup zs /\ w v <= sum (fun z => mass law z * w' z v) zs) vs) as (zs & Hzs); auto.
    set (all := nodup Z.eq_dec (flat_map zs vs)).
    apply least_draws with (map (fun z => (z, sum (fun v => w' z v * a v) vs)) all).
    + rewrite map_map. simpl. rewrite map_id. apply NoDup_nodup.
    + intros z q Hq. apply in_map_iff in Hq. destruct Hq as (z' & E & _). injection E as <- <-. apply IH; auto.
    + rewrite sum_map. simpl.
      apply Rle_trans with (sum (fun v => sum (fun z => mass law z * w' z v * a v) all) vs).
      * apply sum_le. intros v Hv. destruct (Hzs v Hv) as [Z1 Z2].
        rewrite (sum_ext _ (fun z => a v * (mass law z * w' z v))) by (intros; ring). rewrite sum_scale, Rmult_comm.
        apply Rmult_le_compat_l; auto. eapply Rle_trans; [exact Z2 |].
        apply sum_le_incl; auto.
        -- intros z. apply Rmult_le_pos; auto using mass_nonneg.
        -- intros z Hz. apply nodup_In, in_flat_map. eauto.
      * rewrite sum_swap. right. apply sum_ext. intros z _. rewrite <- sum_scale. apply sum_ext. intros; ring.
Qed.

Lemma in_order_moved (k : R) (f : R -> R) pieces : in_order pieces ->
  in_order (map (fun piece => (fst (fst piece) + k, snd (fst piece) + k, f (snd piece))) pieces).
Proof.
  induction pieces as [| [[a b] q] rest IH]; simpl; auto. intros (Hab & Hnext & Hrest). split; [lra |]. split; auto.
  destruct rest as [| [[a' b'] q'] rest]; simpl in *; auto. lra.
Qed.

Lemma in_order_each pieces a b q : in_order pieces -> In (a, b, q) pieces -> a <= b.
Proof.
  induction pieces as [| [[a' b'] q'] rest IH]; simpl; [tauto |]. intros (Hab & _ & Hrest) [E | Hin]; auto.
  injection E as <- <- _. exact Hab.
Qed.

Lemma interval_mass_none law c s a b : ~ 0 < s -> interval_mass law c s a b = 0.
Proof. intros H. unfold interval_mass. now destruct Rlt_dec. Qed.

(** What is left of a chance. *)
Definition lowered (cost e q : R) : R := if Rlt_dec 0 q then exp (cost - e) * q else 0.

Lemma lowered_pays cost e q m1 m2 : 0 <= m1 -> m1 <= exp cost * m2 -> 0 <= m2 -> exp (- e) * (m1 * q) <= m2 * lowered cost e q.
Proof.
  intros H0 H H2. unfold lowered. pose proof (exp_pos (- e)). destruct (Rlt_dec 0 q) as [Hq | Hq].
  - replace (cost - e) with (cost + - e) by ring. rewrite exp_plus.
    replace (m2 * (exp cost * exp (- e) * q)) with (exp (- e) * ((exp cost * m2) * q)) by ring.
    apply Rmult_le_compat_l; [lra |]. apply Rmult_le_compat_r; lra.
  - assert (m1 * q <= 0) by nra. nra.
Qed.

Lemma lowered_least S L t cost e q : at_least S L t (exp (- (e - cost)) * q) -> at_least S L t (lowered cost e q).
Proof.
  intros H. unfold lowered. destruct Rlt_dec; [| apply least_nothing; lra].
  apply less with (1 := H). right. f_equal. f_equal. ring.
Qed.

(** The chance of noise grows with the interval. *)
Lemma at_most_grows law x y : x <= y -> at_most law x <= at_most law y.
Proof.
  intros H. unfold at_most. pose proof (exp_le x y H). pose proof (exp_le (- y) (- x) ltac:(lra)).
  destruct law, (Rle_dec x 0) as [X | X], (Rle_dec y 0) as [Y | Y]; try lra.
  - pose proof (exp_le x 0 X). pose proof (exp_le (- y) 0 ltac:(lra)). rewrite exp_0 in *. lra.
  - pose proof (exp_le (- y) 0 ltac:(lra)). rewrite exp_0 in *. lra.
Qed.

Lemma scaled_le s x y : 0 < s -> x <= y -> x / s <= y / s.
Proof. intros Hs H. apply Rmult_le_compat_r; auto. now apply Rlt_le, Rinv_0_lt_compat. Qed.

Lemma interval_mass_nonneg law c s a b : a <= b -> 0 <= interval_mass law c s a b.
Proof.
  intros H. unfold interval_mass. destruct Rlt_dec; [| lra].
  pose proof (at_most_grows law ((a - c) / s) ((b - c) / s)). rewrite <- Rminus_0_r at 1. 
  enough (at_most law ((a - c) / s) <= at_most law ((b - c) / s)) by lra. apply H0, scaled_le; lra.
Qed.

Theorem coupled_least L e t1 t2 : coupled L e t1 t2 -> forall S p, at_least S L t1 p -> at_least S L t2 (exp (- e) * p).
Proof.
  assert (Neg : forall e p, p <= 0 -> exp (- e) * p <= 0) by (intros e' p' Hp'; pose proof (exp_pos (- e')); nra).
  induction 1 as [L e t1 t2 _ Hnot | L e o1 o2 Ho He | L e ev v1 v2 t1 t2 Hv Ht IH
                 | L e law1 law2 next1 next2 move cost Hj Hm Hn IH | L e law c1 c2 s1 s2 next1 next2 k cost Hm Hn IH
                 | L e t1 t2 w1 w2 is1 is2 cost Hg Hs Hw Hn IH]; intros S p Hp;
    (destruct (Rle_dec p 0) as [Hneg | Hpos]; [now apply least_nothing, Neg |]).
  - apply least_nothing, Neg. eauto.
  - inversion Hp; subst; [lra |]. apply least_ends; auto. pose proof (exp_le (- e) 0 ltac:(lra)). rewrite exp_0 in *. nra.
  - inversion Hp as [| | ? ? ? ? ? Hp' | |]; subst; [lra |]. rewrite <- (Hv _ eq_refl). apply least_tells. now apply IH.
  - inversion Hp as [| | | ? ? ? pieces ? Hnd Hq Hsum |]; subst; [lra |].
    apply least_draws with (map (fun piece => (move (fst piece),
      if Rlt_dec 0 (mass law1 (fst piece)) then lowered (cost (fst piece)) e (snd piece) else 0)) pieces).
    + rewrite map_map. simpl. rewrite <- (map_map fst move). apply NoDup_map_on; auto.
    + intros z q Hin. apply in_map_iff in Hin. destruct Hin as ([z' q'] & E & Hin). injection E as <- <-. simpl.
      destruct Rlt_dec as [Hz |]; [| apply least_nothing; lra]. apply lowered_least, IH; auto.
    + rewrite sum_map. simpl. apply Rle_trans with (sum (fun piece => exp (- e) * (mass law1 (fst piece) * snd piece)) pieces).
      * rewrite sum_scale. apply Rmult_le_compat_l; [apply Rlt_le, exp_pos | auto].
      * apply sum_le. intros [z q] _. simpl. pose proof (mass_nonneg law1 z). destruct Rlt_dec.
        -- apply lowered_pays; auto using mass_nonneg.
        -- replace (mass law1 z) with 0 by lra. lra.
  - destruct (Rlt_dec 0 s1) as [Hs1 | Hs1].
    2: { inversion Hp; subst; [lra |]. match goal with H : p <= sum _ _ |- _ => rename H into Hsum end.
      rewrite sum_zero in Hsum by (intros; rewrite interval_mass_none by auto; ring). lra. }
    inversion Hp as [| | | | ? ? ? ? ? pieces ? Hord Hq Hsum]; subst; [lra |].
    apply least_draws_real with (map (fun piece => (fst (fst piece) + k, snd (fst piece) + k, lowered cost e (snd piece))) pieces).
    + now apply in_order_moved.
    + intros a b q x Hin Hx. apply in_map_iff in Hin. destruct Hin as ([[a' b'] q'] & E & Hin). injection E as <- <- <-. simpl in *.
      replace x with (x - k + k) by ring. apply lowered_least, IH; auto. apply Hq with a' b'; auto. lra.
    + rewrite sum_map. simpl.
      apply Rle_trans with (sum (fun piece => exp (- e) * (interval_mass law c1 s1 (fst (fst piece)) (snd (fst piece)) * snd piece)) pieces).
      * rewrite sum_scale. apply Rmult_le_compat_l; [apply Rlt_le, exp_pos | auto].
      * apply sum_le. intros [[a b] q] Hin. simpl. pose proof (in_order_each _ _ _ _ Hord Hin).
        apply lowered_pays; auto; apply interval_mass_nonneg; lra.
  - destruct (least_gathered S L _ _ _ Hg p Hp) as (vs & a & Hnd & Ha & Hle).
    apply less with (sum (fun v => w2 v * (exp (- (e - cost v)) * a v)) vs).
    + apply (least_scattered S L t2 w2 is2 Hs vs (fun v => exp (- (e - cost v)) * a v) Hnd).
      * intros v Hv. apply Rmult_le_pos; [apply Rlt_le, exp_pos | apply (Ha v Hv)].
      * intros v l Hv Hl. destruct (Ha v Hv) as (_ & t & Hi & Hat). exact (IH v t l Hi Hl S (a v) Hat).
    + apply Rle_trans with (exp (- e) * sum (fun v => w1 v * a v) vs); [apply Rmult_le_compat_l; [apply Rlt_le, exp_pos | auto] |].
      rewrite <- sum_scale. apply sum_le. intros v Hv. destruct (Ha v Hv) as [Hav _].
      replace (- (e - cost v)) with (- e + cost v) by ring. rewrite exp_plus.
      replace (w2 v * (exp (- e) * exp (cost v) * a v)) with (exp (- e) * ((exp (cost v) * w2 v) * a v)) by ring.
      apply Rmult_le_compat_l; [apply Rlt_le, exp_pos |]. apply Rmult_le_compat_r; auto.
Qed.

(** That proves privacy: the logs of run 1 are those of run 2. *)
Theorem told_private events epsilon program input1 input2 :
  (forall fuel L, coupled L epsilon (told_runs events fuel program input1) (told_runs events fuel program input2)) ->
  told_private_on events epsilon program input1 input2.
Proof.
  intros H S p1 p2 [_ Hp1] [Hp2 _]. apply Hp1. intros part (fuel & logs & q & Hnd & Hq & ->).
  assert (sum (fun L => exp (- epsilon) * q L) logs <= p2).
  { apply Hp2. exists fuel, logs, (fun L => exp (- epsilon) * q L). split; auto. split; auto.
    intros L HL. apply coupled_least with (1 := H fuel L). auto. }
  rewrite sum_scale in *. pose proof (exp_pos epsilon).
  replace (sum q logs) with (exp epsilon * (exp (- epsilon) * sum q logs)).
  - apply Rmult_le_compat_l; lra.
  - rewrite <- Rmult_assoc, <- exp_plus. replace (epsilon + - epsilon) with 0 by ring. rewrite exp_0. ring.
Qed.

(** * Noise that is moved *)

Lemma small_moves x t : x <= 0 -> 0 <= x + t -> exp t * exp (- (x + t)) = exp (- x).
Proof. intros. rewrite <- exp_plus. f_equal. ring. Qed.

(** Noise that is moved up by t: the chance of each interval is at most exp t times that of where it comes to. *)
Lemma moved_up law t x y : 0 <= t -> x <= y ->
  exp t * at_most law (x + t) - at_most law x <= exp t * at_most law (y + t) - at_most law y.
Proof.
  intros Ht Hxy.
  set (h := fun x => exp t * at_most law (x + t) - at_most law x).
  assert (T : 1 <= exp t) by (pose proof (exp_le 0 t Ht); rewrite exp_0 in *; auto).
  assert (Left : forall x y, x <= y -> y <= - t -> h x <= h y).
  { clear - Ht T. intros x y H1 H2. unfold h, at_most. destruct law; repeat (destruct Rle_dec; try lra).
    rewrite !exp_plus. pose proof (exp_le x y H1). pose proof (exp_pos x).
    replace (exp t * (exp x * exp t / 2) - exp x / 2) with (exp x * ((exp t * exp t - 1) / 2)) by field.
    replace (exp t * (exp y * exp t / 2) - exp y / 2) with (exp y * ((exp t * exp t - 1) / 2)) by field.
    apply Rmult_le_compat_r; nra. }
  assert (E : forall z, exp t * exp (- (z + t)) = exp (- z)) by (intros; rewrite <- exp_plus; f_equal; ring).
  assert (Mid : forall x y, - t <= x -> x <= y -> y <= 0 -> h x <= h y).
  { clear - Ht T E. intros x y H1 H2 H3.
    assert (Above : forall z, 0 <= z -> at_most law z = match law with laplace => 1 - exp (- z) / 2 | exponential => 1 - exp (- z) end).
    { intros z Hz. unfold at_most. destruct law, (Rle_dec z 0); auto; replace z with 0 by lra; rewrite Ropp_0, exp_0; lra. }
    unfold h. rewrite !(Above (_ + t)) by lra. unfold at_most. destruct law; repeat (destruct Rle_dec; try lra).
    - rewrite !Rmult_minus_distr_l. unfold Rdiv. rewrite <- !Rmult_assoc, !E.
      assert (exp x <= exp y) by now apply exp_le. assert (exp (- y) <= exp (- x)) by (apply exp_le; lra).
      assert (exp y <= 1) by (rewrite <- exp_0; now apply exp_le).
      assert (X : exp x * exp (- x) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
      assert (Y : exp y * exp (- y) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
      pose proof (exp_pos x). pose proof (exp_pos y). pose proof (exp_pos (- x)). pose proof (exp_pos (- y)).
      assert (exp y - exp x <= exp (- x) - exp (- y)).
      { replace (exp (- x) - exp (- y)) with ((exp y - exp x) * (exp (- x) * exp (- y))).
        - rewrite <- (Rmult_1_r (exp y - exp x)) at 1. apply Rmult_le_compat_l; [lra |].
          assert (1 <= exp (- y)) by (rewrite <- exp_0; apply exp_le; lra). nra.
        - replace ((exp y - exp x) * (exp (- x) * exp (- y))) with ((exp y * exp (- y)) * exp (- x) - (exp x * exp (- x)) * exp (- y)) by ring.
          rewrite X, Y. ring. }
      lra.
    - rewrite !Rmult_minus_distr_l, !E. assert (exp (- y) <= exp (- x)) by (apply exp_le; lra). lra. }
  assert (Right : forall x y, 0 <= x -> x <= y -> h x <= h y).
  { clear - Ht T E. intros x y H1 H2.
    assert (Above : forall z, 0 <= z -> at_most law z = match law with laplace => 1 - exp (- z) / 2 | exponential => 1 - exp (- z) end).
    { intros z Hz. unfold at_most. destruct law, (Rle_dec z 0); auto; replace z with 0 by lra; rewrite Ropp_0, exp_0; lra. }
    unfold h. rewrite !Above by lra.
    destruct law; rewrite !Rmult_minus_distr_l; unfold Rdiv; rewrite <- ?Rmult_assoc, !E; lra. }
  change (h x <= h y).
  destruct (Rle_lt_dec y (- t)); [now apply Left |].
  apply Rle_trans with (h (Rmax x (- t))).
  { unfold Rmax. destruct Rle_dec; [apply Left; lra | lra]. }
  assert (- t <= Rmax x (- t) <= y) by (unfold Rmax; destruct Rle_dec; lra). set (u := Rmax x (- t)) in *.
  destruct (Rle_lt_dec y 0); [apply Mid; lra |].
  apply Rle_trans with (h (Rmax u 0)).
  { unfold Rmax. destruct Rle_dec; [apply Mid; lra | lra]. }
  apply Right; unfold Rmax; destruct Rle_dec; lra.
Qed.

Lemma laplace_even x : at_most laplace (- x) = 1 - at_most laplace x.
Proof.
  unfold at_most. destruct (Rle_dec (- x) 0), (Rle_dec x 0); rewrite ?Ropp_involutive; try lra.
  replace x with 0 by lra. rewrite ?Ropp_0, exp_0. lra.
Qed.

(** Moving noise by [k] against its centres costs |k + c1 - c2| / scale (Barthe et al. 2016, Prop. 8 and 10). *)
Theorem interval_shift law s c1 c2 k a b : (law = exponential -> 0 <= k + c1 - c2) -> a <= b ->
  interval_mass law c1 s a b <= exp (Rabs (k + c1 - c2) / s) * interval_mass law c2 s (a + k) (b + k).
Proof.
  intros Hk Hab. unfold interval_mass. destruct (Rlt_dec 0 s) as [Hs | _]; [| lra].
  set (t := (k + c1 - c2) / s).
  replace ((a + k - c2) / s) with ((a - c1) / s + t) by (unfold t; field; lra).
  replace ((b + k - c2) / s) with ((b - c1) / s + t) by (unfold t; field; lra).
  pose proof (scaled_le s (a - c1) (b - c1) Hs ltac:(lra)) as Hx. set (x := (a - c1) / s) in *. set (y := (b - c1) / s) in *.
  assert (Ht : Rabs (k + c1 - c2) / s = Rabs t).
  { unfold t, Rdiv. rewrite Rabs_mult, (Rabs_right (/ s)); auto. apply Rle_ge, Rlt_le, Rinv_0_lt_compat; auto. }
  rewrite Ht. destruct (Rle_lt_dec 0 t) as [Hpos | Hneg].
  - rewrite Rabs_right by lra. pose proof (moved_up law t x y Hpos Hx). lra.
  - rewrite Rabs_left by lra. destruct law.
    + pose proof (moved_up laplace (- t) (- y) (- x) ltac:(lra) ltac:(lra)) as G.
      replace (- y + - t) with (- (y + t)) in G by ring. replace (- x + - t) with (- (x + t)) in G by ring.
      rewrite !laplace_even in G. lra.
    + exfalso. specialize (Hk eq_refl). assert (0 <= t); [| lra]. unfold t. apply Rmult_le_pos; auto.
      now apply Rlt_le, Rinv_0_lt_compat.
Qed.

(** * The rules *)

Section Rules.
Variables (events : list event) (fuel : nat).
Notation run := (published events fuel).

(** [LapGen] and [OneLapGen]: run 2's draw is moved by [k]; if its noise is, [amount] is paid. *)
Lemma shift_real_by law (within : R) (amount : Z) (weight k a1 a2 s s2 : R) n1 n2 x
    (center1 center2 scale1 scale2 : expr REAL) L e lv1 lv2 k1 k2 (m1 m2 : memory) :
  eval m1 center1 = a1 -> eval m2 center2 = a2 -> eval m1 scale1 = s -> eval m2 scale2 = s2 -> s2 = s ->
  (law = exponential -> 0 <= k + a1 - a2) -> Rabs (k + a1 - a2) <= within -> (0 < s -> within / s <= weight * IZR amount) ->
  (forall r p, 0 < s -> (p = 0%Z /\ k + a1 - a2 = 0 \/ p = amount /\ k + a1 - a2 <> 0) ->
     coupled L (e - weight * IZR p) (k1 (upd m1 x (Real r))) (k2 (upd m2 x (Real (r + k))))) ->
  coupled L e (run (DrawReal n1 law x center1 scale1) lv1 k1 m1) (run (DrawReal n2 law x center2 scale2) lv2 k2 m2).
Proof.
  intros <- <- <- <- E Hs Hw Hp H. simpl. rewrite E. clear E.
  set (moved := k + eval m1 center1 - eval m2 center2) in *.
  apply coupled_draws_real with (k := k) (cost := weight * IZR (if Req_EM_T moved 0 then 0 else amount)).
  - intros a b Hab. destruct (Rlt_dec 0 (eval m1 scale1)) as [Hpos | Hneg]; [| rewrite !interval_mass_none by auto; lra].
    eapply Rle_trans; [apply interval_shift with (k := k); [exact Hs | exact Hab] |]. fold moved.
    apply Rmult_le_compat_r; [apply interval_mass_nonneg; lra |]. apply exp_le. destruct Req_EM_T as [-> | _].
    { rewrite Rabs_R0. unfold Rdiv. lra. }
    eapply Rle_trans; [| apply Hp; auto]. now apply scaled_le.
  - intros r Hpos. apply H; auto. destruct Req_EM_T; auto.
Qed.

(** The same where nothing is moved. *)
Lemma no_real_shift law (k a1 a2 s s2 : R) n1 n2 x
    (center1 center2 scale1 scale2 : expr REAL) L e lv1 lv2 k1 k2 (m1 m2 : memory) :
  eval m1 center1 = a1 -> eval m2 center2 = a2 -> eval m1 scale1 = s -> eval m2 scale2 = s2 -> s2 = s ->
  k + a1 - a2 = 0 ->
  (forall r, 0 < s -> coupled L e (k1 (upd m1 x (Real r))) (k2 (upd m2 x (Real (r + k))))) ->
  coupled L e (run (DrawReal n1 law x center1 scale1) lv1 k1 m1) (run (DrawReal n2 law x center2 scale2) lv2 k2 m2).
Proof.
  intros E1 E2 E3 E4 E5 Hk H. apply (shift_real_by law 0 0 0 k a1 a2 s s2); auto.
  - lra.
  - rewrite Hk, Rabs_R0. lra.
  - intros Hs. unfold Rdiv. lra.
  - intros r p Hs Hp. replace (e - 0 * IZR p) with e by ring. auto.
Qed.

(** [LapNull] and [OneLapNull]: the noise is the same, and costs nothing. *)
Lemma same_real_noise law (a1 a2 s s2 : R) n1 n2 x
    (center1 center2 scale1 scale2 : expr REAL) L e lv1 lv2 k1 k2 (m1 m2 : memory) :
  eval m1 center1 = a1 -> eval m2 center2 = a2 -> eval m1 scale1 = s -> eval m2 scale2 = s2 -> s2 = s ->
  (forall r, 0 < s -> coupled L e (k1 (upd m1 x (Real r))) (k2 (upd m2 x (Real (r + (a2 - a1)))))) ->
  coupled L e (run (DrawReal n1 law x center1 scale1) lv1 k1 m1) (run (DrawReal n2 law x center2 scale2) lv2 k2 m2).
Proof.
  intros E1 E2 E3 E4 E5 H. apply (no_real_shift law (a2 - a1) a1 a2 s s2); auto.
  ring.
Qed.

End Rules.

(** * Costs that add up reals *)

Fixpoint spent_reals (weights counts : list R) : R :=
  match weights, counts with w :: ws, c :: cs => w * c + spent_reals ws cs | _, _ => 0 end.
Fixpoint add_to (n : nat) (p : R) (counts : list R) : list R :=
  match n, counts with
  | O, c :: cs => (c + p) :: cs
  | S n, c :: cs => c :: add_to n p cs
  | _, [] => []
  end.

Lemma affordable_pay_real n p total reals sums weights counts e : length sums = length reals -> (n < length reals)%nat ->
  affordable (total - spent_reals reals sums) weights counts e ->
  affordable (total - spent_reals reals (add_to n p sums)) weights counts (e - nth n reals 0 * p).
Proof.
  unfold affordable. intros Hl Hn H.
  enough (spent_reals reals (add_to n p sums) = spent_reals reals sums + nth n reals 0 * p) by lra. clear H.
  revert sums n Hl Hn. induction reals as [| w ws IH]; intros [| c cs] n Hl Hn; simpl in *; try lia.
  destruct n as [| n]; simpl; [ring |]. rewrite (IH cs n); try lia. ring.
Qed.

Lemma affordable_within_reals total reals sums tops weights counts bounds e :
  affordable (total - spent_reals reals sums) weights counts e -> Forall (fun w => 0 <= w) reals -> Forall2 Rle sums tops ->
  Forall (fun w => 0 <= w) weights -> Forall2 Z.le counts bounds -> spent weights bounds + spent_reals reals tops <= total -> 0 <= e.
Proof.
  intros H Hr Hs Hw Hc Ht. apply (affordable_within _ _ _ bounds _ H Hw Hc).
  enough (spent_reals reals sums <= spent_reals reals tops) by lra. clear - Hr Hs.
  revert sums tops Hs. induction Hr as [| w ws Hw _ IH]; intros sums tops Hs; [simpl; lra |].
  inversion_clear Hs as [| c b cs bs Hcb Hcs]; simpl; [lra |]. specialize (IH _ _ Hcs). nra.
Qed.

(** [LapGen] and [OneLapGen] where what is paid is a real. *)
Lemma shift_real_for events fuel law (within amount weight k a1 a2 s s2 : R) n1 n2 x
    (center1 center2 scale1 scale2 : expr REAL) L e lv1 lv2 k1 k2 (m1 m2 : memory) :
  eval m1 center1 = a1 -> eval m2 center2 = a2 -> eval m1 scale1 = s -> eval m2 scale2 = s2 -> s2 = s ->
  (law = exponential -> 0 <= k + a1 - a2) -> Rabs (k + a1 - a2) <= within -> (0 < s -> within / s <= weight * amount) ->
  (forall r, 0 < s -> coupled L (e - weight * amount) (k1 (upd m1 x (Real r))) (k2 (upd m2 x (Real (r + k))))) ->
  coupled L e (published events fuel (DrawReal n1 law x center1 scale1) lv1 k1 m1)
              (published events fuel (DrawReal n2 law x center2 scale2) lv2 k2 m2).
Proof.
  intros <- <- <- <- E Hs Hw Hp H. simpl. rewrite E. clear E.
  apply coupled_draws_real with (k := k) (cost := weight * amount); auto.
  intros a b Hab. destruct (Rlt_dec 0 (eval m1 scale1)) as [Hpos | Hneg]; [| rewrite !interval_mass_none by auto; lra].
  eapply Rle_trans; [apply interval_shift with (k := k); [exact Hs | exact Hab] |].
  apply Rmult_le_compat_r; [apply interval_mass_nonneg; lra |]. apply exp_le.
  eapply Rle_trans; [| apply Hp; auto]. now apply scaled_le.
Qed.

(** What the entries before the i-th one differ by, all in all. *)
Definition real_gaps (both : list (R * R)) : R := sum (fun pair => Rabs (snd pair - fst pair)) both.
Definition before_reals (q1 q2 : list R) (i : Z) : R := real_gaps (firstn (Z.to_nat i) (combine q1 q2)).

Lemma real_gaps_step q1 : forall q2 n, length q2 = length q1 ->
  real_gaps (firstn (S n) (combine q1 q2)) = real_gaps (firstn n (combine q1 q2)) + Rabs (nth n q2 0 - nth n q1 0).
Proof.
  unfold real_gaps. induction q1 as [| a q1 IH]; intros [| b q2] n H; try discriminate.
  - destruct n; simpl; rewrite Rminus_eq_0, Rabs_R0; lra.
  - injection H as H. destruct n as [| n]; [simpl; lra |].
    change (firstn (S (S n)) (combine (a :: q1) (b :: q2))) with ((a, b) :: firstn (S n) (combine q1 q2)).
    change (firstn (S n) (combine (a :: q1) (b :: q2))) with ((a, b) :: firstn n (combine q1 q2)).
    rewrite !sum_cons, (IH q2 n H). simpl. lra.
Qed.

Lemma real_gaps_firstn n both : real_gaps (firstn n both) <= real_gaps both.
Proof.
  unfold real_gaps. revert n. induction both as [| p both IH]; intros [| n]; try (simpl; lra).
  - change (firstn 0 (p :: both)) with (@nil (R * R)). apply sum_nonneg. intros; apply Rabs_pos.
  - change (firstn (S n) (p :: both)) with (p :: firstn n both). rewrite !sum_cons. specialize (IH n). lra.
Qed.

Lemma l1_reals_R bound q1 q2 : 0 <= bound -> l1_reals bound q1 q2 ->
  length q2 = length q1
  /\ (forall i : Z, before_reals q1 q2 (i + 1) = before_reals q1 q2 i + Rabs (real_entry q2 i - real_entry q1 i))
  /\ (forall i : Z, before_reals q1 q2 i <= bound)
  /\ before_reals q1 q2 0 = 0.
Proof.
  intros _ [Hl H]. symmetry in Hl. repeat split; auto.
  - intros i. unfold before_reals, real_entry. destruct (Z.ltb_spec i 0).
    + replace (Z.to_nat (i + 1)) with 0%nat by lia. replace (Z.to_nat i) with 0%nat by lia. rewrite Rminus_eq_0, Rabs_R0. lra.
    + replace (Z.to_nat (i + 1)) with (S (Z.to_nat i)) by lia. now apply real_gaps_step.
  - intros i. unfold before_reals. pose proof (real_gaps_firstn (Z.to_nat i) (combine q1 q2)). unfold real_gaps in *. lra.
Qed.
