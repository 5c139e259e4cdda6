"""assess(): every attack against one release, each read beside chance, and what is learned without one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from unmask.attacks import ATTACKS, Attack, WorstCase, attack_named
from unmask.engines import Engine, LocalEngine
from unmask.errors import ArgumentError
from unmask.inputs import Files, companion_file, original_file, pair
from unmask.links import Truth
from unmask.masks import Mask
from unmask.measures import (
    FILE_MEASURES,
    MEASURES,
    Case,
    FileMeasure,
    Finding,
    Measure,
    Unit,
    measure_named,
    not_estimable,
)
from unmask.microdata import Ints
from unmask.randomness import generator
from unmask.results import Assessment, Sizes
from unmask.runs import Run
from unmask.scenario import Scenario
from unmask.schema import Schema
from unmask.trials import Stage

Announce = Callable[[str], None]


def assess(
    original: object,
    released: object,
    *,
    known: Sequence[str] | None = None,
    attacks: Sequence[Attack | WorstCase | str] | None = None,
    measures: Sequence[Measure | FileMeasure | str] | None = None,
    schema: Schema | None = None,
    truth: str | None = None,
    scenario: Scenario | None = None,
    population: object = None,
    holdout: object = None,
    model: object = None,
    seed: int = 0,
    depth: int = 10,
    sample: int | None = None,
    time_limit: float = 60.0,
    engine: Engine | None = None,
    announce: Announce | None = None,
) -> Assessment:
    """Attack a released file with every method and say how many records each re-identifies.

    ``original`` and ``released`` are frames with the Arrow interface, paths or Microdata; ``released`` may
    also be a mask, which is then applied to the original. ``known``: the attributes the intruder knows
    (or give a whole ``scenario``). ``truth``: a key column in both files; without it, row i of one file is
    row i of the other.
    ``population``, ``holdout`` and ``model`` are what measures of the file may use: a file of everybody, one
    of people who are not in the original, a released classifier. ``depth``: how many closer records are
    counted for each target. ``sample``: try the attacks on so many people only, drawn at random from those
    who are in the release; the intruder's knowledge stays whole, and the intervals widen. ``time_limit``:
    seconds that an attack may learn from the truth. ``announce`` is called with the name of each attack and
    measure as it starts.

    >>> import polars as pl
    >>> people = pl.DataFrame({"age": [20.5, 30, 40, 50], "income": [1.0, 4.5, 2.0, 8.0]})
    >>> from unmask.masks import Noise
    >>> risk = assess(people, Noise(a=0.01), known=["age", "income"], attacks=["guess", "dbrl"], seed=1)
    >>> risk.worst().attack, risk.worst().value
    ('dbrl', 1.0)
    """
    scenario = _scenario(known, scenario, truth)
    if depth < 1:
        raise ArgumentError(f"depth is {depth}", hint="count at least 1 closer record")
    if sample is not None and sample < 1:
        raise ArgumentError(f"the sample is {sample}", hint="try at least 1 person")
    if not time_limit > 0:
        raise ArgumentError(f"the time limit is {time_limit:g}", hint="give a number of seconds above 0")
    of_attacks, of_file = _chosen_measures(measures, attacks is not None)
    chosen = _chosen_attacks(attacks) if of_attacks else []
    files = _files(original, released, schema, truth, seed)
    dossier, actual, targets = scenario.stage(files.original, files.masked, generator(seed, "stage"))
    tried = _sample(actual, sample, seed)
    engine = engine or LocalEngine()
    stage = Stage(dossier, actual, tried, of_attacks, depth, seed, engine, time_limit)
    case = Case(
        files.original,
        files.masked,
        dossier.known.schema.names(),
        scenario.missing,
        companion_file(population, files.original, "the population file"),
        companion_file(holdout, files.original, "the hold-out file"),
        model,
        seed,
    )
    return Assessment(
        scenario=scenario.describe(len(files.original)),
        attributes=tuple((column.name, column.kind.value) for column in dossier.known.schema),
        missing=scenario.missing.value,
        error=scenario.error,
        block=scenario.block,
        sizes=Sizes(
            len(files.original), len(dossier.released), len(targets), len(actual.present), len(tried)
        ),
        targets=targets[tried],
        runs=_attacked(stage, chosen, announce),
        notes=files.notes,
        seed=seed,
        findings=_measured(case, of_file, measures is not None, engine, announce),
    )


def _attacked(
    stage: Stage, attacks: Sequence[Attack | WorstCase], announce: Announce | None
) -> tuple[Run, ...]:
    runs: list[Run] = []
    for attack in attacks:
        if announce is not None:
            announce(attack.name)
        runs += stage.run(attack)
    return tuple(runs)


def _measured(
    case: Case, measures: Sequence[FileMeasure], named: bool, engine: Engine, announce: Announce | None
) -> tuple[Finding, ...]:
    """What the measures find; one that has no ground to stand on is left out, unless it was asked for."""
    found: list[Finding] = []
    for measure in measures:
        reason = measure.why_not(case)
        if reason is not None:
            if named:
                found.append(not_estimable(measure.name, "", Unit.SHARE, reason))
            continue
        if announce is not None:
            announce(measure.name)
        found += measure.findings(case, engine)
    return tuple(found)


def _scenario(known: Sequence[str] | None, scenario: Scenario | None, truth: str | None) -> Scenario:
    """The scenario given, or that of an intruder who knows these attributes of everybody."""
    if isinstance(known, str):
        raise ArgumentError("known is a text, not a list", hint=f"write known=[{known!r}]")
    if scenario is None:
        scenario = Scenario(known=None if known is None else tuple(known))
    elif known is not None:
        raise ArgumentError("both known and a scenario are given", hint="put known into the scenario")
    if truth is not None and scenario.known is not None and truth in scenario.known:
        raise ArgumentError(
            f"'{truth}' is the key that tells the truth, and also known to the intruder",
            hint="leave it out of the known attributes",
        )
    return scenario


def _files(original: object, released: object, schema: Schema | None, truth: str | None, seed: int) -> Files:
    if isinstance(released, Mask):
        data = original_file(original, schema)
        return Files(data, released.apply(data, generator(seed, "mask", released.name)), ())
    return pair(original, released, schema, truth)


def _chosen_attacks(attacks: Sequence[Attack | WorstCase | str] | None) -> list[Attack | WorstCase]:
    if isinstance(attacks, str):
        raise ArgumentError("attacks is a text, not a list", hint=f"write attacks=[{attacks!r}]")
    chosen: list[Attack | WorstCase] = list(ATTACKS.values())
    if attacks is not None:
        chosen = [attack_named(a) if isinstance(a, str) else a for a in attacks]
    if not chosen:
        raise ArgumentError("no attack is named", hint=f"name some of: {', '.join(ATTACKS)}")
    names = [attack.name for attack in chosen]
    if len(set(names)) != len(names):
        raise ArgumentError("an attack is named twice", hint="name each once")
    return chosen


def _chosen_measures(
    measures: Sequence[Measure | FileMeasure | str] | None, attacked: bool
) -> tuple[list[Measure], list[FileMeasure]]:
    """The measures of attacks and those of the whole file. Who names attacks wants them measured."""
    if measures is None:
        return list(MEASURES.values()), list(FILE_MEASURES.values())
    if isinstance(measures, str):
        raise ArgumentError("measures is a text, not a list", hint=f"write measures=[{measures!r}]")
    chosen = [measure_named(m) if isinstance(m, str) else m for m in measures]
    if not chosen:
        raise ArgumentError("no measure is named", hint=f"name some of: {', '.join(MEASURES)}")
    of_file = [m for m in chosen if isinstance(m, FileMeasure)]
    of_attacks = [m for m in chosen if not isinstance(m, FileMeasure)]
    if attacked and not of_attacks:
        of_attacks = list(MEASURES.values())
    return of_attacks, of_file


def _sample(truth: Truth, sample: int | None, seed: int) -> Ints:
    """The targets that are tried: all, or a sample of those who are in the release."""
    if sample is None or sample >= len(truth.present):
        return np.arange(len(truth.row), dtype=np.int64)
    return np.sort(generator(seed, "sample").choice(truth.present, sample, replace=False))
