"""Vectors of which few entries differ, lists of which few records do, and the euclidean distance."""

from synth.lang import *


@mechanism(adjacent={"x": sparse_distance("k", "c")}, requires="k >= 1 and c > 0 and eps > 0")
def few_entries_of_a_vector(x: list[float], k: int, c: float, eps: float) -> list[float]:
    """k entries move by at most c: eps."""
    return [laplace(v, k * c / eps) for v in x]


@mechanism(adjacent={"x": sparse_distance(2, 3)}, requires="eps > 0", epsilon="eps")
def few_entries_with_noise_for_one(x: list[int], eps: float) -> list[int]:
    """Two entries move by 3: false."""
    return laplace(x, 3 / eps)


@mechanism(adjacent={"x": insert_delete_distance(3)}, requires="cap > 0 and eps > 0")
def sum_of_three_contributions(x: list[float], cap: float, eps: float) -> float:
    """Three records add between 0 and cap: eps."""
    total = 0.0
    for v in x:
        total += min(max(v, 0), cap)
    return laplace(total, 3 * cap / eps)


@mechanism(adjacent={"x": hamming_distance(3)}, requires="eps > 0")
def votes_of_three(x: list[bool], eps: float) -> int:
    """Three votes change: eps."""
    return laplace(sum(x), 3 / eps)


@mechanism(adjacent={"x": l2_distance("c")}, requires="len(x) >= 1 and c > 0 and eps > 0")
def first_of_a_vector(x: list[float], c: float, eps: float) -> float:
    """One entry moves by at most c: eps."""
    return laplace(x[0], c / eps)


@mechanism(adjacent={"x": l2_distance(1)}, requires="eps > 0", epsilon="eps")
def vector_with_laplace_noise(x: list[float], eps: float) -> list[float]:
    """The differences of n entries sum up to the root of n: false."""
    return laplace(x, 1 / eps)


@mechanism(adjacent={"bits": l1_distance("2*m")}, requires="m >= 0 and 0 < f and f < 1")
def flips_where_two_vectors_differ(bits: list[bool], m: int, f: float) -> list[bool]:
    """Two vectors with at most m ones differ in 2*m bits: 2*m*log((2 - f)/f)."""
    return [bit ^ bernoulli(f / 2) for bit in bits]


@mechanism(adjacent={"votes": hamming_distance("2*k + 1")}, requires="k >= 0 and eps > 0", epsilon="2*k*eps")
def responses_of_one_voter_more(votes: list[bool], k: int, eps: float) -> list[bool]:
    """2*k + 1 votes change, each costs eps: false."""
    return [randomized_response(vote, eps) for vote in votes]


@mechanism(adjacent={"votes": hamming_distance("2*k + 1")}, requires="k >= 0 and eps > 0")
def responses_of_many_voters(votes: list[bool], k: int, eps: float) -> list[bool]:
    """2*k + 1 votes change: (2*k + 1)*eps."""
    return [randomized_response(vote, eps) for vote in votes]


@mechanism(adjacent={"bits": l1_distance(40)}, requires="eps > 0")
def responses_where_forty_bits_differ(bits: list[bool], eps: float) -> list[bool]:
    """Each bit that differs costs eps: 40*eps."""
    return [randomized_response(bit, eps) for bit in bits]
