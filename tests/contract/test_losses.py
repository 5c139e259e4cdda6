"""What every registered loss keeps to, whatever the files: one line per promise."""

from __future__ import annotations

import doctest
import inspect
import re
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from unmask import losses
from unmask.data.schema import Kind
from unmask.data.shapes import Content, GraphContent, SeriesContent, TraceContent
from unmask.losses import LossAttribute, LossEvidence, Side, loss_rows
from unmask.measures.estimate import NotEstimable, Unit

ALL = [entry.made(text) for entry in losses.REGISTRY.values() for text in
       (entry.name, *getattr(entry.kind, "examples", ()))]  # fmt: skip
each = pytest.mark.parametrize("loss", ALL, ids=lambda loss: f"{loss.name}-{ALL.index(loss)}")
ATTRIBUTES = (
    LossAttribute("age", Kind.NUMERIC),
    LossAttribute("pay", Kind.NUMERIC),
    LossAttribute("class", Kind.ORDINAL, 4),
    LossAttribute("town", Kind.NOMINAL, 3),
    LossAttribute("ill", Kind.NOMINAL, 2),
    LossAttribute("hours", Kind.NUMERIC),
)


def content(shape: str, n: int, seed: int) -> Content:
    """What people have beside their rows."""
    rng = np.random.default_rng(seed + 7)
    if shape == "traces":
        owner = np.repeat(np.arange(n), 8)
        where = rng.integers(0, 12, n)[owner] + rng.integers(0, 3, len(owner))
        when = rng.gamma(2, 3, len(owner)).round(1)
        return TraceContent.of(pl.DataFrame({"owner": owner, "when": when, "where": where.astype(str)}), n)
    if shape == "graph":  # circles of friends
        source, step = np.repeat(np.arange(n), 3), np.tile([1, 2, 3], n)
        return GraphContent.of_edges(source, (source + step) % n, n)
    return SeriesContent(np.arange(12.0), np.cumsum(rng.normal(0, 1, (n, 12)), axis=1))


def moved(held: Content, strength: float, rng: np.random.Generator) -> Content:
    """Every point or end of a tie is another one with that probability, and series are noisy too."""
    n = len(held)
    if isinstance(held, TraceContent):
        frame, at = held.frame(), rng.random(held.points) < strength
        other = {
            "when": rng.uniform(0, 40, held.points),
            "where": rng.integers(0, 3, held.points).astype(str),
        }
        drawn = [
            pl.when(at).then(pl.Series(values)).otherwise(pl.col(k)).alias(k) for k, values in other.items()
        ]
        return TraceContent.of(frame.with_columns(drawn), n)
    if isinstance(held, GraphContent):
        source, target = held.edges()
        other = rng.integers(0, n, len(target))
        return held.with_edges(source, np.where(rng.random(len(target)) < strength, other, target))
    assert isinstance(held, SeriesContent)
    rows = np.where(rng.random(n) < strength, rng.permutation(n), np.arange(n))
    return held.valued(held.values[rows] + strength * rng.normal(0, 1, held.values.shape))


def people(n: int = 300, seed: int = 1, missing: float = 0.0, loss: object = None) -> Side:
    """People whose content is of the shape of a loss."""
    rng = np.random.default_rng(seed)
    age = rng.integers(20, 70, n).astype(float)
    level = np.clip((age - 20) // 15 + rng.integers(-1, 2, n), 0, 3).astype(np.int32)
    columns = {
        "age": age,
        "pay": np.round(10 * age + 100 * level + rng.normal(0, 40, n)),
        "class": level,
        "town": rng.integers(0, 3, n).astype(np.int32),
        "ill": (rng.random(n) < 0.2 + 0.15 * level).astype(np.int32),
    }
    columns["hours"] = np.round(columns["pay"] / 30 + rng.normal(0, 5, n))
    for column in columns.values():
        column[rng.random(n) < missing] = np.nan if column.dtype == float else -1
    return Side(columns, np.ones(n), content(getattr(loss, "shape", "series"), n, seed))


def noisy(side: Side, strength: float, seed: int = 2) -> Side:
    """Every value drawn from another person with that probability: relations and records go, margins stay."""
    rng, n = np.random.default_rng(seed), len(side)
    columns = {
        name: np.where(rng.random(n) < strength, column[rng.permutation(n)], column)
        for name, column in side.columns.items()
    }
    assert side.content is not None
    return Side(columns, side.weights, moved(side.content, strength, rng))


def declared(strength: float) -> dict[str, np.ndarray]:
    """The chances of a mask that draws a category at random with that probability; none is made missing."""
    sizes = {attribute.name: attribute.categories for attribute in ATTRIBUTES if attribute.categories}
    return {name: np.c_[(1 - strength) * np.eye(k) + strength / k, np.zeros(k)] for name, k in sizes.items()}


def evidence(original: Side, released: Side | None = None, **more: object) -> LossEvidence:
    released = original if released is None else released
    rows = np.arange(len(released)) if len(released) == len(original) else np.full(len(released), -1)
    tables = declared(0.0 if released is original else 0.5)
    known = {"confidential": ("pay", "ill"), "people": len(original), "tables": tables, **more}
    return LossEvidence(ATTRIBUTES, original, released, rows, **known)


def number(value: object) -> float | None:
    return None if isinstance(value, NotEstimable) else float(value)


@each
def test_a_release_of_the_original_itself_loses_nothing(loss):
    lost = loss.values(evidence(people(loss=loss)))
    resampled = loss.values(evidence(people(loss=loss)).resampled(np.random.default_rng(0)))[None]
    for subject, value in lost.items():
        assert not isinstance(value, NotEstimable), (subject, value)
        if loss.about.family.name in ("records", "moments", "distributions", "analyses"):
            assert value == pytest.approx(0, abs=1e-12)
        else:  # a model has an opinion of its own on equal files, and no more than on resampled ones
            assert value <= max(number(resampled), 0.06)


@each
def test_more_noise_loses_more(loss):
    """Not all values are drawn anew: shares and means would come back, as every value is somebody's still."""
    original = people(600, loss=loss)
    values = [
        number(loss.values(evidence(original, noisy(original, s), tables=declared(s)))[None])
        for s in (0.02, 0.6)
    ]
    if None not in values and max(values) > 0:
        assert values[0] < values[1]


@each
def test_a_share_is_one(loss):
    original = people(loss=loss)
    for released in (noisy(original, 0.5), noisy(original, 1.0), people(200, 9, loss=loss)):
        if loss.why_not(evidence(original, released)) is not None:
            continue
        for value in loss.values(evidence(original, released)).values():
            if not isinstance(value, NotEstimable):
                assert np.isfinite(value)
                assert value >= -1e-12
                if loss.unit is Unit.SHARE:
                    assert value <= 1 + 1e-12


@each
def test_missing_values_and_constant_columns_have_a_rule(loss):
    original = people(200, missing=0.2, loss=loss)
    gone = Side({**original.columns, "age": np.full(200, np.nan), "town": np.full(200, -1, np.int32)},
                original.weights)  # fmt: skip
    flat = Side({**original.columns, "age": np.full(200, 40.0), "ill": np.zeros(200, np.int32)},
                original.weights)  # fmt: skip
    for one, other in ((original, noisy(original, 0.3)), (original, gone), (gone, original), (flat, flat),
                       (original, flat), (flat, original)):  # fmt: skip
        found = evidence(one, other)
        if loss.why_not(found) is None:
            for value in loss.values(found).values():
                assert isinstance(value, NotEstimable) or np.isfinite(value)


@each
@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_records_are_no_error(loss, n):
    found = evidence(people(n, loss=loss), people(n, 5, loss=loss))
    for row in loss_rows(loss, found):
        assert row.estimate.number is None or np.isfinite(row.estimate.number)


@each
def test_weights_count(loss):
    """A record with weight 2 counts as two records with weight 1, where the loss is a mean over records."""
    original, released = people(150, loss=loss), noisy(people(150, loss=loss), 0.4)
    twice = np.r_[np.arange(150), np.arange(50)]
    doubled = evidence(original.take(twice), released.take(twice))
    weights = np.r_[np.full(50, 2.0), np.ones(100)]
    weighted = evidence(Side(original.columns, weights), Side(released.columns, weights), weighted=True)
    if loss.about.family.name in ("records", "distributions"):
        one, two = (number(loss.values(e)[None]) for e in (doubled, weighted))
        assert one == pytest.approx(two, rel=0.02)


@each
def test_it_gives_the_same_bytes_again_and_does_not_touch_its_files(loss):
    original, released = people(120, loss=loss), noisy(people(120, loss=loss), 0.5)
    before = {name: column.copy() for name, column in released.columns.items()}
    first, again = (loss.values(evidence(original, released)) for _ in range(2))
    assert dict(first) == dict(again)
    for name, column in before.items():
        np.testing.assert_array_equal(column, released.columns[name])


@each
def test_records_of_nobody_are_no_error(loss):
    found = replace(evidence(people(loss=loss), people(200, 9, loss=loss)))
    why = loss.why_not(found)
    if loss.about.family.name == "records" and loss.name != "suppression":
        assert why is not None
    if why is None:
        assert all(isinstance(v, NotEstimable) or np.isfinite(v) for v in loss.values(found).values())


@each
def test_rows_stand_beside_their_references(loss):
    rows = loss_rows(loss, evidence(people(loss=loss), noisy(people(loss=loss), 0.3)))
    assert rows[0].keys.given() == {"measure": loss.name}
    assert [row.keys.curve for row in rows[-2:]] == ["resampled", "independent"]
    if rows[0].estimate.estimable:
        assert rows[0].estimate.baseline is not None


@each
def test_it_cites_a_source_and_runs_an_example(loss):
    text = inspect.getdoc(type(loss)) or ""
    assert re.search(r"\b(19|20)\d\d\b", text)
    assert doctest.DocTestParser().get_examples(text)
    assert re.match(r"[A-Z].*[.?]$", loss.about.sentence)
    assert re.search(r"(19|20)\d\d", loss.about.source)
    assert loss.about.source.endswith(".")
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", loss.name)


def test_families_and_ranks_give_every_loss_a_place():
    abouts = [entry.about for entry in losses.REGISTRY.values()]
    assert all(about.family in losses.FAMILIES for about in abouts)
    places = [(about.family.name, about.rank) for about in abouts]
    assert len(set(places)) == len(places)
