; [Forall-Eq] at costs.cost#0
; the bound is at least 0
(set-logic ALL)
(declare-fun |s<>| () Real)
(declare-fun |len(q)| () Int)
(assert (< 0.0 |s<>|))
(assert (<= 0 |len(q)|))
(assert (not (<= 0.0 1.0)))
(check-sat)
