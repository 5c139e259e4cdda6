"""Through what people are found: the few facts that find most, and what each of all adds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from unmask.data.microdata import Floats
from unmask.data.sums import mean
from unmask.documents import EXPECTED
from unmask.documents.conclusion import FACTS, WITHOUT
from unmask.measures.estimate import Keys, Row
from unmask.studies.conclusion.repeating import Repeated

#: Up to so many facts are put together; so many attributes are tried, and so many to add to the first fact.
MOST_FACTS, MOST_ATTRIBUTES, MOST_ADDED = 3, 30, 10


@dataclass(frozen=True, eq=False)
class Facts:
    """The rows, and what is found by and without each attribute.

    ``alone``: the share of people found by one attribute; ``without``: the belief in the truth about each
    person without it (none where there is only one attribute). ``confirmed``: the facts were tried against
    the whole release, which takes ``seconds``, by the estimates.
    """

    rows: tuple[Row, ...]
    alone: Mapping[str, float]
    without: Mapping[str, Floats]
    confirmed: bool
    seconds: float
    notes: tuple[str, ...] = ()


def facts(repeated: Repeated) -> Facts:
    """The greedy path from the one fact that finds most, and the risk without each attribute.

    The greedy path is that of knowledge curves: the attribute is added that raises the risk most. After the
    first one, only the :data:`MOST_ADDED` that find most alone are tried.
    """
    names, notes = _tried(repeated)
    alone = {name: _rate(repeated, (name,)) for name in names}
    path = _path(repeated, alone)
    seconds = sum(repeated.seconds(len(known)) for known in path)
    confirmed = repeated.sampled and repeated.affordable(seconds)
    rows = [_fact(repeated, known, confirmed) for known in path]
    without: dict[str, Floats] = {}
    for name in names if len(repeated.attributes) > 1 else ():
        stage = repeated.knowing([other for other in repeated.attributes if other != name])
        without[name] = repeated.find(stage)
        keys = Keys(EXPECTED, repeated.attack.name, subject=name, curve=WITHOUT)
        rows.append(Row(keys, repeated.estimate(without[name], stage)))
    return Facts(tuple(rows), alone, without, confirmed, seconds, notes)


def _fact(repeated: Repeated, known: tuple[str, ...], confirmed: bool) -> Row:
    """What an intruder finds who knows these attributes only."""
    stage = repeated.knowing(known, repeated.whole if confirmed else repeated.part)
    keys = Keys(EXPECTED, repeated.attack.name, curve=FACTS, known=known)
    return Row(keys, repeated.estimate(repeated.find(stage), stage))


def _tried(repeated: Repeated) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The attributes that are tried one by one, in their order: of many, those with most distinct values."""
    names, dossier = repeated.attributes, repeated.part.dossier
    if len(names) <= MOST_ATTRIBUTES:
        return names, ()
    distinct = [dossier.released.frame[name].n_unique() for name in names]
    most = np.sort(np.argsort([-n for n in distinct], kind="stable")[:MOST_ATTRIBUTES])
    return tuple(names[i] for i in most), (
        f"of the {len(names)} attributes compared, the {MOST_ATTRIBUTES} with most distinct values were "
        "tried one by one",
    )


def _path(repeated: Repeated, alone: Mapping[str, float]) -> list[tuple[str, ...]]:
    """The best fact, the best two that hold it, and so on; ``alone``: what each attribute finds."""
    held: tuple[str, ...] = (max(alone, key=lambda name: alone[name]),)
    path, pool = [held], sorted(alone, key=lambda name: -alone[name])[:MOST_ADDED]
    while len(path) < min(MOST_FACTS, len(alone)):
        risk = {name: _rate(repeated, (*held, name)) for name in alone if name in pool and name not in held}
        best = max(risk, key=lambda name: risk[name])
        held = tuple(name for name in repeated.attributes if name in (*held, best))
        path.append(held)
    return path


def _rate(repeated: Repeated, known: tuple[str, ...]) -> float:
    """The share of the people found; ties are shared out in fractions, whose sums differ in last digits."""
    return round(mean(repeated.find(repeated.knowing(known))), 12)
