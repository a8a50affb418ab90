"""Single releases and compositions, each broken in one place."""

from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def release_scale_inverted(x: int, eps: float) -> int:
    """eps for 1/eps."""
    return laplace(x, scale=eps)


@mechanism(adjacent={"x": absolute_distance("Delta")}, requires="eps > 0 and Delta > 0", epsilon="eps")
def integer_noise_on_real(x: float, Delta: float, eps: float) -> float:
    """Integer noise leaves the fraction of a real number as it is."""
    noise = laplace(0, Delta / eps)
    return x + noise


@mechanism(adjacent={"q": change_one_distance("b")}, requires="eps > 0 and b > 0", epsilon="eps")
def integer_noise_on_real_sum(q: list[float], b: float, eps: float) -> float:
    """Integer noise, drawn first, on a real sum."""
    noise = laplace(0, b / eps)
    total = 0.0
    for x in q:
        total += x
    return total + noise


@mechanism(
    adjacent={"x": absolute_distance(1), "y": absolute_distance(1)},
    requires="eps > 0",
    epsilon="2*eps",
)
def one_draw_for_two(x: int, y: int, eps: float) -> tuple[int, int]:
    """The same noise on two numbers: their difference is exact."""
    noise = laplace(0, scale=1 / eps)
    return x + noise, y + noise


@mechanism(adjacent={"x": absolute_distance(1)}, requires="e1 > 0 and e2 > 0", epsilon="max(e1, e2)")
def budgets_not_added(x: int, e1: float, e2: float) -> tuple[int, int]:
    """Two releases cost the sum of their budgets, not the larger one."""
    return laplace(x, scale=1 / e1), laplace(x, scale=1 / e2)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and k > 1", epsilon="(k - 1)*eps")
def repeated_off_by_one(x: int, k: int, eps: float) -> list[int]:
    """k releases, of which the claim counts k - 1."""
    out = []
    i = 1
    while i <= k:
        out.append(laplace(x, scale=1 / eps))
        i += 1
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and k > 1", epsilon="eps")
def release_until_claimed_eps(x: int, t: int, k: int, eps: float) -> list[int]:
    """Tries until it likes the answer, for the price of one."""
    out = []
    for _ in range(k):
        y = laplace(x, scale=1 / eps)
        out.append(y)
        if y >= t:
            break
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and m > 1", epsilon="eps")
def rounded_before_noise(x: int, m: int, eps: float) -> int:
    """Rounding to multiples of m makes a step of 1 a step of m."""
    return laplace(m * (x // m), scale=1 / eps)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def doubled_before_noise(x: int, eps: float) -> int:
    """Doubling makes a step of 1 a step of 2."""
    y = x + x
    return laplace(y, scale=1 / eps)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def scale_from_secret(x: int, eps: float) -> int:
    """The scale depends on the private number."""
    scale = 2 / eps
    if x > 10:
        scale = 4 / eps
    return laplace(x, scale)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def one_sided_release(x: int, eps: float) -> int:
    """One-sided noise: what is below x can't come out."""
    return exponential(x, scale=1 / eps)


@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0", epsilon="eps")
def any_two_values(x: int, eps: float) -> int:
    """Any two numbers are neighbours, the noise is for a distance of 1."""
    return laplace(x, scale=1 / eps)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def sometimes_exact(x: int, eps: float) -> int:
    """With a small probability the number itself comes out."""
    coin = laplace(0, scale=1 / eps)
    if coin > 3:
        return x
    return laplace(x, scale=1 / eps)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def exact_guard(x: int, limit: int, eps: float) -> int | None:
    """Numbers out of range are not answered."""
    if x > limit:
        return None
    return laplace(x, scale=1 / eps)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def postprocessed_with_secret(x: int, eps: float) -> int:
    """The released number is cut off at the private one."""
    y = laplace(x, scale=1 / eps)
    return min(y, x)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def length_is_secret(x: int, eps: float) -> list[int]:
    """The number of noisy entries is the private number."""
    out = []
    i = 0
    while i < x:
        out.append(laplace(0, scale=1 / eps))
        i += 1
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def noisy_name_exact_value(x: int, eps: float) -> int:
    """The noise is drawn and dropped."""
    noisy = x
    laplace_noise = laplace(0, scale=1 / eps)
    return noisy


@mechanism(adjacent={"bit": discrete_distance()}, requires="eps > 0", epsilon="eps")
def bit_scale_halved(bit: bool, eps: float) -> int:
    """A noisy bit with half the noise."""
    value = 1 if bit else 0
    return laplace(value, scale=1 / (2 * eps))


@mechanism(adjacent={"secret": discrete_distance()}, requires="eps > 0", epsilon="0")
def not_quite_independent(secret: bool, n: int, eps: float) -> int:
    """Claimed to be independent of the secret, which moves the centre."""
    if secret:
        n = n + 1
    return laplace(n, scale=1 / eps)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps/2")
def claim_too_small(x: float, eps: float) -> float:
    """The claim is half of what is paid."""
    return x + laplace(0.0, 1 / eps)


@mechanism(adjacent={"x": absolute_distance(1), "y": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def sum_of_two_secrets(x: int, y: int, eps: float) -> int:
    """Two private numbers may both differ, the noise is for one of them."""
    return laplace(x + y, scale=1 / eps)


@mechanism(
    adjacent={"count": absolute_distance(1), "total": absolute_distance("b")},
    requires="eps > 0 and b > 0",
    epsilon="eps",
)
def modes_swapped(count: int, total: int, by_count: bool, b: int, eps: float) -> int:
    """The scales of the two modes are swapped."""
    if by_count:
        scale = b / eps
        value = count
    else:
        scale = 1 / eps
        value = total
    return laplace(value, scale)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def second_release_free(x: int, t: int, eps: float) -> tuple[int, int]:
    """The second release happens only sometimes, and the claim forgets it."""
    first = laplace(x, scale=1 / eps)
    second = 0
    if first >= t:
        second = laplace(x, scale=2 / eps)
    return first, second


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def noise_taken_off_again(x: int, eps: float) -> tuple[int, int]:
    """Noisy number and its noise."""
    noise = laplace(0, scale=1 / eps)
    noisy = x + noise
    return noisy, abs(noise)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="n >= 1", epsilon="0", delta="1/(2*n + 2)")
def uniform_noise_low(x: int, n: int) -> int:
    """Of 2*n + 1 values one is lost."""
    return x + uniform_int(-n, n)
