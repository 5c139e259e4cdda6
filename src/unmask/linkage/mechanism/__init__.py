"""Linkage by an intruder who knows the mask: from its declaration to beliefs.

``terms`` encodes what the mask declared, ``field`` makes both files ready for the search, ``rivals`` reckons
with the other people who may have left a record, and ``matcher`` decides.
"""

from unmask.linkage.mechanism.field import field
from unmask.linkage.mechanism.matcher import NOTED, Belief, MechanismMatcher
from unmask.linkage.mechanism.rivals import no_rivals, rivals
from unmask.linkage.mechanism.terms import Term, encode

__all__ = ["NOTED", "Belief", "MechanismMatcher", "Term", "encode", "field", "no_rivals", "rivals"]
