"""A file without a header: its first record must not be told as the names of columns."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from unmask.data.io import read, write
from unmask.errors import DataError

RECORDS = "31,f,Barcelona,1500\n54,m,Girona,2100\n8,f,Barcelona,0\n45,m,Girona,1800\n"
DATED = "anna,1970-03-04,x1\nbob,1981-12-24,x2\ncarla,1955-07-30,x3\n"


@pytest.mark.parametrize(
    ("names", "records"),
    [("age,sex,town,pay\n", RECORDS), ("age;sex;town;pay\n", RECORDS.replace(",", ";")), ("a,b,c\n", DATED)],
    ids=["text", "semicolons", "dates"],
)
def test_a_first_record_is_no_header(tmp_path: Path, names: str, records: str) -> None:
    path = tmp_path / "people.csv"
    path.write_text(records)
    with pytest.raises(DataError, match="has no header row: its first line is like the records"):
        read(path)
    path.write_text(names + records)
    assert read(path).frame.height == records.count("\n")


@pytest.mark.parametrize(
    "text",
    [
        "region,2019,2020\nnorth,3,4\nsouth,5,6\n",  # years
        "id,1,2,x\n7,1,5,x\n8,2,4,\n",  # items, and a box that is ticked
        "name,sex\nanna,sex\nbob,m\n",  # no column of numbers
        "name,2020-01-01,2020-01-02\nanna,3,4\nbob,5,6\n",  # days with numbers
    ],
)
def test_names_may_be_numbers_or_dates(tmp_path: Path, text: str) -> None:
    path = tmp_path / "people.csv"
    path.write_text(text)
    assert read(path).frame.height == 2


def test_a_sheet_without_a_header_is_refused(tmp_path: Path) -> None:
    frame = pl.DataFrame({"31": [54, 8], "f": ["m", "f"]})
    write(frame, tmp_path / "people.xlsx")
    with pytest.raises(DataError, match="no header row"):
        read(tmp_path / "people.xlsx")
