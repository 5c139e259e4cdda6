"""Words that say "missing"."""

from __future__ import annotations

import re

# What programs write for a missing value, whatever the column holds.
NOTHING = frozenset({"", ".", "na", "n/a", "nan", "nat", "null", "<na>", "#n/a"})

_WORDS = frozenset({
    *NOTHING, "n", "n.a.", "n.a", "-", "--", "---", "..", "...", "?", "??", "nd", "n.d.", "nr", "dk", "ns/nc",
    "ns/nr", "k.a.", "k. a.", "unknown", "unk", "missing", "(missing)", "[missing]", "miss", "refused",
    "refusal", "declined", "undisclosed", "suppressed", "redacted", "withheld", "blank", "(blank)",
    "undetermined", "unspecified", "unbekannt", "inconnu", "inconnue", "desconocido", "desconocida",
    "no sabe", "sin datos", "sconosciuto", "onbekend",
})  # fmt: skip
# Phrases that may go on: "Not applicable (owner occupied)".
_PHRASE = re.compile(
    r"(?:not (?:applicable|stated|reported|available|specified|known|answered|ascertained|recorded|provided"
    r"|disclosed|given|determined|collected|asked|classified|elsewhere classified)|no (?:answer|response|data"
    r"|information|reply)|unknown|missing|refused|don'?t know|do not know|prefer(?:red|s)? not to|declined to"
    r"|non (?:renseigné|réponse|déclaré)|keine angabe|weiß nicht|no (?:sabe|contesta|consta))\b.*"
)
_MASKED = re.compile(r"\*+|x{2,}|#+|\?+")


def is_missing_word(text: str) -> bool:
    """Whether a text says "missing", among numbers, bands or dates.

    "None" and "nil" do not: among counts they mean zero. In a column of plain words, the short ones (N, NA)
    may be categories: no, Namibia.

    >>> [is_missing_word(t) for t in ("N/A", "Not stated", "don’t know", ".", "XXXXX", "none", "north")]
    [True, True, True, True, True, False, False]
    """
    word = " ".join(text.casefold().replace("_", " ").replace("’", "'").split())
    return word in _WORDS or bool(_MASKED.fullmatch(word) or _PHRASE.fullmatch(word))


def is_nothing(text: str) -> bool:
    """Whether a text is what programs write for a missing value.

    >>> is_nothing(" NaN "), is_nothing("unknown")
    (True, False)
    """
    return text.strip().casefold() in NOTHING
