"""The command line: one function per verb, each a thin layer over the same function in Python.

Nothing is imported here, so that a Ctrl-C in the first moments of the program is heard as any other.
"""


def main() -> None:
    """The program ``unmask``: the verbs, and an end in one line whenever somebody ends it."""
    try:
        from unmask.cli.ending import program
    except KeyboardInterrupt:
        import os  # which the interpreter has loaded already

        os.write(2, b"interrupted\n")
        os._exit(130)
    program()
