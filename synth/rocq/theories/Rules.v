(** The rules, one lemma each: what of two statements is coupled if what comes behind them is.

    Statements that draw or loop are taken in both runs at once; others in each run by itself, so that branches
    which only compute may go different ways ([Cond-L], [Cond-R]). *)
From Coq Require Import Lia Lra FunctionalExtensionality.
From synth Require Export Coupling.

Section Rules.
Variables (events : list event) (fuel : nat).
Notation run := (published events fuel).
Implicit Types (L : log) (e : R) (t : telling) (m : memory) (lv : string -> memory -> telling) (k : memory -> telling).

(** * Statements of one run *)

Lemma skip_1 L e lv k m t : coupled L e (k m) t -> coupled L e (run Skip lv k m) t.
Proof. auto. Qed.
Lemma skip_2 L e lv k m t : coupled L e t (k m) -> coupled L e t (run Skip lv k m).
Proof. auto. Qed.

Lemma seq_1 L e a b lv k m t : coupled L e (run a lv (run b lv k) m) t -> coupled L e (run (Seq a b) lv k m) t.
Proof. auto. Qed.
Lemma seq_2 L e a b lv k m t : coupled L e t (run a lv (run b lv k) m) -> coupled L e t (run (Seq a b) lv k m).
Proof. auto. Qed.

(** [Assn] *)
Lemma assign_1 {s} (x : string) (a : expr s) v L e lv k m t :
  put s (eval m a) = v -> coupled L e (k (upd m x v)) t -> coupled L e (run (Assign x a) lv k m) t.
Proof. now intros <-. Qed.
Lemma assign_2 {s} (x : string) (a : expr s) v L e lv k m t :
  put s (eval m a) = v -> coupled L e t (k (upd m x v)) -> coupled L e t (run (Assign x a) lv k m).
Proof. now intros <-. Qed.

(** [New] *)
Lemma new_1 x L e lv k m t : coupled L e (k (upd m x (Rows []))) t -> coupled L e (run (NewList x) lv k m) t.
Proof. auto. Qed.
Lemma new_2 x L e lv k m t : coupled L e t (k (upd m x (Rows []))) -> coupled L e t (run (NewList x) lv k m).
Proof. auto. Qed.

(** [Append] *)
Lemma append_1 x row values rows L e lv k m t : map (item_value m) row = values -> as_rows (m x) = rows ->
  coupled L e (tell_row events (Appended x) 0 values (k (upd m x (Rows (rows ++ [values]))))) t ->
  coupled L e (run (Append x row) lv k m) t.
Proof. now intros <- <-. Qed.
Lemma append_2 x row values rows L e lv k m t : map (item_value m) row = values -> as_rows (m x) = rows ->
  coupled L e t (tell_row events (Appended x) 0 values (k (upd m x (Rows (rows ++ [values]))))) ->
  coupled L e t (run (Append x row) lv k m).
Proof. now intros <- <-. Qed.

(** [Cond-L], [Cond-R] *)
Lemma if_1 n (c : expr BOOL) a b (v : bool) L e lv k m t : eval m c = v ->
  coupled L e (tell events (Branch n) (TheBool v) (if v then run a lv k m else run b lv k m)) t ->
  coupled L e (run (If n c a b) lv k m) t.
Proof. now intros <-. Qed.
Lemma if_2 n (c : expr BOOL) a b (v : bool) L e lv k m t : eval m c = v ->
  coupled L e t (tell events (Branch n) (TheBool v) (if v then run a lv k m else run b lv k m)) ->
  coupled L e t (run (If n c a b) lv k m).
Proof. now intros <-. Qed.

(** [Block] and [Exit] *)
Lemma block_1 l c L e lv k m t :
  coupled L e (run c (fun l' => if String.eqb l' l then k else lv l') k m) t -> coupled L e (run (Block l c) lv k m) t.
Proof. auto. Qed.
Lemma block_2 l c L e lv k m t :
  coupled L e t (run c (fun l' => if String.eqb l' l then k else lv l') k m) -> coupled L e t (run (Block l c) lv k m).
Proof. auto. Qed.
Lemma leave_1 l L e lv k m t : coupled L e (lv l m) t -> coupled L e (run (Leave l) lv k m) t.
Proof. auto. Qed.
Lemma leave_2 l L e lv k m t : coupled L e t (lv l m) -> coupled L e t (run (Leave l) lv k m).
Proof. auto. Qed.

(** [Skip] and [Assert]: a run that fails has no output; if run 1 passes, so must run 2. *)
Lemma ensure_1 (c : expr BOOL) (v : bool) L e lv k m t : eval m c = v -> (v = true -> coupled L e (k m) t) ->
  coupled L e (run (Ensure c) lv k m) t.
Proof. intros <- H. simpl. destruct eval; [auto | apply coupled_fails]. Qed.
Lemma ensure_2 (c : expr BOOL) (v : bool) L e lv k m t : eval m c = v -> v = true -> coupled L e t (k m) ->
  coupled L e t (run (Ensure c) lv k m).
Proof. intros E -> H. simpl. now rewrite E. Qed.
Lemma assume_1 (c : expr BOOL) (v : bool) L e lv k m t : eval m c = v -> (v = true -> coupled L e (k m) t) ->
  coupled L e (run (Assume c) lv k m) t.
Proof. intros <- H. simpl. destruct eval; [auto | apply coupled_fails]. Qed.
Lemma assume_2 (c : expr BOOL) (v : bool) L e lv k m t : eval m c = v -> v = true -> coupled L e t (k m) ->
  coupled L e t (run (Assume c) lv k m).
Proof. intros E -> H. simpl. now rewrite E. Qed.

(** [Return] *)
Lemma return_1 vs ls values entries L e lv k m t :
  map (item_value m) vs = values -> map (fun x => as_rows (m x)) ls = entries ->
  coupled L e (tell_row events Returned 0 values (TEnds (Output values entries))) t ->
  coupled L e (run (Return vs ls) lv k m) t.
Proof. now intros <- <-. Qed.
Lemma return_2 vs ls values entries L e lv k m t :
  map (item_value m) vs = values -> map (fun x => as_rows (m x)) ls = entries ->
  coupled L e t (tell_row events Returned 0 values (TEnds (Output values entries))) ->
  coupled L e t (run (Return vs ls) lv k m).
Proof. now intros <- <-. Qed.

(** * What is told *)

Lemma tells_both ev v1 v2 L e t1 t2 :
  (forall rest, L = (ev, v1) :: rest -> v1 = v2) -> (forall rest, L = (ev, v1) :: rest -> coupled rest e t1 t2) ->
  coupled L e (Tells ev v1 t1) (Tells ev v2 t2).
Proof. apply coupled_tells. Qed.

(** What run 1 tells next is known, too. *)
Lemma tells_next ev ev' v v' L e t1 t2 :
  (forall rest, L = (ev, v) :: (ev', v') :: rest -> coupled L e (Tells ev v (Tells ev' v' t1)) t2) ->
  coupled L e (Tells ev v (Tells ev' v' t1)) t2.
Proof.
  intros H. destruct (log_dec L ((ev, v) :: (ev', v') :: tl (tl L))) as [E | Hne]; [eauto |].
  apply coupled_never.
  - intros d o. simpl. destruct (told_outcome t1 d) as [[o' L'] |]; [| discriminate].
    intros E. injection E as _ <-. apply Hne. reflexivity.
  - intros S p Hp. inversion Hp as [| | ? ? ? ? ? Hp' | |]; subst; auto. inversion Hp'; subst; auto. exfalso. auto.
Qed.

(** * Draws *)

(** [LapGen] and [OneLapGen]: run 2's draw is moved by [k]; if its noise is, [amount] is paid. *)
Lemma shift_by law (within amount : Z) (weight : R) (k a1 a2 : Z) (s s2 : R) n1 n2 x
    (center1 center2 : expr INT) (scale1 scale2 : expr REAL)
    L e lv1 lv2 k1 k2 m1 m2 :
  eval m1 center1 = a1 -> eval m2 center2 = a2 -> eval m1 scale1 = s -> eval m2 scale2 = s2 -> s2 = s ->
  (law = exponential -> 0 <= k + a1 - a2)%Z ->
  (Z.abs (k + a1 - a2) <= within)%Z ->
  (0 < s -> IZR within / s <= weight * IZR amount) ->
  (forall z p, 0 < s -> (law = exponential -> a1 <= z)%Z ->
     (p = 0 /\ k + a1 - a2 = 0 \/ p = amount /\ k + a1 - a2 <> 0)%Z ->
     coupled L (e - weight * IZR p) (k1 (upd m1 x (Int z))) (k2 (upd m2 x (Int (z + k))))) ->
  coupled L e (run (Draw n1 law x center1 scale1) lv1 k1 m1) (run (Draw n2 law x center2 scale2) lv2 k2 m2).
Proof.
  intros <- <- <- <- E Hs Hw Hp H. simpl. rewrite E. clear E.
  set (moved := (k + eval m1 center1 - eval m2 center2)%Z) in *.
  apply coupled_draws with (move := fun z => (z + k)%Z)
    (cost := fun _ => weight * IZR (if Z.eq_dec moved 0 then 0 else amount)); simpl mass.
  - intros z z' E. lia.
  - intros z. destruct (Rlt_dec 0 (eval m1 scale1)) as [Hpos | Hneg].
    + apply Rle_trans with
        (exp (IZR (Z.abs moved) / eval m1 scale1) * noise_mass law (eval m2 center2) (eval m1 scale1) (z + k)).
      * destruct law; [apply laplace_shift | apply exponential_shift; auto].
      * apply Rmult_le_compat_r; [apply noise_mass_nonneg |]. apply exp_le.
        destruct Z.eq_dec as [-> | _].
        { change (Z.abs 0) with 0%Z. unfold Rdiv. rewrite Rmult_0_l, Rmult_0_r. lra. }
        eapply Rle_trans; [| apply Hp; auto]. apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; auto |].
        now apply IZR_le.
    + unfold noise_mass. destruct Rlt_dec; lra.
  - intros z Hz. pose proof (mass_scale _ _ _ _ Hz) as Hpos. apply H; auto.
    + intros ->. unfold noise_mass in Hz. destruct (Rlt_dec 0 (eval m1 scale1)); [| lra].
      destruct (Z.leb_spec (eval m1 center1) z); [auto | lra].
    + destruct Z.eq_dec; auto.
Qed.

(** The same where nothing is moved. *)
Lemma no_shift law (k a1 a2 : Z) (s s2 : R) n1 n2 x
    (center1 center2 : expr INT) (scale1 scale2 : expr REAL) L e lv1 lv2 k1 k2 m1 m2 :
  eval m1 center1 = a1 -> eval m2 center2 = a2 -> eval m1 scale1 = s -> eval m2 scale2 = s2 -> s2 = s ->
  (k + a1 - a2 = 0)%Z ->
  (forall z, 0 < s -> (law = exponential -> a1 <= z)%Z -> coupled L e (k1 (upd m1 x (Int z))) (k2 (upd m2 x (Int (z + k))))) ->
  coupled L e (run (Draw n1 law x center1 scale1) lv1 k1 m1) (run (Draw n2 law x center2 scale2) lv2 k2 m2).
Proof.
  intros E1 E2 E3 E4 E5 Hk H.
  apply (shift_by law 0 0 0 k a1 a2 s s2); auto; try lia.
  - intros Hs. unfold Rdiv. lra.
  - intros z p Hs Hz Hp. replace (e - 0 * IZR p) with e by ring. auto.
Qed.

(** [LapNull] and [OneLapNull]: the noise is the same, and costs nothing. *)
Lemma same_noise law (a1 a2 : Z) (s s2 : R) n1 n2 x
    (center1 center2 : expr INT) (scale1 scale2 : expr REAL) L e lv1 lv2 k1 k2 m1 m2 :
  eval m1 center1 = a1 -> eval m2 center2 = a2 -> eval m1 scale1 = s -> eval m2 scale2 = s2 -> s2 = s ->
  (forall z, 0 < s -> (law = exponential -> a1 <= z)%Z ->
     coupled L e (k1 (upd m1 x (Int z))) (k2 (upd m2 x (Int (z + (a2 - a1)))))) ->
  coupled L e (run (Draw n1 law x center1 scale1) lv1 k1 m1) (run (Draw n2 law x center2 scale2) lv2 k2 m2).
Proof.
  intros E1 E2 E3 E4 E5 H. apply (no_shift law (a2 - a1) a1 a2 s s2); auto; lia.
Qed.

(** [Case]: what is known before a draw decides how it is coupled. *)
Lemma case_on (when : bool) L e t1 t2 : (when = true -> coupled L e t1 t2) -> (when = false -> coupled L e t1 t2) ->
  coupled L e t1 t2.
Proof. destruct when; auto. Qed.

(** * Loops *)

(** [Any]: nothing is known of the value, since nothing may depend on it. *)
Inductive kind := OfInt | OfReal | OfBool | OfRows | Any.
Definition of_kind (s : kind) : Type :=
  match s with OfInt => Z | OfReal => R | OfBool => bool | OfRows => list (list value) | Any => value end.
Definition stored (s : kind) : of_kind s -> value :=
  match s with OfInt => Int | OfReal => Real | OfBool => Bool | OfRows => Rows | Any => fun v => v end.

(** [m] is [m0] but for these variables, which have values of these kinds. *)
Definition fits (changed : list (string * kind)) (m m0 : memory) : Prop :=
  (forall y, ~ In y (map fst changed) -> m y = m0 y)
  /\ Forall (fun c => exists v, m (fst c) = stored (snd c) v) changed.

Lemma fits_nil m m0 : fits [] m m0 -> m = m0.
Proof. intros [H _]. extensionality y. now apply H. Qed.

Lemma fits_cons x s changed m m0 :
  fits ((x, s) :: changed) m m0 -> exists v : of_kind s, fits changed m (upd m0 x (stored s v)).
Proof.
  intros [H F]. inversion_clear F as [| ? ? [v Hv] F']. exists v. split; auto.
  intros y Hy. unfold upd. destruct (String.eqb_spec y x) as [-> | Hne]; auto.
  apply H. simpl. intros [E | Hin]; [congruence | auto].
Qed.

Definition only_changes (names : list string) (m m0 : memory) : Prop := forall y, ~ In y names -> m y = m0 y.

Lemma changes_none names m : only_changes names m m.
Proof. intros y _; auto. Qed.

Lemma changes_one names m m0 x v : existsb (String.eqb x) names = true ->
  only_changes names m m0 -> only_changes names (upd m x v) m0.
Proof.
  intros Hx H y Hy. unfold upd. destruct (String.eqb_spec y x) as [-> | _]; auto.
  exfalso. apply Hy. apply existsb_exists in Hx. destruct Hx as (z & Hz & E).
  now apply String.eqb_eq in E as ->.
Qed.

(** [While]: the invariant holds on entry and after each iteration.  It speaks of the log that is still to be
    told, of what may still be paid, and of both memories. *)
Lemma loop_both (changed : list (string * kind)) (Inv : log -> R -> memory -> memory -> Prop)
    n1 n2 body1 body2 lv1 lv2 k1 k2 L0 e0 i1 i2 :
  fits changed i1 i1 -> fits changed i2 i2 -> Inv L0 e0 i1 i2 ->
  (forall again1 again2,
     (forall L e m1 m2, fits changed m1 i1 -> fits changed m2 i2 -> Inv L e m1 m2 ->
        coupled L e (again1 m1) (again2 m2)) ->
     forall L e m1 m2, fits changed m1 i1 -> fits changed m2 i2 -> Inv L e m1 m2 ->
        coupled L e (run body1 lv1 again1 m1) (run body2 lv2 again2 m2)) ->
  coupled L0 e0 (run (Loop n1 body1) lv1 k1 i1) (run (Loop n2 body2) lv2 k2 i2).
Proof.
  intros F1 F2 H0 H. simpl. generalize fuel at 2 4 as n. intros n.
  enough (G : forall n L e m1 m2, fits changed m1 i1 -> fits changed m2 i2 -> Inv L e m1 m2 ->
    coupled L e
      ((fix again (n : nat) (m : memory) : telling :=
          match n with O => TFails | S n => run body1 lv1 (again n) m end) n m1)
      ((fix again (n : nat) (m : memory) : telling :=
          match n with O => TFails | S n => run body2 lv2 (again n) m end) n m2)) by auto.
  clear n. induction n; intros; [apply coupled_fails | apply H; auto].
Qed.

End Rules.

(** * Lists *)

(** [Append]: the entries of a list that is longer by one. *)
Lemma component_last rows row i c : (0 <= i)%Z ->
  component (rows ++ [row]) i c = if (i =? Z.of_nat (length rows))%Z then nth c row (Int 0) else component rows i c.
Proof.
  intros Hi. unfold component. destruct (Z.eqb_spec i (Z.of_nat (length rows))) as [-> | Hne].
  - now rewrite Nat2Z.id, nth_middle.
  - destruct (Z_lt_le_dec i (Z.of_nat (length rows))).
    + rewrite app_nth1 by lia. auto.
    + rewrite (nth_overflow (rows ++ _)), (nth_overflow rows); auto; rewrite ?app_length; simpl; lia.
Qed.

(** * Costs *)

(** What couplings may cost in all is [total]; so far the counters are [counts], a unit of each costs its
    weight, and [e] is what is left. *)
Fixpoint spent (weights : list R) (counts : list Z) : R :=
  match weights, counts with w :: ws, c :: cs => w * IZR c + spent ws cs | _, _ => 0 end.
Definition affordable (total : R) (weights : list R) (counts : list Z) (e : R) : Prop :=
  total - spent weights counts <= e.

Fixpoint count (n : nat) (p : Z) (counts : list Z) : list Z :=
  match n, counts with
  | O, c :: cs => (c + p)%Z :: cs
  | S n, c :: cs => c :: count n p cs
  | _, [] => []
  end.

Lemma affordable_pay n p total weights counts e : length counts = length weights -> (n < length weights)%nat ->
  affordable total weights counts e -> affordable total weights (count n p counts) (e - nth n weights 0 * IZR p).
Proof.
  unfold affordable. intros Hl Hn H.
  enough (spent weights (count n p counts) = spent weights counts + nth n weights 0 * IZR p) by lra. clear H.
  revert counts n Hl Hn. induction weights as [| w ws IH]; intros [| c cs] n Hl Hn; simpl in *; try lia.
  destruct n as [| n]; simpl; [rewrite plus_IZR; ring |]. rewrite (IH cs n); try lia. ring.
Qed.

Lemma affordable_within total weights counts bounds e :
  affordable total weights counts e -> Forall (fun w => 0 <= w) weights ->
  Forall2 Z.le counts bounds -> spent weights bounds <= total -> 0 <= e.
Proof.
  unfold affordable. intros H Hw Hc Ht. enough (spent weights counts <= spent weights bounds) by lra. clear H Ht.
  revert counts bounds Hc. induction Hw as [| w ws Hw _ IH]; intros counts bounds Hc; [simpl; lra |].
  inversion_clear Hc as [| c b cs bs Hcb Hcs]; simpl; [lra |]. specialize (IH _ _ Hcs). apply IZR_le in Hcb. nra.
Qed.

Lemma price_le (within amount : Z) (weight s : R) :
  IZR within <= weight * IZR amount * s -> 0 < s -> IZR within / s <= weight * IZR amount.
Proof.
  intros H Hs. apply Rmult_le_reg_r with s; auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

(** * Inputs *)

Lemma Rltb_true a b : Rltb a b = true -> a < b.
Proof. unfold Rltb. destruct Rlt_dec; auto; discriminate. Qed.
Lemma Rleb_true a b : Rleb a b = true -> a <= b.
Proof. unfold Rleb. destruct Rle_dec; auto; discriminate. Qed.
Lemma Reqb_false a b : negb (Reqb a b) = true -> a <> b.
Proof. unfold Reqb. destruct Req_EM_T; auto; discriminate. Qed.

Lemma within_Z (a b : Z) (bound : R) (B : Z) : bound = IZR B -> Rabs (IZR b - IZR a) <= bound -> (Z.abs (b - a) <= B)%Z.
Proof. intros -> H. rewrite <- minus_IZR, <- abs_IZR in H. now apply le_IZR. Qed.

(** Outside of a list both runs have the same entry. *)
Lemma outside q (i : Z) : ~ inside q i -> entry q i = 0%Z.
Proof.
  unfold entry, inside. intros H. destruct (Z.ltb_spec i 0); auto. apply nth_overflow. lia.
Qed.

Lemma inside_or_same q1 q2 (i : Z) : length q2 = length q1 -> inside q1 i \/ entry q2 i = entry q1 i.
Proof.
  intros Hl. destruct (Z_lt_le_dec i 0) as [H1 | H1], (Z_lt_le_dec i (Z.of_nat (length q1))) as [H2 | H2];
    try (right; rewrite !outside by (unfold inside; lia); reflexivity).
  left. unfold inside. lia.
Qed.

Lemma linf_Z bound q1 q2 B : bound = IZR B -> (0 <= B)%Z -> linf bound q1 q2 ->
  length q2 = length q1 /\ forall i : Z, (Z.abs (entry q2 i - entry q1 i) <= B)%Z.
Proof.
  intros E HB [Hl H]. split; auto. intros i.
  destruct (inside_or_same q1 q2 i (eq_sym Hl)) as [Hi | ->]; [| lia].
  apply (within_Z _ _ bound B E), H, Hi.
Qed.

Lemma linf_table_Z bound f1 f2 B : bound = IZR B -> (0 <= B)%Z -> linf_table bound f1 f2 ->
  forall i : Z, (Z.abs (f2 i - f1 i) <= B)%Z.
Proof. intros E _ H i. apply (within_Z _ _ bound B E), H. Qed.

Lemma linf_table2_Z bound f1 f2 B : bound = IZR B -> (0 <= B)%Z -> linf_table2 bound f1 f2 ->
  forall i j : Z, (Z.abs (f2 i j - f1 i j) <= B)%Z.
Proof. intros E _ H i j. apply (within_Z _ _ bound B E), H. Qed.

Lemma absolute_Z bound x1 x2 B : bound = IZR B -> (0 <= B)%Z -> absolute bound x1 x2 -> (Z.abs (x2 - x1) <= B)%Z.
Proof. intros E _ H. eapply within_Z; eauto. Qed.

(** Which of the two runs has the larger entries. *)
Definition ordered (B : Z) (upward : bool) (q1 q2 : list Z) : Prop :=
  length q2 = length q1 /\ forall i : Z,
    (upward = true -> 0 <= entry q2 i - entry q1 i <= B)%Z
    /\ (upward = false -> 0 <= entry q1 i - entry q2 i <= B)%Z.

Lemma linf_monotone_Z bound q1 q2 B : bound = IZR B -> (0 <= B)%Z -> linf_monotone bound q1 q2 ->
  exists upward, ordered B upward q1 q2.
Proof.
  intros -> HB [Hl [H | H]]; [exists true | exists false]; (split; [auto |]); intros i;
    (split; intros E; [| try discriminate]); try discriminate;
    destruct (inside_or_same q1 q2 i (eq_sym Hl)) as [Hi | ->]; try lia;
    specialize (H i Hi); rewrite <- minus_IZR in H; destruct H; split; apply le_IZR; lra.
Qed.

Definition ordered_table (B : Z) (upward : bool) (f1 f2 : Z -> Z) : Prop := forall i : Z,
  (upward = true -> 0 <= f2 i - f1 i <= B)%Z /\ (upward = false -> 0 <= f1 i - f2 i <= B)%Z.

Lemma linf_monotone_table_Z bound f1 f2 B : bound = IZR B -> (0 <= B)%Z -> linf_monotone_table bound f1 f2 ->
  exists upward, ordered_table B upward f1 f2.
Proof.
  intros -> _ [H | H]; [exists true | exists false]; intros i; specialize (H i); rewrite <- minus_IZR in H; destruct H;
    split; intros E; try discriminate; split; apply le_IZR; lra.
Qed.

(** Where the one entry is that changes, and by how much. *)
Definition changes_at (place change : Z) (q1 q2 : list Z) : Prop :=
  length q2 = length q1
  /\ ((0 <= place < Z.of_nat (length q1))%Z \/ change = 0%Z)
  /\ forall i : Z, (i = place -> entry q2 i = entry q1 i + change)%Z /\ (i <> place -> entry q2 i = entry q1 i).

Lemma change_one_any_Z q1 q2 : change_one_any q1 q2 -> exists place change, changes_at place change q1 q2.
Proof.
  intros [Hl (p & H)]. exists p, (entry q2 p - entry q1 p)%Z. repeat split; auto.
  - destruct (inside_or_same q1 q2 p (eq_sym Hl)) as [? | ->]; [now left | right; lia].
  - intros ->. lia.
Qed.

Lemma change_one_Z bound q1 q2 B : bound = IZR B -> (0 <= B)%Z -> change_one bound q1 q2 ->
  exists place change, (Z.abs change <= B)%Z /\ changes_at place change q1 q2.
Proof.
  intros E HB [Hl (p & H & Hp)]. exists p, (entry q2 p - entry q1 p)%Z. split; [eapply within_Z; eauto |].
  repeat split; auto.
  - destruct (inside_or_same q1 q2 p (eq_sym Hl)) as [? | ->]; [now left | right; lia].
  - intros ->. lia.
Qed.

Lemma linf_same q1 q2 : linf 0 q1 q2 -> q2 = q1.
Proof.
  intros [Hl H]. symmetry. apply (nth_ext _ _ 0%Z 0%Z); auto. intros n Hn.
  assert (E : entry q2 (Z.of_nat n) = entry q1 (Z.of_nat n)).
  { specialize (H (Z.of_nat n)). unfold inside in H. specialize (H ltac:(lia)).
    rewrite <- minus_IZR, <- abs_IZR in H. apply le_IZR in H. lia. }
  unfold entry in E. destruct (Z.ltb_spec (Z.of_nat n) 0); [lia |]. now rewrite Nat2Z.id in E.
Qed.

(** Where the one truth value is that changes. *)
Definition flips_at (place : Z) (q1 q2 : list bool) : Prop :=
  length q2 = length q1 /\ (0 <= place)%Z /\ forall i : Z, i <> place -> truth q2 i = truth q1 i.

Lemma change_one_truth_Z q1 q2 : change_one_truth q1 q2 -> exists place, flips_at place q1 q2.
Proof.
  intros [Hl (p & H)]. exists (Z.max 0 p). repeat split; auto; [lia |]. intros i Hi.
  destruct (Z_lt_le_dec i 0) as [Hn | Hn]; [| apply H; lia].
  unfold truth. now rewrite (proj2 (Z.ltb_lt i 0) Hn).
Qed.

(** The same of a real. *)
Definition changes_real_at (place : Z) (q1 q2 : list R) : Prop :=
  length q2 = length q1 /\ (0 <= place)%Z /\ forall i : Z, i <> place -> real_entry q2 i = real_entry q1 i.

Lemma change_one_real_any_Z q1 q2 : change_one_any_reals q1 q2 -> exists place, changes_real_at place q1 q2.
Proof.
  intros [Hl (p & H)]. exists (Z.max 0 p). repeat split; auto; [lia |]. intros i Hi.
  destruct (Z_lt_le_dec i 0) as [Hn | Hn]; [| apply H; lia].
  unfold real_entry. now rewrite (proj2 (Z.ltb_lt i 0) Hn).
Qed.

Lemma outside_reals q (i : Z) : ~ (0 <= i < Z.of_nat (length q))%Z -> real_entry q i = 0.
Proof. unfold real_entry. intros H. destruct (Z.ltb_spec i 0); auto. apply nth_overflow. lia. Qed.

Definition changes_real_by (place : Z) (change : R) (q1 q2 : list R) : Prop :=
  length q2 = length q1
  /\ ((0 <= place < Z.of_nat (length q1))%Z \/ change = 0)
  /\ forall i : Z, (i = place -> real_entry q2 i = real_entry q1 i + change) /\ (i <> place -> real_entry q2 i = real_entry q1 i).

Lemma change_one_reals_R bound q1 q2 : 0 <= bound -> change_one_reals bound q1 q2 ->
  exists place change, - bound <= change <= bound /\ changes_real_by place change q1 q2.
Proof.
  intros _ [Hl (p & H & Hp)]. exists p, (real_entry q2 p - real_entry q1 p).
  split; [revert Hp; unfold Rabs; destruct Rcase_abs; lra |]. repeat split; auto; [| intros ->; lra].
  destruct (Z_lt_le_dec p 0) as [H1 | H1], (Z_lt_le_dec p (Z.of_nat (length q1))) as [H2 | H2];
    try (right; rewrite !outside_reals by lia; lra). now left.
Qed.

Definition ordered_reals (bound : R) (upward : bool) (q1 q2 : list R) : Prop :=
  length q2 = length q1 /\ forall i : Z,
    (upward = true -> 0 <= real_entry q2 i - real_entry q1 i <= bound)
    /\ (upward = false -> 0 <= real_entry q1 i - real_entry q2 i <= bound).

Lemma linf_monotone_reals_R bound q1 q2 : 0 <= bound -> linf_monotone_reals bound q1 q2 ->
  exists upward, ordered_reals bound upward q1 q2.
Proof.
  intros Hb [Hl [H | H]]; [exists true | exists false]; (split; [auto |]); intros i;
    (split; intros E; [| try discriminate]); try discriminate;
    (destruct (Z_lt_le_dec i 0) as [H1 | H1]; [| destruct (Z_lt_le_dec i (Z.of_nat (length q1))) as [H2 | H2]; [now apply H |]];
     rewrite !outside_reals by lia; lra).
Qed.

(** What the entries before the i-th one differ by, all in all. *)
Definition gaps (both : list (Z * Z)) : Z := fold_right (fun pair s => (Z.abs (snd pair - fst pair) + s)%Z) 0%Z both.
Definition before (q1 q2 : list Z) (i : Z) : Z := gaps (firstn (Z.to_nat i) (combine q1 q2)).

Lemma gaps_step q1 : forall q2 n, length q2 = length q1 ->
  gaps (firstn (S n) (combine q1 q2)) = (gaps (firstn n (combine q1 q2)) + Z.abs (nth n q2 0 - nth n q1 0))%Z.
Proof.
  induction q1 as [| a q1 IH]; intros [| b q2] n H; try discriminate; [destruct n; reflexivity |].
  injection H as H. destruct n as [| n]; [simpl; lia |].
  change (gaps (firstn (S (S n)) (combine (a :: q1) (b :: q2))))
    with (Z.abs (b - a) + gaps (firstn (S n) (combine q1 q2)))%Z.
  rewrite (IH q2 n H). simpl. lia.
Qed.

Lemma gaps_nonneg both : (0 <= gaps both)%Z.
Proof. induction both; simpl; [lia | fold (gaps both); lia]. Qed.

Lemma gaps_firstn n both : (gaps (firstn n both) <= gaps both)%Z.
Proof.
  revert n. induction both as [| p both IH]; intros [| n]; simpl; try lia.
  - fold (gaps both). pose proof (gaps_nonneg both). lia.
  - fold (gaps both) (gaps (firstn n both)). specialize (IH n). lia.
Qed.

Lemma gaps_sum both : sum (fun pair => Rabs (IZR (snd pair) - IZR (fst pair))) both = IZR (gaps both).
Proof.
  induction both as [| p both IH]; [reflexivity |].
  change (Rabs (IZR (snd p) - IZR (fst p)) + sum (fun pair => Rabs (IZR (snd pair) - IZR (fst pair))) both
    = IZR (Z.abs (snd p - fst p) + gaps both)).
  rewrite IH, plus_IZR, abs_IZR, minus_IZR. reflexivity.
Qed.

Lemma l1_Z bound q1 q2 B : bound = IZR B -> (0 <= B)%Z -> l1 bound q1 q2 ->
  length q2 = length q1
  /\ (forall i : Z, before q1 q2 (i + 1) = before q1 q2 i + Z.abs (entry q2 i - entry q1 i))%Z
  /\ (forall i : Z, (before q1 q2 i <= B)%Z)
  /\ before q1 q2 0 = 0%Z.
Proof.
  intros -> _ [Hl H]. rewrite gaps_sum in H. apply le_IZR in H. symmetry in Hl. repeat split; auto.
  - intros i. unfold before, entry. destruct (Z.ltb_spec i 0).
    + replace (Z.to_nat (i + 1)) with 0%nat by lia. replace (Z.to_nat i) with 0%nat by lia. simpl. lia.
    + replace (Z.to_nat (i + 1)) with (S (Z.to_nat i)) by lia. now apply gaps_step.
  - intros i. unfold before. pose proof (gaps_firstn (Z.to_nat i) (combine q1 q2)). lia.
Qed.

(** How many of the truth values before the i-th one differ. *)
Definition before_truths (q1 q2 : list bool) (i : Z) : Z := before (map Z.b2z q1) (map Z.b2z q2) i.

Lemma gaps_truths q1 q2 :
  sum (fun both => if Bool.eqb (fst both) (snd both) then 0 else 1) (combine q1 q2)
  = sum (fun pair => Rabs (IZR (snd pair) - IZR (fst pair))) (combine (map Z.b2z q1) (map Z.b2z q2)).
Proof.
  revert q2. induction q1 as [| a q1 IH]; intros [| b q2]; try reflexivity. simpl. rewrite IH. f_equal.
  rewrite <- minus_IZR, <- abs_IZR. now destruct a, b.
Qed.

Lemma entry_truth q i : entry (map Z.b2z q) i = Z.b2z (truth q i).
Proof. unfold entry, truth. destruct (i <? 0)%Z; [reflexivity |]. exact (map_nth Z.b2z q false (Z.to_nat i)). Qed.

Lemma l1_truths_Z bound q1 q2 B : bound = IZR B -> (0 <= B)%Z -> l1_truths bound q1 q2 ->
  length q2 = length q1
  /\ (forall i : Z, (truth q2 i = truth q1 i /\ before_truths q1 q2 (i + 1) = before_truths q1 q2 i)
       \/ (truth q2 i = negb (truth q1 i) /\ before_truths q1 q2 (i + 1) = (before_truths q1 q2 i + 1)%Z))
  /\ (forall i : Z, (before_truths q1 q2 i <= B)%Z)
  /\ before_truths q1 q2 0 = 0%Z.
Proof.
  intros E HB [Hl H]. rewrite gaps_truths in H.
  destruct (l1_Z bound (map Z.b2z q1) (map Z.b2z q2) B E HB) as (Hn & D & C & Hz).
  { split; [now rewrite !map_length | exact H]. }
  repeat split; auto. intros i. specialize (D i). rewrite !entry_truth in D. unfold before_truths.
  destruct (truth q1 i), (truth q2 i); simpl in D; [left | right | right | left]; split; auto; lia.
Qed.

(** * Draws of truth values *)

(** [Chance]: run 2 draws what run 1 does, or the opposite where [flip] says so; what that costs depends on it. *)
Lemma choose_truth events fuel (flip : bool) (weight : R) (if_true if_false : Z) n1 n2 x o1 o2 chances1 chances2
    L e lv1 lv2 (k1 k2 : memory -> telling) m1 m2 :
  chance_of (upd m1 o1 (Bool true)) chances1
    <= exp (weight * IZR if_true) * chance_of (upd m2 o2 (Bool (xorb true flip))) chances2 ->
  chance_of (upd m1 o1 (Bool false)) chances1
    <= exp (weight * IZR if_false) * chance_of (upd m2 o2 (Bool (xorb false flip))) chances2 ->
  coupled L (e - weight * IZR if_true) (k1 (upd m1 x (Bool true))) (k2 (upd m2 x (Bool (xorb true flip)))) ->
  coupled L (e - weight * IZR if_false) (k1 (upd m1 x (Bool false))) (k2 (upd m2 x (Bool (xorb false flip)))) ->
  coupled L e (published events fuel (Choose n1 BOOL x o1 chances1) lv1 k1 m1)
              (published events fuel (Choose n2 BOOL x o2 chances2) lv2 k2 m2).
Proof.
  intros Ht Hf Kt Kf. simpl.
  set (paid := fun z => if (z =? 1)%Z then if_true else if_false).
  assert (scaled : forall c a b, a <= exp c * b -> Rmax 0 a <= exp c * Rmax 0 b).
  { intros c a b H. pose proof (exp_pos c). pose proof (Rmax_l 0 b). pose proof (Rmax_r 0 b).
    apply Rmax_lub; [apply Rmult_le_pos; lra |].
    apply Rle_trans with (exp c * b); auto. apply Rmult_le_compat_l; lra. }
  apply coupled_draws with (move := fun z => if flip then (1 - z)%Z else z) (cost := fun z => weight * IZR (paid z)).
  - intros z z' E. cbv beta in E. destruct flip; lia.
  - intros z. apply scaled. unfold chosen, drawn.
    destruct (Z.eqb_spec z 0) as [-> | H0]; [destruct flip; exact Hf |].
    destruct (Z.eqb_spec z 1) as [-> | H1]; [destruct flip; exact Ht |].
    pose proof (exp_pos (weight * IZR (paid z))).
    destruct flip; [destruct (Z.eqb_spec (1 - z) 0), (Z.eqb_spec (1 - z) 1) | destruct (Z.eqb_spec z 0), (Z.eqb_spec z 1)];
      try lia; cbn [orb]; lra.
  - intros z Hz. destruct (Z.eqb_spec z 0) as [-> | H0]; [destruct flip; exact Kf |].
    destruct (Z.eqb_spec z 1) as [-> | H1]; [destruct flip; exact Kt |].
    exfalso. simpl in Hz. unfold chosen in Hz.
    rewrite (proj2 (Z.eqb_neq z 0) H0), (proj2 (Z.eqb_neq z 1) H1) in Hz. simpl in Hz.
    unfold Rmax in Hz. destruct Rle_dec; lra.
Qed.

(** * Draws by weights *)

(** [Choice]: run 2 draws the same index.  What is told of the scores is about any form of them, with a rate of
    their own ([Rate]). *)
Lemma weigh_same events fuel (weight : R) (amount : Z) (within rate : R) (score1 score2 : Z -> R) (c1 c2 : Z) n1 n2 x o1 o2
    (count1 count2 : expr INT) s1 s2 r1 r2 d1 d2 L e lv1 lv2 (k1 k2 : memory -> telling) m1 m2 :
  eval m1 count1 = c1 -> eval m2 count2 = c2 -> c2 = c1 ->
  (forall i, (0 <= i < c1)%Z -> demanded m1 o1 d1 i = true -> demanded m2 o2 d2 i = true) ->
  (forall i, (0 <= i < c1)%Z -> demanded m1 o1 d1 i = true ->
     exponent m1 o1 s1 r1 i = score1 i * rate /\ exponent m2 o2 s2 r2 i = score2 i * rate) ->
  (forall i j, (0 <= i < c1)%Z -> (0 <= j < c1)%Z -> demanded m1 o1 d1 i = true -> demanded m1 o1 d1 j = true ->
     (score1 i - score2 i) - (score1 j - score2 j) <= within) ->
  within * rate <= weight * IZR amount -> - (within * rate) <= weight * IZR amount ->
  (forall z, (0 <= z < c1)%Z -> demanded m1 o1 d1 z = true ->
     coupled L (e - weight * IZR amount) (k1 (upd m1 x (Int z))) (k2 (upd m2 x (Int z)))) ->
  coupled L e (published events fuel (Weigh n1 x o1 count1 s1 r1 d1) lv1 k1 m1)
              (published events fuel (Weigh n2 x o2 count2 s2 r2 d2) lv2 k2 m2).
Proof.
  intros <- <- Ec Hd He Hw Hp Hm K. simpl. rewrite Ec.
  destruct (forallb (demanded m1 o1 d1) _) eqn:E1; [| apply coupled_fails].
  rewrite forallb_forall in E1.
  assert (D1 : forall i, (0 <= i < eval m1 count1)%Z -> demanded m1 o1 d1 i = true) by (intros; apply E1, indices_in; auto).
  replace (forallb _ _) with true.
  2: { symmetry. apply forallb_forall. intros i Hi. pose proof (proj1 (indices_in _ _) Hi). auto. }
  apply coupled_draws with (move := fun z => z) (cost := fun _ => weight * IZR amount); auto.
  - intros z. apply weights_shift. intros i j Hi Hj.
    destruct (He i Hi (D1 i Hi)) as [-> ->]. destruct (He j Hj (D1 j Hj)) as [-> ->].
    pose proof (Hw i j Hi Hj (D1 i Hi) (D1 j Hj)). pose proof (Hw j i Hj Hi (D1 j Hj) (D1 i Hi)).
    replace (score1 i * rate - score2 i * rate - (score1 j * rate - score2 j * rate))
      with ((score1 i - score2 i - (score1 j - score2 j)) * rate) by ring.
    destruct (Rle_dec 0 rate); nra.
  - intros z Hz. simpl in Hz. unfold weight_mass in Hz.
    destruct ((0 <=? z) && (z <? eval m1 count1))%Z%bool eqn:E; [| lra]. apply inside_indices in E. auto.
Qed.

Lemma within_R a bound : Rabs a <= bound -> - bound <= a <= bound.
Proof. unfold Rabs. destruct (Rcase_abs a); lra. Qed.

Lemma linf_real_table_R bound f1 f2 : 0 <= bound -> linf_real_table bound f1 f2 ->
  forall i : Z, - bound <= f2 i - f1 i <= bound.
Proof. intros _ H i. apply within_R, H. Qed.

Lemma absolute_real_R bound x1 x2 : 0 <= bound -> absolute_real bound x1 x2 -> - bound <= x2 - x1 <= bound.
Proof. intros _ H. now apply within_R. Qed.

Lemma linf_reals_R bound q1 q2 : 0 <= bound -> linf_reals bound q1 q2 ->
  length q2 = length q1 /\ forall i : Z, - bound <= real_entry q2 i - real_entry q1 i <= bound.
Proof.
  intros Hb [Hl H]. split; auto. intros i. apply within_R.
  destruct (Z_lt_le_dec i 0) as [H1 | H1]; [| destruct (Z_lt_le_dec i (Z.of_nat (length q1))) as [H2 | H2]; auto].
  - unfold real_entry. rewrite (proj2 (Z.ltb_lt i 0) H1). rewrite Rminus_eq_0, Rabs_R0. auto.
  - unfold real_entry. rewrite !nth_overflow by lia. destruct (i <? 0)%Z; rewrite Rminus_eq_0, Rabs_R0; auto.
Qed.

Lemma linf_same_reals q1 q2 : linf_reals 0 q1 q2 -> q2 = q1.
Proof.
  intros [Hl H]. symmetry. apply (nth_ext _ _ 0 0); auto. intros n Hn.
  assert (E : real_entry q2 (Z.of_nat n) = real_entry q1 (Z.of_nat n)).
  { specialize (H (Z.of_nat n) ltac:(lia)). apply within_R in H. lra. }
  unfold real_entry in E. destruct (Z.ltb_spec (Z.of_nat n) 0); [lia |]. now rewrite Nat2Z.id in E.
Qed.

(** * Several draws at once *)

(** What a value may lead to: tellings one by one, or those behind a draw of a number from lo to hi. *)
Inductive ways := NoWay | Way (v : Z) (t : telling) (rest : ways) | Drawn (lo hi : Z) (a : Z -> ways) (rest : ways).
Fixpoint among (a : ways) (v : Z) (t : telling) : Prop :=
  match a with
  | NoWay => False
  | Way u s rest => (v = u /\ t = s) \/ among rest v t
  | Drawn lo hi f rest => (exists z, (lo <= z <= hi)%Z /\ among (f z) v t) \/ among rest v t
  end.
Fixpoint joined (a b : ways) : ways :=
  match a with NoWay => b | Way v t rest => Way v t (joined rest b) | Drawn lo hi f rest => Drawn lo hi f (joined rest b) end.

Lemma among_joined a b v t : among (joined a b) v t <-> among a v t \/ among b v t.
Proof. induction a; simpl; tauto. Qed.

Lemma gathers_more t w (is is' : Z -> telling -> Prop) : gathers t w is -> (forall v t, is v t -> is' v t) -> gathers t w is'.
Proof. intros H. revert is'. induction H; intros is' Hi; [now constructor | econstructor 2; eauto | econstructor 3; eauto]. Qed.
Lemma scatters_more t w (is is' : Z -> telling -> Prop) : scatters t w is -> (forall v t, is v t -> is' v t) -> scatters t w is'.
Proof. intros H. revert is'. induction H; intros is' Hi; [now constructor | econstructor 2; eauto | econstructor 3; eauto]. Qed.

Definition point (v u : Z) : R := if (u =? v)%Z then 1 else 0.

Lemma point_nonneg v u : 0 <= point v u.
Proof. unfold point. destruct (u =? v)%Z; lra. Qed.

Lemma gathers_way v t : gathers t (point v) (among (Way v t NoWay)).
Proof.
  apply gathers_value with v; simpl; auto using point_nonneg. unfold point. rewrite Z.eqb_refl. lra.
Qed.
Lemma scatters_way v t : scatters t (point v) (among (Way v t NoWay)).
Proof.
  apply scatters_value with v; simpl; auto; unfold point; [rewrite Z.eqb_refl; lra |].
  intros u Hu. rewrite (proj2 (Z.eqb_neq u v) Hu). lra.
Qed.

Lemma gathers_checked (b : bool) t w is : (forall v, 0 <= w v) -> (b = true -> gathers t w is) ->
  gathers (if b then t else TFails) w is.
Proof. intros Hw H. destruct b; [auto | now constructor]. Qed.

Lemma gathers_nonneg t w is : gathers t w is -> forall v, 0 <= w v.
Proof. induction 1 as [| | law next w' w is _ _ _ Hs]; auto. intros v. exact (Hs v [] (NoDup_nil _)). Qed.

Lemma sum_point (p : Z -> R) v zs : NoDup zs ->
  sum (fun z => p z * point z v) zs = if in_dec Z.eq_dec v zs then p v else 0.
Proof.
  induction 1 as [| z zs Hz _ IH]; [reflexivity |]. rewrite sum_cons, IH. unfold point.
  destruct (Z.eqb_spec v z) as [-> | Hne].
  - destruct (in_dec Z.eq_dec z zs); [contradiction |]. destruct in_dec as [_ | Hn]; [ring | exfalso; apply Hn; now left].
  - destruct (in_dec Z.eq_dec v zs) as [Hi | Hi]; destruct in_dec as [Hj | Hj]; simpl in Hj; try ring;
      exfalso; intuition congruence.
Qed.

(** A test, where both sides go on. *)
Lemma gathers_if (c : bool) t1 t0 w1 w0 a1 a0 : (c = true -> gathers t1 w1 (among a1)) -> (c = false -> gathers t0 w0 (among a0)) ->
  gathers (if c then t1 else t0) (fun v => if c then w1 v else w0 v) (among (if c then a1 else a0)).
Proof. destruct c; auto. Qed.
Lemma scatters_if (c : bool) t1 t0 w1 w0 a1 a0 : (c = true -> scatters t1 w1 (among a1)) -> (c = false -> scatters t0 w0 (among a0)) ->
  scatters (if c then t1 else t0) (fun v => if c then w1 v else w0 v) (among (if c then a1 else a0)).
Proof. destruct c; auto. Qed.

(** ** Numbers from lo to hi, each as likely as any other *)

Definition between (lo hi z : Z) : bool := ((lo <=? z) && (z <=? hi))%Z%bool.
Definition uniform (lo hi : Z) (p : R) (z : Z) : R := if between lo hi z then p else 0.

Lemma between_true lo hi z : between lo hi z = true <-> (lo <= z <= hi)%Z.
Proof. unfold between. rewrite andb_true_iff, !Z.leb_le. tauto. Qed.

(** What all of them add up to is at most [s]; some of them are at least. *)
Definition adds_up (lo hi : Z) (u : Z -> R) (s : R) : Prop :=
  (forall zs, NoDup zs -> (forall z, In z zs -> (lo <= z <= hi)%Z) -> sum u zs <= s)
  /\ exists zs, NoDup zs /\ (forall z, In z zs -> (lo <= z <= hi)%Z) /\ s <= sum u zs.

Lemma sum_filter_le (u : Z -> R) (f : Z -> bool) zs : (forall z, In z zs -> f z = false -> u z = 0) ->
  sum u zs = sum u (filter f zs).
Proof.
  induction zs as [| z zs IH]; intros H; [reflexivity |]. rewrite sum_cons, IH by (intros; apply H; simpl; auto).
  simpl filter. destruct (f z) eqn:E; [now rewrite sum_cons |]. rewrite (H z) by (simpl; auto). lra.
Qed.

(** Only these matter. *)
Lemma adds_up_some lo hi u zs : NoDup zs -> (forall z, 0 <= u z) -> (forall z, (lo <= z <= hi)%Z -> ~ In z zs -> u z = 0) ->
  adds_up lo hi u (sum (fun z => if between lo hi z then u z else 0) zs).
Proof.
  intros Hn Hu H. set (u' := fun z => if between lo hi z then u z else 0).
  assert (E : sum u' zs = sum u (filter (between lo hi) zs)).
  { rewrite (sum_filter_le u' (between lo hi)).
    - apply sum_ext. intros z Hz. apply filter_In in Hz. unfold u'. destruct Hz as [_ ->]. reflexivity.
    - intros z _ Hz. unfold u'. now rewrite Hz. }
  split.
  - intros ys Hy Hin. rewrite E.
    rewrite (sum_filter_le u (fun z => if in_dec Z.eq_dec z zs then true else false) ys).
    + apply sum_le_incl; auto using NoDup_filter. intros z Hz. apply filter_In in Hz. destruct Hz as [Hz Hd].
      apply filter_In. destruct in_dec in Hd; [| discriminate]. split; auto. now apply between_true, Hin.
    + intros z Hz Hd. destruct in_dec in Hd; [discriminate |]. now apply H; [apply Hin |].
  - exists (filter (between lo hi) zs). split; [now apply NoDup_filter |]. split; [| lra].
    intros z Hz. apply filter_In in Hz. now apply between_true.
Qed.

Definition range (lo hi : Z) : list Z := map (fun k => (lo + k)%Z) (indices (hi - lo + 1)).

Lemma range_in lo hi z : In z (range lo hi) <-> (lo <= z <= hi)%Z.
Proof.
  unfold range. rewrite in_map_iff. split.
  - intros (k & <- & Hk). apply indices_in in Hk. lia.
  - intros H. exists (z - lo)%Z. rewrite indices_in. lia.
Qed.

Lemma range_once lo hi : NoDup (range lo hi).
Proof.
  apply NoDup_map_on; [intros; lia |]. apply NoDup_map_on; [intros; lia |]. apply seq_NoDup.
Qed.

Lemma sum_const {A} (c : R) (zs : list A) : sum (fun _ => c) zs = IZR (Z.of_nat (length zs)) * c.
Proof.
  induction zs as [| z zs IH]; [simpl; lra |]. rewrite sum_cons, IH. simpl length. rewrite Nat2Z.inj_succ, succ_IZR. ring.
Qed.

(** All are alike. *)
Lemma adds_up_alike lo hi (c : R) : 0 <= c -> adds_up lo hi (fun _ => c) (IZR (Z.max 0 (hi - lo + 1)) * c).
Proof.
  intros Hc. assert (E : sum (fun _ : Z => c) (range lo hi) = IZR (Z.max 0 (hi - lo + 1)) * c).
  { rewrite sum_const. unfold range, indices. rewrite !map_length, seq_length. do 2 f_equal. lia. }
  rewrite <- E. split.
  - intros zs Hn Hin. apply sum_le_incl; auto. intros z Hz. now apply range_in, Hin.
  - exists (range lo hi). split; [apply range_once |]. split; [| lra]. intros z. apply range_in.
Qed.

Lemma adds_up_times lo hi u s c : 0 <= c -> adds_up lo hi u s -> adds_up lo hi (fun z => c * u z) (c * s).
Proof.
  intros Hc [H1 (zs & Hn & Hin & H2)]. split.
  - intros ys Hy Hi. rewrite sum_scale. apply Rmult_le_compat_l; auto.
  - exists zs. split; auto. split; auto. rewrite sum_scale. now apply Rmult_le_compat_l.
Qed.

Lemma adds_up_plus lo hi u1 u2 s1 s2 : (forall z, 0 <= u1 z) -> (forall z, 0 <= u2 z) ->
  adds_up lo hi u1 s1 -> adds_up lo hi u2 s2 -> adds_up lo hi (fun z => u1 z + u2 z) (s1 + s2).
Proof.
  intros P1 P2 [U1 (zs1 & N1 & I1 & L1)] [U2 (zs2 & N2 & I2 & L2)]. split.
  - intros zs Hn Hin. rewrite sum_plus. apply Rplus_le_compat; auto.
  - exists (range lo hi). split; [apply range_once |]. split; [intros z; apply range_in |]. rewrite sum_plus.
    apply Rplus_le_compat; [apply Rle_trans with (1 := L1) | apply Rle_trans with (1 := L2)]; apply sum_le_incl; auto;
      intros z Hz; apply range_in; auto.
Qed.

Lemma sum_times {A} (p : R) (u : A -> R) zs : sum (fun z => p * u z) zs = p * sum u zs.
Proof. apply sum_scale. Qed.

Section Sums.
Variables (events : list event) (fuel : nat).
Notation run := (published events fuel).
Implicit Types (lv : string -> memory -> telling) (k : memory -> telling).

Lemma mass_chances chances z : mass (Chances chances) z = Rmax 0 (chances z).
Proof. reflexivity. Qed.

(** A number from lo to hi. *)
Lemma gathers_over lo hi p n x o chances lv k m (w' : Z -> Z -> R) w a :
  (forall z, chosen m INT o chances z = uniform lo hi p z) ->
  (forall z, (lo <= z <= hi)%Z -> gathers (k (upd m x (Int z))) (w' z) (among (a z))) ->
  (forall z v, 0 <= w' z v) -> (forall v, adds_up lo hi (fun z => w' z v) (w v)) ->
  gathers (run (Choose n INT x o chances) lv k m) (fun v => Rmax 0 p * w v) (among (Drawn lo hi a NoWay)).
Proof.
  intros Hm Hg Hw' Hw. simpl published. apply gathers_draws with (w' := w'); auto.
  - intros z Hz. assert (Hin : (lo <= z <= hi)%Z).
    { apply between_true. rewrite mass_chances, Hm in Hz. unfold uniform in Hz. destruct between; auto.
      unfold Rmax in Hz. destruct Rle_dec; lra. }
    apply gathers_more with (1 := Hg z Hin). intros v t Ht. left. exists z. auto.
  - intros v zs Hzs. rewrite (sum_filter_le _ (between lo hi)).
    + rewrite (sum_ext _ (fun z => Rmax 0 p * w' z v)).
      * rewrite sum_times. apply Rmult_le_compat_l; [apply Rmax_l |].
        apply (Hw v); [now apply NoDup_filter |]. intros z Hz. apply filter_In in Hz. now apply between_true.
      * intros z Hz. apply filter_In in Hz. rewrite mass_chances, Hm. unfold uniform. now rewrite (proj2 Hz).
    + intros z _ Hz. rewrite mass_chances, Hm. unfold uniform. rewrite Hz, Rmax_left by lra. ring.
Qed.

Lemma scatters_over lo hi p n x o chances lv k m (w' : Z -> Z -> R) w a :
  (forall z, chosen m INT o chances z = uniform lo hi p z) ->
  (forall z, (lo <= z <= hi)%Z -> scatters (k (upd m x (Int z))) (w' z) (among (a z))) ->
  (forall z v, 0 <= w' z v) -> (forall v, adds_up lo hi (fun z => w' z v) (w v)) ->
  scatters (run (Choose n INT x o chances) lv k m) (fun v => Rmax 0 p * w v) (among (Drawn lo hi a NoWay)).
Proof.
  intros Hm Hg Hw' Hw. simpl published.
  apply scatters_draws with (w' := fun z v => if between lo hi z then w' z v else 0).
  - intros z. destruct (between lo hi z) eqn:Hz.
    + apply between_true in Hz. apply scatters_more with (1 := Hg z Hz). intros v t Ht. left. exists z. auto.
    + apply scatters_nothing. intros; lra.
  - intros z v. destruct between; [auto | lra].
  - intros v. destruct (Hw v) as [_ (zs & Hn & Hin & Hle)]. exists zs. split; auto.
    rewrite (sum_ext _ (fun z => Rmax 0 p * w' z v)).
    + rewrite sum_times. apply Rmult_le_compat_l; [apply Rmax_l | exact Hle].
    + intros z Hz. rewrite mass_chances, Hm. unfold uniform. now rewrite (proj2 (between_true lo hi z) (Hin z Hz)).
Qed.

Definition of_two m o chances (w1 w0 : Z -> R) (v : Z) : R :=
  Rmax 0 (chance_of (upd m o (Bool true)) chances) * w1 v + Rmax 0 (chance_of (upd m o (Bool false)) chances) * w0 v.

Lemma of_two_nonneg m o chances w1 w0 v : 0 <= w1 v -> 0 <= w0 v -> 0 <= of_two m o chances w1 w0 v.
Proof. intros. apply Rplus_le_le_0_compat; apply Rmult_le_pos; auto; apply Rmax_l. Qed.

Definition by_draw (w1 w0 : Z -> R) (z v : Z) : R := if (z =? 1)%Z then w1 v else if (z =? 0)%Z then w0 v else 0.

Lemma sum_two m o chances (w1 w0 : Z -> R) v zs : 0 <= w1 v -> 0 <= w0 v -> NoDup zs ->
  sum (fun z => mass (Chances (chosen m BOOL o chances)) z * by_draw w1 w0 z v) zs <= of_two m o chances w1 w0 v.
Proof.
  intros H1 H0 Hzs. set (f := fun z => mass (Chances (chosen m BOOL o chances)) z * by_draw w1 w0 z v).
  assert (Hf : forall z, 0 <= f z).
  { intros z. apply Rmult_le_pos; [apply mass_nonneg |]. unfold by_draw. destruct (z =? 1)%Z, (z =? 0)%Z; lra. }
  destruct (sum_positive f zs Hf) as (zs' & Hp). destruct (Hp Hzs) as (Hnd & _ & Hpos & ->).
  apply Rle_trans with (sum f [1%Z; 0%Z]).
  - apply sum_le_incl; auto. intros z Hz. specialize (Hpos z Hz). unfold f, by_draw in Hpos. simpl.
    destruct (Z.eqb_spec z 1); [auto |]. destruct (Z.eqb_spec z 0); [auto | lra].
  - unfold f, of_two, by_draw. simpl. unfold chosen. simpl. lra.
Qed.

Lemma gathers_two n x o chances lv k m w1 w0 a1 a0 :
  gathers (k (upd m x (Bool true))) w1 (among a1) -> gathers (k (upd m x (Bool false))) w0 (among a0) ->
  gathers (run (Choose n BOOL x o chances) lv k m) (of_two m o chances w1 w0) (among (joined a1 a0)).
Proof.
  intros H1 H0. pose proof (gathers_nonneg _ _ _ H1) as N1. pose proof (gathers_nonneg _ _ _ H0) as N0.
  simpl published. apply gathers_draws with (w' := by_draw w1 w0).
  - intros z Hz. unfold by_draw. destruct (Z.eqb_spec z 1) as [-> | Hz1].
    + simpl. apply gathers_more with (1 := H1). intros. apply among_joined. auto.
    + destruct (Z.eqb_spec z 0) as [-> | Hz0].
      * simpl. apply gathers_more with (1 := H0). intros. apply among_joined. auto.
      * exfalso. simpl in Hz. unfold chosen in Hz.
        rewrite (proj2 (Z.eqb_neq z 0) Hz0), (proj2 (Z.eqb_neq z 1) Hz1) in Hz. simpl in Hz.
        unfold Rmax in Hz. destruct Rle_dec; lra.
  - intros z v. unfold by_draw. destruct (z =? 1)%Z, (z =? 0)%Z; auto; lra.
  - intros v zs Hzs. apply sum_two; auto.
Qed.

Lemma scatters_two n x o chances lv k m w1 w0 a1 a0 : (forall v, 0 <= w1 v) -> (forall v, 0 <= w0 v) ->
  scatters (k (upd m x (Bool true))) w1 (among a1) -> scatters (k (upd m x (Bool false))) w0 (among a0) ->
  scatters (run (Choose n BOOL x o chances) lv k m) (of_two m o chances w1 w0) (among (joined a1 a0)).
Proof.
  intros N1 N0 H1 H0. simpl published. apply scatters_draws with (w' := by_draw w1 w0).
  - intros z. unfold by_draw. destruct (Z.eqb_spec z 1) as [-> | Hz1].
    + simpl. apply scatters_more with (1 := H1). intros. apply among_joined. auto.
    + destruct (Z.eqb_spec z 0) as [-> | Hz0].
      * simpl. apply scatters_more with (1 := H0). intros. apply among_joined. auto.
      * apply scatters_nothing. intros; lra.
  - intros z v. unfold by_draw. destruct (z =? 1)%Z, (z =? 0)%Z; auto; lra.
  - intros v. exists [1%Z; 0%Z]. split; [repeat constructor; simpl; lia |].
    unfold of_two, by_draw. simpl. unfold chosen. simpl. lra.
Qed.

(** [Fuse] and [Chance]: the value is the same in both runs, however it is drawn. *)
Lemma sums_both (weight : R) (amount : Z) L e t1 t2 w1 w2 a1 a2 :
  gathers t1 w1 (among a1) -> scatters t2 w2 (among a2) ->
  (forall v, w1 v <= exp (weight * IZR amount) * w2 v) ->
  (forall v l1 l2, among a1 v l1 -> among a2 v l2 -> coupled L (e - weight * IZR amount) l1 l2) ->
  coupled L e t1 t2.
Proof. intros. now apply coupled_sums with w1 w2 (among a1) (among a2) (fun _ => weight * IZR amount). Qed.

End Sums.
