; [Forall-Eq] at proved.delta
; the masses sum up to at most delta
(set-logic ALL)
(declare-fun |s<>| () Real)
(assert (< 0.0 |s<>|))
(assert (not true))
(check-sat)
