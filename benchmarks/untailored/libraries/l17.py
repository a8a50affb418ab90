import numpy as np


class BinaryMechanism:
    """Continual counting of Chan, Shi and Song: partial sums over dyadic intervals, each with noise once."""

    def __init__(self, epsilon):
        self.epsilon = epsilon

    def run(self, stream):
        T = len(stream)
        levels = T.bit_length()
        scale = levels / self.epsilon  # an item is in at most `levels` partial sums
        alpha = [0] * levels
        alpha_hat = [0.0] * levels
        counts = []
        for t in range(1, T + 1):
            i = 0
            while (t >> i) & 1 == 0:
                i += 1
            alpha[i] = sum(alpha[:i]) + stream[t - 1]
            for j in range(i):
                alpha[j] = 0
                alpha_hat[j] = 0.0
            alpha_hat[i] = alpha[i] + np.random.laplace(0, scale)
            counts.append(sum(alpha_hat[j] for j in range(levels) if (t >> j) & 1))
        return counts
