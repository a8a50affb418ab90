"""numba: compilers of functions of numbers and arrays."""

from synth.stubs import leaving


@leaving
def jit(*, nopython: bool = True, cache: bool = False, nogil: bool = False) -> None:
    """compiles a function as it is written, with integers that don't overflow"""


@leaving
def njit(*, cache: bool = False, nogil: bool = False) -> None:
    """compiles a function as it is written, with integers that don't overflow"""
