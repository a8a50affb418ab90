(** Two programs side by side: their lists, loops or variables may be others, if a relation of their memories is kept.

    This is a relational program logic (Barthe, Gregoire & Zanella Beguelin 2009, with draws of one law).  What is known
    of both memories before two statements gives what is known behind them, and where a block is left.  [le] says what is
    concluded: that a run is at most as likely in the second program, nearly so, or that both are equally likely. *)
From Coq Require Import Lia Lra FunctionalExtensionality.
From synth Require Export SameLaw Retried.
Local Open Scope list_scope.

Definition relation := memory -> memory -> Prop.

(** * What is nearly as likely *)

Definition nearly_as_likely (t t' : telling) : Prop :=
  forall S L p, at_least S L t p -> forall gap, 0 < gap -> at_least S L t' (p - gap).

(** What is kept by telling and by draws. *)
Record order (le : telling -> telling -> Prop) : Prop := {
  order_same : forall t, le t t;
  order_tells : forall e v t t', le t t' -> le (Tells e v t) (Tells e v t');
  order_draws : forall law next next', (forall z, le (next z) (next' z)) -> le (TDraws law next) (TDraws law next');
  order_reals : forall law c s next next', (forall r, le (next r) (next' r)) -> le (TDrawsReal law c s next) (TDrawsReal law c s next') }.

Lemma order_equally : order equally_likely.
Proof. split; auto using equally_same, equally_tells, equally_draws, equally_draws_real. Qed.
Lemma order_at_most : order at_most_as_likely.
Proof. split; auto using more_tells, more_draws, more_draws_real. intros t S L p H. exact H. Qed.

Lemma nearly_sum {A} (w q : A -> R) pieces gap : (forall x, In x pieces -> 0 <= w x) -> 0 < gap ->
  exists small, 0 < small /\ sum (fun x => w x * q x) pieces - gap <= sum (fun x => w x * (q x - small)) pieces.
Proof.
  intros Hw Hl. pose proof (sum_nonneg w pieces Hw) as Hn. exists (gap / (1 + sum w pieces)). split; [apply Rdiv_lt_0_compat; lra |].
  set (small := gap / (1 + sum w pieces)).
  replace (sum (fun x => w x * (q x - small)) pieces) with (sum (fun x => w x * q x) pieces - small * sum w pieces).
  - apply Rplus_le_compat_l, Ropp_le_contravar. unfold small, Rdiv. rewrite Rmult_assoc. rewrite <- (Rmult_1_r gap) at 2.
    apply Rmult_le_compat_l; [lra |]. apply Rmult_le_reg_l with (1 + sum w pieces); [lra |]. rewrite <- Rmult_assoc, Rinv_r by lra. lra.
  - clearbody small. clear. rewrite <- sum_scale. induction pieces as [| x rest IH]; [simpl; ring |]. rewrite !sum_cons, <- IH. ring.
Qed.

Lemma order_nearly : order nearly_as_likely.
Proof.
  split.
  - intros t S L p H gap Hl. apply less with p; auto. lra.
  - intros e v t t' H S L p Hp gap Hl. inversion Hp; subst; [apply least_nothing; lra | apply least_tells; auto].
  - intros law next next' H S L p Hp gap Hl. inversion Hp as [| | | ? ? ? pieces ? Hnd Hq Hsum |]; subst; [apply least_nothing; lra |].
    destruct (nearly_sum (fun piece : Z * R => mass law (fst piece)) snd pieces gap) as (small & Hs & Hle); auto.
    { intros; apply mass_nonneg. }
    apply least_draws with (map (fun piece => (fst piece, snd piece - small)) pieces).
    + now rewrite map_map.
    + intros z q Hin. apply in_map_iff in Hin. destruct Hin as ([z' q'] & E & Hin). injection E as <- <-. apply (H z' S L q'); auto.
    + rewrite sum_map. simpl in *. lra.
  - intros law c s next next' H S L p Hp gap Hl. inversion Hp as [| | | | ? ? ? ? ? pieces ? Ho Hq Hsum]; subst; [apply least_nothing; lra |].
    destruct (nearly_sum (fun piece : R * R * R => interval_mass law c s (fst (fst piece)) (snd (fst piece))) snd pieces gap) as (small & Hs & Hle); auto.
    { intros [[a b] q] Hin. apply interval_mass_nonneg, (in_order_each _ _ _ _ Ho Hin). }
    apply least_draws_real with (map (fun piece => (fst piece, snd piece - small)) pieces).
    + clear - Ho. induction pieces as [| [[a b] q] rest IH]; simpl in *; auto. destruct Ho as (Hab & Hnext & Ho). split; auto. split; auto.
      destruct rest as [| [[a' b'] q'] rest]; simpl in *; auto.
    + intros a b q x Hin Hx. apply in_map_iff in Hin. destruct Hin as ([[a' b'] q'] & E & Hin). injection E as <- <- <-.
      apply (H x S L q'); auto. eapply Hq; eauto.
    + rewrite sum_map. simpl in *. lra.
Qed.

Lemma at_most_nearly t t' : at_most_as_likely t t' -> nearly_as_likely t t'.
Proof. intros H S L p Hp gap Hl. apply less with p; [now apply H | lra]. Qed.
Lemma equally_nearly t t' : equally_likely t t' -> nearly_as_likely t t'.
Proof. intros [H _]. now apply at_most_nearly. Qed.

(** * Statements *)

Section Statements.
Variables (events : list event) (le : telling -> telling -> Prop) (fuel fuel' : nat).
Hypothesis is_order : order le.
Hypothesis Hfuel : fuel = fuel' \/ (fuel <= fuel')%nat /\ forall t, le TFails t.

(** [before] is known of both memories before the statements, [after] behind them, [leaving l] where a block l is left. *)
Definition simulates (before : relation) (c c' : code) (leaving : string -> relation) (after : relation) : Prop :=
  forall lv lv' k k', (forall l m m', leaving l m m' -> le (lv l m) (lv' l m')) -> (forall m m', after m m' -> le (k m) (k' m')) ->
  forall m m', before m m' -> le (published events fuel c lv k m) (published events fuel' c' lv' k' m').
Definition keeps (kept : relation) (c c' : code) : Prop := simulates kept c c' (fun _ => kept) kept.

Implicit Types (before after between kept : relation) (leaving : string -> relation).

Lemma order_tell e v t t' : le t t' -> le (tell events e v t) (tell events e v t').
Proof. intros H. unfold tell. destruct existsb; auto. now apply order_tells. Qed.
Lemma order_row e row : forall n t t', le t t' -> le (tell_row events e n row t) (tell_row events e n row t').
Proof. induction row as [| v row IH]; simpl; intros n t t' H; auto. apply order_tell. auto. Qed.

Lemma sim_weaken before before' c c' leaving leaving' after after' : (forall m m', before' m m' -> before m m') ->
  (forall m m', after m m' -> after' m m') -> (forall l m m', leaving l m m' -> leaving' l m m') ->
  simulates before c c' leaving after -> simulates before' c c' leaving' after'.
Proof. intros Hb Ha Hl H lv lv' k k' Hlv Hk m m' Hm. apply H; auto. Qed.

Lemma sim_skip before leaving after : (forall m m', before m m' -> after m m') -> simulates before Skip Skip leaving after.
Proof. intros H lv lv' k k' Hl Hk m m' Hm. apply Hk. auto. Qed.

Lemma sim_assign {s s'} before x x' (e : expr s) (e' : expr s') leaving after :
  (forall m m', before m m' -> after (upd m x (put s (eval m e))) (upd m' x' (put s' (eval m' e')))) ->
  simulates before (Assign x e) (Assign x' e') leaving after.
Proof. intros H lv lv' k k' Hl Hk m m' Hm. apply Hk. auto. Qed.

(** A statement more, in the one program or in the other. *)
Lemma sim_assign_1 {s} before x (e : expr s) c c' leaving between after :
  (forall m m', before m m' -> between (upd m x (put s (eval m e))) m') ->
  simulates between c c' leaving after -> simulates before (Assign x e ;; c) c' leaving after.
Proof. intros H G lv lv' k k' Hl Hk m m' Hm. simpl. apply G; auto. Qed.
Lemma sim_assign_2 {s} before x (e : expr s) c c' leaving between after :
  (forall m m', before m m' -> between m (upd m' x (put s (eval m' e)))) ->
  simulates between c c' leaving after -> simulates before c (Assign x e ;; c') leaving after.
Proof. intros H G lv lv' k k' Hl Hk m m' Hm. simpl. apply G; auto. Qed.

Lemma sim_draw before n n' law x x' center center' scale scale' leaving after :
  (forall m m', before m m' -> eval m center = eval m' center' /\ eval m scale = eval m' scale'
    /\ forall z, after (upd m x (Int z)) (upd m' x' (Int z))) ->
  simulates before (Draw n law x center scale) (Draw n' law x' center' scale') leaving after.
Proof.
  intros H lv lv' k k' Hl Hk m m' Hm. simpl. destruct (H m m' Hm) as (-> & -> & Ha). apply order_draws; auto.
Qed.
Lemma sim_draw_real before n n' law x x' center center' scale scale' leaving after :
  (forall m m', before m m' -> eval m center = eval m' center' /\ eval m scale = eval m' scale'
    /\ forall r, after (upd m x (Real r)) (upd m' x' (Real r))) ->
  simulates before (DrawReal n law x center scale) (DrawReal n' law x' center' scale') leaving after.
Proof.
  intros H lv lv' k k' Hl Hk m m' Hm. simpl. destruct (H m m' Hm) as (-> & -> & Ha). apply order_reals; auto.
Qed.
Lemma sim_choose before n n' s x x' o o' chances chances' leaving after :
  (forall m m', before m m' -> chosen m s o chances = chosen m' s o' chances'
    /\ forall z, after (upd m x (drawn s z)) (upd m' x' (drawn s z))) ->
  simulates before (Choose n s x o chances) (Choose n' s x' o' chances') leaving after.
Proof.
  intros H lv lv' k k' Hl Hk m m' Hm. simpl. destruct (H m m' Hm) as (-> & Ha). apply order_draws; auto.
Qed.
Lemma sim_weigh before n n' x x' o o' count count' score score' rate rate' demands demands' leaving after :
  (forall m m', before m m' -> eval m count = eval m' count' /\ demanded m o demands = demanded m' o' demands'
    /\ exponent m o score rate = exponent m' o' score' rate' /\ forall z, after (upd m x (Int z)) (upd m' x' (Int z))) ->
  simulates before (Weigh n x o count score rate demands) (Weigh n' x' o' count' score' rate' demands') leaving after.
Proof.
  intros H lv lv' k k' Hl Hk m m' Hm. simpl. destruct (H m m' Hm) as (-> & -> & -> & Ha).
  destruct forallb; [apply order_draws | apply order_same]; auto.
Qed.
Lemma sim_new before x x' leaving after : (forall m m', before m m' -> after (upd m x (Rows [])) (upd m' x' (Rows []))) ->
  simulates before (NewList x) (NewList x') leaving after.
Proof. intros H lv lv' k k' Hl Hk m m' Hm. apply Hk. auto. Qed.
Lemma sim_append before x row row' leaving after :
  (forall m m', before m m' -> map (item_value m) row = map (item_value m') row'
    /\ after (upd m x (Rows (as_rows (m x) ++ [map (item_value m) row]))) (upd m' x (Rows (as_rows (m' x) ++ [map (item_value m) row])))) ->
  simulates before (Append x row) (Append x row') leaving after.
Proof.
  intros H lv lv' k k' Hl Hk m m' Hm. simpl. destruct (H m m' Hm) as (<- & Ha). apply order_row. auto.
Qed.

Lemma sim_seq before between after a a' b b' leaving : simulates before a a' leaving between -> simulates between b b' leaving after ->
  simulates before (a ;; b) (a' ;; b') leaving after.
Proof. intros H G lv lv' k k' Hl Hk m m' Hm. simpl. apply H; auto. Qed.
Lemma sim_if before n (c c' : expr BOOL) a a' b b' leaving after : (forall m m', before m m' -> eval m c = eval m' c') ->
  simulates (fun m m' => before m m' /\ eval m c = true) a a' leaving after ->
  simulates (fun m m' => before m m' /\ eval m c = false) b b' leaving after -> simulates before (If n c a b) (If n c' a' b') leaving after.
Proof.
  intros E Ha Hb lv lv' k k' Hl Hk m m' Hm. simpl. rewrite <- (E m m' Hm). apply order_tell.
  destruct (eval m c) eqn:T; [apply Ha | apply Hb]; auto.
Qed.
(** A branch that is decided, and isn't told, is its side. *)
Definition untold (n : nat) : Prop := existsb (event_eqb (Branch n)) events = false.
Lemma sim_if_1 before n (c : expr BOOL) a b c' leaving after : untold n ->
  simulates (fun m m' => before m m' /\ eval m c = true) a c' leaving after ->
  simulates (fun m m' => before m m' /\ eval m c = false) b c' leaving after -> simulates before (If n c a b) c' leaving after.
Proof.
  intros U Ha Hb lv lv' k k' Hl Hk m m' Hm. simpl. unfold tell. rewrite U. destruct (eval m c) eqn:T; [apply Ha | apply Hb]; auto.
Qed.
Lemma sim_if_2 before n (c : expr BOOL) a b c' leaving after : untold n ->
  simulates (fun m m' => before m m' /\ eval m' c = true) c' a leaving after ->
  simulates (fun m m' => before m m' /\ eval m' c = false) c' b leaving after -> simulates before c' (If n c a b) leaving after.
Proof.
  intros U Ha Hb lv lv' k k' Hl Hk m m' Hm. simpl. unfold tell. rewrite U. destruct (eval m' c) eqn:T; [apply Ha | apply Hb]; auto.
Qed.
Lemma sim_never before c c' leaving after : (forall m m', ~ before m m') -> simulates before c c' leaving after.
Proof. intros H lv lv' k k' Hl Hk m m' Hm. destruct (H m m' Hm). Qed.
Lemma sim_block before l body body' leaving after :
  simulates before body body' (fun l' => if String.eqb l' l then after else leaving l') after ->
  simulates before (Block l body) (Block l body') leaving after.
Proof.
  intros H lv lv' k k' Hl Hk m m' Hm. simpl. apply H; auto. intros l' m1 m1' H1. destruct String.eqb; auto.
Qed.
Lemma sim_loop kept n n' body body' leaving after : simulates kept body body' leaving kept ->
  simulates kept (Loop n body) (Loop n' body') leaving after.
Proof.
  intros H lv lv' k k' Hl Hk. simpl.
  enough (G : forall i i', i = i' \/ (i <= i')%nat /\ (forall t, le TFails t) -> forall m m', kept m m' ->
    le ((fix again (n : nat) (m : memory) : telling := match n with O => TFails | S n => published events fuel body lv (again n) m end) i m)
       ((fix again (n : nat) (m : memory) : telling := match n with O => TFails | S n => published events fuel' body' lv' (again n) m end) i' m'))
    by (intros m m' Hm; now apply G).
  induction i as [| i IH]; intros i' Hi m m' Hm.
  - destruct Hi as [<- | [_ F]]; [now apply order_same | apply F].
  - destruct i' as [| i']; [destruct Hi as [| [Hi _]]; [discriminate | lia] |]. apply H; auto. intros m1 m1' H1. apply IH; auto.
    destruct Hi as [Hi | [Hi F]]; [left; congruence | right; split; [lia | auto]].
Qed.
Lemma sim_leave before l leaving after : (forall m m', before m m' -> leaving l m m') -> simulates before (Leave l) (Leave l) leaving after.
Proof. intros H lv lv' k k' Hl Hk m m' Hm. apply Hl. auto. Qed.
Lemma sim_ensure before (c c' : expr BOOL) leaving after :
  (forall m m', before m m' -> eval m c = eval m' c' /\ (eval m c = true -> after m m')) -> simulates before (Ensure c) (Ensure c') leaving after.
Proof.
  intros H lv lv' k k' Hl Hk m m' Hm. simpl. destruct (H m m' Hm) as (<- & Ha). destruct (eval m c); [auto | now apply order_same].
Qed.
Lemma sim_assume before (c c' : expr BOOL) leaving after :
  (forall m m', before m m' -> eval m c = eval m' c' /\ (eval m c = true -> after m m')) -> simulates before (Assume c) (Assume c') leaving after.
Proof.
  intros H lv lv' k k' Hl Hk m m' Hm. simpl. destruct (H m m' Hm) as (<- & Ha). destruct (eval m c); [auto | now apply order_same].
Qed.
Lemma sim_return before vs vs' ls ls' leaving after :
  (forall m m', before m m' -> map (item_value m) vs = map (item_value m') vs'
    /\ map (fun x => as_rows (m x)) ls = map (fun x => as_rows (m' x)) ls') ->
  simulates before (Return vs ls) (Return vs' ls') leaving after.
Proof.
  intros H lv lv' k k' Hl Hk m m' Hm. simpl. destruct (H m m' Hm) as (<- & <-). now apply order_same.
Qed.

(** * What is not read *)

(** A statement reads none of [names]; it may assign them. *)
Fixpoint unread (names : list string) (c : code) : bool :=
  match c with
  | Skip | Leave _ | NewList _ => true
  | Assign _ e => free names e
  | Draw _ _ _ center scale => free names center && free names scale
  | DrawReal _ _ _ center scale => free names center && free names scale
  | Choose _ _ _ _ chances => forallb (free_chance names) chances
  | Weigh _ _ _ count score rate demands => free names count && (free names score && (free names rate && forallb (free names) demands))
  | Append x row => negb (among_names names x) && forallb (free_item names) row
  | a ;; b => unread names a && unread names b
  | If _ c a b => free names c && (unread names a && unread names b)
  | Block _ body | Loop _ body => unread names body
  | Ensure c | Assume c => free names c
  | Return vs ls => forallb (free_item names) vs && forallb (fun x => negb (among_names names x)) ls
  end.

(** The memories differ in [names] at most, and the first one from [m0] in [changed]. *)
Definition same_but (names changed : list string) (m0 : memory) : relation := fun m m' => alike names m m' /\ alike changed m m0.

Lemma same_but_upd names changed m0 m m' x v : In x changed -> same_but names changed m0 m m' ->
  same_but names changed m0 (upd m x v) (upd m' x v).
Proof. intros Hx [H G]. split; [now apply alike_upd | now apply alike_changed]. Qed.

(** What is kept by the parts is kept by the whole. *)
Lemma keeps_seq kept a a' b b' : keeps kept a a' -> keeps kept b b' -> keeps kept (a ;; b) (a' ;; b').
Proof. apply sim_seq. Qed.
Lemma keeps_if (kept : relation) n (c c' : expr BOOL) a a' b b' : (forall m m', kept m m' -> eval m c = eval m' c') ->
  keeps kept a a' -> keeps kept b b' -> keeps kept (If n c a b) (If n c' a' b').
Proof.
  intros E Ha Hb. apply sim_if; [exact E | eapply sim_weaken; [| | | exact Ha] | eapply sim_weaken; [| | | exact Hb]]; auto;
    intros m m' Hm; apply Hm.
Qed.
Lemma keeps_block kept l body body' : keeps kept body body' -> keeps kept (Block l body) (Block l body').
Proof.
  intros H. apply sim_block. eapply sim_weaken; [| | | exact H]; auto. intros l' m m' Hm. now destruct String.eqb.
Qed.
Lemma keeps_loop kept n n' body body' : keeps kept body body' -> keeps kept (Loop n body) (Loop n' body').
Proof. apply sim_loop. Qed.

(** So a program does the same, whatever these names stand for. *)
Theorem keeps_unread (kept : relation) names changed c : (forall m m', kept m m' -> alike names m m') ->
  (forall m m' x v, In x changed -> kept m m' -> kept (upd m x v) (upd m' x v)) ->
  unread names c = true -> incl (assigned c) changed -> keeps kept c c.
Proof.
  intros A U.
  assert (E : forall m m' s (e : expr s), kept m m' -> free names e = true -> eval m e = eval m' e) by (intros; eapply eval_alike; eauto).
  assert (O : forall m m' o v, kept m m' -> alike names (upd m o v) (upd m' o v)) by (intros; now apply alike_upd, A).
  assert (I : forall m m' row, kept m m' -> forallb (free_item names) row = true -> map (item_value m) row = map (item_value m') row)
    by (intros; eapply items_alike; eauto).
  induction c; intros Hu Hi; simpl in Hu, Hi; try (assert (Hx : In x changed) by (apply Hi; simpl; auto));
    repeat match goal with H : _ && _ = true |- _ => apply andb_prop in H; destruct H end.
  - apply sim_skip. auto.
  - apply sim_assign. intros m m' Hm. rewrite <- (E m m') by auto. auto.
  - apply sim_draw. intros m m' Hm. rewrite <- !(E m m') by auto. auto.
  - apply sim_draw_real. intros m m' Hm. rewrite <- !(E m m') by auto. auto.
  - apply sim_choose. intros m m' Hm. split; [apply chosen_alike with names; auto | auto].
  - apply sim_weigh. intros m m' Hm. rewrite <- (E m m') by auto. split; [auto |]. split; [| split; [| auto]].
    + extensionality i. unfold demanded. apply demands_alike with names; auto.
    + extensionality i. unfold exponent. rewrite <- (E m m' _ rate) by auto. f_equal. apply eval_alike with names; auto.
  - apply sim_new. auto.
  - apply sim_append. intros m m' Hm. split; [now apply I |]. replace (m' x) with (m x); [now apply U |].
    apply (A m m' Hm). now apply negb_true_iff.
  - apply incl_app_inv in Hi as [H1 H2]. apply keeps_seq; auto.
  - apply incl_app_inv in Hi as [H1' H2']. apply keeps_if; auto.
  - apply keeps_block; auto.
  - apply keeps_loop; auto.
  - apply sim_leave. auto.
  - apply sim_ensure. intros m m' Hm. rewrite <- (E m m') by auto. auto.
  - apply sim_assume. intros m m' Hm. rewrite <- (E m m') by auto. auto.
  - apply sim_return. intros m m' Hm. split; [now apply I | apply rows_alike with names; auto].
Qed.

(** * Parts of a program *)

(** Some parts become others, which read and assign what they like; the rest stays, and doesn't read [names]. *)
Inductive replaced (parts : code -> code -> Prop) (names changed : list string) : code -> code -> Prop :=
| replaced_here c c' : parts c c' -> replaced parts names changed c c'
| replaced_not c : unread names c = true -> incl (assigned c) changed -> replaced parts names changed c c
| replaced_seq a a' b b' : replaced parts names changed a a' -> replaced parts names changed b b' ->
    replaced parts names changed (a ;; b) (a' ;; b')
| replaced_if n (c : expr BOOL) a a' b b' : free names c = true -> replaced parts names changed a a' -> replaced parts names changed b b' ->
    replaced parts names changed (If n c a b) (If n c a' b')
| replaced_block l a a' : replaced parts names changed a a' -> replaced parts names changed (Block l a) (Block l a')
| replaced_loop n a a' : replaced parts names changed a a' -> replaced parts names changed (Loop n a) (Loop n a').

Theorem keeps_replaced (kept : relation) (parts : code -> code -> Prop) names changed c c' : (forall m m', kept m m' -> alike names m m') ->
  (forall m m' x v, In x changed -> kept m m' -> kept (upd m x v) (upd m' x v)) ->
  (forall a a', parts a a' -> keeps kept a a') -> replaced parts names changed c c' -> keeps kept c c'.
Proof.
  intros A U P. induction 1; auto using keeps_seq, keeps_block, keeps_loop.
  - now apply keeps_unread with names changed.
  - apply keeps_if; auto. intros m m' Hm. apply (eval_alike names); auto.
Qed.
End Statements.

Lemma replaced_back (parts : code -> code -> Prop) names changed c c' : replaced parts names changed c c' -> replaced (fun a a' => parts a' a) names changed c' c.
Proof. induction 1; eauto using replaced. Qed.

(** * Privacy *)

Lemma fails_most t : at_most_as_likely TFails t.
Proof. intros S L p H. inversion H; subst. now apply least_nothing. Qed.
Lemma free_nothing {s} (e : expr s) : free [] e = true.
Proof. induction e; simpl; repeat match goal with H : free [] _ = true |- _ => rewrite H; clear H end; reflexivity. Qed.
Lemma unread_nothing c : unread [] c = true.
Proof.
  assert (I : forall row, forallb (free_item []) row = true) by (induction row as [| [s e] row IH]; simpl; rewrite ?free_nothing, ?IH; auto).
  assert (C : forall chances, forallb (free_chance []) chances = true)
    by (induction chances as [| [c' p] rest IH]; simpl; unfold free_chance; simpl; rewrite ?free_nothing, ?IH; auto).
  assert (D : forall demands : list (expr BOOL), forallb (free []) demands = true) by (induction demands as [| e rest IH]; simpl; rewrite ?free_nothing, ?IH; auto).
  induction c; simpl; rewrite ?free_nothing, ?I, ?C, ?D; simpl; rewrite ?IHc, ?IHc1, ?IHc2; auto.
  induction lists; auto.
Qed.

(** More fuel makes nothing less likely. *)
Lemma more_fuel_most events fuel fuel' c lv lv' (k k' : memory -> telling) m : (fuel <= fuel')%nat ->
  (forall l m, at_most_as_likely (lv l m) (lv' l m)) -> (forall m, at_most_as_likely (k m) (k' m)) ->
  at_most_as_likely (published events fuel c lv k m) (published events fuel' c lv' k' m).
Proof.
  intros Hf Hl Hk. apply (keeps_unread events at_most_as_likely fuel fuel' order_at_most (or_intror (conj Hf fails_most)) eq [] (assigned c));
    auto using incl_refl, unread_nothing; try (now intros; subst); try (intros m1 m2 <- y _; reflexivity).
Qed.

(** With enough fuel the second program brings nearly what the first one does. *)
Definition approaches (events : list event) (program program' : code) (input : memory) : Prop := forall fuel S L p gap,
  at_least S L (told_runs events fuel program input) p -> 0 < gap -> exists fuel', at_least S L (told_runs events fuel' program' input) (p - gap).

Lemma approaches_by events le program program' input (kept : relation) : order le -> (forall t t', le t t' -> nearly_as_likely t t') ->
  kept input input -> (forall fuel, exists fuel', keeps events le fuel fuel' kept program program') -> approaches events program program' input.
Proof.
  intros Ho Hn Hk H fuel S L p gap Hp Hg. destruct (H fuel) as (fuel' & K). exists fuel'.
  apply (Hn (told_runs events fuel program input)); auto. apply K; auto; intros; now apply order_same.
Qed.

Lemma told_approached events program program' input S p : approaches events program program' input -> approaches events program' program input ->
  told_probability events program input S p -> told_probability events program' input S p.
Proof.
  intros H H' [Hub Hlub].
  assert (Q : forall c c' fuel logs q gap, approaches events c c' input -> NoDup logs -> 0 < gap ->
    (forall L, In L logs -> at_least S L (told_runs events fuel c input) (q L)) -> exists fuel' q',
    (forall L, In L logs -> at_least S L (told_runs events fuel' c' input) (q' L)) /\ sum q logs - gap <= sum q' logs).
  { clear. intros c c' fuel logs q gap H Hnd Hg Hq.
    destruct (nearly_sum (fun _ : log => 1) q logs gap) as (small & Hs & Hle); auto; [intros; lra |].
    assert (E : exists fuel', forall L, In L logs -> at_least S L (told_runs events fuel' c' input) (q L - small)).
    { clear - H Hq Hs. induction logs as [| L logs IH]; [exists 0%nat; intros L [] |].
      destruct IH as (f1 & H1); [intros; apply Hq; simpl; auto |].
      destruct (H fuel S L (q L) small) as (f2 & H2); [apply Hq; simpl; auto | auto |].
      assert (M : forall f L p, (f <= Nat.max f1 f2)%nat -> at_least S L (told_runs events f c' input) p -> at_least S L (told_runs events (Nat.max f1 f2) c' input) p)
        by (intros f L' p Hf; apply more_fuel_most; auto using fails_most).
      exists (Nat.max f1 f2). intros L' [<- | HL]; [apply M with f2; auto; lia | apply M with f1; auto; lia]. }
    destruct E as (fuel' & E). exists fuel', (fun L => q L - small). split; [exact E |].
    rewrite (sum_ext (fun x => 1 * q x) q), (sum_ext (fun x => 1 * (q x - small)) (fun x => q x - small)) in Hle by (intros; ring). exact Hle. }
  split.
  - intros part (fuel & logs & q & Hnd & Hq & ->). apply le_epsilon. intros gap Hg.
    destruct (Q program' program fuel logs q gap) as (fuel' & q' & Hq' & Hle); auto.
    enough (sum q' logs <= p) by lra. apply Hub. exists fuel', logs, q'. auto.
  - intros b Hb. apply Hlub. intros part (fuel & logs & q & Hnd & Hq & ->). apply le_epsilon. intros gap Hg.
    destruct (Q program program' fuel logs q gap) as (fuel' & q' & Hq' & Hle); auto.
    enough (sum q' logs <= b) by lra. apply Hb. exists fuel', logs, q'. auto.
Qed.

Theorem told_private_beside events epsilon program program' input1 input2 :
  (forall input, input = input1 \/ input = input2 -> approaches events program program' input /\ approaches events program' program input) ->
  told_private_on events epsilon program' input1 input2 -> told_private_on events epsilon program input1 input2.
Proof.
  intros H G S p1 p2 H1 H2. destruct (H input1) as [A1 B1]; auto. destruct (H input2) as [A2 B2]; auto.
  apply (G S); apply told_approached with program; auto.
Qed.

(** The same where both draw integers. *)
Lemma approached program program' input S p : draws_integers program = true -> draws_integers program' = true ->
  approaches [] program program' input -> approaches [] program' program input ->
  probability program input S p -> probability program' input S p.
Proof.
  intros Hi Hi' H H' Hp. apply probability_adds in Hp. apply probability_adds.
  assert (Q : forall c c' x gap, draws_integers c' = true -> approaches [] c c' input -> adds c input S x -> 0 < gap ->
    exists y, adds c' input S y /\ x - gap <= y).
  { clear. intros c c' x gap Hi H (fuel & ds & Hds & ->) Hg. destruct (H fuel S [] _ gap (part_least _ _ _ _ Hds) Hg) as (fuel' & Hn).
    destruct (least_part S _ (integral_runs [] fuel' c' Hi (fun _ _ => TFails) (fun _ => TFails) input (fun _ _ => integral_fails)
      (fun _ => integral_fails)) [] _ Hn) as (ds' & H1 & H2).
    exists (sum (told_chance (told_runs [] fuel' c' input)) ds'). split; auto. exists fuel', ds'. auto. }
  destruct Hp as [Hub Hlub]. split.
  - intros x Hx. apply le_epsilon. intros gap Hg. destruct (Q program' program x gap) as (y & Hy & Hle); auto.
    enough (y <= p) by lra. auto.
  - intros b Hb. apply Hlub. intros x Hx. apply le_epsilon. intros gap Hg. destruct (Q program program' x gap) as (y & Hy & Hle); auto.
    enough (y <= b) by lra. auto.
Qed.

Theorem private_beside epsilon delta program program' input1 input2 : draws_integers program = true -> draws_integers program' = true ->
  (forall input, input = input1 \/ input = input2 -> approaches [] program program' input /\ approaches [] program' program input) ->
  private_within epsilon delta program' input1 input2 -> private_within epsilon delta program input1 input2.
Proof.
  intros Hi Hi' H [_ G]. split; auto. intros S p1 p2 H1 H2. destruct (H input1) as [A1 B1]; auto. destruct (H input2) as [A2 B2]; auto.
  apply (G S); apply approached with program; auto.
Qed.

(** * Numbers of draws, branches and loops *)

(** They mean nothing, where no branch is told: a step numbers its program anew. *)
Fixpoint unnumbered (c : code) : code :=
  match c with
  | Draw _ law x center scale => Draw 0 law x center scale
  | DrawReal _ law x center scale => DrawReal 0 law x center scale
  | Choose _ s x o chances => Choose 0 s x o chances
  | Weigh _ x o count score rate demands => Weigh 0 x o count score rate demands
  | a ;; b => unnumbered a ;; unnumbered b
  | If _ c a b => If 0 c (unnumbered a) (unnumbered b)
  | Block l body => Block l (unnumbered body)
  | Loop _ body => Loop 0 (unnumbered body)
  | c => c
  end.

Lemma unnumbered_runs fuel c : forall lv k m, published [] fuel (unnumbered c) lv k m = published [] fuel c lv k m.
Proof.
  induction c; intros lv k m; simpl; auto.
  - rewrite IHc1. f_equal. extensionality m'. apply IHc2.
  - unfold tell. simpl. now destruct eval.
  - generalize fuel at 2 4 as n. intros n. revert m. induction n as [| n IH]; intros m; [reflexivity |].
    rewrite IHc. f_equal. extensionality m'. apply IH.
Qed.
Theorem approaches_unnumbered program program' input :
  approaches [] (unnumbered program) (unnumbered program') input -> approaches [] program program' input.
Proof.
  intros H fuel S L p gap Hp Hg. destruct (H fuel S L p gap) as (fuel' & Hn); auto; [| exists fuel'];
    unfold told_runs in *; now rewrite unnumbered_runs in *.
Qed.
