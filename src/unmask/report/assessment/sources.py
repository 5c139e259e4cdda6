"""Several sources of knowledge: the risk from each and from all combined."""

from __future__ import annotations

from unmask.documents import AssessmentDocument
from unmask.documents.sections import SourceSection
from unmask.report.comparing import COMBINED, ComparedSide, best, compared_chart, compared_counts, sides
from unmask.report.numbers import people
from unmask.report.page import Chart, Section, draw, told
from unmask.report.phrases import sentence

_TITLE = "Several sources of knowledge"
#: On whom a row rests: the people in every source, or those in any.
_COMMON, _ALL = "common", "all"


def sources_section(document: AssessmentDocument) -> Section | None:
    """What several sources together tell an intruder, where there are several."""
    if document.sources is None:
        return None
    return told("sources", _TITLE, sentences(document), _charts(document))


def sentences(document: AssessmentDocument) -> list[str]:
    """What each source holds, and what it and all of them find."""
    section = document.sources
    if section is None:
        return []
    told = [_source(source) for source in section.sources]
    told.append(
        f"Together they cover {people(section.people)}; {people(section.common)} "
        f"{'is' if section.common == 1 else 'are'} in every source."
    )
    shared = source_sides(document, _COMMON)
    for name in [*(source.source for source in section.sources), COMBINED]:
        found = best(document, shared, name)
        if found is not None:
            with_what = "all sources combined" if name == COMBINED else name
            told.append(f"Of the people in every source, with {with_what}, {found.in_words()}.")
    whole = best(document, source_sides(document, _ALL), COMBINED)
    if whole is not None:
        told.append(f"Of all people in any source, with all sources combined, {whole.in_words()}.")
    return told + [sentence(note) for note in section.notes]


def source_sides(document: AssessmentDocument, people: str) -> list[ComparedSide]:
    """What each attack reaches with each source and with all combined, on these people."""
    return sides(document, document.table.where(people=people, curve=None).rows, lambda keys: keys.source)


def _charts(document: AssessmentDocument) -> tuple[Chart, ...]:
    among = source_sides(document, _COMMON)
    if not among:
        return ()
    caption = "Share of people found with each source and with all combined"
    spec, counts = compared_chart(among, "source"), compared_counts(among, "source")
    return (draw("sources", caption, spec, "Line: its 95% interval.", counts=counts),)


def _source(source: SourceSection) -> str:
    n = len(source.attributes)
    error = f"with an error of {source.error:g} standard deviations" if source.error else "without error"
    return (
        f"{source.source.capitalize()} has {n} attribute{'' if n == 1 else 's'} of {people(source.people)} "
        f"({', '.join(source.attributes)}), {error}."
    )
