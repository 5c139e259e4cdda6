"""The kinds of terms by which a mask's likelihood is put together (see mechanism_pairs)."""

from __future__ import annotations

OVERLAP, QUADRATIC, TABLE, MATCH = 0, 1, 2, 3

#: Pairs beyond this cost are not looked at: nothing that a mask does is as unlikely as e^-36.
LIMIT = 36.0
#: Of one target's records, those beyond the best by this do not count: e^-20 is one in 500 million.
SPAN = 20.0
