"""Guard: what every request must pass before a page sees it, and what every answer carries.

The server listens on this machine, where a page of any other site that is open in the same browser can send
requests to it. So it answers only under its own names (DNS rebinding), only to who has the token that the
terminal showed, and changes something only when its own page asks (Origin, and a token in every form), as
Jupyter does. Answers may load nothing from elsewhere, are not kept, and are what they say they are.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any
from urllib.parse import parse_qs

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

#: The name of the cookie, before the port: browsers keep one set of cookies for all ports of a machine.
COOKIE = "unmask-session"

#: A form with more bytes than this is not read: it is no form of ours.
LARGEST_BODY = 4_000_000

#: Seconds within which a form must be here.
LONGEST_BODY = 30.0

HEADERS = {
    # A saved chart is a picture of data or of a blob, and nothing else may come from outside of the page.
    "content-security-policy": "default-src 'self'; img-src 'self' data: blob:; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'; object-src 'none'",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # Under "no-referrer" a browser sends the forms of our own pages with the origin "null".
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


@dataclass
class ServerKeys:
    """The secrets of one server: a link that works once, and the session that it opens.

    ``renewed`` is told the next link when one was used: a person may need a second browser.
    """

    session: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    _link: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    renewed: Callable[[], None] = lambda: None
    _lock: Lock = field(default_factory=Lock)

    @property
    def link(self) -> str:
        """The token of the link that is valid now."""
        return self._link

    def exchange(self, token: str) -> bool:
        """Whether a token opens the session; it does so once."""
        with self._lock:
            right = equal(token, self._link)
            if right:
                self._link = secrets.token_urlsafe(32)
        if right:
            self.renewed()
        return right

    @property
    def form(self) -> str:
        """What every form of a page carries: no other site can know it."""
        return hmac.new(self.session.encode(), b"form", hashlib.sha256).hexdigest()


def equal(one: str, other: str) -> bool:
    """Whether two secrets are the same, in a time that does not tell how much of them is."""
    return hmac.compare_digest(one.encode("utf-8", "surrogatepass"), other.encode())


class Guard:
    """The app behind its checks. ``hosts``: the names, with the port, under which it answers."""

    def __init__(self, app: App, keys: ServerKeys, hosts: tuple[str, ...], readonly: bool = False) -> None:
        self._app, self._keys, self._hosts, self._readonly = app, keys, hosts, readonly
        self._cookie = f"{COOKIE}-{hosts[0].rpartition(':')[2]}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it in one line."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return  # nothing here speaks any other protocol
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        send = _with_headers(send)
        refused = self._refusal(scope, headers)
        if refused is not None:
            await _say(send, *refused)
        elif scope["path"] == "/open" and scope["method"] == "GET":  # a preview (HEAD) does not use it up
            await self._open(scope, send)
        elif not self._known(headers):
            await _say(send, 401, "Open the link that 'unmask serve' shows in its terminal.")
        elif scope["method"] == "POST":
            await self._form(scope, receive, send, headers)
        else:
            await self._app(scope, receive, send)

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        names = [name for name, _ in scope["headers"]]
        if names.count(b"host") != 1 or headers["host"].lower() not in self._hosts:
            return 400, "This server answers only under the address that it shows."
        origin = headers.get("origin")
        own = origin is None or origin.lower() in {f"http://{host}" for host in self._hosts}
        if not own or names.count(b"origin") > 1:
            return 403, "A page of another site cannot use this server."
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return 405, "This server knows GET, HEAD and POST."
        if scope["method"] == "POST" and (self._readonly or origin is None):
            why = (
                "it was started with --readonly" if self._readonly else "the request does not say its origin"
            )
            return 403, f"Nothing can be changed: {why}."
        return None

    def _known(self, headers: dict[str, str]) -> bool:
        # Cut by hand: cookies of other programs of this machine may be such as no library reads.
        cookies = (one.strip().partition("=") for one in headers.get("cookie", "").split(";"))
        return any(name == self._cookie and equal(value, self._keys.session) for name, _, value in cookies)

    async def _open(self, scope: Scope, send: Send) -> None:
        """The token of the link becomes a cookie that no script reads and no other site sends."""
        query = parse_qs(scope["query_string"].decode("latin-1"))
        if not self._keys.exchange(query.get("token", [""])[0]):
            await _say(
                send, 403, "This link was used already, or is not right: the terminal shows a new one."
            )
            return
        cookie = f"{self._cookie}={self._keys.session}; HttpOnly; SameSite=Strict; Path=/"
        # A page and no redirection: after one that began elsewhere, a strict cookie would not be sent.
        page = (
            '<!doctype html><html lang="en"><meta charset="utf-8"><title>unmask</title>'
            '<link rel="icon" href="data:,"><meta http-equiv="refresh" content="0;url=/">'
            '<p><a href="/">Go on to unmask</a></p></html>'
        )
        await _answer(send, 200, page.encode(), "text/html; charset=utf-8", (("set-cookie", cookie),))

    async def _form(self, scope: Scope, receive: Receive, send: Send, headers: dict[str, str]) -> None:
        """A form: read up to its largest size, with the token that only our pages have."""
        if headers.get("content-type", "").partition(";")[0].strip() != "application/x-www-form-urlencoded":
            await _say(send, 415, "A form is sent as application/x-www-form-urlencoded.")
            return
        try:
            async with asyncio.timeout(LONGEST_BODY):
                body = await _body(receive)
        except TimeoutError:
            await _say(send, 408, "The form did not come in time.")
            return
        except ConnectionError:
            return  # half of a form is no form, and nobody waits for an answer
        if body is None:
            await _say(send, 413, "The form is too large.")
            return
        try:
            fields = parse_qs(body.decode(), keep_blank_values=True, max_num_fields=50_000, errors="strict")
        except ValueError:
            await _say(send, 400, "The form cannot be read.")
            return
        if not equal(fields.get("form_token", [""])[0], self._keys.form):
            await _say(send, 403, "The form does not come from a page of this server: load the page again.")
            return
        if any("\0" in value for values in fields.values() for value in values):
            await _say(send, 400, "The form cannot be read.")  # no command and no path can hold that sign
            return
        scope["unmask.form"] = fields
        await self._app(scope, _nothing_more(body), send)


async def _body(receive: Receive) -> bytes | None:
    """What was sent; None where it is too much. Whoever leaves before its end has sent nothing."""
    body = bytearray()
    while len(body) <= LARGEST_BODY:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionError
        body += message.get("body", b"")
        if not message.get("more_body"):
            return bytes(body) if len(body) <= LARGEST_BODY else None
    return None


def _nothing_more(body: bytes) -> Receive:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = {name.encode(): value.encode() for name, value in HEADERS.items()}
            kept = [(name, value) for name, value in message.get("headers", ()) if name.lower() not in own]
            message = {**message, "headers": [*kept, *own.items()]}
        await send(message)

    return sent


async def _say(send: Send, status: int, text: str) -> None:
    await _answer(send, status, f"{text}\n".encode(), "text/plain; charset=utf-8")


async def _answer(
    send: Send, status: int, body: bytes, kind: str, more: tuple[tuple[str, str], ...] = ()
) -> None:
    headers = (("content-type", kind), ("content-length", str(len(body))), *more)
    encoded = [(name.encode(), value.encode()) for name, value in headers]
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": body})
