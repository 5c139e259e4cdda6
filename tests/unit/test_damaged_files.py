"""Files that were cut or damaged: the same records as before, or an error in one line, never a crash."""

from __future__ import annotations

import gzip
import os
import random
import socket
import sqlite3
import subprocess
import sys
import zipfile
from datetime import date, timedelta
from io import BytesIO
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.ipc
import pyreadstat
import pytest

from unmask.data.io import limits, read, write
from unmask.data.io.arrow_stream import stream_of_file
from unmask.errors import DataError

N = 300
FRAME = pl.DataFrame(
    {
        "id": [f"p{i:04d}" for i in range(N)],
        "age": [(7 * i) % 90 for i in range(N)],
        "town": [("Reus", "a town with a long name", "Salt")[i % 3] for i in range(N)],
        "born": [date(1950, 1, 1) + timedelta(37 * i) for i in range(N)],
    }
)


def written(folder: Path, name: str) -> Path:
    path = folder / name
    if name.endswith(".db"):
        connection = sqlite3.connect(path)
        connection.execute("CREATE TABLE people (id TEXT, age INTEGER, town TEXT, born TEXT)")
        rows = FRAME.with_columns(pl.col("born").cast(pl.String)).rows()
        connection.executemany("INSERT INTO people VALUES (?, ?, ?, ?)", rows)
        connection.commit()
        connection.close()
    elif name == "v5.xpt":
        pyreadstat.write_xport(
            FRAME.with_columns(pl.col("born").cast(pl.String)), path, file_format_version=5
        )
    elif name == "batches.arrow":
        with pa.ipc.new_file(path, FRAME.to_arrow().schema) as sink:
            sink.write_table(FRAME.to_arrow(), max_chunksize=50)
    elif name.endswith(".arrows"):
        with pa.ipc.new_stream(path, FRAME.to_arrow().schema) as sink:
            sink.write_table(FRAME.to_arrow(), max_chunksize=50)
    else:
        write(FRAME, path)
    return path


BINARY = ["a.db", "a.xpt", "v5.xpt", "a.arrow", "batches.arrow", "a.arrows", "a.parquet", "a.sav", "a.dta"]


@pytest.mark.parametrize("name", [*BINARY, "a.zsav", "a.xlsx", "a.csv.gz"])
def test_a_file_that_was_cut_anywhere_has_the_same_records_or_is_refused(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, name)
    before, content = read(path).frame, path.read_bytes()
    size = len(content)
    places = {size * tenth // 10 for tenth in range(1, 10)} | {size - lost for lost in (1, 8, 80, 512)}
    places |= {size // 2 // block * block for block in (80, 512, 4096)}
    for place in sorted(places - {0}):
        path.write_bytes(content[:place])
        try:
            assert read(path).frame.equals(before), f"cut at {place}"
        except DataError as error:
            assert "\n" not in str(error)  # noqa: PT017


def test_a_stream_that_was_cut_between_two_batches_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.arrows"
    with pa.ipc.new_stream(path, FRAME.to_arrow().schema) as sink:
        sink.write_table(FRAME[:100].to_arrow())
        sink.write_table(FRAME[100:].to_arrow())
    content = path.read_bytes()
    with pa.ipc.new_stream(tmp_path / "part.arrows", FRAME.to_arrow().schema) as sink:
        sink.write_table(FRAME[:100].to_arrow())
    part = len((tmp_path / "part.arrows").read_bytes()) - 8
    path.write_bytes(content[:part])
    with pytest.raises(DataError, match="ends without the mark"):
        read(path)


@pytest.mark.parametrize(
    ("last", "phrase"), [("1999-1", "'born'"), ("1999-10-", "'born'"), ("19", "'born'"), ("1999-10-11", None)]
)
def test_a_text_that_ends_within_a_date_is_refused(tmp_path: Path, last: str, phrase: str | None) -> None:
    path = tmp_path / "a.csv"
    path.write_text(FRAME.write_csv() + f"p9999,5,Reus,{last}")
    if phrase is None:
        assert read(path).frame.schema["born"] == pl.Date
        return
    with pytest.raises(DataError, match="seems to be cut off") as caught:
        read(path)
    assert phrase in str(caught.value)
    path.write_text(FRAME.write_csv() + f"p9999,5,Reus,{last}\n")
    assert read(path).frame.height == N + 1


CRASHES = """
import random, sys
from pathlib import Path
from unmask.data.io import read
from unmask.errors import UnmaskError
path, rng = Path(sys.argv[1]), random.Random(1)
content, outcomes = path.read_bytes(), {"read": 0, "refused": 0}
for _ in range(int(sys.argv[2])):
    damaged = bytearray(content)
    for _ in range(rng.choice([1, 2, 8])):
        damaged[rng.randrange(len(damaged))] = rng.choice([0, 255, rng.randrange(256)])
    path.write_bytes(damaged)
    try:
        read(path).frame.rows()
        outcomes["read"] += 1
    except UnmaskError as error:
        assert "\\n" not in str(error)
        outcomes["refused"] += 1
assert outcomes["refused"] > 5, outcomes
"""


@pytest.mark.parametrize("name", ["a.arrow", "batches.arrow", "a.arrows", "a.parquet"])
def test_damaged_bytes_neither_end_the_process_nor_are_heard(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, name)
    done = subprocess.run([sys.executable, "-c", CRASHES, str(path), "150"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_arrow_file_is_its_stream() -> None:
    frame = FRAME.with_columns(
        kind=pl.col("town").cast(pl.Categorical), grade=pl.col("town").cast(pl.Enum(FRAME["town"].unique())),
        nested=pl.concat_list("age", "age"), nothing=pl.lit(None),
    )  # fmt: skip
    for compression in ("uncompressed", "lz4", "zstd"):
        file = BytesIO()
        frame.write_ipc(file, compression=compression)
        again = pl.read_ipc_stream(BytesIO(stream_of_file(file.getvalue())))
        assert again.equals(frame)
        assert again.schema == frame.schema


def test_a_workbook_whose_check_sum_does_not_fit_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "a.xlsx")
    with zipfile.ZipFile(path) as archive:
        item = archive.getinfo("xl/worksheets/sheet1.xml")
    content, rng = bytearray(path.read_bytes()), random.Random(1)
    content[item.header_offset + 200 + rng.randrange(500)] ^= 1
    path.write_bytes(content)
    with pytest.raises(DataError):
        read(path)


def test_a_sqlite_file_whose_values_break_a_rule_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE people (age INTEGER)")
    connection.executemany("INSERT INTO people VALUES (?)", [(1,), (None,), (3,)])
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("UPDATE sqlite_schema SET sql = 'CREATE TABLE people (age INTEGER NOT NULL)'")
    connection.commit()
    connection.close()
    assert read(path).frame["age"].to_list() == [1, None, 3]


def test_dates_that_no_calendar_has_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pl.DataFrame({"born": pl.Series([1, 2**31 - 1], dtype=pl.Int32).cast(pl.Date)}).write_parquet(path)
    with pytest.raises(DataError, match=r"'born' of a\.parquet has dates outside"):
        read(path)


# --- what is no ordinary file, and what unpacks to too much ---------------------------------------------


def test_pipes_devices_sockets_and_loops_are_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "zero.csv").symlink_to("/dev/zero")
    (tmp_path / "loop.csv").symlink_to("loop.csv")
    (tmp_path / "gone.csv").symlink_to("nowhere.csv")
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(tmp_path)  # the address of a socket must be short
        server.bind("sock.csv")
        os.chdir(here)
        for name in ("pipe.csv", "zero.csv", "sock.csv"):
            with pytest.raises(DataError, match="is not an ordinary file"):
                read(tmp_path / name)
    with pytest.raises(DataError, match="cannot be opened"):
        read(tmp_path / "loop.csv")
    with pytest.raises(DataError, match=r"no file 'gone\.csv'"):
        read(tmp_path / "gone.csv")


def test_what_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = b"age,sex\n" + b"31,f\n" * 200_000
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(text))
    with zipfile.ZipFile(tmp_path / "a.csv.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.csv", text)
    for name in ("a.csv.gz", "a.csv.zip"):
        assert read(tmp_path / name).frame.height == 200_000
    monkeypatch.setattr(limits, "FREE", 500_000)
    for name in ("a.csv.gz", "a.csv.zip"):
        with pytest.raises(DataError, match="unpacks to more than 200 times its size"):
            read(tmp_path / name)
    monkeypatch.setattr(limits, "memory", lambda: 1_000_000)
    monkeypatch.setattr(limits, "RATIO", 2000)
    with pytest.raises(DataError, match="more than half of this machine's memory"):
        read(tmp_path / "a.csv.gz")


def test_a_bomb_of_r_is_refused_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FREE", 500_000)
    (tmp_path / "a.rds").write_bytes(gzip.compress(bytes(2_000_000)))
    with pytest.raises(DataError, match="unpacks to more than 200 times its size"):
        read(tmp_path / "a.rds")


def test_a_long_cell_is_read_and_one_that_is_too_long_is_called_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"age,story\n31,{'x' * 200_000}\n54,short\n")
    assert read(path).frame["story"].str.len_chars().to_list() == [200_000, 5]
    monkeypatch.setattr("unmask.data.io.delimited.LONGEST_CELL", 150_000)
    with pytest.raises(DataError, match="a cell of more than 150,000 characters"):
        read(path)


def test_a_large_file_is_read_in_turns_and_gives_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a[1].csv"  # no pattern, but a name
    path.write_text(FRAME.write_csv().replace("\n", "\n\n", 3))
    whole = read(path).frame
    monkeypatch.setattr("unmask.data.io.delimited._LARGE", 100)
    assert read(path).frame.equals(whole)
    assert whole.height == N
