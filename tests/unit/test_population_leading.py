"""Which estimate of the population uniques leads: the rule by hand, the measure, known populations."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from bench.leading import FIXED, Trial, off, rms, trials
from bench.population import FIRST, made_population

from tests.flat import flat_rows
from tests.unit.test_derived_once import Names
from tests.unit.test_uniqueness import case_of, file_of, one
from unmask.data.release_kind import ReleaseKind
from unmask.errors import ArgumentError
from unmask.measures import FILE_MEASURES, NotEstimable, measure_named, why_not
from unmask.measures.families import UNIQUENESS
from unmask.measures.uniqueness import LogLinear, Pitman, PopulationUniques, UniqueInPopulation, Zayatz
from unmask.measures.uniqueness.leading import DENSE, FITS, Diagnostics, Leading, leading

OTHERS = {"Pitman": 530.0, "Zayatz": 1550.0}


def found(**changed) -> Diagnostics:
    return Diagnostics(**{"records": 2000, "uniques": 1750, "fraction": 0.05, **changed})


def chosen(value=1610.0, interval=(1580.0, 1650.0), others=OTHERS, **changed) -> Leading | NotEstimable:
    return leading(found(**changed), value, interval, others)


def test_a_model_that_fits_leads_with_its_own_interval():
    assert chosen() == Leading(1580, 1650, FITS, promised=True)


def test_too_many_uniques_in_the_model_and_another_estimate_below_two_thirds_of_it_is_not_believed():
    said = chosen(misfit=0.88)
    assert isinstance(said, NotEstimable)
    assert said.declared
    for part in ("1,610", "0.88 times", "Pitman and Zayatz say 530 to 1,550", "1,750 records are unique"):
        assert part in said.reason


def test_too_many_uniques_in_the_model_alone_bring_the_low_end_down_to_the_others():
    said = chosen(misfit=0.88, others={"Pitman": 1200.0, "Zayatz": 2000.0})
    assert (said.low, said.high, said.promised) == (1200, 1650, False)
    assert "errs on the high side" in said.why


def test_two_thirds_of_it_are_still_believed():
    assert isinstance(chosen(misfit=0.88, others={"Pitman": 1074.0}), Leading)
    assert isinstance(chosen(misfit=0.88, others={"Pitman": 1073.0}), NotEstimable)
    assert isinstance(chosen(misfit=0.88, others={}), Leading), "its own interval says nothing against it"
    assert isinstance(chosen(misfit=0.88, interval=(700.0, 1700.0), others={}), Leading)


@pytest.mark.parametrize("doubt", [{"misfit": 1.2}, {"unequal": 2.1}])
def test_what_may_be_too_low_brings_the_upper_end_up_but_never_beyond_the_uniques(doubt):
    said = chosen(others={"Pitman": 1700.0, "Zayatz": 1720.0}, **doubt)
    assert (said.low, said.high, said.promised) == (1580, 1720, False)
    assert "may be too low" in said.why
    assert chosen(others={"Zayatz": 1900.0}, **doubt).high == 1750
    assert chosen(others={"Zayatz": 10.0}, **doubt).high == 1650, "it is never lowered"


def test_few_shared_keys_show_nothing_and_dense_models_promise_nothing():
    few = chosen(uniques=1901)
    assert (few.low, few.high, few.promised) == (530, 1650, False)
    assert chosen(uniques=1901, others={"Zayatz": 1800.0}).high == 1800, "they show nothing either way"
    assert "only 99 records share a key" in few.why
    assert chosen(uniques=1900).promised
    assert chosen(dense=True) == Leading(1580, 1650, DENSE, promised=False)
    assert "only 1 record shares a key" in chosen(uniques=1999).why


def test_what_is_known_needs_no_estimate():
    assert chosen(0.0, (0.0, 0.0), {}, uniques=0) == Leading(
        0, 0, "No released record is unique, so none can be in the population", promised=True
    )
    whole = chosen(1750.0, (1700.0, 1750.0), fraction=1.0, misfit=0.5)
    assert (whole.low, whole.high) == (1750, 1750)


def drawn(kind: str, n=1500, weight=20.0, seed=5):
    codes = made_population(kind, seed, n)
    columns = {f"a{j}": codes[:, j] for j in range(codes.shape[1])}
    return file_of(columns, weight=[weight] * n), list(columns)


def test_the_row_is_the_share_of_the_records_by_the_log_linear_model_beside_the_others():
    file, known = drawn("chain")
    case = case_of(file, known)
    finding, model = one(UniqueInPopulation(), case), one(LogLinear(), case)
    assert finding.value == pytest.approx(model.value / 1500)
    assert (finding.low, finding.high) == pytest.approx((model.low / 1500, model.high / 1500))
    assert finding.n == 1500
    assert finding.per_record.sum() == pytest.approx(model.value)
    low, high = sorted(one(measure, case).value for measure in (Pitman(), Zayatz()))
    assert f"Pitman and Zayatz say {low:,.0f} to {high:,.0f}." in finding.meaning
    assert FITS in finding.meaning


def test_a_population_file_leads_always():
    case = case_of(
        file_of({"k": list("xxyzw")}, weight=[2] * 5), ["k"], population=file_of({"k": list("xxxyyzzzw")})
    )
    finding = one(UniqueInPopulation(), case)
    assert finding.value == pytest.approx(1 / 5)
    assert (finding.low, finding.high, finding.n) == (None, None, 5)
    np.testing.assert_array_equal(finding.per_record, [0, 0, 0, 0, 1])
    assert "1 (20%) is unique on k in the population of 9. The population file leads" in finding.meaning
    both = one(PopulationUniques(), case)
    assert finding.value * finding.n == pytest.approx(both.value * both.n)


def test_nobody_unique_is_none_and_not_nothing():
    for more in ({}, {"population": file_of({"k": list("xxyyy")})}):
        finding = one(
            UniqueInPopulation(), case_of(file_of({"k": list("xxyy")}, weight=[5] * 4), ["k"], **more)
        )
        assert finding.value == 0
    assert finding.n == 4


def test_everybody_in_the_file_is_exact():
    finding = one(UniqueInPopulation(), case_of(file_of({"k": list("xxyzw")}, weight=[1] * 5), ["k"]))
    assert (finding.value, finding.low, finding.high) == pytest.approx((0.6, 0.6, 0.6))
    assert "whole population" in finding.meaning


def test_keys_that_whole_households_share_are_refused_with_a_reason():
    file, known = drawn("chain", 700)
    twice = file.take(np.repeat(np.arange(700), 3))
    names = {name: twice.frame[name].to_list() for name in known}
    names["a6"] = np.repeat(np.random.default_rng(1).integers(0, 50, 700), 3).tolist()
    rows = np.sort(np.random.default_rng(2).choice(2100, 1000, replace=False))
    sampled = file_of({name: np.array(v)[rows] for name, v in names.items()}, weight=[2.1 * 20] * 1000)
    case = case_of(sampled, list(names))
    [finding] = flat_rows(UniqueInPopulation(), case)
    assert finding.value is None
    assert "no estimate of the population uniques can be believed" in finding.reason
    assert finding.n == 1000
    assert one(LogLinear(), case).value is not None, "the others keep their rows"


def test_what_it_needs():
    plain = case_of(file_of({"k": list("xxy")}), ["k"])
    why = UniqueInPopulation().why_not(plain)
    assert "sampling fraction" in why.reason
    assert not why.declared
    assert UniqueInPopulation(fraction=0.5).why_not(plain) is None
    [row] = flat_rows(UniqueInPopulation(), plain)
    assert row.value is None
    single = case_of(file_of({"k": ["x"]}, weight=[5]), ["k"])
    assert "one record" in UniqueInPopulation().why_not(single).reason
    with pytest.raises(ArgumentError, match="fraction"):
        UniqueInPopulation(fraction=2)


def test_suppressed_keys_need_a_population():
    original = file_of({"k": list("xyzz"), "l": list("uvww")}, weight=[3] * 4)
    released = file_of({"k": [None, *"yzz"], "l": list("uvww")}, weight=[3] * 4)
    population = file_of({"k": list("xyyzzz"), "l": list("uvvwww")})
    more = {"kinds": frozenset({ReleaseKind.SUPPRESSED}), "suppressed": ("k",)}
    alone = case_of(original, ["k", "l"], released, **more)
    why = why_not(UniqueInPopulation(), alone)
    assert why.reason.startswith("not applicable: the release suppressed")
    assert not why.applicable
    case = case_of(original, ["k", "l"], released, population=population, **more)
    assert why_not(UniqueInPopulation(), case) is None
    assert one(UniqueInPopulation(), case).value == pytest.approx(1 / 4)


def test_a_population_that_cannot_be_used_is_said_and_does_not_lead():
    file, known = drawn("chain", 300)
    population = file.take(np.arange(300))
    other = type(population)(population.schema.only(known[:-1]), population.frame.select(known[:-1]))
    finding = one(UniqueInPopulation(), case_of(file, known, population=other))
    assert (
        "The population file is not used: the population file lacks the known attribute 'a5'"
        in finding.meaning
    )


def test_no_model_is_made_twice():
    file, known = drawn("chain", 400)
    cache = Names()
    case = case_of(file, known, cache=cache)
    for measure in (UniqueInPopulation(), LogLinear(), Pitman(), Zayatz()):
        flat_rows(measure, case)
    assert max(cache.names.values()) == 1
    assert cache.watcher.made["log-linear fit"] == 1
    assert cache.watcher.made["class sizes"] == 2


def test_it_is_the_only_estimate_of_the_population_in_the_short_table():
    ranks = {
        name: measure.about.rank
        for name, measure in FILE_MEASURES.items()
        if measure.about.family == UNIQUENESS
    }
    assert ranks["unique-in-population"] > 0
    for name in (
        "population-uniques",
        "log-linear-uniques",
        "log-linear-matches",
        "individual-risk",
        "pitman",
    ):
        assert ranks[name] == 0
    assert measure_named("unique-in-population") == UniqueInPopulation()


NAMES = ("independent", "chain", "cliques", "joint", "households", "mixture", "people", "numbers", "couples")


@cache
def simulated() -> tuple[Trial, ...]:
    """Samples of seeds on which no threshold was chosen, other than those of the evidence page."""
    return tuple(trials(NAMES, (FIRST + 700,), (0.05, 0.1, 0.3), 16_000))


def led() -> list[Trial]:
    return [one for one in simulated() if one.leads is not None]


@pytest.mark.parametrize("name", FIXED)
def test_the_leading_estimate_is_no_worse_than_any_that_always_leads(name):
    assert rms(led(), "leading") <= rms(led(), name) + 0.02


def test_where_95_percent_are_promised_they_hold():
    promised = [one for one in led() if one.promised]
    assert len(promised) >= 15
    assert np.mean([one.covered for one in promised]) >= 0.9


def test_the_truth_is_hardly_ever_above_the_upper_end():
    assert np.mean([one.truth > one.leads[2] for one in led()]) <= 0.03


def test_what_is_refused_is_often_off_by_more_than_two():
    refused = [one for one in simulated() if one.leads is None]
    assert len(refused) >= 5
    assert off(refused, "log-linear") >= 0.5
    assert {"households"} <= {one.population for one in refused}
    assert not {"independent", "chain", "people"} & {one.population for one in refused}
