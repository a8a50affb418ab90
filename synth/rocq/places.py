"""Where draws and loops of the judged program are in the core program, that proofs are about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from synth.rocq.deferral import draw_at, drawn_later
from synth.rocq.fusions import drawn_at, fused, made
from synth.rocq.refusal import Inexpressible
from synth.trusted.program import syntax as ir
from synth.trusted.steps.deferral import deferred
from synth.trusted.steps.rewriting import Defer, Fuse, Rate, SameNoise, Step, taken


@dataclass(frozen=True)
class Judged:
    """The judged program; by its sites and loops those of the core program.

    ``later`` is the core program, where draws that steps defer are drawn later, with the same sites.
    ``made`` says by site of the core program what a step makes of a draw of a truth value, if that is true.
    At the sites ``summed`` there are draws that a step makes one of: each has the first of them, and the
    variable that the one is assigned to.
    """

    mechanism: ir.Mechanism
    later: ir.Mechanism
    sites: Mapping[int, int]
    loops: Mapping[int, int]
    made: Mapping[int, ir.Expression]
    summed: Mapping[int, tuple[int, str]]

    def together(self, site: int) -> list[int]:
        """The sites of the draws that become one with that at a site."""
        if site not in self.summed:
            return [site]
        first, _ = self.summed[site]
        return [other for other, (of, _) in self.summed.items() if of == first]


def judged(core: ir.Mechanism, steps: Sequence[Step]) -> Judged:
    """Go through the steps.  Raises Inexpressible, Rejected."""
    found = later = core
    sites = {site: site for site in _sites(core)}
    single: dict[int, ir.Expression] = {}
    summed: dict[int, tuple[int, str]] = {}
    for number, step in enumerate(steps):
        after = taken(found, step)[0]
        match step:
            case SameNoise(draws=draws):
                sites = {
                    new: _known(sites, old)
                    for new, old in zip(_sites(after), draws, strict=True)
                    if old is not None
                }
            case Fuse():
                first, *others = drawn_at(found, step)
                if not others and isinstance(first, ir.Choose) and first.sort is ir.Sort.BOOL:
                    single[_known(sites, first.site)] = made(found, step, first)
                else:
                    target, begins = fused(after, step).target, _known(sites, first.site)
                    within = {_known(sites, item.site) for item in (first, *others)}
                    within |= {site for site, (of, _) in summed.items() if of in within}
                    summed |= dict.fromkeys(sorted(within), (begins, target))
                gone = {item.site for item in others}
                left = (site for site in _sites(found) if site not in gone)
                sites = {new: _known(sites, old) for new, old in zip(_sites(after), left, strict=True)}
            case Defer(place=place, length=length):
                site = _known(sites, draw_at(found, place).site)
                as_there = all(isinstance(item, Defer) for item in steps[:number])
                later = drawn_later(later, site, length if as_there else None)
                moved = _sites(deferred(found, place, length))
                sites = {
                    new: sites[old] for new, old in zip(_sites(after), moved, strict=True) if old in sites
                }
            case Rate():
                pass
            case _:
                raise Inexpressible(
                    f"a proof about a program rewritten by [{step.rule}] has no form in Rocq yet"
                )
        found = after
    one, other = ([item.loop for item in _loops(program)] for program in (found, core))
    if len(one) != len(other):
        raise Inexpressible("a step that makes other loops has no form in Rocq yet")
    return Judged(found, later, sites, dict(zip(one, other, strict=True)), single, summed)


def _known(sites: Mapping[int, int], site: int) -> int:
    if site not in sites:
        raise Inexpressible("a step that makes new draws has no form in Rocq yet")
    return sites[site]


def _sites(mechanism: ir.Mechanism) -> list[int]:
    return [item.site for item in ir.statements(mechanism.body) if isinstance(item, ir.Draw | ir.Choose)]


def _loops(mechanism: ir.Mechanism) -> Iterator[ir.Loop]:
    return (item for item in ir.statements(mechanism.body) if isinstance(item, ir.Loop))
