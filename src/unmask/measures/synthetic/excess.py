"""What an attack reaches beyond the control: the rate on people in the file, corrected by that on others.

    risk = (rate - control) / (1 - control)

the share of the people whom the attack misses without the file's knowledge of them, and reaches with it
(Giomi and others 2023). What differs from their tool, anonymeter: the rates are shares, not shrunk towards a
half, which with few people of a control makes it too large and the risk too low; the interval of the risk
takes the limits of both rates in the place of derivatives, so that it holds near 0 and 1 as well; and a risk
below 0 is shown as it is and not set to 0, so that chance is seen on both sides. One so far below that it
is no chance says that the control is none: its people were in the generator's hands as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot

import numpy as np

from unmask.data.microdata import Floats
from unmask.measures.confidence import mean_interval
from unmask.measures.estimate import Estimate, NotEstimable, Row
from unmask.measures.phrases import percent

ALL_OF_CONTROL = NotEstimable(
    "the attack succeeds on the whole control, so that nothing can be said of what it reaches beyond"
)


CONTROL_FOUND = NotEstimable(
    "the attack succeeds far more often on the control than on the people of the original: the release was "
    "made from the control as well, or they are of another kind"
)
#: How many half intervals below 0 a risk is no chance; of a thousand good controls not one.
FAR_BELOW = 2.0


@dataclass(frozen=True)
class SuccessRate:
    """A share with its 95% interval."""

    value: float
    low: float
    high: float
    n: int

    @staticmethod
    def of(hits: Floats) -> SuccessRate:
        """The mean of hits from 0 to 1.

        >>> rate = SuccessRate.of(np.array([1.0, 0.0, 0.0, 1.0]))
        >>> rate.value, rate.n
        (0.5, 4)
        """
        low, high = mean_interval(hits)
        return SuccessRate(float(hits.mean()), low, high, len(hits))

    def times(self, factor: float) -> SuccessRate:
        """The rate in a file of another size; no rate is above 1."""
        value, low, high = (min(1.0, factor * part) for part in (self.value, self.low, self.high))
        return SuccessRate(value, low, high, self.n)


def residual(attack: float, control: float) -> float:
    """The share of what the control leaves open that the attack reaches.

    >>> residual(0.75, 0.5), residual(0.25, 0.5)
    (0.5, -0.5)
    """
    return (attack - control) / (1 - control)


def excess(attack: SuccessRate, control: SuccessRate) -> tuple[float, float, float] | NotEstimable:
    """The risk and its interval: each rate's limits move it, and the moves add up in squares (MOVER).

    The risk grows with the attack's rate and falls with the control's (Zou and Donner 2008, Construction of
    confidence limits about effect measures, Statistics in Medicine 27).

    >>> same = SuccessRate(0.3, 0.25, 0.35, 400)
    >>> value, low, high = excess(same, same)
    >>> value, low < 0 < high
    (0.0, True)
    """
    if control.value >= 1:
        return ALL_OF_CONTROL
    value = residual(attack.value, control.value)
    down = residual(attack.low, control.value), residual(attack.value, min(control.high, 1 - 1e-12))
    up = residual(attack.high, control.value), residual(attack.value, control.low)
    low, high = (hypot(*(value - moved for moved in moves)) for moves in (down, up))
    return value, value - low, min(1.0, value + high)


@dataclass(frozen=True, eq=False)
class AttackOutcome:
    """What an attack reached: one number from 0 to 1 per try, NaN where a try does not count.

    ``control``: the same on others, or why there is none; ``guess``: the rate of a guess; ``scale``: by how
    much the control's rate would be larger in a file of the size of the original; ``per_record``: what is
    said of each original record.
    """

    attack: Floats
    control: Floats | NotEstimable
    guess: float
    scale: float = 1.0
    per_record: Floats | None = None


@dataclass(frozen=True)
class Words:
    """How an outcome is told: of whom (with {n} tries), what happens, and what is said of sizes."""

    tries: str
    what: str
    note: str = ""


def excess_rows(measure: str, outcome: AttackOutcome, words: Words, subject: str = "") -> tuple[Row, ...]:
    """The attack's rate beside that of the control, or of a guess; then the risk beyond the control."""
    success, risk = (f"{subject}, {part}" if subject else part for part in ("success", "risk"))
    hits = outcome.attack[~np.isnan(outcome.attack)]
    if len(hits) == 0:
        why = NotEstimable("nobody of the original file can be tried")
        return tuple(Row.none(measure, why, subject=one) for one in (success, risk))
    attack = SuccessRate.of(hits)
    control = _credible(attack, _control(outcome))
    others = None if isinstance(control, NotEstimable) else control.value
    told = Estimate(
        attack.value,
        attack.low,
        attack.high,
        attack.n,
        outcome.guess if others is None else others,
        meaning=_success(attack, others, outcome.guess, words),
        per_record=outcome.per_record,
    )
    return Row.of(measure, told, success), Row.of(measure, _risk(attack, control, words), risk)


def _control(outcome: AttackOutcome) -> SuccessRate | NotEstimable:
    if isinstance(outcome.control, NotEstimable):
        return outcome.control
    hits = outcome.control[~np.isnan(outcome.control)]
    return (
        SuccessRate.of(hits).times(outcome.scale)
        if len(hits)
        else NotEstimable("nobody of the control counts")
    )


def _credible(attack: SuccessRate, control: SuccessRate | NotEstimable) -> SuccessRate | NotEstimable:
    """The control, if its people can be taken for others than those whom the release was made from."""
    found = control if isinstance(control, NotEstimable) else excess(attack, control)
    if isinstance(found, NotEstimable):
        return control
    value, _, high = found
    return CONTROL_FOUND if value + FAR_BELOW * (high - value) < 0 else control


def _success(attack: SuccessRate, control: float | None, guess: float, words: Words) -> str:
    beside = "" if control is None else f"on people whom it was not made from in {percent(control)}, and "
    return (
        f"{words.tries.format(n=f'{attack.n:,}')}, {words.what} in {percent(attack.value)}; {beside}"
        f"by guessing in {percent(guess)}.{words.note}"
    )


def _risk(attack: SuccessRate, control: SuccessRate | NotEstimable, words: Words) -> Estimate:
    found = control if isinstance(control, NotEstimable) else excess(attack, control)
    if isinstance(found, NotEstimable):
        return Estimate.none(found, attack.n)
    value, low, high = found
    meaning = (
        f"Of what the attack cannot do with other people, it does {percent(value)} with those whom the "
        f"release was made from: (rate - control) / (1 - control); 0 is no more than with others.{words.note}"
    )
    return Estimate(value, low, high, attack.n, 0.0, meaning=meaning)
