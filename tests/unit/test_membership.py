"""Membership inference: copies are recognised, fresh data are not, and the figures are right by hand."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from tests.flat import flat, flat_rows
from unmask import Column, Kind, Masked, Microdata, Role, Schema
from unmask.engines import LocalEngine
from unmask.errors import ArgumentError
from unmask.measures.evidence import FileEvidence
from unmask.measures.membership.closest_record import ClosestRecordProxy
from unmask.measures.membership.recognition import Recognition, auc
from unmask.measures.membership.released_file import MembershipInFile, Signal
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


def case(released: Microdata, n: int = 300, holdout: int = 600, model: object = None) -> FileEvidence:
    return FileEvidence(
        people(n, 1),
        Masked(released, np.arange(n)),
        ("age", "income", "town"),
        holdout=people(holdout, 3),
        model=model,
    )


def values(found) -> dict[str, float | None]:
    return {finding.subject: finding.value for finding in found}


@pytest.mark.parametrize("evidence", Signal)
def test_a_copy_gives_its_members_away_and_fresh_people_do_not(evidence: Signal) -> None:
    measure = MembershipInFile(evidence)
    copied = values(flat_rows(measure, case(people(300, 1))))
    assert copied["AUC"] > 0.99
    assert copied["recall"] > 0.95
    fresh = flat_rows(measure, case(people(300, 2)))[0]
    assert fresh.low < 0.5 < fresh.high


def test_the_same_seed_gives_the_same_figures_and_row_order_does_not_matter() -> None:
    one = case(people(300, 1))
    shuffled = np.random.default_rng(0).permutation(300)
    two = FileEvidence(
        one.original, Masked(one.masked.data.take(shuffled), shuffled), one.known, holdout=one.holdout
    )
    for measure in (MembershipInFile(Signal.DENSITY), ClosestRecordProxy()):
        assert values(flat_rows(measure, one)) == values(flat_rows(measure, two))


def test_the_proxy_is_half_for_fresh_people_and_says_what_it_is() -> None:
    (found,) = flat_rows(ClosestRecordProxy(), case(people(300, 2)))
    assert found.low < 0.5 < found.high
    assert "proxy" in found.meaning
    assert "proxy" in found.measure


def test_an_overfitted_model_gives_its_members_away() -> None:
    from sklearn.ensemble import RandomForestClassifier

    original = people(300, 1)
    features = original.frame.select("age", "income")
    forest = RandomForestClassifier(20, random_state=1).fit(features, original.frame["ill"].to_numpy())
    found = flat_rows(MembershipInModel(), case(original, model=forest))
    assert values(found)["AUC"] > 0.8
    tree = forest.__class__(20, max_depth=1, random_state=1)
    tree.fit(features, original.frame["ill"].to_numpy())
    shallow = flat_rows(MembershipInModel(), case(original, model=tree))
    assert values(shallow)["AUC"] < 0.65
    assert found[0].per_record is not None
    assert np.isnan(found[0].per_record).sum() == 0


def test_a_model_that_cannot_be_attacked_says_why() -> None:
    from sklearn.tree import DecisionTreeClassifier

    original = people(300, 1)
    measure = MembershipInModel()
    assert measure.why_not(case(original)).reason == "no released model is given"
    assert (
        "hold-out"
        in MembershipInFile()
        .why_not(FileEvidence(original, Masked(original, np.arange(300)), ("age",)))
        .reason
    )
    (found,) = flat_rows(measure, case(original, model="a text"))
    assert found.value is None
    assert "predict_proba" in found.reason
    nameless = DecisionTreeClassifier().fit(original.frame.select("age").to_numpy(), original.frame["ill"])
    assert "name its features" in flat_rows(measure, case(original, model=nameless))[0].reason
    named = DecisionTreeClassifier().fit(original.frame.select("age"), original.frame["ill"].to_numpy())
    assert (
        "'town' is not" in flat_rows(MembershipInModel(target="town"), case(original, model=named))[0].reason
    )


def test_a_model_with_random_parts_inside_is_attacked_the_same_way_twice() -> None:
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    original = people(300, 1)
    model = make_pipeline(StandardScaler(), RandomForestClassifier(5))
    model.fit(original.frame.select("age", "income"), original.frame["ill"].to_numpy())
    one, two = (flat_rows(MembershipInModel(), case(original, model=model)) for _ in range(2))
    assert values(one) == values(two)


def test_people_without_the_attribute_that_a_model_predicts_are_not_asked_about() -> None:
    """With them, the missing category itself would tell members from others."""
    from sklearn.tree import DecisionTreeClassifier

    original, others = people(300, 1), people(600, 3)
    model = DecisionTreeClassifier(max_depth=1).fit(
        original.frame.select("age"), original.frame["ill"].to_numpy()
    )
    unknown = pl.Series("ill", [None if i % 2 else v for i, v in enumerate(others.frame["ill"])])

    def attacked(known: Microdata, outsiders: Microdata):
        masked = Masked(known, np.arange(len(known)))
        return flat_rows(
            MembershipInModel("ill"),
            FileEvidence(known, masked, ("age",), holdout=outsiders, model=model),
            LocalEngine(),
        )

    found = attacked(original, others.replace({"ill": unknown}))[0]
    assert found.low < 0.5 < found.high
    assert 250 < found.n < 350
    nobody = pl.Series("ill", [None] * 600, dtype=pl.String)
    (found,) = attacked(original, others.replace({"ill": nobody}))
    assert "have 'ill'" in found.reason
    (found,) = attacked(original, others.replace({"ill": pl.Series(["yes"] * 600)}))
    assert "the same 'ill'" in found.reason


def test_what_a_model_predicts_is_found_among_attributes_that_have_values() -> None:
    from sklearn.tree import DecisionTreeClassifier

    original = people(300, 1)
    model = DecisionTreeClassifier(max_depth=2)
    model.fit(original.frame.select("age"), original.frame["ill"].to_numpy())
    empty = original.replace({"town": pl.Series([None] * 300, dtype=pl.String)})
    held = FileEvidence(empty, Masked(empty, np.arange(300)), ("age",), holdout=people(600, 3), model=model)
    assert flat_rows(MembershipInModel(), held)[0].value is not None
    strange = original.replace({"ill": pl.Series(["perhaps", "never"] * 150)})
    held = FileEvidence(
        strange, Masked(strange, np.arange(300)), ("age",), holdout=people(600, 3), model=model
    )
    assert "no attribute" in flat_rows(MembershipInModel(), held)[0].reason


def test_a_model_that_fails_in_its_own_way_says_so_without_a_traceback() -> None:
    from sklearn.tree import DecisionTreeClassifier

    class Odd(DecisionTreeClassifier):
        def predict_proba(self, X, check_input=True):  # scikit-learn's name
            raise KeyError("a value")

    original = people(300, 1)
    model = Odd().fit(original.frame.select("age"), original.frame["ill"].to_numpy())
    (found,) = flat_rows(MembershipInModel(), case(original, model=model))
    assert found.reason == "the model refused the file (KeyError)"


@pytest.mark.parametrize(
    "measure", [MembershipInFile(), MembershipInFile(Signal.DENSITY), ClosestRecordProxy()]
)
def test_a_synthetic_file_is_nobodys_and_all_people_are_its_members(measure) -> None:
    """Its records stem from no one, and it may be longer than the original file."""
    original, rng = people(300, 1), np.random.default_rng(0)
    copies = original.take(rng.integers(0, 300, 500))  # a generator that has learned people by heart
    for released, remembers in ((copies, True), (people(500, 8), False)):
        held = FileEvidence(original, Masked(released, np.full(500, -1)), ("age",), holdout=people(600, 3))
        assert measure.why_not(held) is None
        found = flat_rows(measure, held)[0]
        assert (found.low > 0.6) if remembers else (found.low < 0.5 < found.high)


def test_the_order_of_the_original_and_of_the_holdout_does_not_matter() -> None:
    from sklearn.tree import DecisionTreeClassifier

    original, others = people(300, 1), people(200, 3)
    model = DecisionTreeClassifier(max_depth=4, random_state=0)
    model.fit(original.frame.select("age", "income"), original.frame["ill"].to_numpy())
    rng = np.random.default_rng(0)
    rows, more = rng.permutation(300), rng.permutation(200)
    one = FileEvidence(original, Masked(original, np.arange(300)), ("age",), holdout=others, model=model)
    two = FileEvidence(
        original.take(rows),
        Masked(original, np.argsort(rows)),
        ("age",),
        holdout=others.take(more),
        model=model,
    )
    for measure in (MembershipInFile(Signal.DENSITY), ClosestRecordProxy(), MembershipInModel()):
        assert values(flat_rows(measure, one)) == values(flat_rows(measure, two))


@pytest.mark.parametrize("evidence", Signal)
def test_a_code_is_one_category_in_whatever_form_a_file_holds_it(evidence: Signal) -> None:
    """1 here and 1.0 there (where one is missing) must not tell members from others."""
    schema = Schema((Column("age"), Column("code", Kind.NOMINAL)))

    def coded(n: int, seed: int, form: type[pl.DataType]) -> Microdata:
        rng = np.random.default_rng(seed)
        code = pl.Series("code", rng.integers(1, 5, n)).cast(form)
        return Microdata(schema, pl.DataFrame({"age": rng.normal(size=n), "code": code}))

    original, fresh = coded(200, 1, pl.Int64), coded(200, 2, pl.Int64)
    held = FileEvidence(original, Masked(fresh, np.arange(200)), ("age",), holdout=coded(400, 3, pl.Float64))
    found = flat_rows(MembershipInFile(evidence), held)[0]
    assert found.low < 0.5 < found.high


@pytest.mark.parametrize(
    "measure", [MembershipInFile(), MembershipInFile(Signal.DENSITY), ClosestRecordProxy()]
)
def test_a_number_that_is_released_as_a_category_is_not_compared(measure) -> None:
    original = people(200, 1)
    columns = (Column("age", Kind.NOMINAL), *SCHEMA.columns[1:])
    bands = original.frame.with_columns(
        pl.when(pl.col("age") < 50).then(pl.lit("young")).otherwise(pl.lit("old")).alias("age")
    )
    masked = Masked(Microdata(Schema(columns), bands), np.arange(200))
    found = flat_rows(measure, FileEvidence(original, masked, ("age",), holdout=people(600, 3)))[0]
    assert found.value > 0.9  # the income is released as it is
    only_age = FileEvidence(
        original.only(["age"]), Masked(masked.data.only(["age"]), masked.origin), ("age",),
        holdout=people(600, 3),
    )  # fmt: skip
    assert "in one form" in measure.why_not(only_age).reason


def test_the_nearest_record_is_the_first() -> None:
    with pytest.raises(ArgumentError, match="k is 0"):
        MembershipInFile(Signal.DENSITY, k=0)


def test_f1_of_an_attack_that_names_everybody_is_no_better_than_chance() -> None:
    found = flat(Recognition(np.ones(30), np.ones(30), 1.0).rows("m", "it", np.random.default_rng(0)))
    f1 = next(f for f in found if f.subject == "F1")
    assert f1.value == f1.baseline == pytest.approx(2 / 3)


def test_f1_of_a_perfect_attack_on_few_people_is_not_certain() -> None:
    found = flat(Recognition(np.ones(30), np.zeros(30), 1.0).rows("m", "it", np.random.default_rng(0)))
    f1 = next(f for f in found if f.subject == "F1")
    assert (f1.value, f1.high) == (1.0, 1.0)
    assert 0.9 < f1.low < 0.99
    assert f1.baseline == 0.5


def test_few_people_are_not_enough() -> None:
    small = case(people(300, 1), holdout=30)
    assert "at least 40" in MembershipInFile().why_not(small).reason


def test_recognition_by_hand() -> None:
    seen = Recognition(np.array([4.0, 3, 2, 1]), np.array([3.5, 0, 0, 0]), threshold=2.0)
    found = values(flat(seen.rows("m", "it", np.random.default_rng(0))))
    assert found["AUC"] == pytest.approx(13 / 16)
    assert found["accuracy"] == pytest.approx(6 / 8)
    assert found["precision"] == pytest.approx(3 / 4)
    assert found["recall"] == pytest.approx(3 / 4)
    assert found["F1"] == pytest.approx(3 / 4)
    assert found["recall at 1% false positives"] is None


def test_recall_at_a_low_rate_names_no_more_outsiders_than_allowed() -> None:
    rng = np.random.default_rng(5)
    members, others = rng.normal(1, 1, 500), rng.normal(0, 1, 500)
    found = values(flat(Recognition(members, others, 0.0).rows("m", "it", rng)))
    bar = np.sort(others)[-6]  # five of 500 lie above it
    assert found["recall at 1% false positives"] == pytest.approx((members > bar).mean())
    assert found["recall at 0.1% false positives"] is None


def test_nobody_named_leaves_precision_open() -> None:
    found = flat(Recognition(np.zeros(30), np.zeros(30), 1.0).rows("m", "it", np.random.default_rng(0)))
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


def test_a_hold_out_of_members_is_no_hold_out() -> None:
    original = people(300, 1)
    again = FileEvidence(original, Masked(original, np.arange(300)), ("age",), holdout=people(300, 1))
    for measure in (ClosestRecordProxy(), *map(MembershipInFile, Signal)):
        reason = measure.why_not(again)
        assert reason.declared
        assert "people of the original file" in reason.reason
    alike = FileEvidence(
        original.only(["town"]), Masked(original.only(["town"]), np.arange(300)), ("town",),
        holdout=people(300, 3).only(["town"]),
    )  # fmt: skip
    assert ClosestRecordProxy().why_not(alike) is None


def test_a_model_without_a_hold_out_is_told() -> None:
    original = people(100, 1)
    case = FileEvidence(original, Masked(original, np.arange(100)), ("age",), model=object())
    assert MembershipInModel().why_not(case).declared
    assert not ClosestRecordProxy().why_not(case).declared
