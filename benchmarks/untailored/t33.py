import numpy as np

T = 8


def build_tree(stream, epsilon):
    levels = int(np.log2(T)) + 1
    scale = levels / epsilon
    tree = {}
    for level in range(levels):
        width = 2 ** level
        for start in range(0, T, width):
            node = sum(stream[start:start + width])
            tree[(level, start)] = node + np.random.laplace(0, scale)
    return tree


def running_counts(stream, epsilon):
    """Noisy prefix sums of a stream of T values (binary mechanism)."""
    tree = build_tree(stream, epsilon)
    out = []
    for t in range(1, T + 1):
        total, start = 0.0, 0
        for level in reversed(range(4)):
            width = 2 ** level
            if start + width <= t:
                total += tree[(level, start)]
                start += width
        out.append(total)
    return out
