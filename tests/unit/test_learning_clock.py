"""What the clock ends is marked: a lesson that is not marked as cut is the same at every speed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import count

import pytest

import unmask
from unmask.data.example import people
from unmask.documents.sections import AttackSection
from unmask.masks import Noise

PEOPLE = people(24)
NUMBERS, OTHERS = ["age", "hours", "income", "rent"], ["commute", "region", "education", "health"]


def paused(seconds: float, looks: int) -> Callable[[], float]:
    """A clock on which no time passes but once, after so many looks at it: the process was paused."""
    seen = count()
    return lambda: seconds if next(seen) >= looks else 0.0


def learned(attack: str, known: list[str]) -> Iterator[AttackSection]:
    """What learning found, and what it found of other people."""
    asked = {"known": known, "attacks": [attack], "measures": ["reidentification"], "seed": 3}
    yield from unmask.assess(PEOPLE, Noise(a=0.6), time_limit=60.0, **asked).document.attacks


@pytest.mark.parametrize(
    ("attack", "known"),
    [("learned-wm", [*NUMBERS, *OTHERS]), ("learned-wm", NUMBERS), ("learned-bilinear", NUMBERS[1:3])],
)
def test_a_lesson_that_is_not_cut_is_the_same_at_every_speed(
    attack: str, known: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "monotonic", paused(0.0, 0))
    free = list(learned(attack, known))
    assert not any(section.cut for section in free)
    cut = 0
    for looks in (3, 8, 16, 100):
        monkeypatch.setattr(time, "monotonic", paused(40.0, looks))
        for section, other in zip(learned(attack, known), free, strict=True):
            same = (section.learned, section.standing) == (other.learned, other.standing)
            assert section.cut or same
            assert section.cut == any("time limit" in note for note in section.notes)
            cut += section.cut
    assert cut  # 40 of 60 seconds end something
