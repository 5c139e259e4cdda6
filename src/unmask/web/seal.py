"""Seal: what tells work that this person asked for from work that came with a folder.

The commands of a run stand in a file of its folder, so that the next server can start what still waits. A
folder that somebody sent may hold such files too, and starting them would run whatever they say. So what the
pages write is sealed with a key that only this person's account has, and nothing else is started.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path

from unmask.cache_folder import NoCacheError, own_folder

_LENGTH = 32


def seal(folder: Path, steps: object) -> str:
    """The seal of these steps for this folder.

    >>> here = Path("runs/0001")
    >>> is_sealed(here, [["run"]], seal(here, [["run"]])), is_sealed(here, [["mask"]], seal(here, [["run"]]))
    (True, False)
    """
    content = json.dumps([str(folder.resolve()), steps])
    return hmac.new(_key(), content.encode(), sha256).hexdigest()


def is_sealed(folder: Path, steps: object, found: object) -> bool:
    """Whether a seal is that of these steps for this folder."""
    return isinstance(found, str) and hmac.compare_digest(found.encode(), seal(folder, steps).encode())


@cache
def _key() -> bytes:
    """The key of this account; without a folder of its own, one that lasts as long as the server."""
    with suppress(NoCacheError, OSError):
        path = own_folder("serve") / "key"
        with suppress(FileExistsError):
            temporary = path.with_name(f".{secrets.token_hex(8)}")
            with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
                stream.write(secrets.token_bytes(_LENGTH))
            try:
                os.link(temporary, path)  # which does not replace one that another server has just made
            finally:
                temporary.unlink()
        found = path.read_bytes()
        if len(found) == _LENGTH:
            return found
    return secrets.token_bytes(_LENGTH)
