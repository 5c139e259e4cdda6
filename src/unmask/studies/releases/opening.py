"""The releases of a session: this one and the earlier ones, each with the key it goes out with."""

from __future__ import annotations

import polars as pl

from unmask.assessment.session import Session
from unmask.data.loading import masked_files, original_frame, pair
from unmask.data.microdata import Masked
from unmask.data.schema import Schema
from unmask.errors import missing_columns
from unmask.intruder.follow import Follow
from unmask.masks import Mask
from unmask.masks.release import as_released, without_identifiers
from unmask.randomness import generator
from unmask.studies.releases.following import Release


def releases_of(session: Session, follow: Follow) -> list[Release]:
    """The release itself first, then the earlier ones, each with its key where one is named.

    A mask is applied to the original, each release with noise of its own.
    """
    this = session.inputs.open("released")
    releases = [Release(session.files.masked, _key(this, session.files.masked, follow, 0))]
    for place in range(1, len(session.request.files.earlier) + 1):
        source = session.inputs.open(f"earlier {place}")
        masked = _masked(session, source, place, follow)
        releases.append(Release(masked, _key(source, masked, follow, place)))
    return releases


def _masked(session: Session, source: object, place: int, follow: Follow) -> Masked:
    if isinstance(source, Mask):
        rng = generator(session.request.seed, "mask", source.name, f"earlier {place}")
        data = session.files.original
        made = as_released(data, source.apply(data, rng))
        return masked_files(data, without_identifiers(data, made, follow.key)).masked
    original, schema = session.inputs.open("original"), session.inputs.schema
    # What the schema says of the released file is said of this release, not of an earlier one.
    schema = None if schema is None else Schema(schema.columns)
    return pair(original, source, schema, session.request.files.truth).masked


def _key(source: object, masked: Masked, follow: Follow, place: int) -> pl.Series | None:
    if not follow.key:
        return None
    (name,) = follow.key
    made = source is None or isinstance(source, Mask | Masked)
    frame = masked.data.frame if made else original_frame(source).frame
    if name not in frame.columns:
        where = "this release" if place == 0 else f"earlier release {place}"
        raise missing_columns([name], frame.columns, where)
    return frame[name]
