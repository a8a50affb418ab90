(** Programs that draw reals: their runs, which tell what the program decides; probabilities; privacy.

    A run may tell, as [events]: which way a branch goes, an appended entry, the returned value.  What it tells is its
    [log].  Telling changes nothing else. *)
From synth Require Export Privacy.
Local Open Scope list_scope.

(** * What is told *)

Inductive event := Branch (n : nat) | Appended (list : string) (component : nat) | Returned (component : nat).
Inductive told := TheInt (z : Z) | TheBool (b : bool).
Definition log := list (event * told).

Definition event_eqb (a b : event) : bool :=
  match a, b with
  | Branch i, Branch j | Returned i, Returned j => Nat.eqb i j
  | Appended x i, Appended y j => if String.eqb x y then Nat.eqb i j else false
  | _, _ => false
  end.

Inductive telling :=
| TEnds (o : output)
| TFails
| TDraws (law : law) (next : Z -> telling)
| TDrawsReal (law : noise) (center scale : R) (next : R -> telling)
| Tells (e : event) (v : told) (rest : telling).

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
  | DrawReal _ law x center scale => TDrawsReal law (eval m center) (eval m scale) (fun r => next (upd m x (Real r)))
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

Definition told_runs events fuel program input : telling :=
  published events fuel program (fun _ _ => TFails) (fun _ => TFails) input.

(** * Noise on the reals *)

(** The chance of noise around 0 of scale 1 to be at most x: Laplace's law, and the exponential one. *)
Definition at_most (law : noise) (x : R) : R :=
  match law with
  | laplace => if Rle_dec x 0 then exp x / 2 else 1 - exp (- x) / 2
  | exponential => if Rle_dec x 0 then 0 else 1 - exp (- x)
  end.

(** The chance of an interval; without a positive scale it is 0. *)
Definition interval_mass (law : noise) (center scale a b : R) : R :=
  if Rlt_dec 0 scale then at_most law ((b - center) / scale) - at_most law ((a - center) / scale) else 0.

(** Intervals from a to b, each with a number, one behind the other. *)
Fixpoint in_order (pieces : list (R * R * R)) : Prop :=
  match pieces with
  | [] => True
  | (a, b, _) :: rest => a <= b /\ match rest with (next, _, _) :: _ => b <= next | [] => True end /\ in_order rest
  end.

(** The chance that a run ends in [S] and tells [L] is at least [p], since of finitely many different values, or of
    intervals that don't overlap, each has at least such a chance at each of its points. *)
Inductive at_least (S : output -> Prop) : log -> telling -> R -> Prop :=
| least_nothing L t p : p <= 0 -> at_least S L t p
| least_ends o p : S o -> p <= 1 -> at_least S [] (TEnds o) p
| least_tells L e v t p : at_least S L t p -> at_least S ((e, v) :: L) (Tells e v t) p
| least_draws L law next pieces p :
    NoDup (map fst pieces) -> (forall z q, In (z, q) pieces -> at_least S L (next z) q) ->
    p <= sum (fun piece => mass law (fst piece) * snd piece) pieces -> at_least S L (TDraws law next) p
| least_draws_real L law center scale next pieces p :
    in_order pieces -> (forall a b q x, In (a, b, q) pieces -> a < x < b -> at_least S L (next x) q) ->
    p <= sum (fun piece => interval_mass law center scale (fst (fst piece)) (snd (fst piece)) * snd piece) pieces ->
    at_least S L (TDrawsReal law center scale next) p.

(** [p] is the probability that the output is in [S]: the least upper bound of finite sums, over different logs. *)
Definition told_probability (events : list event) (program : code) (input : memory) (S : output -> Prop) (p : R) : Prop :=
  is_lub (fun part => exists fuel logs (q : log -> R),
      NoDup logs
      /\ (forall L, In L logs -> at_least S L (told_runs events fuel program input) (q L))
      /\ part = sum q logs) p.

(** Where the intervals of noise reach the probability, that is it, whatever events are told. *)
Definition told_private_on (events : list event) (epsilon : R) (program : code) (input1 input2 : memory) : Prop :=
  forall S p1 p2, told_probability events program input1 S p1 -> told_probability events program input2 S p2 ->
  p1 <= exp epsilon * p2.
