import numpy as np


def dp_gradient_descent(rows, epsilon, clip, lr=0.1, n_iter=10):
    """Linear regression through the origin by noisy gradient descent. Returns the path of the weights.

    Gradients are clipped to [-clip, clip], so replacing a row changes their average by at most 2 * clip / n.
    """
    n = len(rows)
    scale = 2 * clip / (n * epsilon)
    w = 0.0
    path = []
    for _ in range(n_iter):
        grad = 0.0
        for x, y in rows:
            g = (w * x - y) * x
            grad += max(-clip, min(clip, g))
        w -= lr * (grad / n + np.random.laplace(0, scale))
        path.append(w)
    return path
