(** Probabilities by finite parts: what some runs add up to, with more fuel, and what at least a chance is. *)
From Coq Require Import Lia Lra.
From synth Require Export RealNoise Lift.
Local Open Scope list_scope.

Lemma quiet_row_none e row t : forall c, tell_row [] e c row t = t.
Proof. induction row as [| v row IH]; intros c; [reflexivity | exact (IH (S c))]. Qed.

(** * More fuel *)

Definition within (t u : telling) : Prop :=
  forall d o L, told_outcome t d = Some (o, L) -> told_outcome u d = Some (o, L) /\ told_chance u d = told_chance t d.

Lemma within_draws law next next' : (forall z, within (next z) (next' z)) -> within (TDraws law next) (TDraws law next').
Proof. intros H [| z d] o L E; [discriminate |]. destruct (H z d o L E) as [E1 E2]. simpl. rewrite E2. auto. Qed.
Lemma fails_before_any u : within TFails u.
Proof. intros [] o L E; discriminate. Qed.
Lemma within_same t : within t t.
Proof. intros d o L E. auto. Qed.

Lemma more_fuel_told fuel fuel' c : (fuel <= fuel')%nat -> forall lv lv' k k' m,
  (forall l m, within (lv l m) (lv' l m)) -> (forall m, within (k m) (k' m)) ->
  within (published [] fuel c lv k m) (published [] fuel' c lv' k' m).
Proof.
  intros Hf. induction c; simpl; intros lv lv' k k' m Hl Hn; rewrite ?quiet_row_none;
    try solve [auto using within_draws, within_same
               | destruct eval; auto using fails_before_any | destruct forallb; auto using within_draws, fails_before_any].
  - intros d o L E. discriminate.
  - unfold tell. simpl. destruct eval; auto.
  - apply IHc; auto. intros. destruct String.eqb; auto.
  - enough (G : forall n n' m, (n <= n')%nat -> within (rounds fuel c lv n m) (rounds fuel' c lv' n' m)) by (now apply G).
    induction n as [| n IH]; intros n' m' Hle; [apply fails_before_any |].
    destruct n' as [| n']; [lia |]. rewrite !step_round. apply IHc; auto. intros. apply IH. lia.
Qed.

Lemma part_of_more S t u ds : within t u -> part_of S [] t ds ->
  part_of S [] u ds /\ sum (told_chance u) ds = sum (told_chance t) ds.
Proof.
  intros H [Hnd Hds]. split; [split; auto |].
  - intros d Hd. destruct (Hds d Hd) as (o & Ho & So). exists o. split; auto. now apply H.
  - apply sum_ext. intros d Hd. destruct (Hds d Hd) as (o & Ho & _). now destruct (H d o [] Ho).
Qed.

(** What some runs of a program that end in S add up to. *)
Definition adds (program : code) (input : memory) (S : output -> Prop) (x : R) : Prop :=
  exists fuel ds, part_of S [] (told_runs [] fuel program input) ds /\ x = sum (told_chance (told_runs [] fuel program input)) ds.

Lemma probability_adds program input S p : probability program input S p <-> is_lub (adds program input S) p.
Proof.
  assert (E : forall x, (exists fuel draws, NoDup draws
      /\ (forall d, In d draws -> exists o, outcome (runs fuel program input) d = Some o /\ S o)
      /\ x = sum (chance (runs fuel program input)) draws) <-> adds program input S x).
  { intros x. unfold adds. split; intros (fuel & ds & H).
    - destruct H as (H1 & H2 & ->). exists fuel, ds. rewrite <- chance_of_runs. split; auto. apply part_of_runs. auto.
    - destruct H as (H & ->). apply part_of_runs in H as [H1 H2]. exists fuel, ds. rewrite chance_of_runs. auto. }
  unfold probability, is_lub, is_upper_bound. split; intros [H1 H2]; (split; [intros x Hx; apply H1, E, Hx | intros b Hb; apply H2; intros x Hx; apply Hb, E, Hx]).
Qed.

Lemma adds_more program input S x : adds program input S x -> exists least, forall fuel, (least <= fuel)%nat ->
  exists ds, part_of S [] (told_runs [] fuel program input) ds /\ x = sum (told_chance (told_runs [] fuel program input)) ds.
Proof.
  intros (least & ds & Hds & ->). exists least. intros fuel Hf. exists ds.
  destruct (part_of_more S (told_runs [] least program input) (told_runs [] fuel program input) ds) as [H1 H2]; auto.
  apply more_fuel_told; auto; intros; apply fails_before_any.
Qed.

Lemma adds_nothing program input S : adds program input S 0.
Proof. exists O, []. split; [apply nothing | reflexivity]. Qed.
Lemma adds_nonneg program input S x : adds program input S x -> 0 <= x.
Proof. intros (f & ds & _ & ->). apply part_nonneg. Qed.

(** * Programs that draw integers *)

Inductive integral : telling -> Prop :=
| integral_ends o : integral (TEnds o)
| integral_fails : integral TFails
| integral_draws law next : (forall z, integral (next z)) -> integral (TDraws law next)
| integral_tells e v t : integral t -> integral (Tells e v t).

Lemma integral_row events e row : forall c t, integral t -> integral (tell_row events e c row t).
Proof.
  induction row as [| v row IH]; simpl; intros c t H; auto. unfold tell. destruct existsb; [apply integral_tells |]; apply IH; auto.
Qed.

Lemma integral_runs events fuel c : draws_integers c = true -> forall lv k m,
  (forall l m, integral (lv l m)) -> (forall m, integral (k m)) -> integral (published events fuel c lv k m).
Proof.
  induction c; simpl; intros Hd lv k m Hl Hk; try discriminate; auto using integral_draws, integral_row, integral_ends.
  - destruct forallb; auto using integral_draws, integral_fails.
  - apply andb_prop in Hd. destruct Hd. auto.
  - apply andb_prop in Hd. destruct Hd. unfold tell. destruct existsb; [apply integral_tells |]; destruct eval; auto.
  - apply IHc; auto. intros l m'. destruct String.eqb; auto.
  - generalize fuel at 2 as n. intros n. revert m. induction n; intros m; [apply integral_fails |]. apply IHc; auto.
  - destruct eval; auto using integral_fails.
  - destruct eval; auto using integral_fails.
Qed.

(** What is at least the chance of a run are some of its draws, and the other way round. *)
Lemma least_part S t : integral t -> forall L p, at_least S L t p -> exists ds, part_of S L t ds /\ p <= sum (told_chance t) ds.
Proof.
  induction 1 as [o | | law next _ IH | e v t _ IH]; intros L p H.
  - inversion H; subst; [exists []; split; [apply nothing | simpl; lra] |]. exists [[]]. split; [| simpl; lra].
    split; [repeat constructor; auto |]. intros d [<- | []]. exists o. auto.
  - inversion H; subst. exists []. split; [apply nothing | simpl; lra].
  - inversion H as [? ? ? Hneg | | | ? ? ? pieces ? Hnd Hq Hsum |]; subst; [exists []; split; [apply nothing | simpl; lra] |].
    destruct (choose_for pair_dec [] (fun piece ds => In piece pieces -> part_of S L (next (fst piece)) ds
      /\ snd piece <= sum (told_chance (next (fst piece))) ds) pieces) as (G & HG).
    { intros [z q]. destruct (in_dec pair_dec (z, q) pieces) as [Hin |]; [| exists []; tauto].
      destruct (IH z L q (Hq z q Hin)) as (ds & H1). exists ds. auto. }
    set (F := fun z => match find (fun piece => (fst piece =? z)%Z) pieces with Some piece => G piece | None => [] end).
    assert (HF : forall z q, In (z, q) pieces -> F z = G (z, q)).
    { intros z q Hin. unfold F. clear - Hnd Hin. induction pieces as [| [y r] rest IHp]; [destruct Hin |]. simpl.
      simpl in Hnd. inversion_clear Hnd as [| ? ? Hy Hr]. destruct Hin as [E | Hin].
      - injection E as -> ->. now rewrite Z.eqb_refl.
      - destruct (Z.eqb_spec y z) as [-> |]; [| auto]. exfalso. apply Hy, in_map_iff. now exists (z, q). }
    destruct (join_draws S L law next (fun z => z) F (map fst pieces)) as (ds & Hds & Hs); auto.
    { intros z. unfold F. destruct find as [piece |] eqn:E; [| apply nothing]. apply find_some in E. destruct E as [Hin E].
      apply Z.eqb_eq in E as <-. now apply HG. }
    exists ds. split; auto. rewrite Hs, sum_map. eapply Rle_trans; [exact Hsum |]. apply sum_le. intros [z q] Hin. simpl.
    rewrite (HF z q Hin). apply Rmult_le_compat_l; [apply mass_nonneg |]. now apply (HG (z, q)).
  - inversion H as [? ? ? Hneg | | ? ? ? ? ? Hp | |]; subst; [exists []; split; [apply nothing | simpl; lra] |].
    destruct (IH _ _ Hp) as (ds & [N P] & Hle). exists ds. split; auto. split; auto. intros d Hd.
    destruct (P d Hd) as (o & Ho & So). exists o. simpl. rewrite Ho. auto.
Qed.

Lemma part_least S t : forall L ds, part_of S L t ds -> at_least S L t (sum (told_chance t) ds).
Proof.
  induction t as [o | | law next IH | law c s next IH | e v t IH]; intros L ds H.
  - destruct ds as [| d ds]; [apply least_nothing; simpl; lra |].
    destruct (proj2 H d (or_introl eq_refl)) as (o' & Ho & So). destruct d; [| discriminate]. injection Ho as <- <-.
    apply least_ends; auto. now apply (part_of_end _ _ _ H).
  - destruct ds as [| d ds]; [apply least_nothing; simpl; lra |]. destruct (proj2 H d (or_introl eq_refl)) as (o' & Ho & _). discriminate.
  - destruct (split_draws _ _ _ _ _ H) as (heads & F & Hh & HF & ->).
    apply least_draws with (map (fun z => (z, sum (told_chance (next z)) (F z))) heads).
    + rewrite map_map. simpl. now rewrite map_id.
    + intros z q Hin. apply in_map_iff in Hin. destruct Hin as (z' & E & _). injection E as <- <-. apply IH, HF.
    + rewrite sum_map. simpl. lra.
  - destruct ds as [| d ds]; [apply least_nothing; simpl; lra |]. destruct (proj2 H d (or_introl eq_refl)) as (o' & Ho & _). discriminate.
  - destruct ds as [| d ds]; [apply least_nothing; simpl; lra |].
    assert (E : exists L', L = (e, v) :: L').
    { destruct (proj2 H d (or_introl eq_refl)) as (o' & Ho & _). simpl in Ho. destruct told_outcome as [[? L'] |]; [| discriminate].
      injection Ho as _ <-. eauto. }
    destruct E as (L' & ->). apply least_tells, IH. split; [apply H |]. intros d' Hd'.
    destruct (proj2 H d' Hd') as (o' & Ho & So). exists o'. simpl in Ho. destruct told_outcome as [[? L2] |]; [| discriminate].
    injection Ho as -> ->. auto.
Qed.

(** Programs of which the one brings at least what the other does, with enough fuel, in both directions. *)
Lemma private_alike epsilon program program' input1 input2 : draws_integers program = true -> draws_integers program' = true ->
  (forall input S p, (exists fuel, at_least S [] (told_runs [] fuel program input) p)
    <-> exists fuel, at_least S [] (told_runs [] fuel program' input) p) ->
  private_on epsilon program' input1 input2 -> private_on epsilon program input1 input2.
Proof.
  intros Hi Hi' H [_ G]. split; auto. intros S p1 p2 H1 H2.
  assert (E : forall c c' input p, draws_integers c = true -> draws_integers c' = true ->
    (forall S p, (exists fuel, at_least S [] (told_runs [] fuel c input) p)
      <-> exists fuel, at_least S [] (told_runs [] fuel c' input) p) -> probability c input S p -> probability c' input S p).
  { clear. intros c c' input p Hi Hi' H Hp. apply probability_adds in Hp. apply probability_adds.
    assert (Q : forall c c', draws_integers c' = true -> (forall S p, (exists fuel, at_least S [] (told_runs [] fuel c input) p)
        -> exists fuel, at_least S [] (told_runs [] fuel c' input) p) ->
      forall x, adds c input S x -> exists y, adds c' input S y /\ x <= y).
    { clear. intros c c' Hi' H x (f & ds & Hds & ->). destruct (H S _ (ex_intro _ f (part_least _ _ _ _ Hds))) as (f' & Hf').
      destruct (least_part S _ (integral_runs [] f' c' Hi' (fun _ _ => TFails) (fun _ => TFails) input (fun _ _ => integral_fails)
        (fun _ => integral_fails)) [] _ Hf') as (ds' & H1 & H2).
      exists (sum (told_chance (told_runs [] f' c' input)) ds'). split; auto. exists f', ds'. auto. }
    destruct Hp as [U Lst]. split.
    - intros x Hx. destruct (Q c' c Hi (fun S p => proj2 (H S p)) x Hx) as (y & Hy & Hle). apply Rle_trans with y; auto.
    - intros b Hb. apply Lst. intros x Hx. destruct (Q c c' Hi' (fun S p => proj1 (H S p)) x Hx) as (y & Hy & Hle). apply Rle_trans with y; auto. }
  apply (G S); [apply (E program program' input1) | apply (E program program' input2)]; auto.
Qed.
