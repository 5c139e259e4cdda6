"""The attack that knows the mask, on cases worked out by hand or by enumeration."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import ClassVar

import numpy as np
import polars as pl
import pytest
from scipy.special import ndtr

import unmask
from tests.reference import mechanism as reference
from tests.shared_data import data
from unmask import Column, Kind, Microdata, Missing, Scenario, Schema
from unmask.about import About
from unmask.attacks import RBRL, RankCriterion
from unmask.attacks.mechanism import KnownMechanism
from unmask.data.microdata import Masked
from unmask.engines import LocalEngine
from unmask.errors import ArgumentError
from unmask.intruder.dossier import Dossier
from unmask.intruder.truth import Truth
from unmask.kernels.swapping import swap_by_distance, swap_once
from unmask.linkage.links import Standing
from unmask.linkage.transitions import (
    Categories,
    Cells,
    Declaration,
    Image,
    Interval,
    Normal,
    Published,
    Seen,
    Suppressed,
    Transitions,
)
from unmask.masks import (
    PRAM,
    CorrelatedNoise,
    GlobalRecoding,
    IndividualRanking,
    LocalSuppression,
    Microaggregation,
    MultiplicativeNoise,
    Noise,
    RankSwapping,
    TopCoding,
)
from unmask.masks.families import PERTURBATIVE
from unmask.masks.p_distribution_rank_swapping import _NormalDistance
from unmask.masks.rank_moves import moves, rank_cells
from unmask.masks.rank_swapping import _Uniform
from unmask.masks.release import as_released
from unmask.measures import ClaimedPrecision, KnownReidentification, LinkEvidence
from unmask.measures.reidentification import Reidentification


def numbers(**columns):
    schema = Schema(tuple(Column(name) for name in columns))
    return Microdata(schema, pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.Float64)))


def digits(**columns):
    """Numbers with all digits, which nobody takes for rounded or cut off; differences are as given."""
    return numbers(**{name: np.array(values) + np.pi for name, values in columns.items()})


def towns(*values):
    return Microdata(Schema((Column("town", Kind.NOMINAL),)), pl.DataFrame({"town": list(values)}))


def prepared(mask, known, released, **options):
    given = {key: options.pop(key) for key in ("missing", "block") if key in options}
    dossier = Dossier(known, released, **given)
    return KnownMechanism(mask, **options).prepare(dossier, np.random.default_rng(0), LocalEngine(threads=1))


def posterior(matcher):
    links = matcher.posterior(least=1e-12)
    n = len(matcher.field.known)
    return np.column_stack([links.belief_in(np.full(n, r)) for r in range(len(matcher.field.class_of))])


@dataclass(frozen=True)
class Says:
    """A mask that declares what a test wants."""

    parts: tuple

    def declare(self, seen: Seen) -> Declaration:
        return Declaration(self.parts)


def test_the_posterior_of_one_person_under_noise_is_the_normal_density():
    mask = Published(Noise(a=0.5), numbers(x=[0.0, 2.0, 4.0]))  # sd 2, so that the noise has deviation 1
    matcher = prepared(mask, digits(x=[1.0]), digits(x=[1.0, 2.0, -1.0]))
    weights = np.array([1.0, exp(-1 / 2), exp(-4 / 2)])
    np.testing.assert_allclose(posterior(matcher)[0], weights / weights.sum(), rtol=1e-9)
    np.testing.assert_allclose(matcher.claims(), weights[0] / weights.sum(), rtol=1e-9)


def test_a_rounded_value_has_the_chance_of_all_that_is_rounded_to_it():
    mask = Says((Normal(("x",), np.array([[0.36]])),))
    released = numbers(x=[1.0, 2.0, 4.0])
    weights = np.array([ndtr((y + 0.5 - 2) / 0.6) - ndtr((y - 0.5 - 2) / 0.6) for y in (1, 2, 4)])
    belief = posterior(prepared(mask, numbers(x=[2.0]), released))[0]
    np.testing.assert_allclose(belief, weights / weights.sum(), atol=1e-6)


def test_a_value_cut_off_has_the_chance_of_its_tail():
    mask = Says((Normal(("x",), np.array([[9.0]])),))
    known, released = numbers(x=[1.0, 8.0]), numbers(x=[0.0, 7.0])
    tail, half = ndtr((0.5 - known.numbers(["x"])[:, 0]) / 3), 0.5
    inside = ndtr((7 + half - known.numbers(["x"])[:, 0]) / 3) - ndtr(
        (7 - half - known.numbers(["x"])[:, 0]) / 3
    )
    expected = reference.matching_posterior(np.column_stack((tail, inside)))
    np.testing.assert_allclose(posterior(prepared(mask, known, released)), expected, atol=0.01)


def test_rounding_undoes_exact_dependencies_of_noise():
    rng = np.random.default_rng(5)
    x = rng.integers(0, 60_000, 80)
    original = numbers(x=x, y=100_000 - x, z=rng.integers(0, 9, 80))
    mask = CorrelatedNoise(a=0.2)
    masked = as_released(original, mask.apply(original, rng))
    assert (masked.data.numbers(["x"]) == 0).any()
    dossier, truth, _ = Scenario().stage(original, masked, 0)
    matcher = KnownMechanism(mask).prepare(dossier, rng, LocalEngine())
    assert (matcher.standing(truth, 100).tied > 0).all()


def test_the_posterior_of_two_people_is_that_of_all_matchings():
    known, released = digits(x=[0.0, 1.0]), digits(x=[0.3, 0.9])
    mask = Says((Normal(("x",), np.array([[0.25]])),))
    gap = known.numbers(["x"]) - released.numbers(["x"]).T
    expected = reference.matching_posterior(np.exp(-(gap**2) / 0.5))
    np.testing.assert_allclose(posterior(prepared(mask, known, released)), expected, atol=1e-5)


def test_with_three_people_rivals_come_nearer_to_all_matchings_than_none():
    known, released = digits(x=[0.0, 1.0, 1.2]), digits(x=[0.4, 0.7, 1.6])
    mask = Says((Normal(("x",), np.array([[0.25]])),))
    gap = known.numbers(["x"]) - released.numbers(["x"]).T
    expected = reference.matching_posterior(np.exp(-(gap**2) / 0.5))
    with_rivals, alone = (
        np.abs(posterior(prepared(mask, known, released, rivals=r)) - expected).mean() for r in (True, False)
    )
    assert with_rivals < 0.05
    assert with_rivals < alone / 2


def test_the_posterior_under_pram_is_the_product_of_transition_probabilities():
    mask = PRAM(matrix={"town": [[0.9, 0.1], [0.3, 0.7]]})
    matcher = prepared(mask, towns("A", "A", "A", "B"), towns("A", "A", "B", "B"), rivals=False)
    expected = np.array([[0.9, 0.9, 0.1, 0.1]] * 3 + [[0.3, 0.3, 0.7, 0.7]]) / 2
    np.testing.assert_allclose(posterior(matcher), expected, rtol=1e-9)


def test_rank_swapping_makes_a_window_of_ranks_possible_ties_at_their_widest():
    # Window 1. Ranks of the release: 10 -> 1, 20 -> 2 and 3, 30 -> 4, 40 -> 5.
    released = numbers(x=[10.0, 20.0, 20.0, 30.0, 40.0])
    part = RankSwapping(p=20).declare(Seen(released, released)).parts[0]
    assert part.low.tolist() == [10, 10, 10, 20, 30]
    assert part.high.tolist() == [20, 30, 30, 40, 40]
    matcher = prepared(RankSwapping(p=20), numbers(x=[10.0, 30.0]), released)
    assert matcher.candidates().tolist() == [3, 4]


def test_windows_are_intersected_over_attributes():
    released = numbers(x=[1.0, 2.0, 3.0, 4.0, 5.0], y=[5.0, 1.0, 4.0, 2.0, 3.0])
    matcher = prepared(RankSwapping(p=20), numbers(x=[1.0], y=[5.0]), released)
    assert matcher.candidates().tolist() == [1]  # x allows 1, 2; y allows 5, 4
    assert matcher.links().belief_in(np.array([0])).tolist() == [1.0]
    assert "1 targets have one only (certain links)" in matcher.notes[0]


@pytest.mark.parametrize("p", [10, 40])
@pytest.mark.parametrize("normal", [False, True])
def test_chances_of_ranks_are_those_of_many_swaps(p, normal):
    from scipy.special import ndtr

    rng, n, cells, repeats = np.random.default_rng(1), 320, 8, 600
    count = np.zeros((n, n))
    mean = p / 2 * n / 100
    cumulative = ndtr(np.arange(n) / mean - 1) - ndtr(-1.0)
    for _ in range(repeats):
        if normal:
            source = swap_by_distance(cumulative, rng.random(2 * n), rng.random(n))
        else:
            source = swap_once(int(n * p / 100), rng.random(n))
        count[np.arange(n), source] += 1
    size = n // cells
    seen = count.reshape(cells, size, cells, size).sum(axis=(1, 3)) / repeats / size
    reach = _NormalDistance(p / 200) if normal else _Uniform(p / 100)
    fine = moves(256, reach).reshape(cells, 32, cells, 32).sum(axis=(1, 3)) / 32
    np.testing.assert_allclose(fine, seen, atol=0.02)


def test_a_long_tie_is_one_cell():
    values = numbers(x=[0.0] * 60 + list(range(1, 41)))
    cells = rank_cells(Seen(values, values), "x", 0.2, _Uniform(0.2))
    assert len(set(cells.known[:60])) == 1
    assert len(set(cells.known[60:])) == 40
    # Of a value, somewhere, in each record of a cell: chances over all released records add up to 1.
    np.testing.assert_allclose(cells.probability[:, cells.released].sum(axis=1), 1, rtol=1e-6)


def test_blocks_of_sorted_values_are_known_exactly_or_lie_between_their_neighbours():
    original = numbers(x=[1.0, 2.0, 4.0, 5.0, 8.0, 9.0])
    mask = IndividualRanking(k=2)
    released = mask.apply(original, np.random.default_rng(0)).data
    everybody = mask.declare(Seen(original, released)).parts[0]
    assert (everybody.low.tolist(), everybody.high.tolist()) == ([1, 1, 4, 4, 8, 8], [2, 2, 5, 5, 9, 9])
    some = mask.declare(Seen(original.take(np.array([2])), released)).parts[0]
    assert some.low.tolist() == [-np.inf, -np.inf, 1.5, 1.5, 4.5, 4.5]
    assert some.high.tolist() == [4.5, 4.5, 8.5, 8.5, np.inf, np.inf]
    published = Published(mask, original).declare(Seen(original.take(np.array([2])), released)).parts[0]
    assert published.low.tolist() == everybody.low.tolist()


def test_people_who_are_all_known_are_grouped_again_and_some_are_not():
    rng = np.random.default_rng(3)
    original = numbers(x=rng.normal(size=30), y=rng.normal(size=30))
    mask = Microaggregation(k=3)
    released = mask.apply(original, rng).data
    assert (prepared(mask, original, released).candidates() <= 5).all()
    part = mask.declare(Seen(original.take(np.arange(10)), released)).parts[0]
    assert isinstance(part, Normal)
    assert (np.linalg.eigvalsh(part.covariance) > 0).all()


def test_equal_people_may_be_in_either_group():
    original = numbers(x=[1.0, 1.0, 1.0, 1.0, 9.0, 9.5])
    mask = Microaggregation(k=2)
    released = mask.apply(original, np.random.default_rng(0)).data
    matcher = prepared(mask, original, released)
    assert matcher.candidates().tolist() == [4, 4, 4, 4, 2, 2]


def test_a_factor_moves_no_sign_and_leaves_zero():
    mask = MultiplicativeNoise(b=0.5)
    released = numbers(x=[-10 / 3, 0.0, 10 / 3, 10.0])
    matcher = prepared(mask, numbers(x=[8 / 3, -8 / 3, 0.0, 20 / 3]), released)
    assert matcher.candidates().tolist() == [1, 1, 1, 2]
    free = prepared(MultiplicativeNoise(b=1.0), numbers(x=[8 / 3, 0.0]), released)
    assert free.candidates().tolist() == [1, 1]
    # Of whole numbers, a small one may have been rounded to 0.
    rounded = prepared(mask, numbers(x=[1.0, 2.0]), numbers(x=[0.0, 1.0, 2.0, 3.0]))
    assert rounded.candidates().tolist() == [3, 3]


def test_a_direction_without_noise_must_agree():
    covariance = np.array([[1.0, 1.0], [1.0, 1.0]])  # x - y is not masked
    known, released = digits(x=[0.0], y=[5.0]), digits(x=[0.1, 0.1, 3.0], y=[5.1, 5.3, 8.0])
    matcher = prepared(Says((Normal(("x", "y"), covariance),)), known, released)
    belief = posterior(matcher)[0]
    assert belief[1] == 0
    # Along the noise, (1, 1) with variance 1 for each attribute: moves of 0.1 and of 3.
    np.testing.assert_allclose(belief[2] / belief[0], exp(-(9 - 0.01) / 2), rtol=1e-9)


def test_correlated_noise_of_dependent_attributes_is_no_obstacle():
    rng = np.random.default_rng(5)
    x = rng.normal(size=80)
    original = numbers(x=x, y=2 * x, z=rng.normal(size=80))
    masked = CorrelatedNoise(a=0.05).apply(original, rng)
    dossier, truth, _ = Scenario().stage(original, masked, 0)
    matcher = KnownMechanism(CorrelatedNoise(a=0.05)).prepare(dossier, rng, LocalEngine())
    assert (matcher.standing(truth, 100).tied > 0).all()


def test_coded_and_banded_numbers():
    released = numbers(x=[1.0, 2.0, 5.0, 5.0])
    top = TopCoding(limit=5.0, attributes=("x",))
    matcher = prepared(top, numbers(x=[1.0, 7.0, 3.0]), released)
    assert matcher.candidates().tolist() == [1, 2, 0]  # nobody has 3: they know something wrong
    assert matcher.links().row[2] == -1
    assert "1 targets have no possible record" in matcher.notes[1]
    bands = GlobalRecoding(breaks=(2.0, 6.0), attributes=("x",))
    banded = prepared(bands, numbers(x=[0.0, 4.0]), numbers(x=[1.0, 1.0, 4.0]))
    assert banded.candidates().tolist() == [2, 1]


def test_a_suppressed_value_may_have_been_any():
    known = towns("A", "B")
    released = towns("A", None, "C", "B")
    matcher = prepared(LocalSuppression(k=2), known, released)
    assert matcher.candidates().tolist() == [2, 2]
    best = posterior(matcher)
    assert best[0, 0] > best[0, 1] > 0


@pytest.mark.parametrize("missing", Missing)
def test_a_missing_value_never_excludes(missing):
    released = numbers(x=[1.0, None, 3.0])
    matcher = prepared(Says(()), numbers(x=[1.0, None]), released, missing=missing)
    assert matcher.candidates().tolist() == [2, 3]


def test_only_records_of_one_block_are_compared():
    known, released = numbers(x=[1.0, 1.0], area=[1.0, 2.0]), numbers(x=[1.1, 1.2, 5.0], area=[1.0, 2.0, 2.0])
    noise = Says((Normal(("x",), np.eye(1)), Interval("area", np.full(3, -np.inf), np.full(3, np.inf))))
    matcher = prepared(noise, known, released, block=("area",))
    assert matcher.candidates().tolist() == [1, 2]


@dataclass(frozen=True)
class Mirror:
    """A user's own mask: x becomes 100 - x, or one more, each as likely."""

    name: ClassVar[str] = "mirror"
    about = About("mirror", PERTURBATIVE, "Every value x becomes 100 - x, or one more.", "this test")
    attributes: tuple[str, ...] = ("x",)

    def apply(self, original: Microdata, rng: np.random.Generator) -> Masked:
        shape = len(original), len(self.attributes)
        moved = 100 - original.numbers(self.attributes) + rng.integers(0, 2, shape)
        columns = {name: pl.Series(name, moved[:, j]) for j, name in enumerate(self.attributes)}
        return Masked(original.replace(columns), np.arange(len(original)))

    def declare(self, seen: Seen) -> Declaration:
        values = {name: seen.released.numbers([name])[:, 0] for name in self.attributes}
        return Declaration(tuple(Interval(name, 100 - v, 101 - v) for name, v in values.items()))


def test_a_users_own_mask_gets_its_attack():
    rng = np.random.default_rng(2)
    people = numbers(x=rng.integers(0, 60, 50).astype(float), y=rng.integers(0, 9, 50).astype(float))
    attacks = ["dbrl", KnownMechanism(Mirror())]
    risk = unmask.assess(
        people.frame, Mirror(), schema=people.schema, attacks=attacks, measures=["reidentification"]
    )
    found = risk.table().filter(measure="reidentification")
    value = dict(zip(found["attack"].to_list(), found["value"].to_list(), strict=True))
    assert value["dbrl"] < 0.3
    assert value["mechanism:mirror"] > 0.9


def test_error_in_what_is_known_excludes_the_truth_unless_it_is_reckoned_with():
    rng = np.random.default_rng(7)
    people = numbers(**{name: rng.normal(size=300) for name in "abcdef"})
    mask = RankSwapping(p=5)
    masked = mask.apply(people, rng)
    dossier, truth, _ = Scenario(error=0.2).stage(people, masked, 0)
    found = {}
    for error in (0.0, 0.2):
        matcher = KnownMechanism(mask, error=error).prepare(dossier, rng, LocalEngine())
        found[error] = matcher.standing(truth, 1).belief().mean()
        lost = (matcher.candidates() == 0).sum()
        assert (lost > 50) == (error == 0)
    assert found[0.2] > 0.9 > found[0.0]


def test_a_category_that_is_known_wrong_may_be_any_other():
    mask = Says(())
    certain = prepared(mask, towns("A"), towns("A", "B"), rivals=False)
    assert posterior(certain).tolist() == [[1.0, 0.0]]
    known = Microdata(
        Schema((Column("town", Kind.NOMINAL, levels=("A", "B")),)), pl.DataFrame({"town": ["A"]})
    )
    doubtful = prepared(mask, known, towns("A", "B"), rivals=False, error=0.25)
    np.testing.assert_allclose(posterior(doubtful), [[0.75, 0.25]])


def test_belief_in_the_posterior_is_its_share_and_in_the_best_is_all_or_nothing():
    known, released = digits(x=[0.0]), digits(x=[0.0, 1.0, 1.0])
    mask = Says((Normal(("x",), np.eye(1)),))
    truth = Truth(np.array([1]))
    best = prepared(mask, known, released)
    assert best.standing(truth, 5).belief().tolist() == [0.0]
    assert (best.standing(truth, 5).closer[0], best.standing(truth, 5).tied[0]) == (1, 2)
    shared = prepared(mask, known, released, belief="posterior")
    expected = exp(-0.5) / (1 + 2 * exp(-0.5))
    np.testing.assert_allclose(shared.standing(truth, 5).belief(), expected)
    np.testing.assert_allclose(shared.links().belief_in(truth.row), expected)


def test_names_tell_the_mask_and_what_differs():
    assert KnownMechanism(RankSwapping(p=10)).name == "mechanism:rank-swapping:p=10"
    named = KnownMechanism(Noise(a=0.5), belief="posterior", rivals=False, error=0.1).name
    assert named == "mechanism-posterior-alone-error=0.1:noise:a=0.5"
    assert KnownMechanism(Published(Noise(a=0.5), towns("A"))).name == "mechanism:noise:a=0.5 (published)"


def test_what_does_not_fit_is_refused_in_one_line():
    file = numbers(x=[1.0, 2.0])
    with pytest.raises(ArgumentError, match="str does not declare what it does"):
        KnownMechanism("noise")
    with pytest.raises(ArgumentError, match="no choice of 'belief' is called 'certain'"):
        KnownMechanism(Noise(a=1.0), belief="certain")
    for wrong in (-1.0, float("nan")):
        with pytest.raises(ArgumentError, match="error is"):
            KnownMechanism(Noise(a=1.0), error=wrong)
    with pytest.raises(ArgumentError, match="declares 1 intervals of 'x' for 2 released records"):
        prepared(Says((Interval("x", np.zeros(1), np.zeros(1)),)), file, file)
    with pytest.raises(ArgumentError, match="numbers for 'town', which is not numeric"):
        prepared(Says((Interval("town", np.zeros(1), np.zeros(1)),)), towns("A"), towns("A"))
    with pytest.raises(ArgumentError, match="covariance matrix of shape"):
        Normal(("x", "y"), np.eye(3))
    with pytest.raises(ArgumentError, match="the level is 0"):
        KnownReidentification(level=0.0)


def test_constant_columns_single_records_and_columns_without_values():
    constant = numbers(x=[3.0, 3.0, 3.0], y=[None, None, None])
    for mask in (Noise(a=0.5), RankSwapping(p=50), IndividualRanking(k=2), MultiplicativeNoise(b=0.1)):
        matcher = prepared(mask, constant, constant)
        np.testing.assert_allclose(posterior(matcher), 1 / 3)
        if not isinstance(mask, IndividualRanking):  # which makes no groups of one record
            one = constant.take(np.array([0]))
            assert posterior(prepared(mask, one, one)).tolist() == [[1.0]]


def test_parts_that_speak_of_attributes_they_do_not_know_are_left_out():
    known, released = digits(x=[1.0]), digits(x=[1.0, 2.0], y=[1.0, 2.0])
    parts = (Normal(("x", "y"), np.eye(2)), Suppressed("y", 0.5), Image("y", np.zeros(1), np.zeros(1)))
    belief = posterior(prepared(Says(parts), known, released))[0]
    np.testing.assert_allclose(belief[1] / belief[0], exp(-0.5))


def test_several_parts_of_one_attribute_multiply():
    known, released = digits(x=[0.0]), digits(x=[0.0, 1.0])
    cells = Cells("x", np.array([0]), np.array([0, 1]), np.array([[0.2, 0.8]]))
    both = (Normal(("x",), np.eye(1)), cells)
    belief = posterior(prepared(Says(both), known, released))[0]
    np.testing.assert_allclose(belief[1] / belief[0], 4 * exp(-0.5))


def test_a_table_from_too_few_people_is_not_trusted():
    table = Transitions.of({"A": "A", "C": "A|C"})
    mask = Says((Categories("town", table),))
    matcher = prepared(mask, towns("A", "C"), towns("A", "B|C", "B|C"))
    assert matcher.candidates().tolist() == [3, 3]  # A|C is not in the release: the table is wrong somewhere
    assert posterior(matcher)[0, 0] > 0.5


def test_measures_of_what_the_intruder_is_sure_of():
    standing = Standing(np.array([0, 0, 4, -1]), np.array([1, 2, 1, 0]), depth=10)
    truth = Truth(np.array([0, 1, 2, -1]))
    claims = np.array([0.99, 0.96, 0.97, 0.99])
    trial = LinkEvidence("mechanism", 50, truth, standing, lambda: 1.0, claims=lambda: claims)
    known = KnownReidentification().estimate(trial)
    assert known.value == pytest.approx(1.5 / 3)
    assert known.n == 3
    assert np.isnan(known.per_record[3])
    assert ClaimedPrecision().estimate(trial).value == pytest.approx(1.5 / 4)  # the last one is wrong
    assert ClaimedPrecision().estimate(trial).n == 4
    assert ClaimedPrecision(level=0.98).estimate(trial).value == 0.5
    assert KnownReidentification(level=0.98).name == "known-reidentification:level=0.98"
    nobody = ClaimedPrecision(level=1.0).estimate(trial)
    assert nobody.number is None
    assert "100% or more" in nobody.reason
    silent = KnownReidentification().estimate(LinkEvidence("dbrl", 50, truth, standing, lambda: 1.0))
    assert silent.number is None
    assert silent.reason == "the attack gives its links neither a probability nor a distance"


def census():
    frame = pl.read_csv(data("casc_census.csv"))
    return Microdata(Schema(tuple(Column(name) for name in frame.columns)), frame)


def test_on_census_knowing_p_doubles_what_rank_swapping_gives_away():
    original, mask = census(), RankSwapping(p=25)
    masked = mask.apply(original, np.random.default_rng(1))
    dossier, truth, _ = Scenario().stage(original, masked, 2)
    found = {}
    for attack in (RBRL(RankCriterion.MAX), KnownMechanism(mask)):
        matcher = attack.prepare(dossier, np.random.default_rng(0), LocalEngine())
        found[attack.name] = matcher.standing(truth, 1).belief()
    assert found["rbrl-max"].mean() < 0.42  # 37.5% published (Muralidhar and Domingo-Ferrer 2016)
    assert found["mechanism:rank-swapping:p=25"].mean() > 0.7
    sure = matcher.claims() >= 0.95
    assert sure.mean() > 0.4
    assert found["mechanism:rank-swapping:p=25"][sure].mean() > 0.98


@pytest.mark.parametrize("exact", [True, False])
def test_on_census_posteriors_under_noise_are_honest(exact):
    original, mask = census(), Noise(a=0.5)
    masked = as_released(original, mask.apply(original, np.random.default_rng(1)), exact=exact)
    dossier, truth, _ = Scenario().stage(original, masked, 2)
    attack = KnownMechanism(mask, belief="posterior")
    matcher = attack.prepare(dossier, np.random.default_rng(0), LocalEngine())
    claims, hits = matcher.claims(), matcher.standing(truth, 1).closer == 0
    for low, high in ((0.2, 0.4), (0.4, 0.7), (0.7, 1.01)):
        part = (claims >= low) & (claims < high)
        assert abs(hits[part].mean() - claims[part].mean()) < 0.12
    shared = Reidentification().estimate(
        LinkEvidence("m", 1080, truth, matcher.standing(truth, 1), lambda: 1.0, claims=matcher.claims)
    )
    assert 0.2 < shared.value < hits.mean()
