"""Studies: the same bytes for the same seed, the same chance for every mask, and only what is new is made."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from tests.unit.small_studies import LOSS, MASKS, PEOPLE, computed, number, study
from unmask.assessment.asked import requested_study
from unmask.assessment.request import Verb
from unmask.attacks import DBRL
from unmask.documents.study import STUDY
from unmask.engines import LocalEngine
from unmask.errors import ArgumentError, DataError
from unmask.intruder.scenario import Scenario
from unmask.losses import CTBIL
from unmask.masks import Noise
from unmask.studies.protection.candidates import INDEPENDENT, UNPROTECTED, candidates
from unmask.studies.protection.cell import ATTACK, CellWork, Outcome, StudyCell
from unmask.studies.protection.cell import LOSS as OF_LOSS
from unmask.studies.protection.content import frame_digest
from unmask.studies.protection.workshop import Workshop

AGE, PAY = Scenario(("age", "sex")), Scenario(("income", "rent"))


def test_the_same_seed_gives_the_same_bytes() -> None:
    one, other = study(seed=1), study(seed=1)
    assert one.to_json() == other.to_json()
    drawn = [study(MASKS[:1], replicates=1, seed=seed).document for seed in (1, 2)]
    assert len({number(one.loss("noise:a=0.1")) for one in drawn}) == 2


def test_a_document_is_read_back_and_carries_its_request() -> None:
    found = study(["noise:a={0.1,0.2}"], seed=3)
    assert STUDY.text(STUDY.read(found.to_json())) == found.to_json()
    asked = found.document.provenance.request
    assert asked is not None
    assert (asked["verb"], asked["masks"], asked["seed"]) == ("study", ["noise:a={0.1,0.2}"], 3)
    assert [one.mask for one in found.document.candidates] == [UNPROTECTED, INDEPENDENT, *MASKS]


#: What is special about a small study, and what it is enlarged by.
LARGER: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "mask": ({}, {"masks": (*MASKS[:1], "rank-swapping:p=10")}),
    "replicate": ({}, {"replicates": 2}),
    "attack": ({}, {"attacks": ["dbrl", "rbrl-max"]}),
    "loss": ({}, {"losses": [LOSS, "means"]}),
    "measure of the file": ({}, {"measures": ["reidentification", "k-anonymity"]}),
    "intruder": ({"intruders": (AGE,)}, {"intruders": (AGE, PAY)}),
}


@pytest.mark.parametrize("what", LARGER)
def test_a_larger_study_computes_what_is_new_and_says_what_it_would_say_anew(
    what: str, tmp_path: Path
) -> None:
    small, more = LARGER[what]
    small = {"masks": MASKS[:1], "replicates": 1, **small}
    kept = tmp_path / "results.db"
    with computed() as first:
        study(**small, results=kept)
    with computed() as added:
        enlarged = study(**{**small, **more}, results=kept)
    with computed() as whole:
        anew = study(**{**small, **more})
    assert enlarged.to_json() == anew.to_json()
    assert added
    assert sorted(map(str, first + added)) == sorted(map(str, whole))  # nothing twice, nothing left out
    with computed() as again:
        assert study(**{**small, **more}, results=kept).to_json() == anew.to_json()
    assert again == []


def test_a_larger_study_leaves_the_other_rows_as_they_were() -> None:
    def rows(masks: Sequence[str]) -> list[str]:
        table = study(masks).document.table.to_plain()
        return [str(row) for row in table if row["mask"] in (UNPROTECTED, INDEPENDENT, "noise:a=0.2")]

    assert rows(["noise:a=0.2"]) == rows(["pram:p=5", "noise:a=0.2", "noise:a=0.3"])


def test_another_seed_or_sample_is_another_part(tmp_path: Path) -> None:
    kept = tmp_path / "results.db"
    study(MASKS[:1], replicates=1, results=kept)
    others: list[dict[str, Any]] = [{"seed": 1}, {"sample": 20}, {"budget": 30.0}, {"depth": 3}]
    for more in others:
        with computed() as parts:
            study(MASKS[:1], replicates=1, results=kept, **more)
        assert len([part for part in parts if part[3][0] == ATTACK]) == 3, more


def released(mask: str, replicate: int, original: pl.DataFrame) -> pl.DataFrame:
    """The release that a cell looks at."""
    request, given = requested_study(Verb.STUDY, original, [mask], {"known": ["x"]}, 2, LOSS)
    with Workshop(request, given, LocalEngine(threads=1)) as workshop:
        candidate = candidates(request.masks, workshop.original)[-1]
        cell = StudyCell(candidate, replicate, workshop.intruders[0])
        return CellWork(workshop.material, cell, workshop.engine).session.files.masked.data.frame


def test_masks_are_compared_under_the_same_chance() -> None:
    x = np.random.default_rng(5).normal(size=40)  # with all digits, so that nothing is rounded
    original = pl.DataFrame({"x": x, "town": ["a", "b"] * 20})
    weak, strong, other = (
        released(mask, replicate, original)["x"].to_numpy() - x
        for mask, replicate in (("noise:a=0.1", 0), ("noise:a=0.2", 0), ("noise:a=0.1", 1))
    )
    np.testing.assert_allclose(strong, 2 * weak, rtol=1e-9)
    assert abs(np.corrcoef(weak, other)[0, 1]) < 0.6


def test_a_mask_without_chance_is_drawn_once() -> None:
    with computed() as parts:
        found = study(["microaggregation:k=3", "noise:a=0.1"], replicates=3)
    drawn = {one.mask: one.replicates for one in found.document.candidates}
    assert drawn == {UNPROTECTED: 1, INDEPENDENT: 3, "microaggregation:k=3": 1, "noise:a=0.1": 3}
    assert len(parts) == 2 * sum(drawn.values())


def test_a_loss_is_computed_once_for_all_intruders() -> None:
    with computed() as parts:
        both = study(intruders=(AGE, PAY))
    losses = [(mask, draw) for mask, draw, _, (kind, _) in parts if kind == OF_LOSS]
    assert len(losses) == len(set(losses)) == 7
    alone = [study(intruders=(one,)).document.loss("noise:a=0.1") for one in (AGE, PAY)]
    assert {number(one) for one in alone} == {number(both.document.loss("noise:a=0.1"))}


def test_intruders_who_know_as_much_have_names_of_their_own() -> None:
    found = study(intruders=(AGE, PAY, Scenario(("age",)))).document
    assert [one.text for one in found.intruders] == [
        "knows 2 attributes of 60 people (age, sex)",
        "knows 2 attributes of 60 people (income, rent)",
        "knows 1 attribute of 60 people",
    ]
    for name, scenario in zip(found.names(), (AGE, PAY), strict=False):
        alone = study(intruders=(scenario,)).document.risk("noise:a=0.2")
        assert number(alone) == number(found.risk("noise:a=0.2", name))
    with pytest.raises(ArgumentError, match="the same intruder is described twice"):
        study(intruders=(AGE, AGE))


def test_a_part_that_fails_does_not_end_the_study(monkeypatch: pytest.MonkeyPatch) -> None:
    attack = CellWork._attack

    def failing(work: CellWork, name: str) -> Outcome:
        if work.candidate.text == "noise:a=0.2" and work._cell.replicate == 1:
            raise DataError("this release cannot be attacked")
        return attack(work, name)

    monkeypatch.setattr(CellWork, "_attack", failing)
    found = study().document
    for lost in (found.risk("noise:a=0.2"), found.table.find(mask="noise:a=0.2", attack="dbrl")):
        assert lost is not None
        assert (lost.number, lost.reason) == (None, "this release cannot be attacked")
    assert [one.mask for one in found.candidates if one.front] == [UNPROTECTED, INDEPENDENT, "noise:a=0.1"]
    assert number(found.loss("noise:a=0.2")) > 0


def test_the_attack_of_who_knows_the_mask_can_be_named() -> None:
    found = study(["noise:a=0.2"], attacks=["dbrl", "mechanism"]).document
    by = [found.table.find(mask="noise:a=0.2", attack=one) for one in ("dbrl", "mechanism")]
    assert max(map(number, by)) == number(found.risk("noise:a=0.2")) > 0
    assert found.table.find(mask=UNPROTECTED, attack="mechanism") is None  # no mask, nothing to know


def test_a_release_on_which_no_attack_can_be_made_says_so() -> None:
    found = study(["microaggregation:k=3"], attacks=["guessed-mechanism"]).document
    risk = found.risk("microaggregation:k=3")
    assert risk is not None
    assert (risk.number, risk.reason) == (None, "no attack was made")


@dataclass(frozen=True)
class Louder(Noise):
    """Noise under the same name, of the caller's own."""


def plus_one(frame: pl.DataFrame, seed: int) -> pl.DataFrame:
    return frame.with_columns(pl.col("age") + 1)


def test_what_an_object_finds_is_not_taken_for_that_of_another(tmp_path: Path) -> None:
    kept = tmp_path / "results.db"

    def loss(masks: list[object], **asked: Any) -> float:
        found = study(masks, results=kept, **asked).document
        return number(found.loss(found.candidates[-1].mask))

    def halved(frame: pl.DataFrame, seed: int) -> pl.DataFrame:
        return frame.with_columns(pl.col("age") / 2)

    halved.__name__ = "plus_one"
    assert loss([plus_one]) != loss([halved])
    assert loss([plus_one]) == pytest.approx(loss([plus_one]))
    with pytest.raises(ArgumentError, match="two masks are called 'function:plus_one'"):
        study([plus_one, halved])
    by = {k: loss(["noise:a=0.2"], losses=[CTBIL(k=k)], least="ctbil") for k in (1, 2)}
    assert by[1] != by[2]
    assert by[2] == loss(["noise:a=0.2"], losses=["ctbil:k=2"], least="ctbil:k=2")
    with computed() as parts:
        loss([Louder(a=0.1)])
        loss([Louder(a=0.1)])
        loss([Noise(a=0.1)])
        loss([Noise(a=0.1)], attacks=[DBRL()])
    assert len([one for one in parts if one[0] == "noise:a=0.1"]) == 3 * 4  # the last is as the one before


def test_a_script_that_changed_is_another_mask(tmp_path: Path) -> None:
    script, kept = tmp_path / "mask.py", tmp_path / "results.db"
    mask = f"exec:{sys.executable} {script} {{original}} {{released}}"
    lost = []
    for factor in (2, 2, 3):
        script.write_text(SCRIPT.format(factor))
        found = study([mask], replicates=1, known=["age"], results=kept).document
        lost.append(number(found.loss(mask)))
    assert lost[0] == lost[1] < lost[2]


SCRIPT = """
import csv, sys
with open(sys.argv[1], newline="") as source, open(sys.argv[2], "w", newline="") as target:
    rows = list(csv.DictReader(source))
    made = csv.DictWriter(target, rows[0])
    made.writeheader()
    made.writerows({{**row, "age": float(row["age"]) * {}}} for row in rows)
"""


def test_a_file_is_known_by_its_values() -> None:
    frame = pl.DataFrame({"age": [31.0, None, 54.0], "town": ["a", "bb", None]})
    same = pl.concat([frame[:1], frame[1:]], rechunk=False).with_columns(
        pl.when(pl.col("age") > 0).then(pl.col("age"))  # something else lies under the missing age
    )
    assert frame.equals(same)
    assert frame_digest(frame) == frame_digest(same)
    others = (
        frame.with_columns(pl.col("age").fill_null(0)),
        frame.with_columns(pl.col("town").fill_null("")),
        frame.rename({"age": "years"}),
        frame.reverse(),
        frame.with_columns(pl.col("age").cast(pl.Float32)),
    )
    assert len({frame_digest(one) for one in (frame, *others)}) == 6


def test_a_population_counts_by_what_is_in_it(tmp_path: Path) -> None:
    path, kept = tmp_path / "population.csv", tmp_path / "results.db"
    asked: dict[str, Any] = {"population": str(path), "measures": ["reidentification", "journalist-risk"]}
    asked |= {"known": ["sex", "region"], "results": kept}
    found = []
    for times in (2, 5):
        pl.concat([PEOPLE.frame] * times).write_csv(path)
        table = study(**asked).document.table
        found.append(number(table.find(mask=UNPROTECTED, measure="journalist-risk")))
    assert found[0] != found[1]
