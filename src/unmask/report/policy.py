"""The content security policy of a page: it runs and shows what unmask wrote into it, and nothing else."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256


def content_policy(styles: Iterable[str], scripts: Iterable[str]) -> str:
    """The policy under which these styles and scripts stand in a page, each known by its SHA-256.

    Whatever else gets into the page, by whatever gap, is neither run nor loaded. The charts are drawn by an
    interpreter, without ``eval``; a picture is data, for those who save a chart.

    >>> content_policy(["p { margin: 0 }"], [])[:50]
    "default-src 'none'; style-src 'sha256-7IWhgxoOGTB5"
    >>> content_policy([], [])
    "default-src 'none'; style-src 'none'; script-src 'none'; img-src data: blob:; base-uri 'none'; ..."
    """
    parts = {
        "default-src": "'none'",
        "style-src": _listed(styles),
        "script-src": _listed(scripts),
        "img-src": "data: blob:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {allowed}" for name, allowed in parts.items())


def _listed(texts: Iterable[str]) -> str:
    hashes = (b64encode(sha256(text.encode()).digest()).decode() for text in texts)
    return " ".join(f"'sha256-{one}'" for one in hashes) or "'none'"
