"""Categories released as they are, and attributes that models predict."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests.flat import flat_rows
from unmask.data.example import people
from unmask.data.microdata import Masked, Microdata
from unmask.data.missing import Missing
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.errors import ArgumentError, DataError
from unmask.masks import Noise
from unmask.measures.attribute.absent import AbsentAttributes
from unmask.measures.attribute.categorical import SimpleDisclosure
from unmask.measures.attribute.model_attributes import FewestAttributes
from unmask.measures.attribute.model_differences import Adds, ModelDifference
from unmask.measures.attribute.model_disclosure import ModelDisclosure
from unmask.measures.attribute.models import Modelling, predictions
from unmask.measures.attribute.models_features import MOST_CATEGORIES, features
from unmask.measures.attribute.models_run import sampled
from unmask.measures.attribute.paired import paired_difference
from unmask.measures.base import FileMeasure
from unmask.measures.estimate import Unit
from unmask.measures.evidence import FileEvidence

nan = np.nan
TREES = Modelling(DecisionTreeClassifier(max_depth=4), DecisionTreeRegressor(max_depth=5), folds=3)
DISCLOSURE = ModelDisclosure(modelling=TREES)
RELEASE = ModelDifference(Adds.RELEASE, modelling=TREES)
MEMORY = ModelDifference(Adds.OWN_RECORD, modelling=Modelling(KNeighborsClassifier(1), folds=3))
ABSENT = AbsentAttributes(modelling=TREES)
FEWEST = FewestAttributes(modelling=TREES)
MODELS = (DISCLOSURE, RELEASE, MEMORY, FEWEST)


def world(n=300, seed=1, noise=0.0):
    """Illness follows from b, pay from b and c; a tells nothing. Noise is added to the release."""
    rng = np.random.default_rng(seed)
    a, b, c = rng.normal(size=(3, n))
    illness, pay = np.where(b > 0.4, "flu", "none"), 3 * b + c
    columns = (Column("a"), Column("b"), Column("c"))
    secrets = (Column("illness", Kind.NOMINAL, Role.CONFIDENTIAL), Column("pay", role=Role.CONFIDENTIAL))
    frame = pl.DataFrame({"a": a, "b": b, "c": c, "illness": illness, "pay": pay})
    original = Microdata(Schema((*columns, *secrets)), frame)
    shaken = {name: frame[name] + noise * rng.normal(size=n) for name in "abc"}
    return FileEvidence(original, Masked.by_order(original, original.replace(shaken)), ("a", "b", "c"))


def categories(original, released, missing=Missing.MISMATCH, other=None):
    schema = Schema((Column("job", Kind.NOMINAL), *((Column("sex", Kind.NOMINAL),) if other else ())))

    def file(values):
        return Microdata(
            schema, pl.DataFrame({"job": pl.Series(values, dtype=pl.String), "sex": other or ""})
        )

    a, b = file(original), file(released)
    return FileEvidence(a, Masked.by_order(a, b), ("job",), missing)


@pytest.mark.parametrize("measure", [*MODELS, ABSENT, SimpleDisclosure()])
def test_each_is_a_measure_of_the_file(measure):
    assert isinstance(measure, FileMeasure)


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        (Missing.MISMATCH, [1, 0, nan, 0, nan]),
        (Missing.WILDCARD, [1, 0, nan, 0, nan]),
        (Missing.SUPPRESSED, [1, 0, nan, 0, nan]),
        (Missing.IGNORE, [1, 0, nan, nan, nan]),
        (Missing.CATEGORY, [1, 0, 0, 0, 1]),
    ],
)
def test_categories_released_as_they_are(missing, expected):
    both = categories(["x", "y", None, "x", None], ["x", "z", "x", None, None], missing)
    (found,) = flat_rows(SimpleDisclosure(), both)
    np.testing.assert_array_equal(found.per_record, expected)
    assert found.value == pytest.approx(np.nanmean(expected))


def test_categories_jointly():
    both = categories(["x", "y", "y"], ["x", "x", "y"], other=["f", "m", "f"])
    job, sex, joint = flat_rows(SimpleDisclosure(), both)
    assert (job.value, job.baseline) == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    assert sex.value == 1
    assert joint.per_record.tolist() == [1, 0, 1]
    assert joint.baseline == pytest.approx(1 / 3)  # a woman smith: the last


def test_categories_of_nobody_are_not_estimable():
    both = categories([None, None], ["x", "y"])
    assert flat_rows(SimpleDisclosure(), both)[0].value is None
    synthetic = FileEvidence(both.original, Masked(both.masked.data, np.array([-1, -1])), ("job",))
    assert "stems from" in flat_rows(SimpleDisclosure(), synthetic)[0].reason
    bare = both.original.only(["job"]), Microdata(Schema((Column("v"),)), pl.DataFrame({"v": [1, 2]}))
    assert (
        "no categorical"
        in SimpleDisclosure().why_not(FileEvidence(bare[0], Masked.by_order(*bare), ("job",))).reason
    )


def test_a_model_finds_what_follows_from_the_known():
    illness, pay = flat_rows(DISCLOSURE, world())
    assert illness.value > 0.95
    assert illness.value == illness.baseline  # nothing is masked
    assert pay.value > 0.1
    assert pay.curve.points[-1].value > 0.9
    assert f"is right to 10% of a standard deviation about 'pay' for {pay.value * 300:.0f} of" in pay.meaning


def test_masking_costs_what_the_paired_difference_says():
    case = world(noise=2.0)
    illness, _ = flat_rows(DISCLOSURE, case)
    difference, _ = flat_rows(RELEASE, case)
    assert difference.value == pytest.approx(illness.value - illness.baseline)
    assert difference.low < difference.value < difference.high < 0
    assert "the mask costs accuracy" in difference.meaning
    assert set(np.unique(difference.per_record)) <= {-1, 0, 1}


def test_a_release_that_tells_more_than_the_population():
    """A release with many more people than the original: its model has seen more."""
    rng = np.random.default_rng(3)
    b, c = rng.uniform(0, 4, size=(2, 2000))
    checkered = (np.floor(b) + np.floor(c)) % 2 == 0
    frame = pl.DataFrame({"b": b, "c": c, "s": np.where(checkered, "x", "y")})
    schema = Schema((Column("b"), Column("c"), Column("s", Kind.NOMINAL, Role.CONFIDENTIAL)))
    original = Microdata(schema, frame[:60])
    origin = np.where(np.arange(2000) < 60, np.arange(2000), -1)
    deep = Modelling(DecisionTreeClassifier(), folds=3)
    case = FileEvidence(original, Masked(Microdata(schema, frame), origin), ("b", "c"))
    (found,) = flat_rows(ModelDifference(modelling=deep), case)
    assert 0.1 < found.low < found.value
    assert "the release tells more" in found.meaning


def test_memory_shows_in_the_own_record_only():
    """A nearest-neighbour model repeats its own record; noise of ten standard deviations ends that."""
    rng = np.random.default_rng(2)
    frame = pl.DataFrame({"a": rng.normal(size=200), "s": rng.choice(["x", "y", "z"], 200)})
    original = Microdata(Schema((Column("a"), Column("s", Kind.NOMINAL, Role.CONFIDENTIAL))), frame)
    (found,) = flat_rows(MEMORY, FileEvidence(original, Masked.by_order(original, original), ("a",)))
    assert found.value > 0.5
    assert "memorise" in found.meaning
    far = original.replace({"a": frame["a"] + 10 * pl.Series(rng.normal(size=200))})
    (found,) = flat_rows(MEMORY, FileEvidence(original, Masked.by_order(original, far), ("a",)))
    assert found.low < 0.1
    synthetic = FileEvidence(original, Masked(original, np.full(200, -1)), ("a",))
    (found,) = flat_rows(MEMORY, synthetic)
    assert "stems from" in found.reason
    assert flat_rows(DISCLOSURE, synthetic)[0].value is not None


def test_few_attributes_suffice():
    illness, pay = flat_rows(FEWEST, world(n=600))
    assert (illness.value, illness.unit) == (1, Unit.COUNT)
    assert "1 of 3 known attributes ('b')" in illness.meaning
    assert [point.at for point in illness.curve.points] == [0, 1, 2, 3]
    assert pay.value is None or pay.value >= 2
    limited, _ = flat_rows(FewestAttributes(most=1, modelling=TREES), world(n=600))
    assert [point.at for point in limited.curve.points] == [0, 1, 3]


def test_attributes_that_tell_nothing_are_not_counted():
    rng = np.random.default_rng(5)
    frame = pl.DataFrame({"a": rng.normal(size=200), "s": rng.choice(["x", "y"], 200, p=[0.8, 0.2])})
    original = Microdata(Schema((Column("a"), Column("s", Kind.NOMINAL, Role.CONFIDENTIAL))), frame)
    (found,) = flat_rows(FEWEST, FileEvidence(original, Masked.by_order(original, original), ("a",)))
    assert found.value is None
    assert "tell no more" in found.reason
    assert found.curve is not None


def test_absent_attributes_are_inferred_as_far_as_the_mask_leaves_them():
    def absent(noise):
        case = world(noise=noise)
        kept = case.masked.data.only(["a", "b", "c"])
        hidden = FileEvidence(case.original, Masked(kept, case.masked.origin), case.known)
        assert ABSENT.why_not(hidden) is None
        assert ABSENT.why_not(case).reason == "every confidential attribute is released"
        return flat_rows(ABSENT, hidden)

    plain, shaken = absent(0.0), absent(3.0)
    assert [f.value for f in plain] == [1, 1]
    assert shaken[0].value < 0.85
    assert shaken[1].value < 0.3
    assert [f.subject for f in flat_rows(AbsentAttributes(attributes=("illness",), modelling=TREES), world())]


def test_a_prediction_does_not_depend_on_the_order_of_the_files():
    case = world(n=90, noise=0.5)
    rng = np.random.default_rng(4)
    rows, order = rng.permutation(90), rng.permutation(90)
    place = np.argsort(rows)
    moved = FileEvidence(
        case.original.take(rows), Masked(case.masked.data.take(order), place[order]), case.known
    )
    forests = Modelling(folds=3, limit=60)
    for measure in (
        ModelDisclosure(modelling=forests),
        MEMORY,
        FEWEST,
        AbsentAttributes(attributes=("illness",), modelling=TREES),
    ):
        for one, two in zip(flat_rows(measure, case), flat_rows(measure, moved), strict=True):
            assert (one.value, one.meaning) == (two.value, two.meaning)
            if one.per_record is not None:
                np.testing.assert_array_equal(one.per_record[rows], two.per_record)


def test_a_sample_is_limited_and_seeded():
    case = world(n=300)
    sample = sampled(case, "illness", 100)
    assert len(sample.people) == len(set(sample.people)) == 100
    assert case.masked.origin[sample.records].tolist() == sample.people.tolist()
    other = FileEvidence(case.original, case.masked, case.known, seed=1)
    assert sampled(other, "illness", 100).people.tolist() != sample.people.tolist()
    limited = ModelDisclosure(modelling=Modelling(DecisionTreeClassifier(), limit=100))
    assert flat_rows(limited, case)[0].n == 100


def test_records_of_others_fill_up_and_are_never_left_out():
    """Half of the release is nobody's; the people sampled keep their own records apart by fold."""
    case = world(n=60)
    frame = pl.concat([case.original.frame, case.original.frame])
    release = Microdata(case.original.schema, frame)
    masked = Masked(release, np.concatenate((np.arange(60), np.full(60, -1))))
    sample = sampled(FileEvidence(case.original, masked, case.known), "illness", 100)
    assert len(sample.people) == 60
    assert len(sample.records) == 100
    assert (masked.origin[sample.records[sample.record]] == sample.people).all()


def test_features_of_mixed_attributes():
    frame = pl.DataFrame(
        {
            "age": [30.0, None, 50.0],
            "town": ["A", None, "B"],
            "health": ["good", "bad", None],
        }
    )
    schema = Schema(
        (
            Column("age"),
            Column("town", Kind.NOMINAL),
            Column("health", Kind.ORDINAL, levels=("bad", "fair", "good")),
        )
    )
    both = Microdata(schema, frame)
    rows = np.arange(3)
    found = features(FileEvidence(both, Masked.by_order(both, both), ()), schema.names(), rows, rows)
    assert found.original.tolist() == [
        [30, 0, 1, 0, 0, 2, 0],
        [40, 1, 0, 0, 1, 0, 0],
        [50, 0, 0, 1, 0, 1, 1],
    ]
    assert found.only(("health",)).tolist() == [5, 6]
    assert MOST_CATEGORIES == 30


def test_any_estimator_serves():
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    modelling = Modelling(pipeline, Ridge(), folds=3)
    illness, pay = flat_rows(ModelDisclosure(modelling=modelling), world())
    assert illness.value > 0.9
    assert pay.value == 1  # pay is linear in b and c


@pytest.mark.parametrize("measure", MODELS)
def test_degenerate_files_say_why(measure):
    case = world(n=4)
    assert all(f.value is None and f.reason for f in flat_rows(measure, case))
    many = world(n=40)
    flat = many.original.replace({"illness": pl.Series(["flu"] * 40), "pay": pl.Series([1.0] * 40)})
    for finding in flat_rows(measure, FileEvidence(flat, Masked.by_order(flat, flat), ("a",))):
        assert "no secret" in finding.reason
    gone = many.original.replace({"illness": pl.Series([None] * 40, dtype=pl.String)})
    finding = flat_rows(measure, FileEvidence(gone, Masked.by_order(gone, gone), ("a",)))[0]
    assert "0 people have 'illness'" in finding.reason
    banded = Microdata(
        Schema((Column("a"), Column("illness", Kind.NOMINAL), Column("pay", Kind.NOMINAL))),
        many.original.frame.select("a", "illness", pl.col("pay").round(0).cast(pl.String)),
    )
    finding = flat_rows(measure, FileEvidence(many.original, Masked.by_order(many.original, banded), ("a",)))[
        1
    ]
    assert "another form" in finding.reason


@pytest.mark.parametrize("measure", MODELS)
def test_models_need_a_secret_and_something_known(measure):
    case = world(n=10)
    assert measure.why_not(case) is None
    known = case.original.only(["a", "b"])
    assert "declared" in measure.why_not(FileEvidence(known, Masked.by_order(known, known), ("a",))).reason
    assert (
        "no confidential"
        in measure.why_not(FileEvidence(case.original, Masked.by_order(known, known), ("a",))).reason
    )
    assert "none of" in measure.why_not(FileEvidence(case.original, case.masked, ("z",))).reason


def test_bad_parameters():
    for wrong, text in (
        (lambda: Modelling(classifier=3), "no scikit-learn estimator"),
        (lambda: Modelling(limit=3), "folds"),
        (lambda: FewestAttributes(enough=0), "enough"),
        (lambda: FewestAttributes(most=0), "most"),
        (lambda: ModelDisclosure(p=-1), "p is -1"),
    ):
        with pytest.raises(ArgumentError, match=text):
            wrong()
    with pytest.raises(DataError, match="no column 'ilness'"):
        AbsentAttributes(attributes=("ilness",)).why_not(world(n=10))


def test_an_estimator_that_cannot_be_trained_quotes_no_value():
    model = KNeighborsClassifier(50)
    with pytest.raises(ArgumentError, match="KNeighborsClassifier could not be trained"):
        predictions(model, np.zeros((4, 1)), np.array([0.0, 1, 0, 1]), np.zeros((1, 1)), 1)
    assert predictions(
        DummyClassifier(), np.zeros((3, 1)), np.full(3, 7.0), np.zeros((2, 1)), 1
    ).tolist() == [7, 7]


def test_the_paired_interval_holds_its_level():
    """Bonett and Price: coverage near 95% in small samples, by simulation."""
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(2000):
        draws = rng.choice(4, 40, p=[0.5, 0.25, 0.1, 0.15])
        _, low, high = paired_difference(np.isin(draws, (0, 1)) * 1.0, np.isin(draws, (0, 2)) * 1.0)
        held += low <= 0.15 <= high
    assert 0.93 <= held / 2000 <= 0.985


def test_the_example_is_predicted_from_mixed_attributes():
    original = people(400)
    masked = Noise(0.3).apply(original, np.random.default_rng(1))
    case = FileEvidence(original, masked, ("region", "sex", "age", "education", "income", "health"))
    (found,) = flat_rows(ModelDisclosure(modelling=Modelling(folds=2)), case)
    assert found.subject == "diagnosis"
    assert 0.5 < found.value < 0.8


@pytest.mark.parametrize("kind", ["half earn nothing", "one earns a million"])
def test_numbers_with_outliers_are_predicted_by_usual_ones(kind):
    """Nobody earns the mean: a model that names it is right about fewer people than one that names 0."""
    rng = np.random.default_rng(2)
    group = rng.integers(0, 2, 400)
    if kind == "half earn nothing":
        pay = np.where(rng.random(400) < 0.8 - 0.2 * group, 0.0, rng.lognormal(3, 1, 400))
    else:
        pay = rng.normal(10 * group, 0.1)
        pay[0] = 1e6
    schema = Schema((Column("group", Kind.NOMINAL), Column("pay", role=Role.CONFIDENTIAL)))
    file = Microdata(schema, pl.DataFrame({"group": group.astype(str), "pay": pay}))
    case = FileEvidence(file, Masked.by_order(file, file), ("group",))
    (found,) = flat_rows(ModelDisclosure(modelling=Modelling(folds=2)), case)
    assert found.value > (0.65 if kind == "half earn nothing" else 0.99)


def test_numbers_that_differ_by_less_than_a_deviation_can_tell_are_no_secret():
    case = world(60)
    tiny = case.original.replace({"pay": pl.Series(np.arange(60) * 1e-300)})
    case = FileEvidence(tiny, Masked.by_order(tiny, tiny), case.known)
    for measure in MODELS:
        found = next(f for f in flat_rows(measure, case) if f.subject == "pay")
        assert found.value is None
        assert "no secret" in found.reason
