"""Errors that a user sees: one clear message each, never a traceback."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import unique
from typing import Any

from synth.trusted.reasons import Coded


@dataclass
class SynthError(Exception):
    """Base of all errors with a message for the user.

    ``message`` is one sentence.  An error of just this class says that something isn't supported.
    """

    message: str

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles by fields: an exception's own way leaves out those that have only a name."""
        return _made, (type(self), {item.name: getattr(self, item.name) for item in fields(self)})


def _made(kind: type[SynthError], values: dict[str, Any]) -> SynthError:
    return kind(**values)


@unique
class Refusal(Coded):
    """Why a program is refused, by class of construct; each value says what the code stands for.

    The messages are made where programs are refused.
    """

    # --- the file
    FILE_UNREADABLE = "the file is not there, or can't be read as text"
    SYNTAX_ERROR = "the text is not Python"
    PROGRAM_TOO_LARGE = "a text, a number, a nesting or a program beyond the limits"
    NO_MECHANISM = "no function is the mechanism that is looked for"

    # --- what the language lacks
    UNSUPPORTED_CONSTRUCT = "a statement or an expression that the language lacks"
    UNSUPPORTED_AT_MODULE_LEVEL = "a statement outside of functions that Python would run"
    UNSUPPORTED_IMPORT = "an import that the language lacks"
    UNSUPPORTED_DECORATOR = "a decorator that the language lacks"
    UNSUPPORTED_TYPE = "a type of a parameter that the language lacks"
    UNSUPPORTED_NAME = "a function or a constant of Python that the language lacks"
    UNSUPPORTED_CALL = "a call of a method, or of what can't be called here"
    UNSUPPORTED_LOOP = "a for loop over what the language lacks"
    UNSUPPORTED_LIST = "a use of lists that the language lacks"
    UNSUPPORTED_OUTPUT = "a value that can't be returned, or be an entry of what is returned"
    UNSUPPORTED_DICT = "a use of dicts that the language lacks"
    PRIVATE_KEYS = "data may decide which keys a dict has"
    ALIASING = "two names for one list"
    UNSUPPORTED_ARRAY = "a use of arrays that the language lacks"
    LIST_OF_LISTS = "a list as an entry of a list"
    LIST_CHANGED_IN_LOOP = "a list is changed while a loop runs over it"
    PARAMETER_REASSIGNED = "a parameter that is a list or a function is assigned"
    RECURSION = "a function that calls itself"

    # --- names and types
    UNKNOWN_NAME = "a name, a function or a parameter that isn't defined"
    DEFINED_TWICE = "a name with two definitions"
    USED_BEFORE_DEFINED = "a constant or a function is used above its definition"
    NOT_ASSIGNED = "a variable may be used before it is assigned"
    MISSING_ANNOTATION = "a parameter without a type"
    TYPE_UNKNOWN = "the type of a variable can't be inferred"
    WRONG_TYPE = "a value of another type than is needed"
    MIXED_TYPES = "a value that is of one type or of another"
    WRONG_CALL = "arguments that don't fit to what is called"
    WRONG_INDEX = "an index that a tuple or a list doesn't have"
    OUTSIDE_LOOP = "break or continue outside of a loop"

    # --- draws
    DRAW_MISPLACED = "a sample is drawn where none can be"
    WRONG_CANDIDATES = "scores, weights or outputs that are not a function of the index"
    NOISE_AROUND_LIST = "noise around a list that can't be drawn entry by entry"
    UNIFORM_IN_FORMULA = "a uniform real draw that is no coin and no noise"
    KNOWN_SEED = "noise that is the same in each run, by a seed"
    PRIVATE_SCALE = "private data in a parameter of a distribution other than its centre and scale"
    PRIVATE_LOOP_BOUND = "private data in the bound of a loop"
    PRIVATE_POSITION = "a position in a list of which a record may be missing"
    PRIVATE_ASSERTION = "private data in an assert statement"
    PRIVATE_PRINT = "private data or noise are printed or logged, in a form that can't be part of the output"
    PRIVATE_RAISE = "private data or noise decide whether a run raises, and what is not seen"

    # --- what is stated
    WRONG_ADJACENCY = "a metric, or an entry of 'adjacent', that has no meaning"
    WRONG_REQUIRES = "a precondition that is no truth value"
    WRONG_CLAIM = "a claim, or another number that is stated, that has no meaning"
    WRONG_FACTS = "ghosts or facts that have no meaning"
    PRIVATE_SPECIFICATION = "private data in what is stated"
    UNDEFINED_SPECIFICATION = "what is stated divides by zero, or is not defined for another reason"
    REQUIRES_UNSATISFIABLE = "no parameters satisfy 'requires'"

    READER_DEFECT = "a defect of the reader: please report it"


@dataclass
class ProgramError(SynthError):
    """A program file that can't be read; says where and which construct.

    Mend the program at ``path``, ``line`` and ``column``, or write it as docs/language.md has it.
    ``code`` is the stable name of its class, as :class:`Refusal` lists them.  ``function`` is the mechanism
    that can't be read for this reason; None where it is the file.
    """

    path: str
    line: int | None = None
    column: int | None = None
    code: Refusal = field(kw_only=True)
    function: str | None = field(default=None, kw_only=True)

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.path, self.line, self.column) if part is not None)
        return f"{place}: {self.message}"


@dataclass
class TemplateError(SynthError):
    """A template file that can't be read, or whose coupling is unsound.

    Mend the file; ``synth templates FILE`` says which condition fails, and for which values.
    """


@dataclass
class CertificateError(SynthError):
    """A certificate file that can't be read.

    Get the document again from who made it; nothing is known of what it says.
    """


@dataclass
class UsageError(SynthError):
    """A wrong use of the command line or of the library.

    Mend the command or the call; the message names the option.
    """


@dataclass
class OutputError(SynthError):
    """Output that can't be written.

    Make room or write elsewhere; verdicts stand, whether they could be written or not.
    """


@dataclass
class UnfinishedError(SynthError):
    """Work that did not come to its end: it took too long, or too much memory.

    Give it more time, or ask for less.
    """


@dataclass
class InternalError(SynthError):
    """A defect of synth itself, with Python's traceback for who mends it.

    Report it, with the command or the call and its files.
    """

    traceback: str = ""
