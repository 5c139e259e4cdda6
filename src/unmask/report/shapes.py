"""The shape of plain data: what a JSON document must hold, and the first part of it that does not fit."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from importlib.metadata import version
from typing import Any, NoReturn

from unmask.errors import DataError

#: Plain data, as JSON holds it.
Document = Mapping[str, Any]

#: A mapping has each key with a value of its shape, a list only items of its one shape, a tuple is a list of
#: just these, a set is a choice of texts; str and bool are what they are, int is a whole number from 0 on.
Shape = Any


class Number(Enum):
    """Numbers that need not be whole."""

    SHARE = "from 0 to 1"
    FINITE = "any but infinity"


@dataclass(frozen=True)
class Maybe:
    """What may be null."""

    shape: Shape


@dataclass(frozen=True)
class Later:
    """What documents of the same version may lack, because it came later than the rest."""

    shape: Shape


@dataclass(frozen=True)
class Each:
    """A mapping of any keys to values of one shape."""

    shape: Shape


#: A larger whole number is no count of anything, and no other program reads it.
_LARGEST = 2**63 - 1


@dataclass(frozen=True, eq=False)
class Kind:
    """One kind of document: its mark, what it is called and which command writes it, what it must hold.

    ``check`` looks at what a shape cannot tell, and names the part that does not fit.
    """

    format: str
    version: int
    name: str
    command: str
    shape: Mapping[str, Shape]
    check: Callable[[Document], str | None] = lambda _: None

    def mark(self) -> dict[str, object]:
        """What every document of this kind starts with."""
        return {"format": self.format, "version": self.version, "unmask": version("unmask")}

    @property
    def remedy(self) -> str:
        """How to get a document that can be read."""
        return f"write it again with '{self.command} ... --json FILE'"

    def unfit(self, where: str) -> DataError:
        """What is said of a part that unmask does not write."""
        return DataError(f"the {self.name}'s '{where}' is not what unmask writes", hint=self.remedy)


def read(text: str, kinds: Sequence[Kind]) -> tuple[Kind, dict[str, Any]]:
    """The document in a JSON text and its kind, checked, so that a report can be made of it."""
    *most, last = (f"'{kind.command}'" for kind in kinds)
    hint = f"give a file that {' or '.join([', '.join(most), last] if most else [last])} wrote with --json"
    try:
        document = json.loads(text, parse_constant=_not_a_number)
        # A text may hold half of a character that no file can.
        json.dumps(document, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise DataError("the text is not JSON, or was cut off", hint=hint) from None
    mark = document.get("format") if isinstance(document, dict) else None
    kind = next((kind for kind in kinds if kind.format == mark), None)
    if kind is None:
        expected = f"an unmask {kinds[0].name}" if len(kinds) == 1 else "a result of unmask"
        raise DataError(f"the JSON is not {expected}", hint=hint)
    _check_version(kind, document.get("version"))
    _check(document, kind.shape, "", kind)
    where = kind.check(document)
    if where is not None:
        raise kind.unfit(where)
    return kind, document


def _not_a_number(token: str) -> NoReturn:
    # Python reads NaN and Infinity, which JSON does not have and no share can be.
    raise ValueError(token)


def _check_version(kind: Kind, found: object) -> None:
    if not isinstance(found, int) or isinstance(found, bool) or not 1 <= found <= _LARGEST:
        raise DataError(f"the {kind.name} has no format version", hint=kind.remedy)
    if found > kind.version:
        raise DataError(
            f"the {kind.name} has format version {found}, and this unmask reads up to {kind.version}",
            hint="update unmask, or use the one that wrote the file",
        )


def _check(value: object, shape: Shape, where: str, kind: Kind) -> None:
    """Compare a value with its shape, and name the first part that does not fit."""
    if isinstance(shape, Later):
        shape = shape.shape
    if isinstance(shape, Maybe):
        if value is None:
            return
        shape = shape.shape
    if isinstance(shape, Mapping) and isinstance(value, dict):
        for key, inner in shape.items():
            place = f"{where}.{key}".lstrip(".")
            if key in value:
                _check(value[key], inner, place, kind)
            elif not isinstance(inner, Later):
                raise DataError(f"the {kind.name} lacks '{place}'", hint=kind.remedy)
    elif isinstance(shape, list | tuple) and isinstance(value, list):
        if isinstance(shape, tuple) and len(shape) != len(value):
            raise kind.unfit(where)
        for i, item in enumerate(value):
            _check(item, shape[i if isinstance(shape, tuple) else 0], f"{where}[{i}]", kind)
    elif not _fits(value, shape):
        raise kind.unfit(where)


def _fits(value: object, shape: Shape) -> bool:
    if isinstance(value, bool):  # which Python also counts as a whole number
        return shape is bool
    if isinstance(shape, Number):
        if not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
            return False
        return shape is Number.FINITE or 0 <= value <= 1
    if shape is int:
        return isinstance(value, int) and 0 <= value <= _LARGEST
    if isinstance(shape, Each):
        return isinstance(value, dict) and all(_fits(item, shape.shape) for item in value.values())
    if isinstance(shape, frozenset):
        return isinstance(value, str) and value in shape
    return isinstance(shape, type) and isinstance(value, shape)
