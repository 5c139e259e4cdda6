"""The widest margin by which lines can hold: parameters for some targets, or that they exclude each other."""

from __future__ import annotations

import numpy as np

from unmask.data.microdata import Floats, Ints
from unmask.linkage.learning.clock import Deadline
from unmask.linkage.learning.contest import Bools, Lines
from unmask.linkage.learning.forms import DistanceFamily
from unmask.linkage.learning.programs import RESOLUTION, added, run_until, solver, valid

#: Multipliers above this belong to the proof that some targets exclude each other.
USED = 1e-9
#: How much the kernel raises totals of 0, at the most.
RAISED = 1e-6


class Games:
    """As :class:`WidestMargin`, where valid parameters are a simplex: games that a kernel solves at once."""

    def widest(
        self, lines: Lines, asked: Bools, first: int, least: float, deadline: Deadline
    ) -> tuple[Floats, float, Ints]:
        """As that of :class:`WidestMargin`; it is never long."""
        from unmask.kernels.learning_games import widest

        theta, margin, held = widest(lines.line, asked[lines.of], first, least, RESOLUTION)
        return theta, float(margin), np.unique(lines.of[held])


class WidestMargin:
    """The parameters under which some lines hold by the widest margin.

    max t such that line . theta >= t for all lines, theta valid. If t is not above 0 the targets of the lines
    exclude each other, and those with a multiplier do already.
    """

    def __init__(self, family: DistanceFamily) -> None:
        self.highs, self.family = solver(), family
        for option, value in (
            ("presolve", "off"),  # models are small and solved again and again from the last basis
            ("primal_feasibility_tolerance", 1e-10),
            ("dual_feasibility_tolerance", 1e-10),
        ):
            self.highs.setOptionValue(option, value)
        self.p, self.facets = len(family.total), family.facets
        self.lines: Lines | None = None
        valid(self.highs, family, 1)
        self.highs.changeColBounds(self.p, -1e4, 1.0)
        self.highs.changeColCost(self.p, -1.0)
        self.of: list[int] = [-1] * (1 + len(family.facets))  # the target of each row; -1: it is nobody's

    def widest(
        self, lines: Lines, asked: Bools, first: int, least: float, deadline: Deadline
    ) -> tuple[Floats, float, Ints]:
        """Parameters under which all lines of the targets asked for hold, or a conflict of some of them.

        One line after the other, beginning with the first and going on with the one of the lowest value: few
        are needed, and few targets contradict each other. It ends when no line is below ``least`` and below
        the margin. theta, the margin (NaN if time ran out; not above RESOLUTION in a conflict), the conflict.
        """
        # Without facets the bounds matter, which the kernel does not know.
        while len(self.facets) and not deadline.passed():
            theta, margin, held = self._grown(lines, asked, first, least)
            if np.isnan(margin):
                break
            if len(held):
                theta, margin, sure = self._alone(lines.take(held), deadline)
                if margin > RESOLUTION:
                    break
                return theta, margin, sure
            cuts = self.family.cuts(theta)
            if len(cuts) == 0:
                return theta, margin, held
            self._bind(cuts)
        return self._one_by_one(lines, asked, first, least, deadline)

    def _grown(self, lines: Lines, asked: Bools, first: int, least: float) -> tuple[Floats, float, Ints]:
        """The same by a kernel, but for rounding; the conflict is one of lines.

        Its parameters u = theta - (total . theta) lower are 0 or more; in families with facets total . lower
        is 0, so that theta = u + (total . u) lower.
        """
        from unmask.kernels.learning_cones import widest_in_cone

        total, lower = self.family.total, self.family.lower
        if self.lines is not lines:
            self.lines, self.shift = lines, 1.0 + float(lines.reach.max())
            self.line = lines.line + ((lines.line @ lower) + self.shift)[:, None] * total
        facets = self.facets + (self.facets @ lower)[:, None] * total
        raised = total + RAISED * np.random.default_rng(1).uniform(0.5, 1.0, self.p)
        u, margin, held = widest_in_cone(
            self.line, asked[lines.of], first, least, RESOLUTION, facets, total, raised, self.shift
        )
        return u + (total @ u) * lower, float(margin), held

    def _alone(self, lines: Lines, deadline: Deadline) -> tuple[Floats, float, Ints]:
        """The margin of these few lines, and who keeps it from being wider."""
        self._begin()
        for line, of in zip(lines.line, lines.of, strict=True):
            self._rows(np.append(line, -1.0)[None, :], int(of))
        return self._solved(deadline)

    def _one_by_one(
        self, lines: Lines, asked: Bools, first: int, least: float, deadline: Deadline
    ) -> tuple[Floats, float, Ints]:
        """The same by HiGHS."""
        self._begin()
        open_, worst = asked[lines.of], first
        self._rows(np.append(lines.line[worst], -1.0)[None, :], int(lines.of[worst]))
        open_[worst] = False
        while True:
            theta, margin, held = self._solved(deadline)
            if not margin > RESOLUTION:
                return theta, margin, held
            value = np.where(open_, lines.line @ theta, np.inf)
            worst = int(np.argmin(value))
            if value[worst] < min(least, margin * (1 - 1e-9)):
                self._rows(np.append(lines.line[worst], -1.0)[None, :], int(lines.of[worst]))
                open_[worst] = False
            elif len(cuts := self.family.cuts(theta)):
                self._bind(cuts)
            else:
                return theta, margin, held[:0]

    def _begin(self) -> None:
        """No lines; half-spaces of valid parameters stay."""
        gone = np.flatnonzero(np.array(self.of) >= 0).astype(np.int32)
        self.highs.deleteRows(len(gone), gone)
        self.of = [-1] * (len(self.of) - len(gone))
        self.highs.clearSolver()

    def _bind(self, cuts: Floats) -> None:
        """Require cuts @ theta >= 0 from now on."""
        self._rows(cuts, -1)
        if len(self.facets):
            self.facets = np.vstack([self.facets, cuts])

    def _rows(self, rows: Floats, of: int) -> None:
        added(self.highs, rows, 0.0)
        self.of += [of] * len(rows)

    def _solved(self, deadline: Deadline) -> tuple[Floats, float, Ints]:
        """theta, its margin, and the targets that keep it from being wider."""
        if not run_until(self.highs, deadline):
            return np.full(self.p, np.nan), np.nan, np.empty(0, np.int64)
        solution = self.highs.getSolution()
        value = np.array(solution.col_value)
        held = np.unique(np.array(self.of)[np.abs(solution.row_dual) > USED])
        return value[:-1], float(value[-1]), held[held >= 0]


def margins(family: DistanceFamily) -> Games | WidestMargin:
    """The widest-margin program of a family."""
    return Games() if family.simplex else WidestMargin(family)
