"""The policy ``suppressed``: values that the release hides, beside those that nobody ever had."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import unmask
from tests.reference.missing import compatible, counting
from unmask import Column, Kind, Masked, Microdata, Missing, Scenario, Schema
from unmask.attacks import DBRL, PRL, KnownMechanism, attack_named
from unmask.documents.sections import ScenarioSection
from unmask.engines import LocalEngine
from unmask.errors import DataError
from unmask.intruder.dossier import Dossier
from unmask.linkage.agreement import comparisons
from unmask.linkage.blocking import blocks_of
from unmask.linkage.spaces import whitened
from unmask.masks import LocalSuppression
from unmask.report.intruder import missing as sentence

N = 200
HIDDEN = np.arange(N) % 10 == 3
CODED = ("job", "tenure", "rooms", "heating")
SCHEMA = Schema(
    (
        Column("town", Kind.NOMINAL),
        Column("school", Kind.ORDINAL, levels=("1", "2", "3")),
        *(Column(name, Kind.NOMINAL) for name in CODED),
    )
)


def people() -> pl.DataFrame:
    """People of whom some have no school: naturally missing values."""
    rng = np.random.default_rng(5)
    school = [None if rng.random() < 0.1 else str(rng.integers(1, 4)) for _ in range(N)]
    coded = {name: rng.integers(1, 4, N).astype(str) for name in CODED}
    return pl.DataFrame({"town": rng.choice(list("abcdefgh"), N), "school": school, **coded})


def suppressed(original: pl.DataFrame) -> pl.DataFrame:
    """The same with every tenth town made missing."""
    return original.with_columns(town=pl.when(pl.Series(~HIDDEN)).then("town"))


def beliefs(missing: Missing, attack: str = "dbrl", known: tuple[str, ...] | None = None) -> np.ndarray:
    scenario = Scenario(known=known, missing=missing)
    released = suppressed(people())
    risk = unmask.assess(people(), released, schema=SCHEMA, scenario=scenario, attacks=[attack])
    return risk.records()[f"{attack}_belief"].to_numpy()


OTHERS = (Missing.MISMATCH, Missing.CATEGORY, Missing.WILDCARD)


def simulated(seed: int, mixed: bool) -> tuple[Schema, pl.DataFrame, pl.DataFrame]:
    """A file with values that nobody ever had, and the same with more values hidden."""
    rng = np.random.default_rng(seed)
    n, d = 150, int(rng.integers(2, 6))
    natural, lost = rng.choice([0.0, 0.03, 0.1]), rng.choice([0.02, 0.1, 0.3])
    columns, series = [], []
    for j in range(d):
        values = rng.integers(0, int(rng.choice([2, 3, 8, 40])), n)
        kind = Kind.NUMERIC if mixed and j % 2 else Kind.NOMINAL
        listed = [
            None if rng.random() < natural else float(v) if kind is Kind.NUMERIC else f"v{v}" for v in values
        ]
        columns.append(Column(f"x{j}", kind))
        series.append(pl.Series(f"x{j}", listed, pl.Float64 if kind is Kind.NUMERIC else pl.String))
    original = pl.DataFrame(series)
    kept = [pl.Series(rng.random(n) >= lost) for _ in columns]
    released = original.select(
        pl.when(some).then(c.name).alias(c.name) for c, some in zip(columns, kept, strict=True)
    )
    return Schema(tuple(columns)), original, released


def found(schema: Schema, original: pl.DataFrame, released: pl.DataFrame, missing: Missing) -> np.ndarray:
    """How dbrl believes in everybody's own record, record i of the release being person i's."""
    files = Microdata(schema, original), Microdata(schema, released)
    dossier = Dossier(*files, missing, exact=frozenset(schema.names()))
    matcher = DBRL().prepare(dossier, np.random.default_rng(0), LocalEngine(threads=1))
    return matcher.links().belief_in(np.arange(original.height))


@pytest.mark.parametrize("mixed", [False, True], ids=["nominal", "mixed"])
@pytest.mark.parametrize("seed", range(8))
def test_no_other_policy_finds_more_nor_does_counting(seed: int, mixed: bool) -> None:
    schema, original, released = simulated(seed, mixed)
    most = found(schema, original, released, Missing.SUPPRESSED).sum()
    assert most >= counting(original.rows(), released.rows()).sum() - 1e-9
    for other in OTHERS:
        assert most >= found(schema, original, released, other).sum() - 1e-9


@pytest.mark.parametrize("known", [None, ("town", "school")])
def test_a_file_of_which_one_attribute_was_suppressed(known: tuple[str, ...] | None) -> None:
    original = people().select(known or SCHEMA.names())
    released = suppressed(people()).select(original.columns)
    most = beliefs(Missing.SUPPRESSED, known=known).sum()
    assert most >= counting(original.rows(), released.rows()).sum()
    for other in OTHERS:
        assert most >= beliefs(other, known=known).sum()


def test_nobody_is_harder_to_find_because_others_hide_values() -> None:
    """What mismatch finds is found, and some of those whose town is hidden."""
    more, fewer = beliefs(Missing.SUPPRESSED), beliefs(Missing.MISMATCH)
    assert (more[~HIDDEN] >= fewer[~HIDDEN]).all()
    assert more[HIDDEN].sum() > fewer[HIDDEN].sum()


def test_four_people_by_hand() -> None:
    """Released: (a, 1), (-, 1), (b, -), (a, -), of people known as (a, 1), (a, 1), (b, 1), (a, -).

    (a, 1) may be all but the third, and takes the first, which hides nothing. (b, 1) may be the second or the
    third, which hide one value each. (a, -) is the last: suppression fills no value in. Where a missing value
    is a difference, the job counts less than the town, because all jobs that are released are the same.
    """
    schema = Schema((Column("town", Kind.NOMINAL), Column("job", Kind.NOMINAL)))
    known, released = (
        pl.DataFrame(rows, ["town", "job"], orient="row")
        for rows in (
            [("a", "1"), ("a", "1"), ("b", "1"), ("a", None)],
            [("a", "1"), (None, "1"), ("b", None), ("a", None)],
        )
    )
    assert counting(known.rows(), released.rows()).tolist() == [1 / 3, 1 / 3, 1 / 2, 1]
    expected = {
        Missing.SUPPRESSED: [1, 0, 1 / 2, 1],
        Missing.MISMATCH: [1, 0, 1, 1 / 2],
        Missing.CATEGORY: [1, 0, 1, 1],
        Missing.WILDCARD: [1 / 3, 1 / 3, 1 / 2, 1 / 3],
    }
    for policy, belief in expected.items():
        np.testing.assert_allclose(found(schema, known, released, policy), belief)


@pytest.mark.parametrize("attack", ["dbrl", "prl", "rbrl-sum", "rbrl-max"])
def test_numbers_of_which_a_tenth_is_suppressed(attack: str) -> None:
    """As everybody calls it: the policy comes from the files, and hiding values moves no other value."""
    rng = np.random.default_rng(3)
    n = 400
    original = pl.DataFrame(
        {"age": rng.integers(18, 80, n), "children": rng.poisson(1.0, n), "rooms": rng.integers(1, 7, n)}
    )
    out = pl.Series(rng.random(n) < 0.1)
    released = original.with_columns(age=pl.when(~out).then("age"))
    risk = unmask.assess(original, released, known=original.columns, attacks=[attack])
    assert risk.document.scenario.missing == Missing.SUPPRESSED
    total = risk.records()[f"{attack}_belief"].sum()
    assert total >= counting(original.rows(), released.rows()).sum()


@pytest.mark.parametrize("noise", [0.03, 0.1, 0.3])
@pytest.mark.parametrize("lost", [0.1, 0.3])
def test_records_that_hide_much_are_not_everybodys_nearest(noise: float, lost: float) -> None:
    """Numbers that were moved and then suppressed: a true value is away too, so a hidden one costs more."""
    rng = np.random.default_rng(4)
    schema = Schema(tuple(Column(f"x{j}") for j in range(4)))
    values = rng.normal(size=(300, 4))
    masked = np.where(rng.random(values.shape) < lost, np.nan, values + noise * rng.normal(size=values.shape))
    known, released = (
        Microdata(schema, pl.DataFrame(array, schema.names()).fill_nan(None)) for array in (values, masked)
    )
    more, fewer = (
        DBRL()
        .prepare(Dossier(known, released, policy), np.random.default_rng(0), LocalEngine(threads=1))
        .links()
        .belief_in(np.arange(300))
        .sum()
        for policy in (Missing.SUPPRESSED, Missing.MISMATCH)
    )
    assert more > fewer


def test_a_hidden_value_has_no_weight_in_probabilistic_linkage() -> None:
    dossier = Dossier(
        Microdata(SCHEMA, people()), Microdata(SCHEMA, suppressed(people())), Missing.SUPPRESSED
    )
    town, school, job, *_ = comparisons(dossier)
    assert (town.missing_known, town.missing_released, town.missing_both) == (1, 2, 0)
    assert (school.missing_known, school.missing_released, school.missing_both) == (2, 3, 0)
    assert [c.weightless for c in (town, school, job)] == [2, 3, None]
    model = PRL().prepare(dossier, np.random.default_rng(0), LocalEngine(threads=1)).model
    agrees, differs, hidden = model.fit.weights()[0, :3]
    assert agrees > 0 > differs
    assert hidden == pytest.approx(0, abs=1e-3)


def test_bands_of_exact_numbers_are_those_of_one_scale() -> None:
    """A value that was not changed has the best band, however many others were suppressed."""
    values = np.exp(np.random.default_rng(2).normal(size=300))
    schema = Schema((Column("pay"),))
    known, released = (
        Microdata(schema, pl.DataFrame({"pay": pl.Series(pay, dtype=pl.Float64)}))
        for pay in (values.tolist(), [v if v < 2 else None for v in values])
    )
    (pay,) = comparisons(Dossier(known, released, Missing.SUPPRESSED, exact=frozenset(("pay",))))
    there = pay.released >= 0
    assert pay.table is not None
    assert not pay.table[pay.known[there], pay.released[there]].any()


@pytest.mark.parametrize("attack", ["prl", "rbrl-sum", "owa", "choquet", "sugeno"])
def test_other_attacks_find_more_than_under_mismatch(attack: str) -> None:
    found, lower = (beliefs(policy, attack) for policy in (Missing.SUPPRESSED, Missing.MISMATCH))
    assert found[HIDDEN].sum() > lower[HIDDEN].sum()
    assert found.sum() > lower.sum()


def test_nothing_missing_is_nothing_changed() -> None:
    original = people().with_columns(pl.all().fill_null("1"))
    for attack in ("dbrl", "prl", "mahalanobis", "one-to-one"):
        risks = [
            unmask.assess(
                original, original, schema=SCHEMA, scenario=Scenario(missing=policy), attacks=[attack]
            ).records()[f"{attack}_belief"]
            for policy in (Missing.SUPPRESSED, Missing.MISMATCH)
        ]
        assert risks[0].equals(risks[1])


def test_one_to_one_reads_each_side_when_the_files_change_places() -> None:
    """More known people than released records: rows and columns are exchanged in the search."""
    known = Microdata(SCHEMA, people())
    part = np.arange(0, N, 2)
    released = Microdata(SCHEMA, suppressed(people())).take(part)
    dossier, truth, _ = Scenario(missing=Missing.SUPPRESSED).stage(known, Masked(released, part), 1)
    attack = attack_named("one-to-one")
    matcher = attack.prepare(dossier, np.random.default_rng(0), LocalEngine(threads=1))
    links = matcher.links()
    inside = np.flatnonzero(truth.row >= 0)
    # Everybody fits their own record but for what it hides, which costs less than any difference.
    assert links.belief_in(truth.row)[inside].sum() > 0
    rows = dossier.known.frame.rows(), dossier.released.frame.select(SCHEMA.names()).rows()
    for r, record in enumerate(rows[1]):
        believed = np.flatnonzero(links.belief_in(np.full(N, r)) > 0)
        assert all(compatible(rows[0][i], record) for i in believed)


def test_levels_of_agreement_and_known_mechanism_never_exclude_the_hidden() -> None:
    original = Microdata(SCHEMA, people())
    masked = LocalSuppression(k=3, attributes=("town",)).apply(original, np.random.default_rng(1))
    dossier, truth, _ = Scenario(missing=Missing.SUPPRESSED).stage(original, masked, 1)
    for attack in (PRL(), KnownMechanism(LocalSuppression(k=3, attributes=("town",)))):
        matcher = attack.prepare(dossier, np.random.default_rng(0), LocalEngine(threads=1))
        assert (matcher.standing(truth, N).tied > 0).all()


def test_a_linear_map_takes_missing_values_for_the_mean() -> None:
    schema = Schema((Column("x"), Column("y")))
    known = Microdata(schema, pl.DataFrame({"x": [1.0, None, 3.0, 6.0], "y": [2.0, 1.0, 5.0, 4.0]}))
    released = Microdata(schema, pl.DataFrame({"x": [1.0, None, 3.0, None], "y": [2.0, 1.0, 5.0, 4.0]}))
    spaces = [whitened(Dossier(known, released, policy)) for policy in (Missing.SUPPRESSED, Missing.WILDCARD)]
    for name in ("known", "released"):
        assert (getattr(spaces[0], name) == getattr(spaces[1], name)).all()


def test_a_hidden_value_is_in_no_single_block_and_an_unknown_one_in_none() -> None:
    known = Microdata(SCHEMA, people())
    whole = Microdata(SCHEMA, people().with_columns(pl.col("school").fill_null("1")))
    hidden = Dossier(known, known, Missing.SUPPRESSED, ("school",))
    with pytest.raises(DataError, match="'school' has missing values"):
        blocks_of(hidden)
    blocks = blocks_of(Dossier(known, whole, Missing.SUPPRESSED, ("school",)))
    assert blocks is not None
    assert ((blocks.known == -1) == known.frame["school"].is_null().to_numpy()).all()


@pytest.mark.parametrize("missing", Missing)
def test_every_policy_has_its_sentence_in_a_report(missing: Missing) -> None:
    assert "follow the policy" not in sentence(ScenarioSection("knows all", (), missing.value))
