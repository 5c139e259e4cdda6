"""Masks written as text, for the command line: ``noise:a=0.1``, ``rank-swapping:p=5,attributes=age+income``.

Values follow the types of the mask's fields: numbers; several of them joined by ``+``; groups of names
separated by ``|``. A name that holds one of ``, = + |`` stands in double quotes.
"""

from __future__ import annotations

import dataclasses
import types
from typing import Any, Union, get_args, get_origin, get_type_hints

from unmask.errors import ArgumentError, unknown_name
from unmask.masks.base import Mask


def parse(text: str) -> Mask:
    """The registered mask that the text asks for.

    >>> parse("rank-swapping: p=5, attributes=age+income")
    RankSwapping(p=5.0, attributes=('age', 'income'))
    >>> parse("microaggregation:k=3+8,groups=a+b|c+d")
    Microaggregation(k=(3, 8), groups=(('a', 'b'), ('c', 'd')), attributes=None)
    >>> parse("noise")
    Traceback (most recent call last):
    unmask.errors.ArgumentError: mask 'noise' lacks its parameter 'a'. Hint: write noise:a=NUMBER.
    """
    from unmask.masks import MASKS  # the registry imports this module

    name, _, rest = text.partition(":")
    name = name.strip()
    if name not in MASKS:
        raise unknown_name("mask", name, MASKS)
    kind = MASKS[name]
    given = _assignments(name, rest, form(kind))
    fields = _fields(kind)
    for parameter in given:
        if parameter not in fields:
            raise unknown_name(f"parameter of mask '{name}'", parameter, fields)
    for parameter, field in fields.items():
        if field.default is dataclasses.MISSING and parameter not in given:
            raise ArgumentError(
                f"mask '{name}' lacks its parameter '{parameter}'", hint=f"write {form(kind)}"
            )
    hints = get_type_hints(kind)
    values = {p: _value(f"{name}: {p}", value, hints[p]) for p, value in given.items()}
    return kind(**values)


def form(kind: type[Mask]) -> str:
    """How a mask with its required parameters is written.

    >>> from unmask.masks import MASKS
    >>> form(MASKS["microaggregation"])
    'microaggregation:k=INTEGER'
    """
    hints = get_type_hints(kind)
    required = [
        f"{parameter}={_noun(hints[parameter])}"
        for parameter, field in _fields(kind).items()
        if field.default is dataclasses.MISSING
    ]
    return f"{kind.name}:{','.join(required)}" if required else kind.name


def _fields(kind: Any) -> dict[str, dataclasses.Field[Any]]:
    return {field.name: field for field in dataclasses.fields(kind) if field.init}


def _assignments(name: str, rest: str, example: str) -> dict[str, str]:
    """The ``parameter=value`` parts of the text."""
    given: dict[str, str] = {}
    for part in _split(rest, ","):
        if not part:
            continue
        parameter, *value = _split(part, "=")
        if len(value) != 1 or not parameter or not value[0]:
            raise ArgumentError(f"mask '{name}': '{part}' is not parameter=value", hint=f"write {example}")
        if parameter in given:
            raise ArgumentError(f"mask '{name}': parameter '{parameter}' is given twice", hint="give it once")
        given[parameter] = value[0]
    return given


def _split(text: str, separator: str) -> list[str]:
    """The text cut at the separators that do not stand in double quotes, the parts stripped.

    >>> _split('"a+b" + c', "+")
    ['"a+b"', 'c']
    """
    parts = [""]
    quoted = False
    for character in text:
        quoted ^= character == '"'
        if character == separator and not quoted:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]


def _value(where: str, text: str, hint: Any) -> Any:
    """The text as a value of the hinted type; of a union, the first type that the text has the form of."""
    options = _options(hint)
    if len(options) > 1:
        several = any(len(_split(text, separator)) > 1 for separator in "+|")
        options = [o for o in options if (get_origin(o) is tuple) == several] or options
    kind = options[0]
    if get_origin(kind) is tuple:
        inner = get_args(kind)[0]
        separator = "|" if get_origin(inner) is tuple else "+"
        return tuple(_value(where, part, inner) for part in _split(text, separator))
    if kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            raise ArgumentError(
                f"{where} is '{text}'", hint=f"{_noun(kind)} is expected, for example {kind(3)}"
            ) from None
    return text.replace('"', "")


def _options(hint: Any) -> list[Any]:
    """The types that a hint admits, None aside."""
    if get_origin(hint) in (Union, types.UnionType):
        return [option for option in get_args(hint) if option is not type(None)]
    return [hint]


def _noun(hint: Any) -> str:
    kind = _options(hint)[0]
    return {int: "INTEGER", float: "NUMBER", str: "NAME"}.get(kind, "NAMES")
