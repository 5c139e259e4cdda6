"""What unmask left beside a release that it made, and what that tells an intruder."""

from __future__ import annotations

from dataclasses import dataclass, replace

from unmask.assessment.inputs import sha256
from unmask.assessment.request import Request, Verb
from unmask.data.io.sidecar import Sidecar
from unmask.data.loading import Files, check_guesses, original_frame
from unmask.data.microdata import Microdata
from unmask.data.proposal import propose
from unmask.data.released_schema import with_released
from unmask.data.schema import Schema
from unmask.errors import UnmaskError
from unmask.linkage.transitions import Transparent
from unmask.linkage.transparency import declares
from unmask.masks import parse

_SAYS = "the file beside the release says that unmask made it by '{mask}'"
_OTHER = (
    "the file beside the release (.unmask.toml) belongs to another file, or to an earlier state of this one, "
    "and is not used: if an intruder knows the mask, name it with --mechanism"
)


@dataclass(frozen=True, eq=False)
class Beside:
    """The file beside the release: ``sidecar`` where it belongs to it, and ``mask`` where that is used.

    The mask is taken to be known unless the request names what the intruder knows or does.
    """

    sidecar: Sidecar | None = None
    mask: Transparent | None = None
    notes: tuple[str, ...] = ()

    @staticmethod
    def of(request: Request, found: object) -> Beside:
        """What the file says that was found beside the release, if any was."""
        if not isinstance(found, Sidecar):
            return Beside()
        if found.released != sha256(request.files.released):
            return Beside(notes=(_OTHER,))
        said = request.mechanism is not None or request.attacks is not None
        if said or request.files.nobodys or request.verb is Verb.LOSS:
            return Beside(found)
        says = _SAYS.format(mask=found.mask)
        mask = _mask(found.mask)
        if not declares(mask):
            return Beside(found, notes=(f"{says}, which does not declare what it does: no attack uses it",))
        return Beside(found, mask, (f"{says}: the intruder is taken to know that",))

    @property
    def made_by(self) -> object:
        """The mask that made the release, whatever an intruder knows; None where nothing tells it."""
        return _mask(self.text)

    @property
    def text(self) -> str:
        """The mask as text."""
        return "" if self.sidecar is None else self.sidecar.mask

    def schema(self, original: object, given: Schema | None) -> Schema | None:
        """The original's schema, with kinds and levels of the release where the user says none.

        ``given``: the user's; where there is none, one is proposed.
        """
        if self.sidecar is None:
            return given
        own = original.schema if isinstance(original, Microdata) else None
        schema = given or own
        if schema is None:
            held = original_frame(original)
            schema = propose(held).schema
            check_guesses(schema, held)
        return with_released(schema, self.sidecar.schema, self.sidecar.schema.names(), {})

    def noted(self, files: Files, *, guessed: bool) -> Files:
        """The files, with what is to be said of the file beside the release.

        ``guessed``: whether nobody gave a schema; one that was proposed here is no less a guess.
        """
        notes = (*self.notes, *files.understanding.notes)
        return replace(files, understanding=replace(files.understanding, notes=notes, guessed=guessed))


def _mask(text: str) -> object:
    """The mask of a text, if this unmask knows it."""
    try:
        return parse(text)
    except UnmaskError:
        return None
