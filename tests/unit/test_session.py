"""The session: files opened once, experiments made once, a bound on what is kept, progress and cancelling."""

from __future__ import annotations

import gc
import threading
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import unmask
from unmask import Request, RequestFiles, Scenario, Session
from unmask.about import About
from unmask.assessment import inputs
from unmask.assessment.asked import requested
from unmask.assessment.request import Verb
from unmask.assessment.stage import Stage
from unmask.attacks import ATTACKS, DBRL, Attack, Matcher
from unmask.data.example import people
from unmask.data.key_classes import KeyFrame, key_frame
from unmask.data.microdata import Floats, Microdata
from unmask.engines import Cache, Engine, LocalEngine, Watcher
from unmask.errors import Cancelled, UnmaskError
from unmask.intruder.dossier import Dossier
from unmask.masks import GlobalRecoding, Noise
from unmask.measures import MEASURES, evidence
from unmask.studies.assess import assessment
from unmask.studies.conclusion import repeating
from unmask.studies.knowledge import curves_of
from unmask.studies.releases import comparison

PEOPLE = people(120)
KNOWN = ("age", "income", "rent")
QUICK: Any = {"attacks": ["guess", "dbrl", "rbrl-sum"], "measures": list(MEASURES), "seed": 1}


@dataclass(frozen=True)
class Counting:
    """DBRL that counts how often it was made ready."""

    seen: list[Dossier] = field(default_factory=list)
    name: str = "counting"
    about: About = DBRL.about

    def prepare(self, dossier: Dossier, rng: np.random.Generator, engine: Engine) -> Matcher:
        self.seen.append(dossier)
        return DBRL().prepare(dossier, rng, engine)


def session(engine: Engine | None = None, **asked: Any) -> Session:
    request, given = requested(Verb.ASSESS, PEOPLE, Noise(a=0.3), {**QUICK, **asked})
    return Session(request, given, engine)


# --- files ----------------------------------------------------------------------------------------------


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each file was read."""
    counted: Counter[str] = Counter()
    read = inputs.read

    def counting(path: str, **options: Any) -> object:
        counted[Path(path).name] += 1
        return read(path, **options)

    monkeypatch.setattr(inputs, "read", counting)
    return counted


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RequestFiles:
    """Files of all roles, in the current folder."""
    monkeypatch.chdir(tmp_path)
    PEOPLE.frame.write_csv("original.csv")
    for place, name in enumerate(("released", "earlier", "older")):
        masked = Noise(a=0.3).apply(PEOPLE, np.random.default_rng(place))
        masked.data.frame.drop("person").write_csv(f"{name}.csv")
    others = people(60, seed=2).frame
    others.write_csv("holdout.csv")
    PEOPLE.frame.vstack(others).write_csv("population.csv")
    return RequestFiles(
        "original.csv",
        "released.csv",
        earlier=("earlier.csv", "older.csv"),
        follow="order",
        population="population.csv",
        holdout="holdout.csv",
    )


def test_every_file_is_read_once(files: RequestFiles, reads: Counter[str]) -> None:
    request = Request(
        files,
        scenario=Scenario(known=KNOWN),
        attacks=("guess", "dbrl"),
        measures=("reidentification", "k-anonymity", "population-uniques", "membership-distance"),
    )
    risk = assessment(Session(request))
    assert reads == {f"{name}.csv": 1 for name in ("original", "released", "earlier", "older")} | {
        "population.csv": 1,
        "holdout.csv": 1,
    }
    assert {row.keys.release for row in risk.document.table.having("release")} >= {"earlier 1", "earlier 2"}


def test_what_is_not_needed_is_not_read(files: RequestFiles, reads: Counter[str]) -> None:
    asked = Request(files, scenario=Scenario(known=KNOWN), attacks=("dbrl",))
    for bad in ({"attacks": ("dbrll",)}, {"measures": ("k-anonymty",)}, {"mechanism": "nois:a=1"}):
        with pytest.raises(UnmaskError, match="did you mean"):
            Session(replace(asked, **bad))  # type: ignore[arg-type]
    assert not reads
    pair = RequestFiles(files.original, files.released)
    grid = unmask.Grid(size=1, errors=(), shares=())
    curves_of(Session(replace(asked, files=pair, verb=Verb.KNOWLEDGE, grid=grid)))
    assert reads == {"original.csv": 1, "released.csv": 1}


@pytest.mark.parametrize("verb", [Verb.ASSESS, Verb.KNOWLEDGE, Verb.COMPARE])
def test_run_answers_every_verb_and_reads_each_file_once(
    files: RequestFiles, reads: Counter[str], verb: Verb
) -> None:
    asked: dict[str, Any] = {"scenario": Scenario(known=KNOWN), "attacks": ("dbrl",)}
    if verb is Verb.KNOWLEDGE:
        files = RequestFiles(files.original, files.released)
        asked["grid"] = unmask.Grid(size=2, errors=(0.1,), shares=(0.5,))
    else:
        asked["measures"] = ("reidentification",)
    if verb is Verb.COMPARE:
        files = replace(files, population=None, holdout=None, model=None)
    request = Request(files, verb, **asked)
    result = unmask.run(request)
    kinds = {
        Verb.ASSESS: unmask.Assessment,
        Verb.KNOWLEDGE: unmask.KnowledgeCurves,
        Verb.COMPARE: unmask.Comparison,
    }
    assert type(result) is kinds[verb]
    assert max(reads.values()) == 1
    assert result.document.provenance.request is not None


# --- stages and experiments -------------------------------------------------------------------------------


def test_a_scenario_is_staged_once_and_another_is_another() -> None:
    made = session()
    stage = made.stage()
    assert made.stage() is stage
    assert made.stage(Scenario()) is stage  # an equal scenario is the same one
    vague = made.stage(Scenario(error=0.1))
    assert vague is not stage
    assert made.stage(Scenario(error=0.1)) is vague
    assert session().stage() is not stage
    assert made.watcher.made["stage"] == 2


def test_a_part_of_a_stage_is_made_once() -> None:
    made = session()
    stage = made.stage()
    part = made.knowing(stage, ("age", "income"))
    assert made.knowing(stage, ("age", "income")) is part
    assert made.knowing(stage, ("income",)) is not part
    assert made.knowing(stage, stage.dossier.known.schema.names()) is stage
    assert part.dossier.known.schema.names() == ("age", "income")
    assert part.dossier.released is stage.dossier.released


def test_the_same_experiment_is_made_once() -> None:
    attack = Counting()
    made = session(attacks=[attack])
    runs = made.runs(attack, made.stage())
    assert made.runs(attack, made.stage()) is runs
    assert len(attack.seen) == 1
    assert made.runs(attack, made.stage(Scenario(error=0.2))) is not runs
    assert len(attack.seen) == 2
    few = (MEASURES["reidentification"],)
    assert made.runs(attack, made.stage(), few) is not runs
    assert made.runs(attack, made.stage(), few, depth=1) is not made.runs(attack, made.stage(), few)
    assert made.watcher.made["run"] == 4


def test_another_attack_is_another_experiment() -> None:
    made = session(attacks=["dbrl", "owa:alpha=4", "owa:alpha=3"])
    values = [made.runs(attack, made.stage())[0].attack for attack in made.attacks]
    assert values == ["dbrl", "owa:alpha=4", "owa:alpha=3"]
    assert made.watcher.made["run"] == 3


def test_curves_make_each_experiment_once() -> None:
    """The error 0 and the share 1 of the curves are what the largest set was tried with already."""
    attack = Counting()
    data = PEOPLE.only(("age", "income", "rent"))
    grid = unmask.Grid(size=3, errors=(0.0, 0.2), shares=(0.5,))
    unmask.knowledge_curves(data, data, attack=attack, grid=grid)
    assert len(attack.seen) == 7 + 1 + 1  # all sets, of which one is everything; an error; a share


def test_experiments_go_with_their_session() -> None:
    engine = LocalEngine()
    made = session(engine)
    assessment(made)
    assert engine.cache._kept
    del made
    gc.collect()
    left = {key[1][0] for key in engine.cache._kept}
    assert not left & {"stage", "run", "part of a stage"}


# --- what is kept changes no number -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def text() -> str:
    return assessment(session()).to_json()


@pytest.mark.parametrize("limit", [0, 5_000, 100_000])
def test_a_cache_that_keeps_little_gives_the_same_bytes(text: str, limit: int) -> None:
    engine = LocalEngine(cache=Cache(limit=limit))
    assert assessment(session(engine)).to_json() == text
    assert engine.cache._bytes <= limit


def test_a_cache_that_keeps_nothing_gives_the_same_comparison_and_curves() -> None:
    asked: Any = {"known": KNOWN, "attacks": ["dbrl"], "seed": 2}
    compare: Any = {**asked, "earlier": [Noise(a=0.4)], "follow": "order"}
    grid = unmask.Grid(size=2, errors=(0.0, 0.1), shares=(0.5, 1.0))
    texts = []
    for limit in (Cache().limit, 0):
        request, given = requested(Verb.COMPARE, PEOPLE, Noise(a=0.3), compare)
        compared = comparison(Session(request, given, LocalEngine(cache=Cache(limit=limit))))
        engine = LocalEngine(cache=Cache(limit=limit))
        curves = unmask.knowledge_curves(PEOPLE, Noise(a=0.3), grid=grid, engine=engine, known=KNOWN)
        texts.append((compared.to_json(), curves.to_json()))
    assert texts[0] == texts[1]


def test_an_engine_may_serve_several_sessions(text: str) -> None:
    engine = LocalEngine()
    first, other = assessment(session(engine)), assessment(session(engine, seed=2))
    assert assessment(session(engine)).to_json() == first.to_json() == text
    assert other.to_json() != text


# --- progress ---------------------------------------------------------------------------------------------


class Recorder(Watcher):
    """A watcher that keeps what it is told."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.steps: list[tuple[str, int, int]] = []
        self.lines: list[str] = []

    def begin(self, part: str) -> None:
        super().begin(part)
        self.parts.append(part)

    def advance(self, done: int, total: int) -> None:
        super().advance(done, total)
        self.steps.append((self.parts[-1], done, total))

    def log(self, line: str) -> None:
        self.lines.append(line)


def test_progress_reaches_the_watcher() -> None:
    watcher = Recorder()
    measures = ["reidentification", "k-anonymity", "interval-rank"]
    assessment(session(LocalEngine(watcher=watcher, block=50), measures=measures))
    # Noise changed the keys, so that k-anonymity does not apply and is not begun.
    assert watcher.parts == ["reading", "guess", "dbrl", "rbrl-sum", "interval-rank"]
    assert {part for part, _, _ in watcher.steps} >= {"dbrl", "rbrl-sum"}
    assert all(0 < done <= total for _, done, total in watcher.steps)
    of_dbrl = [(done, total) for part, done, total in watcher.steps if part == "dbrl"]
    assert any(done == total for done, total in of_dbrl)
    assert any(done < total for done, total in of_dbrl)
    assert watcher.lines
    assert watcher.made["stage"] == 1
    assert watcher.made["run"] == 3


def test_releases_and_sources_begin_parts_of_their_own() -> None:
    watcher = Recorder()
    sources = (unmask.Source(("age", "income")), unmask.Source(("rent",), targets=60))
    made = session(
        LocalEngine(watcher=watcher),
        attacks=["dbrl"],
        measures=["reidentification"],
        scenario=Scenario(sources=sources),
        earlier=[Noise(a=0.4)],
        follow="order",
    )
    assessment(made)
    assert watcher.parts == ["reading", "dbrl", "earlier releases", "dbrl by release", "dbrl by source"]


def test_nothing_that_is_told_is_a_value_of_a_record() -> None:
    watcher = Recorder()
    secret = PEOPLE.frame.with_columns(region=PEOPLE.frame["region"].cast(str) + "Zq")
    measures = [*MEASURES, "k-anonymity", "dis-suda", "l-diversity"]
    unmask.assess(secret, secret, measures=measures, engine=LocalEngine(watcher=watcher))
    assert watcher.lines
    assert "Zq" not in " ".join([*watcher.lines, *watcher.parts, *watcher.made])


# --- cancelling -------------------------------------------------------------------------------------------


class FromBegin(Recorder):
    """A watcher that cancels when a part begins."""

    def begin(self, part: str) -> None:
        if part == "rbrl-sum":
            self.cancel()
        super().begin(part)


class FromAdvance(Recorder):
    """A watcher that cancels between two blocks."""

    def advance(self, done: int, total: int) -> None:
        if self.parts[-1:] == ["dbrl"]:
            self.cancel()
        super().advance(done, total)


@pytest.mark.parametrize(
    "watcher",
    [FromBegin(), FromAdvance()],
    ids=["begin", "advance"],
)
def test_a_watcher_cancels_from_its_own_methods(watcher: Recorder) -> None:
    with pytest.raises(Cancelled):
        unmask.assess(PEOPLE, Noise(a=0.3), **QUICK, engine=LocalEngine(watcher=watcher))
    assert watcher.parts == ["reading", "guess", "dbrl"]
    with pytest.raises(Cancelled):  # and stays cancelled
        unmask.assess(PEOPLE, Noise(a=0.3), **QUICK, engine=LocalEngine(watcher=watcher))


def test_the_work_is_cancelled_from_another_thread() -> None:
    begun, cancelled = threading.Event(), threading.Event()

    class Waiting(Recorder):
        def advance(self, done: int, total: int) -> None:
            begun.set()
            assert cancelled.wait(timeout=60)
            super().advance(done, total)

    made = session(LocalEngine(watcher=Waiting(), threads=2, block=10))

    def cancel() -> None:
        assert begun.wait(timeout=60)
        made.cancel()
        cancelled.set()

    other = threading.Thread(target=cancel)
    other.start()
    with pytest.raises(Cancelled):
        assessment(made)
    other.join()


def test_what_was_cancelled_before_it_began_reads_nothing(files: RequestFiles, reads: Counter[str]) -> None:
    made = Session(Request(files, attacks=("dbrl",)))
    made.cancel()
    with pytest.raises(Cancelled):
        assessment(made)
    assert not reads


@pytest.mark.parametrize("follow", ["order", "none"])
def test_cancelling_is_no_reason_for_a_missing_estimate(follow: str) -> None:
    """What is refused for one release is not estimable; a cancelled comparison is not a result at all."""

    class Late(Recorder):
        def begin(self, part: str) -> None:
            super().begin(part)
            if part == "dbrl by release":
                self.cancel()

    engine = LocalEngine(watcher=Late())
    with pytest.raises(Cancelled):
        unmask.assess_releases(
            PEOPLE, Noise(a=0.3), [Noise(a=0.3)], follow=follow, attacks=["dbrl"], known=KNOWN, engine=engine
        )


def test_curves_are_cancelled_too() -> None:
    class Soon(Recorder):
        def advance(self, done: int, total: int) -> None:
            if len(self.steps) == 3:
                self.cancel()
            super().advance(done, total)

    watcher = Soon()
    with pytest.raises(Cancelled):
        unmask.knowledge_curves(PEOPLE, Noise(a=0.3), known=KNOWN, engine=LocalEngine(watcher=watcher))
    assert len(watcher.steps) == 3


# --- what is made -----------------------------------------------------------------------------------------


def test_key_classes_are_made_at_most_twice_for_a_set_of_attributes_and_a_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[tuple[Microdata, tuple[str, ...]]] = []

    def counting(data: Microdata, names: Any, *ranks: Any) -> KeyFrame:
        made.append((data, tuple(names)))
        return key_frame(data, names, *ranks)

    def once(session: Session, attack: Attack, stage: Stage) -> Floats:
        return np.zeros(len(stage.tried))

    monkeypatch.setattr(evidence, "key_frame", counting)
    monkeypatch.setattr(repeating, "beliefs", once)  # a conclusion repeats an attack
    watcher = Watcher()
    mask = GlobalRecoding(width=2, attributes=("education",))
    unmask.assess(PEOPLE, mask, engine=LocalEngine(watcher=watcher), seed=1)
    times = Counter((id(data), names) for data, names in made)
    assert watcher.made["key classes"] == len(made) > 0
    assert max(times.values()) <= 2
    assert watcher.made["stage"] == 1
    assert watcher.made["run"] == len(ATTACKS)


ASKED = (
    {"known": ["age", "sex", "income"], "seed": 1},
    {"known": ["age", "region"], "seed": 1},
    {"scenario": unmask.Scenario(known=("age", "sex", "income"), missing=unmask.Missing.WILDCARD), "seed": 1},
    {"known": ["age", "sex", "income"], "seed": 2, "sample": 30},
)


def test_an_engine_that_served_others_gives_the_numbers_of_a_new_one() -> None:
    """What is kept belongs to files and requests: nothing of one assessment leaks into the next."""
    whole = people(120)
    frame = whole.frame.with_columns(
        pl.when(pl.int_range(120) % 7 == 0).then(None).otherwise(pl.col(name)).alias(name)
        for name in ("age", "income", "sex")
    )
    original = unmask.Microdata(whole.schema, frame)
    releases = [Noise(a=a).apply(original, np.random.default_rng(1)).data for a in (0.1, 0.5)]
    measures = ["reidentification", "interval-rank", "k-anonymity", "sample-uniques", "l-diversity"]
    measures += ["special-uniques", "cells-external", "membership-distance", "log-linear-uniques"]
    holdout, shared = people(100, seed=5), LocalEngine()
    for asked in ASKED:
        for released in releases:
            common = {"attacks": ["dbrl", "rbrl-sum", "prl"], "measures": measures, "holdout": holdout}
            again = unmask.assess(original, released, engine=shared, **asked, **common)
            alone = unmask.assess(original, released, engine=LocalEngine(), **asked, **common)
            assert again.to_json() == alone.to_json()
            assert again.records().equals(alone.records())
