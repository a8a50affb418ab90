; [While] at derivation.2.0.0, line 5
; the invariant holds on entry
(set-logic ALL)
(declare-fun |s<>| () Real)
(declare-fun |len(q)| () Int)
(assert (< 0.0 |s<>|))
(assert (<= 0 |len(q)|))
(assert (not (not (<= 0 (+ (- 1) (* (- 1) 0))))))
(check-sat)
