"""A mistake of a caller in Python is an UnmaskError: one line with a hint, as on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import unmask
from tests.cli.console import run as command
from tests.unit.python_mistakes import MISTAKES, NOISE, PEOPLE, SECRET, asked, assess
from unmask import (
    Column,
    ColumnEdit,
    Follow,
    Grid,
    Kind,
    Missing,
    Request,
    RequestFiles,
    Role,
    Scenario,
    Schema,
    mask,
    read_schema,
    run,
    write_schema,
)
from unmask.errors import UnmaskError


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    PEOPLE.write_csv("people.csv")
    Path("wrong.toml").write_text("[[column]]\nname = 1\n")
    Path("text.toml").write_text("hello")
    Path("kind.toml").write_text('[[column]]\nname = "age"\nkind = "numerc"\n')
    return tmp_path


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_told_in_one_line_with_a_hint(mistake: Callable[[], object]) -> None:
    with pytest.raises(UnmaskError) as told:
        mistake()
    message = str(told.value)
    assert "\n" not in message
    assert ". Hint: " in message
    assert message.endswith(".")
    assert told.value.hint
    assert SECRET not in message
    assert len(message) < 1000


#: The same mistake in Python and on the command line.
FILES = ("people.csv", "people.csv")
BOTH: dict[str, tuple[Callable[[], object], tuple[str, ...]]] = {
    "schema": (asked(schema="no.toml"), ("assess", *FILES, "--schema", "no.toml")),
    "schema that is wrong": (asked(schema="wrong.toml"), ("assess", *FILES, "--schema", "wrong.toml")),
    "schema of another kind": (asked(schema="people.csv"), ("assess", *FILES, "--schema", "people.csv")),
    "kind in a schema": (lambda: Column("age", "numerc"), ("assess", *FILES, "--schema", "kind.toml")),
    "missing": (lambda: Scenario(missing="ignor"), ("assess", *FILES, "--missing", "ignor")),
    "known": (asked(known=["nope"]), ("assess", *FILES, "--known", "nope")),
    "truth": (asked(truth="nope"), ("assess", *FILES, "--truth", "nope")),
    "attack": (asked(attacks=["dbrll"]), ("assess", *FILES, "--attacks", "dbrll")),
    "parameter": (asked(attacks=["prl:x=1"]), ("assess", *FILES, "--attacks", "prl:x=1")),
    "measure": (asked(measures=["nope"]), ("assess", *FILES, "--measures", "nope")),
    "mechanism": (asked(mechanism="nois:a=1"), ("assess", *FILES, "--mechanism", "nois:a=1")),
    "mask": (lambda: mask(PEOPLE, "nois:a=1"), ("mask", "people.csv", "--mask", "nois:a=1", "-o", "out.csv")),
    "mask's range": (
        lambda: mask(PEOPLE, "noise:a=-1"),
        ("mask", "people.csv", "--mask", "noise:a=-1", "-o", "out.csv"),
    ),
    "mask's file": (
        lambda: mask("no.csv", "noise:a=1"),
        ("mask", "no.csv", "--mask", "noise:a=1", "-o", "o.csv"),
    ),
    "follow": (
        asked(follow="x", earlier=[PEOPLE]),
        ("assess", *FILES, "--follow", "x", "--earlier", "people.csv"),
    ),
    "role": (asked(roles={"age": "secret"}), ("assess", *FILES, "--role", "age=secret")),
    "role's column": (asked(roles={"aeg": "weight"}), ("assess", *FILES, "--role", "aeg=weight")),
    "kind": (asked(kinds={"age": "x"}), ("assess", *FILES, "--kind", "age=x")),
    "error": (lambda: Grid(errors=[-1]), ("knowledge", *FILES, "--errors", "-1")),
    "share": (lambda: Grid(shares=[2.5]), ("knowledge", *FILES, "--shares", "2.5")),
    "threshold": (lambda: Grid(threshold=2), ("knowledge", *FILES, "--threshold", "2")),
    "budget": (asked(budget=0), ("assess", *FILES, "--budget", "0")),
    "time limit": (asked(time_limit=0), ("assess", *FILES, "--time-limit", "0")),
    "population": (asked(population="no.csv"), ("assess", *FILES, "--population", "no.csv")),
    "original": (lambda: assess("no.csv", PEOPLE), ("assess", "no.csv", "people.csv")),
    "request": (lambda: run("no.toml"), ("run", "no.toml")),
    "request that is none": (lambda: run("text.toml"), ("run", "text.toml")),
}


@pytest.mark.parametrize(("mistake", "arguments"), BOTH.values(), ids=BOTH)
def test_the_command_line_says_the_same(mistake: Callable[[], object], arguments: tuple[str, ...]) -> None:
    with pytest.raises(UnmaskError) as told:
        mistake()
    outcome = command(*arguments)
    assert outcome.code == 2
    assert outcome.err == f"error: {told.value}\n"


# --- what the command line takes as text or path is taken in Python too ---------------------------------


def test_texts_stand_for_what_they_name() -> None:
    assert Scenario(missing="ignore").missing is Missing.IGNORE  # type: ignore[arg-type]
    assert Scenario(missing="auto") == Scenario()  # type: ignore[arg-type]
    health = Column("health", "ordinal", "confidential", ["low", "high"])  # type: ignore[arg-type]
    assert (health.kind, health.role, health.levels) == (Kind.ORDINAL, Role.CONFIDENTIAL, ("low", "high"))
    assert Column("born", "date") == Column.of("born", "date")  # type: ignore[arg-type]
    assert Column("k", "ordinal", levels=(1, 2)).levels == ("1", "2")  # type: ignore[arg-type]
    assert ColumnEdit("pay", role="confidential").role is Role.CONFIDENTIAL  # type: ignore[arg-type]
    assert str(Follow("key", ["person"])) == "key:person"  # type: ignore[arg-type]
    assert RequestFiles("a.csv", follow=Follow.parse("order")).follow == "order"  # type: ignore[arg-type]
    assert Request(RequestFiles("a.csv", "b.csv"), "check").verb == "check"  # type: ignore[arg-type]


def test_lists_paths_and_numbers_of_numpy_stand_for_their_kind() -> None:
    assert Scenario(known=np.array(["age"]), targets=np.int64(3)) == Scenario(("age",), 3)  # type: ignore[arg-type]
    assert type(Scenario(error=np.float32(0.5)).error) is float
    assert Request(RequestFiles(Path("a.csv"), Path("b.csv"))).files == RequestFiles("a.csv", "b.csv")  # type: ignore[arg-type]
    assert Grid(errors=[0, 1]).errors == (0, 1)  # type: ignore[arg-type]
    assert Schema([Column("age")]) == Schema((Column("age"),))  # type: ignore[arg-type]
    asked(seed=np.int64(3), budget=np.float64(5), missing_codes={"age": 999})()


def test_a_schema_is_written_and_read_by_path() -> None:
    schema = Schema((Column("age"), Column("sex", Kind.NOMINAL, Role.CONFIDENTIAL)))
    write_schema(schema, "schema.toml")
    assert read_schema("schema.toml") == read_schema(Path("schema.toml")) == schema
    masked = mask(PEOPLE, "noise:a=0.1", schema="schema.toml", seed=1)
    assert masked.equals(mask(PEOPLE, NOISE, schema=schema, seed=1))
    assert masked.equals(mask(Path("people.csv"), NOISE, schema=Path("schema.toml"), seed=1))
    by_path, by_object = asked(schema="schema.toml")(), asked(schema=schema)()
    assert by_path.table().equals(by_object.table())  # type: ignore[attr-defined]


def test_a_saved_request_is_run_by_its_path() -> None:
    few = ("--attacks", "dbrl", "--measures", "reidentification")
    assert command("assess", *FILES, *few, "--save-request", "asked.toml", "--json", "a.json").code == 0
    found = run("asked.toml").to_json()
    day = json.loads(Path("a.json").read_text())["provenance"]["request"]["occasion"]["date"]
    assert found == run(Path("asked.toml")).to_json()
    # Only the command line fills in the day.
    assert found.replace('"date": ""', f'"date": "{day}"') == Path("a.json").read_text()


@pytest.mark.parametrize(
    "wrong",
    [
        lambda long: unmask.assess("a.csv", "b.csv", measures=long),
        lambda long: unmask.Scenario(known=long),
        lambda long: unmask.masks.Noise(a=0.1, attributes=long),
    ],
    ids=["measures", "known", "attributes"],
)
def test_a_long_text_is_not_repeated_in_full(wrong: Callable[[str], object]) -> None:
    with pytest.raises(UnmaskError) as refused:
        wrong("x" * 50_000)
    assert len(str(refused.value)) < 300
