(** [Defer]: noise is drawn behind statements that have nothing to do with it, which changes no chance. *)
From Coq Require Import Lia Lra FunctionalExtensionality.
From synth Require Export Exchange Parts.
Local Open Scope list_scope.

(** * Runs with the same chances *)

Definition at_most_as_likely (t t' : telling) : Prop := forall S L p, at_least S L t p -> at_least S L t' p.
Definition equally_likely (t t' : telling) : Prop := at_most_as_likely t t' /\ at_most_as_likely t' t.

Lemma equally_same t : equally_likely t t.
Proof. split; intros S L p; auto. Qed.
Lemma equally_back t t' : equally_likely t t' -> equally_likely t' t.
Proof. intros [H G]. split; auto. Qed.
Lemma equally_trans t1 t2 t3 : equally_likely t1 t2 -> equally_likely t2 t3 -> equally_likely t1 t3.
Proof. intros [H1 G1] [H2 G2]. split; intros S L p H; auto. Qed.

Lemma more_tells e v t t' : at_most_as_likely t t' -> at_most_as_likely (Tells e v t) (Tells e v t').
Proof. intros H S L p Hp. inversion Hp; subst; [now apply least_nothing | apply least_tells; auto]. Qed.
Lemma more_draws law next next' : (forall z, at_most_as_likely (next z) (next' z)) ->
  at_most_as_likely (TDraws law next) (TDraws law next').
Proof.
  intros H S L p Hp. inversion Hp; subst; [now apply least_nothing |].
  apply least_draws with pieces; auto. intros z q Hin. apply H; auto.
Qed.
Lemma more_draws_real law c s next next' : (forall r, at_most_as_likely (next r) (next' r)) ->
  at_most_as_likely (TDrawsReal law c s next) (TDrawsReal law c s next').
Proof.
  intros H S L p Hp. inversion Hp; subst; [now apply least_nothing |].
  apply least_draws_real with pieces; auto. intros a b q r Hin Hr. apply H; eauto.
Qed.

Lemma equally_tells e v t t' : equally_likely t t' -> equally_likely (Tells e v t) (Tells e v t').
Proof. intros [H G]. split; now apply more_tells. Qed.
Lemma equally_draws law next next' : (forall z, equally_likely (next z) (next' z)) ->
  equally_likely (TDraws law next) (TDraws law next').
Proof. intros H. split; apply more_draws; intros z; apply (H z). Qed.
Lemma equally_draws_real law c s next next' : (forall r, equally_likely (next r) (next' r)) ->
  equally_likely (TDrawsReal law c s next) (TDrawsReal law c s next').
Proof. intros H. split; apply more_draws_real; intros r; apply (H r). Qed.
Lemma equally_tell events e v t t' : equally_likely t t' -> equally_likely (tell events e v t) (tell events e v t').
Proof. intros H. unfold tell. destruct existsb; auto using equally_tells. Qed.
Lemma equally_tell_row events e row : forall c t t', equally_likely t t' ->
  equally_likely (tell_row events e c row t) (tell_row events e c row t').
Proof. induction row; simpl; intros; auto using equally_tell. Qed.

(** * Noise that is drawn and not read yet *)

Inductive drawing :=
| OfIntegers (law : noise) (center : expr INT) (scale : expr REAL)
| OfReals (law : noise) (center scale : expr REAL)
| OfValues (s : sort) (outcome : string) (chances : list (expr BOOL * expr REAL)).

Definition draw_at (d : drawing) (m : memory) (t : value -> telling) : telling :=
  match d with
  | OfIntegers law c s => TDraws (Noise law (eval m c) (eval m s)) (fun z => t (Int z))
  | OfReals law c s => TDrawsReal law (eval m c) (eval m s) (fun r => t (Real r))
  | OfValues s o chances => TDraws (Chances (chosen m s o chances)) (fun z => t (drawn s z))
  end.
Definition draws_at (site : nat) (x : string) (d : drawing) : code :=
  match d with
  | OfIntegers law c s => Draw site law x c s
  | OfReals law c s => DrawReal site law x c s
  | OfValues s o chances => Choose site s x o chances
  end.
Definition law_free (names : list string) (d : drawing) : bool :=
  match d with
  | OfIntegers _ c s => free names c && free names s
  | OfReals _ c s => free names c && free names s
  | OfValues _ o chances => negb (among_names names o) && forallb (free_chance names) chances
  end.
(** Integers and truth values: draws of these have no order. *)
Definition has_values (d : drawing) : bool := match d with OfReals _ _ _ => false | _ => true end.

Lemma equally_draw_at d m t t' : (forall v, equally_likely (t v) (t' v)) -> equally_likely (draw_at d m t) (draw_at d m t').
Proof. intros H. destruct d; simpl; first [apply equally_draws | apply equally_draws_real]; auto. Qed.

Lemma chosen_alike names m m' s o chances : alike names m m' -> forallb (free_chance names) chances = true ->
  chosen m s o chances = chosen m' s o chances.
Proof.
  intros H Hf. assert (E : forall z, chance_of (upd m o (drawn s z)) chances = chance_of (upd m' o (drawn s z)) chances).
  { intros z. apply (alike_upd names m m' o (drawn s z)) in H. revert H. generalize (upd m o (drawn s z)) (upd m' o (drawn s z)).
    clear m m'. intros m m' H. induction chances as [| [c p] rest IH]; [reflexivity |]. simpl in *.
    apply andb_prop in Hf. destruct Hf as [Hc Hf]. apply andb_prop in Hc. destruct Hc as [Hc Hp].
    now rewrite (eval_alike names c m m' H Hc), (eval_alike names p m m' H Hp), IH. }
  extensionality z. unfold chosen. now rewrite E.
Qed.

Lemma draw_at_alike d names m m' t : alike names m m' -> law_free names d = true -> draw_at d m t = draw_at d m' t.
Proof.
  intros H Hf. destruct d as [law c s | law c s | s o chances]; simpl in *; apply andb_prop in Hf; destruct Hf as [Hc Hs];
    [now rewrite (eval_alike names c m m'), (eval_alike names s m m') .. |].
  now rewrite (chosen_alike names m m' s o chances).
Qed.

(** Parts that are no chance are nothing. *)
Lemma no_pieces (law : noise) c s (pieces : list (R * R * R)) : in_order pieces ->
  (forall a b q, In (a, b, q) pieces -> a < b -> q <= 0) ->
  sum (fun piece => interval_mass law c s (fst (fst piece)) (snd (fst piece)) * snd piece) pieces <= 0.
Proof.
  intros Ho H. apply Rle_trans with (sum (fun _ => 0) pieces); [| rewrite sum_zero; auto; lra].
  apply sum_le. intros [[a b] q] Hin. simpl. destruct (in_order_each _ _ _ _ Ho Hin) as [Hab | <-].
  - pose proof (interval_mass_nonneg law c s a b ltac:(lra)). specialize (H a b q Hin Hab). nra.
  - unfold interval_mass. destruct Rlt_dec; lra.
Qed.

Lemma middle a b : a < b -> a < (a + b) / 2 < b.
Proof. lra. Qed.

(** What is told next may as well be told before the noise is drawn. *)
Lemma of_tells S L e w t p : at_least S L (Tells e w t) p -> p <= 0 \/ exists L', L = (e, w) :: L' /\ at_least S L' t p.
Proof. intros H. inversion H; subst; eauto. Qed.
Lemma tells_before_values law e w u : equally_likely (TDraws law (fun z => Tells e w (u z))) (Tells e w (TDraws law u)).
Proof.
  split; intros S L p Hp.
  - inversion Hp as [| | | ? ? ? pieces ? Hnd Hq Hsum |]; subst; [now apply least_nothing |].
    destruct L as [| [e' w'] L].
    + apply least_nothing. eapply Rle_trans; [exact Hsum |]. apply Rle_trans with (sum (fun _ => 0) pieces); [| rewrite sum_zero; auto; lra].
      apply sum_le. intros [z q] Hin. simpl. destruct (of_tells _ _ _ _ _ _ (Hq z q Hin)) as [Hneg | (L' & HL & _)]; [| discriminate].
      pose proof (mass_nonneg law z). simpl in *. nra.
    + destruct (log_dec ((e', w') :: L) ((e, w) :: L)) as [HL | Hne].
      * injection HL as -> ->. apply least_tells, least_draws with pieces; auto. intros z q Hin.
        destruct (of_tells _ _ _ _ _ _ (Hq z q Hin)) as [Hneg | (L' & HL & Hat)]; [now apply least_nothing |]. injection HL as <-. exact Hat.
      * apply least_nothing. eapply Rle_trans; [exact Hsum |]. apply Rle_trans with (sum (fun _ => 0) pieces); [| rewrite sum_zero; auto; lra].
        apply sum_le. intros [z q] Hin. simpl. destruct (of_tells _ _ _ _ _ _ (Hq z q Hin)) as [Hneg | (L' & HL & _)]; [| congruence].
        pose proof (mass_nonneg law z). simpl in *. nra.
  - destruct (of_tells _ _ _ _ _ _ Hp) as [Hneg | (L' & -> & Hat)]; [now apply least_nothing |].
    inversion Hat as [| | | ? ? ? pieces ? Hnd Hq Hsum |]; subst; [now apply least_nothing |].
    apply least_draws with pieces; auto. intros z q Hin. apply least_tells. auto.
Qed.
Lemma tells_before d e w m t : equally_likely (draw_at d m (fun v => Tells e w (t v))) (Tells e w (draw_at d m t)).
Proof.
  destruct d; simpl; [apply (tells_before_values (Noise law _ _)) | | apply (tells_before_values (Chances _))]. split; intros S L p Hp.
  - inversion Hp as [| | | | ? ? ? ? ? pieces ? Ho Hq Hsum]; subst; [now apply least_nothing |].
    destruct L as [| [e' w'] L].
    + apply least_nothing. eapply Rle_trans; [exact Hsum |]. apply no_pieces; auto. intros a b q Hin Hab.
      destruct (of_tells _ _ _ _ _ _ (Hq a b q _ Hin (middle a b Hab))) as [Hneg | (L' & HL & _)]; [auto | discriminate].
    + destruct (log_dec ((e', w') :: L) ((e, w) :: L)) as [HL | Hne].
      * injection HL as -> ->. apply least_tells, least_draws_real with pieces; auto. intros a b q r Hin Hr.
        destruct (of_tells _ _ _ _ _ _ (Hq a b q r Hin Hr)) as [Hneg | (L' & HL & Hat)]; [now apply least_nothing |]. injection HL as <-. exact Hat.
      * apply least_nothing. eapply Rle_trans; [exact Hsum |]. apply no_pieces; auto. intros a b q Hin Hab.
        destruct (of_tells _ _ _ _ _ _ (Hq a b q _ Hin (middle a b Hab))) as [Hneg | (L' & HL & _)]; [auto | congruence].
  - destruct (of_tells _ _ _ _ _ _ Hp) as [Hneg | (L' & -> & Hat)]; [now apply least_nothing |].
    inversion Hat as [| | | | ? ? ? ? ? pieces ? Ho Hq Hsum]; subst; [now apply least_nothing |].
    apply least_draws_real with pieces; auto. intros a b q r Hin Hr. apply least_tells. eauto.
Qed.

(** Where a run fails it doesn't matter what it drew. *)
Lemma fails_before_values law : equally_likely (TDraws law (fun _ => TFails)) TFails.
Proof.
  split; intros S L p Hp; [| apply least_nothing; now inversion Hp]. apply least_nothing.
  inversion Hp as [| | | ? ? ? pieces ? Hnd Hq Hsum |]; subst; auto. eapply Rle_trans; [exact Hsum |].
  apply Rle_trans with (sum (fun _ => 0) pieces); [| rewrite sum_zero; auto; lra].
  apply sum_le. intros [z q] Hin. simpl. assert (q <= 0) by (specialize (Hq z q Hin); now inversion Hq).
  pose proof (mass_nonneg law z). simpl in *. nra.
Qed.
Lemma fails_before d m : equally_likely (draw_at d m (fun _ => TFails)) TFails.
Proof.
  destruct d; simpl; [apply fails_before_values | | apply fails_before_values].
  split; intros S L p Hp; apply least_nothing; [| now inversion Hp].
  inversion Hp as [| | | | ? ? ? ? ? pieces ? Ho Hq Hsum]; subst; auto. eapply Rle_trans; [exact Hsum |].
  apply no_pieces; auto. intros a b q Hin Hab. pose proof (Hq a b q _ Hin (middle a b Hab)) as F. now inversion F.
Qed.

(** A draw of values next may as well be made before. *)
Lemma draws_before d m law t : has_values d = true ->
  equally_likely (draw_at d m (fun v => TDraws law (t v))) (TDraws law (fun z => draw_at d m (fun v => t v z))).
Proof.
  intros H. destruct d; try discriminate; simpl; split; intros S L p Hp; revert Hp.
  - apply (draws_swapped S L _ _ (fun a b => t (Int a) b)).
  - apply (draws_swapped S L _ _ (fun b a => t (Int a) b)).
  - apply (draws_swapped S L _ _ (fun a b => t (drawn s a) b)).
  - apply (draws_swapped S L _ _ (fun b a => t (drawn s a) b)).
Qed.

Lemma tell_before events e w d m t : equally_likely (draw_at d m (fun v => tell events e w (t v))) (tell events e w (draw_at d m t)).
Proof. unfold tell. destruct existsb; [apply tells_before | apply equally_same]. Qed.
Lemma tell_row_before events e row d m : forall c t,
  equally_likely (draw_at d m (fun v => tell_row events e c row (t v))) (tell_row events e c row (draw_at d m t)).
Proof.
  induction row as [| v row IH]; simpl; intros c t; [apply equally_same |].
  eapply equally_trans; [apply (tell_before events (e c)) |]. apply equally_tell, IH.
Qed.

(** * Statements that have nothing to do with it *)

Section Deferred.
Variables (events : list event).
Notation run := (published events).

Definition apart (x : string) (d : drawing) (y : string) : bool := negb (String.eqb x y) && law_free [y] d.

Fixpoint passes (x : string) (d : drawing) (labels : list string) (c : code) : bool :=
  match c with
  | Skip => true
  | Assign y e => apart x d y && free [x] e
  | Draw _ _ y c s => apart x d y && (has_values d && (free [x] c && free [x] s))
  | Choose _ _ y o chances => apart x d y && (has_values d && (negb (among_names [x] o) && forallb (free_chance [x]) chances))
  | NewList y => apart x d y
  | Append y row => apart x d y && (negb (String.eqb y x) && forallb (free_item [x]) row)
  | Seq a b => passes x d labels a && passes x d labels b
  | If _ c a b => free [x] c && (passes x d labels a && passes x d labels b)
  | Block l body => passes x d (l :: labels) body
  | Loop _ body => passes x d labels body
  | Leave l => existsb (String.eqb l) labels
  | Ensure c | Assume c => free [x] c
  | _ => false
  end.

Lemma apart_alike x d y m v : apart x d y = true -> x <> y /\ alike [y] m (upd m y v) /\ law_free [y] d = true.
Proof.
  intros H. apply andb_prop in H. destruct H as [Hn Hl]. apply negb_true_iff, String.eqb_neq in Hn. split; auto. split; auto.
  intros z Hz. unfold upd. destruct (String.eqb_spec z y) as [-> |]; auto. unfold among_names in Hz. simpl in Hz.
  now rewrite String.eqb_refl in Hz.
Qed.

Lemma as_before (x : string) (m : memory) v {s} (e : expr s) : free [x] e = true -> eval (upd m x v) e = eval m e.
Proof. intros H. apply (eval_alike [x]); auto. apply alike_drawn. Qed.

Lemma after_drawing x d y m w (k : memory -> telling) : apart x d y = true ->
  draw_at d m (fun v => k (upd (upd m x v) y w)) = draw_at d (upd m y w) (fun v => k (upd (upd m y w) x v)).
Proof.
  intros H. destruct (apart_alike x d y m w H) as (Hn & Ha & Hl).
  rewrite <- (draw_at_alike d [y] m (upd m y w)) by auto. f_equal. extensionality v. now rewrite upd_swapped.
Qed.

Lemma passed x d fuel : forall c labels lv lv' k k', passes x d labels c = true ->
  (forall m, equally_likely (draw_at d m (fun v => k (upd m x v))) (k' m)) ->
  (forall l m, existsb (String.eqb l) labels = true -> equally_likely (draw_at d m (fun v => lv l (upd m x v))) (lv' l m)) ->
  forall m, equally_likely (draw_at d m (fun v => run fuel c lv k (upd m x v))) (run fuel c lv' k' m).
Proof.
  induction c; intros labels lv lv' k k' Hp Hk Hl m; simpl in Hp; try discriminate; simpl.
  - apply Hk.
  - apply andb_prop in Hp. destruct Hp as [Ha He].
    replace (fun v => k (upd (upd m x v) x0 (put s (eval (upd m x v) e))))
      with (fun v => k (upd (upd m x v) x0 (put s (eval m e)))) by (extensionality v; now rewrite as_before).
    rewrite after_drawing by auto. apply Hk.
  - apply andb_prop in Hp. destruct Hp as [Ha Hp]. apply andb_prop in Hp. destruct Hp as [Hv Hp]. apply andb_prop in Hp. destruct Hp as [Hc Hs].
    replace (fun v => TDraws (Noise law (eval (upd m x v) center) (eval (upd m x v) scale)) (fun z => k (upd (upd m x v) x0 (Int z))))
      with (fun v => TDraws (Noise law (eval m center) (eval m scale)) (fun z => k (upd (upd m x v) x0 (Int z))))
      by (extensionality v; now rewrite !as_before).
    eapply equally_trans; [apply (draws_before d m _ (fun v z => k (upd (upd m x v) x0 (Int z)))); auto |].
    apply equally_draws. intros z. rewrite after_drawing by auto. apply Hk.
  - apply andb_prop in Hp. destruct Hp as [Ha Hp]. apply andb_prop in Hp. destruct Hp as [Hv Hp]. apply andb_prop in Hp. destruct Hp as [_ Hc].
    replace (fun v => TDraws (Chances (chosen (upd m x v) s outcome chances)) (fun z => k (upd (upd m x v) x0 (drawn s z))))
      with (fun v => TDraws (Chances (chosen m s outcome chances)) (fun z => k (upd (upd m x v) x0 (drawn s z))))
      by (extensionality v; now rewrite (chosen_alike [x] (upd m x v) m) by auto using alike_drawn).
    eapply equally_trans; [apply (draws_before d m _ (fun v z => k (upd (upd m x v) x0 (drawn s z)))); auto |].
    apply equally_draws. intros z. rewrite after_drawing by auto. apply Hk.
  - rewrite after_drawing by auto. apply Hk.
  - apply andb_prop in Hp. destruct Hp as [Ha Hp]. apply andb_prop in Hp. destruct Hp as [Hx Hr].
    apply negb_true_iff in Hx.
    set (values := map (item_value m) row).
    replace (fun v => tell_row events (Appended x0) 0 (map (item_value (upd m x v)) row)
        (k (upd (upd m x v) x0 (Rows (as_rows (upd m x v x0) ++ [map (item_value (upd m x v)) row])))))
      with (fun v => tell_row events (Appended x0) 0 values (k (upd (upd m x v) x0 (Rows (as_rows (m x0) ++ [values]))))).
    2: { extensionality v. unfold values. rewrite (items_alike [x] (upd m x v) m row) by auto using alike_drawn.
         replace (upd m x v x0) with (m x0) by (unfold upd; now rewrite Hx). reflexivity. }
    eapply equally_trans; [apply (tell_row_before events (Appended x0) values d m 0 (fun v => k (upd (upd m x v) x0 (Rows (as_rows (m x0) ++ [values]))))) |].
    apply equally_tell_row. rewrite after_drawing by auto. apply Hk.
  - apply andb_prop in Hp. destruct Hp as [Ha Hb]. apply (IHc1 labels); auto. intros m'. apply (IHc2 labels); auto.
  - apply andb_prop in Hp. destruct Hp as [Hc Hp]. apply andb_prop in Hp. destruct Hp as [Ha Hb].
    replace (fun v => tell events (Branch branch) (TheBool (eval (upd m x v) c1))
        (if eval (upd m x v) c1 then run fuel c2 lv k (upd m x v) else run fuel c3 lv k (upd m x v)))
      with (fun v => tell events (Branch branch) (TheBool (eval m c1))
        (if eval m c1 then run fuel c2 lv k (upd m x v) else run fuel c3 lv k (upd m x v)))
      by (extensionality v; now rewrite as_before).
    eapply equally_trans; [apply (tell_before events (Branch branch) (TheBool (eval m c1)) d m
      (fun v => if eval m c1 then run fuel c2 lv k (upd m x v) else run fuel c3 lv k (upd m x v))) |].
    apply equally_tell. destruct (eval m c1); [apply (IHc1 labels) | apply (IHc2 labels)]; auto.
  - apply (IHc (label :: labels)); auto. intros l m' H. simpl in H. destruct (String.eqb l label); auto.
  - generalize fuel at 2 4 as n. intros n. revert m. induction n as [| n IH]; intros m; [apply fails_before |].
    apply (IHc labels); auto.
  - apply Hl. auto.
  - replace (fun v => if eval (upd m x v) c then k (upd m x v) else TFails)
      with (fun v => if eval m c then k (upd m x v) else TFails) by (extensionality v; now rewrite as_before).
    destruct (eval m c); [apply Hk | apply fails_before].
  - replace (fun v => if eval (upd m x v) c then k (upd m x v) else TFails)
      with (fun v => if eval m c then k (upd m x v) else TFails) by (extensionality v; now rewrite as_before).
    destruct (eval m c); [apply Hk | apply fails_before].
Qed.

(** * Programs *)

Definition same_chances (c c' : code) : Prop := forall fuel lv lv' k k',
  (forall l m, equally_likely (lv l m) (lv' l m)) -> (forall m, equally_likely (k m) (k' m)) ->
  forall m, equally_likely (run fuel c lv k m) (run fuel c' lv' k' m).

Lemma same_code c : same_chances c c.
Proof.
  induction c; intros fuel lv lv' k k' Hl Hk m; simpl.
  - apply Hk.
  - apply Hk.
  - apply equally_draws. intros z. apply Hk.
  - apply equally_draws_real. intros r. apply Hk.
  - apply equally_draws. intros z. apply Hk.
  - destruct forallb; [apply equally_draws; intros z; apply Hk | apply equally_same].
  - apply Hk.
  - apply equally_tell_row, Hk.
  - apply IHc1; [exact Hl | intros m'; apply IHc2; [exact Hl | exact Hk]].
  - apply equally_tell. destruct eval; [apply IHc1 | apply IHc2]; assumption.
  - apply IHc; auto. intros l m'. destruct String.eqb; auto.
  - generalize fuel at 2 4 as n. intros n. revert m. induction n as [| n IH]; intros m; [apply equally_same |].
    apply IHc; auto.
  - apply Hl.
  - destruct eval; [apply Hk | apply equally_same].
  - destruct eval; [apply Hk | apply equally_same].
  - apply equally_same.
Qed.
Lemma same_trans c1 c2 c3 : same_chances c1 c2 -> same_chances c2 c3 -> same_chances c1 c3.
Proof.
  intros H G fuel lv lv' k k' Hl Hk m. apply equally_trans with (run fuel c2 lv k m).
  - apply H; intros; apply equally_same.
  - apply G; auto.
Qed.
Lemma same_seq a a' b b' : same_chances a a' -> same_chances b b' -> same_chances (Seq a b) (Seq a' b').
Proof. intros H G fuel lv lv' k k' Hl Hk m. simpl. apply H; [exact Hl | intros m'; apply G; [exact Hl | exact Hk]]. Qed.
Lemma same_if n c a a' b b' : same_chances a a' -> same_chances b b' -> same_chances (If n c a b) (If n c a' b').
Proof. intros H G fuel lv lv' k k' Hl Hk m. simpl. apply equally_tell. destruct eval; [apply H | apply G]; assumption. Qed.
Lemma same_block l a a' : same_chances a a' -> same_chances (Block l a) (Block l a').
Proof. intros H fuel lv lv' k k' Hl Hk m. simpl. apply H; [intros l' m'; destruct String.eqb; auto | exact Hk]. Qed.
Lemma same_loop n a a' : same_chances a a' -> same_chances (Loop n a) (Loop n a').
Proof.
  intros H fuel lv lv' k k' Hl Hk m. simpl. generalize fuel at 2 4 as i. intros i. revert m.
  induction i as [| i IH]; intros m; [apply equally_same |]. apply H; auto.
Qed.

Lemma drawn_behind x d fuel n c lv k m : passes x d [] c = true ->
  equally_likely (run fuel (draws_at n x d) lv (run fuel c lv k) m) (run fuel c lv (run fuel (draws_at n x d) lv k) m).
Proof.
  intros H. assert (E : forall k m, run fuel (draws_at n x d) lv k m = draw_at d m (fun v => k (upd m x v))) by (destruct d; reflexivity).
  rewrite E. apply (passed x d fuel c []); auto; [| discriminate]. intros m'. rewrite E. apply equally_same.
Qed.

(** [Defer] past one statement. *)
Theorem deferred n x d c : passes x d [] c = true -> same_chances (Seq (draws_at n x d) c) (Seq c (draws_at n x d)).
Proof.
  intros H fuel lv lv' k k' Hl Hk m. apply equally_trans with (run fuel (Seq (draws_at n x d) c) lv' k' m).
  - apply same_code; auto.
  - now apply drawn_behind.
Qed.
Theorem deferred_before n x d c rest : passes x d [] c = true ->
  same_chances (Seq (draws_at n x d) (Seq c rest)) (Seq c (Seq (draws_at n x d) rest)).
Proof.
  intros H fuel lv lv' k k' Hl Hk m. apply equally_trans with (run fuel (Seq (draws_at n x d) (Seq c rest)) lv' k' m).
  - apply same_code; auto.
  - exact (drawn_behind x d fuel n c lv' (run fuel rest lv' k') m H).
Qed.

(** The program is private if the one with deferred draws is. *)
Theorem private_after program program' epsilon input1 input2 : same_chances program program' ->
  told_private_on events epsilon program' input1 input2 -> told_private_on events epsilon program input1 input2.
Proof.
  intros H G S p1 p2 H1 H2.
  assert (E : forall input p, told_probability events program input S p -> told_probability events program' input S p).
  { intros input p [Hub Hlub].
    assert (Q : forall fuel, equally_likely (told_runs events fuel program input) (told_runs events fuel program' input))
      by (intros fuel; apply H; intros; apply equally_same).
    split.
    - intros part (fuel & logs & q & Hnd & Hq & ->). apply Hub. exists fuel, logs, q. split; auto. split; auto.
      intros L HL. apply (Q fuel), Hq, HL.
    - intros b Hb. apply Hlub. intros part (fuel & logs & q & Hnd & Hq & ->). apply Hb. exists fuel, logs, q. split; auto. split; auto.
      intros L HL. apply (Q fuel), Hq, HL. }
  apply (G S); auto.
Qed.

End Deferred.

(** The same where both draw integers. *)
Theorem private_as program program' epsilon input1 input2 : same_chances [] program program' ->
  draws_integers program = true -> draws_integers program' = true ->
  private_on epsilon program' input1 input2 -> private_on epsilon program input1 input2.
Proof.
  intros H Hi Hi'. apply private_alike; auto. intros input S p.
  assert (Q : forall fuel, equally_likely (told_runs [] fuel program input) (told_runs [] fuel program' input))
    by (intros fuel; apply H; intros; apply equally_same).
  split; intros (fuel & Hf); exists fuel; now apply (Q fuel).
Qed.

(** The place where noise is deferred is looked for: the programs are the same but for that. *)
Ltac drawing_of c := lazymatch c with
  | Draw ?n ?law ?x ?a ?s => constr:((n, x, OfIntegers law a s))
  | DrawReal ?n ?law ?x ?a ?s => constr:((n, x, OfReals law a s))
  | Choose ?n ?s ?x ?o ?chances => constr:((n, x, OfValues s o chances))
  end.
(** The statement that comes first there comes before all draws that come before it here. *)
Ltac pulled := lazymatch goal with
  | |- same_chances ?evs (Seq ?a ?b) (Seq ?s _) => lazymatch drawing_of a with (?n, ?x, ?d) => lazymatch b with
    | s => apply (deferred evs n x d s); reflexivity
    | Seq s ?rest => apply (deferred_before evs n x d s rest); reflexivity
    | Seq _ _ => eapply (same_trans evs _ (Seq a (Seq s _)));
        [ apply same_seq; [ apply same_code | pulled ] | apply (deferred_before evs n x d s); reflexivity ]
    end end
  end.
Ltac same_programs := lazymatch goal with
  | |- same_chances ?evs ?c ?c' => tryif constr_eq c c' then apply same_code else lazymatch constr:((c, c')) with
    | (Seq ?a ?b, Seq ?a' ?b') =>
        tryif constr_eq a a' then (apply same_seq; [ apply same_code | same_programs ])
        else first
          [ eapply (same_trans evs _ (Seq a' _)); [ pulled | cbn [draws_at]; same_programs ]
          | apply same_seq; same_programs ]
    | (If _ _ _ _, If _ _ _ _) => apply same_if; same_programs
    | (Block _ _, Block _ _) => apply same_block; same_programs
    | (Loop _ _, Loop _ _) => apply same_loop; same_programs
    end
  end.
