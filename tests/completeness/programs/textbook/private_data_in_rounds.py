"""Mechanisms of textbooks that go through the data in each of several rounds; three of them are wrong."""

from synth.lang import add_remove_distance, change_one_distance, laplace, linf_distance, mechanism


@mechanism(adjacent={"data": change_one_distance()}, requires="eps > 0 and rounds >= 1")
def quantile_by_bisection(data: list[float], rounds: int, low: float, high: float, eps: float) -> float:
    """The median by noisy counts; each round has its part of the budget."""
    for _ in range(rounds):
        mid = (low + high) / 2
        below = sum(1 for v in data if v <= mid)
        if laplace(below, rounds / eps) < len(data) / 2:
            low = mid
        else:
            high = mid
    return (low + high) / 2


@mechanism(adjacent={"data": change_one_distance()}, requires="eps > 0 and rounds >= 1")
def quantile_with_while(data: list[float], rounds: int, low: float, high: float, eps: float) -> float:
    left = low
    right = high
    r = 0
    while r < rounds:
        mid = (left + right) / 2
        below = 0
        i = 0
        while i < len(data):
            if data[i] <= mid:
                below = below + 1
            i = i + 1
        if laplace(below, rounds / eps) < len(data) / 2:
            left = mid
        else:
            right = mid
        r = r + 1
    return left


@mechanism(adjacent={"data": change_one_distance()}, requires="eps > 0 and rounds >= 1")
def quantile_with_the_whole_budget(
    data: list[float], rounds: int, low: float, high: float, eps: float
) -> float:
    """Each round takes all of the budget: rounds*eps."""
    for _ in range(rounds):
        mid = (low + high) / 2
        below = sum(1 for v in data if v <= mid)
        if laplace(below, 1 / eps) < len(data) / 2:
            low = mid
        else:
            high = mid
    return (low + high) / 2


@mechanism(adjacent={"labels": change_one_distance()}, requires="eps > 0 and classes >= 1")
def votes_of_teachers(labels: list[int], classes: int, eps: float) -> int:
    """The label with the largest noisy count (PATE)."""
    best = 0
    top = 0.0
    for c in range(classes):
        votes = 0
        for label in labels:
            if label == c:
                votes += 1
        noisy = laplace(votes, 2 / eps)
        if c == 0 or noisy > top:
            best = c
            top = noisy
    return best


@mechanism(adjacent={"labels": change_one_distance()}, requires="eps > 0 and classes >= 1")
def votes_with_half_the_noise(labels: list[int], classes: int, eps: float) -> int:
    """One teacher takes a vote from one label and gives it to another: 2*eps."""
    best = 0
    top = 0.0
    for c in range(classes):
        votes = 0
        for label in labels:
            if label == c:
                votes += 1
        noisy = laplace(votes, 1 / eps)
        if c == 0 or noisy > top:
            best = c
            top = noisy
    return best


@mechanism(
    adjacent={"labels": change_one_distance()},
    requires="e1 > 0 and e2 > 0 and classes >= 1",
    epsilon="e1 + e2",
)
def votes_if_they_agree(labels: list[int], classes: int, bar: float, e1: float, e2: float) -> int:
    """A label only if the largest number of votes is noisily large (Papernot et al. 2018)."""
    counts = [sum(1 for v in labels if v == c) for c in range(classes)]
    if laplace(max(counts), 1 / e1) < bar:
        return -1
    noisy = [laplace(c, 2 / e2) for c in counts]
    return noisy.index(max(noisy))


@mechanism(adjacent={"points": add_remove_distance()}, requires="eps > 0 and rounds >= 1 and radius > 0")
def two_means(
    points: list[float], rounds: int, radius: float, a: float, b: float, eps: float
) -> tuple[float, float]:
    """Lloyd's algorithm on a line: half of each round's budget for the two sums, half for the counts."""
    for _ in range(rounds):
        total_a, total_b = 0.0, 0.0
        size_a, size_b = 0, 0
        for p in points:
            u = min(max(p, -radius), radius)
            if abs(u - a) <= abs(u - b):
                total_a += u
                size_a += 1
            else:
                total_b += u
                size_b += 1
        total_a = laplace(total_a, 2 * radius * rounds / eps)
        total_b = laplace(total_b, 2 * radius * rounds / eps)
        size_a = laplace(size_a, 2 * rounds / eps)
        size_b = laplace(size_b, 2 * rounds / eps)
        a = total_a / max(size_a, 1)
        b = total_b / max(size_b, 1)
    return a, b


@mechanism(adjacent={"x": change_one_distance()}, requires="eps > 0 and rounds >= 1 and clip > 0")
def gradient_steps(x: list[float], rounds: int, clip: float, rate: float, eps: float) -> float:
    """Gradients of squared distances, clipped."""
    w = 0.0
    for _ in range(rounds):
        total = 0.0
        for v in x:
            step = v - w
            if step > clip:
                step = clip
            elif step < -clip:
                step = -clip
            total = total + step
        w = w + rate * laplace(total, 2 * clip * rounds / eps)
    return w


@mechanism(adjacent={"x": change_one_distance()}, requires="eps > 0 and cells >= 1")
def counts_per_cell(x: list[int], cells: int, eps: float) -> list[float]:
    """A record leaves one cell and joins one."""
    out = []
    r = 0
    while r < cells:
        c = 0
        for v in x:
            if v == r:
                c = c + 1
        out.append(laplace(c, 2 / eps))
        r += 1
    return out


@mechanism(adjacent={"x": change_one_distance()}, requires="eps > 0 and cells >= 1")
def counts_of_neighbouring_cells(x: list[int], cells: int, eps: float) -> list[float]:
    """Each record is in two cells, so four counts move: 2*eps."""
    out = []
    for r in range(cells):
        c = 0
        for v in x:
            if v == r or v == r + 1:
                c = c + 1
        out.append(laplace(c, 2 / eps))
    return out


@mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0 and b > 0")
def noisy_average(x: list[float], b: float, eps: float) -> float:
    """A noisy sum over a noisy count."""
    s = 0.0
    n = 0
    for v in x:
        s += max(0, min(v, b))
        n += 1
    total = laplace(s, 2 * b / eps)
    count = laplace(n, 2 / eps)
    return total / max(count, 1)


@mechanism(adjacent={"x": change_one_distance(1)}, requires="eps > 0 and w >= 1")
def sums_of_windows(x: list[float], w: int, eps: float) -> list[float]:
    """Each entry is in w of the sums."""
    out = []
    s = 0.0
    for i in range(len(x)):
        s = s + x[i]
        if i >= w:
            s = s - x[i - w]
        out.append(laplace(s, w / eps))
    return out


@mechanism(adjacent={"x": linf_distance(1)}, requires="eps > 0 and len(x) >= 2")
def two_largest(x: list[float], eps: float) -> tuple[int, int]:
    """Both winners of one set of noisy numbers."""
    best = 0
    next_best = 0
    top = 0.0
    second = 0.0
    for i in range(len(x)):
        y = laplace(x[i], 4 / eps)
        if i == 0 or y > top:
            best, next_best, second, top = i, best, top, y
        elif i == 1 or y > second:
            second = y
            next_best = i
    return best, next_best
