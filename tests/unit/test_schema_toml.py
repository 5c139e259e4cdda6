"""Schema files: what is written is read again, and what is wrong is said in one line."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unmask.data.io import read_schema, to_toml, write_text
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.data.text import plain_text
from unmask.errors import DataError, SchemaError, UnmaskError

# Any text that UTF-8 can hold: quotes, backslashes, line ends, controls, emoji.
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NAMES = TEXTS.filter(bool)


def _spelling(text: str) -> str:
    """Levels and names that read the same are the same."""
    return plain_text(text).strip()


@st.composite
def columns(draw: st.DrawFn, name: str) -> Column:
    kind = draw(st.sampled_from(Kind))
    least = 1 if kind is Kind.ORDINAL else 0
    levels = (
        draw(st.lists(TEXTS, min_size=least, max_size=5, unique_by=_spelling))
        if kind is not Kind.NUMERIC
        else []
    )
    return Column(name, kind, draw(st.sampled_from(Role)), tuple(levels))


@st.composite
def schemas(draw: st.DrawFn) -> Schema:
    names = draw(st.lists(NAMES, min_size=1, max_size=6, unique_by=_spelling))
    return Schema(tuple(draw(columns(name)) for name in names))


@given(schemas(), st.lists(TEXTS, max_size=3))
def test_a_schema_goes_through_its_file(schema: Schema, reasons: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "schema.toml"
        write_text(to_toml(schema, dict.fromkeys(schema.names(), reasons)), path)
        assert read_schema(path) == schema


def test_the_file_explains_itself() -> None:
    text = to_toml(Schema((Column("age"),)), {"age": ["Numeric: it holds numbers."]})
    for word in (*Kind, *Role, "# Numeric: it holds numbers."):
        assert word in text


def test_kind_and_role_have_defaults_and_levels_may_be_numbers(tmp_path: Path) -> None:
    path = tmp_path / "schema.toml"
    path.write_text('[[column]]\nname="age"\n[[column]]\nname="edu"\nkind="ordinal"\nlevels=[1, 2, "10+"]\n')
    assert read_schema(path) == Schema((Column("age"), Column("edu", Kind.ORDINAL, levels=("1", "2", "10+"))))


def test_a_byte_order_mark_is_not_part_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "schema.toml"
    path.write_bytes(b'\xef\xbb\xbf[[column]]\nname="age"\n')
    assert read_schema(path).names() == ("age",)


HEAD = '[[column]]\nname = "age"\n'
BAD: list[tuple[str, str | bytes, str]] = [
    ("empty", "", "lists no columns"),
    ("no columns", "column = []\n", "lists no columns"),
    ("single brackets", '[column]\nname = "age"\n', "lists no columns"),
    ("columns of text", 'column = ["age"]\n', "lists no columns"),
    ("unknown entry", f'colum = "age"\n{HEAD}', "unknown entry 'colum'"),
    ("unknown key", f'{HEAD}knd = "nominal"\n', "unknown key 'knd'. Hint: did you mean 'kind'?"),
    ("unknown kind", f'{HEAD}kind = "nomnal"\n', "unknown kind 'nomnal'. Hint: did you mean 'nominal'?"),
    ("unknown role", f'{HEAD}role = "quasi"\n', "unknown role 'quasi'"),
    ("odd kind", f'{HEAD}kind = "x\\ny"\n', "unknown kind 'x y'"),
    ("no name", '[[column]]\nkind = "nominal"\n', "column 1 of schema.toml has no name"),
    ("second without name", f'{HEAD}[[column]]\nkind = "nominal"\n', "column 2 of schema.toml has no name"),
    ("name not text", "[[column]]\nname = 5\n", "the name of column 1 of schema.toml is not a text"),
    ("name empty", '[[column]]\nname = ""\n', "is not a text"),
    ("kind not text", f"{HEAD}kind = 1\n", "the kind of column 'age' is not a text"),
    ("role not text", f"{HEAD}role = true\n", "the role of column 'age' is not a text"),
    ("levels not a list", f'{HEAD}kind = "nominal"\nlevels = "a"\n', "not a list of texts"),
    ("levels of floats", f'{HEAD}kind = "nominal"\nlevels = [1.5]\n', "not a list of texts"),
    ("levels of booleans", f'{HEAD}kind = "nominal"\nlevels = [true]\n', "not a list of texts"),
    ("levels twice", f'{HEAD}kind = "nominal"\nlevels = ["1", 1]\n', "lists a level twice"),
    ("ordinal without levels", f'{HEAD}kind = "ordinal"\n', "lists no levels"),
    ("numeric with levels", f'{HEAD}levels = ["a"]\n', "numeric column 'age' lists levels"),
    ("column twice", HEAD + HEAD, "stands twice"),
    ("bad value", f"{HEAD}kind = nominal\n", "not valid TOML at line 3"),
    ("open string", f'{HEAD}kind = "nominal\n', "not valid TOML at line 3"),
    ("cut off", f"{HEAD}levels = [", "not valid TOML at"),
    ("key twice", f'{HEAD}name = "b"\n', "not valid TOML at line 3"),
    ("not text", b"\xff\xfe\x00[", "is not UTF-8 text"),
]


@pytest.mark.parametrize(("content", "phrase"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_bad_schema_files(tmp_path: Path, content: str | bytes, phrase: str) -> None:
    path = tmp_path / "schema.toml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises((SchemaError, DataError)) as caught:
        read_schema(path)
    assert phrase in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    for path, phrase in ((tmp_path / "none.toml", "no file 'none.toml'"), (tmp_path, "is a folder")):
        with pytest.raises(UnmaskError, match=phrase) as caught:
            read_schema(path)
        assert isinstance(caught.value, DataError)
