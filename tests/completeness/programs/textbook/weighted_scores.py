"""Private numbers times public ones: how far they move is seen of the factor that both runs have."""

from synth.lang import *


@mechanism(adjacent={"bids": change_one_distance()}, requires="eps > 0 and m >= 1", epsilon="eps")
def price_of_digital_goods(bids: list[float], m: int, eps: float) -> float:
    """Dwork & Roth 2014, 10.1: prices up to 1, so the revenue of each moves by at most 1."""
    r = exponential_mechanism(m, lambda i: (i + 1) / m * sum(1 for b in bids if b >= (i + 1) / m), eps, 1)
    return (r + 1) / m


@mechanism(adjacent={"data": add_remove_distance()}, requires="eps > 0 and high >= 1 and 0 < p < 1", epsilon="eps")
def quantile_of_records(data: list[int], high: int, p: float, eps: float) -> int:
    """Smith 2011: how far a rank is from p*n; of no p between 0 and 1 more than eps."""

    def score(r: int) -> float:
        return -abs(sum(1 for v in data if v <= r) - p * len(data))

    return exponential_mechanism(high + 1, lambda r: score(r), eps, 1)


@mechanism(adjacent={"data": add_remove_distance()}, requires="eps > 0 and high >= 1 and 0 < p < 1", epsilon="eps")
def quantile_by_a_list_of_scores(data: list[int], high: int, p: float, eps: float) -> int:
    n = len(data)
    scores = []
    for r in range(high + 1):
        rank = len([v for v in data if v <= r])
        scores.append(-abs(rank - p * n))
    return exponential_mechanism(high + 1, lambda r: scores[r], eps, 1)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and 0 <= w <= 1 and len(q) == 2", epsilon="eps")
def weighted_mean(q: list[float], w: float, eps: float) -> float:
    return laplace(w * q[0] + (1 - w) * q[1], 1 / eps)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and 0 <= w <= 2 and len(q) == 2", epsilon="eps")
def weights_that_sum_up_to_three(q: list[float], w: float, eps: float) -> float:
    return laplace(w * q[0] + (1 - w) * q[1], 1 / eps)


@mechanism(adjacent={"data": change_one_distance()}, requires="eps > 0 and 0 < w <= 4", epsilon="eps")
def votes_that_count_up_to_four(data: list[bool], w: float, eps: float) -> int:
    yes = sum(1 for v in data if v)
    no = len(data) - yes
    return exponential_mechanism(2, lambda r: w * yes if r == 1 else w * no, eps, 1)
