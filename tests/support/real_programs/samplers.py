"""Draws of libraries."""

from __future__ import annotations

from tests.support.real_programs.writing import ARRAY, LIST, NUMBER, Grammar, NoneFits, Writer

MOST = 3
SOURCE = "source"


def _counted(w: Writer) -> None:
    if w.draws >= MOST or w.indent > 2:
        raise NoneFits
    w.draws += 1


def _noise(w: Writer) -> str:
    _counted(w)
    form = w.rng.choice(
        [
            "np.random.laplace(0.0, 2.0)",
            "np.random.laplace({n}, scale=1.5)",
            "({n} + np.random.normal(0.0, 2.0))",
            "({n} - np.random.laplace(scale=2.0))",
            "3.0 * np.random.standard_normal()",
            "random.gauss({n}, 2.0)",
            "(random.expovariate(0.5) - {n})",
            "{r}.normal({n}, 2.0)",
        ]
    )
    return form.format(n=w.simple(), r=w.known(SOURCE) if "{r}" in form else "")


def _finite(w: Writer) -> str:
    _counted(w)
    form = w.rng.choice(
        [
            "random.randint(0, 1)",
            "np.random.randint(2)",
            "secrets.randbelow(2)",
            "random.choice([{n}, 5])",
            "random.choices([{n}, 5], weights=[1, 3])[0]",
            "np.random.choice([{n}, 5], p=[0.25, 0.75])",
            "np.random.binomial(1, 0.25)",
            "random.randrange(1, 3)",
            "int(random.random() < 0.25)",
            "random.sample([{n}, 5], 1)[0]",
            "int(np.random.choice([{n}, 5], 2, replace=False)[0])",
            "int(np.random.permutation(2)[0])",
        ]
    )
    return form.format(n=w.simple())


def _array(w: Writer) -> None:
    a = w.known(ARRAY)
    _counted(w)
    form = w.rng.choice(
        [
            "{a} + np.random.laplace(0.0, 2.0, len({a}))",
            "{a} - np.random.laplace(size=len({a}))",
            "np.random.normal({a}, 2.0)",
            "2.0 * np.random.standard_normal(len({a})) + {a}",
            "np.random.randint(0, 2, 2)",
            "-np.random.exponential(2.0, 2)",
        ]
    )
    w.line(f"{w.new(ARRAY, 'z')} = {form.format(a=a)}")


def _shuffled(w: Writer) -> None:
    xs = w.known(LIST)
    _counted(w)
    w.line(f"{w.new(LIST, 'mixed')} = [v for v in {xs}][:2]")
    w.line(f"{w.rng.choice(['random', 'np.random'])}.shuffle({w.known(LIST)})")


def _method(w: Writer) -> None:
    _counted(w)
    source = w.known(SOURCE)
    w.line(f"draw{w.draws} = {source}.laplace")
    w.line(f"{w.new(NUMBER, 't')} = draw{w.draws}({w.simple()}, 2.0)")


def _uniform(w: Writer) -> None:
    _counted(w)
    w.line(f"u = {w.rng.choice(['random.random()', 'np.random.random()'])}")
    tests = w.rng.choice([("u < 0.25", "u < 0.75"), ("u > 0.5", "u < 0.25"), ("u <= 0.5", "u > 0.75")])
    value = w.new(NUMBER, "t")
    w.line(f"{value} = {w.simple()}")
    w.line(f"if {tests[0]}:")
    w.line(f"    {value} = {w.number()}")
    w.line(f"elif {tests[1]}:")
    w.line(f"    {value} = {w.number()}")


def _source(w: Writer) -> None:
    w.line(f"{w.new(SOURCE, 'rng')} = {w.rng.choice(['np.random.default_rng()', 'np.random.RandomState()'])}")


def _noisy_list(w: Writer) -> None:
    xs = w.known(LIST)
    _counted(w)
    w.line(f"{w.new(LIST, 'zs')} = [v + np.random.laplace(0.0, 2.0) for v in {xs}]")


SAMPLERS = Grammar(
    numbers=[_noise, _finite],
    statements=[_array, _uniform, _noisy_list, _shuffled, _method],
    definitions=[_source],
)
