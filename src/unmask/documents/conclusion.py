"""What a person who must decide asks after the numbers: who is at risk, through what, and what would help.

The estimates stand in the table, as rows of the curves that are named here; this section has the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

from unmask.documents.codec import Count, Share

#: The curves of the table that belong to a conclusion. FACTS: an intruder who knows only ``known``, the best
#: few attributes; WITHOUT: one who knows all but ``subject``; GROUP: the people who have the category
#: ``people`` of the attribute ``subject``, beside all others as its baseline; CHANGE: the release as it would
#: be after the change that ``release`` names; BOTH: a measure of the keys of the ``release`` ("original",
#: "released").
FACTS, WITHOUT, GROUP, CHANGE, BOTH = "facts", "without", "group", "change", "both"


@dataclass(frozen=True)
class SpreadPoint:
    """The riskiest ``people`` of all carry ``risk`` of all that is found (both shares)."""

    people: Share
    risk: Share


@dataclass(frozen=True)
class SpreadSection:
    """How the risk is spread over people, under the ``attack`` that finds most.

    A person's risk is the intruder's belief in their true record. ``certain``: how many people's it is 1;
    ``likely``: above a half and below 1; ``possible``: above 0 and at most a half; ``none``: 0; together they
    are all ``people``. ``half``, ``most``: the fewest people who carry a half, and four fifths, of all that
    is found (0 where nobody is found). ``points``: the curve, from nobody to everybody, at most 51 of them
    (none where nobody is found).
    """

    attack: str
    people: Count
    certain: Count
    likely: Count
    possible: Count
    none: Count
    half: Count
    most: Count
    points: tuple[SpreadPoint, ...]


@dataclass(frozen=True)
class WhatIfSection:
    """A change of the release that would lower the risk; the table has the risk after it (CHANGE).

    ``name``: its name in the table's ``release``; ``kind``: drop, coarsen, suppress or several; ``attribute``
    or ``records``: what it changes; ``text``: what to do, in words; ``lost``: the share of the detail of the
    compared attributes that it costs (entropy); ``command``: how unmask does it to a file, where it can.
    """

    name: str
    kind: str
    text: str
    lost: Share
    attribute: str | None = None
    records: Count | None = None
    command: str = ""


@dataclass(frozen=True)
class ConclusionSection:
    """Who is at risk, through what, and what would help, under one attack.

    ``attack``: the attack that was repeated; ``people``: on so many people; ``released``: against so many
    released records, where the file is large a random part of it with the records of these people; ``rate``:
    what it finds there before any change; ``confirmed``: the curves (FACTS, CHANGE) whose rows were measured
    against the whole release instead, where it finds ``whole`` of the same people; ``tested``: how many
    groups were compared with the others; ``notes``: what the reader of these numbers must know; ``masks``:
    those that change what people are found by, where these are not their attributes (series, traces, ties),
    as "title (name)"; ``study``: a command that compares some of them.
    """

    attack: str
    people: Count
    released: Count
    rate: Share
    whole: Share | None = None
    confirmed: tuple[str, ...] = ()
    spread: SpreadSection | None = None
    changes: tuple[WhatIfSection, ...] = ()
    tested: Count = 0
    notes: tuple[str, ...] = ()
    masks: tuple[str, ...] = ()
    study: str = ""

    def before(self, curve: str) -> float:
        """What the attack finds as things are, where the rows of a curve were measured: falls start there.

        >>> section = ConclusionSection("dbrl", 1000, 20_000, rate=0.5, whole=0.2, confirmed=(FACTS,))
        >>> section.before(FACTS), section.before(CHANGE)
        (0.2, 0.5)
        """
        return self.rate if self.whole is None or curve not in self.confirmed else self.whole
