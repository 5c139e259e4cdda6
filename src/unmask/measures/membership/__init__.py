"""Membership inference: who is among the people a release, or a released model, was made from?"""

from unmask.measures.membership.closest_record import ClosestRecordProxy
from unmask.measures.membership.released_file import MembershipInFile, Signal
from unmask.measures.membership.released_model import MembershipInModel

__all__ = ["ClosestRecordProxy", "MembershipInFile", "MembershipInModel", "Signal"]
