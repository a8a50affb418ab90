"""What is proved, in words: the judgment, adjacency, and the names that the program doesn't have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from synth.trusted.program import syntax as ir
from synth.views.certificate.names import INDEX
from synth.views.certificate.outcomes import renamed
from synth.views.certificate.phrases import Code, Math, Phrase
from synth.views.certificate.steps import Reading

SQUARES = Math("(distance/sigma)^2")

# --- the judgment ---------------------------------------------------------------------------


def judgment(reading: Reading) -> Math:
    """What is proved."""
    name = reading.mechanism.name
    return Math(f"⊢ {name} ~⟨{', '.join(reading.index())}⟩ {name} : adjacent ⇒ out⟨1⟩ = out⟨2⟩")


def claim(reading: Reading) -> Iterator[Phrase]:
    """What was claimed of the program, if anything; it follows by [Conseq]."""
    mechanism, sampled = reading.mechanism, reading.certificate.sampled
    if sampled is not None:
        every = reading.of_every_record()
        said = "a sample: what is derived below is about every record, "
        less = "; a coin decides of each record whether it is taken, which costs less, by [Mix]"
        yield said, Math(every.mechanism.name), ", which costs ", _cost(every), less
    bounds = {"epsilon": mechanism.epsilon, "delta": mechanism.delta}
    if mechanism.divergence is not None:
        bounds[mechanism.divergence.notion.value] = mechanism.divergence.bound
    for name, bound in bounds.items():
        if bound is not None:
            yield f"{name} ", Code(reading.names.code(bound)), ", by [Conseq]"


def rewritten(reading: Reading) -> Iterator[Phrase]:
    """That the argument is about the program behind the certificate's steps, if there are any."""
    if reading.rewritten():
        said = "the argument is about the program behind the steps "
        yield said, ", ".join(reading.rewritten()), ", which keep the law of the output"


def _cost(reading: Reading) -> Math:
    epsilon, delta = reading.bounds()
    return Math(epsilon if delta == "0" else f"({epsilon}, {delta})")


def composition(reading: Reading) -> Phrase:
    """That the parts of a program are proved one by one, and their bounds added."""
    several = len(reading.parts) > 1
    said: list[str | Math | Code] = [
        "The parts run one after the other ([Compose])" if several else "The mechanism is one part"
    ]
    for part in reading.parts:
        said += ["; ", Math(part.mechanism.name), ", at cost ", _cost(part)]
        if part.certificate.retried:
            said += [
                ", counted twice: it is one round of a loop that is repeated until a round is kept ([Until])"
            ]
        if part.squares():
            said += [", with ", Math(f"μ^2 = {part.squares()}")]
        if part is not reading.parts[-1]:
            said += [", hands on ", Math(", ".join(part.output_names()) or "nothing")]
    handed = ". What is handed on is public to the parts behind it." if several else "."
    return *said, handed, *_noise_of_parts(reading)


def _noise_of_parts(reading: Reading) -> Phrase:
    paid = reading.noise_paid()
    if paid is None:
        return ()
    return " Their μ^2 sum up to at most ", Math(reading.squares()), ", which costs ", Math(_pair(*paid))


def _pair(epsilon: str, delta: str) -> str:
    return f"({epsilon}, {delta})"


def adjacency(reading: Reading) -> Iterator[Phrase]:
    """What ``adjacent`` says of the two inputs."""
    requires = reading.mechanism.requires
    if requires != ir.Constant(True, requires.sort):
        yield (Code(reading.names.code(requires)),)
    yield from (_adjacent(reading, item) for item in reading.mechanism.parameters if item.metric)
    yield from map(_records, reading.mechanism.records)
    for text in dict.fromkeys(item.text for item in reading.mechanism.domains):
        yield "of inputs with ", Code(text), "; others count as the nearest inside"
    for text in dict.fromkeys(fact.text for fact in reading.mechanism.facts):
        yield "assumed for all integers: ", Code(text)
    if reading.mechanism.ghosts:
        yield (
            "for some ",
            Math(", ".join(sorted(reading.mechanism.ghosts))),
            ", of which the assumptions speak",
        )
    public = [item.name for item in reading.mechanism.visible if item.metric is None]
    public += [f"len({i.name})" for i in reading.mechanism.parameters if i.kind is ir.ParameterKind.SEQUENCE]
    if public:
        yield "the same in both runs: ", Math(", ".join(public))


def _records(records: ir.Records) -> Phrase:
    """What a list of the program is, by the parameters that stand for it."""
    columns = Math(", ".join(records.columns))
    if records.present is not None:
        flag = Math(f"{records.present}[{INDEX}]")
        return (
            "the list ",
            Math(records.name),
            " has the entries of ",
            columns,
            " for which ",
            flag,
            " is true",
        )
    if records.chosen is not None:
        flag, others = Math(f"{records.chosen}[{INDEX}]"), Math(", ".join(records.others))
        return (
            "the list ",
            Math(records.name),
            " has the entries of ",
            columns,
            "; of ",
            others,
            " where ",
            flag,
        )
    return "the list ", Math(records.name), " has the entries of ", columns


def _adjacent(reading: Reading, item: ir.Parameter) -> Phrase:
    assert item.metric is not None
    indices = ", ".join(INDEX + "′" * place for place in range(item.arity))
    entry = reading.names.entry(item.name, indices) if item.arity else item.name
    left, right = f"{entry}⟨1⟩", f"{entry}⟨2⟩"
    bound = reading.names.code(item.metric.bound) if item.metric.bound is not None else ""
    everywhere = (f" for all {indices}",) if item.arity else ()
    match item.metric.kind:
        case ir.MetricKind.DISCRETE:
            return Math(f"{item.name}⟨1⟩"), " and ", Math(f"{item.name}⟨2⟩"), " are any two values"
        case ir.MetricKind.L1:
            return "the sum of all ", Math(f"|{left} − {right}|"), " is at most ", Math(bound)
        case ir.MetricKind.L2:
            return "the sum of all ", Math(f"({left} − {right})²"), " is at most the square of ", Math(bound)
        case ir.MetricKind.CHANGE_ONE if not bound:
            return Math(left), " and ", Math(right), f" are any two values for one {indices}, else equal"
        case ir.MetricKind.CHANGE_ONE:
            return Math(f"|{left} − {right}| ≤ {bound}"), f" for one {indices}, and 0 for all others"
        case _ if item.metric.monotone:
            rising, falling = (Math(f"0 ≤ {a} − {b} ≤ {bound}") for a, b in ((right, left), (left, right)))
            return rising, *everywhere, ", or ", falling, *everywhere
        case _:
            return Math(f"|{left} − {right}| ≤ {bound}"), *everywhere


# --- names ----------------------------------------------------------------------------------


def notes(reading: Reading) -> Iterator[tuple[Math, Phrase]]:
    """The names that the program doesn't have, and what they mean."""
    yield Math(reading.names.output), output(reading)
    yield from _costs(reading)
    yield from _events(reading)
    yield from _hidden(reading)
    for draw in ir.statements(reading.mechanism.body):
        if isinstance(draw, ir.Choose):
            yield from renamed(reading, draw)
    for item in reading.mechanism.parameters:
        yield from _aspects(item)


def _costs(reading: Reading) -> Iterator[tuple[Math, Phrase]]:
    infix = reading.infix()
    for name, cost in reading.certificate.costs.items():
        if cost.square is not None:
            unit, most = Math(infix.term(cost.square)), Math(infix.term(cost.bound))
            said: Phrase = "the sum of ", SQUARES, " of Gaussian noise so far, in units of ", unit
            yield Math(reading.names.ghosts[name]), (*said, "; at the end at most ", most)
            continue
        unit, lost = Math(infix.term(cost.weight)), infix.term(cost.delta)
        paid: Phrase = ("what is paid so far, in nats",)
        when = "at the end"
        if lost != "0":
            unit, when = Math(f"({unit.text}, {lost})"), "wherever it grows"
        if unit.text != "1":
            paid = "what is paid so far, in units of ", unit
        yield Math(reading.names.ghosts[name]), (*paid, f"; {when} at most ", Math(infix.term(cost.most)))
    if reading.squares():
        price: Phrase = ("; the whole program pays for it",)
        if (pair := reading.noise_paid()) is not None:
            price = "; it costs ", Math(_pair(*pair))
        sums: Phrase = ", the most that ", SQUARES, " sums up to, over all Gaussian noise"
        yield Math("μ^2"), (Math(reading.squares()), *sums, *price)


def _events(reading: Reading) -> Iterator[tuple[Math, Phrase]]:
    says: Phrase = ", as ", Math(reading.names.output), " says"
    for name in reading.certificate.events:
        kind, source, _ = name.removeprefix("next#").split(".", 2)
        shown = Math(reading.names.ghosts[name])
        if kind == "branch":
            line = reading.names.branches[int(source)].span.line
            yield shown, (f"which way run 1 goes in line {line} the next time", *says)
        elif kind == "append":
            yield shown, (f"what run 1 appends to {reading.names.variable(source)} next", *says)


def output(reading: Reading) -> Phrase:
    """What b stands for."""
    lines = sorted({branch.span.line for branch in reading.observable_branches()})
    if not lines:
        return ("the output of run 1",)
    return (f"the output of run 1, with which way it goes in {in_lines(lines)}",)


def in_lines(lines: Sequence[int]) -> str:
    """``line 14``, ``lines 14, 16 and 20``."""
    *some, last = map(str, lines)
    return f"lines {', '.join(some)} and {last}" if some else f"line {last}"


def _hidden(reading: Reading) -> Iterator[tuple[Math, Phrase]]:
    everything = list(ir.statements(reading.mechanism.body))
    for name in reading.names.hidden:
        for item in everything:
            if isinstance(item, ir.Loop) and item.counter == name:
                meaning = f"the finished iterations of the loop in line {item.span.line}"
                yield Math(reading.names.variable(name)), (meaning,)
            if isinstance(item, ir.Draw | ir.Choose) and item.target == name:
                yield Math(reading.names.variable(name)), (f"the draw in line {item.span.line}",)
        if name in reading.added and reading.mechanism.variables[name] is ir.Sort.BOOL:
            yield Math(reading.names.variable(name)), ("a flag that the steps have added",)


def _aspects(item: ir.Parameter) -> Iterator[tuple[Math, Phrase]]:
    if item.metric is None:
        return
    entry = f"{item.name}[{INDEX}]"
    if item.metric.kind is ir.MetricKind.CHANGE_ONE:
        place = f"{item.name}[{item.name}.changed]"
        yield Math(f"{item.name}.changed"), ("the index at which the runs differ",)
        yield Math(f"{item.name}.change"), (Math(f"{place}⟨2⟩ − {place}⟨1⟩"),)
    if item.metric.kind is ir.MetricKind.L2:
        part = "the part of the squared distance that an entry has"
        yield Math(f"{item.name}.share"), (part,)
        yield Math(f"{item.name}.spent"), ("the sum of ", Math(f"{item.name}.share"), " over what was read")
        yield Math(f"{item.name}.latest"), ("the largest index that was read, −1 at the start",)
    if item.metric.kind is ir.MetricKind.L1:
        yield (
            Math(f"{item.name}.spent"),
            ("the sum of ", Math(f"|{entry}⟨1⟩ − {entry}⟨2⟩|"), " over what was read"),
        )
        yield Math(f"{item.name}.latest"), ("the largest index that was read, −1 at the start",)
