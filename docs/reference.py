"""Write the reference pages from the code itself: --help, the registries and the docstrings.

    python docs/reference.py

A test fails when a page in docs/reference differs from what this gives.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from typer.main import get_command
from typer.testing import CliRunner

import unmask
from unmask import attacks as attacks_room
from unmask import losses as losses_room
from unmask import masks as masks_room
from unmask import measures as measures_room
from unmask.about import Family
from unmask.assessment.asked import Asked, AskedOfReleases
from unmask.assessment.result import DocumentResult
from unmask.cli.verbs import app
from unmask.data.io import READERS
from unmask.data.io.write import WRITERS
from unmask.data.release_kind import ReleaseKind
from unmask.documents import AssessmentDocument, Table
from unmask.engines import LocalEngine
from unmask.engines.watcher import Watcher
from unmask.linkage.mechanism import Belief
from unmask.measures import EVERY_KIND, OWN_RECORDS, Estimate, FileMeasure, Keys, NotEstimable, Row, abouts
from unmask.policies import Criterion, CriterionSection, Policy, Reading, VerdictSection, bundled_policies
from unmask.policies.sentences import bound_told
from unmask.registry import OWN, Registered

#: The registered methods of each class.
Grouped = dict[type, list[Registered[Any]]]

FOLDER = Path(__file__).parent / "reference"
WIDTH = 80
EXAMPLES = (
    "The examples on this page are run as tests. They take `numpy as np`, `polars as pl` and the names "
    "described here as imported."
)
NOTE = "<!-- Written by docs/reference.py from the code; change the code and run it again. -->"

#: The attacks that are given the mask, which a name alone does not say.
TAKE_A_MASK = {
    attacks_room.KnownMechanism: attacks_room.mechanism.ABOUTS[Belief.BEST],
    attacks_room.MaskAware: attacks_room.mask_aware.ABOUT,
}

#: What makes masks and is asked for by no name.
WITHOUT_A_NAME = (masks_room.Pipeline, masks_room.Function, masks_room.Strength)

#: The types that a Python user meets, in the order of the page.
TYPES = (
    unmask.Assessment,
    unmask.KnowledgeCurves,
    unmask.Comparison,
    unmask.Losses,
    unmask.Study,
    unmask.ProtectionStudy,
    DocumentResult,
    AssessmentDocument,
    Table,
    Row,
    Keys,
    Estimate,
    NotEstimable,
    VerdictSection,
    CriterionSection,
    unmask.Request,
    unmask.RequestFiles,
    unmask.ColumnEdit,
    unmask.Grid,
    unmask.Occasion,
    unmask.Session,
    unmask.Scenario,
    unmask.Source,
    unmask.Follow,
    unmask.Missing,
    unmask.Schema,
    unmask.Column,
    unmask.Kind,
    unmask.Role,
    unmask.Microdata,
    unmask.Masked,
    LocalEngine,
    Watcher,
    unmask.UnmaskError,
)


def pages() -> dict[str, str]:
    """The text of every reference page, by its file name."""
    made = {
        "cli.md": command_line(),
        "masks.md": masks(),
        "attacks.md": attacks(),
        "measures.md": measures(),
        "losses.md": losses(),
        "policies.md": policies(),
        "python.md": python(),
    }
    return {name: text.rstrip() + "\n" for name, text in made.items()}


def _head(title: str, purpose: str, first: str) -> list[str]:
    """How a page starts: its title, what kind of page it is, and its first paragraph."""
    return [f"# {title}", f"*Reference.* {purpose}", NOTE, first]


def command_line() -> str:
    """The help of every verb, at a fixed width, and the formats by suffix."""
    verbs = get_command(app).commands  # type: ignore[attr-defined]
    parts = [
        *_head("Command line", "The help of every verb, and the formats.", _fenced(_help([]), "text")),
    ]
    for verb, command in verbs.items():
        parts += [f"## unmask {verb}", _fenced(_help([verb]), "text")]
        for inner in getattr(command, "commands", {}):
            parts += [f"### unmask {verb} {inner}", _fenced(_help([verb, inner]), "text")]
    parts += [
        "## Formats",
        f"Read: {_listed(READERS)}; and databases by address: `sqlite:FILE::TABLE`, "
        "`postgresql://USER@HOST/DATABASE::TABLE`, with a table or a SELECT query after the two colons.",
        f"Written: {_listed(WRITERS)}.",
        "## Exit codes",
        "| code | meaning |\n|---|---|\n"
        "| 0 | done |\n"
        "| 1 | `unmask reproduce`: a cell or a table differs by more than chance, or a promise is broken |\n"
        "| 2 | a mistake in the files or the arguments, or an output that could not be written; one line on "
        "stderr says which, and what to do |\n"
        "| 3 | a policy (`--policy`) is not met: a bound is exceeded, or whether it is met cannot be told; "
        "all outputs are written. `unmask protect`: nothing that was tried meets it, and no protected file "
        "is written |\n"
        "| 130 | interrupted (Ctrl-C) |\n"
        "| 143 | terminated by a signal |",
    ]
    return "\n\n".join(parts)


def masks() -> str:
    """Every mask: how it is written on the command line, its parameters, its docstring."""
    entries = _own(masks_room.REGISTRY)
    rows = [f"| [{e.name}](#{e.name}) | `{e.form}` | {e.about.sentence} |" for e in entries]
    parts = [
        *_head("Masks", "Every mask with its parameters, formula and source.", EXAMPLES),
        "| mask | written as | what it does |\n|---|---|---|\n" + "\n".join(rows),
    ]
    parts.append(
        "On the command line, several names or numbers are joined by `+` and groups of names by `|`, as in "
        "`microaggregation:k=3+8,groups=age+hours|income+rent`. Without `attributes`, a mask works on "
        "every quasi-identifier of the kind that it takes. Several masks are joined by the word `then`, and "
        "values in braces stand for [several texts](#unmaskmasksexpand)."
    )
    parts += _families("masks", masks_room.FAMILIES, {e.kind: [e] for e in entries})
    parts += ["## Several masks, and masks in Python", "These have no name of their own."]
    for item in (*WITHOUT_A_NAME, masks_room.expand, masks_room.at_strength):
        path = f"unmask.masks.{item.__name__}"
        parts += [f"### {path}", _fenced(_signature(item, path), "python"), _docstring(item)]
    return "\n\n".join(parts)


def attacks() -> str:
    """Every attack, family by family; those that take a mask have no name on the command line."""
    entries = _own(attacks_room.REGISTRY)
    usual, apart = attacks_room.ATTACKS, attacks_room.WITHOUT_COMMON
    when = dict.fromkeys(usual, "yes") | dict.fromkeys(apart, "without common attributes")
    when |= {name: "always" for name in usual if name in apart}
    rows = [f"| `{e.form}` | {e.about.title} | {_written(e)} | {when.get(e.name, '')} |" for e in entries]
    rows += [f"| | {about.title} | `{kind.__name__}(mask)` | |" for kind, about in TAKE_A_MASK.items()]
    head = "| attack | title | in Python | made when none are named |\n|---|---|---|---|\n"
    grouped: Grouped = {}
    for entry in entries:
        # Several names can stand for one class with a parameter settled; the class itself is described.
        home = entry.kind if entry.kind.__module__.startswith("unmask.") else entry.kind.__base__
        grouped.setdefault(home, []).append(entry)
    for kind, about in TAKE_A_MASK.items():
        grouped[kind] = [Registered(about.title, SimpleNamespace(about=about))]
    classes = [
        "Attacks that are given the mask have no name; on the command line, `--mechanism` makes the first.",
        *_families("attacks", attacks_room.FAMILIES, grouped),
    ]
    return "\n\n".join(
        [
            *_head("Attacks", "Every attack with its parameters, formula and source.", EXAMPLES),
            head + "\n".join(rows),
            *classes,
        ]
    )


def _own(registry: Any) -> list[Registered[Any]]:
    """Unmask's own methods: the pages do not depend on what else is installed."""
    return [entry for entry in registry.values() if entry.package == OWN]


def _written(entry: Registered[Any]) -> str:
    """How a method is made in Python."""
    if entry.parameters:
        return f"`{entry.kind.__name__}(...)`"
    return f"`{_plain(repr(entry.made()))}`"


def _families(module: str, families: Iterable[Family], grouped: Grouped) -> list[str]:
    """Family by family: what each class says of itself, its signature and its docstring."""
    parts = []
    for family in families:
        here = {k: v for k, v in grouped.items() if v[0].about.family.name == family.name}
        if not here:
            continue
        parts += [f"## {family.title}", family.sentence]
        for kind, entries in here.items():
            path = f"unmask.{module}.{kind.__name__}"
            parts += [f"### {', '.join(entry.name for entry in entries)}", *_said(entries)]
            parts += [_fenced(_signature(kind, path), "python"), _docstring(kind)]
    return parts


def _said(entries: list[Registered[Any]]) -> list[str]:
    """Title, sentence and source of every method; a source that several share once, at the end."""
    said = [f"**{entry.about.title}**: {entry.about.sentence}" for entry in entries]
    return [*said, *(f"*{source}*" for source in dict.fromkeys(entry.about.source for entry in entries))]


def measures() -> str:
    """Every measure, family by family, grouped by its class."""
    entries = _own(measures_room.REGISTRY)
    rows = [f"| `{e.name}` | {e.about.title} | {_written(e)} | {_of(e)} | {_about(e)} |" for e in entries]
    head = "| measure | title | in Python | of | says something about |\n|---|---|---|---|---|\n"
    grouped: Grouped = {}
    for entry in entries:
        grouped.setdefault(entry.kind, []).append(entry)
        for name, about in abouts(entry.made()).items():
            if name != entry.name:  # rows that it makes under a name of their own
                grouped[entry.kind].append(Registered(name, SimpleNamespace(about=about)))
    classes = _families("measures", measures_room.FAMILIES, grouped)
    return "\n\n".join(
        [
            *_head("Measures", "Every measure with its formula and source.", EXAMPLES),
            head + "\n".join(rows),
            *classes,
        ]
    )


def _about(entry: Registered[Any]) -> str:
    """The kinds of release that a measure says something about."""
    made = entry.made()
    said = made.says_about if isinstance(made, FileMeasure) else OWN_RECORDS  # which attacks look for
    if said == EVERY_KIND:
        return "every kind of release"
    return ", ".join(kind.value for kind in ReleaseKind if kind in said)


def _of(entry: Registered[Any]) -> str:
    return "the file" if isinstance(entry.made(), FileMeasure) else "an attack"


def losses() -> str:
    """Every loss, family by family."""
    entries = _own(losses_room.REGISTRY)
    rows = [f"| [{e.name}](#{e.name}) | {e.about.title} | `{e.form}` | {e.kind.unit} |" for e in entries]
    first = (
        "0 is no loss, and higher is worse. A *share* lies between 0 and 1; a *level* has a scale of its "
        f"own. What they are read beside: [losses](../losses.md). {EXAMPLES}"
    )
    return "\n\n".join(
        [
            *_head("Losses", "Every loss with its parameters, formula and source.", first),
            "| loss | title | written as | unit |\n|---|---|---|---|\n" + "\n".join(rows),
            *_families("losses", losses_room.FAMILIES, {e.kind: [e] for e in entries}),
        ]
    )


def policies() -> str:
    """Every bundled policy with its source and its bounds, and every reading."""
    first = (
        "`unmask assess ... --policy NAME` judges by a policy; [judge by a policy]"
        "(../how-to/judge-by-a-policy.md) shows how, and how one is written. None says that the law is met."
    )
    parts = [
        *_head("Policies", "Every bundled policy with its source, and every reading.", first),
        "## Bundled policies",
    ]
    for name, policy in bundled_policies().items():
        rows = [f"| `{c.name}` | {_bound(c)} | {c.why} |" for c in policy.criteria]
        parts += [f"### {name}", f"**{policy.title}.** {policy.note}", f"*Source: {policy.source}.*"]
        parts.append("| criterion | bound | why |\n|---|---|---|\n" + "\n".join(rows))
    rows = [
        f"| `{one.value}` | {one.text.sentence} | {_looked_at(one)} | "
        f"{'at_least' if one.text.floor else 'at_most'} |"
        for one in Reading
    ]
    head = "| reading | what it reads | measures | bound |\n|---|---|---|---|\n"
    return "\n\n".join(
        [*parts, "## Readings", head + "\n".join(rows), "## A policy in Python", *_policy_types()]
    )


def _looked_at(reading: Reading) -> str:
    """The measures that a reading looks at."""
    if reading.text.of_loss:
        return "the loss named"
    return _listed(reading.text.measures) or "the attribute family"


def _policy_types() -> list[str]:
    """What a policy is made of in Python, and what a file may hold by the same names."""
    kinds = ((Policy, "unmask.policies.Policy"), (Criterion, "unmask.policies.Criterion"))
    parts = []
    for kind, path in kinds:
        parts += [f"### {path}", _fenced(_signature(kind, path), "python"), _docstring(kind)]
    return parts


def _bound(criterion: Criterion) -> str:
    """The bound of a criterion, and for whom it holds."""
    known = criterion.known
    least = f"{known} attributes" if isinstance(known, int) else ", ".join(known or ())
    return bound_told(criterion) + (f"; the intruder knows at least {least}" if known else "")


def python() -> str:
    """The functions, what may be asked of them, and the types behind them."""
    parts = _head("Python", "Functions and types that a Python user meets.", EXAMPLES)
    functions = (
        unmask.check,
        unmask.assess,
        unmask.knowledge_curves,
        unmask.assess_releases,
        unmask.loss,
        unmask.study,
        unmask.protect,
        unmask.judge,
        unmask.run,
        unmask.mask,
        unmask.read_schema,
        unmask.write_schema,
    )
    for function in functions:
        parts += [f"## unmask.{function.__name__}", _fenced(_signature(function), "python")]
        parts.append(_docstring(function))
    asked = [f"{name}: {kind}" for name, kind in Asked.__annotations__.items()]
    parts += ["## What may be asked", _docstring(AskedOfReleases), _docstring(Asked)]
    parts.append(_fenced("\n".join(_forward(line) for line in asked), "python"))
    for kind in TYPES:
        path = f"unmask.{kind.__name__}" if hasattr(unmask, kind.__name__) else _where(kind)
        parts += [f"## {path}"]
        if dataclasses.is_dataclass(kind):
            parts.append(_fenced(_signature(kind, path), "python"))
        parts.append(_docstring(kind))
        if issubclass(kind, Enum):
            parts.append("Values: " + _listed(member.value for member in kind) + ".")
        if kind is LocalEngine:  # its methods are for attacks, not for users
            continue
        parts += [
            f"### {kind.__name__}.{name}\n\n{_fenced(_signature(member), 'python')}\n\n{_docstring(member)}"
            for name, member in _methods(kind)
        ]
    return "\n\n".join(parts)


def _forward(text: str) -> str:
    """An annotation as it was written."""
    return re.sub(r"ForwardRef\('([^']*)'[^)]*\)", r"\1", text)


def _help(arguments: list[str]) -> str:
    """The help text, the same on every terminal."""
    ran = CliRunner().invoke(
        app,
        [*arguments, "--help"],
        prog_name="unmask",
        terminal_width=WIDTH,
        env={"COLUMNS": str(WIDTH), "TERMINAL_WIDTH": str(WIDTH), "NO_COLOR": "1", "TERM": "dumb"},
    )
    if ran.exit_code != 0:
        raise RuntimeError(f"unmask {' '.join(arguments)} --help failed: {ran.output}")
    return ran.output


def _methods(kind: type) -> Iterable[tuple[str, Any]]:
    """The public methods that a class defines itself, in the order of its source."""
    for name, member in vars(kind).items():
        function = member.__func__ if isinstance(member, staticmethod | classmethod) else member
        if not name.startswith("_") and inspect.isfunction(function) and function.__doc__:
            yield name, function


def _signature(item: Any, name: str | None = None) -> str:
    """The item with its parameters, one per line where they do not fit on one."""
    signature = inspect.signature(item)
    parameters = [
        _plain(str(p.replace(annotation=_annotation(p.annotation))))
        for p in signature.parameters.values()
        if p.name not in ("self", "cls")
    ]
    marked = _with_star(
        parameters, [p for p in signature.parameters.values() if p.name not in ("self", "cls")]
    )
    name = name or item.__name__
    result = "" if inspect.isclass(item) else f" -> {_plain(_annotation(signature.return_annotation))}"
    line = f"{name}({', '.join(marked)}){result}"
    if len(line) <= 100:
        return line
    return f"{name}(\n" + "".join(f"    {p},\n" for p in marked) + f"){result}"


def _with_star(texts: list[str], parameters: list[inspect.Parameter]) -> list[str]:
    """The parameters' texts, with a star before the first that must be named."""
    for i, parameter in enumerate(parameters):
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY:
            return [*texts[:i], "*", *texts[i:]]
    return texts


def _annotation(annotation: Any) -> Any:
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", annotation)


def _plain(text: str) -> str:
    """A signature without quotes around types, and enumeration members by their name."""
    text = re.sub(r"<(\w+\.\w+): [^>]*>", r"\1", text)
    return re.sub(r": '([^']*)'", r": \1", text)


def _docstring(item: Any) -> str:
    """A docstring as Markdown: its paragraphs, then its examples in a fence."""
    text = inspect.getdoc(item) or ""
    prose, arrow, example = text.partition(">>> ")
    prose = re.sub(r":(?:class|mod|func):`~?([\w.]+)`", lambda found: f"`{found[1].split('.')[-1]}`", prose)
    prose = prose.replace("``", "`").strip()
    blocks = [_paragraph(block) for block in prose.split("\n\n")]
    if arrow:
        blocks.append(_fenced(f">>> {example}", "pycon"))
    return "\n\n".join(blocks)


def _paragraph(block: str) -> str:
    """Indented blocks are formulas and stay as they are; in prose, a star is a star."""
    if block.startswith("    "):
        return _fenced(inspect.cleandoc(block), "text")
    return re.sub(r"(?<!\w)\*(?!\w)", r"\\*", block)


def _where(kind: type) -> str:
    module = "unmask.engines" if kind is LocalEngine else kind.__module__
    return f"{module}.{kind.__name__}"


def _listed(texts: Iterable[str]) -> str:
    return ", ".join(f"`{text}`" for text in texts)


def _fenced(text: str, language: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```"


def write() -> None:
    """Write every page."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
