"""Torra and Nin (2008): the files, how they are split, and the published tables V to VIII.

The columns of wdbc are named by numbers, V2-V4, V6-V8, ..., V32 (dashes are lost in some copies). If they
count the 32 columns of the file, those left out are exactly the six whose correlation with every other column
is below 0.7, which is how the paper says that it chose. But the published cells are then far below ours. They
are near if the numbers count the 30 features, that is, if the columns were chosen in a file with the number
of the patient and the diagnosis and taken from one without; V32 then does not exist. This second reading is
the one used. It was chosen after seeing the published cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

#: Columns of the tables: operator and family of functions Q.
COLUMNS = (("owa", "e"), ("owa", "s"), ("owa", "t"), ("sugeno", "e"), ("sugeno", "s"), ("sugeno", "t"))
#: Rows: a linkage under each normalisation.
NORMALISATIONS = ("n1", "n2")
LINKAGES = ("dbrl", "prl")
Row = tuple[float, float, float, float, float, float]


@dataclass(frozen=True)
class SplitFile:
    """A file, the attributes of its two parts, and the published mean number of links of 100 records."""

    title: str
    file: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    published: tuple[Row, Row, Row, Row] | None = None

    def rows(self, linkage: str) -> tuple[Sequence[float | None], ...]:
        """The published rows of a linkage, one per normalisation; of a file without a table, none.

        >>> WDBC.rows("prl")[0]
        (4.4, 7.1, 8.0, 6.3, 5.8, 8.0)
        """
        if self.published is None:
            return tuple([None] * len(COLUMNS) for _ in NORMALISATIONS)
        return self.published[LINKAGES.index(linkage) :: len(LINKAGES)]


def _ionosphere(*numbers: int) -> tuple[str, ...]:
    return tuple(f"a{number:02d}" for number in numbers)


#: The features of wdbc, and all columns of its file: 1 is the number of the patient.
WDBC_FEATURES = tuple(
    f"{name}_{of}"
    for of in ("mean", "se", "worst")
    for name in (
        "radius", "texture", "perimeter", "area", "smoothness",
        "compactness", "concavity", "concave_points", "symmetry", "fractal_dimension",
    )
)  # fmt: skip
WDBC_COLUMNS = ("id", "diagnosis", *WDBC_FEATURES)
#: The numbers of both parts: V2-V4 as a range, or as two columns.
RANGES = (
    (2, 3, 4, 6, 7, 8, 10, 12, 13, 18, 20, 26, 29, 32),
    (5, 9, 15, 16, 19, 22, 23, 24, 25, 27, 28, 30),
)
PRINTED = (
    (2, 4, 6, 8, 10, 12, 13, 18, 20, 26, 29, 32),
    (5, 9, 15, 16, 19, 22, 25, 27, 28, 30),
)


def _wdbc(reading: str, columns: Sequence[str], parts: Sequence[Sequence[int]]) -> SplitFile:
    """Table VIII with the columns of these numbers; a number beyond the last column is left out."""
    first, second = (tuple(columns[n - 1] for n in part if n <= len(columns)) for part in parts)
    return SplitFile(f"VIII wdbc, {reading}", "wdbc.csv", first, second, _TABLE_VIII)


_TABLE_VIII = (
    (5.0, 7.0, 4.4, 5.5, 5.8, 4.4),
    (4.4, 7.1, 8.0, 6.3, 5.8, 8.0),
    (10.8, 15.8, 18.2, 3.3, 4.6, 5.1),
    (10.5, 14.8, 16.2, 3.3, 4.7, 4.6),
)

#: The reading of table VIII that is used, and the others.
WDBC = _wdbc("features", WDBC_FEATURES, RANGES)
OTHER_READINGS = (
    _wdbc("columns of the file", WDBC_COLUMNS, RANGES),
    _wdbc("columns of the file without ranges", WDBC_COLUMNS, PRINTED),
)

CENSUS = SplitFile(
    "VII census", "casc_census.csv",
    ("AFNLWGT", "EMCONTRB", "PTOTVAL", "TAXINC", "POTHVAL", "PEARNVAL", "WSALVAL"),
    ("AGI", "FEDTAX", "STATETAX", "INTVAL", "FICA", "ERNVAL"),
    (
        (7.1, 9.5, 7.5, 6.1, 8.6, 7.5),
        (4.7, 9.6, 10.4, 6.0, 7.9, 10.4),
        (8.4, 8.8, 9.9, 4.3, 3.6, 5.0),
        (7.4, 8.8, 5.0, 3.7, 3.5, 2.2),
    ),
)  # fmt: skip

#: No table is printed: "around 10 re-identifications and a maximum of 16".
WATER = SplitFile(
    "(text) water-treatment", "water_treatment.csv",
    (
        "PH-E", "DBO-E", "SS-E", "SSV-E", "SED-E", "COND-E", "DBO-D", "SSV-D", "DBO-S", "RD-DBO-S",
        "RD-DQO-S",
    ),
    (
        "PH-P", "DBO-P", "SS-P", "SSV-P", "SED-P", "COND-P", "PH-D", "DQO-D", "COND-D", "SS-S", "SED-S",
        "COND-S", "RD-DBO-G", "RD-DQO-G",
    ),
)  # fmt: skip

FILES = (
    SplitFile(
        "V abalone", "abalone.csv",
        ("height", "whole_weight", "viscera_weight"),
        ("length", "diameter", "shucked_weight", "shell_weight"),
        (
            (6.5, 5.9, 6.7, 4.8, 4.2, 6.7),
            (3.9, 5.2, 1.8, 5.5, 5.2, 1.8),
            (9.9, 7.9, 8.8, 5.6, 6.5, 7.0),
            (6.3, 8.4, 2.2, 5.6, 6.2, 2.4),
        ),
    ),
    SplitFile(
        "VI ionosphere", "ionosphere.csv",
        _ionosphere(5, 7, 9, 11, 13, 20), _ionosphere(15, 17, 19, 21, 23, 30),
        (
            (14.4, 21.8, 21.9, 11.6, 20.3, 21.9),
            (12.9, 22.2, 3.9, 10.8, 20.7, 3.9),
            (5.7, 7.9, 8.6, 6.4, 6.9, 8.0),
            (4.2, 7.5, 1.3, 4.9, 6.2, 1.6),
        ),
    ),
    CENSUS,
    WDBC,
    SplitFile(
        "(poor) iris", "iris.csv", ("sepal_length", "petal_length"), ("sepal_width", "petal_width")
    ),
    SplitFile(
        "(poor) dermatology", "dermatology.csv",
        (
            "polygonal_papules", "follicular_papules", "oral_mucosal_involvement",
            "knee_and_elbow_involvement", "scalp_involvement", "melanin_incontinence", "exocytosis",
            "focal_hypergranulosis", "follicular_horn_plug",
        ),
        (
            "clubbing_of_the_rete_ridges", "elongation_of_the_rete_ridges",
            "thinning_of_the_suprapapillary_epidermis", "vacuolisation_and_damage_of_basal_layer",
            "saw_tooth_appearance_of_retes", "perifollicular_parakeratosis", "band_like_infiltrate",
        ),
    ),
    SplitFile(
        "(poor) housing", "boston_housing.csv", ("INDUS", "RM", "AGE", "RAD"), ("NOX", "TAX", "MEDV")
    ),
    WATER,
)  # fmt: skip
