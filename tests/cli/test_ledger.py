"""unmask ledger: what it records and tells, and what it refuses in one line."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.console import SECRET_NUMBER, SECRET_TEXT, Outcome, content, csv, people, put, run

ORIGINAL = csv(people())
NEW, OLD, OLDER = (csv(people(moved=moved)) for moved in (0.05, 0.1, 0.2))
ADD = ("ledger", "add", "office.db")
KNOWN = ("--known", "age,income", "--attacks", "guess,dbrl")


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files to work on."""
    monkeypatch.chdir(tmp_path)
    put(tmp_path, {"original.csv": ORIGINAL, "new.csv": NEW, "old.csv": OLD, "older.csv": OLDER})


def record(file: str, *options: object) -> Outcome:
    return run(*ADD, file, "--original", "original.csv", "--date", "2026-01-31", *options)


def refused(outcome: Outcome, *says: str) -> None:
    assert outcome.code == 2, outcome.out
    assert outcome.out == ""
    assert outcome.err.startswith("error: ")
    assert outcome.err.count("\n") == 1
    assert "Hint: " in outcome.err
    for text in says:
        assert text in outcome.err
    assert SECRET_TEXT not in outcome.err
    assert str(SECRET_NUMBER) not in outcome.err


def test_what_is_recorded_is_listed_and_shown() -> None:
    assert run("assess", "original.csv", "old.csv", *KNOWN, "--json", "risk.json").code == 0
    added = record(
        "old.csv", "--mask", "noise:a=0.1", "--assessment", "risk.json", "--note", "to a\nuniversity"
    )
    assert (added.code, added.err) == (0, "")
    assert added.out == "release 1 (old.csv, 2026-01-31): 40 records, 5 columns, recorded\n"
    assert record("older.csv", "--label", "spring [v1]").code == 0
    listed = run("ledger", "list", "office.db").out
    assert listed.splitlines()[0].split() == [
        "id", "date", "label", "records", "original", "masks", "highest", "risk"
    ]  # fmt: skip
    assert listed.splitlines()[1].split()[:4] == ["1", "2026-01-31", "old.csv", "40"]
    assert "noise:a=0.1" in listed
    assert "% dbrl" in listed
    assert "spring [v1]" in listed
    shown = run("ledger", "show", "office.db", 1).out
    for text in ("to a university", "noise:a=0.1", "best attack", "income", "numeric", "sha256"):
        assert text in shown
    assert run("ledger", "show", "office.db", 2).out.count(" -") >= 3


def test_nothing_of_the_data_is_in_the_ledger(tmp_path: Path) -> None:
    run("assess", "original.csv", "old.csv", *KNOWN, "--json", "risk.json")
    record("old.csv", "--assessment", "risk.json")
    held = (tmp_path / "office.db").read_bytes()
    assert SECRET_TEXT.encode() not in held
    assert str(SECRET_NUMBER)[:3].encode() + b"0" not in held
    assert sorted(content(tmp_path)) == [
        "new.csv", "office.db", "old.csv", "older.csv", "original.csv", "risk.json"
    ]  # fmt: skip


def test_the_same_commands_give_the_same_output() -> None:
    outs = []
    for name in ("a.db", "b.db"):
        args = ("old.csv", "--original", "original.csv", "--date", "2026-01-31")
        outs.append((run("ledger", "add", name, *args).out, run("ledger", "list", name).out))
        outs[-1] += (run("ledger", "show", name, 1).out,)
    assert outs[0] == outs[1]


def test_files_are_checked_by_their_hashes(tmp_path: Path) -> None:
    record("old.csv")
    good = run("ledger", "check", "office.db", "old.csv", "original.csv")
    assert good.code == 0
    assert good.out == "old.csv: release 1 (old.csv, 2026-01-31)\noriginal.csv: the original of release 1\n"
    put(tmp_path, {"old.csv": OLD + "\n"})
    changed = run("ledger", "check", "office.db", "old.csv")
    assert (changed.code, changed.out) == (1, "old.csv: not recorded\n")


def test_a_new_release_is_assessed_against_earlier_ones(tmp_path: Path) -> None:
    record("old.csv")
    record("older.csv", "--label", "first")
    arguments = ("ledger", "assess", "office.db", "original.csv", "new.csv", *KNOWN, "--earlier", "old.csv")
    done = run(*arguments, "--follow", "order", "--json", "out.json")
    assert (done.code, done.err) == (0, "")
    assert "1 earlier release of this file was not given: release 2 (first, 2026-01-31)" in done.out
    assert "40 records of this release were followed into the earlier one, 40 of them rightly" in done.out
    document = json.loads((tmp_path / "out.json").read_text())
    assert (document["format"], document["version"]) == ("unmask-releases", 2)
    section = document["releases"]
    assert section["how"] == "order"
    assert section["earlier"] == [{"release": "earlier 1", "records": 40, "joined": 40, "right": 40}]
    seen = [(row["attack"], row["release"]) for row in document["table"]]
    releases = ("this", "earlier 1", "combined", "averaged")
    assert seen == [(attack, release) for attack in ("guess", "dbrl") for release in releases]
    assert SECRET_TEXT not in done.out + (tmp_path / "out.json").read_text()
    assert run(*arguments, "--follow", "order").out == done.out
    both = run(*arguments, "--earlier", "older.csv", "--follow", "key:id", "--truth", "id")
    assert both.code == 0
    assert "not given" not in both.out


def test_the_report_is_made_again_from_the_json(tmp_path: Path) -> None:
    record("old.csv")
    outputs = ("--json", "out.json", "--html", "out.html")
    arguments = ("ledger", "assess", "office.db", "original.csv", "new.csv", *KNOWN, "--earlier", "old.csv")
    assert run(*arguments, "--follow", "order", *outputs).code == 0
    done = run("report", "out.json", "-o", "again.html")
    assert (done.code, done.out, done.err) == (0, "report: again.html\n", "")
    page = (tmp_path / "out.html").read_text()
    assert (tmp_path / "again.html").read_text() == page
    assert "Earlier 1 is release 1 (old.csv, 2026-01-31)." in page
    assert "The intruder knows 2 attributes of 40 people." in page
    assert SECRET_TEXT not in page


def test_a_comparison_is_no_assessment_of_one_release(tmp_path: Path) -> None:
    record("old.csv")
    arguments = ("ledger", "assess", "office.db", "original.csv", "new.csv", *KNOWN, "--earlier", "old.csv")
    assert run(*arguments, "--json", "out.json").code == 0
    refused(record("new.csv", "--assessment", "out.json"), "not an unmask assessment", "'unmask assess'")


def test_outputs_are_checked_before_the_work(tmp_path: Path) -> None:
    record("old.csv")
    arguments = ("ledger", "assess", "office.db", "original.csv", "new.csv", *KNOWN, "--earlier", "old.csv")
    before = content(tmp_path)
    refused(run(*arguments, "--html", "no/out.html"), "no folder")
    refused(run(*arguments, "--html", "office.db"), "read or written already")
    refused(run(*arguments, "--json", "out", "--html", "out"), "read or written already")
    assert content(tmp_path) == before


def test_an_interruption_is_told_and_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    record("old.csv")
    monkeypatch.setattr("unmask.assessment.experiments.Experiment.runs", stop)
    before = content(tmp_path)
    outputs = ("--json", "out.json", "--html", "out.html")
    done = run("ledger", "assess", "office.db", "original.csv", "new.csv", "--earlier", "old.csv", *outputs)
    assert (done.code, done.out, done.err) == (130, "", "interrupted\n")
    assert content(tmp_path) == before


def test_nothing_to_join_by_is_not_estimable() -> None:
    record("old.csv")
    done = run("ledger", "assess", "office.db", "original.csv", "new.csv", *KNOWN, "--earlier", "old.csv")
    assert done.code == 0
    assert "not estimable: this release and earlier 1 share no confidential attribute" in done.out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((*ADD, "old.csv", "--original", "nobody.csv"), "no file 'nobody.csv'"),
        ((*ADD, "nobody.csv", "--original", "original.csv"), "no file 'nobody.csv'"),
        ((*ADD, "original.csv", "--original", "original.csv"), "is the original file"),
        ((*ADD, "old.csv", "--original", "original.csv", "--date", "soon"), "date"),
        ((*ADD, "old.csv", "--original", "original.csv", "--assessment", "original.csv"), "not JSON"),
        ((*ADD, "old.csv"), "--original"),
        (("ledger", "add", "old.csv", "old.csv", "--original", "original.csv"), "read or written"),
        (("ledger", "add", "no/office.db", "old.csv", "--original", "original.csv"), "no folder"),
        (("ledger", "list", "office.db"), "no file 'office.db'"),
        (("ledger", "list", "original.csv"), "not a ledger"),
        (("ledger", "list", "."), "folder"),
        (("ledger", "show", "office.db", "x"), "number"),
        (("ledger", "burn", "office.db"), "burn"),
        (("ledger",), "command"),
    ],
    ids=str,
)
def test_mistakes_are_one_line_and_leave_nothing(
    arguments: tuple[str, ...], says: str, tmp_path: Path
) -> None:
    before = content(tmp_path)
    refused(run(*arguments), says)
    assert content(tmp_path) == before


def test_a_release_is_recorded_once(tmp_path: Path) -> None:
    record("old.csv")
    before = content(tmp_path)
    refused(record("old.csv"), "recorded already, as release 1")
    assert content(tmp_path) == before


def test_an_assessment_of_another_file_is_refused(tmp_path: Path) -> None:
    run("assess", "original.csv", "old.csv", *KNOWN, "--json", "risk.json")
    put(tmp_path, {"short.csv": csv(people(n=30, moved=0.1))})
    refused(record("short.csv", "--assessment", "risk.json"), "40 released records", "30")


def test_an_assessment_of_files_with_other_bytes_is_refused(tmp_path: Path) -> None:
    run("assess", "original.csv", "old.csv", *KNOWN, "--json", "risk.json")
    before = content(tmp_path)
    refused(record("older.csv", "--assessment", "risk.json"), "another released file than 'older.csv'")
    put(tmp_path, {"changed.csv": ORIGINAL + "\n"})
    refused(
        run(*ADD, "old.csv", "--original", "changed.csv", "--assessment", "risk.json"),
        "another original file than 'changed.csv'",
    )
    (tmp_path / "changed.csv").unlink()
    assert content(tmp_path) == before
    # The same bytes under another name are the file that was assessed.
    put(tmp_path, {"copy.csv": OLD})
    assert record("copy.csv", "--assessment", "risk.json").code == 0


def test_an_assessment_without_hashes_is_refused(tmp_path: Path) -> None:
    run("assess", "original.csv", "old.csv", *KNOWN, "--json", "risk.json")
    document = json.loads((tmp_path / "risk.json").read_text())
    document["provenance"]["inputs"] = []
    put(tmp_path, {"bare.json": json.dumps(document)})
    refused(record("old.csv", "--assessment", "bare.json"), "does not say which released file it is of")
    assert not (tmp_path / "office.db").exists()
    assert record("old.csv").code == 0


def test_unknown_and_strange_files_are_refused_in_an_assessment(tmp_path: Path) -> None:
    record("old.csv")
    begin = ("ledger", "assess", "office.db", "original.csv", "new.csv", *KNOWN, "--earlier")
    refused(run(*begin, "older.csv"), "'older.csv' is not in the ledger")
    refused(run(*begin, "new.csv"), "the new release itself")
    refused(run(*begin, "old.csv", "--earlier", "old.csv"), "given twice")
    refused(run(*begin, "old.csv", "--follow", "magic"), "magic")
    refused(run(*begin, "old.csv", "--attacks", ""), "no attack is named")
    refused(run(*begin, "old.csv", "--follow", "key"), "key:COLUMN")
    refused(run(*begin, "old.csv", "--follow", "key:nothing"), "nothing")
    put(tmp_path, {"other.csv": csv(people(seed=8))})
    moved = ("ledger", "assess", "office.db", "other.csv", "new.csv", *KNOWN, "--earlier", "old.csv")
    refused(run(*moved), "of another original file")
    put(tmp_path, {"old.csv": OLD + "\n"})
    refused(run(*begin, "old.csv"), "not in the ledger, or was changed")


def sql(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def test_foreign_newer_and_damaged_ledgers_are_refused(tmp_path: Path) -> None:
    sql(tmp_path / "foreign.db", "CREATE TABLE release (number INTEGER)")
    refused(run("ledger", "list", "foreign.db"), "not a ledger")
    refused(run("ledger", "add", "foreign.db", "old.csv", "--original", "original.csv"), "not a ledger")
    record("old.csv")
    held = (tmp_path / "office.db").read_bytes()
    put(tmp_path, {"cut.db": held[: len(held) // 2], "noisy.db": held[:100] + b"\xff" * (len(held) - 100)})
    put(tmp_path, {"newer.db": held, "odd.db": held})
    sql(tmp_path / "newer.db", "PRAGMA user_version = 2")
    sql(tmp_path / "odd.db", "UPDATE release SET columns = '{'")
    refused(run("ledger", "list", "cut.db"), "damaged")
    refused(run("ledger", "list", "noisy.db"), "damaged")
    refused(run("ledger", "list", "odd.db"), "damaged")
    refused(run("ledger", "list", "newer.db"), "version 2", "update")
    refused(record("older.csv", "--schema", "office.db"), "Hint")


def test_a_ledger_in_use_is_not_waited_for_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unmask.ledger.store.PATIENCE", 0.05)
    record("old.csv")
    with closing(sqlite3.connect(tmp_path / "office.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        refused(record("older.csv"), "in use")
        refused(run("ledger", "list", "office.db"), "in use")
        other.execute("ROLLBACK")
    assert record("older.csv").code == 0


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write to read-only files")
def test_a_read_only_ledger_is_refused(tmp_path: Path) -> None:
    record("old.csv")
    (tmp_path / "office.db").chmod(0o400)
    refused(record("older.csv"), "cannot be written")


def test_an_empty_file_becomes_a_ledger(tmp_path: Path) -> None:
    put(tmp_path, {"office.db": ""})
    assert record("old.csv").code == 0
