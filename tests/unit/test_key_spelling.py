"""Keys that two files spell in different ways: paired where that is sure, refused where not, and told."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tests.cli.console import run
from unmask.data.understanding.key_spelling import spelling
from unmask.data.understanding.matching import match_rows
from unmask.errors import DataError

N = 60
RNG = np.random.default_rng(1)
PEOPLE = pl.DataFrame(
    {
        "id": [f"{i:02d}" for i in range(1, N + 1)],
        "age": RNG.integers(18, 90, N),
        "pay": RNG.lognormal(8, 1, N).round(2),
    }
)


def released(ids: list[str | None]) -> pl.DataFrame:
    return PEOPLE.with_columns(id=pl.Series(ids, dtype=pl.String)).sample(fraction=1.0, shuffle=True, seed=3)


@pytest.mark.parametrize(
    ("spell", "way"),
    [
        (str, "leading zeros"),
        (lambda i: f"{i:05d}", "leading zeros"),
        (lambda i: f"{i:02d}.0", "an ending '.0'"),
    ],
)
def test_a_key_in_another_spelling_pairs_everybody_and_is_told(spell, way) -> None:
    other = released([spell(i) for i in range(1, N + 1)])
    origin, match = match_rows(PEOPLE, other, PEOPLE.columns, "id")
    assert (PEOPLE["pay"].to_numpy()[origin] == other["pay"].to_numpy()).all()
    assert (match.matched, match.unmatched, match.absent) == (N, 0, 0)
    assert match.respelt > 0
    assert way in match.ways


def test_blanks_around_a_key_are_no_part_of_it() -> None:
    other = released([f" {i:02d} " for i in range(1, N + 1)])
    origin, match = match_rows(PEOPLE, other, PEOPLE.columns, "id")
    assert (PEOPLE["pay"].to_numpy()[origin] == other["pay"].to_numpy()).all()
    assert (match.matched, match.unmatched, match.absent) == (N, 0, 0)


def test_the_case_of_letters_does_not_hide_a_key() -> None:
    found = spelling(pl.Series("id", ["Ab", "cD", "E"]), pl.Series("id", ["AB", "CD", "E"]))
    assert found.released.to_list() == ["Ab", "cD", "E"]
    assert (found.respelt, found.ways) == (2, ("the case of letters",))


def test_keys_that_both_files_spell_alike_stay_apart() -> None:
    keys = pl.Series("id", ["7", "07", "007", "a", "A"])
    found = spelling(keys, keys.shuffle(seed=1))
    assert (found.respelt, found.ambiguous) == (0, 0)


@pytest.mark.parametrize(
    ("original", "other"), [(["7", "07", "8"], ["007", "8"]), (["7", "8"], ["07", "007", "8"])]
)
def test_a_spelling_that_could_be_several_peoples_is_refused(original: list[str], other: list[str]) -> None:
    found = spelling(pl.Series("id", original), pl.Series("id", other))
    assert found.released.to_list() == other
    with pytest.raises(DataError, match="could be those of several people") as caught:
        found.checked()
    assert "007" not in str(caught.value)


def files(folder: Path, ids: list[str | None]) -> tuple[Path, Path]:
    paths = folder / "original.csv", folder / "released.csv"
    PEOPLE.write_csv(paths[0])
    released(ids).write_csv(paths[1])
    return paths


def test_check_and_its_document_show_every_count(tmp_path: Path) -> None:
    ids: list[str | None] = [str(i) for i in range(1, N + 1)]
    ids[-3:] = ["801", "802", None]
    done = run("check", *files(tmp_path, ids), "--truth", "id", "--json", tmp_path / "found.json")
    assert done.code == 0, done.err
    text = " ".join(done.out.split())
    assert "57 of 60 released records were paired" in text
    assert "60 original and 60 released records were read" in text
    assert "note: 2 of 60 released records have a key that is not in the original" in text
    assert (
        "note: 9 of 60 released records have a key that the original spells otherwise (leading zeros)" in text
    )
    assert "note: 1 released records have no value of 'id'" in text
    rows = json.loads((tmp_path / "found.json").read_text())["rows"]
    assert (rows["matched"], rows["unmatched"], rows["absent"]) == (57, 3, 3)
    assert (rows["respelt"], rows["ways"], rows["keyless"]) == (9, ["leading zeros"], [0, 1])


def test_a_key_that_leaves_most_records_without_a_person_is_refused(tmp_path: Path) -> None:
    ids: list[str | None] = [f"{i:02d}" if i % 4 == 0 else f"x{i}" for i in range(1, N + 1)]
    paths = files(tmp_path, ids)
    done = run("check", *paths, "--truth", "id")
    assert done.code == 2
    assert "only 15 of 60 released records have a key 'id' of the original file" in done.err
    assert len(done.err.splitlines()) == 1
    assert run("check", *paths, "--truth", "id", "--synthetic").code == 0


def test_a_sample_may_leave_originals_out(tmp_path: Path) -> None:
    path = tmp_path / "original.csv"
    PEOPLE.write_csv(path)
    PEOPLE.sample(12, seed=1, shuffle=True).write_csv(tmp_path / "released.csv")
    done = run("check", path, tmp_path / "released.csv", "--truth", "id")
    assert done.code == 0
    assert "12 of 12 released records were paired with an original one" in done.out
