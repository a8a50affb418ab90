"""Small documents that take long, each class by size: what made the kernel walk through exponentially much.

Each function gives a certificate; the larger its number, the larger the document.
"""

from __future__ import annotations

from tests.support.handmade import COST, PAID, SEQ, Data, certificate, program, rule, seq

EPS = "|eps<>|"


def _mechanism(parameters: str, lines: list[str], result: str = "int", adjacent: str = "") -> str:
    metric = adjacent or '"x": absolute_distance(1)'
    head = [
        f'@mechanism(adjacent={{{metric}}}, requires="eps > 0")',
        f"def hostile({parameters}) -> {result}:",
    ]
    return "\n".join([*head, *(f"    {line}" for line in lines)])


def nested_extremes(depth: int, call: str) -> Data:
    """One expression of nested calls; ``call`` has the inner one as ``{}``, such as ``max(x, {})``."""
    inner = "x"
    for _ in range(depth):
        inner = call.format(inner)
    text = _mechanism("x: int, n: int, eps: float", [f"y = {inner}", "return y"])
    return certificate(text, rule("Assn"), rule("Return"))


def extremes_in_a_scale(depth: int) -> Data:
    """A public value that is carried on, as the scale of a draw."""
    lines = ["s = eps", *(f"s = max(s, abs(s - {place}))" for place in range(depth))]
    text = _mechanism("x: int, eps: float", [*lines, "y = laplace(x, scale=s)", "return y"])
    assigned = [rule("Assn")] * (depth + 1)
    draw = rule("LapGen", k="0", **PAID)
    return certificate(text, *assigned, rule("Skip"), draw, rule("Return"), epsilon=EPS, costs=COST)


def extremes_in_a_term(depth: int) -> Data:
    """A bound of nested conditionals."""
    inner = EPS
    for _ in range(depth):
        inner = f"(ite (<= 1.0 {EPS}) {inner} {EPS})"
    text = _mechanism("x: int, n: int, eps: float", ["y = n", "return y"])
    costs = {"cost#0": {"sort": "Int", "weight": inner, "bound": "1"}}
    return certificate(text, rule("Assn"), rule("Return"), epsilon=EPS, costs=costs)


def equal_booleans(operands: int, leftwards: bool) -> Data:
    """``==`` between many truth values, one of which is drawn."""
    inner = "c"
    for place in range(operands):
        inner = f"({inner} == b{place})" if leftwards else f"(b{place} == {inner})"
    names = ", ".join(f"b{place}: bool" for place in range(operands))
    text = _mechanism(f"x: int, {names}, eps: float", ["c = bernoulli(1 / 2)", f"return {inner}"], "bool")
    return certificate(text, rule("Chance", free=[[0, 0], [1, 1]]), rule("Return"))


def many_orders(parameters: int) -> Data:
    """A cost for each order of each of many monotone parameters."""
    metrics = ", ".join(f'"q{place}": linf_distance(1, monotone=True)' for place in range(parameters))
    names = ", ".join(f"q{place}: list[int]" for place in range(parameters))
    costs = {
        f"cost#{2 * place + upward}": {
            "sort": "Int",
            "weight": EPS,
            "bound": "1",
            "order": [f"q{place}", bool(upward)],
        }
        for place in range(parameters)
        for upward in (0, 1)
    }
    text = _mechanism(f"{names}, n: int, eps: float", ["y = n", "return y"], adjacent=metrics)
    return certificate(text, rule("Assn"), rule("Return"), epsilon=f"(* {parameters}.0 {EPS})", costs=costs)


def loops_on_one_side(branches: int) -> Data:
    """Branches one after the other, with a loop on one side: the ways behind them are not merged."""
    lines = ["k = 0"]
    for place in range(branches):
        lines += [f"if n > {place}:", "    while k < n:", "        k = k + 1"]
    text = _mechanism("x: int, n: int, eps: float", [*lines, "return k"])
    leave = rule("Cond", seq(rule("Exit")), SEQ)
    loop = rule("Block", seq(rule("While", seq(leave, rule("Assn")), equal=["k"])))
    return certificate(text, rule("Assn"), *([rule("Cond", seq(loop), SEQ)] * branches), rule("Return"))


def payments_behind_loops(branches: int, bound: int, returned: str = "s") -> Data:
    """As before; each branch with a loop also has a draw that costs 1."""
    lines = ["k = 0", "s = 0"]
    for place in range(branches):
        lines += [f"if n > {place}:", "    while k < n:", "        k = k + 1"]
        lines += ["    y = laplace(x, scale=1 / eps)", "    s = s + y"]
    text = _mechanism("x: int, n: int, eps: float", [*lines, f"return {returned}"])
    leave = rule("Cond", seq(rule("Exit")), SEQ)
    loop = rule("Block", seq(rule("While", seq(leave, rule("Assn")), equal=["k"])))
    draw = rule("LapGen", k="0", **PAID)
    branch = rule("Cond", seq(loop, rule("Skip"), rule("Skip"), draw, rule("Assn")), SEQ)
    costs = {"cost#0": {"sort": "Int", "weight": EPS, "bound": str(bound)}}
    rules = (rule("Assn"), rule("Assn"), *[branch] * branches, rule("Return"))
    return certificate(text, *rules, epsilon=f"(* {bound}.0 {EPS})", costs=costs)


def squares(times: int) -> Data:
    """A number that is squared again and again."""
    lines = ["y = 3", *["y = y * y"] * times]
    text = _mechanism("x: int, eps: float", [*lines, "return y"])
    return certificate(text, *[rule("Assn")] * (times + 1), rule("Return"))


def squares_in_public(times: int) -> Data:
    """A public value that is squared again and again, as the scale of a draw."""
    lines = ["s = eps + 3", *["s = s * s"] * times]
    text = _mechanism("x: int, eps: float", [*lines, "y = laplace(x, scale=s)", "return y"])
    draw = rule("LapGen", k="0", **PAID)
    assigned = [rule("Assn")] * (times + 1)
    return certificate(text, *assigned, rule("Skip"), draw, rule("Return"), epsilon=EPS, costs=COST)


def squares_in_a_term(factors: int, numeral: str = "9" * 60) -> Data:
    """A weight that is a product of so many numbers."""
    weight = f"(* {EPS} {' '.join([numeral + '.0'] * factors)})"
    text = _mechanism("x: int, n: int, eps: float", ["y = n", "return y"])
    costs = {"cost#0": {"sort": "Int", "weight": weight, "bound": "1"}}
    return certificate(text, rule("Assn"), rule("Return"), epsilon=weight, costs=costs)


def power_in_the_program(exponent: str) -> Data:
    """A large exponent."""
    text = _mechanism("x: int, n: int, eps: float", [f"y = 3 ** {exponent}", "return y"])
    return certificate(text, rule("Assn"), rule("Return"))


def exponents(count: int) -> Data:
    """A bound with so many exponentials, all of different things."""
    terms = " ".join(f"(|exp:Real| (* {place + 1}.5 {EPS} {EPS}))" for place in range(count))
    text = _mechanism("x: int, n: int, eps: float", ["y = n", "return y"])
    costs = {"cost#0": {"sort": "Int", "weight": f"(+ 0.0 {terms})", "bound": "1"}}
    return certificate(text, rule("Assn"), rule("Return"), epsilon=f"(+ 0.0 {terms})", costs=costs)


def large_exponent(factor: str) -> Data:
    """exp of a large multiple of what another exponential is of."""
    text = _mechanism("x: int, n: int, eps: float", ["y = n", "return y"])
    weight = f"(+ (|exp:Real| {EPS}) (|exp:Real| (* {factor} {EPS})))"
    costs = {"cost#0": {"sort": "Int", "weight": weight, "bound": "1"}}
    return certificate(text, rule("Assn"), rule("Return"), epsilon=weight, costs=costs)


def large_logarithm(factor: str) -> Data:
    """A bound that is a large multiple of a logarithm."""
    text = _mechanism("x: int, n: int, eps: float", ["y = n", "return y"])
    bound = f"(* {factor} (|log:Real| (+ 2.0 {EPS})))"
    return certificate(
        text, rule("Assn"), rule("Return"), epsilon=bound, claim={"epsilon": "eps", "delta": None}
    )


def powers_of_sums(factors: int) -> Data:
    """A bound that is a power of a sum of parameters."""
    names = [f"a{place}" for place in range(6)]
    whole = f"(+ {' '.join(f'|{name}<>|' for name in names)})"
    bound = f"(* {' '.join([whole] * factors)})"
    parameters = ", ".join(f"{name}: float" for name in names)
    text = _mechanism(f"x: int, n: int, {parameters}, eps: float", ["y = n", "return y"])
    return certificate(text, rule("Assn"), rule("Return"), epsilon=bound)


def long_sum(costs: int) -> Data:
    """Very many costs."""
    text = _mechanism("x: int, n: int, eps: float", ["y = n", "return y"])
    many = {f"cost#{place}": {"sort": "Int", "weight": EPS, "bound": "0"} for place in range(costs)}
    return certificate(text, rule("Assn"), rule("Return"), costs=many)


def many_cases(cases: int) -> Data:
    """A draw with very many cases."""
    text = _mechanism("x: int, eps: float", ["y = laplace(x, scale=1 / eps)", "return y"])
    leaf = rule("LapGen", k="0", **PAID)
    case = rule("Case", *[leaf] * (cases + 1), when=["(<= 0 |x<1>|)"] * cases)
    return certificate(text, rule("Skip"), rule("Skip"), case, rule("Return"), epsilon=EPS, costs=COST)


def given_of_a_column(component: int) -> Data:
    """Two parts; the second is given something of one component of the entries of a list."""
    text = """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
    def pairs(x: int, n: int, eps: float) -> int:
        out = []
        out.append((n, n + 1))
        if n > 3:
            out.append((n, n))
        y = laplace(x, scale=1 / eps)
        z = laplace(y + len(out) + out[0][0] + out[0][1], scale=1 / eps)
        return z
    """
    part = {
        "proved": {"epsilon": "0.0", "delta": "0"},
        "costs": {},
        "events": {},
        "entries": {},
        "derivation": SEQ,
        "given": [f"(<= 0 |len(out[{component}])|)"],
    }
    data = certificate(text)
    for name in ("costs", "events", "entries", "derivation"):
        del data[name]
    draw = rule("LapGen", k="null")
    paid = rule("LapGen", k="0", **PAID)
    more = rule("Cond", seq(rule("Append")), seq())
    first = {
        **part,
        "proved": {"epsilon": EPS, "delta": "0"},
        "costs": COST,
        "given": [],
        "derivation": seq(rule("New"), rule("Append"), more, paid, rule("Return")),
    }
    second = {**part, "derivation": seq(draw, rule("Return"))}
    proved = {"epsilon": EPS, "delta": "0"}
    return {**data, "program": program(text), "proved": proved, "cuts": [6], "parts": [first, second]}
