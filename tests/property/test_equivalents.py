"""A command or a call that is shown asks for the very request it was made of, or is not shown at all."""

from __future__ import annotations

import contextlib
import shlex
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st
from typer.main import get_command

import unmask
from unmask.assessment.equivalents import command, python
from unmask.assessment.equivalents.command_line import _SAYS
from unmask.assessment.request import UNUSED, Grid, Occasion, Request, RequestFiles, Verb
from unmask.cli.verbs import app
from unmask.data.edits import EVERY, ColumnEdit
from unmask.data.io.sources import Options
from unmask.data.missing import Missing
from unmask.data.schema import KIND_WORDS, Role
from unmask.errors import ArgumentError
from unmask.intruder.scenario import Scenario
from unmask.intruder.sources import Source

Text = st.SearchStrategy[str]

#: What nothing could misread, and what everything could.
WORD: Text = st.text("abcxyz_09", min_size=1, max_size=6)
HAZARDS = (
    *("", "-", "--", "--seed", "-o", "-9", "a.toml", "a.TOML", "./a", "a//b", "rows", "then", "*", "~", "$a"),
    *("a,b", "a+b", "a=b", "a|b", "a:b", '"', '"a,b"', "'", " a", "a ", "{a}", "a b", "=a", "=", "+", ","),
    *("\\", "`b`", "\t", "a\nb", "e\u00ad\u0301", "\u00e9", "\u202ea", "\x1b[2J", "\ud800", "a\u00a0"),
)  # fmt: skip
ODD: Text = st.one_of(WORD, WORD, st.sampled_from(HAZARDS), st.text("ab9,=+-:|*{}\"' .\\", max_size=4))
SHARE = st.floats(0.001, 0.999)
MASKS = (
    "noise:a={0.1,0.5}",
    "pram:p=9",
    "microaggregation:k=3 then noise:a=0.1",
    "exec:cp {original} {released}",
)
MAKES = ("noise:a=0.1", 'rank-swapping:p=5,attributes="a, b"+c', "noise: a=0.50", MASKS[-1])
GROUPS: dict[str, Any] = {"scenario": Scenario, "grid": Grid, "occasion": Occasion}

NEEDS = {
    Verb.STUDY: ("masks",),
    Verb.PROTECT: ("policy",),
    Verb.MASK: ("mask",),
    Verb.COMPARE: ("files.earlier",),
    Verb.KNOWLEDGE: ("attacks",),
}


def names(word: Text) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(word, min_size=1, max_size=3, unique=True).map(tuple)


def sources(word: Text) -> st.SearchStrategy[tuple[Source, ...]]:
    one = st.builds(
        Source, st.none() | names(word), st.none() | SHARE | st.integers(1, 99), st.floats(0, 3) | st.just(1)
    )
    return st.lists(valid(one), min_size=1, max_size=2).map(tuple)


@st.composite
def valid(draw: st.DrawFn, made: st.SearchStrategy[Any]) -> Any:
    try:
        return draw(made)
    except ArgumentError:
        reject()


def edits(word: Text) -> st.SearchStrategy[tuple[ColumnEdit, ...]]:
    one = st.builds(
        ColumnEdit,
        word | st.just(EVERY),
        st.none() | st.sampled_from(KIND_WORDS),
        st.none() | st.sampled_from(Role),
        st.none() | st.lists(word, max_size=2).map(tuple),
        st.none() | word,
    )
    useful = valid(one).filter(lambda edit: word is ODD or edit != ColumnEdit(edit.name))
    return st.lists(useful, min_size=1, max_size=3, unique_by=lambda edit: edit.name).map(tuple)


def methods(*choices: str) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(choices), min_size=1, unique=True).map(tuple)


def values(word: Text) -> dict[str, st.SearchStrategy[Any]]:
    """A value for each part of a request."""
    seconds = st.integers(1, 2**60 if word is ODD else 2**50) | st.floats(0.001, 1e9)
    flag, shares = st.just(True), st.lists(SHARE, max_size=3).map(tuple)
    odd = ("dbrl", "a,b=c", " guess") if word is ODD else ("dbrl",)
    path = word.filter(bool) if word is WORD else word
    return {
        **{f"files.{name}": path for name in ("schema", "released_schema", "model")},
        **{f"files.{name}": word for name in ("truth", "population", "holdout", "ledger")},
        **{f"files.options.{field.name}": word for field in fields(Options)},
        "files.synthetic": flag,
        "files.sidecar": st.just(False),
        "files.trust_model": flag,
        "files.earlier": names(word),
        "files.follow": st.sampled_from(("order", "key:person", "confidential:a,b")),
        "files.columns": edits(word),
        "scenario.known": names(word),
        "scenario.targets": SHARE | st.integers(1, 2**70),
        "scenario.error": st.floats(0, 3) | st.just(1),
        "scenario.missing": st.sampled_from(Missing),
        "scenario.block": names(word),
        "scenario.sources": sources(word),
        "scenario.presence": SHARE,
        "scenarios": st.just((Scenario(error=0.5), Scenario())),
        "attacks": methods(*odd, "guess", "owa:alpha=2,weights=1+2"),
        "measures": methods("reidentification", "k-anonymity"),
        "losses": methods("il1s", "total-variation"),
        "mechanism": word,
        "mask": st.sampled_from(MAKES[: 4 if word is ODD else 3]),
        "masks": methods(*MASKS[: 4 if word is ODD else 3]),
        "replicates": st.integers(1, 20),
        "least": word,
        "policy": word,
        **{f"occasion.{field.name}": word for field in fields(Occasion)},
        "grid.size": st.integers(1, 9),
        "grid.limit": st.integers(1, 9),
        "grid.threshold": SHARE,
        "grid.errors": shares,
        "grid.shares": shares,
        "candidates": st.integers(2, 99),
        "depth": st.integers(1, 50),
        "sample": st.integers(1, 2**70),
        "seed": st.integers(0, 2**70) | (st.just(10**5000) if word is ODD else st.nothing()),
        "time_limit": seconds | st.just(float("inf")),
        "budget": seconds,
        "full": flag,
        "exact": flag,
        "keep_identifiers": flag,
        "false_links": SHARE,
        "missed": SHARE,
    }


def used(verb: Verb) -> list[str]:
    """The parts that the verb has a use for."""
    every = values(WORD)
    return [path for path in every if not {path.partition(".")[0], path.rpartition(".")[2]} & {*UNUSED[verb]}]


def together(verb: Verb, chosen: set[str]) -> set[str]:
    """Those of the parts that go together, with those that the verb needs."""
    chosen = chosen | {
        *NEEDS.get(verb, ()),
        *({"files.model"} if "files.trust_model" in chosen else ()),
    }
    for either, others in (
        ("scenario.sources", {"scenario.known", "scenario.targets", "scenario.error"}),
        ("files.synthetic", {"attacks", "mechanism", "files.earlier"}),
        ("full", {"budget"}),
        ("mask", {"files.released_schema"}),
        ("scenarios", {path for path in chosen if path.startswith("scenario.")}),
    ):
        chosen -= others if either in chosen else set()
    return chosen


@st.composite
def requests(draw: st.DrawFn, verb: Verb, parts: list[str], word: Text, most: int = 6) -> Request:
    chosen = together(verb, draw(st.sets(st.sampled_from(parts), max_size=most)))
    found: dict[str, dict[str, Any]] = {}
    every = values(word)
    for path in sorted(chosen):
        group, _, name = path.rpartition(".")
        found.setdefault(group, {})[name] = draw(every[path])
    released = (
        "" if "mask" in chosen or verb in (Verb.MASK, Verb.STUDY, Verb.PROTECT) else draw(word.filter(bool))
    )
    try:
        files = RequestFiles(
            draw(word), released, options=Options(**found.get("files.options", {})), **found.get("files", {})
        )
        groups = {name: kind(**found.get(name, {})) for name, kind in GROUPS.items()}
        return Request(files, verb, **groups, **found.get("", {}))
    except ArgumentError:
        reject()


#: What does the work of a verb, of the command line and in Python.
WORK = {
    Verb.ASSESS: ("unmask.cli.assess", "answer"),
    Verb.CHECK: ("unmask.cli.check", "answer_check"),
    Verb.LOSS: ("unmask.cli.loss", "answer"),
    Verb.KNOWLEDGE: ("unmask.cli.knowledge", "answer"),
    Verb.MASK: ("unmask.cli.files", "write_masked"),
    Verb.STUDY: ("unmask.cli.study", "answer_study"),
    Verb.PROTECT: ("unmask.cli.protect", "answer_protect"),
}
OUTPUTS = {
    Verb.MASK: {"-o": "-x.csv"},
    Verb.PROTECT: {"--output": "y.csv"},
    Verb.ASSESS: {"--html": "a.html"},
}
COMMANDS = get_command(app)


def arrived(words: list[str]) -> Request:
    """The request that a command line asks for, once it was copied into a shell."""
    asked: list[Request] = []
    program, *arguments = shlex.split(shlex.join(words))
    assert program == "unmask"
    with pytest.MonkeyPatch.context() as patch:
        for module, name in WORK.values():
            patch.setattr(sys.modules[module], name, lambda request, *_, **__: asked.append(request))
        COMMANDS.main(arguments, prog_name="unmask", standalone_mode=False)
    (found,) = asked
    return found


class Opened:
    """In the place of a session: its request, and nothing else."""

    def __init__(self, request: Request, *_: object) -> None:
        self.request = self.files = self.understanding = request
        self.files = self  # type: ignore[assignment]  # unmask.check returns session.files.understanding


def masked(frame: str, method: str, *, seed: int = 0, schema: str | None = None, exact: bool = False,
           keep_identifiers: bool = False) -> Request:  # fmt: skip
    """As unmask.mask."""
    files = RequestFiles(frame, schema=schema)
    return Request(files, Verb.MASK, mask=method, seed=seed, exact=exact, keep_identifiers=keep_identifiers)


@contextlib.contextmanager
def idle() -> Iterator[None]:
    """The functions of unmask as they are, but that they return the request and do no work."""
    for name in ("assess", "check", "loss", "knowledge_curves", "assess_releases", "study", "protect"):
        getattr(unmask, name)
    own: Callable[..., Request] = lambda session, *_: getattr(session, "request", session)  # noqa: E731
    with pytest.MonkeyPatch.context() as patch:
        for module, work in (
            ("assess", "assessment"),
            ("check", None),
            ("loss", "losses_found"),
            ("knowledge.curves", "curves_of"),
            ("releases.assessing", "comparison"),
            ("protection.study", "study_of"),
            ("protection.protect", "protection_of"),
        ):
            place = sys.modules[f"unmask.studies.{module}"]
            if hasattr(place, "Session"):
                patch.setattr(place, "Session", Opened)
            if work is not None:
                patch.setattr(place, work, own)
        patch.setattr(unmask, "mask", masked, raising=False)
        yield


def returned(text: str) -> Request:
    """The request behind a text of Python."""
    names: dict[str, Any] = {}
    with idle():
        exec(compile(text, "shown", "exec"), names)
    found = names["result"]
    assert isinstance(found, Request)
    return found


def plain(request: Request) -> Request:
    """The request with what may be written in two ways written in one."""
    files = request.files
    paths = {
        name: str(Path(value)) if value else value
        for name in ("schema", "released_schema", "model")
        for value in (getattr(files, name),)
    }
    tab = "\t" if files.options.delimiter == "\\t" else files.options.delimiter
    columns = tuple(sorted(files.columns, key=lambda edit: edit.name))
    options = replace(files.options, delimiter=tab)
    mask = None if request.mask is None else request.mask.replace(" a=0.50", "a=0.5")
    return replace(request, files=replace(files, columns=columns, options=options, **paths), mask=mask)


def without_day(request: Request) -> Request:
    """The command line fills in the day of an assessment itself."""
    if request.verb is not Verb.ASSESS:
        return request
    return replace(request, occasion=replace(request.occasion, date=""))


EXAMPLES = settings(deadline=None, max_examples=20, suppress_health_check=[HealthCheck.filter_too_much])
MANY = settings(EXAMPLES, max_examples=80)


@pytest.mark.parametrize("verb", WORK)
@EXAMPLES
@given(data=st.data())
def test_the_command_line_says_all_that_it_can(verb: Verb, data: st.DataObject) -> None:
    parts = [path for path in values(WORD) if path in _SAYS[verb]]
    if verb in (Verb.MASK, Verb.STUDY, Verb.PROTECT):
        parts.remove("files.columns")  # some of which are renamed
    request = data.draw(requests(verb, parts, WORD))
    assert plain(arrived(command(request, OUTPUTS.get(verb, {})))) == plain(request)


@pytest.mark.parametrize("verb", WORK)
@MANY
@given(data=st.data())
def test_a_command_asks_for_nothing_else(verb: Verb, data: st.DataObject) -> None:
    # What is odd in one place is not seen where another one is refused first.
    request = data.draw(requests(verb, used(verb), ODD, most=2))
    try:
        words = command(request, OUTPUTS.get(verb, {}))
    except ArgumentError:
        return
    assert plain(arrived(words)) == plain(without_day(request))


FILES = RequestFiles("a", "b")
#: Requests with a word in one place.
PLACES: dict[str, Callable[[str], Request]] = {
    "original": lambda word: Request(replace(FILES, original=word)),
    "released": lambda word: Request(replace(FILES, released=word)),
    "schema": lambda word: Request(replace(FILES, schema=word)),
    "earlier": lambda word: Request(replace(FILES, earlier=("c", word))),
    "delimiter": lambda word: Request(replace(FILES, options=Options(word))),
    "column": lambda word: Request(replace(FILES, columns=(ColumnEdit(word, "numeric", missing=("9",)),))),
    "code": lambda word: Request(replace(FILES, columns=(ColumnEdit("c", missing=("8", word)),))),
    "every code": lambda word: Request(replace(FILES, columns=(ColumnEdit(EVERY, missing=(word,)),))),
    "renamed": lambda word: Request(replace(FILES, columns=(ColumnEdit("c", renamed=word),))),
    "known": lambda word: Request(FILES, scenario=Scenario(("c", word))),
    "block": lambda word: Request(FILES, scenario=Scenario(block=(word,))),
    "source": lambda word: Request(FILES, scenario=Scenario(sources=(Source(("c", word)),))),
    "attack": lambda word: Request(FILES, attacks=("dbrl", word)),
    "assessor": lambda word: Request(FILES, occasion=Occasion(word)),
    "study": lambda word: Request(RequestFiles(word), Verb.STUDY, masks=("noise:a=0.1",)),
    "policy": lambda word: Request(RequestFiles("a"), Verb.PROTECT, policy=word),
    "mechanism": lambda word: Request(FILES, mechanism=word),
}


@pytest.mark.parametrize("place", PLACES)
def test_every_hazard_in_every_place(place: str) -> None:
    for hazard in HAZARDS:
        words, text = None, None
        with contextlib.suppress(ArgumentError):
            request = PLACES[place](hazard)
            with contextlib.suppress(ArgumentError):
                words = command(request, OUTPUTS.get(request.verb, {}))
            text = python(request)
        if words is not None:
            assert plain(arrived(words)) == plain(request)
        if text is not None:
            assert plain(returned(text)) == plain(request)


@pytest.mark.parametrize("verb", Verb)
@EXAMPLES
@given(data=st.data())
def test_python_says_all_that_it_can(verb: Verb, data: st.DataObject) -> None:
    never = (
        "files.ledger",
        "scenarios",
        *(path for path in values(WORD) if path.startswith("files.options")),
    )
    parts = [path for path in used(verb) if path not in never]
    if verb is Verb.MASK:
        parts.remove("files.columns")
        parts.remove("files.sidecar")
    request = data.draw(requests(verb, parts, WORD))
    assert plain(returned(python(request))) == plain(request)


@pytest.mark.parametrize("verb", Verb)
@EXAMPLES
@given(data=st.data())
def test_a_call_asks_for_nothing_else(verb: Verb, data: st.DataObject) -> None:
    request = data.draw(requests(verb, used(verb), ODD, most=3))
    try:
        text = python(request)
    except ArgumentError:
        return
    if verb is Verb.MASK:  # no file is written, and nothing beside it
        request = replace(request, files=replace(request.files, sidecar=True))
    assert plain(returned(text)) == plain(request)
