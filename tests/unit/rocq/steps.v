(** Each program before a step, and the one behind it, bring the same. *)
Local Open Scope list_scope.

Definition alike_outputs (program program' : code) (input : memory) : Prop :=
  approaches [] program program' input /\ approaches [] program' program input.

(** A statement stays, or is the part that is replaced. *)
Ltac stays := apply replaced_not; [reflexivity | intros z Hz; simpl in Hz |- *; tauto].
Ltac part := first [ solve [apply replaced_here; auto] | stays | apply replaced_seq; part ].

(** * [Count] *)

Theorem counted_step input : counts "xs" "xs.len" input input -> alike_outputs before_counted after_counted input.
Proof.
  intros H. apply approaches_equally. intros fuel. exact (counted_alike "xs" "xs.len" [] fuel before_counted input eq_refl eq_refl H).
Qed.
Print Assumptions counted_step.

(** * [Linger] *)

Definition round : code :=
  Choose 0 BOOL "y" "y.outcome" [((BoolVar "y.outcome"), (RealConst (1 / 4))); ((Not (BoolVar "y.outcome")), (RealConst (3 / 4)))];;
  If 0 (BoolVar "y") (Assign "s" (Add (Add (IntVar "s") (IntVar "x")) (IntVar "i"));; Assign "d" (BoolConst true)) Skip.
Definition counting (of : code) : code := Assign "s" (IntConst 0);; looped 0 "B" "i" "d" (IntConst 0) of;; Return [Item (IntVar "s")] [].
Notation lingers := (lingering 0 0 "B" "i" "d" (IntVar "n") round).
Ltac replaces := match goal with
  | |- forall _, _ => idtac | |- replaced _ _ _ _ _ => part
  | _ => cbv [untold]; simpl; repeat split; try (intuition discriminate); try (intros z; simpl; tauto) end.

(** The number of rounds is given. *)
Theorem late_step input : alike_outputs before_late after_late input.
Proof.
  enough (alike_outputs (counting (late 0 0 "B" "i" "d" (IntVar "n") round)) (counting lingers) input) as [H H']
    by (split; apply approaches_unnumbered; assumption).
  apply (lingered_approaches_bounded [] 0 0 0 0 "B" "i" "d" (IntConst 0) (IntVar "n") round) with
    (changed := ["s"; "i"; "d"; "y"]) (bound := Z.to_nat (as_int (input "n"))) (round := late 0 0 "B" "i" "d" (IntVar "n") round); auto.
  all: replaces. intros m Hm. simpl. rewrite (Hm "n" eq_refl). lia.
Qed.
(** The number of rounds is drawn. *)
Theorem early_step input : alike_outputs before_early after_early input.
Proof.
  set (drawn := Draw 0 exponential "n" (IntConst 0) (RealConst 2)).
  enough (alike_outputs (drawn ;; counting (early 0 "B" "i" "d" (IntVar "n") round)) (drawn ;; counting lingers) input) as [H H']
    by (split; apply approaches_unnumbered; assumption).
  apply (lingered_approaches [] 0 0 0 0 "B" "i" "d" (IntConst 0) (IntVar "n") round) with
    (changed := ["n"; "s"; "i"; "d"; "y"]) (round := early 0 "B" "i" "d" (IntVar "n") round); auto.
  all: replaces.
Qed.
Print Assumptions late_step.
Print Assumptions early_step.

(** * [Sign] *)

Theorem signed_step input : alike_outputs before_signed after_signed input.
Proof.
  set (coin := Choose 0 BOOL "c" "c.outcome" [((BoolVar "c.outcome"), (RealConst (1 / 2))); ((Not (BoolVar "c.outcome")), (RealConst (1 / 2)))];;
    DrawReal 1 exponential "e" (RealConst 0) (RealConst 1)).
  set (drawn := DrawReal 0 laplace "e.signed" (RealConst 0) (RealConst 1);; Assign "c" (RLt (RealConst 0) (RealVar "e.signed"));;
    Assign "e" (Cond (RLt (RealConst 0) (RealVar "e.signed")) (RealVar "e.signed") (RNeg (RealVar "e.signed")))).
  set (rest := Return [Item (RAdd (RealVar "x") (Cond (BoolVar "c") (RealVar "e") (RNeg (RealVar "e"))))] []).
  enough (alike_outputs (coin ;; rest) (drawn ;; rest) input) by assumption.
  apply (signed_approaches [] (fun a a' => a = coin /\ a' = drawn) "e.signed" ["c"; "e"; "e.signed"]); [| part].
  intros fuel a a' [-> ->]. apply (keeps_signed [] fuel ["c"; "e"; "e.signed"] input 0 1 BOOL); try discriminate; simpl; auto.
  - intros m. apply fair_truth; simpl; lra.
  - intros m. unfold sign. simpl. now destruct Rltb.
Qed.
Print Assumptions signed_step.

(** * [Pair] *)

Theorem paired_step input : as_int (input "b") = 0%Z -> alike_outputs before_paired after_paired input.
Proof.
  set (read := Assign "y" (Sub (Add (IntVar "x") (IntVar "a")) (IntVar "b"))). set (rest := Return [Item (IntVar "y")] []).
  set (reads := Assign "y" (Sub (Add (IntVar "x") (IntVar "a")) (IntConst 0))).
  set (pair := two 0 1 "a" "b" (IntConst 0) (IntVar "x") (RealConst 1)). set (drawn := one 0 "a" (IntConst 0) (IntVar "x") (RealConst 1)).
  intros H. enough (alike_outputs (pair ;; read ;; rest) (drawn ;; reads ;; rest) input) by assumption.
  apply (paired_approaches [] (fun c c' => c = pair /\ c' = drawn \/ c = read /\ c' = reads) "a" "b" ["y"]); simpl; try (intuition discriminate); auto.
  - intros fuel c c' [[-> ->] | [-> ->]].
    + split; [apply keeps_paired | apply keeps_paired_back]; try discriminate; repeat split.
    + apply difference_read; try discriminate. intros m m' [A D]. simpl. rewrite (A "x" eq_refl). lia.
  - part.
Qed.
Print Assumptions paired_step.

(** * [Stream] *)

Theorem streamed_step input : alike_outputs before_streamed after_streamed input.
Proof.
  set (each := Choose 0 BOOL "c" "c.outcome" [((BoolVar "c.outcome"), (RealConst (1 / 4))); ((Not (BoolVar "c.outcome")), (RealConst (3 / 4)))];;
    If 0 (BoolVar "c") (Ensure (Lt (IntVar "j") (Length "xs"));; Assign "s" (Add (IntVar "s") (IntElement "xs" (IntVar "j") 0))) Skip).
  set (filled := Assign "i" (IntConst 0);; Block "B" (Loop 0 (If 0 (Le (Length "x") (IntVar "i")) (Leave "B") Skip;;
    Draw 0 laplace "y" (Read "x" (IntVar "i")) (RealConst 1);; If 0 (Lt (IntConst 0) (IntVar "y")) (Append "xs" [Item (IntVar "y")]) Skip;;
    Assign "i" (Add (IntVar "i") (IntConst 1))))).
  set (begins := Assign "s" (IntConst 0);; Assign "j" (IntConst 0)). set (rest := Return [Item (IntVar "s")] []).
  enough (alike_outputs (listed "xs" "j" "C" 0 0 each (filled ;; begins) ;; rest) (unlisted "xs" "j" each begins filled ;; rest) input) as [H H']
    by (split; apply approaches_unnumbered; assumption).
  apply (streamed_approaches [] "xs" "j" "C" 0 0 each true false) with (integers' := true) (reals' := false) (changed := [])
    (middle := filled ;; begins) (begins := begins) (others := filled) (begun := fun m => upd (upd m "s" (Int 0)) "j" (Int 0));
    try (simpl; repeat split; auto; discriminate).
  - change (same_chances [] ((filled ;; Assign "s" (IntConst 0)) ;; Assign "j" (IntConst 0)) (begins ;; filled)).
    eapply same_trans; [apply same_seq; [apply begins_before; reflexivity | apply same_code] |].
    change (same_chances [] (Assign "s" (IntConst 0) ;; filled ;; Assign "j" (IntConst 0)) (Assign "s" (IntConst 0) ;; Assign "j" (IntConst 0) ;; filled)).
    apply same_seq; [apply same_code | apply begins_before; reflexivity].
  - apply replaced_seq; [apply replaced_here; auto | stays].
Qed.
Print Assumptions streamed_step.
