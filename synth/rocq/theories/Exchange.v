(** [Defer] past another draw: two draws of integer noise in the other order, where neither reads what the other one draws. *)
From Coq Require Import Lia Lra Psatz FunctionalExtensionality.
From synth Require Export RealNoise Tails.
Local Open Scope list_scope.

Fixpoint found (pieces : list (Z * R)) (z : Z) : R :=
  match pieces with [] => 0 | (y, q) :: rest => if (y =? z)%Z then q else found rest z end.

Lemma found_in pieces z q : NoDup (map fst pieces) -> In (z, q) pieces -> found pieces z = q.
Proof.
  induction pieces as [| [y r] rest IH]; simpl; [tauto |]. intros H [E | Hin]; inversion_clear H as [| ? ? Hy Hr].
  - injection E as -> ->. now rewrite Z.eqb_refl.
  - destruct (Z.eqb_spec y z) as [-> | _]; auto. exfalso. apply Hy, in_map_iff. now exists (z, q).
Qed.

Lemma found_least S L (next : Z -> telling) pieces : (forall z q, In (z, q) pieces -> at_least S L (next z) q) ->
  forall z, at_least S L (next z) (Rmax 0 (found pieces z)).
Proof.
  intros H z. assert (G : at_least S L (next z) (found pieces z)).
  { induction pieces as [| [y q] rest IH]; simpl; [apply least_nothing; lra |].
    destruct (Z.eqb_spec y z) as [<- | _]; [apply H; simpl; auto | apply IH; intros; apply H; simpl; auto]. }
  unfold Rmax. destruct Rle_dec; [exact G | apply least_nothing; lra].
Qed.

Theorem draws_swapped S L law1 law2 (next : Z -> Z -> telling) p :
  at_least S L (TDraws law1 (fun a => TDraws law2 (fun b => next a b))) p ->
  at_least S L (TDraws law2 (fun b => TDraws law1 (fun a => next a b))) p.
Proof.
  intros H. inversion H as [? ? ? Hneg | | | ? ? ? outer ? Hnd Hq Hsum |]; subst; [now apply least_nothing |].
  destruct (choose_for pair_dec [] (fun piece inner => In piece outer -> NoDup (map fst inner)
    /\ (forall b q, In (b, q) inner -> at_least S L (next (fst piece) b) q)
    /\ snd piece <= sum (fun one => mass law2 (fst one) * snd one) inner) outer) as (G & HG).
  { intros [a q]. simpl. destruct (in_dec pair_dec (a, q) outer) as [Hin |]; [| exists []; tauto].
    specialize (Hq a q Hin). inversion Hq as [? ? ? Hneg | | | ? ? ? inner ? H1 H2 H3 |]; subst; [| exists inner; auto].
    exists []. intros _. split; [constructor |]. split; [intros ? ? [] | simpl; lra]. }
  set (w := fun piece b => Rmax 0 (found (G piece) b)).
  set (bs := nodup Z.eq_dec (flat_map (fun piece => map fst (G piece)) outer)).
  apply least_draws with (map (fun b => (b, sum (fun piece => mass law1 (fst piece) * w piece b) outer)) bs).
  - rewrite map_map. simpl. rewrite map_id. apply NoDup_nodup.
  - intros b q Hin. apply in_map_iff in Hin. destruct Hin as (b' & E & _). injection E as <- <-.
    apply least_draws with (map (fun piece => (fst piece, w piece b')) outer).
    + rewrite map_map. exact Hnd.
    + intros a q Hin. apply in_map_iff in Hin. destruct Hin as (piece & E & Hp). injection E as <- <-.
      unfold w. apply (found_least S L (fun b => next (fst piece) b)), (HG piece Hp Hp).
    + rewrite sum_map. simpl. lra.
  - rewrite sum_map. simpl. eapply Rle_trans; [exact Hsum |].
    rewrite (sum_ext (fun b => mass law2 b * sum (fun piece => mass law1 (fst piece) * w piece b) outer)
      (fun b => sum (fun piece => mass law2 b * (mass law1 (fst piece) * w piece b)) outer)) by (intros; symmetry; apply sum_scale).
    rewrite sum_swap. apply sum_le. intros piece Hp. destruct (HG piece Hp Hp) as (N & _ & Hle).
    rewrite (sum_ext _ (fun b => mass law1 (fst piece) * (mass law2 b * w piece b))) by (intros; ring). rewrite sum_scale.
    apply Rmult_le_compat_l; [apply mass_nonneg |]. eapply Rle_trans; [exact Hle |].
    apply Rle_trans with (sum (fun b => mass law2 b * w piece b) (map fst (G piece))).
    + rewrite sum_map. apply sum_le. intros [b q] Hb. simpl. apply Rmult_le_compat_l; [apply mass_nonneg |].
      unfold w. rewrite (found_in _ _ _ N Hb). apply Rmax_r.
    + apply sum_le_incl; auto.
      * intros b. apply Rmult_le_pos; [apply mass_nonneg | apply Rmax_l].
      * intros b Hb. apply nodup_In, in_flat_map. eauto.
Qed.

Lemma upd_swapped (m : memory) x y u v : x <> y -> upd (upd m x u) y v = upd (upd m y v) x u.
Proof.
  intros H. extensionality z. unfold upd. destruct (String.eqb_spec z y), (String.eqb_spec z x); auto. congruence.
Qed.

Lemma alike_but (m : memory) x v : alike [x] (upd m x v) m.
Proof.
  intros y Hy. unfold upd. destruct (String.eqb_spec y x) as [-> |]; auto.
  unfold among_names in Hy. simpl in Hy. now rewrite String.eqb_refl in Hy.
Qed.

(** So what is at least the chance of a run is so in the other order, too; by the same theorem the other way round. *)
Theorem exchanged events fuel n1 law1 x1 center1 scale1 n2 law2 x2 center2 scale2 lv k m S L p :
  x1 <> x2 -> free [x2] center1 = true -> free [x2] scale1 = true -> free [x1] center2 = true -> free [x1] scale2 = true ->
  at_least S L (published events fuel (Draw n1 law1 x1 center1 scale1 ;; Draw n2 law2 x2 center2 scale2) lv k m) p ->
  at_least S L (published events fuel (Draw n2 law2 x2 center2 scale2 ;; Draw n1 law1 x1 center1 scale1) lv k m) p.
Proof.
  intros Hx Hc1 Hs1 Hc2 Hs2 H. simpl in *.
  assert (E : (fun a => TDraws (Noise law2 (eval (upd m x1 (Int a)) center2) (eval (upd m x1 (Int a)) scale2))
      (fun b => k (upd (upd m x1 (Int a)) x2 (Int b))))
    = (fun a => TDraws (Noise law2 (eval m center2) (eval m scale2)) (fun b => k (upd (upd m x1 (Int a)) x2 (Int b))))).
  { extensionality a. now rewrite (eval_alike [x1] center2 (upd m x1 (Int a)) m), (eval_alike [x1] scale2 (upd m x1 (Int a)) m)
      by auto using alike_but. }
  rewrite E in H. apply (draws_swapped S L _ _ (fun a b => k (upd (upd m x1 (Int a)) x2 (Int b)))) in H.
  replace (fun b => TDraws (Noise law1 (eval (upd m x2 (Int b)) center1) (eval (upd m x2 (Int b)) scale1))
      (fun a => k (upd (upd m x2 (Int b)) x1 (Int a))))
    with (fun b => TDraws (Noise law1 (eval m center1) (eval m scale1)) (fun a => k (upd (upd m x1 (Int a)) x2 (Int b)))); auto.
  extensionality b. rewrite (eval_alike [x2] center1 (upd m x2 (Int b)) m), (eval_alike [x2] scale1 (upd m x2 (Int b)) m)
    by auto using alike_but. f_equal. extensionality a. now rewrite upd_swapped.
Qed.
