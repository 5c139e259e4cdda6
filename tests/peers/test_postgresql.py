"""A table and a query from a PostgreSQL server, which the tests start and stop themselves."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from unmask.data.io import read
from unmask.errors import DataError

SECRET = "s3cr3tvalue"
SETUP = (
    """CREATE TABLE persons (
        id int, income numeric(10, 2), town text, employed boolean, born date, key uuid, size real
    )""",
    f"""INSERT INTO persons VALUES
        (1, 1500.25, 'Reus', true, '1990-05-01', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 1.5),
        (2, NULL, '{SECRET}', NULL, NULL, NULL, NULL)""",
    "CREATE SCHEMA archive",
    'CREATE TABLE archive."old persons" (id int)',
    'INSERT INTO archive."old persons" VALUES (7)',
)


def binaries() -> Path | None:
    found = shutil.which("initdb")
    candidates = [Path(found).resolve().parent] if found else []
    candidates += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in candidates if (folder / "pg_ctl").exists()), None)


def as_server_user(*command: str | Path) -> None:
    """Run a program of the server, which refuses to be run by root."""
    words = [str(word) for word in command]
    if os.geteuid() == 0:
        words = ["runuser", "-u", "postgres", "--", *words]
    subprocess.run(
        words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/", timeout=120
    )


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    programs = binaries()
    if programs is None:
        pytest.skip("PostgreSQL's initdb and pg_ctl are not installed")
    if os.geteuid() == 0 and not shutil.which("runuser"):
        pytest.skip("PostgreSQL refuses to run as root, and there is no runuser")
    driver = pytest.importorskip("adbc_driver_postgresql.dbapi", reason="PostgreSQL's driver is missing")
    # Not in pytest's own folder: its path is too long for a socket, and closed to the server's user.
    folder = Path(tempfile.mkdtemp(prefix="unmask-pg-", dir="/tmp"))
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        data = folder / "data"
        as_server_user(programs / "initdb", "-D", data, "-A", "trust", "-U", "tester", "-E", "UTF8", "-N")
        start = f"-c listen_addresses='' -c fsync=off -k {folder}"
        as_server_user(programs / "pg_ctl", "-D", data, "-w", "-o", start, "-l", folder / "log", "start")
        try:
            address = f"postgresql://tester:{SECRET}@/postgres?host={folder}"
            with driver.connect(address, autocommit=True) as connection, connection.cursor() as cursor:
                for statement in SETUP:
                    cursor.execute(statement)
            yield address
        finally:
            as_server_user(programs / "pg_ctl", "-D", data, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def test_a_table(server: str) -> None:
    for source, table in ((server, "persons"), (f"{server}::persons", None), (server, "public.persons")):
        frame = read(source, table=table).frame
        assert frame.columns == ["id", "income", "town", "employed", "born", "key", "size"]
        assert frame["income"].to_list() == [1500.25, None]
        assert frame["town"].to_list() == ["Reus", SECRET]
        assert frame["employed"].to_list() == [True, None]
        assert str(frame["born"][0]) == "1990-05-01"
    assert read(server, table="archive.old persons").frame.rows() == [(7,)]


def test_a_query(server: str) -> None:
    query = "SELECT id::text AS code, income * 2 AS twice FROM persons WHERE town = 'Reus'"
    for frame in (read(server, table=query).frame, read(f"{server}::{query}").frame):
        assert frame.rows() == [("1", 3000.5)]


@pytest.mark.parametrize(
    ("what", "phrase"),
    [
        (None, "its tables: archive.old persons, persons"),
        ("person", "did you mean 'persons'?"),
        ("SELECT nope FROM persons", 'column "nope" does not exist'),
        ("SELECT FROM FROM", "syntax error"),
        ("SELECT town::int FROM persons", "cannot be read as what the query asks for"),
        ("WITH x AS (INSERT INTO persons (id) VALUES (3) RETURNING id) SELECT * FROM x", "failed. Hint"),
        ("SELECT id, id FROM persons", "two columns 'id'"),
        ("SELECT * FROM persons WHERE false", "holds no records"),
    ],
)
def test_what_is_wrong_is_said_without_values_and_passwords(
    server: str, what: str | None, phrase: str
) -> None:
    with pytest.raises(DataError) as caught:
        read(server, table=what)
    message = str(caught.value)
    assert phrase in message
    assert "\n" not in message
    assert SECRET not in message
    assert read(server, table="SELECT count(*) AS n FROM persons").frame.rows() == [(2,)]
