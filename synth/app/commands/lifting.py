"""``synth lifting``: whether an (ε, δ)-lifting relates two finite distributions, with what shows it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synth.app import liftings
from synth.app.asker import Asker
from synth.app.stated import Stated
from synth.app.statuses import UNFINISHED
from synth.app.targets import Target, read_mechanism
from synth.support.files import MAX_TEXT_BYTES, read_bounded
from synth.trusted.errors import SynthError, UsageError
from synth.views.formats.json_object import print_results

if TYPE_CHECKING:
    from synth.liftings.distributions import Distributions

STATUS = {liftings.RELATED: 0, liftings.NOT_RELATED: 1, liftings.UNDECIDED: UNFINISHED}
"""Exit statuses by verdict."""


@dataclass(frozen=True)
class Options:
    """What the command line said; without an ε or a δ those that the mechanism claims are meant."""

    target: str | Target
    inputs: tuple[str, ...]
    neighbour: tuple[str, ...]
    stated: Stated
    timeout: float
    json: bool


def run(options: Options) -> int:
    """Decide and print; the exit status.  Raises UsageError, ProgramError, SynthError."""
    is_file = isinstance(options.target, str)
    document = _of_file(options) if is_file else _of_mechanism(options)
    if options.json:
        print_results([document], STATUS[document["verdict"]])
    else:
        from synth.views.console.lifting import print_lifting

        print_lifting(document)
    return STATUS[document["verdict"]]


def _of_file(options: Options) -> dict[str, Any]:
    path = Path(str(options.target))
    if options.inputs or options.neighbour:
        raise UsageError("--input and --neighbour are for mechanisms")

    def read() -> Distributions[str]:
        from synth.liftings.distributions import DistributionsError, read_distributions

        try:
            return read_distributions(read_bounded(path, MAX_TEXT_BYTES).decode())
        except DistributionsError as error:
            raise SynthError(f"{path}: {error}") from None
        except (OSError, UnicodeDecodeError) as error:
            reason = (error.strerror or error) if isinstance(error, OSError) else "it is not UTF-8"
            raise SynthError(f"{path}: can't be read: {reason}") from None

    asked = options.stated.epsilon, options.stated.delta, options.timeout, Asker.COMMAND_LINE
    return {"file": str(path), **liftings.of_distributions(read, path.name, *asked)}


def _of_mechanism(options: Options) -> dict[str, Any]:
    from synth.app.assignments import read_inputs

    if not options.neighbour:
        raise UsageError("--neighbour is needed: what differs in the second input")
    mechanism = read_mechanism(options.target, options.timeout, options.stated)
    return liftings.of_mechanism(
        mechanism,
        lambda: read_inputs(mechanism, options.inputs, options.neighbour),
        options.timeout,
        Asker.COMMAND_LINE,
    )
