"""Why a witness is refused: one table of codes with their texts."""

from __future__ import annotations

from enum import unique

from synth.trusted.reasons import Coded


@unique
class Code(Coded):
    """What is wrong with a witness, or too hard about it."""

    WITNESS_UNPRINTABLE = "{place} is a text with what can't be printed"
    WITNESS_MALFORMED = "not a witness: {problem}"
    WITNESS_VALUE_MALFORMED = "{name} is no {kind}"
    WITNESS_NUMBER_MALFORMED = "a number that is none"
    WITNESS_NUMBER_TOO_LARGE = "a number of more than {bits:,} bits"
    WITNESS_PROGRAM_REFUSED = "the program can't be read: {error}"
    WITNESS_OF_FACTS = "the program states facts, which say of what inputs it speaks: no witness shows that"
    WITNESS_WITHOUT_CLAIM = "nothing is claimed"
    WITNESS_OUTSIDE_REQUIRES = "the inputs do not satisfy 'requires'"
    WITNESS_LENGTHS_DIFFER = "{name} has different lengths in the two runs"
    WITNESS_NOT_ADJACENT = "{name} differs by more than its metric allows"
    WITNESS_OUTPUTS_OVERLAP = "the outputs are not disjoint"
    WITNESS_UNDEFINED = "the mechanism is not defined on these inputs: {problem}"
    WITNESS_PROBABILITIES_WRONG = "the probabilities stated are wrong"
    WITNESS_LOSS_OVERSTATED = "what epsilon must be at least is stated too large"
    WITNESS_WITHIN_CLAIM = "the probabilities do not violate the claim"
    WITNESS_TOO_HARD = "{problem}"
