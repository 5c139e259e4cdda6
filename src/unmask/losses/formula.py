"""Formulas of regressions: what is explained by what, as a user writes it or as the file suggests."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from unmask.data.schema import Kind
from unmask.errors import ArgumentError, clipped, unknown_name
from unmask.losses.evidence import LossAttribute, LossEvidence

#: Without a formula: so many targets, and so many attributes that explain them, at most.
MOST_TARGETS, MOST_TERMS = 5, 10

#: An attribute of more categories explains nothing by default, and one of still more never.
USUAL_CATEGORIES, MOST_CATEGORIES = 10, 50

_EXAMPLE = "write target ~ attribute + attribute, names with blanks in backquotes: income ~ age + `home town`"


@dataclass(frozen=True)
class Formula:
    """A target and the attributes that explain it, each by itself.

    >>> formula = Formula.parsed("income ~ age + `home town`")
    >>> formula
    Formula(target='income', terms=('age', 'home town'))
    >>> formula.text
    'income ~ age + `home town`'
    >>> Formula.parsed("income")
    Traceback (most recent call last):
    unmask.errors.ArgumentError: 'income' is no formula. Hint: write target ~ attribute + attribute, ...
    """

    target: str
    terms: tuple[str, ...]

    @classmethod
    def parsed(cls, text: str) -> Formula:
        """The formula that a text writes."""
        pieces = [piece.strip() for piece in re.findall(r"`[^`]*`|[+~]|[^`+~]+", text)]
        pieces = [piece for piece in pieces if piece]
        signs = pieces[1::2]
        written = len(pieces) % 2 == 1 and signs == ["~", *["+"] * (len(signs) - 1)]
        written &= not {"+", "~"} & set(pieces[::2])
        names = [piece.strip("`").strip() for piece in pieces[::2]]
        if not written or text.count("`") % 2 or not all(names):
            raise ArgumentError(f"'{clipped(text)}' is no formula", hint=_EXAMPLE)
        if len(set(names)) < len(names):
            raise ArgumentError(f"'{clipped(text)}' names an attribute twice", hint="name each once")
        return cls(names[0], tuple(names[1:]))

    @property
    def text(self) -> str:
        """The formula as it is written."""
        target, *terms = (
            name if re.fullmatch(r"[^\s`+~]+", name) else f"`{name}`" for name in (self.target, *self.terms)
        )
        return f"{target} ~ {' + '.join(terms)}"

    def check(self, evidence: LossEvidence) -> None:
        """An error where the files cannot be analysed so."""
        for name in (self.target, *self.terms):
            if name not in evidence.by_name:
                raise unknown_name("attribute of both files", name, evidence.by_name)
        if not _explainable(evidence.by_name[self.target]):
            raise ArgumentError(
                f"the target '{self.target}' has {evidence.by_name[self.target].categories} categories",
                hint="name a number, or an attribute of two categories",
            )
        for name in self.terms:
            if evidence.by_name[name].categories > MOST_CATEGORIES:
                raise ArgumentError(
                    f"'{name}' has more than {MOST_CATEGORIES} categories", hint="leave it out of the formula"
                )


def _explainable(attribute: LossAttribute) -> bool:
    return attribute.kind is Kind.NUMERIC or attribute.categories == 2


def usual_targets(evidence: LossEvidence) -> Sequence[str]:
    """What an analysis would explain first: confidential attributes that are numbers or have two
    categories; where there is none, all numbers. At most :data:`MOST_TARGETS`.
    """
    named = [n for n in evidence.confidential if n in evidence.by_name and _explainable(evidence.by_name[n])]
    return (named or evidence.numeric)[:MOST_TARGETS]


def usual_formulas(evidence: LossEvidence) -> Sequence[Formula]:
    """One formula for each usual target, explained by the first others that have few categories."""
    few = [a.name for a in evidence.attributes if a.categories <= USUAL_CATEGORIES]
    terms = {target: tuple(n for n in few if n != target)[:MOST_TERMS] for target in usual_targets(evidence)}
    return [Formula(target, names) for target, names in terms.items() if names]
