import numpy as np


def nearest(x, y, centers):
    best, best_dist = 0, None
    for i, (cx, cy) in enumerate(centers):
        dist = (x - cx) ** 2 + (y - cy) ** 2
        if best_dist is None or dist < best_dist:
            best, best_dist = i, dist
    return best


def dp_kmeans_step(points, centers, epsilon):
    """One step of Lloyd's algorithm with points of [-1, 1]^2.

    Half of epsilon goes to the sizes of the clusters, half to the sums of the coordinates (L1 sensitivity 2).
    Returns the noisy sizes and the new centers.
    """
    k = len(centers)
    sizes = [0] * k
    sum_x = [0.0] * k
    sum_y = [0.0] * k
    for x, y in points:
        x = max(-1.0, min(1.0, x))
        y = max(-1.0, min(1.0, y))
        c = nearest(x, y, centers)
        sizes[c] += 1
        sum_x[c] += x
        sum_y[c] += y

    noisy_sizes = []
    new_centers = []
    for c in range(k):
        size = sizes[c] + np.random.laplace(0, 2 / epsilon)
        sx = sum_x[c] + np.random.laplace(0, 4 / epsilon)
        sy = sum_y[c] + np.random.laplace(0, 4 / epsilon)
        noisy_sizes.append(size)
        new_centers.append((sx / max(size, 1), sy / max(size, 1)))
    return noisy_sizes, new_centers
