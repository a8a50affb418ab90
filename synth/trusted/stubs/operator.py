"""operator: the operators as functions."""


def add(a, b, /):
    """is a + b"""
    return a + b


def sub(a, b, /):
    """is a - b"""
    return a - b


def mul(a, b, /):
    """is a * b"""
    return a * b


def truediv(a, b, /):
    """is a / b"""
    return a / b


def neg(a, /):
    """is -a"""
    return -a


def lt(a, b, /):
    """is a < b"""
    return a < b


def le(a, b, /):
    """is a <= b"""
    return a <= b


def gt(a, b, /):
    """is a > b"""
    return a > b


def ge(a, b, /):
    """is a >= b"""
    return a >= b


def eq(a, b, /):
    """is a == b"""
    return a == b


def ne(a, b, /):
    """is a != b"""
    return a != b
