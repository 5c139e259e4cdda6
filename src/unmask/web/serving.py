"""Serving the pages: an address on this machine, a link with a token, and the browser."""

from __future__ import annotations

import ipaddress
import socket
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Timer

import uvicorn

from unmask.errors import ArgumentError
from unmask.web.app import application
from unmask.web.place import Place
from unmask.web.visit import Desk


@dataclass(frozen=True)
class Address:
    """Where the server listens: on this machine only, unless somebody says otherwise."""

    host: str = "127.0.0.1"
    port: int = 0

    @property
    def local(self) -> bool:
        """Whether only programs of this machine reach it.

        >>> Address().local, Address("::1").local, Address("localhost").local, Address("0.0.0.0").local
        (True, True, True, False)
        """
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


@dataclass(frozen=True)
class Manner:
    """How the pages are served: ``browser``: open one; ``say``: where lines for the person go."""

    browser: bool
    readonly: bool
    say: Callable[[str], None]


def serve(folder: Path, address: Address, manner: Manner) -> None:
    """Serve the pages of a folder until somebody ends it (Ctrl-C)."""
    place = Place.of(folder)
    listening = _listening(address)
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    desk = Desk(place, readonly=manner.readonly)

    def link() -> str:
        return f"http://{shown}:{port}/open?token={desk.keys.link}"

    desk.keys.renewed = lambda: manner.say(f"for another browser: {link()}")
    if not address.local:
        manner.say(
            f"warning: {shown} can be reached from other machines, and what is sent is not encrypted: "
            "whoever reads the line learns the data. Better listen on this machine, behind an SSH tunnel."
        )
    manner.say(f"unmask serves {desk.place.root}")
    manner.say(f"open {link()}")
    manner.say("Ctrl-C ends it; work that is running goes on, and is found again.")
    if manner.browser:
        Timer(0.5, webbrowser.open, (link(),)).start()
    names = {shown, "localhost", "127.0.0.1", "[::1]"} if address.local else {shown, address.host.lower()}
    hosts = tuple(f"{name}:{port}" for name in names)
    if port == 80:  # which browsers leave out
        hosts = (*hosts, *names)
    # Nothing is logged: an address can hold the name of a project, and of a file.
    config = uvicorn.Config(
        application(desk, hosts), log_level="critical", access_log=False, server_header=False,
        timeout_keep_alive=30, limit_concurrency=200, ws="none", timeout_graceful_shutdown=2,
    )  # fmt: skip
    uvicorn.Server(config).run(sockets=[listening])


def _listening(address: Address) -> socket.socket:
    """A socket of the address; one that is taken is refused in a line."""
    if address.host in ("", "0.0.0.0", "::"):  # then nobody knows under which name it may answer
        raise ArgumentError(
            f"'{address.host}' stands for every address of this machine",
            hint="name the one under which others are to reach it",
        )
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((address.host, address.port))
        listening.listen()  # from now on: who opens the link before the pages are ready waits for them
    except (OSError, OverflowError) as error:
        listening.close()
        why = getattr(error, "strerror", None) or "it is no address of this machine"
        raise ArgumentError(
            f"the address {address.host}, port {address.port}, cannot be used: {why}",
            hint="choose another --port, or leave it out",
        ) from None
    return listening
