"""Worst-case linkage: hand-worked cases, files that leave nothing to learn, limits and names."""

from __future__ import annotations

import signal
import threading
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from tests.shared_data import data
from unmask.attacks.base import Matcher, WorstCase
from unmask.attacks.dbrl import DBRL
from unmask.attacks.learned import LEARNED, LearnedDistance
from unmask.attacks.rbrl import RBRL, RankCriterion
from unmask.data.microdata import Microdata
from unmask.data.missing import Missing
from unmask.data.schema import Column, Kind, Schema
from unmask.engines import LocalEngine
from unmask.errors import ArgumentError
from unmask.intruder.dossier import Dossier
from unmask.intruder.scenario import Scenario
from unmask.intruder.truth import Truth
from unmask.linkage.learning import Encoding, Form, LearnedRecord, Twins, teach
from unmask.linkage.learning.clock import Deadline
from unmask.linkage.learning.contest import Stakes
from unmask.linkage.learning.programs import Conflict, Cover
from unmask.masks.microaggregation import Microaggregation
from unmask.parsing import construct

ENGINE = LocalEngine(threads=1)
EVERY = [LearnedDistance(form) for form in Form] + [
    LearnedDistance(form, Encoding.RANKS) for form in (Form.WM, Form.OWA, Form.CHOQUET)
]


def numbers(**columns: list[float | None]) -> Microdata:
    return Microdata(Schema(tuple(Column(name) for name in columns)), pl.DataFrame(columns))


def learn(attack: LearnedDistance, dossier: Dossier, truth: list[int], **how: object) -> LearnedRecord:
    return attack.learn(dossier, Truth(np.array(truth)), np.random.default_rng(1), ENGINE, **how)  # type: ignore[arg-type]


def strict(matcher: LearnedRecord, truth: list[int]) -> int:
    standing = matcher.standing(Truth(np.array(truth)), 1)
    return int(((standing.closer == 0) & (standing.tied == 1)).sum())


@pytest.fixture
def misled() -> Dossier:
    """Ages survive, incomes are shuffled: equal weights are misled, all weight on age is right."""
    return Dossier(
        numbers(age=[20, 30, 40, 50], income=[1, 2, 3, 4]), numbers(age=[21, 29, 41, 49], income=[4, 3, 1, 2])
    )


def test_the_weighted_mean_learns_which_attribute_to_trust(misled: Dossier) -> None:
    matcher = learn(LearnedDistance(Form.WM), misled, [0, 1, 2, 3])
    lesson = matcher.lesson
    assert (lesson.found, lesson.bound, lesson.ceiling, lesson.records) == (4, 4, 4, 4)
    assert lesson.status == "optimal"
    assert lesson.weights[0] > 0.5
    assert strict(matcher, [0, 1, 2, 3]) == 4


def test_every_form_answers_for_the_intruder_too(misled: Dossier) -> None:
    for attack in EVERY:
        matcher = learn(attack, misled, [0, 1, 2, 3])
        assert isinstance(attack, WorstCase)
        assert matcher.lesson.form == attack.form.value
        assert matcher.lesson.found == strict(matcher, [0, 1, 2, 3])
        belief = matcher.links().belief_in(np.arange(4))
        assert int((belief == 1).sum()) == matcher.lesson.found


def test_ranks_contain_the_rank_based_methods(misled: Dossier) -> None:
    truth = Truth(np.arange(4))
    best = 0
    for criterion in RankCriterion:
        standing = RBRL(criterion).prepare(misled, np.random.default_rng(0), ENGINE).standing(truth, 1)
        best = max(best, int(((standing.closer == 0) & (standing.tied == 1)).sum()))
    assert learn(LearnedDistance(Form.OWA, Encoding.RANKS), misled, [0, 1, 2, 3]).lesson.found >= best


def test_without_a_proof_there_is_no_bound(misled: Dossier) -> None:
    lesson = learn(LearnedDistance(Form.WM), misled, [0, 1, 2, 3], prove=False).lesson
    assert lesson.bound is None
    assert lesson.status == "not proven"


def test_only_the_named_targets_are_learned_from(misled: Dossier) -> None:
    lesson = learn(LearnedDistance(Form.WM), misled, [0, 1, 2, 3], targets=np.array([1, 2])).lesson
    assert (lesson.records, lesson.found) == (2, 2)


@pytest.mark.parametrize("attack", EVERY, ids=lambda attack: attack.name)
def test_files_that_leave_nothing_to_learn(attack: LearnedDistance) -> None:
    one = Dossier(numbers(a=[1.0], b=[2.0]), numbers(a=[5.0], b=[1.0]))
    lesson = learn(attack, one, [0]).lesson
    assert (lesson.found, lesson.bound, lesson.margin) == (1, 1, 1.0)

    twins = Dossier(numbers(a=[1.0, 2.0], b=[2.0, 3.0]), numbers(a=[1.0, 1.0], b=[2.0, 2.0]))
    lesson = learn(replace(attack, twins=Twins.STRICT), twins, [0, 1]).lesson
    assert (lesson.found, lesson.bound, lesson.ceiling, lesson.margin) == (0, 0, 0, 0.0)
    lesson = learn(replace(attack, twins=Twins.SHARED), twins, [0, 1]).lesson  # one class, none is nearer
    assert (lesson.found, lesson.bound, lesson.ceiling, lesson.margin) == (2, 2, 0, 1.0)
    lesson = learn(attack, twins, [0, 1]).lesson  # a link picks one of the two
    assert (lesson.found, lesson.bound, lesson.ceiling, lesson.margin) == (1, 1, 0, 1.0)

    absent = learn(attack, twins, [-1, -1]).lesson
    assert (absent.records, absent.found, absent.bound) == (0, 0, 0)

    constant = Dossier(numbers(a=[1.0, 1.0, 1.0], b=[1.0, 5.0, 9.0]), numbers(a=[1.0] * 3, b=[1.0, 5.0, 9.0]))
    assert learn(attack, constant, [0, 1, 2]).lesson.found == 3


@pytest.mark.parametrize("form", Form)
def test_one_attribute(form: Form) -> None:
    dossier = Dossier(numbers(a=[1.0, 2.0, 6.0]), numbers(a=[1.1, 5.0, 2.1]))
    lesson = learn(LearnedDistance(form), dossier, [0, 2, 1]).lesson
    assert lesson.found == lesson.bound == 3
    assert lesson.weights == (1.0,)


@pytest.mark.parametrize("missing", Missing)
@pytest.mark.parametrize("form", Form)
def test_mixed_attributes_with_missing_values(form: Form, missing: Missing) -> None:
    rng = np.random.default_rng(3)
    schema = Schema(
        (Column("x"), Column("town", Kind.NOMINAL), Column("size", Kind.ORDINAL, levels=("s", "m", "l")))
    )

    def file(noise: float) -> Microdata:
        x = [None if i % 7 == 3 and not noise else i + noise * rng.normal() for i in range(20)]
        town = [None if i % 5 == 4 else "ABC"[i % 3] for i in range(20)]
        return Microdata(
            schema, pl.DataFrame({"x": x, "town": town, "size": ["sml"[i % 3] for i in range(20)]})
        )

    dossier = Dossier(file(0.0), file(0.5), missing)
    lesson = learn(LearnedDistance(form), dossier, list(range(20)), limit=5).lesson
    assert lesson.bound is not None
    assert 0 < lesson.found <= lesson.bound <= lesson.ceiling
    assert sum(lesson.weights) == pytest.approx(1)


def test_blocks_are_respected() -> None:
    town = ["A", "A", "B", "B"]
    schema = Schema((Column("town", Kind.NOMINAL), Column("age")))
    known = Microdata(schema, pl.DataFrame({"town": town, "age": [20.0, 30.0, 20.5, 30.5]}))
    released = Microdata(schema, pl.DataFrame({"town": town, "age": [20.5, 30.5, 20.0, 30.0]}))
    apart = Dossier(known, released, block=("town",))
    assert learn(LearnedDistance(Form.WM), apart, [0, 1, 2, 3]).lesson.found == 4
    # The true record is in another block: no parameters reach it.
    lesson = learn(LearnedDistance(Form.CHOQUET), apart, [2, 3, 0, 1]).lesson
    assert (lesson.found, lesson.bound) == (0, 0)


def test_twins_are_rivals_or_one_class() -> None:
    """Two groups of two identical records: nobody is found strictly, everybody's group is."""
    dossier = Dossier(
        numbers(a=[1.0, 2.0, 8.0, 9.0], b=[1.0, 9.0, 2.0, 8.0]),
        numbers(a=[1.5, 1.5, 8.5, 8.5], b=[5.0, 5.0, 5.0, 5.0]),
    )
    for form in Form:
        strictly = learn(LearnedDistance(form, twins=Twins.STRICT), dossier, [0, 1, 2, 3]).lesson
        assert (strictly.found, strictly.bound, strictly.ceiling, strictly.twins) == (0, 0, 0, "strict")
        expected = learn(LearnedDistance(form), dossier, [0, 1, 2, 3]).lesson
        assert (expected.found, expected.bound, expected.twins) == (2, 2, "expected")
        matcher = learn(LearnedDistance(form, twins=Twins.SHARED), dossier, [0, 1, 2, 3])
        lesson = matcher.lesson
        assert (lesson.found, lesson.bound, lesson.ceiling, lesson.twins) == (4, 4, 0, "shared")
        assert lesson.margin > 0
        standing = matcher.standing(Truth(np.arange(4)), 1)
        assert standing.closer.tolist() == [0] * 4
        assert standing.tied.tolist() == [2] * 4
        assert matcher.links().belief_in(np.arange(4)).tolist() == [0.5] * 4


@pytest.mark.parametrize("form", Form)
def test_twins_in_another_block_are_no_twins(form: Form) -> None:
    schema = Schema((Column("town", Kind.NOMINAL), Column("age"), Column("size")))

    def file(town: list[str | None], age: list[float]) -> Microdata:
        return Microdata(schema, pl.DataFrame({"town": town, "age": age, "size": [1.0] * len(age)}))

    known = file(["A", "A", "B", "B", "B"], [20.0, 30.0, 20.0, 30.0, 31.0])
    released = file(["A", "A", "B", "B", "B", None, None], [21.0, 29.0, 21.0, 29.0, 29.0, 21.0, 21.0])
    dossier = Dossier(known, released, block=("town",))
    for twins, found in ((Twins.STRICT, 3), (Twins.SHARED, 5), (Twins.EXPECTED, 4)):
        matcher = learn(LearnedDistance(form, twins=twins), dossier, [0, 1, 2, 3, 4])
        lesson = matcher.lesson
        assert (lesson.found, lesson.bound, lesson.ceiling) == (found, found, 3)
        assert matcher.standing(Truth(np.arange(5)), 1).tied.tolist() == [1, 1, 1, 2, 2]


def test_a_file_of_identical_groups_is_not_called_safe() -> None:
    """MDAV of all columns with k=5: no record is alone, but many people's group is the nearest one."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(100, 4))
    original = numbers(**{f"v{j}": x[:, j].tolist() for j in range(4)})
    dossier, truth, _ = Scenario().stage(original, Microaggregation(k=5).apply(original, rng), 0)
    found = [
        learn(LearnedDistance(Form.WM, twins=twins), dossier, truth.row.tolist()).lesson for twins in Twins
    ]
    assert [lesson.status for lesson in found] == ["optimal"] * 3
    assert found[0].found == 0
    assert found[1].found > 50
    assert found[2].found == pytest.approx(found[1].found / 5)


def test_the_same_seed_learns_the_same() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=(40, 3))
    y = x + rng.normal(size=(40, 3))
    files = [numbers(**{f"v{j}": z[:, j].tolist() for j in range(3)}) for z in (x, y)]
    for form in Form:
        lessons = [
            learn(LearnedDistance(form), Dossier(*files), list(range(40)), prove=False).lesson
            for _ in range(2)
        ]
        assert lessons[0] == lessons[1]


def test_a_short_limit_gives_what_was_found_and_a_bound() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=(60, 4))
    y = x + 1.5 * rng.normal(size=(60, 4))
    files = [numbers(**{f"v{j}": z[:, j].tolist() for j in range(4)}) for z in (x, y)]
    for form in Form:
        lesson = learn(LearnedDistance(form), Dossier(*files), list(range(60)), limit=1e-3).lesson
        assert lesson.bound is not None
        assert 0 < lesson.found <= lesson.bound <= 60


def test_many_targets_are_learned_from_by_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unmask.linkage.learning.teaching.MOST_TARGETS", 10)
    monkeypatch.setattr("unmask.linkage.learning.teaching.SAMPLE", 8)
    values = [float(i) for i in range(30)]
    dossier = Dossier(numbers(a=values), numbers(a=[v + 0.1 for v in values]))
    matcher = learn(LearnedDistance(Form.WM), dossier, list(range(30)))
    assert (matcher.lesson.records, matcher.lesson.found) == (8, 8)
    assert any("sample of 8 of 30" in note for note in matcher.notes)


def test_without_all_inequalities_the_engine_finds_them(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    x = rng.normal(size=(40, 3))
    files = [
        numbers(**{f"v{j}": z[:, j].tolist() for j in range(3)}) for z in (x, x + rng.normal(size=(40, 3)))
    ]
    attacks = [LearnedDistance(form) for form in (Form.WM, Form.OWA)]
    at_once = [learn(attack, Dossier(*files), list(range(40))).lesson for attack in attacks]
    monkeypatch.setattr("unmask.linkage.learning.settling.FEW_PAIRS", 0)
    one_by_one = [learn(attack, Dossier(*files), list(range(40))).lesson for attack in attacks]
    assert [lesson.status for lesson in at_once + one_by_one] == ["optimal"] * 4
    assert [lesson.found for lesson in at_once] == [lesson.found for lesson in one_by_one]


def test_an_interrupt_ends_the_solver() -> None:
    rng = np.random.default_rng(1)
    cover = Cover(Stakes.plain(300))
    cover.add([Conflict(rng.choice(300, 5, replace=False), True) for _ in range(3000)])  # takes long
    timer = threading.Timer(0.5, signal.raise_signal, (signal.SIGINT,))
    # A program that a shell starts in the background ignores interrupts.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            cover.least(Deadline.after(60.0))
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before)


def test_names_and_parameters() -> None:
    assert construct("learned-choquet:additivity=2", "attack", LEARNED).name == "learned-choquet:additivity=2"
    assert construct("learned-wm", "attack", LEARNED).twins is Twins.EXPECTED
    assert construct("learned-wm:twins=shared", "attack", LEARNED).name == "learned-wm:twins=shared"
    assert construct("learned-wm:twins=strict", "attack", LEARNED).name == "learned-wm:twins=strict"
    both = construct("learned-choquet-ranks:twins=strict,additivity=2", "attack", LEARNED)
    assert both == LEARNED["learned-choquet-ranks"](additivity=2, twins=Twins.STRICT)
    assert both.name == "learned-choquet-ranks:additivity=2,twins=strict"
    with pytest.raises(ArgumentError, match="no reading of twins"):
        construct("learned-wm:twins=none", "attack", LEARNED)
    for name, kind in LEARNED.items():
        assert construct(name, "attack", LEARNED).name == name
        assert name.startswith("learned-")
        assert issubclass(kind, LearnedDistance)
    with pytest.raises(ArgumentError, match="additivity"):
        construct("learned-wm:additivity=2", "attack", LEARNED)
    with pytest.raises(ArgumentError, match="additivity is 0"):
        LearnedDistance(Form.CHOQUET, additivity=0)
    with pytest.raises(ArgumentError, match="bilinear"):
        LearnedDistance(Form.BILINEAR, Encoding.RANKS)
    with pytest.raises(ArgumentError, match="no form"):
        LearnedDistance("mean")  # type: ignore[arg-type]


def test_mistakes_are_told_in_one_line(misled: Dossier) -> None:
    with pytest.raises(ArgumentError, match="limit is 0"):
        learn(LearnedDistance(Form.WM), misled, [0, 1, 2, 3], limit=0.0)
    wide = numbers(**{f"v{j}": [1.0, 2.0] for j in range(17)})
    with pytest.raises(ArgumentError, match="2\\^17"):
        learn(LearnedDistance(Form.CHOQUET), Dossier(wide, wide), [0, 1])


def test_choquet_over_many_attributes_is_two_additive() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(30, 9))
    files = [
        numbers(**{f"v{j}": z[:, j].tolist() for j in range(9)}) for z in (x, x + rng.normal(size=(30, 9)))
    ]
    matcher = learn(LearnedDistance(Form.CHOQUET), Dossier(*files), list(range(30)), limit=5)
    assert len(matcher.lesson.parameters) == 2**9
    assert len(matcher.lesson.interactions) == 36
    assert any("up to 2 attributes" in note for note in matcher.notes)


def test_census_optimum_is_that_of_the_mixed_integer_program() -> None:
    """400 Census records, 4 columns, MDAV of pairs with k=3: 375, as HiGHS proves on all 159,600 rows."""
    frame = pl.read_csv(data("casc_census.csv"))
    names = frame.columns[:4]
    rows = np.sort(np.random.default_rng(1).choice(len(frame), 400, replace=False))
    original = Microdata(Schema(tuple(Column(name) for name in names)), frame.select(names)[rows])
    mask = Microaggregation(k=(3, 3), groups=(tuple(names[:2]), tuple(names[2:])))
    rng = np.random.default_rng(1)
    dossier, truth, _ = Scenario().stage(original, mask.apply(original, rng), 0)
    taught = teach(dossier, truth, rng, ENGINE, form=Form.WM, twins=Twins.STRICT)
    assert taught.lesson.status == "optimal"
    assert taught.lesson.found == 375
    assert taught.lesson.margin > 0


def nominal(seed: int, n: int = 150, d: int = 5) -> tuple[Dossier, list[int]]:
    """Few categories, a quarter of the values drawn anew: most records tie with others."""
    rng = np.random.default_rng(seed)
    x = np.column_stack([rng.choice(k, n, p=rng.dirichlet(np.full(k, 2.0))) for k in rng.integers(3, 6, d)])
    y = np.where(rng.random((n, d)) < 0.25, rng.permuted(x, axis=0), x)
    names = [f"v{j}" for j in range(d)]
    schema = Schema(tuple(Column(name, Kind.NOMINAL) for name in names))
    known, released = (
        Microdata(schema, pl.DataFrame({name: [f"c{v}" for v in z[:, j]] for j, name in enumerate(names)}))
        for z in (x, y)
    )
    return Dossier(known, released), list(range(n))


@pytest.mark.parametrize("seed", range(3))
def test_on_nominal_files_no_form_is_below_one_that_it_contains(seed: int) -> None:
    """Groups that are found are not links that are right: the form that finds more groups may link fewer."""
    dossier, truth = nominal(seed)

    def links(matcher: Matcher) -> float:
        return float(matcher.standing(Truth(np.array(truth)), 1).belief().sum())

    plain = links(DBRL().prepare(dossier, np.random.default_rng(0), ENGINE))
    taught = {form: learn(LearnedDistance(form), dossier, truth, limit=1.5) for form in Form}
    found = {form: links(matcher) for form, matcher in taught.items()}
    assert plain <= found[Form.WM] <= min(found[Form.CHOQUET], found[Form.BILINEAR])
    assert plain <= found[Form.OWA] <= found[Form.CHOQUET]
    for form, matcher in taught.items():
        assert matcher.lesson.found == pytest.approx(found[form])
        assert matcher.lesson.bound is not None
        assert matcher.lesson.found <= matcher.lesson.bound
    # Sorted differences of categories are their number: all weights but those that merge numbers are alike.
    assert taught[Form.OWA].lesson.status == "optimal"
