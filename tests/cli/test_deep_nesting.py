"""Schemas, requests and documents with brackets in brackets in brackets: one line, no traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.console import run


@pytest.mark.parametrize("depth", [500, 5000])
def test_brackets_without_end_are_one_line(tmp_path: Path, depth: int) -> None:
    file = tmp_path / "people.csv"
    file.write_text("age\n" + "\n".join(map(str, range(20, 60))))
    for name, text in {
        "lists.toml": f'[[column]]\nname = "age"\nlevels = {"[" * depth}{"]" * depth}\n',
        "tables.toml": f'[[column]]\nname = "age"\nreleased.recode = {"{a=" * depth}1{"}" * depth}\n',
    }.items():
        (tmp_path / name).write_text(text)
        for option in ("--schema", "--released-schema"):
            done = run("check", file, file, option, tmp_path / name)
            assert done.code == 2
            assert done.err.startswith("error: ")
            assert len(done.err.splitlines()) == 1
    (tmp_path / "deep.toml").write_text(f"seed = {'[' * depth}{']' * depth}\n")
    (tmp_path / "deep.json").write_text(f'{{"format": "unmask-assessment", "x": {"[" * depth}{"]" * depth}}}')
    for command in (
        ("run", tmp_path / "deep.toml"),
        ("report", tmp_path / "deep.json", "-o", tmp_path / "x.html"),
        ("rerun", tmp_path / "deep.json"),
    ):
        done = run(*command)
        assert done.code == 2
        assert len(done.err.splitlines()) == 1
