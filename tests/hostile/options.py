"""Every option and argument of every verb with wrong, extreme, empty and contradictory values.

The verbs and their parameters are asked of the command line itself: a new option is tried by itself, and a
new verb without a good command here fails.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from tests.hostile import made
from tests.hostile.clean import FILES
from tests.hostile.parameters import Parameter, verbs
from tests.hostile.trial import Command, Files, Must, Special, Trial

KIND = "options"

#: A good, quick command for each verb, to which one bad word is added.
GOOD: dict[str, str] = {
    "start": "start original.csv released.csv --yes --out made",
    "check": "check original.csv released.csv",
    "assess": "assess original.csv released.csv --attacks dbrl --measures sadr",
    "compare": "compare assessment.json assessment.json",
    "knowledge": "knowledge original.csv released.csv --size 1 --errors 0 --shares 1",
    "loss": "loss original.csv released.csv --losses il1s",
    "study": "study original.csv --mask noise:a=0.1 --replicates 1 --attacks dbrl --losses il1s --least il1s",
    "protect": "protect original.csv --policy cell-size-3 --mask noise:a={0.1,0.5} --replicates 1 "
    "--losses il1s --least il1s -o masked.csv",
    "mask": "mask original.csv --mask noise:a=0.1 -o masked.csv",
    "describe": "describe original.csv",
    "match-schema": "match-schema original.csv released.csv",
    "demo": "demo --out made/demo",
    "report": "report assessment.json",
    "run": "run request.toml",
    "rerun": "rerun assessment.json",
    "list": "list masks",
    "reproduce": "reproduce rank-based-2016 --quick",
    "ledger add": "ledger add new.db released.csv --original original.csv",
    "ledger list": "ledger list book.db",
    "ledger show": "ledger show book.db 1",
    "ledger check": "ledger check book.db released.csv",
    "ledger assess": "ledger assess book.db original.csv second.csv --earlier released.csv --attacks dbrl",
}
INTEGERS = {
    "text": "x",
    "half": "1.5",
    "nan": "nan",
    "empty": "",
    "negative": "-1",
    "zero": "0",
    "huge": "9" * 30,
    "beyond-int64": str(2**63),
    "exponent": "1e3",
    "arabic": "١٢",
}
FLOATS = {
    "text": "x",
    "nan": "nan",
    "empty": "",
    "infinite": "inf",
    "negative": "-1",
    "zero": "0",
    "largest": "1e308",
    "smallest": "5e-324",
    "comma": "1,5",
    "one": "1.0",
    "above-one": "1.5",
}
TEXTS = {
    "empty": "",
    "blank": " ",
    "comma": ",",
    "equals": "=",
    "colon": "x:y=z",
    "no-such": "nonesuch",
    "repeated": "age,age",
    "column": "age",
    "key": "id",
    "missing-column-value": "age=",
    "value-without-column": "=numeric",
    "pair": "age=numeric",
    "unknown-pair": "age=nonesuch",
    "escape": "\x1b[31mage",
    "line-end": "age\nincome",
    "turned": "\u202eega",
    "surrogate": "age\ud800",
    "long": "x" * 50_000,
    "deep": "one-to-one:over=" * 300 + "dbrl",
    "format": "%s{0}{{7*7}}$(id)`id`",
    "path": "../../../../etc/passwd",
    "decomposed": "towne\u0301",
    "star": "*",
    "number": "1e400",
    "dash": "-",
}
PATHS = {
    "nowhere": "nowhere.csv",
    "in-nowhere": "nowhere/a.csv",
    "below-a-file": "original.csv/a.csv",
    "folder": "made",
    "empty-name": "",
    "empty-file": "empty.csv",
    "noise": "noise.csv",
    "text-called-parquet": "text.parquet",
    "no-suffix": "original",
    "long": "x" * 300 + ".csv",
    "escape": "a\x1b[31m.csv",
    "line-end": "a\nb.csv",
    "fifo": "fifo.csv",
    "loop": "loop.csv",
    "no-permission": "secret.csv",
    "home": "~/a.csv",
    "null": "/dev/null",
    "process": "/proc/self/mem",
    "address": "sqlite:nowhere.db::people",
    "strange-address": "postgresql://user:pass\x07word@nowhere.invalid/db::t",
    "itself": "original.csv",
    "other": "released.csv",
    "document": "assessment.json",
    "ledger": "book.db",
}
TARGETS = {
    "in-nowhere": "nowhere/out",
    "folder": "made",
    "empty-name": "",
    "over-original": "original.csv",
    "over-released": "./released.csv",
    "over-released-by-link": "link.csv",
    "over-ledger": "book.db",
    "over-request": "request.toml",
    "over-schema": "schema.toml",
    "long": "x" * 300,
    "escape": "a\x1b[31m",
    "line-end": "a\nb",
    "below-a-file": "original.csv/out",
    "null": "/dev/null",
    "process": "/proc/out",
    "fifo": "fifo.csv",
    "loop": "loop.csv",
    "dot": ".",
    "dash": "-",
}
VALUES: dict[str, Mapping[str, str]] = {
    "INT": INTEGERS,
    "FLOAT": FLOATS,
    "PATH": PATHS,
    "TARGET": TARGETS,
    "TEXT": TEXTS,
    "BOOL": {},
}
#: The outputs that are asked to hold values of records.
MASKED = frozenset({"masked.csv", "made/demo/original.csv", "made/demo/released.csv"})
#: These values make no sense for any option that takes such a thing.
SENSELESS = {"INT": {"text", "half", "nan", "empty"}, "FLOAT": {"text", "nan", "empty"}}

SPECIAL: dict[str, str | bytes | Special] = {
    "empty.csv": "",
    "noise.csv": bytes(range(256)) * 20,
    "text.parquet": FILES["original.csv"],
    "original": FILES["original.csv"],
    "fifo.csv": Special.FIFO,
    "loop.csv": Special.LOOP,
    "secret.csv": Special.SECRET,
    "made": Special.FOLDER,
    "link.csv": Special.LINK,
}


def trials(seed: int) -> Sequence[Trial]:
    """One bad value at a time for every parameter, and pairs of options that were not made for each other."""
    found: list[Command] = []
    files = {**FILES, **SPECIAL, **made.documents()}
    for verb, parameters in verbs().items():
        good = tuple(GOOD[verb].split())
        for one in parameters:
            found += [_trial(verb, good, one, name, values, files) for name, values in _values(one)]
        found += _pairs(verb, good, parameters, files, random.Random(f"{seed} {verb}"))
    return found


def _values(parameter: Parameter) -> Iterator[tuple[str, tuple[str, ...]]]:
    for name, value in VALUES[parameter.takes].items():
        yield name, (value,)
    if parameter.place is not None:
        yield "more", ("original.csv", "released.csv", "third.csv", "fourth.csv")
    elif parameter.takes != "BOOL":
        yield "twice", ("age=numeric", "id=numeric") if parameter.takes == "TEXT" else ("1", "2")


def _trial(
    verb: str, good: tuple[str, ...], parameter: Parameter, name: str, values: tuple[str, ...], files: Files
) -> Command:
    if parameter.place is None:
        arguments = (*good, *(word for value in values for word in (parameter.flag, value)))
    else:
        place = len(verb.split()) + parameter.place
        arguments = (*good[:place], *values, *good[place + 1 :])
    senseless = parameter.place is None and name in SENSELESS.get(parameter.takes, ())
    return Command(
        f"option/{verb.replace(' ', '-')}/{parameter.name}-{name}",
        KIND,
        arguments,
        files,
        must=Must.REFUSE if senseless else Must.EITHER,
        may_hold=MASKED,
        environment={"UNMASK_DATA": "."},
    )


#: Values that make sense, by the name of the option; the rest is drawn from the bad ones.
PLAUSIBLE: dict[str, tuple[str, ...]] = {
    "schema": ("schema.toml",),
    "released_schema": ("schema.toml",),
    "role": ("income=confidential", "age=ignored", "id=quasi-identifier", "town=weight", "sex=household"),
    "kind": ("zip=numeric", "age=nominal", "born=date", "income=ordinal"),
    "missing_code": ("age=45", "99", "sex=f"),
    "renamed": ("age=income", "sex=town"),
    "known": ("age", "age,town", "born", "zip,sex", "income"),
    "truth": ("id", "rows", "sex"),
    "attacks": ("prl", "guess", "one-to-one", "learned-weights", "alignment", "structural"),
    "attack": ("prl", "rbrl-max"),
    "targets": ("1", "0.5", "60", "59"),
    "error": ("0.5", "5"),
    "missing": ("ignore", "wildcard", "category", "suppressed", "mismatch"),
    "block": ("sex", "town", "age", "sex,town,zip"),
    "source": ("known=age+sex,targets=0.5", "known=born,error=1"),
    "earlier": ("second.csv", "released.csv"),
    "follow": ("order", "key:id", "confidential", "none"),
    "mechanism": ("noise:a=0.1", "microaggregation:k=3", "rank-swapping:p=10", "pram:p=0.8"),
    "measures": ("k-anonymity", "model-disclosure", "l-diversity", "household-risk", "membership-distance"),
    "population": ("original.csv", "second.csv"),
    "holdout": ("second.csv", "original.csv"),
    "false_links": ("1e-6", "0.5", "1", "0"),
    "missed": ("0.05", "0", "1"),
    "time_limit": ("0.01", "1"),
    "sample": ("1", "5", "1000"),
    "budget": ("0.001", "1e9", "0"),
    "seed": ("1", str(2**31), str(2**64)),
    "threads": ("1", "2", "64"),
    "delimiter": (";", ",", "\t"),
    "encoding": ("utf-8", "latin-1", "utf-16"),
    "sheet": ("Sheet1",),
    "table": ("people", "SELECT 1"),
    "json": ("risk.json",),
    "html": ("risk.html",),
    "records": ("records.csv", "records.parquet"),
    "save_request": ("saved.toml",),
    "size": ("2", "100"),
    "threshold": ("0", "0.5", "1"),
    "errors": ("0,1", ""),
    "shares": ("0.5", ""),
    "limit": ("1", "3"),
    "candidates": ("2", "10000"),
}


def _pairs(
    verb: str, good: tuple[str, ...], parameters: Sequence[Parameter], files: Files, chance: random.Random
) -> Iterator[Command]:
    """Two or three options at once, with values that make sense one by one."""
    chosen = [one for one in parameters if one.flag and (one.name in PLAUSIBLE or one.takes == "BOOL")]
    if len(chosen) < 3:
        return
    for number in range(6 * len(chosen)):
        words, names = list(good), []
        for option in chance.sample(chosen, chance.choice((2, 2, 3))):
            names.append(option.name)
            values = () if option.takes == "BOOL" else (chance.choice(PLAUSIBLE[option.name]),)
            words += [option.flag, *values]
        name = f"option/{verb.replace(' ', '-')}/together-{number}-{'-and-'.join(names)}"
        yield Command(name, KIND, tuple(words), files, may_hold=MASKED)
