"""loss(): which losses it computes, what its document and its page say, and what it refuses."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import polars as pl
import pytest

import unmask
from tests.unit import made_documents
from unmask.data.example import people
from unmask.documents import LOSS
from unmask.errors import UnmaskError
from unmask.losses import LOSSES
from unmask.masks import Noise, parse
from unmask.report import page_of
from unmask.report.losses import headline, page
from unmask.report.losses.chart import marks
from unmask.report.losses.leading import leading
from unmask.report.losses.lines import loss_families
from unmask.report.losses.sections import overview_told

QUICK = ["il1s", "total-variation", "suppression"]


def found(**parts: Any) -> Any:
    return LOSS.build(made_documents.losses() | parts)


# ---- what is computed ----


def test_every_loss_has_a_row_with_a_value_or_a_reason() -> None:
    document = unmask.loss(people(60), Noise(a=0.2), seed=1).document
    assert document.losses == tuple(name for name, loss in LOSSES.items() if not hasattr(loss, "shape"))
    for name in document.losses:
        estimate = document.table.find(measure=name, subject=None, curve=None)
        assert estimate is not None
        assert estimate.estimable or estimate.reason


def test_the_same_file_has_lost_nothing() -> None:
    file = people(60)
    table = unmask.loss(file, file, truth="person", losses=QUICK).table()
    assert table["value"].abs().max() < 1e-12


def test_more_noise_loses_more() -> None:
    lost = [
        unmask.loss(people(100), Noise(a=a), losses=QUICK, seed=1).table().filter(measure="il1s")["value"][0]
        for a in (0.05, 0.5)
    ]
    assert lost[0] < lost[1]


def test_the_order_of_the_rows_changes_no_number() -> None:
    file = people(80)
    released = parse("rank-swapping:p=10").apply(file, np.random.default_rng(1)).data
    one = unmask.loss(file.frame, released.frame, losses=QUICK, truth="person", seed=2)
    two = unmask.loss(
        file.frame.sample(fraction=1, shuffle=True, seed=1),
        released.frame.sample(fraction=1, shuffle=True, seed=2),
        losses=QUICK,
        truth="person",
        seed=2,
    )
    assert one.table(references=True).equals(two.table(references=True))


def test_a_file_without_quasi_identifiers_can_be_compared() -> None:
    file = pl.DataFrame({"income": [1.5, 2.5, 4.0, 8.0], "rent": [1.0, 2.0, 3.0, 5.0]})
    roles = {"income": "confidential", "rent": "confidential"}
    lost = unmask.loss(file, file, roles=roles, truth="rows", losses=["il1s"])
    assert lost.table()["value"].to_list() == [0.0, 0.0, 0.0]


def test_the_mask_that_made_the_release_declares_what_it_does() -> None:
    made = unmask.loss(people(60), parse("pram:pd=0.7"), losses=["ebil"], seed=1).document
    assert made.table.find(measure="ebil", subject=None, curve=None).estimable
    silent = unmask.loss(people(60), Noise(a=0.1), losses=["ebil"], seed=1).document
    assert not silent.table.find(measure="ebil", subject=None, curve=None).estimable


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"known": ["age"]}, "'loss' has no use for 'scenario'"),
        ({"attacks": ["dbrl"]}, "'loss' has no use for 'attacks'"),
        ({"policy": "example"}, "'loss' has no use for 'policy'"),
        ({"losses": ["nothing"]}, "no loss is called 'nothing'"),
        ({"mechanism": "nothing"}, "no mask is called 'nothing'"),
    ],
)
def test_mistakes_are_told_before_a_file_is_read(asked: dict[str, Any], says: str) -> None:
    with pytest.raises(UnmaskError, match=says):
        unmask.loss("nowhere.csv", "nowhere.csv", **asked)


def test_files_without_a_common_attribute_cannot_be_compared() -> None:
    file = pl.DataFrame({"a": [1, 2, 3], "b": ["x", "y", "z"]})
    with pytest.raises(UnmaskError, match="no attribute about people in common"):
        unmask.loss(file, file.rename({"a": "c", "b": "d"}), truth="rows")


def test_it_is_read_back_and_shown() -> None:
    lost = unmask.loss(people(60), Noise(a=0.2), losses=QUICK, seed=1)
    again = LOSS.read(lost.to_json())
    assert LOSS.text(again) == lost.to_json()
    assert lost.charts == ("losses",)
    assert "Total variation of tables" in lost._repr_html_()


def test_a_request_for_losses_is_run() -> None:
    from unmask.assessment.asked import Given
    from unmask.assessment.request import IN_MEMORY, Verb

    request = unmask.Request(unmask.RequestFiles(IN_MEMORY, IN_MEMORY), Verb.LOSS, losses=("il1s",))
    lost = unmask.run(request, Given({"original": people(30), "released": people(30)}))
    assert isinstance(lost, unmask.Losses)
    assert lost.document.losses == ("il1s",)


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"table": []}, "table"),
        ({"table": [made_documents.attacked(0.5)]}, r"table\[0\]"),
        ({"table": [made_documents.loss_rows()[0] | {"curve": "sets"}]}, r"table\[0\]"),
        ({"sizes": {"original": -1, "released": 1, "matched": 1, "compared": 1}}, "sizes.original"),
    ],
)
def test_what_is_no_document_of_losses_is_refused(change: dict[str, Any], where: str) -> None:
    with pytest.raises(UnmaskError, match=f"'{where}' is not what unmask writes"):
        found(**change)


# ---- what the page says ----


def test_the_headline_is_that_of_the_loss_by_which_masks_are_compared() -> None:
    told = (
        "Total variation: 20.0%. The same people drawn again would lose 5.0%, "
        "columns without any relation 60.0%."
    )
    asked = {"request": {"least": "total-variation"}, "inputs": [], "versions": {}}
    assert headline(found(provenance=asked)) == told
    # Without a request, or where that loss has no value, the first one leads.
    assert headline(found()).startswith("Mean change of numbers: 1.25.")
    assert leading(found(table=[made_documents.loss_rows()[-1]])) is None
    assert headline(found(table=[made_documents.loss_rows()[-1]])) == (
        "No loss is estimable: no mask declares it."
    )


def test_a_loss_stands_beside_its_references_family_by_family() -> None:
    records, tables, other = loss_families(found())
    assert [one.family.name for one in (records, tables, other)] == ["records", "distributions", "other"]
    (line,) = tables.lines
    assert (line.value, line.again, line.interval, line.apart) == ("20.0%", "5.0%", "2.5% to 10.0%", "60.0%")
    assert [(part.subject, part.value, part.again) for part in tables.parts] == [("age", "10.0%", "5.0%")]
    assert records.lines[0].value == "1.25"
    assert other.lines[0].reason == "not estimable: no mask declares it"


def test_the_chart_has_shares_only() -> None:
    assert [(mark["loss"], mark["what"], mark["value"]) for mark in marks(found())] == [
        ("total variation", "people drawn again", 0.05),
        ("total variation", "this release", 0.2),
        ("total variation", "columns without relation", 0.6),
    ]


def test_a_sample_is_told() -> None:
    sizes = {"original": 800, "released": 800, "matched": 800, "compared": 80}
    assert "a random sample of 80 of the 800 records" in overview_told(found(sizes=sizes))[-1]
    assert not any("sample" in sentence for sentence in overview_told(found()))


def test_the_page_has_every_loss_and_its_definition() -> None:
    html = page_of(json.dumps(made_documents.losses()))
    assert html == page(found()).html()
    for part in ("What the release is still good for", "people drawn again", "By attribute or part: 1 value",
                 'id="method-il1s"', 'id="term-again"', "How total variation works."):  # fmt: skip
        assert part in html
    assert "Loss of the family" in html
