"""Policies: what an office asks of a release, criterion by criterion, and what an assessment says to it.

A policy is a TOML file of the office's own, or one of the bundled ones, each with its source. Without one
nothing is called acceptable.
"""

from __future__ import annotations

from unmask.documents.verdict import CriterionSection, Verdict, VerdictSection
from unmask.policies.judging import judge
from unmask.policies.policy import Criterion, Policy
from unmask.policies.policy_file import bundled_policies, policy_file, policy_named, read_policy
from unmask.policies.reading import Reading

__all__ = [
    "Criterion",
    "CriterionSection",
    "Policy",
    "Reading",
    "Verdict",
    "VerdictSection",
    "bundled_policies",
    "judge",
    "policy_file",
    "policy_named",
    "read_policy",
]
