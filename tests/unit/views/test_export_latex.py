"""``synth export --to latex``: a complete document in ASCII that balances, and pdflatex compiles."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from synth.trusted.kernel.check import parse
from synth.views.certificate.latex import latex
from synth.views.certificate.steps import reading
from synth.views.certificate.text import text
from synth.views.certificate.typesetting import code, math, prose
from tests.unit.views.exporting import MECHANISMS, golden_reading, odd_names

COMMANDS = (
    "Longrightarrow Phi Psi Rightarrow Theta begin bibitem bot cdot displaystyle documentclass end epsilon "
    "exp footnotesize forall frac hspace in infer item langle ldots le left leftarrow lin makebox mathbin "
    "mathcal mathit mathsf medskip mu ne ge neg newcommand par paragraph parindent parskip quad rangle right "
    "section setlength sim sloppy stm strut text textbackslash textsf texttt top usepackage vdash vee wedge"
)
TOKEN = re.compile(r"\\([A-Za-z]+)|\\(.)|([{}$])", re.DOTALL)


def documents() -> dict[str, str]:
    """The documents that the tests look at."""
    found = {name: latex(golden_reading(name)) for name in MECHANISMS}
    found |= {"brief": latex(golden_reading("above_threshold"), brief=True)}
    return found | {"odd": latex(reading(parse(odd_names())))}


@pytest.mark.parametrize("name", [*MECHANISMS, "brief", "odd"])
def test_the_document_is_well_formed(name: str) -> None:
    document = documents()[name]
    assert document.isascii()
    assert all(line.isprintable() for line in document.split("\n"))
    assert_balanced(document)
    assert document.startswith(r"\documentclass") and document.rstrip().endswith(r"\end{document}")


def compiles(program: str, folder: Path) -> bool:
    """Whether a pdflatex is whole: it compiles an empty document with the packages of ours."""
    packages = "".join(re.findall(r"\\usepackage.*\n", documents()["odd"]))
    text = f"\\documentclass{{article}}\n{packages}\\begin{{document}}x\\end{{document}}\n"
    (folder / "probe.tex").write_text(text, encoding="ascii")
    command = [program, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "probe.tex"]
    return subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("name", [*MECHANISMS, "brief", "odd"])
def test_the_document_compiles(name: str, tmp_path: Path) -> None:
    """With pdflatex where it works; elsewhere the checker above stands in for it."""
    document = documents()[name]
    program = shutil.which("pdflatex")
    if program is None or not compiles(program, tmp_path):
        assert_balanced(document)
        return
    (tmp_path / "proof.tex").write_text(document, encoding="ascii")
    command = [program, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "proof.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, timeout=600)
    log = done.stdout.decode("latin-1")
    assert done.returncode == 0, log[-2000:]
    assert "Overfull" not in log


def test_rules_are_figures_and_the_argument_is_in_sentences() -> None:
    document = documents()["exponential_by_noise"]
    assert r"\infer{Forall-Eq}" in document
    assert r"\infer{OneLapGen}" in document
    assert r"\infer{While}{\vdash (s_{" in document
    assert "before iteration $b$ ($r\\langle 1\\rangle <b$), couple null (the same noise), free" in document
    assert r"shift by $1$" in document
    assert r"\vdash \mathsf{M}\sim _{\langle \mathit{eps},0\rangle}\mathsf{M}:\mathsf{adjacent}" in document


def test_what_is_lost_stands_in_the_figures() -> None:
    document = documents()["gaussian_integers"]
    assert r"\forall b\text{ at once}.\quad \vdash (s_{1}" in document
    assert r"\sim _{\langle 1,1/100000\rangle}\mathsf{M}:\mathsf{adjacent}" in document
    assert r"\ne 0\Rightarrow \mathit{cost}_{0}<2)}{\vdash " in document
    assert r"\sim _{\langle 1/2,1/200000\rangle}" in document
    assert r"lost sums up to at most $2\cdot 1/200000\le 1/100000$." in document


def test_squares_stand_in_the_figures() -> None:
    document = documents()["gaussian_twice"]
    assert r"\sim _{\langle \mathit{eps},\mathit{delta}\rangle}\mathsf{M}:\mathsf{adjacent}" in document
    assert r"\text{ costs }\langle \mathit{eps},\mathit{delta}\rangle}{\vdash \mathsf{M}" in document
    assert r"\text{ to }\mu^2}{\vdash s_{" in document
    assert "[U+" not in document


def test_outcomes_are_listed_before_their_figure() -> None:
    document = documents()["rappor"]
    assert r"\item[$2$] \texttt{not bit and bit'}, \quad $p_{2}$ = \texttt{1/(1 + exp(eps/2))}" in document
    assert r"\infer{Chance}{p_{0}\langle 1\rangle \le p_{0}\langle 2\rangle " in document
    assert r"p_{0}\langle 1\rangle \le \exp(\mathit{eps}/2)\cdot p_{2}\langle 2\rangle " in document
    assert r"are seen as one draw of $\mathit{bit}'$." in document


def test_scores_are_named_before_their_figure() -> None:
    document = documents()["walk"]
    assert r"its score is \texttt{score(current + current')}, the rate is \texttt{eps/(2*Delta)}" in document
    assert r"\infer{Choice}{\Phi\Rightarrow \forall r,j.\quad " in document
    assert r"\le 2\cdot \mathit{Delta}}{\vdash " in document


def test_the_chances_of_outputs_are_compared_in_sentences() -> None:
    document = documents()["told_or_noisy"]
    assert r"\item Outcome 1: \texttt{b.0 and not bit and not b.1}, with chance \texttt{d}" in document
    assert r"what run 1's chance is beyond $\mathit{exp}(\mathit{eps})$ times run 2's" in document
    assert r"What is lost is in all, over all outputs, at most $d$" in document


def test_the_source_stands_with_its_numbers_and_indentation() -> None:
    document = documents()["above_threshold"]
    assert r"\lin{12}{2}{\texttt{threshold = laplace(t, scale=2 / eps)}}" in document
    assert r"\lin{15}{4}{\texttt{answer = laplace(q[i], scale=4 / eps)}}" in document


def test_a_brief_document_has_all_but_the_derivation() -> None:
    brief, document = documents()["brief"], documents()["above_threshold"]
    assert all(
        part in brief for part in (r"\section*{The argument}", r"\section*{The program}", "[Forall-Eq]")
    )
    assert (
        r"\infer{" not in brief and r"\section*{Derivation}" not in brief and len(brief) < len(document) / 2
    )
    assert text(golden_reading("above_threshold"), brief=True) + "\nDerivation" in (
        text(golden_reading("above_threshold")).replace("\n\n", "\n\n", 1)
    )


def test_papers_are_those_of_the_rules_that_are_used() -> None:
    assert "[U+" not in documents()["above_threshold"].split("thebibliography")[1]
    assert "Gaussian differential privacy" in documents()["gaussian_twice"]
    assert "Gaussian differential privacy" not in documents()["above_threshold"]


def test_user_text_is_escaped() -> None:
    assert code("50% of $5 & #1 {^_^} \\ ~") == (
        r"\texttt{50\% of \$5 \& \#1 \{\^{}\_\^{}\} \textbackslash{} \~{}}"
    )
    assert prose("a < b | c\x1b") == "a $<$ b $|$ c[U+001B]"
    assert math("größe_1⟨1⟩ + ε ≤ x₂^2") == (
        r"\mathit{gr[U+00F6][U+00DF]e\_1}\langle 1\rangle +\epsilon \le x_{2}^{2}"
    )
    document = documents()["odd"]
    assert r"\input" not in document
    assert r"\textbackslash{}input\{/etc/passwd\} \% [U+27E8][U+0142]" in document


def test_the_checker_finds_what_is_wrong() -> None:
    for wrong in (r"{", r"\]", r"$a", r"\begin{array}\end{itemize}", r"\[ a $ b \]", r"\write18{}"):
        with pytest.raises(AssertionError):
            assert_balanced(wrong)


def assert_balanced(document: str) -> None:
    """Groups, environments and math close as they open, and only known commands occur."""
    stack: list[str] = []
    names = iter(re.findall(r"\\(?:begin|end)\{(\w+)\}", document))
    for word, mark, brace in TOKEN.findall(document):
        opening = {"{": "}", "[": "]"}.get(brace or ("[" if mark == "[" else ""))
        if word == "begin":
            stack.append(next(names))
        elif word == "end":
            assert stack and stack.pop() == next(names)
        elif word:
            assert word in COMMANDS.split(), word
        elif brace == "$" and stack and stack[-1] == "$":
            stack.pop()
        elif brace == "$":
            assert "]" not in stack or stack[-1] == "}", "math inside of math"
            stack.append("$")
        elif opening:
            stack.append(opening)
        elif brace == "}" or mark == "]":
            assert stack and stack.pop() == (brace or "]")
    assert not stack
