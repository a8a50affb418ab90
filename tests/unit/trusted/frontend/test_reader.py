"""What the reader makes of the constructs of the language."""

from __future__ import annotations

import sys
from fractions import Fraction
from textwrap import dedent, indent
from types import FrameType

import pytest

from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from tests.support.printed import lines, show
from tests.support.well_formed import check

HEAD = "from synth.lang import *\nimport math\n"
SIGNATURE = "q: list[int], r: list[float], t: int, n: int, eps: float, b: bool"


def _read(text: str) -> ir.Mechanism:
    (mechanism,) = read_source(HEAD + dedent(text), "p.py")
    check(mechanism)
    return mechanism


def _body(body: str, before: str = "") -> ir.Mechanism:
    text = indent(dedent(body).strip(), "    ")
    return _read(f"{dedent(before)}\n@mechanism\ndef f({SIGNATURE}):\n{text}\n")


def _check(mechanism: ir.Mechanism, expected: str) -> None:
    assert "\n".join(lines(mechanism.body)) == dedent(expected).strip()


# --- whole programs -------------------------------------------------------------------------


def test_above_threshold() -> None:
    """The example of the language description."""
    mechanism = _read('''
        @mechanism(
            adjacent={"q": linf_distance(1)},
            requires="eps > 0",
            epsilon="eps",
        )
        def above_threshold(q: list[int], t: int, eps: float) -> int:
            """Index of the first query noisily above t, or len(q)."""
            threshold = laplace(t, scale=2 / eps)
            result = len(q)
            for i in range(len(q)):
                answer = laplace(q[i], scale=4 / eps)
                if threshold <= answer and result == len(q):
                    result = i
            return result
    ''')
    _check(
        mechanism,
        """
        require not((eps == 0.)) [divisor]
        require (0. < (2. / eps)) [scale]
        threshold ~ laplace(t, (2. / eps)) int #0
        result = len(q)
        i%2 = 0
        block break%1:
          loop i%2 <= len(q): #0
            if (len(q) <= i%2): #0
              exit break%1
            i = i%2
            require ((0 <= i) and (i < len(q))) [index]
            require not((eps == 0.)) [divisor]
            require (0. < (4. / eps)) [scale]
            answer ~ laplace(q[i], (4. / eps)) int #1
            if ((threshold <= answer) and (result == len(q))): #1
              result = i
            i%2 = (i%2 + 1)
        return result
        """,
    )
    assert mechanism.name == "above_threshold"
    assert mechanism.span == ir.Span(9, 1)
    assert show(mechanism.requires) == "(0. < eps)"
    assert mechanism.epsilon is not None
    assert show(mechanism.epsilon) == "eps"
    assert mechanism.delta is None
    assert set(mechanism.variables.values()) == {ir.Sort.INT}
    assert mechanism.lists == {}
    assert mechanism.parameter("q").metric == ir.Metric(
        ir.MetricKind.LINF, ir.Constant(Fraction(1), ir.Sort.REAL)
    )
    draws = [s.span for s in ir.statements(mechanism.body) if isinstance(s, ir.Draw)]
    assert draws == [ir.Span(11, 17), ir.Span(14, 18)]


def test_several_mechanisms() -> None:
    """All mechanisms of a file, in order; other functions and demo code are none."""
    text = """
    X = 2

    @mechanism
    def second(n: int):
        return first(n)

    def helper(n):
        return n

    @mechanism()
    def first(n: int):
        return helper(n) + X

    if __name__ == "__main__":
        print([first(n) for n in range(3)])
    """
    found = read_source(HEAD + dedent(text), "p.py")
    assert [mechanism.name for mechanism in found] == ["second", "first"]
    _check(found[0], "return (n + 2)")


# --- declarations ---------------------------------------------------------------------------


def test_parameters() -> None:
    """All kinds of parameters and metrics."""
    mechanism = _read("""
        from typing import Callable, List, Sequence
        D = 2
        @mechanism(
            adjacent={
                "a": absolute_distance("D * c"),
                "s": linf_distance(c=0.1, monotone=True),
                "u": l1_distance(D),
                "v": change_one_distance("len(u) + 1"),
                "w": discrete_distance(),
                "r": change_one_distance(),
                "h": linf_distance("c"),
            },
            requires="c > 0 and len(s) == len(u)",
            epsilon=0.5,
            delta="1 / c",
        )
        def f(
            a: float, s: list[bool], u: List[float], v: Sequence[int], w: bool,
            h: Callable[[int, int], float], c: int = 3, *, k: Callable[[int], bool],
            r: list[float],
        ):
            return 0
    """)
    kinds = {p.name: (p.kind, p.sort, p.arity) for p in mechanism.parameters}
    assert kinds == {
        "a": (ir.ParameterKind.SCALAR, ir.Sort.REAL, 0),
        "s": (ir.ParameterKind.SEQUENCE, ir.Sort.BOOL, 1),
        "u": (ir.ParameterKind.SEQUENCE, ir.Sort.REAL, 1),
        "v": (ir.ParameterKind.SEQUENCE, ir.Sort.INT, 1),
        "w": (ir.ParameterKind.SCALAR, ir.Sort.BOOL, 0),
        "h": (ir.ParameterKind.FUNCTION, ir.Sort.REAL, 2),
        "c": (ir.ParameterKind.SCALAR, ir.Sort.INT, 0),
        "k": (ir.ParameterKind.FUNCTION, ir.Sort.BOOL, 1),
        "r": (ir.ParameterKind.SEQUENCE, ir.Sort.REAL, 1),
    }
    metrics = {p.name: _metric(p) for p in mechanism.parameters if p.metric is not None}
    assert metrics == {
        "a": ("absolute_distance", "to_real((2 * c))", False),
        "s": ("linf_distance", "1/10.", True),
        "u": ("l1_distance", "2.", False),
        "v": ("change_one_distance", "to_real((len(u) + 1))", False),
        "w": ("discrete_distance", None, False),
        "r": ("change_one_distance", None, False),
        "h": ("linf_distance", "to_real(c)", False),
    }
    assert show(mechanism.requires) == "((0 < c) and (len(s) == len(u)))"
    assert mechanism.epsilon == ir.Constant(Fraction(1, 2), ir.Sort.REAL)
    assert mechanism.delta is not None
    assert show(mechanism.delta) == "(1. / to_real(c))"


def _metric(parameter: ir.Parameter) -> tuple[str, str | None, bool]:
    metric = parameter.metric
    assert metric is not None
    bound = show(metric.bound) if metric.bound is not None else None
    return metric.kind.value, bound, metric.monotone


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.1", Fraction(1, 10)),
        ("1e-3", Fraction(1, 1000)),
        ("1_000.50", Fraction(2001, 2)),
        (".5E1", Fraction(5)),
        ("-2.0", Fraction(-2)),
        ("0x10", 16),
        ("True", True),
    ],
)
def test_literals(text: str, value: Fraction | int) -> None:
    """Literals are exact, also behind letters that are not ASCII."""
    mechanism = _body(f"é = {text}; ü = {text}\nreturn ü")
    assert f"ü = {value}" in "\n".join(lines(mechanism.body))


@pytest.mark.parametrize(
    "imports",
    [
        "from synth.lang import *",
        "from synth.lang import mechanism, laplace",
        "import synth.lang as s",
        "from synth import lang as s",
        "import synth.lang",
    ],
)
def test_imports(imports: str) -> None:
    """The language under any name."""
    prefix = "s." if " as s" in imports else "synth.lang." if imports.startswith("import") else ""
    text = f"@{prefix}mechanism\ndef f(n: int):\n    return {prefix}laplace(n, 1)\n"
    (mechanism,) = read_source(f"{imports}\n{text}", "p.py")
    _check(mechanism, "draw%1 ~ laplace(n, 1.) int #0\nreturn draw%1")


# --- sampling -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("laplace(n, 1)", "x ~ laplace(n, 1.) int #0"),
        ("laplace(scale=1, center=n)", "x ~ laplace(n, 1.) int #0"),
        ("n + laplace(0, 1)", "x ~ laplace(n, 1.) int #0"),
        ("laplace(t, 1) + n", "x ~ laplace((n + t), 1.) int #0"),
        ("n - laplace(t, 1)", "x ~ laplace((n - t), 1.) int #0"),
        ("n + t - laplace(0, 1) - 1", "x ~ laplace(((n + t) - 1), 1.) int #0"),
        ("-laplace(0, 1) + n", "x ~ laplace(n, 1.) int #0"),
        ("n + (t + laplace(0, 1))", "x ~ laplace((n + t), 1.) int #0"),
        ("n + exponential(0, 1)", "x ~ exponential(n, 1.) int #0"),
        ("eps + laplace(0, 1)", "x ~ laplace(eps, 1.) real #0"),
        ("n + laplace(0.0, 1)", "x ~ laplace(to_real(n), 1.) real #0"),
        ("laplace(b, 1)", "x ~ laplace(if(b, 1, 0), 1.) int #0"),
        (
            "n - exponential(t, 1)",
            "draw%1 ~ exponential(t, 1.) int #0\nx = (n - draw%1)",
        ),
        (
            "n + 2 * laplace(0, 1)",
            "draw%1 ~ laplace(0, 1.) int #0\nx = (n + (2 * draw%1))",
        ),
        (
            "n + laplace(0, 1) + laplace(0, 2)",
            "draw%1 ~ laplace(n, 1.) int #0\ndraw%2 ~ laplace(0, 2.) int #1\nx = (draw%1 + draw%2)",
        ),
        (
            "laplace(laplace(n, 1), 2)",
            "draw%1 ~ laplace(n, 1.) int #0\nx ~ laplace(draw%1, 2.) int #1",
        ),
        (
            "laplace(0, 1) * 0.5",
            "draw%1 ~ laplace(0, 1.) int #0\nx = (to_real(draw%1) * 1/2.)",
        ),
    ],
)
def test_draws(expression: str, expected: str) -> None:
    """What is added to a draw goes into its centre, and the centre's sort decides the law."""
    _check(_body(f"x = {expression}\nreturn x"), f"{expected}\nreturn x")


@pytest.mark.parametrize("count", range(1, 7))
@pytest.mark.parametrize("requires", ["n + 1 > 0", "n > 0 and n - 1 > -9", "1 + n > 0 and n + 2 > n - 1"])
def test_augmented_sums_are_merged_whatever_was_read_before(requires: str, count: int) -> None:
    """The nodes of what was read before are gone, and their places in memory taken by others."""
    text = "from synth.lang import *\n\n\n" + "".join(
        f"@mechanism(requires={requires!r})\ndef f{number}(n: int):\n    y = 0.5\n"
        + "    y += laplace(n, 1)\n" * number
        + "    return y\n\n\n"
        for number in range(1, count + 1)
    )
    for of in read_source(text, "p.py"):
        draws = [item for item in ir.statements(of.body) if isinstance(item, ir.Draw)]
        assert {item.sort for item in draws} == {ir.Sort.REAL}


def test_noise_in_a_variable_is_not_merged() -> None:
    """Noise that is drawn first and added later is integer noise."""
    mechanism = _body("""
        noise = laplace(0, 1)
        x = r[0] + noise
        x = laplace(x, eps)
        x += laplace(1, 2)
        return x
    """)
    _check(
        mechanism,
        """
        noise ~ laplace(0, 1.) int #0
        require (0 < len(r)) [index]
        x = (r[0] + to_real(noise))
        require (0. < eps) [scale]
        x ~ laplace(x, eps) real #1
        x ~ laplace((x + 1.), 2.) real #2
        return x
        """,
    )


def test_draw_of_another_sort() -> None:
    """An integer draw into a real variable, and one into a variable that may be None."""
    mechanism = _body("""
        x = 0.5
        x = laplace(n, 1)
        y = None
        y = laplace(n, 1)
        return x, y
    """)
    _check(
        mechanism,
        """
        x = 1/2.
        draw%1 ~ laplace(n, 1.) int #0
        x = to_real(draw%1)
        y.none = True
        y = 0
        y ~ laplace(n, 1.) int #1
        y.none = False
        return if(y.none, 0, 1), x, y
        """,
    )


def test_conditional_draws() -> None:
    """A draw that is not always made becomes a branch."""
    mechanism = _body("""
        x = n if b else laplace(n, 1)
        if b and laplace(n, 1) > 0:
            x = 1
        return x
    """)
    _check(
        mechanism,
        """
        if b: #0
          temp%2 = n
        else:
          draw%1 ~ laplace(n, 1.) int #0
          temp%2 = draw%1
        x = temp%2
        if b: #1
          draw%3 ~ laplace(n, 1.) int #1
          temp%4 = (0 < draw%3)
        else:
          temp%4 = False
        if temp%4: #2
          x = 1
        return x
        """,
    )


# --- sorts and obligations ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("n / t", "require not((t == 0)) [divisor]\nx = (to_real(n) / to_real(t))"),
        ("n // 2 + n % 2", "x = ((n // 2) + (n % 2))"),
        ("eps // 2", "x = to_real(floor((eps / 2.)))"),
        ("eps % 2", "x = (eps - (2. * to_real(floor((eps / 2.)))))"),
        ("n ** 3", "x = ((n * n) * n)"),
        ("n ** 0", "x = 1"),
        ("n ** 7", "x = (n ** 7)"),
        (
            "n ** t",
            "require (not((n == 0)) or (0 <= t)) [domain]\nx = (to_real(n) ** to_real(t))",
        ),
        ("2 ** t", "x = (2. ** to_real(t))"),
        ("eps ** 0.5", "require (0. < eps) [domain]\nx = (eps ** 1/2.)"),
        ("math.log(n)", "require (0 < n) [domain]\nx = log(to_real(n))"),
        ("math.sqrt(eps)", "require (0. <= eps) [domain]\nx = sqrt(eps)"),
        ("math.exp(1) + 2 * 3", "x = (exp(1.) + 6.)"),
        ("int(eps) + round(eps)", "x = (int(eps) + round(eps))"),
        ("math.floor(n) + math.ceil(eps)", "x = (n + ceil(eps))"),
        ("float(n)", "x = to_real(n)"),
        ("b + b + True", "x = ((if(b, 1, 0) + if(b, 1, 0)) + 1)"),
        ("min(n, eps, b)", "x = ((to_real(n) min eps) min to_real(if(b, 1, 0)))"),
        ("q[-2]", "require (2 <= len(q)) [index]\nx = q[(len(q) - 2)]"),
        ("q[n]", "require ((0 <= n) and (n < len(q))) [index]\nx = q[n]"),
        (
            "b and q[n] > 0",
            "require (not(b) or ((0 <= n) and (n < len(q)))) [index]\nx = (b and (0 < q[n]))",
        ),
        (
            "0 if b else n // t",
            "require (b or not((t == 0))) [divisor]\nx = if(b, 0, (n // t))",
        ),
        (
            "0 <= n < len(q) and q[n] == t",
            "x = and((0 <= n), (n < len(q)), (q[n] == t))",
        ),
        ("0 < n <= t < 5", "x = and((0 < n), (n <= t), (t < 5))"),
        ("n or t", "x = if(not((n == 0)), n, t)"),
        ("not n", "x = (n == 0)"),
        ("n == eps", "x = (to_real(n) == eps)"),
        ("b == 1", "x = (if(b, 1, 0) == 1)"),
        ("(n, b) == (t, True)", "x = ((n == t) and (b == True))"),
        ("(n, t)[-1]", "x = t"),
        ("len((n, t)) + len(q)", "x = (2 + len(q))"),
    ],
)
def test_expressions(expression: str, expected: str) -> None:
    """Sorts are made equal, and what may go wrong is an obligation where it matters."""
    _check(_body(f"x = {expression}\nreturn 0"), f"{expected}\nreturn 0")


def test_sorts_are_joined_over_all_assignments() -> None:
    """Also over later ones, and through other variables."""
    mechanism = _body("""
        x = False
        y = 0
        for i in range(2):
            z = y
            y = x
            if b:
                x = 3
            else:
                x = eps
        return y
    """)
    assert mechanism.variables["x"] is ir.Sort.REAL
    assert mechanism.variables["y"] is ir.Sort.REAL
    assert mechanism.variables["z"] is ir.Sort.REAL
    assert mechanism.variables["i"] is ir.Sort.INT


def test_none() -> None:
    """A variable that may be None is a flag and a value."""
    mechanism = _body("""
        best = None
        if b:
            best = n
        if best is not None and best > 1:
            return best + 1
        if best == 3 or best != t:
            n = best
        return best
    """)
    _check(
        mechanism,
        """
        n%local.none = False
        n%local = n
        best.none = True
        best = 0
        if b: #0
          best.none = n%local.none
          best = n%local
        if (not(best.none) and (1 < best)): #1
          require not(best.none) [domain]
          return 1, (best + 1)
        if ((not(best.none) and (best == 3)) or not((not(best.none) and (best == t)))): #2
          n%local.none = best.none
          n%local = best
        return if(best.none, 0, 1), best
        """,
    )


def test_tuples() -> None:
    """Tuples are components; an assignment to several variables is simultaneous."""
    mechanism = _body("""
        x, (y, z) = n, (t, None)
        x, y = y, x
        pair = (x, (b, z))
        (b, _), x = pair[1], pair[0]
        return pair
    """)
    _check(
        mechanism,
        """
        b%local = b
        x = n
        y = t
        temp%1 = x
        x = y
        y = temp%1
        pair.0 = x
        pair.1.0 = b%local
        b%local = pair.1.0
        x = pair.0
        return pair.0, pair.1.0
        """,
    )


# --- lists and outputs ----------------------------------------------------------------------


def test_entries_of_several_shapes() -> None:
    """A tag comes first, and the components are padded."""
    mechanism = _body("""
        out = []
        out.append(None)
        out.append(b)
        out.append(n)
        out.append(eps)
        out += [(n, b), (n, (t, eps))]
        return out
    """)
    _check(
        mechanism,
        """
        out = []
        out += [0, 0., 0, 0.]
        out += [1, if(b, 1., 0.), 0, 0.]
        out += [1, to_real(n), 0, 0.]
        out += [1, eps, 0, 0.]
        out += [2, to_real(n), if(b, 1, 0), 0.]
        out += [3, to_real(n), t, eps]
        return out
        """,
    )
    assert mechanism.lists["out"].components == (ir.Sort.INT, ir.Sort.REAL, ir.Sort.INT, ir.Sort.REAL)


def test_entries_of_one_shape() -> None:
    """No tag; entries can be read back."""
    mechanism = _body("""
        out = [(n, b)]
        out = out + [(out[-1][0], False)]
        first, flag = out[n]
        for i, (x, y) in enumerate(out, 1):
            first += i * x
        return len(out), first, out
    """)
    _check(
        mechanism,
        """
        out = []
        out += [n, b]
        require (1 <= len(out)) [index]
        out += [out[(len(out) - 1)].0, False]
        require ((0 <= n) and (n < len(out))) [index]
        first = out[n].0
        flag = out[n].1
        loop%2 = 0
        block break%1:
          loop loop%2 <= len(out): #0
            if (len(out) <= loop%2): #0
              exit break%1
            i = (1 + loop%2)
            x = out[loop%2].0
            y = out[loop%2].1
            first = (first + (i * x))
            loop%2 = (loop%2 + 1)
        return len(out), first, out
        """,
    )
    assert mechanism.lists == {"out": ir.ListType((ir.Sort.INT, ir.Sort.BOOL))}


def test_outputs_of_several_shapes() -> None:
    """All returns have the same values and lists; the end without return gives None."""
    mechanism = _body("""
        out = []
        if n > 2:
            return n, out
        if n > 1:
            return [0.5]
        if n > 0:
            return True
    """)
    _check(
        mechanism,
        """
        out = []
        if (2 < n): #0
          return 3, n, out
        if (1 < n): #1
          list%1 = []
          list%1 += [1/2.]
          return 1, 0, list%1
        if (0 < n): #2
          list%2 = []
          return 2, 1, list%2
        list%3 = []
        return 0, 0, list%3
        """,
    )
    assert set(mechanism.lists.values()) == {ir.ListType((ir.Sort.REAL,))}


def test_no_output() -> None:
    """A mechanism that never returns has no shapes of outputs."""
    mechanism = _body("""
        while True:
            n += 1
    """)
    assert mechanism.output == ir.Layout((), ())


# --- loops ----------------------------------------------------------------------------------


def test_while() -> None:
    """``break`` and ``continue`` leave blocks; blocks that nothing leaves are left out."""
    mechanism = _body("""
        while n > 0:
            n -= 1
            if b:
                continue
            if n == t:
                break
            n -= 1
        else:
            return 1
        while True:
            if n < 0:
                return n
            n -= 1
    """)
    _check(
        mechanism,
        """
        n%local = n
        block break%1:
          block else%1:
            loop: #0
              if (n%local <= 0): #0
                exit else%1
              block continue%1:
                n%local = (n%local - 1)
                if b: #1
                  exit continue%1
                if (n%local == t): #2
                  exit break%1
                n%local = (n%local - 1)
          return 1
        loop: #1
          if (n%local < 0): #3
            return n%local
          n%local = (n%local - 1)
        """,
    )


@pytest.mark.parametrize(
    ("iterable", "going", "entry", "count"),
    [
        ("range(n)", "(n <= x%2)", "x%2", "(0 max n)"),
        ("range(len(q))", "(len(q) <= x%2)", "x%2", "len(q)"),
        ("range(1, n + 1)", "(n <= x%2)", "(1 + x%2)", "(0 max n)"),
        ("range(t, n)", "((n - t) <= x%2)", "(t + x%2)", "(0 max (n - t))"),
        ("range(0, n, 2)", "(n <= (2 * x%2))", "(2 * x%2)", "(0 max ((n + 1) // 2))"),
        ("range(n, 0, -1)", "((n - x%2) <= 0)", "(n - x%2)", "(0 max n)"),
        ("range(5, 2)", "(-3 <= x%2)", "(5 + x%2)", "0"),
        ("q", "(len(q) <= x%2)", "q[x%2]", "len(q)"),
    ],
)
def test_for(iterable: str, going: str, entry: str, count: str) -> None:
    """A hidden counter counts the iterations from 0."""
    _check(
        _body(f"for x in {iterable}:\n    pass\nreturn 0"),
        f"""
        x%2 = 0
        block break%1:
          loop x%2 <= {count}: #0
            if {going}: #0
              exit break%1
            x = {entry}
            x%2 = (x%2 + 1)
        return 0
        """,
    )


def test_bounds_are_evaluated_once() -> None:
    """A bound that the loop may change is kept."""
    mechanism = _body("""
        m = n
        for i in range(m + 1):
            m += 1
        return m
    """)
    text = "\n".join(lines(mechanism.body))
    assert "stop%1 = (m + 1)" in text
    assert "loop i%3 <= (0 max stop%1):" in text


def test_count_by_precondition() -> None:
    """A bound that the precondition says is not negative is the count itself."""
    mechanism = _read("""
        @mechanism(requires="n >= 0")
        def f(n: int):
            for i in range(1, n + 1):
                pass
    """)
    assert "loop i%2 <= n:" in "\n".join(lines(mechanism.body))


# --- inlining -------------------------------------------------------------------------------

HELPERS = """
def noisy(v, eps: float, *, by=2):
    return laplace(v, by / eps)

def sign(x):
    if x > 0:
        return 1
    if x < 0:
        return None
    return 0

def push(xs, x):
    xs.append(x)

def made(k):
    xs = [k]
    push(xs, k + 1)
    return xs
"""


def test_inlined_expression() -> None:
    """Constants and parameters stand for themselves, other arguments get names."""
    _check(
        _body("x = noisy(n, eps)\ny = noisy(x + 1, by=3, eps=t)\nreturn y", HELPERS),
        """
        require not((eps == 0.)) [divisor]
        require (0. < (2. / eps)) [scale]
        x ~ laplace(n, (2. / eps)) int #0
        noisy%%2.v = (x + 1)
        noisy%%2.eps = to_real(t)
        require not((noisy%%2.eps == 0.)) [divisor]
        require (0. < (3. / noisy%%2.eps)) [scale]
        y ~ laplace(noisy%%2.v, (3. / noisy%%2.eps)) int #1
        return y
        """,
    )


def test_early_returns() -> None:
    """A return of an inlined function leaves its block; the last one needs not."""
    _check(
        _body("x = sign(n)\nreturn x", HELPERS),
        """
        block return%1:
          if (0 < n): #0
            sign%%1.return.none = False
            sign%%1.return = 1
            exit return%1
          if (n < 0): #1
            sign%%1.return.none = True
            sign%%1.return = 0
            exit return%1
          sign%%1.return.none = False
          sign%%1.return = 0
        x.none = sign%%1.return.none
        x = sign%%1.return
        return if(x.none, 0, 1), x
        """,
    )


def test_lists_and_functions() -> None:
    """Lists are passed by name; a list that a function makes belongs to the caller."""
    mechanism = _body("xs = made(n)\npush(xs, t)\nreturn xs", HELPERS)
    _check(
        mechanism,
        """
        made%%1.xs = []
        made%%1.xs += [n]
        push%%2.x = (n + 1)
        made%%1.xs += [push%%2.x]
        made%%1.xs += [t]
        return made%%1.xs
        """,
    )


def test_taint_stops_at_a_draw() -> None:
    """Released noise and lengths are public."""
    mechanism = _read("""
        @mechanism(adjacent={"q": linf_distance(1)})
        def f(q: list[int], eps: float):
            noisy = abs(laplace(q[0], 1)) + 1
            assert noisy > 0
            for i in range(noisy + len(q)):
                x = q[0] + laplace(0, noisy)
            return 0
    """)
    assert "assume (0 < noisy)" in "\n".join(lines(mechanism.body))


def test_numbers_count_in_program_order() -> None:
    """Sites, branches and loops, also those of hidden branches and inlined functions."""
    mechanism = _body(
        """
        for x in q:
            if b and sign(noisy(x, 1)) == 1:
                return noisy(x, 2)
        while laplace(0, 1) > 0:
            pass
        return laplace(1, 1)
        """,
        HELPERS,
    )
    text = "\n".join(lines(mechanism.body))
    for kind, count in (("if ", 6), ("loop", 2), (" ~ ", 4)):
        found = [line.rpartition("#")[2] for line in text.splitlines() if kind in line]
        assert found == [str(number) for number in range(count)]


def test_reading_takes_as_many_steps_for_each_statement() -> None:
    few, many = _calls(50), _calls(100)
    assert many <= 2.1 * few
    assert many - few <= 50 * 12_000


def _calls(statements: int) -> int:
    """How many functions are called for a file of so many statements, once the libraries' models are read."""
    text = HEAD + dedent("""
        @mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
        def f(q: list[int], t: int, eps: float):
            x = 0
    """)
    text += "".join(f"    y{i} = laplace(q[0] + {i}, 2 / eps) + t * x\n" for i in range(statements))
    read_source(text.replace("x = 0", "x = 1"), "p.py")
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        read_source(text, "p.py")
    finally:
        sys.setprofile(before)
    return calls
