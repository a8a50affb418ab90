(** Probabilities of the outputs of a program that draws integers, and differential privacy. *)
From synth Require Export Core.

(** A run is given by what it draws.  Its output, if with just these draws it comes to one: *)
Fixpoint outcome (t : tree) (draws : list Z) : option output :=
  match t, draws with
  | Ends o, [] => Some o
  | Draws _ next, z :: rest => outcome (next z) rest
  | _, _ => None
  end.

(** Its chance: *)
Fixpoint chance (t : tree) (draws : list Z) : R :=
  match t, draws with
  | Draws law next, z :: rest => mass law z * chance (next z) rest
  | _, _ => 1
  end.

(** [p] is the probability that the output is in [S]: the sum of the chances of all runs that end with such an
    output, that is, the least upper bound of its finite parts. *)
Definition probability (program : code) (input : memory) (S : output -> Prop) (p : R) : Prop :=
  is_lub (fun part => exists fuel draws,
      NoDup draws
      /\ (forall d, In d draws -> exists o, outcome (runs fuel program input) d = Some o /\ S o)
      /\ part = sum (chance (runs fuel program input)) draws) p.

(** For every set of outputs, on these two inputs. *)
Definition private_on (epsilon : R) (program : code) (input1 input2 : memory) : Prop :=
  draws_integers program = true /\ forall S p1 p2, probability program input1 S p1 -> probability program input2 S p2 ->
  p1 <= exp epsilon * p2.

(** The same up to [delta]. *)
Definition private_within (epsilon delta : R) (program : code) (input1 input2 : memory) : Prop :=
  draws_integers program = true /\ forall S p1 p2, probability program input1 S p1 -> probability program input2 S p2 ->
  p1 <= exp epsilon * p2 + delta.

(** * Distances of inputs *)

Definition inside (q : list Z) (i : Z) : Prop := (0 <= i < Z.of_nat (length q))%Z.

Definition linf (bound : R) (q1 q2 : list Z) : Prop :=
  length q1 = length q2 /\ forall i, inside q1 i -> Rabs (IZR (entry q2 i) - IZR (entry q1 i)) <= bound.

Definition linf_monotone (bound : R) (q1 q2 : list Z) : Prop :=
  length q1 = length q2
  /\ ((forall i, inside q1 i -> 0 <= IZR (entry q2 i) - IZR (entry q1 i) <= bound)
      \/ (forall i, inside q1 i -> 0 <= IZR (entry q1 i) - IZR (entry q2 i) <= bound)).

Definition l1 (bound : R) (q1 q2 : list Z) : Prop :=
  length q1 = length q2 /\ sum (fun both => Rabs (IZR (snd both) - IZR (fst both))) (combine q1 q2) <= bound.

Definition linf_table (bound : R) (f1 f2 : Z -> Z) : Prop :=
  forall i, Rabs (IZR (f2 i) - IZR (f1 i)) <= bound.

Definition linf_table2 (bound : R) (f1 f2 : Z -> Z -> Z) : Prop :=
  forall i j, Rabs (IZR (f2 i j) - IZR (f1 i j)) <= bound.

Definition linf_monotone_table (bound : R) (f1 f2 : Z -> Z) : Prop :=
  (forall i, 0 <= IZR (f2 i) - IZR (f1 i) <= bound) \/ (forall i, 0 <= IZR (f1 i) - IZR (f2 i) <= bound).

(** The same of reals. *)
Definition linf_reals (bound : R) (q1 q2 : list R) : Prop :=
  length q1 = length q2
  /\ forall i : Z, (0 <= i < Z.of_nat (length q1))%Z -> Rabs (real_entry q2 i - real_entry q1 i) <= bound.

Definition linf_monotone_reals (bound : R) (q1 q2 : list R) : Prop :=
  length q1 = length q2
  /\ ((forall i : Z, (0 <= i < Z.of_nat (length q1))%Z -> 0 <= real_entry q2 i - real_entry q1 i <= bound)
      \/ (forall i : Z, (0 <= i < Z.of_nat (length q1))%Z -> 0 <= real_entry q1 i - real_entry q2 i <= bound)).

Definition l1_reals (bound : R) (q1 q2 : list R) : Prop :=
  length q1 = length q2 /\ sum (fun both => Rabs (snd both - fst both)) (combine q1 q2) <= bound.

Definition change_one_any_reals (q1 q2 : list R) : Prop :=
  length q1 = length q2 /\ exists place, forall i : Z, i <> place -> real_entry q2 i = real_entry q1 i.

Definition change_one_reals (bound : R) (q1 q2 : list R) : Prop :=
  length q1 = length q2
  /\ exists place, (forall i : Z, i <> place -> real_entry q2 i = real_entry q1 i)
                   /\ Rabs (real_entry q2 place - real_entry q1 place) <= bound.

Definition linf_real_table (bound : R) (f1 f2 : Z -> R) : Prop := forall i, Rabs (f2 i - f1 i) <= bound.

Definition change_one_any (q1 q2 : list Z) : Prop :=
  length q1 = length q2 /\ exists place, forall i, i <> place -> entry q2 i = entry q1 i.

Definition change_one (bound : R) (q1 q2 : list Z) : Prop :=
  length q1 = length q2
  /\ exists place, (forall i, i <> place -> entry q2 i = entry q1 i)
                   /\ Rabs (IZR (entry q2 place) - IZR (entry q1 place)) <= bound.

(** A truth value changes by 1 at most; no bound says less. *)
Definition change_one_truth (q1 q2 : list bool) : Prop :=
  length q1 = length q2 /\ exists place, forall i : Z, i <> place -> truth q2 i = truth q1 i.

(** Each truth value that differs counts 1. *)
Definition l1_truths (bound : R) (q1 q2 : list bool) : Prop :=
  length q1 = length q2 /\ sum (fun both => if Bool.eqb (fst both) (snd both) then 0 else 1) (combine q1 q2) <= bound.

Definition absolute_real (bound x1 x2 : R) : Prop := Rabs (x2 - x1) <= bound.

Definition absolute (bound : R) (x1 x2 : Z) : Prop := Rabs (IZR x2 - IZR x1) <= bound.
