"""assess(): every attack against one release, each read beside chance, and what is learned without one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from unmask.assessment.choices import (
    chosen_attacks,
    chosen_measures,
    files_of,
    mask_of,
    scenario_of,
    tried_of,
)
from unmask.assessment.results import Assessment, Sizes
from unmask.assessment.runs import Run
from unmask.assessment.trials import Stage
from unmask.attacks import WITHOUT_COMMON, Attack, WorstCase
from unmask.data.loading import Files, companion_file
from unmask.data.microdata import Microdata
from unmask.data.schema import Schema
from unmask.engines import Engine, LocalEngine
from unmask.engines.cache import Cache
from unmask.errors import ArgumentError
from unmask.intruder.dossier import Dossier
from unmask.intruder.scenario import Scenario
from unmask.linkage.transitions import Declares
from unmask.measures import FileEvidence, FileMeasure, Measure, Misclassified, Row
from unmask.studies.releases import Follow, Release, compare_releases, compare_sources, releases_of

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
    synthetic: bool = False,
    scenario: Scenario | None = None,
    mechanism: object = None,
    earlier: Sequence[object] = (),
    follow: Follow | str = "none",
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
    row i of the other. ``synthetic``: no released record is anybody's, so nobody is looked for, and only what
    is learned without linking is measured. ``mechanism``: the mask that made the release (or its text, as in
    "noise:a=0.1"), for an intruder who knows it. ``earlier``: releases of the same people that are out
    already, and ``follow``: how he follows records from one to the other ("order", "key:COLUMN",
    "confidential", "none").
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
    scenario = scenario_of(known, scenario, truth)
    _check(depth, sample, time_limit)
    of_attacks, of_file = chosen_measures(measures, attacks is not None)
    if synthetic:
        _check_synthetic(attacks, mechanism, earlier)
        of_attacks = []
    mechanism = mask_of(mechanism)
    chosen = chosen_attacks(attacks, mechanism) if of_attacks else []
    files = files_of(original, released, schema, truth, seed, synthetic)
    if measures is None and isinstance(mechanism, Declares):
        of_file.append(Misclassified(mechanism.transitions(files.original)))
    dossier, actual, targets = scenario.stage(files.original, files.masked, seed)
    if attacks is None and of_attacks and not dossier.comparable:
        chosen = chosen_attacks(None, mechanism, WITHOUT_COMMON)
    tried = tried_of(actual, sample, seed)
    engine = engine or LocalEngine()
    stage = Stage(dossier, actual, tried, of_attacks, depth, seed, engine, time_limit)
    case = _case(files, dossier, scenario, population, holdout, model, seed, engine.cache)
    runs = _attacked(stage, chosen, announce)
    releases = None
    if earlier and chosen:
        way = Follow.parse(follow) if isinstance(follow, str) else follow
        data, found = releases_of(original, (released, *earlier), schema, truth, way, seed)
        releases = _with_earlier(data, found, scenario, chosen, way, stage, runs, announce)
    sources = _by_source(files, scenario, chosen, stage, announce)
    return Assessment(
        scenario=scenario.describe(len(files.original)),
        attributes=tuple((column.name, column.kind.value) for column in dossier.known.schema),
        missing=dossier.missing.value,
        error=scenario.largest_error,
        block=scenario.block,
        sizes=_sizes(files, stage),
        targets=targets[tried],
        runs=runs,
        notes=files.notes,
        seed=seed,
        findings=_measured(case, of_file, measures is not None, engine, announce),
        releases=releases,
        sources=sources,
        named=measures is not None,
    )


def _check(depth: int, sample: int | None, time_limit: float) -> None:
    if depth < 1:
        raise ArgumentError(f"depth is {depth}", hint="count at least 1 closer record")
    if sample is not None and sample < 1:
        raise ArgumentError(f"the sample is {sample}", hint="try at least 1 person")
    if not time_limit > 0:
        raise ArgumentError(f"the time limit is {time_limit:g}", hint="give a number of seconds above 0")


def _check_synthetic(attacks: object, mechanism: object, earlier: Sequence[object]) -> None:
    """Attacks look for people's own records, and a synthetic file has none."""
    if attacks is not None or mechanism is not None or earlier:
        raise ArgumentError(
            "nobody's record is in a synthetic file, so no attack can find it",
            hint="leave out attacks, mechanism and earlier releases; a hold-out tells who is recognised",
        )


def _case(
    files: Files,
    dossier: Dossier,
    scenario: Scenario,
    population: object,
    holdout: object,
    model: object,
    seed: int,
    cache: Cache,
) -> FileEvidence:
    """What measures of the file may look at."""
    return FileEvidence(
        files.original,
        files.masked,
        dossier.known.schema.names(),
        scenario.missing,
        companion_file(population, files.original, "the population file"),
        companion_file(holdout, files.original, "the hold-out file"),
        model,
        seed,
        cache,
    )


def _sizes(files: Files, stage: Stage) -> Sizes:
    known, seen = stage.truth, stage.dossier.released
    return Sizes(len(files.original), len(seen), len(known.row), len(known.present), len(stage.tried))


def _with_earlier(
    original: Microdata,
    releases: Sequence[Release],
    scenario: Scenario,
    attacks: Sequence[Attack | WorstCase],
    follow: Follow,
    stage: Stage,
    runs: Sequence[Run],
    announce: Announce | None,
) -> dict[str, object]:
    """Single and combined risk of this release and the earlier ones; this one is not attacked again."""
    return compare_releases(
        original,
        releases[0],
        releases[1:],
        scenario,
        attacks,
        follow=follow,
        given={(run.attack, name): e for run in runs for name, e in run.estimates.items()},
        tried=stage.tried,
        seed=stage.seed,
        depth=stage.depth,
        limit=stage.limit,
        engine=stage.engine,
        announce=announce,
    ).section()


def _by_source(
    files: Files,
    scenario: Scenario,
    attacks: Sequence[Attack | WorstCase],
    stage: Stage,
    announce: Announce | None,
) -> dict[str, object] | None:
    """The risk from each source of knowledge alone, and from all together, where there are several."""
    if len(scenario.sources) < 2 or not attacks:
        return None
    return compare_sources(
        files.original,
        files.masked,
        scenario,
        attacks,
        seed=stage.seed,
        depth=stage.depth,
        limit=stage.limit,
        engine=stage.engine,
        announce=announce,
    ).section()


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
    case: FileEvidence,
    measures: Sequence[FileMeasure],
    named: bool,
    engine: Engine,
    announce: Announce | None,
) -> tuple[Row, ...]:
    """What the measures find; one that nothing calls for is left out, unless it was asked for."""
    found: list[Row] = []
    for measure in measures:
        why = measure.why_not(case)
        if why is not None:
            if named or why.declared:
                found.append(Row.none(measure.name, why))
            continue
        if announce is not None:
            announce(measure.name)
        found += measure.rows(case, engine)
    return tuple(found)
