"""One cell that is no date must not make categories of a column of dates: a risk would vanish unsaid."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import unmask
from unmask.data.io import from_any
from unmask.data.loading import pair
from unmask.data.proposal import propose
from unmask.data.schema import ValueForm
from unmask.data.values.date_mistakes import date_strays, undated
from unmask.data.values.date_writing import write_dates
from unmask.errors import DataError

N = 150
#: One date in every kind of notation, like which the files write theirs.
NOTATIONS = ("2020-03-04", "14/3/2020", "03/14/2020", "14.03.2020", "14MAR2020", "March 14, 2020", "20200314",
             "14-Mar-79", "2020-03-04T12:30", "04/03/2020 1:30 pm")  # fmt: skip
COARSE = ("%Y-%m", "%m/%Y", "%b %Y", "%Y")


def _days() -> tuple[pl.Series, pl.Series]:
    rng = np.random.default_rng(6)
    days = rng.integers(-10_000, 10_000, N)
    return pl.Series("born", days), pl.Series("born", days + rng.integers(-150, 151, N))


def _frame(days: pl.Series, like: str, cell: str | None = None) -> pl.DataFrame:
    cells = write_dates(days, pl.Series([like])).to_list()
    if cell is not None:
        cells[7] = cell
    return pl.DataFrame({"born": cells, "age": (90 - (days + 10_000) // 400)})


@pytest.mark.parametrize("cell", ["4_5", "2024-02-30", "x", "12:30", "2024-O2-03"])
@pytest.mark.parametrize("where", ["original", "released", "both"])
def test_a_typo_costs_one_cell(where: str, cell: str) -> None:
    before, after = _days()
    original = _frame(before, "2020-03-04", cell if where != "released" else None)
    released = _frame(after, "2020-03-04", cell if where != "original" else None)
    found = unmask.assess(original, released, attacks=["dbrl"], measures=["interval-rank"], known=["born"])
    clean = unmask.assess(
        _frame(before, "2020-03-04"),
        _frame(after, "2020-03-04"),
        attacks=["dbrl"],
        measures=["interval-rank"],
        known=["born"],
    )
    risk, wanted = (
        one.table().filter(measure="interval-rank", subject="born").rows(named=True)[0]["value"]
        for one in (found, clean)
    )
    notes = "\n".join(found.document.notes)
    assert wanted > 0.1
    assert risk >= wanted - 0.03
    assert ("'born': 1 cell of the original is no date" in notes) is (where != "released")
    assert ("'born': in the release, a code stands for no value" in notes) is (where == "released")
    assert cell == "x" or cell not in notes


@pytest.mark.parametrize("like", NOTATIONS)
def test_every_notation_stays_a_date(like: str) -> None:
    before, after = _days()
    original, released = _frame(before, like, "1?"), _frame(after, like, "2020-02-3O")
    files = pair(original, released, None, "rows")
    assert files.original.schema["born"].form is ValueForm.DATE
    assert files.masked.data.schema["born"].form is ValueForm.DATE
    assert files.masked.data.frame["born"].null_count() == 1
    assert files.masked.data.frame["born"].dtype.is_numeric()


@pytest.mark.parametrize("form", COARSE)
def test_dates_cut_to_a_month_or_year_are_bands_all_the_same(form: str) -> None:
    before, _ = _days()
    original = _frame(before, "2020-03-04")
    cells = before.cast(pl.Int32).cast(pl.Date).dt.strftime(form)
    released = original.with_columns(born=pl.Series(["197O", *cells[1:]]))
    (change, *_) = pair(original, released, None, "rows").understanding.changes
    assert change.what.value == "banded"
    assert change.share == 1.0
    assert change.codes == ("197O",)


def test_a_day_that_no_calendar_has_among_whole_numbers() -> None:
    days = _frame(_days()[0], "20200314")["born"].cast(pl.Int64).to_list()
    (item,) = propose(from_any(pl.DataFrame({"born": [*days, 20_241_330]}))).columns
    assert item.column.form is ValueForm.DATE
    assert item.column.missing == ("20241330",)


def test_words_that_say_missing_make_no_categories_of_dates() -> None:
    days = _frame(_days()[0], "14/3/2020")["born"].to_list()
    (item,) = propose(from_any(pl.DataFrame({"born": [*days, *["unknown"] * 20]}))).columns
    assert item.column.form is ValueForm.DATE
    assert item.column.missing == ("unknown",)


@pytest.mark.parametrize(
    "more",
    [
        ["spring"] * 4,  # repeated: somebody meant it
        [f"week {i}" for i in range(8)],  # too many
        [f"{i}" for i in range(150)],  # as many as dates
    ],
)
def test_what_somebody_meant_is_no_mistake(more: list[str]) -> None:
    days = _frame(_days()[0], "2020-03-04")["born"].to_list()
    assert undated(pl.Series([*days, *more])) == ()


def test_months_and_days_are_not_swapped_for_a_typo() -> None:
    cells = [f"{1 + i % 12:02}/{1 + i % 28:02}/19{40 + i % 50}" for i in range(N)]
    assert [found.code for found in undated(pl.Series([*cells, "13/31/1970"]))] == ["13/31/1970"]


def _with(frame: pl.DataFrame, more: list[str]) -> pl.DataFrame:
    cells = frame["born"].to_list()
    cells[: len(more)] = more
    return frame.with_columns(born=pl.Series(cells))


#: More than 2% of 150 cells that are no dates in the notation of the others, 10% at most.
MANY = {
    "mistyped": [f"2020-O1-{i:02}" for i in range(1, 9)],
    "impossible": ["2021-02-30"] * 6,
    "meant": ["spring"] * 5,
    "another notation": [f"{i:02}/01/1980" for i in range(1, 16)],
    "and missing": [*[f"week {i}" for i in range(8)], *["unknown"] * 30],
}


@pytest.mark.parametrize(
    ("more", "where"), [(more, where) for more in MANY for where in ("original", "released")]
)
def test_many_mistakes_are_refused(more: str, where: str) -> None:
    before, after = _days()
    frames = {"original": _frame(before, "2020-03-04"), "released": _frame(after, "2020-03-04")}
    frames[where] = _with(frames[where], MANY[more])
    count = sum(cell != "unknown" for cell in MANY[more])
    with pytest.raises(DataError) as refused:
        unmask.assess(*frames.values(), attacks=["dbrl"], measures=["sadr"], truth="rows")
    assert refused.value.message == (
        f"column 'born' of the {where} file holds dates in one notation, and {count} values of another kind"
    )
    assert "--missing-code" in (refused.value.hint or "")
    assert "--kind born=nominal" in (refused.value.hint or "")


def test_who_says_what_the_column_is_is_not_refused() -> None:
    before, after = _days()
    original, released = _with(_frame(before, "2020-03-04"), MANY["meant"]), _frame(after, "2020-03-04")
    asked = {"attacks": ["dbrl"], "measures": ["sadr"], "truth": "rows"}
    for told in ({"kinds": {"born": "nominal"}}, {"missing_codes": {"born": ["spring"]}}):
        assert unmask.assess(original, released, **asked, **told).document.attacks  # type: ignore[arg-type]


def test_more_than_a_tenth_makes_no_column_of_dates() -> None:
    days = _frame(_days()[0], "2020-03-04")["born"].to_list()
    few, many = ([*days[:90], *(f"week {i}" for i in range(n))] for n in (10, 11))
    assert (date_strays(pl.Series(few)), date_strays(pl.Series(many))) == (10, 0)


def test_a_release_may_cut_some_dates() -> None:
    before, _ = _days()
    original = _frame(before, "2020-03-04")
    released = _with(original, [cell[:7] for cell in original["born"].head(9)])
    files = pair(original, released, None, "rows")
    assert files.original.schema["born"].form is ValueForm.DATE


def test_mistakes_at_the_beginning_of_a_sorted_file_are_seen() -> None:
    days = [f"19{50 + i % 50}-01-{1 + i % 28:02}" for i in range(5000)]
    assert date_strays(pl.Series([*(f"?{i}" for i in range(400)), *days])) == 400
    assert date_strays(pl.Series([f"name {i}" for i in range(5000)])) == 0
    assert date_strays(pl.Series([], dtype=pl.String)) == date_strays(pl.Series([1, 2])) == 0
