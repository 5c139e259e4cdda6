"""Good documents and a good ledger, made once by the program itself, to be spoiled."""

from __future__ import annotations

from functools import cache
from importlib import resources

from tests.hostile.bench import Bench
from tests.hostile.clean import FILES, RELEASED, text

SECOND = text([{**row, "age": int(str(row["age"])) + 1} for row in RELEASED])

#: The commands, in turn, in one folder; what they leave there are the documents.
COMMANDS = (
    "describe original.csv -o schema.toml",
    "check original.csv released.csv -o both.toml --json check.json",
    "assess original.csv released.csv --attacks guess,dbrl --measures sadr,k-anonymity,interval-rank"
    " --truth rows --json assessment.json --save-request request.toml",
    "knowledge original.csv released.csv --size 2 --errors 0 --shares 1 --truth rows --json knowledge.json"
    " --save-request knowledge.toml",
    "mask original.csv --mask noise:a=0.1 -o masked.csv --save-request mask.toml --write-schema masked.toml",
    "ledger add book.db released.csv --original original.csv --assessment assessment.json --mask noise:a=0.1"
    " --date 2026-01-31 --label first",
    "ledger assess book.db original.csv second.csv --earlier released.csv --attacks dbrl --truth rows"
    " --json comparison.json --save-request comparison.toml",
)


@cache
def documents() -> dict[str, bytes]:
    """The documents, a policy and the ledger by name, and the second release; without the data."""
    policy = (resources.files("unmask.policies") / "bundled" / "example.toml").read_text()
    files: dict[str, str | bytes] = {**FILES, "second.csv": SECOND, "policy.toml": policy}
    with Bench() as bench:
        for command in COMMANDS:
            ran = bench.run(tuple(command.split()), files)
            assert ran.code == 0, (command, ran.err)
            files |= {name: held for name, held in ran.after.items() if held is not None}
    return {
        name: held if isinstance(held, bytes) else held.encode()
        for name, held in files.items()
        if name not in FILES
    }
