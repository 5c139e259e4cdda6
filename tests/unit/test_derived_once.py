"""What measures derive from the files is made once, whichever of them asks for it."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from unmask.data.example import people
from unmask.data.microdata import Masked
from unmask.engines import LocalEngine
from unmask.engines.cache import Cache
from unmask.masks import Microaggregation
from unmask.measures import FILE_MEASURES, FileEvidence, by_name
from unmask.measures.attribute import FewestAttributes

KNOWN = ("sex", "region", "education")


class Names(Cache):
    """A cache that remembers what was made, name by name."""

    def __init__(self):
        super().__init__()
        self.names: Counter[tuple[object, ...]] = Counter()

    def get(self, owner, name, make):
        def made():
            self.names[id(owner), *name] += 1
            return make()

        return super().get(owner, name, made)


@pytest.fixture(scope="module")
def taken() -> tuple[FileEvidence, Names]:
    """All that is kept after every default measure of the file but the slowest was taken."""
    everybody = people(400)
    original = everybody.take(np.arange(200))
    masked = Masked.by_order(original, original)
    cache = Names()
    evidence = FileEvidence(
        original, masked, KNOWN, population=everybody, holdout=people(120, seed=9), cache=cache
    )
    for measure in FILE_MEASURES.values():
        usual = not by_name(measure) and not isinstance(measure, FewestAttributes)
        if usual and measure.why_not(evidence) is None:
            measure.rows(evidence, LocalEngine())
    return evidence, cache


def test_nothing_is_made_twice(taken):
    _, cache = taken
    assert cache.names
    assert max(cache.names.values()) == 1


def test_key_classes_are_made_once_for_each_file_and_set_of_attributes(taken):
    evidence, cache = taken
    made = Counter(name[2:] for name in cache.names if name[1] == "key classes")
    # The release is the original, so both are one file here; the population is the other.
    assert made[KNOWN,] == 2
    assert cache.watcher.made["key classes"] == sum(made.values())
    assert set(made) == {(KNOWN,), (("household",),), (evidence.confidential,)}


def test_models_are_fitted_once(taken):
    _, cache = taken
    assert cache.watcher.made["log-linear fit"] == 1
    assert cache.watcher.made["minimal sample uniques"] == 1
    assert cache.watcher.made["models"] == 2 * len(taken[0].confidential)  # of the release, and of memory
    assert cache.watcher.made["candidates"] == 1


def test_original_and_release_have_a_key_frame_each():
    original = people(100)
    released = original.take(np.arange(99, -1, -1))
    cache = Names()
    evidence = FileEvidence(original, Masked(released, np.arange(99, -1, -1)), KNOWN, cache=cache)
    for name in ("k-anonymity", "small-classes", "special-uniques", "prosecutor-risk", "pitman"):
        if FILE_MEASURES[name].why_not(evidence) is None:
            FILE_MEASURES[name].rows(evidence, LocalEngine())
    assert sum(name[1] == "key classes" for name in cache.names) <= 2


def test_ranks_are_made_once_for_each_column_and_serve_keys_cells_and_clusters(taken):
    evidence, cache = taken
    made = Counter(name[2] for name in cache.names if name[1] == "ranks" and name[0] == id(evidence.released))
    assert set(KNOWN) <= set(made)
    assert set(made.values()) == {1}


def test_groups_of_averages_are_looked_at_once():
    original = people(200)
    masked = Microaggregation(k=4).apply(original, np.random.default_rng(1))
    cache = Names()
    evidence = FileEvidence(original, masked, KNOWN, cache=cache)
    for name in ("clusters-external", "clusters-internal", "clusters-dominance"):
        assert FILE_MEASURES[name].why_not(evidence) is None
        FILE_MEASURES[name].rows(evidence, LocalEngine())
    assert max(cache.names.values()) == 1
    assert cache.watcher.made["aggregates"] == 1
