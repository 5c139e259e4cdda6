"""What masks of series share: values changed time by time, and publications."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from unmask.data.microdata import Floats, Masked, Microdata
from unmask.data.shapes.series import SeriesContent
from unmask.masks.contents import content_of, with_content

NIN_TORRA_2006 = (
    "J. Nin and V. Torra (2006), Extending microaggregation procedures for time series protection, Rough "
    "Sets and Current Trends in Computing (RSCTC 2006), LNCS 4259, 899-908"
)
NIN_TORRA_2009 = (
    "J. Nin and V. Torra (2009), Towards the evaluation of time series protection methods, Information "
    "Sciences 179(11), 1663-1677"
)


def by_time(original: Microdata, mask: str, change: Callable[[Floats], Floats]) -> Masked:
    """The file with ``change`` applied to the present values of each time; missing ones stay missing."""
    content = content_of(original, SeriesContent, mask)
    values = content.values.copy()
    for t in range(values.shape[1]):
        present = ~np.isnan(values[:, t])
        if present.any():
            values[present, t] = change(values[present, t])
    return with_content(original, content.valued(values))
