"""`python -m unmask`: the command line where the script is not on the path."""

from unmask.cli import main

if __name__ == "__main__":
    main()
