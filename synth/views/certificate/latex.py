r"""``synth export --to latex``: a document with the argument in sentences and the rules as figures.

It compiles with pdflatex and needs amsmath, amssymb and geometry only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from string import Template

from synth.trusted.kernel.certificate import Program
from synth.trusted.program import syntax as ir
from synth.views.certificate.argument import argument
from synth.views.certificate.explaining import adjacency, claim, composition, notes, rewritten
from synth.views.certificate.figures import Figures
from synth.views.certificate.outcomes import chanced, drawn, weighing, weighted
from synth.views.certificate.output_chances import chances
from synth.views.certificate.phrases import Code, Math, Phrase
from synth.views.certificate.references import references
from synth.views.certificate.steps import Reading, Step
from synth.views.certificate.typesetting import code, math, prose, typeset
from synth.views.certificate.wording import statement_text

_DOCUMENT = Template(r"""\documentclass[a4paper,10pt]{article}
\usepackage[margin=20mm]{geometry}
\usepackage{amsmath,amssymb}
\setlength{\parindent}{0pt}
\setlength{\parskip}{3pt}
\sloppy
\newcommand{\infer}[3]{\frac{\begin{array}{@{}c@{}}#2\end{array}}{\displaystyle #3}\;\textsf{[#1]}}
\newcommand{\lin}[3]{\makebox[8mm][r]{\footnotesize #1\quad}\hspace*{#2em}#3\par}
\newcommand{\stm}[4]{\hspace*{#3em}\makebox[8mm][l]{$$s_{#1}$$}\makebox[10mm][r]{#2\quad}#4\par}
\begin{document}
\section*{Coupling proof of $name}
For reading, and not checked: \texttt{synth check} says whether the certificate is a proof.
Made by $tools; line numbers are those of the program's file. The program has the SHA-256
{\footnotesize\texttt{$digest}}.

\section*{Judgment}
\[$judgment\]
Here $$\mathsf M$$ is $name, and \textsf{adjacent} says:
$adjacency
$claim

\section*{The program}
$source

$body
$safety

\begin{thebibliography}{9}
$references
\end{thebibliography}
\end{document}
""")

_BODY = Template(r"""
$names

\section*{The argument}
$argument

$details
""")

_DETAILS = Template(r"""\section*{The program, as the derivation reads it}
Statement, line of the program file, text.\par\medskip
$program

\section*{Derivation}
$$\mathcal D_i$$ is the derivation about the statement $$s_i$$, $$e$$ the centre of a draw, the right
side of an assignment or what is appended, $$c$$ the condition of a branch.
Where $$\sim$$ has no index, the ghosts count what is paid, and \textsf{[Return]} bounds it.
$$\Phi$$ is what is known before a statement, $$\Psi$$ what is known after it.
$derivation
""")


_ACCENTS = str.maketrans({"é": r"\'e", "ö": r"\"o"})
"""Those in the names of authors."""


def latex(reading: Reading, brief: bool = False) -> str:
    """The document, with ``brief`` without the derivation.

    Raises Rejected where the certificate doesn't say what a rule needs.
    """
    tools = ", ".join(f"{name} {version}" for name, version in reading.certificate.tools.items())
    steps = list(reading.all_steps())
    numbers = {step.node.place: place for place, step in enumerate(steps, 1)}
    return _DOCUMENT.substitute(
        name=code(reading.mechanism.name),
        tools=prose(tools),
        digest=reading.certificate.program.sha256,
        judgment=Figures(reading, numbers).goal(),
        adjacency=_items(adjacency(reading)),
        claim=_items(
            [
                *(("Claimed: ", *item) for item in claim(reading)),
                *(("Rewritten: ", *item) for item in rewritten(reading)),
            ]
        ),
        source="\n".join(_source(reading.certificate.program)),
        body="\n".join(_composed(reading, numbers, brief))
        if reading.parts
        else _body(reading.of_every_record(), numbers, brief),
        safety="" if brief else "\n".join(_safety(reading)),
        references="\n".join(
            rf"\bibitem{{r{number}}} {paper.translate(_ACCENTS)}"
            for number, paper in enumerate(references(reading), 1)
        ),
    )


def _source(program: Program) -> Iterator[str]:
    """The lines of the program's text, each with its number in the file and its indentation."""
    lines = program.text.removesuffix("\n").split("\n")
    for number, line in zip(program.lines or range(1, len(lines) + 1), lines, strict=False):
        written = line.lstrip(" ")
        yield rf"\lin{{{number}}}{{{(len(line) - len(written)) / 2:g}}}{{{code(written)}}}"


def _composed(reading: Reading, numbers: Mapping[str, int], brief: bool) -> Iterator[str]:
    yield typeset(composition(reading))
    for part in reading.parts:
        yield rf"\section*{{Part {code(part.mechanism.name)}}}"
        yield rf"\[{Figures(part, numbers).goal()}\]"
        yield _body(part, numbers, brief)


def _body(reading: Reading, numbers: Mapping[str, int], brief: bool) -> str:
    """The names and the argument; the statements and the rules, if it isn't brief."""
    if reading.law is not None:
        return rf"\section*{{The argument ([Lift])}}{_items(chances(reading, reading.law))}"
    figures = Figures(reading, numbers)
    return _BODY.substitute(
        names=_items((name, ": ", *meaning) for name, meaning in notes(reading)),
        argument=_items(argument(reading)),
        details="" if brief else _details(reading, figures),
    )


def _details(reading: Reading, figures: Figures) -> str:
    return _DETAILS.substitute(
        program="\n".join(_program(reading, figures, reading.steps, 0)),
        derivation="\n".join(_derivation(reading, figures)),
    )


def _items(sentences: Iterable[Phrase]) -> str:
    written = [rf"\item {typeset(sentence)}" for sentence in sentences]
    return "\n".join([r"\begin{itemize}", *written, r"\end{itemize}"]) if written else ""


def _program(reading: Reading, figures: Figures, steps: tuple[Step, ...], depth: int) -> Iterator[str]:
    for step in steps:
        number = figures.numbers[step.node.place]
        shown = code(statement_text(reading.names, step.statement))
        yield rf"\stm{{{number}}}{{{step.line or ''}}}{{{depth}}}{{{shown}}}"
        for place, body in enumerate(step.bodies):
            if place and body:
                yield rf"\stm{{{number}}}{{}}{{{depth}}}{{\texttt{{else:}}}}"
            yield from _program(reading, figures, body, depth + 2)


# --- the derivation -------------------------------------------------------------------------


def _derivation(reading: Reading, figures: Figures) -> Iterator[str]:
    yield rf"\[{figures.root()}\]"
    yield rf"\[{figures.sequence(reading.steps)}\]"
    for step in reading.all_steps():
        number, line = figures.numbers[step.node.place], f", line {step.line}" if step.line else ""
        shown = code(statement_text(reading.names, step.statement))
        yield rf"\paragraph{{$\mathcal D_{{{number}}}${line}}} {shown}"
        if isinstance(step.statement, ir.Loop):
            kept = r"\\".join(figures.invariants(step))
            yield rf"\[\Theta_{{{number}}}=\left\{{\begin{{array}}{{l}}{kept}\end{{array}}\right.\]"
        if isinstance(step.statement, ir.Draw) and (guards := figures.guards(step)):
            yield rf"\par The first case that applies: ${'$; $'.join(guards)}$."
        if isinstance(step.statement, ir.Choose):
            yield from _chosen(reading, step, step.statement)
        yield rf"\[{figures.step(step)}\]"
        yield from (rf"\[{figures.sequence(body)}\]" for body in step.bodies if body)


def _chosen(reading: Reading, step: Step, draw: ir.Choose) -> Iterator[str]:
    """The law of a draw of finitely many values, before the figure that names its parts."""
    value = Math(drawn(reading, draw))
    if step.node.rule == "Choice":
        found = weighted(reading, step)
        count, score, rate = Code(found.count), Code(found.score), Code(found.rate)
        sentence = (
            value,
            " is one of ",
            count,
            " indices; its score is ",
            score,
            ", the rate is ",
            rate,
            ".",
        )
        yield rf"\par {typeset(sentence)}"
        return
    if step.node.rule == "Weigh":
        found_ = weighing(reading, step)
        said = value, " is one of ", Code(found_.count), " indices; its weight is ", Code(found_.weight), "."
        yield rf"\par {typeset(said)}"
        return
    yield rf"\par {typeset(('The outcomes, and the chance of ', value, ' in each:'))}"
    yield r"\begin{itemize}"
    for place, item in enumerate(chanced(reading, step).outcomes):
        yield rf"\item[${place}$] {code(item.condition)}, \quad $p_{{{place}}}$ = {code(item.chance)}"
    yield r"\end{itemize}"


def _safety(reading: Reading) -> Iterator[str]:
    """What the certificate says for [Safe]."""
    loops = {
        str(item.loop): item for item in ir.statements(reading.mechanism.body) if isinstance(item, ir.Loop)
    }
    infix = reading.infix(frozenset(reading.mechanism.variables))
    known = [(loops[number], term) for number, term in reading.certificate.safety.items() if number in loops]
    if known:
        yield r"\section*{Each run by itself (\textsf{[Safe]})}"
    for loop, term in known:
        kept = ", ".join(f"${math(part)}$" for part in infix.conjuncts((term,)))
        yield rf"At the head of the loop in line {loop.span.line}: {kept}.\par"
