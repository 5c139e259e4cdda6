"""Which estimate of the population uniques leads, by what the sample itself shows of how far to trust it.

The quantity on which the estimates are compared is tau_1, the number of released records that are unique in
the release and in the population: the log-linear model, Pitman's and Zayatz's formula all estimate it.
Individual risk, household risk and DIS-SUDA estimate right matches, which are more, and take no part.

The rule was chosen and tested by simulation (``bench/leading.py``). In populations of known truth the
log-linear estimate is the nearest nearly everywhere and seldom too low; it is many times too high where
people share whole keys (households) or attributes depend all at once: the release has fewer uniques than
the model makes. Pitman's formula is nearer in such files, but several times too *low* in others that look
the same, so nothing is handed over to it: what cannot be told apart is not estimated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from unmask.measures.anonymity.keys import are, records
from unmask.measures.estimate import NotEstimable

#: Where the model makes too many uniques and another estimate is below this share of it, none is believed.
BELIEVED = 2 / 3
#: With fewer records that share a key, a sample does not show whether the model makes as many.
ENOUGH_SHARED = 100
#: Weights whose 1 + cv^2 (Kish 1965) is above it can make the log-linear estimate a quarter too low.
UNEQUAL = 2.0


@dataclass(frozen=True)
class Diagnostics:
    """What the sample shows of how far a log-linear model can be trusted.

    ``uniques``: sample uniques among the ``records``; ``fraction``: the share of the population that is in
    the sample; ``unequal``: 1 + cv^2 of the weights, 1 where they are equal; ``misfit``: how many times as
    many uniques the sample has as the model makes, 1 where chance explains it; ``dense``: whether the model
    links attributes three by three.
    """

    records: int
    uniques: int
    fraction: float
    unequal: float = 1.0
    misfit: float = 1.0
    dense: bool = False

    @property
    def shared(self) -> int:
        """How many records share their key with another."""
        return self.records - self.uniques


@dataclass(frozen=True)
class Leading:
    """The interval of the log-linear estimate where it leads, why, and whether it is one of 95%."""

    low: float
    high: float
    why: str
    promised: bool


def leading(
    found: Diagnostics, value: float, interval: tuple[float, float], others: Mapping[str, float]
) -> Leading | NotEstimable:
    """Whether the log-linear estimate leads, with which interval and why; or why no estimate does.

    ``others``: what Pitman's and Zayatz's formulas say, where they say something. In this order:

    1. nobody is unique, or everybody is in the file: the number is known;
    2. the model makes more uniques than there are, and another estimate is below two thirds: none leads;
    3. it makes more, but no other is as low: it leads, and the interval goes down to the lowest of them;
    4. it makes fewer, or the weights are very unequal: it leads, and the interval goes up to the highest;
    5. it fits, but too few records share a key to show that (the interval goes to the lowest and the highest
       of the others), or it links attributes three by three: it leads, and no 95% are promised;
    6. it fits: it leads, with its own interval, which is one of 95%.

    >>> good = Diagnostics(records=2000, uniques=1200, fraction=0.05)
    >>> leading(good, 320.0, (290.0, 360.0), {"Pitman": 500.0, "Zayatz": 770.0}).promised
    True
    >>> families = Diagnostics(records=2000, uniques=1750, fraction=0.05, misfit=0.88)
    >>> leading(families, 1610.0, (1580.0, 1650.0), {"Pitman": 530.0, "Zayatz": 1550.0}).reason[:34]
    'no estimate of the population uniq'
    """
    low, high = interval
    lowest = min([low, *others.values()])
    highest = min(max([high, *others.values()]), float(found.uniques))
    if found.uniques == 0 or found.fraction >= 1:
        return Leading(value, value, _known(found), promised=True)
    if found.misfit < 1 and min(others.values(), default=value) < BELIEVED * value:
        return NotEstimable(_refused(found, value, others), declared=True)
    if found.misfit < 1:
        return Leading(lowest, high, _too_many(found), promised=False)
    if found.misfit > 1 or found.unequal > UNEQUAL:
        return Leading(low, highest, _too_few(found), promised=False)
    if found.shared < ENOUGH_SHARED:
        return Leading(lowest, highest, _unchecked(found), promised=False)
    return Leading(low, high, DENSE if found.dense else FITS, promised=not found.dense)


FITS = "The log-linear model leads: it makes as many unique records as the release has"
DENSE = (
    f"{FITS}; but it links attributes three by three, where its interval may hold in only eight of ten "
    "samples, and the truth is rather higher"
)


def range_text(others: Mapping[str, float]) -> str:
    """What the other estimates say, as a range.

    >>> range_text({"Pitman": 120.2, "Zayatz": 4100.0}), range_text({"Zayatz": 7.0}), range_text({})
    ('Pitman and Zayatz say 120 to 4,100', 'Zayatz says 7', '')
    """
    if not others:
        return ""
    low, high = min(others.values()), max(others.values())
    values = f"{low:,.0f}" if f"{low:,.0f}" == f"{high:,.0f}" else f"{low:,.0f} to {high:,.0f}"
    return f"{' and '.join(others)} {'says' if len(others) == 1 else 'say'} {values}"


def _known(found: Diagnostics) -> str:
    if found.uniques == 0:
        return "No released record is unique, so none can be in the population"
    return "The release is its whole population, so who is unique in the one is in the other"


def _refused(found: Diagnostics, value: float, others: Mapping[str, float]) -> str:
    uniques = found.uniques
    return (
        f"no estimate of the population uniques can be believed: the log-linear model says {value:,.0f}, but "
        f"the release has {found.misfit:.2f} times as many unique records as it makes, so keys recur in ways "
        f"that it does not know, and {range_text(others)}; all that is certain is that "
        f"{records(uniques)} {are(uniques)} unique in the release, and no more in the population; give a "
        "population file"
    )


def _too_many(found: Diagnostics) -> str:
    return (
        f"The log-linear model leads as the highest that can be believed: the release has only "
        f"{found.misfit:.2f} times as many unique records as it makes, so it errs on the high side, and the "
        "interval goes down to the lowest of the other estimates"
    )


def _too_few(found: Diagnostics) -> str:
    doubt = (
        f"the release has {found.misfit:.2f} times as many unique records as it makes"
        if found.misfit > 1
        else "the weights are very unequal"
    )
    return (
        f"The log-linear model leads, but {doubt}, so it may be too low, and the interval goes up to the "
        "highest of the other estimates"
    )


def _unchecked(found: Diagnostics) -> str:
    return (
        f"The log-linear model leads, but only {records(found.shared)} {are(found.shared, 'shares', 'share')}"
        " a key, too few to show whether it fits, so the interval has what all estimates say, and the "
        "truth may be outside"
    )
