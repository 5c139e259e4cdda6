"""Session: the files of one request, opened, paired and staged once, and what is worth keeping of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import TypeVar

import numpy as np

from unmask.assessment.asked import Given
from unmask.assessment.beside import Beside
from unmask.assessment.cost import attack_cost
from unmask.assessment.experiments import Experiment, Settings
from unmask.assessment.inputs import Inputs
from unmask.assessment.methods import attacks_of, losses_of, mask_of, measures_of, mechanism_of
from unmask.assessment.namesakes import check_namesakes
from unmask.assessment.pairing import made_files, read_files
from unmask.assessment.plan import Plan, planned
from unmask.assessment.planning import attack_parts, experiments, fitting, measure_parts
from unmask.assessment.request import Request, Verb
from unmask.assessment.runs import Run
from unmask.assessment.stage import Stage, drawn_targets
from unmask.assessment.store import Store
from unmask.attacks import (
    OF_CONTENT,
    WITHOUT_COMMON,
    Attack,
    GuessedMechanism,
    KnownMechanism,
    WorstCase,
    needs_numbers,
)
from unmask.data.correspondence import ReleaseTerms
from unmask.data.loading import (
    Files,
    companion_file,
)
from unmask.data.microdata import Microdata
from unmask.data.missing import Missing
from unmask.data.schema import Kind
from unmask.documents.sections import FileSizes, Provenance
from unmask.engines import Engine, LocalEngine
from unmask.engines.watcher import Watcher
from unmask.fields import instance
from unmask.intruder.scenario import Scenario
from unmask.linkage.transitions import Declares
from unmask.measures import FileMeasure, Measure, Misclassified
from unmask.measures.applicability import changed_keys_note, unasked
from unmask.measures.attribute.matched import unjudged_note
from unmask.measures.evidence import FileEvidence
from unmask.measures.likeness import likeness_notes
from unmask.policies import policy_named

Value = TypeVar("Value")

#: What the reader of an attack's numbers must know.
TRIED = "tried on a random sample of {tried:,} of the {people:,} people, to fit the budget"
NOBODY_ELSE = "; the intruder is taken to know nobody else, so that in full it may find more"


class Session:
    """All that a request needs while it is answered; grids of experiments run over it.

    It owns the engine, whose watcher shows progress, takes log lines and can cancel, and whose cache keeps
    what was derived from the files (encodings, ranks, key classes, indexes, models, runs) within its bound.

    >>> from unmask.assessment.request import RequestFiles
    >>> from unmask.data.example import people
    >>> given = Given({"original": people(50), "released": people(50)})
    >>> session = Session(Request(RequestFiles("(in memory)", "(in memory)")), given)
    >>> session.stage() is session.stage(), session.sizes(session.stage()).tried
    (True, 50)
    """

    def __init__(
        self,
        request: Request,
        given: Given | None = None,
        engine: Engine | None = None,
        store: Store | None = None,
    ) -> None:
        instance("the request", request, Request, "write Request(RequestFiles(original, released))")
        instance("what is given", given, Given | None, "write Given({'original': frame})")
        instance("the engine", engine, Engine | None, "leave it out, or write LocalEngine(threads=2)")
        self.request, self._store = request, store
        self.engine: Engine = LocalEngine() if engine is None else engine
        self._given = Given() if given is None else given
        self.inputs = Inputs(request, self._given, self.engine.room)
        # Names are looked up before files are read: a misspelt one should not cost minutes.
        self.attack_measures, self._file_measures = measures_of(request, self._given)
        self._attacks = attacks_of(request, self._given) if self.attack_measures else ()
        self.policy = None if request.policy is None else policy_named(request.policy)
        self.losses = losses_of(request, self._given, self.policy)
        mechanism_of(request, self._given)
        self.inputs.check()

    @property
    def watcher(self) -> Watcher:
        """Who is told how the work goes, and may cancel it."""
        return self.engine.watcher

    @cached_property
    def files(self) -> Files:
        """Both files as they are read, or the original and what the request's mask makes of it."""
        self.watcher.begin("reading")
        if self.request.mask is not None and not self.request.files.released:
            return made_files(self.request, self.inputs, mask_of(self.request.mask, self._given))
        found = read_files(self.request, self.inputs, self.beside, self.engine.cache.once)
        check_namesakes(found, self.request, self.engine)
        return found

    @cached_property
    def beside(self) -> Beside:
        """What unmask left beside the release, where it made it."""
        return Beside.of(self.request, self.inputs.open("sidecar"))

    @cached_property
    def mechanism(self) -> object:
        """The mask that the intruder knows: the request's, else that which unmask says made the release."""
        named = mechanism_of(self.request, self._given)
        return self.beside.mask if named is None else named

    @property
    def made_by(self) -> object:
        """The mask that made the release, as far as who releases it knows, whatever an intruder does."""
        made = self.request.mask or self.request.mechanism
        return self.beside.made_by if made is None else mask_of(made, self._given)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user must know about the files, and about what was tried on samples of people."""
        return (*self.files.notes, *self.plan.notes(), *self._changed_keys())

    def _changed_keys(self) -> tuple[str, ...]:
        keys = changed_keys_note(self.evidence) if self.file_measures else ()
        keys += tuple(likeness_notes(self.evidence)) if self.file_measures else ()
        return (*keys, *unjudged_note(self.evidence)) if self.file_measures or self.losses else ()

    @property
    def missing(self) -> Missing:
        """How missing values compare: as the scenario says, else as the two files suggest."""
        terms = self.files.masked.terms or ReleaseTerms()
        return self.request.scenario.missing or terms.missing

    @cached_property
    def attacks(self) -> tuple[Attack | WorstCase, ...]:
        """The attacks to make: those named, else the usual ones for files that share attributes, or none."""
        if not self._attacks or self.request.attacks is not None:
            return self._attacks
        if not self.stage().dossier.comparable:
            usual = attacks_of(self.request, self._given, WITHOUT_COMMON)
            return tuple(attack for attack in usual if self._has_numbers or not needs_numbers(attack))
        return (*self._attacks, *self._of_content(), *self._known_mask(), *self._guess())

    @property
    def _has_numbers(self) -> bool:
        """Whether both files have an attribute with an order, which most attacks without common ones need."""
        dossier = self.stage().dossier
        return all(
            any(column.kind is not Kind.NOMINAL for column in data.schema)
            for data in (dossier.known, dossier.released)
        )

    def _of_content(self) -> tuple[Attack, ...]:
        """The attacks that compare what people have beside their rows."""
        content = self.files.original.content
        if content is None:
            return ()
        return tuple(
            attack for attack in OF_CONTENT.values() if getattr(attack, "shape", "") == content.shape
        )

    def _known_mask(self) -> tuple[Attack, ...]:
        """The attack of an intruder who knows the mask because unmask says it beside the release."""
        mask = self.beside.mask
        return () if mask is None else (KnownMechanism(mask),)

    def _guess(self) -> tuple[Attack, ...]:
        """The attack of an intruder who guesses the mask, where it can do more than the others."""
        return (GuessedMechanism(),) if self.guessable and self.mechanism is None else ()

    @property
    def guessable(self) -> bool:
        """Whether a known attribute was changed in a way that another attack does not allow for."""
        known, changes = self.stage().dossier.known.schema, self.files.understanding.changes
        return any(c.attribute in known and (c.lost or c.perturbed or c.share < 1.0) for c in changes)

    @cached_property
    def plan(self) -> Plan:
        """How long each attack and measure takes, and on how many people it is tried within the budget."""
        request = self.request
        if request.verb in (Verb.KNOWLEDGE, Verb.LOSS):
            return Plan()
        parts = [*attack_parts(self.attacks, self.stage(), experiments(request))]
        if request.verb is Verb.ASSESS:
            parts += measure_parts(self._chosen_measures, self.evidence)
        plan = planned(parts, None if request.full else request.budget)
        if self._store is not None:
            self._store.expect(plan.seconds)
        return plan

    @cached_property
    def file_measures(self) -> tuple[FileMeasure, ...]:
        """The measures of the file to take, on as many people as fit the budget."""
        return fitting(self._chosen_measures, self.plan)

    @cached_property
    def _chosen_measures(self) -> tuple[FileMeasure, ...]:
        """The measures that are named, else the usual ones, and that of a known mask."""
        if self.request.measures is not None:
            return self._file_measures
        usual = unasked(self._file_measures, self.evidence) if self._file_measures else ()
        if isinstance(self.mechanism, Declares):
            return (*usual, Misclassified(self.mechanism.transitions(self.files.original)))
        return usual

    def stage(self, scenario: Scenario | None = None) -> Stage:
        """The release before an intruder: the request's, or one of another scenario; staged once for each."""
        scenario = scenario or self.request.scenario

        def staged() -> Stage:
            files, request = self.files, self.request
            dossier, truth, people = scenario.stage(files.original, files.masked, request.seed)
            tried = drawn_targets(truth, request.sample, request.seed)
            if dossier.seeds is not None:  # who is found already is nobody to look for
                tried = np.setdiff1d(tried, dossier.seeds[0])
            return Stage(dossier, truth, people, tried)

        return self.engine.cache.get(self, ("stage", scenario), staged)

    def knowing(self, stage: Stage, names: tuple[str, ...]) -> Stage:
        """The stage before an intruder who knows these attributes only; the same one for the same names."""
        if names == stage.dossier.known.schema.names():
            return stage
        return self.engine.cache.get(stage, ("part of a stage", names), lambda: stage.knowing(names))

    def within(self, attack: Attack | WorstCase, stage: Stage | None = None) -> Stage:
        """The stage (that of the request, if none is named), tried on as many people as fit the budget."""
        own, people = self.stage(), self.plan.tried(attack.name)
        stage, apart = own if stage is None else stage, attack_cost(attack.name).apart
        if people is None:
            return stage

        def fewer() -> Stage:
            drawn = own.fewer(people, self.request.seed)
            found = drawn if stage is own else stage.among(own.people[drawn.tried])
            return found.apart() if apart else found

        return self.engine.cache.get(stage, ("fewer", people, apart), fewer)

    def attempts(self, attack: Attack | WorstCase) -> tuple[Run, ...]:
        """What an attack finds before the request's intruder, on as many people as fit the budget."""
        own, stage = self.stage(), self.within(attack)
        runs = self.part(("run", attack.name), lambda: self.runs(attack, stage))
        if self.plan.tried(attack.name) is None:
            return runs
        places = np.flatnonzero(np.isin(own.people[own.tried], stage.people[stage.tried]))
        note = TRIED.format(tried=len(stage.present), people=len(own.present))
        note += NOBODY_ELSE if len(stage.dossier.known) < len(own.dossier.known) else ""
        return tuple(replace(run, notes=(note, *run.notes), places=places) for run in runs)

    def part(self, name: tuple[str, ...], make: Callable[[], Value]) -> Value:
        """A part of the work, kept on disk where the session has a store."""
        return make() if self._store is None else self._store.part(name, make)

    def runs(
        self,
        attack: Attack | WorstCase,
        stage: Stage,
        measures: tuple[Measure, ...] | None = None,
        depth: int | None = None,
    ) -> tuple[Run, ...]:
        """What an attack finds on a stage; the same experiment is made once."""
        request = self.request
        measures = self.attack_measures if measures is None else measures
        settings = Settings(
            measures, request.depth if depth is None else depth, request.seed, request.time_limit
        )
        name = ("run", attack.name, tuple(measure.name for measure in measures), settings.depth)
        return self.engine.cache.get(
            stage, name, lambda: Experiment(attack, stage, settings, self.engine).runs()
        )

    @cached_property
    def evidence(self) -> FileEvidence:
        """What measures of the file may look at."""
        files, terms, understood = (
            self.files,
            self.files.masked.terms or ReleaseTerms(),
            self.files.understanding,
        )
        # Files of people are held against the release in its own terms.
        original = terms.apply(files.original, files.masked.data.schema, numbers=False)
        if files.original.content is not None:
            original = replace(original, content=files.original.content)
        return FileEvidence(
            original,
            files.masked,
            # What a release is good for does not hang on an intruder.
            () if self.request.verb is Verb.LOSS else self.stage().dossier.known.schema.names(),
            self.missing,
            self._companion("population", "the population file"),
            self._companion("holdout", "the hold-out file"),
            self.inputs.open("model"),
            self.request.seed,
            self.engine.cache,
            understood.kinds,
            understood.recoded,
            understood.suppressed,
            understood.perturbed,
        )

    def _companion(self, role: str, label: str) -> Microdata | None:
        file = companion_file(self.inputs.open(role), self.files.original, label)
        terms, released = self.files.masked.terms or ReleaseTerms(), self.files.masked.data.schema
        return None if file is None else terms.apply(file, released, numbers=role == "population")

    def sizes(self, stage: Stage) -> FileSizes:
        """How many records and people there are."""
        return FileSizes(
            len(self.files.original),
            len(stage.dossier.released),
            len(stage.truth.row),
            len(stage.truth.present),
            len(stage.tried),
        )

    def provenance(self) -> Provenance:
        """What was asked, of which files, by which versions."""
        return self.inputs.provenance()

    def cancel(self) -> None:
        """End the work at the next opportunity, by :class:`unmask.errors.Cancelled`."""
        self.watcher.cancel()
