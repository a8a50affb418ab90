"""What a proof of a mechanism assumes, in one sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from synth.trusted.program import syntax as ir
from synth.trusted.program.beside import STUB
from synth.trusted.program.line_numbers import runs_of
from synth.trusted.program.printing import text
from synth.views.ending_texts import telling_lines

NOT_OBSERVED = "that whether a run terminates is not observed"
_IDEALIZED = "exact arithmetic (ideal reals, unbounded integers) and exact sampling"
OF_EVERY_PROOF = f"The proof assumes {_IDEALIZED}."
_TAILS = "the tails of normal noise as in Balle & Wang 2018, Thm. 8, and CertiPriv [norm]"
NOTHING_PRIVATE = "no parameter is private, since 'adjacent' names none: adjacent inputs are the same"
"""The remark on a mechanism of which nothing is said."""


def assumptions(mechanism: ir.Mechanism) -> str:
    """The sentence; whether it ends may still be shown, see :func:`may_not_end`."""
    parts = [_IDEALIZED]
    if any(
        isinstance(item, ir.Draw) and item.distribution == "gaussian"
        for item in ir.statements(mechanism.body)
    ):
        parts.append(_TAILS)
    if may_not_end(mechanism):
        parts.append(NOT_OBSERVED)
    parts += inputs_assumed(mechanism)
    parts += [f"that {item}" for item in models(mechanism)]
    stated = "; ".join(dict.fromkeys(fact.text for fact in mechanism.facts))
    parts += [f"of its functions, for all integers: {stated}"] if stated else []
    sentence = f"The proof assumes {', and '.join(parts)}."
    return " ".join([sentence, *_of_the_file(mechanism)])


def inputs_assumed(mechanism: ir.Mechanism) -> tuple[str, ...]:
    """Of which inputs something is claimed, beside those that ``requires`` names."""
    raising = [
        f"that {text(item.condition)} (line {item.span.line} raises otherwise)"
        for item in mechanism.preconditions
    ]
    domains = [f"inputs with {text}" for text in dict.fromkeys(item.text for item in mechanism.domains)]
    arrays = [
        f"that '{name}' has one dimension and entries of float64, which its type leaves open"
        for name in mechanism.open_arrays
    ]
    sources = [
        f"that nobody knows what '{name}' will draw, nor draws it elsewhere" for name in mechanism.sources
    ]
    absent = [f"that calls leave '{name}' out" for name in mechanism.left_out]
    called = [
        f"that '{item.name}' only computes, and shows nobody what it is given"
        for item in mechanism.visible
        if item.kind is ir.ParameterKind.FUNCTION and item.metric is None
    ]
    owner, of_method, _ = mechanism.name.rpartition(".")
    kept = [f"that nobody looks at what the object of '{owner}' holds after this call"] if of_method else []
    raised = [f"that nobody sees what line {line} raises" for line in telling_lines(mechanism)]
    return (*raising, *domains, *arrays, *sources, *absent, *called, *kept, *raised, *_imported(mechanism))


def _imported(mechanism: ir.Mechanism) -> Iterator[str]:
    """What is assumed of how a module of a package is run."""
    module = "" if mechanism.specification is None else mechanism.specification.module
    package = module.partition(".")[0]
    if module:
        yield (
            f"that the file is imported as '{module}', not run by its path, and that files of '{package}' "
            "that are not read change nothing that is used"
        )


def nothing_private(mechanism: ir.Mechanism) -> tuple[str, ...]:
    """The remark on a mechanism that says nothing."""
    private = any(item.metric for item in mechanism.parameters)
    return () if private else (NOTHING_PRIVATE,)


def assumptions_of_witness(mechanism: ir.Mechanism) -> str | None:
    """What a refutation assumes of libraries, and of lines that are not read; None for neither."""
    known = models(mechanism)
    parts = [f"The witness assumes that {', and that '.join(known)}."] if known else []
    parts += _of_the_file(mechanism)
    return " ".join(parts) or None


def _of_the_file(mechanism: ir.Mechanism) -> Iterator[str]:
    """What is said of lines that show something, and of those that aren't read."""
    if mechanism.shown:
        verb = "prints" if len(mechanism.shown) == 1 else "print"
        yield f"What {_lines(mechanism.shown)} {verb} is part of the output."
    if mechanism.unread:
        yield _sentence(unread_text(mechanism.unread))


def _lines(lines: tuple[int, ...]) -> str:
    shown = [f"{first}-{last}" if last > first else str(first) for first, last in runs_of(lines)]
    named = " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))
    return f"line{'' if len(lines) == 1 else 's'} {named}"


def unread_text(lines: tuple[int, ...]) -> str:
    """What is assumed of lines of the file that aren't read."""
    verb, it = ("is", "it is") if len(lines) == 1 else ("are", "they are")
    return f"{_lines(lines)} {verb} not read: {it} assumed to change nothing that is used"


def specification_text(stated: Mapping[str, object]) -> str:
    """What is stated beside a function, in one line."""
    said = {key: value for key, value in stated.items() if key not in ("files", "module")}
    files = stated.get("files", {})
    read = [f"read with {', '.join(files)}"] if isinstance(files, Mapping) and files else []
    read += [f"read as the module {stated['module']}"] if stated.get("module") else []
    return "; ".join([*(f"{key} = {_stated(value)}" for key, value in said.items()), *read])


def _stated(value: object) -> str:
    match value:
        case Mapping():
            return ", ".join(f"{name}: {text}" for name, text in value.items())
        case list():
            return ", ".join(map(str, value))
        case _:
            return str(value)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def models(mechanism: ir.Mechanism) -> tuple[str, ...]:
    """What is assumed of libraries, in sentences without their ends: of functions, and by stubs of the user.

    A stub says more than what its functions do: what a class has, and which name stands for what.
    """
    files = () if mechanism.specification is None else mechanism.specification.files
    own = (name.removeprefix(STUB) for name, _ in files if name.startswith(STUB))
    return (
        *map(_model, mechanism.models),
        *(f"the library is what the stub stubs/{path} says" for path in own),
    )


def _model(item: ir.Model) -> str:
    floats = "; the real one computes in floating point" if item.floating else ""
    return f"{_public_name(item.function)} {item.says} (stub {item.stub}{floats})"


def _public_name(function: str) -> str:
    """The name that users import: without modules that only serve others."""
    return ".".join(part for part in function.split(".") if not part.startswith("_"))


def may_not_end(mechanism: ir.Mechanism) -> bool:
    """Whether the program has something that may keep a run from an output."""
    return any(
        isinstance(item, ir.Assume) or (isinstance(item, ir.Loop) and item.count is None)
        for item in ir.statements(mechanism.body)
    )
