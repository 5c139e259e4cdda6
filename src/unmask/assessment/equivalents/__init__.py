"""The command line and the Python call that do what a request asks."""

from unmask.assessment.equivalents.command_line import command as command
from unmask.assessment.equivalents.python_call import python as python
