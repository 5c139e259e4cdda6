"""The time that learning has, and whether it ended anything: then what is learned depends on the machine."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


@dataclass(eq=False)
class Clock:
    """``cut``: whether a deadline ended any part of the work that would have gone on."""

    cut: bool = False


@dataclass(frozen=True, eq=False)
class Deadline:
    """A moment by which a part of the work must end; all deadlines of one piece of work share its clock.

    >>> whole = Deadline.after(60.0)
    >>> whole.part(0.5).left() <= 30.0, whole.passed(), whole.clock.cut
    (True, False, False)
    >>> whole.part(0.0).passed(), whole.clock.cut
    (True, True)
    """

    at: float
    clock: Clock = field(default_factory=Clock)

    @classmethod
    def after(cls, seconds: float) -> Deadline:
        """So many seconds from now, with a clock of its own."""
        return cls(time.monotonic() + seconds)

    def left(self) -> float:
        """Seconds until then."""
        return self.at - time.monotonic()

    def passed(self) -> bool:
        """Whether it is over. It is asked last, where work is left: if it is over, the clock cut the work."""
        if self.left() > 0:
            return False
        self.clock.cut = True
        return True

    def part(self, share: float) -> Deadline:
        """An earlier one: this share of the time that is left."""
        return Deadline(time.monotonic() + share * self.left(), self.clock)

    def before(self, seconds: float) -> Deadline:
        """So many seconds earlier."""
        return Deadline(self.at - seconds, self.clock)
