"""Why a step from one program to another is refused."""

from __future__ import annotations

from dataclasses import dataclass
from enum import unique

from synth.trusted.reasons import Coded, Reason


@unique
class Code(Coded):
    """What is wrong with a step."""

    HINTS_DO_NOT_FIT = "{given} numbers, where {needed} are needed"
    DECLARATIONS_DIFFER = "the programs differ in '{field}'"
    NAME_WITHOUT_VALUE = "'{name}' may be read before it has a value"
    NO_BLOCK = "no block '{label}' to leave"
    COURSES_DIFFER = "the first program comes to {first}, the second to {second}"
    RESULTS_DIFFER = "the programs return different values in line {line}"
    OBLIGATION_LOST = "line {line} does not follow: {reason}"
    SCALE_NOT_KNOWN = "line {line}: nothing says that the scale is positive"
    NOT_NOISE_AND_MORE = "no noise or coin is drawn there, or fewer statements follow"
    NO_PAIR = "no two one-sided draws of one scale of which only the difference is read"
    NOT_SIGNED = "no fair coin and real one-sided noise around 0 in a row, or their draw's name is taken"
    NO_COIN = "no coin is tossed there with a chance that is known before it, or its noise's name is taken"
    NOT_WRITTEN_OUT = "no lists of which the entries are always as many"
    NOT_PERMUTED = "no uniform draw that is read once, in a sum modulo its size"
    NOT_STREAMED = "no loop that does with each entry of a list what could be done where it is appended"
    NOT_COUNTED = "no list is made there, or a variable or outcome has the name of its counter"
    NOT_REPEATED = "no statements without draws of which all that they read and assign stays as it is"
    NOT_ADVANCED = "no branch of which a side computes first what nothing else mentions"
    NOT_JOINED = "no two loops in a row that count up to one end, and have nothing to do with each other"
    NOT_LINGERING = "no loop that counts up, and is left early by a flag that is False before"
    NOT_APART = "line {line}: not independent of the noise, or leaves a block around it"
    TOO_MANY_STEPS = "more than {most:,} steps"


@dataclass
class Different(Exception):
    """Two programs that are not shown to be alike, and why."""

    why: Reason

    def __str__(self) -> str:
        return str(self.why)
