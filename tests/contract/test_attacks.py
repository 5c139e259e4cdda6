"""The promises that every registered attack keeps."""

from __future__ import annotations

import doctest
import inspect
import re

import numpy as np
import polars as pl
import pytest

from unmask import Column, Kind, Microdata, Missing, Scenario, Schema
from unmask.attacks import ATTACKS, DBRL, OWA, Choquet, KnownMechanism, MaskAware, Sugeno
from unmask.data.microdata import Masked
from unmask.engines import LocalEngine
from unmask.linkage.mechanism import Belief
from unmask.masks import PRAM
from unmask.randomness import generator

LEVELS = ("low", "middle", "high")
SCHEMA = Schema(
    (
        Column("age"),
        Column("income"),
        Column("town", Kind.NOMINAL),
        Column("class", Kind.ORDINAL, levels=LEVELS),
    )
)
GIVEN = (
    DBRL(weights=(1.0, 0.5, 2.0, 0.0)),
    OWA(alpha=2.5),
    Choquet(weights=(3, 1, 2, 2)),
    Sugeno(alpha=1.5),
    MaskAware(PRAM(p=5)),
    # Without error, what the mask leaves alone must be equal: a constant release is then impossible for most.
    KnownMechanism(PRAM(p=5), error=0.5),
    KnownMechanism(PRAM(p=5), belief=Belief.POSTERIOR, error=0.5),
)
attacks = pytest.mark.parametrize("attack", [*ATTACKS.values(), *GIVEN], ids=lambda a: a.name)


def people(n=60, seed=0, missing=0.0, noise=0.0):
    rng = np.random.default_rng(seed)
    wobble = np.random.default_rng(seed + 1).normal(0, noise, (2, n))
    columns = {
        "age": rng.integers(20, 40, n) + wobble[0],
        "income": np.round(rng.lognormal(3, 1, n)) + wobble[1],
        "town": rng.choice(["A", "B", "C"], n).astype(object),
        "class": rng.choice(LEVELS, n).astype(object),
    }
    if missing:
        holes = np.random.default_rng(seed + 2).random((4, n)) < missing
        for column, hole in zip(columns.values(), holes, strict=True):
            column[hole] = None if column.dtype == object else np.nan
    return Microdata(SCHEMA, pl.DataFrame({name: column.tolist() for name, column in columns.items()}))


def dense(attack, original, masked, *, seed=3, engine=None, scenario=None):
    """Belief of each target in each released record, with released records in the masked file's order."""
    dossier, truth, _ = (scenario or Scenario()).stage(original, masked, seed)
    matcher = attack.prepare(dossier, generator(seed, attack.name), engine or LocalEngine())
    links = matcher.links()
    staged = np.column_stack(
        [links.belief_in(np.full(len(truth.row), r)) for r in range(len(dossier.released))]
    )
    order = generator(seed, "stage").permutation(len(masked.data))
    belief = np.empty_like(staged)
    belief[:, order] = staged
    return belief, matcher, truth


def released_of(original, noise=2.0):
    return Masked.by_order(original, people(noise=noise))


@attacks
def test_same_seed_same_links(attack):
    original = people()
    first, *_ = dense(attack, original, released_of(original))
    second, *_ = dense(attack, original, released_of(original))
    assert first.tobytes() == second.tobytes()


@attacks
@pytest.mark.parametrize("engine", [LocalEngine(threads=1, block=7), LocalEngine(threads=2, block=13)])
def test_engine_settings_change_nothing(attack, engine):
    original = people()
    ours, *_ = dense(attack, original, released_of(original))
    other, *_ = dense(attack, original, released_of(original), engine=engine)
    assert ours.tobytes() == other.tobytes()


@attacks
def test_belief_is_substochastic_and_the_stage_seed_does_not_matter(attack):
    original = people()
    one, *_ = dense(attack, original, released_of(original), seed=1)
    two, *_ = dense(attack, original, released_of(original), seed=2)
    assert (one >= 0).all()
    assert (one.sum(axis=1) <= 1 + 1e-12).all()
    np.testing.assert_allclose(one, two, atol=1e-12)


@attacks
def test_identical_released_records_get_equal_belief(attack):
    original = people()
    frame = people(noise=2.0).frame
    frame = pl.concat([frame[:30], frame[:30]])
    belief, *_ = dense(attack, original, Masked.by_order(original, Microdata(SCHEMA, frame)))
    np.testing.assert_allclose(belief[:, :30], belief[:, 30:])


@attacks
def test_chance_level_on_a_constant_release(attack):
    original = people()
    frame = pl.concat([original.frame[:1]] * len(original))
    belief, matcher, truth = dense(attack, original, Masked.by_order(original, Microdata(SCHEMA, frame)))
    np.testing.assert_allclose(belief, 1 / len(original))
    assert matcher.standing(truth, 1).belief().sum() == pytest.approx(1)


@attacks
def test_shuffling_either_file_changes_nothing(attack):
    original = people()
    released = people(noise=2.0)
    belief, *_ = dense(attack, original, Masked.by_order(original, released))
    rng = np.random.default_rng(5)
    rows, columns = rng.permutation(len(original)), rng.permutation(len(released))
    place = np.argsort(rows)
    shuffled = Masked(released.take(columns), place[columns])
    other, *_ = dense(attack, original.take(rows), shuffled)
    np.testing.assert_allclose(other, belief[np.ix_(rows, columns)], atol=1e-12)


@attacks
@pytest.mark.parametrize("missing", Missing)
def test_standing_agrees_with_links(attack, missing):
    original = people(missing=0.1)
    masked = Masked.by_order(original, people(noise=1.0, missing=0.2))
    _, matcher, truth = dense(attack, original, masked, scenario=Scenario(missing=missing))
    expected = matcher.links().belief_in(truth.row)
    np.testing.assert_allclose(matcher.standing(truth, 1).belief(), expected)
    np.testing.assert_allclose(matcher.standing(truth, 100).belief(), expected)


@attacks
def test_links_of_some_targets_are_those_of_all(attack):
    original = people()
    belief, matcher, _ = dense(attack, original, released_of(original))
    some = np.array([3, 17, 40])
    assert (matcher.links(some).records_believed() == (belief[some] > 0).sum(axis=1)).all()


@attacks
def test_people_who_are_not_released_are_nobodys_link(attack):
    original = people()
    masked = Masked(people(noise=1.0).take(np.arange(40)), np.r_[np.arange(35), np.full(5, -1)])
    _, matcher, truth = dense(attack, original, masked)
    standing = matcher.standing(truth, 5)
    assert (standing.closer[35:] == -1).all()
    assert (standing.closer[:35] >= 0).all()


@attacks
def test_one_record_is_always_found(attack):
    one = people().take(np.array([0]))
    belief, *_ = dense(attack, one, Masked.by_order(one, one))
    assert belief.tolist() == [[1.0]]


@attacks
def test_an_attack_cannot_see_the_truth(attack):
    assert list(inspect.signature(attack.prepare).parameters) == ["dossier", "rng", "engine"]


@attacks
def test_docstring_cites_a_source_and_runs_an_example(attack):
    text = type(attack).__doc__ or ""
    assert re.search(r"(19|20)\d\d", text), "no year of a source"
    assert doctest.DocTestParser().get_examples(text), "no example"
