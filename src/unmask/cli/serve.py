"""unmask serve."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def serve(
    folder: Annotated[
        Path, typer.Argument(help="The folder with the files; nothing outside of it is shown.")
    ] = Path(),
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0: any that is free.")] = 0,
    host: Annotated[
        str, typer.Option(help="The address to listen on; others than this machine's are a risk.")
    ] = "127.0.0.1",
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Open no browser.")] = False,
    readonly: Annotated[
        bool, typer.Option("--readonly", help="Show results only: no data, no work, no change.")
    ] = False,
) -> None:
    """Serve pages for the whole work, from files to a decision, to a browser on this machine."""
    from unmask.cli.terminal import err
    from unmask.data.io.sources import optional

    for library in ("starlette", "uvicorn"):
        optional(library, "web", "the web app")
    from unmask.web.serving import Address, Manner, serve

    def say(line: str) -> None:
        err.print(line, soft_wrap=True, markup=False, highlight=False)

    serve(folder, Address(host, port), Manner(not no_browser, readonly, say))
