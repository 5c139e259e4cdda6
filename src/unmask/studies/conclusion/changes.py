"""What would help: changes of the release, each tried by the attack again, and what each costs.

The risk after a change is that of this attack alone, of an intruder who knows how the release was changed.
No change is called enough: another attack may still find people.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt

from unmask.assessment.stage import Stage
from unmask.data.microdata import Floats
from unmask.data.sums import deviation, mean
from unmask.documents import EXPECTED
from unmask.documents.conclusion import CHANGE, WhatIfSection
from unmask.errors import UnmaskError
from unmask.masks import GlobalRecoding, parse
from unmask.measures.estimate import Keys, Row
from unmask.parsing import written
from unmask.studies.conclusion.facts import Facts
from unmask.studies.conclusion.repeating import Repeated
from unmask.studies.conclusion.what_ifs import DROP, SUPPRESS, WhatIf, WhatIfs

#: So many changes are told of, and so many of each attribute.
MOST_TOLD, MOST_ALIKE = 6, 2
#: The normal quantile of a 95% interval.
NORMAL = 1.96


@dataclass(frozen=True, eq=False)
class Tried:
    """A change and what it does: the belief in the truth about each person before and after it."""

    change: WhatIf
    before: Floats
    after: Floats

    @property
    def fall(self) -> float:
        """By how much the share of people found falls."""
        return mean(self.before - self.after)

    @property
    def worth(self) -> float:
        """The fall for each share of the detail that is lost."""
        return self.fall / max(self.change.lost, 1e-12)

    @property
    def effective(self) -> bool:
        """Whether the fall is more than noise: the interval of the paired differences lies above 0."""
        gap, n = self.before - self.after, len(self.before)
        return n > 1 and self.fall > max(NORMAL * deviation(gap) / sqrt(n), 1e-12)


@dataclass(frozen=True, eq=False)
class Changes:
    """The changes worth telling, each with its row, best first; ``confirmed``: before the whole release."""

    rows: tuple[Row, ...] = ()
    sections: tuple[WhatIfSection, ...] = ()
    confirmed: bool = False


def changes(repeated: Repeated, through: Facts) -> Changes:
    """The changes that lower the risk, by how much they do so for the detail that they cost.

    ``through``: what is found by and without each attribute; that the intruder does not know it is what
    leaving it out of the release comes to.
    """
    if not repeated.before.any():
        return Changes()
    what_ifs = WhatIfs(repeated, through)

    def effective(tried: Iterable[WhatIf]) -> list[Tried]:
        named = {change.name: change for change in tried}
        each = (_tried(repeated, change, through.without) for change in named.values())
        return [one for one in each if one.effective]

    found = effective(what_ifs.singles())
    best = sorted(found, key=lambda one: -one.worth)
    found += effective(what_ifs.several([one.change for one in best]))
    found += effective(what_ifs.suppressions())
    chosen = choose(found)
    seconds = repeated.seconds(len(repeated.attributes)) * len(chosen)
    seconds += through.seconds if through.confirmed else 0.0
    if not (repeated.sampled and chosen and repeated.affordable(seconds)):
        return _told([(one, _row(repeated, one, repeated.part)) for one in chosen])
    again = [_again(repeated, one.change) for one in chosen]
    held = sorted((pair for pair in again if pair[0].effective), key=lambda pair: -pair[0].worth)
    return replace(_told(held), confirmed=True)


def _told(found: Sequence[tuple[Tried, Row]]) -> Changes:
    return Changes(tuple(row for _, row in found), tuple(_section(one.change) for one, _ in found))


def choose(found: Sequence[Tried]) -> list[Tried]:
    """The changes to tell of, best first: that of the largest fall, and those worth most.

    A change of attributes is left out where another one does as much and costs no more.
    """
    ranked = sorted((one for one in found if not _beaten(one, found)), key=lambda one: -one.worth)
    chosen = [max(ranked, key=lambda one: one.fall)] if ranked else []
    for one in ranked:
        alike = [other for other in chosen if _alike(one.change, other.change)]
        if one not in chosen and len(alike) < MOST_ALIKE and len(chosen) < MOST_TOLD:
            chosen.append(one)
    return [one for one in ranked if one in chosen]


def _beaten(one: Tried, found: Sequence[Tried]) -> bool:
    """Whether another change of attributes does as much and costs no more; of equals the first stays."""
    if one.change.kind == SUPPRESS:
        return False
    mine = (round(one.fall, 12), -round(one.change.lost, 12))
    for place, other in enumerate(found):
        theirs = (round(other.fall, 12), -round(other.change.lost, 12))
        no_less = theirs[0] >= mine[0] and theirs[1] >= mine[1]
        if other.change.kind != SUPPRESS and no_less and (theirs != mine or place < found.index(one)):
            return True
    return False


def _alike(one: WhatIf, other: WhatIf) -> bool:
    """Whether both change the same single attribute, or both leave records out or go together."""
    return one.of == other.of if len(one.of) == 1 else one.kind == other.kind


def _tried(repeated: Repeated, change: WhatIf, without: Mapping[str, Floats]) -> Tried:
    """The change before the part of the release."""
    if change.kind == DROP and change.of[0] in without:
        return Tried(change, repeated.before, without[change.of[0]])
    return Tried(change, repeated.before, repeated.find(change.apply(repeated.part)))


def _again(repeated: Repeated, change: WhatIf) -> tuple[Tried, Row]:
    """The change before the whole release."""
    changed = change.apply(repeated.whole)
    one = Tried(change, repeated.before_whole, repeated.find(changed))
    return one, _row(repeated, one, repeated.whole, changed)


def _row(repeated: Repeated, one: Tried, stage: Stage, changed: Stage | None = None) -> Row:
    keys = Keys(EXPECTED, repeated.attack.name, release=one.change.name, curve=CHANGE)
    changed = one.change.apply(stage) if changed is None else changed
    # Who is left out counts as before, and is as dependent on others as before.
    seen = stage if one.change.kind == SUPPRESS else changed
    estimate = repeated.estimate(one.after, seen)
    return Row(keys, replace(estimate, baseline=_chance(stage, changed)))


def _chance(stage: Stage, changed: Stage) -> float:
    """The chance to find one of the people who were there, by a guess among the records that are."""
    left = len(changed.present) / len(stage.present)
    return left / len(changed.dossier.released)


def _section(change: WhatIf) -> WhatIfSection:
    single = change.of[0] if len(change.of) == 1 else None
    return WhatIfSection(
        change.name, change.kind, change.text, min(1.0, change.lost), single, change.records,
        _command(change.mask),
    )  # fmt: skip


def _command(mask: GlobalRecoding | None) -> str:
    """The arguments of 'unmask mask' that do it to the released file; "" where no mask does the same.

    >>> _command(GlobalRecoding(quantiles=5, attributes=("age", "net pay")))
    "--mask 'global-recoding:quantiles=5,attributes=age+net pay'"
    """
    if mask is None:
        return ""
    text = written(mask.name, mask)
    try:
        return f"--mask {shlex.quote(text)}" if parse(text) == mask else ""
    except UnmaskError:  # no text says a name with a double quote in it
        return ""
