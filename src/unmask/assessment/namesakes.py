"""Namesakes: whether people of the same name in the two files are alike at all.

Points and ties have no order of rows, so names tell who is who. A release whose pseudonyms happen to be names
of the original (1 to n in both files) would be paired by them with the wrong people, and nobody would be
found. What is counted of people (a degree, a number of points) may be too little to see that; what they left
is not.
"""

from __future__ import annotations

import numpy as np

from unmask.assessment.request import Request
from unmask.attacks import OF_CONTENT
from unmask.data.microdata import Floats
from unmask.data.paired_files import Files
from unmask.data.understanding.matching import By, UnknownRowsError
from unmask.engines import Engine
from unmask.intruder.scenario import Scenario
from unmask.intruder.truth import Truth
from unmask.linkage.links import Standing
from unmask.randomness import generator

#: On so many people it is tried.
MOST_TRIED = 500
#: By so many standard errors the namesakes must stand better than strangers.
ERRORS = 3.0


def check_namesakes(files: Files, request: Request, engine: Engine) -> None:
    """Refuse names that pair strangers, unless the user says that they tell who is who.

    Every attack on the content is asked how the namesake of each person stands among the released records,
    and, as a control, how the namesake of another person does.
    """
    rows, content = files.understanding.rows, files.original.content
    asked = request.files
    if content is None or rows.seen or rows.by is not By.KEY or asked.truth is not None or asked.pairs:
        return
    scenario = Scenario(known=request.scenario.known)
    dossier, truth, _ = scenario.stage(files.original, files.masked, request.seed)
    rng = generator(request.seed, "namesakes")
    tried = rng.permutation(truth.present)[:MOST_TRIED]
    strangers = truth.row.copy()
    strangers[tried] = np.roll(truth.row[tried], 1)
    for name, attack in OF_CONTENT.items():
        if getattr(attack, "shape", "") == content.shape:
            matcher = attack.prepare(dossier, generator(request.seed, "namesakes", name), engine)
            depth = len(dossier.released)
            own, other = (matcher.standing(who, depth, tried) for who in (truth, Truth(strangers)))
            if stand_better(own, other):
                return
    raise UnknownRowsError(
        "people with the same name in both files are no more alike than strangers are",
        hint="if the release has names of its own, give a file of pairs (--pairs FILE); if the same name is "
        f"the same person and the release hides it, say so (--truth {rows.column})",
    )


def stand_better(own: Standing, other: Standing) -> bool:
    """Whether records rank before others by more than chance: 3 standard errors of the mean difference.

    Of c records that are closer and t that tie, itself included, a record has the rank c + (t + 1)/2.

    >>> first, middle = Standing(np.zeros(9), np.ones(9), 20), Standing(np.arange(9) + 6, np.ones(9), 20)
    >>> stand_better(first, middle), stand_better(middle, middle)
    (True, False)
    """
    gained = _ranks(other) - _ranks(own)
    return bool(gained.mean() > ERRORS * gained.std() / np.sqrt(len(gained)))


def _ranks(standing: Standing) -> Floats:
    return np.asarray(standing.closer + (standing.tied + 1) / 2, np.float64)
