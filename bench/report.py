"""From timings to docs/evidence/engine.md."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from pathlib import Path

from bench.cell import Cell, Timing

Results = dict[Cell, Timing | None]
OWN = ("standing", "links", "standing brute")
CLOCKS = {
    "wall": "Seconds",
    "cpu": "The machine was shared with other work, so times are CPU seconds of the process",
}
FILES = ("file", "how", "n", "d", "noise")


def processor() -> str:
    """The name of the processor, as Linux tells it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def key(cell: Cell) -> tuple[object, ...]:
    """What a cell is measured on."""
    return tuple(getattr(cell, name) for name in FILES)


def text(timing: Timing | None) -> str:
    """Seconds, marked where they are scaled from a sample."""
    if timing is None:
        return "-"
    digits = 2 if timing.seconds < 10 else 1 if timing.seconds < 100 else 0
    return f"{timing.seconds:.{digits}f}" + ("" if timing.timed == timing.targets else "*")


def fastest(results: Results, at: tuple[object, ...], k2: bool = False) -> tuple[str, float] | None:
    """The fastest peer on a file."""
    times = [
        (timing.seconds, cell.name)
        for cell, timing in results.items()
        if timing and key(cell) == at and cell.name not in OWN and cell.name.endswith(", k=2") == k2
    ]
    return (min(times)[1], min(times)[0]) if times else None


def find(results: Results, name: str, **at: object) -> Timing | None:
    """The timing of a contestant on a file."""
    wanted = {"file": "lognormal", "how": "squares", **at, "name": name}
    for cell, timing in results.items():
        if all(getattr(cell, field) == value for field, value in wanted.items()):
            return timing
    return None


def table(results: Results, ats: list[tuple[object, ...]]) -> list[str]:
    """One row a file, one column a contestant, and the ratios that the bars are about."""
    names = list(dict.fromkeys(cell.name for cell in results if key(cell) in ats))
    lines = ["| file | " + " | ".join(names) + " | peer / standing | links / peer |"]
    lines.append("|" + "---|" * (len(names) + 3))
    for at in ats:
        row = {cell.name: timing for cell, timing in results.items() if key(cell) == at}
        any_timing = next((timing for timing in row.values() if timing), None)
        if any_timing is None:
            continue
        file, how, _, _, noise = at
        size = f"{any_timing.targets:,} x {any_timing.attributes}"
        label = f"{'' if file == 'lognormal' else f'{file}, '}{size}, noise {noise}"
        label += "" if how == "squares" else f", {how}"
        peer, own, links = fastest(results, at), row.get("standing"), row.get("links")
        faster = f"{peer[1] / own.seconds:.1f}" if peer and own else "-"
        slower = f"{links.seconds / peer[1]:.2f}" if peer and links else "-"
        lines.append(
            f"| {label} | " + " | ".join(text(row.get(name)) for name in names) + f" | {faster} | {slower} |"
        )
    return lines


def bar(label: str, value: float | None, limit: float, at_least: bool) -> str:
    """One line of the table of bars."""
    if value is None:
        return f"| {label} | - | not measured |"
    met = value >= limit if at_least else value <= limit
    return f"| {label} | {value:.2f} | {'met' if met else '**not met**'} |"


def speedup(results: Results, n: int, d: int, noise: float) -> float | None:
    """The fastest peer's time over that of standing."""
    peer = fastest(results, ("lognormal", "squares", n, d, noise))
    own = find(results, "standing", n=n, d=d, noise=noise)
    return peer[1] / own.seconds if peer and own else None


def ratio(a: Timing | None, b: Timing | None) -> float | None:
    """One time over another."""
    return a.seconds / b.seconds if a and b else None


def bars(results: Results) -> list[str]:
    """What was promised, and what was measured."""
    lines = ["| bar | measured | |", "|---|---|---|"]
    for noise in (0.1, 0.5, 1.0):
        label = f"standing at least 5 times as fast as the fastest peer, 100,000 x 13, noise {noise}"
        lines.append(bar(label, speedup(results, 100_000, 13, noise), 5, at_least=True))
    for d, noise, times in ((6, 0.1, 10), (13, 0.1, 10), (13, 1.0, 10)):
        label = f"standing at least {times} times as fast, 1,000,000 x {d}, noise {noise}"
        lines.append(bar(label, speedup(results, 1_000_000, d, noise), times, at_least=True))
    for k2, what in (
        (False, "the nearest record only"),
        (True, "the two nearest (cKDTree, pykdtree)"),
    ):
        worst = [
            (timing.seconds / peer[1], timing, cell)
            for cell, timing in results.items()
            if cell.name == "links" and timing and (peer := fastest(results, key(cell), k2))
        ]
        if worst:
            value, timing, cell = max(worst, key=lambda found: found[0])
            where = (
                f"worst: {cell.file} {timing.targets:,} x {timing.attributes}, noise {cell.noise}, {cell.how}"
            )
            label = f"links at most 1.2 times the fastest peer, which finds {what} ({where})"
            lines.append(bar(label, value, 1.2, at_least=False))
    for how in ("owa", "choquet"):
        for noise in (0.1, 0.5, 1.0):
            own, euclid = (
                find(results, "standing", how=h, n=100_000, d=13, noise=noise) for h in (how, "squares")
            )
            label = f"{how} standing (weights as below) at most 5 times the Euclidean one, "
            label += f"100,000 x 13, noise {noise}"
            lines.append(bar(label, ratio(own, euclid), 5, at_least=False))
    small, large = (find(results, "standing", n=n, d=6, noise=0.1) for n in (100_000, 1_000_000))
    label = "standing from 100,000 to 1,000,000 records, d = 6, noise 0.1: at most 15 times"
    lines.append(bar(label, ratio(large, small), 15, at_least=False))
    memory = find(results, "standing", n=1_000_000, d=13, noise=0.1)
    megabytes = memory.megabytes if memory else None
    lines.append(bar("peak memory at 1,000,000 x 13 under 2048 MB", megabytes, 2048, at_least=False))
    return lines


def memory_lines(results: Results) -> list[str]:
    """Peak memory of the largest files."""
    largest = max((cell.n for cell in results), default=0)
    lines = ["| contestant | file | peak MB |", "|---|---|---|"]
    for cell, timing in results.items():
        if timing and cell.n == largest and cell.noise == 0.1:
            lines.append(
                f"| {cell.name} | {timing.targets:,} x {timing.attributes} | {timing.megabytes:.0f} |"
            )
    return lines


def page(results: Results, took: float, threads: int, clock: str) -> str:
    """The whole page."""
    libraries = ("numpy", "numba", "scipy", "pykdtree", "faiss-cpu", "scikit-learn")
    versions = ", ".join(f"{name} {version(name)}" for name in libraries)
    keys = list(dict.fromkeys(key(cell) for cell in results))
    plain = [at for at in keys if at[0] == "lognormal" and at[1] == "squares"]
    other = [at for at in keys if at[0] == "lognormal" and at[1] != "squares"]
    files = [at for at in keys if at[0] != "lognormal"]
    notes = Path(__file__).with_name("notes.md").read_text(encoding="utf-8")
    parts = [
        "# Evidence: speed of the engine",
        "*Reference (evidence).* How long standing and links take beside nearest-neighbour libraries.",
        f"Written by `python -m bench` in one run of {took / 60:.0f} minutes on {os.cpu_count()} cores of "
        f"{processor()}, Python {platform.python_version()}, {versions}. "
        f"{CLOCKS[clock]}, threads of every contestant: {threads}, index included, "
        "best of two where a run is short; "
        "\\* = timed on a random sample of the targets and scaled, because the whole would take too long. "
        "Peers find the nearest record of each target (k=1) unless marked k=2; none of them reports ties.",
        "## Bars",
        "\n".join(bars(results)),
        notes,
        "## Distance-based linkage, correlated lognormal records",
        "\n".join(table(results, plain)),
        "## Ranks (sum and maximum), OWA and Choquet",
        "\n".join(table(results, other)),
        "## Real files, noise 0.1",
        "\n".join(table(results, files)) if files else "The files were not found.",
        "## Peak memory of the process",
        "\n".join(memory_lines(results)),
    ]
    return "\n\n".join(parts) + "\n"
