"""opendp.prelude: domains and metrics; nobody can ask more of them than which ones they are."""

from opendp.prelude import _domains, _metrics
from synth.stubs import shown, to_type


def atom_domain(bounds=None, nan=None, T=None):
    """is the domain of numbers of a type"""
    shown(bounds is None)
    _check_numbers(T)
    if isinstance(to_type(0.5, T), float):
        return _domains.Real() if nan is False else _domains.Unclear()
    shown(nan is None)
    return _domains.Integer()


def vector_domain(atom_domain, size=None):
    """is the domain of lists of numbers of a type"""
    shown(size is None)
    if isinstance(atom_domain, _domains.Integer):
        return _domains.Integers()
    if isinstance(atom_domain, _domains.Real):
        return _domains.Reals()
    shown(isinstance(atom_domain, _domains.Unclear))
    return _domains.Unclears()


def absolute_distance(T=None):
    """is the distance of two numbers"""
    _check_numbers(T)
    return _metrics.Absolute()


def l1_distance(T=None):
    """is the sum of the distances of entries"""
    _check_numbers(T)
    return _metrics.L1()


def l2_distance(T=None):
    """is the root of the sum of the squares of the distances of entries"""
    _check_numbers(T)
    return _metrics.L2()


def symmetric_distance():
    """is how many entries are in one list and not in the other"""
    return _metrics.Symmetric()


def discrete_distance():
    """is whether two values differ"""
    return _metrics.Discrete()


def _check_numbers(kind):
    """Shows that there is a type, and no truth values."""
    shown(kind)
    shown(to_type(2, kind) == 2)
