; [Conseq] at claim.gdp
; the squares are at most those of the claim
(set-logic ALL)
(declare-fun |s<>| () Real)
(assert (< 0.0 |s<>|))
(assert (not (not (= (* 1.0 |s<>| |s<>|) 0.0))))
(check-sat)
