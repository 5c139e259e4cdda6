"""The budget: which people are tried is told by the request and the files alone, and every output says it."""

from __future__ import annotations

import gc
import io
from typing import Any
from weakref import ref

import numpy as np
import polars as pl
import pytest
from rich.console import Console

import unmask
from unmask.assessment import cost
from unmask.assessment.asked import requested
from unmask.assessment.cost import Cost, Sizes
from unmask.assessment.plan import FEWEST, Planned, planned
from unmask.assessment.request import BUDGET, Request, RequestFiles, Verb
from unmask.assessment.request_file import from_plain, from_toml, to_plain, to_toml
from unmask.assessment.session import Session
from unmask.attacks import attack_named
from unmask.cli import watching
from unmask.data.example import people
from unmask.engines import LocalEngine
from unmask.errors import ArgumentError
from unmask.intruder.dossier import Dossier
from unmask.intruder.truth import Truth
from unmask.measures.dependence import Dependence
from unmask.report.assessment.notes import notes

PEOPLE = people(1500)
KNOWN = ["age", "income", "rent"]
ASKED: dict[str, Any] = {
    "known": KNOWN,
    "attacks": ["guess", "dbrl", "rbrl-max"],
    "measures": ["reidentification"],
    "seed": 3,
}
RELEASED = unmask.masks.Noise(a=0.2)
#: Under this budget rbrl-max, made slow, is tried on 600 people.
SLOW, TIGHT = Cost(0.0, each=1e6 / 3), 600.5


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rank-based linkage takes a second for each person, the rest nothing."""
    monkeypatch.setattr(cost, "ATTACKS", {"guess": Cost(0), "dbrl": Cost(0), "rbrl-max": SLOW})


def session(**asked: Any) -> Session:
    return Session(*requested(Verb.ASSESS, PEOPLE, RELEASED, {**ASKED, **asked}))


# --- the plan ---------------------------------------------------------------------------------------------


def test_what_fits_is_tried_in_full_and_the_rest_shares_what_is_left() -> None:
    parts = [
        Planned.of("a", 0, 1e-3, 10_000),
        Planned.of("b", 5, 1e-2, 10_000),
        Planned.of("c", 5, 1e-1, 10_000),
    ]
    plan = planned(parts, 100.0)
    assert [part.tried for part in plan.parts] == [10_000, 4000, 400]
    assert plan.tried("a") is None
    assert plan.tried("b") == 4000
    assert plan.seconds == pytest.approx(100.0)
    assert planned(parts, 1000.0).tried("b") is None
    assert not planned(parts, None).sampled


def test_a_few_people_are_always_tried_and_never_more_than_there_are() -> None:
    plan = planned([Planned.of("a", 100, 1, 10_000), Planned.of("b", 0, 1, 50)], 10.0)
    assert [part.tried for part in plan.parts] == [FEWEST, 50]
    assert plan.seconds > 10


def test_a_part_that_takes_long_to_get_ready_leaves_the_others_their_due() -> None:
    plan = planned([Planned.of("a", 1000, 1e-3, 10_000), Planned.of("b", 0, 1e-3, 10_000)], 60.0)
    assert not plan.sampled


def test_costs_grow_with_the_files_and_plug_ins_have_one() -> None:
    small, large = Sizes(1000, 1000, 5), Sizes(100_000, 100_000, 5)
    for known in (*cost.ATTACKS.values(), *cost.MEASURES.values(), cost.UNLISTED, cost.UNLISTED_MEASURE):
        assert known.files(small) <= known.files(large)
        assert known.person(small) <= known.person(large)
    assert cost.attack_cost("of-another-package:x=1") == cost.UNLISTED
    assert cost.measure_cost("of-another-package") == cost.UNLISTED_MEASURE


# --- the people who are tried -----------------------------------------------------------------------------


@pytest.mark.usefixtures("slow")
def test_the_same_people_are_tried_whatever_the_threads_and_fewer_are_some_of_the_more() -> None:
    rbrl = attack_named("rbrl-max")
    tried = [
        Session(
            *requested(Verb.ASSESS, PEOPLE, RELEASED, {**ASKED, "budget": TIGHT}),
            LocalEngine(threads=threads),
        )
        .within(rbrl)
        .tried
        for threads in (1, 2)
    ]
    assert len(tried[0]) == 600
    assert np.array_equal(*tried)
    assert np.isin(session(budget=450.0).within(rbrl).tried, tried[0]).all()
    dbrl = session(budget=TIGHT)
    assert dbrl.within(attack_named("dbrl")) is dbrl.stage()


def test_who_hangs_together_is_worked_out_once_however_many_are_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[Truth] = []

    def counted(dossier: Dossier, truth: Truth) -> Dependence:
        made.append(truth)
        return Dependence(np.arange(len(truth.row)) // 2)

    monkeypatch.setattr(Dependence, "of", counted)
    stage = session().stage()
    some = stage.fewer(600, 1)
    for asked in (some.fewer(50, 1), some, stage, stage.among(stage.people[:700])):
        assert np.array_equal(asked.dependence.cls, asked.tried // 2)
    assert len(made) == 1
    assert len(stage.knowing(("age",)).dependence.cls) == len(PEOPLE)
    assert len(made) == 2  # who knows less sees other records alike


@pytest.mark.usefixtures("slow")
def test_what_is_kept_for_a_stage_does_not_keep_it() -> None:
    made = session(budget=TIGHT)
    cache, rbrl = made.engine.cache, attack_named("rbrl-max")
    assert made.within(rbrl).dependence is not made.stage().dependence
    gone = ref(made.stage())
    del made
    gc.disable()  # a circle of references would wait for the collector, and a million records with it
    try:
        assert gone() is None
        assert not cache._kept
    finally:
        gc.enable()


@pytest.mark.usefixtures("slow")
def test_a_sampled_attack_has_a_wider_interval_that_covers_what_all_give() -> None:
    full, some = (
        unmask.assess(PEOPLE, RELEASED, **ASKED, **extra) for extra in ({"full": True}, {"budget": TIGHT})
    )
    everybody, sample = (risk.document.result("rbrl-max") for risk in (full, some))
    assert everybody is not None
    assert sample is not None
    assert (everybody.n, sample.n) == (1500, 600)
    assert sample.high - sample.low > everybody.high - everybody.low
    assert sample.low <= everybody.value <= sample.high
    # What fits is as it was, to the bit.
    assert full.document.result("dbrl").value == some.document.result("dbrl").value


@pytest.mark.usefixtures("slow")
def test_the_union_counts_those_whom_all_attacks_were_tried_on() -> None:
    some = unmask.assess(PEOPLE, RELEASED, **ASKED, budget=TIGHT)
    dbrl, rbrl = (run for run in some.runs if run.attack != "guess")
    best = np.fmax(
        dbrl.estimates["reidentification"].per_record[rbrl.places],
        rbrl.estimates["reidentification"].per_record,
    )
    union = some.document.result("union")
    assert union.n == 600
    assert union.value == pytest.approx(best.mean())
    assert union.value >= some.document.result("rbrl-max").value


@pytest.mark.usefixtures("slow")
def test_records_say_nothing_of_people_who_were_not_tried() -> None:
    some = unmask.assess(PEOPLE, RELEASED, **ASKED, budget=TIGHT)
    full = unmask.assess(PEOPLE, RELEASED, **ASKED, full=True).records()
    records = some.records()
    tried = records["rbrl-max_belief"].is_not_null()
    assert (len(records), tried.sum()) == (1500, 600)
    for name in ("rbrl-max_belief", "rbrl-max_closer", "rbrl-max_tied", "rbrl-max_p_value"):
        assert records[name].filter(tried).equals(full[name].filter(tried))
    assert records["highest_belief"].filter(tried).equals(full["highest_belief"].filter(tried))
    assert records["highest_belief"].filter(~tried).equals(records["dbrl_belief"].filter(~tried))
    assert not records["why"].filter(~tried).str.contains("rbrl-max").any()
    assert records["why"].filter(tried).equals(full["why"].filter(tried))


def test_files_that_share_nothing_and_synthetic_files_have_a_plan() -> None:
    other = PEOPLE.frame.select(pl.all().name.suffix(" there")).head(60)
    found = Session(*requested(Verb.ASSESS, PEOPLE.frame.head(60), other, {"truth": "rows"}))
    assert [part.people for part in found.plan.parts][:1] == [60]
    frame = PEOPLE.frame.head(60)
    assert not Session(*requested(Verb.ASSESS, frame, frame, {"synthetic": True})).plan.sampled


@pytest.mark.usefixtures("slow")
def test_people_who_are_not_in_the_release_are_drawn_too() -> None:
    released = RELEASED.apply(PEOPLE, np.random.default_rng(1)).data.frame.head(1000)
    original = PEOPLE.frame.with_columns(key=pl.int_range(1500))
    asked = {**ASKED, "truth": "key", "budget": TIGHT}
    some = unmask.assess(original, released.with_columns(key=pl.int_range(1000)), **asked)
    run = next(run for run in some.runs if run.attack == "rbrl-max")
    assert run.estimates["reidentification"].n == FEWEST
    assert (run.standing.closer < 0).sum() == FEWEST / 2


# --- what is said of it -----------------------------------------------------------------------------------


@pytest.mark.usefixtures("slow")
def test_every_output_says_who_was_tried(capsys: pytest.CaptureFixture[str]) -> None:
    from unmask.cli.terminal import show_assessment

    some = unmask.assess(PEOPLE, RELEASED, **ASKED, budget=TIGHT)
    said = "tried on a random sample of 600 of the 1,500 people, to fit the budget"
    (attack,) = (attack for attack in some.document.attacks if attack.name == "rbrl-max")
    assert said in attack.notes
    assert any("--full tries everybody" in note for note in some.document.notes)
    assert said in some.to_json()
    assert any("random sample of 600" in note for note in notes(some.document))
    assert "random sample of 600 of the 1,500 people" in some.to_html()
    table = some.table()
    assert table.filter(attack="rbrl-max")["n"].to_list() == [600]
    show_assessment(some.document)
    shown = capsys.readouterr().out
    assert "600" in next(line for line in shown.splitlines() if "rbrl-max" in line)
    assert said in shown


def test_a_file_that_fits_is_said_nothing_of() -> None:
    quick, full = (
        unmask.assess(PEOPLE, RELEASED, **ASKED),
        unmask.assess(PEOPLE, RELEASED, **ASKED, full=True),
    )
    assert not any("sample" in note for note in quick.document.notes)
    assert quick.table().equals(full.table())
    assert quick.records().equals(full.records())


@pytest.mark.usefixtures("slow")
def test_full_tries_everybody() -> None:
    plan = session(full=True).plan
    assert not plan.sampled
    assert plan.seconds == pytest.approx(1500)
    assert list(plan.lines()) == ["rbrl-max: about 25 min"]


@pytest.mark.usefixtures("slow")
def test_the_headline_speaks_of_the_sample_where_the_best_attack_had_one() -> None:
    some = unmask.assess(PEOPLE, RELEASED, **{**ASKED, "attacks": ["rbrl-max"]}, budget=TIGHT)
    from unmask.report import headline

    assert headline(some.document).startswith("Of a random sample of 600 people from 1,500 in the release,")


def test_models_learn_from_fewer_people_where_they_do_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cost, "MEASURES", {"model-disclosure": Cost(0.0, 1e6)})
    asked = {"measures": ["model-disclosure", "model-release"], "roles": {"health": "confidential"}}
    found = Session(
        *requested(Verb.ASSESS, PEOPLE.frame, PEOPLE.frame, {"seed": 1, "budget": 900.0, **asked})
    )
    assert {measure.modelling.limit for measure in found.file_measures} == {FEWEST}
    assert any("model-disclosure on 400 of 1,500" in note for note in found.notes)


# --- the request ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("asked", [{}, {"budget": 7.5}, {"full": True}])
def test_a_request_keeps_its_budget(asked: dict[str, Any]) -> None:
    request = Request(RequestFiles("people.csv", "released.csv"), **asked)
    assert from_toml(to_toml(request)) == request
    assert from_plain(to_plain(request)) == request
    assert request.budget == asked.get("budget", BUDGET)


def test_an_older_request_has_the_usual_budget() -> None:
    request = Request(RequestFiles("people.csv", "released.csv"))
    older = {name: value for name, value in to_plain(request).items() if name not in ("budget", "full")}
    assert from_plain(older) == request


@pytest.mark.parametrize("asked", [{"budget": 0}, {"budget": float("nan")}, {"budget": 1, "full": True}])
def test_a_budget_that_means_nothing_is_refused(asked: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError, match="budget"):
        Request(RequestFiles("people.csv", "released.csv"), **asked)


@pytest.mark.parametrize("verb", [Verb.KNOWLEDGE, Verb.CHECK])
def test_a_verb_that_has_no_budget_refuses_one(verb: Verb) -> None:
    with pytest.raises(ArgumentError, match="no use for 'full'"):
        Request(RequestFiles("people.csv", "released.csv"), verb, full=True)


# --- while one waits --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("verbose", "terminal"), [(False, False), (True, False), (False, True)])
def test_results_appear_as_they_come_on_a_terminal_or_where_asked(
    verbose: bool, terminal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    console = Console(file=io.StringIO(), force_terminal=terminal, width=80)
    monkeypatch.setattr(watching, "err", console)
    with watching.watching(verbose) as watcher:
        unmask.assess(PEOPLE, RELEASED, **ASKED, engine=LocalEngine(watcher=watcher))
    assert ("dbrl: " in console.file.getvalue()) == (verbose or terminal)
    assert ("by chance" in console.file.getvalue()) == (verbose or terminal)
