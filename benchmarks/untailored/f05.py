import numpy as np


class StreamMonitor:
    def __init__(self, threshold, epsilon):
        self.eps = epsilon
        self.t = threshold + np.random.laplace(scale=2 / epsilon)

    def alerts(self, readings):
        return [bool(r + np.random.laplace(scale=2 / self.eps) >= self.t) for r in readings]
