"""--progress: how the work goes as JSON lines, beside an answer that is the same without it."""

from __future__ import annotations

import io
import json
import os
import re
import stat
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from tests.cli.console import SECRET_NUMBER, SECRET_TEXT, Outcome, content, csv, people, put, run
from unmask.cache_folder import own_folder
from unmask.cli import watching
from unmask.cli.progress import ProgressFile
from unmask.engines.watcher import Watcher
from unmask.errors import DataError

POLICY = 'format = "unmask-policy"\nversion = 1\ntitle = "Ours"\nsource = "A book."\n[[criterion]]\n'
ASSESS = (
    "assess", "original.csv", "released.csv", "--known", "age,income", "--attacks", "guess,dbrl",
    "--measures", "reidentification",
)  # fmt: skip
FEW = ("--known", "age,income", "--losses", "il1s", "--least", "il1s", "--replicates", "2")
MASKS = ("--mask", "noise:a={0.1,0.5}")
STUDY = ("study", "people.csv", *MASKS, *FEW, "--attacks", "dbrl")
PROTECT = ("protect", "people.csv", "--policy", "lenient.toml", *MASKS, *FEW, "-o", "out.csv")
COMMANDS = {"assess": ASSESS, "study": STUDY, "protect": PROTECT}
FIELDS = {
    "begin": ["event", "part", "at"],
    "advance": ["event", "part", "done", "total", "at"],
    "tell": ["event", "line", "at"],
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files and a policy, which is the current one, and a cache of its own."""
    kernels = own_folder("kernels")
    here, cache = tmp_path / "here", tmp_path / "cache"
    here.mkdir()
    cache.mkdir(mode=0o700)
    (cache / "kernels").symlink_to(kernels)  # to compile them takes minutes
    put(
        here,
        {
            "original.csv": csv(people()),
            "released.csv": csv(people(moved=0.05)),
            "people.csv": csv(people(60)),
            "lenient.toml": POLICY + 'reading = "found"\nat_most = 0.9\n',
        },
    )
    monkeypatch.chdir(here)
    monkeypatch.setenv("UNMASK_CACHE_DIR", str(cache))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    return here


def events(path: Path) -> list[dict[str, Any]]:
    """The events of a file that is whole, which hold what they should and nothing of a record."""
    text = path.read_text()
    assert text.endswith("\n")
    assert SECRET_TEXT not in text
    assert not re.search(rf"{str(SECRET_NUMBER)[:3]}\d\d\d", text)
    found = [json.loads(line) for line in text.splitlines()]
    assert all(list(one) == FIELDS[one["event"]] for one in found)
    assert [one["at"] for one in found] == sorted(one["at"] for one in found)
    return found


def checked(path: Path) -> list[dict[str, Any]]:
    """The same of a run that ended well: no part advances before it begins, or beyond its end."""
    found, part = events(path), None
    assert found[0] == {"event": "begin", "part": "reading", "at": found[0]["at"]}
    for one in found:
        part = one["part"] if one["event"] == "begin" else part
        if one["event"] == "advance":
            assert one["part"] == part
            assert 0 < one["done"] <= one["total"]
    return found


def of(kind: str, found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one for one in found if one["event"] == kind]


def refused(outcome: Outcome, says: str) -> None:
    assert (outcome.code, outcome.out) == (2, ""), outcome
    assert outcome.err.count("\n") == 1
    assert says in outcome.err


# --- what the commands write ------------------------------------------------------------------------------


def test_an_assessment_tells_its_parts_and_what_each_attack_found(folder: Path) -> None:
    shown = run(*ASSESS, "--json", "a.json")
    put(folder, {"p.jsonl": "of an earlier run\n" * 1000})
    assert run(*ASSESS, "--json", "b.json", "--progress", "p.jsonl") == shown
    assert (folder / "a.json").read_bytes() == (folder / "b.json").read_bytes()
    found = checked(folder / "p.jsonl")
    parts = [one["part"] for one in of("begin", found)]
    assert parts == ["reading", "guess", "dbrl"]
    assert [one["line"].split(":")[0] for one in of("tell", found)] == ["guess", "dbrl"]
    assert all("% found (" in one["line"] and "by chance" in one["line"] for one in of("tell", found))
    last = of("advance", found)[-1]
    assert (last["part"], last["done"], last["total"]) == ("dbrl", 40, 40)


@pytest.mark.parametrize("threads", ["1", "2"])
def test_a_study_advances_by_what_its_releases_need(
    folder: Path, threads: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if threads != "1":
        monkeypatch.setattr("unmask.studies.protection.work.LITTLE", 0)  # so that processes do the work
    shown = run(*STUDY, "--json", "a.json", "--csv", "a.csv", "--results", "a.db")
    more = ("--threads", threads, "--progress", "p.jsonl")
    assert run(*STUDY, "--json", "b.json", "--csv", "b.csv", "--results", "b.db", *more) == shown
    for end in ("json", "csv"):
        assert (folder / f"a.{end}").read_bytes() == (folder / f"b.{end}").read_bytes()
    found = checked(folder / "p.jsonl")
    # Two masks drawn twice, the original as it is, and independent columns drawn twice.
    assert [one["part"] for one in of("begin", found)] == ["reading", "7 releases"]
    advanced = of("advance", found)
    assert {one["total"] for one in advanced} == {advanced[-1]["done"]}
    assert advanced[-1]["total"] % 7 == 0
    run(*STUDY, "--results", "b.db", "--progress", "again.jsonl")  # all is there already
    assert [one["event"] for one in checked(folder / "again.jsonl")] == ["begin"]


def test_a_search_for_a_protection_tells_each_round(folder: Path) -> None:
    outcome = run(*PROTECT, "--progress", "p.jsonl")
    assert outcome.code == 0
    found = checked(folder / "p.jsonl")
    rounds = [i for i, one in enumerate(found) if one["event"] == "begin"][1:]
    assert len(rounds) > 1
    ends = [found[i - 1] for i in (*rounds[1:], len(found))]
    assert all(one["event"] == "advance" and one["done"] == one["total"] for one in ends)


@pytest.mark.parametrize("verb", COMMANDS)
def test_a_request_has_no_progress_and_its_run_has(folder: Path, verb: str) -> None:
    asked = run(*COMMANDS[verb], "--json", "a.json", "--save-request", "r.toml", "--progress", "p.jsonl")
    assert asked.code == 0
    assert "jsonl" not in (folder / "r.toml").read_text() + (folder / "a.json").read_text()
    release = ("-o", "out.csv") if verb == "protect" else ()
    outcome = run("run", "r.toml", *release, "--json", "b.json", "--progress", "q.jsonl")
    assert (outcome.code, outcome.out) == (0, asked.out)
    assert (folder / "a.json").read_bytes() == (folder / "b.json").read_bytes()
    assert checked(folder / "q.jsonl")[0]["part"] == "reading"


def test_it_is_there_before_a_file_is_read_and_stays(folder: Path) -> None:
    put(folder, {"released.csv": b"\x00\x01"})
    refused(run(*ASSESS, "--progress", "p.jsonl"), "released.csv")
    assert [one["part"] for one in checked(folder / "p.jsonl")] == ["reading"]
    assert stat.S_IMODE((folder / "p.jsonl").stat().st_mode) == 0o600


# --- what is refused --------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", COMMANDS)
@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("nowhere/p.jsonl", "there is no folder to write 'p.jsonl' in"),
        (".", "is a folder, not a file"),
        ("fifo", "is not an ordinary file"),
        ("a.json", "'a.json' is read or written already"),
        ("./original.csv", "'original.csv' is read or written already"),
        ("hard.toml", "'hard.toml' is read or written already"),
    ],
)
def test_a_bad_place_is_refused_in_one_line(folder: Path, verb: str, place: str, says: str) -> None:
    os.mkfifo(folder / "fifo")
    (folder / "people.csv").unlink()
    (folder / "people.csv").symlink_to("original.csv")
    (folder / "hard.toml").hardlink_to("lenient.toml")
    before = content_of(folder)
    policy = () if verb == "protect" else ("--policy", "lenient.toml")
    refused(run(*COMMANDS[verb], *policy, "--json", "a.json", "--progress", place), says)
    assert content_of(folder) == before


def content_of(folder: Path) -> dict[str, bytes | None]:
    (folder / "fifo").rename(folder.parent / "fifo")  # whose content nobody writes
    try:
        return content(folder)
    finally:
        (folder.parent / "fifo").rename(folder / "fifo")


def test_neither_the_results_nor_the_request_nor_the_release_is_replaced(folder: Path) -> None:
    run(*STUDY, "--save-request", "r.toml")
    run(*PROTECT, "--save-request", "r2.toml")
    before = content(folder)
    taken = "read or written already"
    refused(run("run", "r.toml", "--progress", "r.toml"), taken)
    refused(run("study", "r.toml", "--progress", "r.results.db"), taken)
    refused(run("run", "r2.toml", "-o", "out.csv", "--progress", "out.csv"), taken)
    refused(run("run", "r2.toml", "-o", "out.csv", "--progress", "out.csv.unmask.toml"), taken)
    assert content(folder) == before


@pytest.mark.parametrize("verb", ["mask", "check"])
def test_what_has_no_progress_refuses_the_option(folder: Path, verb: str) -> None:
    first = {
        "mask": ("mask", "original.csv", "--mask", "noise:a=0.1", "-o", "out.csv"),
        "check": ("check", "original.csv", "released.csv"),
    }[verb]
    assert run(*first, "--save-request", "r.toml").code == 0
    outcome = run("run", "r.toml", "-o", "again.csv", "--progress", "p.jsonl")
    refused(outcome, f"'{verb}' has no use for --progress")
    assert not (folder / "p.jsonl").exists()


# --- the file itself --------------------------------------------------------------------------------------


def test_advances_are_few_and_the_last_of_a_part_is_there(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    with ProgressFile(path) as file:
        for part in ("one", "two", "two"):
            file.begin(part)
            for _ in range(3):  # a part may search several times
                for done in range(1, 10_001):
                    file.advance(done, 10_000)
            file.advance(7, 7)
        file.begin("three")
        file.advance(1, 2)
    found = events(path)
    assert [one["part"] for one in of("begin", found)] == ["one", "two", "two", "three"]
    begins = [i for i, one in enumerate(found) if one["event"] == "begin"]
    assert all((found[i - 1]["done"], found[i - 1]["total"]) == (7, 7) for i in begins[1:])
    took = found[-1]["at"]
    assert len(of("advance", found)) <= 5 * took + 1 + 3 * 2


def test_what_only_began_does_not_begin_again(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    with ProgressFile(path) as file:
        file.begin("reading")
        file.begin("reading")
        file.tell("a line")
        file.begin("reading")
    assert [one["event"] for one in events(path)] == ["begin", "tell", "begin"]


def test_names_stay_in_one_line_that_can_be_seen(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    with ProgressFile(path) as file:
        file.begin("a\nb\x1b[2J\ud800")
        file.tell("año\u202e\n")
    assert path.read_bytes().isascii()
    begin, tell = events(path)
    assert begin["part"] == r"a\nb\x1b[2J\ud800"
    assert tell["line"] == r"año\u202e\n"


def test_each_line_is_written_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, written, real = tmp_path / "p.jsonl", [], os.write

    def write(descriptor: int, line: bytes) -> int:
        written.append(line)
        return real(descriptor, line)

    monkeypatch.setattr(os, "write", write)
    with ProgressFile(path) as file:
        assert not path.exists()
        file.begin("one")
        assert path.read_bytes() == written[0]  # there is nothing to flush
        file.tell("x" * 100_000)
    assert len(written) == 2
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in written)


@pytest.mark.parametrize("short", [True, False])
def test_a_full_disk_ends_the_file_and_not_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, short: bool
) -> None:
    path, real = tmp_path / "p.jsonl", os.write

    def write(descriptor: int, line: bytes) -> int:
        if not short:
            raise OSError(28, "No space left on device")
        return real(descriptor, line[:5])

    with ProgressFile(path) as file:
        file.begin("one")
        with monkeypatch.context() as full:
            full.setattr(os, "write", write)
            file.begin("two")
        file.begin("three")
    first, *half = path.read_text().splitlines()
    assert json.loads(first)["part"] == "one"
    assert half == (['{"eve'] if short else [])


def test_a_place_that_is_lost_before_the_work_is_told(tmp_path: Path) -> None:
    with (
        pytest.raises(DataError, match=r"'p\.jsonl' cannot be written: No such file"),
        watching.watching(progress=tmp_path / "gone" / "p.jsonl"),
    ):
        pass


# --- beside the terminal ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("verbose", "terminal"), [(False, False), (True, False), (False, True)])
def test_the_terminal_shows_the_same_and_the_file_hears_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verbose: bool, terminal: bool
) -> None:
    def shown(progress: Path | None) -> list[str]:
        text = io.StringIO()
        monkeypatch.setattr(watching, "err", Console(file=text, force_terminal=terminal, width=80))
        with watching.watching(verbose, progress) as watcher:
            watcher.begin("dbrl")
            watcher.log("how it is done")
            watcher.advance(1, 1)
            watcher.tell("dbrl: found")
        # The bar is drawn again now and then, so that only the lines above it can be compared.
        return [line for line in ("how it is done", "dbrl: found") if line in text.getvalue()]

    path = tmp_path / "p.jsonl"
    told = ["dbrl: found"] if verbose or terminal else []
    assert shown(None) == shown(path) == ["how it is done"] * verbose + told
    kinds = [one["event"] for one in events(path)]
    assert kinds == ["begin", "begin", "advance", "tell"]  # and not the log


def test_a_reader_that_follows_sees_lines_as_they_come(tmp_path: Path) -> None:
    path, seen = tmp_path / "p.jsonl", list[dict[str, Any]]()

    def follow() -> None:
        while len(seen) < 3:
            text = path.read_text() if path.exists() else ""
            seen[:] = [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]
            time.sleep(0.001)

    reader = threading.Thread(target=follow, daemon=True)
    reader.start()
    with ProgressFile(path) as file:
        for part in ("one", "two", "three"):
            file.begin(part)
        reader.join(10)
        assert not reader.is_alive()
    assert [one["part"] for one in seen] == ["one", "two", "three"]


def test_it_is_a_watcher_like_any_other(tmp_path: Path) -> None:
    with ProgressFile(tmp_path / "p.jsonl") as file:
        watcher: Watcher = file
        watcher.log("not for this file")
        watcher.count("index")
    assert not (tmp_path / "p.jsonl").exists()  # nothing happened
