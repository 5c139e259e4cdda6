"""Policy files: TOML, one ``[[criterion]]`` for each bound; and the policies that come with unmask."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from unmask.data.io.sources import existing, read_text, shown
from unmask.data.schema import nearest, one_line
from unmask.errors import DataError, UnmaskError, clipped, unknown_name
from unmask.fields import instance
from unmask.policies.policy import Criterion, Policy
from unmask.policies.reading import Reading

MARK, VERSION = "unmask-policy", 1

_SUFFIX = ".toml"
_TEXTS = ("title", "source", "note")
_KEYS = ("format", "version", *_TEXTS, "criterion")
_CRITERION = tuple(field.name for field in fields(Criterion))
_BOUNDS = ("at_most", "at_least")
#: A bound may be written as a fraction: 1/11 has no end as a decimal number.
_FRACTION = re.compile(r"\s*([0-9]{1,9})\s*/\s*([0-9]{1,9})\s*")
_LINE = re.compile(r"line (\d+)")
_HINT = "'unmask list policies' shows the bundled ones; the documentation shows how one is written"


@cache
def bundled_policies() -> Mapping[str, Policy]:
    """The policies that come with unmask, by name.

    >>> bundled_policies()["cell-size-5"].criteria[0].bound
    5
    """
    folder = files("unmask.policies") / "bundled"
    texts = {
        entry.name.removesuffix(_SUFFIX): entry.read_text(encoding="utf-8")
        for entry in folder.iterdir()
        if entry.name.endswith(_SUFFIX)
    }
    return {name: policy_in(texts[name], name, f"{name}{_SUFFIX}") for name in sorted(texts, key=_by_number)}


def _by_number(name: str) -> list[tuple[int, str]]:
    """The place of a name: numbers in it count as such."""
    return [(int(part) if part.isdigit() else 0, part) for part in re.split(r"([0-9]+)", name)]


def policy_file(policy: str) -> Path | None:
    """The file of a policy that is named by its path; None where it is one of the bundled ones."""
    return None if policy in bundled_policies() else Path(policy)


def policy_named(policy: str) -> Policy:
    """The policy of that name, or in the file of that path.

    >>> policy_named("ema-0700")
    Traceback (most recent call last):
    unmask.errors.ArgumentError: no policy is called 'ema-0700'. Hint: did you mean 'ema-0070'? Known: ...
    """
    path = policy_file(policy)
    if path is None:
        return bundled_policies()[policy]
    if not policy or (not path.suffix and len(path.parts) == 1 and not _is_there(path)):
        raise unknown_name("policy", policy, bundled_policies())
    return read_policy(path)


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # no file can have such a name
        return False


def read_policy(path: str | Path) -> Policy:
    r"""The policy in a TOML file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "ours.toml"
    ...     head = 'format = "unmask-policy"\nversion = 1\ntitle = "Ours"\nsource = "Handbook, chapter 3"\n'
    ...     _ = file.write_text(head + '[[criterion]]\nreading = "smallest-class"\nat_least = 5\n')
    ...     read_policy(file).criteria[0].bound
    5
    """
    place = existing(Path(instance("the path of the policy", path, str | Path, "write 'policy.toml'")))
    return policy_in(read_text(place), shown(place), shown(place))


def policy_in(text: str, name: str, source: str) -> Policy:
    """The policy in a TOML text; ``source`` is its file in messages."""
    content = _parsed(text, source)
    if content.get("format") != MARK:
        raise DataError(f'{source} has no format = "{MARK}"', hint=_HINT)
    version = content.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise DataError(f"{source} has no version of its format", hint=f"write version = {VERSION}")
    if version > VERSION:
        raise DataError(
            f"{source} has format version {clipped(str(version))}, and this unmask reads up to {VERSION}",
            hint="update unmask",
        )
    _check_keys(content, _KEYS, source)
    for key in _TEXTS[:2]:
        if key not in content:
            raise DataError(f"{source} has no {key}", hint=f'write {key} = "..." before the first criterion')
    entries = content.get("criterion")
    if not isinstance(entries, list) or not entries or not all(isinstance(entry, dict) for entry in entries):
        raise DataError(f"{source} has no criterion", hint="write a [[criterion]] entry, in double brackets")
    criteria = [_criterion(entry, f"criterion {i} of {source}") for i, entry in enumerate(entries, start=1)]
    texts = {key: content[key] for key in _TEXTS if key in content}
    try:
        return Policy(name=name, criteria=tuple(criteria), **texts)
    except UnmaskError as error:
        raise DataError(f"{source}: {error.message}", hint=error.hint) from None


def _parsed(text: str, source: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise DataError(f"{source} nests brackets more deeply than any policy does", hint=_HINT) from None
    except ValueError as error:  # also a number of thousands of digits
        line = _LINE.search(str(error))
        where = f" at line {line[1]}" if line else ""
        raise DataError(
            f"{source} is not valid TOML{where}",
            hint="check quotes, brackets and '=' there; texts stand in double quotes",
        ) from None


def _check_keys(entry: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    for key in entry:
        if key not in known:
            raise DataError(
                f"{where} has an unknown key '{one_line(clipped(key))}'", hint=nearest(clipped(key), known)
            )


def _criterion(entry: dict[str, Any], where: str) -> Criterion:
    _check_keys(entry, _CRITERION, where)
    reading = entry.get("reading")
    known = [str(one) for one in Reading]
    if not isinstance(reading, str):
        what = "has no reading" if reading is None else "has a reading that is not a text"
        raise DataError(f"{where} {what}", hint=f'write reading = "..."; known: {", ".join(known)}')
    if reading not in known:
        raise DataError(
            f"{where} has the unknown reading '{one_line(clipped(reading))}'",
            hint=nearest(clipped(reading), known),
        )
    given = {key: _number(value) if key in _BOUNDS else value for key, value in entry.items()}
    try:
        return Criterion(**given)
    except UnmaskError as error:
        raise DataError(f"{where}: {error.message}", hint=error.hint) from None


def _number(value: Any) -> Any:
    """A bound as it is given, a fraction as the number that it is."""
    found = _FRACTION.fullmatch(value) if isinstance(value, str) else None
    return value if found is None or int(found[2]) == 0 else int(found[1]) / int(found[2])
