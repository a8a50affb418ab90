"""The papers that a proof's rules are from."""

from __future__ import annotations

from synth.views.certificate.steps import Reading

_LOGIC = (
    "G. Barthe, M. Gaboardi, B. Grégoire, J. Hsu, P.-Y. Strub. Proving differential privacy via "
    "probabilistic couplings. LICS 2016."
)
_INTERVALS = (
    "G. Barthe, N. Fong, M. Gaboardi, B. Grégoire, J. Hsu, P.-Y. Strub. Advanced probabilistic couplings "
    "for differential privacy. CCS 2016."
)
_CERTIPRIV = (
    "G. Barthe, B. Köpf, F. Olmedo, S. Zanella Béguelin. Probabilistic relational reasoning for differential "
    "privacy. POPL 2012."
)
_TAILS = (
    "B. Balle, Y.-X. Wang. Improving the Gaussian mechanism for differential privacy: analytical calibration "
    "and optimal denoising. ICML 2018."
)
_GAUSSIAN = "J. Dong, A. Roth, W. J. Su. Gaussian differential privacy. Journal of the RSS, Series B, 2022."
_EXPONENTIAL = "F. McSherry, K. Talwar. Mechanism design via differential privacy. FOCS 2007."
_SAMPLES = (
    "N. Li, W. H. Qardaji, D. Su. On sampling, anonymization, and differential privacy or, k-anonymization "
    "meets differential privacy. ASIACCS 2012."
)
_OF_RULES = {
    "LapInt": (_INTERVALS,),
    "Norm": (_CERTIPRIV, _TAILS, _GAUSSIAN),
    "Choice": (_EXPONENTIAL,),
}


def references(reading: Reading) -> tuple[str, ...]:
    """Return what the rules of a derivation are from, the logic first."""
    readings = (reading, *reading.parts)
    rules = [step.node.rule for item in readings for step in item.all_steps()]
    found = [paper for rule in rules for paper in _OF_RULES.get(rule, ())]
    sampled = [] if reading.certificate.sampled is None else [_SAMPLES]
    return tuple(dict.fromkeys([_LOGIC, *found, *sampled]))
