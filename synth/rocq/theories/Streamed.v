(** [Stream]: what a loop over a list does with each entry is done where the entry is appended.

    A round of the loop is work that has nothing to do with the statements that append: it may be done before or behind them.
    The work on all entries so far is carried past one statement after the other; an append adds one round to it, and behind
    the last statement it is the loop. *)
From Coq Require Import Lia Lra FunctionalExtensionality.
From synth Require Export Rewritten.
Local Open Scope list_scope.

Lemma order_eq : order eq.
Proof. split; intros; subst; auto; f_equal; extensionality z; auto. Qed.

(** * What may be done before draws or behind them *)

(** [integers] and [reals] say past draws of which kind. *)
Record crosses {A} (integers reals : bool) (F : (A -> telling) -> telling) : Prop := {
  crosses_same : forall t t', (forall a, equally_likely (t a) (t' a)) -> equally_likely (F t) (F t');
  crosses_fails : equally_likely TFails (F (fun _ => TFails));
  crosses_draws : integers = true -> forall law t, equally_likely (TDraws law (fun z => F (t z))) (F (fun a => TDraws law (fun z => t z a)));
  crosses_reals : reals = true -> forall law c s t,
    equally_likely (TDrawsReal law c s (fun r => F (t r))) (F (fun a => TDrawsReal law c s (fun r => t r a))) }.

Lemma fails_cross integers reals : crosses (A := unit) integers reals (fun _ => TFails).
Proof.
  split; intros; try apply equally_same; [apply fails_before_values |].
  exact (fails_before (OfReals law (RealConst c) (RealConst s)) empty).
Qed.
Lemma tell_crosses {A} events e v integers reals (F : (A -> telling) -> telling) :
  crosses integers reals F -> crosses integers reals (fun t => tell events e v (F t)).
Proof.
  intros [Hs Hf Hd Hr]. unfold tell. destruct existsb; [| split; auto]. split.
  - intros t t' H. apply equally_tells. auto.
  - eapply equally_trans; [| apply equally_tells, Hf]. apply equally_back. split; intros S L p H; inversion H; subst; auto using least_nothing.
    apply least_nothing. match goal with H : at_least _ _ TFails _ |- _ => now inversion H end.
  - intros Hi law t. eapply equally_trans; [apply tells_before_values | apply equally_tells; auto].
  - intros Hi law c s t. eapply equally_trans; [| apply equally_tells; auto].
    exact (tells_before (OfReals law (RealConst c) (RealConst s)) e v empty (fun w => F (t (as_real w)))).
Qed.
Lemma row_crosses events e row integers reals : forall n, crosses (A := unit) integers reals (fun t => tell_row events e n row (t tt)).
Proof.
  induction row as [| v row IH]; intros n; simpl; [| apply (tell_crosses events (e n) (told_value v) integers reals _ (IH (S n)))].
  split; intros; auto using equally_same.
Qed.
Lemma draws_cross law integers : crosses integers false (TDraws law).
Proof.
  split; [apply equally_draws | apply equally_back, fails_before_values | | discriminate].
  intros _ law' t. split; intros S L p; [apply (draws_swapped S L law' law t) | apply (draws_swapped S L law law' (fun a z => t z a))].
Qed.
Lemma reals_cross law c s : crosses false false (TDrawsReal law c s).
Proof.
  split; try discriminate; [apply equally_draws_real |].
  apply equally_back. exact (fails_before (OfReals law (RealConst c) (RealConst s)) empty).
Qed.

(** * Statements that always come to their end, or fail *)

(** The kinds of draws. *)
Fixpoint draws_of (integers reals : bool) (c : code) : bool :=
  match c with
  | Draw _ _ _ _ _ | Choose _ _ _ _ _ | Weigh _ _ _ _ _ _ _ => integers
  | DrawReal _ _ _ _ _ => reals
  | a ;; b | If _ _ a b => draws_of integers reals a && draws_of integers reals b
  | Block _ body | Loop _ body => draws_of integers reals body
  | _ => true
  end.

(** No loop, no return, and nothing that is told. *)
Fixpoint is_round (events : list event) (c : code) : bool :=
  match c with
  | Append x row => forallb (fun n => negb (existsb (event_eqb (Appended x n)) events)) (seq 0 (length row))
  | a ;; b => is_round events a && is_round events b
  | If n _ a b => negb (existsb (event_eqb (Branch n)) events) && (is_round events a && is_round events b)
  | Block _ body => is_round events body
  | Loop _ _ | Return _ _ => false
  | _ => true
  end.

(** It leaves its own blocks only. *)
Fixpoint closed (labels : list string) (c : code) : bool :=
  match c with
  | a ;; b | If _ _ a b => closed labels a && closed labels b
  | Block l body => closed (l :: labels) body
  | Loop _ body => closed labels body
  | Leave l => among_names labels l
  | _ => true
  end.

Ltac split_bools := repeat match goal with H : _ && _ = true |- _ => apply andb_prop in H; destruct H end;
  repeat match goal with H : negb _ = true |- _ => apply negb_true_iff in H end.

Lemma tell_row_silent events x row t : forall n, forallb (fun n => negb (existsb (event_eqb (Appended x n)) events)) (seq n (length row)) = true ->
  tell_row events (Appended x) n row t = t.
Proof.
  induction row as [| v row IH]; simpl; intros n H; auto. split_bools. unfold tell. now rewrite H, IH.
Qed.

Lemma closed_runs events fuel c : forall labels lv lv' k m, closed labels c = true ->
  (forall l m, among_names labels l = true -> lv l m = lv' l m) -> published events fuel c lv k m = published events fuel c lv' k m.
Proof.
  induction c; intros labels lv lv' k m Hc Hl; simpl in *; auto; split_bools.
  - rewrite (IHc1 labels lv lv') by auto. f_equal. extensionality m'. eauto.
  - f_equal. destruct eval; eauto.
  - apply (IHc (label :: labels)); auto. intros l m' H. unfold among_names in *. simpl in H. destruct String.eqb; auto.
  - generalize fuel at 2 4 as n. intros n. revert m. induction n as [| n IH]; intros m; auto.
    rewrite (IHc labels lv lv') by auto. f_equal. now extensionality m'.
Qed.

(** What is done behind a round may be done before it. *)
Lemma round_crosses {A} events fuel integers reals (F : (A -> telling) -> telling) c : crosses integers reals F ->
  draws_of integers reals c = true -> is_round events c = true -> forall lv k m,
  equally_likely (published events fuel c (fun l m => F (lv l m)) (fun m => F (k m)) m)
    (F (fun a => published events fuel c (fun l m => lv l m a) (fun m => k m a) m)).
Proof.
  intros HF. induction c; intros Hd Hr lv k m; simpl in *; try discriminate; split_bools; try apply equally_same.
  - apply (crosses_draws _ _ _ HF); auto.
  - apply (crosses_reals _ _ _ HF); auto.
  - apply (crosses_draws _ _ _ HF); auto.
  - destruct forallb; [apply (crosses_draws _ _ _ HF); auto | apply (crosses_fails _ _ _ HF)].
  - rewrite tell_row_silent by (now rewrite map_length).
    replace (fun a => tell_row _ _ _ _ _) with (fun a => k (upd m x (Rows (as_rows (m x) ++ [map (item_value m) row]))) a);
      [apply equally_same | extensionality a; now rewrite tell_row_silent by (now rewrite map_length)].
  - eapply equally_trans; [| apply (IHc1 ltac:(assumption) ltac:(assumption) lv (fun m a => published events fuel c2 (fun l m => lv l m a) (fun m => k m a) m))].
    apply same_code; [intros; apply equally_same | intros m'; now apply IHc2].
  - unfold tell. match goal with H : existsb _ events = false |- _ => rewrite H end. destruct eval; auto.
  - eapply equally_trans; [eapply equally_trans; [| apply (IHc Hd Hr (fun l => if String.eqb l label then k else lv l) k)] |].
    + apply same_code; [| intros; apply equally_same]. intros l m'. destruct String.eqb; apply equally_same.
    + apply (crosses_same _ _ _ HF). intros a. apply same_code; [| intros; apply equally_same]. intros l m'. destruct String.eqb; apply equally_same.
  - destruct eval; [apply equally_same | apply (crosses_fails _ _ _ HF)].
  - destruct eval; [apply equally_same | apply (crosses_fails _ _ _ HF)].
Qed.

Lemma free_unread names c : free_code names c = true -> unread names c = true.
Proof. induction c; simpl; rewrite ?andb_true_iff; tauto. Qed.
Lemma free_assigned names c y : free_code names c = true -> In y (assigned c) -> among_names names y = false.
Proof. induction c; simpl; rewrite ?andb_true_iff, ?negb_true_iff, ?in_app_iff; intuition (subst; auto). Qed.

(** An assignment to a name that it doesn't mention may come before it or behind. *)
Lemma run_upd events fuel x v c lv k m : free_code [x] c = true ->
  published events fuel c lv k (upd m x v) = published events fuel c (fun l m => lv l (upd m x v)) (fun m => k (upd m x v)) m.
Proof.
  intros H.
  apply (keeps_unread events eq fuel fuel order_eq (or_introl eq_refl) (fun m1 m2 => m1 = upd m2 x v) [x] (assigned c)); auto using incl_refl, free_unread.
  - intros m1 m2 ->. apply alike_drawn.
  - intros m1 m2 y w Hy ->. apply upd_swapped. apply not_eq_sym, among_one, free_assigned with c; auto.
  - now intros l m1 m2 ->.
  - now intros m1 m2 ->.
Qed.

(** What comes behind it sees memories that differ in what it assigns. *)
Lemma run_near events le fuel c lv lv' (k k' : memory -> telling) m : order le ->
  (forall l m', alike (assigned c) m' m -> le (lv l m') (lv' l m')) -> (forall m', alike (assigned c) m' m -> le (k m') (k' m')) ->
  le (published events fuel c lv k m) (published events fuel c lv' k' m).
Proof.
  intros Ho Hl Hk. apply (keeps_unread events le fuel fuel Ho (or_introl eq_refl) (same_but [] (assigned c) m) [] (assigned c));
    auto using incl_refl, unread_nothing.
  - intros m1 m2 H. apply H.
  - intros. now apply same_but_upd.
  - intros l m1 m2 [H1 H2]. apply alike_nothing in H1 as <-. auto.
  - intros m1 m2 [H1 H2]. apply alike_nothing in H1 as <-. auto.
  - split; intros y _; reflexivity.
Qed.

(** So assignments before the loop may come first. *)
Theorem begins_before events {s} x (e : expr s) c : free_code [x] c = true -> closed [] c = true -> free (assigned c) e = true ->
  same_chances events (c ;; Assign x e) (Assign x e ;; c).
Proof.
  intros Hf Hc He fuel lv lv' k k' Hl Hk m. simpl.
  eapply equally_trans; [apply (same_code events c fuel lv lv' _ (fun m => k' (upd m x (put s (eval m e))))); auto |].
  rewrite run_upd by auto. rewrite (closed_runs events fuel c [] (fun l m' => lv' l (upd m' x (put s (eval m e)))) lv') by (auto; discriminate).
  rewrite (run_near events eq fuel c lv' lv' _ (fun m' => k' (upd m' x (put s (eval m e)))) m order_eq); auto using equally_same.
  intros m' Hm. now rewrite (eval_alike (assigned c) e m' m).
Qed.

(** * The entry that a round is about *)

Definition get (s : sort) (v : value) : of_sort s := match s with INT => as_int v | REAL => as_real v | BOOL => as_bool v end.
Definition constant (s : sort) (v : value) : expr s :=
  match s with INT => IntConst (as_int v) | REAL => RealConst (as_real v) | BOOL => BoolConst (as_bool v) end.
(** The components of a row, as they are; of another sort than they are there is none. *)
Definition of_item (s : sort) (i : item) : expr s :=
  match i with Item e => match s as s, _ as s' return expr s' -> expr s with
    | INT, INT | REAL, REAL | BOOL, BOOL => fun e => e | s, _ => fun _ => constant s (Int 0) end e end.
Definition of_row (row : list item) (s : sort) (c : nat) : expr s := of_item s (nth c row (Item (IntConst 0))).
Definition of_values (values : list value) (s : sort) (c : nat) : expr s := constant s (nth c values (Int 0)).

Definition reads (m : memory) (values : list value) (entry : forall s, nat -> expr s) : Prop :=
  forall s c, eval m (entry s c) = get s (nth c values (Int 0)).
Lemma reads_values m values : reads m values (of_values values).
Proof. intros [] c; reflexivity. Qed.
Lemma reads_row m row : reads m (map (item_value m) row) (of_row row).
Proof.
  intros s c. unfold of_row. change (Int 0) with (item_value m (Item (IntConst 0))). rewrite map_nth.
  destruct (nth c row (Item (IntConst 0))) as [s' e]. now destruct s, s'.
Qed.

Section Entry.
Variables (x i : string).
Definition is_index (j : expr INT) : bool := match j with IntVar y => String.eqb y i | _ => false end.
Definition is_length (e : expr INT) : bool := match e with Length y => String.eqb y x | _ => false end.
Definition own_entry (s : sort) (c : nat) : expr s :=
  match s with INT => IntElement x (IntVar i) c | REAL => RealElement x (IntVar i) c | BOOL => BoolElement x (IntVar i) c end.

(** [entry] stands for the entry at the index, [inside] for that the index is below the length. *)
Section Given.
Variables (entry : forall s, nat -> expr s) (inside : expr BOOL).
Fixpoint given {s} (e : expr s) : expr s :=
  match e in expr s return expr s with
  | IntElement y j c => if String.eqb y x && is_index j then entry INT c else IntElement y (given j) c
  | RealElement y j c => if String.eqb y x && is_index j then entry REAL c else RealElement y (given j) c
  | BoolElement y j c => if String.eqb y x && is_index j then entry BOOL c else BoolElement y (given j) c
  | Lt a b => if is_index a && is_length b then inside else Lt (given a) (given b)
  | Read y i => Read y (given i) | Read2 y i j => Read2 y (given i) (given j)
  | ReadReal y i => ReadReal y (given i) | ReadTruth y i => ReadTruth y (given i)
  | Add a b => Add (given a) (given b) | Sub a b => Sub (given a) (given b)
  | Mul a b => Mul (given a) (given b) | FloorDiv a b => FloorDiv (given a) (given b)
  | Modulo a b => Modulo (given a) (given b) | Neg a => Neg (given a) | Abs a => Abs (given a)
  | Min a b => Min (given a) (given b) | Max a b => Max (given a) (given b)
  | RAdd a b => RAdd (given a) (given b) | RSub a b => RSub (given a) (given b)
  | RMul a b => RMul (given a) (given b) | RDiv a b => RDiv (given a) (given b)
  | RNeg a => RNeg (given a) | RAbs a => RAbs (given a)
  | RMin a b => RMin (given a) (given b) | RMax a b => RMax (given a) (given b)
  | Exp a => Exp (given a) | Ln a => Ln (given a) | Sqrt a => Sqrt (given a) | ToReal a => ToReal (given a)
  | Eq a b => Eq (given a) (given b) | Le a b => Le (given a) (given b)
  | REq a b => REq (given a) (given b) | RLt a b => RLt (given a) (given b) | RLe a b => RLe (given a) (given b)
  | BEq a b => BEq (given a) (given b) | And a b => And (given a) (given b) | Or a b => Or (given a) (given b)
  | Not a => Not (given a)
  | Cond c a b => Cond (given c) (given a) (given b)
  | e => e
  end.
Definition given_item (i : item) : item := match i with Item e => Item (given e) end.
Definition given_chance (c : expr BOOL * expr REAL) : expr BOOL * expr REAL := (given (fst c), given (snd c)).
Fixpoint given_code (c : code) : code :=
  match c with
  | Assign y e => Assign y (given e)
  | Draw site law y center scale => Draw site law y (given center) (given scale)
  | DrawReal site law y center scale => DrawReal site law y (given center) (given scale)
  | Choose site s y o chances => Choose site s y o (map given_chance chances)
  | Weigh site y o count score rate demands => Weigh site y o (given count) (given score) (given rate) (map given demands)
  | Append y row => Append y (map given_item row)
  | a ;; b => given_code a ;; given_code b
  | If branch c a b => If branch (given c) (given_code a) (given_code b)
  | Block l body => Block l (given_code body)
  | Loop loop body => Loop loop (given_code body)
  | Ensure c => Ensure (given c)
  | Assume c => Assume (given c)
  | Return vs ls => Return (map given_item vs) ls
  | c => c
  end.

Lemma given_draws integers reals c : draws_of integers reals (given_code c) = draws_of integers reals c.
Proof. induction c; simpl; congruence. Qed.
Lemma given_round events c : is_round events (given_code c) = is_round events c.
Proof. induction c; simpl; rewrite ?map_length; congruence. Qed.
Lemma given_closed c : forall labels, closed labels (given_code c) = closed labels c.
Proof. induction c; simpl; intros labels; rewrite ?IHc, ?IHc1, ?IHc2; reflexivity. Qed.
Lemma given_assigned c : assigned (given_code c) = assigned c.
Proof. induction c; simpl; congruence. Qed.
End Given.

Lemma index_is j : is_index j = true -> j = IntVar i.
Proof.
  enough (G : forall s (e : expr s), match s as s return expr s -> Prop with INT => fun j => is_index j = true -> j = IntVar i | _ => fun _ => True end e)
    by exact (G INT j).
  intros s e. destruct e; try destruct s; simpl; try exact I; try discriminate. intros E. now apply String.eqb_eq in E as ->.
Qed.
Lemma length_is e : is_length e = true -> e = Length x.
Proof.
  enough (G : forall s (e : expr s), match s as s return expr s -> Prop with INT => fun e => is_length e = true -> e = Length x | _ => fun _ => True end e)
    by exact (G INT e).
  intros s e'. destruct e'; try destruct s; simpl; try exact I; try discriminate. intros E. now apply String.eqb_eq in E as ->.
Qed.
Lemma given_itself {s} (e : expr s) : given own_entry (Lt (IntVar i) (Length x)) e = e.
Proof.
  induction e; simpl; try congruence.
  1-3: destruct (String.eqb_spec x0 x) as [-> |]; simpl; try congruence; destruct (is_index _) eqn:E; try congruence; now apply index_is in E as ->.
  destruct (is_index e1) eqn:E1; simpl; try congruence. destruct (is_length e2) eqn:E2; try congruence.
  now rewrite (index_is e1), (length_is e2).
Qed.
Lemma given_code_itself c : given_code own_entry (Lt (IntVar i) (Length x)) c = c.
Proof.
  assert (I : forall row, map (given_item own_entry (Lt (IntVar i) (Length x))) row = row)
    by (induction row as [| [s e] row IH]; simpl; rewrite ?given_itself, ?IH; auto).
  assert (C : forall chances, map (given_chance own_entry (Lt (IntVar i) (Length x))) chances = chances)
    by (induction chances as [| [e p] rest IH]; simpl; rewrite ?IH; auto; unfold given_chance; simpl; now rewrite !given_itself).
  assert (D : forall demands : list (expr BOOL), map (given own_entry (Lt (IntVar i) (Length x))) demands = demands)
    by (induction demands as [| e rest IH]; simpl; rewrite ?given_itself, ?IH; auto).
  induction c; simpl; rewrite ?given_itself, ?I, ?C, ?D; congruence.
Qed.

(** It means the same, whatever stands for the entry, if that has the same value. *)
Section Alike.
Variables (entry entry' : forall s, nat -> expr s) (inside inside' : expr BOOL) (events : list event) (le : telling -> telling -> Prop) (fuel : nat).
Hypothesis is_order : order le.
Definition agree (m : memory) : Prop := (forall s c, eval m (entry s c) = eval m (entry' s c)) /\ eval m inside = eval m inside'.

Lemma eval_given m {s} (e : expr s) : agree m -> eval m (given entry inside e) = eval m (given entry' inside' e).
Proof.
  intros [H G]. induction e; simpl; try congruence.
  1-3: destruct (String.eqb x0 x && is_index e); simpl; congruence.
  - destruct (is_index e1 && is_length e2); simpl; congruence.
  - now rewrite IHe1, IHe2, IHe3.
Qed.

Variable good : memory -> Prop.
Hypothesis good_agree : forall m, good m -> agree m.

(** What it assigns, and the names of outcomes. *)
Fixpoint touched (c : code) : list string :=
  match c with
  | Assign x _ | Draw _ _ x _ _ | DrawReal _ _ x _ _ | NewList x | Append x _ => [x]
  | Choose _ _ x o _ | Weigh _ x o _ _ _ _ => [x; o]
  | a ;; b | If _ _ a b => touched a ++ touched b
  | Block _ body | Loop _ body => touched body
  | _ => []
  end.

Lemma keeps_given c : (forall m y v, In y (touched c) -> good m -> good (upd m y v)) ->
  keeps events le fuel fuel (fun m m' => m = m' /\ good m) (given_code entry inside c) (given_code entry' inside' c).
Proof.
  intros Hg. assert (Hfuel : fuel = fuel \/ (fuel <= fuel)%nat /\ forall t, le TFails t) by auto.
  assert (E : forall m s (e : expr s), good m -> eval m (given entry inside e) = eval m (given entry' inside' e)) by (intros; apply eval_given; auto).
  assert (I : forall m row, good m -> map (item_value m) (map (given_item entry inside) row) = map (item_value m) (map (given_item entry' inside') row)).
  { intros m row Hm. rewrite !map_map. apply map_ext. intros [s e]. simpl. now rewrite E. }
  induction c; simpl in Hg |- *.
  - apply sim_skip. auto.
  - apply sim_assign. intros m m' [<- Hm]. rewrite (E m) by auto. auto 10.
  - apply sim_draw; auto. intros m m' [<- Hm]. rewrite !(E m) by auto. auto 10.
  - apply sim_draw_real; auto. intros m m' [<- Hm]. rewrite !(E m) by auto. auto 10.
  - apply sim_choose; auto. intros m m' [<- Hm]. split; [| auto 10]. extensionality z. unfold chosen.
    assert (G : good (upd m outcome (drawn s z))) by auto. revert G. generalize (upd m outcome (drawn s z)). intros m' G.
    replace (chance_of m' (map (given_chance entry inside) chances)) with (chance_of m' (map (given_chance entry' inside') chances)); auto.
    clear - E G. induction chances as [| [e p] rest IH]; simpl; auto. now rewrite !(E m'), IH.
  - apply sim_weigh; auto. intros m m' [<- Hm]. rewrite !(E m) by auto. split; auto. split; [| split; [| auto 10]].
    + extensionality z. unfold demanded. assert (G : good (upd m outcome (Int z))) by auto. revert G. generalize (upd m outcome (Int z)). intros m' G.
      clear - E G. induction demands as [| e rest IH]; simpl; auto. now rewrite (E m'), IH.
    + extensionality z. unfold exponent. now rewrite (E m), (E (upd m outcome (Int z))) by auto.
  - apply sim_new. intros m m' [<- Hm]. auto.
  - apply sim_append; auto. intros m m' [<- Hm]. rewrite (I m) by auto. auto 10.
  - apply keeps_seq; [apply IHc1 | apply IHc2]; intros; apply Hg; auto; apply in_or_app; auto.
  - apply keeps_if; [auto | | apply IHc1 | apply IHc2]; [intros m m' [<- Hm]; auto | |]; intros; apply Hg; auto; apply in_or_app; auto.
  - apply keeps_block; auto.
  - apply keeps_loop; auto.
  - apply sim_leave. auto.
  - apply sim_ensure; auto. intros m m' [<- Hm]. rewrite (E m) by auto. auto 10.
  - apply sim_assume; auto. intros m m' [<- Hm]. rewrite (E m) by auto. auto 10.
  - apply sim_return; auto. intros m m' [<- Hm]. rewrite (I m) by auto. auto 10.
Qed.

Lemma given_runs c lv lv' (k k' : memory -> telling) m : closed [] c = true -> (forall m y v, In y (touched c) -> good m -> good (upd m y v)) ->
  (forall m, good m -> le (k m) (k' m)) -> good m ->
  le (published events fuel (given_code entry inside c) lv k m) (published events fuel (given_code entry' inside' c) lv' k' m).
Proof.
  intros Hc Hg Hk Hm. rewrite (closed_runs events fuel (given_code entry inside c) [] lv lv') by (rewrite ?given_closed; auto; discriminate).
  apply keeps_given; auto.
  - intros l m1 m1' [<- _]. now apply order_same.
  - intros m1 m1' [<- H1]. auto.
Qed.
End Alike.
End Entry.

Lemma assigned_touched c : incl (assigned c) (touched c).
Proof.
  induction c; simpl; auto using incl_refl, incl_app_app; try (intros y [<- | []]; simpl; auto).
Qed.
Lemma closed_more c : forall labels labels', incl labels labels' -> closed labels c = true -> closed labels' c = true.
Proof.
  induction c; simpl; intros labels labels' Hi Hc; auto; split_bools; try (apply andb_true_intro; split); eauto.
  - apply (IHc (label :: labels)); auto. intros l [<- | Hl]; simpl; auto.
  - apply among_in, Hi, among_in, Hc.
Qed.
Lemma round_fuel events fuel fuel' c : is_round events c = true -> forall lv k m, published events fuel c lv k m = published events fuel' c lv k m.
Proof.
  induction c; simpl; intros Hr lv k m; auto; try discriminate; split_bools.
  - rewrite IHc1 by auto. f_equal. extensionality m'. auto.
  - f_equal. destruct eval; auto.
Qed.

(** * The step *)

Section Stream.
Variables (events : list event) (x i label : string) (branch loop : nat) (each : code) (integers reals : bool).
Hypothesis round_ends : is_round events each = true /\ closed [] each = true.
Hypothesis round_draws : draws_of integers reals each = true.
Hypothesis silent : untold events branch.

(** The loop, and a round of it. *)
Definition counted_on : code := Assign i (Add (IntVar i) (IntConst 1)).
Definition over : code := Block label (Loop loop (If branch (Le (Length x) (IntVar i)) (Leave label) Skip ;; each ;; counted_on)).
Definition round (entry : forall s, nat -> expr s) : code := given_code x i entry (BoolConst true) each ;; counted_on.
Definition own : list string := i :: touched each.
Definition unused (y : string) : Prop := among_names own y = false /\ forall values, free_code [y] (round (of_values values)) = true.
Hypothesis index_stays : among_names (touched each) i = false.
Hypothesis list_unused : unused x.

(** What stands between the list and the loop, and has nothing to do with it. *)
Fixpoint beside (c : code) : Prop :=
  match c with
  | Skip | Leave _ => True
  | Assign y e => (y <> x /\ unused y) /\ free own e = true
  | Draw _ _ y center scale => (y <> x /\ unused y) /\ free own center = true /\ free own scale = true
  | DrawReal _ _ y center scale => (y <> x /\ unused y) /\ free own center = true /\ free own scale = true
  | Choose _ _ y _ chances => (y <> x /\ unused y) /\ forallb (free_chance own) chances = true
  | Weigh _ y _ count score rate demands => (y <> x /\ unused y)
      /\ free own count = true /\ free own score = true /\ free own rate = true /\ forallb (free own) demands = true
  | NewList y => y <> x /\ unused y
  | Append y row => if String.eqb y x then forallb (free_item (x :: own)) row = true
                    else unused y /\ forallb (free_item own) row = true
  | a ;; b => beside a /\ beside b
  | If _ c a b => free own c = true /\ beside a /\ beside b
  | Block _ body | Loop _ body => beside body
  | Ensure c | Assume c => free own c = true
  | Return _ _ => False
  end.
Fixpoint streamed (c : code) : code :=
  match c with
  | Append y row => if String.eqb y x then Append y row ;; round (of_row row) else Append y row
  | a ;; b => streamed a ;; streamed b
  | If n c a b => If n c (streamed a) (streamed b)
  | Block l body => Block l (streamed body)
  | Loop n body => Loop n (streamed body)
  | c => c
  end.

Lemma streamed_closed c : forall labels, closed labels c = true -> closed labels (streamed c) = true.
Proof.
  induction c; simpl; intros labels Hc; auto; split_bools; try (apply andb_true_intro; split); auto.
  destruct String.eqb; auto. simpl. rewrite andb_true_r, given_closed. apply closed_more with []; [intros l [] | apply round_ends].
Qed.

(** ** Work on entries *)

Definition work (values : list value) (k : memory -> telling) : memory -> telling :=
  published events 0 (round (of_values values)) (fun _ _ => TFails) k.
Fixpoint works (entries : list (list value)) (k : memory -> telling) : memory -> telling :=
  match entries with [] => k | values :: rest => work values (works rest k) end.

Lemma works_one_more entries values k : works (entries ++ [values]) k = works entries (work values k).
Proof. induction entries as [| v rest IH]; simpl; congruence. Qed.

Lemma works_near le entries k k' : order le -> forall m, (forall m', alike own m' m -> le (k m') (k' m')) -> le (works entries k m) (works entries k' m).
Proof.
  intros Ho. induction entries as [| values rest IH]; intros m H; simpl; [apply H; intros y _; reflexivity |].
  unfold work. apply run_near; auto; [intros; now apply order_same |]. intros m' Hm. apply IH. intros m'' Hm'. apply H.
  apply alike_trans with m'; auto. apply alike_fewer with (2 := Hm). intros y Hy. apply in_app_or in Hy as [Hy | [<- | []]]; [right | now left].
  rewrite given_assigned in Hy. now apply assigned_touched.
Qed.
Lemma works_same entries k k' m : (forall m', alike own m' m -> k m' = k' m') -> works entries k m = works entries k' m.
Proof. apply (works_near eq), order_eq. Qed.
Lemma works_upd entries y v k : unused y -> forall m, works entries k (upd m y v) = works entries (fun m => k (upd m y v)) m.
Proof.
  intros [_ H]. induction entries as [| values rest IH]; intros m; [reflexivity |]. simpl. unfold work. rewrite run_upd by auto.
  f_equal. extensionality m'. apply IH.
Qed.
Lemma works_cross {A} entries (F : (A -> telling) -> telling) k : crosses integers reals F -> forall m,
  equally_likely (works entries (fun m => F (k m)) m) (F (fun a => works entries (fun m => k m a) m)).
Proof.
  intros HF. induction entries as [| values rest IH]; intros m; [apply equally_same |]. simpl. unfold work at 1.
  eapply equally_trans; [apply (same_code events _ 0%nat _ (fun _ _ => F (fun _ => TFails)) _ (fun m => F (fun a => works rest (fun m => k m a) m))) |].
  - intros. apply (crosses_fails _ _ _ HF).
  - apply IH.
  - apply (round_crosses events 0%nat integers reals F (round (of_values values)) HF) with (lv := fun _ _ _ => TFails) (k := fun m a => works rest (fun m => k m a) m).
    + simpl. rewrite given_draws, round_draws. reflexivity.
    + simpl. rewrite given_round. now rewrite (proj1 round_ends).
Qed.

(** ** Past one statement after the other *)

Definition rows (m : memory) : list (list value) := as_rows (m x).
(** The loop would begin at the first of at most [n] entries. *)
Definition good (n : nat) (m : memory) : Prop := as_int (m i) = 0%Z /\ exists all, m x = Rows all /\ (length all <= n)%nat.
Lemma good_more n n' m : (n <= n')%nat -> good n m -> good n' m.
Proof. intros Hn (H & all & E & Hl). split; auto. exists all. split; auto. lia. Qed.
Lemma unused_index y : unused y -> y <> i.
Proof. intros [H _] ->. unfold own, among_names in H. simpl in H. now rewrite String.eqb_refl in H. Qed.
Lemma good_upd n m y v : y <> x -> unused y -> good n m -> good n (upd m y v).
Proof.
  intros Hx Hy. pose proof (unused_index y Hy). unfold good, upd. now rewrite (proj2 (String.eqb_neq i y)), (proj2 (String.eqb_neq x y)) by auto.
Qed.
Lemma rows_upd m y v : y <> x -> rows (upd m y v) = rows m.
Proof. intros H. unfold rows, upd. now rewrite (proj2 (String.eqb_neq x y)) by auto. Qed.

Fixpoint appends (fuel : nat) (c : code) : nat :=
  match c with
  | Append _ _ => 1
  | a ;; b | If _ _ a b => appends fuel a + appends fuel b
  | Block _ body => appends fuel body
  | Loop _ body => fuel * appends fuel body
  | _ => 0
  end.

(** Both may draw integers and truth values; or the one draws what it likes, and the other nothing. *)
Variables (integers' reals' : bool).
Hypothesis may_pass : (integers' = true -> reals = false) /\ (reals' = true -> integers = false /\ reals = false).

Section Carried.
Variables (le : telling -> telling -> Prop) (fuel : nat).
Hypothesis is_order : order le.
Hypothesis equal_ones : forall t1 t2 t3, le t1 t2 -> equally_likely t3 t2 -> le t1 t3.

Lemma carried c : beside c -> draws_of integers' reals' c = true -> forall n lv lv' k k',
  (forall m, good (n + appends fuel c) m -> le (k m) (works (rows m) k' m)) ->
  (forall l m, good (n + appends fuel c) m -> le (lv l m) (works (rows m) (lv' l) m)) ->
  forall m, good n m -> le (published events fuel c lv k m) (works (rows m) (published events fuel (streamed c) lv' k') m).
Proof.
  assert (Ev : forall s (e : expr s) m m', free own e = true -> alike own m' m -> eval m' e = eval m e) by (intros; eapply eval_alike; eauto).
  assert (Assigned : forall n k k' y v, y <> x -> unused y -> (forall m, good n m -> le (k m) (works (rows m) k' m)) ->
    forall m, good n m -> le (k (upd m y v)) (works (rows m) (fun m => k' (upd m y v)) m)).
  { intros n k k' y v Hx Hy Hk m Hm. rewrite <- works_upd by auto. rewrite <- (rows_upd m y v) by auto. apply Hk. now apply good_upd. }
  assert (Fails : forall m, le TFails (works (rows m) (fun _ => TFails) m)).
  { intros m. apply equal_ones with TFails; [now apply order_same |].
    apply (works_cross (rows m) (fun _ : unit -> telling => TFails) (fun _ _ => TFails)), fails_cross. }
  induction c; intros Hb Hd n lv lv' k k' Hk Hl m Hm; simpl in Hb, Hd, Hk, Hl |- *; split_bools; rewrite ?Nat.add_0_r in *.
  - auto.
  - destruct Hb as [[Hx Hy] He]. rewrite (works_same _ _ (fun m' => k' (upd m' x0 (put s (eval m e))))) by (intros; now rewrite (Ev _ e m m')).
    eapply Assigned; eauto.
  - destruct Hb as [[Hx Hy] [Hc Hs]].
    rewrite (works_same _ _ (fun m' => TDraws (Noise law (eval m center) (eval m scale)) (fun z => k' (upd m' x0 (Int z))))) by (intros; now rewrite !(Ev _ _ m m')).
    eapply equal_ones; [| apply (works_cross (rows m) (TDraws _) (fun m z => k' (upd m x0 (Int z))))].
    + apply order_draws; auto. intros z. eapply Assigned; eauto.
    + rewrite (proj1 may_pass Hd). apply draws_cross.
  - destruct Hb as [[Hx Hy] [Hc Hs]]. destruct (proj2 may_pass Hd) as [Hi Hr].
    rewrite (works_same _ _ (fun m' => TDrawsReal law (eval m center) (eval m scale) (fun r => k' (upd m' x0 (Real r))))) by (intros; now rewrite !(Ev _ _ m m')).
    eapply equal_ones; [| apply (works_cross (rows m) (TDrawsReal law _ _) (fun m r => k' (upd m x0 (Real r))))].
    + apply order_reals; auto. intros r. eapply Assigned; eauto.
    + rewrite Hi, Hr. apply reals_cross.
  - destruct Hb as [[Hx Hy] Hc].
    rewrite (works_same _ _ (fun m' => TDraws (Chances (chosen m s outcome chances)) (fun z => k' (upd m' x0 (drawn s z)))))
      by (intros; now rewrite (chosen_alike own m' m)).
    eapply equal_ones; [| apply (works_cross (rows m) (TDraws _) (fun m z => k' (upd m x0 (drawn s z))))].
    + apply order_draws; auto. intros z. eapply Assigned; eauto.
    + rewrite (proj1 may_pass Hd). apply draws_cross.
  - destruct Hb as [[Hx Hy] (Hc & Hs & Hr & Hq)].
    rewrite (works_same _ _ (fun m' => if forallb (demanded m outcome demands) (indices (eval m count))
      then TDraws (Weights (eval m count) (exponent m outcome score rate)) (fun z => k' (upd m' x0 (Int z))) else TFails)).
    2: { intros m' H'. rewrite (Ev _ count m m') by auto.
      replace (demanded m' outcome demands) with (demanded m outcome demands)
        by (extensionality z; apply demands_alike with own; auto; now apply alike_upd, alike_back).
      replace (exponent m' outcome score rate) with (exponent m outcome score rate); [reflexivity |].
      extensionality z. unfold exponent. rewrite (Ev _ rate m m') by auto. f_equal. symmetry. apply Ev; auto. now apply alike_upd. }
    destruct (forallb (demanded m outcome demands) (indices (eval m count))); [| auto].
    eapply equal_ones; [| apply (works_cross (rows m) (TDraws _) (fun m z => k' (upd m x0 (Int z))))].
    + apply order_draws; auto. intros z. eapply Assigned; eauto.
    + rewrite (proj1 may_pass Hd). apply draws_cross.
  - destruct Hb as [Hx Hy]. eapply Assigned; eauto.
  - destruct (String.eqb_spec x0 x) as [-> | Hx].
    + set (values := map (item_value m) row). set (all := Rows (rows m ++ [values])).
      assert (Hown : among_names own x = false) by apply list_unused.
      assert (Row : forall m', alike (x :: own) m' m -> map (item_value m') row = values) by (intros; apply items_alike with (x :: own); auto).
      assert (Wide : forall m', alike own m' m -> alike (x :: own) m' m) by (intros m' H'; apply alike_fewer with (2 := H'); intros y Hy; now right).
      rewrite (works_same _ _ (fun m' => tell_row events (Appended x) 0 values (work values k' (upd m' x all)))).
      2: { intros m' H'. simpl. rewrite (Row m') by auto. f_equal. rewrite (H' x) by auto. unfold work. fold (rows m). fold all.
        rewrite (round_fuel events fuel 0%nat) by (rewrite given_round; apply round_ends). simpl.
        apply (given_runs x i _ _ _ _ events eq 0%nat order_eq (alike (x :: own) m)); try apply round_ends; auto.
        - intros m1 H1. split; [| reflexivity]. intros s c. rewrite (reads_row m1 row s c), (reads_values m1 values s c), (Row m1) by (now apply alike_back). reflexivity.
        - intros m1 y v Hy H1. apply alike_back, alike_changed; [right; now right | now apply alike_back].
        - apply alike_back, alike_changed; [now left | auto]. }
      eapply equal_ones; [| apply (works_cross (rows m) (fun t : unit -> telling => tell_row events (Appended x) 0 values (t tt))
        (fun m' _ => work values k' (upd m' x all))), row_crosses].
      apply order_row; auto. rewrite <- works_upd by exact list_unused. rewrite <- works_one_more.
      replace (rows m ++ [values]) with (rows (upd m x all)) by (unfold rows at 1, upd; now rewrite String.eqb_refl).
      apply Hk. destruct Hm as [Hi (was & E & Hlen)]. pose proof (unused_index x list_unused) as Hxi. split.
      * unfold upd. now rewrite (proj2 (String.eqb_neq i x)) by auto.
      * exists (rows m ++ [values]). unfold upd. rewrite String.eqb_refl. split; auto. unfold rows. rewrite E, app_length. simpl. lia.
    + destruct Hb as [Hy Hr]. set (values := map (item_value m) row).
      assert (Hn : good (n + 1) m) by (apply good_more with n; auto; lia).
      rewrite (works_same _ _ (fun m' => tell_row events (Appended x0) 0 values (k' (upd m' x0 (Rows (as_rows (m x0) ++ [values])))))).
      2: { intros m' H'. simpl. rewrite (items_alike own m' m row) by auto. now rewrite (H' x0) by apply Hy. }
      eapply equal_ones; [| apply (works_cross (rows m) (fun t : unit -> telling => tell_row events (Appended x0) 0 values (t tt))
        (fun m' _ => k' (upd m' x0 (Rows (as_rows (m x0) ++ [values])))))]; [| apply row_crosses].
      apply order_row; auto. eapply Assigned; eauto.
  - destruct Hb as [Ha Hb]. apply (IHc1 Ha H n); [| intros l m' H'; apply Hl; apply good_more with (2 := H'); lia | exact Hm].
    intros m' H'. apply (IHc2 Hb H0 (n + appends fuel c1)%nat); auto.
    + intros m'' H''. apply Hk. apply good_more with (2 := H''). lia.
    + intros l m'' H''. apply Hl. apply good_more with (2 := H''). lia.
  - destruct Hb as (Hc & Ha & Hb).
    rewrite (works_same _ _ (fun m' => tell events (Branch branch0) (TheBool (eval m c1))
      (if eval m c1 then published events fuel (streamed c2) lv' k' m' else published events fuel (streamed c3) lv' k' m')))
      by (intros; now rewrite (Ev _ c1 m m')).
    eapply equal_ones; [| apply (works_cross (rows m) (fun t : unit -> telling => tell events (Branch branch0) (TheBool (eval m c1)) (t tt))
      (fun m' _ => if eval m c1 then published events fuel (streamed c2) lv' k' m' else published events fuel (streamed c3) lv' k' m'))].
    2: { apply (tell_crosses events _ _ integers reals (fun t : unit -> telling => t tt)). apply (row_crosses events (fun _ => Branch 0) [] integers reals 0%nat). }
    apply order_tell; auto. destruct (eval m c1).
    + apply (IHc1 Ha H n); auto; intros; [apply Hk | apply Hl]; eapply good_more; try eassumption; lia.
    + apply (IHc2 Hb H0 n); auto; intros; [apply Hk | apply Hl]; eapply good_more; try eassumption; lia.
  - apply (IHc Hb Hd n); auto. intros l m' H'. destruct String.eqb; auto.
  - enough (G : forall j n, (forall l m, good (n + j * appends fuel c) m -> le (lv l m) (works (rows m) (lv' l) m)) ->
      forall m, good n m -> le (turns events fuel c lv j m) (works (rows m) (turns events fuel (streamed c) lv' j) m)) by (now apply (G fuel n)).
    clear n Hk Hl m Hm. induction j as [| j IH]; intros n Hl m Hm; [apply Fails |].
    apply (IHc Hb Hd n); auto.
    + intros m' H'. apply (IH (n + appends fuel c)%nat); auto. intros l m'' H''. apply Hl. apply good_more with (2 := H''). simpl. lia.
    + intros l m' H'. apply Hl. apply good_more with (2 := H'). simpl. lia.
  - auto.
  - rewrite (works_same _ _ (fun m' => if eval m c then k' m' else TFails)) by (intros; now rewrite (Ev _ c m m')). destruct (eval m c); auto.
  - rewrite (works_same _ _ (fun m' => if eval m c then k' m' else TFails)) by (intros; now rewrite (Ev _ c m m')). destruct (eval m c); auto.
  - contradiction.
Qed.
End Carried.

(** ** The loop *)

Lemma loop_works le fuel lv k all : order le -> (forall m, le (lv label m) (k m)) -> forall entries n j m, m x = Rows all -> as_int (m i) = Z.of_nat j ->
  skipn j all = entries -> (length entries < n)%nat \/ (forall t, le TFails t) ->
  le (turns events fuel (If branch (Le (Length x) (IntVar i)) (Leave label) Skip ;; each ;; counted_on) lv n m) (works entries k m).
Proof.
  intros Ho Hk. induction entries as [| values rest IH]; intros n j m Hx Hi Hs Hn;
    (destruct n as [| n]; [destruct Hn as [Hn | F]; [lia | apply F] |]); rewrite turn_of; simpl; unfold tell; rewrite silent, Hx, Hi; simpl.
  - assert (length all <= j)%nat by (apply (f_equal (@length _)) in Hs; rewrite skipn_length in Hs; simpl in Hs; lia).
    destruct (Z.leb_spec (Z.of_nat (length all)) (Z.of_nat j)); [apply Hk | lia].
  - assert (L : (j < length all)%nat) by (apply (f_equal (@length _)) in Hs; rewrite skipn_length in Hs; simpl in Hs; lia).
    destruct (Z.leb_spec (Z.of_nat (length all)) (Z.of_nat j)); [lia |].
    assert (V : nth j all [] = values /\ skipn (S j) all = rest).
    { clear - Hs. revert all Hs. induction j as [| j IH]; intros [| v all] E; simpl in E; try discriminate; [injection E as -> ->; auto | apply (IH all E)]. }
    rewrite <- (given_code_itself x i each) at 1. unfold work. simpl.
    rewrite <- (round_fuel events fuel 0%nat) by (rewrite given_round; apply round_ends).
    apply (given_runs x i _ _ _ _ events le fuel Ho (fun m1 => m1 x = Rows all /\ m1 i = m i)); try apply round_ends; auto.
    + intros m1 [Hx1 Hi1]. split.
      * intros s c. rewrite (reads_values m1 values s c). destruct s; simpl; unfold component; rewrite Hx1, Hi1, Hi, Nat2Z.id; simpl; now rewrite (proj1 V).
      * simpl. rewrite Hx1, Hi1, Hi. simpl. apply Z.ltb_lt. lia.
    + intros m1 y v Hy [Hx1 Hi1]. apply among_in in Hy. assert (y <> i) by congruence. assert (y <> x).
      { intros ->. destruct list_unused as [U _]. unfold own, among_names in U, Hy. simpl in U. rewrite Hy, orb_true_r in U. discriminate. }
      unfold upd. rewrite (proj2 (String.eqb_neq x y)), (proj2 (String.eqb_neq i y)) by auto. auto.
    + intros m1 [Hx1 Hi1]. pose proof (unused_index x list_unused) as Hxi. apply (IH n (S j)).
      * unfold upd. now rewrite (proj2 (String.eqb_neq x i)) by auto.
      * unfold upd. rewrite String.eqb_refl, Hi1, Hi. simpl as_int. lia.
      * apply V.
      * destruct Hn as [Hn | F]; [left; simpl in Hn; lia | auto].
Qed.

(** ** The program *)

Variables (middle begins others : code) (begun : memory -> memory).
Hypothesis parted : same_chances events middle (begins ;; others).
Hypothesis begin_runs : forall fuel lv k m, published events fuel begins lv k m = k (begun m).
Hypothesis begin_index : forall m, as_int (begun m i) = 0%Z /\ begun m x = m x.
Hypothesis others_apart : beside others /\ closed [] others = true /\ draws_of integers' reals' others = true.

Definition listed : code := NewList x ;; middle ;; over.
Definition unlisted : code := NewList x ;; begins ;; streamed others.
Definition first (m : memory) : memory := begun (upd m x (Rows [])).

Lemma good_first m : good 0 (first m) /\ rows (first m) = [].
Proof.
  destruct (begin_index (upd m x (Rows []))) as [Hi Hx]. unfold good, rows, first. rewrite Hi, Hx. unfold upd. rewrite String.eqb_refl.
  split; [split; auto; exists []; auto | reflexivity].
Qed.
Lemma others_first le fuel lv lv' k k' m : order le -> (forall t1 t2 t3, le t1 t2 -> equally_likely t3 t2 -> le t1 t3) ->
  (forall m, good (appends fuel others) m -> le (k m) (works (rows m) k' m)) ->
  le (published events fuel others lv k (first m)) (published events fuel (streamed others) lv' k' (first m)).
Proof.
  intros Ho He Hk. destruct others_apart as (Hb & Hc & Hd). destruct (good_first m) as [Hg Hr].
  rewrite (closed_runs events fuel others [] lv (fun _ _ => TFails)), (closed_runs events fuel (streamed others) [] lv' (fun _ _ => TFails))
    by (auto using streamed_closed; discriminate).
  change (published events fuel (streamed others) (fun _ _ => TFails) k' (first m)) with (works [] (published events fuel (streamed others) (fun _ _ => TFails) k') (first m)).
  rewrite <- Hr. apply (carried le fuel Ho He others Hb Hd 0%nat); auto.
  intros _ m' _. apply He with TFails; [now apply order_same |].
  apply (works_cross (rows m') (fun _ : unit -> telling => TFails) (fun _ _ => TFails)), fails_cross.
Qed.

Theorem streams fuel fuel' : (fuel <= fuel')%nat -> keeps events at_most_as_likely fuel fuel' eq listed unlisted.
Proof.
  intros Hf lv lv' k k' Hl Hk m _ <-.
  assert (M : forall t t' t'', at_most_as_likely t t' -> at_most_as_likely t' t'' -> at_most_as_likely t t'') by (intros t t' t'' H G S L p Hp; auto).
  apply M with (published events fuel (begins ;; others) lv (published events fuel over lv k) (upd m x (Rows []))).
  { apply (parted fuel lv lv); intros; apply equally_same. }
  apply M with (published events fuel (streamed others) lv k (first m)).
  - simpl. rewrite begin_runs. fold (first m). apply others_first; auto using order_at_most; [intros t1 t2 t3 H [_ G]; eauto |].
    intros m' [Hi (all & Hx & _)]. unfold rows. rewrite Hx.
    apply (loop_works at_most_as_likely fuel (fun l => if String.eqb l label then k else lv l) k all order_at_most) with (j := 0%nat); auto using fails_most.
    intros m1. rewrite String.eqb_refl. intros S L p H. exact H.
  - simpl. rewrite begin_runs. fold (first m). apply more_fuel_most; auto.
Qed.

(** The other way round there must be fuel for as many rounds as there may be entries. *)
Theorem streams_back fuel fuel' : (fuel <= fuel')%nat -> (appends fuel others < fuel')%nat -> keeps events at_most_as_likely fuel fuel' eq unlisted listed.
Proof.
  intros Hf Hn lv lv' k k' Hl Hk m _ <-.
  assert (M : forall t t' t'', at_most_as_likely t t' -> at_most_as_likely t' t'' -> at_most_as_likely t t'') by (intros t t' t'' H G S L p Hp; auto).
  apply M with (published events fuel' (begins ;; others) lv' (published events fuel' over lv' k') (upd m x (Rows []))).
  2: { apply (parted fuel' lv' lv'); intros; apply equally_same. }
  simpl. rewrite !begin_runs. fold (first m). apply M with (published events fuel others lv (published events fuel' over lv' k') (first m)).
  2: { apply more_fuel_most; auto. intros m1 S L p H. exact H. }
  apply (others_first (fun t t' => at_most_as_likely t' t)).
  - split; intros; [intros S L p H; exact H | now apply more_tells | now apply more_draws | now apply more_draws_real].
  - intros t1 t2 t3 H [G _]. eauto.
  - intros m' [Hi (all & Hx & Hlen)]. unfold rows. rewrite Hx.
    apply (loop_works (fun t t' => at_most_as_likely t' t) fuel' (fun l => if String.eqb l label then k' else lv' l) k all) with (j := 0%nat); auto.
    + split; intros; [intros S L p H; exact H | now apply more_tells | now apply more_draws | now apply more_draws_real].
    + intros m1. rewrite String.eqb_refl. auto.
    + left. simpl. lia.
Qed.

(** So a program is as private as the one in which such a list is streamed. *)
Theorem streamed_approaches changed program program' input : replaced (fun c c' => c = listed /\ c' = unlisted) [] changed program program' ->
  approaches events program program' input /\ approaches events program' program input.
Proof.
  intros H.
  assert (F : forall f f', (f <= f')%nat -> f = f' \/ (f <= f')%nat /\ forall t, at_most_as_likely TFails t) by (right; auto using fails_most).
  split; apply approaches_by with at_most_as_likely (@eq memory); auto using order_at_most, at_most_nearly; intros fuel.
  - exists fuel. eapply keeps_replaced with (6 := H); auto using order_at_most; try (now intros; subst); try (intros m m' <- y _; reflexivity).
    intros a a' [-> ->]. now apply streams.
  - exists (fuel + S (appends fuel others))%nat.
    eapply keeps_replaced with (6 := replaced_back _ _ _ _ _ H); auto using order_at_most; try (now intros; subst); try (intros m m' <- y _; reflexivity).
    + apply F. lia.
    + intros a a' [-> ->]. apply streams_back; lia.
Qed.
End Stream.
