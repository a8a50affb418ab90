import numpy as np


def online(answers: list[float], asked: list[int], slack: float, c: int, eps1: float, eps2: float, eps3: float):
    """Online multiplicative weights: answer from a public guess; where it is too far off, pay for a correction."""
    guess = [1.0] * len(answers)
    bar = slack + np.random.laplace(0, 1 / eps1)
    out = []
    updates = 0
    for j in asked:
        error = abs(answers[j] - guess[j])
        if updates < c and error + np.random.laplace(0, 2 * c / eps2) >= bar:
            updates += 1
            value = np.random.laplace(answers[j], c / eps3)
            if value > guess[j]:
                guess[j] = 2 * guess[j]
            else:
                guess[j] = guess[j] / 2
            out.append(value)
        else:
            out.append(guess[j])
    return out
