"""Studies of the field's reference files: `python -m bench.studies [FILE ...] [--write]`.

Census and EIA with the masks of numbers over their strengths, sdcMicro's test data with those of categories,
NIST's excerpt of the ACS with both. Every mask is drawn several times, and attacked by the usual attacks and
that of an intruder who knows the mask. Results are kept in ``bench/results`` (nothing of the data is in
them), so that a run that was ended goes on. Printed: a table for each file, and the order of the families of
masks by the least loss with which each stays below a share of people found. ``--write`` puts the page
docs/evidence/studies.md and its maps in place.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

import unmask
from unmask.data.microdata import Microdata
from unmask.data.schema import Column, Kind, Role, Schema
from unmask.documents.study import SCORE, StudyDocument
from unmask.papers.data import folder
from unmask.report.study.image import write_map

HERE = Path(__file__).parents[1]
RESULTS, PAGE, MAPS = HERE / "bench" / "results", HERE / "docs/evidence/studies.md", HERE / "docs/assets"

#: Shares of people found below which the families of masks are compared.
CEILINGS = (0.5, 0.2, 0.05)

NUMBERS = (
    "noise:a={0.05,0.1,0.2,0.3,0.5,0.75,1,1.5}",
    "correlated-noise:a={0.05,0.1,0.2,0.3,0.5,0.75,1,1.5}",
    "multiplicative-noise:b={0.05,0.1,0.2,0.3,0.5,0.75}",
    "rank-swapping:p={1,2,3,5,7,10,15,20,30,50}",
    "p-distribution-rank-swapping:p={2,5,10,20,30,50}",
    "microaggregation:k={3,5,7,10,15,20,30,50}",
    "individual-ranking:k={3,5,10,20,50}",
    "global-recoding:quantiles={20,10,5,3}",
)
CATEGORIES = (
    "pram:pd={0.9,0.8,0.7,0.6,0.5,0.3}",
    "pram:p={3,6,9}",
    "global-recoding:p={2,3,4,6,8}",
    "top-coding:p={2,3,4}",
    "bottom-coding:p={2,3,4}",
    "local-suppression:k={2,3,5,10,20}",
    "cart:leaf={5,20,50,100}",
)


@dataclass(frozen=True)
class Studied:
    """One file: which columns are known, which masks, and on how many people attacks are tried."""

    file: str
    title: str
    numbers: tuple[str, ...]
    categories: tuple[str, ...]
    masks: tuple[str, ...]
    replicates: int = 5
    sample: int | None = None
    confidential: tuple[str, ...] = ()
    rows: int | None = None
    missing: tuple[str, ...] = field(default=())

    def data(self) -> Microdata:
        """The file under its schema."""
        frame = pl.read_csv(folder() / self.file, infer_schema_length=None, null_values=list(self.missing))
        frame = frame.drop_nulls(
            [*self.numbers, *self.confidential]
        )  # microaggregation needs complete records
        frame = frame if self.rows is None else frame.sample(self.rows, seed=1, shuffle=True)
        columns = [
            *(Column(name) for name in self.numbers),
            *(Column(name, Kind.NOMINAL) for name in self.categories),
            *(Column(name, Kind.NUMERIC, Role.CONFIDENTIAL) for name in self.confidential),
        ]
        names = [column.name for column in columns]
        return Microdata(Schema(tuple(columns)), frame.select(names), self.file)


CENSUS = (
    *("AFNLWGT", "AGI", "EMCONTRB", "ERNVAL", "FEDTAX", "FICA", "INTVAL", "PEARNVAL", "POTHVAL", "PTOTVAL"),
    *("STATETAX", "TAXINC", "WSALVAL"),
)
EIA = (
    *("RESREVENUE", "RESSALES", "COMREVENUE", "COMSALES", "INDREVENUE", "INDSALES", "OTHREVENUE"),
    *("OTHRSALES", "TOTREVENUE", "TOTSALES"),
)
MIXED = (
    *(f"{one} then pram:pd={p}" for one, p in (
        ("noise:a=0.1", 0.9), ("noise:a=0.5", 0.7), ("rank-swapping:p=5", 0.9), ("rank-swapping:p=20", 0.7),
        ("microaggregation:k=5", 0.9), ("microaggregation:k=20", 0.7), ("microaggregation:k=50", 0.5),
    )),
    "global-recoding:quantiles={10,4} then global-recoding:p=4 then local-suppression:k={3,10}",
    "cart:leaf={5,50,200}",
)  # fmt: skip

FILES = {
    "census": Studied("casc_census.csv", "Census (CASC), 1,080 records, 13 numbers", CENSUS, (), NUMBERS),
    "eia": Studied("casc_eia.csv", "EIA (CASC), 4,092 records, 10 numbers", EIA, (), NUMBERS, 5, 1000),
    "testdata": Studied(
        "sdcmicro_testdata.csv",
        "sdcMicro's test data, 4,580 records, 7 categories",
        (),
        ("urbrur", "roof", "walls", "water", "electcon", "relat", "sex"),
        CATEGORIES,
        3,
        1000,
        ("expend", "income", "savings"),
    ),
    "acs": Studied(
        "nist_acs2019_national.csv",
        "NIST's excerpt of the ACS 2019, 5,000 records, 2 numbers and 7 categories",
        ("AGEP", "POVPIP"),
        ("SEX", "MSP", "RAC1P", "HOUSING_TYPE", "OWN_RENT", "EDU", "INDP_CAT"),
        MIXED,
        3,
        1000,
        ("PINCP",),
        rows=5000,
        missing=("N",),
    ),
}


def studied(name: str) -> StudyDocument:
    """The study of a file, from its kept results on."""
    one = FILES[name]
    RESULTS.mkdir(exist_ok=True)
    found = unmask.study(
        one.data(),
        list(one.masks),
        replicates=one.replicates,
        sample=one.sample,
        results=RESULTS / f"{name}.db",
    )
    return found.document


def cheapest(document: StudyDocument, ceiling: float) -> list[tuple[str, str, float, float]]:
    """The families of masks by the least loss with which fewer people than the ceiling are found."""
    best: dict[str, tuple[str, float, float]] = {}
    for one in document.candidates:
        risk, loss = document.risk(one.mask), document.loss(one.mask)
        if one.reference or risk is None or loss is None or risk.number is None or loss.number is None:
            continue
        if risk.number <= ceiling and loss.number < best.get(one.family, ("", 9.0, 0.0))[1]:
            best[one.family] = one.mask, loss.number, risk.number
    return sorted(((family, *found) for family, found in best.items()), key=lambda row: row[2])


def rows(document: StudyDocument) -> list[str]:
    """One line per candidate, cheapest first, as a Markdown table."""
    lines = []
    for one in document.candidates:
        risk, loss = document.risk(one.mask), document.loss(one.mask)
        il1s, score = (document.table.find(measure=m, mask=one.mask, subject=None) for m in ("il1s", SCORE))
        values = [None if e is None else e.number for e in (risk, loss, il1s, score)]
        text = [
            "-" if v is None else f"{v:.1%}" if place < 2 else f"{v:.3g}" for place, v in enumerate(values)
        ]
        lines.append(
            (values[1] or 0.0, f"| {one.mask} | {' | '.join(text)} | {'yes' if one.front else ''} |")
        )
    head = ["| mask | found | total variation | IL1s | score | front |", "|---|---|---|---|---|---|"]
    return [*head, *(line for _, line in sorted(lines))]


def compared(document: StudyDocument) -> list[str]:
    """Which family costs least at each ceiling."""
    lines = []
    for ceiling in CEILINGS:
        found = cheapest(document, ceiling)
        told = "; ".join(f"{mask} ({loss:.1%})" for _, mask, loss, _ in found[:5]) or "no mask"
        lines.append(f"- at most {ceiling:.0%} found: {told}")
    return lines


def main() -> None:
    """Run the studies that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m bench.studies", description=__doc__)
    parser.add_argument("files", nargs="*", choices=[[], *FILES], default=[])
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    parts: list[str] = []
    for name in options.files or FILES:
        begun = time.perf_counter()
        document = studied(name)
        print(
            f"{name}: {len(document.candidates)} candidates, {time.perf_counter() - begun:.0f} s", flush=True
        )
        lines = [*compared(document), "", *rows(document)]
        print("\n".join(lines), flush=True)
        if options.write:
            write_map(document, MAPS / f"study-{name}.png")
        parts += _section(name, lines)
    if options.write:
        _write(parts)


def _section(name: str, lines: Sequence[str]) -> list[str]:
    title = FILES[name].title
    picture = f"![The risk-utility map of {title}](../assets/study-{name}.png)"
    return [f"## {title}", "", picture, "", *lines, ""]


def _write(parts: Sequence[str]) -> None:
    """Put the measured part of the page in its place, after the marker; what stands before it stays."""
    marker = "<!-- measured -->"
    before = PAGE.read_text(encoding="utf-8").partition(marker)[0] if PAGE.is_file() else ""
    PAGE.write_text(f"{before}{marker}\n\n" + "\n".join(parts).rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
