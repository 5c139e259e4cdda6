"""Files of SPSS, Stata, SAS and Excel: what is read, written and read again is the same."""

from __future__ import annotations

from datetime import date, datetime, time
from math import inf
from pathlib import Path

import numpy as np
import polars as pl
import pyreadstat
import pytest
from polars.testing import assert_frame_equal

from unmask.data.io import SourceTable, read, write
from unmask.data.io.stored import Stored, Template
from unmask.errors import DataError

LABELS = {
    "sex": {1: "male", 2: "female", 9: "refused"},
    "scale": {1: "low", 5: "high", 97: "no answer"},
    "code": {"a": "Alpha", "b": "Beta", "zz": "unknown"},
    "twice": {1: "other", 2: "other", 3: "none"},
}
RANGES = {
    "sex": [9],
    "scale": [{"lo": 97, "hi": 99}, -1],
    "code": ["zz"],
    "income": [{"lo": -99, "hi": -1}],
    "born": [11],
}
PEOPLE = pl.DataFrame(
    {
        "sex": [1.0, 2.0, 9.0, None, 2.0],
        "scale": [1.0, 97.0, 3.0, -1.0, 5.0],
        "income": [1500.25, -9.0, None, 2500.5, -99.0],
        "code": ["a", "zz", "b", "", "a"],
        "twice": [1, 2, 3, 1, 2],
        "town": ["Reus", "", "Salt", "Olot", "Òrrius"],
        "born": [date(1950, 1, 2), None, date(2001, 3, 4), date(1899, 12, 31), date(1600, 1, 1)],
        "seen": [datetime(2020, 1, 2, 3, 4, 5), None, None, datetime(1950, 1, 1), datetime(2020, 1, 1)],
        "hour": [time(3, 4, 5), None, time(0, 0), time(23, 59, 59), time(1, 0)],
        "n": [1, 2, 3, 4, 5],
        "nothing": pl.Series([None] * 5, dtype=pl.Float64),
    }
)
SAID = {"sex": "Sex of the person", "income": "Net income, €"}


@pytest.fixture
def spss(tmp_path: Path) -> Path:
    # A date that is missing for a reason: SPSS counts dates in seconds, and 11 is the reason.
    seconds = [None if day is None else (day - date(1582, 10, 14)).days * 86_400 for day in PEOPLE["born"]]
    pyreadstat.write_sav(
        PEOPLE.with_columns(born=pl.Series([*seconds[:-1], 11], dtype=pl.Float64)),
        tmp_path / "people.sav",
        column_labels=SAID,
        variable_value_labels=LABELS,
        missing_ranges=RANGES,
        variable_measure={"sex": "nominal", "scale": "ordinal"},
        variable_format={"scale": "F3.0", "born": "EDATE10", "income": "COMMA10.2"},
    )
    return tmp_path / "people.sav"


@pytest.fixture
def stata(tmp_path: Path) -> Path:
    frame = pl.DataFrame(
        {
            "sex": pl.Series([1, "a", 2, "b", None], dtype=pl.Object),
            "income": pl.Series([1.5, "z", None, 2.5, 3.5], dtype=pl.Object),
            "region": pl.Series([3, 1, 2, 1, None], dtype=pl.Int32),
            "gone": pl.Series(["a", "b", None, None, "a"], dtype=pl.Object),
            "born": pl.Series(
                [date(1950, 1, 2), "c", None, date(1960, 1, 1), date(1959, 1, 1)], dtype=pl.Object
            ),
            "town": ["Reus", "", "Salt", "Olot", "x" * 3000],
        }
    )
    pyreadstat.write_dta(
        frame,
        tmp_path / "people.dta",
        column_labels=SAID,
        variable_value_labels={
            "sex": {1: "male", 2: "female", "a": "refused"},
            "region": {1: "N", 2: "S", 3: "E"},
        },
        missing_user_values={"sex": ["a", "b"], "income": ["z"], "gone": ["a", "b"], "born": ["c"]},
        variable_format={"income": "%9.2f"},
    )
    return tmp_path / "people.dta"


def template(table: SourceTable) -> Template:
    return Template(table.stored, np.arange(table.frame.height))


def assert_same(table: SourceTable, again: SourceTable) -> None:
    assert_frame_equal(again.frame, table.frame)
    assert again.levels == table.levels
    assert again.missing_codes == table.missing_codes
    assert list(again.stored) == list(table.stored)
    for name, column in table.stored.items():
        other = again.stored[name]
        for field in ("package", "label", "labels", "texts", "missing", "measure"):
            assert getattr(other, field) == getattr(column, field), (name, field)
        assert other.format == column.format or column.format.startswith("A"), name
        left, right = (None if c is None else c.to_list() for c in (column.codes, other.codes))
        assert left == right, name


def test_spss_is_read_with_what_it_stores(spss: Path) -> None:
    table = read(spss)
    assert table.frame["sex"].to_list() == ["male", "female", None, None, "female"]
    assert table.levels["sex"] == ("male", "female")
    assert table.stored["sex"].texts == {"male": 1, "female": 2}
    assert table.stored["sex"].labels == LABELS["sex"]
    assert table.stored["sex"].label == SAID["sex"]
    assert table.stored["sex"].codes.to_list() == [None, None, 9, None, None]
    assert table.stored["code"].codes.to_list() == [None, "zz", None, None, None]
    assert table.stored["income"].codes.to_list() == [None, -9, None, None, -99]
    assert table.frame["born"].to_list() == [*PEOPLE["born"][:-1], None]
    assert table.stored["born"].codes.to_list() == [None, None, None, None, 11]
    assert table.stored["twice"].codes is None
    assert table.missing_codes == {
        "sex": ("9",),
        "scale": ("97", "98", "99", "-1"),
        "income": ("-99 to -1",),
        "code": ("zz",),
        "born": ("11",),
    }
    assert read(spss).stored["scale"].measure == "ordinal"


def test_stata_is_read_with_its_special_missing_values(stata: Path) -> None:
    table = read(stata)
    assert table.frame["sex"].to_list() == ["male", None, "female", None, None]
    assert table.frame["income"].to_list() == [1.5, None, None, 2.5, 3.5]
    assert table.frame["gone"].null_count() == 5
    assert table.frame["born"][0] == date(1950, 1, 2)
    assert table.stored["sex"].codes.to_list() == [None, ".a", None, ".b", None]
    assert table.stored["sex"].labels == {1: "male", 2: "female", ".a": "refused"}
    assert table.missing_codes == {
        "sex": (".a", ".b"), "income": (".z",), "gone": (".a", ".b"), "born": (".c",)
    }  # fmt: skip


@pytest.mark.parametrize("suffix", [".sav", ".zsav"])
def test_spss_comes_back(spss: Path, suffix: str) -> None:
    table = read(spss)
    out = spss.with_name(f"out{suffix}")
    write(table.frame, out, template(table))
    assert_same(table, read(out))
    # The bytes depend on the release alone, not on the clock.
    again = spss.with_name(f"again{suffix}")
    write(table.frame, again, template(table))
    assert out.read_bytes() == again.read_bytes()
    assert b"01 Jan 7000:00:00" in out.read_bytes()


def test_stata_comes_back(stata: Path) -> None:
    table = read(stata)
    out, again = stata.with_name("out.dta"), stata.with_name("again.dta")
    write(table.frame, out, template(table))
    assert_same(table, read(out))
    write(table.frame, again, template(table))
    assert out.read_bytes() == again.read_bytes()


def test_sas_transport_comes_back(tmp_path: Path) -> None:
    frame = PEOPLE.with_columns(a_name_of_more_than_eight=pl.col("n") * 1.5)
    pyreadstat.write_xport(
        frame, tmp_path / "a.xpt", column_labels=SAID, variable_format={"n": "F5.", "born": "DDMMYY10."}
    )
    table = read(tmp_path / "a.xpt")
    for name in ("b.xpt", "c.xpt"):
        write(table.frame, tmp_path / name, template(table))
    assert_same(table, read(tmp_path / "b.xpt"))
    assert (tmp_path / "b.xpt").read_bytes() == (tmp_path / "c.xpt").read_bytes()


def test_excel_comes_back(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "age": [31, None, 54],
            "income": [1500.123456789, 0.1, None],
            "zip": ["08193", "007", None],
            "sum": ["=1+1", "http://x.org", "1e5"],
            "born": [date(1950, 1, 2), None, date(2001, 3, 4)],
            "seen": [datetime(2020, 1, 2, 3, 4, 5), None, datetime(2020, 1, 2)],
            "member": [True, None, False],
        }
    )
    for name in ("a.xlsx", "b.xlsx"):
        write(frame, tmp_path / name, Template(sheet="persons"))
    table = read(tmp_path / "a.xlsx", sheet="persons")
    assert_frame_equal(table.frame, frame, check_dtypes=False)
    assert [t.base_type() for t in table.frame.dtypes] == [t.base_type() for t in frame.dtypes]
    assert (tmp_path / "a.xlsx").read_bytes() == (tmp_path / "b.xlsx").read_bytes()
    write(table.frame, tmp_path / "c.xlsx")
    assert_frame_equal(read(tmp_path / "c.xlsx").frame, table.frame)


def test_a_code_comes_back_only_where_the_record_still_misses_its_value(spss: Path, stata: Path) -> None:
    table = read(spss)
    # The first record is suppressed, the last two are dropped, the records are in another order, and one
    # record stems from nobody.
    origin = np.array([2, 1, 0, -1])
    frame = table.frame.select(pl.all().gather(pl.Series([2, 1, 0, 2])))
    frame = frame.with_columns(sex=pl.Series([None, "female", None, None], dtype=pl.String))
    frame = frame.with_columns(income=pl.Series([None, 3.5, None, None]))
    write(frame, spss.with_name("out.sav"), Template(table.stored, origin))
    again = read(spss.with_name("out.sav"))
    assert_frame_equal(again.frame, frame)
    assert again.stored["sex"].codes.to_list() == [9, None, None, None]
    assert again.stored["income"].codes is None  # where it stood, there is a value now
    raw, _ = pyreadstat.read_sav(spss.with_name("out.sav"), user_missing=True, output_format="polars")
    assert raw["sex"].to_list() == [9, 2, None, None]
    assert raw["income"].to_list() == [None, 3.5, None, None]

    table = read(stata)
    frame = table.frame.select(pl.all().gather(pl.Series([3, 0, 0])))
    frame = frame.with_columns(sex=pl.lit(None, dtype=pl.String))
    write(frame, stata.with_name("out.dta"), Template(table.stored, np.array([3, 0, -1])))
    assert read(stata.with_name("out.dta")).stored["sex"].codes.to_list() == [".b", None, None]


def test_merged_categories_get_codes_of_their_own(spss: Path, stata: Path) -> None:
    table = read(spss)
    frame = table.frame.with_columns(
        sex=pl.Series(["male|female", None, None, None, "male"]),
        code=pl.Series(["Alpha|Beta", None, "Beta", None, "Alpha|Beta"]),
        twice=pl.Series(["other [1]|none", "other [2]", None, None, None]),
    )
    out = spss.with_name("out.sav")
    write(frame, out, template(table))
    again = read(out)
    assert_frame_equal(again.frame, frame)
    raw, meta = pyreadstat.read_sav(out, user_missing=True, output_format="polars")
    assert raw["sex"].to_list() == [10, None, 9, None, 1]
    assert meta.variable_value_labels["sex"] == {1: "male", 2: "female", 9: "refused", 10: "male|female"}
    assert meta.column_names == PEOPLE.columns

    table = read(stata)
    frame = table.frame.with_columns(region=pl.Series(["N|S", "N|S", "E", None, "N|S"]))
    write(frame, stata.with_name("out.dta"), template(table))
    again = read(stata.with_name("out.dta"))
    assert_frame_equal(again.frame, frame)
    assert again.stored["region"].texts == {"N": 1, "S": 2, "E": 3, "N|S": 4}


@pytest.mark.parametrize(
    ("missing", "code"), [(((97, inf),), 3), (((3, 5),), 6), (((3, inf),), 0), (((-inf, 0), (3, 3)), 4)]
)
def test_a_new_code_is_none_that_means_missing(
    tmp_path: Path, missing: tuple[tuple[float, float], ...], code: int
) -> None:
    stored = Stored("SPSS", labels={1: "a", 2: "b"}, texts={"a": 1, "b": 2}, missing=missing)
    write(pl.DataFrame({"x": ["a", "a|b"]}), tmp_path / "a.sav", Template({"x": stored}))
    table = read(tmp_path / "a.sav")
    assert table.frame["x"].to_list() == ["a", "a|b"]
    assert table.stored["x"].texts["a|b"] == code


def test_a_column_that_became_text_is_text(spss: Path) -> None:
    table = read(spss)
    bands = pl.Series("income", ["1000-1999", None, None, "2000-2999", None])
    for suffix in (".sav", ".dta", ".xpt", ".xlsx"):
        out = spss.with_name(f"out{suffix}")
        write(table.frame.drop("born").with_columns(bands), out, template(table))
        assert read(out).frame["income"].to_list() == bands.to_list()


def test_whole_numbers_with_decimals_are_shown_so(spss: Path) -> None:
    table = read(spss)
    write(table.frame.with_columns(scale=pl.Series([1.5, None, 2.5, None, 3])), spss, template(table))
    assert read(spss).stored["scale"].format != "F3.0"
    assert read(spss).frame["scale"].to_list() == [1.5, None, 2.5, None, 3]


def test_released_values_among_the_missing_codes_are_refused(spss: Path) -> None:
    table, before = read(spss), spss.read_bytes()
    with pytest.raises(DataError, match=r"2 released values of column 'income' are among its user-missing"):
        write(table.frame.with_columns(income=pl.Series([-3.5, -99.0, 1, 2, 3])), spss, template(table))
    assert spss.read_bytes() == before


def test_other_formats_get_texts_and_back(spss: Path) -> None:
    table = read(spss)
    frame = table.frame.drop("born")
    for suffix in (".csv", ".parquet", ".dta", ".xpt"):
        out = spss.with_name(f"out{suffix}")
        write(frame, out, template(table))
        assert read(out).frame["sex"].to_list() == table.frame["sex"].to_list(), suffix
        assert read(out).frame["scale"].to_list() == table.frame["scale"].to_list(), suffix
        assert read(out).missing_codes == {}, suffix
    assert read(spss.with_name("out.dta")).levels["sex"] == ("male", "female")


@pytest.mark.parametrize("suffix", [".sav", ".zsav", ".dta", ".xpt", ".xlsx"])
def test_a_frame_without_a_template(tmp_path: Path, suffix: str) -> None:
    frame = pl.DataFrame(
        {
            "n": [1, None, 2**40],
            "x": [1.5, float("nan"), 1e-300],
            "t": ["é", "a", None],
            "yes": [True, None, False],
            "day": [date(1960, 1, 1), None, date(1970, 1, 1)],
            "none": [None, None, None],
        }
    )
    write(frame, tmp_path / f"a{suffix}")
    again = read(tmp_path / f"a{suffix}").frame
    assert again.columns == frame.columns
    for name in ("n", "t", "day"):
        assert again[name].to_list() == frame[name].to_list()
    assert again["x"].to_list() == [1.5, None, pytest.approx(1e-300) if suffix != ".xpt" else again["x"][2]]
    assert again["yes"].cast(pl.String).to_list() == ["true", None, "false"]


LONG = pl.Series("a", ["x" * 40_000])


@pytest.mark.parametrize(
    ("suffix", "series", "says"),
    [
        (".dta", pl.Series("home town", [1]), "'home town' cannot be the name"),
        (".dta", pl.Series("a" * 33, [1]), "at most 32"),
        (".dta", pl.Series("if", [1]), "'if' cannot be the name"),
        (".sav", pl.Series("a-b", [1]), "'a-b' cannot be the name"),
        (".sav", pl.Series("with", [1]), "'with' cannot be the name"),
        (".sav", pl.Series("1a", [1]), "'1a' cannot be the name"),
        (".xpt", pl.Series("é", [1]), "'é' cannot be the name"),
        (".xpt", LONG, "texts of more than"),
        (".sav", LONG, "texts of more than"),
        (".xlsx", LONG, "texts of more than"),
        (".sav", pl.Series("a", [2**60 + 1]), "exactly"),
        (".xlsx", pl.Series("a", [2**60 + 1]), "exactly"),
        (".dta", pl.Series("a", [inf]), "infinite"),
        (".xlsx", pl.Series("a", [inf]), "infinite"),
        (".xlsx", pl.Series("a", [date(1850, 1, 1)]), "before 1900"),
        (".xlsx", pl.Series("a", [1, None]), "1 records have no value left"),
        (".sav", pl.Series("a", [[1]]), "List values"),
        (".xlsx", pl.Series("a", [[1]]), "List values"),
    ],
    ids=str,
)
def test_what_a_format_cannot_hold_is_one_line_and_no_file(
    tmp_path: Path, suffix: str, series: pl.Series, says: str
) -> None:
    with pytest.raises(DataError, match="Hint: ") as caught:
        write(pl.DataFrame([series]), tmp_path / f"out{suffix}")
    assert says in str(caught.value)
    assert str(caught.value).count("\n") == 0
    assert not list(tmp_path.iterdir())


def test_names_that_differ_by_case_alone(tmp_path: Path) -> None:
    frame = pl.DataFrame({"age": [1], "AGE": [2]})
    with pytest.raises(DataError, match="differ only in the case of 'age'"):
        write(frame, tmp_path / "a.sav")
    write(frame, tmp_path / "a.dta")
    assert_frame_equal(read(tmp_path / "a.dta").frame, frame)


def test_labels_that_would_be_cut_are_refused(tmp_path: Path) -> None:
    long = Stored("SPSS", labels={1: "a", 2: "b"}, texts={"a": 1, "b": 2})
    frame = pl.DataFrame({"x": ["a", "é" * 61]})
    with pytest.raises(DataError, match="a value label of column 'x' has more than the 120 bytes"):
        write(frame, tmp_path / "a.sav", Template({"x": long}))
    write(frame, tmp_path / "a.dta", Template({"x": long}))
    assert_frame_equal(read(tmp_path / "a.dta").frame, frame)
    with pytest.raises(DataError, match="label of column 'x' has more than the 80 characters"):
        write(frame, tmp_path / "b.dta", Template({"x": Stored("SPSS", label="y" * 81)}))
