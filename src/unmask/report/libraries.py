"""The chart libraries that a page carries: one script for all its charts, bundled once per machine."""

from __future__ import annotations

import secrets
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from unmask.cache_folder import NoCacheError, own_folder
from unmask.errors import UnmaskError

if TYPE_CHECKING:
    from markupsafe import Markup

#: What the page calls; the bundle holds all that this needs.
_NEEDED = "window.vegaEmbed = vegaEmbed;"


@cache
def chart_libraries() -> Markup:
    """The chart libraries, as text that cannot end the script element it stands in.

    Bundling takes seconds, so the script is kept in the user's cache, under the versions it was made of.
    """
    from markupsafe import Markup

    path = _place()
    script = _kept(path)
    if script is None:
        script = _bundled()
        _keep(script, path)
    return Markup(script)


def vega_lite() -> str:
    """The version of the chart language that altair writes, as vl_convert spells it."""
    import altair

    return ".".join(altair.SCHEMA_VERSION.lstrip("v").split(".")[:2])


def _bundled() -> str:
    import vl_convert

    if vega_lite() not in vl_convert.get_vegalite_versions():  # an altair newer than vl-convert
        raise UnmaskError(
            f"the installed vl-convert-python does not know Vega-Lite {vega_lite()}, in which the installed "
            "altair writes charts",
            hint="pip install --upgrade vl-convert-python",
        )
    bundle: str = vl_convert.javascript_bundle(_NEEDED, vl_version=vega_lite())
    return bundle.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _place() -> Path | None:
    """The file of the script; None where the user has no folder of their own."""
    made_of = "-".join((version("vl-convert-python"), vega_lite(), _digest(_NEEDED)[:8]))
    with suppress(NoCacheError):
        return own_folder("charts") / f"{made_of}.js"
    return None


def _kept(path: Path | None) -> str | None:
    """The script, where it is kept and is what was written: its first line is the digest of the rest."""
    if path is None:
        return None
    with suppress(OSError, UnicodeDecodeError):
        digest, _, script = path.read_bytes().decode().partition("\n")
        return script if digest == _digest(script) else None
    return None


def _keep(script: str, path: Path | None) -> None:
    """The script for the next time; a user who may not write there bundles it each time."""
    if path is None:
        return
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    with suppress(OSError):
        try:
            temporary.write_bytes(f"{_digest(script)}\n{script}".encode())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
