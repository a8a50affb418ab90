"""Commands whose help fits any encoding; each error becomes one message and an exit status."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from synth.app.statuses import INTERRUPTED, WRONG_USAGE, status_of
from synth.app.streams import ReaderGone, encodable, secure
from synth.support.display import MAX_LETTERS, shown
from synth.trusted.errors import OutputError, SynthError, UsageError
from synth.views.formats.run import Run, format_named

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class Command(click.Command):
    """A command whose help can be shown in any encoding."""

    def get_help(self, ctx: click.Context) -> str:
        """The help."""
        return encodable(super().get_help(ctx))


class ConfiguredCommand(Command):
    """A command whose options stand in pyproject.toml where the command line leaves them out."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the command line, with the file's options as defaults.  Raises UsageError."""
        if not ctx.resilient_parsing and not {*ctx.help_option_names, "--isolated"} & {*args}:
            from synth.app.configuration import of_folder

            ctx.default_map = of_folder(Path.cwd())
        rest = super().parse_args(ctx, args)
        given = {name for name in ctx.params if ctx.get_parameter_source(name) is _COMMAND_LINE}
        for name, others in _GIVES_WAY.items():
            if name not in given and others & given:
                ctx.params[name] = () if name == "targets" else None
        return rest


_COMMAND_LINE = click.core.ParameterSource.COMMANDLINE
_GIVES_WAY = {
    "targets": {"spec"},
    "spec": {"types", "adjacent", "requires", "fixed", "facts"},
    "form": {"as_json"},
    "workers": {"cluster"},
}
"""What pyproject.toml says of a parameter doesn't count beside one of these on the command line."""


class CommandGroup(Command, click.Group):
    """The group of all commands; turns every error into one message and an exit status."""

    command_class = Command

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command and exit."""
        secure()
        arguments = list(sys.argv[1:] if args is None else args)
        try:
            status = self._status(arguments, complete_var, extra)
            sys.stdout.flush()
        except (KeyboardInterrupt, click.Abort):
            status = INTERRUPTED
        except ReaderGone as error:
            status = status_of(error)
        except OutputError as error:
            status = _said(error)
        sys.exit(status or 0)

    def _status(self, arguments: list[str], complete_var: str | None, extra: dict[str, Any]) -> int | None:
        """The exit status of a command, which is run.  Raises OutputError, Abort."""
        as_json, refused = "--json" in arguments, list[SynthError]()
        try:
            status: int | None = super().main(
                arguments, "synth", complete_var, standalone_mode=False, **extra
            )
            return status
        except click.exceptions.Exit as error:
            return error.exit_code
        except (OutputError, click.Abort):
            raise
        except SynthError as error:
            refused = [error]
            status = _wrong_usage(error, as_json) if isinstance(error, UsageError) else _said(error, as_json)
        except click.ClickException as error:
            status = _wrong_usage(error, as_json)
        except Exception as error:
            from synth.app.defects import defect

            status = _said(defect(error))
        if as_json:
            format_named("json", False).end(Run((), refused, status=status))
        return status


def _said(error: SynthError, as_json: bool = True) -> int:
    """Print an error; its exit status."""
    from synth.views.console.errors import error_text

    print(error_text(error, with_source=not as_json), file=sys.stderr, flush=True)
    return status_of(error)


def _wrong_usage(error: click.ClickException | UsageError, as_json: bool) -> int:
    """Print what is wrong, and where there is help; the exit status."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        print(error.format_message(), file=sys.stderr)
        return WRONG_USAGE
    message = error.format_message() if isinstance(error, click.ClickException) else str(error)
    print(shown(f"synth: error: {_sentence(message)}", MAX_LETTERS), file=sys.stderr)
    context = getattr(error, "ctx", None)
    if context is not None and not as_json:
        print(f"try '{context.command_path} --help'", file=sys.stderr)
    return WRONG_USAGE


def _sentence(message: str) -> str:
    """A message of click's in the style of ours: lower case, no full stop."""
    message = " ".join(message.split()).removesuffix(".").replace(". Did you", "; did you")
    first, _, rest = message.partition(" ")
    return f"{first[:1].lower()}{first[1:]} {rest}".strip() if first.isalpha() else message
