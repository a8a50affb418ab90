"""The files that other tools read name commands and options that exist."""

import os
import re
import subprocess
from pathlib import Path

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


def test_the_action_proves_all_paths_also_in_several_lines(tmp_path: Path) -> None:
    (step,) = (step["run"] for step in ACTION["runs"]["steps"] if "PATHS" in step.get("env", {}))
    (tmp_path / "synth").write_text('#!/bin/bash\necho "$@" >> "$RUNNER_TEMP/calls"\n')
    (tmp_path / "synth").chmod(0o755)
    where = {"RUNNER_TEMP": str(tmp_path), "GITHUB_STEP_SUMMARY": "/dev/null", "GITHUB_OUTPUT": "/dev/null"}
    given = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "PATHS": "src one.py\nother\n", "SPEC": "s.toml"}
    subprocess.run(["bash", "-eo", "pipefail", "-c", step], env=where | given, check=True)
    calls = (tmp_path / "calls").read_text().splitlines()
    assert all(call.endswith(" --spec s.toml src one.py other") for call in calls) and calls
