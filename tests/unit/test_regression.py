"""No number changes unnoticed: a handful of requests on the bundled example, to twelve digits.

A change that is meant to move one of these numbers writes the file anew and says why:
`python -m tests.unit.test_regression`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from math import isclose
from pathlib import Path
from typing import Any

import pytest

import unmask
from unmask import Grid, Scenario, Source
from unmask.data.example import people
from unmask.documents import Table
from unmask.masks import GlobalRecoding, Microaggregation, Noise, RankSwapping

PINNED = Path(__file__).with_name("regression.json")
PEOPLE = people(200)
NUMBERS = ("age", "hours", "income", "rent", "commute")
CATEGORIES = ("sex", "region", "education", "occupation", "health")
TIES = ["reidentification", "reidentification-strict", "reidentification-lenient"]


def noise() -> Table:
    """Numbers under much noise, by every kind of distance."""
    attacks = ["guess", "dbrl", "mahalanobis", "rbrl-sum", "rbrl-max", "prl", "owa", "choquet", "one-to-one"]
    return assessed(Noise(a=0.8), known=NUMBERS, attacks=attacks, measures=TIES, seed=1)


def groups() -> Table:
    """All kinds of attributes, numbers in groups, by intruders who know the mask or not."""
    attacks = ["dbrl", "rbrl-sum", "prl"]
    asked: Any = {"attacks": attacks, "measures": TIES, "mechanism": "microaggregation:k=5"}
    return assessed(Microaggregation(k=5), **asked, seed=2)


def vague() -> Table:
    """An intruder with errors, of half the people."""
    known = ("age", "income", "sex", "region")
    scenario = Scenario(known=known, targets=0.5, error=0.2, block=("sex",))
    return assessed(RankSwapping(p=15), scenario=scenario, attacks=["dbrl", "prl"], measures=TIES, seed=3)


def categories() -> Table:
    """Measures of the file, of categories that were made coarser."""
    measures = [
        "k-anonymity",
        "small-classes",
        "sample-uniques",
        "l-diversity",
        "t-closeness",
        "special-uniques",
        "dis-suda",
        "prosecutor-risk",
        "marketer-risk",
        "individual-risk",
        "household-risk",
        "log-linear-uniques",
        "log-linear-matches",
        "sadr",
    ]
    mask = GlobalRecoding(width=2, attributes=("education", "health"))
    return assessed(mask, known=CATEGORIES, measures=measures, seed=4)


def intervals() -> Table:
    """Measures of the file, of numbers."""
    measures = [
        "interval-rank",
        "interval-sd",
        "interval-drisk",
        "membership-distance",
        "closest-record-proxy",
    ]
    return assessed(Noise(a=0.3), known=NUMBERS, measures=measures, holdout=people(150, seed=9), seed=5)


def releases() -> Table:
    """Two releases, followed by order and not at all."""
    asked: Any = {"known": NUMBERS, "attacks": ["dbrl", "rbrl-sum"], "seed": 6}
    rows = []
    for follow in ("order", "none"):
        mask = Noise(a=0.8, attributes=NUMBERS)
        rows += unmask.assess_releases(PEOPLE, mask, [mask], follow=follow, **asked).document.table.rows
    return Table(tuple(rows))


def sources() -> Table:
    """Two sources of knowledge, alone and combined."""
    held = (Source(("age", "hours"), targets=150), Source(("income", "rent"), targets=0.5, error=0.1))
    scenario = Scenario(sources=held)
    return assessed(Noise(a=0.5), scenario=scenario, attacks=["dbrl"], measures=TIES[:1], seed=7)


def curves() -> Table:
    """What the intruder knows, how well and of how many."""
    grid = Grid(size=2, errors=(0.0, 0.3), shares=(0.25, 1.0))
    known = ("age", "income", "sex", "region")
    return unmask.knowledge_curves(PEOPLE, Noise(a=0.5), known=known, grid=grid, seed=8).document.table


REQUESTS: dict[str, Callable[[], Table]] = {
    made.__name__: made for made in (noise, groups, vague, categories, intervals, releases, sources, curves)
}


def assessed(mask: object, **asked: Any) -> Table:
    return unmask.assess(PEOPLE, mask, **asked).document.table


def lines(table: Table) -> list[dict[str, Any]]:
    """What each row speaks of, its value, on how many it rests, and the baseline beside it."""
    return [
        {
            **{
                key: list(value) if isinstance(value, tuple) else value
                for key, value in row.keys.given().items()
            },
            "value": rounded(row.estimate.number),
            "n": row.estimate.n,
            "baseline": rounded(row.estimate.baseline),
        }
        for row in table
    ]


def rounded(number: float | None) -> float | None:
    return None if number is None else float(f"{number:.12g}")


@pytest.mark.parametrize("name", REQUESTS)
def test_no_number_changed(name: str) -> None:
    expected = json.loads(PINNED.read_text())[name]
    found = lines(REQUESTS[name]())
    assert [keys(line) for line in found] == [keys(line) for line in expected]
    for line, pinned in zip(found, expected, strict=True):
        for number in ("value", "baseline"):
            assert same(line[number], pinned[number]), (keys(pinned), number, line[number], pinned[number])


def same(found: float | None, pinned: float | None) -> bool:
    if found is None or pinned is None:
        return found is pinned
    return isclose(found, pinned, rel_tol=1e-11, abs_tol=1e-15)


def keys(line: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in line.items() if key not in ("value", "baseline")}


def test_the_pinned_numbers_are_of_many_kinds() -> None:
    pinned = json.loads(PINNED.read_text())
    assert list(pinned) == list(REQUESTS)
    values = [line["value"] for part in pinned.values() for line in part if line["value"] is not None]
    assert len(values) > 100
    assert len(set(values)) > 60


if __name__ == "__main__":
    parts = [
        f'"{name}": [\n' + ",\n".join(json.dumps(line) for line in lines(made())) + "\n]"
        for name, made in REQUESTS.items()
    ]
    PINNED.write_text("{\n" + ",\n".join(parts) + "\n}\n")
