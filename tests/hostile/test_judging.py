"""The judge of the hunt, on outcomes that are made up: what is wrong is seen."""

from __future__ import annotations

import json
import os
import pickle
import signal
import time
from dataclasses import replace
from typing import Any

import pytest

from tests.hostile.bench import Bench
from tests.hostile.clean import FILES
from tests.hostile.hunt import KINDS, trials_of
from tests.hostile.judging import judge
from tests.hostile.parameters import verbs
from tests.hostile.table import faults
from tests.hostile.trial import Command, Judged, Must, Ran, Twin, Verdict

COMMAND = Command("x", "k", ("assess", "a.csv", "b.csv", "--json", "risk.json"))
REFUSED = Ran(2, "", "error: no file. Hint: name one.\n", {"a.csv": b"1"}, {"a.csv": b"1"})


def document(rate: float, *notes: str, released: int = 10) -> bytes:
    return json.dumps(
        {
            "notes": notes,
            "attacks": [],
            "sizes": {"released": released},
            "table": [{"attack": "dbrl", "measure": "reidentification", "value": rate}],
        }
    ).encode()


def answered(rate: float, *notes: str, released: int = 10) -> Ran:
    return replace(
        REFUSED,
        code=0,
        out="found",
        err="",
        after={"a.csv": b"1", "risk.json": document(rate, *notes, released=released)},
    )


def test_a_refusal_in_one_line_is_right() -> None:
    assert judge(COMMAND, REFUSED).verdict is Verdict.REFUSED


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"err": "error: a\nmore\n"}, "one line"),
        ({"err": "error: Zq0001. Hint: x.\n"}, "value is on stderr"),
        ({"err": "error: \x1b[31m. Hint: x.\n"}, "U+001B"),
        ({"out": "begun"}, "prints before"),
        ({"code": 1, "err": "Traceback (most recent call last):\n"}, "Traceback"),
        ({"code": -11}, "signal 11"),
        ({"code": None}, "hangs"),
        ({"after": {"a.csv": b"2"}}, "writes a.csv"),
        ({"after": {"a.csv": b"1", "b.json": b""}}, "writes b.json"),
        ({"after": {}}, "writes a.csv"),
        ({"left": ("temporary file x",)}, "leaves behind"),
        ({"grown": 9000.0}, "memory"),
        ({"code": 0, "err": "", "after": {"a.csv": b"1", "risk.json": b"{"}}, "not whole"),
        ({"code": 0, "err": "", "after": {"a.csv": b"1", "risk.json": b'"771123"'}}, "value is in risk.json"),
        ({"code": 0, "err": "", "after": {"a.csv": b"2"}}, "writes over a.csv"),
        ({"code": 1, "err": ""}, "without a word"),
    ],
)
def test_what_is_wrong_is_seen(change: dict[str, object], says: str) -> None:
    found = judge(COMMAND, replace(REFUSED, **change))  # type: ignore[arg-type]
    assert found.verdict is Verdict.WRONG
    assert says in " ".join(found.why)


@pytest.mark.parametrize(
    ("arguments", "held", "whole"),
    [
        (("assess", "--json", "schema.toml"), b'{"a": 1}', True),
        (("assess", "--json", "schema.toml"), b'{"a": 1', False),
        (("assess", "--html", "risk.json"), b"<p></html>", True),
        (("assess", "--html", "risk.json"), b"{}", False),
        (("assess", "--save-request", "risk.json"), b"a = 1", True),
        (("check", "-o", "risk.json"), b"a = ", False),
        (("mask", "-o", "out.csv"), b"a\n1", False),
    ],
)
def test_what_an_output_holds_is_told_by_its_option(
    arguments: tuple[str, ...], held: bytes, whole: bool
) -> None:
    trial = replace(COMMAND, arguments=arguments)
    ran = replace(REFUSED, code=0, err="", out="done", after={**REFUSED.before, arguments[-1]: held})
    assert (judge(trial, ran).verdict is Verdict.ANSWERED) is whole


@pytest.mark.parametrize(
    ("warning", "verdict"),
    [
        ("IdentifiersLeftOutWarning: identifiers left out: id", Verdict.ANSWERED),
        ("UserWarning: x", Verdict.WRONG),
    ],
)
def test_only_a_warning_of_the_program_itself_is_meant(warning: str, verdict: Verdict) -> None:
    assert judge(COMMAND, replace(answered(0.5), err=f"a program:2: {warning}\n")).verdict is verdict


def test_what_makes_no_sense_must_be_refused() -> None:
    trial = replace(COMMAND, must=Must.REFUSE)
    assert judge(trial, REFUSED).verdict is Verdict.REFUSED
    assert judge(trial, answered(0.5)).verdict is Verdict.WRONG


@pytest.mark.parametrize(
    ("ran", "verdict"),
    [
        (answered(0.9), Verdict.ANSWERED),
        (answered(0.8), Verdict.WRONG),
        (answered(0.86), Verdict.ANSWERED),
        (answered(0.1, "one cell is no number"), Verdict.ANSWERED),
        (answered(0.9, released=9), Verdict.WRONG),
        (REFUSED, Verdict.REFUSED),
    ],
)
def test_a_number_that_is_too_low_needs_a_note(ran: Ran, verdict: Verdict) -> None:
    trial = replace(COMMAND, twin=Twin({}, (), 0.05))
    assert judge(trial, ran, answered(0.9)).verdict is verdict


def test_an_accepted_limit_that_passes_must_leave_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.hostile.table.ACCEPTED", {"limit": "a reason"})
    wrong, right = (Judged("limit", "k", verdict) for verdict in (Verdict.WRONG, Verdict.ANSWERED))
    assert not faults([wrong])
    assert faults([right])


class Ends:
    """What a pickle of it does when it is read, which is how a released model may be dangerous."""

    def __init__(self, does: object, *arguments: object) -> None:
        self.done = does, arguments

    def __reduce__(self) -> Any:
        return self.done


def test_a_crash_and_a_hang_are_seen_and_the_next_command_runs() -> None:
    models = {"crash": pickle.dumps(Ends(os.abort)), "hang": pickle.dumps(Ends(time.sleep, 3600))}
    trusted = tuple(one.flag for one in verbs()["assess"] if one.name == "trust_model")
    command = ("assess", "original.csv", "released.csv", "--attacks", "guess", *trusted, "--model")
    with Bench() as bench:
        assert bench.run(("list", "masks"), {}).code == 0
        assert bench.run((*command, "crash"), {**FILES, **models}).code == -signal.SIGABRT
        assert bench.run(("list", "masks"), {}).code == 0
        bench.patience = 8.0
        assert bench.run((*command, "hang"), {**FILES, **models}).code is None
        bench.patience = 60.0
        assert bench.run(("list", "masks"), {}).code == 0


def test_the_trials_are_many_and_have_names_of_their_own() -> None:
    names = [trial.name for kind in KINDS for trial in trials_of(kind, 1)]
    assert len(set(names)) == len(names) >= 500
