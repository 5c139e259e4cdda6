"""What happened to categories, told from pairs of an original and a released one."""

from __future__ import annotations

import polars as pl

from unmask.data.correspondence import Recode
from unmask.data.understanding.changes import Explanation, What, associated_categories, percent

#: So many pairs per category that always agree are a rule.
REPEATED = 5
#: A recoding with exceptions holds for this share of the pairs, and of those of each category.
MOST = 0.8


def category_finding(before: pl.Series, after: pl.Series) -> Explanation:
    """What made the categories ``after`` of those ``before``; both are text, and present.

    >>> category_finding(pl.Series(["a", "b", "c", "a"]), pl.Series(["ab", "ab", "c", "ab"])).what.value
    'recoded'
    >>> category_finding(pl.Series(["1", "2", "1"]), pl.Series(["m", "f", "m"])).what.value
    'relabelled'
    """
    n = len(before)
    if (before == after).all():
        return Explanation(What.UNCHANGED, f"equal in all {n:,} pairs")
    table = pl.DataFrame({"x": before, "y": after}).group_by("x", "y").agg(pl.len().alias("n")).sort("x", "y")
    equal = float(table.filter(pl.col("x") == pl.col("y"))["n"].sum()) / n
    recode = _recode(table)
    if recode is not None:
        groups, sources = table["y"].n_unique(), table["x"].n_unique()
        if groups == sources:
            return Explanation(
                What.RELABELLED,
                f"each of {sources} categories has another name in all {n:,} pairs",
                correspondence=recode,
            )
        what = f"{sources} categories became {groups}, each always the same in all {n:,} pairs"
        return Explanation(What.RECODED, what, correspondence=recode)
    return _mostly(table, n, equal) or _by_chance(table, n, equal)


def _mostly(table: pl.DataFrame, n: int, equal: float) -> Explanation | None:
    """A recoding with exceptions: most pairs of a category have the same other name.

    Without it, a few mistakes in a release that uses names of its own would leave nothing to compare.
    """
    best = table.sort("n", "y", descending=[True, False]).unique("x", keep="first", maintain_order=True)
    best = best.join(table.group_by("x").agg(pl.col("n").sum().alias("all")), on="x").sort("x")
    often = best.filter(
        pl.col("x") != pl.col("y"), pl.col("all") >= REPEATED, pl.col("n") >= MOST * pl.col("all")
    )
    rule = Recode(tuple(often.select("x", "y").rows()))
    image = rule.image(table["x"])
    share = float(table.filter(image == table["y"])["n"].sum()) / n
    if not rule.pairs or share < MOST or share <= equal:
        return None
    groups, sources = image.n_unique(), table["x"].n_unique()
    what = What.RELABELLED if groups == sources else What.RECODED
    told = f"{sources} categories became {groups} in {percent(share)} of {n:,} pairs, others in the rest"
    return Explanation(what, told, share, rule, 1 - share)


def _recode(table: pl.DataFrame) -> Recode | None:
    """The recoding, if every category always became the same one.

    Where the release uses the original's names, a recoding leaves its own results alone: merging "a" into
    "b" keeps "b". Names that changed places were swapped, unless so many pairs agree on it that chance
    cannot have done it.
    """
    if table["x"].is_duplicated().any():
        return None
    pairs = dict(zip(table["x"].to_list(), table["y"].to_list(), strict=True))
    moved = [(x, y) for x, y in pairs.items() if x != y]
    if any(pairs.get(y, y) != y for _, y in moved) and table["n"].sum() < REPEATED * len(pairs):
        return None
    return Recode(tuple(moved))


def _by_chance(table: pl.DataFrame, n: int, equal: float) -> Explanation:
    related = associated_categories(table)
    told = f"{percent(equal)} of {n:,} pairs are equal"
    before, after = (table.group_by(side).agg(pl.col("n").sum()).sort(side) for side in ("x", "y"))
    same = before.rename({"x": "c"}).equals(after.rename({"y": "c"}))
    known = after["y"].is_in(before["x"].implode()).all()
    if same and related:
        return Explanation(
            What.SWAPPED, f"the categories of the original with other people; {told}", equal, size=1 - equal
        )
    if same:
        return Explanation(
            What.PERMUTED, f"the categories of the original, and nothing ties them to their person; {told}"
        )
    if related and known:
        return Explanation(
            What.NOISE, f"{percent(1 - equal)} of {n:,} pairs have another category", equal, size=1 - equal
        )
    if known:
        return Explanation(
            What.SYNTHESISED, f"the same categories, and nothing ties them to their person; {told}"
        )
    return Explanation(
        What.UNKNOWN, f"other categories, which no rule explains; {told}", equal, size=1 - equal
    )
