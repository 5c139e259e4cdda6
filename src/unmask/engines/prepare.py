"""From a pairing to what the kernels search: one memory layout, identical records collapsed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unmask.engines.base import Floats, Ints
from unmask.kernels.distinct import group_rows
from unmask.kernels.pairing import Pairing


@dataclass(frozen=True)
class Distinct:
    """Rows grouped by identity."""

    group: Ints  # group of each row, -1 for none; numbered by first appearance
    first: Ints  # the first row of each group
    size: Ints


def frozen(pairing: Pairing) -> Pairing:
    """The same pairing with read-only, contiguous arrays: the kernels then compile for one type only."""

    def view(array: NDArray[Any], dtype: type) -> NDArray[Any]:
        out: NDArray[Any] = np.ascontiguousarray(array, dtype=dtype).view()
        out.flags.writeable = False
        return out

    whole = {"metric", "offset", "width"}
    fields: dict[str, Any] = {
        name: view(field, np.int64 if name in whole else np.float64)
        if isinstance(field, np.ndarray)
        else int(field)
        for name, field in pairing._asdict().items()
    }
    return Pairing(**fields)


def distinct(rows: Floats, label: Ints | None = None) -> Distinct:
    """Group identical rows (of equal label, where labels are given)."""
    n = rows.shape[0]
    rows = np.ascontiguousarray(rows).view()
    rows.flags.writeable = False
    group, first = np.empty(n, np.int64), np.empty(n, np.int64)
    count = group_rows(
        rows, rows.view(np.uint64), np.zeros(n, np.int64) if label is None else label, group, first
    )
    return Distinct(group, first[:count].copy(), np.bincount(group[group >= 0], minlength=count))
