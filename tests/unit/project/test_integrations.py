"""The files that other tools read name commands and options that exist."""

import re

import pytest
import yaml

from synth.app.cli import main
from tests import ROOT

HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
COMMANDS = [
    *(hook["entry"] for hook in HOOKS),
    *(line for step in ACTION["runs"]["steps"] for line in step["run"].splitlines() if "synth prove" in line),
    *re.findall(r"^synth .*$", (ROOT / "docs" / "ci.md").read_text(), re.MULTILINE),
]


@pytest.mark.parametrize("command", COMMANDS)
def test_options_exist(command: str) -> None:
    name, rest = re.search(r"synth (\w+)(.*)", command).groups()
    known = {option for item in main.commands[name].params for option in item.opts}
    assert set(re.findall(r"--[a-z-]+", rest)) <= known


def test_there_are_some() -> None:
    assert len(COMMANDS) >= 5
