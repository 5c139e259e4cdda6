"""What if: the changes of the release that are tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from unmask.assessment.stage import Stage
from unmask.data.microdata import Ints
from unmask.data.schema import Kind
from unmask.data.sums import mean
from unmask.intruder.truth import Truth
from unmask.masks import GlobalRecoding
from unmask.studies.conclusion.coarsening import BANDS, bands, coarsenings, entropy, value_counts
from unmask.studies.conclusion.facts import Facts
from unmask.studies.conclusion.repeating import Repeated

DROP, COARSEN, SUPPRESS, SEVERAL = "drop", "coarsen", "suppress", "several"

#: Shares of the records that are left out, those of the people at the highest risk.
SUPPRESSED = (0.01, 0.05, 0.1)
#: So many attributes are made coarser, those through which most are found; so many changes go together.
MOST_COARSENED, MOST_TOGETHER = 8, 3
#: More attributes than this are not listed by name.
MOST_LISTED = 5


@dataclass(frozen=True, eq=False)
class WhatIf:
    """A change of the release; ``apply`` makes it to a stage.

    ``of``: the attributes that it changes; ``lost``: the share of the detail that it costs; ``mask``: the
    mask that does the same to the file, where there is one.
    """

    name: str
    kind: str
    text: str
    lost: float
    apply: Callable[[Stage], Stage]
    of: tuple[str, ...] = ()
    records: int | None = None
    mask: GlobalRecoding | None = None


@dataclass(frozen=True, eq=False)
class WhatIfs:
    """The changes that are tried of a release, after what is known of its attributes one by one."""

    repeated: Repeated
    facts: Facts

    @cached_property
    def detail(self) -> dict[str, float]:
        """The entropy of each compared attribute in the release."""
        dossier, cache = self.repeated.whole.dossier, self.repeated.session.engine.cache
        return {
            name: entropy(value_counts(dossier.released, dossier.known.schema[name], cache))
            for name in self.repeated.attributes
        }

    def _lost(self, name: str, left: float = 0.0) -> float:
        """The share of all detail that goes where an attribute has only so much left."""
        whole = sum(self.detail.values())
        return max(0.0, self.detail[name] - left) / whole if whole > 0 else 0.0

    def singles(self) -> Iterator[WhatIf]:
        """Each attribute left out, and those through which most are found made coarser."""
        without, alone = self.facts.without, self.facts.alone
        for name in without:
            if self.detail[name] > 0:
                yield self._drop(name)
        left = {name: round(mean(found), 12) for name, found in without.items()}
        most = sorted(alone, key=lambda name: (left.get(name, 0.0), -alone[name]))[:MOST_COARSENED]
        dossier, cache = self.repeated.whole.dossier, self.repeated.session.engine.cache
        for name in most:
            for way in coarsenings(dossier, name, cache):
                lost = self._lost(name, entropy(way.count))
                yield WhatIf(f"{name}: {way.way}", COARSEN, way.text, lost, way.apply, (name,), mask=way.mask)

    def _drop(self, name: str) -> WhatIf:
        def apply(stage: Stage) -> Stage:
            names = stage.dossier.known.schema.names()
            return stage.knowing(tuple(other for other in names if other != name))

        return WhatIf(f"drop {name}", DROP, f"leave out '{name}'", self._lost(name), apply, (name,))

    def several(self, best: Sequence[WhatIf]) -> Iterator[WhatIf]:
        """Changes that go together.

        The best single ones of different attributes; the attributes that find most alone left out, because
        where there are several such, leaving out one of them changes nothing; and all numbers in bands.
        """
        parts: list[WhatIf] = []
        for change in best:
            dropped = sum(part.kind == DROP for part in (*parts, change))
            # Without any attribute there is nothing to compare, and hardly a file.
            fits = len(parts) < MOST_TOGETHER and dropped < len(self.repeated.attributes)
            if fits and all(change.of != part.of for part in parts):
                parts.append(change)
                if len(parts) > 1:
                    yield combined(parts)
        alone = self.facts.alone
        drops = [self._drop(name) for name in sorted(alone, key=lambda name: -alone[name])]
        yield from (combined(drops[:k]) for k in range(2, min(MOST_TOGETHER, len(drops) - 1) + 1))
        yield from (found for k in BANDS if (found := self._numbers(k)) is not None)

    def _numbers(self, k: int) -> WhatIf | None:
        """All numbers in so many bands."""
        dossier, cache = self.repeated.whole.dossier, self.repeated.session.engine.cache
        columns = [dossier.known.schema[name] for name in self.repeated.attributes]
        ways = [bands(dossier, c, k, cache) for c in columns if c.kind is Kind.NUMERIC]
        parts = [
            WhatIf(
                "", COARSEN, "", self._lost(way.attribute, entropy(way.count)), way.apply, (way.attribute,)
            )
            for way in ways
            if way is not None and self._lost(way.attribute, entropy(way.count)) > 0
        ]
        if len(parts) < 2:
            return None
        found = combined(parts)
        text = f"put {_listed(found.of, 'numeric attributes')} into at most {k} bands each"
        mask = GlobalRecoding(quantiles=k, attributes=found.of)
        return replace(found, name=f"numbers: {k} bands", text=text, mask=mask)

    def suppressions(self) -> Iterator[WhatIf]:
        """The records of the people at the highest risk left out: 1%, 5% and 10% of all."""
        session, risks = self.repeated.session, self.repeated.risks
        people, risk = risks.rows, risks.belief
        # Who of those at the same risk comes first is drawn.
        order = np.lexsort((risks.draw, -np.round(risk, 12)))
        positive, before = int((risk > 0).sum()), 0
        released = int((session.files.masked.origin >= 0).sum())
        for share in SUPPRESSED:
            n = min(int(share * len(people) + 1e-9), positive)
            if n > before:
                before = n
                many = max(1, round(n / len(people) * released))
                which = "the record that is" if many == 1 else f"the {many:,} records that are"
                rows = people[order[:n]]
                yield WhatIf(
                    f"suppress {many}", SUPPRESS, f"leave out {which} found most easily", n / len(people),
                    _suppressing(rows), records=many,
                )  # fmt: skip


def combined(parts: Sequence[WhatIf]) -> WhatIf:
    """Several changes of different attributes as one."""
    made = tuple(parts)

    def apply(stage: Stage) -> Stage:
        for part in made:
            stage = part.apply(stage)
        return stage

    drops = [part.of[0] for part in made if part.kind == DROP]
    texts = [f"leave out {_listed(drops)}"] if drops else []
    texts += [part.text for part in made if part.kind != DROP]
    names = tuple(name for part in made for name in part.of)
    lost = min(1.0, sum(part.lost for part in made))
    return WhatIf("; ".join(part.name for part in made), SEVERAL, _and(texts), lost, apply, names)


def _listed(names: Sequence[str], many: str = "attributes") -> str:
    """Names in quotes, or how many there are.

    >>> _listed(["age", "pay", "town"]), _listed(list("abcdef"))
    ("'age', 'pay' and 'town'", 'all 6 attributes')
    """
    return _and([f"'{name}'" for name in names]) if len(names) <= MOST_LISTED else f"all {len(names)} {many}"


def _and(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"


def _suppressing(rows: Ints) -> Callable[[Stage], Stage]:
    return lambda stage: suppressed(stage, rows)


def suppressed(stage: Stage, rows: Ints) -> Stage:
    """The stage without the released records of these people, by their rows in the original file."""
    truth, released = stage.truth.row, stage.dossier.released
    gone = truth[np.isin(stage.people, rows)]
    kept = np.ones(len(released), dtype=np.bool_)
    kept[gone[gone >= 0]] = False
    place = np.append(np.where(kept, np.cumsum(kept) - 1, -1), -1)  # the last one: who has no record
    left = replace(stage.dossier, released=released.take(np.flatnonzero(kept)))
    return replace(stage, dossier=left, truth=Truth(place[truth]))
