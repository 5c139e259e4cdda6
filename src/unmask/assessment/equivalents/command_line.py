"""The command line that asks for what a request asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields

from unmask.assessment.equivalents.parts import (
    APART,
    OF_A_RELEASE,
    USUAL_ATTACK,
    changed,
    number_text,
    refused,
    sayable,
)
from unmask.assessment.equivalents.words import (
    Words,
    columns_words,
    delimiter_text,
    each,
    flag,
    float_text,
    floats_text,
    glimpse_text,
    methods_text,
    names_text,
    one,
    path_text,
    source_text,
)
from unmask.assessment.request import Request, Verb
from unmask.data.io.sources import Options
from unmask.errors import ArgumentError
from unmask.visible import visible_line


def command(request: Request, outputs: Mapping[str, str] = {}) -> list[str]:
    """The words of the command line that does what a request asks, for ``shlex.join``.

    Only what differs from the defaults is said. ``outputs``: options that name files to be written, and
    their paths; 'mask' and 'protect' need one. What the command line has no words for is refused. Passwords
    of databases are left out, and so is the day of an assessment, which the command line fills in.

    >>> from unmask.assessment.request import RequestFiles
    >>> from unmask.intruder.scenario import Scenario
    >>> asked = Request(RequestFiles("people.csv", "b.csv"), scenario=Scenario(("age", "sex")), seed=1)
    >>> command(asked, {"--html": "risk.html"})
    ['unmask', 'assess', 'people.csv', 'b.csv', '--known', 'age,sex', '--seed', '1', '--html', 'risk.html']
    >>> command(Request(RequestFiles("people.csv", "b.csv"), depth=5))
    Traceback (most recent call last):
    unmask.errors.ArgumentError: 'unmask assess' has no option for 'depth'. Hint: save the request and use ...
    """
    request = sayable(request)
    _check_verb(request)
    _check_outputs(request.verb, outputs)
    files = request.files
    named = [files.original, files.released] if request.verb in OF_A_RELEASE else [files.original]
    options = [*_options(request), *(word for pair in outputs.items() for word in pair)]
    if any(name.startswith("-") for name in named):  # which would be taken for an option
        words = ["unmask", str(request.verb), *options, "--", *named]
    else:
        words = ["unmask", str(request.verb), *named, *options]
    for word in words:
        if visible_line(word) != word:
            raise refused("a name holds a character that is not seen, and would not be copied")
    return words


def _check_verb(request: Request) -> None:
    if request.verb not in _SAYS:
        raise refused(f"no command asks to '{request.verb}' as a request does")
    if request.verb is Verb.STUDY and request.files.original.lower().endswith(".toml"):
        raise refused("'unmask study' takes a file whose name ends in .toml for a study")
    if request.verb is Verb.KNOWLEDGE and request.attacks is None:
        raise refused("'unmask knowledge' names its attacks")
    if request.verb in OF_A_RELEASE and request.mask is not None:
        raise refused(f"'unmask {request.verb}' takes a released file, not a mask that makes one")


def _check_outputs(verb: Verb, outputs: Mapping[str, str]) -> None:
    for option in outputs:
        if option not in _OUTPUTS[verb]:
            raise ArgumentError(f"'unmask {verb}' writes nothing to '{option}'", hint="leave it out")
    if verb in (Verb.MASK, Verb.PROTECT) and not {"-o", "--output"} & outputs.keys():
        raise ArgumentError(f"'unmask {verb}' lacks the file to be written", hint="name it as '-o'")


def _options(request: Request) -> Iterator[str]:
    """The options of the verb, in the order in which they are listed below."""
    parts = {path: value for path, value in changed(request) if path not in APART}
    if request.verb is Verb.ASSESS:
        parts.pop("occasion.date", None)  # the day on which the command is run
    if request.verb is Verb.KNOWLEDGE and request.attacks == USUAL_ATTACK:
        del parts["attacks"]
    if seen := [path for path in parts if path.startswith(_SEEN)]:
        parts = {path: value for path, value in parts.items() if path not in seen}
        parts["scenario.glimpse"] = request.scenario.glimpse
    if any(edit.renamed is not None for edit in request.files.columns):
        parts[_RENAMED] = ()
    strange = [path for path in parts if path not in _SAYS[request.verb]]
    if strange:
        what = strange[0].rpartition(".")[2]
        raise refused(f"'unmask {request.verb}' has no option for '{what}'")
    for path, say in {**_WORDS, **_OWN.get(request.verb, {})}.items():
        if path in parts:
            yield from say(parts[path])


#: The part of columns that only verbs with a released file take.
_RENAMED = "files.columns.renamed"

#: The parts of what the intruder saw, which one option says.
_SEEN = "scenario.glimpse."

#: What becomes of each part that an option says, in the order of the command line.
_WORDS: Mapping[str, Words] = {
    "mask": one("--mask"),
    "masks": each("--mask"),
    "policy": one("--policy"),
    "files.schema": one("--schema", path_text),
    "files.released_schema": one("--released-schema", path_text),
    "files.truth": one("--truth"),
    "scenario.known": one("--known", names_text),
    "files.options.delimiter": one("--delimiter", delimiter_text),
    **{f"files.options.{name}": one(f"--{name}") for name in ("encoding", "sheet", "table")},
    "files.synthetic": flag("--synthetic"),
    "files.sidecar": flag("--no-sidecar"),
    "files.columns": columns_words,
    _RENAMED: lambda _: iter(()),  # said with the columns
    "scenario.targets": one("--targets", number_text),
    "scenario.error": one("--error", float_text),
    "scenario.missing": one("--missing"),
    "scenario.block": one("--block", names_text),
    "scenario.sources": each("--source", source_text),
    "scenario.glimpse": one("--glimpse", glimpse_text),
    "files.shape": one("--shape"),
    "files.released_shape": one("--released-shape"),
    "files.nodes": one("--nodes"),
    "files.released_nodes": one("--released-nodes"),
    "files.pairs": one("--pairs"),
    "files.earlier": each("--earlier"),
    "files.follow": one("--follow"),
    "attacks": one("--attacks", methods_text),
    "measures": one("--measures", methods_text),
    "losses": one("--losses", methods_text),
    "least": one("--least"),
    "replicates": one("--replicates", number_text),
    "mechanism": one("--mechanism"),
    "files.population": one("--population"),
    "files.holdout": one("--holdout"),
    "files.model": one("--model", path_text),
    "files.trust_model": flag("--trust-model"),
    "false_links": one("--false-links", float_text),
    "missed": one("--missed", float_text),
    "grid.size": one("--size", number_text),
    "grid.threshold": one("--threshold", float_text),
    "grid.errors": one("--errors", floats_text),
    "grid.shares": one("--shares", floats_text),
    "grid.limit": one("--limit", number_text),
    "time_limit": one("--time-limit", float_text),
    "sample": one("--sample", number_text),
    "budget": one("--budget", float_text),
    "full": flag("--full"),
    "seed": one("--seed", number_text),
    "exact": flag("--exact"),
    "keep_identifiers": flag("--keep-identifiers"),
    "occasion.assessor": one("--assessor"),
    "occasion.recipient": one("--recipient"),
}
#: What a verb has other words for.
_OWN: Mapping[Verb, Mapping[str, Words]] = {Verb.KNOWLEDGE: {"attacks": one("--attack", methods_text)}}

_FILE = ("files.schema", "files.columns", *(f"files.options.{field.name}" for field in fields(Options)))
_PAIR = (*_FILE, "files.released_schema", "files.truth", "files.sidecar", _RENAMED, "seed")
_SHAPED = tuple(f"files.{name}" for name in ("shape", "nodes", "released_nodes", "pairs", "released_shape"))
_INTRUDER = tuple(f"scenario.{name}" for name in ("known", "targets", "error", "missing"))
_TRIED = (
    *(*_FILE, *_INTRUDER, "seed", "sample", "budget", "full"),
    *("masks", "replicates", "least", "losses", "policy"),
)
#: The parts that each verb has options for.
_SAYS: Mapping[Verb, tuple[str, ...]] = {
    Verb.ASSESS: (
        *(
            *_PAIR,
            *_SHAPED,
            *_INTRUDER,
            "scenario.glimpse",
            "files.synthetic",
            "scenario.block",
            "scenario.sources",
        ),
        *(f"files.{name}" for name in ("earlier", "follow", "population", "holdout", "model", "trust_model")),
        *("attacks", "measures", "losses", "mechanism", "false_links", "missed", "time_limit", "sample"),
        *("budget", "full", "policy", "occasion.assessor", "occasion.recipient"),
    ),
    Verb.CHECK: (*(path for path in _PAIR if path != "seed"), *_SHAPED, "files.synthetic", "scenario.known"),
    Verb.LOSS: (*_PAIR, *_SHAPED, "files.synthetic", "losses", "mechanism", "full"),
    Verb.KNOWLEDGE: (
        *(*_PAIR, "scenario.known", "scenario.missing", "attacks", "sample"),
        *(f"grid.{name}" for name in ("size", "threshold", "errors", "shares", "limit")),
    ),
    Verb.MASK: (*_FILE, *_SHAPED[:2], "files.sidecar", "mask", "seed", "exact", "keep_identifiers"),
    Verb.STUDY: (*_TRIED, *_SHAPED[:2], "scenario.glimpse", "attacks", "measures"),
    Verb.PROTECT: (*_TRIED, *_SHAPED[:2], "scenario.glimpse"),
}
_SAVED = ("--json", "--save-request")
_STUDIED = (*_SAVED, "--results", "--csv", "--map", "--progress")
#: The options that name files to be written.
_OUTPUTS: Mapping[Verb, tuple[str, ...]] = {
    Verb.ASSESS: (*_SAVED, "--html", "--records", "--record-of-decision", "--progress"),
    Verb.CHECK: (*_SAVED, "-o", "--output"),
    Verb.LOSS: (*_SAVED, "--html"),
    Verb.KNOWLEDGE: (*_SAVED, "--html"),
    Verb.MASK: ("-o", "--output", "--write-schema", "--save-request", "--pairs"),
    Verb.STUDY: (*_STUDIED, "--html"),
    Verb.PROTECT: (*_STUDIED, "-o", "--output", "--report", "--pairs"),
}
