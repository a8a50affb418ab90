"""Certificates as Rocq files, and what Rocq says of them."""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from synth.app.compiled_theories import CompiledTheories
from synth.app.exporting import exported
from synth.app.limited import Limits
from synth.trusted.errors import UnfinishedError, UsageError

_INSTALL = (
    "and there is none: on Debian and Ubuntu 'apt-get install --no-install-recommends coq', elsewhere "
    "'opam install coq'"
)
MISSING = f"--rocq needs Rocq's compiler coqc, {_INSTALL}"
MISSING_CHECKER = f"--coqchk needs Rocq's checker coqchk, {_INSTALL}"

THEORIES = (
    "Laws",
    "Core",
    "Privacy",
    "Told",
    "Coupling",
    "Rules",
    "Tails",
    "Lift",
    "Intervals",
    "RealNoise",
    "Parts",
    "Exchange",
    "Deferred",
    "Tactics",
)
"""What proofs rest on, in the order in which they need each other."""

BESIDE = (
    "Weights",
    "Retried",
    "SameLaw",
    "Sampled",
    "Simulation",
    "Rewritten",
    "Merged",
    "Streamed",
    "Sanity",
)
"""Theorems that no proof needs: of rules and steps without proofs in Rocq yet; that no statement is empty."""

ALLOWED = frozenset(
    {
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "Classical_Prop.classic",
        "FunctionalExtensionality.functional_extensionality_dep",
    }
)
"""What Rocq's real numbers rest on."""

_FORBIDDEN = re.compile(
    r"(?:^|\.)\s*(?:Axioms?|Conjectures?|Parameters?|Hypothes[ie]s|Context|Declare|Unset|Set|Load|Add|Primitive|"
    r"Extraction|Redirect|Cd|Drop|Fail|Global|Local)\b|\b(?:Admitted|Admit|admit|give_up|bypass_check)\b|#\[",
    re.MULTILINE,
)
_STRING = re.compile(r'"[^"]*"')
_COMMENT = re.compile(r"\(\*.*?\*\)", re.DOTALL)
_ASSUMED = re.compile(r"^(\S+)(?: |$)", re.MULTILINE)
_VERDICT = """From synth Require Import Privacy.
From mechanism Require Proof.
Definition verdict : Proof.statement := Proof.private.
Print Assumptions verdict.
"""

_CHECKED = (
    "Constants/Inductives relying on type-in-type",
    "Constants/Inductives relying on unsafe (co)fixpoints",
    "Inductives whose positivity is assumed",
)
"""What coqchk must find nothing of."""

_STUCK = re.compile(r"Tactic failure: (.+?)(?: \(level \d+\))?\.?$")

_LIBRARY, _PROOF = "theories", "mechanism"
_TIMEOUT_S = 600.0
_MEMORY_MIB = 4096


@dataclass(frozen=True)
class Accepted:
    """Rocq's compiler accepts statement and proof, which rest on these axioms."""

    axioms: tuple[str, ...]
    seconds: float
    coqchk: bool = False
    """Whether Rocq's own checker has read all that was compiled, and accepts it."""


def rocq_text(path: Path, content: str, limits: Limits) -> str:
    """The certificate as a Rocq file.  Raises CertificateError, UnfinishedError."""
    return exported(path, content, limits, "writing it for Rocq", lambda: _text(path, content))


def accepted_text(path: Path, content: str, limits: Limits) -> str:
    """The same, if Rocq accepts it where there is a compiler.  Raises CertificateError, UnfinishedError."""
    text = rocq_text(path, content, limits)
    if has_compiler():
        compiled(path, text, limits.timeout)
    return text


def has_compiler() -> bool:
    """Whether ``coqc`` is installed."""
    return shutil.which("coqc") is not None


def compiled(path: Path, text: str, timeout: float | None = None, coqchk: bool = False) -> Accepted:
    """What Rocq says of a file of :func:`rocq_text`, in a folder of its own.

    Raises UsageError where Rocq is missing, and UnfinishedError where it accepts no proof.
    """
    until = time.monotonic() + (timeout or _TIMEOUT_S)
    with TemporaryDirectory(prefix="synth-rocq-") as name:
        folder = Path(name)
        kept = CompiledTheories.of_user(_version(), dict(theories(THEORIES)))
        if kept is None or not kept.copy_to(folder / _LIBRARY):
            compile_theories(path, folder, until)
            if kept is not None:
                kept.keep(folder / _LIBRARY)
        found = compile_proof(path, folder, text, until)
        if coqchk:
            _recheck(path, folder, until)
        return replace(found, coqchk=coqchk)


def compile_theories(path: Path, folder: Path, until: float, names: tuple[str, ...] = THEORIES) -> None:
    """The theories in an empty folder.  Raises UsageError, UnfinishedError."""
    (folder / _LIBRARY).mkdir()
    for name, source in theories(names):
        (folder / _LIBRARY / f"{name}.v").write_text(source, encoding="utf-8")
        _compile(path, folder, f"{_LIBRARY}/{name}", until)


def compile_proof(path: Path, folder: Path, text: str, until: float) -> Accepted:
    """A file of :func:`rocq_text` in a folder that has the theories.  Raises UsageError, UnfinishedError."""
    start = time.monotonic()
    (folder / _PROOF).mkdir(exist_ok=True)
    (folder / _PROOF / "Proof.v").write_text(_allowed(path, text), encoding="utf-8")
    (folder / _PROOF / "Verdict.v").write_text(_VERDICT, encoding="utf-8")
    _compile_mechanism(path, folder, until)
    printed = _compile(path, folder, f"{_PROOF}/Verdict", until)
    return Accepted(_axioms(path, printed), round(time.monotonic() - start, 1))


def theories(names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The theories of these names."""
    folder = files("synth.rocq") / "theories"
    for name in names:
        yield name, (folder / f"{name}.v").read_text(encoding="utf-8")


def _text(path: Path, content: str) -> str:
    from synth.rocq.document import rocq_file
    from synth.rocq.refusal import Inexpressible
    from synth.trusted.kernel.check import parse

    try:
        return rocq_file(parse(content))
    except Inexpressible as error:
        raise UnfinishedError(f"{path}: {error.message}") from None


def _allowed(path: Path, text: str) -> str:
    """The text, if it has no command by which a proof could be none.  Raises UnfinishedError."""
    bare = _STRING.sub('""', _COMMENT.sub("", text))
    found = _FORBIDDEN.search(bare)
    if found is not None:
        raise UnfinishedError(f"{path}: what would be compiled has '{found[0]}' in it")
    return text


def _version() -> str:
    """What the compiler says of itself, and where it is.  Raises UsageError."""
    program = shutil.which("coqc")
    if program is None:
        raise UsageError(MISSING)
    said = subprocess.run([program, "--version"], stdin=subprocess.DEVNULL, capture_output=True)
    return f"{program} {said.stdout.decode(errors='replace')}"


def _compile(path: Path, folder: Path, name: str, until: float) -> str:
    """What the compiler prints.  Raises UsageError, UnfinishedError."""
    options = ["-q", "-w", "none", "-R", _LIBRARY, "synth", "-Q", _PROOF, "mechanism"]
    done = _run(path, folder, "coqc", MISSING, [*options, f"{name}.v"], until)
    if done.returncode != 0:
        raise UnfinishedError(f"{path}: Rocq does not accept {name}.v: {_reason(done.stderr)}")
    return done.stdout.decode(errors="replace")


def _compile_mechanism(path: Path, folder: Path, until: float) -> None:
    """Compile statement and proof.  Raises UsageError, UnfinishedError, which says where the tactics stop."""
    try:
        _compile(path, folder, f"{_PROOF}/Proof", until)
    except UnfinishedError as error:
        if (found := _STUCK.search(error.message)) is None:
            raise
        left = found[1].strip().replace("%nat", "")
        raise UnfinishedError(
            f"{path}: Rocq does not accept the proof: {left}. There the tactics of the theories stop; "
            "the certificate is valid all the same"
        ) from None


def _recheck(path: Path, folder: Path, until: float) -> None:
    """Have what was compiled read by Rocq's checker.  Raises UsageError, UnfinishedError."""
    options = ["-silent", "-o", "-R", _LIBRARY, "synth", "-Q", _PROOF, "mechanism", "mechanism.Verdict"]
    done = _run(path, folder, "coqchk", MISSING_CHECKER, options, until)
    printed = done.stdout.decode(errors="replace")
    if done.returncode != 0:
        raise UnfinishedError(f"{path}: coqchk does not accept it: {_reason(done.stderr or done.stdout)}")
    for heading in ("Axioms", *_CHECKED):
        listed = re.search(rf"^\* {re.escape(heading)}:(.*?)(?:^\*|\Z)", printed, re.MULTILINE | re.DOTALL)
        names = {".".join(name.split(".")[-2:]) for name in listed[1].split()} if listed else {"nothing"}
        if names - {"<none>"} - (ALLOWED if heading == "Axioms" else set()):
            raise UnfinishedError(f"{path}: coqchk says of {heading.lower()}: {printed.strip()[:300]}")


def _run(
    path: Path, folder: Path, name: str, missing: str, options: Sequence[str], until: float
) -> subprocess.CompletedProcess[bytes]:
    """A program of Rocq.  Raises UsageError, UnfinishedError."""
    program = shutil.which(name)
    if program is None:
        raise UsageError(missing)
    try:
        return subprocess.run(
            [program, *options],
            cwd=folder,
            env={"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8", "HOME": str(folder)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=max(0.0, until - time.monotonic()),
            preexec_fn=_restricted,
        )
    except subprocess.TimeoutExpired:
        raise UnfinishedError(f"{path}: Rocq was not done within the limit of time (--timeout)") from None


def _restricted() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_MIB << 20, _MEMORY_MIB << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _reason(printed: bytes) -> str:
    """The place and the first lines of an error."""
    lines = [line.strip() for line in printed.decode(errors="replace").splitlines() if line.strip()]
    return " ".join(lines)[:300] or "it ended without a message"


def _axioms(path: Path, printed: str) -> tuple[str, ...]:
    """The axioms that were printed, all of them allowed.  Raises UnfinishedError."""
    head, _, rest = printed.partition("Axioms:\n")
    if head.strip() == "Closed under the global context" and not rest:
        return ()
    found = tuple(sorted(_ASSUMED.findall(rest)))
    if head.strip() or not found:
        raise UnfinishedError(f"{path}: Rocq says of the axioms: {printed.strip()[:300]}")
    if odd := sorted(set(found) - ALLOWED):
        raise UnfinishedError(f"{path}: the proof rests on {', '.join(odd)}")
    return found
