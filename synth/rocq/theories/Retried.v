(** [Until]: a loop that is retried until it is left costs twice what one of its rounds does.

    All rounds on one input begin alike, and draws are independent.  Let r be the chance that a round comes to an
    output in S, and t that another one follows; then the loop's chance p of S has p = r + t * p.  If a round is
    epsilon-private in both directions and ends, so are r and 1 - t (Liu & Talwar 2019 have the case in which a coin
    may end the loop, too). *)
From Coq Require Import Lia Lra FunctionalExtensionality.
From synth Require Export Parts.
Local Open Scope list_scope.

(** * One round *)

(** A round returns true and what is returned, or false where another one would follow. *)
Fixpoint marked (c : code) : code :=
  match c with
  | Seq a b => Seq (marked a) (marked b)
  | If n c a b => If n c (marked a) (marked b)
  | Block l body => Block l (marked body)
  | Loop n body => Loop n (marked body)
  | Return vs ls => Return (Item (BoolConst true) :: vs) ls
  | c => c
  end.
Definition tried_again : code := Return [Item (BoolConst false)] [].

(** What comes before the loop is [before], what comes behind it [after]; rounds go on in [body]. *)
Definition retried (before : code) (label : string) (n : nat) (body after : code) : code :=
  before ;; Block label (Loop n body) ;; after.
Definition one_round (before : code) (label : string) (body after : code) : code :=
  before ;; Block label (marked body ;; tried_again) ;; marked after.

Definition returned (o : output) : option output :=
  match values o with Bool true :: vs => Some (Output vs (lists o)) | _ => None end.

(** The runs of a round, where [t] follows if it is tried again. *)
Fixpoint grafted (t round : telling) : telling :=
  match round with
  | TEnds o => match returned o with Some o' => TEnds o' | None => t end
  | TFails => TFails
  | TDraws law next => TDraws law (fun z => grafted t (next z))
  | TDrawsReal law c s next => TDrawsReal law c s (fun r => grafted t (next r))
  | Tells e v rest => Tells e v (grafted t rest)
  end.

Lemma grafted_runs fuel t c : forall lv k m,
  grafted t (published [] fuel (marked c) lv k m)
  = published [] fuel c (fun l m => grafted t (lv l m)) (fun m => grafted t (k m)) m.
Proof.
  induction c; intros lv k m; simpl; auto.
  - destruct forallb; auto.
  - now rewrite !quiet_row_none.
  - rewrite IHc1. f_equal. extensionality m'. apply IHc2.
  - unfold tell. simpl. destruct eval; auto.
  - rewrite IHc. f_equal. extensionality l. extensionality m'. now destruct String.eqb.
  - generalize fuel at 2 4 as n. intros n. revert m. induction n as [| n IH]; intros m; [reflexivity |].
    rewrite IHc. f_equal. extensionality m'. apply IH.
  - destruct eval; auto.
  - destruct eval; auto.
  - now rewrite !quiet_row_none.
Qed.

(** * What a round may not know of rounds before it *)

(** The names that are still of a round before, behind a statement that reads none of [names]; [allowed] are those
    that may be where a block is left. *)
Definition without (x : string) (names : list string) : list string := filter (fun y => negb (String.eqb x y)) names.
Definition both (a b : option (list string)) : option (list string) :=
  match a, b with Some l, Some l' => Some (l ++ l') | _, _ => None end.
Fixpoint still_old (allowed : string -> list string) (names : list string) (c : code) : option (list string) :=
  match c with
  | Skip => Some names
  | Leave l => if forallb (among_names (allowed l)) names then Some names else None
  | Assign x e => if free names e then Some (without x names) else None
  | Draw _ _ x center scale => if free names center && free names scale then Some (without x names) else None
  | DrawReal _ _ x center scale => if free names center && free names scale then Some (without x names) else None
  | Choose _ _ x o chances =>
      if negb (among_names names o) && forallb (free_chance names) chances then Some (without x names) else None
  | Weigh _ x o count score rate demands =>
      if negb (among_names names o) && (free names count && (free names score && (free names rate && forallb (free names) demands)))
      then Some (without x names) else None
  | NewList x => Some (without x names)
  | Append x row => if negb (among_names names x) && forallb (free_item names) row then Some names else None
  | Seq a b => match still_old allowed names a with Some left => still_old allowed left b | None => None end
  | If _ c a b => if free names c then both (still_old allowed names a) (still_old allowed names b) else None
  | Block l body => match still_old (fun l' => if String.eqb l' l then names else allowed l') names body with Some _ => Some names | None => None end
  | Loop _ body => match still_old allowed names body with Some _ => Some names | None => None end
  | Ensure c | Assume c => if free names c then Some names else None
  | Return vs ls =>
      if forallb (free_item names) vs && forallb (fun x => negb (among_names names x)) ls then Some names else None
  end.

Lemma among_in names x : among_names names x = true <-> In x names.
Proof.
  unfold among_names. rewrite existsb_exists. split.
  - intros (y & Hy & E). apply String.eqb_eq in E as ->. exact Hy.
  - intros H. exists x. rewrite String.eqb_refl. auto.
Qed.
Lemma alike_fewer names names' m m' : incl names names' -> alike names m m' -> alike names' m m'.
Proof.
  intros Hi H x Hx. apply H. destruct (among_names names x) eqn:E; auto. apply among_in, Hi, among_in in E. congruence.
Qed.
Lemma alike_assigned names x m m' v : alike names m m' -> alike (without x names) (upd m x v) (upd m' x v).
Proof.
  intros H y Hy. unfold upd. destruct (String.eqb_spec y x) as [-> | Hne]; auto. apply H.
  destruct (among_names names y) eqn:E; auto. apply among_in in E.
  assert (In y (without x names)) by (apply filter_In; split; auto; apply negb_true_iff, String.eqb_neq; auto).
  apply among_in in H0. congruence.
Qed.
Lemma without_fewer x names : incl (without x names) names.
Proof. intros y Hy. now apply filter_In in Hy. Qed.

Lemma still_old_fewer c : forall allowed names left, still_old allowed names c = Some left -> incl left names.
Proof.
  induction c; intros allowed names left; simpl; intros H;
    repeat match type of H with
    | (if ?b then _ else _) = _ => destruct b
    | match ?o with _ => _ end = _ => destruct o eqn:?
    end; try discriminate; try (injection H as <-); auto using incl_refl, without_fewer.
  - eapply incl_tran; eauto.
  - unfold both in H. destruct (still_old allowed names c2) eqn:E1, (still_old allowed names c3) eqn:E2; try discriminate.
    injection H as <-. apply incl_app; eauto.
Qed.

Lemma chances_same names m m' chances : alike names m m' -> forallb (free_chance names) chances = true ->
  chance_of m chances = chance_of m' chances.
Proof.
  intros H. induction chances as [| [c p] rest IH]; simpl; intros Hf; [auto |]. apply andb_prop in Hf. destruct Hf as [Hc Hf].
  apply andb_prop in Hc. destruct Hc as [Hc Hp].
  rewrite (eval_alike names c m m' H Hc), (eval_alike names p m m' H Hp), IH; auto.
Qed.

(** So a round does the same, whatever these names stand for. *)
Lemma begins_alike fuel c : forall allowed names left lv lv' k k' m m', still_old allowed names c = Some left -> alike names m m' ->
  (forall l m m', alike (allowed l) m m' -> lv l m = lv' l m') -> (forall m m', alike left m m' -> k m = k' m') ->
  published [] fuel c lv k m = published [] fuel c lv' k' m'.
Proof.
  induction c; intros allowed names left lv lv' k k' m m' Ho Hm Hl Hk; simpl in Ho |- *.
  - injection Ho as <-. auto.
  - destruct (free names e) eqn:E; [| discriminate]. injection Ho as <-. rewrite (eval_alike names e m m') by auto.
    apply Hk. now apply alike_assigned.
  - destruct (free names center && free names scale) eqn:E; [| discriminate]. injection Ho as <-. apply andb_prop in E as [E1 E2].
    rewrite (eval_alike names center m m'), (eval_alike names scale m m') by auto. f_equal. extensionality z. apply Hk. now apply alike_assigned.
  - destruct (free names center && free names scale) eqn:E; [| discriminate]. injection Ho as <-. apply andb_prop in E as [E1 E2].
    rewrite (eval_alike names center m m'), (eval_alike names scale m m') by auto. f_equal. extensionality z. apply Hk. now apply alike_assigned.
  - destruct (negb (among_names names outcome) && forallb (free_chance names) chances) eqn:E; [| discriminate]. injection Ho as <-.
    apply andb_prop in E as [_ E]. replace (chosen m' s outcome chances) with (chosen m s outcome chances).
    + f_equal. extensionality z. apply Hk. now apply alike_assigned.
    + extensionality z. unfold chosen.
      rewrite (chances_same names (upd m outcome (drawn s z)) (upd m' outcome (drawn s z))) by (auto; now apply alike_upd). reflexivity.
  - destruct (negb (among_names names outcome) && _) eqn:E; [| discriminate]. injection Ho as <-.
    repeat (apply andb_prop in E; let H := fresh in destruct E as [H E]). 
    rewrite (eval_alike names count m m') by auto.
    replace (demanded m' outcome demands) with (demanded m outcome demands)
      by (extensionality i; unfold demanded; apply demands_alike with names; auto; now apply alike_upd).
    replace (exponent m' outcome score rate) with (exponent m outcome score rate)
      by (extensionality i; unfold exponent; rewrite (eval_alike names rate m m') by auto; f_equal;
          apply eval_alike with names; auto; now apply alike_upd).
    destruct (forallb (demanded m outcome demands) _); auto. f_equal. extensionality z. apply Hk. now apply alike_assigned.
  - injection Ho as <-. apply Hk. now apply alike_assigned.
  - destruct (negb (among_names names x) && forallb (free_item names) row) eqn:E; [| discriminate]. injection Ho as <-.
    apply andb_prop in E as [E1 E2]. apply negb_true_iff in E1. rewrite (items_alike names m m' row), (Hm x) by auto.
    rewrite !quiet_row_none. apply Hk. now apply alike_upd.
  - destruct (still_old allowed names c1) as [between |] eqn:E; [| discriminate]. apply (IHc1 allowed names between); auto.
    intros m1 m2 H. now apply (IHc2 allowed between left).
  - unfold both in Ho. destruct (free names c1) eqn:E; [| discriminate].
    destruct (still_old allowed names c2) as [l1 |] eqn:E1, (still_old allowed names c3) as [l2 |] eqn:E2; try discriminate. injection Ho as <-.
    unfold tell. simpl. rewrite (eval_alike names c1 m m') by auto. destruct eval.
    + apply (IHc1 allowed names l1); auto. intros m1 m2 H. apply Hk. eapply alike_fewer; [| exact H]. apply incl_appl, incl_refl.
    + apply (IHc2 allowed names l2); auto. intros m1 m2 H. apply Hk. eapply alike_fewer; [| exact H]. apply incl_appr, incl_refl.
  - set (inside := fun l' => if String.eqb l' label then names else allowed l') in *.
    destruct (still_old inside names c) as [l1 |] eqn:E; [| discriminate]. injection Ho as <-. apply (IHc inside names l1); auto.
    + intros l m1 m2 H. unfold inside in H. destruct String.eqb; auto.
    + intros m1 m2 H. apply Hk. eapply alike_fewer; [| exact H]. now apply still_old_fewer in E.
  - destruct (still_old allowed names c) as [l1 |] eqn:E; [| discriminate]. injection Ho as <-.
    generalize fuel at 2 4 as n. intros n. revert m m' Hm. induction n as [| n IH]; intros m m' Hm; [reflexivity |].
    apply (IHc allowed names l1); auto. intros m1 m2 H. apply IH. eapply alike_fewer; [| exact H]. now apply still_old_fewer in E.
  - destruct (forallb (among_names (allowed label)) names) eqn:E; [| discriminate]. injection Ho as <-. apply Hl.
    eapply alike_fewer; [| exact Hm]. intros x Hx. rewrite forallb_forall in E. apply among_in. auto.
  - destruct (free names c) eqn:E; [| discriminate]. injection Ho as <-. rewrite (eval_alike names c m m') by auto. destruct eval; auto.
  - destruct (free names c) eqn:E; [| discriminate]. injection Ho as <-. rewrite (eval_alike names c m m') by auto. destruct eval; auto.
  - destruct (forallb (free_item names) values && _) eqn:E; [| discriminate]. apply andb_prop in E as [E1 E2].
    now rewrite (items_alike names m m' values), (rows_alike names m m' lists) by auto.
Qed.

(** The names that a program assigns. *)
Fixpoint assigned (c : code) : list string :=
  match c with
  | Assign x _ | Draw _ _ x _ _ | DrawReal _ _ x _ _ | Choose _ _ x _ _ | Weigh _ x _ _ _ _ _ | NewList x | Append x _ => [x]
  | Seq a b | If _ _ a b => assigned a ++ assigned b
  | Block _ body | Loop _ body => assigned body
  | _ => []
  end.

Lemma alike_changed names m m' x v : In x names -> alike names m m' -> alike names (upd m x v) m'.
Proof.
  intros Hx H y Hy. unfold upd. destruct (String.eqb_spec y x) as [-> |]; auto. apply among_in in Hx. congruence.
Qed.

(** It matters only what comes behind memories that differ in these. *)
Lemma ends_alike fuel names m0 c : forall lv lv' k k' m, incl (assigned c) names -> alike names m m0 ->
  (forall l m, alike names m m0 -> lv l m = lv' l m) -> (forall m, alike names m m0 -> k m = k' m) ->
  published [] fuel c lv k m = published [] fuel c lv' k' m.
Proof.
  induction c; intros lv lv' k k' m Hi Hm Hl Hk; simpl in Hi |- *; auto;
    try (assert (Hx : In x names) by (apply Hi; simpl; auto));
    try solve [auto using alike_changed | f_equal; extensionality z; auto using alike_changed].
  - destruct forallb; auto. f_equal. extensionality z. auto using alike_changed.
  - rewrite !quiet_row_none. auto using alike_changed.
  - apply incl_app_inv in Hi as [H1 H2]. apply IHc1; auto.
  - apply incl_app_inv in Hi as [H1 H2]. unfold tell. simpl. destruct eval; auto.
  - apply IHc; auto. intros l m' H. destruct String.eqb; auto.
  - generalize fuel at 2 4 as n. intros n. revert m Hm. induction n as [| n IH]; intros m Hm; auto.
  - destruct eval; auto.
  - destruct eval; auto.
Qed.

(** * Chances *)

Definition done_in (S : output -> Prop) (o : output) : Prop := exists o', returned o = Some o' /\ S o'.
Definition not_done (o : output) : Prop := returned o = None.

Lemma merged_heads (h1 h2 : list Z) : exists heads, NoDup heads /\ incl h1 heads /\ incl h2 heads.
Proof.
  exists (nodup Z.eq_dec (h1 ++ h2)). split; [apply NoDup_nodup |].
  split; intros z Hz; apply nodup_In, in_app_iff; auto.
Qed.

(** What another round brings: at least the chance that it follows times what it has. *)
Lemma grafted_below S t ds : part_of S [] t ds -> forall round d1 d2,
  part_of (done_in S) [] round d1 -> part_of not_done [] round d2 ->
  exists ds', part_of S [] (grafted t round) ds'
  /\ sum (told_chance round) d1 + sum (told_chance round) d2 * sum (told_chance t) ds <= sum (told_chance (grafted t round)) ds'.
Proof.
  intros Hds. pose proof (part_nonneg t ds) as Hnn. induction round as [o | | law next IH | law c s next IH | e v rest IH]; intros d1 d2 H1 H2.
  - destruct (part_of_end _ _ _ H1) as [_ B1]. destruct (part_of_end _ _ _ H2) as [_ B2]. simpl.
    assert (E : forall (S' : output -> Prop) d, part_of S' [] (TEnds o) d -> d = [] \/ S' o).
    { intros S' [| x d] [_ H]; auto. right. destruct (H x (or_introl eq_refl)) as (o' & Ho & So). destruct x; [| discriminate].
      injection Ho as <-. exact So. }
    destruct (returned o) as [o' |] eqn:R.
    + destruct (E _ _ H2) as [-> | N]; [| unfold not_done in N; congruence].
      destruct (E _ _ H1) as [-> | (o2 & Ho2 & So)].
      * exists []. split; [apply nothing | simpl; lra].
      * rewrite R in Ho2. injection Ho2 as <-. exists [[]]. split; [| simpl; simpl in B1; lra].
        split; [repeat constructor; auto |]. intros d [<- | []]. exists o'. auto.
    + destruct (E _ _ H1) as [-> | (o2 & Ho2 & So)]; [| congruence]. exists ds. split; auto. simpl sum at 1. simpl in B2. nra.
  - exists []. split; [apply nothing |]. assert (E : forall (S' : output -> Prop) d, part_of S' [] TFails d -> d = []).
    { intros S' [| x d] [_ H]; auto. destruct (H x (or_introl eq_refl)) as (o & Ho & _). discriminate. }
    rewrite (E _ _ H1), (E _ _ H2). simpl. lra.
  - destruct (split_draws _ _ _ _ _ H1) as (h1 & F1 & N1 & P1 & ->). destruct (split_draws _ _ _ _ _ H2) as (h2 & F2 & N2 & P2 & ->).
    destruct (merged_heads h1 h2) as (heads & Hh & I1 & I2).
    destruct (choose_for Z.eq_dec [] (fun z ds' => part_of S [] (grafted t (next z)) ds'
      /\ sum (told_chance (next z)) (F1 z) + sum (told_chance (next z)) (F2 z) * sum (told_chance t) ds
         <= sum (told_chance (grafted t (next z))) ds') heads) as (F & HF).
    { intros z. apply IH; auto. }
    destruct (join_draws S [] law (fun z => grafted t (next z)) (fun z => z) (fun z => if in_dec Z.eq_dec z heads then F z else []) heads)
      as (ds' & Hds' & Hsum); auto.
    { intros z. destruct in_dec; [apply HF; auto | apply nothing]. }
    exists ds'. split; [exact Hds' |]. simpl grafted. rewrite Hsum.
    apply Rle_trans with (sum (fun z => mass law z * sum (told_chance (next z)) (F1 z)) heads
      + sum (fun z => mass law z * sum (told_chance (next z)) (F2 z)) heads * sum (told_chance t) ds).
    + assert (P : forall F' z, 0 <= mass law z * sum (told_chance (next z)) (F' z))
        by (intros; apply Rmult_le_pos; [apply mass_nonneg | apply part_nonneg]).
      apply Rplus_le_compat; [| apply Rmult_le_compat_r; auto]; apply sum_le_incl; auto.
    + rewrite Rmult_comm, <- sum_scale, <- sum_plus. apply sum_le. intros z Hz. destruct in_dec; [| contradiction].
      destruct (HF z Hz) as [_ Hle]. pose proof (mass_nonneg law z). nra.
  - exists []. split; [apply nothing |]. assert (E : forall (S' : output -> Prop) d, part_of S' [] (TDrawsReal law c s next) d -> d = []).
    { intros S' [| x d] [_ H]; auto. destruct (H x (or_introl eq_refl)) as (o & Ho & _). discriminate. }
    rewrite (E _ _ H1), (E _ _ H2). simpl. lra.
  - exists []. split; [apply nothing |]. assert (E : forall (S' : output -> Prop) d, part_of S' [] (Tells e v rest) d -> d = []).
    { intros S' [| x d] [_ H]; auto. destruct (H x (or_introl eq_refl)) as (o & Ho & _). simpl in Ho.
      destruct told_outcome as [[? ?] |]; discriminate. }
    rewrite (E _ _ H1), (E _ _ H2). simpl. lra.
Qed.

(** And at most that. *)
Lemma grafted_above S t a : 0 <= a -> (forall ds, part_of S [] t ds -> sum (told_chance t) ds <= a) -> forall round ds,
  part_of S [] (grafted t round) ds ->
  exists d1 d2, part_of (done_in S) [] round d1 /\ part_of not_done [] round d2
  /\ sum (told_chance (grafted t round)) ds <= sum (told_chance round) d1 + sum (told_chance round) d2 * a.
Proof.
  intros Ha Ht. induction round as [o | | law next IH | law c s next IH | e v rest IH]; intros ds Hds; simpl in Hds.
  - assert (One : forall (S' : output -> Prop) o, S' o -> part_of S' [] (TEnds o) [[]]).
    { intros S' o' So. split; [repeat constructor; auto |]. intros d [<- | []]. now exists o'. }
    simpl. destruct (returned o) as [o' |] eqn:R.
    + destruct ds as [| d ds]; [exists [], []; split; [apply nothing | split; [apply nothing | simpl; lra]] |].
      pose proof (proj2 (part_of_end _ _ _ Hds)) as B. exists [[]], []. split; [| split; [apply nothing | eapply Rle_trans; [exact B | cbn; lra]]].
      apply One. exists o'. split; auto. destruct Hds as [_ H]. destruct (H d (or_introl eq_refl)) as (o2 & Ho2 & So).
      destruct d; [| discriminate]. injection Ho2 as <-. exact So.
    + exists [], [[]]. split; [apply nothing |]. split; [now apply One |]. eapply Rle_trans; [exact (Ht ds Hds) | cbn; lra].
  - exists [], []. split; [apply nothing |]. split; [apply nothing |]. destruct ds as [| d ds]; [simpl; lra |].
    destruct Hds as [_ H]. destruct (H d (or_introl eq_refl)) as (o & Ho & _). discriminate.
  - destruct (split_draws _ _ _ _ _ Hds) as (heads & F & Hh & P & Hsum). simpl grafted. rewrite Hsum.
    destruct (choose_for Z.eq_dec ([], []) (fun z (d : list (list Z) * list (list Z)) =>
      part_of (done_in S) [] (next z) (fst d) /\ part_of not_done [] (next z) (snd d)
      /\ sum (told_chance (grafted t (next z))) (F z) <= sum (told_chance (next z)) (fst d) + sum (told_chance (next z)) (snd d) * a) heads)
      as (G & HG).
    { intros z. destruct (IH z (F z) (P z)) as (d1 & d2 & H). exists (d1, d2). exact H. }
    assert (J : forall (S' : output -> Prop) (pick : list (list Z) * list (list Z) -> list (list Z)),
      (forall z, In z heads -> part_of S' [] (next z) (pick (G z))) -> exists d, part_of S' [] (TDraws law next) d
      /\ sum (told_chance (TDraws law next)) d = sum (fun z => mass law z * sum (told_chance (next z)) (pick (G z))) heads).
    { intros S' pick Hp. destruct (join_draws S' [] law next (fun z => z) (fun z => if in_dec Z.eq_dec z heads then pick (G z) else []) heads)
        as (d & Hd & Hs); auto.
      { intros z. destruct in_dec; [auto | apply nothing]. }
      exists d. split; auto. rewrite Hs. apply sum_ext. intros z Hz. destruct in_dec; [auto | contradiction]. }
    destruct (J (done_in S) fst) as (d1 & P1 & E1); [intros z Hz; apply HG, Hz |].
    destruct (J not_done snd) as (d2 & P2 & E2); [intros z Hz; apply HG, Hz |].
    exists d1, d2. split; auto. split; auto. rewrite E1, E2, Rmult_comm, <- (sum_scale _ a), <- sum_plus.
    apply sum_le. intros z Hz. destruct (HG z Hz) as (_ & _ & Hle). pose proof (mass_nonneg law z). nra.
  - exists [], []. split; [apply nothing |]. split; [apply nothing |]. destruct ds as [| d ds]; [simpl; lra |].
    destruct Hds as [_ H]. destruct (H d (or_introl eq_refl)) as (o & Ho & _). discriminate.
  - exists [], []. split; [apply nothing |]. split; [apply nothing |]. destruct ds as [| d ds]; [simpl; lra |].
    destruct Hds as [_ H]. destruct (H d (or_introl eq_refl)) as (o & Ho & _). simpl in Ho.
    destruct told_outcome as [[? ?] |]; discriminate.
Qed.

(** * Rounds without end *)

Lemma integers_marked c : draws_integers (marked c) = draws_integers c.
Proof. induction c; simpl; congruence. Qed.

Section Retried.
Variables (before body after : code) (label : string) (n : nat) (names hidden : list string).
Hypothesis begins_anew : still_old (fun l => if String.eqb l label then hidden else []) names body <> None.
Hypothesis changes : incl (assigned body) names.
Hypothesis reads_anew : still_old (fun _ => []) hidden after <> None.

(** What comes before the loop draws nothing, and comes to one state. *)
Definition computes (input m : memory) : Prop := exists least, forall fuel lv k, (least <= fuel)%nat ->
  published [] fuel before lv k input = k m.

Notation loop := (retried before label n body after).
Notation round := (one_round before label body after).

Definition behind fuel : string -> memory -> telling := fun l =>
  if String.eqb l label then published [] fuel after (fun _ _ => TFails) (fun _ => TFails) else fun _ => TFails.

Lemma alike_heads fuel : forall i m m', alike names m m' ->
  rounds fuel body (behind fuel) i m = rounds fuel body (behind fuel) i m'.
Proof.
  induction i as [| i IH]; intros m m' H; [reflexivity |]. rewrite !step_round.
  destruct (still_old _ names body) as [left |] eqn:E; [| contradiction].
  apply (begins_alike fuel body _ names left _ _ _ _ m m' E); auto.
  - intros l m1 m2 H'. unfold behind. destruct (String.eqb l label); auto.
    destruct (still_old _ hidden after) as [left' |] eqn:E'; [| contradiction].
    apply (begins_alike fuel after _ hidden left' _ _ _ _ m1 m2 E'); auto.
  - intros m1 m2 H'. apply IH. eapply alike_fewer; [| exact H']. now apply still_old_fewer in E.
Qed.

Lemma next_round fuel m0 : forall i, rounds fuel body (behind fuel) (S i) m0
  = published [] fuel body (behind fuel) (fun _ => rounds fuel body (behind fuel) i m0) m0.
Proof.
  intros i. rewrite step_round. apply (ends_alike fuel names m0); auto; [intros y _; reflexivity |].
  intros m H. now apply alike_heads.
Qed.

Lemma round_grafted fuel input m0 t : (forall lv k, published [] fuel before lv k input = k m0) ->
  grafted t (told_runs [] fuel round input) = published [] fuel body (behind fuel) (fun _ => t) m0.
Proof.
  intros Hb. unfold told_runs, one_round. simpl published. rewrite Hb, grafted_runs. f_equal.
  extensionality l. extensionality m. unfold behind. destruct (String.eqb l label); [apply grafted_runs | reflexivity].
Qed.

Lemma loop_rounds fuel input m0 : (forall lv k, published [] fuel before lv k input = k m0) ->
  told_runs [] fuel loop input = rounds fuel body (behind fuel) fuel m0.
Proof. intros Hb. unfold told_runs, retried. simpl published. rewrite Hb. reflexivity. Qed.

Lemma loop_from_below input m0 A x y z : computes input m0 -> adds round input (done_in A) x -> adds round input not_done y ->
  adds loop input A z -> exists w, adds loop input A w /\ x + y * z <= w.
Proof.
  intros (f0 & Hb) Hx Hy Hz. destruct (adds_more _ _ _ _ Hx) as (f1 & H1). destruct (adds_more _ _ _ _ Hy) as (f2 & H2).
  destruct (adds_more _ _ _ _ Hz) as (f3 & H3). set (f := (f0 + f1 + f2 + f3)%nat).
  destruct (H1 (S f) ltac:(lia)) as (d1 & P1 & ->). destruct (H2 (S f) ltac:(lia)) as (d2 & P2 & ->).
  destruct (H3 f ltac:(lia)) as (ds & P3 & ->).
  assert (B : forall i, (f <= i)%nat -> forall lv k, published [] i before lv k input = k m0) by (intros; apply Hb; lia).
  rewrite (loop_rounds f input m0) in * by (apply B; lia).
  assert (W : within (rounds f body (behind f) f m0) (rounds (S f) body (behind (S f)) f m0)).
  { clear. revert m0. generalize f at 3 6 as i. induction i as [| i IH]; intros m; [apply fails_before_any |].
    rewrite !step_round. apply more_fuel_told; auto. intros l m'. unfold behind. destruct (String.eqb l label); [| apply within_same].
    apply more_fuel_told; auto; intros; apply within_same. }
  destruct (part_of_more A _ _ ds W P3) as [P4 E4].
  destruct (grafted_below A _ ds P4 _ d1 d2 P1 P2) as (ds' & P5 & Hle).
  rewrite (round_grafted (S f) input m0), <- next_round in P5, Hle by (apply B; lia).
  exists (sum (told_chance (told_runs [] (S f) loop input)) ds').
  rewrite (loop_rounds (S f) input m0) by (apply B; lia). rewrite <- E4. split; [| exact Hle].
  exists (S f), ds'. rewrite (loop_rounds (S f) input m0) by (apply B; lia). auto.
Qed.

Lemma loop_from_above input m0 S r t b : computes input m0 -> is_upper_bound (adds round input (done_in S)) r ->
  is_upper_bound (adds round input not_done) t -> 0 <= b -> r + t * b <= b -> is_upper_bound (adds loop input S) b.
Proof.
  intros (f0 & Hb) Hr Ht Hpos Hle x Hx. destruct (adds_more _ _ _ _ Hx) as (f1 & H1).
  set (f := (f0 + f1)%nat). destruct (H1 f ltac:(lia)) as (ds & P & ->). clear Hx H1.
  assert (B : forall lv k, published [] f before lv k input = k m0) by (intros; apply Hb; lia).
  rewrite (loop_rounds f input m0 B) in *. revert ds P. generalize f at 3 6 as i.
  induction i as [| i IH]; intros ds P.
  - destruct ds as [| d ds]; [simpl; auto |]. destruct P as [_ P]. destruct (P d (or_introl eq_refl)) as (o & Ho & _). discriminate.
  - rewrite next_round, <- (round_grafted f input m0 _ B) in *.
    destruct (grafted_above S _ b Hpos IH _ ds P) as (d1 & d2 & P1 & P2 & L). eapply Rle_trans; [exact L |].
    eapply Rle_trans; [| exact Hle]. apply Rplus_le_compat; [| apply Rmult_le_compat_r; auto].
    + apply Hr. exists f, d1. auto.
    + apply Ht. exists f, d2. auto.
Qed.

Definition ends (input : memory) : Prop := probability round input (fun _ => True) 1.

Lemma bounded input S : ends input -> exists p, is_lub (adds round input S) p /\ 0 <= p <= 1.
Proof.
  intros He. apply probability_adds in He. destruct He as [Hu _].
  assert (B : is_upper_bound (adds round input S) 1).
  { intros x (f & ds & [N P] & ->). apply Hu. exists f, ds. split; auto. split; auto.
    intros d Hd. destruct (P d Hd) as (o & Ho & _). exists o. auto. }
  destruct (completeness (adds round input S)) as (p & Hp); [now exists 1 | exists 0; apply adds_nothing |].
  exists p. split; auto. destruct Hp as [H1 H2]. split; [apply H1, adds_nothing | auto].
Qed.

(** A round comes to an output, or is tried again. *)
Lemma done_or_again input r t : ends input -> is_lub (adds round input (done_in (fun _ => True))) r ->
  is_lub (adds round input not_done) t -> r + t = 1.
Proof.
  intros He Hr Ht. apply probability_adds in He. apply Rle_antisym.
  - assert (G : forall y, adds round input not_done y -> r <= 1 - y).
    { intros y Hy. apply Hr. intros x Hx. destruct (adds_more _ _ _ _ Hx) as (f1 & H1). destruct (adds_more _ _ _ _ Hy) as (f2 & H2).
      destruct (H1 (f1 + f2)%nat ltac:(lia)) as (d1 & [N1 P1] & ->). destruct (H2 (f1 + f2)%nat ltac:(lia)) as (d2 & [N2 P2] & ->).
      enough (adds round input (fun _ => True) (sum (told_chance (told_runs [] (f1 + f2) round input)) (d1 ++ d2)))
        by (apply He in H; rewrite sum_app in H; lra).
      exists (f1 + f2)%nat, (d1 ++ d2). split; auto. split.
      - apply NoDup_app_both; auto. intros d Hd Hd'. destruct (P1 d Hd) as (o & Ho & o' & Hr' & _).
        destruct (P2 d Hd') as (o2 & Ho2 & Hn). rewrite Ho in Ho2. injection Ho2 as <-. unfold not_done in Hn. congruence.
      - intros d Hd. apply in_app_iff in Hd. destruct Hd as [Hd | Hd]; [destruct (P1 d Hd) as (o & Ho & _) | destruct (P2 d Hd) as (o & Ho & _)];
          exists o; auto. }
    enough (t <= 1 - r) by lra. apply Ht. intros y Hy. specialize (G y Hy). lra.
  - apply He. intros x (f & ds & [N P] & ->).
    set (t0 := told_runs [] f round input) in *.
    set (is_done := fun d => match told_outcome t0 d with Some (o, _) => match returned o with Some _ => true | None => false end | None => false end).
    rewrite (sum_partition _ is_done). apply Rplus_le_compat.
    + apply Hr. exists f, (filter is_done ds). split; auto. split; [now apply NoDup_filter |]. intros d Hd. apply filter_In in Hd.
      destruct Hd as [Hd E]. destruct (P d Hd) as (o & Ho & _). exists o. split; auto. unfold is_done in E. fold t0 in Ho. rewrite Ho in E.
      unfold done_in. destruct (returned o) as [o' |]; [eauto | discriminate].
    + apply Ht. exists f, (filter (fun d => negb (is_done d)) ds). split; auto. split; [now apply NoDup_filter |]. intros d Hd. apply filter_In in Hd.
      destruct Hd as [Hd E]. destruct (P d Hd) as (o & Ho & _). exists o. split; auto. unfold is_done in E. fold t0 in Ho. rewrite Ho in E.
      unfold not_done. destruct (returned o); [discriminate | auto].
Qed.

(** The rule: the round is private in both directions, and ends on both inputs. *)
Theorem retried_private epsilon input1 input2 m1 m2 : computes input1 m1 -> computes input2 m2 ->
  ends input1 -> ends input2 -> private_on epsilon round input1 input2 -> private_on epsilon round input2 input1 ->
  private_on (2 * epsilon) loop input1 input2.
Proof.
  intros C1 C2 E1 E2 [Hi P12] [_ P21]. split.
  { unfold one_round, retried in *. simpl in *. rewrite !integers_marked, ?andb_true_r in Hi. exact Hi. }
  intros S p1 p2 L1 L2. apply probability_adds in L1, L2.
  destruct (bounded input1 (done_in S) E1) as (r1 & Hr1 & B1). destruct (bounded input2 (done_in S) E2) as (r2 & Hr2 & B2).
  destruct (bounded input1 not_done E1) as (t1 & Ht1 & B3). destruct (bounded input2 not_done E2) as (t2 & Ht2 & B4).
  destruct (bounded input1 (done_in (fun _ => True)) E1) as (a1 & Ha1 & B5).
  destruct (bounded input2 (done_in (fun _ => True)) E2) as (a2 & Ha2 & B6).
  pose proof (done_or_again _ _ _ E1 Ha1 Ht1) as S1. pose proof (done_or_again _ _ _ E2 Ha2 Ht2) as S2.
  pose proof (P12 _ r1 r2 (proj2 (probability_adds _ _ _ _) Hr1) (proj2 (probability_adds _ _ _ _) Hr2)) as Q12.
  pose proof (P21 _ a2 a1 (proj2 (probability_adds _ _ _ _) Ha2) (proj2 (probability_adds _ _ _ _) Ha1)) as Q21.
  assert (R1 : r1 <= a1).
  { apply Hr1. intros x (f & ds & [N P] & ->). apply Ha1. exists f, ds. split; auto. split; auto.
    intros d Hd. destruct (P d Hd) as (o & Ho & o' & R & _). exists o. split; auto. exists o'. auto. }
  assert (Hp2 : 0 <= p2) by (apply L2, adds_nothing).
  assert (Below : r2 + t2 * p2 <= p2).
  { assert (X : forall x y z, adds round input2 (done_in S) x -> adds round input2 not_done y -> adds loop input2 S z -> x + y * z <= p2).
    { intros x y z Hx Hy Hz. destruct (loop_from_below input2 m2 S x y z C2 Hx Hy Hz) as (w & Hw & Hle).
      eapply Rle_trans; [exact Hle | now apply L2]. }
    assert (Y : forall y z, adds round input2 not_done y -> adds loop input2 S z -> r2 + y * z <= p2).
    { intros y z Hy Hz. enough (r2 <= p2 - y * z) by lra. apply Hr2. intros x Hx. specialize (X x y z Hx Hy Hz). lra. }
    assert (Z : forall z, adds loop input2 S z -> r2 + t2 * z <= p2).
    { intros z Hz. pose proof (adds_nonneg _ _ _ _ Hz) as Hn. destruct Hn as [Hn | <-]; [| pose proof (Y 0 0 (adds_nothing _ _ _) Hz); lra].
      enough (t2 <= (p2 - r2) / z) by (apply Rmult_le_compat_r with (r := z) in H; [| lra];
        unfold Rdiv in H; rewrite Rmult_assoc, Rinv_l in H by lra; lra).
      apply Ht2. intros y Hy. specialize (Y y z Hy Hz). apply Rmult_le_reg_r with z; auto.
      unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    destruct (proj1 B4) as [Hn | <-]; [| pose proof (Z 0 (adds_nothing _ _ _)); lra].
    enough (p2 <= (p2 - r2) / t2) by (apply Rmult_le_compat_r with (r := t2) in H; [| lra];
      unfold Rdiv in H; rewrite Rmult_assoc, Rinv_l in H by lra; lra).
    apply L2. intros z Hz. specialize (Z z Hz). apply Rmult_le_reg_r with t2; auto.
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  replace (2 * epsilon) with (epsilon + epsilon) by ring. rewrite exp_plus. set (e := exp epsilon) in *.
  assert (0 < e) by apply exp_pos.
  destruct (Rle_dec a1 0) as [Z1 | Z1].
  - assert (r1 = 0) by lra. apply Rle_trans with 0; [| repeat apply Rmult_le_pos; lra].
    apply L1. apply (loop_from_above input1 m1 S r1 t1); auto; [apply Hr1 | apply Ht1 | lra | lra].
  - apply Rle_trans with (r1 / a1).
    + apply L1. apply (loop_from_above input1 m1 S r1 t1); auto; [apply Hr1 | apply Ht1 | |].
      * apply Rmult_le_pos; [lra | apply Rlt_le, Rinv_0_lt_compat; lra].
      * replace t1 with (1 - a1) by lra. right. field. lra.
    + apply Rmult_le_reg_r with a1; [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
      assert (r2 <= a2 * p2) by nra. apply Rle_trans with (e * (e * a1 * p2)); [| right; ring].
      apply Rle_trans with (1 := Q12). apply Rmult_le_compat_l; [lra |]. apply Rle_trans with (a2 * p2); auto.
      apply Rmult_le_compat_r; auto.
Qed.

End Retried.
