"""What every attack is called, does and comes from, for readers who never met it. One entry an attack."""

from __future__ import annotations

from dataclasses import dataclass

_DOMINGO_TORRA_2002 = (
    "J. Domingo-Ferrer and V. Torra (2002), Validating distance-based record linkage with probabilistic "
    "record linkage, Topics in Artificial Intelligence, LNAI 2504, 207-215."
)
_MURALIDHAR_2016 = (
    "K. Muralidhar and J. Domingo-Ferrer (2016), Rank-based record linkage for re-identification risk "
    "assessment, Privacy in Statistical Databases (PSD 2016), Springer."
)


@dataclass(frozen=True)
class Title:
    """A plain title, one sentence on how the attack works, and where it comes from."""

    title: str
    explanation: str
    source: str | None = None


TITLES: dict[str, Title] = {
    "guess": Title(
        "guessing",
        "The intruder picks a released record at random; an attack has to beat this to show anything.",
        "V. Torra (2017), Data Privacy: Foundations, New Developments and the Big Data Challenge, Springer.",
    ),
    "dbrl": Title(
        "distance-based linkage",
        "For each person he knows, the intruder takes the released record whose values are nearest, all "
        "attributes brought to one scale and counting alike.",
        _DOMINGO_TORRA_2002,
    ),
    "mahalanobis": Title(
        "Mahalanobis linkage",
        "As distance-based linkage, but attributes that move together count once, not several times.",
        "V. Torra, J. M. Abowd and J. Domingo-Ferrer (2006), Using Mahalanobis distance-based record linkage "
        "for disclosure risk assessment, Privacy in Statistical Databases, LNCS 4302, 233-242.",
    ),
    "rbrl-sum": Title(
        "rank-based linkage (sum)",
        "The intruder compares places in the order (who has the highest income, the next, ...) instead of "
        "values, and takes the released record whose places differ least in total.",
        _MURALIDHAR_2016,
    ),
    "rbrl-max": Title(
        "rank-based linkage (maximum)",
        "As rank-based linkage by the sum, but a record is judged by the one attribute in which its place "
        "differs most; made for files whose values were swapped with near ones.",
        _MURALIDHAR_2016,
    ),
    "union": Title(
        "all attacks together",
        "Each person counts as far as the attack that does best on him goes; no single intruder need reach "
        "it, because he does not know which attack is right for whom.",
        _DOMINGO_TORRA_2002,
    ),
}


def title(attack: str) -> Title:
    """The title of an attack; an attack without an entry goes by its own name.

    >>> title("dbrl").title, title("my-attack").title
    ('distance-based linkage', 'my-attack')
    """
    return TITLES.get(attack, Title(attack, "This attack has no description here."))
