"""unmask in a folder, an installation and a home that cannot be written: it works, or says what it needs."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import unmask
from tests.ordinary_user import as_ordinary_user, read_only
from unmask.cache_folder import cache_folder, own_folder

ASSESS = ("assess", "people.csv", "people.csv", "--truth", "rows", "--attacks", "guess")
ONE = ("--measures", "reidentification")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy of the package that nobody may write into."""
    folder = tmp_path_factory.mktemp("installed")
    shutil.copytree(
        Path(unmask.__file__).parent, folder / "unmask", ignore=shutil.ignore_patterns("__pycache__")
    )
    with read_only(folder):
        yield folder
        assert not list(folder.rglob("__pycache__"))


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """The present folder, with a file in it, closed."""
    place = tmp_path / "closed"
    place.mkdir()
    (place / "people.csv").write_text(
        "age,income\n" + "".join(f"{20 + i},{i * 37 % 100}\n" for i in range(40))
    )
    with read_only(place):
        yield place
    assert [one.name for one in place.iterdir()] == ["people.csv"]


def asked(installed: Path, folder: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    program = "from unmask.cli import main; main()"
    env = {"PYTHONPATH": str(installed), "PYTHONDONTWRITEBYTECODE": "", **env}
    return as_ordinary_user("-c", program, *arguments, env=env, cwd=folder)


def test_an_assessment_on_the_terminal_needs_no_place(installed: Path, folder: Path, tmp_path: Path) -> None:
    """Neither the installation nor the present folder nor the home can be written; the cache can be read."""
    own_folder("kernels")
    home = tmp_path / "home"
    home.mkdir()
    with read_only(home):
        done = asked(installed, folder, *ASSESS, *ONE, HOME=str(home), UNMASK_CACHE_DIR=str(cache_folder()))
    assert done.returncode == 0, done.stderr
    assert "guess" in done.stdout
    assert done.stderr == ""
    assert not list(home.iterdir())


def test_outputs_go_elsewhere(installed: Path, folder: Path, tmp_path: Path) -> None:
    done = asked(installed, folder, *ASSESS, *ONE, "--json", str(tmp_path / "risk.json"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "risk.json").exists()


@pytest.mark.parametrize(
    ("arguments", "phrase"),
    [
        ((*ASSESS, "--json", "risk.json"), "'risk.json' cannot be written: Permission denied."),
        (("demo",), "'demo' cannot be made a folder: Permission denied."),
        (("demo", "--out", "."), "cannot be written: Permission denied."),
        (
            ("mask", "people.csv", "--mask", "noise:a=0.1", "-o", "out.csv"),
            "cannot be written: Permission denied",
        ),
        ((*ASSESS, "--save-request", "request.toml"), "'request.toml' cannot be written"),
    ],
)
def test_what_it_needs_is_said_in_a_line_before_the_work(
    installed: Path, folder: Path, arguments: tuple[str, ...], phrase: str
) -> None:
    done = asked(installed, folder, *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert phrase in done.stderr
    assert done.stderr.count("\n") == 1
