"""The policy ``suppressed``: values that the release hides, beside those that nobody ever had."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import unmask
from unmask import Column, Kind, Masked, Microdata, Missing, Scenario, Schema
from unmask.attacks import DBRL, PRL, KnownMechanism, attack_named
from unmask.documents.sections import ScenarioSection
from unmask.engines import LocalEngine
from unmask.errors import DataError
from unmask.intruder.dossier import Dossier
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


def compatible(known: tuple[object, ...], released: tuple[object, ...]) -> bool:
    """Whether suppression alone may have made the one of the other."""
    return all(a is None or a == b for b, a in zip(known, released, strict=True))


def beliefs(missing: Missing, attack: str = "dbrl", known: tuple[str, ...] | None = None) -> np.ndarray:
    scenario = Scenario(known=known, missing=missing)
    released = suppressed(people())
    risk = unmask.assess(people(), released, schema=SCHEMA, scenario=scenario, attacks=[attack])
    return risk.records()[f"{attack}_belief"].to_numpy()


@pytest.mark.parametrize("known", [None, ("town", "school")])
def test_a_risk_is_one_over_the_compatible_records(known: tuple[str, ...] | None) -> None:
    original = people().select(known or SCHEMA.names())
    released = suppressed(people()).select(original.columns)
    counts = [sum(compatible(b, a) for a in released.rows()) for b in original.rows()]
    np.testing.assert_allclose(beliefs(Missing.SUPPRESSED, known=known), 1 / np.array(counts))


def test_mismatch_misses_people_whose_values_are_missing() -> None:
    exact, lower = beliefs(Missing.SUPPRESSED), beliefs(Missing.MISMATCH)
    assert lower.sum() < exact.sum()
    # A person whose town is hidden is lost where it counts as another town.
    assert (lower[HIDDEN] == 0).any()
    assert (exact > 0).all()


def test_a_hidden_record_is_a_candidate_of_others_too() -> None:
    """With few attributes known, who shares belief with hidden records is found less often."""
    known = ("town", "school")
    exact, other = beliefs(Missing.SUPPRESSED, known=known), beliefs(Missing.MISMATCH, known=known)
    assert exact[HIDDEN].sum() > other[HIDDEN].sum() == 0
    assert exact[~HIDDEN].sum() < other[~HIDDEN].sum()


def test_two_people_by_hand() -> None:
    """Released: (a, 1), (-, 1), (a, -), (b, -). Who is known as (a, 1) may be any of the first three."""
    released = [("a", "1"), (None, "1"), ("a", None), ("b", None)]
    expected = {("a", "1"): [1, 1, 1, 0], ("b", "1"): [0, 1, 0, 1], ("a", None): [0, 0, 1, 0]}
    for known, candidates in expected.items():
        assert [compatible(known, record) for record in released] == candidates
    schema = Schema((Column("town", Kind.NOMINAL), Column("school", Kind.NOMINAL)))
    files = (
        Microdata(schema, pl.DataFrame(rows, schema=["town", "school"], orient="row"))
        for rows in (list(expected), released)
    )
    matcher = DBRL().prepare(
        Dossier(*files, missing=Missing.SUPPRESSED), np.random.default_rng(0), LocalEngine(threads=1)
    )
    links = matcher.links()
    found = np.column_stack([links.belief_in(np.full(3, r)) for r in range(4)])
    wanted = np.array(list(expected.values()))
    np.testing.assert_allclose(found, wanted / wanted.sum(axis=1, keepdims=True))


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
    # Everybody fits their own record at no cost, so all links do.
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
