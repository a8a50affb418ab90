"""A proof that was found, as the text of a certificate."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from difflib import SequenceMatcher
from fractions import Fraction
from typing import Any, cast

from pysmt.fnode import FNode

from synth.bounds.rational import Rational
from synth.bounds.scales import NotConstant, Scales, opaque_parts, rational, square_parts
from synth.prover.certificate.derivation import Derivation, entries, input_names, variable_name
from synth.prover.certificate.formulas import ProgramTerms, Writer
from synth.prover.costs.accounting_plans import Noise, Plan
from synth.prover.costs.private_reals import given
from synth.prover.normal_form.recording import Rewriting
from synth.prover.obligations.single_run import Discharge
from synth.prover.product.product import Product
from synth.support.installed import version
from synth.trusted.core.writer import write_core
from synth.trusted.frontend.claim import Claim
from synth.trusted.json_reader import Json
from synth.trusted.kernel.certificate import FORMAT, VERSION
from synth.trusted.kernel.rules.lifting import LIFT
from synth.trusted.logic.inputs import start_name
from synth.trusted.logic.terms import BOOL, INT, REAL, Term, conjunction, write
from synth.trusted.program import syntax as ir
from synth.trusted.program.beside import Specification
from synth.trusted.program.line_numbers import runs_of
from synth.trusted.steps.rewriting import Fuse, SameNoise, Step


def certificate_text(
    product: Product,
    rewriting: Rewriting,
    plan: Plan,
    claim: Claim,
    solution: Mapping[str, FNode],
    safety: Discharge,
) -> str:
    """The certificate of a coupling proof, as JSON; the same proof gives the same bytes.

    It is about the program behind the ``rewriting``, or a part of it.  ``claim`` is what the proof is held
    against; ``safety`` is about single runs.  Raises Inexpressible.
    """
    mechanism = product.mechanism
    derivation = Derivation(product, solution)
    data: dict[str, Json] = {
        **_about(mechanism, rewriting, claim),
        "proved": {"epsilon": write(_public(product, plan.total)), "delta": _mass(product, plan.delta)},
        "costs": _costs(product, plan),
        "events": {
            str(event): BOOL if sort.is_bool_type() else INT for event, sort in product.used_events.items()
        },
        "entries": entries(product, solution),
        **_safety(mechanism, safety),
        "derivation": derivation.sequence(mechanism.body),
        **_factors([*product.factors, *_own_factors(safety)]),
        **_magnitudes([*_sizes(mechanism, product.magnitudes), *_own_sizes(mechanism, safety)]),
        **_noise(product, plan.noise),
    }
    return _written(data)


def lifting_text(
    mechanism: ir.Mechanism,
    rewriting: Rewriting,
    claim: Claim,
    bounds: tuple[Term, Term],
    pairs: Mapping[str, Json],
    safety: Discharge,
) -> str:
    """The certificate of a proof by the chances of the output ([Lift]); ``bounds`` are its ε and its δ."""
    epsilon, delta = bounds
    data: dict[str, Json] = {
        **_about(mechanism, rewriting, claim),
        "proved": {"epsilon": write(epsilon), "delta": write(delta)},
        "costs": {},
        "events": {},
        "entries": {},
        **_safety(mechanism, safety),
        **_factors([*_own_factors(safety)]),
        **_magnitudes([*_own_sizes(mechanism, safety)]),
        "derivation": {"rule": LIFT, **pairs},
    }
    return _written(data)


@dataclass(frozen=True)
class PartDocument:
    """The certificate of a part, or of one round of it if it is retried, and the facts that it is given.

    ``stated`` is the ε that the whole states of it, where that is not the one in the text.
    """

    text: str
    given: tuple[Term, ...] = ()
    retried: bool = False
    stated: ir.Expression | None = None

    def factors(self) -> list[Fraction]:
        """Numbers that factors in it were found to be."""
        return [Fraction(item) for item in json.loads(self.text).get("factors", [])]

    def magnitudes(self) -> list[str]:
        """What it compares the sizes of factors with."""
        return [str(item) for item in json.loads(self.text).get("magnitudes", [])]

    def json(self, mechanism: ir.Mechanism) -> dict[str, Any]:
        """What the certificate of a mechanism holds of it."""
        data = json.loads(self.text)
        if self.stated is not None:
            data["proved"]["epsilon"] = _claim_term(mechanism, self.stated)
        derived = ("proved", "costs", "events", "entries", "derivation")
        given: dict[str, Json] = {"given": [write(item) for item in self.given]} if self.given else {}
        noise = {"gaussian": data["gaussian"]} if "gaussian" in data else {}
        again: dict[str, Json] = {"retried": True} if self.retried else {}
        return {**{name: data[name] for name in derived}, **given, **noise, **again}


def composed_text(
    mechanism: ir.Mechanism,
    rewriting: Rewriting,
    claim: Claim,
    cuts: Sequence[int],
    parts: Sequence[PartDocument],
    *,
    safety: Discharge,
    paid: tuple[ir.Expression, ir.Expression] | None,
) -> str:
    """The certificate of a mechanism from those of its parts ([Compose]).

    ``paid`` is what real Gaussian noise costs in all parts together, if it pays.
    """
    documents = [item.json(mechanism) for item in parts]
    noise: dict[str, dict[str, Json]] = {}
    squared = [item["gaussian"] for item in documents if "gaussian" in item]
    if claim.zcdp is not None:
        squared += [_as_square(item) for item in documents if _is_concentrated(item)]
    if squared:
        noise = {"gaussian": {**squared[0], "square": _total([item["square"] for item in squared])}}
    bounds = [
        {"epsilon": "0.0", "delta": "0"}
        if claim.zcdp is not None and _is_concentrated(item)
        else _spent(item)
        for item in documents
    ]
    proved: dict[str, Json] = {name: _total([item[name] for item in bounds]) for name in ("epsilon", "delta")}
    if paid is not None:
        costs = {name: _claim_term(mechanism, item) for name, item in zip(proved, paid, strict=True)}
        noise["gaussian"] |= costs
        proved = {name: _total([str(proved[name]), costs[name]]) for name in proved}
    data: dict[str, Json] = {
        **_about(mechanism, rewriting, claim),
        "proved": proved,
        **noise,
        **_safety(mechanism, safety),
        **_factors([*(value for item in parts for value in item.factors()), *_own_factors(safety)]),
        **_magnitudes(
            [
                *(value for item in parts for value in item.magnitudes()),
                *_own_sizes(mechanism, safety),
            ]
        ),
        "cuts": list(cuts),
        "parts": list(documents),
    }
    return _written(data)


def _is_concentrated(part: Mapping[str, Any]) -> bool:
    """Whether a part is ε-private, and so ε²/2-zCDP."""
    return "gaussian" not in part and "retried" not in part and part["proved"]["delta"] in ("0", "0.0")


def _as_square(part: Mapping[str, Any]) -> dict[str, Any]:
    epsilon = part["proved"]["epsilon"]
    return {"square": f"(* {epsilon} {epsilon})", "notion": ir.Notion.ZCDP.value}


def _spent(part: Mapping[str, Any]) -> dict[str, str]:
    """What a part costs the whole."""
    bounds: dict[str, str] = part["proved"]
    return {**bounds, "epsilon": f"(* 2.0 {bounds['epsilon']})"} if "retried" in part else bounds


def _claim_term(mechanism: ir.Mechanism, claim: ir.Expression) -> str:
    return write(ProgramTerms(mechanism).rational(rational(claim), opaque_parts(claim)))


def _total(terms: Sequence[str]) -> str:
    """The sum of terms, in the order of the parts."""
    some = [item for item in terms if item not in ("0", "0.0")]
    return f"(+ {' '.join(some)})" if len(some) > 1 else (some or terms)[0]


def _about(mechanism: ir.Mechanism, rewriting: Rewriting, claim: Claim) -> dict[str, Json]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "tools": {"synth": version("synth"), **_solver_versions()},
        "program": {
            **_lines(mechanism.lines),
            "mechanism": mechanism.name,
            "sha256": hashlib.sha256(mechanism.source.encode()).hexdigest(),
            **(
                {} if mechanism.specification is None else {"specification": _stated(mechanism.specification)}
            ),
            "text": mechanism.source,
            **_unread(mechanism.unread),
        },
        **rewritten_fields(rewriting, mechanism.lines),
        "claim": _claimed(claim),
    }


def _claimed(claim: Claim) -> dict[str, Json]:
    return {"epsilon": claim.epsilon, "delta": claim.delta, **claim.stated}


def sampled_text(
    document: str, mechanism: ir.Mechanism, bounds: tuple[ir.Expression, ir.Expression] | None, claim: Claim
) -> str:
    """The certificate of a mechanism that takes a sample, from that of every record ([Mix]).

    ``bounds`` are its ε and its δ; None for those of every record.
    """
    data = json.loads(document)
    proved = data["proved"]
    if bounds is not None:
        proved = dict(zip(proved, (_claim_term(mechanism, item) for item in bounds), strict=True))
    return _written({**data, "claim": _claimed(claim), "sampled": data["proved"], "proved": proved})


_WORD = re.compile(r"\w+")


def with_names(data: Any, names: Mapping[str, str]) -> Any:
    """Texts, and what holds texts, with other names in the place of these."""
    if isinstance(data, dict):
        return {with_names(key, names): with_names(item, names) for key, item in data.items()}
    if isinstance(data, list):
        return [with_names(item, names) for item in data]
    return _WORD.sub(lambda word: names.get(word[0], word[0]), data) if isinstance(data, str) else data


def transferred(
    data: Mapping[str, Any],
    mechanism: ir.Mechanism,
    rewriting: Rewriting,
    claim: Claim,
    names: Mapping[str, str],
) -> str:
    """A certificate's derivation as one of a mechanism, with other names for some in it; it may be none.

    Raises Unwritable.
    """
    about = _about(mechanism, rewriting, claim)
    derived = {name: item for name, item in data.items() if name not in {*about, "steps"}}
    derived = with_names(derived, names)
    return _written({**about, **_renumbered(derived, _same_lines(data["program"]["text"], mechanism.source))})


def _same_lines(before: str, after: str) -> Mapping[int, int]:
    """The numbers of lines, and of those in their place in another text."""
    matcher = SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
    return {
        old + 1: new + 1
        for _, low, high, place, end in matcher.get_opcodes()
        for old, new in zip(range(low, high), range(place, end), strict=False)
        if high - low == end - place
    }


def _renumbered(data: Any, lines: Mapping[int, int]) -> Any:
    """The same with each rule's line in another text; without it where it isn't known."""
    if isinstance(data, list):
        return [_renumbered(item, lines) for item in data]
    if not isinstance(data, dict):
        return data
    line = {"line": lines.get(data["line"])} if "rule" in data and "line" in data else {}
    numbered = {name: _renumbered(item, lines) for name, item in data.items()} | line
    return {name: item for name, item in numbered.items() if name not in line or item is not None}


def rewritten_fields(found: Rewriting, lines: tuple[int, ...]) -> dict[str, Json]:
    """The core program of a mechanism with these lines, and the steps from it.  Raises Unwritable."""
    steps = _steps(found, lines)
    return {"core": write_core(found.core), **({"steps": steps} if steps else {})}


def _steps(found: Rewriting, lines: tuple[int, ...]) -> list[Json]:
    places = {number: place for place, number in enumerate(lines, 1)}
    return [{"step": item.rule, **_plain(item, places)} for item in found.steps]


def _plain(step: Step, places: Mapping[int, int]) -> dict[str, Json]:
    """The fields of a step; its lines are those of the text."""
    shown = {item.name: _listed(getattr(step, item.name)) for item in fields(step)}
    if isinstance(step, SameNoise | Fuse):
        shown["lines"] = [places.get(number, number) for number in step.lines]
    return shown


def _listed(value: Any) -> Json:
    return [_listed(item) for item in value] if isinstance(value, tuple) else value


def _lines(numbers: tuple[int, ...]) -> dict[str, Json]:
    return {"lines": [[*run] for run in runs_of(numbers)]} if numbers else {}


def _unread(numbers: tuple[int, ...]) -> dict[str, Json]:
    return {"unread": [[*run] for run in runs_of(numbers)]} if numbers else {}


def _stated(specification: Specification) -> Json:
    return cast(Json, specification.json())


def with_lines(document: str, numbers: tuple[int, ...], unread: tuple[int, ...]) -> str:
    """A certificate about the same text, of which the lines are elsewhere in their file, with others."""
    data = json.loads(document)
    program = {key: item for key, item in data["program"].items() if key not in ("lines", "unread")}
    return _written({**data, "program": {**_lines(numbers), **program, **_unread(unread)}})


def _written(data: dict[str, Json]) -> str:
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _costs(product: Product, plan: Plan) -> dict[str, Json]:
    """Per ghost, what one unit of it costs and how far it goes."""
    terms = ProgramTerms(product.mechanism)
    found: dict[str, dict[str, Json]] = {}
    for ghost, potential_cost in product.accounting.potential_costs.items():
        weight, bound = rational(potential_cost.weight), terms.public(potential_cost.potential.bound())
        found[str(ghost)] = {"sort": REAL, "weight": write(_public(product, weight)), "bound": write(bound)}
    for case, account in sorted(product.accounting.accounts.items(), key=lambda item: item[0]):
        if str(account.ghost) in found or account.ghost not in product.accounting.bounds:
            continue
        weight = plan.weights[case]
        if isinstance(account.amount, int):
            weight = weight / Rational.number(account.amount)
        elif isinstance(account.amount, tuple):
            weight = Rational.number(1)
        price = "square" if account.ghost in plan.squared else "weight"
        found[str(account.ghost)] = {
            "sort": INT if product.accounting.sorts[account.ghost].is_int_type() else REAL,
            price: write(_public(product, weight)),
            "bound": write(terms.public(product.accounting.bounds[account.ghost])),
        }
        if account.ghost in plan.masses:
            found[str(account.ghost)] |= {"delta": _mass(product, plan.masses[account.ghost])}
    for ghost, order in product.accounting.orders.items():
        found[str(ghost)]["order"] = list(order)
    return dict(found)


def _noise(product: Product, noise: Noise | None) -> dict[str, Json]:
    """What real Gaussian noise comes to; a part doesn't say what that costs."""
    if noise is None:
        return {}
    fields: dict[str, Json] = {"square": write(_public(product, noise.square))}
    if noise.notion is not None:
        fields["notion"] = noise.notion.value
    if noise.paid is not None:
        epsilon, delta = noise.paid
        fields |= {"epsilon": write(_public(product, epsilon)), "delta": _mass(product, delta)}
    return {"gaussian": fields}


def _mass(product: Product, item: Rational) -> str:
    return "0" if item.is_zero() else write(_public(product, item))


def _public(product: Product, item: Rational) -> Term:
    return ProgramTerms(product.mechanism).rational(item, _opaque(product.mechanism, product))


def _opaque(mechanism: ir.Mechanism, product: Product) -> dict[str, ir.Expression]:
    """What is no rational function, in scales and units, by its text."""
    scales, found = Scales(mechanism), product.accounting.opaque_definitions()
    for site in product.analysis.sites.values():
        match site:
            case _ if site.site in {*product.accounting.indexed, *product.accounting.weighings}:
                pass
            case ir.Draw(arguments=(_, price)) | ir.Choose(law=ir.Weights(rate=price)):
                try:
                    parts = opaque_parts(scales.resolve(price, site.span))
                except NotConstant:
                    continue
                found.update({**parts, **square_parts(parts)})
    found.update(product.strategy.opaque_definitions())
    for claim in (mechanism.epsilon, mechanism.delta):
        found.update({} if claim is None else opaque_parts(claim))
    for ratios in product.ratios.values():
        for cost in ratios.costs.values():
            found.update(opaque_parts(cost))
    for cases in product.strategy.cases.values():
        for case in cases:
            if case.bound is not None:
                found.update(opaque_parts(case.bound[1]))
    return found


def _own_factors(safety: Discharge) -> Iterator[Fraction]:
    return (value for item in safety.shown for value in item.factors)


def _factors(found: Sequence[Fraction]) -> dict[str, Json]:
    """Numbers that factors were found to be, as far as the program doesn't write them."""
    return {"factors": [str(value) for value in sorted(set(found))]} if found else {}


def _sizes(mechanism: ir.Mechanism, magnitudes: Sequence[ir.Expression]) -> Iterator[str]:
    return (write(ProgramTerms(mechanism).public(item)) for item in magnitudes)


def _own_sizes(mechanism: ir.Mechanism, safety: Discharge) -> Iterator[str]:
    return _sizes(mechanism, [item for shown in safety.shown for item in shown.magnitudes])


def _magnitudes(found: Sequence[str]) -> dict[str, Json]:
    """What the sizes of factors are compared with, if anything."""
    return {"magnitudes": list(dict.fromkeys(found))} if found else {}


def _safety(mechanism: ir.Mechanism, safety: Discharge) -> dict[str, Json]:
    """The invariants of single runs, by loop, and of the entries of lists; which obligations need them."""
    parts: dict[str, list[Term]] = {}
    for shown in safety.shown:
        for predicate in shown.system.predicates:
            called = input_names(mechanism)
            for item in mechanism.parameters:
                called.setdefault(item.name, start_name(item.name, 1))
            about = predicate.name.removeprefix("loop ").removeprefix("entries of ")
            for formal in predicate.formals:
                name, mark, _ = formal.symbol_name().rpartition("@")
                if mark:
                    called[formal.symbol_name()] = f"|{variable_name(name)}<1>|"
                elif about in mechanism.lists:
                    called.setdefault(formal.symbol_name(), f"|{formal.symbol_name()}|")
            called[f"{about}#real"] = "true"
            formula = Writer(called).term(shown.solution[predicate.name])
            if formula != "true":
                parts.setdefault(about, []).append(formula)
    invariants = {loop: write(conjunction(formulas)) for loop, formulas in sorted(parts.items())}
    by_state: dict[str, Json] = {"by_state": list(safety.by_state)} if safety.by_state else {}
    by_reals: list[Json] = [
        [number, [write(term) for term in given(mechanism, grounds, single=True)]]
        for number, grounds in safety.by_reals.items()
    ]
    return {"safety": dict(invariants), **by_state, **({"by_reals": by_reals} if by_reals else {})}


def _solver_versions() -> dict[str, str]:
    import cvc5
    import z3

    return {"cvc5": cvc5.__version__, "z3": z3.get_version_string()}
