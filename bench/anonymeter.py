"""Attacks on synthetic files by unmask and by anonymeter, side by side: `python -m bench.anonymeter`.

The published example of anonymeter (Giomi and others 2023): people of Adult, a control, and here four
releases: a copy of the original, other people, a file of which a tenth are copies, and a synthesis by trees
(`cart`). Then one change at a time, by which the two tools come apart. anonymeter needs numpy below 1.27 and
unmask 2.0 or later, so it lives in an environment of its own, whose python is given as `--peer`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl

from bench.data import folder as data_folder
from unmask.data.microdata import Masked, Microdata
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.engines import LocalEngine
from unmask.masks import parse
from unmask.measures import Estimate, FileEvidence, NotEstimable
from unmask.measures.synthetic import Linkability, NearestInference, Predicates, SinglingOut

ROOT = Path(__file__).parents[1]
#: The two sources of the published example, and how many neighbours of each are looked at.
GROUPS = (
    ("workclass", "education", "hours-per-week", "capital-loss", "capital-gain"),
    ("race", "sex", "fnlwgt", "age", "native-country"),
)
NEIGHBOURS = 10
#: Predicates wanted, and attributes of each of several; people tried with neighbours.
PREDICATES, ATTRIBUTES, TRIED = 500, 4, 2000
SECRETS = ("income", "occupation", "age")


@dataclass(frozen=True)
class AttackPlan:
    """An attack, as both tools are told it."""

    kind: str
    columns: tuple[str, ...]
    wanted: int
    attributes: int = ATTRIBUTES
    secret: str = ""
    groups: tuple[tuple[str, ...], ...] = ()
    k: int = NEIGHBOURS

    @property
    def title(self) -> str:
        """Its name in the table."""
        return f"{self.kind}, {self.secret}" if self.secret else self.kind


@dataclass(frozen=True, eq=False)
class Case:
    """Three files, the attacks on them, and why the tools should differ."""

    name: str
    original: pl.DataFrame
    control: pl.DataFrame
    released: pl.DataFrame
    attacks: tuple[AttackPlan, ...]
    why: str = ""


@dataclass(frozen=True)
class Risk:
    """What an attack reaches in n tries, and on the control; the risk beyond it with its interval.

    ``spread``: the least and the largest risk of several seeds.
    """

    n: int
    success: float
    control: float
    value: float
    low: float
    high: float
    spread: tuple[float, float] = (np.nan, np.nan)


def adult_file() -> pl.DataFrame:
    """The people of Adult in a random order."""
    adult = pl.read_csv(data_folder() / "adult.csv")
    return adult[np.random.default_rng(1).permutation(len(adult))]


def microdata(frame: pl.DataFrame, secret: str) -> Microdata:
    """A file in which numbers are numbers, all else is nominal, and one attribute may be a secret."""
    columns = (
        Column(
            name,
            Kind.NUMERIC if frame[name].dtype.is_numeric() else Kind.NOMINAL,
            Role.CONFIDENTIAL if name == secret else Role.QUASI_IDENTIFIER,
        )
        for name in frame.columns
    )
    return Microdata(Schema(tuple(columns)), frame)


def ours(case: Case, plan: AttackPlan, seed: int) -> Risk | NotEstimable:
    """The attack by unmask."""
    original, control, released = (
        microdata(frame.select(plan.columns), plan.secret)
        for frame in (case.original, case.control, case.released)
    )
    if plan.kind == "linkability":
        measure: Any = Linkability(k=plan.k)
        known, prefix = plan.groups[0], "known and others, "
    elif plan.kind == "inference":
        measure = NearestInference()
        known, prefix = tuple(n for n in plan.columns if n != plan.secret), f"{plan.secret}, "
    else:
        measure = SinglingOut(Predicates(plan.kind), plan.attributes, plan.wanted)
        known, prefix = plan.columns, ""
    if plan.kind in ("linkability", "inference"):
        original, control = (
            file.take(np.arange(min(plan.wanted, len(file)))) for file in (original, control)
        )
    evidence = FileEvidence(original, Masked.of_nobody(released), known, holdout=control, seed=seed)
    rows = {row.keys.subject: row.estimate for row in measure.rows(evidence, LocalEngine())}
    return risk_of(rows[f"{prefix}success"], rows[f"{prefix}risk"])


def of_seeds(case: Case, plan: AttackPlan, seeds: Sequence[int]) -> Risk | NotEstimable:
    """The attack by unmask with the middle seed; in inference nothing is drawn where all people are tried."""
    found: list[Risk] = []
    for seed in seeds[:1] if plan.kind == "inference" else seeds:
        one = ours(case, plan, seed)
        if isinstance(one, NotEstimable):
            return one
        found.append(one)
    found.sort(key=lambda one: one.value)
    return replace(found[len(found) // 2], spread=(found[0].value, found[-1].value))


def risk_of(success: Estimate, risk: Estimate) -> Risk | NotEstimable:
    """Both rows as one."""
    if isinstance(risk.value, NotEstimable):
        return risk.value
    return Risk(success.n, success.value, success.baseline, risk.value, risk.low, risk.high)


def plans(names: Sequence[str], people: int) -> tuple[AttackPlan, ...]:
    """The attacks of the published example; of inference, three secrets."""
    every, both, tried = tuple(names), GROUPS[0] + GROUPS[1], min(TRIED, people)
    return (
        AttackPlan("univariate", every, PREDICATES),
        AttackPlan("multivariate", every, PREDICATES),
        AttackPlan("linkability", both, tried, groups=GROUPS),
        *(AttackPlan("inference", every, tried, secret=secret) for secret in SECRETS),
    )


def example(adult: pl.DataFrame, people: int) -> list[Case]:
    """One original and control, and the four releases."""
    original, control, others = (adult[k * people : (k + 1) * people] for k in range(3))
    tenth = part_copied(original, others)
    made = parse("cart").apply(microdata(original, ""), np.random.default_rng(1)).data.frame
    releases = {"a copy": original, "other people": others, "a tenth copies": tenth, "cart": made}
    attacks = plans(adult.columns, people)
    return [Case(name, original, control, file, attacks) for name, file in releases.items()]


def changes(adult: pl.DataFrame, people: int) -> list[Case]:
    """One change at a time, each the smallest by which one rule of the tools shows."""
    files = [adult[k * people : (k + 1) * people] for k in range(3)]
    original, control, others = files
    single = AttackPlan("univariate", tuple(adult.columns), PREDICATES)
    few = AttackPlan("univariate", ("age", "workclass", "education", "native-country"), PREDICATES)
    weight = AttackPlan("inference", tuple(adult.columns), min(TRIED, people), secret="fnlwgt")
    below = [file.with_columns(-pl.col("fnlwgt")) for file in (original, control, original)]
    # As a name, so that a guess is right for nobody else.
    names = [file.with_columns(fnlwgt=pl.format("n{}", "fnlwgt")) for file in files]
    small = (names[0], names[1][:40], part_copied(names[0], names[2]))
    half, quarter = people // 2, people // 4
    twice = [pl.concat([file[:half]] * 2) for file in (original, control)]
    apart = (original, control[:quarter], others)
    return [
        Case(
            "a copy, few values are rare", original, control, original, (few,), "of those wanted, not found"
        ),
        Case("a copy, the secret below 0", *below, (weight,), "error divided by the guess with its sign"),
        Case("everybody twice, released once", *twice, original[:half], (single,), "alike count as one"),
        Case("other people, control a quarter", *apart, (single,), "the correction counts all predicates"),
        Case("a tenth copies, control of 40", *small, (weight,), "rates shrunk towards a half"),
    ]


def part_copied(original: pl.DataFrame, others: pl.DataFrame) -> pl.DataFrame:
    """A tenth of the original, and other people."""
    copies = original[::10]
    return pl.concat([copies, others[: len(original) - len(copies)]])


def theirs(cases: Sequence[Case], peer: str, seeds: Sequence[int]) -> list[list[dict[str, Any]]]:
    """The attacks by anonymeter in its own environment: for each one result per seed."""
    with TemporaryDirectory() as name:
        place = Path(name)
        job: dict[str, Any] = {"seeds": list(seeds), "cases": []}
        for number, case in enumerate(cases):
            here = place / str(number)
            here.mkdir()
            for part in ("original", "control", "released"):
                getattr(case, part).write_csv(here / f"{part}.csv")
            attacks = [asdict(plan) for plan in case.attacks]
            job["cases"].append({"name": case.name, "folder": str(number), "attacks": attacks})
        (place / "job.json").write_text(json.dumps(job), encoding="utf-8")
        subprocess.run([peer, "-m", "bench.anonymeter_peer", name], cwd=ROOT, check=True)
        found: list[list[dict[str, Any]]] = json.loads((place / "found.json").read_text(encoding="utf-8"))
    return found


def installed(peer: str) -> str | None:
    """The version of anonymeter in an environment."""
    ask = "from importlib.metadata import version; print(version('anonymeter'))"
    done = subprocess.run([peer, "-c", ask], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def within(value: float, low: float, high: float) -> bool:
    """Whether a risk is in the interval of the other tool, of which one shows nothing below 0."""
    return low - 1e-9 <= max(value, 0.0) <= max(high, 0.0) + 1e-9


def verdict(mine: Risk | NotEstimable, found: Sequence[dict[str, Any]]) -> str:
    """Whether with every seed each risk lies in the interval of the other; else whether intervals overlap."""
    if isinstance(mine, NotEstimable) or any("error" in one for one in found):
        return "-"
    risks = [one["risk"] for one in found]
    agreed = sum(
        within(mine.value, low, high) and within(value, mine.low, mine.high) for value, low, high in risks
    )
    if agreed == len(risks):
        return "agree"
    overlap = all(low <= max(mine.high, 0.0) and mine.low <= high for _, low, high in risks)
    return f"overlap, agree with {agreed}" if overlap else "differ"


def line(case: Case, plan: AttackPlan, mine: Risk | NotEstimable, found: Sequence[dict[str, Any]]) -> str:
    """A row of the table."""
    cells = (case.name, plan.title, *our_cells(mine), *their_cells(found), verdict(mine, found), case.why)
    return f"| {' | '.join(cells)} |"


def our_cells(mine: Risk | NotEstimable) -> tuple[str, ...]:
    """Success, control and risk by unmask, and the least and the largest risk."""
    if isinstance(mine, NotEstimable):
        return "-", "-", f"not estimable: {mine.reason}", "-"
    risk = interval(mine.value, mine.low, mine.high)
    least, largest = mine.spread
    return f"{mine.success:.3f} of {mine.n:,}", f"{mine.control:.3f}", risk, f"{least:.3f} to {largest:.3f}"


def their_cells(found: Sequence[dict[str, Any]]) -> tuple[str, ...]:
    """The same by anonymeter with the middle seed, and the least and the largest risk; *: it warns."""
    errors = [one["error"] for one in found if "error" in one]
    if errors:
        return "-", "-", errors[0], "-"
    ordered = sorted(found, key=lambda one: float(one["risk"][0]))
    middle, risks = ordered[len(ordered) // 2], [one["risk"][0] for one in ordered]
    risk = interval(*middle["risk"]) + (" *" if middle["warned"] else "")
    spread = f"{risks[0]:.3f} to {risks[-1]:.3f}"
    return f"{middle['success']:.3f}", f"{middle['control']:.3f}", risk, spread


def interval(value: float, low: float, high: float) -> str:
    """A risk with its interval."""
    return f"{value:.3f} ({low:.3f} to {high:.3f})"


def table(cases: Sequence[Case], peer: str, seeds: Sequence[int]) -> Iterable[str]:
    """The attacks of these cases by both."""
    parts = ("success", "control", "risk", f"{len(seeds)} seeds")
    both = (f"{tool}: {part}" for tool in ("unmask", "anonymeter") for part in parts)
    heads = ("release", "attack", *both, "", "what anonymeter does")
    yield f"| {' | '.join(heads)} |"
    yield "|---" * len(heads) + "|"
    asked = [(case, plan) for case in cases for plan in case.attacks]
    mine = [of_seeds(case, plan, seeds) for case, plan in asked]
    for (case, plan), risk, found in zip(asked, mine, theirs(cases, peer, seeds), strict=True):
        yield line(case, plan, risk, found)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.anonymeter", description=__doc__)
    parser.add_argument("--peer", default=sys.executable, help="the python that anonymeter is installed in")
    parser.add_argument("--people", type=int, default=5000, help="of the original, the control, the others")
    parser.add_argument("--seeds", type=int, default=5, help="of both")
    given = parser.parse_args()
    there = installed(given.peer)
    if there is None:
        sys.exit(
            "anonymeter is not installed in this environment, whose numpy it does not take: "
            "python -m venv /tmp/anonymeter && /tmp/anonymeter/bin/pip install anonymeter, "
            "then add --peer /tmp/anonymeter/bin/python"
        )
    adult = adult_file()
    seeds = range(1, given.seeds + 1)
    sizes = f"{given.people:,} people of each of the original, control and others"
    print(f"anonymeter {there}; {sizes}; *: anonymeter warns\n")
    for cases in (example(adult, given.people), changes(adult, given.people)):
        print("\n".join(table(cases, given.peer, seeds)), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
