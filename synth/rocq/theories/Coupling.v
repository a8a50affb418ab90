(** Couplings: why coupled runs give privacy.

    For the proof, [published] runs the program once more and also tells, as events, what the proof asks about
    in advance: which way a branch goes, an appended entry, the returned value.  What a run tells is its [log].
    [coupled L e t1 t2] says: fix the log L of run 1.  Then run 2 can draw what run 1 draws, moved by amounts
    that are known before each draw and may depend on L, so that it tells L and has the same output; and its
    chance is smaller by a factor of at most exp e.  Given L the map of draws is injective, and run 2's log is
    L, too; so all maps together are injective, and the sum over all runs is [coupled_private]
    (Barthe et al. 2016, [Forall-Eq]). *)
From Coq Require Import Lia Lra FunctionalExtensionality.
From synth Require Export Privacy.

(** * What is told *)

Inductive event := Branch (n : nat) | Appended (list : string) (component : nat) | Returned (component : nat).
Inductive told := TheInt (z : Z) | TheBool (b : bool).
Definition log := list (event * told).

Definition event_dec (a b : event) : {a = b} + {a <> b}.
Proof. decide equality; auto using string_dec, PeanoNat.Nat.eq_dec. Defined.
Definition log_dec (a b : log) : {a = b} + {a <> b}.
Proof. repeat decide equality. Defined.

Definition event_eqb (a b : event) : bool :=
  match a, b with
  | Branch i, Branch j | Returned i, Returned j => Nat.eqb i j
  | Appended x i, Appended y j => if String.eqb x y then Nat.eqb i j else false
  | _, _ => false
  end.

(** What will be told next of an event. *)
Fixpoint next_told (e : event) (L : log) : told :=
  match L with [] => TheInt 0 | (e', v) :: rest => if event_eqb e e' then v else next_told e rest end.
Definition next_int (e : event) (L : log) : Z := match next_told e L with TheInt z => z | _ => 0%Z end.
Definition next_bool (e : event) (L : log) : bool := match next_told e L with TheBool b => b | _ => false end.

Inductive telling :=
| TEnds (o : output)
| TFails
| TDraws (law : law) (next : Z -> telling)
| Tells (e : event) (v : told) (rest : telling).

Fixpoint told_outcome (t : telling) (draws : list Z) : option (output * log) :=
  match t with
  | TEnds o => match draws with [] => Some (o, []) | _ => None end
  | TFails => None
  | TDraws _ next => match draws with z :: rest => told_outcome (next z) rest | [] => None end
  | Tells e v t => match told_outcome t draws with Some (o, L) => Some (o, (e, v) :: L) | None => None end
  end.

Fixpoint told_chance (t : telling) (draws : list Z) : R :=
  match t with
  | TDraws law next =>
      match draws with z :: rest => mass law z * told_chance (next z) rest | [] => 1 end
  | Tells _ _ t => told_chance t draws
  | _ => 1
  end.

Definition tell (events : list event) (e : event) (v : told) (t : telling) : telling :=
  if existsb (event_eqb e) events then Tells e v t else t.

Definition told_value (v : value) : told :=
  match v with Int z => TheInt z | Bool b => TheBool b | _ => TheInt 0 end.

Fixpoint tell_row (events : list event) (e : nat -> event) (c : nat) (row : list value) (t : telling) : telling :=
  match row with [] => t | v :: rest => tell events (e c) (told_value v) (tell_row events e (S c) rest t) end.

Fixpoint published (events : list event) (fuel : nat) (c : code)
  (leave : string -> memory -> telling) (next : memory -> telling) (m : memory) : telling :=
  match c with
  | Skip => next m
  | Assign x e => next (upd m x (put _ (eval m e)))
  | Draw _ law x center scale => TDraws (Noise law (eval m center) (eval m scale)) (fun z => next (upd m x (Int z)))
  | Choose _ s x outcome chances => TDraws (Chances (chosen m s outcome chances)) (fun z => next (upd m x (drawn s z)))
  | Weigh _ x outcome count score rate demands =>
      if forallb (demanded m outcome demands) (indices (eval m count))
      then TDraws (Weights (eval m count) (exponent m outcome score rate)) (fun z => next (upd m x (Int z)))
      else TFails
  | NewList x => next (upd m x (Rows []))
  | Append x row =>
      tell_row events (Appended x) 0 (map (item_value m) row)
        (next (upd m x (Rows (as_rows (m x) ++ [map (item_value m) row]))))
  | Seq a b => published events fuel a leave (published events fuel b leave next) m
  | If n c a b =>
      tell events (Branch n) (TheBool (eval m c))
        (if eval m c then published events fuel a leave next m else published events fuel b leave next m)
  | Block l body => published events fuel body (fun l' => if String.eqb l' l then next else leave l') next m
  | Loop _ body =>
      (fix again (n : nat) (m : memory) : telling :=
         match n with O => TFails | S n => published events fuel body leave (again n) m end) fuel m
  | Leave l => leave l m
  | Ensure c | Assume c => if eval m c then next m else TFails
  | Return vs ls =>
      tell_row events Returned 0 (map (item_value m) vs)
        (TEnds (Output (map (item_value m) vs) (map (fun x => as_rows (m x)) ls)))
  end.

(** Telling changes neither outputs nor chances. *)
Definition quiet (t : tree) (u : telling) : Prop :=
  forall d, outcome t d = option_map fst (told_outcome u d) /\ chance t d = told_chance u d.

Lemma quiet_tell events e v t u : quiet t u -> quiet t (tell events e v u).
Proof.
  intros H d. unfold tell. destruct existsb; [| apply H]. destruct (H d) as [-> ->]. simpl.
  destruct (told_outcome u d) as [[o L] |]; auto.
Qed.

Lemma quiet_row events e c row t u : quiet t u -> quiet t (tell_row events e c row u).
Proof. revert c. induction row; simpl; auto using quiet_tell. Qed.

Lemma quiet_fails : quiet Fails TFails.
Proof. now intros []. Qed.

Lemma quiet_draws law next next' :
  (forall z, quiet (next z) (next' z)) -> quiet (Draws law next) (TDraws law next').
Proof. intros H [| z d]; simpl; auto. destruct (H z d) as [-> ->]; auto. Qed.

Lemma quiet_exec events fuel c : forall leave leave' next next' m,
  (forall l m, quiet (leave l m) (leave' l m)) -> (forall m, quiet (next m) (next' m)) ->
  quiet (exec fuel c leave next m) (published events fuel c leave' next' m).
Proof.
  induction c; simpl; intros leave leave' next next' m Hl Hn;
    try solve [auto using quiet_draws, quiet_row | destruct eval; auto using quiet_fails
               | destruct forallb; auto using quiet_draws, quiet_fails].
  - apply quiet_tell. destruct eval; auto.
  - apply IHc; auto. intros. destruct String.eqb; auto.
  - generalize fuel at 2 4 as n. intros n. revert m. induction n; intros m; [apply quiet_fails |]. apply IHc; auto.
  - apply quiet_row. intros []; auto.
Qed.

Definition told_runs events fuel program input : telling :=
  published events fuel program (fun _ _ => TFails) (fun _ => TFails) input.

Lemma quiet_runs events fuel program input : quiet (runs fuel program input) (told_runs events fuel program input).
Proof. apply quiet_exec; intros; apply quiet_fails. Qed.

(** * Coupled runs *)

Inductive coupled : log -> R -> telling -> telling -> Prop :=
| coupled_fails L e t : coupled L e TFails t
| coupled_ends L e o1 o2 : o1 = o2 -> 0 <= e -> coupled L e (TEnds o1) (TEnds o2)
| coupled_tells L e ev v1 v2 t1 t2 :
    (forall rest, L = (ev, v1) :: rest -> v1 = v2) ->
    (forall rest, L = (ev, v1) :: rest -> coupled rest e t1 t2) ->
    coupled L e (Tells ev v1 t1) (Tells ev v2 t2)
| coupled_draws L e law1 law2 next1 next2 (move : Z -> Z) (cost : Z -> R) :
    (forall z z', move z = move z' -> z = z') ->
    (forall z, mass law1 z <= exp (cost z) * mass law2 (move z)) ->
    (forall z, 0 < mass law1 z -> coupled L (e - cost z) (next1 z) (next2 (move z))) ->
    coupled L e (TDraws law1 next1) (TDraws law2 next2).

Lemma told_chance_nonneg t d : 0 <= told_chance t d.
Proof.
  revert d. induction t as [| | law next IH |]; intros d; simpl; try lra; auto.
  destruct d; [lra |]. apply Rmult_le_pos; auto. apply mass_nonneg.
Qed.

(** Finitely many choices need no axiom. *)
Lemma choose_for {A B : Type} (dec : forall x y : A, {x = y} + {x <> y}) (b : B) (P : A -> B -> Prop) l :
  (forall x, exists y, P x y) -> exists f : A -> B, forall x, In x l -> P x (f x).
Proof.
  intros H. induction l as [| a l (f & Hf)]; [exists (fun _ => b); intros _ [] |].
  destruct (H a) as (y & Hy). exists (fun x => if dec x a then y else f x).
  intros x Hx. destruct (dec x a) as [-> | Hne]; auto. destruct Hx; [congruence | auto].
Qed.

Definition maps L e t1 t2 (ds : list (list Z)) (f : list Z -> list Z) : Prop :=
  (forall d o, In d ds -> told_outcome t1 d = Some (o, L) -> 0 < told_chance t1 d ->
     told_outcome t2 (f d) = Some (o, L) /\ told_chance t1 d <= exp e * told_chance t2 (f d))
  /\ (forall d d' o o', In d ds -> In d' ds ->
     told_outcome t1 d = Some (o, L) -> 0 < told_chance t1 d ->
     told_outcome t1 d' = Some (o', L) -> 0 < told_chance t1 d' -> f d = f d' -> d = d').

Lemma factors_positive a b : 0 <= a -> 0 <= b -> 0 < a * b -> 0 < a /\ 0 < b.
Proof. intros Ha Hb H. split; apply Rnot_le_lt; intro; nra. Qed.

Theorem coupled_maps L e t1 t2 : coupled L e t1 t2 -> forall ds, exists f, maps L e t1 t2 ds f.
Proof.
  induction 1 as [L e t | L e o1 o2 Ho He | L e ev v1 v2 t1 t2 Hv Ht IH
                 | L e law1 law2 next1 next2 move cost Hj Hm Hn IH]; intros ds.
  - exists (fun d => d). split; intros d *; discriminate.
  - subst. exists (fun d => d). split; [| congruence]. intros [| z d] o; simpl; [| discriminate].
    intros _ E _. split; auto. pose proof (exp_le 0 e He). rewrite exp_0 in *. lra.
  - destruct (log_dec L ((ev, v1) :: tl L)) as [E | Hne].
    + rewrite E in *. destruct (IH _ eq_refl ds) as (f & Hf & Hi). rewrite <- (Hv _ eq_refl).
      exists f. split; simpl.
      * intros d o Hd Ho Hc. destruct (told_outcome t1 d) as [[o' L'] |] eqn:E1; [| discriminate].
        injection Ho as -> ->. destruct (Hf d o Hd E1 Hc) as [-> ?]. auto.
      * intros d d' o o' Hd Hd' Ho Hc Ho' Hc'.
        destruct (told_outcome t1 d) as [[a La] |] eqn:E1; [| discriminate].
        destruct (told_outcome t1 d') as [[b Lb] |] eqn:E2; [| discriminate].
        injection Ho as -> ->. injection Ho' as -> ->. eapply Hi; eauto.
    + exists (fun d => d). split; intros d; simpl; destruct (told_outcome t1 d) as [[o' L'] |];
        intros; try discriminate; exfalso; apply Hne; destruct L; simpl in *; congruence.
  - destruct (choose_for Z.eq_dec (fun d => d)
      (fun z f => 0 < mass law1 z -> maps L (e - cost z) (next1 z) (next2 (move z)) (map (@tl Z) ds) f)
      (map (hd 0%Z) ds)) as (F & HF).
    { intros z. destruct (Rlt_dec 0 (mass law1 z)) as [Hz | Hz].
      - destruct (IH z Hz (map (@tl Z) ds)) as (f & Hf). exists f; auto.
      - exists (fun d => d). contradiction. }
    exists (fun d => match d with z :: d => move z :: F z d | [] => [] end). split.
    + intros [| z d] o Hd; simpl; [discriminate |]. intros Ho Hc.
      destruct (factors_positive _ _ (mass_nonneg law1 z) (told_chance_nonneg (next1 z) d) Hc) as [Hz Hc'].
      destruct (HF z (in_map (hd 0%Z) ds _ Hd) Hz) as [Hf _].
      destruct (Hf d o (in_map (@tl Z) ds _ Hd) Ho Hc') as [-> Hle]. split; auto.
      specialize (Hm z). replace (exp e) with (exp (cost z) * exp (e - cost z)) by (rewrite <- exp_plus; f_equal; ring).
      pose proof (exp_pos (cost z)). pose proof (mass_nonneg law2 (move z)).
      replace (exp (cost z) * exp (e - cost z) * (mass law2 (move z) * told_chance (next2 (move z)) (F z d)))
        with ((exp (cost z) * mass law2 (move z)) * (exp (e - cost z) * told_chance (next2 (move z)) (F z d))) by ring.
      apply Rmult_le_compat; auto; lra.
    + intros [| z d] [| z' d'] o o' Hd Hd'; simpl; try discriminate. intros Ho Hc Ho' Hc' E.
      injection E as Ez Ed. assert (z' = z) by (symmetry; auto). subst z'. f_equal.
      destruct (factors_positive _ _ (mass_nonneg law1 z) (told_chance_nonneg (next1 z) d) Hc) as [Hz Hd1].
      destruct (factors_positive _ _ (mass_nonneg law1 z) (told_chance_nonneg (next1 z) d') Hc') as [_ Hd2].
      destruct (HF z (in_map (hd 0%Z) ds _ Hd) Hz) as [_ Hi].
      eapply Hi; eauto; [apply (in_map (@tl Z) ds _ Hd) | apply (in_map (@tl Z) ds _ Hd')].
Qed.

(** * Privacy *)

Lemma sum_positive {A} (f : A -> R) l :
  (forall x, 0 <= f x) -> exists l', NoDup l -> NoDup l' /\ incl l' l /\ (forall x, In x l' -> 0 < f x) /\ sum f l = sum f l'.
Proof.
  intros Hf. induction l as [| a l (l' & IH)]; [exists []; repeat split; auto; intros ? [] |].
  destruct (Rlt_dec 0 (f a)) as [Ha | Ha].
  - exists (a :: l'). intros H. inversion_clear H. destruct IH as (? & ? & ? & ?); auto. repeat split; simpl.
    + constructor; auto.
    + intros x [-> | Hx]; simpl; auto.
    + intros x [<- | Hx]; auto.
    + fold (sum f l) (sum f l'). lra.
  - exists l'. intros H. inversion_clear H. destruct IH as (? & ? & ? & ?); auto. repeat split; auto.
    + intros x Hx; simpl; auto.
    + simpl. fold (sum f l). specialize (Hf a). lra.
Qed.

Lemma NoDup_map_on {A B} (f : A -> B) l :
  (forall x y, In x l -> In y l -> f x = f y -> x = y) -> NoDup l -> NoDup (map f l).
Proof.
  intros Hf H. induction H as [| a l Ha Hl IH]; simpl; constructor.
  - intros Hin. apply in_map_iff in Hin. destruct Hin as (y & Hy & Hin). apply Ha.
    rewrite <- (Hf y a); simpl; auto.
  - apply IH. intros; apply Hf; simpl; auto.
Qed.

Lemma sum_scaled {A} (f g : A -> R) (h : A -> A) c l :
  (forall x, In x l -> f x <= c * g (h x)) -> sum f l <= c * sum g (map h l).
Proof.
  induction l as [| a l IH]; simpl; intros H; [lra |]. fold (sum f l) (sum g (map h l)).
  specialize (IH (fun x Hx => H x (or_intror Hx))). specialize (H a (or_introl eq_refl)). lra.
Qed.

(** The pointwise rule: a coupling for each log of run 1 proves privacy, for every set of outputs. *)
Theorem coupled_private events epsilon program input1 input2 :
  (forall fuel L, coupled L epsilon (told_runs events fuel program input1) (told_runs events fuel program input2)) ->
  private_on epsilon program input1 input2.
Proof.
  intros H S p1 p2 [_ Hp1] [Hp2 _]. apply Hp1. intros part (fuel & all & Hall & HS & ->).
  destruct (sum_positive (chance (runs fuel program input1)) all) as (ds & Hds).
  { intros d. rewrite (proj2 (quiet_runs events fuel program input1 d)). apply told_chance_nonneg. }
  destruct (Hds Hall) as (Hnd & Hin & Hpos & ->). clear Hds.
  set (t1 := told_runs events fuel program input1) in *. set (t2 := told_runs events fuel program input2) in *.
  assert (Q1 : quiet (runs fuel program input1) t1) by apply quiet_runs.
  assert (Q2 : quiet (runs fuel program input2) t2) by apply quiet_runs.
  set (logs := map (fun d => match told_outcome t1 d with Some (_, L) => L | None => [] end) ds).
  destruct (choose_for log_dec (fun d => d) (fun L f => maps L epsilon t1 t2 ds f) logs) as (F & HF).
  { intros L. apply coupled_maps, H. }
  set (f := fun d => match told_outcome t1 d with Some (_, L) => F L d | None => d end).
  assert (Hf : forall d, In d ds -> exists o L, told_outcome t1 d = Some (o, L) /\ S o /\ 0 < told_chance t1 d
    /\ maps L epsilon t1 t2 ds (F L) /\ f d = F L d).
  { intros d Hd. destruct (HS d (Hin d Hd)) as (o & Ho & So). specialize (Hpos d Hd).
    destruct (Q1 d) as [E1 E2]. rewrite E1 in Ho. rewrite E2 in Hpos. unfold f.
    destruct (told_outcome t1 d) as [[o' L] |] eqn:E; [| discriminate]. injection Ho as ->.
    exists o, L. refine (conj eq_refl (conj So (conj Hpos (conj _ eq_refl)))).
    apply HF. unfold logs. apply in_map_iff. exists d. rewrite E. auto. }
  apply Rle_trans with (exp epsilon * sum (chance (runs fuel program input2)) (map f ds)).
  - apply sum_scaled. intros d Hd. destruct (Hf d Hd) as (o & L & Ho & So & Hc & [Hm _] & ->).
    destruct (Hm d o Hd Ho Hc) as [_ Hle]. now rewrite (proj2 (Q1 d)), (proj2 (Q2 _)).
  - apply Rmult_le_compat_l; [apply Rlt_le, exp_pos |]. apply Hp2. exists fuel, (map f ds). repeat split.
    + apply NoDup_map_on; auto. intros d d' Hd Hd' E.
      destruct (Hf d Hd) as (o & L & Ho & So & Hc & [Hm Hi] & Efd).
      destruct (Hf d' Hd') as (o' & L' & Ho' & So' & Hc' & [Hm' _] & Efd').
      rewrite Efd, Efd' in E. destruct (Hm d o Hd Ho Hc) as [O1 _]. destruct (Hm' d' o' Hd' Ho' Hc') as [O2 _].
      rewrite E, O2 in O1. injection O1 as -> ->. eapply Hi; eauto.
    + intros y Hy. apply in_map_iff in Hy. destruct Hy as (d & <- & Hd).
      destruct (Hf d Hd) as (o & L & Ho & So & Hc & [Hm _] & ->). exists o. split; auto.
      destruct (Hm d o Hd Ho Hc) as [O1 _]. now rewrite (proj1 (Q2 _)), O1.
Qed.
