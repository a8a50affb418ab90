(** Couplings: why coupled runs give privacy.

    For the proof, [published] runs the program once more and also tells, as events, what the proof asks about
    in advance: which way a branch goes, an appended entry, the returned value.  What a run tells is its [log].
    [coupled L e t1 t2] says: fix the log L of run 1.  Then run 2 can draw what run 1 draws, moved by amounts
    that are known before each draw and may depend on L, so that it tells L and has the same output; and its
    chance is smaller by a factor of at most exp e.  Given L the map of draws is injective, and run 2's log is
    L, too; so all maps together are injective, and the sum over all runs is [coupled_private]
    (Barthe et al. 2016, [Forall-Eq]). *)
From Coq Require Import Lia Lra FunctionalExtensionality.
From synth Require Export Told.
Local Open Scope list_scope.

Definition event_dec (a b : event) : {a = b} + {a <> b}.
Proof. decide equality; auto using string_dec, PeanoNat.Nat.eq_dec. Defined.
Definition log_dec (a b : log) : {a = b} + {a <> b}.
Proof. repeat decide equality. Defined.

(** What will be told next of an event. *)
Fixpoint next_told (e : event) (L : log) : told :=
  match L with [] => TheInt 0 | (e', v) :: rest => if event_eqb e e' then v else next_told e rest end.
Definition next_int (e : event) (L : log) : Z := match next_told e L with TheInt z => z | _ => 0%Z end.
Definition next_bool (e : event) (L : log) : bool := match next_told e L with TheBool b => b | _ => false end.

Fixpoint told_outcome (t : telling) (draws : list Z) : option (output * log) :=
  match t with
  | TEnds o => match draws with [] => Some (o, []) | _ => None end
  | TFails | TDrawsReal _ _ _ _ => None
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

Lemma quiet_real law center scale next : quiet Fails (TDrawsReal law center scale next).
Proof. now intros []. Qed.

Lemma quiet_exec events fuel c : forall leave leave' next next' m,
  (forall l m, quiet (leave l m) (leave' l m)) -> (forall m, quiet (next m) (next' m)) ->
  quiet (exec fuel c leave next m) (published events fuel c leave' next' m).
Proof.
  induction c; simpl; intros leave leave' next next' m Hl Hn;
    try solve [auto using quiet_draws, quiet_real, quiet_row | destruct eval; auto using quiet_fails
               | destruct forallb; auto using quiet_draws, quiet_fails].
  - apply quiet_tell. destruct eval; auto.
  - apply IHc; auto. intros. destruct String.eqb; auto.
  - generalize fuel at 2 4 as n. intros n. revert m. induction n; intros m; [apply quiet_fails |]. apply IHc; auto.
  - apply quiet_row. intros []; auto.
Qed.

Lemma quiet_runs events fuel program input : quiet (runs fuel program input) (told_runs events fuel program input).
Proof. apply quiet_exec; intros; apply quiet_fails. Qed.

(** * Finite sums *)

Lemma sum_ext {A} (f g : A -> R) l : (forall x, In x l -> f x = g x) -> sum f l = sum g l.
Proof.
  induction l as [| a l IH]; auto. intros H. change (f a + sum f l = g a + sum g l).
  rewrite IH by (intros; apply H; simpl; auto). now rewrite H by (simpl; auto).
Qed.

Lemma sum_scale {A} (f : A -> R) c l : sum (fun x => c * f x) l = c * sum f l.
Proof.
  induction l as [| a l IH]; [simpl; ring |].
  change (c * f a + sum (fun x => c * f x) l = c * (f a + sum f l)). rewrite IH. ring.
Qed.

Lemma sum_le {A} (f g : A -> R) l : (forall x, In x l -> f x <= g x) -> sum f l <= sum g l.
Proof.
  induction l as [| a l IH]; intros H; [simpl; lra |]. change (f a + sum f l <= g a + sum g l).
  specialize (H a (or_introl eq_refl)) as Ha. specialize (IH (fun x Hx => H x (or_intror Hx))). lra.
Qed.

Lemma sum_map {A B} (f : B -> R) (h : A -> B) l : sum f (map h l) = sum (fun x => f (h x)) l.
Proof.
  induction l as [| a l IH]; auto. change (f (h a) + sum f (map h l) = f (h a) + sum (fun x => f (h x)) l).
  now rewrite IH.
Qed.

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

Lemma sum_le_incl {A} (f : A -> R) l l' : (forall x, 0 <= f x) -> NoDup l -> incl l l' -> sum f l <= sum f l'.
Proof.
  intros Hf. revert l'. induction l as [| a l IH]; intros l' Hn Hi.
  - clear Hn Hi. simpl. induction l' as [| b l' IH]; simpl; [lra |]. fold (sum f l'). specialize (Hf b). simpl in IH. lra.
  - inversion_clear Hn as [| ? ? Ha Hl]. destruct (in_split a l' (Hi a (or_introl eq_refl))) as (l1 & l2 & ->).
    assert (E : forall l1, sum f (l1 ++ a :: l2) = f a + sum f (l1 ++ l2)).
    { intros l0. induction l0 as [| b l0 IHl]; simpl; auto. unfold sum in *. simpl in *. rewrite IHl. ring. }
    rewrite E. simpl. fold (sum f l). enough (sum f l <= sum f (l1 ++ l2)) by lra. apply IH; auto.
    intros x Hx. specialize (Hi x (or_intror Hx)). rewrite in_app_iff in *. simpl in Hi.
    destruct Hi as [? | [-> | ?]]; tauto.
Qed.

Definition head_is (z : Z) (d : list Z) : bool := (hd 0 d =? z)%Z.

Lemma sum_by_head f ds heads : NoDup heads -> (forall d, In d ds -> In (hd 0%Z d) heads) ->
  sum f ds = sum (fun z => sum f (filter (head_is z) ds)) heads.
Proof.
  intros Hh. induction ds as [| d ds IH]; intros H.
  - simpl. clear. induction heads; simpl; auto. unfold sum in *. simpl. lra.
  - simpl. fold (sum f ds). rewrite IH by (intros; apply H; simpl; auto). clear IH.
    assert (Hd : In (hd 0%Z d) heads) by (apply H; simpl; auto). clear H.
    induction heads as [| z heads IHh]; [contradiction |]. inversion_clear Hh as [| ? ? Hz Hn].
    cbn [sum fold_right]. fold (sum (fun z => sum f (filter (head_is z) ds)) heads).
    match goal with |- _ = _ + fold_right ?g 0 heads => change (fold_right g 0 heads) with
      (sum (fun z => sum f (if head_is z d then d :: filter (head_is z) ds else filter (head_is z) ds)) heads) end.
    unfold head_is at 3. destruct (Z.eqb_spec (hd 0%Z d) z) as [E | Hne].
    + cbn [sum fold_right]. fold (sum f (filter (head_is z) ds)).
      rewrite (sum_ext (fun z => sum f (if head_is z d then _ else _)) (fun z => sum f (filter (head_is z) ds))); [ring |].
      intros y Hy. unfold head_is at 1. destruct (Z.eqb_spec (hd 0%Z d) y); auto. congruence.
    + destruct Hd as [? | Hd]; [congruence |]. specialize (IHh Hn Hd). lra.
Qed.

Lemma NoDup_app_both {A} (l l' : list A) : NoDup l -> NoDup l' -> (forall x, In x l -> ~ In x l') -> NoDup (l ++ l').
Proof.
  induction 1 as [| a l Ha _ IH]; simpl; auto. intros Hl' H. constructor.
  - rewrite in_app_iff. intros [? | ?]; [auto | exact (H a (or_introl eq_refl) H0)].
  - apply IH; auto.
Qed.

Lemma sum_app {A} (f : A -> R) l l' : sum f (l ++ l') = sum f l + sum f l'.
Proof. induction l as [| a l IH]; simpl app; [simpl; ring |]. rewrite !sum_cons, IH. ring. Qed.

Lemma sum_plus {A} (f g : A -> R) l : sum (fun x => f x + g x) l = sum f l + sum g l.
Proof. induction l as [| a l IH]; [simpl; ring |]. rewrite !sum_cons, IH. ring. Qed.

Lemma sum_swap {A B} (f : A -> B -> R) l l' :
  sum (fun x => sum (f x) l') l = sum (fun y => sum (fun x => f x y) l) l'.
Proof.
  induction l as [| a l IH].
  - simpl. induction l'; simpl; auto. unfold sum in *. simpl. rewrite <- IHl'. ring.
  - rewrite sum_cons, IH. clear IH. induction l' as [| b l' IH]; [simpl; ring |].
    rewrite !sum_cons. rewrite <- IH. ring.
Qed.

Lemma sum_zero {A} (f : A -> R) l : (forall x, In x l -> f x = 0) -> sum f l = 0.
Proof.
  induction l as [| a l IH]; intros H; [reflexivity |].
  rewrite sum_cons, IH by (intros; apply H; simpl; auto). rewrite (H a) by (simpl; auto). ring.
Qed.

(** Finitely many choices need no axiom. *)
Lemma choose_for {A B : Type} (dec : forall x y : A, {x = y} + {x <> y}) (b : B) (P : A -> B -> Prop) l :
  (forall x, exists y, P x y) -> exists f : A -> B, forall x, In x l -> P x (f x).
Proof.
  intros H. induction l as [| a l (f & Hf)]; [exists (fun _ => b); intros _ [] |].
  destruct (H a) as (y & Hy). exists (fun x => if dec x a then y else f x).
  intros x Hx. destruct (dec x a) as [-> | Hne]; auto. destruct Hx; [congruence | auto].
Qed.


(** * Coupled runs *)

(** Draws whose values alone decide what becomes of a run: [gathers t w is] says that with v, of which [w v] bounds
    the chance, t becomes a telling that [is v]; [scatters t w is], that it does so with chance [w v] at least. *)
Inductive gathers : telling -> (Z -> R) -> (Z -> telling -> Prop) -> Prop :=
| gathers_nothing (w : Z -> R) is : (forall v, 0 <= w v) -> gathers TFails w is
| gathers_value t (w : Z -> R) (is : Z -> telling -> Prop) v :
    is v t -> 1 <= w v -> (forall u, 0 <= w u) -> gathers t w is
| gathers_draws law next (w' : Z -> Z -> R) (w : Z -> R) is :
    (forall z, 0 < mass law z -> gathers (next z) (w' z) is) -> (forall z v, 0 <= w' z v) ->
    (forall v zs, NoDup zs -> sum (fun z => mass law z * w' z v) zs <= w v) ->
    gathers (TDraws law next) w is.

Inductive scatters : telling -> (Z -> R) -> (Z -> telling -> Prop) -> Prop :=
| scatters_nothing t (w : Z -> R) is : (forall v, w v <= 0) -> scatters t w is
| scatters_value t (w : Z -> R) (is : Z -> telling -> Prop) v :
    is v t -> w v <= 1 -> (forall u, u <> v -> w u <= 0) -> scatters t w is
| scatters_draws law next (w' : Z -> Z -> R) (w : Z -> R) is :
    (forall z, scatters (next z) (w' z) is) -> (forall z v, 0 <= w' z v) ->
    (forall v, exists zs, NoDup zs /\ w v <= sum (fun z => mass law z * w' z v) zs) ->
    scatters (TDraws law next) w is.

Inductive coupled : log -> R -> telling -> telling -> Prop :=
| coupled_never L e t1 t2 : (forall d o, told_outcome t1 d <> Some (o, L)) -> (forall S p, at_least S L t1 p -> p <= 0) ->
    coupled L e t1 t2
| coupled_ends L e o1 o2 : o1 = o2 -> 0 <= e -> coupled L e (TEnds o1) (TEnds o2)
| coupled_tells L e ev v1 v2 t1 t2 :
    (forall rest, L = (ev, v1) :: rest -> v1 = v2) ->
    (forall rest, L = (ev, v1) :: rest -> coupled rest e t1 t2) ->
    coupled L e (Tells ev v1 t1) (Tells ev v2 t2)
| coupled_draws L e law1 law2 next1 next2 (move : Z -> Z) (cost : Z -> R) :
    (forall z z', move z = move z' -> z = z') ->
    (forall z, mass law1 z <= exp (cost z) * mass law2 (move z)) ->
    (forall z, 0 < mass law1 z -> coupled L (e - cost z) (next1 z) (next2 (move z))) ->
    coupled L e (TDraws law1 next1) (TDraws law2 next2)
| coupled_draws_real L e law c1 c2 s1 s2 next1 next2 (k cost : R) :
    (forall a b, a <= b -> interval_mass law c1 s1 a b <= exp cost * interval_mass law c2 s2 (a + k) (b + k)) ->
    (forall x, 0 < s1 -> coupled L (e - cost) (next1 x) (next2 (x + k))) ->
    coupled L e (TDrawsReal law c1 s1 next1) (TDrawsReal law c2 s2 next2)
| coupled_sums L e t1 t2 (w1 w2 : Z -> R) is1 is2 (cost : Z -> R) :
    gathers t1 w1 is1 -> scatters t2 w2 is2 ->
    (forall v, w1 v <= exp (cost v) * w2 v) ->
    (forall v l1 l2, is1 v l1 -> is2 v l2 -> coupled L (e - cost v) l1 l2) ->
    coupled L e t1 t2.

Lemma coupled_fails L e t : coupled L e TFails t.
Proof. apply coupled_never; [discriminate | intros S p H; now inversion H]. Qed.

Lemma told_chance_nonneg t d : 0 <= told_chance t d.
Proof.
  revert d. induction t as [| | law next IH | |]; intros d; simpl; try lra; auto.
  destruct d; [lra |]. apply Rmult_le_pos; auto. apply mass_nonneg.
Qed.

(** Runs that end in S and tell L: of run 1 any finitely many are at most exp e times as likely as some of run 2. *)
Definition ends_in (S : output -> Prop) (L : log) (t : telling) (d : list Z) : Prop :=
  exists o, told_outcome t d = Some (o, L) /\ S o.
Definition part_of S L t (ds : list (list Z)) : Prop := NoDup ds /\ forall d, In d ds -> ends_in S L t d.
Definition dominated S L e t1 t2 : Prop :=
  forall ds, part_of S L t1 ds ->
  exists ds2, part_of S L t2 ds2 /\ sum (told_chance t1) ds <= exp e * sum (told_chance t2) ds2.

Lemma nothing S L t : part_of S L t [].
Proof. split; [constructor | intros d []]. Qed.

Lemma part_nonneg t ds : 0 <= sum (told_chance t) ds.
Proof. apply sum_nonneg. intros; apply told_chance_nonneg. Qed.

(** The runs of a draw, by what is drawn. *)
Lemma split_draws S L law next ds : part_of S L (TDraws law next) ds ->
  exists heads (F : Z -> list (list Z)), NoDup heads /\ (forall z, part_of S L (next z) (F z))
  /\ sum (told_chance (TDraws law next)) ds = sum (fun z => mass law z * sum (told_chance (next z)) (F z)) heads.
Proof.
  intros [Hnd Hds]. exists (nodup Z.eq_dec (map (hd 0%Z) ds)), (fun z => map (@tl Z) (filter (head_is z) ds)).
  assert (Hpart : forall z d, In d (filter (head_is z) ds) -> exists d', d = z :: d' /\ ends_in S L (next z) d').
  { intros z d Hd. apply filter_In in Hd. destruct Hd as [Hd E]. destruct (Hds d Hd) as (o & Ho & So).
    destruct d as [| y d]; simpl in Ho; [discriminate |]. unfold head_is in E. simpl in E. apply Z.eqb_eq in E as ->.
    exists d. split; auto. now exists o. }
  split; [apply NoDup_nodup |]. split.
  - intros z. split.
    + apply NoDup_map_on; [| now apply NoDup_filter]. intros x y Hx Hy.
      destruct (Hpart z x Hx) as (x' & -> & _). destruct (Hpart z y Hy) as (y' & -> & _). simpl. congruence.
    + intros d Hd. apply in_map_iff in Hd. destruct Hd as (d0 & <- & Hd0).
      now destruct (Hpart z d0 Hd0) as (d' & -> & Hd').
  - rewrite (sum_by_head _ ds (nodup Z.eq_dec (map (hd 0%Z) ds))).
    2: apply NoDup_nodup. 2: intros d Hd; apply nodup_In; now apply in_map.
    apply sum_ext. intros z _. rewrite sum_map, <- sum_scale. apply sum_ext. intros d Hd.
    destruct (Hpart z d Hd) as (d' & -> & _). reflexivity.
Qed.

Lemma join_draws S L law next (move : Z -> Z) (F : Z -> list (list Z)) heads :
  NoDup heads -> (forall z z', move z = move z' -> z = z') -> (forall z, part_of S L (next (move z)) (F z)) ->
  exists ds, part_of S L (TDraws law next) ds
  /\ sum (told_chance (TDraws law next)) ds
     = sum (fun z => mass law (move z) * sum (told_chance (next (move z))) (F z)) heads.
Proof.
  intros Hnd Hm HF.
  enough (exists ds, part_of S L (TDraws law next) ds
    /\ (forall d, In d ds -> exists z d', d = move z :: d' /\ In z heads)
    /\ sum (told_chance (TDraws law next)) ds
       = sum (fun z => mass law (move z) * sum (told_chance (next (move z))) (F z)) heads) as (ds & H1 & _ & H2)
    by (exists ds; auto).
  induction Hnd as [| z heads Hz _ (ds & [Hd1 Hd2] & Hin & Hs)].
  - exists []. split; [apply nothing |]. split; [intros d [] | reflexivity].
  - exists (map (cons (move z)) (F z) ++ ds). destruct (HF z) as [F1 F2]. split; [split |]; [| | split].
    + apply NoDup_app_both; auto.
      * apply NoDup_map_on; auto. intros x y _ _ E. congruence.
      * intros d Hd Hd'. apply in_map_iff in Hd. destruct Hd as (d0 & <- & _).
        destruct (Hin _ Hd') as (z' & d' & E & Hz'). injection E as E _. apply Hm in E as ->. auto.
    + intros d Hd. apply in_app_iff in Hd. destruct Hd as [Hd | Hd]; auto.
      apply in_map_iff in Hd. destruct Hd as (d0 & <- & Hd0). exact (F2 d0 Hd0).
    + intros d Hd. apply in_app_iff in Hd. destruct Hd as [Hd | Hd].
      * apply in_map_iff in Hd. destruct Hd as (d0 & <- & _). exists z, d0. simpl. auto.
      * destruct (Hin d Hd) as (z' & d' & -> & Hz'). exists z', d'. simpl. auto.
    + rewrite sum_app, sum_cons, Hs, sum_map, <- sum_scale. f_equal.
Qed.

(** What a value brings, in some telling that it leads to. *)
Definition attained S L (is : Z -> telling -> Prop) (v : Z) (a : R) : Prop :=
  exists t ds, is v t /\ part_of S L t ds /\ a = sum (told_chance t) ds.

Lemma attained_nonneg S L is v a : attained S L is v a -> 0 <= a.
Proof. intros (t & ds & _ & _ & ->). apply part_nonneg. Qed.

(** Of finitely many that are attained, the largest. *)
Lemma largest {A} (P : R -> Prop) (has : A -> bool) (a : A -> R) heads : (forall x, P x -> 0 <= x) ->
  (forall z, In z heads -> has z = true -> P (a z)) ->
  exists top, 0 <= top /\ (forall z, In z heads -> has z = true -> a z <= top)
    /\ ((exists z, In z heads /\ has z = true) -> P top).
Proof.
  intros HP. induction heads as [| z heads IH]; intros H.
  - exists 0. split; [lra |]. split; [intros z [] | intros (z & [] & _)].
  - destruct IH as (top & HA & Hle & Hat); [intros; apply H; simpl; auto |].
    destruct (has z) eqn:Ez.
    + pose proof (H z (or_introl eq_refl) Ez) as Hz. pose proof (HP _ Hz) as Hz0.
      destruct (existsb has heads) eqn:Ex.
      * apply existsb_exists in Ex. destruct Ex as (y & Hy & Ey). specialize (Hat (ex_intro _ y (conj Hy Ey))).
        destruct (Rle_dec top (a z)) as [Hc | Hc].
        -- exists (a z). split; auto. split; auto. intros x [<- | Hx] Hb; [lra |]. specialize (Hle x Hx Hb). lra.
        -- exists top. split; auto. split; auto. intros x [<- | Hx] Hb; [lra | auto].
      * exists (a z). split; auto. split; auto. intros x [<- | Hx] Hb; [lra |].
        exfalso. rewrite <- not_true_iff_false in Ex. apply Ex, existsb_exists. eauto.
    + exists top. split; auto. split; [intros x [<- | Hx] Hb; [congruence | auto] |].
      intros (x & [<- | Hx] & Hb); [congruence |]. apply Hat. eauto.
Qed.

Lemma gathered S L t w is : gathers t w is -> forall ds, part_of S L t ds ->
  exists vs (a : Z -> R), NoDup vs /\ (forall v, In v vs -> attained S L is v (a v))
    /\ sum (told_chance t) ds <= sum (fun v => w v * a v) vs.
Proof.
  induction 1 as [w is Hw | t w is v Hv H1 Hw | law next w' w is Hn IH Hw' Hs]; intros ds Hds.
  - exists [], (fun _ => 0). split; [constructor |]. split; [intros v [] |].
    destruct Hds as [_ Hds]. destruct ds as [| d ds]; [simpl; lra |].
    destruct (Hds d (or_introl eq_refl)) as (o & Ho & _). discriminate.
  - exists [v], (fun _ => sum (told_chance t) ds). split; [repeat constructor; auto |]. split.
    + intros u [<- | []]. now exists t, ds.
    + simpl. pose proof (part_nonneg t ds). nra.
  - destruct (split_draws _ _ _ _ _ Hds) as (heads & F & Hh & HF & ->).
    destruct (choose_for Z.eq_dec (([] : list Z), fun _ : Z => 0) (fun z (G : list Z * (Z -> R)) =>
      NoDup (fst G) /\ (forall v, In v (fst G) -> attained S L is v (snd G v))
      /\ mass law z * sum (told_chance (next z)) (F z) <= sum (fun v => mass law z * w' z v * snd G v) (fst G)) heads)
      as (G & HG).
    { intros z. destruct (Rlt_dec 0 (mass law z)) as [Hz | Hz].
      - destruct (IH z Hz (F z) (HF z)) as (vs & a & H1 & H2 & H3). exists (vs, a). simpl. split; auto. split; auto.
        rewrite (sum_ext _ (fun v => mass law z * (w' z v * a v))) by (intros; ring). rewrite sum_scale.
        apply Rmult_le_compat_l; [lra | auto].
      - exists ([], fun _ => 0). simpl. split; [constructor |]. split; [intros v [] |].
        pose proof (mass_nonneg law z). replace (mass law z) with 0 by lra. lra. }
    set (vs := nodup Z.eq_dec (flat_map (fun z => fst (G z)) heads)).
    set (has := fun v z => existsb (Z.eqb v) (fst (G z))).
    assert (Hhas : forall v z, has v z = true <-> In v (fst (G z))).
    { intros v z. unfold has. rewrite existsb_exists. split.
      - intros (u & Hu & E). apply Z.eqb_eq in E. now subst.
      - intros Hu. exists v. split; auto. apply Z.eqb_refl. }
    destruct (choose_for Z.eq_dec 0 (fun v A => 0 <= A /\ (forall z, In z heads -> has v z = true -> snd (G z) v <= A)
      /\ ((exists z, In z heads /\ has v z = true) -> attained S L is v A)) vs) as (A & HA).
    { intros v. apply largest; [apply attained_nonneg |]. intros z Hz Hv. apply (HG z Hz), Hhas, Hv. }
    exists vs, A. split; [apply NoDup_nodup |]. split.
    + intros v Hv. apply HA; auto. apply nodup_In, in_flat_map in Hv. destruct Hv as (z & Hz & Hv).
      exists z. split; auto. now apply Hhas.
    + apply Rle_trans with (sum (fun z => sum (fun v => mass law z * w' z v * A v) vs) heads).
      * apply sum_le. intros z Hz. destruct (HG z Hz) as (G1 & G2 & G3). eapply Rle_trans; [exact G3 |].
        assert (Hi : incl (fst (G z)) vs).
        { intros v Hv. apply nodup_In, in_flat_map. eauto. }
        assert (Hp : forall v, 0 <= mass law z * w' z v) by (intros; apply Rmult_le_pos; auto using mass_nonneg).
        apply Rle_trans with (sum (fun v => mass law z * w' z v * A v) (fst (G z))).
        { apply sum_le. intros v Hv. apply Rmult_le_compat_l; auto.
          apply (HA v (Hi v Hv)); auto. now apply Hhas. }
        rewrite (sum_ext (fun v => mass law z * w' z v * A v) (fun v => mass law z * w' z v * Rmax 0 (A v)) (fst (G z))).
        2: { intros v Hv. rewrite Rmax_right; auto. apply (HA v (Hi v Hv)). }
        rewrite (sum_ext (fun v => mass law z * w' z v * A v) (fun v => mass law z * w' z v * Rmax 0 (A v)) vs).
        2: { intros v Hv. rewrite Rmax_right; auto. apply (HA v Hv). }
        apply sum_le_incl; auto. intros v. apply Rmult_le_pos; auto. apply Rmax_l.
      * rewrite sum_swap. apply sum_le. intros v Hv.
        rewrite (sum_ext _ (fun z => A v * (mass law z * w' z v))) by (intros; ring). rewrite sum_scale.
        rewrite Rmult_comm. apply Rmult_le_compat_r; [apply (HA v Hv) | auto].
Qed.

Lemma scattered S L t w is : scatters t w is -> forall vs (a : Z -> R), NoDup vs -> (forall v, In v vs -> 0 <= a v) ->
  (forall v l, In v vs -> is v l -> exists ds, part_of S L l ds /\ a v <= sum (told_chance l) ds) ->
  exists ds, part_of S L t ds /\ sum (fun v => w v * a v) vs <= sum (told_chance t) ds.
Proof.
  induction 1 as [t w is Hw | t w is v Hv H1 Hw | law next w' w is Hn IH Hw' Hs]; intros vs a Hnd Ha Hl.
  - exists []. split; [apply nothing |]. apply Rle_trans with (sum (fun v => 0) vs).
    + apply sum_le. intros v Hv. specialize (Ha v Hv). specialize (Hw v). nra.
    + rewrite sum_zero; simpl; auto; lra.
  - assert (G : forall l, ~ In v l -> (forall u, In u l -> 0 <= a u) -> sum (fun u => w u * a u) l <= 0).
    { intros l Hnot Hpos. apply Rle_trans with (sum (fun v => 0) l); [| rewrite sum_zero; auto; lra].
      apply sum_le. intros u Hu. assert (u <> v) by (intros ->; auto). specialize (Hw u H). specialize (Hpos u Hu). nra. }
    destruct (in_dec Z.eq_dec v vs) as [Hin | Hin].
    + destruct (Hl v t Hin Hv) as (ds & Hds & Hle). exists ds. split; auto.
      apply Rle_trans with (a v); auto. destruct (in_split v vs Hin) as (l1 & l2 & ->).
      apply NoDup_remove_2 in Hnd. rewrite sum_app, sum_cons.
      assert (G' : sum (fun u => w u * a u) (l1 ++ l2) <= 0).
      { apply G; auto. intros u Hu. apply Ha. rewrite in_app_iff in *. simpl. tauto. }
      rewrite sum_app in G'. specialize (Ha v Hin). nra.
    + exists []. split; [apply nothing |]. simpl. auto.
  - destruct (choose_for Z.eq_dec [] (fun v zs => NoDup zs /\ w v <= sum (fun z => mass law z * w' z v) zs) vs)
      as (zs & Hzs); auto.
    set (all := nodup Z.eq_dec (flat_map zs vs)).
    destruct (choose_for Z.eq_dec [] (fun z ds => part_of S L (next z) ds
      /\ sum (fun v => w' z v * a v) vs <= sum (told_chance (next z)) ds) all) as (F & HF).
    { intros z. apply IH; auto. }
    destruct (join_draws S L law next (fun z => z) (fun z => if in_dec Z.eq_dec z all then F z else []) all)
      as (ds & Hds & Hsum); auto.
    { apply NoDup_nodup. }
    { intros z. destruct in_dec; [apply HF; auto | apply nothing]. }
    exists ds. split; auto. rewrite Hsum.
    apply Rle_trans with (sum (fun v => sum (fun z => mass law z * w' z v * a v) all) vs).
    + apply sum_le. intros v Hv. destruct (Hzs v Hv) as [Z1 Z2].
      rewrite (sum_ext _ (fun z => a v * (mass law z * w' z v))) by (intros; ring). rewrite sum_scale, Rmult_comm.
      apply Rmult_le_compat_l; auto. eapply Rle_trans; [exact Z2 |].
      apply sum_le_incl; auto.
      * intros z. apply Rmult_le_pos; auto using mass_nonneg.
      * intros z Hz. apply nodup_In, in_flat_map. eauto.
    + rewrite sum_swap. apply sum_le. intros z Hz. destruct in_dec; [| contradiction].
      rewrite (sum_ext _ (fun v => mass law z * (w' z v * a v))) by (intros; ring). rewrite sum_scale.
      apply Rmult_le_compat_l; [apply mass_nonneg | apply HF; auto].
Qed.

Theorem coupled_dominated L e t1 t2 : coupled L e t1 t2 -> forall S, dominated S L e t1 t2.
Proof.
  induction 1 as [L e t1 t2 Hnot _ | L e o1 o2 Ho He | L e ev v1 v2 t1 t2 Hv Ht IH
                 | L e law1 law2 next1 next2 move cost Hj Hm Hn IH | L e law c1 c2 s1 s2 next1 next2 k cost
                 | L e t1 t2 w1 w2 is1 is2 cost Hg Hs Hw Hn IH]; intros S ds Hds.
  - exists []. split; [apply nothing |]. destruct Hds as [_ Hds]. destruct ds as [| d ds]; [simpl; lra |].
    destruct (Hds d (or_introl eq_refl)) as (o & Ho & _). exfalso. exact (Hnot d o Ho).
  - subst. exists ds. split; auto. pose proof (part_nonneg (TEnds o2) ds). pose proof (exp_le 0 e He).
    rewrite exp_0 in *. nra.
  - destruct (log_dec L ((ev, v1) :: tl L)) as [E | Hne].
    + destruct (IH _ E S ds) as (ds2 & [H1 H2] & Hle).
      { destruct Hds as [Hnd Hds]. split; auto. intros d Hd. destruct (Hds d Hd) as (o & Ho & So).
        simpl in Ho. destruct (told_outcome t1 d) as [[o' L'] |] eqn:E1; [| discriminate].
        exists o. split; auto. rewrite E1. rewrite E in Ho. injection Ho as -> <-. reflexivity. }
      exists ds2. split; [split; auto |]; auto. intros d Hd. destruct (H2 d Hd) as (o & Ho & So).
      exists o. split; auto. simpl. rewrite Ho, <- (Hv _ E), E. reflexivity.
    + exists []. split; [apply nothing |]. destruct Hds as [_ Hds]. destruct ds as [| d ds]; [simpl; lra |].
      destruct (Hds d (or_introl eq_refl)) as (o & Ho & _). simpl in Ho.
      destruct (told_outcome t1 d) as [[o' L'] |]; [| discriminate].
      exfalso. apply Hne. destruct L; simpl in *; congruence.
  - destruct (split_draws _ _ _ _ _ Hds) as (heads & F & Hh & HF & ->).
    destruct (choose_for Z.eq_dec [] (fun z ds2 => part_of S L (next2 (move z)) ds2
      /\ mass law1 z * sum (told_chance (next1 z)) (F z)
         <= exp e * (mass law2 (move z) * sum (told_chance (next2 (move z))) ds2)) heads) as (F2 & HF2).
    { intros z. destruct (Rlt_dec 0 (mass law1 z)) as [Hz | Hz].
      - destruct (IH z Hz S (F z) (HF z)) as (ds2 & H1 & H2). exists ds2. split; auto. specialize (Hm z).
        replace (exp e) with (exp (cost z) * exp (e - cost z)) by (rewrite <- exp_plus; f_equal; ring).
        pose proof (exp_pos (cost z)). pose proof (mass_nonneg law2 (move z)).
        replace (exp (cost z) * exp (e - cost z) * (mass law2 (move z) * sum (told_chance (next2 (move z))) ds2))
          with ((exp (cost z) * mass law2 (move z)) * (exp (e - cost z) * sum (told_chance (next2 (move z))) ds2)) by ring.
        apply Rmult_le_compat; auto; [lra | apply part_nonneg].
      - exists []. split; [apply nothing |]. pose proof (mass_nonneg law1 z). replace (mass law1 z) with 0 by lra.
        simpl. lra. }
    destruct (join_draws S L law2 next2 move (fun z => if in_dec Z.eq_dec z heads then F2 z else []) heads)
      as (ds2 & H1 & H2); auto.
    { intros z. destruct in_dec; [apply HF2; auto | apply nothing]. }
    exists ds2. split; auto. rewrite H2, <- sum_scale. apply sum_le. intros z Hz.
    destruct in_dec; [apply HF2; auto | contradiction].
  - exists []. split; [apply nothing |]. destruct Hds as [_ Hds]. destruct ds as [| d ds]; [simpl; lra |].
    destruct (Hds d (or_introl eq_refl)) as (o & Ho & _). discriminate.
  - destruct (gathered S L _ _ _ Hg ds Hds) as (vs & a & Hnd & Ha & Hle).
    destruct (scattered S L _ _ _ Hs vs (fun v => exp (- (e - cost v)) * a v)) as (ds2 & H1 & H2); auto.
    { intros v Hv. apply Rmult_le_pos; [apply Rlt_le, exp_pos | exact (attained_nonneg _ _ _ _ _ (Ha v Hv))]. }
    { intros v l Hv Hl. destruct (Ha v Hv) as (t & ds1 & Hi & Hp & ->).
      destruct (IH v t l Hi Hl S ds1 Hp) as (ds3 & H3 & H4). exists ds3. split; auto.
      rewrite exp_Ropp. pose proof (exp_pos (e - cost v)).
      apply Rmult_le_reg_l with (exp (e - cost v)); auto. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. auto. }
    exists ds2. split; auto. apply Rle_trans with (sum (fun v => exp e * (w2 v * (exp (- (e - cost v)) * a v))) vs).
    + eapply Rle_trans; [exact Hle |]. apply sum_le. intros v Hv.
      pose proof (attained_nonneg _ _ _ _ _ (Ha v Hv)) as Hp.
      replace (exp e * (w2 v * (exp (- (e - cost v)) * a v))) with ((exp e * exp (- (e - cost v))) * w2 v * a v) by ring.
      rewrite <- exp_plus. replace (e + - (e - cost v)) with (cost v) by ring. apply Rmult_le_compat_r; auto.
    + rewrite sum_scale. apply Rmult_le_compat_l; [apply Rlt_le, exp_pos | auto].
Qed.

(** * Privacy *)

(** The runs of run 1, by what they tell. *)
Definition tells_so (L : log) (t : telling) (d : list Z) : bool :=
  match told_outcome t d with Some (_, L') => if log_dec L' L then true else false | None => false end.

Lemma sum_by_log t : forall ds logs, NoDup logs ->
  (forall d, In d ds -> exists o L, told_outcome t d = Some (o, L) /\ In L logs) ->
  sum (told_chance t) ds = sum (fun L => sum (told_chance t) (filter (tells_so L t) ds)) logs.
Proof.
  intros ds logs Hl. induction ds as [| d ds IH]; intros H.
  - symmetry. apply sum_zero. reflexivity.
  - rewrite sum_cons, IH by (intros; apply H; simpl; auto). clear IH.
    destruct (H d (or_introl eq_refl)) as (o & L & Ho & HL). clear H.
    rewrite (sum_ext (fun K => sum (told_chance t) (filter (tells_so K t) (d :: ds)))
      (fun K => (if log_dec L K then told_chance t d else 0) + sum (told_chance t) (filter (tells_so K t) ds))).
    2: { intros K _. simpl filter. unfold tells_so at 1. rewrite Ho. destruct (log_dec L K); [now rewrite sum_cons | ring]. }
    rewrite sum_plus. f_equal. clear - Hl HL. induction Hl as [| K logs HK _ IH]; [contradiction |].
    rewrite sum_cons. destruct HL as [<- | HL].
    + destruct (log_dec K K); [| contradiction]. rewrite sum_zero; [ring |].
      intros K' HK'. destruct (log_dec K K') as [<- |]; [contradiction | auto].
    + destruct (log_dec L K) as [<- |]; [contradiction |]. rewrite <- IH by auto. ring.
Qed.

(** Parts of different logs, together. *)
Lemma join_logs S t (F : log -> list (list Z)) logs : NoDup logs -> (forall L, In L logs -> part_of S L t (F L)) ->
  exists ds, NoDup ds /\ (forall d, In d ds -> exists o L, told_outcome t d = Some (o, L) /\ S o /\ In L logs)
  /\ sum (told_chance t) ds = sum (fun L => sum (told_chance t) (F L)) logs.
Proof.
  intros Hl HF. induction Hl as [| L logs HL _ IH].
  - exists []. split; [constructor |]. split; [intros d [] | reflexivity].
  - destruct IH as (ds & H1 & H2 & H3); [intros; apply HF; simpl; auto |].
    destruct (HF L (or_introl eq_refl)) as [F1 F2]. exists (F L ++ ds). split; [| split].
    + apply NoDup_app_both; auto. intros d Hd Hd'. destruct (F2 d Hd) as (o & Ho & _).
      destruct (H2 d Hd') as (o' & L' & Ho' & _ & Hin). rewrite Ho in Ho'. injection Ho' as -> ->. contradiction.
    + intros d Hd. apply in_app_iff in Hd. destruct Hd as [Hd | Hd].
      * destruct (F2 d Hd) as (o & Ho & So). exists o, L. simpl. auto.
      * destruct (H2 d Hd) as (o & L' & Ho & So & Hin). exists o, L'. simpl. auto.
    + rewrite sum_app, sum_cons, H3. reflexivity.
Qed.

(** The pointwise rule: a coupling for each log of run 1 relates all runs that end in S. *)
Theorem coupled_runs events epsilon program1 program2 input1 input2 fuel :
  (forall L, coupled L epsilon (told_runs events fuel program1 input1) (told_runs events fuel program2 input2)) ->
  forall S ds, NoDup ds -> (forall d, In d ds -> exists o, outcome (runs fuel program1 input1) d = Some o /\ S o) ->
  exists ds2, NoDup ds2 /\ (forall d, In d ds2 -> exists o, outcome (runs fuel program2 input2) d = Some o /\ S o)
  /\ sum (chance (runs fuel program1 input1)) ds <= exp epsilon * sum (chance (runs fuel program2 input2)) ds2.
Proof.
  intros H S ds Hnd HS.
  set (t1 := told_runs events fuel program1 input1) in *. set (t2 := told_runs events fuel program2 input2) in *.
  assert (Q1 : quiet (runs fuel program1 input1) t1) by apply quiet_runs.
  assert (Q2 : quiet (runs fuel program2 input2) t2) by apply quiet_runs.
  rewrite (sum_ext _ (told_chance t1)) by (intros; apply Q1).
  set (log_of := fun d => match told_outcome t1 d with Some (_, L) => L | None => [] end).
  set (logs := nodup log_dec (map log_of ds)).
  assert (Hends : forall d, In d ds -> exists o L, told_outcome t1 d = Some (o, L) /\ S o /\ In L logs).
  { intros d Hd. destruct (HS d Hd) as (o & Ho & So). rewrite (proj1 (Q1 d)) in Ho.
    destruct (told_outcome t1 d) as [[o' L] |] eqn:E; [| discriminate]. injection Ho as ->.
    exists o, L. split; auto. split; auto. apply nodup_In, in_map_iff. exists d. unfold log_of. rewrite E. auto. }
  rewrite (sum_by_log t1 ds logs).
  2: apply NoDup_nodup. 2: intros d Hd; destruct (Hends d Hd) as (o & L & Ho & _ & HL); eauto.
  destruct (choose_for log_dec [] (fun L ds2 => part_of S L t2 ds2
    /\ sum (told_chance t1) (filter (tells_so L t1) ds) <= exp epsilon * sum (told_chance t2) ds2) logs) as (F & HF).
  { intros L. apply coupled_dominated with (1 := H L). split; [now apply NoDup_filter |].
    intros d Hd. apply filter_In in Hd. destruct Hd as [Hd E]. destruct (Hends d Hd) as (o & L' & Ho & So & _).
    unfold tells_so in E. rewrite Ho in E. destruct (log_dec L' L) as [<- |]; [| discriminate]. now exists o. }
  destruct (join_logs S t2 F logs) as (ds2 & H1 & H2 & H3).
  { apply NoDup_nodup. } { intros L HL. apply (HF L HL). }
  exists ds2. split; auto. split.
  - intros d Hd. destruct (H2 d Hd) as (o & L & Ho & So & _). exists o. rewrite (proj1 (Q2 d)), Ho. auto.
  - rewrite (sum_ext (chance _) (told_chance t2)) by (intros; apply Q2).
    rewrite H3, <- sum_scale. apply sum_le. intros L HL. apply (HF L HL).
Qed.

(** That proves privacy, for every set of outputs. *)
Theorem coupled_private events epsilon program input1 input2 :
  (forall fuel L, coupled L epsilon (told_runs events fuel program input1) (told_runs events fuel program input2)) ->
  draws_integers program = true -> private_on epsilon program input1 input2.
Proof.
  intros H Hi. split; auto. intros S p1 p2 [_ Hp1] [Hp2 _]. apply Hp1. intros part (fuel & ds & Hnd & HS & ->).
  destruct (coupled_runs events epsilon _ _ _ _ fuel (H fuel) S ds Hnd HS) as (ds2 & H1 & H2 & Hle).
  eapply Rle_trans; [exact Hle |]. apply Rmult_le_compat_l; [apply Rlt_le, exp_pos |].
  apply Hp2. exists fuel, ds2. auto.
Qed.

(** [Conseq]: more is allowed. *)
Theorem private_more epsilon delta epsilon' delta' program input1 input2 : epsilon <= epsilon' -> delta <= delta' ->
  private_within epsilon delta program input1 input2 -> private_within epsilon' delta' program input1 input2.
Proof.
  intros He Hd [Hi H]. split; auto. intros S p1 p2 H1 H2. apply Rle_trans with (1 := H S p1 p2 H1 H2). apply Rplus_le_compat; auto.
  apply Rmult_le_compat_r; [| now apply exp_le]. apply (proj1 H2). exists O, []. repeat split; [constructor | intros d []].
Qed.

Lemma private_exactly epsilon program input1 input2 :
  private_on epsilon program input1 input2 <-> private_within epsilon 0 program input1 input2.
Proof. split; intros [Hi H]; (split; [auto |]); intros S p1 p2 H1 H2; specialize (H S p1 p2 H1 H2); rewrite Rplus_0_r in *; auto. Qed.
