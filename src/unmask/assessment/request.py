"""Request: what is asked, in one frozen definition that command line, TOML, Python and JSON are views of."""

from __future__ import annotations

import re
from dataclasses import MISSING, dataclass, field, fields, replace
from math import inf

from unmask.assessment.request_files import IN_MEMORY as IN_MEMORY
from unmask.assessment.request_files import RequestFiles as RequestFiles
from unmask.assessment.verbs import UNUSED as UNUSED
from unmask.assessment.verbs import Verb as Verb
from unmask.errors import ArgumentError
from unmask.fields import seed_number, settle
from unmask.intruder.follow import Follow
from unmask.intruder.glimpse import Glimpse
from unmask.intruder.scenario import Scenario
from unmask.intruder.sources import Source

#: Seconds on one core that attacks and measures take at most, unless somebody says otherwise: a first answer
#: comes within about a minute on files of any size.
BUDGET = 60.0

#: How often each mask of a study is drawn.
REPLICATES = 5


@dataclass(frozen=True)
class Grid:
    """What knowledge curves are drawn over.

    All sets of up to ``size`` attributes, at most ``limit`` of them, from the best of the largest on
    greedily; then all attributes with each of the ``errors``, and of each of the ``shares`` of the people.
    ``threshold``: also list the minimal sets that reach this risk.
    """

    size: int = 3
    threshold: float | None = None
    errors: tuple[float, ...] = (0.0, 0.05, 0.1, 0.25, 0.5)
    shares: tuple[float, ...] = (0.01, 0.1, 0.5, 1.0)
    limit: int = 5000

    def __post_init__(self) -> None:
        settle(self)
        for error in self.errors:
            Source(error=error)  # which checks it
        for share in self.shares:
            if not 0 < share <= 1:
                raise ArgumentError(
                    f"the share of targets is {share:g}", hint="give shares above 0, at most 1"
                )
        if self.size < 1:
            raise ArgumentError(f"the size is {self.size}", hint="try sets of at least 1 attribute")
        if self.threshold is not None and not 0 < self.threshold <= 1:
            raise ArgumentError(
                f"the threshold is {self.threshold:g}", hint="give a share above 0, at most 1"
            )
        if self.limit < 1:
            raise ArgumentError(f"the limit is {self.limit} sets", hint="try at least 1")


@dataclass(frozen=True)
class Occasion:
    """On what occasion a release is judged: who assesses it, for whom it is meant, and on which day.

    All of it is told as it is given, and changes no number. The command line fills in the day.
    """

    assessor: str = ""
    recipient: str = ""
    date: str = ""

    def __post_init__(self) -> None:
        settle(self)


@dataclass(frozen=True)
class Request:
    """What is asked, complete: the same request on the same files gives the same bytes.

    ``attacks`` and ``measures``: by name, with parameters, as on the command line (None: the usual ones);
    ``mechanism``: the mask that made the release, for an intruder who knows it; ``mask``: the mask that
    makes the release; ``exact``: 'mask' writes all its digits; ``keep_identifiers``: and leaves no identifier
    out; ``sample``: try the attacks on so many people
    only; ``depth``: how many closer records are counted for each target; ``time_limit``: seconds that an
    attack may learn from the truth; ``candidates``: nearest records considered where no record is followed
    from one release to another; ``false_links`` and ``missed``: the errors that probabilistic linkage admits,
    which then divides all pairs (as ``prl:false_links=0.01,missed=0.1`` does); ``budget``: seconds, on one
    core and by estimates that ask no clock, that attacks and measures may take: what does not fit is tried on
    a random sample of people; ``full``: everything is tried on everybody, however long it takes; ``policy``:
    the file of a policy, or the name of a bundled one, by which the result is judged; ``occasion``: who
    assesses the release, for whom, and when; ``losses``: as ``measures``, what the release is no longer good
    for. Of a study: ``masks``: the candidates, each a mask or, with ranges of parameters in braces, several;
    ``replicates``: how often each is drawn; ``scenarios``: several intruders in the place of one; ``least``:
    the loss by which candidates are compared (None: the usual one of their shape).

    >>> Request(RequestFiles("people.csv", "released.csv"), depth=0)
    Traceback (most recent call last):
    unmask.errors.ArgumentError: depth is 0. Hint: count at least 1 closer record.
    """

    files: RequestFiles
    verb: Verb = Verb.ASSESS
    scenario: Scenario = field(default_factory=Scenario)
    attacks: tuple[str, ...] | None = None
    measures: tuple[str, ...] | None = None
    mechanism: str | None = None
    mask: str | None = None
    grid: Grid = field(default_factory=Grid)
    candidates: int = 64
    sample: int | None = None
    depth: int = 10
    time_limit: float = 60.0
    seed: int = 0
    exact: bool = False
    false_links: float | None = None
    missed: float | None = None
    budget: float = BUDGET
    full: bool = False
    keep_identifiers: bool = False
    policy: str | None = None
    occasion: Occasion = field(default_factory=Occasion)
    losses: tuple[str, ...] | None = None
    masks: tuple[str, ...] = ()
    replicates: int = REPLICATES
    scenarios: tuple[Scenario, ...] = ()
    least: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "seed", seed_number(self.seed))
        settle(self, {"verb": "verb"})
        for wrong, what, hint in (
            (self.depth < 1, f"depth is {self.depth}", "count at least 1 closer record"),
            (
                self.sample is not None and self.sample < 1,
                f"the sample is {self.sample}",
                "try at least 1 person",
            ),
            (not self.time_limit > 0, f"the time limit is {self.time_limit:g}", "give seconds above 0"),
            (not 0 < self.budget < inf, f"the budget is {self.budget:g}", "give seconds above 0"),
            (
                self.full and self.budget != BUDGET,
                "a budget is given, and everything is to be done in full",
                "leave one of them out",
            ),
            (
                self.replicates < 1,
                f"{self.replicates} replicates are asked for",
                "draw each mask at least once",
            ),
            (self.candidates < 2, f"{self.candidates} candidates are asked for", "ask for at least 2"),
        ):
            if wrong:
                raise ArgumentError(what, hint=hint)
        self._check_names()
        self._check_files()
        self._check_use()

    def _check_names(self) -> None:
        named = (("attack", self.attacks), ("measure", self.measures), ("loss", self.losses))
        for what, names in named:
            if names is None:
                continue
            if not names:
                several = f"{what}es" if what == "loss" else f"{what}s"
                raise ArgumentError(
                    f"no {what} is named", hint=f"'unmask list {several}' shows what there is"
                )
            if len(set(names)) != len(names):
                raise ArgumentError(f"the same {what} is named twice", hint="name each once")

    def _check_files(self) -> None:
        files, known = self.files, self.scenario.known
        Follow.parse(files.follow)  # which checks it
        if files.truth is not None and known is not None and files.truth in known:
            raise ArgumentError(
                f"'{files.truth}' is the key that tells the truth, and also known to the intruder",
                hint="leave it out of the known attributes",
            )
        if files.nobodys and (self.attacks is not None or self.mechanism is not None or files.earlier):
            raise ArgumentError(
                "nobody's record is in a synthetic file, so no attack can find it",
                hint="leave out attacks, mechanism and earlier releases; if the synthesiser kept who is who, "
                "say so (--truth COLUMN or --truth rows)",
            )
        if self.verb is Verb.COMPARE and not files.earlier:
            raise ArgumentError("no earlier release is given", hint="give at least one")

    def _check_use(self) -> None:
        """Refuse what would not count: parts that the verb does not use, and a mask beside its release."""
        if self.files.shape is not None and self.files.earlier:
            raise ArgumentError(
                "earlier releases of series, traces or graphs are not assessed together",
                hint="assess each by itself",
            )
        if self.files.shape is None and self.scenario.glimpse != Glimpse():
            raise ArgumentError(
                "the intruder has a glimpse of series, traces or ties, and the files are plain tables",
                hint="say how they are read (--shape), or leave the glimpse out",
            )
        for name in UNUSED[self.verb]:
            if not _is_default(self if hasattr(self, name) else self.files, name):
                raise ArgumentError(f"'{self.verb}' has no use for '{name}'", hint="leave it out")
        if self.verb is Verb.STUDY and not self.masks:
            raise ArgumentError(
                "the study names no mask",
                hint="name some, as in 'noise:a={0.1,0.5}'; 'unmask list masks' shows what there is",
            )
        if self.verb is Verb.PROTECT and self.policy is None:
            raise ArgumentError("no policy is given", hint="name one (--policy); 'unmask list policies'")
        if self.scenarios and self.scenario != Scenario():
            raise ArgumentError(
                "both a scenario and several scenarios are given", hint="put it among the scenarios"
            )
        if self.verb is Verb.MASK and self.mask is None:
            raise ArgumentError("no mask is named", hint="'unmask list masks' shows what there is")
        if self.mask is not None and self.files.released:
            raise ArgumentError(
                "both a released file and a mask that makes one are given",
                hint="give one; 'mechanism' names the mask that made a released file",
            )
        if self.mask is not None and self.files.released_schema is not None:
            raise ArgumentError(
                "the schema of a released file is given, and a mask that makes the release",
                hint="leave the schema out: a mask keeps that of the original",
            )

    def recorded(self) -> Request:
        """The request as documents carry it: an address of a database goes without its password."""
        files = self.files
        return replace(
            self,
            files=replace(
                files,
                original=without_password(files.original),
                released=without_password(files.released),
                earlier=tuple(without_password(one) for one in files.earlier),
                population=None if files.population is None else without_password(files.population),
                holdout=None if files.holdout is None else without_password(files.holdout),
                nodes=None if files.nodes is None else without_password(files.nodes),
                released_nodes=(
                    None if files.released_nodes is None else without_password(files.released_nodes)
                ),
                pairs=None if files.pairs is None else without_password(files.pairs),
            ),
        )


def _is_default(part: Request | RequestFiles, name: str) -> bool:
    (found,) = (field for field in fields(part) if field.name == name)
    default = found.default if found.default_factory is MISSING else found.default_factory()
    return bool(getattr(part, name) == default)


def without_password(address: str) -> str:
    """A database's address without the password; a path stays as it is.

    >>> without_password("postgresql://me:secret@host:5432/census::people"), without_password("people.csv")
    ('postgresql://me@host:5432/census::people', 'people.csv')
    >>> without_password("sqlite:///people.db::persons")  # every other letter counts: it names a file
    'sqlite:///people.db::persons'
    """
    parted = re.fullmatch(r"([^:/?#]+://)([^/?#]*)(.*)", address, re.DOTALL)
    if parted is None:
        return address
    user, at, host = parted[2].rpartition("@")
    return f"{parted[1]}{user.partition(':')[0]}{at}{host}{_PASSWORD.sub(_kept, parted[3])}"


#: A password among the settings of an address, with what stands before and after it.
_PASSWORD = re.compile(r"([?&])password=[^&:]*(&?)")


def _kept(found: re.Match[str]) -> str:
    """What is left where a password stood: the sign before it, where another setting follows."""
    return found[1] if found[2] else ""
