; [Conseq] at claim.gdp
; nothing is paid beside the squares
(set-logic ALL)
(declare-fun |s<>| () Real)
(assert (< 0.0 |s<>|))
(assert (not (and true true)))
(check-sat)
