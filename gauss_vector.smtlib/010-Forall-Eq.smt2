; [Forall-Eq] at costs.cost#0
; the square is at least 0
(set-logic ALL)
(declare-fun |s<>| () Real)
(assert (< 0.0 |s<>|))
(assert (not (and (not (= (* 1.0 |s<>| |s<>|) 0.0)) (or (and (<= 0.0 (* 1.0 |s<>| |s<>|)) (<= 0.0 1.0)) (and (<= (* 1.0 |s<>| |s<>|) 0.0) (<= 1.0 0.0))))))
(check-sat)
