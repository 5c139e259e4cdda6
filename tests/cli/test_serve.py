"""unmask serve, as far as it comes to an end: what is wrong is said in a line, and nothing listens."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from tests.cli.console import run


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nowhere",), "'nowhere' is no folder"),
        (("file.csv",), "'file.csv' is no folder"),
        ((".", "--host", "0.0.0.0"), "every address of this machine"),
        ((".", "--host", "::"), "every address of this machine"),
        ((".", "--host", "192.0.2.1"), "cannot be used"),  # an address that no machine has
        ((".", "--port", "65536"), "--port"),
        ((".", "--port", "-1"), "--port"),
        ((".", "--port", "x"), "--port"),
        ((".", "--nonesuch"), "--nonesuch"),
    ],
)
def test_a_wrong_word_is_told_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file.csv").write_text("a\n1\n")
    found = run("serve", *words, "--no-browser")
    assert found.code == 2
    assert said in found.err
    assert found.err.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file.csv"]


def test_a_port_that_is_taken_is_refused(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        found = run("serve", tmp_path, "--port", taken.getsockname()[1], "--no-browser")
    assert found.code == 2
    assert "cannot be used" in found.err
