"""``pytest --dp`` collects mechanisms, and fails for those that are not proved."""

from __future__ import annotations

import functools
import sys
from pathlib import Path

import pytest

import synth
from tests.unit.app.invocation import FALSE, PROVED, UNKNOWN, UNREADABLE

pytest_plugins = ["pytester"]

PLUGIN = ("-p", "synth.integrations.pytest_plugin", "-p", "no:cacheprovider")
PLAIN = """
import numpy as np


def noisy_sum(ages, eps):
    return sum(min(max(age, 0), 100) for age in ages) + np.random.laplace(0, 100 / eps)
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project whose pytest has this plugin only."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    return pytester


def outcomes(project: pytest.Pytester, *options: str) -> dict[str, int]:
    return project.runpytest_inprocess(*PLUGIN, *options).parseoutcomes()


def test_a_mechanism_is_a_test(project: pytest.Pytester) -> None:
    project.makepyfile(good=PROVED, wrong=FALSE, open=UNKNOWN, other="x = 1")
    result = project.runpytest_inprocess(*PLUGIN, "--dp", "-rA")
    result.assert_outcomes(passed=1, failed=2)
    text = result.stdout.str()
    assert "too_little: refuted" in text and "bare: unknown" in text
    assert "Traceback" not in text and "good.py::noisy" in text


def test_what_is_decorated_where_no_mechanism_is_read_fails(project: pytest.Pytester) -> None:
    method = "class C:\n    @mechanism(adjacent={})\n    def noisy(self, x: float):\n        return x\n"
    project.makepyfile(good=PROVED + method)
    assert outcomes(project, "--dp") == {"passed": 1, "failed": 1}


def test_without_the_option_nothing_is_collected(project: pytest.Pytester) -> None:
    project.makepyfile(good=PROVED, test_mine="def test_mine(): pass")
    assert outcomes(project) == {"passed": 1}
    assert outcomes(project, "--dp") == {"passed": 2}
    assert outcomes(project, "--dp", "-m", "dp") == {"passed": 1, "deselected": 1}


def test_what_cannot_be_read_fails(project: pytest.Pytester) -> None:
    project.makepyfile(wrong=UNREADABLE, broken="@mechanism(\n")
    result = project.runpytest_inprocess(*PLUGIN, "--dp")
    result.assert_outcomes(failed=2)
    assert "epsilon" in result.stdout.str()


def test_programs_are_not_run(project: pytest.Pytester) -> None:
    project.makepyfile(good=f"{PROVED}\nopen('it_was_run', 'w')\n")
    project.runpytest_inprocess(*PLUGIN, "--dp")
    assert not (project.path / "it_was_run").exists()


SPEC = """
[[mechanism]]
function = "plain.py::noisy_sum"
types = { ages = "list[float]", eps = "float" }
adjacent = { ages = "add_remove_distance()" }
requires = "eps > 0"
epsilon = "eps"
"""


def test_what_a_specification_is_about_is_a_test(project: pytest.Pytester) -> None:
    project.makepyfile(plain=PLAIN)
    project.makefile(".toml", privacy=SPEC, pyproject='[tool.synth]\nspec = "privacy.toml"\n')
    result = project.runpytest_inprocess(*PLUGIN, "--dp", "-v")
    result.assert_outcomes(passed=1)
    assert "plain.py::noisy_sum" in result.stdout.str()


def test_a_wrong_option_ends_the_run(project: pytest.Pytester) -> None:
    project.makepyfile(good=PROVED)
    project.makefile(".toml", pyproject='[tool.synth]\nspek = "privacy.toml"\n')
    result = project.runpytest_inprocess(*PLUGIN, "--dp")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*no key 'spek'*"])
    assert outcomes(project) == {}


def test_the_plugin_is_light(project: pytest.Pytester) -> None:
    code = (
        "import sys, synth.integrations.pytest_plugin\n"
        "print([m for m in sys.modules if m.startswith('synth.') and 'integrations' not in m])"
    )
    assert project.run(sys.executable, "-c", code).stdout.str().strip() == "[]"


def module(path: Path, text: str, name: str) -> object:
    """A function of a file, as a test that imports it has it."""
    path.write_text(text)
    namespace: dict[str, object] = {}
    exec(compile(text, str(path), "exec"), namespace)
    return namespace[name]


def test_an_assertion_about_a_mechanism(tmp_path: Path) -> None:
    noisy = module(tmp_path / "good.py", PROVED, "noisy")
    synth.assert_private(noisy)  # type: ignore[arg-type]
    synth.assert_private(noisy, epsilon="eps")  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match="noisy: refuted"):
        synth.assert_private(noisy, epsilon="eps/2")  # type: ignore[arg-type]


def test_an_assertion_about_a_plain_function(tmp_path: Path) -> None:
    pytest.importorskip("numpy")  # which the program imports
    noisy_sum = module(tmp_path / "plain.py", PLAIN, "noisy_sum")
    stated = {
        "adjacent": {"ages": "add_remove_distance()"},
        "types": {"ages": "list[float]", "eps": "float"},
        "requires": "eps > 0",
    }
    synth.assert_private(noisy_sum, epsilon="eps", **stated)  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match="noisy_sum: refuted"):
        synth.assert_private(noisy_sum, epsilon="eps/3", **stated)  # type: ignore[arg-type]


def test_wrong_arguments_are_usage_errors(tmp_path: Path) -> None:
    pytest.importorskip("numpy")  # which the program imports
    noisy_sum = module(tmp_path / "plain.py", PLAIN, "noisy_sum")
    with pytest.raises(synth.UsageError, match="decorator"):
        synth.assert_private(noisy_sum, epsilon="eps")  # type: ignore[arg-type]
    with pytest.raises(synth.UsageError, match="mapping"):
        synth.assert_private("x.py", adjacent=["q"])  # type: ignore[arg-type]
    with pytest.raises(synth.UsageError):
        synth.assert_private(tmp_path / "plain.py", adjacent={"q": "l1_distance(1)"}, spec="none.toml")


def test_a_function_that_pretends_to_be_another_is_not_asserted(tmp_path: Path) -> None:
    noisy = module(tmp_path / "good.py", PROVED, "noisy")
    leaky = functools.wraps(noisy)(lambda *values: values)  # type: ignore[arg-type]
    with pytest.raises(synth.UsageError, match="not what noisy names"):
        synth.assert_private(leaky)
