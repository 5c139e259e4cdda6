"""How many people the intruder knows means the same on the command line, in TOML and in Python."""

from __future__ import annotations

import pytest

from unmask.assessment.request_file import from_toml
from unmask.cli.options import number_of_targets
from unmask.errors import ArgumentError, UnmaskError
from unmask.intruder.scenario import Scenario
from unmask.intruder.sources import Source
from unmask.parsing import construct


def _toml(targets: str) -> Scenario:
    files = 'format = "unmask-request"\nversion = 1\n[files]\noriginal = "a.csv"\nreleased = "b.csv"\n'
    return from_toml(f"{files}[scenario]\ntargets = {targets}\n").scenario


def _faces(text: str) -> list[int | float | None]:
    return [
        Scenario(targets=number_of_targets(text)).targets,
        Scenario(targets=eval(text)).targets,
        construct(f"source:targets={text}", "source", {"source": Source}).targets,
        _toml(text).targets,
    ]


@pytest.mark.parametrize(("text", "expected"), [("1", 1), ("20", 20), ("0.5", 0.5)])
def test_every_face_reads_a_number_of_people_alike(text: str, expected: float) -> None:
    found = _faces(text)
    assert found == [expected] * 4
    assert {type(one) for one in found} == {type(expected)}


@pytest.mark.parametrize("face", range(4))
@pytest.mark.parametrize(("text", "hint"), [("1.0", "1 is one person; leave"), ("2.0", "share")])
def test_every_face_refuses_what_could_be_one_person_or_everybody(face: int, text: str, hint: str) -> None:
    ways = [
        lambda: Scenario(targets=number_of_targets(text)),
        lambda: Scenario(targets=eval(text)),
        lambda: construct(f"source:targets={text}", "source", {"source": Source}),
        lambda: _toml(text),
    ]
    with pytest.raises(UnmaskError, match=hint):
        ways[face]()


def test_words_are_no_number_of_people() -> None:
    with pytest.raises(ArgumentError, match="--targets is 'all'"):
        number_of_targets("all")
