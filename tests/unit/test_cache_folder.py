"""The one folder in which unmask keeps what it can make again."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from unmask.assessment.request import Request, RequestFiles
from unmask.assessment.store import Store
from unmask.cache_folder import NoCacheError, cache_folder, own_folder
from unmask.errors import DataError


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of nothing, and no variable that leads elsewhere."""
    for name in ("UNMASK_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def test_where_it_is(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache_folder() == home / ".cache" / "unmask"
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "xdg"))
    assert cache_folder() == home / "xdg" / "unmask"
    monkeypatch.setenv("UNMASK_CACHE_DIR", str(home / "own"))
    assert cache_folder() == home / "own"


def test_what_is_made_is_the_users_alone(home: Path) -> None:
    before = os.umask(0o002)
    try:
        made = own_folder("kernels", "one")
    finally:
        os.umask(before)
    for one in (made, made.parent, made.parent.parent):
        assert mode(one) == 0o700


def test_the_usual_folder_is_mended_and_a_named_one_refused(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = home / ".cache" / "unmask"
    usual.mkdir(parents=True)
    usual.chmod(0o775)
    own_folder("charts")
    assert mode(usual) == 0o700
    named = home / "named"
    named.mkdir()
    named.chmod(0o775)
    monkeypatch.setenv("UNMASK_CACHE_DIR", str(named))
    with pytest.raises(NoCacheError, match="others may write into"):
        own_folder("charts")
    assert mode(named) == 0o775
    # Nor one that lies open inside: somebody may have put something into it before.
    named.chmod(0o755)
    (named / "charts").mkdir()
    (named / "charts").chmod(0o777)
    with pytest.raises(NoCacheError, match="charts"):
        own_folder("charts")


def test_a_folder_of_somebody_else_is_refused(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_folder("charts")
    owner = home.stat().st_uid
    monkeypatch.setattr(os, "getuid", lambda: owner + 1)
    if owner == 0:  # whom everybody has to trust
        assert own_folder("charts")
        os.chown(home / ".cache" / "unmask", 12345, -1)
    with pytest.raises(NoCacheError, match="belongs to another user"):
        own_folder("charts")


def test_a_folder_that_cannot_be_made(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "file").write_text("")
    monkeypatch.setenv("UNMASK_CACHE_DIR", str(home / "file" / "cache"))
    with pytest.raises(NoCacheError, match="cannot be made"):
        own_folder("charts")
    monkeypatch.setenv("UNMASK_CACHE_DIR", str(home / ("x" * 5000)))
    with pytest.raises(NoCacheError):
        own_folder("charts")


def test_a_user_without_a_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOME")
    monkeypatch.setattr(os, "getuid", lambda: 4_000_000)  # nobody's number
    with pytest.raises(NoCacheError, match="no home"):
        cache_folder()


def test_parts_of_runs_are_kept_by_the_same_rule(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "people.csv").write_text("age\n1\n2\n")
    request = Request(RequestFiles(str(home / "people.csv"), str(home / "people.csv")))
    assert Store.of(request) is not None
    shared = home / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    monkeypatch.setenv("UNMASK_CACHE_DIR", str(shared))
    assert Store.of(request) is None
    with pytest.raises(DataError, match="no part of a run can be kept: others may write into"):
        Store.of(request, resume=True)
