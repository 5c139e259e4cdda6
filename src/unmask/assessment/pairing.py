"""Both files of a request as they compare: read from two files, or one of them made by a mask."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unmask.assessment.beside import Beside
from unmask.assessment.inputs import Inputs
from unmask.assessment.request import Request
from unmask.data.loading import masked_files, original_file, pair
from unmask.data.microdata import Masked
from unmask.data.paired_files import Files, containing, without_key
from unmask.data.shapes.named import shape_named
from unmask.data.understanding.matching import check_strangers
from unmask.engines.cache import Once
from unmask.errors import ArgumentError
from unmask.intruder.follow import Follow
from unmask.masks import Mask
from unmask.masks.contents import check_shape
from unmask.masks.release import as_released, without_identifiers
from unmask.masks.synthetic import as_anybodys, draws_people
from unmask.randomness import generator


def read_files(request: Request, inputs: Inputs, beside: Beside, once: Once) -> Files:
    """The original and the released file; ``beside``: what unmask left beside the release it made."""
    files, known = request.files, request.scenario.named
    original, released = inputs.open("original"), inputs.open("released")
    schema = beside.schema(original, inputs.schema)
    found = pair(original, released, schema, inputs.truth, files.synthetic, known, once)
    found = containing(found, *(getattr(one, "content", None) for one in (original, released)))
    if files.pairs is not None:  # the release has names of its own
        found = without_key(found)
    check_strangers(found.understanding.rows)
    # What is said of single columns makes a schema, and yet the rest of it is a guess.
    found = beside.noted(found, guessed=inputs.guessed)
    mask = beside.made_by
    if isinstance(mask, Mask) and draws_people(mask):
        found = replace(found, masked=as_anybodys(found.original, found.masked, mask))
    return found


def made_files(request: Request, inputs: Inputs, mask: object) -> Files:
    """The original, and what the request's mask makes of it."""
    if not isinstance(mask, Mask):
        raise ArgumentError("the mask is none", hint="give one of 'unmask list masks'")
    original = inputs.open("original")
    data = original_file(original, inputs.schema)
    content = getattr(original, "content", None)
    if content is not None:
        data = replace(data, content=content)
    check_shape(mask, data)
    applied = _present(mask.apply(data, generator(request.seed, "mask", mask.name)), request)
    made = as_released(data, applied)
    # What the intruder is said to know goes out, whatever a guess of its role says.
    kept = (*Follow.parse(request.files.follow).key, *request.scenario.named)
    masked = as_anybodys(data, without_identifiers(data, made, kept), mask)
    found = masked_files(data, masked, request.scenario.named, inputs.guessed)
    return containing(found, content, applied.data.content)


def _present(applied: Masked, request: Request) -> Masked:
    """What a mask made, without those whom the file that goes out does not tell of: they cannot be found.

    They are not in the release, so that they do not count among those who may be.
    """
    content, shape = applied.data.content, request.files.shape
    if content is None or shape is None:
        return applied
    there = np.flatnonzero(shape_named(shape).present(content, request.files.nodes is not None))
    if len(there) == len(content):
        return applied
    if not len(there):
        raise ArgumentError("the mask leaves nobody in the release", hint="give a weaker one")
    return replace(applied, data=applied.data.take(there), origin=applied.origin[there])
