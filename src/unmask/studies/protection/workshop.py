"""Workshop: one original and all that is tried on it; what was found once is not computed again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Self

from unmask.assessment.asked import Given
from unmask.assessment.inputs import Inputs
from unmask.assessment.request import Request
from unmask.attacks import attack_named
from unmask.data.loading import original_file, original_frame
from unmask.data.microdata import Microdata
from unmask.engines import Engine, LocalEngine
from unmask.errors import ArgumentError
from unmask.intruder.scenario import Scenario
from unmask.losses import loss_named
from unmask.measures import measure_named
from unmask.policies import Policy, policy_named
from unmask.studies.protection.candidates import MaskCandidate
from unmask.studies.protection.cell import (
    ATTACK,
    GUESSED_MASK,
    KNOWN_MASK,
    LOSS,
    MEASURE,
    Material,
    Outcome,
    Part,
    StudyCell,
)
from unmask.studies.protection.content import (
    common_content,
    fingerprint,
    frame_digest,
    mask_content,
    part_key,
    replicate_seed,
    says_all,
)
from unmask.studies.protection.measured import (
    check_attacked,
    studied_attacks,
    studied_losses,
    studied_measures,
)
from unmask.studies.protection.results_file import ResultsFile
from unmask.studies.protection.summary import Draws
from unmask.studies.protection.work import Crew, Task

#: Files that measures may look at beside the original.
COMPANIONS = ("population", "holdout")


class Workshop:
    """The original of a study, its intruders, and the results so far.

    ``results``: the file in which they are kept, or a folder, where each original has a file of its own;
    None: only while the workshop is open.
    """

    def __init__(
        self,
        request: Request,
        given: Given | None = None,
        engine: Engine | None = None,
        results: Path | None = None,
    ) -> None:
        self.request, self.given = request, Given() if given is None else given
        self.engine: Engine = LocalEngine() if engine is None else engine
        self.inputs = Inputs(request, self.given)
        # Names are looked up before files are read: a misspelt one should not cost minutes.
        self.policy: Policy | None = None if request.policy is None else policy_named(request.policy)
        self.attacks = studied_attacks(request)
        self._check_attacks()
        self.attack_measures, self.file_measures = studied_measures(request, self.given, self.policy)
        self.losses = studied_losses(request, self.given, self.policy)
        self.engine.watcher.begin("reading")
        self.original: Microdata = self._read()
        self.intruders: tuple[Scenario, ...] = request.scenarios or (request.scenario,)
        if len(set(self.intruders)) < len(self.intruders):
            raise ArgumentError("the same intruder is described twice", hint="describe each once")
        for intruder in self.intruders:
            intruder.attributes(self.original, self.original)  # which refuses names that are not there
        self._file = fingerprint(self.original)
        self._place = results
        self._crew = Crew(self.material, self.engine)

    def _read(self) -> Microdata:
        """The original, with what people have beside their rows."""
        source = self.inputs.open("original")
        data, content = original_file(source, self.inputs.schema), getattr(source, "content", None)
        return data if content is None else replace(data, content=content)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._crew.dismiss()
        if "_results" in self.__dict__:
            self._results.__exit__(kind, error, where)

    @cached_property
    def _results(self) -> ResultsFile:
        """Opened when the first part is asked for: what is refused before leaves no file."""
        place = self._place
        if place is not None and place.is_dir():
            place /= f"{self._file[:32]}.db"
        return ResultsFile(place, self._file)

    def draws(
        self,
        candidates: Sequence[MaskCandidate],
        replicates: Iterable[int],
        sample: int | None = None,
    ) -> dict[tuple[str, Scenario], Draws]:
        """What is found of each candidate before each intruder: by part, one outcome for each draw.

        ``replicates``: which draws; a mask without chance is drawn once. ``sample``: try the attacks on so
        many people only.
        """
        drawn = tuple(replicates)
        cells = [
            StudyCell(one, replicate, intruder, self.request.sample if sample is None else sample)
            for replicate in drawn
            for one in candidates
            for intruder in self.intruders
            if one.drawn or replicate == drawn[0]
        ]
        found = self._found(cells)
        return {
            (one.text, intruder): {
                part: [
                    found[self._key(cell, part)]
                    for cell in cells
                    if cell.candidate == one and cell.intruder == intruder
                ]
                for part in self.parts
            }
            for one in candidates
            for intruder in self.intruders
        }

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """What is found of every release."""
        return (
            *((ATTACK, name) for name in self.attacks),
            *((MEASURE, measure.name) for measure in self.file_measures),
            *((LOSS, name) for name in self.losses),
        )

    def _found(self, cells: Sequence[StudyCell]) -> dict[str, Outcome]:
        """The outcomes of all parts by their keys: as they are kept, or computed now and kept at once."""
        found: dict[str, Outcome] = {}
        tasks: list[Task] = []
        asked: set[str] = set()
        for cell in cells:
            keys = {part: self._key(cell, part) for part in self.parts}
            for part, key in keys.items():
                kept = self._results.get(key) if key not in found and self._is_kept(cell, part) else None
                if kept is not None:
                    found[key] = kept
            # A loss is the same before every intruder, and asked for once.
            lost = tuple(part for part, key in keys.items() if key not in found and key not in asked)
            asked |= {keys[part] for part in lost}
            if lost:
                tasks.append((cell, lost))
        self._compute(tasks, found)
        return found

    def _compute(self, tasks: Sequence[Task], found: dict[str, Outcome]) -> None:
        if not tasks:
            return
        total, watcher = sum(len(parts) for _, parts in tasks), self.engine.watcher
        watcher.begin(f"{len(tasks):,} releases")
        for done, (cell, part, outcome) in enumerate(self._crew.outcomes(tasks), start=1):
            key = self._key(cell, part)
            found[key] = outcome
            if self._is_kept(cell, part):
                self._results.keep(key, outcome)
            watcher.advance(done, total)

    def _key(self, cell: StudyCell, part: Part) -> str:
        intruder = None if part[0] == LOSS else cell.intruder
        seed = replicate_seed(self.request.seed, cell.replicate)
        sample = cell.sample if part[0] == ATTACK else None
        text = cell.candidate.text
        if text not in self._masks:
            self._masks[text] = mask_content(text)
        return part_key(self._common(sample), self._masks[text], seed, intruder, part, self._how[part])

    @cached_property
    def _masks(self) -> dict[str, str]:
        """The masks by their texts, each with all that it is."""
        return {}

    def _is_kept(self, cell: StudyCell, part: Part) -> bool:
        """Whether what a part finds is known again: of an object that no text says, nobody can tell."""
        return cell.candidate.told and part not in self._untold

    @cached_property
    def _untold(self) -> frozenset[Part]:
        """The parts whose methods were handed over as objects, with more to them than their names."""
        made = {ATTACK: attack_named, MEASURE: measure_named, LOSS: loss_named}

        def told(kind: str, name: str) -> bool:
            handed = self.given.methods.get(name)
            return handed is None or says_all(name, handed, made[kind])

        measured = all(told(MEASURE, measure.name) for measure in self.attack_measures)
        return frozenset(
            part for part in self.parts if not told(*part) or (part[0] == ATTACK and not measured)
        )

    @cached_property
    def _how(self) -> dict[Part, str]:
        """What each part depends on beside its name: by which measures, with which parameters."""
        told = dict.fromkeys(self.parts, "")
        for part in self.parts:
            if part[0] == ATTACK:
                told[part] = repr(self.attack_measures)
        return told | {(MEASURE, measure.name): repr(measure) for measure in self.file_measures}

    def _common(self, sample: int | None) -> str:
        if sample not in self._commons:
            asked = replace(self.request, sample=sample)
            self._commons[sample] = common_content(asked, self._file, self._beside)
        return self._commons[sample]

    @cached_property
    def _beside(self) -> dict[str, str]:
        """The digests of the other files that measures look at."""
        files = {role: self.inputs.open(role) for role in COMPANIONS}
        return {
            role: frame_digest(original_frame(file).frame) for role, file in files.items() if file is not None
        }

    @cached_property
    def _commons(self) -> dict[int | None, str]:
        return {}

    @cached_property
    def material(self) -> Material:
        files = {role: self.inputs.open(role) for role in COMPANIONS if self.inputs.open(role) is not None}
        return Material(
            self.request,
            self.original,
            self.attacks,
            self.attack_measures,
            self.file_measures,
            files,
            self.given.methods,
        )

    def _check_attacks(self) -> None:
        check_attacked(self.attacks)
        for name in self.attacks:
            if name not in (KNOWN_MASK, GUESSED_MASK) and name not in self.given.methods:
                attack_named(name)
