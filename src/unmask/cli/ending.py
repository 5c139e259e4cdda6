"""How the program ends when somebody ends it: with Ctrl-C, or by a signal to terminate.

While the program starts and while it leaves, a signal ends it at once: there is nothing to clean up then, and
an exception could be lost in a library that is just being imported. In between it is an interrupt that
unwinds the work, so that transactions are rolled back and the terminal gets its cursor back. Whatever comes
of it, temporary files are removed, one line says why, and the exit code is 128 and the signal's number.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import time
from _thread import start_new_thread
from types import FrameType

from unmask import temporaries

#: What the last line says, by signal.
WORDS = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}
if hasattr(signal, "SIGHUP"):
    WORDS[signal.SIGHUP] = "terminated"

#: So many seconds the work has to unwind: a library may be deep in a search that no interrupt reaches.
GRACE = 5.0

_SHOW_CURSOR = b"\x1b[?25h"

#: The signal that came first, if one did.
_heard: list[int] = []


def program() -> None:
    """Start, do what the arguments ask, and leave."""
    _on_signals(_at_once)
    # Registered first, called last: from then on no handler can be called, and all that was asked is done.
    atexit.register(_on_signals, signal.SIG_IGN)
    from unmask.cli.verbs import outcome

    sys.unraisablehook = _unraisable
    _watch()
    _on_signals(_interrupt)
    try:
        code, line = outcome()
    except BaseException:
        if _heard:  # whatever a library made of the interrupt
            _leave(_heard[0])
        raise
    if _heard:
        _leave(_heard[0])
    _on_signals(_at_once)
    sys.stderr.write(line)
    sys.exit(code)


def _on_signals(handler: signal._HANDLER) -> None:
    """Have the signals handled so; one that whoever started the program has it ignore stays ignored."""
    for one in WORDS:
        if signal.getsignal(one) is not signal.SIG_IGN:
            signal.signal(one, handler)


def _interrupt(number: int, _: FrameType | None) -> None:
    """The first signal unwinds the work; who sends a second one does not want to wait for that."""
    if _heard:
        _leave(_heard[0])
    _heard.append(number)
    raise KeyboardInterrupt


def _at_once(number: int, _: FrameType | None) -> None:
    _leave(number)


def _unraisable(lost: sys.UnraisableHookArgs) -> None:
    """An interrupt that came in a place from which no exception gets out is not lost."""
    if _heard and isinstance(lost.exc_value, KeyboardInterrupt):
        _leave(_heard[0])
    sys.__unraisablehook__(lost)


def _watch() -> None:
    """End the program some time after a signal, whatever it does."""
    if os.name != "posix":
        return
    heard, told = os.pipe()
    os.set_blocking(told, False)
    signal.set_wakeup_fd(told, warn_on_full_buffer=False)

    def wait() -> None:
        number = os.read(heard, 1)[0]
        time.sleep(GRACE)
        _leave(number)

    start_new_thread(wait, ())


def _leave(number: int) -> None:
    """End the process now. What was not printed yet is lost; no file stays half written."""
    temporaries.remove()
    try:
        if os.isatty(2):
            os.write(2, _SHOW_CURSOR)
        os.write(2, f"{WORDS[signal.Signals(number)]}\n".encode())
    except OSError:
        pass  # nobody reads it
    os._exit(128 + number)
