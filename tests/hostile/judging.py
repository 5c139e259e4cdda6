"""From what came of a command to a judgement: refused rightly, answered, or wrong and why."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

from tests.cli.console import SECRET_NUMBER, SECRET_TEXT
from tests.hostile.numbers import lower, notes_of
from tests.hostile.trial import Command, Judged, Must, Ran, Verdict

#: What a program says when it fails and nobody thought of it, or a library when it wonders.
UNMEANT = (
    "Traceback (most recent call last)",
    "panicked at",
    "RUST_BACKTRACE",
    "Warning: ",
    "Exception ignored",
)
#: A warning of unmask's own, which tells what it left out.
MEANT = "IdentifiersLeftOutWarning: "
#: Characters that turn the direction of what is read on a terminal.
TURNING = {*map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))}
#: Values of records, as the invented people have them (not as a part of a hash or of another number).
SECRET = re.compile(
    rf"{SECRET_TEXT}(?:\d|town)|(?<![\w.,-]){str(SECRET_NUMBER)[:3]}\d{{3}}(?:\.\d+)?(?![\w-])".encode()
)
#: The options whose values are files that the command writes, with what they write: that of its name if "".
OUTPUTS = {
    "--json": ".json",
    "--html": ".html",
    "--records": "",
    "--save-request": ".toml",
    "--progress": ".jsonl",
    "-o": "",
    "--output": "",
    "--write-schema": ".toml",
    "--csv": "",
}
#: Who is who, which other verbs read.
PAIRING = ("mask", "protect")
#: What these verbs write into --output.
WRITES = {"check": ".toml", "describe": ".toml", "report": ".html"}


def judge(trial: Command, ran: Ran, clean: Ran | None = None) -> Judged:
    """What is said of a command."""
    why = tuple(dict.fromkeys(_wrongs(trial, ran, clean)))
    verdict = Verdict.WRONG if why else Verdict.REFUSED if ran.code == 2 else Verdict.ANSWERED
    program = trial.arguments[:1] == ("python",)
    command = (
        "; ".join(trial.arguments[1].splitlines()) if program else shlex.join(("unmask", *trial.arguments))
    )
    return Judged(trial.name, trial.kind, verdict, why, command, (ran.err or ran.out)[-600:])


def _wrongs(trial: Command, ran: Ran, clean: Ran | None) -> Iterator[str]:
    if ran.code is None:
        yield "hangs"
        return
    if ran.code < 0:
        yield f"crashes with signal {-ran.code}"
    yield from unmeant(ran)
    yield from leaks(ran, trial.may_hold)
    if ran.left:
        yield f"leaves behind {', '.join(ran.left)}"
    if ran.grown > trial.most_memory:
        yield f"takes {ran.grown:.0f} MB of memory"
    if ran.code == 2:
        yield from refusal(ran)
        if trial.must is Must.ANSWER:
            yield "refuses what is right"
    elif ran.code in (0, 1, 3):
        yield from _answer(trial, ran)
        if clean is not None and trial.twin is not None and ran.code == 0:
            yield from too_low(trial, ran, clean)
    elif ran.code > 0:
        yield f"exit code {ran.code}"


def unmeant(ran: Ran) -> Iterator[str]:
    """What no user should see."""
    for text in (ran.out, ran.err):
        for words in UNMEANT:
            if words in text.replace(MEANT, ""):
                yield f"prints '{words.strip()}'"
        strange = {c for c in text if (unicodedata.category(c) == "Cc" and c != "\n") or c in TURNING}
        if strange:
            yield f"prints control characters {', '.join(sorted(f'U+{ord(c):04X}' for c in strange))}"


def leaks(ran: Ran, may_hold: frozenset[str]) -> Iterator[str]:
    """Values of records where none belong."""
    for place, text in (("stdout", ran.out), ("stderr", ran.err)):
        if SECRET.search(text.encode()):
            yield f"a record's value is on {place}"
    for name, written in ran.written.items():
        if written is not None and name not in may_hold and SECRET.search(written):
            yield f"a record's value is in {name}"


def refusal(ran: Ran) -> Iterator[str]:
    """A refusal is one line, and nothing is written."""
    if not ran.err.startswith("error: ") or ran.err.count("\n") != 1 or not ran.err.endswith("\n"):
        yield "refuses in other words than one line that begins with 'error: '"
    elif len(ran.err) > 2000:
        yield f"refuses in a line of {len(ran.err)} characters"
    if ran.out:
        yield "prints before it refuses"
    gone = ran.before.keys() - ran.after.keys()
    if ran.written or gone:
        yield f"refuses, and writes {', '.join(sorted({*ran.written, *gone}))}"


def _answer(trial: Command, ran: Ran) -> Iterator[str]:
    if trial.must is Must.REFUSE:
        yield f"answers what makes no sense (exit code {ran.code})"
    if ran.code and not (ran.out.strip() or ran.err.strip()):
        yield f"exit code {ran.code} without a word"
    if ran.err.startswith("error: "):
        yield f"an error with exit code {ran.code}"
    asked = asked_outputs(trial.arguments)
    touched = sorted(
        name for name in ran.before if name not in asked and ran.after.get(name) != ran.before[name]
    )
    touched = [name for name in touched if not _of_a_ledger(trial, name)]
    if touched:
        yield f"writes over {', '.join(touched)}"
    for name, form in asked.items():
        found = ran.after.get(name)
        if found is not None and not whole(form, found):
            yield f"{name} is not whole"
    strange = sorted(name for name in ran.after.keys() - ran.before.keys() if name.endswith(".tmp"))
    if strange:
        yield f"leaves behind {', '.join(strange)}"


def _of_a_ledger(trial: Command, name: str) -> bool:
    return trial.arguments[:2] == ("ledger", "add") and name == trial.arguments[2]


def asked_outputs(arguments: tuple[str, ...]) -> dict[str, str]:
    """The files that a command is asked to write, and the suffix of what it writes into each.

    A result may have whatever name it is given: what is in it is told by the option, else by the name.
    """
    found: dict[str, str] = {}
    for option, value in pairwise(arguments):
        if option in OUTPUTS or (option == "--pairs" and arguments[0] in PAIRING):
            name = value.removeprefix("./")
            found[name] = OUTPUTS.get(option) or WRITES.get(arguments[0], name)
            found[f"{name}.unmask.toml"] = ".toml"  # which tells how a masked file was made
    return found


def whole(form: str, found: bytes) -> bool:
    """Whether a document is complete, as its suffix tells; a page may have whatever name it is given."""
    if found.rstrip().endswith(b"</html>"):
        return True
    try:
        if form.endswith(".json"):
            json.loads(found)
        elif form.endswith(".toml"):
            tomllib.loads(found.decode())
        elif form.endswith(".html"):
            return False
        elif form.endswith(".csv"):
            return found.endswith(b"\n")
    except ValueError:
        return False
    return True


def too_low(trial: Command, ran: Ran, clean: Ran) -> Iterator[str]:
    """An answer that is lower than that to the clean files, and does not say why it may be."""
    assert trial.twin is not None
    if clean.code != 0:
        yield f"the clean twin has exit code {clean.code}: {clean.err.strip()}"
        return
    documents = [_document(one) for one in (clean, ran)]
    if documents[0] is None or documents[1] is None:
        yield "there is no JSON to compare with the clean twin's"
        return
    before, after = documents
    if notes_of(after) - notes_of(before):
        return
    if trial.twin.whole and after["sizes"] != before["sizes"]:
        sizes = [
            f"{k} {before['sizes'][k]} -> {v}"
            for k, v in after["sizes"].items()
            if v != before["sizes"].get(k)
        ]
        yield f"other sizes without a note: {', '.join(sizes)}"
    yield from lower(before, after, trial.twin.tolerance)


def _document(ran: Ran) -> dict[str, object] | None:
    found = ran.after.get("risk.json")
    return None if found is None else json.loads(found)
