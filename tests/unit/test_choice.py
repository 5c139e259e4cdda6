"""The release of a candidate of a study is the very one that was attacked, value for value."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import polars as pl
import pytest
from polars.testing import assert_frame_equal
from typer.testing import CliRunner

from unmask.assessment.asked import Given
from unmask.assessment.request import Request, RequestFiles, Verb
from unmask.assessment.request_file import to_toml
from unmask.cli.verbs import app
from unmask.data.example import people
from unmask.data.io import read
from unmask.engines import LocalEngine
from unmask.errors import ArgumentError
from unmask.intruder.scenario import Scenario
from unmask.studies.protection.cell import CellWork, Outcome, Part
from unmask.studies.protection.choice import release_request
from unmask.studies.protection.protect import protection_of
from unmask.studies.protection.study import Study, study_of
from unmask.studies.protection.trials import FRESH

#: What every study holds its candidates against.
REFERENCES = ("unprotected", "independent columns")

POLICY = """format = "unmask-policy"
version = 1
title = "few are found"
source = "a test"

[[criterion]]
reading = "found"
at_most = 0.9
"""

MASKS = ("noise:a=0.5", "rank-swapping:p=20", "noise:a=0.2,attributes=age then pram:p=0.5,attributes=sex")

#: The releases that were attacked, by mask and draw.
Attacked = dict[tuple[str, int], pl.DataFrame]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The present folder, with a file of a few people."""
    monkeypatch.chdir(tmp_path)
    people(120).frame.write_csv("people.csv")
    return tmp_path


def asked(verb: Verb, **more: object) -> Request:
    usual = {"attacks": ("dbrl",), "losses": ("il1s",), "least": "il1s", "seed": 11, "masks": MASKS}
    wanted: Any = {**usual, "replicates": 2, **more}
    return Request(RequestFiles("people.csv"), verb, Scenario(("age", "income", "sex")), **wanted)


@contextmanager
def watched() -> Iterator[Attacked]:
    """The releases that are attacked meanwhile, in this process."""
    found: Attacked = {}
    outcome = CellWork.outcome

    def seen(work: CellWork, part: Part) -> Outcome:
        key = work.candidate.text, work._cell.replicate
        found[key] = work.session.files.masked.data.frame
        return outcome(work, part)

    with patch.object(CellWork, "outcome", seen):
        yield found


def studied(request: Request) -> tuple[Study, Attacked]:
    make = protection_of if request.verb is Verb.PROTECT else study_of
    with watched() as attacked:
        return make(request, Given(), LocalEngine(threads=1), None), attacked


def written(request: Request, name: str) -> pl.DataFrame:
    """The file that the command line makes of a request."""
    Path("mask.toml").write_text(to_toml(request))
    done = CliRunner().invoke(app, ["run", "mask.toml", "-o", name])
    assert done.exit_code == 0, done.output
    return read(name).frame


def is_the_same(file: pl.DataFrame, attacked: pl.DataFrame) -> None:
    """Value for value; a file leaves identifiers out, which take no part in an attack."""
    assert set(attacked.columns) - set(file.columns) <= {"person"}
    held = attacked.select(file.columns)
    assert_frame_equal(file, held, check_dtypes=False, check_exact=True)


def test_a_candidate_is_written_as_it_was_attacked_at_first(here: Path) -> None:
    request = asked(Verb.STUDY)
    study, attacked = studied(request)
    for number, mask in enumerate(MASKS):
        file = written(release_request(request, study.document, mask), f"{number}.csv")
        is_the_same(file, attacked[mask, 0])
        assert not file.equals(attacked[mask, 1].select(file.columns)), "another draw is another file"


def test_what_a_search_recommends_is_written_as_in_its_last_check(here: Path) -> None:
    Path("policy.toml").write_text(POLICY)
    attacks = ("dbrl", "mahalanobis", "rbrl-sum", "rbrl-max", "prl")  # those that such a bound speaks of
    masks = ("rank-swapping:p={2,20,80}",)
    request = asked(Verb.PROTECT, policy="policy.toml", masks=masks, attacks=attacks)
    study, attacked = studied(request)
    chosen = study.document.recommendation
    assert chosen is not None
    assert chosen.mask is not None
    file = written(release_request(request, study.document, chosen.mask), "a.csv")
    is_the_same(file, attacked[chosen.mask, FRESH])
    assert not file.equals(attacked[chosen.mask, 0].select(file.columns)), "the draw that chose it is another"
    other = next(mask for mask, draw in attacked if draw == 0 and mask not in (chosen.mask, *REFERENCES))
    is_the_same(written(release_request(request, study.document, other), "b.csv"), attacked[other, 0])


def test_the_request_reads_what_the_study_read_and_names_one_of_its_candidates(here: Path) -> None:
    request = asked(Verb.STUDY, masks=MASKS[:1])
    study, _ = studied(request)
    made = release_request(request, study.document, MASKS[0])
    assert (made.verb, made.mask, made.files) == (Verb.MASK, MASKS[0], request.files)
    for mask in ("", "noise:a=0.7", *REFERENCES, "exec:cp {original} {released}"):
        with pytest.raises(ArgumentError, match="no protection of this study"):
            release_request(request, study.document, mask)
