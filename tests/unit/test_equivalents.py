"""Commands and calls that are shown for a request: some written out by hand, and what is refused."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any, get_type_hints

import polars as pl
import pytest
from typer.main import get_command

from tests.cli.console import run
from unmask.assessment.asked import Asked
from unmask.assessment.equivalents import command, python
from unmask.assessment.equivalents.command_line import _OUTPUTS, _OWN, _SAYS, _WORDS
from unmask.assessment.equivalents.python_call import _COLUMNS, _FIELDS
from unmask.assessment.request import IN_MEMORY, Grid, Occasion, Request, RequestFiles, Verb
from unmask.cli.check import _assess
from unmask.cli.verbs import app
from unmask.data.edits import EVERY, ColumnEdit
from unmask.data.io.sources import Options
from unmask.data.schema import Role
from unmask.errors import ArgumentError
from unmask.intruder.glimpse import Glimpse
from unmask.intruder.scenario import Scenario
from unmask.intruder.sources import Source

PAIR, ALONE = RequestFiles("a.csv", "b.csv"), RequestFiles("a.csv")
SAID = (
    ColumnEdit("pay", "numeric", Role.CONFIDENTIAL, ("-9", "99")),
    ColumnEdit(EVERY, missing=("-8",)),
    ColumnEdit("a=b", missing=(), renamed="c d"),
)
TIES = replace(
    PAIR,
    shape="graph:source=x,target=y",
    released_shape="graph:source=u,target=v",
    nodes="n.csv",
    pairs="p.csv",
)
STUDY = Request(ALONE, Verb.STUDY, masks=("noise:a={0.1,0.5}", "pram:p=9"), replicates=2, least="il1s")

COMMANDS = [
    (Request(PAIR), {}, "unmask assess a.csv b.csv"),
    (Request(PAIR, Verb.CHECK), {"-o": "s.toml"}, "unmask check a.csv b.csv -o s.toml"),
    (
        Request(replace(PAIR, columns=SAID)),
        {},
        "unmask assess a.csv b.csv --role pay=confidential --kind pay=numeric --missing-code pay=-9+99 "
        "--missing-code -8 --missing-code a=b= --renamed 'a=b=c d'",
    ),
    (
        Request(PAIR, scenario=Scenario(sources=(Source(("age", "a,b"), 0.1), Source())), full=True),
        {"--json": "risk.json"},
        "unmask assess a.csv b.csv --source 'known=age+\"a,b\",targets=0.1' --source '' --full "
        "--json risk.json",
    ),
    (
        Request(RequestFiles("-a.csv", "b.csv", options=Options("\t")), Verb.LOSS, losses=("il1s",)),
        {"--html": "loss.html"},
        "unmask loss --delimiter '\\t' --losses il1s --html loss.html -- -a.csv b.csv",
    ),
    (
        Request(ALONE, Verb.MASK, mask="noise:a=0.1 then pram:p=5", seed=3, exact=True),
        {"-o": "b.csv"},
        "unmask mask a.csv --mask 'noise:a=0.1 then pram:p=5' --seed 3 --exact -o b.csv",
    ),
    (
        STUDY,
        {"--csv": "masks.csv"},
        "unmask study a.csv --mask 'noise:a={0.1,0.5}' --mask pram:p=9 --least il1s --replicates 2 "
        "--csv masks.csv",
    ),
    (
        Request(ALONE, Verb.PROTECT, Scenario(("age",), 5), policy="cell-size-3"),
        {"-o": "b.csv"},
        "unmask protect a.csv --policy cell-size-3 --known age --targets 5 -o b.csv",
    ),
    (
        Request(PAIR, Verb.KNOWLEDGE, attacks=("dbrl",), grid=Grid(errors=(), threshold=0.1)),
        {},
        "unmask knowledge a.csv b.csv --threshold 0.1 --errors ''",
    ),
    (
        Request(PAIR, occasion=Occasion("Ann", date="2026-01-01"), budget=30),
        {},
        "unmask assess a.csv b.csv --budget 30 --assessor Ann",
    ),
    (
        Request(TIES, scenario=Scenario(error=0.1, glimpse=Glimpse(edges=0.5, seeds=3))),
        {},
        "unmask assess a.csv b.csv --error 0.1 --glimpse edges=0.5,seeds=3 --shape graph:source=x,target=y "
        "--released-shape graph:source=u,target=v --nodes n.csv --pairs p.csv",
    ),
    (
        Request(replace(ALONE, shape="series:prefix=h"), Verb.MASK, mask="series-noise:a=0.1"),
        {"-o": "b.csv"},
        "unmask mask a.csv --mask series-noise:a=0.1 --shape series:prefix=h -o b.csv",
    ),
]


@pytest.mark.parametrize(("request_", "outputs", "line"), COMMANDS)
def test_commands(request_: Request, outputs: dict[str, str], line: str) -> None:
    assert shlex.join(command(request_, outputs)) == line


CALLS = [
    (Request(PAIR), 'unmask.assess("a.csv", "b.csv")'),
    (
        Request(ALONE, mask="noise: a=0.10", depth=5),
        'unmask.assess("a.csv", unmask.masks.parse("noise:a=0.1"), depth=5)',
    ),
    (
        Request(replace(PAIR, columns=SAID[:2]), Verb.CHECK),
        'unmask.check(\n    "a.csv",\n    "b.csv",\n    roles={"pay": "confidential"},\n'
        '    kinds={"pay": "numeric"},\n    missing_codes={"pay": ["-9", "99"], "*": ["-8"]},\n)',
    ),
    (
        Request(PAIR, scenario=Scenario(("age",), 0.1, presence=0.5)),
        'unmask.assess(\n    "a.csv",\n    "b.csv",\n'
        '    scenario=unmask.Scenario(known=["age"], targets=0.1, presence=0.5),\n)',
    ),
    (Request(PAIR, time_limit=float("inf")), 'unmask.assess("a.csv", "b.csv", time_limit=float("inf"))'),
    (
        Request(PAIR, occasion=Occasion('"Ann"', date="2026-01-01")),
        'unmask.assess(\n    "a.csv",\n    "b.csv",\n'
        '    occasion=unmask.Occasion(assessor=\'"Ann"\', date="2026-01-01"),\n)',
    ),
    (Request(PAIR, Verb.LOSS, losses=("il1s",)), 'unmask.loss("a.csv", "b.csv", losses=["il1s"])'),
    (
        Request(ALONE, Verb.MASK, mask="noise:a=0.1", seed=3, keep_identifiers=True),
        'unmask.mask("a.csv", "noise:a=0.1", seed=3, keep_identifiers=True)',
    ),
    (
        STUDY,
        'unmask.study(\n    "a.csv",\n    ["noise:a={0.1,0.5}", "pram:p=9"],\n    replicates=2,\n'
        '    least="il1s",\n)',
    ),
    (
        Request(ALONE, Verb.PROTECT, policy="cell-size-3", masks=("pram:p={5,9}",)),
        'unmask.protect("a.csv", masks=["pram:p={5,9}"], policy="cell-size-3")',
    ),
    (
        Request(RequestFiles("a", "b"), Verb.KNOWLEDGE, attacks=("prl",), grid=Grid(2)),
        'unmask.knowledge_curves("a", "b", grid=unmask.Grid(size=2), attack=["prl"])',
    ),
    (
        Request(replace(PAIR, earlier=("c.csv",), follow="order"), Verb.COMPARE),
        'unmask.assess_releases("a.csv", "b.csv", ["c.csv"], follow="order")',
    ),
    (
        Request(TIES, scenario=Scenario(glimpse=Glimpse(seeds=3))),
        'unmask.assess(\n    "a.csv",\n    "b.csv",\n'
        "    scenario=unmask.Scenario(glimpse=unmask.Glimpse(seeds=3)),\n"
        '    shape="graph:source=x,target=y",\n    released_shape="graph:source=u,target=v",\n'
        '    nodes="n.csv",\n    pairs="p.csv",\n)',
    ),
    (
        Request(replace(ALONE, shape="series:prefix=h"), Verb.MASK, mask="series-noise:a=0.1"),
        'unmask.mask("a.csv", "series-noise:a=0.1", shape="series:prefix=h")',
    ),
]


@pytest.mark.parametrize(("request_", "call"), CALLS)
def test_calls(request_: Request, call: str) -> None:
    assert python(request_) == f"import unmask\n\nresult = {call}\n"


PROGRAM = "noise:a=0.1 then exec:cp {original} {released}"
NEITHER = [
    (Request(RequestFiles(IN_MEMORY, "b.csv")), "an object in memory"),
    (Request(RequestFiles("a.csv")), "no released file"),
    (Request(replace(PAIR, ledger="book.json")), "'ledger'"),
    (Request(ALONE, Verb.MASK, mask=PROGRAM), "runs a program"),
    (replace(STUDY, masks=("{noise,exec}:cp {original} {released}",)), "runs a program"),
    (replace(STUDY, masks=("function:older",)), "a function of Python"),
    (replace(STUDY, scenarios=(Scenario(), Scenario(error=0.5))), "'scenarios'"),
    (Request(PAIR, Verb.KNOWLEDGE), "attacks"),
    (Request(PAIR, seed=10**5000), "too long"),
    (Request(replace(PAIR, columns=(ColumnEdit("age"),))), "column"),
]
NO_COMMAND = [
    *NEITHER,
    (Request(PAIR, depth=5), "'depth'"),
    (Request(PAIR, candidates=5), "'candidates'"),
    (Request(PAIR, scenario=Scenario(presence=0.5)), "'presence'"),
    (Request(ALONE, mask="noise:a=0.1"), "not a mask that makes one"),
    (Request(replace(PAIR, earlier=("c.csv",)), Verb.COMPARE), "no command asks to 'compare'"),
    (Request(PAIR, scenario=Scenario(("a,b",))), "separator"),
    (Request(PAIR, scenario=Scenario(("a ",))), "blank"),
    (Request(PAIR, scenario=Scenario(("a\x1b[2J",))), "not seen"),
    (Request(replace(PAIR, columns=(ColumnEdit("a", missing=("1+2",)),))), "separator"),
    (Request(replace(PAIR, schema="")), "no name"),
    (Request(PAIR, budget=2**53 + 1), "more digits"),
    (Request(PAIR, false_links=float("nan")), "digits"),
    (replace(STUDY, files=RequestFiles("a.TOML")), "takes a file whose name ends in .toml"),
    (replace(STUDY, files=replace(ALONE, columns=(ColumnEdit("a", renamed="b"),))), "'renamed'"),
    (replace(STUDY, occasion=Occasion(date="2026-01-01")), "'date'"),
    (Request(ALONE, Verb.MASK, mask="noise:a=0.1"), "lacks the file to be written"),
]
NO_CALL = [
    *NEITHER,
    (Request(replace(PAIR, options=Options(";"))), "'delimiter'"),
    (
        Request(replace(ALONE, columns=(ColumnEdit("a", "code"),)), Verb.MASK, mask="noise:a=0.1"),
        "'columns'",
    ),
    (Request(PAIR, false_links=float("nan")), "'false_links'"),
]


@pytest.mark.parametrize(("request_", "message"), NO_COMMAND)
def test_what_no_command_says(request_: Request, message: str) -> None:
    outputs = {"-o": "b.csv"} if request_.verb is Verb.MASK and "lacks" not in message else {}
    with pytest.raises(ArgumentError, match=message):
        command(request_, outputs)


@pytest.mark.parametrize(("request_", "message"), NO_CALL)
def test_what_no_call_says(request_: Request, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        python(request_)


def test_hints_tell_the_way_out() -> None:
    with pytest.raises(ArgumentError, match="Hint: save the request and use 'unmask run FILE'"):
        command(Request(PAIR, depth=5))
    with pytest.raises(ArgumentError, match="Hint: save the request and use 'unmask run FILE --trust-exec'"):
        command(Request(ALONE, Verb.MASK, mask=PROGRAM), {"-o": "b.csv"})


def test_outputs_are_outputs() -> None:
    with pytest.raises(ArgumentError, match="writes nothing to '--seed'"):
        command(Request(PAIR), {"--seed": "1"})


def test_addresses_go_without_their_passwords_and_are_else_as_they_are() -> None:
    request = Request(RequestFiles("postgresql://me:secret@host/db::people", "sqlite:////data/b.db::people"))
    odd = RequestFiles("postgresql://a:secret@[c/d", "sqlite:///a.db?password=secret::t")
    assert command(Request(odd))[2:] == ["postgresql://a@[c/d", "sqlite:///a.db::t"]
    for text in (shlex.join(command(request)), python(request)):
        assert "secret" not in text
        assert "postgresql://me@host/db::people" in text
        assert "sqlite:////data/b.db::people" in text


def test_a_path_is_said_as_it_is() -> None:
    assert command(Request(replace(PAIR, schema="./s.toml")))[-2:] == ["--schema", "./s.toml"]


#: How the work is done and what is shown of it, which no request says.
HOW = {"--threads", "--verbose", "--details", "--resume", "--trust-exec", "--keep-seed", "--help"}
HOW |= {"--signed-by", "--decision", "--engine", "--scratch", "--memory"}


@pytest.mark.parametrize("verb", _SAYS)
def test_every_option_of_a_verb_is_said(verb: Verb) -> None:
    """A new option must be said too, or stand among the outputs, or above."""
    options = {
        name
        for parameter in get_command(app).commands[verb.value].params  # type: ignore[attr-defined]
        for name in parameter.opts
        if name.startswith("--")
    }
    words: dict[str, Any] = {**_WORDS, **_OWN.get(verb, {})}
    said = {_option(path, words[path]) for path in _SAYS[verb] if not path.startswith("files.columns")}
    said |= {"--role", "--kind", "--missing-code"}
    said |= {"--renamed"} if "files.columns.renamed" in _SAYS[verb] else set()
    assert options - HOW - {*_OUTPUTS[verb]} == said
    assert {name for name in _OUTPUTS[verb] if name != "-o"} <= options


def _option(path: str, say: Any) -> str:
    """The option that says a part."""
    for value in (("a",), (0.5,), (Source(),), 1, "a", Glimpse(points=1)):
        try:
            return str(next(say(value)))
        except (TypeError, ValueError, AttributeError):
            continue
    raise AssertionError(path)


def test_every_argument_of_python_is_said() -> None:
    together = {"known", "scenario", "glimpse", "occasion", *_COLUMNS}
    own = {"masks", "replicates", "least", "exact", "keep_identifiers"}
    assert {*get_type_hints(Asked)} == ({*_FIELDS.values()} | together) - own


def test_check_tells_what_to_do_where_no_command_can_be_shown() -> None:
    request = Request(PAIR, Verb.CHECK, Scenario(("a,b",)))
    told = _assess(request, None)
    assert told.startswith("assess the files from Python, or by a request in a file, because a name")
    assert _assess(replace(request, scenario=Scenario(("a",))), "s.toml") == (
        "unmask assess a.csv b.csv --schema s.toml --known a --html risk.html"
    )


def test_both_make_the_same_file(tmp_path: Path) -> None:
    original, released = tmp_path / "a.csv", tmp_path / "b.csv"
    original.write_text("age,pay\n" + "".join(f"{20 + i % 7},{1000 + i % 5}.5\n" for i in range(30)))
    request = Request(RequestFiles(str(original)), Verb.MASK, mask="noise:a=0.5", seed=2)
    assert run(*command(request, {"-o": str(released)})[1:]).code == 0
    names: dict[str, Any] = {}
    exec(python(request), names)
    assert pl.read_csv(released).equals(names["result"])
