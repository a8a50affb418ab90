(** What keeps the statement from being empty: noise has mass 1, each event of a program whose chances add up to at
    most 1 has a probability between 0 and 1, and a program that tells its private input is not private, however large epsilon is. *)
From Coq Require Import Lia Lra Psatz FinFun.
From synth Require Import Tails.

(** Of truth values the two chances have to add up to at most 1. *)
Theorem truth_at_most_1 m outcome chances l :
  Rmax 0 (chance_of (upd m outcome (Bool false)) chances) + Rmax 0 (chance_of (upd m outcome (Bool true)) chances) <= 1 ->
  NoDup l -> sum (mass (Chances (chosen m BOOL outcome chances))) l <= 1.
Proof.
  intros H Hl. set (law := Chances (chosen m BOOL outcome chances)).
  destruct (sum_positive (mass law) l (mass_nonneg law)) as (l' & Hl').
  destruct (Hl' Hl) as (Hnd & _ & Hpos & ->).
  apply Rle_trans with (sum (mass law) [0%Z; 1%Z]).
  - apply sum_le_incl; auto using mass_nonneg. intros z Hz. specialize (Hpos z Hz). simpl. simpl in Hpos.
    unfold chosen in Hpos. destruct (Z.eqb_spec z 0) as [E | H0]; [now left |].
    destruct (Z.eqb_spec z 1) as [E | H1]; [now right; left |].
    exfalso. simpl in Hpos. unfold Rmax in Hpos. destruct Rle_dec; lra.
  - simpl. simpl in H. lra.
Qed.

(** * Events have probabilities *)

(** So no statement about probabilities is true because there are none. *)
Theorem probability_exists program input S : (forall fuel, sound (runs fuel program input)) ->
  exists p, probability program input S p /\ 0 <= p <= 1.
Proof.
  intros Hs.
  destruct (completeness (fun part => exists fuel draws, NoDup draws
      /\ (forall d, In d draws -> exists o, outcome (runs fuel program input) d = Some o /\ S o)
      /\ part = sum (chance (runs fuel program input)) draws)) as (p & Hp).
  - exists 1. intros part (fuel & draws & Hnd & HS & ->). apply chances_at_most_1; auto.
    intros d Hd. destruct (HS d Hd) as (o & -> & _). discriminate.
  - exists 0, O, []. repeat split; [constructor | intros d []].
  - exists p. split; [exact Hp |]. destruct Hp as [Hu Hl]. split.
    + apply Hu. exists O, []. repeat split; [constructor | intros d []].
    + apply Hl. intros part (fuel & draws & Hnd & HS & ->). apply chances_at_most_1; auto.
      intros d Hd. destruct (HS d Hd) as (o & -> & _). discriminate.
Qed.

(** * What tells its input is not private *)

Definition telltale : code := Return [Item (IntVar "x")] [].
Definition secret (x : Z) : memory := upd empty "x" (Int x).

Lemma telltale_is_sound x fuel : sound (runs fuel telltale (secret x)).
Proof. now apply noise_is_sound. Qed.

Lemma telltale_probability x (S : output -> Prop) p : probability telltale (secret x) S p ->
  (S (Output [Int x] []) -> 1 <= p) /\ (~ S (Output [Int x] []) -> p <= 0).
Proof.
  intros [Hu Hl]. split.
  - intros HS. apply Hu. exists O, [[]]. split; [repeat constructor; auto |]. split; [| simpl; ring].
    intros d [<- | []]. simpl. eauto.
  - intros HS. apply Hl. intros part (fuel & draws & _ & H & ->). destruct draws as [| d draws]; [simpl; lra |].
    exfalso. destruct (H d (or_introl eq_refl)) as (o & Ho & So). destruct d; simpl in Ho; [| discriminate].
    injection Ho as <-. exact (HS So).
Qed.

Theorem telltale_is_not_private epsilon : ~ private_on epsilon telltale (secret 0) (secret 1).
Proof.
  intros H. set (S := fun o : output => o = Output [Int 0] []).
  destruct (probability_exists telltale (secret 0) S (telltale_is_sound _)) as (p1 & Hp1 & _).
  destruct (probability_exists telltale (secret 1) S (telltale_is_sound _)) as (p2 & Hp2 & Hnn).
  specialize (H S p1 p2 Hp1 Hp2).
  pose proof (proj1 (telltale_probability 0 S p1 Hp1) eq_refl).
  assert (p2 <= 0) by (apply (proj2 (telltale_probability 1 S p2 Hp2)); unfold S; congruence).
  assert (p2 = 0) by lra. subst p2. lra.
Qed.
