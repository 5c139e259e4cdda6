"""The pages while a job runs: `python -m bench.web [--records 1000000]`.

The people of the bundled example and their rank-swapped release; a server in a process of its own, and an
assessment of all of them that it started. Meanwhile every page is asked for in turn: milliseconds until the
first byte of the answer (median, 95th percentile, largest). Then the job is cancelled: seconds until its
processes are gone, with their memory.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import numpy as np

from bench.default import made
from bench.study import resident
from unmask.assessment.request import Request, RequestFiles
from unmask.web.place import Place
from unmask.web.project import Project, new_project

PAGES = ("files", "columns", "intruder", "run", "result", "protect", "register", "runs/0001?part=seen")
PROJECT = "million"


class Browser:
    """Somebody at the pages: keeps the cookie and the token of forms."""

    def __init__(self, link: str) -> None:
        self.base = link.partition("/open")[0]
        self.client = httpx.Client(base_url=self.base, headers={"origin": self.base}, timeout=120)
        self.client.get(link)
        self.token = _hidden(self.client.get("/").text, "form_token")

    def first_byte(self, path: str) -> float:
        """Milliseconds until an answer begins."""
        begun = time.perf_counter()
        with self.client.stream("GET", path) as answer:
            next(answer.iter_raw(), b"")
        return 1000 * (time.perf_counter() - begun)

    def post(self, path: str, **fields: str) -> httpx.Response:
        """A form."""
        return self.client.post(path, data={"form_token": self.token, **fields})


def _hidden(page: str, name: str) -> str:
    found = re.search(f'name="{name}" value="([^"]+)"', page)
    assert found is not None, f"the page has no {name}"
    return found[1]


def started(folder: Path) -> tuple[subprocess.Popen[str], Browser]:
    """A server, and somebody who opened its link."""
    command = [sys.executable, "-m", "unmask", "serve", str(folder), "--no-browser"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    link = next(line.split()[-1] for line in server.stderr if line.startswith("open "))
    return server, Browser(link)


def looked(browser: Browser) -> None:
    """Wait until every page has what it shows: reading a million records takes its time."""
    for page in ("files", "columns", "run"):
        while "data-poll" in browser.client.get(f"/p/{PROJECT}/{page}?part=seen").text:
            time.sleep(0.5)


def at_work(project: Project, seconds: float) -> int:
    """Wait until the job has worked so long; the number of its group of processes."""
    while not project.runs() or project.runs()[0].progress.part in ("", "reading"):
        time.sleep(0.2)
    time.sleep(seconds)
    return int((project.runs()[0].folder / "group").read_text())


def measured(browser: Browser, rounds: int) -> dict[str, list[float]]:
    """Milliseconds of each page, asked for in turn."""
    found: dict[str, list[float]] = {page: [] for page in ("", *PAGES)}
    for _ in range(rounds):
        for page, times in found.items():
            times.append(browser.first_byte(f"/p/{PROJECT}/{page}" if page else "/"))
    return found


def main() -> None:
    """Make the files, serve them, ask, cancel."""
    parser = argparse.ArgumentParser(prog="python -m bench.web", description=__doc__)
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    with TemporaryDirectory() as name:
        place = Place.of(Path(name))
        project = new_project(place, PROJECT)
        made(project.folder, options.records)
        files = RequestFiles(project.path("original.csv"), project.path("released.csv"), truth="rows")
        project.save(Request(files, full=True))
        server, browser = started(place.root)
        try:
            looked(browser)
            quiet = measured(browser, 3)
            version = _hidden(browser.client.get(f"/p/{PROJECT}/run").text, "version")
            browser.post(f"/p/{PROJECT}/run", version=version, then="start", time="full", methods="usual")
            group = at_work(project, 5)
            busy = measured(browser, options.rounds)
            print(f"{options.records:,} records; milliseconds until the first byte")
            print(f"  {'page':20} {'no job':>8} {'median':>8} {'95%':>8} {'largest':>8}")
            for page, times in busy.items():
                low, high = np.quantile(times, (0.5, 0.95))
                shown = page or "(first page)"
                print(f"  {shown:20} {min(quiet[page]):8.0f} {low:8.0f} {high:8.0f} {max(times):8.0f}")
            memory, begun = resident(group), time.perf_counter()
            browser.post(f"/p/{PROJECT}/runs/0001/cancel")
            while resident(group):
                time.sleep(0.01)
            print(f"cancelled: {memory:,.0f} MB free after {time.perf_counter() - begun:.2f} s")
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
