"""Where the field's reference files are. They are their publishers', so none is bundled."""

from __future__ import annotations

import os
from pathlib import Path

from unmask.errors import DataError

SOURCES = {
    "casc_census.csv": "the CASC project's Census file, in the R package sdcMicro as CASCrefmicrodata",
    "casc_eia.csv": "the CASC project's EIA file, in the R package sdcMicro as EIA",
    "nyc_hvs_2014_occupied.csv": (
        "the occupied units of the New York City Housing and Vacancy Survey 2014 (US Census Bureau), decoded "
        "in the GitHub repository talos/nychvs as data/occ_2014.tsv"
    ),
    **dict.fromkeys(
        ("abalone.csv", "ionosphere.csv", "wdbc.csv", "dermatology.csv", "water_treatment.csv"),
        "in the UCI Machine Learning Repository under that name",
    ),
    "iris.csv": "scikit-learn's load_iris",
    "boston_housing.csv": "the data of Harrison and Rubinfeld (1978), in the R package mlbench",
}


def folder() -> Path:
    """The folder named by UNMASK_DATA, else ``shared/data`` beside the project."""
    told = os.environ.get("UNMASK_DATA")
    return Path(told) if told else Path(__file__).resolve().parents[4] / "shared" / "data"


def reference_file(name: str) -> Path:
    """The path of a reference file, or an error that says where it comes from."""
    path = folder() / name
    if not path.is_file():
        raise DataError(
            f"the reference file '{name}' is not here: it is {SOURCES[name]}",
            hint="save it as CSV with a header and name its folder in the environment variable UNMASK_DATA",
        )
    return path
