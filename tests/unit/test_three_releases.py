"""Three releases of one file, of which a reader must reach three decisions from the first screen alone.

Careless: nearly everybody is found, the policy is exceeded, and the page says what would help. Decent: some
are found, clearly more than by guessing, within the policy. Over-protected: no attack can be told apart from
guessing, so that the file could have been protected less.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import unmask
from unmask.assessment.record_of_decision import Signature, record_markdown, record_of
from unmask.cli.decision import show_decision
from unmask.data.example import people
from unmask.documents.verdict import Verdict
from unmask.policies import Criterion, Policy, Reading
from unmask.report.decision import DecisionPage, decision

NUMBERS = ["age", "hours", "income", "rent", "commute"]
POLICY = Policy(
    "ours", "Our office", "A handbook.", (Criterion(Reading.FOUND_BEYOND_CHANCE, at_most=0.08, known=3),)
)
STRENGTHS = {"careless": 1, "decent": 25, "over": 90}


@cache
def assessed(name: str) -> unmask.Assessment:
    """Rank swapping, ever stronger; the intruder does not know the mask, and knows five numbers."""
    original = people(1000)
    mask = unmask.masks.RankSwapping(p=STRENGTHS[name])
    frame, schema = original.frame, original.schema
    released = unmask.mask(frame, mask, schema=schema, seed=1, keep_identifiers=False)
    return unmask.assess(frame, released, schema=schema, known=NUMBERS, seed=1)


def page(name: str) -> DecisionPage:
    from dataclasses import replace

    document = assessed(name).document
    return decision(replace(document, verdict=unmask.judge(document, POLICY)))


def card(shown: DecisionPage, name: str = "identity") -> str:
    return next(one.number for one in shown.cards if one.name == name)


def test_careless_nearly_everybody_is_found() -> None:
    shown = page("careless")
    assert shown.verdict is not None
    assert shown.verdict.verdict is Verdict.EXCEEDED
    assert shown.answer[0] == "The policy 'Our office' is exceeded: 1 of 1 criterion."
    assert re.fullmatch(r"9\d in 100|9\d\d in 1,000", card(shown))
    assert shown.helping is not None
    assert shown.helping.lines, "a page that says no must say what would help"


def test_decent_some_are_found_within_the_policy() -> None:
    shown = page("decent")
    assert shown.verdict is not None
    assert shown.verdict.verdict is Verdict.MET
    assert shown.answer[0].startswith("Under the policy 'Our office', the one criterion is met")
    identity = next(one for one in shown.cards if one.name == "identity")
    assert identity.beyond, "met is not nothing: people are found, and the card says how many"
    assert re.search(r"in 1,000|in 100", identity.number)


def test_over_protected_nothing_is_found_that_guessing_would_not_find() -> None:
    shown = page("over")
    assert shown.verdict is not None
    assert shown.verdict.verdict is Verdict.MET
    identity = next(one for one in shown.cards if one.name == "identity")
    assert identity.beyond is False
    assert any("chance" in told or "guess" in told for told in shown.answer[1:])


def test_the_three_first_screens_differ() -> None:
    shown = {name: page(name) for name in STRENGTHS}
    assert len({one.answer for one in shown.values()}) == 3
    assert len({card(one) for one in shown.values()}) == 3


@pytest.mark.parametrize("name", STRENGTHS)
def test_the_terminal_tells_it_in_about_thirty_lines(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    show_decision(assessed(name).document)
    printed = capsys.readouterr().out
    assert len(printed.splitlines()) <= 34
    for part in ("An intruder who knows 5 facts", "Whose record is found?", "Who:", "Through what:"):
        assert part in printed


def test_the_record_repeats_what_the_page_says(tmp_path: Path) -> None:
    document = assessed("careless").document
    record = record_markdown(record_of(document, Signature("A. Officer", "It does not go out.")))
    assert "> It does not go out." in record
    for told in decision(document).answer:
        assert told.replace("_", "\\_") in record
