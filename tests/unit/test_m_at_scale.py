"""m from sampled rows: recovered in large, skewed files whose attributes depend on each other."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import polars as pl
import pytest

from unmask import Column, Kind, Microdata, Schema
from unmask.attacks import PRL
from unmask.engines import LocalEngine
from unmask.intruder.dossier import Dossier
from unmask.linkage.agreement import TooMuchWorkError, comparisons, count_patterns, with_itself
from unmask.linkage.fellegi_sunter import Model, costs, fit_model, pairing, targets
from unmask.linkage.fellegi_sunter.em import MixtureFit, isotonic, setting, starts
from unmask.linkage.fellegi_sunter.rows import parts_of, sampled_rows

ENGINE = LocalEngine()


def skewed(n, seed=0):
    """Two files of the same people: Zipf categories, numbers that are mostly 0, all led by one hidden trait.

    `state` is unchanged, `town` and `job` are kept with 0.9 and 0.7, each amount is 0 as before or, where it
    is not, multiplied by noise: rare values move far, common ones never.
    """
    rng = np.random.default_rng(seed)
    trait = rng.normal(size=n)
    known, released = {}, {}
    for name, size, kept in (("state", 50, 1.0), ("town", 300, 0.9), ("job", 40, 0.7)):
        share = 1 / np.arange(1, size + 1)
        mixed = 0.5 * trait + rng.normal(size=n)
        value = np.searchsorted(np.cumsum(share / share.sum()), (np.argsort(np.argsort(mixed)) + 0.5) / n)
        other = np.where(rng.random(n) < kept, value, rng.permutation(value))
        known[name], released[name] = value.astype(str), other.astype(str)
    for j in range(6):
        some = rng.random(n) < 1 / (1 + np.exp(1.5 - trait))
        amount = np.where(some, np.exp(0.7 * trait + 0.7 * rng.normal(size=n)), 0.0)
        known[f"x{j}"], released[f"x{j}"] = amount, amount * np.exp(0.4 * rng.normal(size=n))
    columns = [Column(c, Kind.NOMINAL if j < 3 else Kind.NUMERIC) for j, c in enumerate(known)]
    order = rng.permutation(n)
    files = (Microdata(Schema(tuple(columns)), pl.DataFrame(f)) for f in (known, released))
    mine, theirs = files
    return Dossier(mine, theirs.take(order)), np.argsort(order)


def true_m(compared, truth):
    """The levels of the true pairs."""
    out = np.zeros((len(compared), max(c.levels for c in compared)))
    for m, c in zip(out, compared, strict=True):
        a = c.released[truth]
        level = (c.known != a).astype(int) if c.table is None else c.table[c.known, a]
        m[:] = np.bincount(level, minlength=len(m)) / len(truth)
    return out


def found(compared, fit, truth, people):
    """The share of these people whom weights of this fit find."""
    model = Model(tuple(compared), None, fit, (), ENGINE)
    closer, tied = ENGINE.index(pairing(model, costs(model))).standing(truth, 1, people)
    return np.where(closer == 0, 1 / np.maximum(tied, 1), 0.0).mean()


@pytest.mark.parametrize(("n", "error"), [(2000, 0.06), (100_000, 0.1)])
def test_m_of_large_skewed_dependent_files_is_recovered(n, error):
    dossier, truth = skewed(n)
    compared = comparisons(dossier)
    fitted = fit_model(compared, None, np.random.default_rng(0), ENGINE)
    true = true_m(compared, truth)
    assert np.abs(fitted.fit.matched - true).sum(axis=1).mean() / 2 < error
    np.testing.assert_allclose(fitted.fit.matched[:3, 0], true[:3, 0], atol=0.15)
    assert fitted.fit.converged
    assert len(fitted.notes) == 1  # from how many records m comes, and no doubt
    start = setting(compared)
    best = MixtureFit(isotonic(start, true + 1e-6), start.marginal, start.share, 0.0, 0, True)
    people = np.random.default_rng(1).choice(n, 300, replace=False)
    assert found(compared, fitted.fit, truth, people) > 0.9 * found(compared, best, truth, people)


def test_a_few_known_people_have_rows_of_their_own():
    dossier, truth = skewed(3000)
    few = Dossier(dossier.known.take(np.arange(500)), dossier.released)
    compared = comparisons(few)
    fitted = fit_model(compared, None, np.random.default_rng(0), ENGINE)
    assert "all targets" in fitted.notes[0]
    assert np.abs(fitted.fit.matched - true_m(compared, truth[:500])).sum(axis=1).mean() / 2 < 0.15
    assert fitted.fit.share * 3000 <= 1


def test_a_note_says_where_em_did_not_settle(monkeypatch):
    monkeypatch.setattr(targets, "MOST_STEPS", 6)
    fitted = fit_model(comparisons(skewed(500)[0]), None, np.random.default_rng(0), ENGINE)
    assert not fitted.fit.converged
    assert any("before it settled" in note for note in fitted.notes)


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_change_nothing(threads):
    compared = comparisons(skewed(1500)[0])
    fits = [
        targets.estimate_by_targets(setting(compared), compared, np.random.default_rng(0), engine)[0]
        for engine in (LocalEngine(threads=1), LocalEngine(threads=threads, block=7))
    ]
    assert fits[0].matched.tobytes() == fits[1].matched.tobytes()
    assert fits[0].gain == fits[1].gain


def test_leaving_unlikely_patterns_out_changes_nothing_that_shows(monkeypatch):
    compared = comparisons(skewed(600)[0])
    start = setting(compared)
    usual = targets.estimate_by_targets(start, compared, np.random.default_rng(0), ENGINE)[0]
    monkeypatch.setattr("unmask.linkage.fellegi_sunter.rows.LEAST_PART", 0.0)
    full = targets.estimate_by_targets(start, compared, np.random.default_rng(0), ENGINE)[0]
    np.testing.assert_allclose(usual.matched, full.matched, atol=1e-3)


@pytest.mark.parametrize("of_known", [False, True])
def test_beside_many_records_only_patterns_that_count_are_kept(monkeypatch, of_known):
    compared = comparisons(skewed(600)[0])
    p = setting(compared)
    usual = sampled_rows(p, compared, of_known, np.random.default_rng(0), ENGINE)
    monkeypatch.setattr("unmask.linkage.fellegi_sunter.rows.MANY_RECORDS", 10)
    fewer = sampled_rows(p, compared, of_known, np.random.default_rng(0), ENGINE)
    assert len(fewer.rows.times) < len(usual.rows.times)
    assert np.array_equal(fewer.sampled, usual.sampled)
    assert len(fewer.count) == (len(fewer.rows.times) if of_known else 0)
    for m in starts(p):
        by_class = np.repeat(m[:, None, :], len(usual.known.settings), axis=1)
        for mine, other in zip(
            fewer.expectation(by_class, 0.7), usual.expectation(by_class, 0.7), strict=True
        ):
            np.testing.assert_allclose(mine, other, rtol=1e-8, atol=1e-8)


def test_the_m_of_many_records_is_the_same_but_for_what_shows_nowhere(monkeypatch):
    compared = comparisons(skewed(600)[0])
    start = setting(compared)
    usual = targets.estimate_by_targets(start, compared, np.random.default_rng(0), ENGINE)[0]
    monkeypatch.setattr("unmask.linkage.fellegi_sunter.rows.MANY_RECORDS", 10)
    found = targets.estimate_by_targets(start, compared, np.random.default_rng(0), ENGINE)[0]
    np.testing.assert_allclose(found.matched, usual.matched, atol=1e-5)


def test_patterns_that_no_record_shows_are_as_good_as_left_out(monkeypatch):
    """Where most patterns are likely, the others stay and count nothing: the same sums, to the bit."""
    compared = comparisons(skewed(400)[0])
    for part in (1e-7, 1e-9, 1e-12):
        monkeypatch.setattr("unmask.linkage.fellegi_sunter.rows.LEAST_PART", part)
        p = setting(compared)
        rows = sampled_rows(p, compared, False, np.random.default_rng(0), ENGINE)
        m = np.repeat(starts(p)[0][:, None, :], len(rows.known.settings), axis=1)
        likely = rows.likely(m)
        shown = likely.rows.times > 0
        start = np.concatenate(([0], np.cumsum(shown)))[likely.rows.start]
        fewer = likely.rows._replace(
            codes=likely.rows.codes[shown], times=likely.rows.times[shown], start=start
        )
        for mine, other in zip(
            likely.expectation(m, 0.7), replace(likely, rows=fewer).expectation(m, 0.7), strict=True
        ):
            assert np.asarray(mine).tobytes() == np.asarray(other).tobytes()


def test_files_are_compared_with_themselves_only_to_count_patterns():
    dossier, _ = skewed(300)
    few = Dossier(*(f.only(["state", "town", "job"]) for f in (dossier.known, dossier.released)))
    asked = []

    def selves(of):
        asked.append(of)
        return with_itself(of, comparisons(of), {}, False)

    for of in (dossier, few):
        fit_model(comparisons(of), partial(selves, of), np.random.default_rng(0), ENGINE)
    assert asked == [few]


def test_work_that_is_refused_is_not_begun(monkeypatch):
    """The released file with itself is too much: that is known before any pair is looked up."""
    dossier, _ = skewed(200)
    few = Dossier(dossier.known.take(np.arange(20)), dossier.released)
    compared = comparisons(few)
    monkeypatch.setattr("unmask.linkage.agreement.counting._by_lookup", lambda *_: pytest.fail("counted"))
    with pytest.raises(TooMuchWorkError):
        count_patterns(compared, ENGINE, partial(with_itself, few, compared, {}, False), 20 * 200 * 9)


def test_many_attributes_have_more_patterns_than_can_be_numbered():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(60, 30))
    schema = Schema(tuple(Column(f"x{j}") for j in range(30)))
    files = [
        Microdata(schema, pl.DataFrame(v, schema=[f"x{j}" for j in range(30)]))
        for v in (values, values + 0.3 * rng.normal(size=values.shape))
    ]
    matcher = PRL().prepare(Dossier(*files), np.random.default_rng(0), ENGINE)
    assert matcher.links().belief_in(np.arange(60)).mean() > 0.95


def test_parts_hold_all_attributes():
    parts = parts_of([9] * 12 + [2] * 4, 10**6)
    assert parts.start.tolist() == [0, 4, 8, 13, 16]
    assert parts.size.tolist() == [6561, 6561, 13122, 8]
