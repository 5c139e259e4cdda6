"""The conclusion of an assessment, on files small enough to know the answer."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from unmask import Scenario, Session, assess
from unmask.assessment.asked import requested
from unmask.assessment.packing import pack, unpack
from unmask.assessment.request import Verb
from unmask.assessment.results import Assessment
from unmask.attacks import KnownMechanism
from unmask.data.example import people
from unmask.data.microdata import Microdata
from unmask.data.schema import Column, Kind, Schema
from unmask.documents import ASSESSMENT, Table
from unmask.documents.conclusion import BOTH, CHANGE, FACTS, GROUP, WITHOUT
from unmask.masks import parse
from unmask.measures.dependence import Dependence
from unmask.measures.estimate import Estimate
from unmask.studies.conclusion import conclusion, repeating
from unmask.studies.conclusion.changes import MOST_TOLD, Tried, choose
from unmask.studies.conclusion.groups import People, group_rows, groupings, p_more_often
from unmask.studies.conclusion.repeating import Repeated
from unmask.studies.conclusion.spread import spread
from unmask.studies.conclusion.what_ifs import WhatIf, suppressed

ROWS = np.arange(100)


def judged(original: Any, released: Any = None, **asked: Any) -> Assessment:
    asked = {"attacks": ["guess", "dbrl"], "truth": "rows", **asked}
    return assess(original, original if released is None else released, **asked)


def value(table: Table, **keys: object) -> float:
    found = table.find(**keys)
    assert found is not None
    assert found.number is not None
    return found.number


def section(risk: Assessment) -> Any:
    found = risk.document.conclusion
    assert found is not None
    return found


@pytest.fixture(scope="module")
def one_tells() -> Assessment:
    """100 people of whom one number tells who each is, and a category that halves them."""
    frame = pl.DataFrame({"code": [10.5 * i for i in range(100)], "sex": ["f", "m"] * 50})
    return judged(frame, known=["code", "sex"])


# --- through what ---------------------------------------------------------------------------------------


def test_one_fact_that_tells_all(one_tells: Assessment) -> None:
    table = one_tells.document.table
    facts = table.where(curve=FACTS)
    assert [(row.keys.known, row.estimate.value) for row in facts] == [
        (("code",), 1.0),
        (("code", "sex"), 1.0),
    ]
    assert value(table, curve=WITHOUT, subject="code") == pytest.approx(2 / 100)
    assert value(table, curve=WITHOUT, subject="sex") == 1.0
    assert section(one_tells).rate == 1.0
    assert section(one_tells).attack == "dbrl"


def test_all_facts_are_the_attack(one_tells: Assessment) -> None:
    """With no more attributes than facts, the last point is the attack itself, interval and all."""
    table = one_tells.document.table
    last = table.where(curve=FACTS).rows[-1].estimate
    whole = one_tells.document.result("dbrl")
    assert whole is not None
    assert (last.value, last.low, last.high, last.n) == (whole.value, whole.low, whole.high, whole.n)


def test_one_attribute_alone() -> None:
    risk = judged(pl.DataFrame({"age": [20.0, 30.0, 30.0, 50.0]}), known=["age"])
    table = risk.document.table
    assert value(table, curve=FACTS, known=("age",)) == 0.75
    assert len(table.where(curve=WITHOUT)) == 0
    assert not [change for change in section(risk).changes if change.kind == "drop"]


def test_many_attributes_are_not_all_tried() -> None:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({f"a{j:02}": rng.integers(0, 2 + j, 60).astype(float) for j in range(33)})
    risk = judged(frame, known=frame.columns)
    tried = [row.keys.subject for row in risk.document.table.where(curve=WITHOUT)]
    assert len(tried) == 30
    assert "a00" not in tried  # the fewest distinct values
    assert any("33 attributes" in note for note in section(risk).notes)


# --- what would help ------------------------------------------------------------------------------------


def test_leaving_out_what_tells_all_leaves_chance(one_tells: Assessment) -> None:
    drop = next(change for change in section(one_tells).changes if change.name == "drop code")
    found = one_tells.document.table.find(curve=CHANGE, release="drop code")
    assert found is not None
    assert found.value == pytest.approx(2 / 100)  # that of the sexes, 50 people each
    assert (drop.kind, drop.attribute, drop.text) == ("drop", "code", "leave out 'code'")
    # ln 100 of ln 100 + ln 2
    assert drop.lost == pytest.approx(np.log(100) / (np.log(100) + np.log(2)))


def test_suppressed_people_count_as_not_found() -> None:
    """10 people stand alone, 90 are alike: 10 + 1 of 100 are found, and without the ten 0 + 1 of 100."""
    alone = [1000.0 * (i + 1) for i in range(10)]
    risk = judged(pl.DataFrame({"pay": alone + [5.0] * 90}), known=["pay"])
    table = risk.document.table
    assert section(risk).rate == pytest.approx(0.11)
    found = table.find(curve=CHANGE, release="suppress 10")
    assert found is not None
    assert found.value == pytest.approx(0.01)
    assert found.n == 100
    assert found.baseline == pytest.approx(0.9 / 90)
    change = next(change for change in section(risk).changes if change.name == "suppress 10")
    assert (change.kind, change.records, change.lost) == ("suppress", 10, 0.1)
    assert change.text == "leave out the 10 records that are found most easily"


def test_only_people_at_risk_are_suppressed() -> None:
    session = Session(*requested(Verb.ASSESS, people(40), people(40), {"attacks": ["dbrl"], "truth": "rows"}))
    stage = session.stage()
    left = suppressed(stage, stage.people[:3])
    assert len(left.dossier.released) == 37
    assert (left.truth.row[:3] == -1).all()
    # Everybody else's record is still theirs.
    before = stage.dossier.released.frame[stage.truth.row[3:]]
    assert left.dossier.released.frame[left.truth.row[3:]].equals(before)


def test_leaving_records_out_for_real_does_what_was_said() -> None:
    """The ten whose records are left out are not found, and everybody else as in the rest of the file."""
    original = people(200)
    known, asked = ["age", "region", "occupation"], {"attacks": ["dbrl"], "truth": "person", "seed": 1}
    released = original.frame.select("person", *known)
    session = Session(*requested(Verb.ASSESS, original, released, {**asked, "known": known}))
    repeated = Repeated.of(session, session.attempts(session.attacks[0]))
    gone = np.arange(40, 50)
    said = repeated.find(suppressed(repeated.part, gone)).mean()
    rest = released.filter(~pl.int_range(pl.len()).is_in(gone))
    again = assess(original, rest, known=known, measures=["reidentification"], **asked).document.result(
        "dbrl"
    )
    assert again is not None
    assert again.n == 190
    assert said == pytest.approx(again.number * 190 / 200)
    assert said < repeated.before.mean()


@pytest.fixture(scope="module")
def what_if() -> tuple[Microdata, pl.DataFrame, Assessment]:
    """The example's people as they are: every change of theirs can be made for real."""
    original = people(600)
    known = ["region", "age", "education", "occupation"]
    released = original.frame.select("region", "sex", "age", "education", "occupation", "health")
    return original, released, judged(original, released, known=known, seed=3)


def tried_again(
    what_if: tuple[Microdata, pl.DataFrame, Assessment], released: pl.DataFrame, known: list[str]
) -> Estimate:
    """The same attack on the changed release."""
    original, _, risk = what_if
    again = judged(
        original, released, known=known, seed=3, attacks=["dbrl"], measures=["reidentification"]
    ).document.result("dbrl")
    assert again is not None
    assert section(risk).people == 600
    return again


def changes_of(kind: str, risk: Assessment) -> list[Any]:
    return [change for change in section(risk).changes if change.kind == kind]


def test_dropping_a_column_for_real_does_what_was_said(what_if: Any) -> None:
    _, released, risk = what_if
    known = [attribute.name for attribute in risk.document.scenario.attributes]
    rows = risk.document.table.where(curve=WITHOUT)
    assert len(rows) == 4
    for row in rows:
        left = [name for name in known if name != row.keys.subject]
        again = tried_again(what_if, released.drop(row.keys.subject), left)
        assert again.value == pytest.approx(row.estimate.value, abs=1e-12)
        assert (again.low, again.high) == pytest.approx((row.estimate.low, row.estimate.high), abs=1e-9)


def every_coarsening(what_if: Any) -> list[tuple[Any, float]]:
    """Each way to make an attribute coarser, and the rate that is said of it, told of or not."""
    from unmask.studies.conclusion.coarsening import coarsenings

    original, released, _ = what_if
    asked = {
        "known": ["region", "age", "education", "occupation"], "attacks": ["dbrl"], "truth": "rows", "seed": 3
    }  # fmt: skip
    session = Session(*requested(Verb.ASSESS, original, released, asked))
    repeated = Repeated.of(session, session.attempts(session.attacks[0]))
    return [
        (way, float(repeated.find(way.apply(repeated.part)).mean()))
        for name in repeated.attributes
        for way in coarsenings(repeated.whole.dossier, name, session.engine.cache)
    ]


def test_coarsening_for_real_does_what_was_said(what_if: Any) -> None:
    original, released, risk = what_if
    known = [attribute.name for attribute in risk.document.scenario.attributes]
    ways = every_coarsening(what_if)
    assert {way.attribute for way, _ in ways} >= {"age", "education", "occupation"}
    for way, said in ways:
        file = Microdata(original.schema.only(released.columns), released)
        changed = way.change(file).frame
        assert not changed.equals(released)
        assert tried_again(what_if, changed, known).value == pytest.approx(said, abs=1e-12), way.text


def test_the_mask_that_is_named_does_the_same(what_if: Any) -> None:
    original, released, _ = what_if
    named = [way for way, _ in every_coarsening(what_if) if way.mask is not None]
    assert {way.attribute for way in named} >= {"age", "occupation"}
    for way in named:
        file = Microdata(original.schema.only([way.attribute]), released.select(way.attribute))
        mine = way.change(file).frame[way.attribute]
        masks = way.mask.apply(file, np.random.default_rng(0)).data.frame[way.attribute]
        classes = pl.DataFrame({"mine": mine, "masks": masks}).n_unique()
        assert classes == mine.n_unique() == masks.n_unique()
        # Those who have no value of that category any more are counted.
        assert sorted(way.count[way.count > 0].tolist()) == sorted(mine.value_counts()["count"].to_list())


def test_commands_can_be_read_back(one_tells: Assessment, what_if: Any) -> None:
    commands = [c.command for risk in (one_tells, what_if[2]) for c in section(risk).changes if c.command]
    assert commands
    for command in commands:
        option, text = command.split(" ", 1)
        assert option == "--mask"
        assert parse(text.strip("'")).attributes is not None


def test_missing_values_stay_missing_in_bands() -> None:
    from unmask.engines.cache import Cache
    from unmask.intruder.dossier import Dossier
    from unmask.studies.conclusion.coarsening import coarsenings

    ages = [float(i) for i in range(40)] + [None] * 5
    file = Microdata(Schema((Column("age"),)), pl.DataFrame({"age": ages}))
    for way in coarsenings(Dossier(file, file), "age", Cache()):
        changed = way.change(file).frame["age"]
        assert changed.null_count() == 5
        assert way.count[-1] == 5
        assert way.count.sum() == 45


def test_what_the_release_lacks_is_as_rare_as_can_be() -> None:
    """A person's category that no released record has goes with the rare ones: nothing sets them apart."""
    from unmask.engines.cache import Cache
    from unmask.intruder.dossier import Dossier
    from unmask.studies.conclusion.coarsening import coarsenings

    def town(values: list[str]) -> Microdata:
        return Microdata(Schema((Column("town", Kind.NOMINAL),)), pl.DataFrame({"town": values}))

    dossier = Dossier(town(["A", "Z"]), town(["A"] * 300 + ["B"] * 300 + ["C", "D"] * 5))
    (way, *_) = coarsenings(dossier, "town", Cache())
    assert way.change(dossier.known).frame["town"].to_list() == ["A", "C|D"]


def tried(name: str, kind: str, lost: float, after: list[float], of: tuple[str, ...] = ()) -> Tried:
    return Tried(WhatIf(name, kind, name, lost, lambda stage: stage, of), np.ones(4), np.array(after))


def test_the_largest_fall_is_always_told() -> None:
    small = [tried(f"merge {i}", "coarsen", 0.001, [1.0, 1.0, 1.0, 0.9], (f"a{i}",)) for i in range(9)]
    large = tried("drop", "drop", 0.99, [0.0, 0.0, 0.0, 0.1], ("b",))
    alike = [tried(f"b {i}", "coarsen", 0.5 - i / 9, [0.9 - i / 99] * 4, ("b",)) for i in range(3)]
    chosen = choose([*small, *alike, large])
    assert large in chosen
    assert len(chosen) <= MOST_TOLD
    assert sum(one.change.of == ("b",) for one in chosen) <= 2
    assert [one.worth for one in chosen] == sorted((one.worth for one in chosen), reverse=True)


def test_a_change_that_costs_more_and_does_no_more_is_left_out() -> None:
    good = tried("good", "coarsen", 0.1, [0.5] * 4, ("a",))
    assert choose([tried("bad", "several", 0.2, [0.5] * 4, ("a", "b")), good]) == [good]
    assert choose([good, tried("twin", "coarsen", 0.1, [0.5] * 4, ("c",))]) == [good]
    assert choose([]) == []


def test_noise_is_no_effect() -> None:
    assert not tried("noise", "drop", 0.1, [1.0, 1.0, 1.0, 0.5]).effective
    assert not tried("worse", "drop", 0.1, [1.0, 1.0, 1.0, 1.0]).effective
    assert tried("all", "drop", 0.1, [0.5] * 4).effective
    one = WhatIf("one", "drop", "", 0.1, lambda stage: stage)
    assert not Tried(one, np.ones(1), np.zeros(1)).effective  # of one person nothing can be said


def test_changes_promise_nothing(one_tells: Assessment, what_if: Any) -> None:
    for risk in (one_tells, what_if[2]):
        told = " ".join([*(c.text for c in section(risk).changes), *section(risk).notes]).lower()
        assert "safe" not in told
        assert "anonym" not in told
        assert "measured for dbrl alone" in told


def test_nobody_found_needs_no_change() -> None:
    values = [float(i) for i in range(60)]
    original = pl.DataFrame({"pay": values, "tax": values})
    risk = judged(
        original, pl.DataFrame({"pay": values[30:] + values[:30], "tax": [3.0] * 60}), known=["pay"]
    )
    found = section(risk)
    assert found.rate == 0.0
    assert found.changes == ()
    assert (found.spread.none, found.spread.half, found.spread.points) == (60, 0, ())
    assert value(risk.document.table, curve=FACTS) == 0.0


# --- who ------------------------------------------------------------------------------------------------


def test_the_spread_adds_up() -> None:
    belief = np.array([1.0, 0.75, 0.5, 0.5, 0.25, 0.0, 0.0])
    found = spread("dbrl", belief)
    assert (found.certain, found.likely, found.possible, found.none) == (1, 1, 3, 2)
    assert (found.half, found.most) == (2, 4)  # 1.75 of 3; 2.75 of 3, where 2.25 are less than four fifths
    assert [point.risk for point in found.points][-3:] == [1.0, 1.0, 1.0]
    assert [point.people for point in found.points] == pytest.approx([k / 7 for k in range(8)])


def test_everybody_found_spreads_evenly() -> None:
    found = spread("dbrl", np.ones(1000))
    assert (found.half, found.most, len(found.points)) == (500, 800, 51)
    assert all(point.people == pytest.approx(point.risk) for point in found.points)


def grouped(belief: list[float] | np.ndarray, **columns: Any) -> tuple[list[Any], int]:
    frame = pl.DataFrame(columns)
    kinds = (Kind.NUMERIC if frame[name].dtype.is_numeric() else Kind.NOMINAL for name in frame.columns)
    schema = Schema(tuple(Column(n, kind) for n, kind in zip(frame.columns, kinds, strict=True)))
    found = np.asarray(belief, dtype=np.float64)
    tried_on = People("dbrl", np.arange(len(found)), found, Dependence(np.arange(len(found))))
    return group_rows(tried_on, Microdata(schema, frame), frame.columns)


def test_a_group_that_stands_out() -> None:
    belief = np.r_[np.ones(30), np.zeros(70)]
    (row,), tested = grouped(belief, town=["A"] * 30 + ["B"] * 70)
    assert tested == 2
    assert (row.keys.subject, row.keys.people, row.keys.curve) == ("town", "A", GROUP)
    assert (row.estimate.value, row.estimate.baseline, row.estimate.n) == (1.0, 0.0, 30)
    assert row.estimate.p_value < 1e-9


def test_a_category_of_few_people_is_never_named() -> None:
    belief = np.r_[np.ones(19), np.zeros(81)]
    rows, tested = grouped(belief, town=["rare"] * 19 + ["B"] * 40 + ["C"] * 41)
    assert tested == 2
    assert not [row for row in rows if row.keys.people == "rare"]


def test_numbers_are_told_by_their_place_alone() -> None:
    belief = np.r_[np.zeros(160), np.ones(40)]
    rows, tested = grouped(belief, pay=[float(i) for i in range(200)])
    assert tested == 5
    assert [row.keys.people for row in rows] == ["highest fifth"]


def test_who_has_no_value_is_a_group() -> None:
    belief = np.r_[np.ones(30), np.zeros(70)]
    rows, _ = grouped(belief, pay=[None] * 30 + [float(i) for i in range(70)])
    assert [row.keys.people for row in rows] == ["missing"]
    assert grouped(belief, town=[None] * 15 + ["A"] * 85)[1] == 0  # 15 are too few, and the others are 85


def test_everybody_in_one_group_and_everybody_found() -> None:
    assert grouped(np.ones(100), town=["A"] * 100) == ([], 0)
    assert grouped(np.ones(100), town=["A", "B"] * 50) == ([], 2)
    assert grouped(np.zeros(100), town=["A", "B"] * 50) == ([], 2)


def test_at_most_fifty_categories_are_tested() -> None:
    town = [f"t{i:02}" for i in range(60) for _ in range(20 + i % 3)]
    assert grouped(np.zeros(len(town)), town=town)[1] == 50


def test_rare_hits_are_no_evidence() -> None:
    """One of 20 found where one in 200 is: a normal distribution calls that a chance of 1 in 500."""
    assert p_more_often(1 / 20, 0.005, 0.005 * 0.995, 20, 1000) > 0.05


def shares(rng: np.random.Generator, n: int, kind: str) -> np.ndarray:
    if kind == "rare":
        return (rng.random(n) < 0.01).astype(float)
    if kind == "nearly all":
        return (rng.random(n) < 0.97).astype(float)
    return rng.choice([0.0, 1.0, 0.5, 0.2, 0.05], n, p=[0.4, 0.05, 0.1, 0.15, 0.3])


@pytest.mark.parametrize("kind", ["rare", "nearly all", "ties"])
def test_chance_alone_makes_no_group_stand_out(kind: str) -> None:
    """Of files in which belief and categories have nothing in common, 1 in 20 may name a group, or fewer."""
    rng, files, named = np.random.default_rng(5), 300, 0
    for _ in range(files):
        n = 500
        towns = rng.choice(list("ABCDEFGHIJ"), n)
        rows, tested = grouped(
            shares(rng, n, kind), town=towns, sex=rng.choice(["f", "m"], n), pay=rng.random(n)
        )
        assert tested >= 15
        named += bool(rows)
    assert named <= 0.05 * files + 3 * np.sqrt(0.05 * 0.95 * files)


def test_people_who_hang_together_make_no_group_stand_out() -> None:
    """Four identical records share their fate, and their town: the units are 125 fours, not 500 people."""
    rng, files, named = np.random.default_rng(6), 200, 0
    cls = np.repeat(np.arange(125), 4)
    for _ in range(files):
        belief = (rng.random(125) < 0.2).astype(float)[cls]
        towns = rng.choice(list("ABCDE"), 125)[cls]
        data = Microdata(Schema((Column("town", Kind.NOMINAL),)), pl.DataFrame({"town": towns}))
        found, _ = group_rows(People("dbrl", np.arange(500), belief, Dependence(cls)), data, ["town"])
        named += bool(found)
    assert named <= 0.05 * files + 3 * np.sqrt(0.05 * 0.95 * files)


def test_groups_go_by_original_values() -> None:
    file = people(100)
    found = {grouping.attribute: grouping for grouping in groupings(file, ["sex", "age"], ROWS)}
    assert set(found["sex"].labels) == {"female", "male"}
    sizes = np.bincount(found["sex"].of)
    assert sizes.tolist() == [int((file.frame["sex"] == label).sum()) for label in found["sex"].labels]


# --- before and after -----------------------------------------------------------------------------------


def test_keys_of_both_files() -> None:
    original = pl.DataFrame({"town": ["A", "A", "B", "B", "B", "C"], "sex": ["f", "f", "f", "m", "m", None]})
    released = original.with_columns(town=pl.lit("everywhere"))
    known = ["town", "sex"]
    schema = Schema(tuple(Column(name, Kind.NOMINAL) for name in known))
    risk = judged(
        original, released, schema=schema, scenario=Scenario(known=tuple(known), missing="category")
    )
    table = risk.document.table.where(curve=BOTH)

    def both(measure: str, subject: str | None = None) -> tuple[float, float]:
        found = [value(table, measure=measure, subject=subject, release=r) for r in ("original", "released")]
        return found[0], found[1]

    # Original classes: Af 2, Bf 1, Bm 2, C missing 1. Released: f 3, m 2, missing 1.
    assert both("records-below-2") == (2, 1)
    assert both("records-below-3") == (6, 3)
    assert both("records-below-5") == (6, 6)
    assert both("expected-reidentifications") == (4, 3)
    assert both("suppressed", "sex") == (1, 1)
    assert both("suppressed", "town") == (0, 0)
    titles = {row.keys.measure: risk.document.methods.title(row.keys.measure) for row in table}
    assert titles["records-below-2"] == "records that violate 2-anonymity"
    assert len(set(titles.values())) == 5


def test_keys_that_are_nobodys_are_not_counted() -> None:
    """Noise makes every key unique, and 0 records below 2 of a microaggregated file would mean as little."""
    risk = assess(people(80), parse("noise:a=0.5"), attacks=["dbrl"], seed=1)
    table = risk.document.table.where(curve=BOTH, measure="records-below-2")
    before, after = table.find(release="original"), table.find(release="released")
    assert before is not None
    assert before.estimable
    assert after is not None
    assert not after.estimable
    assert after.applicable  # it is no measure that a report lists as not applicable


# --- large releases -------------------------------------------------------------------------------------


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeating, "MOST_PEOPLE", 60)
    monkeypatch.setattr(repeating, "MOST_RECORDS", 150)


def noisy(**asked: Any) -> Session:
    request, given = requested(
        Verb.ASSESS, people(400), parse("noise:a=0.2"), {"attacks": ["guess", "dbrl"], "seed": 2, **asked}
    )
    return Session(request, given)


@pytest.mark.usefixtures("few")
def test_a_part_of_a_large_release_has_these_peoples_records() -> None:
    session = noisy()
    repeated = Repeated.of(session, session.attempts(session.attacks[1]))
    whole, part = repeated.whole, repeated.part
    assert (len(part.dossier.released), len(part.tried), repeated.sampled) == (150, 60, True)
    assert (part.people[part.tried] == whole.people[whole.tried]).all()
    own = [stage.dossier.released.frame[stage.truth.row[stage.tried]] for stage in (whole, part)]
    assert own[0].equals(own[1])
    # Known are the people of these records, and nobody else is left out or added.
    assert len(part.people) == 150
    known = [stage.dossier.known.frame[stage.tried] for stage in (whole, part)]
    assert known[0].equals(known[1])


@pytest.mark.usefixtures("few")
def test_facts_and_changes_are_confirmed_on_the_whole_release() -> None:
    session = noisy()
    runs = [run for attack in session.attacks for run in session.attempts(attack)]
    rows, found = conclusion(session, runs)
    assert found is not None
    assert found.confirmed == (FACTS, CHANGE)
    repeated = Repeated.of(session, runs[1:])
    tried_whole = session.runs(repeated.attack, repeated.whole, (), depth=1)[0].standing.belief()
    assert found.whole == pytest.approx(tried_whole.mean())
    assert found.whole < found.rate  # fewer records to be confused with
    for row in rows:
        if row.keys.curve in (FACTS, CHANGE):
            assert row.estimate.baseline == pytest.approx(1 / 400, rel=0.2)  # some of a tenth are left out
        elif row.keys.curve == WITHOUT:
            assert row.estimate.baseline == pytest.approx(1 / 150)
    assert any("random part of 150 of the 400" in note for note in found.notes)
    # Who is suppressed among those at the same risk has nothing to do with who was drawn for the sample.
    for row in rows:
        if row.keys.curve == CHANGE and (row.keys.release or "").startswith("suppress"):
            left = row.estimate.baseline * (400 - int(row.keys.release.split()[1]))
            assert left > 0.75
    assert found.before(CHANGE) == found.whole
    assert found.before(WITHOUT) == found.rate


@pytest.mark.usefixtures("few")
def test_what_costs_too_much_is_not_confirmed() -> None:
    session = noisy(budget=0.001)
    runs = session.attempts(session.attacks[1])
    rows, found = conclusion(session, runs)
    assert found is not None
    assert (found.confirmed, found.whole) == ((), None)
    assert {row.estimate.baseline for row in rows if row.keys.curve == FACTS} == {1 / 150}
    assert any("by a few facts and the risk after each change are estimated" in note for note in found.notes)


def test_more_people_known_than_released() -> None:
    """Who is not in the release is known all the same, and counts for nothing here."""
    original = people(300)
    released = original.frame.head(50).select("person", "age", "income", "sex")
    risk = assess(
        original, released, truth="person", known=["age", "income", "sex"], attacks=["dbrl"], sample=30
    )
    assert section(risk).people == 30
    assert section(risk).spread.people == 30


# --- when it is made ------------------------------------------------------------------------------------


def test_it_is_made_where_nobody_says_what_to_measure() -> None:
    frame = pl.DataFrame({"age": [20.0, 30.0, 40.0, 50.0], "pay": [1.0, 2.0, 3.0, 4.0]})
    assert judged(frame).document.conclusion is not None
    assert judged(frame, measures=["reidentification"]).document.conclusion is None
    assert judged(frame, attacks=["guess"]).document.conclusion is None
    synthetic = assess(frame, frame, synthetic=True)
    assert synthetic.document.conclusion is None
    assert len(synthetic.document.table.where(curve=BOTH)) == 0


def test_files_without_a_common_attribute_have_none() -> None:
    original = pl.DataFrame({"age": [float(i * i) for i in range(30)]})
    released = pl.DataFrame({"pay": [float(i**3) for i in range(30)]})
    risk = judged(original, released, attacks=["structural"])
    assert risk.document.conclusion is None


def test_tiny_files() -> None:
    for n in (1, 2, 3):
        frame = pl.DataFrame({"age": [20.0 + i for i in range(n)], "sex": ["f"] * n})
        found = section(judged(frame, known=["age", "sex"]))
        assert found.people == n
        assert found.spread.people == n


def test_an_attack_that_is_slow_is_named_and_not_repeated() -> None:
    risk = assess(
        people(150), parse("rank-swapping:p=20"), known=["age", "income", "rent", "hours"],
        attacks=["guess", "dbrl", KnownMechanism(parse("rank-swapping:p=20"))], seed=4,
    )  # fmt: skip
    found = section(risk)
    assert found.attack == "dbrl"
    assert found.spread.attack == "mechanism:rank-swapping:p=20"
    assert any(note.startswith("mechanism:rank-swapping:p=20 finds most") for note in found.notes)
    groups = risk.document.table.where(curve=GROUP)
    assert all(row.keys.attack == found.spread.attack for row in groups)


def test_where_no_quick_attack_was_made_distances_serve() -> None:
    risk = judged(people(60), people(60), attacks=["prl"])
    assert section(risk).attack == "dbrl"
    assert section(risk).spread.attack == "prl"
    assert risk.document.methods.title("dbrl") == "distance-based linkage"
    assert section(risk).rate == 1.0


def test_a_model_is_fitted_again_where_there_is_time() -> None:
    assert section(judged(people(30), people(30), attacks=["prl"], full=True)).attack == "prl"


def test_it_is_written_and_read() -> None:
    risk = judged(people(60), people(60).frame)
    again = ASSESSMENT.read(risk.to_json())
    assert again.conclusion == risk.document.conclusion
    assert again.table.to_plain() == risk.document.table.to_plain()
    session = Session(*requested(Verb.ASSESS, people(60), people(60), {"attacks": ["dbrl"]}))
    rows, found = conclusion(session, session.attempts(session.attacks[0]))
    kept_rows, kept = unpack(pack((rows, found)))
    assert kept == found
    assert [row.keys for row in kept_rows] == [row.keys for row in rows]


def test_the_table_leaves_the_conclusion_out_unless_it_is_asked_for(one_tells: Assessment) -> None:
    assert one_tells.table().filter(attack="dbrl", measure="reidentification").height == 1
    curves = one_tells.table(conclusion=True)["curve"].drop_nulls().unique()
    assert set(curves) >= {FACTS, WITHOUT, CHANGE, BOTH}


def test_no_category_stands_in_words(what_if: Any) -> None:
    """Names of categories are shown of groups alone."""
    original, released, risk = what_if
    told = " ".join(change.text + change.command + change.name for change in section(risk).changes)
    assert "'occupation'" in told
    for name in ("region", "occupation", "education"):
        labels = set(original.frame[name].unique()) - set(released.columns)
        assert not [label for label in labels if f"'{label}'" in told or f"={label}" in told]
