"""Privacy filters: each query asks for its own share of one budget; two of them are wrong."""

from synth.lang import Callable, absolute_distance, laplace, linf_distance, mechanism


@mechanism(adjacent={"x": absolute_distance(1)}, requires="total >= 0", epsilon="total")
def taken_from_what_is_left(x: float, shares: list[float], total: float) -> list[float]:
    """What a share can't be taken from ends the run."""
    left = total
    answers = []
    for share in shares:
        if share <= 0 or share > left:
            return answers
        left = left - share
        answers.append(x + laplace(0, 1 / share))
    return answers


@mechanism(adjacent={"q": linf_distance("D")}, requires="cap >= 0 and D > 0", epsilon="cap")
def each_query_with_its_own(q: list[float], asked: list[float], cap: float, D: float) -> list[float]:
    """Queries that each move by D, in a while loop; those that ask for too much are passed over."""
    used = 0.0
    i = 0
    out = []
    while i < len(q) and i < len(asked):
        e = asked[i]
        if e > 0:
            if used + e <= cap:
                out.append(laplace(q[i], D / e))
                used += e
        i += 1
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="budget >= 0", epsilon="budget")
def shares_of_a_function(x: int, n: int, share: Callable[[int], float], budget: float) -> list[int]:
    """Shares that a public function gives, of which each answer takes half twice."""
    spent = 0.0
    out = []
    for i in range(n):
        e = share(i)
        if e > 0 and spent + e <= budget:
            spent += e
            out.append(laplace(x, 2 / e))
            out.append(laplace(x, 2 / e))
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="budget >= 0", epsilon="budget")
def only_the_next_share_fits(x: int, asked: list[float], budget: float) -> list[int]:
    """What was spent before is not looked at: two shares of the whole budget cost twice as much."""
    out = []
    for e in asked:
        if e > 0 and e <= budget:
            out.append(laplace(x, 1 / e))
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="budget >= 0", epsilon="budget")
def spent_one_too_late(x: int, asked: list[float], budget: float) -> list[int]:
    """The share is added only after the next one was let through."""
    spent = 0.0
    before = 0.0
    out = []
    for e in asked:
        if e > 0 and spent + e <= budget:
            spent += before
            before = e
            out.append(laplace(x, 1 / e))
    return out
