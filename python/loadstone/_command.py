"""Runs the command: arguments from keywords, its errors and warnings to Python's."""
from __future__ import annotations

import datetime
import logging
import os
import re
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any, Iterable, Iterator, Mapping

import numpy as np
import pandas as pd

log = logging.getLogger("loadstone")

# Flags whose values may contain commas: a list repeats the flag.
REPEATED = {"exec", "filter", "require", "set"}

# Flags whose lengths of time need a unit.
UNITS = {"exec-timeout", "interval"}


class Error(Exception):
    """An error that the command reported.

    ``code`` is its exit code: 1 failed, 2 wrong usage, 3 a ``require`` or ``baseline``
    condition was not met. ``output`` is what it had written to standard output.
    """

    def __init__(self, message: str, code: int, output: str = ""):
        super().__init__(message, code, output)  # all of them, so that it can be pickled
        self.code = code
        self.output = output

    def __str__(self) -> str:
        return str(self.args[0])


class Warning(UserWarning):
    """A warning of the command, such as one about columns that were left out."""


def executable() -> str:
    """Return the path of the command: ``$LOADSTONE``, else the one in this package."""
    return os.environ.get("LOADSTONE") or str(Path(__file__).parent / "bin" / "loadstone")


def flags(options: Mapping[str, Any]) -> Iterator[str]:
    """Yield the flags that keyword arguments stand for.

    >>> list(flags({"by": ["user", "queue"], "wait_from": "eligible", "tests": True, "as_": None}))
    ['--by=user,queue', '--wait-from=eligible', '--tests']
    >>> list(flags({"sites": {1: 64, 2: 128}, "require": ["coverage(bmbp)>=0.95"]}))
    ['--sites=1=64,2=128', '--require=coverage(bmbp)>=0.95']
    """
    for keyword, value in options.items():
        name = keyword.rstrip("_").replace("_", "-")
        if name in ("output", "format"):
            raise TypeError(f"{keyword}: the function returns the result: save a fit with .save(file) and a frame with pandas, or use loadstone.run")
        value = _plain(value)
        if name == "days" and isinstance(value, datetime.timedelta):
            value = value / datetime.timedelta(days=1)
        if value is None or value is False:
            continue
        if value is True:
            yield f"--{name}"
            continue
        if isinstance(value, Mapping):
            nested = next((k for k, v in value.items() if isinstance(v, (Mapping, list, tuple))), None)
            if nested is not None:
                raise TypeError(f"{keyword}: saw a {type(value[nested]).__name__} for {nested!r}, want one value; a mapping file may have more")
            values = [_quoted(f"{_text(k)}={_text(v)}") for k, v in value.items()]
        elif isinstance(value, (list, tuple, set, frozenset, range)) or hasattr(value, "tolist"):  # arrays and Series too
            values = [_text(v) for v in value]
        else:
            unit = "s" if name in UNITS and isinstance(value, datetime.timedelta) else ""
            values = [_text(value) + unit]
        if not values:
            continue  # an empty list asks for nothing
        for v in values if name in REPEATED else [",".join(values)]:
            yield f"--{name}={v}"


def _plain(value: Any) -> Any:
    """Return a NumPy scalar, such as the maximum of a column, as Python's own."""
    if isinstance(value, np.datetime64):
        return pd.Timestamp(value)
    if isinstance(value, np.timedelta64):
        return pd.Timedelta(value)
    return value.item() if isinstance(value, np.generic) else value


def _quoted(pair: str) -> str:
    """Return a pair in quotes if a comma would end it."""
    return '"' + pair.replace('"', '""') + '"' if re.search(r'[,"\n]', pair) else pair


def _text(value: Any) -> str:
    value = _plain(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        value = int(value)  # procs=100.0, as a column's maximum is
    if isinstance(value, datetime.timedelta):
        return f"{value.total_seconds():.15g}"
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None and value.time() == datetime.time():
            return value.date().isoformat()  # as start= wants it
        return value.isoformat()
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def shown(text: str, folder: Path) -> str:
    """Return a text of the command with frames under their own name and rows under their numbers.

    The folder has the files of the frames. Rows are counted from 0, as by ``iloc``.
    """
    text = text.replace(f"{folder}{os.sep}", "")
    text = re.sub(r"\bout\.arrows: ", "", re.sub(r"\bmodel-\d+\.json\b", "model", text))
    if not any(folder.glob("DataFrame*")):
        return text
    def row(m: "re.Match[str]") -> str:
        return m[1] + (f", row {int(m[2]) - 2}:" if m[2] != "1" else ":")
    text = re.sub(r"\b(DataFrame(?:-\d+)?)\.csv:(\d+):", row, text)
    # The file named last is the one that the line is of. Files in Arrow have no line of names.
    text = re.sub(r"(?m)^(warning: .*\bDataFrame(?:-\d+)?\.(?:csv|(arrows))\b.*?) in line (\d+)", lambda m: f"{m[1]} in row {int(m[3]) - (1 if m[2] else 2)}", text)
    return re.sub(r"\b(DataFrame(?:-\d+)?)\.(?:csv|arrows)\b", r"\1", text)


def execute(arguments: list[str], folder: Path) -> str:
    """Run the command and return its standard output; Ctrl-C ends it.

    The folder is left out of what the command says of the files in it.
    """
    with tempfile.TemporaryFile() as errors:
        try:
            process = subprocess.Popen([executable(), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors)
        except OSError as e:
            raise Error(f"cannot run {executable()}: {e.strerror}", 127) from e
        try:
            output = process.stdout.read().decode()  # type: ignore[union-attr]
            process.wait()
            output = shown(output, folder)
        except BaseException:  # Ctrl-C too
            process.terminate()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            raise
        finally:
            process.stdout.close()  # type: ignore[union-attr]
        errors.seek(0)
        said = shown(errors.read().decode(errors="replace"), folder).splitlines()
    report(line for line in said if line.startswith(("warning: ", "note: ")))
    if process.returncode == 0:
        for line in said:
            if not line.startswith(("warning: ", "note: ")):
                log.info(line)  # such as what a program of exec= wrote
    if process.returncode != 0:
        rest = [line for line in said if not line.startswith(("warning: ", "note: ", "See '"))]
        message = "\n".join(rest).removeprefix("loadstone: ") or f"exit code {process.returncode}"
        raise Error(_keywords(message), process.returncode, output)
    return output


def _keywords(message: str) -> str:
    """Return a message of the command with its flags named as keyword arguments are."""
    message = re.sub(r"--map (\w+)=(\S+?)(?=[;:,]?(?:\s|$))", r'map={"\1": "\2"}', message)
    def keyword(m: "re.Match[str]") -> str:
        return m[1].replace("-", "_") if m[1] else m[0]
    return re.sub(r"'loadstone [^']*'|(?<![\w/-])--([a-z][a-z-]*)", keyword, message)


def warn(text: str) -> None:
    """Warn in the line of the package's caller."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    warnings.warn(text, Warning, stacklevel=level)


def report(lines: Iterable[str]) -> None:
    """Warn of the command's warnings and log its notes."""
    for line in lines:
        kind, _, text = line.partition(": ")
        if kind == "note":
            log.info(text)
        else:
            warn(_keywords(text))
