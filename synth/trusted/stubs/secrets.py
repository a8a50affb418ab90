"""secrets: draws from the operating system."""

import synth.lang as lang

from random import SystemRandom


def randbelow(exclusive_upper_bound: int) -> int:
    """draws each integer below the end with the same chance"""
    return lang.uniform_int(0, exclusive_upper_bound - 1)


def randbits(k: int) -> int:
    """draws each integer of that many bits with the same chance"""
    return lang.uniform_int(0, 2**k - 1)


def choice(seq):
    """draws each entry with the same chance"""
    return seq[lang.uniform_int(0, len(seq) - 1)]
