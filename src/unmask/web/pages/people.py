"""People: the rows at risk behind a result, filtered and sorted, to look at and to take away."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import polars as pl
from starlette.responses import Response

from unmask.errors import ArgumentError, DataError
from unmask.report.phrases import items
from unmask.web.pages.run import called
from unmask.web.run import PEOPLE, RunFolder
from unmask.web.visit import Visit

#: So many people stand on a page.
ON_A_PAGE = 50

_BELIEF, _HIGHEST, _FOUND = "_belief", "highest_belief", "found by "


@dataclass(frozen=True)
class Wish:
    """Which people: by whose belief (an attack, or the highest), from which belief on, for which reason."""

    by: str
    least: float
    reason: str
    page: int

    @staticmethod
    def of(query: Any) -> Wish:
        """The wish of an address."""
        try:
            least, page = float(query.get("least") or 0.5), int(query.get("page") or 1)
        except ValueError:
            raise ArgumentError("that is no number", hint="write digits, as in 0.5") from None
        if not 0 <= least <= 1 or not 1 <= page <= 10**7:
            raise ArgumentError("a belief is from 0 to 1, and a page from 1 on", hint="write 0.5") from None
        return Wish(query.get("by") or _HIGHEST, least, query.get("reason") or "", page)


def show(visit: Visit) -> Response:
    """A page of people, those who are found most surely first."""
    run = visit.project.run(visit.path["run"])
    path, wish = _path(run), Wish.of(visit.query)
    attacks = attacks_of(path)
    found = _found(path, wish, attacks)
    total = found.select(pl.len()).collect().item()
    rows = found.slice((wish.page - 1) * ON_A_PAGE, ON_A_PAGE).collect()
    return visit.page(
        "people.html.jinja",
        step="result",
        run=run,
        wish=wish,
        attacks=[(name, called(name)) for name in attacks],
        total=total,
        pages=max(1, -(-total // ON_A_PAGE)),
        rows=[{**row, "reasons": _reasons(row["why"] or "")} for row in rows.to_dicts()],
    )


def _reasons(why: str) -> list[str]:
    """Why somebody is at risk: which attacks find them, as one reason, and then the others."""
    told = why.split("; ") if why else []
    finders = [one.removeprefix(_FOUND) for one in told if one.startswith(_FOUND)]
    others = [one for one in told if not one.startswith(_FOUND)]
    return [*([_FOUND + items(finders)] if finders else []), *others]


def download(visit: Visit) -> Response:
    """All of them, as a table with every column that there is."""
    run = visit.project.run(visit.path["run"])
    path, wish = _path(run), Wish.of(visit.query)
    stream = BytesIO()
    _found(path, wish, attacks_of(path), every=True).collect().write_csv(stream)
    headers = {"content-disposition": f'attachment; filename="unmask-people-{run.name}.csv"'}
    return Response(stream.getvalue(), media_type="text/csv", headers=headers)


def _path(run: RunFolder) -> Path:
    path = run.file(PEOPLE)
    if path is None:
        raise DataError("this run says nothing of single people", hint="assess the release again")
    return path


def _scanned(path: Path) -> pl.LazyFrame:
    """The table of a run; its place may have letters that are patterns elsewhere."""
    frame = pl.scan_parquet(path, glob=False)
    try:
        frame.collect_schema()
    except pl.exceptions.PolarsError:
        raise DataError("the list of people is damaged", hint="assess the release again") from None
    return frame


def attacks_of(path: Path) -> list[str]:
    """The attacks that say something of each person; guessing finds nobody in particular."""
    names = _scanned(path).collect_schema().names()
    found = [name.removesuffix(_BELIEF) for name in names if name.endswith(_BELIEF) and name != _HIGHEST]
    return [name for name in found if name != "guess"]


def _found(path: Path, wish: Wish, attacks: list[str], every: bool = False) -> pl.LazyFrame:
    if wish.by != _HIGHEST and wish.by not in attacks:
        raise ArgumentError("no attack of that name was made", hint="choose one of the list")
    frame = _scanned(path)
    names = frame.collect_schema().names()
    by = wish.by if wish.by == _HIGHEST else wish.by + _BELIEF
    if by not in names:
        raise DataError("no attack was made on this release", hint="look at its measures")
    frame = frame.filter(pl.col(by) >= wish.least)
    if wish.reason:
        frame = frame.filter(pl.col("why").str.contains(wish.reason, literal=True))
    # Rows break ties, so that a page is the same whenever it is asked for.
    frame = frame.sort(by, "row", descending=[True, False])
    # People count rows from 1 on, and a table has a header: row 0 is line 2 of a text file.
    numbered = (pl.col("row") + 1).alias("person")
    return (
        frame.with_columns(numbered) if every else frame.select(numbered, pl.col(by).alias("belief"), "why")
    )
