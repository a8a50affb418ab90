"""Loggers are kept in variables and attributes; what they show is public or returned anyway."""

from __future__ import annotations

import pytest

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir

HEAD = """\
import logging
import random

from synth.lang import mechanism, discrete_distance

LOG = logging.getLogger(__name__)


class Noisy:
    def __init__(self, scale, log=None):
        self.scale = scale
        self.log = logging.getLogger(self.__class__.__name__) if log is None else log

    def release(self, x):
        self.log.info("scale: %s", self.scale)
        return x + random.gauss(0.0, self.scale)

    def leak(self, x):
        self.log.debug("value: %s", x)
        return x + random.gauss(0.0, self.scale)


def shown(log, x):
    log.warning(f"about {x}")


@mechanism(adjacent={"x": discrete_distance()}, requires="s > 0")
def f(x: float, s: float):
"""


def laws(body: str) -> list[str]:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    (found,) = read_source(HEAD + lines, "p.py")
    assert not any(isinstance(item, ir.Assume) for item in ir.statements(found.body))
    return [item.distribution for item in ir.statements(found.body) if isinstance(item, ir.Draw)]


READ = [
    "return Noisy(s).release(x)",
    "return Noisy(s, LOG).release(x)",
    "log = logging.getLogger('f')\nlog.info('begun')\nreturn Noisy(s, log).release(x)",
    "log = LOG\ny = x + random.gauss(0.0, s)\nlog.info('%s', y)\nreturn y",
]


@pytest.mark.parametrize("body", READ)
def test_what_is_public_may_be_logged(body: str) -> None:
    assert laws(body) == ["gaussian"]


REFUSED = [
    ("return Noisy(s).leak(x)", Refusal.PRIVATE_PRINT),
    ("shown(logging.getLogger('f'), x)\nreturn 0", Refusal.PRIVATE_PRINT),
    ("log = logging.getLogger(random.choice(['a', 'b']))\nreturn 0", Refusal.UNSUPPORTED_CALL),
    ("log = logging.getLogger('f')\nlog.addHandler(x)\nreturn 0", Refusal.UNSUPPORTED_CALL),
    ("log = logging.getLogger('f')\nlog = 3\nreturn log", Refusal.ALIASING),
    ("return LOG", Refusal.UNSUPPORTED_OUTPUT),
]


@pytest.mark.parametrize(("body", "code"), REFUSED)
def test_what_else_is_done_with_loggers_is_refused(body: str, code: Refusal) -> None:
    with pytest.raises(ProgramError) as caught:
        laws(body)
    assert caught.value.code is code
