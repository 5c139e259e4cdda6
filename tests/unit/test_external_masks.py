"""Masks that a program or a function makes: what they are given, and what they must return."""

from __future__ import annotations

import shlex
import sys
import tempfile

import numpy as np
import pandas as pd
import polars as pl
import pytest

import unmask
from tests.cli.console import SECRET_TEXT, run
from unmask import temporaries
from unmask.attacks import KnownMechanism
from unmask.data.example import people
from unmask.data.microdata import Microdata
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.errors import ArgumentError, UnmaskError
from unmask.linkage.transparency import declares
from unmask.masks import Exec, Function, Noise, Pipeline, as_mask, check_trusted, expand, parse

COPY = """
import csv, sys
original, released, seed = sys.argv[1:4]
rows = list(csv.reader(open(original)))
with open(released, "w", newline="") as file:
    csv.writer(file).writerows(CHANGE)
"""
SCHEMA = Schema(
    (
        Column("id", Kind.NOMINAL, Role.IDENTIFIER),
        Column("age"),
        Column("zip", Kind.NOMINAL),
        Column("health", Kind.ORDINAL, levels=("poor", "fair", "good")),
        Column("weight", role=Role.WEIGHT),
    )
)


def residents(n=40):
    rng = np.random.default_rng(1)
    columns = {
        "id": [f"{SECRET_TEXT}{i}" for i in range(n)],
        "age": [None if i % 9 == 4 else int(rng.integers(20, 60)) for i in range(n)],
        "zip": [f"0{int(i)}" for i in rng.integers(801, 804, n)],
        "health": rng.choice(["poor", "fair", "good"], n).tolist(),
        "weight": rng.random(n).round(3),
    }
    return Microdata(SCHEMA, pl.DataFrame(columns))


@pytest.fixture
def script(tmp_path):
    """The text of a mask whose program writes these rows."""

    def made(change, more="{original} {released} {seed}"):
        path = tmp_path / "mask.py"
        path.write_text(COPY.replace("CHANGE", change))
        return f"exec:{shlex.quote(sys.executable)} {path} {more}"

    return made


def applied(mask, file, seed=1):
    return as_mask(mask).apply(file, np.random.default_rng(seed))


def test_a_program_that_copies_leaves_the_file_as_it_is(script):
    file = residents()
    masked = applied(script("rows"), file)
    assert masked.data.frame.equals(file.frame)
    assert masked.data.schema == file.schema
    assert masked.origin.tolist() == list(range(len(file)))


def test_what_it_writes_is_read_in_the_terms_of_the_original(script):
    change = "[r[0], r[1] and int(r[1]) + 1.5, r[2], r[3].replace('fair', 'poor'), r[4]]"
    older = f"[rows[0], *({change} for r in rows[1:])]"
    file = residents()
    made = applied(script(older), file).data
    assert made.schema == file.schema
    assert made.frame["age"].to_list() == [a if a is None else a + 1.5 for a in file.frame["age"]]
    assert set(made.frame["health"]) == {"poor", "good"}
    assert made.frame["zip"].to_list() == file.frame["zip"].to_list(), "leading zeros stay"


def test_bands_that_it_writes_are_bands(script):
    bands = (
        "[rows[0], *([r[0], r[1] and ('18-39' if int(r[1]) < 40 else '40-64'), *r[2:]] for r in rows[1:])]"
    )
    made = applied(script(bands), residents()).data
    assert made.schema["age"].kind is Kind.ORDINAL
    risk = unmask.assess(residents(), parse(script(bands)), attacks=["dbrl"], measures=["reidentification"])
    assert 0 < risk.table()["value"][0] < 1


def test_identifiers_may_be_left_out_and_the_order_of_columns_is_free(script):
    made = applied(script("[r[:0:-1] for r in rows]"), residents()).data
    assert made.schema.names() == ("age", "zip", "health", "weight")


def test_the_seed_is_that_of_the_generator(script):
    seeded = "[rows[0], *([r[0], seed, *r[2:]] for r in rows[1:])]"
    first, again, other = (
        applied(script(seeded), residents(), seed).data.frame["age"][0] for seed in (1, 1, 2)
    )
    assert first == again != other
    silent = script("rows", "{original} {released} 0")
    assert applied(silent, residents()).data.frame.equals(residents().frame)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("rows[:-1]", "returned 39 rows for 40 records"),
        ("rows[1:]", "no CSV file that can be read"),
        ("[[*r, 'x'] for r in rows]", "returned 1 column that the original lacks"),
        ("[r[:-1] for r in rows]", "left out column 'weight'"),
        ("sys.exit(7)", "ended with code 7"),
        ("sys.exit('{0}')", "ended with code 1"),
        ("[]", "no CSV file that can be read"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line_without_a_value(script, change, message):
    with pytest.raises(UnmaskError, match=f"the command of mask 'exec'.*{message}.*Hint: ") as refused:
        applied(script(change), residents())
    assert "\n" not in str(refused.value)
    assert SECRET_TEXT not in str(refused.value)


def test_a_program_that_writes_nothing_or_is_not_there_is_refused():
    quiet = f"exec:{shlex.quote(sys.executable)} -c pass {{original}} {{released}}"
    with pytest.raises(UnmaskError, match=r"wrote no file to \{released\}. Hint: "):
        applied(quiet, residents())
    with pytest.raises(UnmaskError, match=r"the program 'no-such-program' .* cannot be run. Hint: "):
        applied("exec:no-such-program {original} {released}", residents())


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("cp", "has no {original}"),
        ("cp {original}", "has no {released}"),
        ("cp '{original} {released}", "a quote that is not closed"),
        ("cp {original} {released} then that", "the word 'then'"),
        (3, "is not a text"),
    ],
)
def test_a_command_that_is_none_is_refused(command, message):
    with pytest.raises(ArgumentError, match=f"{message}.*Hint: "):
        Exec(command)


def test_no_record_is_left_in_the_temporary_folder(script, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    applied(script("rows"), residents())
    with pytest.raises(UnmaskError):
        applied(script("sys.exit(1)"), residents())
    assert [path.name for path in tmp_path.iterdir()] == ["mask.py"]
    with temporaries.folder() as folder:
        assert folder.stat().st_mode & 0o077 == 0
        (folder / "original.csv").write_text("secret")
        temporaries.remove()  # as when the program is ended by a signal
        assert not folder.exists()


def test_a_folder_that_a_killed_process_left_is_swept(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(temporaries, "_alive", lambda process: False)
    left = tmp_path / temporaries._name()
    left.mkdir()
    (left / "original.csv").write_text("secret")
    with temporaries.folder():
        assert not left.exists()


def test_the_command_ends_at_then_and_is_written_as_it_is_read(script):
    text = f"{script('rows')} then noise:a=0.1"
    mask = parse(text)
    assert isinstance(mask, Pipeline)
    assert mask.text == text
    assert mask.parts[1] == Noise(a=0.1)
    assert expand(text) == (text,)
    made = applied(mask, residents()).data.frame
    assert made["zip"].equals(residents().frame["zip"])
    assert not made["age"].equals(residents().frame["age"])


def test_it_declares_nothing(script):
    mask = parse(script("rows"))
    assert not declares(mask)
    with pytest.raises(ArgumentError, match="does not declare what it does"):
        KnownMechanism(mask)


def test_requests_that_run_a_program_are_refused_unless_they_are_trusted(script, tmp_path):
    path, out, request = tmp_path / "people.csv", tmp_path / "out.csv", tmp_path / "request.toml"
    people(60).frame.write_csv(path)
    for text in (script("rows"), f"noise:a=0.1 then {script('rows')}"):
        assert run("mask", path, "--mask", text, "-o", out, "--save-request", request).code == 0
        out.unlink()
        refused = run("run", request, "-o", out)
        assert refused.code == 2
        assert "a mask of the request runs a program. Hint:" in refused.err
        assert not out.exists()
        with pytest.raises(ArgumentError, match="runs a program"):
            unmask.run(request)
        assert run("run", request, "-o", out, "--trust-exec").code == 0
        assert out.exists()
    check_trusted([Noise(a=1)], trusted=False)
    check_trusted([parse(script("rows"))], trusted=True)


def test_the_file_beside_such_a_release_runs_nothing(script, tmp_path):
    path, out = tmp_path / "people.csv", tmp_path / "out.csv"
    people(60).frame.write_csv(path)
    assert run("mask", path, "--mask", script("rows"), "-o", out).code == 0
    (tmp_path / "mask.py").unlink()  # what would fail if it were run again
    assessed = run("assess", path, out, "--known", "age,income", "--attacks", "dbrl")
    assert assessed.code == 0


def double(frame, seed):
    return frame.with_columns(pl.col("age") * 2)


def test_a_function_is_a_mask():
    file = residents()
    mask = as_mask(double)
    assert mask == Function(double)
    assert mask.text == "function:double"
    assert not declares(mask)
    made = applied(mask, file).data.frame
    assert made["age"].to_list() == [a if a is None else a * 2 for a in file.frame["age"]]
    assert made.drop("age").equals(file.frame.drop("age"))


def test_a_function_may_return_a_frame_of_another_library_and_has_a_seed():
    seeds = []

    def noisy(frame, seed):
        seeds.append(seed)
        table = frame.to_pandas()
        table["age"] = table["age"] + np.random.default_rng(seed).normal(size=len(table))
        return table

    once, again = (applied(noisy, residents(), 4).data.frame for _ in range(2))
    assert isinstance(noisy(residents().frame, 1), pd.DataFrame)
    assert once.equals(again)
    assert seeds[0] == seeds[1]
    assert 0 <= seeds[0] < 2**31 - 1


def test_a_function_that_returns_something_else_is_refused():
    with pytest.raises(UnmaskError, match=r"the function of a mask returned 5 rows for 40 records. Hint: "):
        applied(lambda frame, seed: frame.head(5), residents())
    with pytest.raises(UnmaskError, match=r"what the function of a mask returned is of type .* Hint: "):
        applied(lambda frame, seed: None, residents())
    with pytest.raises(ArgumentError, match=r"the function of a mask is a whole number. Hint: "):
        Function(3)


def test_a_function_can_be_assessed_and_masks_a_frame():
    file = people(80)
    mask = Function(double)
    released = unmask.mask(file.frame, double, keep_identifiers=False)
    assert released["age"].to_list() == (file.frame["age"] * 2).to_list()
    risk = unmask.assess(file, mask, known=["age"], attacks=["dbrl"], measures=["reidentification"])
    assert risk.table()["value"][0] >= 0
    assert "function:double" in risk.to_json()
