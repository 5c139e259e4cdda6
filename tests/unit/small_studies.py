"""Studies that take a moment: few people, one attack, one loss; and what was computed in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from unmask.assessment.asked import Asked, requested_study
from unmask.assessment.request import Verb
from unmask.data.example import people
from unmask.data.microdata import Microdata
from unmask.documents.table import row_plain
from unmask.engines import LocalEngine
from unmask.intruder.scenario import Scenario
from unmask.measures.estimate import Estimate, Keys, Row
from unmask.studies.protection.cell import CellWork, Outcome, Part
from unmask.studies.protection.study import Study, study_of

PEOPLE = people(60)
KNOWN = ("age", "income", "sex")
LOSS = "il1s"
MASKS = ("noise:a=0.1", "noise:a=0.2")

#: A mask, which draw of it, what the intruder knows, and the part that was computed.
Computed = tuple[str, int, tuple[str, ...] | None, Part]


def study(
    masks: Sequence[object] = MASKS,
    original: object = PEOPLE,
    *,
    replicates: int = 2,
    least: str = LOSS,
    intruders: Sequence[Scenario] = (),
    results: Path | None = None,
    engine: LocalEngine | None = None,
    **asked: object,
) -> Study:
    """A study with one attack and one loss, unless more is asked for; in this process."""
    usual: Asked = {"attacks": ["dbrl"], "losses": [LOSS], "measures": ["reidentification"]}
    if not intruders and "known" not in asked:
        usual["known"] = KNOWN
    wanted: Any = {**usual, **asked}
    request, given = requested_study(Verb.STUDY, original, masks, wanted, replicates, least)
    if intruders:
        request = replace(request, scenarios=tuple(intruders))
    return study_of(request, given, engine or LocalEngine(threads=1), results)


@contextmanager
def computed() -> Iterator[list[Computed]]:
    """All parts that are computed meanwhile, in this process."""
    found: list[Computed] = []
    outcome = CellWork.outcome

    def counted(work: CellWork, part: Part) -> Outcome:
        cell = work._cell
        found.append((cell.candidate.text, cell.replicate, cell.intruder.known, part))
        return outcome(work, part)

    with patch.object(CellWork, "outcome", counted):
        yield found


def number(estimate: Estimate | None) -> float:
    """The number of an estimate that has one."""
    assert estimate is not None
    assert estimate.number is not None
    return estimate.number


def part_of(measure: str, value: float, attack: str | None = None, **more: object) -> Outcome:
    """What a part finds: one row."""
    return {"rows": [row_plain(Row(Keys(measure, attack), Estimate(value, None, None, 60)))], **more}


def records(data: Microdata, names: Sequence[str]) -> set[bytes]:
    """Values that would be recognised, as they would be written."""
    return {
        text.encode()
        for name in names
        for text in data.frame[name].cast(str).drop_nulls().unique().to_list()
        if len(text) > 3
    }
