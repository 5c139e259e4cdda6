"""Readers and writers: what goes in comes out, and what is wrong is said in one line."""

from __future__ import annotations

import csv
import gzip
import importlib
import sqlite3
import subprocess
import sys
import tempfile
import zipfile
from datetime import date
from io import StringIO
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unmask.data.io import read, write, write_text
from unmask.data.microdata import Microdata
from unmask.data.schema import Column, Schema
from unmask.errors import ArgumentError, DataError, MissingDependencyError, UnmaskError

# A value that stands in many of the bad files; no message may repeat it.
SECRET = "s3cr3tvalue"


def put(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def one_line(error: UnmaskError) -> str:
    message = str(error)
    assert "\n" not in message
    assert "\r" not in message
    assert SECRET not in message
    return message


# --- delimited text -------------------------------------------------------------------------------------


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(tmp_path: Path, delimiter: str) -> None:
    text = "age,sex,town\n31,f,Reus\n54,m,Salt\n".replace(",", delimiter)
    assert read(put(tmp_path, "a.csv", text)).frame.rows() == [(31, "f", "Reus"), (54, "m", "Salt")]


def test_the_delimiter_may_be_told(tmp_path: Path) -> None:
    path = put(tmp_path, "a.txt", "a:b,c\n1:2,3\n")
    assert read(path, delimiter=":").frame.columns == ["a", "b,c"]
    assert read(put(tmp_path, "b.txt", "a\tb,c\n1\t2,3\n"), delimiter="tab").frame.columns == ["a", "b,c"]


def test_excels_sep_line_tells_the_delimiter(tmp_path: Path) -> None:
    assert read(put(tmp_path, "a.csv", "sep=;\r\na;b\r\n1,5;2\r\n")).frame.rows() == [(1.5, 2)]


def test_a_delimiter_inside_quotes_is_text(tmp_path: Path) -> None:
    path = put(tmp_path, "a.csv", 'a,b\n"x;y;z, and ""w""",1\n"line\nend;;",2\n')
    assert read(path).frame.rows() == [('x;y;z, and "w"', 1), ("line\nend;;", 2)]


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le-bom", "utf-16-be-bom", "cp1252", "latin-1"]
)
def test_the_encoding_is_found(tmp_path: Path, encoding: str) -> None:
    text = "año,city\n1,Málaga\n2,Köln\n"
    marks = {"utf-16-le-bom": b"\xff\xfe", "utf-16-be-bom": b"\xfe\xff"}
    content = marks.get(encoding, b"") + text.encode(encoding.removesuffix("-bom"))
    table = read(put(tmp_path, "a.csv", content))
    assert table.frame.columns == ["año", "city"]
    assert table.frame["city"].to_list() == ["Málaga", "Köln"]


def test_the_encoding_may_be_told(tmp_path: Path) -> None:
    content = "a,b\n1,Žďár\n".encode("cp1250")
    assert read(put(tmp_path, "a.csv", content), encoding="cp1250").frame["b"].to_list() == ["Žďár"]


def test_semicolons_allow_decimal_commas(tmp_path: Path) -> None:
    path = put(tmp_path, "a.csv", "a;b;c;d\n1234,5;1.5;1,5;7\n-0,25;2;1.5;8\n")
    frame = read(path).frame
    assert frame.dtypes == [pl.Float64, pl.Float64, pl.String, pl.Int64]
    assert frame["a"].to_list() == [1234.5, -0.25]


def test_types_are_inferred_over_the_whole_file(tmp_path: Path) -> None:
    rows = [f"{i},{i}" for i in range(5000)] + ["1.5,x"]
    frame = read(put(tmp_path, "a.csv", "a,b\n" + "\n".join(rows))).frame
    assert frame.dtypes == [pl.Float64, pl.String]
    assert frame["b"][0] == "0"


def test_codes_with_leading_zeros_stay_text(tmp_path: Path) -> None:
    frame = read(put(tmp_path, "a.csv", "zip,n,big\n007,0,12345678901234567890\n43002,10,1\n")).frame
    assert frame["zip"].to_list() == ["007", "43002"]
    assert frame["n"].to_list() == [0, 10]
    assert frame["big"].to_list() == ["12345678901234567890", "1"]


def test_missing_and_infinite_numbers(tmp_path: Path) -> None:
    path = put(tmp_path, "a.csv", "a,b,c,d,e\n1,NaN,NA,inf,NA\n,2.5,3,1,x\n")
    frame = read(path).frame
    assert frame["a"].to_list() == [1, None]
    assert frame["b"].to_list() == [None, 2.5]
    assert frame["c"].to_list() == [None, 3]
    assert frame["e"].to_list() == ["NA", "x"]
    with pytest.raises(DataError, match="infinite"):
        Microdata(Schema((Column("d"),)), frame)


def test_booleans_and_dates(tmp_path: Path) -> None:
    frame = read(put(tmp_path, "a.csv", "a,b,c\nTRUE,2020-01-31,2020-13-31\nfalse,,2020-01-01\n")).frame
    assert frame["a"].to_list() == [True, False]
    assert frame["b"].to_list() == [date(2020, 1, 31), None]
    assert frame["c"].dtype == pl.String


def test_blank_lines_are_no_records_and_empty_cells_are(tmp_path: Path) -> None:
    assert read(put(tmp_path, "a.csv", "\n\na,b\n\n1,2\n,\n\n3,4\n\n\n")).frame.rows() == [
        (1, 2),
        (None, None),
        (3, 4),
    ]
    assert read(put(tmp_path, "b.csv", "a\n1\n\n3\n\n\n")).frame["a"].to_list() == [1, None, 3]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_of_every_system(tmp_path: Path, end: str) -> None:
    path = put(tmp_path, "a.csv", f"a,b{end}1,x{end}2,y{end}")
    assert read(path).frame.rows() == [(1, "x"), (2, "y")]


def test_a_column_without_values_fits_any_kind(tmp_path: Path) -> None:
    frame = read(put(tmp_path, "a.csv", "a,b\n1,\n2,\n")).frame
    assert Microdata(Schema((Column("b"),)), frame).numbers(["b"]).shape == (2, 1)


def test_compressed_text(tmp_path: Path) -> None:
    text = b"a,b\n1,x\n"
    packed = put(tmp_path, "a.CSV.GZ", gzip.compress(text))
    with zipfile.ZipFile(tmp_path / "a.csv.zip", "w") as archive:
        archive.writestr("inner.csv", text)
    assert read(packed).frame.rows() == read(tmp_path / "a.csv.zip").frame.rows() == [(1, "x")]


CELLS = st.text(st.sampled_from("ab1 ,;|\t\"\n'é."), max_size=5)


@given(
    st.integers(1, 3).flatmap(
        lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1, max_size=6)
    ),
    st.sampled_from(",;\t|"),
)
def test_cells_survive_quoting(rows: list[list[str]], delimiter: str) -> None:
    # A letter before each cell keeps it text, and keeps blanks at its start and end.
    rows = [[f"x{cell}x" for cell in row] for row in rows]
    text = StringIO()
    names = [f"c{i}" for i in range(len(rows[0]))]
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows([names, *rows])
    with tempfile.TemporaryDirectory() as folder:
        path = put(Path(folder), "a.csv", text.getvalue())
        assert read(path, delimiter=delimiter).frame.rows() == [tuple(row) for row in rows]


@settings(max_examples=200)
@given(st.binary(max_size=60) | st.text(st.sampled_from('a1,;\t"\n\r. -'), max_size=40).map(str.encode))
def test_any_bytes_are_a_table_or_an_error_in_one_line(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        try:
            table = read(put(Path(folder), "a.csv", content))
        except UnmaskError as error:
            one_line(error)
        else:
            assert table.frame.height > 0


# --- bad files --------------------------------------------------------------------------------------------

BAD_TEXT: list[tuple[str, str | bytes, dict[str, str], type[UnmaskError], str]] = [
    ("twice.csv", f"a,b,a\n1,2,{SECRET}\n", {}, DataError, "two columns called 'a'"),
    ("unnamed.csv", f"a,,c\n1,2,{SECRET}\n", {}, DataError, "column 2 of unnamed.csv has no name"),
    ("short.csv", f"a,b,c\n1,2,3\n{SECRET},5\n", {}, DataError, "line 3 of short.csv has 2 cells"),
    ("long.csv", f"a,b\n1,2\n3,4,{SECRET}\n", {}, DataError, "line 3 of long.csv has 3 cells"),
    ("empty.csv", "", {}, DataError, "empty.csv is empty"),
    ("blank.csv", " \n\n  \n", {}, DataError, "blank.csv is empty"),
    ("bom.csv", b"\xef\xbb\xbf", {}, DataError, "bom.csv is empty"),
    ("header.csv", "a,b\n", {}, DataError, "holds no records"),
    ("headless.csv", "1,2.5\n3,4\n", {}, DataError, "no header row"),
    ("binary.csv", bytes(range(256)) * 9, {}, DataError, "is not text"),
    ("zeros.csv", "a,b\n1,2\n".encode("utf-16-le"), {}, DataError, "is not text"),
    ("odd.csv", b"a,b\n\x81\x8d,1\n", {}, DataError, "is not text in UTF-8, UTF-16 or Windows-1252"),
    ("told.csv", "a,b\n1,ñ\n".encode("cp1252"), {"encoding": "utf-8"}, DataError, "encoding 'utf-8'"),
    ("none.csv", "a,b\n1,2\n", {"encoding": "klingon"}, ArgumentError, "no encoding is called 'klingon'"),
    ("delim.csv", "a,b\n1,2\n", {"delimiter": ", "}, ArgumentError, "one ASCII character"),
    ("quote.csv", "a,b\n1,2\n", {"delimiter": '"'}, ArgumentError, "not a quote"),
    ("open.csv", f'a,b\n1,"{SECRET}\n3,4\n', {}, DataError, "a quote that is not closed"),
    ("torn.csv", f'a,b\n1,"{SECRET}"x\n3,4\n', {}, DataError, "a quote that is not closed or not at"),
    ("plain.csv.gz", f"a,b\n1,{SECRET}\n", {}, DataError, "cannot be read or decompressed"),
    ("plain.csv.zip", f"a,b\n1,{SECRET}\n", {}, DataError, "cannot be read or decompressed"),
    ("torn.csv.gz", gzip.compress(b"a,b\n" + b"1,2\n" * 9)[:-9], {}, DataError, "decompressed"),
    ("strange.xyz", SECRET, {}, ArgumentError, "known suffixes: .csv"),
    ("nosuffix", SECRET, {}, ArgumentError, "known suffixes: .csv"),
]
CORRUPT = [
    *(
        "a.parquet",
        "a.pq",
        "a.arrow",
        "a.feather",
        "a.ipc",
        "a.xlsx",
        "a.xls",
        "a.ods",
        "a.sas7bdat",
        "a.xpt",
    ),
    *("a.sav", "a.zsav", "a.por", "a.dta", "a.rds", "a.rda", "a.RData", "a.db", "a.sqlite"),
]


@pytest.mark.parametrize(
    ("name", "content", "told", "kind", "phrase"), BAD_TEXT, ids=[b[0] for b in BAD_TEXT]
)
def test_bad_text(
    tmp_path: Path,
    name: str,
    content: str | bytes,
    told: dict[str, str],
    kind: type[UnmaskError],
    phrase: str,
) -> None:
    with pytest.raises(kind) as caught:
        read(put(tmp_path, name, content), **told)
    assert phrase in one_line(caught.value)


@pytest.mark.parametrize("content", [f"age,sex\n31,{SECRET}\n", "", "PK\x03\x04" + SECRET * 50], ids=len)
@pytest.mark.parametrize("name", CORRUPT)
def test_a_corrupt_file_of_each_family(tmp_path: Path, name: str, content: str) -> None:
    with pytest.raises(DataError) as caught:
        read(put(tmp_path, name, content))
    assert name in one_line(caught.value)


@pytest.mark.parametrize("name", ["cut.parquet", "cut.arrow", "cut.xlsx", "cut.sav", "cut.dta", "cut.rds"])
def test_a_file_that_was_cut_off(tmp_path: Path, name: str) -> None:
    import pyreadr
    import pyreadstat

    frame = pl.DataFrame({"age": range(2000), "town": [SECRET] * 2000})
    path = tmp_path / name
    writers = {
        ".parquet": frame.write_parquet,
        ".arrow": frame.write_ipc,
        ".xlsx": frame.write_excel,
        ".sav": lambda target: pyreadstat.write_sav(frame, target),
        ".dta": lambda target: pyreadstat.write_dta(frame, target),
        ".rds": lambda target: pyreadr.write_rds(target, frame),
    }
    writers[path.suffix](path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(DataError) as caught:
        read(path)
    assert f"{name} cannot be read" in one_line(caught.value)


def test_missing_files_folders_and_permissions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("none.csv", "none.parquet", "none.xlsx", "none.sav", "none.rds", "none.db", "none.xyz"):
        with pytest.raises(DataError, match=f"no file '{name}'") as caught:
            read(tmp_path / name)
        one_line(caught.value)
    (tmp_path / "dir.csv").mkdir()
    with pytest.raises(DataError, match=r"'dir\.csv' is a folder"):
        read(tmp_path / "dir.csv")
    for name in ("nul\0byte.csv", f"{'x' * 5000}.csv"):
        with pytest.raises(DataError, match="cannot be opened") as caught:
            read(name)
        assert len(one_line(caught.value)) < 300

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    # Root may read everything, so the refusal is played.
    put(tmp_path, "a.csv", "age\n1\n")
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(DataError, match=r"no permission to read 'a\.csv'"):
        read(tmp_path / "a.csv")


def test_a_zip_with_several_files(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.csv.zip", "w") as archive:
        archive.writestr("one.csv", "a\n1\n")
        archive.writestr("two.csv", "a\n1\n")
    with pytest.raises(DataError, match="holds 2 files"):
        read(tmp_path / "a.csv.zip")


LIBRARIES = {
    "a.xlsx": ("fastexcel", "excel"),
    "a.sav": ("pyreadstat", "stats"),
    "a.dta": ("pyreadstat", "stats"),
    "a.rds": ("pyreadr", "r"),
    "postgresql://u@localhost/d": ("adbc_driver_postgresql", "sql"),
}


@pytest.mark.parametrize("source", LIBRARIES)
def test_a_missing_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    library, extra = LIBRARIES[source]
    real = importlib.import_module

    def without(name: str, package: str | None = None) -> object:
        if name.startswith(library):
            raise ModuleNotFoundError(name)
        return real(name, package)

    monkeypatch.setattr("unmask.data.io.sources.import_module", without)
    target = source if ":" in source else str(put(tmp_path, source, "x"))
    with pytest.raises(MissingDependencyError) as caught:
        read(target)
    assert f"'{library}'" in one_line(caught.value)
    assert f"unmask[{extra}]" in one_line(caught.value)


def test_importing_the_readers_imports_no_optional_library() -> None:
    code = (
        "import sys, unmask.data.io, unmask.data.proposal; "
        "print([m for m in ('pandas','pyarrow','pyreadstat','pyreadr','fastexcel','duckdb',"
        "'adbc_driver_postgresql') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# --- other families ---------------------------------------------------------------------------------------

PEOPLE = pl.DataFrame({"age": [31, None, 54], "income": [1.5, 2.5, None], "town": ["Reus", None, "Salt"]})


@pytest.mark.parametrize("suffix", [".parquet", ".pq", ".arrow", ".feather", ".ipc", ".arrows"])
def test_columnar_files(tmp_path: Path, suffix: str) -> None:
    grade = pl.Series("grade", ["b", None, "a"], dtype=pl.Enum(["b", "a", "c"]))
    frame = PEOPLE.with_columns(grade, pl.Series("c", ["x", "y", "x"], dtype=pl.Categorical))
    path = tmp_path / f"a{suffix}"
    if suffix in (".parquet", ".pq"):
        frame.write_parquet(path)
    elif suffix == ".arrows":
        frame.write_ipc_stream(path)
    else:
        frame.write_ipc(path)
    table = read(path)
    assert table.frame.select(PEOPLE.columns).equals(PEOPLE)
    assert table.levels == {"grade": ("b", "a", "c")}
    assert table.frame["grade"].to_list() == ["b", None, "a"]
    assert table.frame["c"].to_list() == ["x", "y", "x"]
    assert table.source == path.name


def test_feather_of_pandas_with_missing_categories(tmp_path: Path) -> None:
    import pandas as pd

    sizes = pd.Categorical(["s", None, "l"], categories=["s", "m", "l"], ordered=True)
    pd.DataFrame({"size": sizes}).to_feather(tmp_path / "a.feather")
    table = read(tmp_path / "a.feather")
    assert table.frame["size"].to_list() == ["s", None, "l"]
    assert table.levels == {"size": ("s", "m", "l")}
    assert table.ordered == {"size"}


def workbook(path: Path, sheets: dict[str, list[list[object]]]) -> Path:
    import xlsxwriter

    with xlsxwriter.Workbook(path) as book:
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for r, row in enumerate(rows):
                for c, value in enumerate(row):
                    if value is not None:
                        sheet.write(r, c, value)
    return path


def test_workbooks(tmp_path: Path) -> None:
    people = [["age", " zip", "mixed"], [31, "007", "x"], [54, None, 5], [None, None, None], [None, "9", 1.5]]
    path = workbook(tmp_path / "a.xlsx", {"people": people, "other": [["a"], [1]]})
    table = read(path)
    assert table.frame.columns == ["age", "zip", "mixed"]
    assert table.frame.rows() == [(31, "007", "x"), (54, None, "5"), (None, "9", "1.5")]
    assert read(path, sheet="other").frame.rows() == [(1,)]


def test_open_document_sheets(tmp_path: Path) -> None:
    name = "urn:oasis:names:tc:opendocument:xmlns:"
    rows = [["age", "town"], ["31", "Reus"], ["54", "Salt"]]
    cells = [
        "".join(
            f'<table:table-cell office:value-type="float" office:value="{cell}"/>'
            if cell.isdigit()
            else f'<table:table-cell office:value-type="string"><text:p>{cell}</text:p></table:table-cell>'
            for cell in row
        )
        for row in rows
    ]
    content = (
        f'<?xml version="1.0"?><office:document-content xmlns:office="{name}office:1.0" '
        f'xmlns:table="{name}table:1.0" xmlns:text="{name}text:1.0"><office:body><office:spreadsheet>'
        '<table:table table:name="people">'
        + "".join(f"<table:table-row>{row}</table:table-row>" for row in cells)
        + "</table:table></office:spreadsheet></office:body></office:document-content>"
    )
    with zipfile.ZipFile(tmp_path / "a.ods", "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr("content.xml", content)
    assert read(tmp_path / "a.ods").frame.rows() == [(31, "Reus"), (54, "Salt")]


BAD_BOOKS: list[tuple[list[list[object]], str]] = [
    ([], "is empty"),
    ([["a", "b"]], "holds no records"),
    ([["a", "a"], [1, SECRET]], "two columns called 'a'"),
    ([["a", None, "c"], [1, SECRET, 2]], "column 2 of a.xlsx has no name"),
    ([[1, 2], [3, 4]], "no header row"),
]


@pytest.mark.parametrize(("rows", "phrase"), BAD_BOOKS, ids=[b[1] for b in BAD_BOOKS])
def test_bad_workbooks(tmp_path: Path, rows: list[list[object]], phrase: str) -> None:
    path = workbook(tmp_path / "a.xlsx", {"one": rows})
    with pytest.raises(DataError) as caught:
        read(path)
    assert phrase in one_line(caught.value)


def test_an_unknown_sheet_lists_the_sheets(tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", {"one": [["a"], [1]], "two": [["a"], [1]]})
    with pytest.raises(DataError, match=r"no sheet 'three'.*its sheets: one, two"):
        read(path, sheet="three")


SURVEY = pl.DataFrame(
    {
        "sex": [1.0, 2.0, None, 9.0],
        "scale": [1, 2, 3, 5],
        "town": ["Reus", "", "Salt", "Olot"],
        "size": [1.5, 2.5, 3.5, None],
        "day": [date(2020, 1, 1), None, date(2020, 2, 1), date(2020, 2, 1)],
    }
)
LABELS = {"sex": {2: "female", 1: "male", 9: "refused"}, "scale": {1: "low", 5: "high"}}


@pytest.mark.parametrize("suffix", [".sav", ".zsav"])
def test_spss(tmp_path: Path, suffix: str) -> None:
    import pyreadstat

    path = tmp_path / f"a{suffix}"
    pyreadstat.write_sav(
        SURVEY,
        path,
        variable_value_labels=LABELS,
        missing_ranges={"sex": [9]},
        compress=suffix == ".zsav",
    )
    table = read(path)
    # The user's missing value 9 is missing, and its label no level; a scale with labelled ends is numeric.
    assert table.frame["sex"].to_list() == ["male", "female", None, None]
    assert table.levels == {"sex": ("male", "female")}
    assert table.frame["scale"].to_list() == [1, 2, 3, 5]
    assert table.frame["town"].to_list() == ["Reus", None, "Salt", "Olot"]
    assert table.frame["size"].to_list() == [1.5, 2.5, 3.5, None]
    assert table.frame["day"][0] == date(2020, 1, 1)


def test_stata(tmp_path: Path) -> None:
    import pyreadstat

    frame = SURVEY.with_columns(sex=pl.Series([1, 2, 1, 9]))
    pyreadstat.write_dta(frame, tmp_path / "a.dta", variable_value_labels=LABELS)
    table = read(tmp_path / "a.dta")
    assert table.frame["sex"].to_list() == ["male", "female", "male", "refused"]
    assert table.levels == {"sex": ("male", "female", "refused")}
    assert table.frame["scale"].to_list() == [1, 2, 3, 5]


def test_labels_that_stand_twice_keep_their_codes(tmp_path: Path) -> None:
    import pyreadstat

    labels = {"a": {1: "other", 2: "other", 3: "none"}}
    pyreadstat.write_dta(pl.DataFrame({"a": [3, 2, 1]}), tmp_path / "a.dta", variable_value_labels=labels)
    table = read(tmp_path / "a.dta")
    assert table.frame["a"].to_list() == ["none", "other [2]", "other [1]"]
    assert table.levels == {"a": ("other [1]", "other [2]", "none")}


def test_sas_transport_and_spss_portable(tmp_path: Path) -> None:
    import pyreadstat

    frame = SURVEY.select(pl.col("sex", "scale", "town").name.to_uppercase())
    pyreadstat.write_xport(frame, tmp_path / "a.xpt")
    pyreadstat.write_por(frame, tmp_path / "a.por")
    for name in ("a.xpt", "a.por"):
        assert read(tmp_path / name).frame.rows()[0] == (1, 1, "Reus")
        assert read(tmp_path / name).frame["TOWN"].null_count() == 1


def test_r_data(tmp_path: Path) -> None:
    import pyreadr

    frame = PEOPLE.with_columns(size=pl.Series(["s", None, "l"], dtype=pl.Enum(["s", "m", "l"])))
    pyreadr.write_rds(tmp_path / "a.rds", frame)
    table = read(tmp_path / "a.rds")
    assert table.frame.columns == ["age", "income", "town", "size"]
    assert table.frame["size"].to_list() == ["s", None, "l"]
    assert table.levels == {"size": ("s", "m", "l")}
    pyreadr.write_rdata(tmp_path / "a.rda", {"people": frame, "others": frame.head(1)}, compress="gzip")
    assert read(tmp_path / "a.rda", table="others").frame.height == 1
    with pytest.raises(DataError, match=r"holds 2 objects.*people, others"):
        read(tmp_path / "a.rda")
    with pytest.raises(DataError, match=r"no object 'persons'.*people, others"):
        read(tmp_path / "a.rda", table="persons")


# --- SQLite -----------------------------------------------------------------------------------------------


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "people.db"
    connection = sqlite3.connect(path)
    connection.execute('CREATE TABLE "person s" (age INTEGER, income REAL, town TEXT, mixed)')
    connection.executemany(
        'INSERT INTO "person s" VALUES (?, ?, ?, ?)',
        [(31, 1.5, "Reus", 1), (54, None, SECRET, "x"), (8, 2, None, None)],
    )
    connection.execute("CREATE TABLE towns (name TEXT)")
    connection.execute("INSERT INTO towns VALUES ('Reus')")
    connection.commit()
    connection.close()
    return path


def test_sqlite_tables_and_queries(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = read(f"sqlite:{database}", table="person s")
    assert table.frame.rows() == [(31, 1.5, "Reus", "1"), (54, None, SECRET, "x"), (8, 2.0, None, None)]
    query = "SELECT age AS a FROM \"person s\" WHERE town = 'Reus' -- note: a::b"
    for source in (f"sqlite:///{database}::{query}", f"sqlite://{database}::{query}"):
        assert read(source).frame.rows() == [(31,)]
    assert read(database, table="towns").frame.rows() == [("Reus",)]
    monkeypatch.chdir(database.parent)
    assert read("sqlite:///people.db::towns").frame.rows() == read("sqlite:people.db::towns").frame.rows()


BAD_QUERIES: list[tuple[str | None, str]] = [
    (None, "its tables: person s, towns"),
    ("town", "did you mean 'towns'?"),
    ("", "has no table ''"),
    ("SELECT nope FROM towns", "no such column: nope"),
    ("SELEC name FROM towns", "has no table"),
    ("SELECT name FROM towns; DROP TABLE towns", "failed"),
    ("WITH x AS (SELECT 1) DELETE FROM towns", "failed"),
    ("SELECT name, name FROM towns", "two columns 'name'"),
    ("SELECT name FROM towns WHERE 0", "holds no records"),
    (f"SELECT '{SECRET}' WHERE", "failed"),
]


@pytest.mark.parametrize(("what", "phrase"), BAD_QUERIES)
def test_bad_queries(database: Path, what: str | None, phrase: str) -> None:
    with pytest.raises(DataError) as caught:
        read(f"sqlite:{database}", table=what)
    assert phrase in one_line(caught.value)
    assert read(database, table="towns").frame.height == 1


@pytest.mark.parametrize(
    ("source", "kind", "phrase"),
    [
        ("mysql://root:s3cr3tvalue@host/db", ArgumentError, "starts with 'mysql:' cannot be read"),
        ("https://s3cr3tvalue@example.org/a.csv", ArgumentError, "download the file"),
        ("postgresql://u:s3cr3tvalue@127.0.0.1:1/census?connect_timeout=2", DataError, "database 'census'"),
        ("postgresql://u:s3cr3tvalue", DataError, "the PostgreSQL database ''"),
        ("sqlite:none.db", DataError, "no file 'none.db'"),
    ],
)
def test_bad_addresses(source: str, kind: type[UnmaskError], phrase: str) -> None:
    with pytest.raises(kind) as caught:
        read(source)
    assert phrase in one_line(caught.value)


# --- writers ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.tsv", "a.parquet", "a.arrow", "a.feather"])
def test_what_is_written_is_read_again(tmp_path: Path, name: str) -> None:
    frame = PEOPLE.with_columns(zip=pl.Series(["007", 'x, "y"\nz', "a;b"]))
    write(frame, tmp_path / name)
    assert read(tmp_path / name).frame.equals(frame)
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_not_a_number_is_written_as_missing(tmp_path: Path) -> None:
    write(pl.DataFrame({"a": [1.5, float("nan")], "b": [1, 2]}), tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text() == "a,b\n1.5,1\n,2\n"


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    put(tmp_path, "a.csv", "old")
    with pytest.raises(DataError, match="does not fit") as caught:
        write(pl.DataFrame({"a": [[SECRET]]}), tmp_path / "a.csv")
    one_line(caught.value)
    with pytest.raises(DataError, match="not valid text"):
        write_text("\ud800", tmp_path / "a.csv")
    assert [p.name for p in tmp_path.iterdir()] == ["a.csv"]
    assert (tmp_path / "a.csv").read_text() == "old"


@pytest.mark.parametrize(
    ("name", "phrase"),
    [
        ("a.docx", "end its name with one of .csv"),
        ("a", "end its name with one of .csv"),
        ("none/a.csv", "no folder to write 'a.csv' in"),
        ("dir.csv", "is a folder"),
        (f"{'x' * 5000}.csv", "choose a shorter name"),
    ],
)
def test_bad_targets(tmp_path: Path, name: str, phrase: str) -> None:
    (tmp_path / "dir.csv").mkdir()
    with pytest.raises(ArgumentError) as caught:
        write(PEOPLE, tmp_path / name)
    assert phrase in one_line(caught.value)


def test_a_refusal_of_the_system_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(DataError, match="No space left"):
        write_text("text", tmp_path / "a.json")
    assert list(tmp_path.iterdir()) == []


def test_texts_are_written_in_utf8(tmp_path: Path) -> None:
    write_text("año\n", tmp_path / "a.toml")
    assert (tmp_path / "a.toml").read_bytes() == "año\n".encode()
