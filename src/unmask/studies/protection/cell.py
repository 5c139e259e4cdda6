"""One cell of a study: a mask, drawn once, before one intruder.

The release is attacked, measured and held against the original.

What a cell finds is told part by part (an attack, a measure, a loss), as plain data without any value of a
record.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from unmask.assessment.asked import Given
from unmask.assessment.methods import loss_of
from unmask.assessment.plan import Plan, planned
from unmask.assessment.planning import attack_parts
from unmask.assessment.request import IN_MEMORY, Request, RequestFiles, Verb
from unmask.assessment.session import Session
from unmask.attacks import Attack, GuessedMechanism, KnownMechanism, WorstCase, attack_named
from unmask.data.microdata import Microdata
from unmask.documents import BASELINE
from unmask.documents.table import row_plain
from unmask.engines import Engine
from unmask.errors import UnmaskError
from unmask.intruder.scenario import Scenario
from unmask.linkage.transparency import declares
from unmask.losses import values_of
from unmask.measures import FileMeasure, Measure, Reidentification, why_not
from unmask.measures.estimate import Estimate, Keys, NotEstimable, Row
from unmask.studies.losses import loss_evidence_of
from unmask.studies.protection.candidates import MaskCandidate
from unmask.studies.protection.content import replicate_seed

#: The kinds of parts.
ATTACK, MEASURE, LOSS = "attack", "measure", "loss"
#: The attack of who knows the mask, and of who guesses it: each mask has its own.
KNOWN_MASK, GUESSED_MASK = "mechanism", "guessed-mechanism"

#: Into how many shares the budget is cut: each attack has one, whatever others take.
SHARES = 12

AnyAttack = Attack | WorstCase
Part = tuple[str, str]
Outcome = dict[str, Any]


@dataclass(frozen=True)
class StudyCell:
    """Which mask, which draw of it, which intruder; ``sample``: on how many people attacks are tried."""

    candidate: MaskCandidate
    replicate: int
    intruder: Scenario
    sample: int | None = None


@dataclass(frozen=True, eq=False)
class Material:
    """What all cells of a study share: the original, read once, and how releases are measured.

    ``files`` and ``methods``: what a caller handed over as objects.
    """

    request: Request
    original: Microdata
    attacks: tuple[str, ...]
    attack_measures: tuple[Measure, ...]
    file_measures: tuple[FileMeasure, ...]
    files: Mapping[str, object]
    methods: Mapping[str, object]


class CellSession(Session):
    """A session in which every attack has a share of the budget of its own: adding one moves no other."""

    def __init__(self, request: Request, given: Given, engine: Engine, chosen: tuple[AnyAttack, ...]) -> None:
        super().__init__(request, given, engine)
        self._chosen = chosen

    @cached_property
    def attacks(self) -> tuple[AnyAttack, ...]:
        """The attacks of the study on this mask."""
        return self._chosen

    @cached_property
    def plan(self) -> Plan:
        """How many people each attack is tried on."""
        request = self.request
        if request.full:
            return Plan()
        parts = attack_parts(self.attacks, self.stage(), 1)
        alone = (planned([part], request.budget / SHARES).parts[0] for part in parts)
        return Plan(tuple(alone), request.budget / SHARES)


class CellWork:
    """The work of one cell; its files are made when the first part is asked for."""

    def __init__(self, material: Material, cell: StudyCell, engine: Engine) -> None:
        self._material, self._cell, self._engine = material, cell, engine
        self.candidate = cell.candidate

    def outcome(self, part: Part) -> Outcome:
        """What a part finds; what cannot be done to this release is told as not estimable."""
        kind, name = part
        try:
            return {ATTACK: self._attack, MEASURE: self._measure, LOSS: self._loss}[kind](name)
        except UnmaskError as error:
            measures = self._material.attack_measures if kind == ATTACK else ()
            attack = name if kind == ATTACK else None
            named = [measure.name for measure in measures] or [name]
            none = Estimate.none(NotEstimable(error.message))
            return {"rows": [row_plain(Row(Keys(one, attack), none)) for one in named]}

    @cached_property
    def session(self) -> CellSession:
        """The session on this release."""
        material, cell = self._material, self._cell
        asked, text = material.request, self.candidate.text
        nodes = None if asked.files.nodes is None else IN_MEMORY
        request = replace(
            asked,
            files=RequestFiles(IN_MEMORY, shape=asked.files.shape, nodes=nodes),
            verb=Verb.ASSESS,
            # A session looks names up, and a study has some of its own: what is made is told below.
            attacks=(BASELINE,),
            measures=(Reidentification().name,),
            losses=None,
            scenario=cell.intruder,
            sample=cell.sample,
            scenarios=(),
            mask=text,
            masks=(),
            replicates=Request(RequestFiles("")).replicates,
            least=None,
            policy=None,
            seed=replicate_seed(asked.seed, cell.replicate),
        )
        files = {**material.files, "original": material.original}
        methods = {**material.methods, text: self.candidate.mask}
        return CellSession(request, Given(files, methods), self._engine, tuple(self._attacks.values()))

    def _attack(self, name: str) -> Outcome:
        attack, session = self._attacks.get(name), self.session
        if attack is None or not session.stage().dossier.comparable:
            return {"rows": []}
        if name == GUESSED_MASK and not session.guessable:
            return {"rows": []}
        runs = session.runs(attack, session.within(attack), self._material.attack_measures)
        return {
            "rows": [
                row_plain(Row(Keys(measure, run.attack), estimate))
                for run in runs
                for measure, estimate in run.estimates.items()
            ],
            "informed": [run.attack for run in runs if run.informed],
            "cut": any(run.cut for run in runs),
        }

    @cached_property
    def _attacks(self) -> dict[str, AnyAttack]:
        """The attacks of the study on this mask, by the names of their parts."""
        mask, made = self.candidate.mask, dict[str, AnyAttack]()
        for name in self._material.attacks:
            handed = self._material.methods.get(name)
            if name == KNOWN_MASK:
                if declares(mask):
                    made[name] = KnownMechanism(mask)
            elif name == GUESSED_MASK:
                if not declares(mask):
                    made[name] = GuessedMechanism()
            else:
                made[name] = handed if isinstance(handed, Attack | WorstCase) else attack_named(name)
        return made

    def _measure(self, name: str) -> Outcome:
        (measure,) = (one for one in self._material.file_measures if one.name == name)
        why = why_not(measure, self.session.evidence)
        rows: Iterable[Row] = (Row(Keys(name), Estimate.none(why)),) if why is not None else ()
        rows = rows or measure.rows(self.session.evidence, self._engine)
        return {"rows": [row_plain(row) for row in rows]}

    def _loss(self, name: str) -> Outcome:
        loss = loss_of(name, Given(methods=dict(self._material.methods)))
        evidence = loss_evidence_of(self.session)
        why = loss.why_not(evidence)
        n = len(evidence.released)
        if why is not None:
            return {"rows": [row_plain(Row(Keys(name), Estimate.none(why, n, loss.unit)))]}
        rows = []
        for subject, value in values_of(loss, evidence).items():
            if isinstance(value, NotEstimable):
                e = Estimate.none(value, n, loss.unit)
            else:
                e = Estimate(value, None, None, n, unit=loss.unit)
            rows.append(row_plain(Row(Keys(name, subject=subject), e)))
        return {"rows": rows}
