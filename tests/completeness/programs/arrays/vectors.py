"""Mechanisms on arrays of numpy, as people write them."""

import numpy as np
import numpy.typing as npt

from synth.lang import change_one_distance, l1_distance, linf_distance, mechanism


@mechanism(adjacent={"q": l1_distance(1)}, requires="eps > 0", epsilon="eps")
def noisy_vector(q: npt.NDArray[np.float64], eps: float) -> npt.NDArray[np.float64]:
    return q + np.random.laplace(scale=1 / eps, size=len(q))


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) >= 1", epsilon="eps")
def noisy_argmax(q: npt.NDArray[np.float64], eps: float) -> int:
    """Report noisy max; with noise of scale 1/eps it would be 2*eps."""
    noise = np.random.laplace(0, 2 / eps, len(q))
    noisy = q + noise
    return int(np.argmax(noisy))


@mechanism(
    adjacent={"ratings": change_one_distance()}, requires="eps > 0 and len(ratings) >= 1", epsilon="2*eps"
)
def clipped_mean(ratings: npt.NDArray[np.float64], eps: float) -> float:
    """The interval is 10 wide, the noise is for 5: 2*eps, and no less."""
    return np.clip(ratings, -5, 5).mean() + np.random.laplace(scale=5 / len(ratings) / eps)


@mechanism(adjacent={"ratings": change_one_distance()}, requires="eps > 0", epsilon="eps")
def count_above(ratings: npt.NDArray[np.float64], eps: float) -> float:
    return (ratings > 3).sum() + np.random.laplace(scale=1 / eps)


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0 and len(scores) >= 1", epsilon="eps")
def exponential_choice(scores: npt.NDArray[np.float64], eps: float) -> int:
    """The exponential mechanism for scores of sensitivity 1."""
    p = np.exp(eps * scores / 2)
    return np.random.choice(len(p), p=p / p.sum())


@mechanism(adjacent={"xs": change_one_distance()}, requires="eps > 0", epsilon="eps")
def capped_sum(xs: list[float], eps: float) -> float:
    capped = np.minimum(np.abs(np.array(xs)), 2.0)
    return np.sum(capped) + np.random.laplace(0.0, 2 / eps)


@mechanism(adjacent={"votes": linf_distance(1)}, requires="eps > 0 and len(votes) >= 1", epsilon="eps")
def gumbel_argmax(votes: npt.NDArray[np.float64], eps: float) -> int:
    """The exponential mechanism, by noise."""
    return int(np.argmax(votes + np.random.gumbel(scale=2 / eps, size=len(votes))))
