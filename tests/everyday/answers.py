"""What unmask says of an everyday release: what it understood, and the risk it finds, or why it refuses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import unmask
from tests.everyday.release import EverydayRelease
from unmask.errors import UnmaskError


@dataclass(frozen=True)
class Understanding:
    """``changes``: the word for each known attribute; ``rows``: the sentence on whose record is whose."""

    changes: dict[str, str]
    rows: str


@dataclass(frozen=True)
class Finding:
    """The risk by each attack, and that of the best one."""

    risks: dict[str, float]
    best: float


@cache
def understanding(release: EverydayRelease) -> Understanding:
    """What ``unmask.check`` says of both files; each release is checked once."""
    with TemporaryDirectory() as folder:
        original, released = release.write(Path(folder))
        checked = unmask.check(original, released, known=list(release.known), truth=release.truth)
    words = {change.attribute: str(change.what) for change in checked.changes}
    return Understanding({name: words[name] for name in release.known}, checked.rows.short)


@cache
def finding(release: EverydayRelease) -> Finding | UnmaskError:
    """What ``unmask.assess`` finds with its usual attacks, or its refusal; each release is assessed once."""
    with TemporaryDirectory() as folder:
        original, released = release.write(Path(folder))
        try:
            risk = unmask.assess(
                original,
                released,
                known=list(release.known),
                truth=release.truth,
                measures=["reidentification"],
                seed=1,
            )
        except UnmaskError as refusal:
            return refusal
    rows = risk.table().filter(measure="reidentification")
    risks = dict(zip(rows["attack"].to_list(), rows["value"].to_list(), strict=True))
    return Finding(risks, risk.worst("reidentification").estimate.value)
