"""Why there is no proof: one table of codes with their texts."""

from __future__ import annotations

from enum import unique

from synth.trusted.reasons import Coded


@unique
class Code(Coded):
    """Why the verdict is ``unknown``."""

    # --- what the program states, and what it needs
    STATED_DISTANCE_NEGATIVE = "the distance stated for '{name}' may be negative"
    CLAIMED_DELTA_NEGATIVE = "the claimed delta may be negative"
    INDEX_OUT_OF_RANGE = "not ruled out: index out of range"
    DIVISOR_MAY_BE_ZERO = "not ruled out: division by zero"
    OPERATION_UNDEFINED = "not ruled out: {what}"
    PARAMETER_NOT_SHOWN = "not shown: {what}"
    DIVERGENCE_MISSES_CLAIM = "{bound} is proved, but {claim} is claimed"
    OTHER_THAN_GAUSSIAN = "this draw costs something, and GDP is proved of Gaussian noise on reals alone"
    OTHER_THAN_TWO_SIDED = "this draw costs something, which is no square, and the program may not end"
    GAUSSIAN_WITHOUT_CLAIM = "Gaussian noise needs a claim, epsilon and delta: each epsilon has its own delta"
    TOO_MANY_DRAWS = "{count} statements draw noise, and the search is for at most {most}"
    NO_CORE_PROGRAM = "the program has no core program to certify: {problem}"
    NO_SMALL_PARAMETERS = "no small parameters that satisfy 'requires' were found to test with"
    NO_RUN_ENDS = "no run on small inputs comes to an end"

    # --- the search
    NO_STRATEGY = (
        "on small inputs, no way was found to make the outputs of two runs equal by shifting the noise: "
        "is there noise enough between private data and each output and branch?"
    )
    NO_STRATEGY_FOR_ALL = "shifts of the noise that work on small inputs were not shown to work on all inputs"
    PRIVATE_OUTPUT = "{what} differs between two adjacent inputs, and no noise has a say in it"
    PRIVATE_BRANCH = (
        "the branch here goes different ways on two adjacent inputs, and no noise has a say in it; "
        "what is drawn, how long it runs or what is published depends on it"
    )
    OUTPUT_NOT_MATCHED = (
        "on small inputs, no shift of the noise was found that makes {what} the same in two runs"
    )
    BRANCH_NOT_MATCHED = (
        "on small inputs, no shift of the noise was found with which two runs go the same way here; "
        "what is drawn, how long it runs or what is published depends on it"
    )
    DISTANCE_UNBOUNDED = (
        "on small inputs {center} differs by at most {bound} between two adjacent ones, and that is not "
        "shown for all inputs; the noise here has to hide that difference"
    )
    SHIFT_NOT_PAID = "it is not shown for all inputs that this noise is moved by no more than is paid for"
    NOT_SHOWN_FOR_ALL = "what works on small inputs is not shown for all: {what}"
    NO_BOUND = "no bound on the cost was proved"
    SOLVER_GAVE_UP = (
        "what works on small inputs is not shown for all: no invariant was found here ({problem})"
    )
    BOUND_MISSES_CLAIM = "what is proved is {bound}, which is not shown to be at most the claim {claim}"
    PAID_IN_EACH_ITERATION = (
        "this noise costs {cost} in each iteration, and their number is not bounded by a constant: what is "
        "proved is {bound}, which is not shown to be at most the claim {claim}"
    )
    PART_MISSES_CLAIM = (
        "what is proved of a part is {bound}, which is not shown to be at most the claim {claim}"
    )
    SHIFT_UNBOUNDED = "the shift here is not bounded by the stated distances"
    SCALE_NOT_CONSTANT = "the scale {scale} is no expression over the public parameters"
    PRICE_NEGATIVE = "what a draw costs may be negative for some parameters"
    TAILS_BESIDE_GAUSSIAN = "Gaussian noise beside tails of Laplace noise that are given up"
    NOISE_NEVER_INSIDE = "no test keeps the noise inside"
    ONE_DRAW = "one draw, which may be coupled"
    OUTPUT_CHANCES_UNKNOWN = "no chances of the output were found"
    OUTPUT_CHANCES_INCOMPARABLE = "the chances of the output can't be compared"

    # --- what the relational product can't express
    EXIT_WHERE_RUNS_PART = "an exit inside a branch where the runs may part"
    GUARD_DIFFERS = "a guard that differs between the runs"
    COUPLED_BEFORE_ASSIGNED = "a coupling by a variable that may have no value yet"
    BUDGET_NOT_KEPT = "a budget that is not kept in every loop"
    BUDGET_DIFFERS = "a budget that differs between the runs"
    BUDGET_TOO_LATE = "a budget that is computed after it is spent"
    INTERVALS_UNLIKE = "intervals of unlike widths"
    INTERVALS_UNBOUNDED = "intervals whose widths have no bound"
    INTERVAL_NOT_COUNTED = "an interval whose price is no number of uses"

    # --- the kernel's verdict on the certificate
    NOT_CERTIFIABLE = "certificates have no words for {what}"
    CHECK_INCOMPLETE = "a proof was found, and its check was not completed: {verdict}"
    CONDITION_ON_PARAMETERS = "a proof was found, but for a condition on the parameters that is {verdict}"
    SIGMA_TOO_SMALL = (
        "Gaussian noise of this sigma is not shown to be enough for the claimed epsilon and delta"
    )
    CERTIFICATE_REFUSED = (
        "a defect of synth, not of the program: its own checker refuses the proof that was found. Please "
        "report it with the program, the command and this: synth {version}, [{rule}] at {place}: {verdict}"
    )
