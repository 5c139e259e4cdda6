"""Compiled kernels are kept by the contents of all sources, in a folder of the user's own, or not at all."""

from __future__ import annotations

import ast
import os
import shutil
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

import unmask
from tests.ordinary_user import as_ordinary_user, read_only
from unmask.kernels.kernel_cache import MOST, UNUSED_DAYS, remove_unused

SOURCE = Path(unmask.__file__).parent
NEEDED = ("__init__.py", "compiled.py", "compilation.py", "kernel_cache.py")

#: Two kernels in two modules, as quick to compile as can be.
CALLEE = """
from typing import NamedTuple
from unmask.kernels.compiled import inner

class Pair(NamedTuple):
    a: int
    b: int

@inner
def weighed(pair, x):
    return pair.a * x
"""
CALLER = """
from unmask.kernels.callee import Pair, weighed
from unmask.kernels.compiled import compiled

@compiled
def doubled(x):
    return 2 * weighed(Pair(3, 5), x)
"""
#: Prints a result, whether anything was compiled, and why nothing is kept.
PROGRAM = """
from unmask.kernels.compilation import on_compilation
told = []
on_compilation(told.append)
from unmask.kernels.caller import doubled
print(doubled({argument}), "compiled" if told else "loaded", "".join(told))
"""


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A small package of that name: what keeps kernels, and two kernels."""
    package = tmp_path / "installed" / "unmask"
    (package / "kernels").mkdir(parents=True)
    for name in ("__init__.py", "cache_folder.py"):
        shutil.copy(SOURCE / name, package / name)
    for name in NEEDED:
        shutil.copy(SOURCE / "kernels" / name, package / "kernels" / name)
    (package / "kernels" / "callee.py").write_text(CALLEE)
    (package / "kernels" / "caller.py").write_text(CALLER)
    return package.parent


def environment(installed: Path, cache: Path | str | None = None) -> dict[str, str]:
    place = installed.parent / "cache" if cache is None else cache
    return {"PYTHONPATH": str(installed), "UNMASK_CACHE_DIR": str(place)}


def outcome(installed: Path, argument: str = "7", **env: str) -> str:
    """What the kernel gives in a new process."""
    done = as_ordinary_user("-c", PROGRAM.format(argument=argument), env=environment(installed) | env)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def states(installed: Path) -> list[Path]:
    return sorted((installed.parent / "cache" / "kernels").iterdir())


def test_an_edited_callee_is_compiled_anew(installed: Path) -> None:
    assert outcome(installed) == "42 compiled"
    assert outcome(installed) == "42 loaded"
    callee = installed / "unmask" / "kernels" / "callee.py"
    times = callee.stat()
    # Another field as well, of which a former version's files know nothing; and times that tell nothing.
    callee.write_text(CALLEE.replace("a: int\n", "c: int\n").replace("pair.a", "pair.b"))
    os.utime(callee, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert outcome(installed) == "70 compiled"
    assert outcome(installed) == "70 loaded"
    assert len(states(installed)) == 2
    callee.write_text(CALLEE)
    assert outcome(installed) == "42 loaded"


def test_a_read_only_installation_is_left_alone(installed: Path) -> None:
    before = sorted(installed.rglob("*"))
    with read_only(installed):
        assert outcome(installed) == "42 compiled"
        assert outcome(installed) == "42 loaded"
    assert sorted(installed.rglob("*")) == before
    (folder,) = states(installed)
    for one in (folder, folder.parent, folder.parent.parent):
        assert stat.S_IMODE(one.stat().st_mode) == 0o700
    # A cache that can only be read is still of use.
    with read_only(folder.parent.parent):
        assert outcome(installed) == "42 loaded"


def test_no_place_to_write_is_no_error(installed: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    env = {"UNMASK_CACHE_DIR": "", "XDG_CACHE_HOME": "", "HOME": str(home)}
    with read_only(home):
        said = outcome(installed, **env)
    assert said.startswith("42 compiled ")
    assert "cannot be made: Permission denied; UNMASK_CACHE_DIR names another place" in said
    assert list(home.iterdir()) == []
    assert outcome(installed, **env) == "42 compiled"
    assert outcome(installed, **env) == "42 loaded"
    assert (home / ".cache" / "unmask" / "kernels").is_dir()


def test_a_folder_that_others_may_write_is_refused(installed: Path, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    said = outcome(installed, UNMASK_CACHE_DIR=str(shared))
    assert "others may write into" in said
    assert list(shared.iterdir()) == []


def test_a_damaged_file_is_made_anew(installed: Path) -> None:
    assert outcome(installed) == "42 compiled"
    for kept in states(installed)[0].glob("*.kernel"):
        kept.write_bytes(kept.read_bytes()[:-9])
    assert outcome(installed) == "42 compiled"
    assert outcome(installed) == "42 loaded"


def test_several_processes_at_once(installed: Path) -> None:
    """Each has types of its own: no file of one may be taken for that of another."""
    arguments = ("7", "7.5", "7j")
    env = {**os.environ, **environment(installed)}
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM.format(argument=argument)], env=env, stdout=subprocess.PIPE
        )
        for argument in arguments
    ]
    said = [program.communicate()[0].decode().split()[0] for program in programs]
    assert said == ["42", "45.0", "42j"]
    assert [outcome(installed, argument) for argument in arguments] == [f"{one} loaded" for one in said]
    assert not list(states(installed)[0].glob(".*"))


def test_folders_of_former_versions_go(tmp_path: Path) -> None:
    def used(name: str, days: float) -> None:
        (tmp_path / name).mkdir()
        (tmp_path / name / "one.kernel").touch()
        os.utime(tmp_path / name, times=(time.time() - days * 86_400,) * 2)

    used("present", UNUSED_DAYS + 5)  # never itself
    used("old", UNUSED_DAYS + 1)
    for i in range(MOST):
        used(f"recent-{i}", 2 + i / 10)
    remove_unused(tmp_path, "present")
    assert {one.name for one in tmp_path.iterdir()} == {"present", *(f"recent-{i}" for i in range(MOST))}
    for i in range(3):
        used(f"busy-{i}", 0.1)
    remove_unused(tmp_path, "present")
    left = {one.name for one in tmp_path.iterdir()} - {"present"}
    assert left == {"busy-0", "busy-1", "busy-2", *(f"recent-{i}" for i in range(MOST - 3))}


def imports(path: Path) -> set[str]:
    """The modules that a source takes something from."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{one.name}" for one in node.names)}
    return found


def test_the_sources_of_kernels_are_all_that_compiled_code_depends_on() -> None:
    """Else the digest of kernels/*.py would miss a change."""
    for path in SOURCE.rglob("*.py"):
        named = imports(path)
        if path.parent != SOURCE / "kernels":
            assert not any(name.split(".")[0] == "numba" for name in named), path
            continue
        if path.name != "compiled.py":
            assert "numba.njit" not in named, path  # it would be kept by numba itself
        own = {name for name in named if name.startswith("unmask.") and not name.startswith("unmask.kernels")}
        assert not {name for name in own if not name.startswith("unmask.cache_folder")}, path
