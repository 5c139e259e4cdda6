"""The formats that dates are read by, written as ``strftime`` has them (``%q`` is a quarter).

Where day and month may stand in either order, the format with the day first comes first.
"""

from __future__ import annotations

import re
from functools import cache

FORMATS: tuple[str, ...] = (
    "%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d",
    "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%d-%m-%Y", "%m-%d-%Y",
    "%d%b%Y", "%d %b %Y", "%d-%b-%Y", "%d. %b %Y", "%b %d, %Y", "%b %d %Y", "%Y-%b-%d", "%d/%b/%Y",
    "%d/%m/%y", "%m/%d/%y", "%d.%m.%y", "%d-%m-%y", "%m-%d-%y", "%d%b%y", "%d-%b-%y", "%d %b %y",
    "%Y-%m", "%Y/%m", "%m/%Y", "%m-%Y", "%m.%Y", "%Ym%m", "%b %Y", "%b-%Y", "%b%Y", "%b/%Y", "%Y %b",
    "%b-%y",
    "%YQ%q", "%Y-Q%q", "%Y Q%q", "Q%q %Y", "Q%q-%Y", "Q%q/%Y", "%qQ%Y",
)  # fmt: skip
#: Digits alone, read where all are plausible days.
COMPACT: tuple[str, ...] = ("%Y%m%d",)
#: Digits alone that are as likely numbers, read only for who knows that they are dates.
SHORT: tuple[str, ...] = ("%Y", "%Y%m")

_NAMES = (
    "jan january januar janvier janv enero ene gennaio gen januari",
    "feb february februar février fevrier févr febrero febbraio februari",
    "mar march märz maerz mrz mär mars marzo maart mrt",
    "apr april avril avr abril abr aprile",
    "may mai mayo maggio mag mei",
    "jun june juni juin junio giugno giu",
    "jul july juli juillet juil julio luglio lug",
    "aug august août aout agosto ago augustus",
    "sep sept september septembre septiembre settembre set",
    "oct october oktober okt octobre octubre ottobre ott",
    "nov november novembre noviembre",
    "dec december dezember dez décembre déc decembre diciembre dic dicembre",
)
MONTHS: dict[str, int] = {name: i for i, names in enumerate(_NAMES, start=1) for name in names.split()}

_GROUPS = {
    "%Y": r"(?P<Y>[0-9]{4})",
    "%y": r"(?P<y>[0-9]{2})",
    "%m": r"(?P<m>[0-9]{1,2})",
    "%d": r"(?P<d>[0-9]{1,2})",
    "%b": r"(?P<b>[^\W0-9_]{3,10}\.?)",
    "%q": r"(?P<q>[1-4])",
}
#: Where the time of day begins, after a date: a "T", a blank, or the colon of SAS.
CLOCK_STARTS = r"(?:[T ]|:)[0-9]{1,2}:[0-9]{2}"
CLOCK = (
    r"^(?:[T:]?(?P<H>[0-9]{1,2}):(?P<M>[0-9]{2})(?::(?P<S>[0-9]{2})(?:[.,](?P<f>[0-9]{1,9}))?)?"
    r" ?(?:(?P<p>[apAP])\.?[mM]\.?)? ?(?:Z|UTC|[+-][0-9]{2}(?::?[0-9]{2})?)?)?$"
)


@cache
def pattern(form: str) -> str:
    """The regular expression of a format.

    >>> bool(re.match(pattern("%d%b%Y"), "03MAR2020")), bool(re.match(pattern("%Y-%m"), "2020-3-1"))
    (True, False)
    """
    text = "".join(_GROUPS.get(part, re.escape(part)) for part in re.split(r"(%[A-Za-z])", form))
    if form in COMPACT + SHORT:
        text = text.replace("{1,2}", "{2}")
    return rf"^(?i:{text})$"


def swapped(form: str) -> str:
    """The format with day and month in the other order; empty where only one order is in use.

    >>> swapped("%d/%m/%Y"), swapped("%d.%m.%Y"), swapped("%Y-%m-%d")
    ('%m/%d/%Y', '', '')
    """
    other = {"%d": "%m", "%m": "%d"}
    turned = re.sub("%[dm]", lambda match: other[match[0]], form)
    return turned if turned in FORMATS and turned != form and "." not in form else ""
