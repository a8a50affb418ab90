"""What other tools print is read in the words of the table, with who took how long (benchmarks/peers)."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import pytest

from benchmarks.peers.__main__ import PROGRAMS, main
from benchmarks.peers.running import Answer, Installed, Peer, ask, read_installed, read_peers, verdict
from benchmarks.peers.table import Line, markdown

RECORDED = [
    (
        "checkdp",
        "INFO Result: Alignment Found: {'eta': '-CHECKDP_ALIGNED_DISTANCE_sum'}\nINFO Finished in 2 seconds.",
        "alignment",
    ),
    (
        "checkdp",
        "INFO Result: Counterexample Found: {'CHECKDP_index': 4} with output [['-22']]\n"
        "INFO PSI validation passed, final bad output ['-22']\nINFO Result: Counterexample Found",
        "counterexample, confirmed",
    ),
    (
        "checkdp",
        "INFO Result: Counterexample Found: {'CHECKDP_index': 4} with output [['-22']]\n"
        "ERROR PSI validation failed, ratio of probabilities is still bounded",
        "counterexample, not confirmed",
    ),
    (
        "checkdp",
        "INFO Result: Counterexample Found: {'CHECKDP_index': 4} with output [['-22']]\n"
        "out/psi_input_3_output_-22.psi:10:8: error: cannot assign Z to variable sum of type N",
        "counterexample, PSI fails",
    ),
    ("statdp", "INFO:statdp:Options -> cores:1\nnothing found: p = 0.376\n", "nothing found, p = 0.376"),
    ("statdp", "violation: p = 0\n", "violation, p = 0"),
    (
        "dp_sniper",
        "[WARNING] probability p1 < p2 for eps estimation\nviolation: eps >= 1.75\n",
        "violation, ε ≥ 1.75",
    ),
    ("dp_sniper", "nothing found: eps >= 0.0931\n", "nothing found, ε ≥ 0.0931"),
    (
        "dp_finder",
        "[INFO]: eps:0.039\n[INFO]: Finished search\n2026-11-27_16-48-23 [INFO]: Best eps:inf\n",
        "ε ≥ inf",
    ),
    (
        "dpgen",
        "Final alignment: ('alignments: eta: -vsum_dist', 'eta1: 1')\nTotal Time: 26.9s",
        "noise found",
    ),
    ("dipaut", " Automata is differentially private and weight is 5/4.          \n", "private, weight 5/4"),
    (
        "dipaut",
        "│ Leaking Cycle    │ Yes  │\n└──────┘\n    Automata is not differentially private.   \n",
        "not private",
    ),
    (
        "dipaut",
        "│ Leaking Pair     │ Yes  │\n└──────┘\n    Automata is not well-formed.   \n",
        "not well-formed",
    ),
    ("dipapprox", 'Generating LALR tables\n{ "DP": 1}', "private"),
    ("dipapprox", '{ "DP": -1}', "not private"),
    ("dipapprox", '{ "DP": 0}', "unresolved"),
    ("shadowdp", "INFO:__main__: Transformation finished in 0.490 seconds\n", "typed, not verified"),
    ("lightdp", "INFO Type check succeeds, now transforming the algorithm...\n", "typed, not verified"),
]


@pytest.mark.parametrize(("key", "output", "words"), RECORDED)
def test_what_a_peer_printed_is_said_in_the_words_of_the_table(key: str, output: str, words: str) -> None:
    assert verdict(read_peers()[key], output) == words


def test_each_way_to_answer_is_recorded() -> None:
    peers = read_peers()
    ways = {(key, pattern) for key, peer in peers.items() for pattern, _ in peer.says}
    assert ways == {(key, _first(peers[key], output)) for key, output, _ in RECORDED}


def _first(peer: Peer, output: str) -> str:
    return next(pattern for pattern, _ in peer.says if re.search(pattern, output, re.MULTILINE))


def test_what_is_no_answer_is_an_error_with_its_last_line() -> None:
    assert verdict(read_peers()["lightdp"], "Traceback\n\nKeyError: 'out'\n\n") == "error: KeyError: 'out'"
    assert verdict(read_peers()["lightdp"], "\n") == "error: no output"


def test_all_rows_are_mechanisms_whose_truth_is_known() -> None:
    known = tomllib.loads((PROGRAMS / "truth.toml").read_text(encoding="utf-8"))["mechanism"]
    asked = {row for peer in read_peers().values() for row in peer.rows}
    assert asked and asked <= {row["function"] for row in known}


def test_a_peer_is_asked_in_an_empty_folder_with_its_places_filled_in() -> None:
    show = "import os, sys; print(os.listdir()); print('seen', sys.argv[1:])"
    peer = Peer("a tool", "", ["-c", show], [(r"\[\]\nseen (.*)$", r"\1")], {"a.py::f": ["{sources}/f.c"]})
    answer = ask(peer, Installed([sys.executable], "/there", "1"), "a.py::f", 60)
    assert answer.words == "['/there/f.c']" and answer.seconds is not None


def test_a_peer_that_takes_too_long_is_ended() -> None:
    peer = Peer("a tool", "", ["-c", "while True: pass"], [], {"a.py::f": []})
    assert ask(peer, Installed([sys.executable], "", "1"), "a.py::f", 0) == Answer("no answer", None, None)


def test_the_table_has_seconds_and_ratios() -> None:
    lines = [
        Line("a", "a.py::f", True, "proved", 2.0, 1.0, "private | so it says", 30.0, 8.0, 60.0, 1.0),
        Line("a", "a.py::g", False, "refuted", 4.0, 2.0, "no answer", None, None, 60.0, 1.0),
        Line("a", "a.py::h", True, "proved", 4.0, 2.0, "error: no `z3`", 0.2, 0.1, 60.0, 1.0),
    ]
    assert markdown(lines).splitlines()[2:] == [
        r"| `f` | true | proved | 2.0 | private \| so it says | 30.0 | 15 | 8 |",
        "| `g` | false | refuted | 4.0 | no answer | > 60 | > 15 | – |",
        "| `h` | true | proved | 4.0 | error: no 'z3' | 0.2 | 0.05 | 0.05 |",
        "",
        "Medians where the peer answered (1 of 3): 15, of processor seconds 8.",
    ]


def test_a_list_of_installed_peers_that_lacks_a_key_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = tmp_path / "installed.toml"
    listed.write_text('[statdp]\ncommand = ["python"]\n', encoding="utf-8")
    with pytest.raises(ValueError, match="statdp"):
        read_installed(listed)
    assert main(["--installed", str(listed)]) == 2
    assert "[statdp] has the keys command, sources and version" in capsys.readouterr().err


def test_a_peer_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = tmp_path / "installed.toml"
    listed.write_text("", encoding="utf-8")
    assert main(["--installed", str(listed), "--peer", "statdp"]) == 2
    assert "statdp" in capsys.readouterr().err


def test_rows_that_none_of_the_peers_has_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = tmp_path / "installed.toml"
    listed.write_text('[lightdp]\ncommand = ["false"]\nsources = ""\nversion = "1"\n', encoding="utf-8")
    assert main(["--installed", str(listed), "--row", "dipaut.py::*"]) == 2
    assert "no row" in capsys.readouterr().err
