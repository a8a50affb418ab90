"""Shares of the tests, such as a third that rotates."""

from __future__ import annotations

import argparse
import hashlib


def share(text: str) -> tuple[int, int]:
    """``K/N``: the K-th of N shares, counted from 1."""
    try:
        which, of = map(int, text.split("/"))
    except ValueError:
        which, of = 0, 0
    if not 1 <= which <= of:
        raise argparse.ArgumentTypeError(f"{text!r} is no share such as 2/3")
    return which, of


def share_of(name: str, of: int) -> int:
    """Which of so many shares a test belongs to, counted from 1."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8]) % of + 1
