"""Reading into mapped files: the same frames, types and errors as the usual reader's."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal, assert_series_equal

from unmask.data.io import pieces, read
from unmask.data.io.inference import typed
from unmask.data.io.mapped import read_mapped
from unmask.data.io.pieces import ColumnType, typed_in_pieces
from unmask.engines.room import Room
from unmask.errors import UnmaskError


@pytest.fixture
def room(tmp_path):
    folder = tmp_path / "room"
    folder.mkdir()
    return Room(folder, least=1)


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch):
    monkeypatch.setattr(pieces, "PIECE", 40)


def assert_same(path, room):
    usual, found = read(path), read_mapped(path, room)
    assert_frame_equal(usual.frame, found.frame)
    assert (usual.levels, usual.ordered, usual.source) == (found.levels, found.ordered, found.source)


def assert_same_error(path, room):
    with pytest.raises(UnmaskError) as usual:
        read(path)
    with pytest.raises(UnmaskError) as found:
        read_mapped(path, room)
    assert str(found.value) == str(usual.value)
    assert type(found.value) is type(usual.value)


def people(n=60):
    rng = np.random.default_rng(1)
    return pl.DataFrame(
        {
            "id": np.arange(n),
            "age": rng.integers(18, 90, n),
            "pay": rng.normal(size=n).round(6),
            "town": rng.choice(["Utrecht", "Évora", "a town of more than twelve letters"], n),
            "code": [f"{i:05d}" for i in rng.integers(0, 99999, n)],
            "born": rng.choice(np.datetime64("1950-01-01") + np.arange(9999), n),
            "well": rng.choice([True, False], n),
            "gaps": [None if i % 7 == 0 else i / 4 for i in range(n)],
            "none": pl.Series([None] * n, dtype=pl.String),
        }
    )


def test_parquet(tmp_path, room):
    path = tmp_path / "people.parquet"
    grades = pl.Series("grade", ["a", None, "b"] * 20, dtype=pl.Enum(["b", "a", "c"]))
    towns = people()["town"].cast(pl.Categorical).alias("place")
    whole = (people()["age"].cast(pl.Decimal(10, 0))).alias("decimal")
    people().with_columns(grades, towns, whole).write_parquet(path, row_group_size=7)
    assert_same(path, room)


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_delimited(tmp_path, room, separator, ending):
    path = tmp_path / "people.csv"
    people().write_csv(path, separator=separator, line_terminator=ending)
    assert_same(path, room)


@pytest.mark.parametrize(
    "text",
    [
        'name,age\n"Smith, J.",3\nJones,4\n',  # quotes: the usual reader
        "name,age\nSmith,3\n\nJones,4\n",  # a blank line
        "name,age\nSmith,3\nJones,4",  # no line end
        "age\n3\n\n4\n",
        "name;pay\nSmith;1,5\nJones;NA\nRoe;20\nDoe;-,5e3\n" * 1,
        "a,b\n" + "1,2\n" * 30 + "1.5,NaN\n" + "x,3\n" * 5,
        "a,b\n" + "NA,\n" * 30 + "1,\n",
        "a,b\n" + "NA,x\n" * 30,
        "a,b\n" + "12,2020-01-01\n" * 30 + "99999999999999999999,2020-02-30\n",
        "a,b\n" + "12,true\n" * 30 + "99999999999999999999.5,FALSE\n",
        "a,b\n" + "12,2020-01-01\n" * 30 + "13,2020-0",  # cut off
        "a,b\n" + "x,１２\n" * 3 + "e\u0301,  7 \n" * 20,
        "1990,1991\n" + "3,4\n" * 30,
        "a,b\n" + "0.12345678901234567890123,1\n0.12345678901234567890124,2\n" * 9,  # too many digits
        "a,b\n1,2\n1,2,3\n",
        "a,a\n1,2\n",
        "a,b\n",
        "*,b\n1,2\n",
        "2019,2020\n" + "3,4\n",
    ],
)
def test_odd_texts(tmp_path, room, text):
    path = tmp_path / "odd.csv"
    path.write_bytes(text.encode())
    try:
        read(path)
    except UnmaskError:
        assert_same_error(path, room)
    else:
        assert_same(path, room)


def test_other_encodings_and_packed_files(tmp_path, room):
    import gzip

    path, packed = tmp_path / "latin.csv", tmp_path / "people.csv.gz"
    path.write_bytes("town;pay\nÉvora;1,5\nPorto;2\n".encode("cp1252"))
    packed.write_bytes(gzip.compress(people().write_csv().encode()))
    assert_same(path, room)
    assert_same(packed, room)


def test_damaged_and_missing_files(tmp_path, room):
    damaged = tmp_path / "people.parquet"
    people().write_parquet(damaged)
    damaged.write_bytes(damaged.read_bytes()[:-200])
    for path in (damaged, tmp_path / "none.parquet", tmp_path / "none.csv", tmp_path / "people.doc"):
        assert_same_error(path, room)
    pl.DataFrame({"*": [1]}).write_parquet(damaged)
    assert_same_error(damaged, room)
    pl.DataFrame({"a": []}).write_parquet(damaged)
    assert_same_error(damaged, room)


def test_plain_text_is_read_in_pieces(tmp_path, room):
    from unmask.data.io.delimited import checked_cells
    from unmask.data.io.sources import Options

    path = tmp_path / "people.csv"
    people().write_csv(path)
    found = typed_in_pieces(checked_cells(path, Options()), room)
    assert found is not None
    assert not list(room.folder.glob("*.piece"))


_NUMBERS = ["1", "-3", "+7", "007", "1.5", "1,5", "2e3", "inf", " 4 ", "１２", "99999999999999999999"]
_LONG = ["0.12345678901234567891", "0.12345678901234567892"]
_OTHERS = ["", "NA", "NaN", ".", "true", "False", "2020-01-31", "2020-02-31", "x", "é"]
CELLS = st.sampled_from([*_NUMBERS, *_LONG, *_OTHERS])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(CELLS, min_size=1, max_size=8), st.integers(1, 4), st.booleans())
def test_pieces_tell_the_type_of_the_whole(cells, size, comma):
    text = pl.Series("column", cells, dtype=pl.String)
    parts = [text[start : start + size] for start in range(0, len(text), size)]
    column = ColumnType("column", comma)
    for part in parts:
        column.see(part)
    try:
        usual = typed(text, decimal_comma=comma)
    except UnmaskError as error:
        with pytest.raises(type(error)):
            column.decide()
    else:
        assert_series_equal(pl.concat([column.convert(part) for part in parts]), usual, check_names=False)
