(** [Lift]: a program whose draws alone decide what it returns, by the chances of its outputs in the two runs.

    No map of draws is asked for: for each output, the chances of all ways to it are summed, in run 1 from above and
    in run 2 from below; what run 1 has above exp(epsilon) times run 2's chance is lost
    (Barthe, Koepf, Olmedo & Zanella Beguelin 2013, section 7). *)
From Coq Require Import Lia Lra.
From synth Require Export Tails.
Local Open Scope list_scope.

(** * More fuel *)

(** Each run of [t] is a run of [u], with the same output and chance. *)
Definition within_runs (t u : tree) : Prop :=
  forall d o, outcome t d = Some o -> outcome u d = Some o /\ chance u d = chance t d.

Lemma within_runs_draws law next next' : (forall z, within_runs (next z) (next' z)) ->
  within_runs (Draws law next) (Draws law next').
Proof. intros H [| z d] o E; [discriminate |]. destruct (H z d o E) as [E1 E2]. simpl. rewrite E2. auto. Qed.

Lemma fails_within u : within_runs Fails u.
Proof. intros [] o E; discriminate. Qed.

Lemma within_runs_refl t : within_runs t t.
Proof. intros d o E. auto. Qed.

Lemma more_fuel fuel extra c : forall leave leave' next next' m,
  (forall l m, within_runs (leave l m) (leave' l m)) -> (forall m, within_runs (next m) (next' m)) ->
  within_runs (exec fuel c leave next m) (exec (extra + fuel) c leave' next' m).
Proof.
  induction c; simpl; intros leave leave' next next' m Hl Hn;
    try solve [auto using within_runs_draws, within_runs_refl
               | destruct eval; auto using fails_within | destruct forallb; auto using within_runs_draws, fails_within].
  - apply IHc; auto. intros. destruct String.eqb; auto.
  - enough (G : forall n n' m, (n <= n')%nat -> within_runs
      ((fix again (n : nat) (m : memory) : tree :=
          match n with O => Fails | S n => exec fuel c leave (again n) m end) n m)
      ((fix again (n : nat) (m : memory) : tree :=
          match n with O => Fails | S n => exec (extra + fuel) c leave' (again n) m end) n' m)) by (apply G; lia).
    induction n as [| n IH]; intros n' m' Hle; [apply fails_within |].
    destruct n' as [| n']; [lia |]. apply IHc; auto. intros. apply IH. lia.
Qed.

Lemma more_rounds fuel extra program input : within_runs (runs fuel program input) (runs (extra + fuel) program input).
Proof. apply more_fuel; intros; apply fails_within. Qed.

(** * Runs that tell nothing *)

Definition silent (t : telling) : Prop := forall d o L, told_outcome t d = Some (o, L) -> L = [].

Lemma silent_draws law next : (forall z, silent (next z)) -> silent (TDraws law next).
Proof. intros H [| z d] o L E; [discriminate | exact (H z d o L E)]. Qed.
Lemma silent_real law center scale next : silent (TDrawsReal law center scale next).
Proof. intros d o L E. discriminate. Qed.
Lemma silent_fails : silent TFails.
Proof. intros d o L E. discriminate. Qed.
Lemma silent_row e c row t : silent t -> silent (tell_row [] e c row t).
Proof. revert c. induction row as [| v row IH]; simpl; intros c H; [auto | exact (IH (S c) H)]. Qed.

Lemma silent_published fuel c : forall leave next m,
  (forall l m, silent (leave l m)) -> (forall m, silent (next m)) -> silent (published [] fuel c leave next m).
Proof.
  induction c; simpl; intros leave next m Hl Hn;
    try solve [auto using silent_draws, silent_real, silent_row | destruct forallb; auto using silent_draws, silent_fails
               | unfold tell; simpl; destruct eval; auto using silent_fails].
  - apply IHc; auto. intros. destruct String.eqb; auto.
  - generalize fuel at 2 as n. intros n. revert m. induction n; intros m; [apply silent_fails |]. apply IHc; auto.
  - apply silent_row. intros [] o L E; [injection E as <- <-; auto | discriminate].
Qed.

Lemma silent_runs fuel program input : silent (told_runs [] fuel program input).
Proof. apply silent_published; intros; apply silent_fails. Qed.

Lemma part_of_runs S fuel program input ds : part_of S [] (told_runs [] fuel program input) ds <->
  NoDup ds /\ forall d, In d ds -> exists o, outcome (runs fuel program input) d = Some o /\ S o.
Proof.
  pose proof (quiet_runs [] fuel program input) as Q. pose proof (silent_runs fuel program input) as N.
  unfold part_of, ends_in. split; intros [H1 H2]; split; auto; intros d Hd; destruct (H2 d Hd) as (o & Ho & So);
    exists o; split; auto.
  - rewrite (proj1 (Q d)), Ho. reflexivity.
  - rewrite (proj1 (Q d)) in Ho. destruct (told_outcome _ d) as [[o' L] |] eqn:E; [| discriminate].
    injection Ho as ->. now rewrite (N d o L E).
Qed.

Lemma chance_of_runs fuel program input ds :
  sum (chance (runs fuel program input)) ds = sum (told_chance (told_runs [] fuel program input)) ds.
Proof. apply sum_ext. intros d _. apply (quiet_runs [] fuel program input). Qed.

(** * Outputs, by numbers *)

Lemma part_of_end S o ds : part_of S [] (TEnds o) ds -> 0 <= sum (told_chance (TEnds o)) ds <= 1.
Proof.
  intros [Hnd Hds]. split; [apply part_nonneg |].
  apply Rle_trans with (sum (told_chance (TEnds o)) [[]]); [| simpl; lra].
  apply sum_le_incl; auto; [intros; apply told_chance_nonneg |].
  intros d Hd. destruct (Hds d Hd) as (o' & Ho & _). destruct d; [now left | discriminate].
Qed.

(** Of the runs 1 that end in S, any finitely many are at most that likely. *)
Definition lifts (epsilon delta : R) (t1 t2 : telling) : Prop := forall S ds, part_of S [] t1 ds ->
  exists ds2, part_of S [] t2 ds2 /\ sum (told_chance t1) ds <= exp epsilon * sum (told_chance t2) ds2 + delta.

Lemma lifts_same epsilon delta t : 0 <= epsilon -> 0 <= delta -> lifts epsilon delta t t.
Proof.
  intros He Hd S ds Hds. exists ds. split; auto. pose proof (part_nonneg t ds). pose proof (exp_le 0 epsilon He).
  rewrite exp_0 in *. nra.
Qed.

Definition loses_at (epsilon : R) (w1 w2 : Z -> R) (v : Z) : R := Rmax 0 (w1 v - exp epsilon * w2 v).

(** Outputs by numbers: of any of them, run 1 has in all at most [delta] more than exp(epsilon) times run 2's chance. *)
Lemma lifts_by_numbers epsilon delta t1 t2 w1 w2 a1 a2 : gathers t1 w1 (among a1) -> scatters t2 w2 (among a2) ->
  (forall vs, NoDup vs -> sum (loses_at epsilon w1 w2) vs <= delta) ->
  (forall v l, among a1 v l -> exists o, l = TEnds o) -> (forall v l1 l2, among a1 v l1 -> among a2 v l2 -> l1 = l2) ->
  lifts epsilon delta t1 t2.
Proof.
  intros Hg Hs Hd He Hsame S ds Hds.
  destruct (gathered S [] _ _ _ Hg ds Hds) as (us & a & Hnd & Ha & Hle).
  assert (Ha1 : forall v, In v us -> 0 <= a v <= 1).
  { intros v Hv. destruct (Ha v Hv) as (l & ds1 & Hi & Hp & ->). destruct (He v l Hi) as (o & ->).
    now apply part_of_end with S. }
  destruct (scattered S [] _ _ _ Hs us a) as (ds2 & H1 & H2); auto.
  { intros v Hv. apply Ha1; auto. }
  { intros v l Hv Hl. destruct (Ha v Hv) as (l1 & ds1 & Hi & Hp & ->). exists ds1.
    rewrite (Hsame v l1 l Hi Hl) in *. split; auto. lra. }
  exists ds2. split; auto. eapply Rle_trans; [exact Hle |].
  apply Rle_trans with (sum (fun v => exp epsilon * (w2 v * a v) + loses_at epsilon w1 w2 v * a v) us).
  - apply sum_le. intros v Hv. destruct (Ha1 v Hv) as [A0 A1]. unfold loses_at.
    pose proof (Rmax_r 0 (w1 v - exp epsilon * w2 v)). nra.
  - rewrite sum_plus, sum_scale. apply Rplus_le_compat.
    + apply Rmult_le_compat_l; [apply Rlt_le, exp_pos | auto].
    + apply Rle_trans with (sum (loses_at epsilon w1 w2) us); auto.
      apply sum_le. intros v Hv. specialize (Ha1 v Hv). pose proof (Rmax_l 0 (w1 v - exp epsilon * w2 v)).
      unfold loses_at. nra.
Qed.

(** The same, where run 1 has only those of [vs]. *)
Lemma lifts_by epsilon delta t1 t2 w1 w2 a1 a2 vs : gathers t1 w1 (among a1) -> scatters t2 w2 (among a2) ->
  (forall v, ~ In v vs -> w1 v <= 0) -> (forall v, 0 <= w2 v) -> NoDup vs -> sum (loses_at epsilon w1 w2) vs <= delta ->
  (forall v l, among a1 v l -> exists o, l = TEnds o) -> (forall v l1 l2, among a1 v l1 -> among a2 v l2 -> l1 = l2) ->
  lifts epsilon delta t1 t2.
Proof.
  intros Hg Hs Hout Hw2 Hvs Hd. apply lifts_by_numbers with w1 w2; auto. intros us Hnd.
  apply Rle_trans with (2 := Hd). assert (Hf : forall v, 0 <= loses_at epsilon w1 w2 v) by (intros; apply Rmax_l).
  destruct (sum_positive (loses_at epsilon w1 w2) us Hf) as (us' & Hp). destruct (Hp Hnd) as (Hnd' & _ & Hpos & ->).
  apply sum_le_incl; auto. intros v Hv. specialize (Hpos v Hv). unfold loses_at in Hpos.
  destruct (in_dec Z.eq_dec v vs) as [| Hno]; auto. exfalso. specialize (Hout v Hno).
  pose proof (Rmult_le_pos _ _ (Rlt_le _ _ (exp_pos epsilon)) (Hw2 v)). rewrite Rmax_left in Hpos; lra.
Qed.

(** Numbers from lo1 to hi1, each as likely as those from lo2 to hi2: only what lies outside of these is lost. *)
Definition outside_of (lo1 hi1 lo2 hi2 : Z) : Z :=
  (Z.max 0 (Z.min hi1 (lo2 - 1) - lo1 + 1) + Z.max 0 (hi1 - Z.max lo1 (hi2 + 1) + 1))%Z.

Lemma lost_outside epsilon w1 w2 p lo1 hi1 lo2 hi2 delta : 0 <= epsilon -> 0 <= p ->
  (forall v, w1 v <= uniform lo1 hi1 p v) -> (forall v, uniform lo2 hi2 p v <= w2 v) ->
  IZR (outside_of lo1 hi1 lo2 hi2) * p <= delta ->
  forall vs, NoDup vs -> sum (loses_at epsilon w1 w2) vs <= delta.
Proof.
  intros He Hp H1 H2 Hd vs Hvs. apply Rle_trans with (2 := Hd).
  set (gone := range lo1 (Z.min hi1 (lo2 - 1)) ++ range (Z.max lo1 (hi2 + 1)) hi1).
  assert (Hlen : IZR (outside_of lo1 hi1 lo2 hi2) = IZR (Z.of_nat (length gone))).
  { f_equal. unfold gone, outside_of, range, indices. rewrite app_length, !map_length, !seq_length. lia. }
  assert (E : forall v, loses_at epsilon w1 w2 v <= if in_dec Z.eq_dec v gone then p else 0).
  { intros v. specialize (H1 v). specialize (H2 v). unfold loses_at. unfold uniform in *.
    pose proof (exp_le 0 epsilon He) as X. rewrite exp_0 in X.
    destruct in_dec as [Hi | Hi].
    - apply Rmax_lub; auto. destruct (between lo1 hi1 v), (between lo2 hi2 v); nra.
    - destruct (between lo1 hi1 v) eqn:B1.
      + destruct (between lo2 hi2 v) eqn:B2; [apply Rmax_lub; nra |]. exfalso. apply Hi. unfold gone. rewrite in_app_iff, !range_in.
        apply between_true in B1. unfold between in B2. apply andb_false_iff in B2. rewrite !Z.leb_gt in B2. lia.
      + apply Rmax_lub; [lra |]. destruct (between lo2 hi2 v); nra. }
  apply Rle_trans with (sum (fun v => if in_dec Z.eq_dec v gone then p else 0) vs); [apply sum_le; auto |].
  rewrite (sum_filter_le _ (fun v => if in_dec Z.eq_dec v gone then true else false)).
  - rewrite (sum_ext _ (fun _ => p)).
    2: { intros v Hv. apply filter_In in Hv. destruct in_dec; [auto | destruct Hv; discriminate]. }
    rewrite Hlen, sum_const. apply Rmult_le_compat_r; auto. apply IZR_le, Nat2Z.inj_le.
    apply NoDup_incl_length; auto using NoDup_filter. intros v Hv. apply filter_In in Hv.
    destruct in_dec; [auto | destruct Hv; discriminate].
  - intros v _ Hv. destruct in_dec; [discriminate | reflexivity].
Qed.

(** Runs with [extra] rounds of fuel are all runs. *)
Theorem lifted_within epsilon delta extra program input1 input2 :
  (forall fuel, lifts epsilon delta (told_runs [] (extra + fuel) program input1)
                                    (told_runs [] (extra + fuel) program input2)) ->
  draws_integers program = true -> private_within epsilon delta program input1 input2.
Proof.
  intros H Hi. split; auto. intros S p1 p2 [_ Hp1] [Hp2 _]. apply Hp1. intros part (fuel & ds & Hnd & HS & ->).
  assert (M : forall d, In d ds -> exists o, outcome (runs (extra + fuel) program input1) d = Some o /\ S o).
  { intros d Hd. destruct (HS d Hd) as (o & Ho & So). exists o. split; auto. now apply more_rounds. }
  rewrite (sum_ext _ (chance (runs (extra + fuel) program input1))).
  2: { intros d Hd. destruct (HS d Hd) as (o & Ho & _). symmetry. now apply (more_rounds fuel extra _ _ d o). }
  rewrite chance_of_runs.
  destruct (H fuel S ds) as (ds2 & H1 & H2); [apply part_of_runs; auto |].
  eapply Rle_trans; [exact H2 |]. apply Rplus_le_compat_r, Rmult_le_compat_l; [apply Rlt_le, exp_pos |].
  rewrite <- chance_of_runs. apply Hp2. exists (extra + fuel)%nat, ds2. apply part_of_runs in H1 as [N1 N2]. auto.
Qed.

Theorem lifted_private epsilon extra program input1 input2 :
  (forall fuel, lifts epsilon 0 (told_runs [] (extra + fuel) program input1)
                                (told_runs [] (extra + fuel) program input2)) ->
  draws_integers program = true -> private_on epsilon program input1 input2.
Proof. intros H Hi. apply private_exactly. eapply lifted_within; eauto. Qed.

(** * What tactics use *)

Lemma point_elsewhere v u : u <> v -> point v u <= 0.
Proof. intros H. unfold point. rewrite (proj2 (Z.eqb_neq u v) H). lra. Qed.
Lemma of_two_elsewhere m o chances w1 w0 v : w1 v <= 0 -> w0 v <= 0 -> of_two m o chances w1 w0 v <= 0.
Proof.
  intros H1 H0. unfold of_two. pose proof (Rmax_l 0 (chance_of (upd m o (Bool true)) chances)).
  pose proof (Rmax_l 0 (chance_of (upd m o (Bool false)) chances)). nra.
Qed.

Lemma nothing_lost epsilon w1 w2 v : w1 v <= exp epsilon * w2 v -> loses_at epsilon w1 w2 v <= 0.
Proof. intros H. unfold loses_at. rewrite Rmax_left; lra. Qed.
Lemma some_lost epsilon w1 w2 v x : 0 <= x -> w1 v - exp epsilon * w2 v <= x -> loses_at epsilon w1 w2 v <= x.
Proof. intros. now apply Rmax_lub. Qed.

(** The rounds of a loop, by name. *)
Definition rounds fuel body leave : nat -> memory -> telling :=
  fix again (n : nat) (m : memory) : telling :=
    match n with O => TFails | S n => published [] fuel body leave (again n) m end.

(** What a run becomes by a statement that draws nothing. *)
Section Steps.
Variable fuel : nat.
Notation run := (published [] fuel).
Implicit Types (m : memory) (lv : string -> memory -> telling) (k : memory -> telling).

Lemma step_skip lv k m : run Skip lv k m = k m.
Proof. reflexivity. Qed.
Lemma step_seq a b lv k m : run (Seq a b) lv k m = run a lv (run b lv k) m.
Proof. reflexivity. Qed.
Lemma step_assign {s} x (a : expr s) v lv k m : put s (eval m a) = v -> run (Assign x a) lv k m = k (upd m x v).
Proof. now intros <-. Qed.
Lemma step_new x lv k m : run (NewList x) lv k m = k (upd m x (Rows [])).
Proof. reflexivity. Qed.
Lemma step_append x row values rows all lv k m : map (item_value m) row = values -> as_rows (m x) = rows ->
  rows ++ [values] = all -> run (Append x row) lv k m = k (upd m x (Rows all)).
Proof.
  intros <- <- <-. simpl.
  enough (G : forall l c t, tell_row [] (Appended x) c l t = t) by apply G.
  induction l as [| v l IH]; intros c t; [reflexivity | exact (IH (S c) t)].
Qed.
Lemma step_if n (c : expr BOOL) a b (v : bool) lv k m : eval m c = v ->
  run (If n c a b) lv k m = run (if v then a else b) lv k m.
Proof. intros <-. simpl. unfold tell. simpl. now destruct eval. Qed.
Lemma step_block l c lv k m : run (Block l c) lv k m = run c (fun l' => if String.eqb l' l then k else lv l') k m.
Proof. reflexivity. Qed.
Lemma step_leave l lv k m there : lv l m = there -> run (Leave l) lv k m = there.
Proof. auto. Qed.
Lemma step_ensure (c : expr BOOL) (v : bool) lv k m : eval m c = v -> run (Ensure c) lv k m = if v then k m else TFails.
Proof. now intros <-. Qed.
Lemma step_assume (c : expr BOOL) (v : bool) lv k m : eval m c = v -> run (Assume c) lv k m = if v then k m else TFails.
Proof. now intros <-. Qed.
Lemma step_loop n body lv k m : run (Loop n body) lv k m = rounds fuel body lv fuel m.
Proof. reflexivity. Qed.
Lemma step_round body lv n m : rounds fuel body lv (S n) m = run body lv (rounds fuel body lv n) m.
Proof. reflexivity. Qed.
End Steps.

Lemma gathers_is t t' w is : t = t' -> gathers t' w is -> gathers t w is.
Proof. now intros ->. Qed.
Lemma scatters_is t t' w is : t = t' -> scatters t' w is -> scatters t w is.
Proof. now intros ->. Qed.
Lemma gathers_none : gathers TFails (fun _ => 0) (among NoWay).
Proof. apply gathers_nothing. intros; lra. Qed.
Lemma scatters_none t : scatters t (fun _ => 0) (among NoWay).
Proof. apply scatters_nothing. intros; lra. Qed.
