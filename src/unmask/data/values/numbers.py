"""Numbers as people write them: decimal commas, thousands, currencies, percent, brackets for debts."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from unmask.data.values.distinct import distinct_text, may_match, spread
from unmask.data.values.missing_words import NOTHING

_CURRENCY = r"[€$£¥₹₽]|R\$|EUR|USD|GBP|CHF|JPY|SEK|NOK|DKK|PLN"
# A word apart from the number may be any; one that touches it must be a known unit, since "12A" is a code.
_UNIT = rf"%|{_CURRENCY}|kr|(?:kg|g|mg|cm|mm|km|m|m2|m²|ml|l|h|min|kWh)\b|\s[^\W0-9_]+"
_SPACES = r"[ \u00a0\u2009\u202f]"
#: What a number looks like, whatever its notation.
WRITTEN = (
    rf"^(?P<open>\(?)\s*(?P<sign>[+\-−]?)\s*(?P<before>(?:{_CURRENCY})?)\s*(?P<later>[+\-−]?)"
    rf"(?P<digits>[0-9.,](?:[0-9.,'’]|{_SPACES})*(?:[eE][+-]?[0-9]+)?)"
    rf"(?P<after>(?:\s*(?:{_UNIT}))?)\s*(?P<close>\)?)$"
)
_EXPONENT = r"(?:[eE][+-]?[0-9]{1,3})?"


@dataclass(frozen=True)
class _Style:
    """How digits are written: the sign before decimals, and what parts thousands (a pattern)."""

    decimal: str
    group: str = ""

    @property
    def pattern(self) -> str:
        whole = r"(?:0|[1-9][0-9]*)"  # no leading zeros: "007" is a code
        if not self.group:
            return rf"^(?:{whole}(?:[{self.decimal}][0-9]*)?|[{self.decimal}][0-9]+){_EXPONENT}$"
        # Where a comma or point parts thousands, it parts all of them; four digits often go without a blank.
        bare = r"[0-9]{0,2}" if self.group in (r"[,]", r"[.]") else r"[0-9]{0,3}"
        return rf"^(?:0|[1-9]{bare}|[1-9][0-9]{{0,2}}(?:{self.group}[0-9]{{3}})+)(?:[{self.decimal}][0-9]*)?$"

    def read(self, digits: pl.Series) -> pl.Series:
        plain = digits.str.replace_all(self.group, "") if self.group else digits
        return plain.str.replace(self.decimal, ".", literal=True).cast(pl.Float64, strict=False)

    def is_regular(self, digits: pl.Series) -> bool:
        """Whether decimals are all of one length, or none of them ends in a zero.

        Programs either keep a fixed number of decimals or drop the zeros at the end.
        """
        decimals = digits.str.extract(rf"[{self.decimal}]([0-9]*)$", 1)
        lengths = decimals.str.len_chars()
        fixed = decimals.null_count() == 0 and lengths.n_unique() == 1
        return fixed or not decimals.drop_nulls().str.ends_with("0").any()


_STYLES = (
    _Style("."),
    _Style(","),
    _Style(".", r"[,]"),
    _Style(",", r"[.]"),
    _Style(".", _SPACES),
    _Style(",", _SPACES),
    _Style(".", r"['’]"),
    _Style(",", r"['’]"),
)


def parse_numbers(series: pl.Series) -> pl.Series | None:
    """A column of text that is numbers in one format, as numbers; None where it is not, or could be two.

    All values must have the same format, and the same currency or unit if any has one; 12 % is 12. Empty
    cells and what programs write for a missing value are missing. Text with leading zeros is codes.
    "1,234" alone could be 1.234 or 1234: then nothing is read, unless another value decides.

    >>> parse_numbers(pl.Series(["1.234,5", "-12", " (3) ", None])).to_list()
    [1234.5, -12.0, -3.0, None]
    >>> parse_numbers(pl.Series(["€ 1,234", "€ 950", "€ 45,200"])).to_list()
    [1234, 950, 45200]
    >>> parse_numbers(pl.Series(["1,234"])) is None, parse_numbers(pl.Series(["007", "012"])) is None
    (True, True)
    """
    if series.dtype.is_numeric():
        return series
    if series.dtype not in (pl.String, pl.Categorical, pl.Enum):
        return None
    values = distinct_text(series)
    values = values.filter(~values.str.to_lowercase().is_in(list(NOTHING)))
    if values.is_empty() or not may_match(values, WRITTEN):
        return None
    # Numbers without a currency or unit need not be taken apart.
    parts = _signs(values) if values.str.contains(r"^[+\-]?[0-9.,]+$").all() else _parts(values)
    read = None if parts is None else _read(parts["digits"])
    if parts is None or read is None:
        return None
    signed = pl.select(pl.when(parts["negative"]).then(-read).otherwise(read)).to_series()
    return spread(series, values, signed)


def _signs(values: pl.Series) -> pl.DataFrame:
    return pl.DataFrame(
        {"digits": values.str.strip_chars_start("+-"), "negative": values.str.starts_with("-")}
    )


def _parts(values: pl.Series) -> pl.DataFrame | None:
    """The digits of every value, and whether it is negative; None where they are not written alike."""
    parts = values.str.extract_groups(WRITTEN).struct.unnest()
    if not _consistent(parts):
        return None
    negative = (parts["open"] == "(") | parts["sign"].is_in(["-", "−"]) | parts["later"].is_in(["-", "−"])
    return pl.DataFrame({"digits": parts["digits"].str.strip_chars(), "negative": negative})


def _consistent(parts: pl.DataFrame) -> bool:
    """Whether all values matched, with one currency or unit, one sign at most, and brackets that close."""
    units = parts["after"].str.strip_chars()
    signs = (parts["open"] != "").cast(pl.Int8) + (parts["sign"] != "") + (parts["later"] != "")
    return (
        parts["digits"].null_count() == 0
        and parts["before"].n_unique() == 1
        and units.n_unique() == 1
        and bool((signs <= 1).all())
        and bool(((parts["open"] == "(") == (parts["close"] == ")")).all())
    )


def _read(digits: pl.Series) -> pl.Series | None:
    """The digits as numbers, where all ways to read them agree."""
    possible = [
        style
        for style in _STYLES
        if may_match(digits, style.pattern) and digits.str.contains(style.pattern).all()
    ]
    readings = [(style, style.read(digits)) for style in possible]
    if any(numbers.null_count() or numbers.is_infinite().any() for _, numbers in readings):
        return None
    if not _agree([numbers for _, numbers in readings]):
        readings = [(style, numbers) for style, numbers in readings if style.is_regular(digits)]
        if not _agree([numbers for _, numbers in readings]):
            return None
    if not readings:
        return None
    numbers = readings[0][1]
    # A number that loses digits as floating point is a key.
    if bool((numbers.abs() >= 2**53).any()):
        return None if digits.str.contains(r"^[0-9]+$").any() else numbers
    whole = (numbers % 1 == 0).all() and not digits.str.contains(r"[eE]").any()
    return numbers.cast(pl.Int64) if whole else numbers


def _agree(readings: list[pl.Series]) -> bool:
    return all(bool((one == readings[0]).all()) for one in readings)
