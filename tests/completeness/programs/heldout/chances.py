"""Several draws of finitely many values decide the output: its chances in the two runs are compared."""

from synth.lang import *
from math import exp, log


@mechanism(adjacent={"b": discrete_distance()}, requires="0 <= d and d <= 1", epsilon=0, delta="d")
def leak(b: bool, d: float) -> tuple[bool, bool]:
    """With the chance d the secret is told; the outputs (True, b) are lost, and no others."""
    if bernoulli(d):
        return True, b
    return False, False


@mechanism(adjacent={"b": discrete_distance()}, requires="0 <= d and d <= 1", epsilon=0, delta="d * d")
def leak_of_two(b: bool, d: float) -> tuple[bool, bool]:
    """Both coins must fall; otherwise the answer is a fair coin."""
    told = bernoulli(d) and bernoulli(d)
    return told, b if told else bernoulli(0.5)


@mechanism(adjacent={"a": discrete_distance()}, requires="eps > 0", epsilon="2*eps")
def both_responses(a: bool, eps: float) -> bool:
    """True has e²/(1+e)² against 1/(1+e)², where e = exp(eps); for False the ratio is smaller."""
    x = randomized_response(a, eps)
    y = randomized_response(a, eps)
    return x and y


@mechanism(adjacent={"a": discrete_distance()}, requires="eps > 0", epsilon="2*eps")
def two_responses(a: bool, eps: float) -> tuple[bool, bool]:
    """The output (a, a) has e²/(1+e)² against 1/(1+e)²."""
    return randomized_response(a, eps), randomized_response(a, eps)


@mechanism(adjacent={"a": discrete_distance()}, requires="eps > 0", epsilon="2*eps")
def two_in_a_list(a: bool, eps: float) -> list[bool]:
    """As above."""
    out = []
    for i in range(2):
        out.append(randomized_response(a, eps))
    return out


@mechanism(
    adjacent={"a": discrete_distance()},
    requires="eps > 0",
    epsilon="log((3 + exp(eps)) * exp(eps)**2 / (1 + 3 * exp(eps)))",
)
def majority_of_three(a: bool, eps: float) -> bool:
    """At least two of three agree with a: (e³ + 3e²)/(1+e)³ against (3e + 1)/(1+e)³."""
    x = randomized_response(a, eps)
    y = randomized_response(a, eps)
    z = randomized_response(a, eps)
    return x and y or y and z or x and z


@mechanism(
    adjacent={"a": discrete_distance()},
    requires="eps > 0",
    epsilon="log((3 + exp(eps)) * exp(eps)**2 / (1 + 3 * exp(eps)))",
)
def majority_in_a_loop(a: bool, eps: float) -> bool:
    """As above."""
    count = 0
    for i in range(3):
        if randomized_response(a, eps):
            count += 1
    return count >= 2


@mechanism(adjacent={"a": discrete_distance()}, epsilon="log(3)")
def coin_by_secret(a: bool) -> bool:
    """3/4 against 1/4."""
    return bernoulli(0.25) if a else bernoulli(0.75)


@mechanism(adjacent={"q": l1_distance(1)}, requires="eps > 0 and len(q) >= 2", epsilon="eps")
def two_people(q: list[bool], eps: float) -> tuple[bool, bool]:
    """Only one of the two answers has other chances."""
    return randomized_response(q[0], eps), randomized_response(q[1], eps)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) == 2", epsilon="2*eps")
def two_who_both_change(q: list[bool], eps: float) -> int:
    """How many say yes: all and none cost eps for each."""
    yes = 0
    for i in range(2):
        if randomized_response(q[i], eps):
            yes += 1
    return yes


@mechanism(adjacent={"x": absolute_distance(1)}, requires="n >= 0", epsilon=0, delta="1 / (n + 1)")
def shifted(x: int, n: int) -> int:
    """Uniform on n + 1 numbers, moved by one: the outermost is lost."""
    near = 1 if x > 0 else 0
    return near + uniform_int(0, n)


@mechanism(adjacent={"a": discrete_distance()}, requires="0 < p and p < 1", epsilon="log(2)", delta="p")
def early_return(a: bool, p: float) -> int:
    """A return in a loop: the first coin tells, and the second says 2 against 1 in three."""
    for i in range(2):
        if i == 0 and bernoulli(p):
            return 10 + a
        if i == 1:
            return 1 if bernoulli(2 / 3 if a else 1 / 3) else 0
    return 5


@mechanism(adjacent={"a": discrete_distance()}, epsilon="log(5/3)")
def until_it_falls(a: bool) -> int:
    """Three rounds at the most; only the first coin asks about a, with 5/8 against 3/8."""
    rounds = 0
    while rounds < 3:
        rounds += 1
        if bernoulli((5 / 8 if a else 3 / 8) if rounds == 1 else 1 / 2):
            break
    return rounds


@mechanism(adjacent={"a": discrete_distance()}, epsilon=1, delta=0.071)
def lost_beyond_a_number(a: bool) -> bool:
    """3/4 against 1/4: what is lost is 3/4 - exp(1)/4, which is about 0.0704."""
    return randomized_response(a, log(3))
