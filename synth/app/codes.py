"""What commands say of their own about a document or a search: one table of codes with their texts."""

from __future__ import annotations

from enum import unique

from synth.trusted.reasons import Coded


@unique
class Code(Coded):
    """Why a document is refused that the kernel accepts, or a search gave nothing."""

    OTHER_TEXT = "the certificate is about another text than that of {name} in {path}"
    OTHER_SPECIFICATION = "the certificate is about another specification than that of {name} for {path}"
    NOT_IN_FILE = "{path} has no mechanism {name}"
    OTHER_MECHANISM = "the certificate is about {name}, not about {wanted}"
    DOCUMENT_PROGRAM_REFUSED = "{error}"
    DOCUMENT_PROGRAM_MISREAD = "a defect of synth: {error}"
    CLAIM_NOT_SHOWN = "not shown: {claim}{hint}"
    CLAIM_UNDECIDED = "{solver} gave up on {claim} ({problem})"
    OTHER_CLAIM_REFUTED = "it refutes {claim}; that is {note} ({own}); {hint}"
    NO_WITNESS_FOUND = "no witness was found within {seconds} s"
    NOTHING_CLAIMED = "nothing is claimed; give a claim with {option}"
