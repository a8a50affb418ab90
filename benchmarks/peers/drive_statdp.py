"""Asks StatDP for a violation of one of its own algorithms; runs in StatDP's Python.

python drive_statdp.py NAME [NAME=NUMBER ...] [--epsilon 0.7] [--one-differs]
"""

import argparse

import statdp
import statdp.algorithms

SIGNIFICANT = 0.05


def main():
    """Prints what the test says: a violation or nothing, and the least p."""
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    parser.add_argument("given", nargs="*")
    parser.add_argument("--epsilon", type=float, default=0.7)
    parser.add_argument("--one-differs", action="store_true")
    options = parser.parse_args()
    found = statdp.detect_counterexample(
        getattr(statdp.algorithms, options.name),
        options.epsilon,
        {"epsilon": options.epsilon, **_numbers(options.given)},
        sensitivity=statdp.ONE_DIFFER if options.one_differs else statdp.ALL_DIFFER,
        cores=1,
        quiet=True,
    )
    p = min(result[1] for result in found)
    print("%s: p = %.3g" % ("violation" if p < SIGNIFICANT else "nothing found", p))


def _numbers(given):
    named = (text.split("=") for text in given)
    return {name: int(number) if number.isdecimal() else float(number) for name, number in named}


if __name__ == "__main__":
    main()
