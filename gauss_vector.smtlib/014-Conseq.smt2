; [Conseq] at program.q
; the stated distance is at least 0
(set-logic ALL)
(declare-fun |s<>| () Real)
(assert (< 0.0 |s<>|))
(assert (not (<= 0.0 1.0)))
(check-sat)
