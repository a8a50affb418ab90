(** [Count], [Linger] and [WriteOut]: other lists, loops and variables, and the same runs.

    Each is a relation of memories that the statements of both programs keep (Simulation.v). *)
From Coq Require Import Lia Lra FunctionalExtensionality.
From synth Require Export Simulation.
Local Open Scope list_scope.

Lemma approaches_equally events program program' input :
  (forall fuel, equally_likely (told_runs events fuel program input) (told_runs events fuel program' input)) ->
  approaches events program program' input /\ approaches events program' program input.
Proof. intros H. split; intros fuel S L p gap Hp Hg; exists fuel; (apply less with p; [now apply (H fuel) | lra]). Qed.

(** * [Count]: a variable has the length of a list *)

Section Count.
Variables (x n : string).

Fixpoint measured {s} (e : expr s) : expr s :=
  match e in expr s return expr s with
  | IntConst z => IntConst z | RealConst r => RealConst r | BoolConst b => BoolConst b
  | IntVar y => IntVar y | RealVar y => RealVar y | BoolVar y => BoolVar y
  | Length y => if String.eqb y x then IntVar n else Length y
  | Read y i => Read y (measured i) | Read2 y i j => Read2 y (measured i) (measured j)
  | ReadReal y i => ReadReal y (measured i) | ReadTruth y i => ReadTruth y (measured i)
  | IntElement y i c => IntElement y (measured i) c
  | BoolElement y i c => BoolElement y (measured i) c
  | RealElement y i c => RealElement y (measured i) c
  | Add a b => Add (measured a) (measured b) | Sub a b => Sub (measured a) (measured b)
  | Mul a b => Mul (measured a) (measured b) | FloorDiv a b => FloorDiv (measured a) (measured b)
  | Modulo a b => Modulo (measured a) (measured b) | Neg a => Neg (measured a) | Abs a => Abs (measured a)
  | Min a b => Min (measured a) (measured b) | Max a b => Max (measured a) (measured b)
  | RAdd a b => RAdd (measured a) (measured b) | RSub a b => RSub (measured a) (measured b)
  | RMul a b => RMul (measured a) (measured b) | RDiv a b => RDiv (measured a) (measured b)
  | RNeg a => RNeg (measured a) | RAbs a => RAbs (measured a)
  | RMin a b => RMin (measured a) (measured b) | RMax a b => RMax (measured a) (measured b)
  | Exp a => Exp (measured a) | Ln a => Ln (measured a) | Sqrt a => Sqrt (measured a) | ToReal a => ToReal (measured a)
  | Eq a b => Eq (measured a) (measured b) | Lt a b => Lt (measured a) (measured b) | Le a b => Le (measured a) (measured b)
  | REq a b => REq (measured a) (measured b) | RLt a b => RLt (measured a) (measured b) | RLe a b => RLe (measured a) (measured b)
  | BEq a b => BEq (measured a) (measured b) | And a b => And (measured a) (measured b) | Or a b => Or (measured a) (measured b)
  | Not a => Not (measured a)
  | Cond c a b => Cond (measured c) (measured a) (measured b)
  end.
Definition measured_item (i : item) : item := match i with Item e => Item (measured e) end.
Definition measured_chance (c : expr BOOL * expr REAL) : expr BOOL * expr REAL := (measured (fst c), measured (snd c)).

Fixpoint counted (c : code) : code :=
  match c with
  | Assign y e => Assign y (measured e)
  | Draw site law y center scale => Draw site law y (measured center) (measured scale)
  | DrawReal site law y center scale => DrawReal site law y (measured center) (measured scale)
  | Choose site s y o chances => Choose site s y o (map measured_chance chances)
  | Weigh site y o count score rate demands => Weigh site y o (measured count) (measured score) (measured rate) (map measured demands)
  | NewList y => if String.eqb y x then NewList y ;; Assign n (IntConst 0) else NewList y
  | Append y row =>
      let append := Append y (map measured_item row) in
      if String.eqb y x then append ;; Assign n (Add (IntVar n) (IntConst 1)) else append
  | a ;; b => counted a ;; counted b
  | If branch c a b => If branch (measured c) (counted a) (counted b)
  | Block l body => Block l (counted body)
  | Loop loop body => Loop loop (counted body)
  | Ensure c => Ensure (measured c)
  | Assume c => Assume (measured c)
  | Return vs ls => Return (map measured_item vs) ls
  | c => c
  end.

(** The list is one: nothing else is assigned to its name. *)
Fixpoint is_list (c : code) : bool :=
  match c with
  | Assign y _ | Draw _ _ y _ _ | DrawReal _ _ y _ _ => negb (String.eqb y x)
  | Choose _ _ y o _ | Weigh _ y o _ _ _ _ => negb (String.eqb y x) && negb (String.eqb o x)
  | a ;; b | If _ _ a b => is_list a && is_list b
  | Block _ body | Loop _ body => is_list body
  | _ => true
  end.

Definition counts : relation := fun m m' =>
  alike [n] m m' /\ as_int (m' n) = length_of (m x) /\ length_of (m x) = Z.of_nat (length (as_rows (m x))).

Lemma counts_upd m m' y v : y <> x -> y <> n -> counts m m' -> counts (upd m y v) (upd m' y v).
Proof.
  intros Hx Hn (H & Hc & Hl). split; [now apply alike_upd |]. unfold upd.
  rewrite (proj2 (String.eqb_neq n y)), (proj2 (String.eqb_neq x y)) by auto. auto.
Qed.

Lemma among_one y : among_names [n] y = false -> y <> n.
Proof. unfold among_names. simpl. intros H ->. now rewrite String.eqb_refl in H. Qed.

Lemma eval_measured {s} (e : expr s) m m' : counts m m' -> free [n] e = true -> eval m' (measured e) = eval m e.
Proof.
  intros (H & Hc & _). induction e; simpl; intros Hf; repeat (apply andb_prop in Hf; destruct Hf as [? Hf]);
    repeat match goal with E : negb _ = true |- _ => apply negb_true_iff, H in E end;
    repeat match goal with IH : _ -> eval m' _ = _ |- _ => rewrite IH by auto; clear IH end; try congruence; auto.
  destruct (String.eqb_spec x0 x) as [-> |]; simpl; congruence.
Qed.

Lemma items_measured m m' row : counts m m' -> forallb (free_item [n]) row = true ->
  map (item_value m') (map measured_item row) = map (item_value m) row.
Proof.
  intros H. induction row as [| [s e] row IH]; simpl; intros Hf; [auto |]. apply andb_prop in Hf. destruct Hf as [He Hf].
  now rewrite (eval_measured e m m' H He), (IH Hf).
Qed.

Lemma chances_measured m m' chances : counts m m' -> forallb (free_chance [n]) chances = true ->
  chance_of m' (map measured_chance chances) = chance_of m chances.
Proof.
  intros H. induction chances as [| [c p] rest IH]; simpl; intros Hf; [auto |]. apply andb_prop in Hf. destruct Hf as [Hc Hf].
  apply andb_prop in Hc. destruct Hc as [Hc Hp]. now rewrite (eval_measured c m m' H Hc), (eval_measured p m m' H Hp), (IH Hf).
Qed.

Theorem keeps_counted events le fuel c : order le -> free_code [n] c = true -> is_list c = true ->
  keeps events le fuel fuel counts c (counted c).
Proof.
  intros Ho. assert (Hfuel : fuel = fuel \/ (fuel <= fuel)%nat /\ forall t, le TFails t) by auto.
  induction c; intros Hf Hl; cbn [free_code is_list counted] in Hf, Hl |- *;
    repeat match goal with H : _ && _ = true |- _ => apply andb_prop in H; destruct H end;
    repeat match goal with H : negb (among_names [n] _) = true |- _ => apply negb_true_iff, among_one in H end;
    repeat match goal with H : negb (String.eqb _ _) = true |- _ => apply negb_true_iff, String.eqb_neq in H end.
  - apply sim_skip. auto.
  - apply sim_assign. intros m m' Hm. rewrite (eval_measured e m m') by auto. now apply counts_upd.
  - apply sim_draw; auto. intros m m' Hm. rewrite !(eval_measured _ m m') by auto. auto using counts_upd.
  - apply sim_draw_real; auto. intros m m' Hm. rewrite !(eval_measured _ m m') by auto. auto using counts_upd.
  - apply sim_choose; auto. intros m m' Hm. split; [| auto using counts_upd]. extensionality z. unfold chosen.
    now rewrite (chances_measured (upd m outcome (drawn s z)) (upd m' outcome (drawn s z))) by auto using counts_upd.
  - apply sim_weigh; auto. intros m m' Hm. rewrite (eval_measured _ m m') by auto. split; [auto |]. split; [| split; [| auto using counts_upd]].
    + extensionality i. unfold demanded. assert (G : counts (upd m outcome (Int i)) (upd m' outcome (Int i))) by auto using counts_upd.
      clear - G H6. induction demands as [| e rest IH]; simpl in *; auto. apply andb_prop in H6 as [He Hr].
      now rewrite (eval_measured e (upd m outcome (Int i)) (upd m' outcome (Int i))), IH.
    + extensionality i. unfold exponent. now rewrite (eval_measured rate m m'), (eval_measured score (upd m outcome (Int i)) (upd m' outcome (Int i))) by auto using counts_upd.
  - destruct (String.eqb_spec x0 x) as [-> | Hne].
    + intros lv lv' k k' Hlv Hk m m' Hm. simpl. apply Hk. destruct Hm as (H & _). split; [| split].
      * apply alike_counted; [unfold among_names; simpl; now rewrite String.eqb_refl | now apply alike_upd].
      * unfold upd. now rewrite !String.eqb_refl.
      * unfold upd. now rewrite !String.eqb_refl.
    + apply sim_new. intros m m' Hm. now apply counts_upd.
  - destruct (String.eqb_spec x0 x) as [-> | Hne].
    + intros lv lv' k k' Hlv Hk m m' Hm. simpl. rewrite (items_measured m m' row) by auto. apply order_row; auto. apply Hk.
      assert (E : m x = m' x) by (apply Hm; apply negb_true_iff; unfold among_names; simpl; rewrite orb_false_r; apply negb_true_iff, String.eqb_neq; auto).
      rewrite <- E. destruct Hm as (H' & Hc & Hlen). set (rows := as_rows (m x)) in *.
      set (all := rows ++ [map (item_value m) row]). assert (L : Z.of_nat (length all) = (Z.of_nat (length rows) + 1)%Z)
        by (unfold all; rewrite app_length; simpl; lia).
      split; [| split].
      * apply alike_counted; [unfold among_names; simpl; now rewrite String.eqb_refl | now apply alike_upd].
      * unfold upd. rewrite !String.eqb_refl, (proj2 (String.eqb_neq n x)) by auto. simpl. rewrite L, Hc, Hlen. reflexivity.
      * unfold upd. now rewrite !String.eqb_refl.
    + apply sim_append; auto. intros m m' Hm. rewrite (items_measured m m' row) by auto. split; auto.
      replace (m' x0) with (m x0); [now apply counts_upd |]. apply Hm. unfold among_names. simpl. rewrite orb_false_r. now apply String.eqb_neq.
  - apply keeps_seq; auto.
  - apply keeps_if; auto. intros m m' Hm. symmetry. now apply eval_measured.
  - apply keeps_block; auto.
  - apply keeps_loop; auto.
  - apply sim_leave. auto.
  - apply sim_ensure; auto. intros m m' Hm. rewrite (eval_measured c m m') by auto. auto.
  - apply sim_assume; auto. intros m m' Hm. rewrite (eval_measured c m m') by auto. auto.
  - apply sim_return; auto. intros m m' Hm. rewrite (items_measured m m' values) by auto. split; auto.
    apply rows_alike with [n]; auto. apply Hm.
Qed.

Theorem counted_alike events fuel program input : free_code [n] program = true -> is_list program = true -> counts input input ->
  equally_likely (told_runs events fuel program input) (told_runs events fuel (counted program) input).
Proof.
  intros Hf Hl H. apply (keeps_counted events equally_likely fuel program order_equally Hf Hl); auto; intros; apply equally_same.
Qed.

(** The rule: an input has neither the list nor the counter, so that both have the length 0. *)
Theorem counted_private events epsilon program input1 input2 : free_code [n] program = true -> is_list program = true ->
  counts input1 input1 -> counts input2 input2 ->
  told_private_on events epsilon (counted program) input1 input2 -> told_private_on events epsilon program input1 input2.
Proof.
  intros Hf Hl H1 H2. apply told_private_beside. intros input [-> | ->]; apply approaches_equally; intros; now apply counted_alike.
Qed.
Theorem counted_private_within epsilon delta program input1 input2 : free_code [n] program = true -> is_list program = true ->
  counts input1 input1 -> counts input2 input2 -> draws_integers program = true -> draws_integers (counted program) = true ->
  private_within epsilon delta (counted program) input1 input2 -> private_within epsilon delta program input1 input2.
Proof.
  intros Hf Hl H1 H2 Hi Hi'. apply private_beside; auto. intros input [-> | ->]; apply approaches_equally; intros; now apply counted_alike.
Qed.
End Count.

(** * [Linger]: a loop that counts on behind the round in which it would be left *)

Definition turns events fuel body leave : nat -> memory -> telling :=
  fix again (n : nat) (m : memory) : telling :=
    match n with O => TFails | S n => published events fuel body leave (again n) m end.

Lemma alike_nothing m m' : alike [] m m' -> m = m'.
Proof. intros H. extensionality x. now apply H. Qed.
Lemma alike_back names m m' : alike names m m' -> alike names m' m.
Proof. intros H x Hx. symmetry. auto. Qed.
Lemma alike_trans names m1 m2 m3 : alike names m1 m2 -> alike names m2 m3 -> alike names m1 m3.
Proof. intros H G x Hx. rewrite (H x) by auto. auto. Qed.

Section Linger.
Variables (events : list event) (a b b' loop : nat) (label i d : string) (start stop : expr INT) (body : code).
Hypothesis silent_branches : untold events a /\ untold events b /\ untold events b'.
Hypothesis flag : i <> d.
Hypothesis stop_stays : free [i; d] stop = true /\ free (assigned body) stop = true.
Hypothesis counter_stays : ~ In i (assigned body).
Hypothesis start_anew : free [i] start = true.

Definition goes_on : code := Assign i (Add (IntVar i) (IntConst 1)).
(** A round that is the last where the flag is true behind it, or before the next one; and what takes its place. *)
Definition late : code := If a (Le stop (IntVar i)) (Leave label) Skip ;; body ;; goes_on ;; If b (BoolVar d) (Leave label) Skip.
Definition early : code := If a (Or (Le stop (IntVar i)) (BoolVar d)) (Leave label) Skip ;; body ;; goes_on.
Definition lingering : code := If a (Le stop (IntVar i)) (Leave label) Skip ;; If b' (Not (BoolVar d)) body Skip ;; goes_on.
Definition looped (round : code) : code := Assign i start ;; Assign d (BoolConst false) ;; Block label (Loop loop round).

(** The loop, if it makes no more than [bound] rounds. *)
Definition limited (bound : nat) (round : code) : code := Assume (Le (Sub stop start) (IntConst (Z.of_nat bound))) ;; looped round.

(** [m0] is the input. *)
Variables (changed : list string) (m0 : memory) (bound : nat).
Hypothesis assigns : In i changed /\ In d changed /\ incl (assigned body) changed.
Definition kept : relation := same_but [i] changed m0.

Definition onward (m : memory) : memory := upd m i (Int (as_int (m i) + 1)).

Lemma turn_of round fuel lv n m : turns events fuel round lv (S n) m = published events fuel round lv (turns events fuel round lv n) m.
Proof. reflexivity. Qed.
Lemma late_turn fuel lv n m : turns events fuel late lv (S n) m
  = if (eval m stop <=? as_int (m i))%Z then lv label m
    else published events fuel body lv (fun m => if as_bool (onward m d) then lv label (onward m) else turns events fuel late lv n (onward m)) m.
Proof.
  destruct silent_branches as (Ua & Ub & _). rewrite turn_of. unfold late at 1. simpl. unfold tell. rewrite Ua, Ub. reflexivity.
Qed.
Lemma early_turn fuel lv n m : turns events fuel early lv (S n) m
  = if (eval m stop <=? as_int (m i))%Z || as_bool (m d) then lv label m
    else published events fuel body lv (fun m => turns events fuel early lv n (onward m)) m.
Proof. destruct silent_branches as (Ua & _). rewrite turn_of. unfold early at 1. simpl. unfold tell. rewrite Ua. reflexivity. Qed.
Lemma lingering_turn fuel lv n m : turns events fuel lingering lv (S n) m
  = if (eval m stop <=? as_int (m i))%Z then lv label m
    else if as_bool (m d) then turns events fuel lingering lv n (onward m)
    else published events fuel body lv (fun m => turns events fuel lingering lv n (onward m)) m.
Proof.
  destruct silent_branches as (Ua & _ & Ub). rewrite turn_of. unfold lingering at 1. simpl. unfold tell. rewrite Ua, Ub.
  destruct (_ <=? _)%Z; auto. now destruct (as_bool (m d)).
Qed.

Lemma onward_alike m : alike [i] (onward m) m.
Proof. apply alike_but. Qed.
Lemma stop_onward m : eval (onward m) stop = eval m stop.
Proof.
  apply (eval_alike [i; d]); [| apply stop_stays]. apply alike_fewer with [i]; [intros y [<- | []]; simpl; auto | apply onward_alike].
Qed.
Lemma flag_onward m : onward m d = m d.
Proof. unfold onward, upd. now rewrite (proj2 (String.eqb_neq d i)) by auto. Qed.
Lemma counter_onward m : as_int (onward m i) = (as_int (m i) + 1)%Z.
Proof. unfold onward, upd. now rewrite String.eqb_refl. Qed.

(** With the flag, rounds only count, up to the end, if there are enough. *)
Lemma idle fuel lv n : forall m, as_bool (m d) = true ->
  turns events fuel lingering lv n m = TFails \/ exists m', alike [i] m' m /\ turns events fuel lingering lv n m = lv label m'.
Proof.
  induction n as [| n IH]; intros m Hd; [now left |]. rewrite lingering_turn, Hd. destruct (_ <=? _)%Z.
  - right. exists m. split; auto. intros y _. reflexivity.
  - destruct (IH (onward m)) as [F | (m' & Hm & E)]; [now rewrite flag_onward | now left |]. right. exists m'. split; auto.
    apply alike_trans with (onward m); auto using onward_alike.
Qed.
Lemma idle_ends fuel lv n : forall m, as_bool (m d) = true -> (Z.to_nat (eval m stop - as_int (m i)) < n)%nat ->
  exists m', alike [i] m' m /\ turns events fuel lingering lv n m = lv label m'.
Proof.
  induction n as [| n IH]; intros m Hd Hn; [lia |]. rewrite lingering_turn, Hd. destruct (Z.leb_spec (eval m stop) (as_int (m i))) as [Hs | Hs].
  - exists m. split; auto. intros y _. reflexivity.
  - destruct (IH (onward m)) as (m' & Hm & E); [now rewrite flag_onward | rewrite stop_onward, counter_onward; lia |]. exists m'. split; auto.
    apply alike_trans with (onward m); auto using onward_alike.
Qed.

Section Directions.
Variables (fuel fuel' : nat) (lv lv' : string -> memory -> telling).
Hypothesis more_fuel' : (fuel <= fuel')%nat.
Hypothesis leaving : forall l m m', kept m m' -> at_most_as_likely (lv l m) (lv' l m').

Lemma kept_linger m m' : alike changed m m0 -> alike [i] m m' -> kept m m'.
Proof. intros H G. split; auto. Qed.
Lemma changed_alike m m' : alike changed m m0 -> alike [i] m' m -> alike changed m' m0.
Proof.
  intros H G. apply alike_trans with m; auto. apply alike_fewer with [i]; auto. intros y [<- | []]. apply (proj1 assigns).
Qed.

(** The body, from one memory in both programs; what it doesn't assign is as it was. *)
Lemma body_both (k k' : memory -> telling) m : alike changed m m0 ->
  (forall m1, alike changed m1 m0 -> eval m1 stop = eval m stop -> m1 i = m i -> at_most_as_likely (k m1) (k' m1)) ->
  at_most_as_likely (published events fuel body lv k m) (published events fuel' body lv' k' m).
Proof.
  intros Hm Hk.
  assert (Hfuel : fuel = fuel' \/ (fuel <= fuel')%nat /\ forall t, at_most_as_likely TFails t) by (right; auto using fails_most).
  assert (C : forall m1, alike (assigned body) m1 m -> alike changed m1 m0).
  { intros m1 H1. apply alike_trans with m; auto. apply alike_fewer with (assigned body); auto. apply assigns. }
  apply (keeps_unread events at_most_as_likely fuel fuel' order_at_most Hfuel (same_but [] (assigned body) m) [] (assigned body) body);
    [intros m1 m2 H; apply H | intros; now apply same_but_upd | apply unread_nothing | apply incl_refl | | |].
  - intros l m1 m2 [H1 H2]. apply alike_nothing in H1 as <-. apply leaving, kept_linger; auto. intros y _. reflexivity.
  - intros m1 m2 [H1 H2]. apply alike_nothing in H1 as <-. apply Hk; auto.
    + apply (eval_alike (assigned body)); auto. apply stop_stays.
    + apply H2. destruct (among_names (assigned body) i) eqn:E; auto. apply among_in in E. contradiction.
  - split; intros y _; reflexivity.
Qed.

Lemma late_on n : forall n' m, (n + S bound <= n')%nat -> alike changed m m0 -> as_bool (m d) = false ->
  (Z.to_nat (eval m stop - as_int (m i)) <= bound)%nat ->
  at_most_as_likely (turns events fuel late lv n m) (turns events fuel' lingering lv' n' m).
Proof.
  induction n as [| n IH]; intros n' m Hn Hm Hd Hb; [apply fails_most |]. destruct n' as [| n']; [lia |]. rewrite late_turn, lingering_turn, Hd.
  destruct (_ <=? _)%Z; [apply leaving, kept_linger; auto; intros y _; reflexivity |].
  apply body_both; auto. intros m1 Hm1 Hs Hi.
  assert (H1 : alike changed (onward m1) m0) by (apply changed_alike with m1; auto using onward_alike).
  assert (B1 : (Z.to_nat (eval (onward m1) stop - as_int (onward m1 i)) <= bound)%nat) by (rewrite stop_onward, counter_onward, Hs, Hi; lia).
  destruct (as_bool (onward m1 d)) eqn:F; [| apply IH; auto; lia].
  destruct (idle_ends fuel' lv' n' (onward m1)) as (m2 & H2 & ->); auto; [lia |].
  apply leaving, kept_linger; auto using alike_back.
Qed.
Lemma late_back n : forall n' m, (n <= n')%nat -> alike changed m m0 -> as_bool (m d) = false ->
  at_most_as_likely (turns events fuel lingering lv n m) (turns events fuel' late lv' n' m).
Proof.
  induction n as [| n IH]; intros n' m Hn Hm Hd; [apply fails_most |]. destruct n' as [| n']; [lia |]. rewrite late_turn, lingering_turn, Hd.
  destruct (_ <=? _)%Z; [apply leaving, kept_linger; auto; intros y _; reflexivity |].
  apply body_both; auto. intros m1 Hm1 Hs Hi.
  assert (H1 : alike changed (onward m1) m0) by (apply changed_alike with m1; auto using onward_alike).
  destruct (as_bool (onward m1 d)) eqn:F; [| apply IH; auto; lia].
  destruct (idle fuel lv n (onward m1)) as [-> | (m2 & H2 & ->)]; auto; [apply fails_most |].
  apply leaving, kept_linger; auto. apply changed_alike with (onward m1); auto.
Qed.
Lemma early_on n : forall n' m, (n + S bound <= n')%nat -> alike changed m m0 -> (Z.to_nat (eval m stop - as_int (m i)) <= bound)%nat ->
  at_most_as_likely (turns events fuel early lv n m) (turns events fuel' lingering lv' n' m).
Proof.
  induction n as [| n IH]; intros n' m Hn Hm Hb; [apply fails_most |]. destruct (as_bool (m d)) eqn:Hd.
  - destruct (idle_ends fuel' lv' n' m) as (m2 & H2 & ->); auto; [lia |].
    rewrite early_turn, Hd, orb_true_r. apply leaving, kept_linger; auto using alike_back.
  - destruct n' as [| n']; [lia |]. rewrite early_turn, lingering_turn, Hd, orb_false_r.
    destruct (_ <=? _)%Z; [apply leaving, kept_linger; auto; intros y _; reflexivity |].
    apply body_both; auto. intros m1 Hm1 Hs Hi. apply IH; [lia | apply changed_alike with m1; auto using onward_alike |].
    rewrite stop_onward, counter_onward, Hs, Hi. lia.
Qed.
Lemma early_back n : forall n' m, (n <= n')%nat -> alike changed m m0 ->
  at_most_as_likely (turns events fuel lingering lv n m) (turns events fuel' early lv' n' m).
Proof.
  induction n as [| n IH]; intros n' m Hn Hm; [apply fails_most |]. destruct n' as [| n']; [lia |].
  destruct (as_bool (m d)) eqn:Hd.
  - rewrite early_turn, Hd, orb_true_r. destruct (idle fuel lv (S n) m) as [-> | (m2 & H2 & ->)]; auto; [apply fails_most |].
    apply leaving, kept_linger; auto. now apply changed_alike with m.
  - rewrite early_turn, lingering_turn, Hd, orb_false_r.
    destruct (_ <=? _)%Z; [apply leaving, kept_linger; auto; intros y _; reflexivity |].
    apply body_both; auto. intros m1 Hm1 Hs Hi. apply IH; [lia |]. apply changed_alike with m1; auto using onward_alike.
Qed.
End Directions.

(** The rule, in both directions: with [bound] rounds more to go, and with no more. *)
Definition begun (m : memory) : memory := upd (upd m i (Int (eval m start))) d (Bool false).
Lemma looped_runs round fuel lv k m : published events fuel (looped round) lv k m
  = turns events fuel round (fun l => if String.eqb l label then k else lv l) fuel (begun m).
Proof. reflexivity. Qed.

Lemma limited_runs round fuel n lv k m : published events fuel (limited n round) lv k m
  = if (eval m stop - eval m start <=? Z.of_nat n)%Z then published events fuel (looped round) lv k m else TFails.
Proof. reflexivity. Qed.

Lemma begun_alike m m' : kept m m' -> begun m = begun m' /\ alike changed (begun m) m0
  /\ as_bool (begun m d) = false /\ (eval (begun m) stop - as_int (begun m i) = eval m stop - eval m start)%Z.
Proof.
  intros [H G]. split; [| split; [| split]].
  - unfold begun. rewrite (eval_alike [i] start m m') by auto. extensionality y. unfold upd.
    destruct (String.eqb_spec y d); auto. destruct (String.eqb_spec y i) as [-> |]; auto. apply H. unfold among_names. simpl.
    rewrite orb_false_r. now apply String.eqb_neq.
  - unfold begun. destruct assigns as (Hi & Hd & _). apply alike_changed; auto. now apply alike_changed.
  - unfold begun, upd. now rewrite String.eqb_refl.
  - replace (eval (begun m) stop) with (eval m stop).
    + unfold begun, upd. now rewrite (proj2 (String.eqb_neq i d)), String.eqb_refl by auto.
    + apply (eval_alike [i; d]); [| apply stop_stays]. intros y Hy. unfold begun, upd. unfold among_names in Hy. simpl in Hy.
      rewrite orb_false_r in Hy. apply orb_false_elim in Hy as [-> ->]. reflexivity.
Qed.

Theorem lingered fuel fuel' round : (fuel + S bound <= fuel')%nat -> round = late \/ round = early ->
  keeps events at_most_as_likely fuel fuel' kept (limited bound round) (looped lingering).
Proof.
  intros Hf Hr lv lv' k k' Hl Hk m m' Hm. rewrite limited_runs.
  destruct (Z.leb_spec (eval m stop - eval m start) (Z.of_nat bound)) as [B |]; [| apply fails_most].
  rewrite !looped_runs. destruct (begun_alike m m' Hm) as (<- & H1 & H2 & H3).
  assert (L : forall l m m', kept m m' -> at_most_as_likely ((if String.eqb l label then k else lv l) m) ((if String.eqb l label then k' else lv' l) m'))
    by (intros l m1 m1' H; destruct String.eqb; auto).
  destruct Hr as [-> | ->]; [apply late_on | apply early_on]; auto; lia.
Qed.
Theorem lingered_back fuel fuel' round : (fuel <= fuel')%nat -> round = late \/ round = early ->
  keeps events at_most_as_likely fuel fuel' kept (looped lingering) (looped round).
Proof.
  intros Hf Hr lv lv' k k' Hl Hk m m' Hm. rewrite !looped_runs. destruct (begun_alike m m' Hm) as (<- & H1 & H2 & H3).
  assert (L : forall l m m', kept m m' -> at_most_as_likely ((if String.eqb l label then k else lv l) m) ((if String.eqb l label then k' else lv' l) m'))
    by (intros l m1 m1' H; destruct String.eqb; auto).
  destruct Hr as [-> | ->]; [apply late_back | apply early_back]; auto.
Qed.

(** So a program is as private as the one in which such a loop lingers, where the rest doesn't read its counter. *)
Lemma lingered_on program program' round : round = late \/ round = early ->
  replaced (fun c c' => c = limited bound round /\ c' = looped lingering) [i] changed program program' ->
  forall fuel, at_most_as_likely (told_runs events fuel program m0) (told_runs events (fuel + S bound) program' m0).
Proof.
  intros Hr H fuel. assert (K : keeps events at_most_as_likely fuel (fuel + S bound) kept program program').
  { eapply keeps_replaced with (6 := H); [apply order_at_most | right; split; [lia | apply fails_most] | | |].
    - intros m m' Hm. apply Hm.
    - intros. now apply same_but_upd.
    - intros c c' [-> ->]. now apply lingered. }
  apply K; auto using fails_most. split; intros y _; reflexivity.
Qed.
Lemma lingered_off program program' round : round = late \/ round = early ->
  replaced (fun c c' => c = looped round /\ c' = looped lingering) [i] changed program program' -> approaches events program' program m0.
Proof.
  intros Hr H. apply approaches_by with at_most_as_likely kept; auto using order_at_most, at_most_nearly; [split; intros y _; reflexivity |].
  intros fuel. exists fuel. eapply keeps_replaced with (6 := replaced_back _ _ _ _ _ H); [apply order_at_most | left; reflexivity | | |].
  - intros m m' Hm. apply Hm.
  - intros. now apply same_but_upd.
  - intros c c' [-> ->]. now apply lingered_back.
Qed.
End Linger.

(** ** Where nothing bounds the number of rounds *)

(** What is at least a chance is so where a bound is large enough. *)
Definition in_the_end (t : telling) (T : nat -> telling) : Prop :=
  forall S L p, at_least S L t p -> exists n0, forall n, (n0 <= n)%nat -> at_least S L (T n) p.

Lemma end_same t : in_the_end t (fun _ => t).
Proof. intros S L p H. exists 0%nat. auto. Qed.
Lemma end_tell events e v t T : in_the_end t T -> in_the_end (tell events e v t) (fun n => tell events e v (T n)).
Proof.
  intros H. unfold tell. destruct existsb; auto. intros S L p Hp. inversion Hp; subst; [exists 0%nat; intros; now apply least_nothing |].
  match goal with G : at_least S _ t p |- _ => destruct (H S _ p G) as (n0 & Hn) end. exists n0. intros n Hle. apply least_tells. auto.
Qed.
Lemma end_row events e row : forall c t T, in_the_end t T -> in_the_end (tell_row events e c row t) (fun n => tell_row events e c row (T n)).
Proof. induction row as [| v row IH]; simpl; intros c t T H; auto. apply end_tell. auto. Qed.
Lemma end_draws law next Next : (forall z, in_the_end (next z) (fun n => Next n z)) -> in_the_end (TDraws law next) (fun n => TDraws law (Next n)).
Proof.
  intros H S L p Hp. inversion Hp as [| | | ? ? ? pieces ? Hnd Hq Hsum |]; subst; [exists 0%nat; intros; now apply least_nothing |].
  enough (E : exists n0, forall n, (n0 <= n)%nat -> forall z q, In (z, q) pieces -> at_least S L (Next n z) q).
  { destruct E as (n0 & E). exists n0. intros n Hn. apply least_draws with pieces; auto. }
  clear - H Hq. induction pieces as [| [z q] rest IH]; [exists 0%nat; intros n _ z q [] |].
  destruct IH as (n1 & H1); [intros; apply Hq; simpl; auto |]. destruct (H z S L q) as (n2 & H2); [apply Hq; simpl; auto |].
  exists (Nat.max n1 n2). intros n Hn z' q' [E | Hin]; [injection E as <- <-; apply H2; lia | apply H1; auto; lia].
Qed.
Lemma end_code events fuel c : draws_integers c = true -> forall lv Lv k K,
  (forall l m, in_the_end (lv l m) (fun n : nat => Lv n l m)) -> (forall m, in_the_end (k m) (fun n : nat => K n m)) ->
  forall m, in_the_end (published events fuel c lv k m) (fun n => published events fuel c (Lv n) (K n) m).
Proof.
  induction c; simpl; intros Hd lv Lv k K Hl Hk m; try discriminate; auto using end_same;
    repeat match goal with H : _ && _ = true |- _ => apply andb_prop in H; destruct H end.
  - apply end_draws. auto.
  - apply end_draws. auto.
  - destruct forallb; [apply end_draws; auto | apply end_same].
  - apply end_row. auto.
  - apply (IHc1 ltac:(assumption) lv Lv _ (fun n => published events fuel c2 (Lv n) (K n))); auto.
  - apply end_tell. destruct eval; auto.
  - apply (IHc Hd _ (fun n l' => if String.eqb l' label then K n else Lv n l')); auto. intros l m'. destruct String.eqb; auto.
  - generalize fuel at 2 4 as j. intros j. revert m. induction j as [| j IH]; intros m; [apply end_same |].
    exact (IHc Hd lv Lv _ (fun n => turns events fuel c (Lv n) j) Hl IH m).
  - destruct eval; [auto | apply end_same].
  - destruct eval; [auto | apply end_same].
Qed.

(** A part that is limited may do all that it does in the end. *)
Lemma end_replaced events fuel (part final : code) (parts : nat -> code) names changed :
  (draws_integers part = true -> forall lv Lv k K, (forall l m, in_the_end (lv l m) (fun n : nat => Lv n l m)) -> (forall m, in_the_end (k m) (fun n : nat => K n m)) ->
    forall m, in_the_end (published events fuel part lv k m) (fun n => published events fuel (parts n) (Lv n) (K n) m)) ->
  forall c c', replaced (fun a a' => a = part /\ a' = final) names changed c c' -> draws_integers c = true -> exists C,
    (forall n, replaced (fun a a' => a = parts n /\ a' = final) names changed (C n) c')
    /\ forall lv Lv k K, (forall l m, in_the_end (lv l m) (fun n : nat => Lv n l m)) -> (forall m, in_the_end (k m) (fun n : nat => K n m)) ->
       forall m, in_the_end (published events fuel c lv k m) (fun n => published events fuel (C n) (Lv n) (K n) m).
Proof.
  intros P. induction 1 as [c c' [-> ->] | c Hu Hi | a a' b b' _ IHa _ IHb | n c a a' b b' Hf _ IHa _ IHb | l a a' _ IHa | n a a' _ IHa];
    simpl; intros Hd; repeat match goal with H : _ && _ = true |- _ => apply andb_prop in H; destruct H end.
  - exists parts. split; auto using replaced.
  - exists (fun _ => c). split; [intros; now apply replaced_not |]. intros. now apply end_code.
  - destruct IHa as (A & RA & EA); auto. destruct IHb as (B & RB & EB); auto. exists (fun n => A n ;; B n). split; [intros; now apply replaced_seq |].
    intros lv Lv k K Hl Hk m. simpl. apply (EA lv Lv _ (fun n => published events fuel (B n) (Lv n) (K n))); auto.
  - destruct IHa as (A & RA & EA); auto. destruct IHb as (B & RB & EB); auto. exists (fun j => If n c (A j) (B j)). split; [intros; now apply replaced_if |].
    intros lv Lv k K Hl Hk m. simpl. apply end_tell. destruct eval; auto.
  - destruct IHa as (A & RA & EA); auto. exists (fun n => Block l (A n)). split; [intros; now apply replaced_block |].
    intros lv Lv k K Hl Hk m. simpl. apply (EA _ (fun n l' => if String.eqb l' l then K n else Lv n l')); auto. intros l' m'. destruct String.eqb; auto.
  - destruct IHa as (A & RA & EA); auto. exists (fun j => Loop n (A j)). split; [intros; now apply replaced_loop |].
    intros lv Lv k K Hl Hk m. simpl. generalize fuel at 2 4 as j. intros j. revert m. induction j as [| j IH]; intros m; [apply end_same |].
    exact (EA lv Lv _ (fun n => turns events fuel (A n) (Lv n) j) Hl IH m).
Qed.

Section Unbounded.
Variables (events : list event) (a b b' loop : nat) (label i d : string) (start stop : expr INT) (body : code).
Hypothesis silent_branches : untold events a /\ untold events b /\ untold events b'.
Hypothesis flag : i <> d.
Hypothesis stop_stays : free [i; d] stop = true /\ free (assigned body) stop = true.
Hypothesis counter_stays : ~ In i (assigned body).
Hypothesis start_anew : free [i] start = true.
Variables (changed : list string) (m0 : memory).
Hypothesis assigns : In i changed /\ In d changed /\ incl (assigned body) changed.
Notation whole := (looped loop label i d start).
Notation rounds := (limited loop label i d start stop).
Notation lingers := (lingering a b' label i d stop body).
Notation ends_late := (late a b label i d stop body).
Notation ends_early := (early a label i d stop body).

(** The rule, for draws of integers and truth values. *)
Theorem lingered_approaches round program program' : round = ends_late \/ round = ends_early -> draws_integers program = true ->
  replaced (fun c c' => c = whole round /\ c' = whole lingers) [i] changed program program' ->
  approaches events program program' m0 /\ approaches events program' program m0.
Proof.
  intros Hr Hd H. split; [| eapply lingered_off; eauto].
  intros fuel S L p gap Hp Hg.
  destruct (end_replaced events fuel (whole round) (whole lingers) (fun n => rounds n round) [i] changed) with (2 := H) as (C & HC & E); auto.
  { intros Hround lv Lv k K Hl Hk m S' L' p' Hp'. destruct (end_code events fuel (whole round) Hround lv Lv k K Hl Hk m S' L' p' Hp') as (n0 & Hn).
    exists (Nat.max n0 (Z.to_nat (eval m stop - eval m start))). intros n Hle. rewrite limited_runs.
    destruct (Z.leb_spec (eval m stop - eval m start) (Z.of_nat n)); [apply Hn; lia | lia]. }
  destruct (E (fun _ _ => TFails) (fun _ _ _ => TFails) (fun _ => TFails) (fun _ _ => TFails)
    ltac:(intros; apply end_same) ltac:(intros; apply end_same) m0 S L p Hp) as (n & Hn).
  exists (fuel + Datatypes.S n)%nat. apply less with p; [| lra].
  apply (lingered_on events a b b' loop label i d start stop body) with (changed := changed) (m0 := m0) (round := round) (program := C n) (bound := n); auto.
  apply Hn. lia.
Qed.

(** With noise on the reals, where one number bounds the rounds on the input, whatever is drawn: no fuel is enough at all
    points of an interval else. *)
Theorem lingered_approaches_bounded round program program' bound : round = ends_late \/ round = ends_early ->
  (forall m, alike changed m m0 -> (Z.to_nat (eval m stop - eval m start) <= bound)%nat) ->
  replaced (fun c c' => c = whole round /\ c' = whole lingers) [i] changed program program' ->
  approaches events program program' m0 /\ approaches events program' program m0.
Proof.
  intros Hr Hb H. split; [| eapply lingered_off; eauto].
  apply approaches_by with at_most_as_likely (same_but [i] changed m0); auto using order_at_most, at_most_nearly; [split; intros y _; reflexivity |].
  intros fuel. exists (fuel + Datatypes.S bound)%nat. eapply keeps_replaced with (6 := H); [apply order_at_most | right; split; [lia | apply fails_most] | | |].
  - intros m m' Hm. apply Hm.
  - intros. now apply same_but_upd.
  - intros c c' [-> ->] lv lv' k k' Hl Hk m m' Hm.
    assert (G : at_most_as_likely (published events fuel (rounds bound round) lv k m) (published events (fuel + Datatypes.S bound) (whole lingers) lv' k' m')).
    { eapply lingered with (changed := changed) (m0 := m0); eauto. }
    rewrite limited_runs in G. destruct Hm as [Hi Hc].
    specialize (Hb m Hc). destruct (Z.leb_spec (eval m stop - eval m start) (Z.of_nat bound)); [exact G | lia].
Qed.
End Unbounded.

(** * [WriteOut]: lists that always have as many entries, and the rounds of loops over them *)

(** A branch that is decided becomes its side by [sim_if_1]; a condition that is false never holds, [sim_never]. *)

Section WrittenOut.
Variables (events : list event) (le : telling -> telling -> Prop) (fuel fuel' : nat).
Hypothesis fails : forall t, le TFails t.

(** The rounds of a loop, one behind the other, up to one behind which control doesn't come. *)
Inductive written_out (body : code) (leaving : string -> relation) : relation -> code -> Prop :=
| last_round before c : simulates events le fuel fuel' before body c leaving (fun _ _ => False) -> written_out body leaving before c
| one_more before between c rest : simulates events le fuel fuel' before body c leaving between ->
    written_out body leaving between rest -> written_out body leaving before (c ;; rest).

Theorem sim_written_out loop body leaving before c after : written_out body leaving before c ->
  simulates events le fuel fuel' before (Loop loop body) c leaving after.
Proof.
  intros H lv lv' k k' Hl _ m m' Hm. change (published events fuel (Loop loop body) lv k m) with (turns events fuel body lv fuel m).
  generalize fuel at 2 as n. revert m m' Hm. induction H as [before c H | before between c rest H _ IH]; intros m m' Hm [| n]; try apply fails.
  - apply H; auto. intros m1 m1' [].
  - apply H; auto.
Qed.

(** The other way round it takes as many rounds as are written out. *)
Inductive written_back (body : code) (leaving : string -> relation) : nat -> relation -> code -> Prop :=
| last_back before c : simulates events le fuel fuel' before c body leaving (fun _ _ => False) -> written_back body leaving 1 before c
| more_back n before between c rest : simulates events le fuel fuel' before c body leaving between ->
    written_back body leaving n between rest -> written_back body leaving (S n) before (c ;; rest).

Theorem sim_written_back loop body leaving before c after n : written_back body leaving n before c -> (n <= fuel')%nat ->
  simulates events le fuel fuel' before c (Loop loop body) leaving after.
Proof.
  intros H Hn lv lv' k k' Hl _ m m' Hm. change (published events fuel' (Loop loop body) lv' k' m') with (turns events fuel' body lv' fuel' m').
  revert Hn. generalize fuel' at 1 3 as n'. revert m m' Hm.
  induction H as [before c H | n before between c rest H _ IH]; intros m m' Hm [| n'] Hn; try lia.
  - apply H; auto. intros m1 m1' [].
  - apply H; auto. intros m1 m1' H1. apply IH; auto. lia.
Qed.
End WrittenOut.

(** In place of a list x with n entries there are variables; [items i] are those of entry i. *)
Section Entries.
Variables (x : string) (items : nat -> list item).
Definition entries (n : nat) (m' : memory) : list (list value) := map (fun i => map (item_value m') (items i)) (seq 0 n).
Definition written (n : nat) : relation := fun m m' => as_rows (m x) = entries n m' /\ length_of (m x) = Z.of_nat n.

Lemma entries_length n m' : length (entries n m') = n.
Proof. unfold entries. now rewrite map_length, seq_length. Qed.
Lemma entries_same n m' m'' : (forall i, (i < n)%nat -> map (item_value m') (items i) = map (item_value m'') (items i)) -> entries n m' = entries n m''.
Proof. intros H. apply map_ext_in. intros i Hi. apply in_seq in Hi. apply H. lia. Qed.

Lemma written_new m m' : written 0 (upd m x (Rows [])) m'.
Proof. unfold written, upd. now rewrite String.eqb_refl. Qed.

(** An append: the variables of the next place get the values, those before stay. *)
Lemma written_append n m m' m'' values : written n m m' ->
  (forall i, (i < n)%nat -> map (item_value m') (items i) = map (item_value m'') (items i)) -> map (item_value m'') (items n) = values ->
  written (S n) (upd m x (Rows (as_rows (m x) ++ [values]))) m''.
Proof.
  intros [H _] Hs Hv. assert (E : as_rows (m x) ++ [values] = entries (S n) m'').
  { unfold entries. rewrite seq_S, map_app. simpl. rewrite Hv, H. f_equal. now apply entries_same. }
  unfold written, upd. rewrite String.eqb_refl. simpl. split; [exact E |]. rewrite E, entries_length. reflexivity.
Qed.

Lemma written_length n m m' : written n m m' -> eval m (Length x) = Z.of_nat n.
Proof. intros [_ H]. exact H. Qed.

Lemma written_entry n m m' i c : written n m m' -> (i < n)%nat ->
  component (as_rows (m x)) (Z.of_nat i) c = nth c (map (item_value m') (items i)) (Int 0).
Proof.
  intros [H _] Hi. unfold component. rewrite H, Nat2Z.id. f_equal. unfold entries.
  rewrite (nth_indep _ [] (map (item_value m') (items 0))) by (now rewrite map_length, seq_length).
  change (map (item_value m') (items 0)) with ((fun i => map (item_value m') (items i)) 0%nat). rewrite map_nth, seq_nth by auto. reflexivity.
Qed.

(** [x[index]] is a choice among the variables of all places, where the index is one of them. *)
Fixpoint at_place {s} (index : expr INT) (of : nat -> expr s) (from count : nat) : expr s :=
  match count with
  | O => of from
  | S count => Cond (Eq index (IntConst (Z.of_nat from))) (of from) (at_place index of (S from) count)
  end.
Lemma at_place_is {s} (index : expr INT) (of : nat -> expr s) m' i count : forall from, eval m' index = Z.of_nat i ->
  (from <= i <= from + count)%nat -> eval m' (at_place index of from count) = eval m' (of i).
Proof.
  induction count as [| count IH]; simpl; intros from E Hi.
  - now replace from with i by lia.
  - rewrite E. destruct (Z.eqb_spec (Z.of_nat i) (Z.of_nat from)) as [H |]; [now replace from with i by lia | apply IH; auto; lia].
Qed.

(** A list that is returned is made of its variables. *)
Fixpoint made (n : nat) : code := match n with O => NewList x | S n => made n ;; Append x (items n) end.
Lemma made_again events fuel lv k n : (forall i m v, map (item_value (upd m x v)) (items i) = map (item_value m) (items i)) ->
  (forall c, existsb (event_eqb (Appended x c)) events = false) -> forall m',
  published events fuel (made n) lv k m' = k (upd m' x (Rows (entries n m'))).
Proof.
  intros Hx U. assert (Row : forall row c t, tell_row events (Appended x) c row t = t).
  { induction row as [| v row IH]; simpl; intros c t; auto. unfold tell. rewrite U. apply IH. }
  revert k. induction n as [| n IH]; intros k m'; [reflexivity |]. simpl. rewrite IH. rewrite Row, Hx. f_equal. extensionality y.
  unfold upd. destruct (String.eqb_spec y x) as [-> |]; auto. rewrite String.eqb_refl. simpl. unfold entries. rewrite seq_S, map_app. reflexivity.
Qed.
End Entries.
