"""Schema matching and the attacks for files with other schemas: hand-worked tables, real files, bad input."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import unmask
from tests.shared_data import data
from unmask import Column, Kind, LocalEngine, Microdata, Schema
from unmask.attacks import MarginalityRBRL, Partitions, PolynomialKernel, RankedScore, SchemaMatching
from unmask.errors import ArgumentError, DataError
from unmask.intruder.dossier import Dossier
from unmask.linkage.marginality import marginalities
from unmask.linkage.partitions import answering, partition
from unmask.linkage.record_scores import RecordScore, record_scores
from unmask.linkage.schema_matching import profiles as profiling
from unmask.linkage.schema_matching.column_names import name_distance

ENGINE = LocalEngine()


def halves(name, *, seed=0, noise=0.0):
    """Two halves of a file's people, the columns of the second renamed and shuffled; and which is which."""
    frame = pl.read_csv(data(name), infer_schema_length=None)
    rng = np.random.default_rng(seed)
    rows = rng.permutation(frame.height)
    first, second = frame[np.sort(rows[: len(rows) // 2])], frame[np.sort(rows[len(rows) // 2 :])]
    order = rng.permutation(frame.width).tolist()
    true = {frame.columns[j]: f"V{place + 1}" for place, j in enumerate(order)}
    moved = [
        second[name]
        if second[name].dtype == pl.String
        else second[name] + rng.normal(0, noise * (second[name].std() or 0.0), len(second))
        for name in second.columns
    ]
    second = second if not noise else pl.DataFrame(moved)
    return (
        first,
        second[:, order].rename(dict(zip(second[:, order].columns, true.values(), strict=True))),
        true,
    )


def test_all_columns_of_adult_are_recognised_by_other_people_without_names():
    first, second, true = halves("adult.csv")
    assert unmask.match_schema(first, second, names=False).renamed == true


@pytest.mark.parametrize(
    ("name", "noise", "least"),
    [("casc_census.csv", 0.0, 10), ("nist_acs2019_national.csv", 0.0, 22), ("abalone.csv", 0.2, 8)],
)
def test_likely_pairs_of_real_files_are_true(name, noise, least):
    first, second, true = halves(name, noise=noise)
    likely = unmask.match_schema(first, second, names=False).renamed
    assert likely.items() <= true.items()
    assert len(likely) >= least


def test_names_help_where_nothing_else_tells():
    rng = np.random.default_rng(0)
    names = ("smoker", "married", "employed"), ("employed_2", "is_smoker", "Married")
    flags, other = (pl.DataFrame({name: rng.permutation([0, 1] * 50) for name in side}) for side in names)
    found = unmask.match_schema(flags, other)
    assert found.renamed == {"smoker": "is_smoker", "married": "Married", "employed": "employed_2"}
    blind = unmask.match_schema(flags, other, names=False)
    assert blind.likely == ()  # three twins: each pair has a third
    np.testing.assert_allclose(blind.probability, 1 / 3, atol=0.05)


def test_the_same_file_twice_matches_itself():
    people = pl.read_csv(data("abalone.csv"))
    found = unmask.match_schema(people, people)
    assert [(pair.first, pair.second) for pair in found.likely] == [(name, name) for name in people.columns]
    assert found.renamed == {}
    assert found.alone == ((), ())


def test_files_without_anything_alike_have_no_likely_pair():
    first = pl.DataFrame({"town": ["A", "B", "C", "A"] * 25})
    second = pl.DataFrame({"V1": np.random.default_rng(1).lognormal(3, 1, 100)})
    found = unmask.match_schema(first, second)
    assert found.likely == ()
    assert found.alone == (("town",), ("V1",))
    assert found.table().columns[:3] == ["first", "second", "probability"]


def test_names_that_number_columns_say_nothing():
    assert np.isnan(name_distance("V12", "v1"))
    assert np.isnan(name_distance("", "age"))
    assert name_distance("age", "AGE") == 0.0
    assert name_distance("age", "zip") == 1.0


@pytest.mark.parametrize("frame", [pl.DataFrame(), pl.DataFrame({"a": []}), pl.DataFrame({"a": [[1], [2]]})])
def test_a_file_without_records_or_plain_columns_is_refused(frame):
    with pytest.raises(DataError, match=r"(no records|no columns).*Hint: "):
        unmask.match_schema(frame, pl.DataFrame({"a": [1, 2]}))


def test_columns_of_missing_values_and_single_records_are_no_error():
    first = pl.DataFrame({"a": [None, None], "b": [1.0, None], "c": ["x", None]})
    assert unmask.match_schema(first, pl.DataFrame({"V1": [1.0]})).first == ("a", "b", "c")


def test_too_many_columns_are_refused():
    wide = pl.DataFrame({f"c{j}": [1, j + 2] for j in range(501)})
    with pytest.raises(ArgumentError, match="too many to compare each with each"):
        unmask.match_schema(wide, wide)


def test_of_a_large_file_a_sample_is_looked_at_that_no_order_of_rows_changes(monkeypatch):
    monkeypatch.setattr(profiling, "MOST_RECORDS", 100)
    rng = np.random.default_rng(2)
    file = Microdata(Schema((Column("age"),)), pl.DataFrame({"age": rng.normal(size=1000)}))
    turned = file.take(rng.permutation(1000))
    one, other = (profiling.profiles(side, ("age",), 5)[0].quantiles for side in (file, turned))
    assert one.tobytes() == other.tobytes()
    assert one.tobytes() != profiling.profiles(file, ("age",), 6)[0].quantiles.tobytes()


def people(n=300, seed=0):
    rng = np.random.default_rng(seed)
    age = rng.integers(20, 80, n)
    return pl.DataFrame(
        {
            "id": np.arange(n),
            "age": age,
            "pay": np.round(rng.lognormal(7, 0.6, n), 2),
            "town": rng.choice(["Ashby", "Burton", "Corby", "Derby"], n, p=[0.4, 0.3, 0.2, 0.1]),
        }
    )


def found_share(known, released, attack):
    risk = unmask.assess(known, released, truth="id", attacks=[attack])
    return risk.table().filter(measure="reidentification")["value"].item()


def test_the_attack_finds_people_by_recognised_columns_and_recoded_categories():
    known = people()
    released = known.select("id", V1="pay", V2="town", V3=pl.col("age") + 0.25)
    assert found_share(known, released, SchemaMatching()) > 0.95
    codes = {"Ashby": "k", "Burton": "z", "Corby": "a", "Derby": "q"}
    coded = released.with_columns(pl.col("V2").replace(codes))
    assert found_share(known, coded, SchemaMatching()) > 0.95
    assert (
        found_share(known.drop("pay"), coded.drop("V1"), SchemaMatching()) > 2 / 60
    )  # one age each, at least


def dossier(known, released, kind=Kind.NUMERIC):
    files = [
        Microdata(Schema(tuple(Column(name, kind) for name in frame.columns)), frame)
        for frame in (known, released)
    ]
    return Dossier(*files)


def belief(attack, given):
    matcher = attack.prepare(given, np.random.default_rng(1), ENGINE)
    links = matcher.links()
    rows = range(len(given.released))
    return np.column_stack([links.belief_in(np.full(len(given.known), row)) for row in rows]), matcher.notes


def test_without_a_column_alike_every_record_is_as_near_and_a_note_says_so():
    given = Dossier(
        Microdata(Schema((Column("town", Kind.NOMINAL),)), pl.DataFrame({"town": ["A", "B", "A", "C"]})),
        Microdata(Schema((Column("x"),)), pl.DataFrame({"x": [1.5, 2.5, 7.5, 9.25]})),
    )
    found, notes = belief(SchemaMatching(), given)
    np.testing.assert_allclose(found, 0.25)
    assert any("every record is as near" in note for note in notes)


def test_marginality_of_a_hand_worked_table():
    town = Column.of("town", "code")
    frame = pl.DataFrame({"town": ["DE12", "DE13", "DE12", "FR1"]})
    file = Microdata(Schema((town,)), frame)
    # DE12: 1/4 of 0.25 and 1/4 of 1; DE13: 1/2 of 0.25 and 1/4 of 1; FR1: 3/4 of 1.
    found = marginalities(town, file, ("DE12", "DE13", "FR1"))
    np.testing.assert_allclose(found, [0.3125, 0.375, 0.75])
    plain = Column("town", Kind.NOMINAL)
    found = marginalities(plain, Microdata(Schema((plain,)), frame), ("DE12", "DE13", "FR1"))
    np.testing.assert_allclose(found, [0.5, 0.75, 0.75])


def test_rank_linkage_by_marginality_needs_no_common_codes():
    known = pl.DataFrame({"town": ["A", "A", "A", "B", "B", "C"]})
    released = pl.DataFrame({"town": ["x", "x", "x", "y", "y", "z"]})
    found, _ = belief(MarginalityRBRL(), dossier(known, released, Kind.NOMINAL))
    expected = np.zeros((6, 6))
    expected[:3, :3], expected[3:5, 3:5], expected[5, 5] = 1 / 3, 1 / 2, 1.0
    np.testing.assert_allclose(found, expected)


def test_scores_of_a_hand_worked_table():
    values = np.array([[1.0, 10.0], [2.0, np.nan], [3.0, 30.0], [np.nan, np.nan]])
    z = 1 / np.sqrt(2)
    expected = [-1 - z, 0.0, 1 + z, np.nan]
    np.testing.assert_allclose(record_scores(values, RecordScore.SUM_OF_Z), expected, atol=1e-9)
    first = record_scores(values, RecordScore.FIRST_COMPONENT)
    assert first[0] < first[1] < first[2]
    assert np.isnan(first[3])


@pytest.mark.parametrize("score", RecordScore)
def test_records_of_the_same_rank_are_linked(score):
    known = pl.DataFrame({"a": [1.0, 5.0, 3.0], "b": [2.0, 9.0, 4.0]})
    released = pl.DataFrame({"c": [50.0, 70.0, 60.0], "d": [0.5, 0.9, 0.6]})
    found, _ = belief(RankedScore(score), dossier(known, released))
    np.testing.assert_allclose(found, [[1, 0, 0], [0, 1, 0], [0, 0, 1]])


def test_parts_of_two_clear_groups_answer_to_each_other():
    known = np.array([[0.0, 0.1], [0.2, 0.0], [5.0, 5.1], [0.1, 0.1]])
    released = np.array([[9.0], [1.0], [1.1], [0.9]])
    left, right = partition(known, known.sum(axis=1), 2), partition(released, released[:, 0], 2)
    assert left.tolist() == [0, 0, 1, 0]
    assert right.tolist() == [1, 0, 0, 0]
    profiles = (np.sort(known, axis=1)[:, ::-1], np.repeat(released / 2, 2, axis=1))
    assert answering(left, right, profiles, 2).tolist() == [0, 1]


def test_partitions_link_who_is_alone_in_a_group_and_share_the_others():
    rng = np.random.default_rng(3)
    wealth = np.append(rng.normal(0, 1, 40), 30.0)
    known = pl.DataFrame({"a": wealth, "b": wealth + rng.normal(0, 0.1, 41)})
    released = pl.DataFrame({"c": 2 * wealth, "d": wealth + rng.normal(0, 0.1, 41)})
    found, _ = belief(Partitions((2, 4)), dossier(known, released))
    assert found[40, 40] == 1.0
    assert np.diag(found).mean() > 3 / 41
    assert (found[:40] < 1).all()


@pytest.mark.parametrize("parts", [(), (1,), (2, 5000)])
def test_impossible_partitions_are_refused(parts):
    with pytest.raises(ArgumentError, match="a partition has fewer than 2 parts"):
        Partitions(parts)


def test_kernels_that_are_no_kernels_of_their_own_or_too_large_are_refused():
    with pytest.raises(ArgumentError, match="of degree 1 it is distance-based linkage"):
        PolynomialKernel(1)
    with pytest.raises(ArgumentError, match="the degree of the kernel is 200"):
        PolynomialKernel(200)  # powers of one value far out would be infinite, and everybody as far
    wide = pl.DataFrame({f"x{j}": [1.0, 2.0] for j in range(40)})
    with pytest.raises(ArgumentError, match=r"860 coordinates.*know fewer attributes"):
        PolynomialKernel().prepare(dossier(wide, wide), np.random.default_rng(1), ENGINE)


def test_files_of_names_alone_are_attacked_by_default() -> None:
    """The attacks that need numbers are left out, and the others are made."""
    rng = np.random.default_rng(1)
    towns, jobs = rng.choice(list("abcdefgh"), 200), rng.choice(["x", "y", "z", "w"], 200)
    people = pl.DataFrame({"id": range(200), "town": towns, "job": jobs})
    released = people.rename({"town": "place", "job": "work"})
    risk = unmask.assess(people, released, truth="id", measures=["reidentification"])
    attacks = set(risk.table()["attack"])
    assert "schema-matching" in attacks
    assert "structural" not in attacks
