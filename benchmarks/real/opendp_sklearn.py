"""Private Theil-Sen regression after OpenDP's Python extras, written anew; its quantile is an exponential mechanism."""

import numpy as np


def pairwise_predict(data, x_cuts):
    data = np.array(data, copy=True)[: len(data) // 2 * 2]
    np.random.shuffle(data)
    p1, p2 = np.array_split(data, 2)
    dx, dy = (p2 - p1).T
    x_bar, y_bar = (p1 + p2).T / 2
    points = dy / dx * (x_cuts[None].T - x_bar) + y_bar
    return points.T[dx != 0]


def private_median(values, candidates, scale):
    scores = [-abs(int(np.sum(values < c)) - int(np.sum(values > c))) for c in candidates]
    noisy = np.array(scores) + np.random.gumbel(scale=scale, size=len(candidates))
    return candidates[np.argmax(noisy)]


def theil_sen(data, x_cuts, candidates, scale):
    predictions = pairwise_predict(data, x_cuts)
    ys = [private_median(predictions[:, 0], candidates, scale), private_median(predictions[:, 1], candidates, scale)]
    P_inv = np.linalg.inv(np.vstack([x_cuts, np.ones_like(x_cuts)]).T)
    return P_inv @ np.asarray(ys)
