"""Why a step that makes one draw of several is refused.

Codes of side conditions are named for their failure; their texts say what must hold.
"""

from __future__ import annotations

from enum import unique

from synth.trusted.reasons import Coded


@unique
class FusionCode(Coded):
    """What is wrong with a step, or what has to be shown of it."""

    NOT_ONE_DRAW = "not obligations and one draw"
    NOT_THE_VALUES = "a function with other values than those that are needed"
    NO_SUCH_PLACE = "the program has no such statements"
    MORE_THAN_DRAWS = "more than assignments, branches and draws of finitely many values"
    ASKS_OF_ASSIGNED = "line {line}: an obligation about what the statements assign"
    STILL_READ = "'{name}' is read elsewhere"
    NAME_TAKEN = "'{name}' means something else already"
    NOT_OF_THE_SORT = "'{name}' has no values of the draw's sort"
    NOT_THE_SUMS = "{given} of the {needed} sums"
    NO_SUM = "line {line}: no sum over the integers is given"
    TOO_MANY_CASES = "more than {most:,} cases"

    # --- side conditions
    OBLIGATION_DROPPED = "line {line}: what is asked for there is still asked for"
    LAW_OVERLAPS = "line {line}: no value has two outcomes"
    SUM_GROWS_OTHERWISE = "line {line}: the sum grows by each term"
    SUM_STARTS_OTHERWISE = "line {line}: the sum starts at 0"
    SUM_ENDS_OTHERWISE = "line {line}: the sum ends at what is stated"
    CHANCES_CHANGED = "each value is as likely as before"
    PRODUCT_CHANGED = "score and rate have the same product"
    DIVISOR_ZERO = "where chances are compared, no divisor is 0"
