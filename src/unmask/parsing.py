"""Methods written as text, for the command line: ``noise:a=0.1``, ``rank-swapping:p=5,attributes=age+pay``.

Values follow the types of the method's fields: numbers; several of them joined by ``+``; groups of names
separated by ``|``. A name that holds one of ``, = + | { }``, or the word ``then``, stands in double quotes.
"""

from __future__ import annotations

import dataclasses
import re
import types
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from unmask.errors import ArgumentError, clipped, unknown_name

Method = TypeVar("Method")
Choice = TypeVar("Choice", bound=StrEnum)

#: What stands in double quotes, or the word "then" by itself.
_STEP = re.compile(r'"[^"]*"|(?<!\S)then(?!\S)')


def construct(text: str, what: str, registry: Mapping[str, type[Method]]) -> Method:
    """The registered method (a mask, an attack) that the text asks for, with its parameters.

    >>> @dataclasses.dataclass(frozen=True)
    ... class Noise:
    ...     a: float
    ...     attributes: tuple[str, ...] | None = None
    >>> construct("noise: a=0.1, attributes=age+income", "mask", {"noise": Noise})
    Noise(a=0.1, attributes=('age', 'income'))
    >>> construct("noise", "mask", {"noise": Noise})
    Traceback (most recent call last):
    unmask.errors.ArgumentError: mask 'noise' lacks its parameter 'a'. Hint: write noise:a=NUMBER.
    """
    name, _, rest = text.partition(":")
    name = name.strip()
    if name not in registry:
        raise unknown_name(what, name, registry)
    kind = registry[name]
    if rest.count('"') % 2:
        raise ArgumentError(f"{what} '{name}': a double quote is not closed", hint='write "the name"')
    given = _assignments(f"{what} '{name}'", rest, form(name, kind))
    fields = _fields(kind)
    for parameter in given:
        if parameter not in fields:
            raise unknown_name(f"parameter of {what} '{name}'", parameter, fields)
    for parameter, field in fields.items():
        if field.default is dataclasses.MISSING and parameter not in given:
            raise ArgumentError(
                f"{what} '{name}' lacks its parameter '{parameter}'", hint=f"write {form(name, kind)}"
            )
    hints = get_type_hints(kind)
    return kind(**{p: _value(f"{name}: {p}", value, hints[p]) for p, value in given.items()})


def form(name: str, kind: type[Any]) -> str:
    """How a method with its required parameters is written.

    >>> form("count", dataclasses.make_dataclass("Count", [("k", int), ("of", str, "all")]))
    'count:k=INTEGER'

    A method of which one parameter out of several must be given lists them as its ``one_of``.

    >>> class Cut:
    ...     one_of = ("share", "limit")
    >>> fields = [("share", float, None), ("limit", float, None)]
    >>> form("cut", dataclasses.make_dataclass("Cut", fields, bases=(Cut,)))
    'cut:share=NUMBER (or limit)'

    One that reads its text itself says its ``written_form``.
    """
    own = getattr(kind, "written_form", None)
    if isinstance(own, str):
        return own
    hints = get_type_hints(kind)
    required = [
        f"{parameter}={_noun(hints[parameter])}"
        for parameter, field in _fields(kind).items()
        if field.default is dataclasses.MISSING
    ]
    first, *others = getattr(kind, "one_of", ("",))
    if first:
        required.append(f"{first}={_noun(hints[first])} (or {', '.join(others)})")
    return f"{name}:{','.join(required)}" if required else name


def written(name: str, method: Any) -> str:
    """A method as text: its name, and the parameters that differ from their defaults, in full.

    The text makes the same method again (:func:`construct`): no digit is lost, and names that hold a
    separator are quoted. A method that is written otherwise says its own ``text``.

    >>> Count = dataclasses.make_dataclass("Count", [("k", int, 1), ("weights", tuple, ())])
    >>> written("count", Count()), written("count", Count(k=3, weights=(0.5, 1.0)))
    ('count', 'count:k=3,weights=0.5+1')
    >>> written("count", Count(weights=(0.123456789, "age, sex")))
    'count:weights=0.123456789+"age, sex"'
    """
    own = getattr(method, "text", None)
    if isinstance(own, str):
        return own
    changed = [
        f"{field.name}={_text(getattr(method, field.name))}"
        for field in dataclasses.fields(method)
        if getattr(method, field.name) != field.default
    ]
    return f"{name}:{','.join(changed)}" if changed else name


def choice(name: str, value: str, kind: type[Choice]) -> Choice:
    """The member of an enumeration that a parameter names: the command line gives text."""
    try:
        return kind(value)
    except ValueError:
        raise unknown_name(f"choice of '{name}'", value, [member.value for member in kind]) from None


def several(text: str) -> list[str]:
    """A list of methods, cut at the commas that do not separate parameters.

    >>> several("guess, owa:alpha=2,weights=1+2, dbrl")
    ['guess', 'owa:alpha=2,weights=1+2', 'dbrl']
    """
    found: list[str] = []
    for part in _split(text, ","):
        if found and "=" in part and ":" not in part.partition("=")[0]:
            found[-1] += f",{part}"
        elif part:
            found.append(part)
    return found


def steps(text: str) -> list[str]:
    """A text cut at the word ``then`` where it stands by itself, outside double quotes.

    >>> steps('noise:a=0.1 then pram:p=5,attributes="now then"')
    ['noise:a=0.1', 'pram:p=5,attributes="now then"']
    """
    ends = [found.span() for found in _STEP.finditer(text) if found[0] == "then"]
    starts = [0, *(stop for _, stop in ends)]
    stops = [*(start for start, _ in ends), len(text)]
    return [text[start:stop].strip() for start, stop in zip(starts, stops, strict=True)]


def _text(value: Any) -> str:
    if isinstance(value, tuple):
        return ("|" if value and isinstance(value[0], tuple) else "+").join(_text(v) for v in value)
    if isinstance(value, float):
        short = f"{value:g}"
        return short if float(short) == value else repr(value)
    text = str(value)
    parted = any(separator in text for separator in ",=+|{}") or "then" in text.split()
    return f'"{text}"' if parted else text


def _fields(kind: Any) -> dict[str, dataclasses.Field[Any]]:
    return {field.name: field for field in dataclasses.fields(kind) if field.init}


def _assignments(method: str, rest: str, example: str) -> dict[str, str]:
    """The ``parameter=value`` parts of the text."""
    given: dict[str, str] = {}
    for part in _split(rest, ","):
        if not part:
            continue
        parameter, *value = _split(part, "=")
        if len(value) != 1 or not parameter or not value[0]:
            raise ArgumentError(
                f"{method}: '{clipped(part)}' is not parameter=value", hint=f"write {example}"
            )
        if parameter in given:
            raise ArgumentError(f"{method}: parameter '{parameter}' is given twice", hint="give it once")
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
    if kind is int and float in options and not text.strip("+-").isdigit():
        kind = float  # a count or a share: "10" or "0.1"
    if not _has_text(kind):
        raise ArgumentError(f"{where} cannot be written as text", hint="leave it out, or give it in Python")
    if kind is bool:
        return _flag(where, text)
    if get_origin(kind) is tuple:
        inner = get_args(kind)[0]
        separator = "|" if get_origin(inner) is tuple else "+"
        return tuple(_value(where, part, inner) for part in _split(text, separator))
    if kind in (int, float):
        return _number(where, text, kind)
    name = text.replace('"', "").strip()
    if not name:
        raise ArgumentError(f"{where} has an empty name", hint="write names joined by +, as in age+income")
    return name


def _has_text(hint: Any) -> bool:
    """Whether a text can say a value of the type: a name, a number, a choice, or several of them."""
    kind = _options(hint)[0]
    if get_origin(kind) is tuple:
        return all(inner is Ellipsis or _has_text(inner) for inner in get_args(kind))
    return isinstance(kind, type) and issubclass(kind, str | int | float)


def _flag(where: str, text: str) -> bool:
    words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    if text.lower() not in words:
        raise ArgumentError(f"{where} is '{clipped(text)}'", hint="write true or false")
    return words[text.lower()]


def _number(where: str, text: str, kind: type[int] | type[float]) -> int | float:
    """The number that a text writes in plain digits: what looks like one to Python alone is none."""
    try:
        if text.isascii() and "_" not in text:
            return kind(text)
    except ValueError:
        pass
    raise ArgumentError(
        f"{where} is '{clipped(text)}'", hint=f"{_noun(kind)} is expected, for example {kind(3)}"
    )


def _options(hint: Any) -> list[Any]:
    """The types that a hint admits, None aside."""
    if get_origin(hint) in (Union, types.UnionType):
        return [option for option in get_args(hint) if option is not type(None)]
    return [hint]


def _noun(hint: Any) -> str:
    kind = _options(hint)[0]
    return {int: "INTEGER", float: "NUMBER", str: "NAME"}.get(kind, "NAMES")
