"""Losses in assessments: which are computed, where their rows stand, and that they are no risks."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import unmask
from unmask.assessment.store import Store
from unmask.data.example import people
from unmask.documents import ASSESSMENT
from unmask.errors import UnmaskError
from unmask.losses import INDEPENDENT, LOSSES, RESAMPLED, IL1s
from unmask.masks import Noise

QUICK = {"attacks": ["dbrl"], "measures": ["reidentification", "interval-rank"]}


@pytest.fixture(scope="module")
def whole() -> unmask.Assessment:
    return unmask.assess(people(60), Noise(a=0.2), seed=1)


@pytest.fixture(scope="module")
def named() -> unmask.Assessment:
    return unmask.assess(people(60), Noise(a=0.2), losses=["il1s"], seed=1, **QUICK)


def test_an_assessment_has_every_loss_that_the_files_allow(whole: unmask.Assessment) -> None:
    document = whole.document
    assert "il1s" in document.losses
    assert set(document.losses) <= set(LOSSES)
    for name in document.losses:
        rows = document.table.where(measure=name)
        assert rows.find(subject=None, curve=None) is not None
        assert rows.find(curve=RESAMPLED) is not None
        assert rows.find(curve=INDEPENDENT) is not None
        assert document.methods.texts[name].source


def test_losses_come_after_the_measures_and_before_the_conclusion(whole: unmask.Assessment) -> None:
    keys = [row.keys for row in whole.document.table]
    losses = [i for i, key in enumerate(keys) if key.measure in whole.document.losses]
    assert losses == list(range(losses[0], losses[-1] + 1))
    assert keys[losses[0] - 1].curve is None
    assert keys[losses[-1] + 1].curve is not None


@pytest.mark.parametrize("asked", [{"attacks": ["dbrl"]}, {"measures": ["k-anonymity"]}, QUICK])
def test_who_names_attacks_or_measures_wants_no_losses(asked: dict[str, list[str]]) -> None:
    document = unmask.assess(people(40), Noise(a=0.2), seed=1, **asked).document
    assert document.losses == ()
    assert not document.table.of(LOSSES)


def test_losses_that_are_named_are_computed_beside_named_measures(named: unmask.Assessment) -> None:
    assert named.document.losses == ("il1s",)
    loss = named.document.table.find(measure="il1s", subject=None, curve=None)
    assert loss is not None
    assert loss.number is not None
    assert loss.number > 0


def test_a_loss_may_be_an_object() -> None:
    found = unmask.assess(people(40), Noise(a=0.2), losses=[IL1s()], seed=1, **QUICK)
    assert found.document.losses == ("il1s",)


def test_a_loss_is_no_measure_of_the_file(named: unmask.Assessment) -> None:
    assert {row.keys.measure for row in named.document.of_file} == {"interval-rank"}


def test_the_table_of_records_knows_no_loss(named: unmask.Assessment) -> None:
    without = unmask.assess(people(60), Noise(a=0.2), seed=1, **QUICK)
    assert named.records().equals(without.records())


def test_reference_rows_stand_in_the_long_table_only(named: unmask.Assessment) -> None:
    short, long = named.table(), named.table(conclusion=True)
    il1s = pl.col("measure") == "il1s"
    assert short.filter(il1s, pl.col("subject").is_null()).height == 1
    assert set(long.filter(il1s)["curve"]) == {None, RESAMPLED, INDEPENDENT}


def test_a_loss_without_ground_is_left_out_and_told_where_it_is_named() -> None:
    file = pl.DataFrame({"sex": ["f", "m"] * 20, "town": ["a", "b", "c", "d"] * 10})
    asked = {"known": ["sex", "town"], "truth": "rows", "seed": 1}
    told = unmask.assess(file, file, losses=["il1s"], **QUICK, **asked).document
    (row,) = told.table.where(measure="il1s")
    assert row.estimate.reason == "the files have no numeric attribute in common"
    assert "il1s" not in unmask.assess(file, file, **asked).document.losses


def test_a_synthetic_release_has_losses_too() -> None:
    found = unmask.assess(people(60), people(60, seed=2), synthetic=True, seed=1).document
    assert found.losses == tuple(name for name in LOSSES if name in found.losses)
    assert "il1s" not in found.losses  # nobody has a released record


def test_an_unknown_loss_is_refused_before_a_file_is_read() -> None:
    with pytest.raises(UnmaskError, match=r"no loss is called 'ils1'\. Hint: did you mean 'il1s'"):
        unmask.assess("nowhere.csv", "nowhere.csv", losses=["ils1"])


@pytest.mark.parametrize(
    ("losses", "says"),
    [
        ([], "no loss is named"),
        ("il1s", "losses is a text, not a list"),
        (["il1s", "il1s"], "the same loss is named twice"),
        (["il1s", IL1s()], "the same loss is named twice"),
    ],
)
def test_mistakes_are_told(losses: object, says: str) -> None:
    with pytest.raises(UnmaskError, match=says):
        unmask.assess(people(20), people(20), losses=losses)  # type: ignore[arg-type]  # which is the test


def test_a_document_with_losses_is_read_as_it_was_written(named: unmask.Assessment) -> None:
    text = named.to_json()
    again = ASSESSMENT.read(text)
    assert again.losses == ("il1s",)
    assert ASSESSMENT.text(again) == text
    with pytest.raises(UnmaskError, match="'losses' is not what unmask writes"):
        ASSESSMENT.read(text.replace('"losses": [\n    "il1s"', '"losses": [\n    "il2s"'))


def test_a_resumed_run_does_not_compute_a_loss_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from unmask.assessment.asked import requested
    from unmask.assessment.request import Verb
    from unmask.assessment.session import Session
    from unmask.studies.losses import loss_rows_of

    request, given = requested(Verb.ASSESS, people(40), Noise(a=0.2), {"losses": ["il1s"], "seed": 1})
    first = Store(tmp_path / "run", {"unmask": "1"}, after=0)
    before, _ = loss_rows_of(Session(request, given, store=first))
    monkeypatch.setattr(IL1s, "values", lambda *_: pytest.fail("it is kept"))
    kept = Store(tmp_path / "run", {"unmask": "1"}, resume=True)
    after, _ = loss_rows_of(Session(request, given, store=kept))
    assert [(row.keys, row.estimate.value) for row in after] == [
        (row.keys, row.estimate.value) for row in before
    ]


def test_models_are_fitted_where_they_are_asked_for() -> None:
    asked = {"seed": 1, "known": ["age", "sex"]}
    usual = {row.keys.measure for row in unmask.assess(people(60), Noise(a=0.2), **asked).document.table}
    assert "total-variation" in usual
    assert not usual & {"pmse", "specks", "discriminator", "interval-overlap", "model-accuracy"}
    named = unmask.assess(people(60), Noise(a=0.2), losses=["pmse"], **asked).document.table
    assert named.find(measure="pmse") is not None
    everything = {row.keys.measure for row in unmask.loss(people(60), Noise(a=0.2), seed=1).document.table}
    assert {"pmse", "model-accuracy"} <= everything
