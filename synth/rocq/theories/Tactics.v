(** What emitted proofs are made of: they walk through both runs, and stop where a proof says more. *)
From Coq Require Export Lia Lra Psatz.
From Coq Require Import Classical_Prop.
From synth Require Export RealNoise Lift Intervals.

Ltac value_of e :=
  eval cbn [chance_of eval put item_value map empty upd String.eqb Ascii.eqb Bool.eqb
            as_int as_real as_bool as_rows length_of read_at read2_at real_at truth_at stored of_kind of_sort fst snd] in e.

(** Lookups in the hypothesis [H]. *)
Ltac look_up H :=
  cbn [eval put item_value map empty upd String.eqb Ascii.eqb Bool.eqb
       as_int as_real as_bool as_rows length_of read_at read2_at real_at truth_at stored of_kind of_sort fst snd] in H.

Ltac look_here :=
  cbn [demanded forallb eval put empty upd String.eqb Ascii.eqb Bool.eqb
       as_int as_real as_bool as_rows length_of read_at read2_at real_at truth_at stored of_kind of_sort fst snd].

Ltac split_all := repeat match goal with
  | H : exists _, _ |- _ => destruct H
  | H : _ /\ _ |- _ => destruct H
  end.

(** Distances of the entries that are mentioned. *)
Ltac values_of D f1 f2 i B :=
  lazymatch goal with _ : (Z.abs (f2 i - f1 i) <= B)%Z |- _ => fail | _ => pose proof (D i) end.
Ltac values_of_two D f1 f2 i j B :=
  lazymatch goal with _ : (Z.abs (f2 i j - f1 i j) <= B)%Z |- _ => fail | _ => pose proof (D i j) end.
Ltac twice D f1 f2 i :=
  lazymatch goal with _ : (_ -> (0 <= f2 i - f1 i <= _)%Z) /\ _ |- _ => fail | _ => pose proof (D i) end.
Ltac changed D q1 q2 i :=
  lazymatch goal with _ : _ /\ (_ -> entry q2 i = entry q1 i) |- _ => fail | _ => pose proof (D i) end.
Ltac flipped D q1 q2 i place := lazymatch i with place => fail | _ =>
  lazymatch goal with
  | _ : truth q2 i = truth q1 i |- _ => fail
  | _ => let E := fresh in destruct (Z.eq_dec i place) as [E | E]; [subst i | pose proof (D i E)]
  end end.
Ltac replaced D q1 q2 i place := lazymatch i with place => fail | _ =>
  lazymatch goal with
  | _ : real_entry q2 i = real_entry q1 i |- _ => fail
  | _ => let E := fresh in destruct (Z.eq_dec i place) as [E | E]; [subst i | pose proof (D i E)]
  end end.
Ltac summed D C q1 q2 i :=
  lazymatch goal with _ : before q1 q2 (i + 1) = _ |- _ => fail | _ => pose proof (D i); pose proof (C (i + 1)%Z) end.
Ltac flips D C q1 q2 i :=
  lazymatch goal with
  | _ : before_truths q1 q2 (i + 1) = _ |- _ => fail
  | _ => let E := fresh in destruct (D i) as [[E ?] | [E ?]]; pose proof (C (i + 1)%Z)
  end.
Ltac listed D i :=
  let T := type of (D i) in lazymatch goal with _ : T |- _ => fail | _ => pose proof (D i) end.
Ltac entries := repeat match goal with
  | D : forall i : Z, (0 <= i < Z.of_nat (length ?r))%Z -> _ |- context [component ?r ?i _] => listed D i
  | D : forall i : Z, (0 <= i < Z.of_nat (length ?r))%Z -> _, _ : context [component ?r ?i _] |- _ =>
      lazymatch type of i with Z => listed D i end
  | D : forall i : Z, before ?q1 ?q2 (i + 1) = _, C : forall i : Z, (before ?q1 ?q2 i <= _)%Z
    |- context [entry ?q1 ?i] => summed D C q1 q2 i
  | D : forall i : Z, before ?q1 ?q2 (i + 1) = _, C : forall i : Z, (before ?q1 ?q2 i <= _)%Z,
    _ : context [entry ?q1 ?i] |- _ => lazymatch type of i with Z => summed D C q1 q2 i end
  | D : forall i : Z, (_ -> (0 <= ?f2 i - ?f1 i <= _)%Z) /\ _ |- context [?f1 ?i] => twice D f1 f2 i
  | D : forall i : Z, (_ -> (0 <= ?f2 i - ?f1 i <= _)%Z) /\ _, _ : context [?f1 ?i] |- _ =>
      lazymatch type of i with Z => twice D f1 f2 i end
  | D : forall i : Z, _ /\ (_ -> entry ?q2 i = entry ?q1 i) |- context [entry ?q1 ?i] => changed D q1 q2 i
  | D : forall i : Z, _ /\ (_ -> entry ?q2 i = entry ?q1 i), _ : context [entry ?q1 ?i] |- _ => changed D q1 q2 i
  | D : forall i : Z, _ \/ (truth ?q2 i = negb (truth ?q1 i) /\ _), C : forall i : Z, (before_truths ?q1 ?q2 i <= _)%Z
    |- context [truth ?q1 ?i] => flips D C q1 q2 i
  | D : forall i : Z, _ \/ (truth ?q2 i = negb (truth ?q1 i) /\ _), C : forall i : Z, (before_truths ?q1 ?q2 i <= _)%Z,
    _ : context [truth ?q1 ?i] |- _ => lazymatch type of i with Z => flips D C q1 q2 i end
  | D : forall i : Z, i <> ?p -> truth ?q2 i = truth ?q1 i |- context [truth ?q1 ?i] => flipped D q1 q2 i p
  | D : forall i : Z, i <> ?p -> truth ?q2 i = truth ?q1 i, _ : context [truth ?q1 ?i] |- _ =>
      is_var i; lazymatch type of i with Z => flipped D q1 q2 i p end
  | D : forall i : Z, i <> ?p -> real_entry ?q2 i = real_entry ?q1 i |- context [real_entry ?q1 ?i] => replaced D q1 q2 i p
  | D : forall i : Z, i <> ?p -> real_entry ?q2 i = real_entry ?q1 i, _ : context [real_entry ?q1 ?i] |- _ =>
      is_var i; lazymatch type of i with Z => replaced D q1 q2 i p end
  | D : forall i : Z, (Z.abs (?f2 i - ?f1 i) <= ?B)%Z |- context [?f1 ?i] => values_of D f1 f2 i B
  | D : forall i : Z, (Z.abs (?f2 i - ?f1 i) <= ?B)%Z, _ : context [?f1 ?i] |- _ => values_of D f1 f2 i B
  | D : forall i j : Z, (Z.abs (?f2 i j - ?f1 i j) <= ?B)%Z |- context [?f1 ?i ?j] => values_of_two D f1 f2 i j B
  | D : forall i j : Z, (Z.abs (?f2 i j - ?f1 i j) <= ?B)%Z, _ : context [?f1 ?i ?j] |- _ => values_of_two D f1 f2 i j B
  end.

(** What such conditions can't need. *)
Ltac forget := repeat match goal with
  | H : context [coupled] |- _ => clear H
  | H : affordable _ _ _ _ |- _ => clear H
  | H : _ = exponential -> _ |- _ => clear H
  | H : (_ < _)%R |- _ => clear H
  end.

(** An appended entry makes a list longer by 1. *)
Ltac lengths := change (length (@nil (list value))) with 0%nat in *; repeat match goal with
  | |- context [length (_ ++ [_])] => rewrite last_length
  | H : context [length (_ ++ [_])] |- _ => rewrite last_length in H
  end.

(** Side conditions over integers and truth values.  The goal is refuted: [apart] makes facts of inequalities,
    and a [clause] of what has cases, which [lia] would all go through; it is used when all but one of its cases
    are excluded, and only where that isn't enough they are gone through. *)
Definition clause (P : Prop) : Prop := P.
Lemma first_or A B : clause (A \/ B) -> ~ B -> A.
Proof. unfold clause. tauto. Qed.
Lemma second_or A B : clause (A \/ B) -> ~ A -> B.
Proof. unfold clause. tauto. Qed.
Lemma known_if (A B : Prop) : clause (A -> B) -> A -> B.
Proof. auto. Qed.
Lemma not_if (A B : Prop) : clause (A -> B) -> ~ B -> ~ A.
Proof. unfold clause. tauto. Qed.
Lemma and_false a b : a && b = false -> a = false \/ b = false.
Proof. destruct a; auto. Qed.
Lemma same_truth a b : (a = true -> b = true) -> (b = true -> a = true) -> a = b.
Proof. destruct a, b; auto. intros H _. now rewrite H. Qed.
Lemma eqb_differ a b : Bool.eqb a b = false -> a = negb b.
Proof. destruct a, b; auto; discriminate. Qed.
Lemma negb_differ a b : negb a = b -> a = negb b.
Proof. intros <-. now rewrite negb_involutive. Qed.

Ltac cases := repeat match goal with |- context [if ?b then _ else _] => destruct b eqn:? end.
(** Where a truth value of an input changes, what is known has such cases, too. *)
Ltac every_case := repeat match goal with
  | E : ?b = _, H : context [if ?b then _ else _] |- _ => rewrite E in H
  | E : ?b = _ |- context [if ?b then _ else _] => rewrite E
  | |- context [if ?b then _ else _] => destruct b eqn:?
  | H : context [if ?b then _ else _] |- _ => let E := fresh in destruct b eqn:E; rewrite ?E in H
  end.
(** Where several truth values of an input change: both values of each that is mentioned. *)
Ltac each_truth :=
  repeat match goal with
  | E : truth _ ?i = truth _ ?i |- _ => rewrite E in *; clear E
  | E : truth _ ?i = negb (truth _ ?i) |- _ => rewrite E in *; clear E
  end;
  repeat match goal with
  | _ : context [truth ?q ?i] |- _ => destruct (truth q i) in *
  | |- context [truth ?q ?i] => destruct (truth q i) in *
  end;
  cbn [negb Bool.eqb xorb andb orb implb] in *; try discriminate.
Ltac all_cases := lazymatch goal with
  | D : forall i : Z, _ \/ (truth _ i = negb (truth _ i) /\ _) |- _ =>
      each_truth; every_case
  | D : forall i : Z, i <> _ -> truth _ i = truth _ i |- _ => every_case
  | D : forall i : Z, i <> _ -> real_entry _ i = real_entry _ i |- _ =>
      repeat match goal with E : real_entry _ ?i = real_entry _ ?i |- _ => rewrite E in *; clear E end; every_case
  | D : forall i : Z, (i = _ -> entry _ i = entry _ i + _)%Z /\ _, _ : context [if _ then _ else _] |- _ => every_case
  | _ => cases
  end.
Ltac apart := repeat match goal with
  | H : _ /\ _ |- _ => destruct H
  | H : ?P <-> ?Q |- _ => destruct H
  | H : ~ (_ /\ _) |- _ => apply not_and_or in H
  | H : ~ (_ \/ _) |- _ => apply not_or_and in H
  | H : ~ ~ _ |- _ => apply NNPP in H
  | H : ~ (_ = true) |- _ => apply not_true_is_false in H
  | H : ~ (_ = false) |- _ => apply not_false_is_true in H
  | H : _ && _ = true |- _ => apply andb_prop in H
  | H : _ && _ = false |- _ => apply and_false in H
  | H : _ || _ = true |- _ => apply orb_prop in H
  | H : _ || _ = false |- _ => apply orb_false_elim in H
  | H : negb _ = true |- _ => apply negb_true_iff in H
  | H : negb _ = false |- _ => apply negb_false_iff in H
  | H : (_ <=? _)%Z = true |- _ => apply Z.leb_le in H
  | H : (_ <=? _)%Z = false |- _ => apply Z.leb_gt in H
  | H : (_ <? _)%Z = true |- _ => apply Z.ltb_lt in H
  | H : (_ <? _)%Z = false |- _ => apply Z.ltb_ge in H
  | H : (_ =? _)%Z = true |- _ => apply Z.eqb_eq in H
  | H : (_ =? _)%Z = false |- _ => apply Z.eqb_neq in H
  | H : Bool.eqb _ _ = true |- _ => apply eqb_prop in H
  | H : Bool.eqb _ _ = false |- _ => apply eqb_differ in H
  | H : true = true |- _ => clear H
  | H : false = false |- _ => clear H
  | H : true = false |- _ => discriminate H
  | H : false = true |- _ => discriminate H
  | H : true = _ |- _ => symmetry in H
  | H : false = _ |- _ => symmetry in H
  | H : ?b = true, H' : ?b = false |- _ => rewrite H in H'; discriminate H'
  | H : ?A \/ ?B |- _ => change (clause (A \/ B)) in H
  | H : _ <> _ |- _ => fail
  | H : ?A -> ?B |- _ =>
      lazymatch type of A with Prop => lazymatch B with False => fail | _ => change (clause (A -> B)) in H end end
  end.

(** A case is excluded, or holds. *)
Ltac settled := let H := fresh in lazymatch goal with
  | |- ~ (_ /\ _) => intro H; apart; first [ lia | congruence ]
  | |- ~ (_ \/ _) => intro H; destruct H as [H | H]; revert H; settled
  | |- ~ ~ (_ = true) => intro H; apply H; congruence
  | |- ~ (@eq bool _ _) => intro H; apart; congruence
  | |- @eq bool _ _ => first [ congruence | apply same_truth; intro; apart; lia ]
  | |- _ => first [ lia | intro H; apart; lia ]
  end.
Ltac exclude := repeat match goal with
  | H : clause (?A \/ ?B) |- _ =>
      first [ apply (second_or A B) in H; [| settled] | apply (first_or A B) in H; [| settled] ]; apart
  | H : clause (?A -> ?B) |- _ =>
      first [ apply (known_if A B) in H; [| settled] | apply (not_if A B) in H; [| settled] ]; apart
  end.
Ltac through := first
  [ lia
  | congruence
  | lazymatch goal with
    | H : clause (_ \/ _) |- _ => destruct H as [H | H]; apart; exclude; through
    | H : clause (?A -> ?B) |- _ => destruct (classic A) as [? | ?]; [apply (known_if A B) in H; [| assumption] | clear H];
        apart; exclude; through
    end ].
Ltac refute last := let H := fresh in lazymatch goal with
  | |- _ /\ _ => split; refute last
  | |- _ <-> _ => split; refute last
  | |- ~ _ => intro H; refute last
  | |- ?A -> ?B => intro H; refute last
  | |- False => apart; first [ lia | exclude; first [ lia | last ] ]
  | |- @eq bool ?a ?b => lazymatch b with
      | true => apply NNPP; intro H; refute last
      | false => apply NNPP; intro H; refute last
      | _ => apply same_truth; intro H; refute last
      end
  | |- _ => apply NNPP; intro H; refute last
  end.
(** Real numbers are not computed with: whether two conditions about them are convertible takes too long to say. *)
Ltac known := match goal with H : ?P |- ?Q => constr_eq P Q; exact H end.
(** Two conditions on what is told next, which it can't meet both. *)
Ltac absurd_pair H H' b c d e :=
  lazymatch constr:((b, c)) with context [next_bool ?t ?r] =>
  lazymatch constr:((d, e)) with context [next_bool t r] =>
    solve [destruct (next_bool t r); first [discriminate H | discriminate H']] end end.
Ltac absurd_truth := match goal with
  | H : true = false |- _ => discriminate H
  | H : false = true |- _ => discriminate H
  | H : true <> true |- _ => destruct (H eq_refl)
  | H : ?b || ?c = true |- _ => lazymatch eval cbv [andb orb negb] in (b || c) with false => discriminate H end
  | H : ?b && ?c = true |- _ => lazymatch eval cbv [andb orb negb] in (b && c) with false => discriminate H end
  | H : ?b && ?c = false |- _ => lazymatch eval cbv [andb orb negb] in (b && c) with true => discriminate H end
  | H : ?b && ?c = _, H' : ?d && ?e = _ |- _ => absurd_pair H H' b c d e
  end.
Ltac same_sides := lazymatch goal with
  | |- context [Rltb] => fail
  | |- context [Rleb] => fail
  | |- context [Reqb] => fail
  | |- _ => reflexivity
  end.
(** Truth values about reals: what they say, with what is known of integers, is refuted as a whole. *)
Lemma Rltb_false a b : Rltb a b = false -> b <= a.
Proof. unfold Rltb. destruct Rlt_dec; [discriminate | lra]. Qed.
Lemma Rleb_false a b : Rleb a b = false -> b < a.
Proof. unfold Rleb. destruct Rle_dec; [discriminate | lra]. Qed.
Lemma Reqb_true a b : Reqb a b = true -> a = b.
Proof. unfold Reqb. destruct Req_EM_T; [auto | discriminate]. Qed.
Ltac as_reals := repeat match goal with
  | H : (Z.abs _ <= _)%Z |- _ => apply Z.abs_le in H; destruct H
  | H : (_ <= _)%Z |- _ => apply IZR_le in H
  | H : (_ < _)%Z |- _ => apply Zlt_le_succ, IZR_le in H; rewrite succ_IZR in H
  | H : @eq Z _ _ |- _ => apply (f_equal IZR) in H
  | H : _ /\ _ |- _ => destruct H
  end.

Ltac said := repeat match goal with
  | H : Rltb _ _ = true |- _ => apply Rltb_true in H
  | H : Rltb _ _ = false |- _ => apply Rltb_false in H
  | H : Rleb _ _ = true |- _ => apply Rleb_true in H
  | H : Rleb _ _ = false |- _ => apply Rleb_false in H
  | H : Reqb _ _ = true |- _ => apply Reqb_true in H
  end.
Lemma Rmin_cases a b : a <= b /\ Rmin a b = a \/ b <= a /\ Rmin a b = b.
Proof. unfold Rmin. destruct Rle_dec; [left | right]; split; lra. Qed.
Lemma Rmax_cases a b : a <= b /\ Rmax a b = b \/ b <= a /\ Rmax a b = a.
Proof. unfold Rmax. destruct Rle_dec; [left | right]; split; lra. Qed.
Lemma Rabs_cases a : 0 <= a /\ Rabs a = a \/ a <= 0 /\ Rabs a = - a.
Proof. unfold Rabs. destruct Rcase_abs; [right | left]; split; lra. Qed.
Ltac sizes_known := repeat match goal with
  | H : context [IZR (Z.abs ?a)] |- _ =>
      let E := fresh "E" in let x := fresh "size" in
      pose proof (Z.abs_eq_or_opp a) as E; pose proof (Z.abs_nonneg a); set (x := Z.abs a) in *; clearbody x; destruct E; subst x
  | H : context [Z.max ?a ?b] |- _ =>
      let E := fresh "E" in let x := fresh "size" in
      pose proof (Z.max_spec a b) as E; set (x := Z.max a b) in *; clearbody x; destruct E as [[? ?] | [? ?]]; subst x
  | H : context [Z.min ?a ?b] |- _ =>
      let E := fresh "E" in let x := fresh "size" in
      pose proof (Z.min_spec a b) as E; set (x := Z.min a b) in *; clearbody x; destruct E as [[? ?] | [? ?]]; subst x
  | H : context [Rmin ?a ?b] |- _ =>
      let E := fresh "E" in let x := fresh "size" in
      pose proof (Rmin_cases a b) as E; set (x := Rmin a b) in *; clearbody x; destruct E as [[? ?] | [? ?]]; subst x
  | H : context [Rmax ?a ?b] |- _ =>
      let E := fresh "E" in let x := fresh "size" in
      pose proof (Rmax_cases a b) as E; set (x := Rmax a b) in *; clearbody x; destruct E as [[? ?] | [? ?]]; subst x
  | H : context [Rabs ?a] |- _ =>
      let E := fresh "E" in let x := fresh "size" in
      pose proof (Rabs_cases a) as E; set (x := Rabs a) in *; clearbody x; destruct E as [[? ?] | [? ?]]; subst x
  end.
Ltac inverses_known := unfold Rdiv in *; repeat match goal with
  | H : context [/ ?d] |- _ => lazymatch goal with
    | _ : 0 < / d |- _ => fail
    | _ => assert (0 < / d) by (apply Rinv_0_lt_compat; lra)
    end end.
Ltac contradicted := solve
  [ said; sizes_known; as_reals; do 2 rewrite ?opp_IZR, ?plus_IZR, ?mult_IZR, ?minus_IZR in *; inverses_known;
    first [ lra | match goal with H : ?a * / ?d <= 0 |- _ => assert (0 < a * / d) by (apply Rmult_lt_0_compat; lra); lra end ] ].
Ltac mixed := first
  [ contradicted
  | lazymatch goal with
    | H : clause (_ \/ _) |- _ => destruct H as [H | H]; apart; exclude; mixed
    | H : clause (?A -> ?B) |- _ => destruct (classic A) as [? | ?]; [apply (known_if A B) in H; [| assumption] | clear H];
        apart; exclude; mixed
    | H : context [if ?b then _ else _] |- _ => destruct b; apart; mixed
    end ].
Ltac same_lengths := repeat match goal with
  | E : length ?q2 = length ?q1 |- context [length ?q2] => rewrite E
  | E : length ?q2 = length ?q1, H : context [length ?q2] |- _ => lazymatch type of H with
    | length q2 = length q1 => fail
    | _ => rewrite E in H
    end
  end.
Ltac show_reals := lazymatch goal with
  | |- ?P => lazymatch P with
    | @eq bool _ _ => idtac
    | ~ (@eq bool _ _) => idtac
    end;
    lazymatch P with
    | context [Rltb] => idtac
    | context [Rleb] => idtac
    | context [Reqb] => idtac
    end;
    repeat match goal with
    | H : context [coupled] |- _ => clear H
    | H : affordable _ _ _ _ |- _ => clear H
    end;
    same_lengths; entries; all_cases;
    let H := fresh in lazymatch goal with
    | |- ~ _ => intro H; apart; exclude; mixed
    | |- _ = true => apply NNPP; intro H; apart; exclude; mixed
    | |- _ = false => apply NNPP; intro H; apart; exclude; mixed
    | _ => apply same_truth; intro H; apply NNPP; intro; apart; exclude; mixed
    end
  end.
(** Where noise is real, facts about integers and reals are used together: the goal is refuted. *)
Definition noise_is_real : Prop := True.
Ltac changed_real D q2 q1 i p :=
  lazymatch goal with
  | _ : real_entry q2 i = _ |- _ => fail
  | _ =>
      let E := fresh in let F := fresh in let H := fresh in
      destruct (D i) as [E F]; destruct (Z_dec i p) as [[H | H] | H];
      [ specialize (F ltac:(lia)); clear E | specialize (F ltac:(lia)); clear E | specialize (E H); clear F ]
  end.
Ltac summed_reals D C q1 q2 i :=
  lazymatch goal with _ : before_reals q1 q2 (i + 1) = _ |- _ => fail | _ => pose proof (D i); pose proof (C (i + 1)%Z) end.
Ltac near_reals D i := let T := type of (D i) in lazymatch goal with _ : T |- _ => fail | _ => pose proof (D i) end.
Ltac real_entries := repeat match goal with
  | D : forall i : Z, before_reals ?q1 ?q2 (i + 1) = _, C : forall i : Z, (before_reals ?q1 ?q2 i <= _)%R
    |- context [real_entry ?q1 ?i] => summed_reals D C q1 q2 i
  | D : forall i : Z, before_reals ?q1 ?q2 (i + 1) = _, C : forall i : Z, (before_reals ?q1 ?q2 i <= _)%R,
    _ : context [real_entry ?q1 ?i] |- _ => lazymatch type of i with Z => summed_reals D C q1 q2 i end
  | D : forall i : Z, before_reals ?q1 ?q2 (i + 1) = _, C : forall i : Z, (before_reals ?q1 ?q2 i <= _)%R
    |- context [before_reals ?q1 ?q2 ?i] => near_reals C i
  | D : forall i : Z, (i = ?p -> real_entry ?q2 i = (real_entry ?q1 i + _)%R) /\ _ |- context [real_entry ?q1 ?i] =>
      changed_real D q2 q1 i p
  | D : forall i : Z, (i = ?p -> real_entry ?q2 i = (real_entry ?q1 i + _)%R) /\ _, _ : context [real_entry ?q1 ?i] |- _ =>
      lazymatch type of i with Z => changed_real D q2 q1 i p end
  | D : forall i : Z, (- ?B <= ?f2 i - ?f1 i <= ?B)%R |- context [?f1 ?i] => near_reals D i
  | D : forall i : Z, (- ?B <= ?f2 i - ?f1 i <= ?B)%R, _ : context [?f1 ?i] |- _ =>
      lazymatch type of i with Z => near_reals D i end
  | D : forall i : Z, (_ -> (0 <= real_entry ?q2 i - real_entry ?q1 i <= _)%R) /\ _ |- context [real_entry ?q1 ?i] => near_reals D i
  | D : forall i : Z, (_ -> (0 <= real_entry ?q2 i - real_entry ?q1 i <= _)%R) /\ _, _ : context [real_entry ?q1 ?i] |- _ =>
      lazymatch type of i with Z => near_reals D i end
  end.
(** All that is known, as linear facts about reals. *)
Ltac pushed := repeat match goal with
  | H : context [IZR (?a + ?b)] |- _ => rewrite (plus_IZR a b) in H
  | H : context [IZR (?a - ?b)] |- _ => rewrite (minus_IZR a b) in H
  | H : context [IZR (?a * ?b)] |- _ => rewrite (mult_IZR a b) in H
  | H : context [IZR (- ?a)] |- _ => rewrite (opp_IZR a) in H
  end.
Lemma Reqb_differ a b : Reqb a b = false -> a < b \/ b < a.
Proof. unfold Reqb. destruct Req_EM_T; [discriminate | intros _; lra]. Qed.
Lemma reals_differ (a b : R) : a <> b -> a < b \/ b < a.
Proof. intros. lra. Qed.
Ltac differ := repeat match goal with
  | H : Reqb ?a ?b = false |- _ => apply Reqb_differ in H; change (clause (a < b \/ b < a)) in H
  | H : ~ (_ <= _)%Z |- _ => apply Znot_le_gt, Z.gt_lt in H
  | H : ~ (_ < _)%Z |- _ => apply Znot_lt_ge, Z.ge_le in H
  | H : ?a <> ?b |- _ => lazymatch type of a with
    | R => apply reals_differ in H; change (clause (a < b \/ b < a)) in H
    | Z => apply Z.lt_gt_cases in H; change (clause (a < b \/ b < a)%Z) in H
    end
  end.
Ltac tidy := apart; said; differ; as_reals; pushed.
Ltac impossible := let H := fresh in intro H; tidy; lra.
(** A case that contradicts what is known is left out; if there is none, one is gone through. *)
Ltac one_case_left := match goal with
  | H : clause (?A \/ ?B) |- _ =>
      first [ apply (second_or A B) in H; [| impossible] | apply (first_or A B) in H; [| impossible] ]
  | H : clause (?A -> ?B) |- _ =>
      first [ apply (known_if A B) in H; [| apply NNPP; impossible] | apply (not_if A B) in H; [| impossible] ]
  end.
Ltac through_reals := tryif lra then idtac else tryif once one_case_left then tidy; through_reals else lazymatch goal with
  | H : clause (_ \/ _) |- _ => destruct H as [H | H]; tidy; through_reals
  | H : clause (?A -> ?B) |- _ => destruct (classic A) as [? | ?]; [apply (known_if A B) in H; [| assumption] | clear H];
      tidy; through_reals
  | H : context [if ?b then _ else _] |- _ => destruct b eqn:?; tidy; through_reals
  | H : 0 < ?d, G : ?a * / ?d <= 0 |- _ => assert (0 < a * / d) by (apply Rmult_lt_0_compat; lra); lra
  end.
(** A flag that is known in one run, of a record that doesn't change. *)
Ltac same_flags := repeat match goal with
  | E : truth ?q2 ?i = truth ?q1 ?i, H : truth ?q2 ?i = true |- _ => rewrite E in H
  | E : truth ?q2 ?i = truth ?q1 ?i, H : truth ?q2 ?i = false |- _ => rewrite E in H
  end.
Ltac refuted := let H := fresh in lazymatch goal with
  | |- False => apart; same_flags; apart; exclude; first [ lia | said; sizes_known; tidy; inverses_known; through_reals ]
  | |- _ /\ _ => split; refuted
  | |- _ <-> _ => split; refuted
  | |- ~ _ => intro H; refuted
  | |- ?A -> ?B => intro H; refuted
  | |- (_ <= _)%R => apply Rnot_lt_le; intro H; refuted
  | |- (_ < _)%R => apply Rnot_le_lt; intro H; refuted
  | |- @eq R _ _ => apply Rle_antisym; refuted
  | |- @eq bool ?a ?b => lazymatch b with
      | true => apply NNPP; intro H; refuted
      | false => apply NNPP; intro H; refuted
      | _ => apply same_truth; intro H; refuted
      end
  | |- _ => apply NNPP; intro H; refuted
  end.
Ltac by_reals := lazymatch goal with _ : noise_is_real |- _ => solve [
  repeat match goal with
  | H : context [coupled] |- _ => clear H
  | H : affordable _ _ _ _ |- _ => clear H
  end;
  lengths; same_lengths; entries; real_entries; all_cases; refuted ] end.
Ltac show_with last := solve
  [ known | same_sides | exact Logic.I | absurd_truth
  | forget; lengths; entries; first [ lia | all_cases; refute last ]
  | lazymatch goal with _ : noise_is_real |- _ => fail | _ => show_reals end ].
Ltac show := first [ show_with ltac:(through) | by_reals ].

(** What holds of all entries of a list: of those before, and of the one that is appended. *)
Ltac of_entry :=
  let i := fresh "index" in let Hi := fresh in
  intros i Hi; lengths;
  lazymatch goal with
  | |- context [component (_ ++ [_]) i _] =>
      rewrite ?component_last by lia;
      repeat match goal with |- context [(i =? Z.of_nat ?n)%Z] => destruct (Z.eqb_spec i (Z.of_nat n)) end;
      cbn [nth as_int as_bool as_real]; show
  | |- _ => show
  end.

Ltac of_truths := solve
  [ forget;
    repeat match goal with |- context [?b] => is_var b; lazymatch type of b with bool => destruct b end end;
    cbn [negb andb orb xorb Bool.eqb] in *; congruence ].

(** A value that depends on a test of reals. *)
Ltac by_tests_of_reals := lazymatch goal with
  | |- ?a = ?b => lazymatch constr:((a, b)) with context [Rltb] => idtac | context [Rleb] => idtac end
  end;
  repeat match goal with
  | H : context [coupled] |- _ => clear H
  | H : affordable _ _ _ _ |- _ => clear H
  end;
  same_lengths; entries; cases; first [ reflexivity | lia | exfalso; apart; exclude; mixed ].

(** Values, rows and outputs are equal where their integers and truth values are. *)
Ltac agree := lazymatch goal with
  | |- ?a = ?a => reflexivity
  | |- @eq Z _ _ => first [ show | rewrite ?Z.add_0_r; lazymatch goal with |- ?a = ?a => reflexivity end | solve [by_tests_of_reals] ]
  | |- @eq bool _ _ => first [ congruence | show | of_truths ]
  | |- @eq R _ _ => same_lengths; first [ reflexivity | ring | lra | by_reals ]
  | |- forall index : Z, (0 <= index < _)%Z -> _ => of_entry
  | |- _ = _ => f_equal; agree
  | _ => show
  end.

(** Side conditions over reals: what is known of integers, as reals. *)
Ltac reals := repeat match goal with
  | H : Rltb _ _ = true |- _ => apply Rltb_true in H
  | H : Rleb _ _ = true |- _ => apply Rleb_true in H
  | H : negb (Reqb _ _) = true |- _ => apply Reqb_false in H
  | H : (_ <? _)%Z = true |- _ => apply Z.ltb_lt, IZR_lt in H
  | H : (_ <=? _)%Z = true |- _ => apply Z.leb_le, IZR_le in H
  | H : _ && _ = true |- _ => apply andb_prop in H; destruct H
  end.
Ltac arith := do 2 rewrite ?plus_IZR, ?mult_IZR, ?minus_IZR, ?opp_IZR in *.
Ltac nonzero := repeat split; first
  [ assumption | apply Rgt_not_eq; lra | apply Rlt_not_eq; lra | apply Rgt_not_eq; nra | intro; nra ].
Ltac positive := unfold Rdiv; repeat first
  [ lra | apply Rmult_le_pos | apply Rlt_le, Rinv_0_lt_compat | apply Rplus_le_le_0_compat ]; first [ lra | nra ].
Ltac real_goal := reals; arith; first [ lra | right; field; solve [nonzero] | solve [positive] | nra ].
Ltac whole := first [ reflexivity | lra | arith; lra ].
Ltac price := intros; apply price_le; [ real_goal | assumption ].

Ltac inverses := unfold Rdiv; repeat match goal with
  | |- context [/ ?d] => lazymatch d with context [/ _] => fail | _ =>
      let P := fresh in let E := fresh in let Q := fresh in
      assert (P : 0 < d) by (first [lra | nra]); pose proof (Rinv_l d ltac:(lra)) as E; pose proof (Rinv_0_lt_compat d P) as Q;
      generalize dependent (/ d); intros end
  end.

(** * The beginning *)

(** The distance [H] of inputs as one of integers. *)
Ltac near D H := let E := fresh in pose proof D as E; specialize (E ltac:(whole) ltac:(show)); clear H.

Ltac near_real D H := let E := fresh in pose proof D as E; specialize (E ltac:(real_goal)); clear H.

Ltac settle_real E := specialize (E ltac:(real_goal)).
Ltac settle E := specialize (E ltac:(first [ reflexivity | whole ]) ltac:(show)).

(** The tails of run 1's noise that are given up, one draw after the other; [tail n] says how far, and for how much. *)
Lemma ln_inverse d : 0 < d -> ln (1 / d) = - ln d.
Proof. intros. unfold Rdiv. rewrite Rmult_1_l. now apply ln_Rinv. Qed.
Lemma ln_nonneg x : 1 <= x -> 0 <= ln x.
Proof. intros [H | <-]; [| rewrite ln_1; lra]. rewrite <- ln_1. left. apply ln_increasing; lra. Qed.
Lemma ln_nonpos x : 0 < x -> x <= 1 -> ln x <= 0.
Proof. intros H [H1 | ->]; [| rewrite ln_1; lra]. rewrite <- ln_1. left. apply ln_increasing; lra. Qed.
Lemma ratio_from_1 a b : 0 < b -> b <= a -> 1 <= a / b.
Proof. intros. apply Rmult_le_reg_r with b; auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. Qed.
Lemma negative_ratio a b : b < 0 -> a / b = (- a) / (- b).
Proof. intros. field. lra. Qed.
Ltac from_1 := first
  [ lra
  | apply ratio_from_1; first [ lra | nra ]
  | match goal with |- 1 <= ?a / ?b => rewrite (negative_ratio a b) by lra; apply ratio_from_1; first [ lra | nra ] end ].
Ltac logarithms :=
  repeat match goal with |- context [ln (1 / ?d)] => rewrite (ln_inverse d) by first [lra | nra] end;
  repeat match goal with |- context [ln ?x] => lazymatch goal with
    | _ : ln x <= 0 |- _ => fail
    | _ : 0 <= ln x |- _ => fail
    | _ => first [ assert (ln x <= 0) by (apply ln_nonpos; lra) | assert (0 <= ln x) by (apply ln_nonneg; from_1) ]
    end end.
Lemma ln_quotient a b : 0 < a -> 0 < b -> ln (a / b) = ln a - ln b.
Proof. intros. unfold Rdiv. rewrite ln_mult, ln_Rinv; auto. now apply Rinv_0_lt_compat. Qed.
Ltac quotients := repeat match goal with
  | |- context [ln (?a / ?b)] => rewrite (ln_quotient a b) by first [lra | nra]
  end; rewrite ?ln_1.
Ltac powers := repeat match goal with
  | |- context [exp ?x] =>
      let P := fresh in
      first [ assert (P : 1 < exp x) by (rewrite <- exp_0; apply exp_increasing; lra)
            | assert (P : 1 <= exp x) by (rewrite <- exp_0; apply exp_le; lra) ];
      generalize dependent (exp x); intros
  end.
Ltac log_goal := logarithms; first
  [ lra | apply Rlt_le, exp_pos | solve [real_goal] | solve [positive] | solve [inverses; nra] ].
Ltac real_log := intros; reals; first [ solve [log_goal] | solve [quotients; log_goal] | powers; log_goal ].
(** Where what is known is about a quotient, it is multiplied out; then signs of logarithms decide. *)
Ltac signs_of_logarithms := repeat match goal with
  | _ : context [ln ?x] |- _ => lazymatch goal with
    | _ : ln x <= 0 |- _ => fail
    | _ : 0 <= ln x |- _ => fail
    | _ => first [ assert (0 <= ln x) by (apply ln_nonneg; from_1) | assert (ln x <= 0) by (apply ln_nonpos; lra) ]
    end end.
Lemma multiplied_out c d x y : 0 < d -> c / d * x <= y -> c * x <= y * d.
Proof.
  intros Hd H. apply Rmult_le_compat_r with (r := d) in H; [| lra].
  replace (c / d * x * d) with (c * x) in H by (field; lra). exact H.
Qed.
Lemma ratio_of_negatives a b : a <= 0 -> b < 0 -> 0 <= a / b.
Proof.
  intros. rewrite (negative_ratio a b) by auto. apply Rmult_le_pos; [lra | apply Rlt_le, Rinv_0_lt_compat; lra].
Qed.
Ltac multiply_out := repeat match goal with
  | H : ?c / ?d * ?x <= ?y |- _ => apply multiplied_out in H; [| lra]
  end.
Ltac known_apart := repeat split; first [ lra | apply Rlt_not_eq; lra | apply Rgt_not_eq; lra ].
Ltac inverses_from_1 := repeat match goal with
  | H : 0 < / ?d |- _ => lazymatch goal with
    | _ : 1 <= / d |- _ => fail
    | _ => assert (1 <= / d) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra)
    end end.
Ltac by_inverses := reals; signs_of_logarithms; inverses_known; inverses_from_1; arith; nra.
Ltac cleared_goal := reals; signs_of_logarithms; multiply_out; arith; first
  [ lra | apply ratio_of_negatives; lra | right; field; known_apart ].
Ltac real_or_cleared := first [ solve [real_goal] | solve [cleared_goal] | solve [by_inverses] ].

Lemma over_ratio t a e : a <> 0 -> e <> 0 -> t / (a / e) = t / a * e.
Proof. intros. field. auto. Qed.
Ltac below_delta := intros; reals; first
  [ apply exp_le;
    repeat match goal with |- context [?t / (?a / ?e)] => rewrite (over_ratio t a e) by (apply Rgt_not_eq; lra) end; real_goal
  | apply exp_below; [ lra | quotients; logarithms; first [ lra | right; field; solve [nonzero] | solve [real_goal] | solve [inverses; nra] ] ] ].
Lemma tail_of_one p d x : 0 <= d -> p <= d -> sides false * p <= d * (1 + exp x).
Proof. intros Hd Hp. unfold sides. pose proof (exp_pos x). nra. Qed.
Lemma tail_of_both p d x : 0 <= d -> p <= d / 2 -> sides true * p <= d * (1 + exp x).
Proof. intros Hd Hp. unfold sides. pose proof (exp_pos x). nra. Qed.
Ltac enough_lost := lazymatch goal with
  | |- sides false * _ <= _ => apply tail_of_one; [ real_log | below_delta ]
  | |- sides true * _ <= _ => apply tail_of_both; [ real_log | below_delta ]
  end.

(** Run 1's noise behind a draw whose tail is given up. *)
Ltac cut_off := lazymatch goal with
  | |- coupled _ _ (published ?evs ?f (cut ?t ?x ?a ?s) _ _ ?m) _ => lazymatch t with
    | Tail ?w _ _ ?k _ _ =>
        let c := value_of (eval m w) in let n := value_of (as_int (m k)) in
        let a' := value_of (eval m a) in let s' := value_of (eval m s) in
        apply (cut_1 evs f t x a s c n a' s');
        [ reflexivity | reflexivity | reflexivity | reflexivity
        | cbn [most]; intros ?; show | cbn [far]; real_log | cbn [both far lost]; intros ?; enough_lost
        | cbn [both far counter]; let H := fresh in let K := fresh in intros H K; look_up H; look_up K;
          lazymatch c with
          | true => specialize (H eq_refl); specialize (K eq_refl)
          | _ => destruct c eqn:?; [ specialize (H eq_refl); specialize (K eq_refl) | clear H K ]
          end;
          try match type of K with
          | true = true -> _ => specialize (K eq_refl)
          | false = true -> _ => clear K
          end;
          try apply lt_IZR in H; try apply lt_IZR in K ]
    end
  end.

(** The counters [cs] of what is lost begin at 0. *)
Ltac no_counter_twice := cbn [map fst]; repeat apply NoDup_cons; try apply NoDup_nil; cbn [In]; intuition discriminate.
Ltac no_negative_loss := let H := fresh in intros ? H; cbn [In] in H;
  repeat (destruct H as [<- | H]; [ cbn [fst snd]; real_log |]); destruct H.
Ltac tails_fit := cbn; repeat split; first [ exact Logic.I | reflexivity | repeat first [ left; reflexivity | right ] ].
Ltac all_lost := unfold left; cbn [sum fold_right];
  repeat match goal with |- context [left_of ?m ?c] =>
    let k := eval cbn [fst] in (fst c) in let n := value_of (as_int (m k)) in
    let b := eval cbn [fst snd] in (fst (snd c)) in let d := eval cbn [snd] in (snd (snd c)) in
    change (left_of m c) with (IZR (Z.max 0 (b - n)) * d); replace (Z.max 0 (b - n)) with b by show
  end; real_log.
Ltac begin_kept evs all ws counts delta cs tails program kept input :=
  apply (kept_private evs all delta cs tails program);
  [ reflexivity | unfold cs; no_counter_twice | unfold cs; no_negative_loss | reflexivity
  | unfold program, tails, cs; tails_fit | unfold cs, input; all_lost
  | intros fuel L; change (trim tails program) with kept;
    assert (affordable all ws counts all) by (unfold affordable, all, ws; cbn [spent]; lra);
    unfold told_runs ].

Ltac begin_with evs all ws cs :=
  first [ apply (coupled_private evs); [| reflexivity] | apply (told_private evs); assert noise_is_real by exact Logic.I ]; intros fuel L;
  match goal with |- coupled _ ?e _ _ =>
    assert (affordable all ws cs e) by (unfold affordable, all, ws; cbn [spent]; lra) end;
  unfold told_runs.

Ltac begin_reals evs all reals sums ws cs :=
  apply (told_private evs); assert noise_is_real by exact Logic.I; intros fuel L;
  match goal with |- coupled _ ?e _ _ =>
    assert (affordable (all - spent_reals reals sums) ws cs e) by (unfold affordable, all, reals, ws; cbn [spent spent_reals]; lra) end;
  unfold told_runs.

(** * One run *)

Ltac step_1 := lazymatch goal with
  | |- coupled _ _ (published ?evs ?n ?c ?lv ?k ?m) _ => lazymatch c with
    | Skip => apply (skip_1 evs n)
    | Seq _ _ => apply (seq_1 evs n)
    | @Assign ?s ?x ?a => let v := value_of (put s (eval m a)) in apply (assign_1 evs n x a v); [reflexivity | cbv beta]
    | NewList _ => apply (new_1 evs n)
    | Append ?x ?row =>
        let v := value_of (map (item_value m) row) in let r := value_of (as_rows (m x)) in
        apply (append_1 evs n x row v r); [reflexivity | reflexivity | cbn [tell_row told_value]]
    | If ?b ?a _ _ => let v := value_of (eval m a) in apply (if_1 evs n b a _ _ v); [reflexivity |]
    | Block _ _ => apply (block_1 evs n)
    | Leave _ => apply (leave_1 evs n); cbn [String.eqb Ascii.eqb Bool.eqb]
    | Ensure ?a => let v := value_of (eval m a) in apply (ensure_1 evs n a v); [reflexivity | intros ?]
    | Assume ?a => let v := value_of (eval m a) in apply (assume_1 evs n a v); [reflexivity | intros ?]
    | Return ?vs ?ls =>
        let v := value_of (map (item_value m) vs) in let r := value_of (map (fun x => as_rows (m x)) ls) in
        apply (return_1 evs n vs ls v r); [reflexivity | reflexivity | cbn [tell_row told_value]]
    end
  | |- coupled _ _ (tell ?evs ?ev ?v ?t) _ =>
      let b := eval vm_compute in (existsb (event_eqb ev) evs) in
      lazymatch b with
      | true => change (tell evs ev v t) with (Tells ev v t)
      | false => change (tell evs ev v t) with t
      end
  | |- coupled _ _ (if ?v then _ else _) _ => destruct v eqn:?; try absurd_truth
  end.

(** In run 2 what run 1 did decides, if anything does. *)
Ltac decide_by_reals v b := let H := fresh in assert (H : v = b) by by_reals; rewrite H.
Ltac decide_as v b last := let H := fresh in assert (H : v = b) by show_with last; rewrite H.
Ltac decide_2 v := first
  [ decide_as v true ltac:(fail) | decide_as v false ltac:(fail)
  | lazymatch goal with
    | _ : noise_is_real |- _ => first [ decide_by_reals v true | decide_by_reals v false ]
    | _ => first [ decide_as v true ltac:(through) | decide_as v false ltac:(through) ]
    end
  | destruct v eqn:? ].

Ltac step_2 := lazymatch goal with
  | |- coupled _ _ _ (published ?evs ?n ?c ?lv ?k ?m) => lazymatch c with
    | Skip => apply (skip_2 evs n)
    | Seq _ _ => apply (seq_2 evs n)
    | @Assign ?s ?x ?a => let v := value_of (put s (eval m a)) in apply (assign_2 evs n x a v); [reflexivity | cbv beta]
    | NewList _ => apply (new_2 evs n)
    | Append ?x ?row =>
        let v := value_of (map (item_value m) row) in let r := value_of (as_rows (m x)) in
        apply (append_2 evs n x row v r); [reflexivity | reflexivity | cbn [tell_row told_value]]
    | If ?b ?a _ _ => let v := value_of (eval m a) in apply (if_2 evs n b a _ _ v); [reflexivity |]
    | Block _ _ => apply (block_2 evs n)
    | Leave _ => apply (leave_2 evs n); cbn [String.eqb Ascii.eqb Bool.eqb]
    | Ensure ?a => let v := value_of (eval m a) in apply (ensure_2 evs n a v); [reflexivity | show |]
    | Assume ?a => let v := value_of (eval m a) in apply (assume_2 evs n a v); [reflexivity | show |]
    | Return ?vs ?ls =>
        let v := value_of (map (item_value m) vs) in let r := value_of (map (fun x => as_rows (m x)) ls) in
        apply (return_2 evs n vs ls v r); [reflexivity | reflexivity | cbn [tell_row told_value]]
    end
  | |- coupled _ _ _ (tell ?evs ?ev ?v ?t) =>
      let b := eval vm_compute in (existsb (event_eqb ev) evs) in
      lazymatch b with
      | true => change (tell evs ev v t) with (Tells ev v t)
      | false => change (tell evs ev v t) with t
      end
  | |- coupled _ _ _ (if ?v then _ else _) => decide_2 v
  end.

(** * Both runs *)

Ltac learn := repeat match goal with
  | H : context [next_bool ?e ((?e', ?v) :: ?rest)] |- _ =>
      lazymatch eval vm_compute in (event_eqb e e') with
      | true => lazymatch v with TheBool ?b => change (next_bool e ((e', v) :: rest)) with b in H end
      | false => change (next_bool e ((e', v) :: rest)) with (next_bool e rest) in H
      end
  | H : context [next_int ?e ((?e', ?v) :: ?rest)] |- _ =>
      lazymatch eval vm_compute in (event_eqb e e') with
      | true => lazymatch v with TheInt ?z => change (next_int e ((e', v) :: rest)) with z in H end
      | false => change (next_int e ((e', v) :: rest)) with (next_int e rest) in H
      end
  end.

Ltac is_told := let E := fresh in intros ? E;
  lazymatch type of E with ?L = _ => first [ is_var L; subst L | injection E as <- ] end; learn.
Ltac told_now := apply tells_both; [ is_told; first [absurd_truth | agree] | is_told; try absurd_truth ].

(** What is still affordable behind a draw that adds [p] to the cost [n]. *)
Ltac pay n p := lazymatch goal with
  | A : affordable ?total ?ws ?cs ?e |- coupled _ ?e' _ _ =>
      let cs' := eval cbn [count] in (count n p cs) in
      let A' := fresh "A" in
      first
      [ assert (A' : affordable total ws cs' e') by (exact (affordable_pay n p total ws cs e eq_refl ltac:(cbn; lia) A))
      | lazymatch p with 0%Z => assert (A' : affordable total ws cs e') by (unfold affordable in *; lra) end ];
      clear A
  end.

(** One-sided noise is not below its centre. *)
Ltac support := repeat match goal with
  | H : exponential = exponential -> _ |- _ => specialize (H eq_refl)
  | H : laplace = exponential -> _ |- _ => clear H
  end.

(** [LapGen], [OneLapGen]. *)
Ltac shift n weight within amount k := lazymatch goal with
  | |- coupled _ _ (published ?evs ?f (Draw _ ?law ?x ?c1 ?s1) _ _ ?m1) (published _ _ (Draw _ _ _ ?c2 ?s2) _ _ ?m2) =>
      let a1 := value_of (eval m1 c1) in let a2 := value_of (eval m2 c2) in
      let v1 := value_of (eval m1 s1) in let v2 := value_of (eval m2 s2) in
      let k := value_of k in
      apply (shift_by evs f law within amount weight k a1 a2 v1 v2);
      [ reflexivity | reflexivity | reflexivity | reflexivity | try reflexivity; f_equal; show
      | intros; first [ discriminate | show ] | show | price
      | let p := fresh "paid" in intros ? p ? ? ?; support; pay n p ]
  end.

(** The same, where what is paid is by how much the noise is moved. *)
Ltac shift_distance n weight k := lazymatch goal with
  | |- coupled _ _ (published _ _ (Draw _ _ _ ?c1 _) _ _ ?m1) (published _ _ (Draw _ _ _ ?c2 _) _ _ ?m2) =>
      let a1 := value_of (eval m1 c1) in let a2 := value_of (eval m2 c2) in
      shift n weight (Z.abs (k + a1 - a2)) (Z.abs (k + a1 - a2)) k
  end.

(** The same, where no noise is moved. *)
Ltac free k := lazymatch goal with
  | |- coupled _ _ (published ?evs ?f (Draw _ ?law ?x ?c1 ?s1) _ _ ?m1) (published _ _ (Draw _ _ _ ?c2 ?s2) _ _ ?m2) =>
      let a1 := value_of (eval m1 c1) in let a2 := value_of (eval m2 c2) in
      let v1 := value_of (eval m1 s1) in let v2 := value_of (eval m2 s2) in
      let k := value_of k in
      apply (no_shift evs f law k a1 a2 v1 v2);
      [ reflexivity | reflexivity | reflexivity | reflexivity | try reflexivity; f_equal; show | show | intros ? ? ?; support ]
  end.

(** [LapInt]: what is moved is paid for in the cost [n1], what is squeezed in [n2]. *)
Ltac from_reals := apply Rnot_lt_le; let H := fresh in intro H; apart; contradicted.
Ltac pay_both n1 p1 n2 p2 := lazymatch goal with
  | A : affordable ?total ?ws ?cs ?e |- coupled _ (?e - _ - _) _ _ =>
      let cs' := eval cbn [count] in (count n2 p2 (count n1 p1 cs)) in
      let A' := fresh "A" in
      lazymatch goal with |- coupled _ ?e' _ _ =>
        assert (A' : affordable total ws cs' e') by exact (affordable_pay n2 p2 total ws (count n1 p1 cs) _ eq_refl ltac:(cbn; lia)
          (affordable_pay n1 p1 total ws cs e eq_refl ltac:(cbn; lia) A)) end;
      clear A
  end.
(** In all cases of a draw it is known that there is room between the ends of run 2. *)
Ltac room gap l2 h2 :=
  let l2 := value_of l2 in let h2 := value_of h2 in
  let G := fresh in let H := fresh in
  assert (G : 0 < gap) by real_or_cleared;
  try (assert (H : gap <= IZR (h2 - l2 + 1)) by from_reals; apply (Rlt_le_trans _ _ _ G), lt_IZR in H).
Ltac interval n1 weight1 amount1 n2 weight2 amount2 within narrowed gap l1 h1 l2 h2 := lazymatch goal with
  | |- coupled _ _ (published ?evs ?f (Draw _ laplace ?x ?c1 ?s1) _ _ ?m1) (published _ _ (Draw _ _ _ ?c2 ?s2) _ _ ?m2) =>
      let a1 := value_of (eval m1 c1) in let a2 := value_of (eval m2 c2) in
      let v1 := value_of (eval m1 s1) in let v2 := value_of (eval m2 s2) in
      let l1 := value_of l1 in let h1 := value_of h1 in let l2 := value_of l2 in let h2 := value_of h2 in
      apply (interval_by evs f within l1 h1 l2 h2 a1 a2 narrowed gap weight1 weight2 amount1 amount2 v1 v2);
      [ reflexivity | reflexivity | reflexivity | reflexivity | try reflexivity; f_equal; show
      | real_or_cleared | from_reals | intros ?; show | show | show | real_goal | from_reals | price
      | real_or_cleared
      | intros ? ? ? ? ? ? ? ?; pay_both n1 amount1 n2 amount2 ]
  end.

(** The same of noise on the reals. *)
Lemma price_real_le (within : R) (amount : Z) (weight s : R) :
  within <= weight * IZR amount * s -> 0 < s -> within / s <= weight * IZR amount.
Proof. intros H Hs. apply Rmult_le_reg_r with s; auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. Qed.
(** Powers with the same exponent, in other words. *)
Ltac same_powers_of_e := reals; repeat match goal with |- context [exp ?a] =>
    match goal with |- context [exp ?b] => tryif constr_eq a b then fail else replace (exp b) with (exp a) by (f_equal; field) end end;
  repeat match goal with |- context [exp ?a] => let x := fresh "power" in pose proof (exp_pos a); set (x := exp a) in *; clearbody x end.
Ltac real_payment := first [ real_goal | same_powers_of_e; real_goal ].
Ltac real_price := intros; apply price_real_le; [ real_payment | assumption ].
Ltac same_scales := first [ reflexivity | f_equal; agree | agree ].
Ltac shift_real_near n weight within amount k near := lazymatch goal with
  | |- coupled _ _ (published ?evs ?f (DrawReal _ ?law ?x ?c1 ?s1) _ _ ?m1) (published _ _ (DrawReal _ _ _ ?c2 ?s2) _ _ ?m2) =>
      let a1 := value_of (eval m1 c1) in let a2 := value_of (eval m2 c2) in
      let v1 := value_of (eval m1 s1) in let v2 := value_of (eval m2 s2) in
      let k := value_of k in
      apply (shift_real_by evs f law within amount weight k a1 a2 v1 v2);
      [ reflexivity | reflexivity | reflexivity | reflexivity | same_scales
      | intros; first [ discriminate | by_reals ] | near | real_price
      | let p := fresh "paid" in intros ? p ? ?; pay n p ]
  end.
(** Where what noise is drawn around is divided, a certificate says how far the dividends are apart. *)
Lemma divided (t1 t2 d within : R) : 0 < d -> - within <= t1 - t2 <= within -> Rabs (0 + t1 / d - t2 / d) <= within / d.
Proof.
  intros Hd H. replace (0 + t1 / d - t2 / d) with ((t1 - t2) / d) by (field; lra).
  apply Rabs_le. unfold Rdiv. rewrite Ropp_mult_distr_l. pose proof (Rinv_0_lt_compat d Hd). split; apply Rmult_le_compat_r; lra.
Qed.
Lemma divided_by (x t d within : R) : 0 < d -> x * d = t -> - within <= t <= within -> Rabs x <= within / d.
Proof.
  intros Hd <- H. replace x with (x * d / d) by (field; lra).
  apply Rabs_le. unfold Rdiv. rewrite Ropp_mult_distr_l. pose proof (Rinv_0_lt_compat d Hd). split; apply Rmult_le_compat_r; lra.
Qed.
Ltac shift_real n weight within amount k := lazymatch goal with
  | |- coupled _ _ (published _ _ (DrawReal _ _ _ ?c1 _) _ _ ?m1) (published _ _ (DrawReal _ _ _ ?c2 _) _ _ ?m2) =>
      let a1 := value_of (eval m1 c1) in let a2 := value_of (eval m2 c2) in
      let k := value_of k in let within := value_of within in
      lazymatch constr:((a1, a2, k)) with
      | (_ / ?d, _ / _, _) => first
          [ shift_real_near n weight (within / d) amount k ltac:(same_lengths; apply divided; [ by_reals | split; by_reals ])
          | shift_real_near n weight within amount k ltac:(apply Rabs_le; split; by_reals) ]
      | (_, _, ?t / ?d - _) => shift_real_near n weight within amount k
          ltac:(same_lengths; apply (divided_by _ t d); [ by_reals | field; apply Rgt_not_eq; by_reals | split; by_reals ])
      | _ => shift_real_near n weight within amount k ltac:(apply Rabs_le; split; by_reals)
      end
  end.
(** What is paid is a real, that a cost adds up. *)
Ltac pay_real n p := lazymatch goal with
  | A : affordable (?total - spent_reals ?rws ?rs) ?ws ?cs ?e |- coupled _ ?e' _ _ =>
      let rs' := eval cbn [add_to] in (add_to n p rs) in
      let A' := fresh "A" in
      assert (A' : affordable (total - spent_reals rws rs') ws cs e')
        by (exact (affordable_pay_real n p total rws rs ws cs e eq_refl ltac:(cbn; lia) A));
      clear A
  end.
Lemma price_of_reals (within amount weight s : R) : within <= weight * amount * s -> 0 < s -> within / s <= weight * amount.
Proof. intros H Hs. apply Rmult_le_reg_r with s; auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. Qed.
Ltac price_of_reals := intros; apply price_of_reals; [ real_payment | assumption ].
Ltac shift_real_at n weight within amount k := lazymatch goal with
  | |- coupled _ _ (published ?evs ?f (DrawReal _ ?law ?x ?c1 ?s1) _ _ ?m1) (published _ _ (DrawReal _ _ _ ?c2 ?s2) _ _ ?m2) =>
      let a1 := value_of (eval m1 c1) in let a2 := value_of (eval m2 c2) in
      let v1 := value_of (eval m1 s1) in let v2 := value_of (eval m2 s2) in
      let k := value_of k in let amount := value_of amount in
      apply (shift_real_for evs f law within amount weight k a1 a2 v1 v2);
      [ reflexivity | reflexivity | reflexivity | reflexivity | same_scales
      | intros; first [ discriminate | by_reals ] | first [ apply Rle_refl | apply Rabs_le; split; by_reals ] | price_of_reals
      | intros ? ?; pay_real n amount ]
  end.
Ltac shift_real_distance n weight k := lazymatch goal with
  | |- coupled _ _ (published _ _ (DrawReal _ _ _ ?c1 _) _ _ ?m1) (published _ _ (DrawReal _ _ _ ?c2 _) _ _ ?m2) =>
      let a1 := value_of (eval m1 c1) in let a2 := value_of (eval m2 c2) in
      shift_real_at n weight (Rabs (k + a1 - a2)) (Rabs (k + a1 - a2)) k
  end.
Ltac free_real k := lazymatch goal with
  | |- coupled _ _ (published ?evs ?f (DrawReal _ ?law ?x ?c1 ?s1) _ _ ?m1) (published _ _ (DrawReal _ _ _ ?c2 ?s2) _ _ ?m2) =>
      let a1 := value_of (eval m1 c1) in let a2 := value_of (eval m2 c2) in
      let v1 := value_of (eval m1 s1) in let v2 := value_of (eval m2 s2) in
      let k := value_of k in
      apply (no_real_shift evs f law k a1 a2 v1 v2);
      [ reflexivity | reflexivity | reflexivity | reflexivity | same_scales | agree | intros ? ? ]
  end.

(** [LapNull], [OneLapNull]. *)
Ltac same := lazymatch goal with
  | |- coupled _ _ (published ?evs ?f (DrawReal _ ?law ?x ?c1 ?s1) _ _ ?m1) (published _ _ (DrawReal _ _ _ ?c2 ?s2) _ _ ?m2) =>
      let a1 := value_of (eval m1 c1) in let a2 := value_of (eval m2 c2) in
      let v1 := value_of (eval m1 s1) in let v2 := value_of (eval m2 s2) in
      apply (same_real_noise evs f law a1 a2 v1 v2);
      [ reflexivity | reflexivity | reflexivity | reflexivity | same_scales | intros ? ? ]
  | |- coupled _ _ (published ?evs ?f (Draw _ ?law ?x ?c1 ?s1) _ _ ?m1) (published _ _ (Draw _ _ _ ?c2 ?s2) _ _ ?m2) =>
      let a1 := value_of (eval m1 c1) in let a2 := value_of (eval m2 c2) in
      let v1 := value_of (eval m1 s1) in let v2 := value_of (eval m2 s2) in
      apply (same_noise evs f law a1 a2 v1 v2);
      [ reflexivity | reflexivity | reflexivity | reflexivity | try reflexivity; f_equal; show | intros ? ? ?; support ]
  end.

(** [Chance], for truth values: run 2 draws that of which the same is made as in run 1; what is paid is looked for. *)
Lemma sub_le (a b : R) : 0 <= b - a -> a <= b.
Proof. lra. Qed.
Lemma over_negative a b : a < 0 -> b < 0 -> 0 < a / b.
Proof. intros. replace (a / b) with ((- a) / (- b)) by (field; lra). apply Rdiv_lt_0_compat; lra. Qed.
Ltac above_0 := first [ lra | apply Rdiv_lt_0_compat; [ first [ lra | nra ] | first [ lra | nra ] ] | apply over_negative; first [ lra | nra ] ].
Ltac same_power := match goal with
  | |- context [exp (ln ?x * IZR 1)] => replace (ln x * IZR 1) with (ln x) by ring; rewrite (exp_ln x) by above_0
  | |- _ <= exp (?w * IZR 0) * _ => replace (w * IZR 0) with 0 by ring; rewrite exp_0, Rmult_1_l
  | |- ?a <= exp ?y * ?b => match constr:((a, b)) with context [exp ?x] => replace y with x by lra end
  | _ => idtac
  end.
(** A quotient of negative numbers. *)
Ltac turned := repeat match goal with
  | |- context [?a / ?b] => rewrite (negative_ratio a b) by lra
  end.
Ltac same_truths := repeat match goal with
  | E : truth ?q2 ?i = truth ?q1 ?i |- context [truth ?q2 ?i] => rewrite E
  end.
Ltac likely :=
  repeat match goal with
  | |- context [chance_of ?m ?c] => let v := value_of (chance_of m c) in change (chance_of m c) with v
  end;
  cbn [negb andb orb xorb Bool.eqb]; same_truths; cases; try absurd_truth; reals;
  same_power; powers; first [ lra | turned; inverses; first [ lra | nra ] ].

Ltac choose_as n weight amount flip := lazymatch goal with
  | |- coupled _ _ (published ?evs ?f (Choose _ _ ?x ?o1 ?c1) _ _ ?m1) (published _ _ (Choose _ _ _ ?o2 ?c2) _ _ ?m2) =>
      let rule p q := (apply (choose_truth evs f flip weight p q); [ solve [likely] | solve [likely] | |]) in
      first [ rule 0%Z 0%Z | rule amount 0%Z | rule 0%Z amount | rule amount amount ];
      cbn [xorb]; lazymatch goal with |- coupled _ (_ - _ * IZR ?p) _ _ => pay n p end
  end.
(** Where entries change, it matters whether it is this one. *)
Ltac differs D C q1 q2 i := lazymatch goal with
  | _ : before_truths q1 q2 (i + 1) = _ |- _ => fail
  | _ => let E := fresh in destruct (D i) as [[E ?] | [E ?]]; pose proof (C (i + 1)%Z); rewrite E
  end.
Ltac at_change := repeat match goal with
  | D : forall i : Z, i <> ?p -> truth ?q2 i = truth ?q1 i |- context [truth ?q1 ?i] =>
      lazymatch i with p => fail | _ =>
      let E := fresh in destruct (Z.eq_dec i p) as [E | E]; [ subst i | rewrite (D i E) ] end
  | D : forall i : Z, (i = ?p -> entry ?q2 i = entry ?q1 i + ?c)%Z /\ (i <> ?p -> entry ?q2 i = entry ?q1 i)
    |- context [entry ?q1 ?i] => lazymatch goal with
      | |- context [entry q2 i] =>
        let E := fresh in destruct (Z.eq_dec i p) as [E | E];
        [ rewrite (proj1 (D i) E) in * | rewrite (proj2 (D i) E) in * ] end
  | D : forall i : Z, _ \/ (truth ?q2 i = negb (truth ?q1 i) /\ _), C : forall i : Z, (before_truths ?q1 ?q2 i <= _)%Z
    |- context [truth ?q1 ?i] => differs D C q1 q2 i
  end.
Ltac at_chances := repeat match goal with
  | D : forall i : Z, i <> ?p -> truth ?q2 i = truth ?q1 i
    |- coupled _ _ (published _ _ (Choose _ _ _ ?o ?c) _ _ ?m) _ =>
      let v := value_of (chance_of (upd m o (Bool true)) c) in
      match v with context [truth q1 ?i] => lazymatch i with p => fail | _ => lazymatch goal with
        | _ : i <> p |- _ => fail
        | _ => let E := fresh in destruct (Z.eq_dec i p) as [E | E]; [ subst i | pose proof (D i E) ]
      end end end
  | D : forall i : Z, _ \/ (truth ?q2 i = negb (truth ?q1 i) /\ _), C : forall i : Z, (before_truths ?q1 ?q2 i <= _)%Z
    |- coupled _ _ (published _ _ (Choose _ _ _ ?o ?c) _ _ ?m) _ =>
      let v := value_of (chance_of (upd m o (Bool true)) c) in
      match v with context [truth q1 ?i] => lazymatch goal with
        | _ : before_truths q1 q2 (i + 1) = _ |- _ => fail
        | _ => differs D C q1 q2 i; destruct (truth q1 i) eqn:?; cbn [negb]
      end end
  end.
Ltac choose n weight amount made1 made2 :=
  at_chances;
  let v1 := value_of made1 in let v2 := value_of made2 in
  lazymatch constr:((v1, v2)) with
  | (true, true) => choose_as n weight amount false
  | _ => destruct v1 eqn:?; destruct v2 eqn:?;
      [ choose_as n weight amount false | choose_as n weight amount true
      | choose_as n weight amount true | choose_as n weight amount false ]
  end.

(** Several draws that serve to make one value ([Fuse]): a run is followed up to where it returns that. *)
Ltac followed t := lazymatch t with
  | published ?evs ?n ?c ?lv ?k ?m => lazymatch c with
    | Skip => constr:(k m)
    | Seq ?a ?b => constr:(published evs n a lv (published evs n b lv k) m)
    | @Assign ?s ?x ?a => let v := value_of (put s (eval m a)) in constr:(k (upd m x v))
    | Block ?l ?b => constr:(published evs n b (fun l' => if String.eqb l' l then k else lv l') k m)
    | Leave ?l => let there := eval cbn [String.eqb Ascii.eqb Bool.eqb] in (lv l m) in there
    | If ?b ?a ?yes ?no =>
        let told := eval vm_compute in (existsb (event_eqb (Branch b)) evs) in
        lazymatch told with false =>
          let v := value_of (eval m a) in
          lazymatch v with
          | true => constr:(published evs n yes lv k m)
          | false => constr:(published evs n no lv k m)
          end
        end
    | Ensure ?a => let v := value_of (eval m a) in constr:(if v then k m else TFails)
    | Assume ?a => let v := value_of (eval m a) in constr:(if v then k m else TFails)
    end
  end.
(** A value as a number: different values of the same kind have different ones. *)
Ltac real_number r := lazymatch r with
  | IZR ?z => z
  | (if ?b then ?x else ?y) => let x := real_number x in let y := real_number y in constr:(if b then x else y)
  end.
Ltac number_of m e := let v := value_of (eval m e) in lazymatch type of e with
  | expr INT => v
  | expr BOOL => constr:(if v then 1%Z else 0%Z)
  | expr REAL => real_number v
  end.
Ltac returned m vs := lazymatch vs with [Item ?e] => number_of m e end.
Ltac follow t := let t' := followed t in let t' := eval cbv beta in t' in change t with t'.
(** Where what run 1 tells next decides whether run 2 tells the same. *)
Ltac tells_next_of t := lazymatch t with
  | Tells _ _ _ => t
  | published ?evs ?n (If ?b ?a ?yes ?no) ?lv ?k ?m =>
      let told := eval vm_compute in (existsb (event_eqb (Branch b)) evs) in
      let v := value_of (eval m a) in
      lazymatch told with
      | true => constr:(Tells (Branch b) (TheBool v) (if v then published evs n yes lv k m else published evs n no lv k m))
      | false => let t' := followed t in let t' := eval cbv beta in t' in tells_next_of t'
      end
  | published _ _ _ _ _ _ => let t' := followed t in let t' := eval cbv beta in t' in tells_next_of t'
  | if true then ?a else _ => tells_next_of a
  | if false then _ else ?b => tells_next_of b
  end.
Ltac told_later := lazymatch goal with
  | |- coupled _ _ (Tells _ (TheBool ?v) _) _ =>
      destruct v eqn:?;
      lazymatch goal with |- coupled _ _ (Tells ?ev ?v1 ?t1) _ => first
        [ let t' := tells_next_of t1 in change t1 with t'; apply tells_next; intros ? ->; learn; try absurd_truth
        | idtac ] end;
      told_now
  end.
Ltac told := first [ told_now | told_later ].

Ltac weigh_nothing := intros; cbv beta; repeat first
  [ apply of_two_nonneg | apply point_nonneg | apply mass_nonneg | apply Rle_refl
  | apply Rmult_le_pos; [ first [ apply Rmax_l | apply IZR_le; lia ] |] | apply sum_nonneg; intros ? _
  | apply Rplus_le_le_0_compat | apply Rmax_l
  | match goal with |- 0 <= if ?b then _ else _ => destruct b end ].

(** What numbers from lo to hi add up to: each is looked at, or all are alike, or only those that make v matter. *)
Ltac no_number_twice := repeat first [ apply NoDup_nil | apply NoDup_cons ]; cbn [In]; first [ lia | intuition lia ].
Ltac one_more x l := lazymatch l with context [x :: _] => l | _ => constr:(x :: l) end.
Ltac candidates z v body l := lazymatch body with
  | point z v => one_more v l
  | point (z + ?b)%Z v => one_more (v - b)%Z l
  | point (?b + z)%Z v => one_more (v - b)%Z l
  | point (z - ?b)%Z v => one_more (v + b)%Z l
  | point (?b - z)%Z v => one_more (b - v)%Z l
  | (if _ then ?x else ?y) => let l := candidates z v x l in candidates z v y l
  end.
Ltac making v u :=
  let f := constr:(fun z : Z => ltac:(let b := eval cbv beta in (u z) in let l := candidates z v b (@nil Z) in exact l)) in
  lazymatch f with (fun _ => ?l) => l end.
Ltac others_make_none := let z := fresh "z" in let H := fresh in let K := fresh in
  intros z H K; cbn [In] in K; unfold point;
  repeat match goal with |- context [if ?b then _ else _] => destruct b eqn:? end;
  first [ reflexivity | exfalso; forget; apart; first [ lia | congruence ] ].
Ltac known_chances := unfold of_two; repeat match goal with
  | |- context [chance_of ?m ?c] => let p := value_of (chance_of m c) in change (chance_of m c) with p
  end.
Ltac added := let v := fresh "v" in intros v; cbv beta; known_chances; adding v
with adding v := lazymatch goal with |- adds_up ?lo ?hi ?u _ =>
  let few := eval vm_compute in (hi - lo <? 32)%Z in
  lazymatch few with
  | true => let zs := eval vm_compute in (range lo hi) in
      apply (adds_up_some lo hi u zs);
      [ no_number_twice | weigh_nothing
      | let z := fresh "z" in let H := fresh in let K := fresh in intros z H K; exfalso; apply K; cbn [In]; lia ]
  | _ => lazymatch u with
    | (fun _ => ?c) => apply (adds_up_alike lo hi c); weigh_nothing
    | (fun z => @?a z + @?b z) => apply (adds_up_plus lo hi a b); [ weigh_nothing | weigh_nothing | cbv beta; adding v | cbv beta; adding v ]
    | (fun z => ?c * @?a z) => apply (adds_up_times lo hi a); [ weigh_nothing | cbv beta; adding v ]
    | _ => let zs := making v u in
        apply (adds_up_some lo hi u zs); [ no_number_twice | weigh_nothing | others_make_none ]
    end
  end end.
Ltac over rule := lazymatch goal with
  | |- _ (published ?evs ?f (Choose _ INT _ _ [(And (Le ?lo (IntVar _)) (Le (IntVar _) ?hi), ?p)]) _ _ ?m) _ _ =>
      let lo := value_of (eval m lo) in let hi := value_of (eval m hi) in let p := value_of (eval m p) in
      eapply (rule evs f lo hi p)
  end.
Ltac as_uniform := let z := fresh "z" in intros z; lazymatch goal with |- chosen ?m INT ?o ?c z = _ =>
  let v := value_of (chance_of (upd m o (Int z)) c) in change (chosen m INT o c z) with v end; reflexivity.
(** What a program asks of its chances holds for all public parameters. *)
Lemma Rleb_is a b : a <= b -> Rleb a b = true.
Proof. unfold Rleb. destruct Rle_dec; [auto | lra]. Qed.
Lemma Rltb_is a b : a < b -> Rltb a b = true.
Proof. unfold Rltb. destruct Rlt_dec; [auto | lra]. Qed.
Lemma ratio_to_1 a b : 0 < b -> a <= b -> a / b <= 1.
Proof. intros. apply Rmult_le_reg_r with b; auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. Qed.
Lemma ratio_from_0 a b : 0 <= a -> 0 < b -> 0 <= a / b.
Proof. intros. apply Rmult_le_pos; auto. now apply Rlt_le, Rinv_0_lt_compat. Qed.
Ltac is_so := first [ lra | apply ratio_to_1; first [ lra | nra ] | apply ratio_from_0; first [ lra | nra ] | solve [inverses; nra] ].
Ltac ensured := first
  [ show
  | reals; repeat match goal with |- _ && _ = true => apply andb_true_intro; split end;
    first [ apply Rleb_is; is_so | apply Rltb_is; is_so | show ] ].
Ltac valued made m := lazymatch made with tt => fail | _ => number_of m made end.
Ltac gather made := lazymatch goal with
  | |- gathers (published ?evs ?f (Choose _ BOOL _ _ _) _ _ _) _ _ => eapply (gathers_two evs f); cbv beta; gather made
  | |- gathers (published _ _ (Choose _ INT _ _ _) _ _ _) _ _ =>
      over gathers_over; [ as_uniform | intros ? ?; cbv beta; gather made | weigh_nothing | added ]
  | |- gathers (published _ _ (Return ?vs _) _ _ ?m) _ _ => let v := returned m vs in apply (gathers_way v)
  | |- gathers (published _ _ (Append _ ?vs) _ _ ?m) _ _ => let v := returned m vs in apply (gathers_way v)
  | |- gathers (published _ _ (If ?b ?a ?yes ?no) _ _ ?m) _ _ => first
      [ lazymatch goal with |- gathers ?t _ _ => follow t end; gather made
      | asked made ]
  | |- gathers (published _ _ _ _ _ ?m) _ _ => first
      [ lazymatch goal with |- gathers ?t _ _ => follow t end; gather made
      | let v := valued made m in apply (gathers_way v) ]
  | |- gathers (if _ then _ else _) _ _ => apply gathers_checked; [| intros ?; gather made]; [.. | weigh_nothing]
  | |- gathers (_ ?m) _ _ => let v := valued made m in apply (gathers_way v)
  end
with asked made := lazymatch goal with
  | |- gathers (published ?evs ?f (If ?b ?a ?yes ?no) ?lv ?k ?m) _ _ =>
      let v := value_of (eval m a) in
      change (published evs f (If b a yes no) lv k m) with (if v then published evs f yes lv k m else published evs f no lv k m);
      apply gathers_if; intros ?; gather made
  end.
Ltac scatter made := lazymatch goal with
  | |- scatters (published ?evs ?f (Choose _ BOOL _ _ _) _ _ _) _ _ =>
      eapply (scatters_two evs f); cycle 2; [ cbv beta; scatter made | cbv beta; scatter made | weigh_nothing | weigh_nothing ]
  | |- scatters (published _ _ (Choose _ INT _ _ _) _ _ _) _ _ =>
      over scatters_over; [ as_uniform | intros ? ?; cbv beta; scatter made | weigh_nothing | added ]
  | |- scatters (published _ _ (Return ?vs _) _ _ ?m) _ _ => let v := returned m vs in apply (scatters_way v)
  | |- scatters (published _ _ (Append _ ?vs) _ _ ?m) _ _ => let v := returned m vs in apply (scatters_way v)
  | |- scatters (published ?evs ?f (If ?b ?a ?yes ?no) ?lv ?k ?m) _ _ => first
      [ lazymatch goal with |- scatters ?t _ _ => follow t end; scatter made
      | let v := value_of (eval m a) in
        change (published evs f (If b a yes no) lv k m) with (if v then published evs f yes lv k m else published evs f no lv k m);
        apply scatters_if; intros ?; scatter made ]
  | |- scatters (published _ _ _ _ _ ?m) _ _ => first
      [ lazymatch goal with |- scatters ?t _ _ => follow t end; scatter made
      | let v := valued made m in apply (scatters_way v) ]
  | |- scatters (if ?b then _ else _) _ _ => let H := fresh in assert (H : b = true) by ensured; rewrite H; clear H; scatter made
  | |- scatters (_ ?m) _ _ => let v := valued made m in apply (scatters_way v)
  end.
Ltac remainders := repeat match goal with
  | |- context [(?a mod ?b)%Z] =>
      let r := fresh "r" in pose proof (Z.mod_pos_bound a b ltac:(forget; apart; lia));
      set (r := (a mod b)%Z) in *; clearbody r
  end.
Ltac all_tests := repeat match goal with
  | |- context [if ?b then _ else _] => lazymatch b with context [if _ then _ else _] => fail | _ =>
      lazymatch type of b with bool => let E := fresh in destruct b eqn:E; cbn [negb andb orb] end end
  end.
(** Chances are no negative numbers; what they are made of matters only where that is not enough. *)
Lemma Rmax_known p : 0 <= p -> Rmax 0 p = p.
Proof. apply Rmax_right. Qed.
Ltac no_negative := repeat match goal with
  | |- context [Rmax 0 ?p] =>
      let H := fresh in assert (H : 0 <= p) by (first [ lra | solve [positive] | inverses; first [ lra | nra ] ]);
      rewrite (Rmax_known p H) in *
  end.
Ltac as_atoms := repeat match goal with
  | H : 0 <= ?p |- context [?p] => lazymatch p with context [Rdiv] =>
      let x := fresh in set (x := p) in *; clearbody x end
  end;
  repeat match goal with
  | H1 : 0 <= ?a, H2 : 0 <= ?b |- context [?a * ?b] =>
      let x := fresh "product" in pose proof (Rmult_le_pos a b H1 H2); set (x := a * b) in *; clearbody x
  end.
Ltac of_chances := first
  [ lra | solve [as_atoms; nra] | right; field; solve [nonzero] | solve [inverses; nra] ].
(** Powers above 1 as 1 and a gap: a difference of quotients is one of polynomials, mostly without a minus. *)
Ltac gap r := let s := fresh "gap" in let H := fresh in
  assert (H : exists s, 0 < s /\ r = 1 + s) by (exists (r - 1); lra); destruct H as (s & ? & ->).
Ltac product_of_positives := repeat first
  [ lra | apply Rplus_le_le_0_compat | apply Rplus_lt_le_0_compat | apply Rplus_le_lt_0_compat | apply Rmult_le_pos
  | apply Rmult_lt_0_compat | apply pow_le | apply pow_lt ].
Ltac terms_known e := lazymatch e with
  | ?a + ?b => terms_known a; terms_known b
  | _ => let H := fresh in assert (H : 0 <= e) by product_of_positives
  end.
Ltac sum_of_positives := first
  [ solve [product_of_positives]
  | lazymatch goal with |- 0 <= ?e => terms_known e | |- 0 < ?e => terms_known e | |- ?e > 0 => terms_known e end; lra ].
Ltac gap_above c r := let s := fresh "gap" in let H := fresh in
  assert (H : exists s, 0 <= s /\ r = c + s) by (exists (r - c); lra); destruct H as (s & ? & H); rewrite H; clear H.
Ltac gap_below_1 x := let s := fresh "gap" in let H := fresh in
  assert (H : exists s, 0 < s /\ x = 1 / (1 + s))
    by (exists (1 / x - 1); split; [ assert (1 < 1 / x) by (apply Rmult_lt_reg_r with x; [| unfold Rdiv; rewrite Rmult_assoc, Rinv_l]; lra); lra | field; lra ]);
  destruct H as (s & ? & H); rewrite H; clear H.
Ltac above_0_in_gaps := first
  [ lra | nra | solve [sum_of_positives] | solve [ring_simplify; sum_of_positives]
  | apply Rdiv_lt_0_compat; first [ lra | nra | solve [sum_of_positives] | solve [ring_simplify; sum_of_positives] ] ].
Ltac gaps_decide positive := apply sub_le;
  match goal with |- 0 <= ?x => first
    [ let E := fresh in assert (E : x = 0) by (field; repeat split; apply Rgt_not_eq; positive); rewrite E; apply Rle_refl
    | field_simplify x; [| repeat split; apply Rgt_not_eq; positive ..];
      lazymatch goal with
      | |- 0 <= _ / _ => apply Rmult_le_pos; [ positive | apply Rlt_le, Rinv_0_lt_compat; positive ]
      | |- _ => positive
      end ] end.
Ltac powers_in_gaps := repeat match goal with _ : 1 < ?r |- _ => is_var r; gap r end.
Ltac in_gaps := solve [ powers_in_gaps; gaps_decide ltac:(product_of_positives) ].
(** The same with numbers of values, chances that are parameters, and logarithms. *)
Ltac in_all_gaps := solve [
  powers_in_gaps;
  repeat match goal with k : Z |- _ => match goal with |- context [IZR k] =>
    first [ gap_above 3 (IZR k) | gap_above 2 (IZR k) | gap_above 1 (IZR k) ] end end;
  repeat match goal with _ : 0 < ?x, _ : ?x < 1 |- context [?x] => is_var x; gap_below_1 x end;
  repeat match goal with |- context [exp (ln ?x)] => rewrite (exp_ln x) by above_0_in_gaps end;
  gaps_decide ltac:(sum_of_positives) ].
Ltac no_zeros := rewrite ?Rmult_0_r, ?Rmult_0_l, ?Rmult_1_r, ?Rmult_1_l, ?Rplus_0_r, ?Rplus_0_l, ?Rminus_0_r.
Ltac sizes_of_ranges := repeat match goal with
  | |- context [Z.max 0 (?h - ?l + 1)] => replace (Z.max 0 (h - l + 1)) with (h - l + 1)%Z by (forget; apart; lia)
  end.
Ltac as_likely :=
  let v := fresh "v" in intros v; unfold of_two, point, between, mass, chosen; cbn [drawn sum fold_right];
  repeat match goal with |- context [if ?b then _ else _] => is_var b; destruct b end;
  repeat match goal with
  | |- context [chance_of ?m ?c] => let p := value_of (chance_of m c) in change (chance_of m c) with p
  end;
  cbn [drawn negb andb orb Z.eqb Z.leb Z.ltb Z.compare Pos.eqb Pos.compare Pos.compare_cont]; cbv beta; same_truths; remainders; sizes_of_ranges; all_tests; try absurd_truth;
  try solve [exfalso; forget; refute ltac:(through)]; reals;
  as_reals; arith; same_power; powers; no_negative; no_zeros;
  first [ lra | solve [right; field; nonzero] | in_all_gaps | solve [as_atoms; nra] | solve [inverses; nra] ].

Ltac ways_meet := repeat match goal with
  | H : _ \/ _ |- _ => destruct H as [H | H]
  | H : _ /\ _ |- _ => destruct H
  | H : False |- _ => destruct H
  | H : exists _, _ |- _ => destruct H
  | H : among (if ?b then _ else _) _ _ |- _ => destruct b eqn:?; cbn [joined among] in H
  | H : among (joined (if ?b then _ else _) _) _ _ |- _ => destruct b eqn:?; cbn [joined among] in H
  | H : among _ _ _ |- _ => progress cbn [joined among] in H; cbv beta in H
  | H : ?l = published _ _ _ _ _ _ |- _ => is_var l; cbv beta in H; subst l
  | H : ?l = _ ?m |- _ => is_var l; lazymatch type of l with telling => subst l end
  end.
Ltac sums_as n weight amount made := lazymatch goal with
  | |- coupled _ _ (published ?evs ?f _ _ _ _) _ =>
      eapply (sums_both weight amount);
      [ gather made | scatter made | as_likely
      | let H1 := fresh in let H2 := fresh in
        cbn [joined among]; cbv beta; intros ? ? ? H1 H2; ways_meet; pay n amount ]
  end.
Ltac sums n weight amount made := at_change; at_chances; first [ sums_as n weight 0%Z made | sums_as n weight amount made ].

(** [Choice]: run 2 draws the same index.  Of the entries that are mentioned, distances are known: as reals, too. *)
Lemma minus_le (x y : R) : x <= y -> 0 <= x -> - x <= y.
Proof. lra. Qed.
Ltac known_reals := repeat match goal with
  | D : forall i : Z, (- ?B <= ?f2 i - ?f1 i <= ?B)%R |- context [?f1 ?i] =>
      lazymatch goal with _ : (- B <= f2 i - f1 i <= B)%R |- _ => fail | _ => pose proof (D i) end
  end.
Ltac demanded_of H := unfold demanded in H; look_up H; cbn [forallb] in H; look_up H.
Ltac sizes := repeat match goal with
  | |- context [Z.abs ?a] => let H := fresh in pose proof (Z.abs_eq_or_opp a) as H; pose proof (Z.abs_nonneg a);
      generalize dependent (Z.abs a); intros ? [H | H] ?
  end.
Ltac weigh_by evs f n weight within amount rate score1 score2 finish := lazymatch goal with
  | |- coupled _ _ (published _ _ (Weigh _ _ _ ?c1 _ _ _) _ _ ?m1) (published _ _ (Weigh _ _ _ ?c2 _ _ _) _ _ ?m2) =>
      let v1 := value_of (eval m1 c1) in let v2 := value_of (eval m2 c2) in
      let rate := value_of rate in let score1 := value_of score1 in let score2 := value_of score2 in
      apply (weigh_same evs f weight amount within rate score1 score2 v1 v2);
      [ reflexivity | reflexivity | show
      | let H := fresh in intros ? ? H; demanded_of H; unfold demanded; look_here; show
      | intros; unfold exponent; look_here; reals; split; first [ ring | field; solve [nonzero] ]
      | let H1 := fresh in let H2 := fresh in intros ? ? ? ? H1 H2; demanded_of H1; demanded_of H2;
        cbv beta; known_reals;
        first [ lra | forget; entries; sizes; as_reals; arith; lra
              | rewrite ?Rmult_1_r, <- ?opp_IZR, <- ?minus_IZR; apply IZR_le; show ]
      | real_goal | first [ apply minus_le; [ real_goal | reals; solve [positive] ] | real_goal ]
      | let H := fresh in intros ? ? H; demanded_of H; finish ]
  end.
Ltac weigh n weight within amount rate score1 score2 := lazymatch goal with
  | |- coupled _ _ (published ?evs ?f _ _ _ _) _ =>
      weigh_by evs f n weight within amount rate score1 score2 ltac:(idtac; pay n amount)
  end.
(** The same of scores that all change alike. *)
Ltac weigh_free rate score1 score2 := lazymatch goal with
  | |- coupled _ _ (published ?evs ?f _ _ _ _) _ =>
      weigh_by evs f 0%nat 0%R 0%R 0%Z rate score1 score2 ltac:(idtac; rewrite Rmult_0_l, Rminus_0_r)
  end.

Ltac changes := repeat first
  [ apply changes_none
  | apply changes_one; [reflexivity |] ].
Ltac fitting := split; [ cbn [map fst]; changes | repeat constructor; eexists; reflexivity ].

(** The state at a loop's head. *)
Ltac unpack F := repeat (apply fits_cons in F; destruct F as [? F]); apply fits_nil in F; cbn [stored of_kind] in *; subst.

(** The invariant: an existential for each counter, what is affordable, and what else holds. *)
Ltac invariant := lazymatch goal with A : affordable _ _ _ _ |- _ =>
  red; repeat match goal with |- exists _ : Z, _ => eexists | |- exists _ : R, _ => eexists end;
  split; [exact A |];
  cbn [empty upd String.eqb Ascii.eqb Bool.eqb as_int as_real as_bool as_rows length_of stored of_kind];
  repeat match goal with |- _ /\ _ => split end; agree end.

Ltac while changed Inv := lazymatch goal with
  | |- coupled _ _ (published ?evs ?f (Loop _ _) _ _ _) _ =>
      apply (loop_both evs f changed Inv); [ fitting | fitting | invariant |
        let again1 := fresh "again1" in let again2 := fresh "again2" in let back := fresh "back" in
        let m1 := fresh "m1" in let m2 := fresh "m2" in
        let F1 := fresh in let F2 := fresh in let H := fresh in
        intros again1 again2 back;
        match goal with A : affordable _ _ _ _ |- _ => clear A end;
        intros ? ? m1 m2 F1 F2 H; unpack F1; unpack F2; red in H; look_up H; split_all; subst ]
  end.

(** A loop without draws: its invariant is about the counters as they are. *)
Ltac of_counters counts Inv := lazymatch counts with
  | ?c :: ?rest => of_counters rest constr:(Inv c)
  | _ => Inv
  end.
Ltac while_kept changed Inv := lazymatch goal with
  | A : affordable (_ - spent_reals _ ?sums) _ ?counts _ |- _ =>
      let Inv := of_counters counts Inv in let Inv := of_counters sums Inv in while changed Inv
  | A : affordable _ _ ?counts _ |- _ => let Inv := of_counters counts Inv in while changed Inv
  end.

Ltac back again1 := match goal with H : _ |- _ =>
    lazymatch type of H with context [coupled _ _ (again1 _) _] => apply H; [ fitting | fitting | invariant ] end
  end.

Ltac at_memories f := lazymatch goal with
  | |- coupled ?L _ (published _ _ _ _ _ ?m1) (published _ _ _ _ _ ?m2) => f L m1 m2
  end.

(** [draw] and [loop] say what is done at each site and loop, by number; [end_] is for what is returned. *)
Ltac walk draw loop finish := lazymatch goal with
  | |- coupled _ _ (published _ _ (Draw ?n _ _ _ _) _ _ _) (published _ _ (Draw ?n _ _ _ _) _ _ _) => draw n
  | |- coupled _ _ (published _ _ (DrawReal ?n _ _ _ _) _ _ _) (published _ _ (DrawReal ?n _ _ _ _) _ _ _) => draw n
  | |- coupled _ _ (published _ _ (Choose ?n _ _ _ _) _ _ _) (published _ _ (Choose ?n _ _ _ _) _ _ _) => draw n
  | |- coupled _ _ (published _ _ (Weigh ?n _ _ _ _ _ _) _ _ _) (published _ _ (Weigh ?n _ _ _ _ _ _) _ _ _) => draw n
  | |- coupled _ _ (published _ _ (Choose ?n _ _ _ _) _ _ _) (published _ _ (Choose _ _ _ _ _) _ _ _) => draw n
  | |- coupled _ _ (published _ _ (Loop ?n _) _ _ _) (published _ _ (Loop ?n _) _ _ _) => loop n
  | |- coupled _ _ TFails _ => apply coupled_fails
  | |- coupled _ _ (TEnds _) (TEnds _) => apply coupled_ends; [ agree | finish 0%nat ]
  | |- coupled _ _ (Tells _ _ _) (Tells _ _ _) => told
  | |- coupled _ _ (published _ _ (cut _ _ _ _) _ _ _) _ => cut_off
  | |- coupled _ _ (published _ _ (Draw _ _ _ _ _) _ _ _) _ => step_2
  | |- coupled _ _ (published _ _ (DrawReal _ _ _ _ _) _ _ _) _ => step_2
  | |- coupled _ _ (published _ _ (Choose _ _ _ _ _) _ _ _) _ => step_2
  | |- coupled _ _ (published _ _ (Weigh _ _ _ _ _ _ _) _ _ _) _ => step_2
  | |- coupled _ _ (published _ _ (Loop _ _) _ _ _) _ => step_2
  | |- coupled _ _ (TEnds _) _ => step_2
  | |- coupled _ _ (Tells _ _ _) _ => step_2
  | |- coupled _ _ (published _ _ _ _ _ _) _ => step_1
  | |- coupled _ _ (tell _ _ _ _) _ => step_1
  | |- coupled _ _ (if _ then _ else _) _ => step_1
  | |- coupled _ _ _ (published _ _ _ _ _ _) => step_2
  | |- coupled _ _ _ (tell _ _ _ _) => step_2
  | |- coupled _ _ _ (if _ then _ else _) => step_2
  | |- coupled _ _ (?again _) _ => back again
  end.

(** What is left where no step is found, in words. *)
Ltac stuck := lazymatch goal with
  | |- coupled _ _ (published _ _ (Draw ?n _ _ _ _) _ _ _) (published _ _ (Draw ?n _ _ _ _) _ _ _) =>
      fail 0 "what the shift at draw" n "asks for is not shown"
  | |- coupled _ _ (published _ _ (DrawReal ?n _ _ _ _) _ _ _) (published _ _ (DrawReal ?n _ _ _ _) _ _ _) =>
      fail 0 "what the shift at draw" n "asks for is not shown"
  | |- coupled _ _ (published _ _ (Choose ?n _ _ _ _) _ _ _) (published _ _ (Choose _ _ _ _ _) _ _ _) =>
      fail 0 "what the chances at draw" n "ask for is not shown"
  | |- coupled _ _ (published _ _ (Weigh ?n _ _ _ _ _ _) _ _ _) (published _ _ (Weigh ?n _ _ _ _ _ _) _ _ _) =>
      fail 0 "what the weights at draw" n "ask for is not shown"
  | |- coupled _ _ (published _ _ (Loop ?n _) _ _ _) (published _ _ (Loop ?n _) _ _ _) =>
      fail 0 "the invariant of loop" n "is not shown where the loop begins"
  | |- coupled _ _ (TEnds _) (TEnds _) => fail 0 "equal outputs or the bound of what they cost are not shown"
  | |- coupled _ _ (Tells _ _ _) (Tells _ _ _) => fail 0 "the two runs are not shown to tell the same"
  | |- coupled _ _ (published _ _ (DrawReal ?n _ _ _ _) _ _ _) _ => fail 0 "run 1 comes alone to draw" n
  | |- coupled _ _ _ (published _ _ (DrawReal ?n _ _ _ _) _ _ _) => fail 0 "run 2 comes alone to draw" n
  | |- coupled _ _ (published _ _ (Draw ?n _ _ _ _) _ _ _) _ => fail 0 "run 1 comes alone to draw" n
  | |- coupled _ _ (published _ _ (Choose ?n _ _ _ _) _ _ _) _ => fail 0 "run 1 comes alone to draw" n
  | |- coupled _ _ (published _ _ (Loop ?n _) _ _ _) _ => fail 0 "run 1 comes alone to loop" n
  | |- coupled _ _ _ (published _ _ (Draw ?n _ _ _ _) _ _ _) => fail 0 "run 2 comes alone to draw" n
  | |- coupled _ _ _ (published _ _ (Choose ?n _ _ _ _) _ _ _) => fail 0 "run 2 comes alone to draw" n
  | |- coupled _ _ _ (published _ _ (Loop ?n _) _ _ _) => fail 0 "run 2 comes alone to loop" n
  | |- coupled _ _ (published _ _ _ _ _ _) _ => fail 0 "a condition of run 1 is not decided"
  | |- coupled _ _ _ (published _ _ _ _ _ _) => fail 0 "a condition of run 2 is not shown"
  | |- coupled _ _ _ _ => fail 0 "a loop's invariant is not shown at the end of its body"
  | |- _ => fail 0 "a side condition is not shown"
  end.

Ltac budget := first [ real_goal | real_log | solve [cleared_goal] | solve [same_powers_of_e; first [ real_goal | cleared_goal ]] ].
Ltac within_reals tops bounds := lazymatch goal with
  | A : affordable (?all - spent_reals ?reals _) ?ws _ _ |- _ =>
      unfold all, reals, ws in A; apply (affordable_within_reals _ _ _ tops _ _ bounds _ A);
      [ repeat (apply Forall_cons; [budget |]); apply Forall_nil
      | repeat (apply Forall2_cons; [by_reals |]); apply Forall2_nil
      | repeat (apply Forall_cons; [budget |]); apply Forall_nil
      | repeat (apply Forall2_cons; [show |]); apply Forall2_nil
      | cbn [spent spent_reals]; budget ]
  end.
Ltac within bounds := lazymatch goal with
  | A : affordable ?all ?ws _ _ |- _ =>
      unfold all, ws in A; apply (affordable_within _ _ _ bounds _ A);
      [ repeat (apply Forall_cons; [budget |]); apply Forall_nil
      | repeat (apply Forall2_cons; [show |]); apply Forall2_nil
      | cbn [spent]; cases; budget ]
  end.

(** * [Lift] *)

(** Both runs are followed through all draws of truth values up to what they return. *)
Ltac as_number v :=
  let w := eval cbv [Z.leb Z.ltb Z.eqb Z.compare Pos.compare Pos.compare_cont Pos.eqb Z.add Z.sub Z.mul Z.opp Z.max Z.min
    Z.pos_sub Z.double Z.succ_double Z.pred_double Pos.add Pos.add_carry Pos.succ Pos.sub Pos.mul Pos.pred_double
    Z.of_nat Pos.of_succ_nat length andb orb negb xorb Bool.eqb entry truth nth Z.to_nat Pos.to_nat Pos.iter_op Nat.add CompOpp] in v in
  lazymatch w with
  | true => w | false => w | Z0 => w | Zpos _ => w | Zneg _ => w
  | _ => v
  end.
Ltac stored_value v := lazymatch v with
  | Int ?z => let w := as_number z in constr:(Int w)
  | Bool ?b => let w := as_number b in constr:(Bool w)
  | _ => v
  end.
Ltac stored_values row := lazymatch row with
  | ?v :: ?rest => let w := stored_value v in let ws := stored_values rest in constr:(w :: ws)
  | _ => row
  end.
Ltac lifted_step := lazymatch goal with
  | |- rounds ?f ?body ?lv (S ?n) ?m = _ => apply (step_round f body lv n m)
  | |- published _ ?f ?c ?lv ?k ?m = _ => lazymatch c with
    | Skip => apply (step_skip f lv k m)
    | Seq ?a ?b => apply (step_seq f a b lv k m)
    | @Assign ?s ?x ?a =>
        let v := value_of (put s (eval m a)) in let v := stored_value v in apply (step_assign f x a v lv k m); reflexivity
    | NewList ?x => apply (step_new f x lv k m)
    | Append ?x ?row =>
        let v := value_of (map (item_value m) row) in let v := stored_values v in
        let r := value_of (as_rows (m x)) in let all := eval cbn [app] in (r ++ [v])%list in
        apply (step_append f x row v r all lv k m); reflexivity
    | Block ?l ?b => apply (step_block f l b lv k m)
    | Loop ?n ?b => apply (step_loop f n b lv k m)
    | Leave ?l =>
        let there := eval cbn [String.eqb Ascii.eqb Bool.eqb] in (lv l m) in apply (step_leave f l lv k m there); reflexivity
    | If ?n ?a ?yes ?no =>
        let v := value_of (eval m a) in let v := as_number v in
        lazymatch v with
        | true => apply (step_if f n a yes no true lv k m); reflexivity
        | false => apply (step_if f n a yes no false lv k m); reflexivity
        end
    | Ensure ?a => let v := value_of (eval m a) in let v := as_number v in
        apply (step_ensure f a v lv k m); reflexivity
    | Assume ?a => let v := value_of (eval m a) in let v := as_number v in
        apply (step_assume f a v lv k m); reflexivity
    end
  end.

(** A number for an output; that different ones have different numbers is seen in the end. *)
Ltac numbered vs := lazymatch vs with
  | [] => constr:(0%Z)
  | Int ?z :: [] => z
  | ?v :: ?rest =>
      let n := numbered rest in
      lazymatch v with
      | Int ?z => constr:((z + 1000 * n)%Z)
      | Bool true => constr:((1 + 2 * n)%Z)
      | Bool false => constr:((2 * n)%Z)
      end
  end.
Ltac all_entries rows := lazymatch rows with
  | [] => rows
  | ?row :: ?rest => let more := all_entries rest in eval cbn [app] in (row ++ more)%list
  end.
Ltac output_number m vs ls :=
  let v := value_of (map (item_value m) vs) in
  let v := stored_values v in
  let r := value_of (map (fun x => as_rows (m x)) ls) in
  let r := eval cbn [concat app] in (concat (concat r)) in
  let all := eval cbn [app] in (v ++ r)%list in
  let n := numbered all in as_number n.

Ltac no_weight_below_0 := intros; repeat first [ apply of_two_nonneg | apply point_nonneg | apply mass_nonneg ].
Ltac no_output_twice := repeat first [ apply NoDup_nil | apply NoDup_cons ]; cbn [In]; intuition discriminate.
Ltac lift_1 := lazymatch goal with
  | |- gathers (published ?evs ?f (Choose _ BOOL _ _ _) _ _ _) _ _ => eapply (gathers_two evs f); cbv beta; lift_1
  | |- gathers (published _ _ (Choose _ INT _ _ _) _ _ _) _ _ =>
      over gathers_over; [ as_uniform | intros ? ?; cbv beta; lift_1 | weigh_nothing | added ]
  | |- gathers (published _ _ (Return ?vs ?ls) _ _ ?m) _ _ => let v := output_number m vs ls in apply (gathers_way v)
  | |- gathers TFails _ _ => apply gathers_none
  | |- gathers (if true then _ else _) _ _ => cbv iota; lift_1
  | |- gathers (if _ then _ else _) _ _ => apply gathers_checked; [| intros ?; lift_1]; [.. | weigh_nothing]
  | |- gathers _ _ _ => eapply gathers_is; [ lifted_step | cbv beta iota; lift_1 ]
  end.
Ltac lift_2 := lazymatch goal with
  | |- scatters (published ?evs ?f (Choose _ BOOL _ _ _) _ _ _) _ _ =>
      eapply (scatters_two evs f); cycle 2; [ cbv beta; lift_2 | cbv beta; lift_2 | no_weight_below_0 | no_weight_below_0 ]
  | |- scatters (published _ _ (Choose _ INT _ _ _) _ _ _) _ _ =>
      over scatters_over; [ as_uniform | intros ? ?; cbv beta; lift_2 | weigh_nothing | added ]
  | |- scatters (published _ _ (Return ?vs ?ls) _ _ ?m) _ _ => let v := output_number m vs ls in apply (scatters_way v)
  | |- scatters TFails _ _ => apply scatters_none
  | |- scatters (if true then _ else _) _ _ => cbv iota; lift_2
  | |- scatters (if ?b then _ else _) _ _ => let H := fresh in assert (H : b = true) by ensured; rewrite H; clear H; lift_2
  | |- scatters _ _ _ => eapply scatters_is; [ lifted_step | cbv beta iota; lift_2 ]
  end.

Ltac points w := lazymatch w with
  | of_two _ _ _ ?a ?b => let l := points a in let l' := points b in eval cbn [app] in (l ++ l')%list
  | point ?v => constr:([v])
  | _ => constr:(@nil Z)
  end.
Ltac all_points := lazymatch goal with
  | |- forall v, ~ In v ?vs -> ?w v <= 0 =>
      let l := points w in let l := eval cbv in (nodup Z.eq_dec l) in unify vs l;
      let H := fresh in intros ? H; repeat apply of_two_elsewhere;
      first [ apply Rle_refl | apply point_elsewhere; intros ->; apply H; cbn [In]; tauto ]
  end.
Ltac chances := unfold of_two, point, mass, chosen;
  repeat match goal with
  | |- context [chance_of ?m ?c] => let p := value_of (chance_of m c) in change (chance_of m c) with p
  end;
  cbn [Z.eqb Pos.eqb negb andb orb Bool.eqb].
Ltac twice_power := repeat match goal with
  | |- context [exp (2 * ?x)] => replace (exp (2 * x)) with (exp x * exp x) by (rewrite <- exp_plus; f_equal; ring)
  end.
Ltac known_powers := repeat match goal with
  | |- context [exp (ln ?x)] => rewrite (exp_ln x) by above_0
  end; rewrite ?exp_0.
Ltac chances_suffice := try match goal with |- context [exp 1] => pose proof exp_le_3 end; reals; twice_power; known_powers; powers; known_powers; no_zeros; no_negative; no_zeros; first [ lra | in_gaps | of_chances ].
Lemma both_at_most a b x y : a <= x -> b <= y -> a + b <= x + y.
Proof. lra. Qed.
Ltac no_loss := apply nothing_lost; chances; chances_suffice.
Ltac a_loss := eapply some_lost; [| apply Rle_refl]; chances; chances_suffice.
Ltac each_loss := lazymatch goal with
  | |- loses_at _ _ _ _ + _ <= _ => eapply both_at_most; [ first [ no_loss | a_loss ] | each_loss ]
  | |- 0 <= _ => apply Rle_refl
  end.
Ltac all_losses :=
  cbn [sum fold_right];
  eapply Rle_trans; [ each_loss | chances; chances_suffice ].
Ltac outputs_end := intros ? ? H; cbn [among joined] in H;
  repeat match type of H with _ \/ _ => destruct H as [H | H] end; try destruct H;
  match goal with H : _ = published _ _ (Return _ _) _ _ _ |- _ => rewrite H; cbn; eexists; reflexivity end.
Ltac all_ways H := cbn [among joined] in H;
  repeat match type of H with _ \/ _ => destruct H as [H | H] end; try solve [destruct H].
Ltac decided_input := repeat match goal with b : bool |- _ => lazymatch goal with |- context [Bool b] => destruct b end end.
Ltac lifts_both := first [ match goal with |- lifts _ _ ?t ?u => constr_eq t u; apply lifts_same; [ real_log | real_log ] end |
  eapply lifts_by; [ lift_1 | lift_2 | all_points | no_weight_below_0 | no_output_twice
  | all_losses
  | let H := fresh in intros ? ? H; all_ways H; destruct H as [_ ->]; cbn; eexists; reflexivity
  | let H1 := fresh in let H2 := fresh in intros ? ? ? H1 H2; all_ways H1; all_ways H2;
    destruct H1 as [H1 ->]; destruct H2 as [H2 ->]; first [ reflexivity | exfalso; rewrite H1 in H2; discriminate H2 ] ] ].
Ltac lift_from program input :=
  intros fuel; cbn [Nat.add]; unfold told_runs, program; decided_input; lifts_both.
Ltac lift n epsilon program input := apply (lifted_private epsilon n); [ lift_from program input | reflexivity ].
Ltac lift_within n epsilon delta program input := apply (lifted_within epsilon delta n); [ lift_from program input | reflexivity ].

(** A number from lo to hi that something is added to: what is lost is what run 2 never returns, at most [most] numbers. *)
Ltac number_added := let v := fresh "v" in intros v; unfold uniform, between, point; cbn [sum fold_right];
  repeat match goal with |- context [if ?b then _ else _] => destruct b eqn:? end;
  first [ lra | exfalso; apart; lia | exfalso; forget; refute ltac:(through) ].
Ltac numbers_lost most := cbv beta; lazymatch goal with
  | |- forall vs, NoDup vs -> sum (loses_at ?e
        (fun v => Rmax 0 ?p * sum (fun z => if between ?lo1 ?hi1 z then _ else 0) [(v - ?b1)%Z])
        (fun v => Rmax 0 ?q * sum (fun z => if between ?lo2 ?hi2 z then _ else 0) [(v - ?b2)%Z])) vs <= ?d =>
      apply (lost_outside e _ _ (Rmax 0 p) (lo1 + b1) (hi1 + b1) (lo2 + b2) (hi2 + b2));
      [ real_log | apply Rmax_l | number_added | number_added
      | apply Rle_trans with (IZR most * Rmax 0 p);
        [ apply Rmult_le_compat_r; [ apply Rmax_l | apply IZR_le; unfold outside_of; show ]
        | reals; arith; rewrite Rmax_right by first [ lra | solve [positive] ]; real_goal ] ]
  end.
Ltac numbers_meet := ways_meet; cbn; first [ reflexivity | do 4 f_equal; lia ].
Ltac lifts_numbers most :=
  eapply lifts_by_numbers; [ lift_1 | lift_2 | numbers_lost most
  | let H := fresh in intros ? ? H; cbn [among joined] in H; ways_meet; cbn; eexists; reflexivity
  | let H1 := fresh in let H2 := fresh in intros ? ? ? H1 H2; cbn [among joined] in H1, H2; numbers_meet ].
Ltac lift_numbers n epsilon delta most program input := apply (lifted_within epsilon delta n);
  [ intros fuel; cbn [Nat.add]; unfold told_runs, program; lifts_numbers most | reflexivity ].
