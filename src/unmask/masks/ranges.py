"""Ranges of parameters: one text with braces stands for many masks."""

from __future__ import annotations

import re
from decimal import Decimal
from itertools import product
from math import prod

from unmask.errors import ArgumentError, clipped

#: The most masks that one text may stand for.
MOST = 10_000

#: Words in braces that an external command is given, and that are therefore no range.
PLACEHOLDERS = ("original", "released", "seed")

# So many digits that sums and products of them are exact.
_NUMBER = r"[+-]?[0-9]{1,12}(?:\.[0-9]{1,12})?"
_RANGE = re.compile(rf"({_NUMBER})\.\.({_NUMBER})(?:\.\.({_NUMBER}))?")
_FORM = "write {0.1,0.5,1}, {3..20} or {5..50..5}"


def expand(text: str) -> tuple[str, ...]:
    """The texts that a text with braces stands for, in the order in which they are written.

    ``{0.1,0.5,1}`` lists values, ``{3..20}`` whole numbers with both ends, ``{5..50..5}`` numbers with a
    step, which may have decimals; both go together, as in ``{1,2,5..50..5}``. Several braces give every
    combination, the last one running fastest; a text that comes twice is given once. Braces in double quotes
    are no range, nor are the placeholders {original}, {released} and {seed} of a command. The texts are not
    read here.

    >>> expand("noise:a={0.1..0.3..0.1} then pram:pd={0.9,0.5}")[:3]
    ('noise:a=0.1 then pram:pd=0.9', 'noise:a=0.1 then pram:pd=0.5', 'noise:a=0.2 then pram:pd=0.9')
    >>> expand("microaggregation:k={3..1}")
    Traceback (most recent call last):
    unmask.errors.ArgumentError: the range '3..1' is empty. Hint: write {1..3}, or {3..1..-1} to count down.
    """
    plain, braces = _cut(text)
    values = [_values(brace) for brace in braces]
    count = prod(len(several) for several in values)
    if count > MOST:
        raise _too_many(count)
    made = (
        plain[0] + "".join(value + rest for value, rest in zip(chosen, plain[1:], strict=True))
        for chosen in product(*values)
    )
    return tuple(dict.fromkeys(made))


def _cut(text: str) -> tuple[list[str], list[str]]:
    """The text between the braces, and what stands in each of them."""
    plain, braces = [""], list[str]()
    inside = quoted = False
    for character in text:
        quoted ^= character == '"'
        if quoted or character not in "{}":
            (braces if inside else plain)[-1] += character
        elif (character == "{") == inside:
            what = "a brace stands in a brace" if inside else "a brace is closed that was not opened"
            raise ArgumentError(what, hint=_FORM)
        elif inside:
            inside = False
            if braces[-1].strip() in PLACEHOLDERS:
                plain[-1] += f"{{{braces.pop()}}}"
            else:
                plain.append("")
        else:
            inside = True
            braces.append("")
    if inside:
        raise ArgumentError("a brace is not closed", hint=_FORM)
    return plain, braces


def _values(brace: str) -> list[str]:
    """The values of one brace."""
    found: list[str] = []
    for item in _items(brace):
        if not item:
            raise ArgumentError(f"'{{{clipped(brace)}}}' holds an empty value", hint=_FORM)
        found += _range(item) if ".." in item and '"' not in item else [item]
    return found


def _items(brace: str) -> list[str]:
    """The items of a brace, cut at the commas that do not stand in double quotes."""
    return [item.strip() for item in re.findall(r'(?:^|,)((?:[^,"]|"[^"]*")*)', brace)]


def _range(item: str) -> list[str]:
    """The numbers of a range."""
    found = _RANGE.fullmatch(item)
    if found is None:
        raise ArgumentError(f"'{clipped(item)}' is no range of numbers", hint=_FORM)
    low, high = Decimal(found[1]), Decimal(found[2])
    if found[3] is None and "." in found[1] + found[2]:
        raise ArgumentError(
            f"the range '{item}' has decimals and no step", hint=f"say the step, as in {{{item}..0.1}}"
        )
    step = Decimal(found[3] or 1)
    if not step:
        raise ArgumentError(f"the step of the range '{item}' is 0", hint="give a step above 0")
    if (high - low) * step < 0:
        raise _empty(found, step)
    count = int((high - low) // step) + 1
    if count > MOST:
        raise _too_many(count)
    return [_plain(low + i * step) for i in range(count)]


def _plain(number: Decimal) -> str:
    """A number in plain digits, without zeros at its end.

    >>> _plain(Decimal("0.50")), _plain(Decimal("10")), _plain(Decimal("-0"))
    ('0.5', '10', '0')
    """
    return format(number.normalize() + 0, "f")


def _empty(found: re.Match[str], step: Decimal) -> ArgumentError:
    low, high, said = found.groups()
    if said is None:
        return ArgumentError(
            f"the range '{found[0]}' is empty",
            hint=f"write {{{high}..{low}}}, or {{{low}..{high}..-1}} to count down",
        )
    return ArgumentError(
        f"the step of the range '{found[0]}' leads away from its end",
        hint=f"write {{{low}..{high}..{_plain(-step)}}}",
    )


def _too_many(count: int) -> ArgumentError:
    return ArgumentError(
        f"the text stands for {count:,} masks, more than {MOST:,}", hint="give fewer values, or larger steps"
    )
