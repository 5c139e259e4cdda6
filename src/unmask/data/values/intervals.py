"""One label as an interval, in every everyday notation, before the labels beside it are looked at.

Hyphens and words (``15-24``, ``15 to 24``, ``15 bis unter 25``, ``65 years and over``), signs (``<18``,
``>= 65``), brackets (``[15,25)``, ``(14.0, 24.0]``, ``[15;25[``) and the ranges of SAS formats
(``LOW-<18``, ``18<-65``). Ends are exact decimals, so that the gap between two bands is exact too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from functools import cache

INFINITY = Decimal("Infinity")

_CURRENCY = r"(?:[€$£¥]|eur|usd|gbp|chf)"
# Groups of three need a first group that could stand alone: "0,500" is half of one.
_DIGITS = {
    ".": r"(?:[1-9]\d{0,2}(?:(?:,\d{3})+|(?:[ ']\d{3})+)|\d+)(?:\.\d+)?|\.\d+",
    ",": r"(?:[1-9]\d{0,2}(?:(?:\.\d{3})+|(?:[ ']\d{3})+)|\d+)(?:,\d+)?",
}
_LOWEST = {"low", "lowest", "-inf", "-infinity"}
_HIGHEST = {"high", "highest", "inf", "infinity", "+inf"}
_ENDLESS = "|".join(re.escape(word) for word in sorted(_LOWEST | _HIGHEST, reverse=True))
_UNIT = (
    r"(?!(?:and|or|to|bis|und|oder|et|ou|y|o|plus)\b)(?:%|"
    + _CURRENCY
    + r"|[^\W\d_]+\.?(?: (?:old|of age))?)"
)
_RANGE = (
    r"(?P<left><?)\s*(?:-|\.\.\.?|/|to|bis|until|through|thru|and|und|à|a)"
    r"\s*(?P<right><|(?:under|below|less than|unter)\b)?"
)
_LEAD = r"(?:(?:aged?|ages|from|between|von|zwischen|de|entre)\b:?\s*)?"

# Whether the end itself is outside; None where the words do not tell.
_BEFORE: dict[str, tuple[str, bool | None]] = {
    "<=": ("high", False), "<": ("high", True), ">=": ("low", False), ">": ("low", True),
    "under": ("high", True), "below": ("high", True), "less than": ("high", True),
    "fewer than": ("high", True), "younger than": ("high", True), "unter": ("high", True),
    "weniger als": ("high", True), "moins de": ("high", True), "menos de": ("high", True),
    "up to": ("high", None), "until": ("high", None), "bis": ("high", None), "at most": ("high", False),
    "over": ("low", True), "above": ("low", True), "more than": ("low", True), "older than": ("low", True),
    "greater than": ("low", True), "über": ("low", True), "mehr als": ("low", True),
    "plus de": ("low", True), "más de": ("low", True), "at least": ("low", False), "ab": ("low", False),
}  # fmt: skip
_AFTER: dict[str, str] = {
    "+": "low", "plus": "low", "and over": "low", "and above": "low", "and more": "low", "and older": "low",
    "and up": "low", "or over": "low", "or above": "low", "or more": "low", "or older": "low",
    "or greater": "low", "und mehr": "low", "und älter": "low", "und darüber": "low", "oder mehr": "low",
    "oder älter": "low", "et plus": "low", "ou plus": "low", "y más": "low", "o más": "low",
    "and under": "high", "and below": "high", "and less": "high", "and younger": "high", "or less": "high",
    "or under": "high", "or below": "high", "or fewer": "high", "or younger": "high", "und jünger": "high",
    "und weniger": "high", "et moins": "high", "y menos": "high",
}  # fmt: skip
_SAME = {
    "yr": "year",
    "y": "year",
    "yo": "year",
    "years old": "year",
    "jahre": "jahr",
    "years of age": "year",
}
_SPELLING = str.maketrans({
    "\u2212": "-", "\u2010": "-", "\u2011": "-", "\u2012": "-", "–": "-", "—": "-", "_": "-",
    "≤": "<=", "≥": ">=", "⩽": "<=", "⩾": ">=", "\u00a0": " ", "\u2009": " ", "\u202f": " ", "’": "'",
    "∞": "inf", "&": " and ",
})  # fmt: skip


@dataclass(frozen=True)
class WrittenInterval:
    """What one label says. An end's ``open`` is None where the notation leaves it unsaid."""

    low: Decimal = -INFINITY
    high: Decimal = INFINITY
    low_open: bool | None = None
    high_open: bool | None = None
    single: bool = False  # one number, not a range
    bracketed: bool = False
    slash: bool = False
    step: Decimal | None = None  # what one more in the last digit is worth
    units: frozenset[str] = frozenset()


@dataclass(frozen=True)
class _End:
    value: Decimal
    step: Decimal | None
    thousands: bool
    units: frozenset[str]


def read_interval(label: str, decimal: str = ".") -> WrittenInterval | None:
    """The interval that a label describes, with a decimal point or comma; None if it describes none.

    >>> read_interval("15 to 24").low, read_interval("LOW-<18").high_open, read_interval("65+").low_open
    (Decimal('15'), True, False)
    >>> read_interval("north") is None
    True
    """
    text = " ".join(label.translate(_SPELLING).casefold().split())
    text = text.replace("=<", "<=").replace("=>", ">=")
    if text == "all":
        return WrittenInterval()
    if text[:1] in "[(]" and text[-1:] in "[)]" and len(text) > 2:
        return _bracketed(text, decimal)
    for reading in (_between, _chain, _one_sided, _point):
        if found := reading(text, decimal):
            return found if found.low <= found.high else None
    return None


def _bracketed(text: str, decimal: str) -> WrittenInterval | None:
    """An interval in brackets; a comma may part its ends or thousands, so every cut is tried."""
    inside = text[1:-1]
    # Programs write these with a decimal point; only a semicolon leaves the comma to the decimals.
    marks, decimal = (";", decimal) if ";" in inside else (",", ".")
    found = []
    for cut in (m.start() for m in re.finditer(marks, inside)):
        low, high = _end(inside[:cut].strip(), decimal), _end(inside[cut + 1 :].strip(), decimal)
        if low and high and low.value <= high.value:
            found.append((low, high))
    if len(found) != 1:
        return None
    return replace(_joined(*found[0]), low_open=text[0] != "[", high_open=text[-1] != "]", bracketed=True)


def _between(text: str, decimal: str) -> WrittenInterval | None:
    number = _number(decimal)
    pattern = rf"{_LEAD}(?P<a>{number})\s*(?P<u>{_UNIT})?\s*{_RANGE}\s*(?P<b>{number})\s*(?P<v>{_UNIT})?"
    if not (match := re.fullmatch(pattern, text)):
        return None
    low, high = _end(match["a"], decimal, match["u"]), _end(match["b"], decimal, match["v"])
    if low is None or high is None:
        return None
    if high.thousands and not low.thousands and low.value * 1000 < high.value:
        low = replace(low, value=low.value * 1000, step=high.step)  # "25-50k"
    return replace(
        _joined(low, high),
        low_open=True if match["left"] else None,
        high_open=True if match["right"] else None,
        slash="/" in text[match.end("a") : match.start("b")],
    )


def _chain(text: str, decimal: str) -> WrittenInterval | None:
    """An interval around the name of what is measured: ``18 <= age < 65``."""
    number = _number(decimal)
    match = re.fullmatch(rf"(?P<a>{number})\s*(?P<l><=?)\s*[^\W\d]\w*\s*(?P<r><=?)\s*(?P<b>{number})", text)
    if match is None:
        return None
    low, high = _end(match["a"], decimal), _end(match["b"], decimal)
    if low is None or high is None:
        return None
    return replace(_joined(low, high), low_open=match["l"] == "<", high_open=match["r"] == "<")


def _one_sided(text: str, decimal: str) -> WrittenInterval | None:
    number = _number(decimal)
    before = "|".join(re.escape(word) for word in sorted(_BEFORE, key=len, reverse=True))
    after = "|".join(re.escape(word) for word in sorted(_AFTER, key=len, reverse=True))
    rest = rf"\s*(?P<a>{number})\s*(?P<u>{_UNIT})?"
    if match := re.fullmatch(rf"(?:aged?\s+)?(?P<word>{before}){rest}", text):
        side, is_open = _BEFORE[match["word"]]
    elif match := re.fullmatch(rf"(?:aged?\s+)?{rest}\s*(?P<word>{after})(?:\s*(?P<v>{_UNIT}))?", text):
        side, is_open = _AFTER[match["word"]], False
    else:
        return None
    later = match.groupdict().get("v")
    end = _end(match["a"], decimal, match["u"] or later)
    if end is None or end.value.is_infinite():
        return None
    if side == "low":
        return WrittenInterval(low=end.value, low_open=is_open, step=end.step, units=end.units)
    return WrittenInterval(high=end.value, high_open=is_open, step=end.step, units=end.units)


def _point(text: str, decimal: str) -> WrittenInterval | None:
    match = re.fullmatch(rf"{_LEAD}(?P<a>{_number(decimal)})\s*(?P<u>{_UNIT})?", text)
    end = _end(match["a"], decimal, match["u"]) if match else None
    if end is None or end.value.is_infinite():
        return None
    return WrittenInterval(end.value, end.value, False, False, single=True, step=end.step, units=end.units)


def _joined(low: _End, high: _End) -> WrittenInterval:
    steps = [end.step for end in (low, high) if end.step is not None]
    return WrittenInterval(low.value, high.value, step=min(steps, default=None), units=low.units | high.units)


@cache
def _number(decimal: str) -> str:
    sign = rf"[-+]?\s?{_CURRENCY}?\s?[-+]?"
    return rf"(?:{_ENDLESS}|{sign}(?:{_DIGITS[decimal]})(?:e[-+]?\d{{1,2}})?k?\s?(?:%|{_CURRENCY})?)"


def _end(text: str, decimal: str, unit: str | None = None) -> _End | None:
    """A number with its sign, currency and thousands; None if the text is none."""
    if text in _LOWEST | _HIGHEST:
        return _End(-INFINITY if text in _LOWEST else INFINITY, None, False, frozenset())
    if not re.fullmatch(_number(decimal), text):
        return None
    units = frozenset(_stem(word) for word in [*re.findall(rf"%|{_CURRENCY}", text), unit] if word)
    bare = re.sub(rf"%|{_CURRENCY}|[ ']", "", text)
    thousands = bare.endswith("k")
    bare = bare.removesuffix("k").replace("," if decimal == "." else ".", "").replace(",", ".")
    try:
        value = Decimal(bare)
    except InvalidOperation:  # two signs
        return None
    exponent = value.as_tuple().exponent
    # A plain zero has no unit of its own: "0-25k" counts in thousands.
    step = None if bare == "0" or not isinstance(exponent, int) else Decimal(1).scaleb(exponent)
    scale = 1000 if thousands else 1
    return _End(value * scale, step * scale if step else None, thousands, units)


def _stem(unit: str) -> str:
    """A unit in the singular, so that "1 year" and "2 years" agree."""
    word = unit.rstrip(".")
    return _SAME.get(word, _SAME.get(word.removesuffix("s"), word.removesuffix("s")))
