(** Steps to programs with the same law: what draws become, and what may stand for what.

    [SameNoise], [Fuse] and [Rate]: where both programs, on each of two inputs, are coupled with each other and nothing
    is paid, the one is as private as the other.  What such couplings are made of has Rules.v: the same noise, draws
    that are summed up, branches, loops and lists. *)
From Coq Require Import Lia Lra FunctionalExtensionality.
From synth Require Export Deferred.
Local Open Scope list_scope.

(** * The same noise, and draws that are summed up *)

Definition same_law (program program' : code) (input : memory) : Prop := exists events, forall fuel L,
  coupled L 0 (told_runs events fuel program input) (told_runs events fuel program' input)
  /\ coupled L 0 (told_runs events fuel program' input) (told_runs events fuel program input).

Lemma as_likely program program' input S p : same_law program program' input ->
  probability program input S p -> probability program' input S p.
Proof.
  intros (events & H) [U Lst].
  assert (Q : forall c c', (forall fuel L, coupled L 0 (told_runs events fuel c input) (told_runs events fuel c' input)) ->
    forall fuel ds, NoDup ds -> (forall d, In d ds -> exists o, outcome (runs fuel c input) d = Some o /\ S o) ->
    exists ds', NoDup ds' /\ (forall d, In d ds' -> exists o, outcome (runs fuel c' input) d = Some o /\ S o)
    /\ sum (chance (runs fuel c input)) ds <= sum (chance (runs fuel c' input)) ds').
  { intros c c' Hc fuel ds Hnd HS. destruct (coupled_runs events 0 c c' input input fuel (Hc fuel) S ds Hnd HS) as (ds' & H1 & H2 & H3).
    rewrite exp_0, Rmult_1_l in H3. eauto. }
  split.
  - intros part (fuel & ds & Hnd & HS & ->).
    destruct (Q program' program (fun f L => proj2 (H f L)) fuel ds Hnd HS) as (ds' & H1 & H2 & H3).
    eapply Rle_trans; [exact H3 |]. apply U. exists fuel, ds'. auto.
  - intros b Hb. apply Lst. intros part (fuel & ds & Hnd & HS & ->).
    destruct (Q program program' (fun f L => proj1 (H f L)) fuel ds Hnd HS) as (ds' & H1 & H2 & H3).
    eapply Rle_trans; [exact H3 |]. apply Hb. exists fuel, ds'. auto.
Qed.

(** The rule: what is private behind such a step is private before it. *)
Theorem private_before epsilon delta program program' input1 input2 : draws_integers program = true ->
  same_law program program' input1 -> same_law program program' input2 ->
  private_within epsilon delta program' input1 input2 -> private_within epsilon delta program input1 input2.
Proof.
  intros Hi H1 H2 [_ G]. split; auto. intros S p1 p2 P1 P2. apply (G S); [eapply as_likely | eapply as_likely]; eauto.
Qed.

(** [Rate]: scores and rates with the same products are the same weights. *)
Theorem rated events n x o count (score rate score' rate' : expr REAL) demands :
  (forall m i, eval (upd m o (Int i)) score * eval m rate = eval (upd m o (Int i)) score' * eval m rate') ->
  same_chances events (Weigh n x o count score rate demands) (Weigh n x o count score' rate' demands).
Proof.
  intros H fuel lv lv' k k' Hl Hk m. simpl.
  replace (exponent m o score' rate') with (exponent m o score rate) by (extensionality i; apply H).
  destruct (forallb _ (indices _)); [apply equally_draws; intros z; apply Hk | apply equally_same].
Qed.

(** * Draws that are mapped one to one *)

(** What is drawn is a function of what is drawn by another law, which has the same chances there. *)
Theorem mapped law law' (f : Z -> Z) (next : Z -> telling) :
  (forall z z', 0 < mass law z -> 0 < mass law z' -> f z = f z' -> z = z') ->
  (forall z, 0 < mass law z -> mass law z = mass law' (f z)) ->
  (forall y, 0 < mass law' y -> exists z, 0 < mass law z /\ f z = y) ->
  equally_likely (TDraws law (fun z => next (f z))) (TDraws law' next).
Proof.
  intros Hinj Hm Hs.
  assert (Positive : forall law (next : Z -> telling) S L p, at_least S L (TDraws law next) p -> p <= 0 \/ exists pieces,
    NoDup (map fst pieces) /\ (forall z q, In (z, q) pieces -> 0 < mass law z /\ at_least S L (next z) q)
    /\ p <= sum (fun piece => mass law (fst piece) * snd piece) pieces).
  { clear. intros law next S L p H. inversion H as [| | | ? ? ? pieces ? Hnd Hq Hsum |]; subst; auto. right.
    exists (filter (fun piece => if Rlt_dec 0 (mass law (fst piece)) then true else false) pieces). split; [| split].
    - clear - Hnd. induction pieces as [| [z q] rest IH]; simpl in *; auto. inversion_clear Hnd as [| ? ? Hz Hr].
      destruct Rlt_dec; simpl; auto. constructor; auto. intros Hin. apply Hz. apply in_map_iff in Hin.
      destruct Hin as (piece & E & Hin). apply filter_In in Hin. apply in_map_iff. exists piece. tauto.
    - intros z q Hin. apply filter_In in Hin. destruct Hin as [Hin E]. simpl in E. destruct Rlt_dec; [auto | discriminate].
    - rewrite (sum_partition _ (fun piece => if Rlt_dec 0 (mass law (fst piece)) then true else false) pieces) in Hsum.
      rewrite (sum_zero _ (filter (fun piece => negb _) pieces)) in Hsum; [lra |]. intros [z q] Hin. apply filter_In in Hin.
      destruct Hin as [_ E]. simpl in *. destruct (Rlt_dec 0 (mass law z)) as [| Hz]; [discriminate |].
      pose proof (mass_nonneg law z). replace (mass law z) with 0 by lra. ring. }
  split; intros S L p H; destruct (Positive _ _ _ _ _ H) as [Hneg | (pieces & Hnd & Hq & Hsum)]; try now apply least_nothing.
  - apply least_draws with (map (fun piece => (f (fst piece), snd piece)) pieces).
    + rewrite map_map. simpl. rewrite <- map_map. apply NoDup_map_on; auto. intros a b Ha Hb E.
      apply in_map_iff in Ha, Hb. destruct Ha as ([a' qa] & <- & Ha), Hb as ([b' qb] & <- & Hb). simpl in *.
      apply Hinj; auto; [now apply (Hq a' qa) | now apply (Hq b' qb)].
    + intros y q Hin. apply in_map_iff in Hin. destruct Hin as ([z q'] & E & Hin). injection E as <- <-. now apply Hq.
    + rewrite sum_map. eapply Rle_trans; [exact Hsum |]. right. apply sum_ext. intros [z q] Hin. simpl.
      rewrite (Hm z); auto. now apply (Hq z q).
  - destruct (choose_for Z.eq_dec 0%Z (fun y z => 0 < mass law' y -> 0 < mass law z /\ f z = y) (map fst pieces)) as (g & Hg).
    { intros y. destruct (Rlt_dec 0 (mass law' y)) as [Hy | Hy]; [| exists 0%Z; tauto]. destruct (Hs y Hy) as (z & Hz). exists z. auto. }
    assert (G : forall y q, In (y, q) pieces -> 0 < mass law (g y) /\ f (g y) = y).
    { intros y q Hin. apply Hg; [apply in_map_iff; now exists (y, q) | now apply (Hq y q)]. }
    apply least_draws with (map (fun piece => (g (fst piece), snd piece)) pieces).
    + rewrite map_map. simpl. rewrite <- map_map. apply NoDup_map_on; auto. intros a b Ha Hb E.
      apply in_map_iff in Ha, Hb. destruct Ha as ([a' qa] & <- & Ha), Hb as ([b' qb] & <- & Hb). simpl in *.
      destruct (G a' qa Ha) as [_ <-], (G b' qb Hb) as [_ <-]. now rewrite E.
    + intros z q Hin. apply in_map_iff in Hin. destruct Hin as ([y q'] & E & Hin). injection E as <- <-. simpl.
      destruct (G y q' Hin) as [_ ->]. now apply Hq.
    + rewrite sum_map. eapply Rle_trans; [exact Hsum |]. right. apply sum_ext. intros [y q] Hin. simpl.
      destruct (G y q Hin) as [Hz E]. now rewrite (Hm (g y)), E.
Qed.

(** [Permute]: of a uniform draw y from [low] on, n of them, (e + y) mod n is uniform, and so is y - low; and if nothing else
    reads y, the programs have the same chances. *)
Definition uniform_from (low n : Z) : law := Chances (uniform low (low + n - 1) (1 / IZR n)).

Lemma uniform_positive low n z : (0 < n)%Z -> 0 < mass (uniform_from low n) z <-> (low <= z < low + n)%Z.
Proof.
  intros Hn. simpl. unfold uniform. assert (0 < 1 / IZR n) by (apply Rdiv_lt_0_compat; [lra | now apply IZR_lt]).
  destruct (between low (low + n - 1) z) eqn:E.
  - apply between_true in E. rewrite Rmax_right by lra. split; intros; [lia | auto].
  - rewrite Rmax_left by lra. split; [lra |]. intros Hz. assert (between low (low + n - 1) z = true) by (apply between_true; lia). congruence.
Qed.
Lemma uniform_mass low n z : (low <= z < low + n)%Z -> mass (uniform_from low n) z = Rmax 0 (1 / IZR n).
Proof. intros Hz. simpl. unfold uniform. now rewrite (proj2 (between_true low (low + n - 1) z)) by lia. Qed.

Theorem permuted low n (move : Z -> Z) (next : Z -> telling) : (0 < n)%Z ->
  (exists e, forall y, move y = ((e + y) mod n)%Z) \/ (exists e, forall y, move y = ((e - y) mod n)%Z) ->
  equally_likely (TDraws (uniform_from low n) (fun y => next (move y))) (TDraws (uniform_from low n) (fun y => next (y - low)%Z)).
Proof.
  intros Hn Hmove.
  assert (In0 : forall y, (0 <= move y < n)%Z).
  { intros y. destruct Hmove as [(e & ->) | (e & ->)]; now apply Z.mod_pos_bound. }
  assert (Near : forall a b, (a mod n = b mod n -> - n < a - b < n -> a = b)%Z).
  { intros a b E Hd. rewrite (Z.div_mod a n), (Z.div_mod b n) in Hd |- * by lia. rewrite E in *.
    set (q := (a / n)%Z) in *. set (q' := (b / n)%Z) in *. replace q with q' by nia. reflexivity. }
  assert (Inj : forall y y', (low <= y < low + n)%Z -> (low <= y' < low + n)%Z -> move y = move y' -> y = y').
  { intros y y' Hy Hy' E. destruct Hmove as [(e & H) | (e & H)]; rewrite !H in E; apply Near in E; lia. }
  assert (Sur : forall v, (0 <= v < n)%Z -> exists y, (low <= y < low + n)%Z /\ move y = v).
  { intros v Hv. destruct Hmove as [(e & H) | (e & H)].
    - exists (low + (v - e - low) mod n)%Z. pose proof (Z.mod_pos_bound (v - e - low) n Hn). split; [lia |]. rewrite H.
      pose proof (Z.div_mod (v - e - low) n ltac:(lia)). set (q := ((v - e - low) / n)%Z) in *. set (r := ((v - e - low) mod n)%Z) in *.
      replace (e + (low + r))%Z with (v + (- q) * n)%Z by lia. rewrite Z.mod_add by lia. now apply Z.mod_small.
    - exists (low + (e - v - low) mod n)%Z. pose proof (Z.mod_pos_bound (e - v - low) n Hn). split; [lia |]. rewrite H.
      pose proof (Z.div_mod (e - v - low) n ltac:(lia)). set (q := ((e - v - low) / n)%Z) in *. set (r := ((e - v - low) mod n)%Z) in *.
      replace (e - (low + r))%Z with (v + q * n)%Z by lia. rewrite Z.mod_add by lia. now apply Z.mod_small. }
  apply equally_trans with (TDraws (uniform_from 0 n) next); [| apply equally_back].
  - apply (mapped _ _ move).
    + intros y y' Hy Hy'. apply uniform_positive in Hy, Hy'; auto.
    + intros y Hy. apply uniform_positive in Hy; auto. specialize (In0 y). now rewrite (uniform_mass low n y), (uniform_mass 0 n (move y)) by lia.
    + intros v Hv. apply uniform_positive in Hv; auto. destruct (Sur v) as (y & Hy & E); [lia |]. exists y. split; auto. now apply uniform_positive.
  - apply (mapped _ _ (fun y => (y - low)%Z)).
    + intros y y' _ _ E. cbv beta in E. lia.
    + intros y Hy. apply uniform_positive in Hy; auto. now rewrite (uniform_mass low n y), (uniform_mass 0 n (y - low)) by lia.
    + intros v Hv. apply uniform_positive in Hv; auto. exists (v + low)%Z. split; [apply uniform_positive; auto; lia | lia].
Qed.
