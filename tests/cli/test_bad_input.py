"""Bad input: one line that says what is wrong and what to do, exit code 2, and nothing lost or left."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl
import pytest

from tests.cli.console import (
    SECRET_NUMBER,
    SECRET_TEXT,
    Outcome,
    content,
    csv,
    people,
    program,
    put,
    run,
    without,
)

PEOPLE = people()
ORIGINAL = csv(PEOPLE)
RELEASED = csv(people(moved=0.05))
OUTPUTS = ("--json", "risk.json", "--html", "risk.html", "--records", "records.csv")
MASK_TO = ("mask", "original.csv", "-o", "out.csv", "--mask")
TARGETS = ("risk.json", "risk.html", "records.csv", "out.csv", "out.toml", "cells.json")


@dataclass(frozen=True)
class Case:
    """A command that must fail, what its message must say, and the files it finds beside the good ones."""

    name: str
    arguments: tuple[object, ...]
    says: tuple[str, ...]
    files: Mapping[str, str | bytes] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)


def assess(name: str, *says: str, options: str = "", files: Mapping[str, str | bytes] | None = None) -> Case:
    """A bad assessment of original.csv against released.csv, of which ``files`` replaces some."""
    return Case(
        name, ("assess", "original.csv", "released.csv", *options.split(), *OUTPUTS), says, files or {}
    )


def mask(name: str, method: str, *says: str, files: Mapping[str, str | bytes] | None = None) -> Case:
    return Case(name, (*MASK_TO, method), says, files or {})


def schema(name: str, text: str, *says: str) -> Case:
    return assess(name, *says, options="--schema schema.toml", files={"schema.toml": text})


def parquet(**columns: object) -> bytes:
    stream = io.BytesIO()
    pl.DataFrame(columns).write_parquet(stream)
    return stream.getvalue()


def column(name: str, kind: str = "numeric", rest: str = "") -> str:
    return f'[[column]]\nname = "{name}"\nkind = "{kind}"\n{rest}\n'


def changed(row: int, **values: object) -> str:
    """The original file with other values in one row."""
    rows = [dict(person) for person in PEOPLE]
    rows[row].update(values)
    return csv(rows)


ALL_TEXT = csv(without(PEOPLE, "age", "income"))
DOUBLED = ORIGINAL.replace("income", "age", 1)
DOCUMENT = {"format": "unmask-assessment", "version": 2}

USAGE = [
    Case("no such verb", ("asess", "original.csv"), ("'asess'", "Did you mean 'assess'?", "unmask --help")),
    Case("no such option", ("assess", "original.csv", "released.csv", "--sede", 1), ("--sede", "--seed")),
    Case("an option before the verb", ("--seed", 1, "assess"), ("--seed",)),
    Case("assess nothing", ("assess",), ("'original'", "unmask assess --help")),
    Case("assess one file", ("assess", "original.csv"), ("'released'",)),
    Case(
        "assess three files", ("assess", "original.csv", "released.csv", "original.csv"), ("extra argument",)
    ),
    Case("an option without its value", ("assess", "original.csv", "released.csv", "--seed"), ("--seed",)),
    Case("mask without a method", ("mask", "original.csv", "-o", "out.csv"), ("--mask",)),
    Case("mask without an output", ("mask", "original.csv", "--mask", "noise:a=1"), ("--output",)),
    Case("mask nothing", ("mask", "-o", "out.csv", "--mask", "noise:a=1"), ("'file'",)),
    Case("describe nothing", ("describe",), ("'file'",)),
    Case("report nothing", ("report",), ("'file'",)),
    Case("reproduce nothing", ("reproduce",), ("'paper'",)),
    Case("list nothing", ("list",), ("'what'", "masks, attacks, measures")),
    Case("list an unknown thing", ("list", "people"), ("'people'", "'masks'", "'attacks'", "'measures'")),
    Case("demo with an argument", ("demo", "here"), ("extra argument",)),
    Case("demo seed below 0", ("demo", "--seed", -1), ("--seed", "0")),
]

OPTIONS = [
    assess("seed below 0", "--seed", "greater than or equal to 0", options="--seed -1"),
    assess("seed not a number", "--seed", "integer", options="--seed x"),
    assess("seed not whole", "--seed", "integer", options="--seed 1.5"),
    assess("no threads", "--threads", "greater than or equal to 1", options="--threads 0"),
    assess("no targets", "--targets is 0", "at least 1", options="--targets 0"),
    assess("one and a half targets", "1.5", "whole number", options="--targets 1.5"),
    assess("more targets than people", "1000000000", "40 people", options="--targets 1000000000"),
    assess("targets below 0", "--targets", options="--targets -1"),
    assess("infinitely many targets", "--targets", "whole number", options="--targets inf"),
    assess("targets not a number", "--targets", options="--targets nan"),
    assess("one person or everybody", "--targets is 1.0", "1 is one person", options="--targets 1.0"),
    assess("targets in words", "--targets", "number", options="--targets all"),
    assess("error below 0", "--error", options="--error -1"),
    assess("error not a number", "--error", options="--error nan"),
    assess("error infinite", "error is inf", "standard deviations", options="--error inf"),
    assess("error beyond floating point", "error is 1e+308", options="--error 1e308"),
    assess(
        "missing policy with a typo", "did you mean 'wildcard'?", "mismatch", options="--missing wildcart"
    ),
    assess("unknown attack", "'dbrll'", "did you mean 'dbrl'?", "guess", options="--attacks dbrll"),
    assess("an attack twice", "twice", options="--attacks dbrl,guess,dbrl"),
    assess("no attack", "no attack is named", "'unmask list attacks'", options="--attacks ,"),
    assess("unknown attribute", "'aeg'", "did you mean 'age'?", "original file", options="--known aeg"),
    assess("attack with a bad parameter", "alpha", "'x'", "NUMBER", options="--attacks owa:alpha=x"),
    assess("attack with an unknown parameter", "'beta'", "alpha", options="--attacks owa:beta=1"),
    assess("attack with a parameter out of range", "alpha is -1", options="--attacks owa:alpha=-1"),
    assess("attack with too few weights", "1 weights", options="--attacks dbrl:weights=1"),
    assess("block on what the intruder does not know", "'aeg'", "age", options="--block aeg"),
    assess("no sample", "--sample", "greater than or equal to 1", options="--sample 0"),
    assess("no known attribute", "knows no attribute", options="--known ,"),
    assess("an attribute twice", "twice", options="--known age,age"),
    assess("a delimiter of two characters", "delimiter", "one ASCII character", options="--delimiter ab"),
    assess("an unknown encoding", "'klingon'", "utf-8", options="--encoding klingon"),
    assess(
        "a known attribute that the release lacks",
        "released file",
        "'town'",
        options="--known town",
        files={"released.csv": csv(without(people(moved=0.05), "town"))},
    ),
]

TRUTH = [
    assess(
        "sizes that differ",
        "40 records",
        "39",
        "--truth",
        files={"released.csv": csv(without(people(moved=0.1)[:39], "id"))},
    ),
    assess("key not in the original", "original file", "'idd'", "did you mean 'id'?", options="--truth idd"),
    assess(
        "key not in the release",
        "released file",
        "'id'",
        options="--truth id",
        files={"released.csv": csv(without(PEOPLE, "id"))},
    ),
    assess("key not unique in the original", "'sex'", "not unique", "original file", options="--truth sex"),
    assess(
        "key not unique in the release",
        "'id'",
        "not unique",
        "released file",
        options="--truth id",
        files={"released.csv": csv([PEOPLE[0], *PEOPLE[:39]])},
    ),
    assess(
        "no key in both files",
        "'id'",
        "both files",
        options="--truth id",
        files={"released.csv": RELEASED.replace(SECRET_TEXT + "00", SECRET_TEXT + "99")},
    ),
    assess("key known to the intruder", "'id'", "known", "leave it out", options="--truth id --known id,age"),
    Case(
        "key of nested values",
        ("assess", "a.parquet", "a.parquet", "--truth", "key", *OUTPUTS),
        ("'key'", "List", "original file"),
        {"a.parquet": parquet(key=[[SECRET_NUMBER + 1], [SECRET_NUMBER + 2]], age=[1, 2])},
    ),
]

FILES = [
    Case(
        "no such file", ("assess", "orignal.csv", "released.csv", *OUTPUTS), ("no file 'orignal.csv'", "path")
    ),
    Case("no such release", ("assess", "original.csv", "away.csv", *OUTPUTS), ("no file 'away.csv'",)),
    Case("a folder", ("assess", ".", "released.csv", *OUTPUTS), ("is a folder",)),
    Case("no name", ("assess", "", "released.csv", *OUTPUTS), ("is a folder",)),
    Case("no name of the release", ("assess", "original.csv", "", *OUTPUTS), ("is a folder",)),
    Case("describe a folder", ("describe", "/", "-o", "out.toml"), ("is a folder",)),
    Case(
        "describe no such file", ("describe", "away.parquet", "-o", "out.toml"), ("no file 'away.parquet'",)
    ),
    Case(
        "unknown suffix",
        ("assess", "original.docx", "released.csv", *OUTPUTS),
        ("'original.docx'", ".csv"),
        {"original.docx": ORIGINAL},
    ),
    Case("no suffix", ("describe", "original"), ("'original'", "suffix", ".parquet"), {"original": ORIGINAL}),
    Case("no such database", ("describe", "sqlite:away.db::people"), ("away.db",)),
    assess("empty file", "original.csv", "is empty", files={"original.csv": ""}),
    assess("blank lines alone", "original.csv", "is empty", files={"original.csv": "\n \n\n"}),
    assess("header alone", "holds no records", "at least one record", files={"released.csv": "age,income\n"}),
    assess("no header", "no header row", files={"original.csv": f"1,2\n3,{SECRET_NUMBER}\n"}),
    assess("two columns of one name", "two columns called 'age'", "rename", files={"original.csv": DOUBLED}),
    assess("a column without a name", "column 2", "name", files={"original.csv": "a,,c\n1,2,3\n"}),
    assess(
        "a row with a cell too many",
        "line 3",
        "6 cells",
        "header has 5",
        files={"original.csv": ORIGINAL.replace(f"{SECRET_TEXT}0001,", f"{SECRET_TEXT}0001,9,")},
    ),
    assess(
        "a row with a cell too few",
        "line 2",
        "4 cells",
        files={"released.csv": RELEASED.replace(f"{SECRET_TEXT}0000,", "")},
    ),
    assess(
        "a quote that is not closed", "quote", files={"original.csv": ORIGINAL.replace(SECRET_TEXT, '"Zq', 1)}
    ),
    assess("not text", "not text", "encoding", files={"original.csv": b"\x00\x01\x02\xff\n\x00" * 9}),
    assess(
        "text in another encoding than told",
        "'ascii'",
        options="--encoding ascii",
        files={"original.csv": ORIGINAL.replace(SECRET_TEXT, "ñ")},
    ),
    assess(
        "text in UTF-16 cut in a character",
        "not text",
        files={"original.csv": ORIGINAL.encode("utf-16")[:-1]},
    ),
    Case(
        "corrupt Parquet",
        ("describe", "a.parquet"),
        ("a.parquet", "Parquet"),
        {"a.parquet": b"PAR1 and no more"},
    ),
    Case(
        "Parquet cut off",
        ("describe", "a.parquet"),
        ("a.parquet", "whole"),
        {"a.parquet": parquet(age=[SECRET_NUMBER] * 99)[:-20]},
    ),
    Case(
        "corrupt workbook",
        ("describe", "a.xlsx"),
        ("a.xlsx", "workbook"),
        {"a.xlsx": b"PK\x03\x04 and no more"},
    ),
    Case("corrupt gzip", ("describe", "a.csv.gz"), ("a.csv.gz",), {"a.csv.gz": b"\x1f\x8b no more"}),
    Case("corrupt Stata file", ("describe", "a.dta"), ("a.dta",), {"a.dta": b"<stata_dta>no more"}),
]

VALUES = [
    assess(
        "text among the numbers of the release",
        "'age'",
        "released file",
        "mend the values",
        files={"released.csv": RELEASED.replace(RELEASED.split(",")[5], "12x", 1)},
    ),
    assess(
        "text among the numbers of the original",
        "'income'",
        "original file",
        "mend the values",
        files={"original.csv": changed(3, income=f"{SECRET_NUMBER}x")},
    ),
    assess(
        "infinite numbers",
        "'income'",
        "original file",
        "infinite",
        files={"original.csv": changed(3, income="inf")},
    ),
    assess(
        "infinite numbers in the release",
        "'age'",
        "released file",
        "infinite",
        files={"released.csv": RELEASED.replace(RELEASED.split(",")[5], "-inf", 1)},
    ),
    assess(
        "numbers whose squares are infinite",
        "'income'",
        "1e+150",
        files={"original.csv": changed(3, income="3e200")},
    ),
    assess("no column in common", "no column in common", files={"released.csv": "height\n" + "1\n2\n" * 20}),
    Case(
        "nested values as knowledge",
        ("assess", "a.parquet", "a.parquet", "--known", "list", *OUTPUTS),
        ("'list'", "List", "ignored"),
        {"a.parquet": parquet(list=[[SECRET_NUMBER]], age=[SECRET_NUMBER])},
    ),
    Case(
        "binary values as knowledge",
        ("assess", "a.parquet", "a.parquet", "--known", "photo", *OUTPUTS),
        ("'photo'", "Binary"),
        {"a.parquet": parquet(photo=[b"\xff\xfeZq"], age=[SECRET_NUMBER])},
    ),
]

SCHEMAS = [
    assess("no such schema", "no file 'away.toml'", options="--schema away.toml"),
    assess("a folder as schema", "folder", options="--schema ."),
    schema("bad TOML", '[[column]\nname = "age"\n', "schema.toml", "not valid TOML", "line 1"),
    schema("empty schema", "", "lists no columns", "[[column]]"),
    schema("schema that is no text", "\x00\x01", "schema.toml"),
    schema("unknown entry", 'title = "x"\n', "unknown entry 'title'"),
    schema("unknown key", column("age", rest='rol = "weight"'), "'rol'", "did you mean 'role'?"),
    schema("unknown kind", column("age", "numerical"), "'numerical'", "did you mean 'numeric'?"),
    schema("unknown role", column("age", rest='role = "secret"'), "'secret'", "confidential"),
    schema("column without a name", '[[column]]\nkind = "nominal"\n', "no name"),
    schema("column twice", column("age") * 2, "'age'", "twice"),
    schema("column that the file lacks", column("agee"), "'agee'", "did you mean 'age'?"),
    schema("numeric column of text", column("town"), "'town'", "numeric in the schema", "nominal or ordinal"),
    schema("ordinal without levels", column("sex", "ordinal"), "'sex'", "no levels", "in order"),
    schema("numeric with levels", column("age", rest='levels = ["1"]'), "'age'", "levels"),
    schema("a level twice", column("sex", "nominal", 'levels = ["f", "f"]'), "'sex'", "twice"),
    schema("levels that are no list", column("sex", "nominal", "levels = 3"), "'sex'", "list of texts"),
    schema(
        "categories not among the levels",
        column("town", "nominal", 'levels = ["x"]'),
        "'town'",
        "4 categories",
        "1 levels",
        "add them",
    ),
    schema("all columns ignored", column("age", rest='role = "ignored"'), "share no quasi-identifier"),
    Case(
        "mask with a bad schema",
        (*MASK_TO, "noise:a=1", "--schema", "schema.toml"),
        ("'agee'",),
        {"schema.toml": column("agee")},
    ),
]

WRITING = [
    Case(
        "JSON into no folder",
        ("assess", "original.csv", "released.csv", "--json", "no/risk.json"),
        ("no folder", "'risk.json'", "make the folder"),
    ),
    Case("JSON to a folder", ("assess", "original.csv", "released.csv", "--json", "."), ("is a folder",)),
    Case(
        "HTML into no folder",
        ("assess", "original.csv", "released.csv", "--html", "no/risk.html"),
        ("no folder",),
    ),
    Case(
        "HTML below a file",
        ("assess", "original.csv", "released.csv", "--html", "original.csv/risk.html"),
        ("no folder",),
    ),
    Case(
        "HTML under too long a name",
        ("assess", "original.csv", "released.csv", "--html", "x" * 300 + ".html"),
        ("shorter name",),
    ),
    Case(
        "records of unknown suffix",
        ("assess", "original.csv", "released.csv", "--records", "records.docx"),
        ("'records.docx'", "suffix", ".parquet"),
    ),
    Case("records without a name", ("assess", "original.csv", "released.csv", "--records", ""), ("suffix",)),
    Case(
        "records over the original",
        ("assess", "original.csv", "released.csv", "--records", "./original.csv"),
        ("'original.csv'", "name of its own"),
    ),
    Case(
        "two outputs in one file",
        ("assess", "original.csv", "released.csv", "--json", "risk.json", "--html", "./risk.json"),
        ("'risk.json'", "name of its own"),
    ),
    Case(
        "masked file over the original",
        ("mask", "original.csv", "--mask", "noise:a=1", "-o", "original.csv"),
        ("'original.csv'", "name of its own"),
    ),
    Case(
        "masked file of unknown suffix",
        ("mask", "original.csv", "--mask", "noise:a=1", "-o", "out.docx"),
        ("'out.docx'", ".csv"),
    ),
    Case("schema into no folder", ("describe", "original.csv", "-o", "no/out.toml"), ("no folder",)),
    Case("schema over the file", ("describe", "original.csv", "-o", "original.csv"), ("name of its own",)),
    Case("demo below a file", ("demo", "--out", "original.csv/demo"), ("folder", "--out")),
    Case("demo into a file", ("demo", "--out", "original.csv"), ("folder", "--out")),
    Case("cells into no folder", ("reproduce", "rank-based-2016", "--json", "no/cells.json"), ("no folder",)),
    Case(
        "a nested column as CSV",
        ("mask", "a.parquet", "--mask", "noise:a=1", "-o", "out.csv"),
        ("'out.csv'", "Parquet"),
        {"a.parquet": parquet(list=[[SECRET_NUMBER]], age=[SECRET_NUMBER + 0.5])},
    ),
]

MASKS = [
    mask("unknown mask", "nois:a=1", "'nois'", "did you mean 'noise'?"),
    mask("no mask", "", "no mask", "noise"),
    mask("mask without its parameter", "noise", "lacks its parameter 'a'", "noise:a=NUMBER"),
    mask("mask with an empty parameter", "noise:a=", "'a='", "noise:a=NUMBER"),
    mask("mask without a sign", "noise:0.1", "'0.1' is not parameter=value", "noise:a=NUMBER"),
    mask("unknown parameter", "noise:a=1,b=2", "'b'", "attributes"),
    mask("parameter twice", "noise:a=1,a=2", "twice"),
    mask("parameter not a number", "noise:a=much", "'much'", "NUMBER"),
    mask("parameter below 0", "noise:a=-1", "a=-1", "from 0 to"),
    mask("parameter nan", "noise:a=nan", "a=nan"),
    mask("parameter infinite", "noise:a=inf", "a=inf"),
    mask("group size not whole", "microaggregation:k=2.5", "'2.5'", "INTEGER"),
    mask("group size 0", "microaggregation:k=0", "k must be a whole number"),
    mask("group size beyond the file", "microaggregation:k=41", "41", "40"),
    mask("block size beyond the file", "individual-ranking:k=41", "41", "40"),
    mask("swapping beyond the file", "rank-swapping:p=101", "p=101", "100"),
    mask("attribute that is not there", "noise:a=1,attributes=aeg", "'aeg'", "did you mean 'age'?"),
    mask("attribute that is nominal", "noise:a=1,attributes=town", "'town' is nominal", "leave it out"),
    mask("attribute twice", "noise:a=1,attributes=age+age", "twice"),
    mask("groups that overlap", "microaggregation:k=3,groups=age|age+income", "twice"),
    mask("no numeric column", "noise:a=1", "no numeric quasi-identifier", files={"original.csv": ALL_TEXT}),
    Case(
        "mask no such file",
        ("mask", "away.csv", "--mask", "noise:a=1", "-o", "out.csv"),
        ("no file 'away.csv'",),
    ),
    Case("mask seed below 0", (*MASK_TO, "noise:a=1", "--seed", -1), ("--seed",)),
]

REPORTS = [
    Case("report on no file", ("report", "away.json"), ("no file 'away.json'",)),
    Case("report on a folder", ("report", "."), ("folder",)),
    Case("report on no name", ("report", ""), ("folder",)),
    Case("report on no JSON", ("report", "a.json"), ("not JSON", "--json"), {"a.json": ORIGINAL}),
    Case("report on bytes", ("report", "a.json"), ("UTF-8",), {"a.json": b"\xff\xfe\x00"}),
    Case(
        "report on other JSON",
        ("report", "a.json"),
        (
            "not a result of unmask",
            "'unmask knowledge', 'unmask ledger assess', 'unmask loss' or 'unmask study'",
        ),
        {"a.json": '{"age": [1]}'},
    ),
    Case("report on a list", ("report", "a.json"), ("not a result of unmask",), {"a.json": "[1, 2]"}),
    Case(
        "report on a newer version",
        ("report", "a.json"),
        ("version 99", "update"),
        {"a.json": json.dumps(DOCUMENT | {"version": 99})},
    ),
    Case(
        "report on half an assessment",
        ("report", "a.json"),
        ("lacks 'unmask'",),
        {"a.json": json.dumps(DOCUMENT)},
    ),
    Case(
        "report on half an assessment of an older version",
        ("report", "a.json"),
        ("lacks 'results'",),
        {"a.json": json.dumps(DOCUMENT | {"version": 1})},
    ),
    Case("report over its source", ("report", "risk.html"), ("name of its own",), {"risk.html": "kept"}),
    Case("report into no folder", ("report", "a.json", "-o", "no/a.html"), ("no folder",), {"a.json": "{}"}),
]

PAPERS = [
    Case("unknown paper", ("reproduce", "rank-based"), ("'rank-based'", "rank-based-2016")),
    Case("no replicates", ("reproduce", "rank-based-2016", "--replicates", 0), ("--replicates", "1")),
    Case("paper seed below 0", ("reproduce", "rank-based-2016", "--seed", -1), ("--seed",)),
    Case(
        "no reference files",
        ("reproduce", "rank-based-2016", "--json", "cells.json"),
        ("casc_census.csv", "sdcMicro", "UNMASK_DATA"),
        environment={"UNMASK_DATA": "."},
    ),
    Case(
        "a reference file of something else",
        ("reproduce", "rank-based-2016", "--json", "cells.json"),
        ("'name'", "numeric"),
        {"casc_census.csv": "name\nZq\n", "casc_eia.csv": "name\nZq\n"},
        environment={"UNMASK_DATA": "."},
    ),
]

CASES = [*USAGE, *OPTIONS, *TRUTH, *FILES, *VALUES, *SCHEMAS, *WRITING, *MASKS, *REPORTS, *PAPERS]


def check(case: Case, outcome: Outcome) -> None:
    assert outcome.code == 2, outcome
    assert outcome.out == ""
    assert outcome.err.count("\n") == 1, outcome.err
    assert outcome.err.startswith("error: ")
    assert "Hint: " in outcome.err
    for text in case.says:
        assert text in outcome.err
    for text in ("Traceback", "polars", "pydantic", SECRET_TEXT, str(SECRET_NUMBER)[:3]):
        assert text not in outcome.err


@pytest.mark.parametrize("targets_exist", [False, True], ids=["new", "existing"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_one_line_and_nothing_lost(
    case: Case, targets_exist: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, {"original.csv": ORIGINAL, "released.csv": RELEASED})
    if targets_exist:
        put(tmp_path, dict.fromkeys(TARGETS, "kept"))
    put(tmp_path, dict(case.files))
    before = content(tmp_path)
    monkeypatch.chdir(tmp_path)
    for name, value in case.environment.items():
        monkeypatch.setenv(name, value)
    outcome = run(*case.arguments)
    check(case, outcome)
    assert content(tmp_path) == before


@pytest.mark.parametrize(
    "name",
    ["no such verb", "text among the numbers of the release", "unknown mask", "report on a newer version"],
)
def test_the_program_fails_in_the_same_way(name: str, tmp_path: Path) -> None:
    case = next(case for case in CASES if case.name == name)
    put(tmp_path, {"original.csv": ORIGINAL, "released.csv": RELEASED, **case.files})
    before = content(tmp_path)
    check(case, program(*case.arguments, folder=tmp_path))
    assert content(tmp_path) == before


def test_the_cases_are_many_and_distinct() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 60
    verbs = {str(case.arguments[0]) for case in CASES}
    assert verbs >= {"assess", "mask", "describe", "demo", "report", "list", "reproduce"}


def test_a_disk_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, {"original.csv": ORIGINAL, "out.csv": "kept"})
    before = content(tmp_path)
    monkeypatch.chdir(tmp_path)

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", refuse)
    outcome = run(*MASK_TO, "noise:a=1")
    check(Case("full disk", (), ("'out.csv'", "No space left on device", "space on the disk")), outcome)
    assert content(tmp_path) == before


def test_memory_that_runs_out_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, {"original.csv": ORIGINAL, "released.csv": RELEASED})
    before = content(tmp_path)
    monkeypatch.chdir(tmp_path)

    def refuse(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("unmask.attacks.dbrl.DBRL.prepare", refuse)
    outcome = run("assess", "original.csv", "released.csv", "--attacks", "dbrl", *OUTPUTS)
    check(Case("memory", (), ("not enough memory", "--targets")), outcome)
    assert content(tmp_path) == before


def test_an_output_that_cannot_be_printed_is_said(tmp_path: Path) -> None:
    put(tmp_path, {"original.csv": ORIGINAL})
    with Path("/dev/full").open("w") as full:
        outcome = program("describe", "original.csv", folder=tmp_path, stdout=full)
    check(Case("full disk", (), ("No space left on device",)), outcome)


def test_a_name_that_the_terminal_cannot_show_is_escaped(tmp_path: Path) -> None:
    put(tmp_path, {"a.csv": "año,b\n1,2\n"})
    outcome = program("describe", "a.csv", folder=tmp_path, PYTHONIOENCODING="ascii")
    assert (outcome.code, outcome.err) == (0, "")
    assert "a\\xf1o" in outcome.out
    case = Case("no such column", (), ("'a\\xf1x'", "did you mean 'a\\xf1o'?"))
    arguments = ("assess", "a.csv", "a.csv", "--known", "añx")
    check(case, program(*arguments, folder=tmp_path, PYTHONIOENCODING="ascii"))
