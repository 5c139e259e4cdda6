"""Publications that several attacks come from."""

from __future__ import annotations

DOMINGO_TORRA_2002 = (
    "J. Domingo-Ferrer and V. Torra (2002), Validating distance-based record linkage with probabilistic "
    "record linkage, Topics in Artificial Intelligence, LNAI 2504, 207-215."
)
