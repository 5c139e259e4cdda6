"""Between frozen dataclasses and plain data, as JSON holds it: written from types, checked by types."""

from __future__ import annotations

import dataclasses
import sys
import types
from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import Annotated, Any, Protocol, TypeVar, Union, cast, get_args, get_origin, get_type_hints

Built = TypeVar("Built")


@dataclasses.dataclass(frozen=True)
class Between:
    """The range of a number, both ends included."""

    low: float
    high: float


#: A larger whole number is no count of anything, and no other program reads it.
LARGEST = 2**63 - 1

Count = Annotated[int, Between(0, LARGEST)]
Share = Annotated[float, Between(0.0, 1.0)]
Finite = Annotated[float, Between(-sys.float_info.max, sys.float_info.max)]


class Unfit(Exception):  # noqa: N818  # caught where the document's kind is known, which words the error
    """A part of a document that does not fit its type; ``lacking``: it is not there at all."""

    def __init__(self, where: str, *, lacking: bool = False) -> None:
        super().__init__(where)
        self.where = where
        self.lacking = lacking


class Plain(Protocol):
    """A class that writes and reads its plain form itself."""

    def to_plain(self) -> object: ...

    @classmethod
    def from_plain(cls, value: object, where: str) -> Any: ...


def plain(value: object) -> Any:
    """A value as plain data: dataclasses and mappings become objects, tuples lists, enumerations texts.

    >>> from unmask.about import Family
    >>> plain({"families": (Family("linkage", "Linkage", "Whose record is it?"),)})
    {'families': [{'name': 'linkage', 'title': 'Linkage', 'sentence': 'Whose record is it?'}]}
    """
    if hasattr(value, "to_plain"):
        return cast(Plain, value).to_plain()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value


def build(kind: type[Built], value: object, where: str = "") -> Built:
    """The value of a type that plain data describes; an Unfit names the first part that does not fit.

    Fields with a default may be absent: they came later than the rest. What no field asks for is ignored.

    >>> from unmask.about import Family
    >>> build(Family, {"name": "linkage", "title": "Linkage", "sentence": "Whose record is it?"}).name
    'linkage'
    >>> build(Family, {"name": 3}, "families[0]")
    Traceback (most recent call last):
    unmask.documents.codec.Unfit: families[0].name
    """
    return cast(Built, _build(kind, value, where))


def _build(kind: Any, value: object, where: str) -> object:
    if get_origin(kind) is Annotated:
        inner, *limits = get_args(kind)
        return _limited(_build(inner, value, where), limits, where)
    if kind is Any or kind is object:
        return value
    if get_origin(kind) in (Union, types.UnionType):
        return _either(get_args(kind), value, where)
    if get_origin(kind) is tuple:
        return _items(get_args(kind), value, where)
    if get_origin(kind) in (dict, Mapping):
        if not isinstance(value, dict):
            raise Unfit(where)
        # A key is the document's own text, which no message repeats: its place is told instead.
        item, places = get_args(kind)[1], enumerate(value.items())
        return {str(key): _build(item, inner, f"{where}[{i}]") for i, (key, inner) in places}
    if hasattr(kind, "from_plain"):
        return kind.from_plain(value, where)
    if dataclasses.is_dataclass(kind):
        return _dataclass(kind, value, where)
    return _scalar(kind, value, where)


def _limited(value: object, limits: list[Any], where: str) -> object:
    for limit in limits:
        if isinstance(limit, Between) and not limit.low <= cast(float, value) <= limit.high:
            raise Unfit(where)
    return value


def _either(kinds: tuple[Any, ...], value: object, where: str) -> object:
    """The value of the first kind that it fits; of those that do not fit, the last one says where."""
    if value is None and type(None) in kinds:
        return None
    rest = [kind for kind in kinds if kind is not type(None)]
    for kind in rest[:-1]:
        try:
            return _build(kind, value, where)
        except Unfit:
            continue
    return _build(rest[-1], value, where)


def _items(kinds: tuple[Any, ...], value: object, where: str) -> tuple[object, ...]:
    if not isinstance(value, list):
        raise Unfit(where)
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return tuple(_build(kinds[0], item, f"{where}[{i}]") for i, item in enumerate(value))
    if len(kinds) != len(value):
        raise Unfit(where)
    return tuple(
        _build(kind, item, f"{where}[{i}]") for i, (kind, item) in enumerate(zip(kinds, value, strict=True))
    )


@cache
def _hints(kind: type[Any]) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _dataclass(kind: Any, value: object, where: str) -> object:
    if not isinstance(value, dict):
        raise Unfit(where)
    given: dict[str, object] = {}
    for field in dataclasses.fields(kind):
        place = f"{where}.{field.name}".lstrip(".")
        if field.name in value:
            given[field.name] = _build(_hints(kind)[field.name], value[field.name], place)
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise Unfit(place, lacking=True)
    return kind(**given)


def _scalar(kind: Any, value: object, where: str) -> object:
    if isinstance(value, bool):  # which Python also counts as a whole number
        fits = kind is bool
    elif kind is float:
        fits = isinstance(value, int | float) and abs(value) <= sys.float_info.max
    elif kind is int:
        fits = isinstance(value, int) and abs(value) <= LARGEST
    elif isinstance(kind, type) and issubclass(kind, Enum):
        try:
            return kind(value)
        except ValueError:
            raise Unfit(where) from None
    else:
        fits = isinstance(kind, type) and isinstance(value, kind)
    if not fits:
        raise Unfit(where)
    return value


def strange(kind: Any, value: object, where: str = "") -> str | None:
    """The first key of plain data that the type does not have: a misspelt one must not go unnoticed.

    >>> from unmask.about import Family
    >>> strange(Family, {"name": "linkage", "titel": "Linkage"}, "family")
    'family.titel'
    """
    if get_origin(kind) is Annotated:
        return strange(get_args(kind)[0], value, where)
    if get_origin(kind) in (Union, types.UnionType):
        inner = [k for k in get_args(kind) if dataclasses.is_dataclass(k) or get_origin(k) is tuple]
        return strange(inner[0], value, where) if inner else None
    if get_origin(kind) is tuple and isinstance(value, list):
        found = (strange(get_args(kind)[0], item, f"{where}[{i}]") for i, item in enumerate(value))
        return next((place for place in found if place is not None), None)
    if not dataclasses.is_dataclass(kind) or not isinstance(value, dict):
        return None
    fields = {field.name for field in dataclasses.fields(kind)}
    for key, item in value.items():
        place = f"{where}.{key}".lstrip(".")
        if key not in fields:
            return place
        deeper = strange(_hints(cast(Any, kind))[key], item, place)
        if deeper is not None:
            return deeper
    return None
