"""Results as notebooks show them: fragments of HTML, formulas in LaTeX, plots and data frames."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import TYPE_CHECKING, Any

from synth.app.numerals import read_number
from synth.trusted.errors import UsageError
from synth.views.html.model import Fragment, Table

if TYPE_CHECKING:
    import pandas
    import sympy

    from synth.views.results import Invariant, Site

_MAX_ROWS = 40
_MAX_LETTERS = 400
_POINTS = 101


@dataclass(frozen=True)
class Plot:
    """A plot as an SVG document, which notebooks show."""

    svg: str = field(repr=False)

    def _repr_svg_(self) -> str:
        return self.svg


class Displayed:
    """What a notebook shows as HTML, and as a formula where there is a bound."""

    def _repr_html_(self) -> str:
        from synth.views.html.rendering import render_fragment

        return render_fragment(fragment_of(self))

    def _repr_latex_(self) -> str | None:
        return latex(getattr(self, "bound", None))


# --- HTML -----------------------------------------------------------------------------------


def fragment_of(result: Any) -> Fragment:
    """Return what a notebook shows of a result: what its text shows, and tables."""
    about = str(getattr(result, "mechanism", None) or type(result).__name__)
    says = str(getattr(result, "verdict", None) or type(result).__name__.lower())
    named = [item.name for item in fields(result) if item.repr and item.name not in ("mechanism", "verdict")]
    facts = [(name.replace("_", " "), getattr(result, name)) for name in named]
    plain = [(name, _short(value)) for name, value in facts if _is_plain(value)]
    reason = getattr(result, "reason", None)
    plain += [("what would help", _short(hint)) for hint in getattr(reason, "hints", ())]
    return Fragment(about, says, tuple(plain), tuple(_tables(result)))


def _is_plain(value: object) -> bool:
    """Whether it is no list of records, which are tables."""
    return value is not None and not (isinstance(value, tuple) and all(map(is_dataclass, value)))


def _short(value: object) -> str:
    said = str(value)
    return said if len(said) <= _MAX_LETTERS else f"{said[:_MAX_LETTERS]}…"


def _tables(result: Any) -> Iterator[Table]:
    if getattr(result, "sites", ()):
        yield _sites(result.sites)
    if getattr(result, "invariants", ()):
        yield _invariants(result.invariants)
    if hasattr(result, "outputs") and hasattr(result, "rest"):
        yield _outputs(result)
    for name in ("changes", "coupling", "conditions"):
        rows = getattr(result, name, None)
        if isinstance(rows, tuple) and rows:
            yield _records(name, rows)


def _sites(sites: Sequence[Site]) -> Table:
    rows = [
        (str(site.line), site.draw, case.when, case.coupling, case.k, case.cost)
        for site in sites
        for case in site.cases
    ]
    return _table("couplings", ("line", "draw", "when", "coupling", "k", "cost"), rows)


def _invariants(invariants: Sequence[Invariant]) -> Table:
    rows = [(str(item.line), item.about, part) for item in invariants for part in item.conjuncts]
    return _table("invariants", ("line", "of", "what holds"), rows)


def _outputs(table: Any) -> Table:
    rows = [_output_row(line) for line in table.outputs]
    names = _side_names(table)
    columns = ("output", *names, *(("loss",) if len(names) == 2 else ()))
    return _table("outputs, the likeliest first", columns, rows)


def _output_row(line: Any) -> tuple[str, ...]:
    loss = () if line.loss is None else (_interval(line.loss),)
    return (_short(line.output), *map(_interval, line.probabilities), *loss)


def _side_names(table: Any) -> tuple[str, ...]:
    return ("probability",) if len(table.inputs) == 1 else ("probability left", "probability right")


def _interval(ends: tuple[float, float]) -> str:
    low, high = (f"{end:.6g}" for end in ends)
    return low if low == high else f"{low} … {high}"


def _records(name: str, rows: Sequence[Any]) -> Table:
    names = tuple(item.name for item in fields(rows[0]))
    return _table(name, names, [tuple(_short(getattr(row, each)) for each in names) for row in rows])


def _table(caption: str, columns: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Table:
    hidden = len(rows) - _MAX_ROWS
    said = f"{caption} ({hidden} more are not shown)" if hidden > 0 else caption
    return Table(said, columns, tuple(rows[:_MAX_ROWS]))


# --- LaTeX ----------------------------------------------------------------------------------


def latex(bound: Any) -> str | None:
    """Return a bound as a formula; None if there is none that sympy holds."""
    if bound is None or bound.epsilon is None or bound.delta is None:
        return None
    parts = (rf"\varepsilon = {_formula(bound.epsilon)}", rf"\delta = {_formula(bound.delta)}")
    return rf"$\displaystyle {', '.join(parts)}$"


def _formula(item: sympy.Expr) -> str:
    import sympy

    names = {symbol: _name(symbol.name) for symbol in item.free_symbols}
    return str(sympy.latex(item, symbol_names=names))


def _name(name: str) -> str:
    r"""A name as it is, with no letter that TeX takes for a command; ``len(q)`` is ``\mathrm{len}(q)``."""
    if name.startswith("len(") and name.endswith(")"):
        return rf"\mathrm{{len}}({_name(name[4:-1])})"
    escaped = "".join(r"\_" if letter == "_" else letter if letter.isalnum() else "?" for letter in name)
    return rf"\mathit{{{escaped}}}"


# --- plots and tables -----------------------------------------------------------------------


def plot_of_bound(
    title: str,
    bound: Any,
    claim: Any,
    parameter: str,
    between: tuple[Any, Any],
    values: Mapping[str, object],
) -> Plot:
    """Return ε over a parameter, beside the claimed one.  Raises UsageError."""
    from synth.views.curves import Curves, Line, svg
    from synth.views.drawing import check_can_draw

    check_can_draw("plot_bound")
    symbol = bound.symbols.get(parameter)
    if symbol is None:
        raise UsageError(f"{parameter} is no public parameter; there are {', '.join(bound.symbols)}")
    places = _places(between, bool(symbol.is_integer))
    lines = [Line("proved", _values(bound, symbol, places, values))]
    if claim is not None and claim.epsilon is not None:
        lines.append(Line("claimed", _values(claim, symbol, places, values)))
    given = [f"{name} = {value}" for name, value in values.items()]
    return Plot(svg(Curves(", ".join([title, *given]), symbol.name, places, "ε (nats)", tuple(lines))))


def _places(between: tuple[Any, Any], whole: bool) -> tuple[float, ...]:
    try:
        low, high = (float(read_number(str(end), "between")) for end in between)
    except (TypeError, ValueError, OverflowError):
        raise UsageError("between is a pair of numbers") from None
    if low >= high:
        raise UsageError("between is a pair of numbers, the smaller one first")
    step = (high - low) / (_POINTS - 1)
    places = [low + step * number for number in range(_POINTS)]
    return tuple(dict.fromkeys(float(round(place)) for place in places)) if whole else tuple(places)


def _values(
    bound: Any, symbol: sympy.Symbol, places: Sequence[float], values: Mapping[str, object]
) -> tuple[float, ...]:
    """Raises UsageError for a parameter without a value."""
    import sympy

    if bound.epsilon is None:
        raise UsageError("the bound is nothing that sympy can compute with")
    unknown = [name for name in values if name not in bound.symbols]
    if unknown:
        raise UsageError(f"{unknown[0]} is no public parameter; there are {', '.join(bound.symbols)}")
    exact = {
        bound.symbols[name]: sympy.Rational(str(read_number(str(value), name)))
        for name, value in values.items()
    }
    missing = sorted(item.name for item in bound.epsilon.free_symbols - exact.keys() - {symbol})
    if missing:
        raise UsageError(f"the bound needs values of {', '.join(missing)}")
    formula = bound.epsilon.subs(exact)
    return tuple(_value(formula, symbol, place) for place in places)


def _value(formula: sympy.Expr, symbol: sympy.Symbol, place: float) -> float:
    """The value, NaN where there is none."""
    try:
        return float(formula.subs(symbol, int(place) if symbol.is_integer else place))
    except (TypeError, ValueError, ZeroDivisionError, OverflowError):
        return math.nan


def plot_of_outputs(table: Any) -> Plot:
    """Return the likeliest outputs as a plot.  Raises UsageError."""
    from synth.views.drawing import check_can_draw
    from synth.views.plots import Bar, svg
    from synth.views.plots import Plot as Bars

    check_can_draw("plot")
    listed = table.outputs[:_MAX_ROWS]
    bars = tuple(Bar(_short(line.output), line.probabilities, line.loss) for line in listed)
    hidden = len(table.outputs) - len(listed)
    remark = f"and {hidden} less likely outputs" if hidden else ""
    sides = ("probability",) if len(table.inputs) == 1 else ("left", "right")
    return Plot(svg(Bars(table.mechanism, sides, bars, remark)))


def frame_of(table: Any) -> pandas.DataFrame:
    """Return the outputs as a data frame: an enclosed probability per input, and the loss."""
    try:
        import pandas
    except ImportError:
        raise UsageError("to_frame needs pandas: pip install pandas") from None
    ends = ("at_least", "at_most")
    columns: dict[str, list[Any]] = {"output": [line.output for line in table.outputs]}
    for number, name in enumerate(_side_names(table)):
        for place, end in enumerate(ends):
            column = f"{name.replace(' ', '_')}_{end}"
            columns[column] = [line.probabilities[number][place] for line in table.outputs]
    if len(table.inputs) == 2:
        for place, end in enumerate(ends):
            columns[f"loss_{end}"] = [
                None if line.loss is None else line.loss[place] for line in table.outputs
            ]
    return pandas.DataFrame(columns)
