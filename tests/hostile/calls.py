"""The functions of the Python interface with strange values: an UnmaskError, or an answer.

Functions and keywords are asked of the package itself, so that a new one is tried by itself.
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Iterator, Sequence
from typing import Any, get_args, get_type_hints

import unmask
from tests.hostile.clean import FILES
from tests.hostile.trial import Command, Trial

KIND = "calls in Python"

EACH = 14
#: A good call of each function, as the positional arguments, and what keeps it quick.
GOOD: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "assess": (("'original.csv'", "'released.csv'"), {"attacks": "'dbrl'", "measures": "'sadr'"}),
    "check": (("'original.csv'", "'released.csv'"), {}),
    "knowledge_curves": (("'original.csv'", "'released.csv'"), {"grid": "unmask.Grid(1, None, (0,), (1,))"}),
    "assess_releases": (
        ("'original.csv'", "'released.csv'", "['original.csv']"),
        {"attacks": "'dbrl'"},
    ),
    "loss": (("'original.csv'", "'released.csv'"), {"losses": "['il1s']"}),
    "study": (
        ("'original.csv'", "['noise:a=0.1']"),
        {"attacks": "['dbrl']", "losses": "['il1s']", "least": "'il1s'", "replicates": "1"},
    ),
    "protect": (
        ("'original.csv'",),
        {
            **{"policy": "'cell-size-3'", "masks": "['noise:a={0.1,0.5}']", "attacks": "['dbrl']"},
            **{"losses": "['il1s']", "least": "'il1s'", "replicates": "1"},
        },
    ),
    "mask": (("pl.read_csv('original.csv')", "unmask.masks.Noise(0.1)"), {}),
    "run": (("unmask.Request(unmask.RequestFiles('original.csv', 'released.csv'), attacks=('dbrl',))",), {}),
    "read_schema": (("'schema.toml'",), {}),
    "write_schema": (("unmask.Schema((unmask.Column('age'),))", "'written.toml'"), {}),
    "judge": (
        ("unmask.assess('original.csv', 'released.csv', attacks=['dbrl'], measures=['sadr'])", "'ema-0070'"),
        {},
    ),
    "match_schema": (("'original.csv'", "'released.csv'"), {}),
    "compatible": (("[1.0, 2.0, 3.0]", "[1.0, 2.5, 3.0]"), {}),
}
STRANGE = {
    "none": "None",
    "true": "True",
    "minus-one": "-1",
    "zero": "0",
    "one": "1.0",
    "huge": "10**30",
    "half": "0.5",
    "nan": "float('nan')",
    "infinite": "float('inf')",
    "empty-text": "''",
    "text": "'nonesuch'",
    "escape": "'\\x1b[31mage'",
    "surrogate": "'age\\ud800'",
    "long-text": "'x' * 50_000",
    "bytes": "b'age'",
    "empty-list": "[]",
    "names": "['age', 'age']",
    "numbers": "[1, None, 2.5]",
    "mixed": "['age', 1, None]",
    "empty-dict": "{}",
    "dict": "{'age': 'numeric', 'nonesuch': 1}",
    "object": "object()",
    "class": "int",
    "function": "len",
    "set": "{'age', 'sex'}",
    "generator": "(name for name in ('age', 'sex'))",
    "path": "pathlib.Path('nowhere.csv')",
    "folder": "pathlib.Path('.')",
    "array": "np.arange(6.0)",
    "matrix": "np.ones((3, 2))",
    "scalar": "np.float32(0.5)",
    "empty-frame": "pl.DataFrame()",
    "frame-without-rows": "pl.DataFrame(schema={'age': pl.Int64})",
    "other-frame": "pl.DataFrame({'height': [1, 2, 3]})",
    "lazy-that-fails": "pl.LazyFrame({'age': ['x']}).select(pl.col('age').cast(pl.Int64))",
    "series": "pl.Series('age', [1, 2, 3])",
    "pandas": "pd.DataFrame({'age': [1, 2], 'mixed': [1, 'a']})",
    "pandas-twice": "pd.DataFrame([[1, 2], [3, 4]], columns=['age', 'age'])",
    "pandas-numbers-as-names": "pd.DataFrame([[1, 2], [3, 4]])",
    "schema": "unmask.Schema((unmask.Column('height'),))",
    "empty-schema": "unmask.Schema(())",
    "scenario": "unmask.Scenario(known=('nonesuch',))",
    "grid": "unmask.Grid(0, 2.0, (), ())",
}
HEAD = "import pathlib, numpy as np, pandas as pd, polars as pl, unmask\n"


def functions() -> list[str]:
    """The public functions."""
    return [name for name in unmask.__all__ if inspect.isfunction(getattr(unmask, name))]


def keywords(function: Any) -> Iterator[str]:
    """What a function takes by name, also where that is a typed dictionary."""
    hints = get_type_hints(function)
    for name, one in inspect.signature(function).parameters.items():
        if one.kind is inspect.Parameter.VAR_KEYWORD:
            yield from get_type_hints(get_args(hints[name])[0])
        elif one.kind is inspect.Parameter.KEYWORD_ONLY:
            yield name


def trials(seed: int) -> Sequence[Trial]:
    """Every argument and keyword of every function with values that are drawn."""
    found: list[Command] = []
    chance = random.Random(f"{seed} calls")
    for name in functions():
        positional, usual = GOOD[name]
        for place in range(len(positional)):
            for what, value in STRANGE.items():
                told = [*positional[:place], value, *positional[place + 1 :]]
                found.append(_trial(f"{name}-argument-{place}-{what}", name, told, usual))
        for keyword in keywords(getattr(unmask, name)):
            drawn = chance.sample(sorted(STRANGE), EACH)
            told = {what: {**usual, keyword: STRANGE[what]} for what in drawn}
            found += [_trial(f"{name}-{keyword}-{what}", name, positional, told[what]) for what in drawn]
    return found


def _trial(name: str, function: str, positional: Sequence[str], told: dict[str, str]) -> Command:
    given = ", ".join((*positional, *(f"{keyword}={value}" for keyword, value in told.items())))
    return Command(f"call/{name}", KIND, ("python", f"{HEAD}unmask.{function}({given})\n"), FILES)
