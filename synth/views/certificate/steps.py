"""The derivation, paired with the statements of the program that its rules are about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from synth.trusted.core.reader import read_core
from synth.trusted.kernel.certificate import Certificate, Node
from synth.trusted.kernel.check import judged_mechanism
from synth.trusted.kernel.decoding import NO_MASS, SCHEMA, Formula
from synth.trusted.kernel.proof_state import begin
from synth.trusted.kernel.rules.laplace import COUPLINGS, NULL
from synth.trusted.kernel.rules.lifting import LIFT
from synth.trusted.kernel.rules.structural import RULES
from synth.trusted.kernel.rules.whole import judged_parts
from synth.trusted.logic.codes import Code
from synth.trusted.logic.encoding import entry_name, index_name
from synth.trusted.logic.inputs import SORTS
from synth.trusted.logic.rejection import Rejected
from synth.trusted.logic.terms import BOOL, INT, BadTerm, Term, read, sort_of, symbols
from synth.trusted.normal_form.decision_trees import Intractable
from synth.trusted.normal_form.output_distribution import OutputLaw, output_law
from synth.trusted.program import syntax as ir
from synth.trusted.reading import program_in
from synth.views.certificate.clauses import Known
from synth.views.certificate.infix import Infix
from synth.views.certificate.loop_counters import with_counters
from synth.views.certificate.names import Names

Pair = tuple[int, int]


@dataclass(frozen=True)
class Step:
    """A rule at a statement; ``bodies`` are the sequences that it has as premises."""

    node: Node
    statement: ir.Statement
    bodies: tuple[tuple[Step, ...], ...]

    @property
    def line(self) -> int | None:
        """The line of the program, None for a block."""
        return None if isinstance(self.statement, ir.Block) else self.statement.span.line

    @property
    def couplings(self) -> tuple[tuple[Term | None, Node], ...]:
        """The couplings of a draw with the condition of each; None: otherwise, or always."""
        if self.node.rule != "Case":
            return ((None, self.node),)
        whens = self.node.terms("when")
        if len(whens) + 1 != len(self.node.premises):
            raise self.node.reject(Code.NEEDS_COUPLINGS())
        return tuple(zip((*whens, None), self.node.premises, strict=True))

    @property
    def pairs(self) -> tuple[tuple[Pair, ...], dict[Pair, tuple[str, Term]]]:
        """[Chance]: the pairs of outcomes that are free, and those that are paid with cost and amount."""
        free = self.node.listed(tuple[int, int], "free")
        pays = self.node.listed(tuple[int, int, str, Formula], "pays")
        return free, {(i, j): (cost, amount) for i, j, cost, amount in pays if (i, j) not in free}


@dataclass(frozen=True)
class Reading:
    """A certificate that follows the schema, with its program; whether it proves anything is not known.

    With ``parts`` there are no steps of the whole; nor with a ``law``, where it is proved by [Lift].
    """

    certificate: Certificate
    mechanism: ir.Mechanism
    steps: tuple[Step, ...]
    known: Known
    parts: tuple[Reading, ...] = ()
    law: OutputLaw | None = None

    @cached_property
    def names(self) -> Names:
        """What symbols are called."""
        return Names(self.mechanism, self.certificate)

    def infix(self, shared: frozenset[str] = frozenset()) -> Infix:
        """The writer of terms where some variables agree in both runs."""
        return Infix(self.names, self.known, shared)

    def rewritten(self) -> tuple[str, ...]:
        """The rules of the steps from the core program to the one that is judged, each once."""
        return tuple(dict.fromkeys(step.rule for step in self.certificate.steps))

    @cached_property
    def added(self) -> tuple[str, ...]:
        """Variables that these steps have added to the program."""
        own = (
            read_core(self.certificate.core).variables if self.certificate.steps else self.mechanism.variables
        )
        return tuple(name for name in self.mechanism.variables if name not in own)

    def bounds(self) -> tuple[str, str]:
        """The ε and the δ that are proved."""
        epsilon, delta = self.certificate.proved.epsilon, self.certificate.proved.delta
        return self.infix().term(epsilon), self.infix().term(delta)

    def at_once(self) -> bool:
        """Whether something is lost by a coupling that is the same for every output."""
        loses = self.bounds()[1] != "0" or self.certificate.gaussian is not None
        return loses and not self.certificate.events

    def squares(self) -> str:
        """What all real Gaussian noise comes to; nothing if there is none."""
        noise = self.certificate.gaussian
        return "" if noise is None else self.infix().term(noise.square)

    def noise_paid(self) -> tuple[str, str] | None:
        """What real Gaussian noise costs; None where there is none, or where the whole pays for it."""
        noise = self.certificate.gaussian
        if noise is None or noise.epsilon == noise.delta == NO_MASS:
            return None
        return self.infix().term(noise.epsilon), self.infix().term(noise.delta)

    def index(self) -> list[str]:
        """What stands at the judgment: ε and δ, and squares that the whole pays for."""
        open_ = self.squares() if self.noise_paid() is None else ""
        return [*self.bounds(), *([f"μ^2 = {open_}"] if open_ else [])]

    def of_every_record(self) -> Reading:
        """What is derived: of a sample, what is said of the program that takes every record ([Mix])."""
        sampled = self.certificate.sampled
        if sampled is None:
            return self
        certificate = replace(self.certificate, proved=sampled, sampled=None)
        return replace(
            self,
            certificate=certificate,
            mechanism=replace(self.mechanism, name=f"{self.mechanism.name}.every"),
        )

    def all_steps(self) -> Iterator[Step]:
        """All steps in the order of the program."""
        yield from walk(self.steps)
        for part in self.parts:
            yield from part.all_steps()

    def observable_branches(self) -> Iterator[ir.If]:
        """The branches that are part of the output."""
        for step in self.all_steps():
            if isinstance(step.statement, ir.If) and step.node.fields.get("publish") is True:
                yield step.statement

    def around(self, place: str) -> Reading:
        """The part that a place of the certificate is in, or the whole."""
        for number, part in enumerate(self.parts):
            if place.startswith(f"parts.{number}."):
                return part
        return self

    def output_names(self) -> tuple[str, ...]:
        """What is returned, by name where it has one."""
        (*_, returned) = (item for item in ir.statements(self.mechanism.body) if isinstance(item, ir.Return))
        scalars = [item.name for item in returned.values if isinstance(item, ir.Variable)]
        return tuple(self.names.variable(name) for name in (*scalars, *returned.lists))


def reading(certificate: Certificate) -> Reading:
    """The certificate with its program.  Raises Rejected if they don't fit, or a term means nothing."""
    judged = judged_mechanism(certificate)
    source = program_in(
        certificate.program.text,
        certificate.program.mechanism,
        certificate.program.lines,
        certificate.program.specification,
    )
    mechanism = judged if source is None else with_counters(judged, source)
    if not certificate.parts:
        return _reading(certificate, mechanism)
    pieces = zip(certificate.parts, judged_parts(mechanism, certificate), strict=True)
    inner = [
        _reading(part, replace(piece, name=f"{mechanism.name}.{number}"))
        for number, (part, piece) in enumerate(pieces, 1)
    ]
    known = _known(mechanism, certificate)
    _check_terms(certificate, (), known)
    return Reading(certificate, mechanism, (), known, tuple(inner))


def _reading(certificate: Certificate, mechanism: ir.Mechanism) -> Reading:
    law = _law(certificate, mechanism)
    steps = _sequence(certificate.derivation, mechanism.body) if law is None else ()
    known = _known(mechanism, certificate)
    _check_terms(certificate, steps, known)
    return Reading(certificate, mechanism, steps, known, law=law)


def _law(certificate: Certificate, mechanism: ir.Mechanism) -> OutputLaw | None:
    """The chances that [Lift] compares; None for a derivation by other rules."""
    if certificate.derivation.rule != LIFT:
        return None
    try:
        return output_law(mechanism)
    except Intractable:
        raise certificate.derivation.reject(Code.NO_OUTPUT_CHANCES()) from None


def walk(steps: tuple[Step, ...]) -> Iterator[Step]:
    """These steps and all below them."""
    for step in steps:
        yield step
        for body in step.bodies:
            yield from walk(body)


def _sequence(node: Node, body: tuple[ir.Statement, ...]) -> tuple[Step, ...]:
    if node.rule != "Seq" or len(node.premises) != len(body):
        raise node.reject(Code.WRONG_SEQUENCE(count=len(body)))
    return tuple(_step(inner, statement) for inner, statement in zip(node.premises, body, strict=True))


def _step(node: Node, statement: ir.Statement) -> Step:
    if node.rule not in RULES:
        raise node.reject(Code.NO_SUCH_RULE())
    if not isinstance(statement, RULES[node.rule][0]):
        raise node.reject(Code.WRONG_STATEMENT(statement=type(statement).__name__))
    match statement:
        case ir.If(then=then, otherwise=otherwise) if node.rule == "Cond":
            return Step(node, statement, _bodies(node, then, otherwise))
        case ir.Loop(body=body) | ir.Block(body=body):
            return Step(node, statement, _bodies(node, body))
        case ir.Draw(distribution=distribution):
            step = Step(node, statement, ())
            for _, leaf in step.couplings:
                if leaf.rule not in COUPLINGS or COUPLINGS[leaf.rule][0] != distribution:
                    raise leaf.reject(Code.NO_COUPLING(distribution=distribution))
            return step
        case ir.Choose(law=law):
            if isinstance(law, ir.Chances) != (node.rule == "Chance"):
                code = Code.CHOOSES_BY_CHANCES if isinstance(law, ir.Chances) else Code.CHOOSES_BY_WEIGHTS
                raise node.reject(code())
            return Step(node, statement, ())
        case _:
            return Step(node, statement, ())


def _bodies(node: Node, *bodies: tuple[ir.Statement, ...]) -> tuple[tuple[Step, ...], ...]:
    if len(node.premises) != len(bodies):
        raise node.reject(Code.NEEDS_PREMISES(count=len(bodies)))
    return tuple(_sequence(inner, body) for inner, body in zip(node.premises, bodies, strict=True))


# --- terms ----------------------------------------------------------------------------------


def _known(mechanism: ir.Mechanism, certificate: Certificate) -> Known:
    """The symbols that the certificate's formulas may hold."""
    found = dict(begin(mechanism, certificate).vocabulary)
    for name in {*certificate.entries, *certificate.safety} & mechanism.lists.keys():
        found[index_name(name)] = (), INT
        for place, sort in enumerate(mechanism.lists[name].components):
            found |= {entry_name(name, place, run): ((), SORTS[sort]) for run in (1, 2)}
    return found


def _check_terms(certificate: Certificate, steps: tuple[Step, ...], known: Known) -> None:
    for place, term in (*_formulas(certificate, steps), *_terms(certificate, steps)):
        unknown = next((name for name in symbols(term) if name not in known), None)
        if unknown is not None:
            raise Rejected(SCHEMA, place, Code.UNKNOWN_SYMBOL(name=unknown))
    for place, formula in _formulas(certificate, steps):
        try:
            if sort_of(formula, known) != BOOL:
                raise BadTerm(Code.NOT_A_FORMULA())
        except BadTerm as error:
            raise Rejected(SCHEMA, place, error.why) from None


def _formulas(certificate: Certificate, steps: tuple[Step, ...]) -> Iterator[tuple[str, Term]]:
    yield from ((f"safety.{loop}", term) for loop, term in certificate.safety.items())
    yield from ((f"entries.{name}", term) for name, term in certificate.entries.items())
    for step in walk(steps):
        for field in ("invariant", "facts", "when"):
            yield from ((step.node.place, term) for term in step.node.terms(field))


_NUMBERS = ("k", "within", "amount", "narrowed", "gap")


def _terms(certificate: Certificate, steps: tuple[Step, ...]) -> Iterator[tuple[str, Term]]:
    yield "proved.epsilon", certificate.proved.epsilon
    yield "proved.delta", certificate.proved.delta
    if (sampled := certificate.sampled) is not None:
        yield from (("sampled", term) for term in (sampled.epsilon, sampled.delta))
    if (noise := certificate.gaussian) is not None:
        yield from (("gaussian", term) for term in (noise.square, noise.epsilon, noise.delta))
    for name, cost in certificate.costs.items():
        prices = (cost.weight, cost.delta) if cost.square is None else (cost.square,)
        yield from ((f"costs.{name}", term) for term in (cost.bound, *prices))
    for step in walk(steps):
        if isinstance(step.statement, ir.Draw):
            match step.node.fields.get("tail"):
                case [_, str(limit), _]:
                    yield step.node.place, read(limit)
            for _, leaf in step.couplings:
                fields = [name for name in _NUMBERS if leaf.fields.get(name, NULL) != NULL]
                yield from ((leaf.place, leaf.term(name)) for name in fields)
                ends = (end for name in ("from", "to") for end in leaf.terms(name))
                yield from ((leaf.place, end) for end in ends)
        elif step.node.rule == "Chance":
            yield from ((step.node.place, amount) for _, amount in step.pairs[1].values())
        elif step.node.rule == "Weigh":
            names = [name for name in ("floor", "gain", "step") if name in step.node.fields]
            yield from ((step.node.place, step.node.term(name)) for name in names)
        elif step.node.rule == "Choice":
            fields = [name for name in ("within", "amount") if name in step.node.fields]
            yield from ((step.node.place, step.node.term(name)) for name in fields)
