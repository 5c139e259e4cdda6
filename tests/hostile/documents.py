"""Schemas, requests, results, policies, sidecars: parts removed, retyped, renamed, nested and blown up."""

from __future__ import annotations

import copy
import json
import random
import tomllib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import tomli_w

from tests.hostile import made
from tests.hostile.clean import FILES, QUICK
from tests.hostile.trial import Command, Trial

KIND = "documents"

ASSESS = ("assess", "original.csv", "released.csv", *QUICK, "--json", "risk.json")
#: The commands that read each document.
READERS: dict[str, tuple[tuple[str, ...], ...]] = {
    "schema.toml": (
        (*ASSESS, "--schema", "schema.toml"),
        ("mask", "original.csv", "--mask", "noise:a=0.1", "-o", "out.csv", "--schema", "schema.toml"),
        ("ledger", "add", "new.db", "released.csv", "--original", "original.csv", "--schema", "schema.toml"),
    ),
    "both.toml": ((*ASSESS, "--schema", "both.toml"),),
    "masked.toml": ((*ASSESS, "--released-schema", "masked.toml"),),
    "request.toml": (("run", "request.toml", "--json", "risk.json"),),
    "knowledge.toml": (("run", "knowledge.toml", "--json", "risk.json"),),
    "mask.toml": (("run", "mask.toml", "-o", "out.csv"),),
    "comparison.toml": (("run", "comparison.toml", "--json", "risk.json"),),
    "policy.toml": (
        (*ASSESS, "--policy", "policy.toml"),
        ("report", "assessment.json", "-o", "risk.html", "--policy", "policy.toml"),
    ),
    "masked.csv.unmask.toml": (
        ("assess", "original.csv", "masked.csv", *QUICK, "--json", "risk.json"),
        ("check", "original.csv", "masked.csv"),
    ),
    "assessment.json": (
        ("report", "assessment.json", "-o", "risk.html"),
        ("rerun", "assessment.json"),
        (
            "ledger",
            "add",
            "new.db",
            "released.csv",
            "--original",
            "original.csv",
            "--assessment",
            "assessment.json",
        ),
    ),
    "knowledge.json": (("report", "knowledge.json", "-o", "risk.html"), ("rerun", "knowledge.json")),
    "comparison.json": (("report", "comparison.json", "-o", "risk.html"), ("rerun", "comparison.json")),
}
MUTATIONS = 36

Path = tuple[str | int, ...]


def _nested(depth: int) -> list[Any]:
    deep: list[Any] = []
    for _ in range(depth):
        deep = [deep]
    return deep


#: What a part may be replaced by.
STRANGE: dict[str, Any] = {
    "empty-text": "",
    "text": "nonesuch",
    "number-as-text": "1",
    "escape": "a\x1b[31m\x07b",
    "turned": "\u202ex",
    "long-text": "x" * 200_000,
    "markup": "</script><script>alert(1)</script>{{7*7}}[bold]",
    "path": "../../../etc/passwd",
    "minus-one": -1,
    "zero": 0,
    "huge": 2**63 - 1,
    "half": 0.5,
    "nan": float("nan"),
    "infinite": float("inf"),
    "true": True,
    "false": False,
    "empty-list": [],
    "list": ["age", 1, None],
    "empty-table": {},
    "table": {"name": "age", "deep": {"er": 1}},
    "nested": _nested(60),
    "null": None,
}


def _places(tree: Any, path: Path = ()) -> Iterator[Path]:
    if path:
        yield path
    parts = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, part in parts:
        yield from _places(part, (*path, key))


def _mutated(tree: Any, chance: random.Random) -> tuple[str, Any]:
    """The tree with one part changed, and what was done."""
    tree = copy.deepcopy(tree)
    shallow = [path for path in _places(tree) if len(path) <= 3]
    path = chance.choice(shallow if chance.random() < 0.6 else list(_places(tree)))
    parent = tree
    for key in path[:-1]:
        parent = parent[key]
    key, where = path[-1], ".".join(map(str, path))
    match chance.choice(("remove", "rename", "repeat", "retype", "retype", "retype", "retype")):
        case "remove":
            del parent[key]
            return f"{where}-removed", tree
        case "rename" if isinstance(parent, dict):
            parent[f"{key}x"] = parent.pop(key)
            return f"{where}-renamed", tree
        case "repeat" if isinstance(parent, list):
            parent.extend(parent * 3)
            return f"{where}-repeated", tree
        case _:
            name = chance.choice(sorted(STRANGE))
            parent[key] = copy.deepcopy(STRANGE[name])
            return f"{where}-{name}", tree


def _written(name: str, tree: Any) -> bytes:
    if name.endswith(".json"):
        return json.dumps(tree).encode()
    return tomli_w.dumps(_without_null(tree)).encode()


def _without_null(tree: Any) -> Any:
    """TOML has no null: the part is left out."""
    if isinstance(tree, dict):
        return {key: _without_null(part) for key, part in tree.items() if part is not None}
    return [_without_null(part) for part in tree if part is not None] if isinstance(tree, list) else tree


#: What may happen to the text of any document.
TEXTS: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "empty": lambda _text, _: b"",
    "cut": lambda text, chance: text[: chance.randrange(len(text))],
    "cut-late": lambda text, _: text[: -len(text) // 20],
    "doubled": lambda text, _: text + text,
    "first-line-gone": lambda text, _: text.partition(b"\n")[2],
    "byte-order-mark": lambda text, _: b"\xef\xbb\xbf" + text,
    "utf-16": lambda text, _: text.decode().encode("utf-16"),
    "invalid-utf-8": lambda text, _: text.replace(b"a", b"\xff", 1),
    "nul": lambda text, _: text + b"\0",
    "windows": lambda text, _: text.replace(b"\n", b"\r\n"),
    "flipped": lambda text, chance: _flipped(text, chance),
    "deep-lists": lambda _text, _: b"a = " + b"[" * 20_000 + b"]" * 20_000,
    "deep-objects": lambda _text, _: b'{"a":' * 20_000 + b"1" + b"}" * 20_000,
    "deep-keys": lambda text, _: text + b"\n" + b".".join([b"a"] * 5000) + b" = 1\n",
    "long-number": lambda text, _: text + b"\nx = " + b"9" * 10_000 + b"\n",
    "list": lambda _text, _: b"[1, 2, 3]",
    "number": lambda _text, _: b"1",
    "noise": lambda _text, chance: bytes(chance.randrange(256) for _ in range(3000)),
}


def _flipped(text: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(len(text))
    return text[:place] + bytes([text[place] ^ (1 << chance.randrange(8))]) + text[place + 1 :]


def trials(seed: int) -> Sequence[Trial]:
    """Every document changed in many ways, each given to one of the commands that read it, in turn."""
    found: list[Command] = []
    good = {**FILES, **made.documents()}
    for name, commands in READERS.items():
        held = made.documents()[name]
        tree = json.loads(held) if name.endswith(".json") else tomllib.loads(held.decode())
        chance = random.Random(f"{seed} {name}")
        spoiled = [_mutated(tree, chance) for _ in range(MUTATIONS * len(commands))]
        changed = [(what, _written(name, other)) for what, other in spoiled]
        changed += [(what, change(held, chance)) for what, change in TEXTS.items() for _ in commands]
        for number, (what, text) in enumerate(changed):
            arguments = commands[number % len(commands)]
            found.append(
                Command(
                    f"document/{name}/{number}-{what}",
                    KIND,
                    arguments,
                    {**good, name: text},
                    may_hold=frozenset({"out.csv"}),
                )
            )
    return found
