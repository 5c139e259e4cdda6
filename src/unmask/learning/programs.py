"""The two linear programs of the proof, both by HiGHS: the widest margin, and the smallest hitting set."""

from __future__ import annotations

import time
from collections.abc import Sequence
from threading import Event, Thread
from typing import Any

import numpy as np

from unmask.learning.contest import Bools, Lines
from unmask.learning.forms import Family
from unmask.microdata import Floats, Ints

#: Inequalities, divided by their largest coefficient, count as strict from this margin on.
RESOLUTION = 1e-9
#: Multipliers above this belong to the proof that some targets exclude each other.
USED = 1e-9


def solver() -> Any:
    """HiGHS, silent, on one thread and with a fixed seed, so that answers can be had again."""
    import highspy

    highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]  # it has no types
    for option, value in (("output_flag", False), ("threads", 1), ("random_seed", 1)):
        highs.setOptionValue(option, value)
    return highs


def interruptible(highs: Any) -> None:
    """Run, in a thread of its own, so that an interrupt from the keyboard ends it.

    HiGHS's own way to do so lets one solver run at a time in a process. It looks for the request now and
    then, which can take some seconds; a program that ended before would be aborted, so it is waited for.
    """
    highs.HandleUserInterrupt = True
    done = Event()

    def run() -> None:
        try:
            highs.run()
        finally:
            done.set()

    Thread(target=run).start()
    try:
        while not done.wait(0.2):
            pass
    except BaseException:
        highs.cancelSolve()
        done.wait()
        raise
    highs.HandleUserInterrupt = False


class Games:
    """As :class:`Margin`, where the valid parameters are a simplex: a game that a kernel solves at once."""

    def __init__(self) -> None:
        self.lines: Lines | None = None

    def know(self, lines: Lines) -> bool:
        """Take these lines for those that are known, and say whether one is new."""
        new = self.lines is None or len(lines.key) > len(self.lines.key)
        self.lines = lines
        return new

    def widest(self, targets: Bools, deadline: float) -> tuple[Floats, float, Ints]:
        """theta, its margin, and the targets that keep it from being wider; one game is never long."""
        from unmask.kernels.learning_games import widest

        assert self.lines is not None
        active = targets[self.lines.of]
        line, of = self.lines.line[active], self.lines.of[active]
        theta, margin, held = widest(line, of, np.zeros(len(targets), dtype=np.bool_))
        # Without a margin (the pivots did not suffice) nothing is proven: as if there were no conflict.
        return theta, float(np.nan_to_num(margin, nan=1.0)), np.unique(of[held])


class Margin:
    """The parameters under which some targets are re-identified by the widest margin.

    max t such that line . theta >= t for all lines of these targets, theta valid. If t is not above 0 the
    targets exclude each other, and those with a multiplier do already.
    """

    def __init__(self, family: Family) -> None:
        import highspy

        self.highs, self.infinity = solver(), highspy.kHighsInf
        self.optimal = highspy.HighsModelStatus.kOptimal
        self.late = highspy.HighsModelStatus.kTimeLimit
        for option, value in (
            ("presolve", "off"),  # models are small and solved again and again from the last basis
            ("primal_feasibility_tolerance", 1e-10),
            ("dual_feasibility_tolerance", 1e-10),
        ):
            self.highs.setOptionValue(option, value)
        self.family = family
        p = len(family.total)
        self.highs.addVars(p + 1, np.append(family.lower, -1e4), np.append(family.upper, 1.0))
        self.highs.changeColCost(p, -1.0)
        self._rows(family.total[None, :], 1.0, 1.0)
        self.valid = 0  # rows that are no target's: the first and the half-spaces of valid parameters
        self.of = np.full(1, -1, np.int64)
        self.key = np.empty(0, np.int64)
        self.active = np.ones(1, dtype=np.bool_)
        self.bind(family.facets)

    def _rows(self, rows: Floats, low: float, high: float) -> None:
        line, column = np.nonzero(rows)
        start = np.searchsorted(line, np.arange(len(rows)))
        self.highs.addRows(
            len(rows),
            np.full(len(rows), low),
            np.full(len(rows), high),
            len(line),
            start.astype(np.int32),
            column.astype(np.int32),
            rows[line, column],
        )

    def bind(self, facets: Floats) -> None:
        """Require facets @ theta >= 0."""
        if len(facets):
            self._rows(facets, 0.0, self.infinity)
            self.of = np.append(self.of, np.full(len(facets), -1))
            self.active = np.append(self.active, np.ones(len(facets), dtype=np.bool_))

    def know(self, lines: Lines) -> bool:
        """Take these lines in, and say whether one is new."""
        more = lines.take(~np.isin(lines.key, self.key))
        if len(more.key):
            self._rows(np.hstack([more.line, -np.ones((len(more.key), 1))]), 0.0, self.infinity)
            self.of = np.append(self.of, more.of)
            self.key = np.append(self.key, more.key)
            self.active = np.append(self.active, np.ones(len(more.key), dtype=np.bool_))
        return len(more.key) > 0

    def widest(self, targets: Bools, deadline: float) -> tuple[Floats, float, Ints]:
        """theta, its margin (NaN if time ran out), and the targets that keep it from being wider."""
        wanted = np.append(targets, True)[self.of]  # -1, no target's, takes the last
        change = np.flatnonzero(wanted != self.active).astype(np.int32)
        if len(change):
            lower = np.where(wanted[change], 0.0, -self.infinity)
            self.highs.changeRowsBounds(len(change), change, lower, np.full(len(change), self.infinity))
            self.active = wanted
        theta, margin, multiplier = self._solved(deadline)
        while not np.isnan(margin) and len(cut := self.family.cuts(theta)):
            self.bind(cut)
            theta, margin, multiplier = self._solved(deadline)
        held = np.unique(self.of[np.abs(multiplier) > USED])
        return theta, margin, held[held >= 0]

    def _solved(self, deadline: float) -> tuple[Floats, float, Floats]:
        self._run(deadline)
        if self.highs.getModelStatus() != self.optimal:  # a bad basis, or no time: from the beginning
            self.highs.clearSolver()
            self._run(deadline)
        solution = self.highs.getSolution()
        value = np.array(solution.col_value)
        if self.highs.getModelStatus() == self.late:
            value[-1] = np.nan
        return value[:-1], float(value[-1]), np.array(solution.row_dual)

    def _run(self, deadline: float) -> None:
        left = max(deadline - time.monotonic(), 0.0)
        self.highs.setOptionValue("time_limit", self.highs.getRunTime() + left)
        self.highs.run()


def margins(family: Family) -> Games | Margin:
    """The widest-margin program of a family."""
    return Games() if family.simplex else Margin(family)


class Cover:
    """The fewest targets that hit every conflict: a set of targets that cannot all be re-identified.

    min sum K_i such that sum of K over each conflict >= 1, K 0 or 1. No parameters lose fewer.
    """

    def __init__(self, targets: int) -> None:
        import highspy

        self.highs = solver()
        self.infinity = highspy.kHighsInf
        every = np.arange(targets, dtype=np.int32)
        self.highs.addVars(targets, np.zeros(targets), np.ones(targets))
        self.highs.changeColsCost(targets, every, np.ones(targets))
        self.highs.changeColsIntegrality(
            targets, every, np.full(targets, highspy.HighsVarType.kInteger, dtype=object)
        )
        self.conflicts: list[Ints] = []
        self.targets = targets

    def add(self, conflicts: Sequence[Ints]) -> None:
        """Further conflicts."""
        for conflict in conflicts:
            self.highs.addRow(
                1.0, self.infinity, len(conflict), conflict.astype(np.int32), np.ones(len(conflict))
            )
        self.conflicts += conflicts

    def least(self, seconds: float) -> tuple[Bools, int]:
        """A hitting set, the smallest if time suffices, and how many any must have."""
        self.highs.setOptionValue("time_limit", self.highs.getRunTime() + max(seconds, 0.1))
        interruptible(self.highs)
        bound = self.highs.getInfo().mip_dual_bound
        value = np.array(self.highs.getSolution().col_value)
        hit = value > 0.5 if len(value) else np.ones(self.targets, dtype=np.bool_)
        return hit, int(np.ceil(max(bound, 0.0) - 1e-6))

    def greedy(self, rng: np.random.Generator) -> Bools:
        """A hitting set: always the target of most conflicts that are not hit yet."""
        member = np.zeros((len(self.conflicts), self.targets), dtype=np.bool_)
        for line, conflict in enumerate(self.conflicts):
            member[line, conflict] = True
        hit = np.zeros(self.targets, dtype=np.bool_)
        count = member.sum(axis=0) + rng.random(self.targets) * 0.5  # ties fall at random
        left = np.ones(len(member), dtype=np.bool_)
        while left.any():
            most = int(np.argmax(count))
            hit[most] = True
            gone = left & member[:, most]
            count = count - member[gone].sum(axis=0)
            left &= ~gone
        return hit
