"""A request survives every view of it: plain data, JSON, TOML, the command line, a Python call."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from unmask.assessment.asked import requested
from unmask.assessment.request import UNUSED, Grid, Request, RequestFiles, Verb
from unmask.assessment.request_file import from_plain, from_toml, to_plain, to_toml
from unmask.cli.verbs import app
from unmask.data.edits import ColumnEdit, edits_of
from unmask.data.io.sources import Options
from unmask.data.missing import Missing
from unmask.data.schema import KIND_WORDS, Role
from unmask.data.text import plain_text
from unmask.errors import ArgumentError, DataError
from unmask.intruder.follow import Follow, How
from unmask.intruder.scenario import Scenario
from unmask.intruder.sources import Source
from unmask.masks import Noise, RankSwapping, parse
from unmask.parsing import written

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=8)
#: What a comma-separated list on the command line can hold.
WORD = st.text("abcxyz_09", min_size=1, max_size=6)
HEAD = 'format = "unmask-request"\nversion = 1\n'
SHARE = st.floats(0.001, 0.999)
ATTACKS = ("guess", "dbrl", "rbrl-sum", "owa:alpha=2", "learned-wm")
LOSSES = ("il1s",)
MEASURES = ("reidentification", "k-anonymity", "sample-uniques")


def names(word: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(word, min_size=1, max_size=3, unique=True).map(tuple)


def several(choices: tuple[str, ...]) -> st.SearchStrategy[tuple[str, ...] | None]:
    return st.none() | st.lists(st.sampled_from(choices), min_size=1, unique=True).map(tuple)


@st.composite
def scenarios(draw: st.DrawFn, word: st.SearchStrategy[str]) -> Scenario:
    how_many = st.none() | st.integers(1, 10**6) | SHARE
    error = st.floats(0, 3)
    missing = draw(st.none() | st.sampled_from(Missing))
    if draw(st.booleans()):
        source = st.builds(Source, st.none() | names(word), how_many, error)
        sources = draw(st.lists(source, min_size=1, max_size=3).map(tuple))
        return Scenario(missing=missing, sources=sources)
    return Scenario(
        draw(st.none() | names(word)), draw(how_many), draw(error), missing, draw(st.just(()) | names(word))
    )


def edits(word: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[ColumnEdit, ...]]:
    """What is said of single columns."""
    name = word.filter(lambda text: plain_text(text).strip() not in ("", "*"))

    def said(value: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
        return st.dictionaries(name, value, max_size=2)

    codes = st.lists(word, max_size=2)
    roles, kinds = st.sampled_from([role.value for role in Role]), st.sampled_from(KIND_WORDS)
    everywhere = st.dictionaries(st.just("*"), st.lists(word, min_size=1, max_size=2))
    missing = st.builds(lambda some, every: some | every, said(codes), everywhere)
    return st.builds(edits_of, said(roles), said(kinds), missing, said(name))


@st.composite
def requests(
    draw: st.DrawFn, word: st.SearchStrategy[str] = TEXT, verbs: tuple[Verb, ...] | None = None
) -> Request:
    follow = draw(st.sampled_from([Follow(), Follow(How.ORDER), Follow(How.KEY, ("person",))]))
    optional, shares = st.none() | word, st.lists(SHARE, max_size=3).map(tuple)
    verb = draw(st.sampled_from(Verb) if verbs is None else st.sampled_from(verbs))
    mask = None if verbs or (verb is not Verb.MASK and draw(st.booleans())) else "rank-swapping:p=5"
    files = {
        "released": "" if mask else draw(word),
        "schema": draw(optional),
        "released_schema": None if mask else draw(optional),
        "columns": draw(edits(word)),
        "earlier": draw(st.lists(word, min_size=1, max_size=2).map(tuple)),
        "follow": str(follow),
        "population": draw(optional),
        "holdout": draw(optional),
        "model": draw(optional),
        "sidecar": draw(st.booleans()),
        "options": Options(draw(optional), draw(optional), draw(optional), draw(optional)),
    }
    parts = {
        "scenario": draw(scenarios(word)),
        "attacks": draw(several(ATTACKS)),
        "measures": draw(several(MEASURES)),
        "mechanism": draw(st.none() | st.just("noise:a=0.1")),
        "mask": mask,
        "grid": Grid(draw(st.integers(1, 9)), draw(st.none() | SHARE), draw(shares), draw(shares)),
        "candidates": draw(st.integers(2, 100)),
        "sample": draw(st.none() | st.integers(1, 1000)),
        "depth": draw(st.integers(1, 50)),
        "time_limit": draw(st.floats(0.1, 1000)),
        "seed": draw(st.integers(0, 2**40)),
        "exact": draw(st.booleans()),
        "losses": draw(several(LOSSES)),
        "masks": draw(names(st.sampled_from(("noise:a={0.1,0.5}", "pram:p=9", "microaggregation:k=3")))),
        "replicates": draw(st.integers(1, 20)),
        "least": "il1s",
    }
    if verb is Verb.STUDY and draw(st.booleans()):
        parts |= {"scenario": Scenario(), "scenarios": draw(st.lists(scenarios(word), max_size=2).map(tuple))}
    if verb is Verb.PROTECT:
        parts["policy"] = "cell-size-3"
    if files["model"] is not None:
        files["trust_model"] = draw(st.booleans())
    used = [{k: v for k, v in part.items() if k not in UNUSED[verb]} for part in (files, parts)]
    return Request(RequestFiles(draw(word), **used[0]), verb, **used[1])


@given(requests())
def test_plain_data_json_and_toml(request: Request) -> None:
    assert from_plain(to_plain(request)) == request
    assert from_plain(json.loads(json.dumps(to_plain(request)))) == request
    assert from_toml(to_toml(request)) == request


def arguments(request: Request) -> list[str]:
    """The command line that asks for the same."""
    files, scenario = request.files, request.scenario
    options: dict[str, Any] = {
        "schema": files.schema,
        "released-schema": files.released_schema,
        "known": None if scenario.known is None else ",".join(scenario.known),
        "attacks": None if request.attacks is None else ",".join(request.attacks),
        "targets": scenario.targets,
        "error": scenario.error,
        "missing": scenario.missing.value if scenario.missing else "auto",
        "block": ",".join(scenario.block) or None,
        "follow": files.follow,
        "mechanism": request.mechanism,
        "measures": None if request.measures is None else ",".join(request.measures),
        "population": files.population,
        "holdout": files.holdout,
        "model": files.model,
        "time-limit": request.time_limit,
        "sample": request.sample,
        "seed": request.seed,
        **{name: getattr(files.options, name) for name in ("delimiter", "encoding", "sheet", "table")},
    }
    if scenario.sources:
        options = {k: v for k, v in options.items() if k not in ("known", "targets", "error")}
    words = [f"--{name}={value}" for name, value in options.items() if value is not None]
    words += [f"--earlier={one}" for one in files.earlier]
    words += list(said(files.columns))
    words += [f"--source={source(one)}" for one in scenario.sources]
    words += [] if files.sidecar else ["--no-sidecar"]
    words += ["--trust-model"] if files.trust_model else []
    return ["assess", *words, "--", files.original, files.released]


def said(columns: tuple[ColumnEdit, ...]) -> Iterator[str]:
    for edit in columns:
        for option, word in (("role", edit.role), ("kind", edit.kind), ("renamed", edit.renamed)):
            if word is not None:
                yield f"--{option}={edit.name}={word}"
        if edit.missing is not None:
            codes = "+".join(edit.missing)
            yield f"--missing-code={codes if edit.name == '*' else f'{edit.name}={codes}'}"


def source(one: Source) -> str:
    parts = {"known": None if one.known is None else "+".join(one.known), "targets": one.targets}
    return ",".join(f"{k}={v}" for k, v in {**parts, "error": one.error}.items() if v is not None)


@settings(deadline=None, max_examples=50)
@given(request=requests(WORD, (Verb.ASSESS,)))
def test_command_line(request: Request) -> None:
    asked: list[Request] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules["unmask.cli.assess"], "answer", lambda asks, _: asked.append(asks))
        run = CliRunner().invoke(app, arguments(request), catch_exceptions=False)
    assert run.exit_code == 0, run.output
    # The command is of one verb, and has no option for what belongs to the others.
    (found,) = asked
    ours = Request(
        request.files, Verb.ASSESS, request.scenario, request.attacks, request.measures, request.mechanism,
        sample=request.sample, time_limit=request.time_limit, seed=request.seed,
    )  # fmt: skip
    assert found == ours


@given(requests(verbs=(Verb.ASSESS, Verb.KNOWLEDGE, Verb.COMPARE)))
def test_python(request: Request) -> None:
    files = request.files
    found, objects = requested(
        request.verb,
        files.original,
        Path(files.released),
        {
            "scenario": request.scenario,
            "attacks": request.attacks,
            "measures": request.measures,
            "schema": files.schema,
            "released_schema": files.released_schema,
            "roles": {edit.name: edit.role for edit in files.columns if edit.role is not None},
            "kinds": {edit.name: edit.kind for edit in files.columns if edit.kind is not None},
            "missing_codes": {edit.name: edit.missing for edit in files.columns if edit.missing is not None},
            "renamed": {edit.name: edit.renamed for edit in files.columns if edit.renamed is not None},
            "mechanism": request.mechanism,
            "earlier": files.earlier,
            "follow": files.follow,
            "population": files.population,
            "holdout": files.holdout,
            "model": files.model,
            "trust_model": files.trust_model,
            "sidecar": files.sidecar,
            "candidates": request.candidates,
            "sample": request.sample,
            "depth": request.depth,
            "time_limit": request.time_limit,
            "seed": request.seed,
        },
        request.grid,
    )
    assert not objects.files
    assert not objects.methods
    assert found.files.original == files.original
    assert found.files.sidecar == files.sidecar
    assert (found.files.model, found.files.trust_model) == (files.model, files.trust_model)
    assert (found.files.released_schema, found.files.columns) == (files.released_schema, files.columns)
    assert found.scenario == request.scenario
    assert (found.attacks, found.measures, found.mechanism) == (
        request.attacks,
        request.measures,
        request.mechanism,
    )
    assert (found.sample, found.depth, found.seed, found.grid) == (
        request.sample,
        request.depth,
        request.seed,
        request.grid,
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nonsense =", "not TOML"),
        ("", "has no format"),
        ('format = "unmask-request"', "no format version"),
        ('format = "unmask-request"\nversion = 2', "reads up to 1"),
        (HEAD, "lacks 'files'"),
        (
            HEAD + 'seed = "x"\n[files]\noriginal = "a"',
            "does not fit at 'seed'",
        ),
        (
            HEAD + '[files]\noriginal = "a"\nrelaesed = "b"',
            "'files.relaesed'",
        ),
        (
            HEAD + '[files]\noriginal = "a"\n[[scenario.sources]]\nknwon = []',
            "knwon",
        ),
    ],
)
def test_a_request_that_is_none_is_refused(text: str, message: str) -> None:
    with pytest.raises(DataError, match=message.replace("(", r"\(")):
        from_toml(text)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"depth": 0}, "depth is 0"),
        ({"sample": 0}, "sample is 0"),
        ({"time_limit": 0.0}, "time limit is 0"),
        ({"candidates": 1}, "1 candidates"),
        ({"seed": -1}, "seed is -1"),
        ({"attacks": ()}, "no attack is named"),
        ({"attacks": ("dbrl", "dbrl")}, "same attack is named twice"),
        ({"verb": Verb.COMPARE}, "no earlier release"),
        ({"files": RequestFiles("a", "b", follow="key")}, "takes one column"),
        ({"mask": "noise:a=0.1"}, "both a released file and a mask"),
        ({"grid": Grid(size=2)}, "'assess' has no use for 'grid'"),
        ({"verb": Verb.KNOWLEDGE, "measures": ("sadr",)}, "'knowledge' has no use for 'measures'"),
        ({"verb": Verb.KNOWLEDGE, "files": RequestFiles("a", "b", earlier=("c",))}, "no use for 'earlier'"),
        ({"verb": Verb.CHECK, "attacks": ("dbrl",)}, "'check' has no use for 'attacks'"),
        ({"files": RequestFiles("a", released_schema="b"), "mask": "noise:a=0.1"}, "a mask that makes"),
        ({"verb": Verb.MASK, "files": RequestFiles("a")}, "no mask is named"),
        ({"verb": Verb.MASK, "mask": "noise:a=0.1"}, "no use for 'released'"),
    ],
)
def test_what_cannot_be_asked(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        Request(**{"files": RequestFiles("a", "b"), **change})


def test_addresses_go_without_their_passwords() -> None:
    address = "postgresql://me:secret@host/db?password=other&sslmode=require::SELECT age FROM people"
    recorded = Request(RequestFiles(address, address, earlier=(address,), population=address)).recorded()
    assert "secret" not in to_toml(recorded)
    assert "other" not in to_toml(recorded)
    assert recorded.files.original.startswith("postgresql://me@host/db")
    assert recorded.files.original.endswith("sslmode=require::SELECT age FROM people")


@pytest.mark.parametrize("mask", [Noise(a=1 / 3), RankSwapping(p=5.0, attributes=("a, b", "c=d", "e"))])
def test_a_mask_as_text_is_the_same_mask(mask: Noise | RankSwapping) -> None:
    assert parse(written(mask.name, mask)) == mask
