; [Safe] at safety
; line 5: the scale is positive
(set-logic ALL)
(declare-fun |s<>| () Real)
(assert (< 0.0 |s<>|))
(assert (not (< 0.0 |s<>|)))
(check-sat)
