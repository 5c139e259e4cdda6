"""The promises of every attack, mask and measure of series, traces and graphs."""

from __future__ import annotations

import dataclasses
import inspect

import numpy as np
import pytest

from tests.contract.methods import SHAPED_ATTACKS, SHAPED_MASKS, dense
from tests.contract.shapes import MADE, PEOPLE, files, people
from tests.contract.test_measures import check, rows_of, told
from unmask import Scenario
from unmask.data.example import people as plain_people
from unmask.data.microdata import Masked
from unmask.engines import LocalEngine
from unmask.errors import ArgumentError
from unmask.intruder.glimpse import Glimpse
from unmask.masks import Mask, parse
from unmask.masks.contents import check_shape
from unmask.measures import FILE_MEASURES, FileEvidence, NotEstimable
from unmask.parsing import written

SHAPED_MEASURES = [measure for measure in FILE_MEASURES.values() if hasattr(measure, "shape")]
attacks = pytest.mark.parametrize("attack", SHAPED_ATTACKS, ids=lambda one: one.name)
masks = pytest.mark.parametrize("text", SHAPED_MASKS)
measures = pytest.mark.parametrize("measure", SHAPED_MEASURES, ids=lambda one: one.name)

#: A part of what there is to see, of each shape.
GLIMPSES = {"series": Glimpse(points=6), "traces": Glimpse(points=3), "graph": Glimpse(edges=0.7)}


def test_every_shape_has_an_attack_a_mask_and_something_that_is_measured():
    for shape in MADE:
        assert any(attack.shape == shape for attack in SHAPED_ATTACKS)
        assert any(mask.shape == shape for mask in SHAPED_MASKS.values())


@attacks
def test_an_attack_does_the_same_again_on_any_engine(attack):
    original, masked = files(attack.shape)
    first, *_ = dense(attack, original, masked)
    for engine in (None, LocalEngine(threads=1, block=7), LocalEngine(threads=2, block=13)):
        other, *_ = dense(attack, original, masked, engine=engine)
        assert other.tobytes() == first.tobytes()


@attacks
def test_an_attack_finds_people_in_a_release_that_changed_little(attack):
    original, masked = files(attack.shape, noise=0.05)
    belief, *_ = dense(attack, original, masked)
    assert np.diag(belief).mean() > 3 / PEOPLE


@attacks
def test_belief_is_substochastic_and_agrees_with_the_standing(attack):
    original, masked = files(attack.shape)
    belief, matcher, truth = dense(attack, original, masked)
    assert belief.shape == (PEOPLE, PEOPLE)
    assert (belief >= 0).all()
    assert (belief.sum(axis=1) <= 1 + 1e-12).all()
    expected = matcher.links().belief_in(truth.row)
    for depth in (1, 100):
        np.testing.assert_allclose(matcher.standing(truth, depth).belief(), expected, atol=1e-12)
    np.testing.assert_allclose(expected, np.diag(belief), atol=1e-12)


@attacks
def test_another_shuffle_of_the_release_moves_nothing(attack):
    original, masked = files(attack.shape)
    once, *_ = dense(attack, original, masked)
    again, *_ = dense(attack, original, masked, shuffle=4)
    np.testing.assert_allclose(again, once, atol=1e-12)


@attacks
def test_some_targets_are_as_all_are(attack):
    original, masked = files(attack.shape)
    belief, matcher, truth = dense(attack, original, masked)
    some = np.array([3, 7, 12])
    assert (matcher.links(some).candidates() == (belief[some] > 0).sum(axis=1)).all()
    whole = matcher.standing(truth, 5)
    part = matcher.standing(truth, 5, some)
    assert (part.closer == whole.closer[some]).all()
    assert (part.tied == whole.tied[some]).all()


@attacks
def test_people_who_are_not_released_are_nobodys_link(attack):
    original, masked = files(attack.shape)
    there = np.arange(PEOPLE // 2)
    fewer = Masked(masked.data.take(there), there)
    dossier, truth, _ = Scenario().stage(original, fewer, 1)
    matcher = attack.prepare(dossier, np.random.default_rng(1), LocalEngine())
    standing = matcher.standing(truth, 5)
    assert (standing.closer[PEOPLE // 2 :] == -1).all()


@attacks
def test_a_glimpse_is_enough_to_be_tried(attack):
    original, masked = files(attack.shape)
    belief, *_ = dense(attack, original, masked, scenario=Scenario(glimpse=GLIMPSES[attack.shape]))
    assert (belief.sum(axis=1) <= 1 + 1e-12).all()


@attacks
def test_an_attack_cannot_see_the_truth_and_refuses_plain_tables(attack):
    assert list(inspect.signature(attack.prepare).parameters) == ["dossier", "rng", "engine"]
    original = plain_people(20)
    dossier, _, _ = Scenario().stage(original, Masked.by_order(original, original), 1)
    with pytest.raises(ArgumentError, match=r"plain tables.*Hint: .*--shape"):
        attack.prepare(dossier, np.random.default_rng(1), LocalEngine())


@masks
def test_a_mask_is_written_as_it_is_read_and_frozen(text):
    mask = SHAPED_MASKS[text]
    assert isinstance(mask, Mask)
    assert written(mask.name, mask) == text
    assert hash(mask) == hash(dataclasses.replace(mask))


@masks
def test_a_mask_changes_its_content_the_same_way_again(text):
    mask = SHAPED_MASKS[text]
    original = people(MADE[mask.shape]())
    once, again = (mask.apply(original, np.random.default_rng(1)) for _ in range(2))
    assert once.origin.tolist() == list(range(PEOPLE))
    assert len(once.data.content) == PEOPLE
    assert _parts(once.data.content) == _parts(again.data.content)
    assert _parts(once.data.content) != _parts(original.content)
    assert _parts(original.content) == _parts(MADE[mask.shape]())  # which is left as it was
    counted = once.data.content.summary()
    assert once.data.frame.select(counted.columns).equals(counted)


def _parts(content):
    """Everything of a content that is compared, as bytes."""
    values = (getattr(content, field.name) for field in dataclasses.fields(content))
    return [one.tobytes() if isinstance(one, np.ndarray) else one for one in values]


@masks
def test_a_mask_refuses_plain_tables(text):
    with pytest.raises(ArgumentError, match=r"plain table.*Hint: .*--shape"):
        SHAPED_MASKS[text].apply(plain_people(20), np.random.default_rng(1))


def evidence_of(shape: str) -> FileEvidence:
    original, masked = files(shape)
    return FileEvidence(original, masked, original.schema.names(), seed=3)


@measures
def test_a_measure_finds_something_the_same_way_again(measure):
    evidence = evidence_of(measure.shape)
    rows = rows_of(measure, evidence)
    check(measure, evidence, rows)
    assert any(row.estimate.estimable for row in rows)
    assert told(rows_of(measure, evidence_of(measure.shape), LocalEngine(threads=1, block=7))) == told(rows)


@measures
def test_a_measure_says_nothing_of_plain_tables(measure):
    original = plain_people(20)
    evidence = FileEvidence(original, Masked.by_order(original, original), ("age",))
    assert isinstance(measure.why_not(evidence), NotEstimable)


@masks
def test_the_ladders_of_a_mask_fit_the_file_and_rise(text):
    """What a search tries: every rung can be read back from its text, and applied."""
    kind = type(SHAPED_MASKS[text])
    original = people(MADE[kind.shape]())
    found = [ladder for ladder in kind.ladders(original) if ladder]
    assert found
    for ladder in found:
        texts = [written(mask.name, mask) for mask in ladder]
        assert len(set(texts)) == len(texts)
        assert [parse(text) for text in texts] == list(ladder)
        for mask in (ladder[0], ladder[-1]):
            assert len(mask.apply(original, np.random.default_rng(1)).data) == len(original)


def test_masks_of_a_shape_one_after_the_other():
    original, both = people(MADE["series"]()), parse("series-aggregation:points=4 then series-noise:a=0.5")
    check_shape(both, original)
    made = both.apply(original, np.random.default_rng(1)).data.content
    alone = parse("series-aggregation:points=4").apply(original, np.random.default_rng(1)).data.content
    assert made.values.shape == alone.values.shape
    assert (made.values != alone.values).all()
    with pytest.raises(ArgumentError, match="mask 'noise' does not change what a file of the shape"):
        check_shape(parse("series-aggregation:points=4 then noise:a=1"), original)
