"""opendp.prelude: domains and metrics; what they say of values is the type alone.

The domain of lists is a tuple of that of their entries.
"""

from synth.stubs import shown, to_type


def atom_domain(bounds=None, nan=None, T=None):
    """is the domain of numbers of a type"""
    shown(bounds is None)
    return to_type(0, T)


def vector_domain(atom_domain, size=None):
    """is the domain of lists of numbers of a type"""
    return (atom_domain,)


def absolute_distance(T=None):
    """is the distance of two numbers"""
    return 0


def l1_distance(T=None):
    """is the sum of the distances of entries"""
    return 0


def l2_distance(T=None):
    """is the root of the sum of the squares of the distances of entries"""
    return 0


def symmetric_distance():
    """is how many entries are in one list and not in the other"""
    return 0


def discrete_distance():
    """is whether two values differ"""
    return 0
