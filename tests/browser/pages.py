"""The reports that the tests open: one of each kind, and of assessments also a real and a small one."""

from __future__ import annotations

import json
from collections.abc import Callable

import unmask
from tests.unit import made_documents, study_data
from tests.unit.report_data import assessment, row
from unmask.data.example import people
from unmask.documents.study import STUDY
from unmask.masks import GlobalRecoding
from unmask.report import page_of


def example() -> str:
    """The bundled people, recoded, so that measures of every family are taken of them."""
    known = ["age", "region", "sex", "education", "income"]
    return unmask.assess(people(300), GlobalRecoding(p=3), known=known).to_html()


def whole() -> str:
    """An assessment with every section: worst case, earlier releases, several sources."""
    return page_of(json.dumps(made_documents.whole()))


def small() -> str:
    """No attack, one finding, and names that are long and have no place to break."""
    found = row(0.3, measure="sadr", subject="attribute" * 20, unit="share", baseline=0.1)
    nothing = row(0.1, measure="sadr", subject="age", unit="share", baseline=0.1)
    return page_of(json.dumps(assessment(table=[found, nothing])))


def curves() -> str:
    """Attacker-knowledge curves."""
    return page_of(json.dumps(made_documents.curves()))


def comparison() -> str:
    """A release together with earlier ones."""
    return page_of(json.dumps(made_documents.comparison()))


def losses() -> str:
    """What a release is no longer good for."""
    return page_of(json.dumps(made_documents.losses()))


def study() -> str:
    """Masks of one file, before two intruders, with a policy and a recommendation."""
    return page_of(STUDY.text(study_data.study(2, recommendation=study_data.recommended())))


REPORTS: dict[str, Callable[[], str]] = {
    "example": example,
    "whole": whole,
    "small": small,
    "curves": curves,
    "comparison": comparison,
    "losses": losses,
    "study": study,
}
