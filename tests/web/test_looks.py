"""Looks: what was read is remembered while it holds, and nobody waits for what nobody wants any more."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE

import pytest

from tests.web.client import Browser, begun, until
from unmask.errors import DataError
from unmask.web import looks as module
from unmask.web.look import answer
from unmask.web.looks import LookAnswer, Looks

OPTIONS = {"delimiter": None, "encoding": None, "sheet": None, "table": None}


#: Counts the records of a file, as a look does, and loads nothing; it waits while a test wants it to.
COUNTING = """import json, os, sys, time
path = json.load(sys.stdin)["path"]
while os.path.exists(f"slow-{path}"):
    time.sleep(0.01)
told = {"error": f"{path} is missing"}
if os.path.exists(path):
    told = {"found": {"records": len(open(path).readlines()) - 1}}
print(json.dumps(told))"""


class QuickLooks(Looks):
    """Looks by a small program, which know how many processes they started."""

    started = 0

    def _process(self) -> subprocess.Popen[bytes]:
        self.started += 1
        line = [sys.executable, "-I", "-S", "-c", COUNTING]
        return subprocess.Popen(line, cwd=self._folder, stdin=PIPE, stdout=PIPE)


@pytest.fixture
def looks(tmp_path: Path) -> Iterator[QuickLooks]:
    """Looks at a folder with one small file."""
    (tmp_path / "a.csv").write_text("age,sex\n31,m\n42,f\n53,m\n")
    found = QuickLooks(tmp_path)
    yield found
    found.stop()
    with found._turn:  # whoever still reads the end of a process has done so
        pass


def asked(looks: Looks, path: str = "a.csv", owner: str = "census") -> LookAnswer:
    return looks.at("file", owner, path=path, paths=[path], options=OPTIONS)


def answered(looks: Looks, path: str = "a.csv", owner: str = "census") -> LookAnswer:
    """The answer, once it is there."""
    until(lambda: not asked(looks, path, owner).waiting)
    return asked(looks, path, owner)


def test_an_answer_comes_later_and_is_remembered(looks: QuickLooks) -> None:
    assert asked(looks).waiting
    found = answered(looks).found
    assert found is not None
    assert found["records"] == 3
    assert looks.started == 1
    assert answered(looks, owner="another").found == found
    assert looks.started == 1, "whoever asks"


def test_a_file_that_changed_is_read_again(looks: QuickLooks, tmp_path: Path) -> None:
    answered(looks)
    (tmp_path / "a.csv").write_text("age\n31\n")
    found = answered(looks).found
    assert found is not None
    assert found["records"] == 1
    status = (tmp_path / "a.csv").stat()
    (tmp_path / "a.csv").write_text("age\n32\n")  # of the same size
    os.utime(tmp_path / "a.csv", ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    answered(looks)
    assert looks.started == 3


@pytest.mark.parametrize(
    "content", [None, b"", b"\x00\x01\x02", b"PAR1 nothing", b"age,age\n1,2\n", b"\xff\xfe\x00", b"age\n"]
)
def test_a_missing_or_broken_file_is_an_error_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None
) -> None:
    name = "b.parquet" if content is not None and content.startswith(b"PAR1") else "b.csv"
    if content is not None:
        (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    told = answer({"what": "file", "path": name, "options": OPTIONS})
    assert set(told) == {"error", "kind"}
    assert told["error"]
    assert "\n" not in told["error"]
    assert "Traceback" not in told["error"]


def test_an_error_is_forgotten_and_an_answer_is_not(looks: QuickLooks, tmp_path: Path) -> None:
    answered(looks)
    assert answered(looks, "b.csv").error
    assert answered(looks, "b.csv").error
    assert looks.started == 2, "until somebody says that it was mended, the error stands"
    looks.forget()
    assert asked(looks, "b.csv").waiting
    assert answered(looks, "b.csv").error
    assert answered(looks).found
    assert looks.started == 3


def test_an_old_look_of_the_same_owner_is_ended(looks: QuickLooks, tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_text("age\n31\n33\n")
    (tmp_path / "slow-a.csv").touch()
    asked(looks)
    until(lambda: looks._processes)
    ((_, process),) = looks._processes.values()
    asked(looks, "b.csv")
    assert process.wait(timeout=10) != 0
    (tmp_path / "slow-a.csv").unlink()
    found = answered(looks, "b.csv").found
    assert found is not None
    assert found["records"] == 2
    assert answered(looks).found, "who asks for the first one again gets its answer, and no error"


def test_a_look_that_was_ended_does_not_answer_for_the_next(looks: QuickLooks, tmp_path: Path) -> None:
    """The same question may be asked again before the process of the first one is gone."""
    (tmp_path / "slow-a.csv").touch()
    asked(looks)
    until(lambda: looks._processes)
    with looks._lock:
        looks._end("census file")
    assert asked(looks).waiting
    (tmp_path / "slow-a.csv").unlink()
    while (seen := asked(looks)).waiting:
        time.sleep(0.001)
    assert not seen.error
    assert seen.found


def test_looks_of_two_owners_do_not_end_each_other(looks: QuickLooks, tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_text("age\n31\n33\n")
    asked(looks, owner="one")
    asked(looks, "b.csv", owner="two")
    assert answered(looks, owner="one").found
    assert answered(looks, "b.csv", owner="two").found
    assert looks.started == 2


def test_so_many_answers_are_remembered(looks: QuickLooks, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST", 1)
    answered(looks)
    answered(looks, "b.csv")
    assert len(looks._seen) == 1
    assert asked(looks).waiting
    answered(looks)


def test_a_look_that_takes_too_long_is_ended(looks: QuickLooks, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LONGEST", 0.01)
    monkeypatch.setattr(sys.modules[__name__], "COUNTING", "import time; time.sleep(60)")
    assert "15 minutes" in answered(looks).error


def test_a_short_question_is_answered_at_once(looks: QuickLooks, tmp_path: Path) -> None:
    assert looks.now("file", path="a.csv", options=OPTIONS) == {"records": 3}
    with pytest.raises(DataError, match=r"b\.csv"):
        looks.now("file", path="b.csv", options=OPTIONS)


def test_a_page_waits_shows_and_reads_again(tmp_path: Path) -> None:
    """As a browser does it, with real processes: first the page, then its part until the answer is there."""
    (tmp_path / "a.csv").write_text("age,sex\n31,m\n42,f\n53,m\n")
    browser = Browser(tmp_path, looks=Looks)
    begun(browser, "census", "a.csv")
    page = "/p/census/files"
    assert 'data-poll="?part=seen"' in browser.get(page).text
    until(lambda: "data-poll" not in browser.get(page, part="seen").text)
    assert "3 records, 2 columns" in browser.get(page).text
    (tmp_path / "a.csv").unlink()
    until(lambda: "data-poll" not in browser.get(page, part="seen").text)
    text = browser.get(page).text
    assert "Try again" in text
    assert "Traceback" not in text
    (tmp_path / "a.csv").write_text("age\n31\n")
    assert browser.get(page, again="1").status_code == 200
    until(lambda: "data-poll" not in browser.get(page, part="seen").text)
    assert "1 records, 1 columns" in browser.get(page).text
    browser.desk.looks.stop()
