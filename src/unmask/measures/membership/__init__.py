"""Membership inference: who is among the people a release, or a released model, was made from?"""

from unmask.measures.membership.closest_record import ClosestRecordProxy
from unmask.measures.membership.density_ratio import DensityRatio
from unmask.measures.membership.released_file import MembershipInFile, Signal
from unmask.measures.membership.released_model import MembershipInModel
from unmask.measures.membership.vulnerable import VulnerableMembers

__all__ = [
    "ClosestRecordProxy",
    "DensityRatio",
    "MembershipInFile",
    "MembershipInModel",
    "Signal",
    "VulnerableMembers",
]
