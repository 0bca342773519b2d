"""Runs the command: keywords become its flags; its errors and warnings become Python's."""
from __future__ import annotations

import datetime
import difflib
import functools
import itertools
import json
import logging
import os
import re
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any, Iterable, Iterator, Mapping

import numpy as np
import pandas as pd

log = logging.getLogger("loadstone")


class Error(Exception):
    """An error of the command. ``output`` is what it had written to standard output, ``code`` its exit code:
    1 failed, 2 wrong usage, 3 a ``require`` or ``baseline`` condition was not met.
    """

    __module__ = __package__  # where users find it

    def __init__(self, message: str, code: int, output: str = ""):
        super().__init__(message, code, output)  # all of them, so that it can be pickled
        self.code, self.output = code, output

    def __str__(self) -> str:
        return str(self.args[0])


class Warning(UserWarning):
    """A warning of the command, such as one about columns that were left out."""

    __module__ = __package__


def executable() -> str:
    """Return the path of the command: ``$LOADSTONE``, else the one in this package."""
    return os.environ.get("LOADSTONE") or str(Path(__file__).parent / "bin" / "loadstone")


def main() -> None:
    """Replace this process by the command."""
    os.execv(executable(), ["loadstone", *sys.argv[1:]])


def execute(arguments: Iterable[str], folder: Path | None = None) -> str:
    """Run the command and return its standard output; Ctrl-C ends it. The folder has the files of frames."""
    try:
        done = subprocess.run([executable(), *arguments], stdin=subprocess.DEVNULL, capture_output=True)
    except OSError as e:
        raise Error(f"cannot run {executable()}: {e.strerror}", 127) from e
    texts = (text.decode(errors="replace") for text in (done.stdout, done.stderr))
    output, said = (shown(text, folder) if folder else text for text in texts)
    message = []
    for line in said.splitlines():
        kind, _, text = line.partition(": ")
        if kind == "warning":
            warn(_keywords(text))
        elif kind == "note" or done.returncode == 0:  # the rest is what a program of exec= wrote
            log.info(text if kind == "note" else line)
        elif not line.startswith("See '"):
            message.append(line.removeprefix("loadstone: "))
    if done.returncode != 0:
        raise Error(_keywords("\n".join(message)) or f"exit code {done.returncode}", done.returncode, output)
    return output


def shown(text: str, folder: Path) -> str:
    """Return a text of the command with frames under their own name and rows counted from 0, as by ``iloc``."""
    names = {}  # the line of the names of columns, by frame
    for file in folder.glob("DataFrame*.csv"):
        with open(file) as lines:
            names[file.stem] = 1 + sum(1 for _ in itertools.takewhile(lambda line: line.startswith("; "), lines))

    def row(m: re.Match[str]) -> str:
        at = int(m[4]) - names[m[1]] - 1
        return m[1] + (m[3] or "") + (f"{',' if m[2] else ' in'} row {at}" if at >= 0 else "")

    text = re.sub(r"\bout\.arrows: |(?<=\bmodel)-\d+\.json\b", "", text.replace(f"{folder}{os.sep}", ""))
    # The file named last is the one that a line is of.
    text = re.sub(r"\b(DataFrame(?:-\d+)?)\.csv(?:(:)|((?:(?!DataFrame).)*?) in line )(\d+)", row, text)
    return re.sub(r"\b(DataFrame(?:-\d+)?)\.csv\b", r"\1", text)


def _keywords(message: str) -> str:
    """Return a message of the command with its flags named as keyword arguments are."""
    message = re.sub(r"--map (\w+)=(\S+?)(?=[;:,]?(?:\s|$))", r'map={"\1": "\2"}', message)
    return re.sub(r"'loadstone [^']*'|(?<![\w/-])--([a-z][a-z-]*)", lambda m: m[1].replace("-", "_") if m[1] else m[0], message)


def warn(text: str) -> None:
    """Warn in the line of the package's caller."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    warnings.warn(text, Warning, stacklevel=level)


@functools.lru_cache(maxsize=None)
def interface() -> dict[str, Any]:
    """Return what ``loadstone options`` prints: commands and columns of the job table by name, options by keyword."""
    said = json.loads(execute(["options"]))
    for command in said["commands"]:
        command["options"] = {option["name"].replace("-", "_"): option for option in command["options"]}
    return {"commands": {c["command"]: c for c in said["commands"]}, "columns": {c["name"]: c for c in said["columns"]}}


def positional(command: str, arguments: tuple[Any, ...]) -> tuple[list[Any], dict[str, Any]]:
    """Return the arguments that are inputs, and by keyword those that are options: which the usage names behind the inputs."""
    inputs, rest = re.match(r"\S+ ?([^-]*)(.*)", interface()["commands"][command]["usage"]).groups()  # type: ignore[union-attr]
    keywords = [name.replace("-", "_") or "output" for name in re.findall(r"--([a-z-]+)|-o", rest)]
    most = len(arguments) if "..." in inputs else len(re.findall("[A-Z]+", inputs))
    if len(arguments) > most + len(keywords):
        raise TypeError(f"{command}() takes {most + len(keywords)} positional arguments but {len(arguments)} were given")
    return list(arguments[:most]), dict(zip(keywords, arguments[most:]))


def flags(command: str, keywords: Mapping[str, Any]) -> Iterator[str]:
    """Yield the flags that keyword arguments stand for."""
    known = interface()["commands"][command]["options"]
    for keyword, value in keywords.items():
        option = known.get(keyword.rstrip("_"))
        if option is None:
            meant = "".join(f"; did you mean {near}?" for near in difflib.get_close_matches(keyword, known, 1, 0.4))
            raise TypeError(f"{command}() got an unexpected keyword argument {keyword!r}{meant}")
        if isinstance(value, (bool, np.bool_)):
            if str(value).lower() != option.get("default"):
                yield f"--{option['name']}" + ("" if value else "=false")
            continue
        if isinstance(value, Mapping):
            pairs = [f"{_text(k, option)}={_text(v, option)}" for k, v in value.items()]
            texts = ['"' + pair.replace('"', '""') + '"' if re.search(r'[,"\n]', pair) else pair for pair in pairs]
        elif isinstance(value, (list, tuple, set, frozenset, range, np.ndarray, pd.Series, pd.Index)):
            texts = [_text(v, option) for v in value]
        else:
            texts = [] if value is None else [_text(value, option)]
        if texts:  # an empty list asks for nothing
            yield from (f"--{option['name']}={text}" for text in (texts if option.get("repeated") else [",".join(texts)]))


def _text(value: Any, option: Mapping[str, Any]) -> str:
    if isinstance(value, (np.datetime64, datetime.datetime)):
        moment = pd.Timestamp(value)
        midnight = moment.tzinfo is None and moment == moment.normalize()
        return str(moment.date()) if midnight else moment.isoformat()  # start= wants a date
    if isinstance(value, (np.timedelta64, datetime.timedelta)):
        number = pd.Timedelta(value) / pd.Timedelta(1, "day" if option["name"] == "days" else "s")
        return f"{number:.15g}" + "s" * (option["value"] in ("length", "duration"))  # which need a unit
    if isinstance(value, (float, np.floating)):
        return repr(float(value)).removesuffix(".0")  # procs=100.0, as a column's maximum is
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)
