"""Membership inference: copies are recognised, fresh data are not, and the figures are right by hand."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from unmask import Column, Kind, Masked, Microdata, Role, Schema
from unmask.engines import LocalEngine
from unmask.measures.findings import Case
from unmask.measures.membership.closest_record import ClosestRecordProxy
from unmask.measures.membership.recognition import Recognition, auc
from unmask.measures.membership.released_file import Evidence, MembershipInFile
from unmask.measures.membership.released_model import MembershipInModel

SCHEMA = Schema(
    (
        Column("age"),
        Column("income"),
        Column("town", Kind.NOMINAL),
        Column("ill", Kind.NOMINAL, Role.CONFIDENTIAL),
    )
)


def people(n: int, seed: int) -> Microdata:
    rng = np.random.default_rng(seed)
    frame = {
        "age": rng.normal(50, 10, n),
        "income": rng.lognormal(3, 1, n),
        "town": rng.choice(["A", "B", "C"], n),
        "ill": rng.choice(["yes", "no"], n),
    }
    return Microdata(SCHEMA, pl.DataFrame(frame))


def case(released: Microdata, n: int = 300, holdout: int = 600, model: object = None) -> Case:
    return Case(
        people(n, 1),
        Masked(released, np.arange(n)),
        ("age", "income", "town"),
        holdout=people(holdout, 3),
        model=model,
    )


def values(found) -> dict[str, float | None]:
    return {finding.subject: finding.value for finding in found}


@pytest.mark.parametrize("evidence", Evidence)
def test_a_copy_gives_its_members_away_and_fresh_people_do_not(evidence: Evidence) -> None:
    measure = MembershipInFile(evidence, k=1)
    copied = values(measure.findings(case(people(300, 1)), LocalEngine()))
    assert copied["AUC"] > 0.99
    assert copied["recall"] > 0.95
    fresh = measure.findings(case(people(300, 2)), LocalEngine())[0]
    assert fresh.low < 0.5 < fresh.high


def test_the_same_seed_gives_the_same_figures_and_row_order_does_not_matter() -> None:
    one = case(people(300, 1))
    shuffled = np.random.default_rng(0).permutation(300)
    two = Case(one.original, Masked(one.masked.data.take(shuffled), shuffled), one.known, holdout=one.holdout)
    for measure in (MembershipInFile(Evidence.DENSITY), ClosestRecordProxy()):
        assert values(measure.findings(one, LocalEngine())) == values(measure.findings(two, LocalEngine()))


def test_the_proxy_is_half_for_fresh_people_and_says_what_it_is() -> None:
    (found,) = ClosestRecordProxy().findings(case(people(300, 2)), LocalEngine())
    assert found.low < 0.5 < found.high
    assert "proxy" in found.meaning
    assert "proxy" in found.measure


def test_an_overfitted_model_gives_its_members_away() -> None:
    from sklearn.ensemble import RandomForestClassifier

    original = people(300, 1)
    features = original.frame.select("age", "income")
    forest = RandomForestClassifier(20, random_state=1).fit(features, original.frame["ill"].to_numpy())
    found = MembershipInModel().findings(case(original, model=forest), LocalEngine())
    assert values(found)["AUC"] > 0.8
    tree = forest.__class__(20, max_depth=1, random_state=1)
    tree.fit(features, original.frame["ill"].to_numpy())
    shallow = MembershipInModel().findings(case(original, model=tree), LocalEngine())
    assert values(shallow)["AUC"] < 0.65
    assert found[0].per_record is not None
    assert np.isnan(found[0].per_record).sum() == 0


def test_a_model_that_cannot_be_attacked_says_why() -> None:
    from sklearn.tree import DecisionTreeClassifier

    original = people(300, 1)
    measure = MembershipInModel()
    assert measure.why_not(case(original)) == "no released model is given"
    assert "hold-out" in MembershipInFile().why_not(
        Case(original, Masked(original, np.arange(300)), ("age",))
    )
    (found,) = measure.findings(case(original, model="a text"), LocalEngine())
    assert found.value is None
    assert "predict_proba" in found.reason
    nameless = DecisionTreeClassifier().fit(original.frame.select("age").to_numpy(), original.frame["ill"])
    assert "name its features" in measure.findings(case(original, model=nameless), LocalEngine())[0].reason
    named = DecisionTreeClassifier().fit(original.frame.select("age"), original.frame["ill"].to_numpy())
    assert (
        "'town' is not"
        in MembershipInModel(target="town").findings(case(original, model=named), LocalEngine())[0].reason
    )


def test_few_people_are_not_enough() -> None:
    small = case(people(300, 1), holdout=30)
    assert "at least 40" in MembershipInFile().why_not(small)


def test_recognition_by_hand() -> None:
    seen = Recognition(np.array([4.0, 3, 2, 1]), np.array([3.5, 0, 0, 0]), threshold=2.0)
    found = values(seen.findings("m", "it", np.random.default_rng(0)))
    assert found["AUC"] == pytest.approx(13 / 16)
    assert found["accuracy"] == pytest.approx(6 / 8)
    assert found["precision"] == pytest.approx(3 / 4)
    assert found["recall"] == pytest.approx(3 / 4)
    assert found["F1"] == pytest.approx(3 / 4)
    assert found["recall at 1% false positives"] is None


def test_recall_at_a_low_rate_names_no_more_outsiders_than_allowed() -> None:
    rng = np.random.default_rng(5)
    members, others = rng.normal(1, 1, 500), rng.normal(0, 1, 500)
    found = values(Recognition(members, others, 0.0).findings("m", "it", rng))
    bar = np.sort(others)[-6]  # five of 500 lie above it
    assert found["recall at 1% false positives"] == pytest.approx((members > bar).mean())
    assert found["recall at 0.1% false positives"] is None


def test_nobody_named_leaves_precision_open() -> None:
    found = Recognition(np.zeros(30), np.zeros(30), 1.0).findings("m", "it", np.random.default_rng(0))
    precision = next(f for f in found if f.subject == "precision")
    assert precision.value is None
    assert "nobody" in precision.reason


def test_the_interval_of_auc_covers() -> None:
    """P(N(1, 1) > N(0, 1)) = Phi(1 / sqrt 2) = 0.7602."""
    rng = np.random.default_rng(7)
    covered = 0
    for _ in range(400):
        _, low, high = auc(rng.normal(1, 1, 40), rng.normal(0, 1, 60))
        covered += low <= 0.76025 <= high
    assert covered >= 0.92 * 400
