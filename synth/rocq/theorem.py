"""The theorem of a Rocq file: what is known of two adjacent inputs, for a proof about them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from synth.rocq.formulas import is_same
from synth.rocq.refusal import Inexpressible
from synth.rocq.statement import expression, names_of, rocq_name, type_of
from synth.trusted.program import syntax as ir

_SEQUENCE, _FUNCTION, _SCALAR = ir.ParameterKind.SEQUENCE, ir.ParameterKind.FUNCTION, ir.ParameterKind.SCALAR
_NEAR = {
    (ir.MetricKind.LINF, _SEQUENCE, ir.Sort.INT, False): "linf",
    (ir.MetricKind.LINF, _SEQUENCE, ir.Sort.INT, True): "linf_monotone",
    (ir.MetricKind.CHANGE_ONE, _SEQUENCE, ir.Sort.INT, False): "change_one",
    (ir.MetricKind.CHANGE_ONE, _SEQUENCE, ir.Sort.BOOL, False): "change_one_truth",
    (ir.MetricKind.CHANGE_ONE, _SEQUENCE, ir.Sort.REAL, False): "change_one_reals",
    (ir.MetricKind.LINF, _SEQUENCE, ir.Sort.REAL, False): "linf_reals",
    (ir.MetricKind.LINF, _SEQUENCE, ir.Sort.REAL, True): "linf_monotone_reals",
    (ir.MetricKind.LINF, _FUNCTION, ir.Sort.REAL, False): "linf_real_table",
    (ir.MetricKind.L1, _SEQUENCE, ir.Sort.INT, False): "l1",
    (ir.MetricKind.L1, _SEQUENCE, ir.Sort.REAL, False): "l1_reals",
    (ir.MetricKind.L1, _SEQUENCE, ir.Sort.BOOL, False): "l1_truths",
    (ir.MetricKind.LINF, _FUNCTION, ir.Sort.INT, False): "linf_table",
    (ir.MetricKind.LINF, _FUNCTION, ir.Sort.INT, True): "linf_monotone_table",
    (ir.MetricKind.ABSOLUTE, _SCALAR, ir.Sort.INT, False): "absolute",
    (ir.MetricKind.ABSOLUTE, _SCALAR, ir.Sort.REAL, False): "absolute_real",
}
"""What the lemmas about a distance are called."""

_HIDDEN: dict[str | None, tuple[tuple[str, str], ...]] = {
    "linf_monotone": (("upward", "bool"),),
    "linf_monotone_reals": (("upward", "bool"),),
    "linf_monotone_table": (("upward", "bool"),),
    "change_one": (("changed", "Z"), ("change", "Z")),
    "change_one_truth": (("changed", "Z"),),
    "change_one_real": (("changed", "Z"),),
    "change_one_reals": (("changed", "Z"), ("change", "R")),
}
"""Variables of the proof, with their types, that say how an input differs."""

_INFIX = {ir.Operator.ADD: "+", ir.Operator.MULTIPLY: "*"}
_PREDICATES: dict[str | None, str] = {
    "linf_monotone": "ordered",
    "linf_monotone_reals": "ordered_reals",
    "linf_monotone_table": "ordered_table",
    "change_one": "changes_at",
    "change_one_truth": "flips_at",
    "change_one_real": "changes_real_at",
    "change_one_reals": "changes_real_by",
}


@dataclass(frozen=True)
class Theorem:
    """That a mechanism is private, with the variables of its proof."""

    mechanism: ir.Mechanism

    def beginning(self) -> Iterator[str]:
        """The inputs of both runs, and how they differ."""
        parameters = self.mechanism.parameters
        yield "Section Proof."
        for item in parameters:
            for name in dict.fromkeys(names_of(item)):
                yield f"Variable {name} : {type_of(item)}."
        for item in parameters:
            for name, kind in _HIDDEN.get(_metric(item), ()):
                yield f"Variable {name}_{rocq_name(item.name)} : {kind}."
        yield ""

    def proof(self, body: Sequence[str]) -> Iterator[str]:
        """``Theorem private : statement``; ``body`` proves the claim where distances are known."""
        parameters = self.mechanism.parameters
        near = [item for item in parameters if _is_near(item)]
        hidden = [(item, _HIDDEN[found]) for item in near if (found := _metric(item)) in _HIDDEN]
        arguments = " ".join(name for item in parameters for name in dict.fromkeys(names_of(item)))
        intros = " ".join(f"near_{rocq_name(item.name)}" for item in near) + " required"
        goals = "".join(f"{self._hidden(item)} -> " for item, _ in hidden)
        yield f"Lemma coupling : {goals}claim {arguments}."
        yield "Proof."
        begin = "".join(f"intros hidden_{rocq_name(item.name)}. " for item, _ in hidden)
        yield f"  {begin}unfold claim, input. intros {intros}."
        yield "  look_up required."
        for item in near:
            name = rocq_name(item.name)
            if _metric(item) in _HIDDEN:
                if item.sort is ir.Sort.REAL:
                    yield f"  unfold input in hidden_{name}. look_up hidden_{name}."
                yield f"  clear near_{name}. unfold {_PREDICATES[_metric(item)]} in hidden_{name}."
            elif is_same(item):
                lemma = "linf_same_reals" if item.sort is ir.Sort.REAL else "linf_same"
                yield f"  look_up near_{name}. rewrite ({lemma} _ _ near_{name})."
            elif item.sort is ir.Sort.REAL:
                yield f"  look_up near_{name}. near_real {self._lemma(item)} near_{name}."
            else:
                yield f"  look_up near_{name}. near {self._lemma(item)} near_{name}."
        yield "  split_all."
        yield from (f"  {line}" for line in body)
        yield "Qed."
        yield "End Proof."
        yield ""
        yield "Theorem private : statement."
        if not hidden:
            yield "Proof. exact coupling. Qed."
            yield ""
            return
        yield f"Proof. unfold statement, claim. intros {arguments} {intros}."
        for item, names in hidden:
            known = (
                f"pose proof {self._lemma(item)} as E; pose proof required as R; unfold input in R; look_up R"
            )
            whole = item.sort is ir.Sort.BOOL or (item.metric is not None and item.metric.bound is None)
            real = item.sort is ir.Sort.REAL
            settled = "unfold input in E; look_up E; settle_real E" if real else "settle E"
            bound = "" if whole else f"; {settled}"
            patterns = "".join(f"[{name} " for name, _ in names) + "H" + "]" * len(names)
            yield f"  {known}{bound}. destruct E as {patterns}."
            yield "  eapply coupling; eassumption."
        yield "Qed."
        yield ""

    def _hidden(self, item: ir.Parameter) -> str:
        """What is known of the variables of the proof that say how an input differs."""
        one, two = names_of(item)
        metric = _metric(item)
        names = " ".join(f"{name}_{rocq_name(item.name)}" for name, _ in _HIDDEN[metric])
        assert item.metric is not None
        if item.sort is ir.Sort.BOOL:
            return f"flips_at {names} {one} {two}"
        if item.metric.bound is None:
            return f"{_PREDICATES[metric]} {names} {one} {two}"
        if item.sort is ir.Sort.REAL:
            run = " ".join(names_of(other)[0] for other in self.mechanism.parameters)
            limit = f"(eval (input {run}) {expression(item.metric.bound)})"
            if item.metric.monotone:
                return f"{_PREDICATES[metric]} {limit} {names} {one} {two}"
            change = f"change_{rocq_name(item.name)}"
            return f"((- {limit} <= {change} <= {limit}) /\\ changes_real_by {names} {one} {two})"
        bound = self._whole(item.metric.bound)
        if item.metric.monotone:
            return f"{_PREDICATES[metric]} ({bound})%Z {names} {one} {two}"
        return f"((Z.abs change_{rocq_name(item.name)} <= {bound})%Z /\\ changes_at {names} {one} {two})"

    def _lemma(self, item: ir.Parameter) -> str:
        """The distance of the entries as one of integers."""
        lemma = _metric(item)
        if lemma is None or item.metric is None:
            raise Inexpressible(f"the distance of '{item.name}' has no form in a proof in Rocq yet")
        if lemma == "change_one_truth":
            return f"({lemma}_Z _ _ near_{rocq_name(item.name)})"
        if item.metric.bound is None:
            return f"({lemma}_any_Z _ _ near_{rocq_name(item.name)})"
        if item.sort is ir.Sort.REAL:
            return f"(fun E => {lemma}_R _ _ _ E near_{rocq_name(item.name)})"
        bound = self._whole(item.metric.bound)
        return f"(fun E F => {lemma}_Z _ _ _ ({bound})%Z E F near_{rocq_name(item.name)})"

    def _whole(self, bound: ir.Expression) -> str:
        """A real that is an integer, as that integer."""
        match bound:
            case ir.Constant(value=constant) if constant == int(constant):
                return str(int(constant))
            case ir.Operation(operator=ir.Operator.TO_REAL, operands=(inner,)):
                return self._whole(inner)
            case ir.Variable(name=name, sort=ir.Sort.INT):
                return f"{name}_"
            case ir.Operation(operator=operator, operands=operands) if operator in _INFIX:
                return f"({f' {_INFIX[operator]} '.join(map(self._whole, operands))})"
        raise Inexpressible("a distance that is no integer has no form in Rocq yet")


def _is_near(item: ir.Parameter) -> bool:
    return item.metric is not None and item.metric.kind is not ir.MetricKind.DISCRETE


def _metric(item: ir.Parameter) -> str | None:
    """What the lemmas about its distance are called, if there are any."""
    if item.metric is None:
        return None
    found = _NEAR.get((item.metric.kind, item.kind, item.sort, item.metric.monotone))
    if item.arity == 2:
        return "linf_table2" if found == "linf_table" else None
    return "change_one_real" if found == "change_one_reals" and item.metric.bound is None else found
