import random
from math import log, sqrt


class GaussianHistogram:
    """Histogram of a data set of public size with bins [0, width), [width, 2 * width), ..."""

    def __init__(self, n_bins, width, epsilon, delta):
        assert 0 < epsilon < 1 and 0 < delta < 1
        self.n_bins = n_bins
        self.width = width
        # replacing a record moves two bins by 1 each
        self.sigma = sqrt(2) * sqrt(2 * log(1.25 / delta)) / epsilon

    def fit(self, ages):
        edges = [i * self.width for i in range(self.n_bins + 1)]
        counts = []
        for lo, hi in zip(edges, edges[1:]):
            counts.append(sum(1 for a in ages if lo <= a < hi))
        return [c + random.gauss(0, self.sigma) for c in counts]
