"""The rewritings of a program, as the steps of a certificate.

Each step is held against its checker when it is made.  One that is refused is left out, and the program stays
as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

from synth.prover.normal_form.clipped_sizes import clipped_by_size
from synth.prover.normal_form.coin_lists import (
    coin_lists,
    counted_last,
    over_entries,
    with_one_counter,
    without_readers,
)
from synth.prover.normal_form.crossings import coins
from synth.prover.normal_form.draw_fusion import Fusion, fusion
from synth.prover.normal_form.guards import advances, joins
from synth.prover.normal_form.late_draws import Late, around, late_draws, without_copies
from synth.prover.normal_form.lingering import (
    counters_of_early_loops,
    drawing_on,
    flagged,
    flags_of_idle_rounds,
    place_of,
)
from synth.prover.normal_form.looked_up_behind import looked_up_behind
from synth.prover.normal_form.loop_scoping import scoped
from synth.prover.normal_form.named_numbers import numbers_in_place
from synth.prover.normal_form.noise_pairs import noise_pairs, with_one_name, with_own_centres
from synth.prover.normal_form.one_sided_noise import scaled
from synth.prover.normal_form.pipeline import KEEPING_NOISE
from synth.prover.normal_form.pipeline import rewritten as ended
from synth.prover.normal_form.public_sides import on_both_sides
from synth.prover.normal_form.repeated_assignments import apart, apart_on_sides, has_repeated_draws
from synth.prover.normal_form.signed_noise import (
    before_branches,
    centered,
    coins_in_place,
    may_be_signed,
    signs,
    without_signs,
)
from synth.prover.normal_form.streams import (
    again_before_readers,
    by_entry,
    computed_lists,
    has_noise_by_entry,
    lists_without_noise,
    marks_a_place,
    measured,
    private_lists,
    public_lists,
    readers,
    without_unread,
)
from synth.prover.normal_form.structured_exits import normalize
from synth.prover.normal_form.uniform_draws import sums_in_place, uniform_draws
from synth.trusted.core.comparison import same_program
from synth.trusted.core.writer import CoreWriter, Unwritable, write_as_written
from synth.trusted.logic.rejection import Rejected
from synth.trusted.logic.terms import BadTerm
from synth.trusted.normal_form.decision_trees import Intractable
from synth.trusted.normal_form.output_distribution import output_law
from synth.trusted.normal_form.unrolling import written_out
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import expressions, mentioned, returned_lists
from synth.trusted.program.fused_draws import Rated, Total, Window
from synth.trusted.program.numbering import renumber
from synth.trusted.steps.advancing import advanced
from synth.trusted.steps.crossing import crossed
from synth.trusted.steps.deferral import deferred
from synth.trusted.steps.equivalence_codes import Different
from synth.trusted.steps.fusion import fused, rated
from synth.trusted.steps.joining import joined
from synth.trusted.steps.lingering import lingered
from synth.trusted.steps.pairing import paired
from synth.trusted.steps.permutation import permuted
from synth.trusted.steps.repetition import repeated
from synth.trusted.steps.rewriting import (
    Advance,
    Count,
    Cross,
    Defer,
    Fuse,
    Join,
    Linger,
    Pair,
    Permute,
    Rate,
    Repeat,
    SameNoise,
    Sign,
    Step,
    Stream,
    WriteOut,
    taken,
)
from synth.trusted.steps.signing import signed
from synth.trusted.steps.streaming import counted, streamed

MAX_WRITTEN = 600
"""Statements of a program of which lists are written out, or made again, at the most."""

MAX_WRITTEN_COUNTS = 300
"""Statements of a program of which lists are written out that are computed without noise."""


@dataclass(frozen=True)
class Rewriting:
    """The steps from a core program, and the program behind them, with places and hints for the search."""

    core: ir.Mechanism
    program: ir.Mechanism
    steps: tuple[Step, ...] = ()

    def then(self, step: Step, program: ir.Mechanism) -> Rewriting | None:
        """With one more step, which leads to that program; None if it is refused."""
        program = replace(program, body=renumber(program.body))
        try:
            checked, _ = taken(self.program, step)
        except (Rejected, BadTerm, RecursionError):
            return None
        if not same_program(checked, program):
            return None
        return replace(self, program=program, steps=(*self.steps, step))


def rewriting(core: ir.Mechanism) -> Rewriting:
    """Bring a program, numbered by position, into the form that the prover works on."""
    return rewriting_from(Rewriting(core, core))


def rewriting_from(of: Rewriting) -> Rewriting:
    """Bring the program behind some steps into that form."""
    sized = _with_lookups_behind(_with_guards_behind(_with_public_sides(_with_sizes(of))))
    listed = _with_permutations(_with_streams(_with_lists_written_out(sized)))
    paired_draws = _with_pairs(_with_signs(_with_scales(_with_draws_apart(listed))))
    return _with_draws_fused(_with_rewritings(_with_late_draws(paired_draws)))


def lingering(core: ir.Mechanism) -> Rewriting | None:
    """The same with loops that noise leaves early going on to their end; None if there are none."""
    of = Rewriting(core, core)
    for counter in counters_of_early_loops(core):
        of = _with_loop_lingering(of, counter) or of
    for flag in flags_of_idle_rounds(of.program):
        draws = drawing_on(of.program, flag)
        of = (draws and with_same_noise(of, draws)) or of
    return rewriting_from(of) if of.steps else None


def _with_loop_lingering(of: Rewriting, counter: str) -> Rewriting | None:
    """With the loop with that counter going on to its end; None if a step is refused."""
    form = flagged(of.program, counter)
    left = None if form is None else with_same_noise(of, form.program)
    place = None if form is None or left is None else place_of(left.program, form.flag)
    return None if left is None or place is None else _taken(left, Linger(place))


def crossing(core: ir.Mechanism, wanted: Callable[[ir.Expression], bool]) -> Rewriting | None:
    """The same with coins of which one side has such a chance as noise; None if there are none."""
    of = Rewriting(core, core)
    for place in reversed(list(coins(core, wanted))):
        of = _taken(of, Cross(place)) or of
    return rewriting_from(of) if of.steps else None


def _with_sizes(of: Rewriting) -> Rewriting:
    """With numbers clipped that are clipped by their size, where that is accepted."""
    return with_same_noise(of, clipped_by_size(of.program)) or of


def _with_public_sides(of: Rewriting) -> Rewriting:
    """With what follows branches on public parameters that set laws on both of their sides."""
    form = on_both_sides(of.program)
    return of if form is of.program else with_same_noise(of, apart_on_sides(form)) or of


def _with_guards_behind(of: Rewriting) -> Rewriting:
    """With loops before the private branch that decides whether they are run, joined with those before it."""
    if not any(advances(ended(normalize(of.program)))):
        return of
    plain = of
    for rewrite in (scoped, normalize, ended, by_entry):
        plain = with_same_noise(plain, rewrite(plain.program)) or plain
    found = _each(plain, advances)
    if found is plain:
        return of
    found = _each(found, joins)
    return with_same_noise(found, with_one_counter(found.program)) or found


def _each(of: Rewriting, steps: Callable[[ir.Mechanism], Iterable[Advance | Join]]) -> Rewriting:
    """With one of these steps after the other, as long as one is accepted."""
    found = next((found for step in steps(of.program) if (found := _taken(of, step)) is not None), None)
    return of if found is None else _each(found, steps)


# --- lists ----------------------------------------------------------------------------------


def _with_lookups_behind(of: Rewriting) -> Rewriting:
    """With what both sides of a branch with draws look up in one list looked up behind it."""
    plain = ended(normalize(of.program))
    form = looked_up_behind(plain)
    return of if form.body == plain.body else with_same_noise(of, form) or of


def _with_lists_written_out(of: Rewriting) -> Rewriting:
    """With a variable for each entry of the lists that always have as many, as far as that is accepted."""
    lists = tuple(name for name in of.program.lists if name in _read_or_local(of.program))
    if not lists:
        return of
    whole = _with_written(of, lists)
    if whole is not None and sum(1 for _ in ir.statements(whole.program.body)) <= MAX_WRITTEN_COUNTS:
        return whole
    if whole is not None:
        noisy = tuple(name for name in lists if name not in lists_without_noise(of.program))
        return (_with_written(of, noisy) if noisy else None) or of
    taken_ones: tuple[str, ...] = ()
    for name in lists:
        more = (*taken_ones, name)
        if _written(of.program, more) is not None:
            taken_ones = more
    return (_with_written(of, taken_ones) if taken_ones else None) or of


def _read_or_local(program: ir.Mechanism) -> set[str]:
    """The lists that aren't returned, or that something reads before: it only grows otherwise."""
    read = {
        name
        for item in ir.statements(program.body)
        for value in expressions(item)
        for name in mentioned(value)
    }
    return read | program.lists.keys() - returned_lists(program)


def _with_written(of: Rewriting, lists: tuple[str, ...]) -> Rewriting | None:
    """With these lists written out; None if that can't be."""
    found = _written(of.program, lists)
    return None if found is None else of.then(WriteOut(lists), found)


def _written(program: ir.Mechanism, lists: tuple[str, ...]) -> ir.Mechanism | None:
    try:
        found = written_out(program, lists)
    except Intractable:
        return None
    return found if sum(1 for _ in ir.statements(found.body)) <= MAX_WRITTEN else None


def _with_streams(of: Rewriting) -> Rewriting:
    """Without lists that only loops over them read, as far as steps to that are accepted.

    Such of private lengths, of coins, and of numbers that are computed without noise.
    """
    coins, private, computed = coin_lists(of.program), private_lists(of.program), computed_lists(of.program)
    if not coins | private | computed:
        return of
    plain = of
    for rewrite in (scoped, by_entry):
        plain = with_same_noise(plain, rewrite(plain.program)) or plain
    found = plain
    if private:
        found = _streamed_everywhere(found, private, frozenset())
        found = with_same_noise(found, without_unread(found.program)) or found
    for name in sorted(computed - coins - private):
        if marks_a_place(found.program, name) or not has_noise_by_entry(found.program, name):
            found = _without_list(found, name) or found
    if found is plain and not coins | private:
        return of
    return _with_coins_streamed(found, coins) if coins else found


def _without_list(of: Rewriting, name: str) -> Rewriting | None:
    """Without a list, each entry of which is looked at where it is made; None if it is read otherwise."""
    found = _streamed_everywhere(of, frozenset({name}), frozenset({name}))
    if found is of:
        return None
    less = with_same_noise(found, without_unread(found.program))
    if less is None or any(readers(less.program, frozenset({name}))):
        return None
    return less if name in public_lists(less.program) or name not in _appended(less.program) else None


def _streamed_everywhere(of: Rewriting, lists: frozenset[str], also: frozenset[str]) -> Rewriting:
    """With lists streamed; where loops in other bodies read them, too, if that is all that does."""
    again = of
    for name in sorted(lists):
        step = again_before_readers(again.program, name)
        again = (step and _taken(again, step)) or again
    if again is of or sum(1 for _ in ir.statements(again.program.body)) > MAX_WRITTEN:
        return _streamed(of, also)
    found = _streamed(again, also)
    return _streamed(of, also) if any(readers(found.program, lists)) else found


def _appended(program: ir.Mechanism) -> set[str]:
    return {item.target for item in ir.statements(program.body) if isinstance(item, ir.Append)}


def _with_coins_streamed(of: Rewriting, coins: frozenset[str]) -> Rewriting:
    """With one list of coins after the other looked at where the coins are tossed."""
    found = with_same_noise(of, over_entries(of.program, coins))
    streamed_ones = found and _streamed(found, coins)
    if found is None or streamed_ones is None or streamed_ones == found:
        return of
    counters = streamed_ones.program.variables.keys() - of.program.variables.keys()
    for rewrite in (without_unread, partial(counted_last, counters=counters), with_one_counter):
        streamed_ones = with_same_noise(streamed_ones, rewrite(streamed_ones.program)) or streamed_ones
    return _with_coins_streamed(streamed_ones, coins)


def _streamed(of: Rewriting, coins: frozenset[str]) -> Rewriting:
    private = private_lists(of.program)
    lengths = private | without_readers(of.program, coins)
    places = readers(of.program, private | coins), measured(of.program, lengths)
    steps: Iterable[Stream | Count] = chain(map(Stream, places[0]), map(Count, places[1]))
    taken_one = next((found for step in steps if (found := _taken(of, step)) is not None), None)
    return of if taken_one is None else _streamed(taken_one, coins)


# --- uniform draws --------------------------------------------------------------------------


def _with_permutations(of: Rewriting) -> Rewriting:
    """Uniform draws without what is added to them modulo their size, as far as that is accepted."""
    if not any(uniform_draws(of.program)):
        return of
    return _permuted(with_same_noise(of, sums_in_place(of.program)) or of) or _permuted(of) or of


def _permuted(of: Rewriting) -> Rewriting | None:
    """With as many of them as there are, the last ones first; None if there is none."""
    for place in reversed(list(uniform_draws(of.program))):
        found = _taken(of, Permute(place))
        if found is not None:
            return _permuted(found) or found
    return None


# --- two draws that are one -----------------------------------------------------------------


def _with_scales(of: Rewriting) -> Rewriting:
    """One-sided noise with the scale that it has where it is read, as far as that is accepted."""
    found = with_same_noise(of, scaled(of.program))
    return of if found is None or found.steps == of.steps else _with_scales(found)


_BEFORE_SIGNS = (numbers_in_place, centered, coins_in_place, before_branches)


def _with_signs(of: Rewriting) -> Rewriting:
    """Coins that are signs of one-sided noise, and it, as two-sided noise, as far as that is accepted."""
    if not may_be_signed(of.program):
        return of
    found = of
    for rewrite in _BEFORE_SIGNS:
        found = with_same_noise(found, rewrite(found.program)) or found
    known = found.program.variables.keys()
    signed_draws = _signed(found)
    if signed_draws is None:
        return of
    drawn = signed_draws.program.variables.keys() - known
    signed_draws = with_same_noise(signed_draws, ended(signed_draws.program)) or signed_draws
    return with_same_noise(signed_draws, without_signs(signed_draws.program, drawn)) or of


def _signed(of: Rewriting) -> Rewriting | None:
    """With as many of them as there are; None if there is none."""
    for pair in signs(of.program):
        found = _taken(of, Defer(pair.place, pair.between)) if pair.between else of
        found = found and _taken(found, Sign(pair.together))
        if found is not None:
            return _signed(found) or found
    return None


def _with_draws_apart(of: Rewriting) -> Rewriting:
    """With a variable for each one-sided draw where a loop that was written out drew into one."""
    if not any(isinstance(item, ir.Draw) for item in ir.statements(of.program.body)):
        return of
    plain = normalize(of.program)
    return with_same_noise(of, apart(plain)) or of if has_repeated_draws(plain) else of


def _with_pairs(of: Rewriting) -> Rewriting:
    """One-sided draws of which only the difference is read as two-sided ones, as far as that is accepted."""
    if not any(noise_pairs(of.program)):
        return of
    plain = without_copies(with_own_centres(with_one_name(of.program)))
    return _paired(with_same_noise(of, plain) or of) or of


def _paired(of: Rewriting) -> Rewriting | None:
    """With as many pairs as there are; None if there is none."""
    for pair in noise_pairs(of.program):
        found: Rewriting | None = of
        if pair.between:
            found = _taken(of, Defer(pair.place, pair.between))
        found = found and _taken(found, Pair(pair.together))
        if found is not None:
            return _paired(found) or found
    return None


_Placed = Defer | Pair | Sign | Cross | Permute | Stream | Count | Repeat | Advance | Join | Linger


def _taken(of: Rewriting, step: _Placed) -> Rewriting | None:
    """With one step; None if it is refused."""
    try:
        match step:
            case Defer(place=place, length=length):
                return of.then(step, deferred(of.program, place, length))
            case Pair(place=place):
                return of.then(step, paired(of.program, place))
            case Sign(place=place):
                return of.then(step, signed(of.program, place))
            case Cross(place=place):
                return of.then(step, crossed(of.program, place))
            case Permute(place=place):
                return of.then(step, permuted(of.program, place))
            case Stream(place=place):
                return of.then(step, streamed(of.program, place))
            case Count(place=place):
                return of.then(step, counted(of.program, place))
            case Repeat(place=place, length=length, before=before):
                return of.then(step, repeated(of.program, place, length, before))
            case Advance(place=place, side=side, length=length):
                return of.then(step, advanced(of.program, place, side, length))
            case Join(place=place):
                return of.then(step, joined(of.program, place))
            case Linger(place=place):
                return of.then(step, lingered(of.program, place))
    except (Different, Rejected):
        return None


# --- noise around what it is added to -------------------------------------------------------


def _with_late_draws(of: Rewriting) -> Rewriting:
    """Noise that is added to private values is drawn around them, as far as steps to that are accepted."""
    plain = replace(of.program, body=renumber(without_copies(of.program).body))
    if not any(late_draws(plain)):
        return of
    found = with_same_noise(of, plain) or of
    for late in late_draws(found.program):
        found = _with_late_draw(found, late) or found
    return found


def _with_late_draw(of: Rewriting, late: Late) -> Rewriting | None:
    """With one draw moved; None if a step is refused."""
    known = next((item for item in late_draws(of.program) if item.draw.target == late.draw.target), None)
    moved: Rewriting | None = of if known is not None else None
    if known is not None and known.passed:
        moved = _taken(of, Defer(known.place, known.passed))
    draw = None if moved is None else _draw_of(moved.program, late.draw.target)
    if moved is None or known is None or draw is None:
        return None
    return with_same_noise(moved, around(moved.program, replace(known, draw=draw)))


def _draw_of(program: ir.Mechanism, name: str) -> ir.Draw | None:
    """The draw into that variable."""
    return next((item for item in _draws(program) if isinstance(item, ir.Draw) and item.target == name), None)


# --- the same noise -------------------------------------------------------------------------


def _with_rewritings(of: Rewriting) -> Rewriting:
    """All rewritings that keep the noise as one step; if that is refused, each for itself."""
    form = of.program
    for rewrite in KEEPING_NOISE:
        form = rewrite(form)
    found = with_same_noise(of, form)
    if found is not None:
        return found
    for rewrite in KEEPING_NOISE:
        of = with_same_noise(of, rewrite(of.program)) or of
    return of


def with_same_noise(of: Rewriting, form: ir.Mechanism) -> Rewriting | None:
    """Take the step to a program with the same noise, if anything has changed; None if it is refused."""
    numbered = replace(form, body=renumber(form.body))
    if same_program(of.program, numbered):
        return replace(of, program=numbered)
    known = {item.site for item in _draws(of.program)}
    sites = tuple(item.site if item.site in known else None for item in _draws(form))
    try:
        text = write_as_written(numbered)
    except Unwritable:
        return None
    return of.then(SameNoise(text, sites, _lines(numbered.body)), numbered)


def _draws(mechanism: ir.Mechanism) -> list[ir.Draw | ir.Choose]:
    return [item for item in ir.statements(mechanism.body) if isinstance(item, ir.Draw | ir.Choose)]


def _lines(body: tuple[ir.Statement, ...]) -> tuple[int, ...]:
    return tuple(item.span.line for item in ir.statements(body) if not isinstance(item, ir.Block))


# --- fused draws ----------------------------------------------------------------------------


def _with_draws_fused(of: Rewriting) -> Rewriting:
    """With draws as one; as it was, if the chances of the output are found only so."""
    found = _fused_where_accepted(of)
    return found if found is of or _has_law(found.program) or not _has_law(of.program) else of


def _has_law(program: ir.Mechanism) -> bool:
    """Whether the chances of the output are found, where no other noise has a say in it."""
    if any(isinstance(item, ir.Draw) for item in ir.statements(program.body)):
        return False
    try:
        output_law(program)
    except Intractable:
        return False
    return True


def _fused_where_accepted(of: Rewriting) -> Rewriting:
    found: Fusion = fusion(of.program)
    weighed = _all(of, found.weighed)
    if weighed is None:
        return of
    named = with_same_noise(weighed, found.named)
    if named is None:
        return weighed
    for make in found.windows:
        named = _all(named, (make,)) or named
    return named


def _all(of: Rewriting, steps: Iterable[Callable[[], Window | Rated]]) -> Rewriting | None:
    """With these steps; None if one is refused."""
    found: Rewriting | None = of
    for make in steps:
        if found is None:
            return None
        try:
            step = make()
            if isinstance(step, Window):
                form, _ = fused(found.program, step)
                found = found.then(_fuse(step, CoreWriter(form.lists)), form)
            else:
                form, _ = rated(found.program, step)
                found = found.then(_rate(step, CoreWriter(form.lists)), form)
        except (Intractable, Rejected, BadTerm, Unwritable, RecursionError):
            return None
    return found


def _rate(step: Rated, writer: CoreWriter) -> Rate:
    return Rate(step.place, _function(writer, (step.index,), (step.score, step.rate)))


def _fuse(step: Window, writer: CoreWriter) -> Fuse:
    def sum_of(total: Total | None) -> str | None:
        if total is None:
            return None
        return _function(writer, (step.draw.index, total.index), (total.below, total.value, *total.bounds))

    body: tuple[ir.Statement, ...] = (*step.obligations, step.draw)
    text = "\n".join(writer.body(body, "")) + "\n"
    sums = tuple((sum_of(item.expected), sum_of(item.mass)) for item in step.sums)
    return Fuse(step.place, step.length, text, sums, _lines(body))


def _function(writer: CoreWriter, variables: Sequence[str], values: Sequence[ir.Expression]) -> str:
    names = ", ".join(map(writer.name, variables))
    return f"lambda {names}: ({', '.join(map(writer.text, values))})"
