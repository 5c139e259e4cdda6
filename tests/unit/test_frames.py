"""Frames of other libraries come in with their categories and go out as what they were."""

from __future__ import annotations

import sys

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from unmask.data.io import from_any, like
from unmask.errors import DataError, MissingDependencyError

PEOPLE = pl.DataFrame({"age": [31, None, 54], "income": [1.5, 2.5, None], "town": ["Reus", None, "Salt"]})


def relation() -> duckdb.DuckDBPyRelation:
    people = PEOPLE.to_arrow()
    return duckdb.from_arrow(people)


MODELS = {
    "polars": lambda: PEOPLE,
    "lazy": lambda: PEOPLE.lazy(),
    "pandas": lambda: PEOPLE.to_pandas(),
    "pyarrow": lambda: PEOPLE.to_arrow(),
    "duckdb": relation,
}


@pytest.mark.parametrize("library", MODELS)
def test_a_frame_comes_in_and_goes_out_as_it_was(library: str) -> None:
    given = MODELS[library]()
    table = from_any(given)
    assert table.frame.cast({"age": pl.Int64}).equals(PEOPLE)
    back = like(table.frame, given)
    assert type(back) is type(given)
    assert from_any(back).frame.equals(table.frame)


def test_pandas_keeps_its_index_where_the_records_are_as_many() -> None:
    given = pd.DataFrame({"age": [31, 54]}, index=["x", "y"])
    frame = from_any(given).frame
    assert frame.columns == ["age"]
    assert like(frame, given).index.to_list() == ["x", "y"]
    assert like(frame.head(1), given).index.to_list() == [0]


def test_categories_go_out_as_they_came() -> None:
    enum = pl.Series("e", ["x", "y"], dtype=pl.Enum(["y", "x"]))
    given = pl.DataFrame([enum, pl.Series("c", ["x", "z"], dtype=pl.Categorical)])
    assert like(from_any(given).frame, given).schema == given.schema
    assert like(from_any(given).frame, given.lazy()).collect().schema == given.schema
    other = pl.DataFrame({"e": ["new", "y"]})
    assert like(other, given).dtypes == [pl.String]
    sizes = pd.DataFrame({"size": pd.Categorical(["s", None], categories=["s", "l"], ordered=True)})
    back = like(from_any(sizes).frame, sizes)
    assert back["size"].dtype == sizes["size"].dtype
    assert like(pl.DataFrame({"size": ["xl", "s"]}), sizes)["size"].to_list() == ["xl", "s"]


def test_pandas_names_that_are_not_text() -> None:
    assert from_any(pd.DataFrame([[1, 2], [3, 4]])).frame.columns == ["0", "1"]


def test_categories_keep_their_order() -> None:
    sizes = pd.Categorical(["s", None, "l"], categories=["s", "m", "l"], ordered=True)
    codes = pd.Categorical([2, 1, 2], categories=[2, 1])
    data = pd.DataFrame({"size": sizes, "code": codes, "n": [1, 2, 3]})
    arrow = pa.Table.from_pandas(data)
    for given in (data, arrow):
        table = from_any(given)
        assert table.levels == {"size": ("s", "m", "l"), "code": ("2", "1")}
        assert table.ordered == {"size"}
        assert table.frame["size"].to_list() == ["s", None, "l"]
        assert table.frame["code"].to_list() == ["2", "1", "2"]


def test_pandas_intervals_are_ordered_bands() -> None:
    table = from_any(pd.DataFrame({"age": pd.cut([5, 15, 5], [0, 10, 20])}))
    assert table.levels == {"age": ("(0, 10]", "(10, 20]")}
    assert table.ordered == {"age"}
    assert table.frame["age"].to_list() == ["(0, 10]", "(10, 20]", "(0, 10]"]


def test_arrow_chunks_with_dictionaries_of_their_own() -> None:
    column = pa.chunked_array([pa.array(["b"]).dictionary_encode(), pa.array(["a", "b"]).dictionary_encode()])
    table = from_any(pa.table({"x": column}))
    assert table.levels == {"x": ("b", "a")}
    assert table.frame["x"].to_list() == ["b", "a", "b"]


def test_arrow_batches() -> None:
    batch = pa.record_batch({"x": pa.array(["b", "a"]).dictionary_encode(), "n": pa.array([1, 2])})
    assert from_any(batch).levels == {"x": ("b", "a")}
    assert from_any(batch).frame.rows() == [("b", 1), ("a", 2)]
    # A reader is used up by reading, so its categories cannot be looked at before.
    reader = pa.RecordBatchReader.from_batches(batch.schema, [batch])
    assert from_any(reader).frame.rows() == [("b", 1), ("a", 2)]


def test_duckdb_enumerations_and_decimals() -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')")
    given = connection.sql("SELECT 'ok'::mood AS m, 3.50::DECIMAL(10, 2) AS d, 7::DECIMAL(9, 0) AS i")
    table = from_any(given)
    assert table.levels == {"m": ("sad", "ok", "happy")}
    assert table.frame.rows() == [("ok", 3.5, 7)]
    connection.close()


def test_polars_enumerations_have_an_order_and_categoricals_none() -> None:
    enum = pl.Series("e", ["x"], dtype=pl.Enum(["y", "x"]))
    table = from_any(pl.DataFrame([enum, pl.Series("c", ["x"], dtype=pl.Categorical)]))
    assert table.levels == {"e": ("y", "x")}
    assert table.frame.dtypes == [pl.String, pl.String]


def test_a_table_is_a_table() -> None:
    table = from_any(PEOPLE)
    assert from_any(table) is table


class Stream:
    """A frame of a library that nobody here knows."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return PEOPLE.__arrow_c_stream__(requested_schema)


def test_any_arrow_stream() -> None:
    assert from_any(Stream()).frame.equals(PEOPLE)
    assert isinstance(like(PEOPLE, Stream()), pl.DataFrame)


@pytest.mark.parametrize(
    ("given", "phrase"),
    [
        ({"age": [1]}, "of type dict, not a frame"),
        (None, "of type NoneType, not a frame"),
        (pl.DataFrame(), "has no columns"),
        (pd.Series([1, 2]), "a frame"),  # some versions of pandas give a column the Arrow interface
        (pl.Series("age", [1, 2]), "a single column"),
        (pl.DataFrame({"age": []}), "holds no records"),
        (pl.DataFrame({"": [1]}), "a column without a name"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "cannot be read as a frame"),
        (pd.DataFrame({"a": [1, "s3cr3tvalue", [2]]}), "cannot be read as a frame"),
        (
            pl.LazyFrame({"a": ["s3cr3tvalue"]}).select(pl.col("a").cast(pl.Int64)),
            "cannot be read as a polars",
        ),
    ],
)
def test_what_is_not_a_frame_is_refused_in_one_line(given: object, phrase: str) -> None:
    with pytest.raises(DataError) as caught:
        from_any(given)
    message = str(caught.value)
    assert phrase in message
    assert "\n" not in message
    assert "s3cr3tvalue" not in message


def test_pandas_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    given = pd.DataFrame({"age": [1]})
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingDependencyError, match="'pyarrow'"):
        from_any(given)
