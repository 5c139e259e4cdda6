"""Projects and their runs as files: whoever made them, whatever is damaged, and two servers of one folder."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ordinary_user import as_ordinary_user
from tests.web.client import Browser, at_work, begun, until
from unmask.web import run as runs
from unmask.web import serving
from unmask.web.jobs import Jobs
from unmask.web.run import RunFolder, RunState
from unmask.web.serving import Address, Manner

P = "/p/census"


@pytest.fixture
def run(browser: Browser) -> RunFolder:
    """A run that was asked for and not begun."""
    project = begun(browser, "census", "people.csv", "released.csv")
    found = runs.new_run(project.folder / "runs")
    runs.give(found, "register", "Work", [["--version"]])
    return found


def told(run: RunFolder, code: int, message: str = "") -> None:
    """The run ended in this way."""
    (run.folder / "started").touch()
    (run.folder / "outcome.json").write_text(json.dumps({"code": code, "message": message, "seconds": 1.5}))


@pytest.mark.parametrize(
    ("code", "state"),
    [
        (0, RunState.DONE),
        (3, RunState.DONE),
        (1, RunState.FAILED),
        (2, RunState.FAILED),
        (143, RunState.FAILED),
        (-9, RunState.BROKEN_OFF),
    ],
)
def test_how_a_run_ended_is_told_by_its_code(run: RunFolder, code: int, state: RunState) -> None:
    assert run.state is RunState.WAITING
    told(run, code)
    assert run.state is state


@pytest.mark.parametrize("code", [0, 2, -9])
def test_a_run_that_ended_is_not_cancelled_any_more(browser: Browser, run: RunFolder, code: int) -> None:
    told(run, code, "what was wrong")
    before = run.state
    assert browser.post(f"{P}/runs/{run.name}/cancel").status_code == 303
    assert run.state is before


def test_a_run_that_goes_on_is_not_begun_anew(browser: Browser, run: RunFolder) -> None:
    (run.folder / "started").touch()
    assert run.state is RunState.BROKEN_OFF
    assert browser.post(f"{P}/runs/{run.name}/again").status_code == 303
    assert run.state is RunState.WAITING
    assert browser.post(f"{P}/runs/{run.name}/again").status_code == 303
    assert run.state is RunState.WAITING
    assert browser.post(f"{P}/runs/0009/again").status_code == 422


def test_two_servers_of_a_folder_do_a_run_once(browser: Browser, run: RunFolder) -> None:
    """Else a release would be recorded twice."""
    (browser.root / "note.csv").write_text("age\n1\n2\n")
    step = ["describe", "note.csv", "-o", "schema.toml"]
    runs.give(run, "register", "Work", [step])
    other = Jobs(browser.root, browser.desk.runs)
    for jobs in (browser.desk.jobs, other):
        jobs._begin(run)
    processes = [jobs._processes[run.folder] for jobs in (browser.desk.jobs, other)]
    until(lambda: run.over)
    assert int((run.folder / "group").read_text()) in {process.pid for process in processes}
    written = (run.folder / "outcome.json").stat().st_mtime_ns
    assert [process.wait() for process in processes] == [0, 0]
    assert (run.folder / "outcome.json").stat().st_mtime_ns == written
    assert run.state is RunState.DONE


def test_the_group_is_that_of_who_does_the_work(browser: Browser, run: RunFolder) -> None:
    """Who cancels it signals this group: one of a process that only waits would be the wrong one."""
    with at_work(browser):
        until(lambda: run.over)
    group = int((run.folder / "group").read_text())
    told(run, -9)
    (run.folder / "outcome.json").unlink()
    runs.again(run)
    assert not (run.folder / "group").exists(), "a number of long ago may be another's"
    assert group > 1


def test_runs_stand_by_their_numbers(browser: Browser, run: RunFolder) -> None:
    folder = run.folder.parent
    for name in ("9999", "10000", "0002", "nonsense", "12x"):
        (folder / name).mkdir()
    names = [one.name for one in browser.project("census").runs()]
    assert names == ["0001", "0002", "9999", "10000"]
    assert runs.new_run(folder).name == "10001"
    assert browser.get(f"{P}/run").status_code == 200


def test_two_tabs_get_two_runs(browser: Browser, run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = run.folder.parent
    iterdir = Path.iterdir
    monkeypatch.setattr(Path, "iterdir", lambda path: iter([]) if path == folder else iterdir(path))
    assert runs.new_run(folder).name == "0002", "the number that is taken is not given again"


def test_a_report_that_is_no_text_is_said_in_one_line(reader: Browser) -> None:
    (reader.project("census").run("0001").folder / "report.html").write_bytes(b"\xff\xfe\x00")
    answer = reader.get(f"{P}/runs/0001/result")
    assert answer.status_code == 404
    assert "not UTF-8" in answer.text


def test_a_folder_of_others_does_not_hide_the_projects(browser: Browser, run: RunFolder) -> None:
    """On a shared disk there are folders that nobody else may look into."""
    (browser.root / "private" / "runs").mkdir(parents=True)
    (browser.root / "private").chmod(0)
    code = """if True:
        import sys
        from pathlib import Path
        from unmask.web.place import Place
        from unmask.web.project import projects
        from unmask.web.visit import Desk
        desk = Desk(Place.of(Path(sys.argv[1])))
        print([one.name for one in projects(desk.place)], [one.name for one in desk.runs()])
        print(desk.place.listing("").folders)
    """
    try:
        found = as_ordinary_user("-c", code, str(browser.root))
    finally:
        (browser.root / "private").chmod(0o700)
    assert found.returncode == 0, found.stderr
    assert found.stdout.splitlines()[0] == "['census'] ['0001']"


@pytest.mark.parametrize(
    ("address", "taken", "host"),
    [
        (Address(), 40123, "127.0.0.1:40123"),
        (Address("localhost"), 40123, "localhost:40123"),
        (Address(), 80, "127.0.0.1"),
        (Address(), 80, "localhost:80"),
    ],
)
def test_the_names_under_which_a_server_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: Address, taken: int, host: str
) -> None:
    """A browser leaves the port out where it is the usual one."""
    given: list[tuple[str, ...]] = []
    said: list[str] = []

    class Listening:
        def getsockname(self) -> tuple[str, int]:
            return "127.0.0.1", taken

    class Server:
        def __init__(self, _: object) -> None: ...
        def run(self, sockets: object) -> None: ...

    def application(_: object, hosts: tuple[str, ...]) -> None:
        given.append(hosts)

    monkeypatch.setattr(serving, "_listening", lambda _: Listening())
    monkeypatch.setattr(serving, "application", application)
    monkeypatch.setattr(serving.uvicorn, "Server", Server)
    monkeypatch.setattr(serving.uvicorn, "Config", lambda *_, **__: None)
    serving.serve(tmp_path, address, Manner(browser=False, readonly=False, say=said.append))
    assert host in given[0]
    assert given[0][0].endswith(f":{taken}"), "the cookie is called after the port"
    assert not [line for line in said if line.startswith("warning")]


def test_an_address_that_is_taken_is_refused_in_a_line(tmp_path: Path) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        line = [sys.executable, "-m", "unmask", "serve", str(tmp_path), "--no-browser", "--port"]
        found = subprocess.run(
            [*line, str(taken.getsockname()[1])], capture_output=True, text=True, check=False, timeout=60
        )
    assert found.returncode == 2
    assert found.stderr.count("\n") == 1
    assert "cannot be used" in found.stderr
