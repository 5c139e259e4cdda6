"""The verbs on good input: what they print, what they write, and that a seed settles every byte."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.cli.console import SECRET_NUMBER, SECRET_TEXT, content, csv, people, program, put, run, without
from unmask import Missing
from unmask.attacks import ATTACKS
from unmask.data import example
from unmask.engines import Watcher
from unmask.masks import MASKS
from unmask.measures import MEASURES

ORIGINAL, RELEASED = people(), people(moved=0.1)
OUTPUTS = ("--json", "risk.json", "--html", "risk.html", "--records", "records.csv")
FEW = ("--attacks", "guess,dbrl,rbrl-sum")
VERBS = (
    "start", "check", "assess", "knowledge", "mask", "describe", "demo", "report", "run", "rerun", "list",
    "reproduce", "ledger",
)  # fmt: skip
NUMBERS = ("attack", "measure", "value", "low", "high", "n", "baseline", "p_value")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with original.csv and released.csv, which is the current one."""
    put(tmp_path, {"original.csv": csv(ORIGINAL), "released.csv": csv(RELEASED)})
    monkeypatch.chdir(tmp_path)
    return tmp_path


def done(*arguments: object) -> str:
    """What a command prints that must succeed, and must not complain."""
    outcome = run(*arguments)
    assert outcome.code == 0, outcome.err
    assert outcome.err == ""
    return outcome.out


def assessed(*arguments: object) -> dict[str, Any]:
    """The document of an assessment."""
    done("assess", *arguments, *FEW, "--json", "risk.json")
    document: dict[str, Any] = json.loads(Path("risk.json").read_text())
    return document


def of_attacks(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of attacks, without those of measures of the file and of the conclusion."""
    return [row for row in document["table"] if "attack" in row and "curve" not in row]


def numbers(document: dict[str, Any]) -> list[tuple[object, ...]]:
    return [tuple(row[name] for name in NUMBERS) for row in of_attacks(document)]


@dataclass(frozen=True)
class Written:
    """What one assessment with every output printed and wrote."""

    printed: str
    files: dict[str, bytes | None]

    @property
    def document(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.files["risk.json"] or b"")
        return document

    @property
    def report(self) -> str:
        return (self.files["risk.html"] or b"").decode()


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    """One assessment of original.csv against released.csv, for all tests that only look at it."""
    place = tmp_path_factory.mktemp("written")
    put(place, {"original.csv": csv(ORIGINAL), "released.csv": csv(RELEASED)})
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        out = done("assess", "original.csv", "released.csv", "--truth", "id", *FEW, *OUTPUTS, "--details")
    return Written(out, content(place))


# --- assess ---------------------------------------------------------------------------------------------


def test_assess_writes_every_output(written: Written) -> None:
    assert written.printed.startswith("Of the 40 people in the release")
    assert (
        "\n\nRecords were paired by the key 'id', as asked. All 40 records of both files were paired.\n"
        in written.printed
    )
    document = written.document
    assert (document["format"], document["version"], document["seed"]) == ("unmask-assessment", 2, 0)
    assert {document["sizes"][name] for name in ("original", "released", "targets", "present")} == {40}
    assert [a["name"] for a in document["scenario"]["attributes"]] == ["age", "income", "sex", "town"]
    assert written.report.lstrip().lower().startswith("<!doctype html>")
    assert set(written.files) == {"original.csv", "released.csv", "risk.json", "risk.html", "records.csv"}


def test_the_report_needs_no_network(written: Written) -> None:
    assert not re.findall(r"""(?:src|href|action)\s*=\s*["']?(?:https?:)?//[^"' >]*""", written.report)
    assert not re.findall(r"""@import|url\(\s*["']?(?:https?:)?//""", written.report)


@pytest.mark.parametrize("name", ["records.csv", "records.parquet"])
def test_records_have_one_row_per_target(folder: Path, name: str) -> None:
    done("assess", "original.csv", "released.csv", *FEW, "--targets", 15, "--records", name)
    records = pl.read_csv(name) if name.endswith(".csv") else pl.read_parquet(name)
    parts = [f"{a}_{part}" for a in FEW[1].split(",") for part in ("belief", "closer", "tied", "p_value")]
    assert records.columns[: len(parts) + 2] == ["row", *parts, "highest_belief"]
    assert {"interval-rank_age", "k-anonymity"} <= set(records.columns)
    assert records.columns[-1] == "why"
    assert records.height == 15
    assert records["row"].is_sorted()
    assert records["row"].is_between(0, 39).all()
    best = records.select(pl.max_horizontal("dbrl_belief", "rbrl-sum_belief")).to_series()
    assert records["highest_belief"].to_list() == best.to_list()


def test_the_worst_attack_is_marked(written: Written) -> None:
    out, worst = written.printed, written.document["worst"]
    marked = [line.split()[1] for line in out.splitlines() if line.startswith(">")]
    assert marked == [worst]
    assert worst in ("dbrl", "rbrl-sum")
    for attack in FEW[1].split(","):
        assert f" {attack} " in out


@pytest.mark.parametrize("missing", Missing)
def test_every_policy_for_missing_values_is_a_choice(folder: Path, missing: Missing) -> None:
    document = assessed("original.csv", "released.csv", "--missing", missing.value)
    assert document["scenario"]["missing"] == missing.value


def test_a_shuffled_release_gives_the_numbers_of_row_order_or_none(folder: Path) -> None:
    in_order = assessed("original.csv", "released.csv", "--known", "age,income,sex,town")
    mixed = random.Random(1).sample(RELEASED, len(RELEASED))
    put(folder, {"released.csv": csv(mixed)})
    assert numbers(assessed("original.csv", "released.csv", "--truth", "id")) == numbers(in_order)
    found = assessed("original.csv", "released.csv", "--known", "age,income,sex,town")
    assert numbers(found) == numbers(in_order)
    assert any("paired by the key column 'id'" in note for note in found["notes"])
    put(folder, {"released.csv": csv(without(mixed, "id"))})
    outcome = run("assess", "original.csv", "released.csv")
    assert outcome.code == 2
    assert "does not look like row i" in outcome.err
    assert "--truth rows" in outcome.err


@pytest.mark.parametrize("released", [RELEASED, RELEASED[5:33]], ids=["whole", "partial"])
def test_no_order_of_either_file_changes_a_number(folder: Path, released: list[dict[str, object]]) -> None:
    stranger = released[0] | {"id": "nobody"}
    put(folder, {"released.csv": csv([*released, stranger])})
    before = assessed("original.csv", "released.csv", "--truth", "id")
    assert before["sizes"]["present"] == len(released)
    put(folder, {"released.csv": csv([stranger, *reversed(released)])})
    assert numbers(assessed("original.csv", "released.csv", "--truth", "id")) == numbers(before)
    put(folder, {"original.csv": csv(random.Random(2).sample(ORIGINAL, 40))})
    assert numbers(assessed("original.csv", "released.csv", "--truth", "id")) == numbers(before)


def test_a_release_in_another_format_gives_the_same_numbers(folder: Path) -> None:
    before = assessed("original.csv", "released.csv", "--truth", "id")
    pl.read_csv("released.csv").write_parquet("released.parquet")
    put(folder, {"original.txt": csv(ORIGINAL).replace(",", "|")})
    after = assessed("original.txt", "released.parquet", "--truth", "id", "--delimiter", "|")
    assert numbers(after) == numbers(before)


def test_a_seed_settles_every_byte(folder: Path) -> None:
    options = ("--truth", "id", "--targets", 0.5, "--error", 0.2, "--seed", 5, *OUTPUTS)
    found = []
    for name, threads in (("first", 1), ("second", 2)):
        place = folder / name
        place.mkdir()
        put(place, {"original.csv": csv(ORIGINAL), "released.csv": csv(RELEASED)})
        outcome = program(
            "assess", "original.csv", "released.csv", *FEW, *options, "--threads", threads, folder=place
        )
        assert outcome.code == 0, outcome.err
        found.append((content(place), outcome.out))
    assert found[0] == found[1]
    done("assess", "original.csv", "released.csv", *FEW, *options)
    here = {name: data for name, data in content(folder).items() if "/" not in name and data is not None}
    assert here == found[0][0]
    other = assessed("original.csv", "released.csv", "--truth", "id", "--targets", 0.5, "--seed", 6)
    assert numbers(other) != numbers(json.loads(here["risk.json"]))


def test_verbose_says_how_on_stderr_alone(folder: Path) -> None:
    quiet = done("assess", "original.csv", "released.csv", *FEW)
    loud = run("assess", "original.csv", "released.csv", *FEW, "--verbose")
    assert (loud.code, loud.out) == (0, quiet)
    assert loud.err


# --- input that is odd, but not wrong -------------------------------------------------------------------


def test_a_constant_column_is_noted(folder: Path) -> None:
    put(folder, {"released.csv": csv([row | {"age": 50} for row in RELEASED])})
    out = done("assess", "original.csv", "released.csv", "--truth", "id", "--attacks", "dbrl", "--details")
    assert "note: dbrl: 'age' is constant in the released file: it tells nothing" in out


def test_a_column_without_values_is_left_out(folder: Path) -> None:
    bare = [csv([row | {"age": None} for row in rows]) for rows in (ORIGINAL, RELEASED)]
    put(folder, {"original.csv": bare[0], "released.csv": bare[1]})
    document = assessed("original.csv", "released.csv", "--truth", "id")
    assert [a["name"] for a in document["scenario"]["attributes"]] == ["income", "sex", "town"]


def test_one_record_is_a_file(folder: Path) -> None:
    put(folder, {"original.csv": csv(ORIGINAL[:1]), "released.csv": csv(RELEASED[:1])})
    document = assessed("original.csv", "released.csv", "--known", "age,income")
    assert {row["value"] for row in of_attacks(document) if row["measure"] == "reidentification"} == {1.0}


def test_columns_that_cannot_be_compared_do_no_harm(folder: Path) -> None:
    frame = pl.read_csv("original.csv").with_columns(
        photo=pl.lit(b"\xff\xfe"), visits=pl.concat_list("age"), stay=pl.duration(days="age")
    )
    frame.write_parquet("original.parquet")
    document = assessed("original.parquet", "original.parquet", "--truth", "id")
    names = {a["name"] for a in document["scenario"]["attributes"]}
    assert names >= {"age", "income"}
    assert names.isdisjoint({"photo", "visits", "id"})
    assert of_attacks(document)[-1]["value"] == 1.0


def test_brackets_in_names_are_no_markup(folder: Path) -> None:
    rows = [{"[/b]": row["age"], ":smile:": row["income"]} for row in ORIGINAL]
    put(folder, {"original.csv": csv(rows), "released.csv": csv([row | {"[/b]": 50} for row in rows])})
    known = ("--known", ":smile:,[/b]")
    out = done("assess", "original.csv", "released.csv", "--attacks", "dbrl", *known, "--details")
    assert "note: dbrl: '[/b]' is constant in the released file" in out


@pytest.mark.parametrize(
    ("truth", "why"), [((), "an identifier: "), (("--truth", "id"), "the key that tells ")]
)
def test_an_identifier_in_the_release_is_told(folder: Path, truth: tuple[str, ...], why: str) -> None:
    told = run("assess", "original.csv", "released.csv", *truth, *FEW, "--verbose")
    assert "Still in the release, and in no attack: 1 column (id)." in told.out
    assert f"still in the release: id: {why}" in told.err


def test_what_the_release_lacks_is_noted(folder: Path) -> None:
    put(folder, {"released.csv": csv(without(RELEASED, "town", "sex"))})
    assert "Not in the released file: sex, town." in done("assess", "original.csv", "released.csv", *FEW)


# --- mask, describe, report, list, demo, help -----------------------------------------------------------


@pytest.mark.parametrize(
    "suffix",
    [".csv", ".csv.gz", ".tsv", ".parquet", ".arrow", ".xlsx", ".sav", ".zsav", ".dta", ".xpt"],
)
def test_a_masked_file_keeps_its_shape(folder: Path, suffix: str) -> None:
    keep = ("--keep-identifiers", "-o")
    told = done("mask", "original.csv", "--mask", "microaggregation:k=4", *keep, f"out{suffix}")
    assert told == "identifiers kept: id: assess this file, but do not publish it\n"
    # Alone, a file of few group means looks like one of codes: its schema stands beside it.
    schema = ("--schema", f"out{suffix}.unmask.toml")
    done("mask", f"out{suffix}", "--mask", "noise:a=0", *keep, "back.csv", *schema)
    before, after = pl.read_csv("original.csv"), pl.read_csv("back.csv")
    assert after.columns == before.columns
    assert after.select("id", "sex", "town").equals(before.select("id", "sex", "town"))
    assert after.group_by("age", "income").len()["len"].min() >= 4
    assert after["income"].mean() == pytest.approx(before["income"].mean(), abs=0.5)
    assert (after["age"] % 1 == 0).all() == (before["age"] % 1 == 0).all()


def test_a_mask_with_a_seed_gives_the_same_bytes(folder: Path) -> None:
    for name, seed in (("a.csv", 3), ("b.csv", 3), ("c.csv", 4)):
        done("mask", "original.csv", "--mask", "noise:a=0.5,attributes=income", "--seed", seed, "-o", name)
    a, b, c = ((folder / name).read_bytes() for name in ("a.csv", "b.csv", "c.csv"))
    assert a == b != c
    assert pl.read_csv("a.csv")["age"].equals(pl.read_csv("original.csv")["age"])


@pytest.mark.parametrize("name", [name for name, kind in MASKS.items() if not hasattr(kind, "shape")])
def test_every_mask_can_be_assessed(folder: Path, name: str) -> None:
    parameter = {"k": 4, "a": 0.3, "b": 0.3, "p": 10}
    fields = MASKS[name].__dataclass_fields__  # type: ignore[attr-defined]
    wanted = next((p for p in fields if p in parameter), None)
    text = f"{name}:{wanted}={parameter[wanted]}" if wanted else MASKS[name].examples[0]  # type: ignore[attr-defined]
    done("mask", "original.csv", "--mask", text, "-o", "out.csv")
    document = assessed("original.csv", "out.csv", "--known", "age,income", "--truth", "rows")
    # Where every attribute is drawn anew, no record stands for anybody.
    assert document["sizes"]["present"] == (0 if name == "cart" else 40)


def test_a_described_file_can_be_assessed_under_its_schema(folder: Path) -> None:
    printed = done("describe", "original.csv")
    assert done("describe", "original.csv", "-o", "schema.toml") == ""
    assert (folder / "schema.toml").read_text() == printed
    proposed = assessed("original.csv", "released.csv", "--truth", "id")
    told = assessed("original.csv", "released.csv", "--truth", "id", "--schema", "schema.toml")
    provenance = told.pop("provenance"), proposed.pop("provenance")
    notes = told.pop("notes"), proposed.pop("notes")
    for found in (told, proposed):
        found["understood"] |= {"guessed": None, "notes": None}
    assert told == proposed
    assert [sum("kinds and roles" in note for note in found) for found in notes] == [0, 1]
    assert [one["inputs"][2:] for one in provenance] == [
        [{"role": "schema", "name": "schema.toml", "sha256": sha256(printed.encode()).hexdigest()}],
        [],
    ]
    text = printed.replace(
        'kind = "numeric"\nrole = "quasi-identifier"', 'kind = "numeric"\nrole = "ignored"'
    )
    put(folder, {"schema.toml": text})
    changed = assessed("original.csv", "released.csv", "--truth", "id", "--schema", "schema.toml")
    assert {a["kind"] for a in changed["scenario"]["attributes"]} == {"nominal"}


def test_a_report_has_the_bytes_that_assess_writes(folder: Path, written: Written) -> None:
    put(folder, {"risk.json": written.files["risk.json"] or b""})
    assert done("report", "risk.json") == "report: risk.html\n"
    assert (folder / "risk.html").read_bytes() == written.files["risk.html"]
    assert done("report", "risk.json", "-o", "other.html") == "report: other.html\n"
    assert (folder / "other.html").read_bytes() == written.files["risk.html"]


@pytest.mark.parametrize(
    ("what", "names"),
    [("masks", MASKS), ("attacks", ATTACKS), ("measures", MEASURES)],
    ids=["masks", "attacks", "measures"],
)
def test_list_names_everything(what: str, names: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    out = done("list", what)
    listed = [line.split()[0].partition(":")[0] for line in out.splitlines()[1:] if not line.startswith(" ")]
    assert set(listed) >= set(names)
    assert "…" not in out


def test_the_demo_leaves_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = import_module("unmask.masks.example")
    monkeypatch.setattr(module, "people", lambda: example.people(100))  # the same files, sooner
    out = done("demo", "--out", tmp_path / "new" / "demo")
    assert "5,000" in out
    assert ">" in out
    found = content(tmp_path / "new" / "demo")
    assert set(found) == {
        "original.csv", "records.csv", "released.csv", "report.html", "request.toml", "risk.json",
        "schema.toml",
    }  # fmt: skip
    assert b"person" not in (found["released.csv"] or b"").splitlines()[0]
    assert done("rerun", tmp_path / "new" / "demo" / "risk.json") == "the same result, byte for byte\n"


@pytest.mark.parametrize("arguments", [(), ("--help",), *((verb, "--help") for verb in VERBS)])
def test_help_is_a_success(arguments: tuple[str, ...]) -> None:
    out = done(*arguments)
    assert out.startswith(f"Usage: unmask {'' if arguments in ((), ('--help',)) else arguments[0]}")
    if len(arguments) < 2:
        for verb in VERBS:
            assert f"  {verb} " in out


# --- interruption, confidentiality, imports -------------------------------------------------------------


def test_an_interruption_leaves_one_line_and_no_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    before = content(folder)
    monkeypatch.setattr("unmask.engines.search.SearchIndex.standing", interrupt)
    outcome = run("assess", "original.csv", "released.csv", *OUTPUTS)
    assert (outcome.code, outcome.out, outcome.err) == (130, "", "interrupted\n")
    assert content(folder) == before


#: A real Ctrl-C, in the calling thread: while an attack is made ready, and between two blocks of its search.
CTRL_C = {
    "experiment": "from unmask.assessment.experiments import Experiment as place; name = 'runs'",
    "block": "from unmask.cli.watching import TerminalWatcher as place; name = 'advance'",
}


@pytest.mark.parametrize("place", CTRL_C)
def test_ctrl_c_ends_the_program_with_one_line_and_no_file(folder: Path, place: str) -> None:
    before = content(folder)
    code = f"""
import os, signal, sys, time
{CTRL_C[place]}
def stop(*_):
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(60)
setattr(place, name, stop)
from unmask.cli import main
main()
"""
    command = [sys.executable, "-c", code, "assess", "original.csv", "released.csv", *FEW, *OUTPUTS]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "interrupted\n")
    assert content(folder) == before


def test_work_that_was_cancelled_ends_as_an_interruption(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cancel(self: Watcher, part: str) -> None:
        self.cancel()
        Watcher.begin(self, part)

    before = content(folder)
    monkeypatch.setattr("unmask.cli.watching.TerminalWatcher.begin", cancel)
    outcome = run("assess", "original.csv", "released.csv", *OUTPUTS)
    assert (outcome.code, outcome.out, outcome.err) == (130, "", "interrupted\n")
    assert content(folder) == before


def test_an_interruption_while_writing_keeps_the_old_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    put(folder, {"out.csv": "kept"})
    before = content(folder)
    monkeypatch.setattr(pl.DataFrame, "write_csv", interrupt)
    outcome = run("mask", "original.csv", "--mask", "noise:a=1", "-o", "out.csv")
    assert (outcome.code, outcome.out, outcome.err) == (130, "", "interrupted\n")
    assert content(folder) == before


def test_no_value_of_a_record_comes_out(folder: Path) -> None:
    put(folder, {"released.csv": csv([row | {"age": 50} for row in RELEASED])})
    done("assess", "original.csv", "released.csv", "--records", "records.parquet")
    outcome = run("assess", "original.csv", "released.csv", "--truth", "id", "--verbose", *OUTPUTS)
    assert outcome.code == 0
    described = done("describe", "original.csv")
    written = {name: data for name, data in content(folder).items() if name.startswith(("risk", "records"))}
    assert len(written) == 4
    for text in (outcome.out, outcome.err, described, *(str(data) for data in written.values())):
        assert SECRET_TEXT + "0" not in text
        assert SECRET_TEXT + "town" not in text
        assert not re.search(rf"(?<![\d.]){SECRET_NUMBER // 1000}\d{{3}}(?!\d)", text)
    records = pl.read_parquet("records.parquet")
    assert all(dtype.is_numeric() for dtype in records.drop("unmeasured", "why").dtypes)
    named = {name for text in records["unmeasured"].drop_nulls() for name in text.split(", ")}
    assert named <= set(records.columns)


def test_importing_unmask_is_light() -> None:
    heavy = ("numba", "altair", "sklearn", "pandas", "pyarrow", "scipy")
    code = f"import sys, unmask; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_module_is_the_command_line() -> None:
    command = [sys.executable, "-m", "unmask", "list", "masks"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == run("list", "masks").out
