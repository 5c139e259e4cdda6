"""Commands that are interrupted, terminated and killed at random moments: every file is whole, absent or as
before, the inputs are untouched, and the next start leaves nothing of the last one.
"""

from __future__ import annotations

import io
import random
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tests.cli.console import csv, people
from tests.hostile import made
from tests.hostile.bench import Bench
from tests.hostile.clean import FILES
from tests.hostile.trial import OwnRules, Trial, content, put
from unmask.data.io import read

KIND = "kills"

BIG = csv(people(20_000))
#: Commands that write, all kinds of outputs.
COMMANDS: dict[str, str] = {
    "assess": "assess original.csv released.csv --attacks guess,dbrl,prl --json risk.json --html risk.html"
    " --records records.parquet --save-request saved.toml",
    "knowledge": "knowledge original.csv released.csv --size 2 --json risk.json --html risk.html",
    "check": "check original.csv released.csv -o both2.toml --json risk.json",
    "describe": "describe big.csv -o out.toml",
    "start": "start original.csv released.csv --yes --out made",
    "run": "run request.toml --json risk.json --html risk.html --records records.csv",
    "report": "report assessment.json -o risk.html",
    "ledger-new": "ledger add new.db released.csv --original original.csv",
    "ledger-add": "ledger add book.db second.csv --original original.csv",
    "ledger-assess": "ledger assess book.db original.csv second.csv --earlier released.csv --attacks dbrl"
    " --json risk.json --html risk.html",
    **{
        f"mask-{suffix}": f"mask big.csv --mask noise:a=0.1 -o out.{suffix} --write-schema out.toml"
        for suffix in ("csv", "csv.gz", "tsv", "parquet", "arrow", "xlsx", "sav", "zsav", "dta", "xpt")
    },
}
SIGNALS = {"interrupt": signal.SIGINT, "terminate": signal.SIGTERM, "kill": signal.SIGKILL}
ROUNDS = 4
#: What a command that was ended in time may say, and the codes it may end with.
WORDS = re.compile(r"(interrupted\n|terminated\n|Aborted!?\n)?")
CODES = {signal.SIGINT: {130, -2}, signal.SIGTERM: {143, -15}, signal.SIGKILL: {-9}}
TABLES = (".csv", ".csv.gz", ".tsv", ".parquet", ".arrow", ".xlsx", ".sav", ".zsav", ".dta", ".xpt")

_undisturbed: dict[tuple[int, str], tuple[float, dict[str, bytes | None]]] = {}


@dataclass(frozen=True)
class Kill(OwnRules):
    """A command that gets a signal when a share of its usual time has passed.

    ``there``: its outputs are there already, from before.
    """

    kind = KIND

    command: str
    how: str
    moment: float
    there: bool

    @property
    def name(self) -> str:
        return f"kill/{self.command}-{self.how}-at-{self.moment:.3f}{'-again' if self.there else ''}"

    @property
    def shown(self) -> str:
        return f"unmask {COMMANDS[self.command]} ({self.how} at {self.moment:.3f} of its time)"

    def wrongs(self, bench: Bench) -> Iterator[str]:
        seconds, reference = self._undisturbed(bench)
        folder = bench.folder(_files())
        outputs = {name for name in reference if reference[name] != _before().get(name)}
        if self.there:
            # But for ledgers, which are not written over.
            again = [n for n in outputs if n not in _before() and "/" not in n and not n.endswith(".db")]
            put(folder, dict.fromkeys(again, b"from before\n"))
        before = content(folder)
        process = _start(bench, self.command)
        time.sleep(seconds * self.moment)
        process.send_signal(SIGNALS[self.how])
        _, err = process.communicate()
        yield from self._ending(process.returncode, err)
        after = content(folder)
        yield from _changes(before, after, reference, outputs)
        yield from _next(bench, self.command, reference, outputs, before)

    def _undisturbed(self, bench: Bench) -> tuple[float, dict[str, bytes | None]]:
        """How long the command takes and what it leaves when nobody disturbs it."""
        key = (id(bench), self.command)
        if key not in _undisturbed:
            folder = bench.folder(_files())
            begun = time.monotonic()
            process = _start(bench, self.command)
            _, err = process.communicate()
            assert process.returncode == 0, err
            _undisturbed[key] = time.monotonic() - begun, content(folder)
            bench.clear()
        return _undisturbed[key]

    def _ending(self, code: int, err: str) -> Iterator[str]:
        if code not in {0, *CODES[SIGNALS[self.how]]}:
            yield f"ends with code {code}: {err.strip()[-200:]}"
        elif "Traceback" in err:
            yield f"prints a traceback: {err.strip().splitlines()[-1][:200]}"
        elif code and not WORDS.fullmatch(err):
            yield f"says other things than that it was ended: {err.strip()[-200:]}"


def _start(bench: Bench, command: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", "from unmask.cli import main; main()", *shlex.split(COMMANDS[command])],
        cwd=bench.work,
        env=bench.environment | {"UNMASK_STORE_AFTER": "0"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _files() -> dict[str, str | bytes]:
    return {**FILES, **made.documents(), "big.csv": BIG, "made/.keep": ""}


def _before() -> Mapping[str, bytes | None]:
    return {name: held if isinstance(held, bytes) else held.encode() for name, held in _files().items()}


def _changes(
    before: Mapping[str, bytes | None],
    after: Mapping[str, bytes | None],
    reference: Mapping[str, bytes | None],
    outputs: set[str],
) -> Iterator[str]:
    """What the disk tells after a command was ended."""
    for name, held in before.items():
        if name not in outputs and after.get(name) != held:
            yield f"{name} was changed"
    for name in outputs & after.keys():
        found = after[name]
        if found == before.get(name) or _same(name, found, reference[name]):
            continue
        if name.endswith(".db") and found is not None and found.startswith(b"SQLite format 3"):
            continue  # what is in it is seen below
        yield f"{name} is neither whole nor as before"


def _next(
    bench: Bench,
    command: str,
    reference: Mapping[str, bytes | None],
    outputs: set[str],
    before: Mapping[str, bytes | None],
) -> Iterator[str]:
    """The same command again, to its end."""
    if command == "start":  # which asks before it writes over what is there
        for name in outputs:
            (bench.work / name).unlink(missing_ok=True)
    process = _start(bench, command)
    _, err = process.communicate()
    recorded = command.startswith("ledger-") and "already" in err
    if process.returncode != 0 and not recorded:
        yield f"the next start ends with code {process.returncode}: {err.strip()[-200:]}"
    after = content(bench.work)
    for name in outputs:
        same = _same(name, after.get(name), reference[name])
        if not same:
            yield f"{name} of the next start is not what it should be"
    left = sorted(name for name in after.keys() - reference.keys() - before.keys())
    left += bench.left()
    if left:
        yield f"left behind after the next start: {', '.join(left)}"
    bench.clear()


def _same(name: str, found: bytes | None, reference: bytes | None) -> bool:
    """The same bytes, or a table of the same values: some formats write down the time."""
    if found == reference:
        return True
    if found is None or reference is None:
        return False
    if name.endswith(".db"):
        return _entries(found) == _entries(reference)
    if name.endswith(".unmask.toml"):
        return re.sub(rb'sha256 = "\w+"', b"", found) == re.sub(rb'sha256 = "\w+"', b"", reference)
    return name.endswith(TABLES) and _table(name, found) == _table(name, reference)


def _table(name: str, held: bytes) -> object:
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(held)
        try:
            frame = read(path).frame
        except Exception:
            return None
        stream = io.BytesIO()
        frame.write_csv(stream)
        return stream.getvalue()


def _entries(held: bytes) -> object:
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(held)
        try:
            return connection.execute("SELECT number, label, sha256, records FROM release").fetchall()
        except sqlite3.DatabaseError as error:
            return str(error)


def trials(seed: int) -> Sequence[Trial]:
    """Every command with every signal, at moments over all of its time and more at its end."""
    chance = random.Random(f"{seed} kills")
    return [
        Kill(command, how, chance.uniform(0, 1.05) if place % 2 else chance.uniform(0.7, 1.02), place > 1)
        for command in COMMANDS
        for how in SIGNALS
        for place in range(ROUNDS)
    ]
