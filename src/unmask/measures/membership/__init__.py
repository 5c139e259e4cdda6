"""Membership inference: who is among the people a release, or a released model, was made from?"""

from unmask.measures.membership.closest_record import ClosestRecordProxy
from unmask.measures.membership.released_file import Evidence, MembershipInFile
from unmask.measures.membership.released_model import MembershipInModel

__all__ = ["ClosestRecordProxy", "Evidence", "MembershipInFile", "MembershipInModel"]
