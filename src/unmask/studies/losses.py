"""What a release is no longer good for: every loss of a session, beside its references."""

from __future__ import annotations

from functools import partial

from unmask.about import About, defined
from unmask.assessment.request import Verb
from unmask.assessment.session import Session
from unmask.engines.memory import give_back
from unmask.linkage.transitions import Declares
from unmask.losses import MOST_PEOPLE, Loss, LossEvidence, loss_evidence, loss_rows
from unmask.measures.estimate import Row


def loss_evidence_of(session: Session) -> LossEvidence:
    """The two files of a session as losses compare them; made once for all losses.

    Of a large file a random sample of people, unless the request asks for all of it.
    """

    def made() -> LossEvidence:
        mask, own = session.made_by, session.files.original
        tables = mask.transitions(own) if isinstance(mask, Declares) else None
        return loss_evidence(session.evidence, own, tables, None if session.request.full else MOST_PEOPLE)

    return session.engine.cache.get(session, ("losses",), made)


def loss_rows_of(session: Session) -> tuple[list[Row], dict[str, About]]:
    """What the losses say of the release, and of themselves.

    A loss that says nothing of these files is left out of an assessment, unless it was asked for by name.
    Where it is not, its row says why.
    """
    rows: list[Row] = []
    for loss in session.losses:
        session.watcher.begin(loss.name)
        rows += session.part(("loss", loss.name), partial(_rows, session, loss))
        give_back()
    return rows, {loss.name: defined(loss) for loss in session.losses}


def _rows(session: Session, loss: Loss) -> tuple[Row, ...]:
    evidence = loss_evidence_of(session)
    why, request = loss.why_not(evidence), session.request
    if why is None or request.losses is not None or request.verb is Verb.LOSS:
        return loss_rows(loss, evidence)
    session.watcher.log(f"{loss.name}: {why.reason}")
    return ()
