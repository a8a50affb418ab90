import numpy as np


def top_k(counts: list[int], k: int, eps: float) -> list[int]:
    """One-shot top-k selection with Gumbel noise; counts move one way only."""
    noisy = [c + np.random.gumbel(0, k / eps) for c in counts]
    ranked = sorted(range(len(counts)), key=lambda i: noisy[i], reverse=True)
    return ranked[:k]
