"""One look at files, in a process of its own: a question as JSON on stdin, the answer as JSON on stdout.

`python -m unmask.web.look` is started by :class:`unmask.web.looks.Looks`.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from unmask.errors import UnmaskError


def file_look(question: dict[str, Any]) -> dict[str, Any]:
    """What a file holds: its records, and of every column what it is taken for, why, and how it is spread."""
    from unmask.data.edits import edited_proposal
    from unmask.data.io import read, read_schema
    from unmask.data.loading import original_frame
    from unmask.data.schema import Schema
    from unmask.data.shapes.named import shape_named

    table = original_frame(read(question["path"], **question["options"]))
    if question.get("shape"):
        nodes = read(question["nodes"], **question["options"]) if question.get("nodes") else None
        table = shape_named(question["shape"]).people(table, nodes)
    proposal = edited_proposal(table, ())
    schema: Schema = read_schema(question["schema"]) if question.get("schema") else proposal.schema
    reasons = {item.column.name: item for item in proposal.columns}
    columns = [_column(table, reasons[name], schema) for name in table.frame.columns if name in reasons]
    holds = "" if table.content is None else table.content.describe()
    return {"records": table.frame.height, "columns": columns, "holds": holds}


def _column(table: Any, item: Any, schema: Any) -> dict[str, Any]:
    from unmask.data.microdata import as_text
    from unmask.data.proposal import MOST_LEVELS
    from unmask.web.sketch import sketch

    name = item.column.name
    given, values = name in schema, table.frame[name]
    known = schema[name] if given else item.column
    levels = list(known.levels)
    if not levels and values.n_unique() <= MOST_LEVELS:
        # For who makes it ordinal: what there is to put in order.
        levels = sorted(as_text(values).drop_nulls().unique().to_list(), key=_by_number)
    return {
        "name": name,
        "kind": known.word,
        "role": known.role.value if given else "ignored",
        "proposed": {"kind": item.column.word, "role": item.column.role.value},
        "levels": levels,
        "missing": list(known.missing),
        "reasons": [item.kind_reason, item.role_reason, *item.odd],
        "sketch": asdict(sketch(values)),
    }


def _by_number(text: str) -> tuple[int, float, str]:
    try:
        return (0, float(text), text)
    except ValueError:
        return (1, 0.0, text)


def understanding_look(question: dict[str, Any]) -> dict[str, Any]:
    """How the release came from the original: in sentences, and attribute by attribute."""
    from unmask.assessment.request import Request, Verb
    from unmask.assessment.request_file import from_toml
    from unmask.assessment.session import Session
    from unmask.documents.understanding import UnderstandingSection
    from unmask.intruder.scenario import Scenario
    from unmask.report.understanding import change_rows, in_short

    asked = from_toml(question["asked"])
    files = replace(
        asked.files, earlier=(), follow="none", population=None, holdout=None, model=None, ledger=None
    )
    found = Session(Request(files, Verb.CHECK, Scenario(asked.scenario.named or None))).files
    section = UnderstandingSection.of(found.understanding)
    return {
        "sentences": in_short(section),
        "sure": section.rows.seen,
        "changes": [asdict(row) for row in change_rows(section)],
        "notes": [note for note in found.notes if note not in section.notes],
        "alike": [list(pair) for pair in found.understanding.columns.alike],
        "shared": [name for name in found.original.schema.names() if name in found.masked.data.schema],
    }


def plan_look(question: dict[str, Any]) -> dict[str, Any]:
    """How long each attack and measure of a request would take, and on how many people it is tried."""
    from unmask.assessment.plan import duration
    from unmask.assessment.request_file import from_toml
    from unmask.assessment.session import Session

    plan = Session(from_toml(question["asked"])).plan
    parts = {
        part.name: {
            "seconds": duration(part.seconds),
            "in_full": duration(part.in_full),
            "people": part.people,
            "tried": part.tried,
        }
        for part in plan.parts
    }
    return {"parts": parts, "seconds": duration(plan.seconds)}


def example_look(question: dict[str, Any]) -> dict[str, Any]:
    """The bundled example's files, written where a project wants them."""
    from unmask.masks.example import MADE_BY, write_example

    write_example(Path(question["folder"]), seed=1)
    return {"made_by": MADE_BY}


LOOKS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "file": file_look,
    "understanding": understanding_look,
    "plan": plan_look,
    "example": example_look,
}


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """The answer to a question, or one line on why there is none."""
    try:
        return {"found": LOOKS[question["what"]](question)}
    except UnmaskError as error:
        return {"error": str(error), "kind": type(error).__name__}
    except MemoryError:
        return {"error": "not enough memory to read this file. Hint: use a machine that has more."}


def main() -> None:
    """One question, one answer. What libraries print goes nowhere: stdout is the answer's alone."""
    if hasattr(os, "nice"):
        os.nice(5)
    question = json.loads(sys.stdin.buffer.read())
    stream = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    told = answer(question)
    stream.write(json.dumps(told).encode())
    stream.close()


if __name__ == "__main__":
    main()
