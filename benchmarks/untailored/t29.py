import numpy as np


class Aggregator:
    def __init__(self, num_labels):
        self.num_labels = num_labels

    def aggregate(self, votes):
        raise NotImplementedError


class NoisyMaxAggregator(Aggregator):
    def __init__(self, scale, num_labels=10, noise_fn=np.random.laplace):
        super().__init__(num_labels)
        self.scale = scale
        self.noise_fn = noise_fn

    def aggregate(self, votes):
        hist = [0] * self.num_labels
        for v in votes:
            hist[int(v)] += 1
        hist += self.noise_fn(loc=0.0, scale=float(self.scale), size=(self.num_labels,))
        label = np.argmax(hist)
        return label
