"""Runs the command: ``python -m loadstone describe log.swf``."""
from ._command import main

main()
