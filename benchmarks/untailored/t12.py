import numpy as np


def exponential_mechanism(candidates, score_fn, epsilon, sensitivity=1.0, *, rng=None):
    if not candidates:
        raise ValueError("candidates must be non-empty")
    rng = rng or np.random.default_rng()

    scores = np.array([score_fn(c) for c in candidates], dtype=np.float64)
    # Numerical stability: subtract max before exponentiating
    log_weights = (epsilon / (2.0 * sensitivity)) * scores
    log_weights -= log_weights.max()
    weights = np.exp(log_weights)
    probabilities = weights / weights.sum()

    idx = int(rng.choice(len(candidates), p=probabilities))
    return candidates[idx]
