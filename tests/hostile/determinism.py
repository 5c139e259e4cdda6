"""One request under other circumstances (threads, blocks, hash seeds, formats, orders): one table."""

from __future__ import annotations

import json
import random
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.hostile.bench import Bench
from tests.hostile.clean import COLUMNS, ORIGINAL, RELEASED, Rows, text
from tests.hostile.numbers import differences
from tests.hostile.sentinels import tables
from tests.hostile.trial import OwnRules, Trial

KIND = "other circumstances"

BASE = "assess original.csv released.csv --truth id --json risk.json"
#: The request made in Python, with an engine that is told its threads and blocks.
ENGINE = """
from unmask import Request, RequestFiles, run
from unmask.engines import LocalEngine
made = run(Request(RequestFiles("original.csv", "released.csv", truth="id")),
           engine=LocalEngine(threads={threads}, block={block}))
made.to_json("risk.json")
"""
COMMAND_LINE = "from unmask.cli import main; main()"
FORMATS = (
    ".parquet",
    ".xlsx",
    ".sav",
    ".dta",
    ".db",
    ".rds",
    ".tsv",
    ".arrow",
    ".zsav",
    ".xpt",
    ".rda",
)


def _shuffled(rows: Rows, seed: int) -> Rows:
    return random.Random(seed).sample(list(rows), len(rows))


def _columns(rows: Rows, names: Sequence[str]) -> Rows:
    return [{name: row[name] for name in names} for row in rows]


CLEAN = {"original.csv": text(ORIGINAL), "released.csv": text(RELEASED)}
_known: dict[tuple[int, tuple[str, ...]], Mapping[str, Any]] = {}


@dataclass(frozen=True)
class Sameness(OwnRules):
    """A variant of a request whose table must be that of the plain one."""

    kind = KIND

    what: str
    command: str = BASE
    files: Mapping[str, str | bytes] = field(default_factory=lambda: CLEAN)
    environment: Mapping[str, str] = field(default_factory=dict)
    program: str | None = None  # a Python program instead of the worker
    plain: str = BASE

    @property
    def name(self) -> str:
        return f"same/{self.what}"

    @property
    def shown(self) -> str:
        return f"unmask {self.command}"

    def wrongs(self, bench: Bench) -> Iterator[str]:
        key = (id(bench), tuple(self.plain.split()))
        if key not in _known:
            _known[key] = json.loads(bench.run(tuple(self.plain.split()), CLEAN).after["risk.json"] or b"")
        found, err = self._document(bench)
        if found is None:
            yield f"no result: {err.strip()[-300:]}"
        else:
            yield from sorted(differences(_known[key], json.loads(found)))[:12]

    def _document(self, bench: Bench) -> tuple[bytes | None, str]:
        if self.program is None:
            ran = bench.run(tuple(shlex.split(self.command)), self.files, self.environment)
            return ran.after.get("risk.json"), ran.err
        folder = bench.folder(self.files)
        done = subprocess.run(
            [sys.executable, "-c", self.program, *shlex.split(self.command)],
            cwd=folder,
            env=bench.environment | dict(self.environment),
            capture_output=True,
            text=True,
            check=False,
        )
        path = folder / "risk.json"
        return path.read_bytes() if path.exists() else None, done.stderr


def _engines() -> Iterator[Sameness]:
    for threads in (1, 2, 5):
        yield Sameness(f"threads-{threads}", f"{BASE} --threads {threads}")
    for threads, block in ((1, 1), (1, 7), (2, 1), (2, 13), (2, 1000)):
        program = ENGINE.format(threads=threads, block=block)
        yield Sameness(f"block-{block}-on-{threads}-threads", program=program)


def _surroundings() -> Iterator[Sameness]:
    variables: dict[str, dict[str, str]] = {
        **{f"hash-seed-{seed}": {"PYTHONHASHSEED": str(seed)} for seed in (0, 1, 12345)},
        "optimized": {"PYTHONOPTIMIZE": "2"},
        "plain-locale": {"LC_ALL": "C", "PYTHONUTF8": "0"},
        "another-time-zone": {"TZ": "Pacific/Kiritimati"},
        "a-narrow-terminal": {"COLUMNS": "20"},
        "one-thread-in-libraries": {
            "OMP_NUM_THREADS": "1",
            "POLARS_MAX_THREADS": "1",
            "NUMBA_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
        },
        "kept-parts": {"UNMASK_STORE_AFTER": "0"},
    }
    for name, environment in variables.items():
        yield Sameness(name, environment=environment, program=COMMAND_LINE)


def _formats() -> Iterator[Sameness]:
    for suffix in FORMATS:
        made: Callable[[str], str | bytes] = lambda name, s=suffix: tables(s)[f"{name}{s}"]  # noqa: E731
        both = {f"original{suffix}": made("original"), f"released{suffix}": made("released")}
        files = {**CLEAN, **both}
        names = {
            "released": ("original.csv", f"released{suffix}"),
            "original": (f"original{suffix}", "released.csv"),
            "both": (f"original{suffix}", f"released{suffix}"),
        }
        for which, (original, released) in names.items():
            command = f"assess {original} {released} --truth id --json risk.json"
            yield Sameness(f"{suffix[1:]}-{which}", command, files)


def _orders(seed: int) -> Iterator[Sameness]:
    for number in range(3):
        left, right = (text(_shuffled(rows, seed + 7 * number)) for rows in (ORIGINAL, RELEASED))
        yield Sameness(f"released-shuffled-{number}", files={**CLEAN, "released.csv": right})
        yield Sameness(f"original-shuffled-{number}", files={**CLEAN, "original.csv": left})
        other = text(_shuffled(RELEASED, seed + 7 * number + 1))
        yield Sameness(f"both-shuffled-{number}", files={"original.csv": left, "released.csv": other})
        names = random.Random(seed + number).sample(COLUMNS, len(COLUMNS))
        files = {
            "original.csv": text(_columns(ORIGINAL, names)),
            "released.csv": text(_columns(RELEASED, names)),
        }
        yield Sameness(f"columns-{number}-released", files={**CLEAN, "released.csv": files["released.csv"]})
        yield Sameness(f"columns-{number}-both", files=files)
    few = "--attacks dbrl,prl,rbrl-max --measures sadr,interval-rank,reidentification"
    turned = "--attacks rbrl-max,prl,dbrl --measures reidentification,interval-rank,sadr"
    yield Sameness("attacks-in-another-order", f"{BASE} {turned}", plain=f"{BASE} {few}")


def trials(seed: int) -> Sequence[Trial]:
    """All circumstances."""
    return [*_engines(), *_surroundings(), *_formats(), *_orders(seed)]
