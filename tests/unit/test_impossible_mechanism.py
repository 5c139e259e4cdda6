"""A mask that cannot have made the release is refused, or makes the attack say so and claim nothing."""

from __future__ import annotations

import numpy as np
import pytest

import unmask
from unmask.data.example import people
from unmask.data.microdata import Masked, Microdata
from unmask.errors import ArgumentError
from unmask.masks import parse

PEOPLE = people(60)
ASKED = {
    "known": ["age", "hours", "income", "rent"],
    "attacks": ["guess"],
    "measures": ["known-reidentification", "claimed-precision"],
    "seed": 1,
}


def made(mask: str) -> Microdata:
    """The people under a mask."""
    return parse(mask).apply(PEOPLE, np.random.default_rng(1)).data


def attacked(released: Microdata, mask: str) -> tuple[tuple[str, ...], dict[str, object]]:
    """The notes of the attack that takes the release for made by this mask, and its values."""
    asked = {**ASKED, "mechanism": mask, "truth": "rows"}
    found = unmask.assess(PEOPLE, released, **asked)
    (run,) = (run for run in found.runs if run.attack.startswith("mechanism"))
    return run.notes, {name: estimate.value for name, estimate in run.estimates.items()}


@pytest.mark.parametrize("mask", ["microaggregation:k=100", "individual-ranking:k=100"])
def test_groups_larger_than_the_file_are_refused(mask: str) -> None:
    with pytest.raises(ArgumentError, match="k=100 exceeds the 60 records of the file") as refused:
        attacked(made("microaggregation:k=3"), mask)
    assert "give the mask" in str(refused.value)


@pytest.mark.parametrize(
    ("release", "mask"),
    [
        ("noise:a=0.5", "noise:a=0.0001"),  # values moved far
        ("rank-swapping:p=20", "noise:a=0.0001"),
        ("noise:a=0.5", "rank-swapping:p=5"),
        ("noise:a=0.5", "microaggregation:k=20"),  # no two records alike
        ("microaggregation:k=3", "microaggregation:k=4"),  # groups of three
        ("noise:a=0.0001", "top-coding:limit=40,attributes=age"),  # values above the top
    ],
)
def test_nothing_is_certain_where_the_release_contradicts_the_mask(release: str, mask: str) -> None:
    notes, values = attacked(made(release), mask)
    assert "the release contradicts the mask" in notes[-1]
    assert not any("certain links" in note for note in notes)
    assert values["known-reidentification"] == 0.0
    assert isinstance(values["claimed-precision"], unmask.measures.NotEstimable)


@pytest.mark.parametrize(
    "mask",
    [
        *("noise:a=0.5", "noise:a=0.0001", "rank-swapping:p=5", "microaggregation:k=3"),
        *("individual-ranking:k=3", "top-coding:limit=40,attributes=age", "top-coding:share=0.2"),
        *("bottom-coding:limit=40,attributes=age,replacement=mean", "correlated-noise:a=0.3"),
        *("multiplicative-noise:b=0.2", "p-distribution-rank-swapping:p=10", "pram:pd=0.6"),
        *("global-recoding:bands=4", "local-suppression:k=2"),
    ],
)
def test_the_true_mask_is_never_contradicted(mask: str) -> None:
    notes, _ = attacked(made(mask), mask)
    assert not any("contradicts" in note or "cannot have made" in note for note in notes)


def test_people_who_are_not_in_the_release_do_not_speak_against_the_mask() -> None:
    few = np.arange(0, 60, 3)
    mask = parse("noise:a=0.0001")
    released = mask.apply(PEOPLE.take(few), np.random.default_rng(1)).data
    asked = {**ASKED, "mechanism": mask, "truth": "person"}
    run = unmask.assess(PEOPLE, released, **asked).runs[-1]
    assert not any("contradicts" in note for note in run.notes)
    wrong = Masked(made("noise:a=0.5").take(few), few)
    run = unmask.assess(PEOPLE, wrong.data, **asked).runs[-1]
    assert any("contradicts" in note for note in run.notes)
