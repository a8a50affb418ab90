import logging

import numpy as np

logger = logging.getLogger(__name__)


class SparseVector:
    """Answers up to `max_hits` threshold queries with yes, and any number of them with no (Lyu, Su, Li 2017).

    The budget is split between threshold and queries in the ratio 1 : (2c)^(2/3).
    """

    def __init__(self, epsilon: float, threshold: float, max_hits: int = 1):
        if epsilon <= 0:
            raise ValueError("epsilon must be positive")
        self.threshold = threshold
        self.max_hits = max_hits
        ratio = (2 * max_hits) ** (2 / 3)
        self.eps_threshold = epsilon / (1 + ratio)
        self.eps_queries = epsilon - self.eps_threshold

    def answer(self, queries):
        noisy_threshold = self.threshold + np.random.laplace(scale=1 / self.eps_threshold)
        query_scale = 2 * self.max_hits / self.eps_queries
        answers = []
        hits = 0
        for query in queries:
            if query + np.random.laplace(scale=query_scale) >= noisy_threshold:
                answers.append(True)
                hits += 1
                if hits >= self.max_hits:
                    logger.info("out of budget")
                    break
            else:
                answers.append(False)
        return answers
