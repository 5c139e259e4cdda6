"""Names that meet each other, numbers that are too long, and words that would fill the screen."""

from __future__ import annotations

import pytest

from tests.cli.console import run


@pytest.fixture
def files(tmp_path):
    for name in ("original", "released"):
        rows = "".join(f"{20 + i},{'fm'[i % 2]},{'ab'[i % 3 == 0]},{i * 7 % 40}\n" for i in range(40))
        (tmp_path / f"{name}.csv").write_text("age,sex,town,rent\n" + rows, encoding="utf-8")
    return tmp_path / "original.csv", tmp_path / "released.csv"


def test_a_name_that_the_release_has_twice_is_refused(files):
    found = run("check", *files, "--renamed", "sex=town")
    assert found.code == 2
    assert "is said to be 'sex', and it has a column 'sex' too" in found.err


def test_two_columns_may_exchange_their_names(files):
    assert run("check", *files, "--renamed", "sex=town", "--renamed", "town=sex").code == 0


def test_a_number_of_thousands_of_digits_in_a_schema_is_refused_in_a_line(files, tmp_path):
    schema = tmp_path / "schema.toml"
    schema.write_text(f'[[column]]\nname = "age"\nminimum = {"9" * 5000}\n', encoding="utf-8")
    found = run("check", *files, "--schema", schema)
    assert found.code == 2
    assert found.err.count("\n") == 1


def test_an_error_does_not_fill_the_screen(files):
    found = run("check", *files, "--truth", "x" * 50_000)
    assert found.code == 2
    assert found.err.count("\n") == 1
    assert len(found.err) < 1300
    assert "Hint" in found.err
