"""The map as a picture: PNG or SVG, on white, with a title."""

from __future__ import annotations

from pathlib import Path

from unmask.data.io.replacing import Access, replacing
from unmask.documents.study import StudyDocument
from unmask.errors import ArgumentError, DataError
from unmask.report.libraries import vega_lite
from unmask.report.numbers import people
from unmask.report.page import Spec, settled
from unmask.report.study.ceilings import ceilings
from unmask.report.study.map import has_map, risk_map
from unmask.report.study.places import MapPlaces

SUFFIXES = (".png", ".svg")
#: In dots; a PNG has twice as many in either direction, for paper.
WIDTH, SCALE = 820, 2


def check_map(path: str | Path) -> None:
    """Refuse a name that tells no format of a picture, before the work starts.

    >>> check_map("map.gif")
    Traceback (most recent call last):
    unmask.errors.ArgumentError: 'map.gif' has no suffix of a picture. Hint: end its name with .png or .svg.
    """
    name = Path(path).name
    if not name.lower().endswith(SUFFIXES):
        raise ArgumentError(f"'{name}' has no suffix of a picture", hint="end its name with .png or .svg")


def write_map(document: StudyDocument, path: str | Path) -> None:
    """Write the map with the leading loss and the largest risk, in the format that the suffix tells."""
    import vl_convert

    check_map(path)
    places = MapPlaces(document)
    if not has_map(places):
        raise DataError(
            "there is no map: no mask has both a risk and a loss",
            hint="name attacks and losses for the study",
        )
    spec, version = _picture(places), vega_lite()
    if Path(path).suffix.lower() == ".svg":
        content = settled(vl_convert.vegalite_to_svg(spec, vl_version=version), "map").encode()
    else:
        content = vl_convert.vegalite_to_png(spec, vl_version=version, scale=SCALE)
    with replacing(Path(path), Access()) as temporary:
        temporary.write_bytes(content)


def _picture(places: MapPlaces) -> Spec:
    """The map with what a page would say around it."""
    document = places.document
    draws = "1 draw" if document.replicates == 1 else f"up to {document.replicates} draws"
    dashed = " Dashed: the policy's ceiling." if ceilings(places) else ""
    under = (
        f"{people(document.records)}, {draws} per mask. Filled: on the front. Lines: 95% intervals.{dashed}"
    )
    title = {"text": "Risk and loss of each mask", "subtitle": under, "anchor": "start", "offset": 16}
    return {**risk_map(places), "width": WIDTH, "background": "white", "title": title, "padding": 16}
