"""Arrays of numpy."""

from __future__ import annotations

from tests.support.real_programs.writing import ARRAY, LIST, Grammar, NoneFits, Writer


def _array(w: Writer) -> str:
    a = w.known(ARRAY)
    forms = [
        "{a}",
        "({a} {o} {n})",
        "({n} {o} {a})",
        "({a} {o} {a})",
        "-{a}",
        "{a}[1:]",
        "{a}[::-1]",
        "{a}[{a} > {n}]",
        "np.where({a} > {n}, {a}, {m})",
        "np.clip({a}, 0, 2)",
        "np.abs({a})",
        "np.maximum({a}, {n})",
        "np.cumsum({a})",
        "{a}.copy()",
        "np.zeros(len({a}))",
        "np.full(len({a}), {n})",
        "np.arange(len({a}))",
        "np.array([{n}, {m}])",
        "np.full(len({a}), {n} if {m} > 0 else 0.5)",
        "np.append({a}, {n} if {m} > 0 else 0.5)",
    ]
    return w.rng.choice(forms).format(a=a, o=w.rng.choice("+-*"), n=w.simple(), m=w.simple())


def _of_list(w: Writer) -> str:
    return w.rng.choice(["np.array({xs})", "np.append(np.array({xs}), 1)"]).format(xs=w.known(LIST))


def _new(w: Writer) -> None:
    value = w.rng.choice([_array, _array, _array, _of_list])(w)
    name = w.new(ARRAY, "a")
    w.names.setdefault("own array", []).append(name)
    w.line(f"{name} = {value}")


def _change(w: Writer) -> None:
    a, n = w.known("own array"), w.number()
    form = w.rng.choice(["{a} += {n}", "{a} *= 2", "{a} = {a} + {n}", "{a}[0] = {n}", "{a}[{a} > 0] = {n}"])
    if "[0]" in form:
        w.line(f"if len({a}) > 0:")
        form = f"    {form}"
    w.line(form.format(a=a, n=n))


def _of_few(w: Writer) -> str:
    """The truth of an array of one entry, and counts between ends, which may be equal."""
    one = w.rng.choice([f"np.array([{w.number()}])", f"(np.zeros(1) + {w.number()})"])
    ends = sorted(w.rng.choices([-1, 0, 0.5, 1, 2, 3], k=w.rng.randint(2, 4)))
    counts = f"np.histogram({_array(w)}, {w.rng.choice(['', 'bins='])}{ends})[0]"
    forms = [
        f"int(bool({one} > {w.simple()}))",
        f"(1 if {one} > {w.simple()} else 0)",
        f"{counts}.sum()",
        f"{counts}[0]",
    ]
    return w.rng.choice(forms)


def _number(w: Writer) -> str:
    a = _array(w)
    guarded = ["{a}.max()", "{a}.argmin()", "{a}[0]", "{a}[-1]", "{a}.mean()"]
    form = w.rng.choice(
        ["{a}.sum()", "len({a})", "np.sum({a})", "np.count_nonzero({a})", "np.dot({a}, {a})", *guarded]
    )
    text = form.format(a=a)
    return f"({text} if len({a}) > 0 else 0)" if form in guarded else text


def _iterable(w: Writer) -> str:
    return _array(w)


def _local(w: Writer) -> None:
    if not w.names.get(ARRAY):
        raise NoneFits
    _new(w)


ARRAYS = Grammar(
    numbers=[_number, _number, _of_few], iterables=[_iterable], statements=[_local, _local, _change]
)
