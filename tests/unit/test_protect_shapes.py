"""The search for a protection of series, traces and graphs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import unmask
from tests.contract.shapes import HOURS, MADE, PEOPLE
from unmask.assessment.request import Request, RequestFiles, Verb
from unmask.cli.protect import answer_protect
from unmask.cli.studying import StudyOutputs
from unmask.documents import read_any
from unmask.documents.study import STUDY
from unmask.masks import expand
from unmask.studies.protection.measured import compared_by
from unmask.studies.protection.protect import release_seed

SHAPES = {
    "series": "series:id=who,prefix=h",
    "traces": "traces:id=who,time=when,place=cell",
    "graph": "graph:source=a,target=b",
}
USUAL = {"series": "series-error", "traces": "trace-flows", "graph": "graph-ties"}
ATTACKS = {"series": "series-values", "traces": "traces", "graph": "graph-signatures"}
MASKS = {
    "series": "series-noise:a={0.1,0.5,2,8}",
    "traces": "trace-coarsening:letters=4,step={1,2,3,4}",
    "graph": "edge-deletion:share={0.1,0.5,0.9}",
}


def frame(shape: str) -> pl.DataFrame:
    """The example of a shape as a file has it."""
    content: Any = MADE[shape]()
    names = pl.Series([f"p{i:02d}" for i in range(PEOPLE)])
    if shape == "series":
        return pl.DataFrame({"who": names, **{f"h{t}": content.values[:, t] for t in range(HOURS)}})
    if shape == "traces":
        points = content.frame()
        return points.select(names.gather(points["owner"]).alias("who"), when="when", cell="where")
    source, target = content.edges()
    return pl.DataFrame({"a": names.gather(pl.Series(source)), "b": names.gather(pl.Series(target))})


@pytest.fixture
def policy(tmp_path: Path, shape: str) -> str:
    """The file of a policy that lets one attack find up to four in five."""
    path = tmp_path / "policy.toml"
    head = 'format = "unmask-policy"\nversion = 1\ntitle = "Ours"\nsource = "A book"\n'
    bound = f'reading = "found"\nat_most = 0.8\nattacks = ["{ATTACKS[shape]}"]\n'
    path.write_text(f"{head}[[criterion]]\n{bound}")
    return str(path)


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_recommended_is_what_goes_out_and_holds(shape: str, policy: str, tmp_path: Path) -> None:
    original, release = tmp_path / "original.csv", tmp_path / "release.csv"
    frame(shape).write_csv(original)
    request = Request(
        RequestFiles(str(original), shape=SHAPES[shape]),
        Verb.PROTECT,
        attacks=(ATTACKS[shape],),
        policy=policy,
        masks=(MASKS[shape],),
        replicates=4,
        seed=1,
    )
    answer_protect(request, release, StudyOutputs(tmp_path / "kept.db", tmp_path / "found.json", threads=1))
    _, document = read_any((tmp_path / "found.json").read_text(), (STUDY,))
    chosen = document.recommendation
    assert chosen is not None
    assert chosen.loss == USUAL[shape]
    assert chosen.mask in expand(MASKS[shape])
    # The release is the first of the draws that were checked, to the last digit.
    made = unmask.mask(original, chosen.mask, seed=release_seed(1), shape=SHAPES[shape])
    assert pl.read_csv(release).equals(made)
    asked: Any = {"shape": SHAPES[shape], "attacks": [ATTACKS[shape]], "measures": ["reidentification"]}
    found = unmask.assess(original, release, **asked).table()["value"].drop_nulls()
    assert 0 < found.item() <= 0.8


@pytest.mark.parametrize("shape", SHAPES)
def test_lines_of_its_own_are_tried_and_none_is_a_mask_of_tables(shape: str, policy: str) -> None:
    asked: Any = {"shape": SHAPES[shape], "attacks": [ATTACKS[shape]], "losses": [USUAL[shape]]}
    found = unmask.protect(frame(shape), policy=policy, replicates=4, seed=1, **asked)
    tried = {one.mask for one in found.document.recommendation.attempts}
    prefix = {"series": ("series-",), "traces": ("trace-",), "graph": ("edge-", "k-degree")}[shape]
    assert all(text.startswith(prefix) for text in tried)
    assert found.mask in tried


def test_masks_are_compared_by_what_fits_the_shape() -> None:
    def usual(shape: str | None, least: str | None = None) -> str:
        files = RequestFiles("a.csv", shape=shape)
        return compared_by(Request(files, Verb.STUDY, masks=("any",), least=least))

    assert usual(None) == "total-variation"
    assert {name: usual(shape) for name, shape in SHAPES.items()} == USUAL
    assert usual("traces:id=who,place=item") == "trace-places"
    assert usual(SHAPES["graph"], "graph-degrees") == "graph-degrees"


def test_a_study_compares_by_the_loss_of_the_shape() -> None:
    asked: Any = {"shape": SHAPES["series"], "attacks": ["series-values"], "replicates": 1}
    found = unmask.study(frame("series"), ["series-noise:a=0.5"], **asked)
    assert found.document.least == "series-error"
    row = found.candidates().filter(mask="series-noise:a=0.5")
    assert row["series-error"].item() == pytest.approx(0.5, abs=0.05)
