(** The core language: its syntax, and what a run of a program does.

    The text is that of the certificate's core program, construct by construct.  Names stand for values in a
    [memory].  Expressions are total: x / 0 and an entry outside of a list are some number; the program's own
    [Ensure] in front of such a place ends the run there.  [exec] turns a program into the tree of its runs. *)
From Coq Require Export String Bool.
From synth Require Export Laws.
Open Scope string_scope.

(** * Values and expressions *)

Inductive value :=
| Int (z : Z) | Real (r : R) | Bool (b : bool)
| Ints (entries : list Z)              (* a parameter that is a sequence *)
| Truths (entries : list bool)         (* the same, of truth values *)
| Reals (entries : list R)             (* the same, of reals *)
| Table (entries : Z -> Z)             (* a parameter that is a function *)
| Table2 (entries : Z -> Z -> Z)       (* the same, of two indices *)
| RealTable (entries : Z -> R)         (* the same, with real values *)
| Rows (rows : list (list value)).     (* a local list, its entries by components *)

Inductive sort := INT | REAL | BOOL.
Definition of_sort (s : sort) : Type := match s with INT => Z | REAL => R | BOOL => bool end.

Definition as_int (v : value) : Z := match v with Int z => z | _ => 0%Z end.
Definition as_real (v : value) : R := match v with Real r => r | _ => 0 end.
Definition as_bool (v : value) : bool := match v with Bool b => b | _ => false end.
Definition as_rows (v : value) : list (list value) := match v with Rows l => l | _ => [] end.

Definition put (s : sort) : of_sort s -> value :=
  match s with INT => Int | REAL => Real | BOOL => Bool end.

Definition length_of (v : value) : Z :=
  match v with Ints l => Z.of_nat (length l) | Truths l => Z.of_nat (length l) | Reals l => Z.of_nat (length l)
  | Rows l => Z.of_nat (length l) | _ => 0%Z end.
Definition entry (l : list Z) (i : Z) : Z := if (i <? 0)%Z then 0%Z else nth (Z.to_nat i) l 0%Z.
Definition read_at (v : value) (i : Z) : Z := match v with Ints l => entry l i | Table f => f i | _ => 0%Z end.
Definition read2_at (v : value) (i j : Z) : Z := match v with Table2 f => f i j | _ => 0%Z end.
Definition real_entry (l : list R) (i : Z) : R := if (i <? 0)%Z then 0 else nth (Z.to_nat i) l 0.
Definition real_at (v : value) (i : Z) : R := match v with Reals l => real_entry l i | RealTable f => f i | _ => 0 end.
Definition truth (l : list bool) (i : Z) : bool := if (i <? 0)%Z then false else nth (Z.to_nat i) l false.
Definition truth_at (v : value) (i : Z) : bool := match v with Truths l => truth l i | _ => false end.
Definition component (l : list (list value)) (i : Z) (c : nat) : value := nth c (nth (Z.to_nat i) l []) (Int 0).

Definition Rltb (a b : R) : bool := if Rlt_dec a b then true else false.
Definition Rleb (a b : R) : bool := if Rle_dec a b then true else false.
Definition Reqb (a b : R) : bool := if Req_EM_T a b then true else false.

Inductive expr : sort -> Type :=
| IntConst (z : Z) : expr INT
| RealConst (r : R) : expr REAL
| BoolConst (b : bool) : expr BOOL
| IntVar (x : string) : expr INT
| RealVar (x : string) : expr REAL
| BoolVar (x : string) : expr BOOL
| Length (x : string) : expr INT
| Read (x : string) (index : expr INT) : expr INT
| Read2 (x : string) (i j : expr INT) : expr INT
| ReadReal (x : string) (index : expr INT) : expr REAL
| ReadTruth (x : string) (index : expr INT) : expr BOOL
| IntElement (x : string) (index : expr INT) (c : nat) : expr INT
| BoolElement (x : string) (index : expr INT) (c : nat) : expr BOOL
| RealElement (x : string) (index : expr INT) (c : nat) : expr REAL
| Add (a b : expr INT) : expr INT
| Sub (a b : expr INT) : expr INT
| Mul (a b : expr INT) : expr INT
| FloorDiv (a b : expr INT) : expr INT
| Modulo (a b : expr INT) : expr INT
| Neg (a : expr INT) : expr INT
| Abs (a : expr INT) : expr INT
| Min (a b : expr INT) : expr INT
| Max (a b : expr INT) : expr INT
| RAdd (a b : expr REAL) : expr REAL
| RSub (a b : expr REAL) : expr REAL
| RMul (a b : expr REAL) : expr REAL
| RDiv (a b : expr REAL) : expr REAL
| RNeg (a : expr REAL) : expr REAL
| RAbs (a : expr REAL) : expr REAL
| RMin (a b : expr REAL) : expr REAL
| RMax (a b : expr REAL) : expr REAL
| Exp (a : expr REAL) : expr REAL
| Ln (a : expr REAL) : expr REAL
| Sqrt (a : expr REAL) : expr REAL
| ToReal (a : expr INT) : expr REAL
| Eq (a b : expr INT) : expr BOOL
| Lt (a b : expr INT) : expr BOOL
| Le (a b : expr INT) : expr BOOL
| REq (a b : expr REAL) : expr BOOL
| RLt (a b : expr REAL) : expr BOOL
| RLe (a b : expr REAL) : expr BOOL
| BEq (a b : expr BOOL) : expr BOOL
| And (a b : expr BOOL) : expr BOOL
| Or (a b : expr BOOL) : expr BOOL
| Not (a : expr BOOL) : expr BOOL
| Cond {s : sort} (c : expr BOOL) (a b : expr s) : expr s.

Definition memory := string -> value.
Definition empty : memory := fun _ => Int 0.
Definition upd (m : memory) (x : string) (v : value) : memory := fun y => if String.eqb y x then v else m y.

Fixpoint eval (m : memory) {s : sort} (e : expr s) : of_sort s :=
  match e in expr s return of_sort s with
  | IntConst z => z
  | RealConst r => r
  | BoolConst b => b
  | IntVar x => as_int (m x)
  | RealVar x => as_real (m x)
  | BoolVar x => as_bool (m x)
  | Length x => length_of (m x)
  | Read x i => read_at (m x) (eval m i)
  | Read2 x i j => read2_at (m x) (eval m i) (eval m j)
  | ReadReal x i => real_at (m x) (eval m i)
  | ReadTruth x i => truth_at (m x) (eval m i)
  | IntElement x i c => as_int (component (as_rows (m x)) (eval m i) c)
  | BoolElement x i c => as_bool (component (as_rows (m x)) (eval m i) c)
  | RealElement x i c => as_real (component (as_rows (m x)) (eval m i) c)
  | Add a b => (eval m a + eval m b)%Z
  | Sub a b => (eval m a - eval m b)%Z
  | Mul a b => (eval m a * eval m b)%Z
  | FloorDiv a b => (eval m a / eval m b)%Z
  | Modulo a b => (eval m a mod eval m b)%Z
  | Neg a => (- eval m a)%Z
  | Abs a => Z.abs (eval m a)
  | Min a b => Z.min (eval m a) (eval m b)
  | Max a b => Z.max (eval m a) (eval m b)
  | RAdd a b => eval m a + eval m b
  | RSub a b => eval m a - eval m b
  | RMul a b => eval m a * eval m b
  | RDiv a b => eval m a / eval m b
  | RNeg a => - eval m a
  | RAbs a => Rabs (eval m a)
  | RMin a b => Rmin (eval m a) (eval m b)
  | RMax a b => Rmax (eval m a) (eval m b)
  | Exp a => exp (eval m a)
  | Ln a => ln (eval m a)
  | Sqrt a => sqrt (eval m a)
  | ToReal a => IZR (eval m a)
  | Eq a b => (eval m a =? eval m b)%Z
  | Lt a b => (eval m a <? eval m b)%Z
  | Le a b => (eval m a <=? eval m b)%Z
  | REq a b => Reqb (eval m a) (eval m b)
  | RLt a b => Rltb (eval m a) (eval m b)
  | RLe a b => Rleb (eval m a) (eval m b)
  | BEq a b => Bool.eqb (eval m a) (eval m b)
  | And a b => eval m a && eval m b
  | Or a b => eval m a || eval m b
  | Not a => negb (eval m a)
  | Cond c a b => if eval m c then eval m a else eval m b
  end.

(** * Programs *)

Inductive item := | Item {s : sort} (e : expr s).   (* a component of an entry, or of the output *)
Definition item_value (m : memory) (i : item) : value := match i with Item e => put _ (eval m e) end.

(** [Choose] draws one of finitely many values, integers or truth values: where [outcome] is it, the first of the
    conditions that holds has its chance.  [Weigh] draws one of the indices 0 to count - 1, by weights
    exp(score * rate), where [outcome] is it; [demands] must hold for each.  Numbers of branches, loops and sites mean nothing to a run. *)
Inductive code :=
| Skip
| Assign {s : sort} (x : string) (e : expr s)
| Draw (site : nat) (law : noise) (x : string) (center : expr INT) (scale : expr REAL)
| DrawReal (site : nat) (law : noise) (x : string) (center scale : expr REAL)
| Choose (site : nat) (s : sort) (x outcome : string) (chances : list (expr BOOL * expr REAL))
| Weigh (site : nat) (x outcome : string) (count : expr INT) (score rate : expr REAL) (demands : list (expr BOOL))
| NewList (x : string)
| Append (x : string) (row : list item)
| Seq (first rest : code)
| If (branch : nat) (c : expr BOOL) (yes no : code)
| Block (label : string) (body : code)
| Loop (loop : nat) (body : code)
| Leave (label : string)
| Ensure (c : expr BOOL)               (* an obligation: false is an error *)
| Assume (c : expr BOOL)               (* an assertion: false ends the run without output *)
| Return (values : list item) (lists : list string).

Notation "a ;; b" := (Seq a b) (at level 60, right associativity).

(** * Runs *)

Record output := Output { values : list value; lists : list (list (list value)) }.

(** A run ends with an output, or without one (error, assertion, out of fuel), or draws. *)
Inductive tree :=
| Ends (o : output)
| Fails
| Draws (law : law) (next : Z -> tree).

(** Draws are integers; of truth values 1 is true and 0 false. *)
Definition drawn (s : sort) (z : Z) : value := match s with BOOL => Bool (z =? 1)%Z | _ => Int z end.

Fixpoint chance_of (m : memory) (chances : list (expr BOOL * expr REAL)) : R :=
  match chances with [] => 0 | (c, p) :: rest => if eval m c then eval m p else chance_of m rest end.

Definition chosen (m : memory) (s : sort) (outcome : string) (chances : list (expr BOOL * expr REAL)) (z : Z) : R :=
  match s with
  | BOOL => if (z =? 0)%Z || (z =? 1)%Z then chance_of (upd m outcome (drawn s z)) chances else 0
  | _ => chance_of (upd m outcome (drawn s z)) chances
  end.

Definition exponent (m : memory) (outcome : string) (score rate : expr REAL) (i : Z) : R :=
  eval (upd m outcome (Int i)) score * eval m rate.

Definition demanded (m : memory) (outcome : string) (demands : list (expr BOOL)) (i : Z) : bool :=
  forallb (fun d : expr BOOL => eval (upd m outcome (Int i)) d) demands.

(** No real is drawn. *)
Fixpoint draws_integers (c : code) : bool :=
  match c with
  | DrawReal _ _ _ _ _ => false
  | Seq a b | If _ _ a b => draws_integers a && draws_integers b
  | Block _ body | Loop _ body => draws_integers body
  | _ => true
  end.

(** [next] is what comes behind a statement, [leave] what comes behind a labelled block.  Each loop makes at
    most [fuel] iterations: a run that ends does so with enough of it. *)
Fixpoint exec (fuel : nat) (c : code) (leave : string -> memory -> tree) (next : memory -> tree) (m : memory)
  : tree :=
  match c with
  | Skip => next m
  | Assign x e => next (upd m x (put _ (eval m e)))
  | Draw _ law x center scale => Draws (Noise law (eval m center) (eval m scale)) (fun z => next (upd m x (Int z)))
  | DrawReal _ _ _ _ _ => Fails           (* runs that draw reals: Told.v *)
  | Choose _ s x outcome chances => Draws (Chances (chosen m s outcome chances)) (fun z => next (upd m x (drawn s z)))
  | Weigh _ x outcome count score rate demands =>
      if forallb (demanded m outcome demands) (indices (eval m count))
      then Draws (Weights (eval m count) (exponent m outcome score rate)) (fun z => next (upd m x (Int z)))
      else Fails
  | NewList x => next (upd m x (Rows []))
  | Append x row => next (upd m x (Rows (as_rows (m x) ++ [map (item_value m) row])))
  | Seq a b => exec fuel a leave (exec fuel b leave next) m
  | If _ c a b => if eval m c then exec fuel a leave next m else exec fuel b leave next m
  | Block l body => exec fuel body (fun l' => if String.eqb l' l then next else leave l') next m
  | Loop _ body =>
      (fix again (n : nat) (m : memory) : tree :=
         match n with O => Fails | S n => exec fuel body leave (again n) m end) fuel m
  | Leave l => leave l m
  | Ensure c | Assume c => if eval m c then next m else Fails
  | Return vs ls => Ends (Output (map (item_value m) vs) (map (fun x => as_rows (m x)) ls))
  end.

(** A program ends by [Return]; leaving no block, or coming to the end, is no output. *)
Definition runs (fuel : nat) (program : code) (input : memory) : tree :=
  exec fuel program (fun _ _ => Fails) (fun _ => Fails) input.
