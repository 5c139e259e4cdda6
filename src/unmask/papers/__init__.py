"""Published tables, each with its numbers and how to run it again: one file per paper, and one line here."""

from __future__ import annotations

from unmask.errors import unknown_name
from unmask.papers.base import Cell, Finding, FindingKind, Paper
from unmask.papers.categorical_2002 import Categorical2002
from unmask.papers.fuzzy_2008 import Fuzzy2008
from unmask.papers.outcome import Outcome, run
from unmask.papers.rank_based_2016 import RankBased2016
from unmask.papers.supervised_2013 import Supervised2013

PAPERS: dict[str, Paper] = {
    paper.name: paper for paper in (RankBased2016(), Categorical2002(), Supervised2013(), Fuzzy2008())
}


def paper_named(name: str) -> Paper:
    """The registered paper of that name."""
    if name not in PAPERS:
        raise unknown_name("paper", name, PAPERS)
    return PAPERS[name]


__all__ = ["PAPERS", "Cell", "Finding", "FindingKind", "Outcome", "Paper", "paper_named", "run"]
