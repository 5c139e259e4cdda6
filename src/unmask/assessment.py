"""assess(): every attack against one release, each read beside chance."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from unmask.attacks import ATTACKS, Attack, Matcher, attack_named
from unmask.engines import Engine, LocalEngine
from unmask.errors import ArgumentError
from unmask.inputs import Files, original_file, pair
from unmask.links import Truth
from unmask.masks import Mask
from unmask.measures import MEASURES, Measure, Trial, measure_named
from unmask.microdata import Ints
from unmask.randomness import generator
from unmask.results import Assessment, Run, Sizes
from unmask.scenario import Scenario
from unmask.schema import Schema

#: On how many targets the mean width of an attack's beliefs is measured.
SPREAD_SAMPLE = 1000


def assess(
    original: object,
    released: object,
    *,
    known: Sequence[str] | None = None,
    attacks: Sequence[Attack | str] | None = None,
    measures: Sequence[Measure | str] | None = None,
    schema: Schema | None = None,
    truth: str | None = None,
    scenario: Scenario | None = None,
    seed: int = 0,
    depth: int = 10,
    sample: int | None = None,
    engine: Engine | None = None,
    announce: Callable[[str], None] | None = None,
) -> Assessment:
    """Attack a released file with every method and say how many records each re-identifies.

    ``original`` and ``released`` are frames with the Arrow interface, paths or Microdata; ``released`` may
    also be a mask, which is then applied to the original. ``known``: the attributes the intruder knows
    (or give a whole ``scenario``). ``truth``: a key column in both files; without it, row i of one file is
    row i of the other. ``depth``: how many closer records are counted for each target. ``sample``: try the
    attacks on so many people only, drawn at random from those who are in the release; the intruder's
    knowledge stays whole, and the intervals widen. ``announce`` is called with the name of each attack as
    it starts.

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
    chosen, judged = _chosen_attacks(attacks), _chosen_measures(measures)
    files = _files(original, released, schema, truth, seed)
    dossier, actual, targets = scenario.stage(files.original, files.masked, generator(seed, "stage"))
    tried = _sample(actual, sample, seed)
    runs = []
    for attack in chosen:
        if announce is not None:
            announce(attack.name)
        matcher = attack.prepare(dossier, generator(seed, "attack", attack.name), engine or LocalEngine())
        runs.append(_run(attack.name, matcher, len(dossier.released), actual, tried, judged, depth, seed))
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
        runs=tuple(runs),
        notes=files.notes,
        seed=seed,
    )


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


def _run(
    name: str,
    matcher: Matcher,
    released: int,
    truth: Truth,
    tried: Ints,
    measures: Sequence[Measure],
    depth: int,
    seed: int,
) -> Run:
    def spread() -> float:
        return float(matcher.links(_spread_sample(tried, seed)).records_believed().mean())

    standing = matcher.standing(truth, depth, tried)
    trial = Trial(name, released, Truth(truth.row[tried]), standing, spread)
    estimates = {measure.name: measure.estimate(trial) for measure in measures}
    return Run(name, matcher.notes, trial.standing, estimates)


def _files(original: object, released: object, schema: Schema | None, truth: str | None, seed: int) -> Files:
    if isinstance(released, Mask):
        data = original_file(original, schema)
        return Files(data, released.apply(data, generator(seed, "mask", released.name)), ())
    return pair(original, released, schema, truth)


def _chosen_attacks(attacks: Sequence[Attack | str] | None) -> list[Attack]:
    if attacks is None:
        return list(ATTACKS.values())
    if isinstance(attacks, str):
        raise ArgumentError("attacks is a text, not a list", hint=f"write attacks=[{attacks!r}]")
    chosen = [attack_named(a) if isinstance(a, str) else a for a in attacks]
    if not chosen:
        raise ArgumentError("no attack is named", hint=f"name some of: {', '.join(ATTACKS)}")
    names = [attack.name for attack in chosen]
    if len(set(names)) != len(names):
        raise ArgumentError("an attack is named twice", hint="name each once")
    return chosen


def _chosen_measures(measures: Sequence[Measure | str] | None) -> list[Measure]:
    if measures is None:
        return list(MEASURES.values())
    if isinstance(measures, str):
        raise ArgumentError("measures is a text, not a list", hint=f"write measures=[{measures!r}]")
    chosen = [measure_named(m) if isinstance(m, str) else m for m in measures]
    if not chosen:
        raise ArgumentError("no measure is named", hint=f"name some of: {', '.join(MEASURES)}")
    return chosen


def _sample(truth: Truth, sample: int | None, seed: int) -> Ints:
    """The targets that are tried: all, or a sample of those who are in the release."""
    if sample is None or sample >= len(truth.present):
        return np.arange(len(truth.row), dtype=np.int64)
    return np.sort(generator(seed, "sample").choice(truth.present, sample, replace=False))


def _spread_sample(tried: Ints, seed: int) -> Ints:
    """The targets on which the width of beliefs is measured: all of a small file, else a sample."""
    if len(tried) <= SPREAD_SAMPLE:
        return tried
    return np.sort(generator(seed, "spread").choice(tried, SPREAD_SAMPLE, replace=False))
