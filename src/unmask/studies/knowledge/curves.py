"""knowledge_curves(): one attack or several, tried on what ever more knowing intruders hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from unmask.assessment.choices import chosen_attacks, files_of, scenario_of, tried_of
from unmask.assessment.results import Sizes
from unmask.assessment.trials import Stage
from unmask.attacks import Attack, WorstCase
from unmask.data.loading import Files
from unmask.data.microdata import Ints
from unmask.data.schema import Schema
from unmask.engines import Engine, LocalEngine
from unmask.errors import ArgumentError
from unmask.intruder.dossier import Dossier
from unmask.intruder.scenario import Scenario
from unmask.intruder.truth import Truth
from unmask.measures import Reidentification, as_number
from unmask.studies.knowledge.results import KnowledgeCurves, Point
from unmask.studies.knowledge.sets import Names, full_sizes, sets_up_to

ERRORS = (0.0, 0.05, 0.1, 0.25, 0.5)
SHARES = (0.01, 0.1, 0.5, 1.0)
#: How many sets of attributes are tried before the larger sizes are left to the greedy path.
LIMIT = 5000

Progress = Callable[[int, int], None]


def knowledge_curves(
    original: object,
    released: object,
    *,
    attack: Attack | WorstCase | str | Sequence[Attack | WorstCase | str] = "dbrl",
    size: int = 3,
    threshold: float | None = None,
    errors: Sequence[float] = ERRORS,
    shares: Sequence[float] = SHARES,
    known: Sequence[str] | None = None,
    schema: Schema | None = None,
    truth: str | None = None,
    scenario: Scenario | None = None,
    limit: int = LIMIT,
    sample: int | None = None,
    seed: int = 0,
    engine: Engine | None = None,
    progress: Progress | None = None,
) -> KnowledgeCurves:
    """Risk as a function of what the intruder knows: which attributes, how exactly, of how many people.

    Re-identification (expected reading of ties) of every set of up to ``size`` attributes, at most ``limit``
    sets; from the best of the largest on, greedily, the attribute added that raises the risk most; then all
    attributes with each of the ``errors`` (as in Scenario), and of each of the ``shares`` of the people.
    ``threshold``: also list the minimal sets that reach this risk. Minimal sets are the minimal unsafe
    combinations of statistical disclosure control (Willenborg and de Waal 1996) with risk in place of
    uniqueness. With several attacks, a set's risk is that of the attack which finds most.

    ``known``: the attributes to choose from; all that both files have when not told. ``sample``: try so many
    people only. A blocking attribute of the scenario is used by an intruder who knows it. ``progress`` is
    called with how many trials are done, and of how many. The rest is as for :func:`unmask.assess`.

    >>> import polars as pl
    >>> people = pl.DataFrame({"age": [20.5, 30, 30, 50], "pay": [1.5, 4, 2, 2], "sex": ["f", "m", "f", "m"]})
    >>> curves = knowledge_curves(people, people, threshold=0.9, known=["age", "pay", "sex"], errors=[0, 9])
    >>> [(point.attributes, point.value) for point in curves.minimal_sets()]
    [(('age', 'pay'), 1.0), (('age', 'sex'), 1.0), (('pay', 'sex'), 1.0)]
    >>> curves.table().filter(curve="error")["value"].to_list()
    [1.0, 0.0]
    """
    base = scenario_of(known, scenario, truth)
    named = [attack] if isinstance(attack, str | Attack | WorstCase) else list(attack)
    chosen = chosen_attacks(named)
    _check(size, threshold, limit, sample)
    vague = [replace(base, error=float(error)) for error in sorted(set(errors))]
    fewer = [replace(base, targets=float(share)) for share in sorted(set(shares))]
    files = files_of(original, released, schema, truth, seed)
    trials = _Trials(files, base, chosen, sample, seed, engine or LocalEngine(), progress)
    names = trials.attributes
    enumerated = full_sizes(len(names), size, limit)
    trials.expect(_steps(len(names), enumerated) + len(vague) + len(fewer))
    sets = [point for chosen_set in sets_up_to(names, enumerated) for point in trials.of(chosen_set)]
    path = _path(trials, sets, enumerated)
    return KnowledgeCurves(
        scenario=base.describe(len(files.original)),
        attributes=tuple((name, files.original.schema[name].kind.value) for name in names),
        missing=base.missing.value,
        error=base.error,
        block=base.block,
        attacks=tuple(attack.name for attack in chosen),
        sizes=trials.sizes,
        sets=tuple(sets),
        path=tuple(path),
        errors=tuple(point for other in vague for point in trials.under(other)),
        shares=tuple(point for other in fewer for point in trials.under(other)),
        threshold=threshold,
        size=size,
        enumerated=enumerated,
        limit=limit,
        notes=files.notes + tuple(trials.notes),
        seed=seed,
    )


def _check(size: int, threshold: float | None, limit: int, sample: int | None) -> None:
    if size < 1:
        raise ArgumentError(f"the size is {size}", hint="try sets of at least 1 attribute")
    if threshold is not None and not 0 < threshold <= 1:
        raise ArgumentError(f"the threshold is {threshold:g}", hint="give a share above 0, at most 1")
    if limit < 1:
        raise ArgumentError(f"the limit is {limit} sets", hint="try at least 1")
    if sample is not None and sample < 1:
        raise ArgumentError(f"the sample is {sample}", hint="try at least 1 person")


def _steps(attributes: int, enumerated: int) -> int:
    """How many sets are tried in all: the enumerated ones, and every addition on the greedy path."""
    listed = sum(1 for _ in sets_up_to([""] * attributes, enumerated))
    return listed + sum(attributes - k for k in range(enumerated, attributes))


@dataclass(frozen=True, eq=False)
class _Staged:
    """What the intruder sees under a scenario in which he knows every attribute, and who is tried."""

    dossier: Dossier
    truth: Truth
    tried: Ints
    scenario: Scenario


class _Trials:
    """The attacks on one pair of files, which are staged once for all sets of attributes.

    So an attribute that is known with error has the same error in every set.
    """

    def __init__(
        self,
        files: Files,
        scenario: Scenario,
        attacks: Sequence[Attack | WorstCase],
        sample: int | None,
        seed: int,
        engine: Engine,
        progress: Progress | None,
    ) -> None:
        self._files, self._scenario, self._attacks = files, scenario, attacks
        self._sample, self._seed, self._engine, self._progress = sample, seed, engine, progress
        self._done = self._total = 0
        self.notes: dict[str, None] = {}
        self._base = self._staged(scenario)
        self.attributes: Names = self._base.dossier.known.schema.names()

    def expect(self, sets: int) -> None:
        """So many sets will be tried."""
        self._total = sets * len(self._attacks)

    @cached_property
    def sizes(self) -> Sizes:
        """How many records and people there are."""
        base = self._base
        return Sizes(
            len(self._files.original),
            len(base.dossier.released),
            len(base.truth.row),
            len(base.truth.present),
            len(base.tried),
        )

    def of(self, names: Names) -> list[Point]:
        """One point an attack for an intruder who knows these attributes."""
        return self._points(self._base, names)

    def under(self, scenario: Scenario) -> list[Point]:
        """One point an attack for who knows all attributes, with that error or of those people."""
        return self._points(self._staged(scenario), self.attributes)

    def _staged(self, scenario: Scenario) -> _Staged:
        dossier, truth, _ = scenario.stage(self._files.original, self._files.masked, self._seed)
        return _Staged(dossier, truth, tried_of(truth, self._sample, self._seed), scenario)

    def _points(self, staged: _Staged, names: Names) -> list[Point]:
        held = staged.dossier
        block = tuple(name for name in held.block if name in names)
        dossier = Dossier(held.known.only(names), held.released, held.missing, block)
        stage = Stage(
            dossier, staged.truth, staged.tried, (Reidentification(),), 1, self._seed, self._engine, 60.0
        )
        points = []
        for attack in self._attacks:
            run = stage.run(attack)[0]
            if names == self.attributes:
                self.notes |= dict.fromkeys(f"{attack.name}: {note}" for note in run.notes)
            e = run.estimates[Reidentification().name]
            who = len(staged.truth.row)
            points.append(
                Point(
                    attack.name,
                    names,
                    staged.scenario.error,
                    who,
                    e.number,
                    e.low,
                    e.high,
                    e.n,
                    e.baseline,
                    as_number(e.p_value),
                    e.reason,
                )
            )
            self._done += 1
            if self._progress is not None:
                self._progress(self._done, self._total)
        return points


def _path(trials: _Trials, sets: Sequence[Point], enumerated: int) -> list[Point]:
    """From the best of the largest sets on, add the attribute that raises the risk most, to the last."""
    largest = [point for point in sets if len(point.attributes) == enumerated]
    held = max(largest, key=_value).attributes
    path = []
    while len(held) < len(trials.attributes):
        larger = [
            trials.of(tuple(name for name in trials.attributes if name in held or name == added))
            for added in trials.attributes
            if added not in held
        ]
        best = larger[int(np.argmax([max(map(_value, points)) for points in larger]))]
        held = best[0].attributes
        path += best
    return path


def _value(point: Point) -> float:
    return -1.0 if point.value is None else point.value
