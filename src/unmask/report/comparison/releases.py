"""What several releases together tell an intruder, for a reader without statistics."""

from __future__ import annotations

from unmask.documents.sections import Join, ReleasesSection
from unmask.measures.estimate import NotEstimable
from unmask.report.comparing import (
    AVERAGED,
    COMBINED,
    THIS,
    Compared,
    ComparedSide,
    best,
    compared_chart,
    compared_counts,
    sides,
)
from unmask.report.numbers import count, people
from unmask.report.page import Chart, draw
from unmask.report.phrases import sentence


def headline(document: Compared) -> str:
    """What all releases together give away, beside what this one does alone."""
    alone, combined = _alone_and_combined(document)
    if combined is not None:
        told = _combined(document, None, combined)[0]
        if alone is None:
            return told
        who = "it" if alone.attack == combined.attack else "the best attack"
        return f"{told} In this release alone {who} finds {alone.found.rate}."
    told = (
        "Re-identification is not estimable"
        if alone is None
        else f"In this release alone, {alone.in_words()}"
    )
    return " ".join([f"{told}.", *_combined(document, alone, combined)])


def sentences(document: Compared) -> list[str]:
    """How the releases are brought together, and what each and all of them give away."""
    section = document.releases
    if section is None:
        return []
    told = [_how(section), *_joined(section)]
    alone, combined = _alone_and_combined(document)
    if alone is not None:
        told.append(f"In this release alone, {alone.in_words()}.")
    among = release_sides(document)
    for earlier in section.earlier:
        found = best(document, among, earlier.release)
        if found is not None:
            told.append(f"In {_named(earlier.release)} alone, {found.in_words()}.")
    told += _combined(document, alone, combined)
    return told + [sentence(note) for note in section.notes]


def release_sides(document: Compared) -> list[ComparedSide]:
    """What each attack reaches in each release and in all combined."""
    return sides(document, document.table.where(curve=None).rows, lambda keys: keys.release)


def releases_chart(document: Compared, tabled: bool = False) -> tuple[Chart, ...]:
    """The chart, where something was estimated; ``tabled``: a table of the page has its numbers."""
    among = release_sides(document)
    if not among:
        return ()
    caption = "Share of people found in each release and in all combined"
    spec = compared_chart(among, "release")
    counts = None if tabled else compared_counts(among, "release")
    label = f"{caption}; the table below has the numbers."
    return (draw("releases", caption, spec, "Line: its 95% interval.", label, counts),)


def _alone_and_combined(document: Compared) -> tuple[ComparedSide | None, ComparedSide | None]:
    among = release_sides(document)
    return best(document, among, THIS), best(document, among, COMBINED, AVERAGED)


def _how(section: ReleasesSection) -> str:
    n = len(section.earlier)
    held = f"{n} earlier {'release' if n == 1 else 'releases'} of the same people"
    through = ", ".join(section.through)
    way = {
        "order": "follows records from one to the other by their order in the files",
        "key": "follows records from one to the other by a key that they show",
        "confidential": f"follows records by values of {through} that are unique in both files"
        if through
        else "tries to follow records by confidential values",
        "none": f"cannot follow records; they compare their candidates in each, by {through}"
        if through
        else "cannot follow records",
    }[section.how]
    return f"The intruder is assumed to hold {held} too, and {way}."


def _joined(section: ReleasesSection) -> list[str]:
    return [
        f"{count(join.joined)} records of this release were followed into {_into(section, join)}, "
        f"{count(join.right)} of them rightly."
        for join in section.earlier
        if join.joined is not None and join.right is not None
    ]


def _into(section: ReleasesSection, join: Join) -> str:
    return "the earlier one" if len(section.earlier) == 1 else _named(join.release)


def _combined(document: Compared, alone: ComparedSide | None, combined: ComparedSide | None) -> list[str]:
    if combined is None:
        values = [row.estimate.value for row in document.table.where(release=COMBINED)]
        reasons = [value.reason for value in values if isinstance(value, NotEstimable)]
        return [f"The combined risk is not estimable: {reasons[0]}."] if reasons else []
    how = ", their numbers averaged" if combined.name == AVERAGED else ""
    told = [f"In all releases combined{how}, {combined.in_words()}."]
    if alone is None:
        return told
    more = combined.found.hits - alone.found.hits
    if more > 1e-6:
        told.append(f"That is {people(more)} more than this release alone gives away.")
    elif more < -1e-6:
        told.append(
            "That is fewer than in this release alone, because all releases count alike and some say less. "
            "An intruder who can tell which one is the best uses that one: the highest rate is the risk."
        )
    else:
        told.append("The earlier releases add nothing to what this one gives away.")
    return told


def _named(release: str) -> str:
    """'earlier 2' in words."""
    return f"earlier release {release.removeprefix('earlier ')}"
