"""What wide files and long lists of categories take: `python -m bench.wide [RECORDS] [CASE ...]`.

Each case makes its two files and runs `unmask check` and `unmask assess` on them (with a record table, a
report and a document), each in a fresh process, and prints the CPU seconds, the peak memory, and the outcome:
finished, with how many notes, or refused, with the line that says what to do. A process that takes more than
4 GB, or longer than its patience, is ended and said to be.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl

Files = tuple[pl.DataFrame, pl.DataFrame]
Rng = np.random.Generator

#: What a process may take, in bytes and in seconds of wall clock.
MEMORY, PATIENCE = 4 * 2**30, 1800.0


@dataclass(frozen=True)
class Case:
    """Two files, and what the intruder knows: attributes by name, or what unmask takes by default."""

    name: str
    make: Callable[[int, Rng], Files]
    known: str = ""


def numbers(rng: Rng, n: int, names: list[str]) -> Files:
    """Correlated numbers, and the same with noise of a tenth of a standard deviation."""
    common = rng.normal(size=n)
    columns = {name: np.round(100 * np.exp(0.5 * (common + rng.normal(size=n)) / 2), 2) for name in names}
    noisy = {name: np.round(x + 0.1 * x.std() * rng.normal(size=n), 2) for name, x in columns.items()}
    return pl.DataFrame(columns), pl.DataFrame(noisy)


def categories(rng: Rng, n: int, names: list[str], of: int = 12, changed: float = 0.1) -> Files:
    """Categories of uneven frequency, and the same with a share of them drawn again (PRAM)."""
    shares = rng.dirichlet(np.ones(of))
    words = np.array([f"c{i:02d}" for i in range(of)])
    drawn = {name: rng.choice(of, size=n, p=shares) for name in names}
    again = {
        name: np.where(rng.random(n) < changed, rng.choice(of, size=n, p=shares), x)
        for name, x in drawn.items()
    }
    return (
        pl.DataFrame({name: words[x] for name, x in drawn.items()}),
        pl.DataFrame({name: words[x] for name, x in again.items()}),
    )


def beside(*files: Files) -> Files:
    """The columns of several files, one after the other."""
    return (
        pl.concat([one for one, _ in files], how="horizontal"),
        pl.concat([other for _, other in files], how="horizontal"),
    )


def mixed(d: int) -> Callable[[int, Rng], Files]:
    """As many attributes, half numbers and half categories."""

    def make(n: int, rng: Rng) -> Files:
        half = d // 2
        return beside(
            numbers(rng, n, [f"x{i}" for i in range(half)]),
            categories(rng, n, [f"k{i}" for i in range(d - half)]),
        )

    return make


def all_numbers(d: int) -> Callable[[int, Rng], Files]:
    """As many attributes, all numbers."""
    return lambda n, rng: numbers(rng, n, [f"x{i}" for i in range(d)])


def all_categories(d: int) -> Callable[[int, Rng], Files]:
    """As many attributes, all categories."""
    return lambda n, rng: categories(rng, n, [f"k{i}" for i in range(d)])


def places(rng: Rng, n: int, how: str, of: int = 100_000) -> Files:
    """A nominal attribute of as many categories: unchanged, cut short, drawn again (PRAM) or swapped."""
    words = np.array([f"Q{chr(65 + i % 26)}{chr(65 + i // 26 % 26)} {i:06d}" for i in range(of)])
    original = pl.Series("place", words[rng.integers(0, of, size=n)])
    if how == "recoded":
        return original.to_frame(), original.str.slice(0, 3).alias("place").to_frame()
    released = original.to_numpy().copy()
    chosen = np.flatnonzero(rng.random(n) < 0.2)
    if how == "pram":
        released[chosen] = words[rng.integers(0, of, size=len(chosen))]
    if how == "swapped":
        released[chosen] = released[rng.permutation(chosen)]
    return original.to_frame(), pl.DataFrame({"place": released})


def nominal(how: str, others: bool) -> Callable[[int, Rng], Files]:
    """A nominal attribute of 100,000 categories, beside eight others that are known or one that is not."""

    def make(n: int, rng: Rng) -> Files:
        files = places(rng, n, how)
        few = mixed(8)(n, rng) if others else numbers(rng, n, ["income"])
        return beside(files, few)

    return make


def distinct(n: int, rng: Rng) -> Files:
    """Two columns in which nearly every value is another, a number and a grade, and five others."""
    grade = rng.permutation(max(n, 100_000))[:n]
    rank = pl.DataFrame({"grade": grade})
    moved = pl.DataFrame({"grade": np.clip(grade + rng.integers(-50, 51, size=n), 0, None)})
    return beside((rank, moved), numbers(rng, n, ["pay"]), mixed(5)(n, rng))


def texts(n: int, rng: Rng) -> Files:
    """Three columns of free text of 200 characters, one of them changed, and six others."""
    letters = np.frombuffer(b"abcdefghijklmnopqrstuvwxyz      ", dtype=np.uint8)
    drawn = letters[rng.integers(0, len(letters), size=(n, 3 * 200))]
    columns = {
        f"text{i}": [row.tobytes().decode() for row in drawn[:, 200 * i : 200 * (i + 1)]] for i in range(3)
    }
    original = pl.DataFrame(columns)
    released = original.with_columns(pl.col("text1").str.slice(0, 150))
    return beside((original, released), mixed(6)(n, rng))


def wide(n: int, rng: Rng) -> Files:
    """2,000 columns, half numbers and half categories, one of them confidential."""
    return beside(mixed(1999)(n, rng), categories(rng, n, ["diagnosis"], of=6))


TEN = ",".join([*(f"x{i}" for i in range(5)), *(f"k{i}" for i in range(5))])
EIGHT = ",".join(["place", *(f"x{i}" for i in range(4)), *(f"k{i}" for i in range(4))])
CASES = (
    Case("2,000 columns, 10 known", wide, TEN),
    Case("2,000 columns, all by default", wide),
    Case("100 numbers", all_numbers(100), ",".join(f"x{i}" for i in range(100))),
    Case("100 categories", all_categories(100), ",".join(f"k{i}" for i in range(100))),
    Case("100 mixed", mixed(100)),
    *(
        case
        for how in ("unchanged", "recoded", "pram", "swapped")
        for case in (
            Case(f"100,000 categories {how}, alone", nominal(how, False), "place"),
            Case(f"100,000 categories {how}, among 8", nominal(how, True), EIGHT),
        )
    ),
    Case("100,000 distinct values", distinct),
    Case("100,000 distinct values, 4 known", distinct, "grade,pay,x0,k0"),
    Case("texts of 200 characters", texts),
    Case("texts of 200 characters, known", texts, "text0,text1,x0,x1,k0"),
)


def ended(command: list[str], patience: float) -> tuple[int, float, float, str]:
    """The exit code of a command, its CPU seconds, its peak memory in MB, and what it wrote to stderr."""
    with TemporaryDirectory() as folder:
        told = Path(folder) / "stderr"
        with told.open("wb") as errors:
            child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
            began = time.monotonic()
            while True:
                pid, status, usage = os.wait4(child.pid, os.WNOHANG)
                if pid:
                    break
                if resident(child.pid) > MEMORY or time.monotonic() - began > patience:
                    child.kill()
                time.sleep(0.1)
        child.returncode = os.waitstatus_to_exitcode(status)
        text = told.read_text(encoding="utf-8", errors="replace")
    return child.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, text


def resident(pid: int) -> int:
    """The bytes of memory that a process holds."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def outcome(code: int, text: str) -> str:
    """What became of a command, in one line."""
    if "Traceback" in text:
        return f"TRACEBACK {text.strip().splitlines()[-1]}"
    if code == 0:
        return "finished"
    if code == 2:
        return f"refused: {' '.join(text.split())}"
    return f"ENDED by {-code}" if code < 0 else f"exit {code}"


def run(case: Case, n: int, patience: float) -> None:
    """Make the files of a case and print a line per command."""
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("original.csv", "released.csv")]
        for frame, path in zip(case.make(n, np.random.default_rng(1)), paths, strict=True):
            frame.write_csv(path)
        files = [str(path) for path in paths]
        known = ["--known", case.known] if case.known else []
        written = [f"--{kind}={folder}/out.{kind}" for kind in ("json", "html")]
        commands = {
            "check": ["check", *files, "--truth", "rows", *known],
            "assess": ["assess", *files, "--truth", "rows", *known, *written, f"--records={folder}/out.csv"],
        }
        for name, words in commands.items():
            code, seconds, memory, text = ended([sys.executable, "-m", "unmask", *words], patience)
            sizes = [f"{kind} {path.stat().st_size / 1e6:.1f} MB" for kind, path in outputs(folder).items()]
            line = f"{n:9,}  {case.name:40}  {name:7} {seconds:7.1f} s  {memory:6.0f} MB"
            print(f"{line}  {outcome(code, text)}  {', '.join(sizes)}", flush=True)


def outputs(folder: str) -> dict[str, Path]:
    """The files that a command wrote, by kind."""
    found = {kind: Path(folder) / f"out.{kind}" for kind in ("json", "html", "csv")}
    return {kind: path for kind, path in found.items() if path.exists()}


def main(*words: str) -> None:
    """Run the cases whose names contain one of the words, or all."""
    n = int(words[0]) if words else 20_000
    for case in CASES:
        if not words[1:] or any(word in case.name for word in words[1:]):
            run(case, n, PATIENCE)


if __name__ == "__main__":
    main(*sys.argv[1:])
