"""Fields of what a user makes in Python: each is held against its type, once, where the object is made.

A list stands for a tuple, a text for a member of an enumeration, a path for its text, and a number of numpy
for a number. Whatever else does not fit is told in one line, by its type alone: a value may be a record's.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Iterable, Mapping, Set
from enum import Enum
from functools import cache
from numbers import Integral, Real
from os import PathLike, fspath
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from unmask.errors import ArgumentError, UnmaskError, unknown_name

Member = TypeVar("Member", bound=Enum)
Refusal = Callable[..., UnmaskError]

_NOUNS = {bool: "True or False", int: "a whole number", float: "a number", str: "a text"}
_EXAMPLES = {bool: "True", int: "1", float: "0.5", str: "'...'", object: "..."}


def settle(made: Any, words: Mapping[str, str] | None = None, refusal: Refusal = ArgumentError) -> None:
    """Check the fields of a frozen dataclass that was just made, and put them into the form of their type.

    ``words``: what a choice is called where it is an unknown one, by field.

    >>> @dataclasses.dataclass(frozen=True)
    ... class Asked:
    ...     names: tuple[str, ...] = ()
    ...     seed: int = 0
    ...     def __post_init__(self) -> None:
    ...         settle(self)
    >>> Asked(["age"]).names
    ('age',)
    >>> Asked(seed="1")
    Traceback (most recent call last):
    unmask.errors.ArgumentError: seed is a text, not a whole number. Hint: write seed=1.
    """
    kind: Any = type(made)
    for name, hint in _hints(kind):
        value = getattr(made, name)
        try:
            found = _settled(value, hint)
        except _Unknown as unknown:
            what = (words or {}).get(name, f"choice of '{name}'")
            raise unknown_name(what, str(unknown), unknown.known) from None
        except _Unfit as unfit:
            raise refusal(f"{name} {unfit}", hint=f"write {name}={_example(hint)}") from None
        if found is not value:
            object.__setattr__(made, name, found)


def chosen(what: str, value: object, kind: type[Member]) -> Member:
    """The member of an enumeration that is given, itself or as text; ``what``: as a message calls it.

    >>> from unmask.data.missing import Missing
    >>> chosen("policy", "ignore", Missing).name
    'IGNORE'
    >>> chosen("policy", 3, Missing)
    Traceback (most recent call last):
    unmask.errors.ArgumentError: the policy is a whole number, not a text. Hint: write one of mismatch, ...
    """
    try:
        return _member(value, kind)
    except _Unknown as unknown:
        raise unknown_name(what, str(unknown), unknown.known) from None
    except _Unfit:
        known = ", ".join(str(one.value) for one in kind)
        raise ArgumentError(
            f"the {what} is {shown(value)}, not a text", hint=f"write one of {known}"
        ) from None


def instance(what: str, value: object, kind: Any, hint: str, refusal: Refusal = ArgumentError) -> Any:
    """The value, if it is an object of that class, or of one of a union.

    >>> instance("the schema", "age", dict, "give one")
    Traceback (most recent call last):
    unmask.errors.ArgumentError: the schema is a text, not a dict. Hint: give one.
    """
    if not isinstance(value, kind):
        raise refusal(f"{what} is {shown(value)}, not {_noun(kind)}", hint=hint)
    return value


def listed(what: str, value: object, kind: Any, refusal: Refusal = ArgumentError) -> tuple[Any, ...]:
    """The values as a tuple, if they are a list of objects of that class.

    >>> listed("columns", "age", str)
    Traceback (most recent call last):
    unmask.errors.ArgumentError: columns is a text, not a list of texts. Hint: write columns=['...', ...].
    """
    hint: Any = types.GenericAlias(tuple, (kind, ...))
    try:
        found: tuple[Any, ...] = _settled(value, hint)
    except _Unfit as unfit:
        raise refusal(f"{what} {unfit}", hint=f"write {what}={_example(hint)}") from None
    return found


def seed_number(value: object) -> int:
    """A seed: a whole number from 0 on.

    >>> seed_number(-1)
    Traceback (most recent call last):
    unmask.errors.ArgumentError: the seed is -1. Hint: give a whole number from 0 on.
    """
    hint = "give a whole number from 0 on"
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise ArgumentError(f"the seed is {shown(value)}, not a whole number", hint=hint)
    if value < 0:
        raise ArgumentError(f"the seed is {value}", hint=hint)
    return int(value)


def shown(value: object) -> str:
    """What a value is, without the value.

    >>> shown("Ann"), shown(None), shown([1]), shown(int), shown(1j)
    ('a text', 'None', 'a list', 'the class int, not an object of it', 'of type complex')
    """
    if value is None or isinstance(value, bool):
        return str(value)
    if isinstance(value, type):
        return f"the class {value.__name__}, not an object of it"
    for kind, noun in (
        *((str, "a text"), (Integral, "a whole number"), (Real, "a number with a fraction")),
        *(((list, tuple), "a list"), (Set, "a set"), (Mapping, "a mapping")),
    ):
        if isinstance(value, kind):
            return noun
    return f"of type {type(value).__name__}"


class _Unfit(Exception):  # noqa: N818  # it never leaves this module
    """What the value is, and what it should be."""


class _Unknown(Exception):  # noqa: N818
    """A text that names no member of an enumeration."""

    def __init__(self, text: str, known: Iterable[str]) -> None:
        super().__init__(text)
        self.known = tuple(known)


@cache
def _hints(kind: Any) -> tuple[tuple[str, Any], ...]:
    hints = get_type_hints(kind)
    return tuple((field.name, hints[field.name]) for field in dataclasses.fields(kind) if field.init)


def _options(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)


def _settled(value: Any, hint: Any) -> Any:
    """The value in the form of the hint's type; of a union, of the first type that it fits."""
    if type(value) is hint:  # as nearly always: files have thousands of columns
        return value
    options = _options(hint)
    if value is None and type(None) in options:
        return None
    kinds = [option for option in options if option is not type(None)]
    for kind in kinds[:-1]:
        try:
            return _fitted(value, kind)
        except _Unfit:
            continue
    return _fitted(value, kinds[-1])


def _fitted(value: Any, kind: Any) -> Any:
    if get_origin(kind) is tuple:
        return _tuple(value, get_args(kind)[0])
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _member(value, kind)
    found = _PLAIN[kind](value) if kind in _PLAIN else value if isinstance(value, kind) else None
    if found is None:
        raise _Unfit(f"is {shown(value)}, not {_noun(kind)}")
    return found


def _tuple(value: Any, inner: Any) -> tuple[Any, ...]:
    if isinstance(value, (str, bytes, Mapping, Set, type)) or not isinstance(value, Iterable):
        raise _Unfit(f"is {shown(value)}, not {_noun(types.GenericAlias(tuple, (inner, ...)))}")
    if not isinstance(value, tuple | list):
        value = list(value)
    if type(value) is tuple and all(type(one) is inner for one in value):
        return value
    try:
        found = tuple(_settled(one, inner) for one in value)
    except _Unfit as unfit:
        raise _Unfit(f"holds something that {unfit}") from None
    return found


def _member(value: Any, kind: type[Member]) -> Member:
    if isinstance(value, kind):
        return value
    if not isinstance(value, str):
        raise _Unfit(f"is {shown(value)}, not a text")
    try:
        return kind(value)
    except ValueError:
        raise _Unknown(value, (str(one.value) for one in kind)) from None


def _text(value: Any) -> str | None:
    if isinstance(value, PathLike):
        value = fspath(value)
    return (value if type(value) is str else str(value)) if isinstance(value, str) else None


def _flag(value: Any) -> bool | None:
    return bool(value) if isinstance(value, bool) or type(value).__name__ == "bool" else None


def _whole(value: Any) -> int | None:
    return int(value) if not isinstance(value, bool) and isinstance(value, Integral) else None


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    return value if isinstance(value, int) else float(value)  # type: ignore[unreachable]


_PLAIN: dict[Any, Callable[[Any], Any]] = {str: _text, bool: _flag, int: _whole, float: _number}


def _noun(hint: Any) -> str:
    kind = _options(hint)[0]
    if get_origin(kind) is tuple:
        inner = get_args(kind)[0]
        plain = {str: "texts", int: "whole numbers", float: "numbers", object: "objects"}
        return f"a list of {plain.get(_options(inner)[0], getattr(inner, '__name__', 'objects'))}"
    name = getattr(kind, "__name__", "such an object")
    return _NOUNS.get(kind) or f"{'an' if name[:1] in 'AEIOaeio' else 'a'} {name}"


def _example(hint: Any) -> str:
    """How a value of the type is written."""
    kind = _options(hint)[0]
    if get_origin(kind) is tuple:
        inner = _example(get_args(kind)[0])
        return "[...]" if inner == "..." else f"[{inner}, ...]"
    if isinstance(kind, type) and issubclass(kind, Enum):
        return repr(next(iter(kind)).value)
    return _EXAMPLES.get(kind) or f"{getattr(kind, '__name__', 'object')}(...)"
