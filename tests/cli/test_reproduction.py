"""``unmask reproduce`` on the terminal: the time it takes, the bar, the quick version, and Ctrl-C."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from tests.cli.console import run
from tests.papers.test_outcome import _Made
from unmask.cli import reproduction, terminal, watching
from unmask.papers import PAPERS, Cell
from unmask.papers.chance import Precision


@pytest.fixture
def made(monkeypatch):
    monkeypatch.setitem(PAPERS, "made-2000", _Made())


@pytest.fixture
def screen(monkeypatch):
    """Stderr as a terminal."""
    console = Console(file=StringIO(), force_terminal=True, width=100, highlight=False)
    monkeypatch.setattr(terminal, "err", console)
    monkeypatch.setattr(watching, "err", console)
    return console.file


def test_how_long_it_takes_is_said_before_it_starts(made, screen, monkeypatch):
    said = []
    monkeypatch.setattr(_Made, "cells", lambda *_: said.append(screen.getvalue()) or iter(()))
    reproduction.show(PAPERS["made-2000"], 5, 1)
    assert said[0].startswith("made-2000 takes about 10 minutes on two cores; Ctrl-C ends it")
    assert "--quick" in said[0]


def test_a_bar_shows_the_steps(made, screen):
    reproduction.show(PAPERS["made-2000"], 5, 1)
    assert "made-2000" in screen.getvalue().partition("\n")[2]


def test_quick_takes_the_shorter_version_and_its_replicates(made):
    assert "; 1 replicates, seed 1" in run("reproduce", "made-2000", "--quick").out
    assert "; 4 replicates, seed 1" in run("reproduce", "made-2000", "--quick", "--replicates", "4").out
    assert "; 20 replicates, seed 1" in run("reproduce", "made-2000").out


def test_an_interruption_leaves_one_line_and_no_file(made, monkeypatch, tmp_path):
    def interrupted(*_):
        yield Cell("t", "a", "c", 1.0, (1.0,))
        raise KeyboardInterrupt

    monkeypatch.setattr(_Made, "cells", interrupted)
    ended = run("reproduce", "made-2000", "--json", str(tmp_path / "cells.json"))
    assert (ended.code, ended.out, ended.err) == (130, "", "interrupted\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("published", "code"), [(5.0, 0), (12.0, 1)])
def test_a_difference_beyond_chance_exits_with_one(made, monkeypatch, published, code):
    cell = Cell("t", "a", "c", published, (5.0, 5.5, 4.5, 5.2, 4.8), precision=Precision(100))
    monkeypatch.setattr(_Made, "cells", lambda *_: iter((cell,)))
    ended = run("reproduce", "made-2000")
    assert ended.code == code
    assert f"1 cells are judged: {1 - code} near, {code} OUT" in ended.out
    assert "root mean square z" in ended.out
    assert "rule: z is the difference" in ended.out


def test_too_few_replicates_are_told(made, monkeypatch):
    cell = Cell("t", "a", "c", 5.0, (9.0,), precision=Precision(100))
    monkeypatch.setattr(_Made, "cells", lambda *_: iter((cell,)))
    ended = run("reproduce", "made-2000", "--replicates", "1")
    assert ended.code == 0
    assert "1 cells are judged: 0 near, 0 OUT, 1 undecided" in ended.out
    assert "3 replicates at least are needed" in ended.out
