"""Runs the command: ``python -m loadstone describe log.swf``."""
import os
import sys

from ._command import executable


def main() -> None:
    """Replace this process by the command."""
    os.execv(executable(), ["loadstone", *sys.argv[1:]])


if __name__ == "__main__":
    main()
