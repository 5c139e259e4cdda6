"""Linear programs by HiGHS: how they are made and run, and that of the smallest hitting set."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event, Thread
from typing import Any, NamedTuple

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.linkage.learning.clock import Deadline
from unmask.linkage.learning.contest import Bools, Stakes
from unmask.linkage.learning.forms import DistanceFamily

#: Inequalities, divided by their largest coefficient, count as strict from this margin on.
RESOLUTION = 1e-9


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


def infinity() -> float:
    """No bound, to HiGHS."""
    import highspy

    return float(highspy.kHighsInf)


def added(highs: Any, rows: Floats, low: float, column: Ints | None = None) -> None:
    """Add rows with a lower bound, each with a 1 in one column more where that is given."""
    if len(rows) == 0:
        return
    line, place = np.nonzero(rows)
    entry = rows[line, place]
    if column is not None:
        line = np.append(line, np.arange(len(rows)))
        order = np.argsort(line, kind="stable")
        line, place = line[order], np.append(place, column)[order]
        entry = np.append(entry, np.ones(len(rows)))[order]
    start = np.searchsorted(line, np.arange(len(rows)))
    bounds = np.full(len(rows), low), np.full(len(rows), infinity())
    highs.addRows(len(rows), *bounds, len(line), start.astype(np.int32), place.astype(np.int32), entry)


def valid(highs: Any, family: DistanceFamily, others: int) -> None:
    """Columns for valid parameters, and so many others of 0 or more after them."""
    p, nothing = len(family.total), np.zeros(others)
    lower = np.concatenate([family.lower, nothing])
    upper = np.concatenate([family.upper, nothing + infinity()])
    highs.addVars(p + others, lower, upper)
    highs.addRow(1.0, 1.0, p, np.arange(p, dtype=np.int32), family.total)
    added(highs, family.facets, 0.0)


def run_until(highs: Any, deadline: Deadline) -> bool:
    """Solve a linear program; whether it was solved before the deadline."""
    import highspy

    for again in (False, True):
        if deadline.passed():
            return False
        if again:  # a bad basis: from the beginning
            highs.clearSolver()
        highs.setOptionValue("time_limit", highs.getRunTime() + max(deadline.left(), 0.0))
        highs.run()
        if highs.getModelStatus() == highspy.HighsModelStatus.kOptimal:
            return True
        _note_time(highs, deadline)
    return False


def _note_time(highs: Any, deadline: Deadline) -> None:
    """Tell the clock if it was time that ended the program."""
    import highspy

    if highs.getModelStatus() == highspy.HighsModelStatus.kTimeLimit:
        deadline.clock.cut = True


class Conflict(NamedTuple):
    """Targets that cannot all be re-identified; one is lost if it is sure, else they may also all tie."""

    targets: Ints
    sure: bool

    def loss(self, stakes: Stakes) -> float:
        """What is lost at the least."""
        worth, tied = stakes.worth[self.targets], stakes.tied[self.targets]
        least = float(worth.min())
        return least if self.sure else min(least, float((worth - tied).sum()))


class Cover:
    """The least that is lost where every conflict loses a target, or ties all of them.

    min sum worth_i K_i + (worth_i - tied_i) T_i such that over each conflict C sum K_i >= 1, or, where ties
    are possible, |C| sum K_i + sum T_i >= |C|; K and T 0 or 1. No parameters lose less.
    """

    def __init__(self, stakes: Stakes) -> None:
        import highspy

        self.highs = solver()
        self.stakes = stakes
        n = self.targets = len(stakes.worth)
        every = np.arange(2 * n, dtype=np.int32)
        self.highs.addVars(2 * n, np.zeros(2 * n), np.ones(2 * n))
        self.highs.changeColsCost(2 * n, every, np.concatenate([stakes.worth, stakes.worth - stakes.tied]))
        self.highs.changeColsIntegrality(
            2 * n, every, np.full(2 * n, highspy.HighsVarType.kInteger, dtype=object)
        )
        self.highs.setOptionValue("mip_rel_gap", 0.0)
        self.conflicts: list[Conflict] = []

    def add(self, conflicts: Sequence[Conflict]) -> None:
        """Further conflicts."""
        for conflict in conflicts:
            who, size = conflict.targets.astype(np.int32), len(conflict.targets)
            if conflict.sure:
                self.highs.addRow(1.0, infinity(), size, who, np.ones(size))
            else:
                either = np.concatenate([who, who + np.int32(self.targets)])
                weight = np.repeat([float(size), 1.0], size)
                self.highs.addRow(float(size), infinity(), 2 * size, either, weight)
        self.conflicts += conflicts

    def least(self, deadline: Deadline) -> tuple[Bools, float]:
        """A hitting set, the best if time suffices, and what is lost by any."""
        # HiGHS starts the clock of an integer program anew with every run, unlike that of a linear one.
        self.highs.setOptionValue("time_limit", max(deadline.left(), 0.1))
        interruptible(self.highs)
        _note_time(self.highs, deadline)
        bound = max(self.highs.getInfo().mip_dual_bound, 0.0)
        value = np.array(self.highs.getSolution().col_value)
        hit = value > 0.5 if len(value) else np.ones(2 * self.targets, dtype=np.bool_)
        left = hit[: self.targets] | hit[self.targets :]
        whole = bool((self.stakes.worth == 1).all()) and all(conflict.sure for conflict in self.conflicts)
        return left, float(np.ceil(bound - 1e-6)) if whole else bound

    def greedy(self, rng: np.random.Generator) -> Bools:
        """A hitting set: always the target of most conflicts that are not hit yet, for what it is worth."""
        member = np.zeros((len(self.conflicts), self.targets), dtype=np.bool_)
        for line, conflict in enumerate(self.conflicts):
            member[line, conflict.targets] = True
        hit = np.zeros(self.targets, dtype=np.bool_)
        worth = self.stakes.worth
        count = member.sum(axis=0) + rng.random(self.targets) * 0.5  # ties fall at random
        left = np.ones(len(member), dtype=np.bool_)
        while left.any():
            most = int(np.argmax(np.where(count >= 1, count / worth, 0.0)))
            hit[most] = True
            gone = left & member[:, most]
            count = count - member[gone].sum(axis=0)
            left &= ~gone
        return hit
