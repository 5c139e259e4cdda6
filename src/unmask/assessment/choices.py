"""From what a user names to what is done: scenario, files, attacks, measures, people tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from unmask.attacks import ATTACKS, Attack, KnownMechanism, WorstCase, attack_named
from unmask.data.loading import Files, original_file, pair
from unmask.data.microdata import Ints
from unmask.data.schema import Schema
from unmask.errors import ArgumentError
from unmask.intruder.scenario import Scenario
from unmask.intruder.truth import Truth
from unmask.masks import Mask, parse
from unmask.measures import FILE_MEASURES, MEASURES, FileMeasure, Measure, by_name, measure_named
from unmask.randomness import generator


def scenario_of(known: Sequence[str] | None, scenario: Scenario | None, truth: str | None) -> Scenario:
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


def files_of(
    original: object,
    released: object,
    schema: Schema | None,
    truth: str | None,
    seed: int,
    synthetic: bool = False,
) -> Files:
    """Both files as they are read, or the original and what a mask makes of it."""
    if isinstance(released, Mask):
        data = original_file(original, schema)
        return Files(data, released.apply(data, generator(seed, "mask", released.name)), ())
    return pair(original, released, schema, truth, synthetic)


def chosen_attacks(
    attacks: Sequence[Attack | WorstCase | str] | None,
    mechanism: object = None,
    usual: Mapping[str, Attack] = ATTACKS,
) -> list[Attack | WorstCase]:
    """The attacks named, or the usual ones when none are; and that of an intruder who knows the mask."""
    if isinstance(attacks, str):
        raise ArgumentError("attacks is a text, not a list", hint=f"write attacks=[{attacks!r}]")
    chosen: list[Attack | WorstCase] = list(usual.values())
    if attacks is not None:
        chosen = [attack_named(a) if isinstance(a, str) else a for a in attacks]
    if mechanism is not None:
        chosen.append(KnownMechanism(mechanism))  # type: ignore[arg-type]  # it refuses what declares nothing
    if not chosen:
        raise ArgumentError("no attack is named", hint=f"name some of: {', '.join(ATTACKS)}")
    names = [attack.name for attack in chosen]
    if len(set(names)) != len(names):
        raise ArgumentError("an attack is named twice", hint="name each once")
    return chosen


def mask_of(mechanism: object) -> object:
    """The mask that made a release, from its text as in "noise:a=0.1"; a mask stays itself."""
    return parse(mechanism) if isinstance(mechanism, str) else mechanism


def chosen_measures(
    measures: Sequence[Measure | FileMeasure | str] | None, attacked: bool
) -> tuple[list[Measure], list[FileMeasure]]:
    """The measures of attacks and those of the whole file. Who names attacks wants them measured."""
    if measures is None:
        usual = [measure for measure in FILE_MEASURES.values() if not by_name(measure)]
        return list(MEASURES.values()), usual
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


def tried_of(truth: Truth, sample: int | None, seed: int) -> Ints:
    """The targets that are tried: all, or a sample of those who are in the release."""
    if sample is None or sample >= len(truth.present):
        return np.arange(len(truth.row), dtype=np.int64)
    return np.sort(generator(seed, "sample").choice(truth.present, sample, replace=False))
