"""Calls of any command, and their results as text, frame or dict."""
from __future__ import annotations

import json as _json
import os
import tempfile
from pathlib import Path
from typing import Any, Dict, Union

import pandas as pd

from . import _inputs, _tables
from ._command import execute, flags, shown
from ._fit import Fit

Log = Union[str, "os.PathLike[str]", pd.DataFrame]
Model = Union[str, "os.PathLike[str]", Dict[str, Any], Fit]
Input = Union[Log, Model]


def run(command: str, *inputs: Input, **options: Any) -> str:
    """Run any command and return what it prints; ``output`` and ``format`` may be given.

    >>> print(run("models list", format="csv").splitlines()[0])
    name,what,source,ready,missing
    """
    own = [f"--{name}={os.fspath(options.pop(name))}" for name in ("output", "format") if name in options]
    with tempfile.TemporaryDirectory(prefix="loadstone-") as folder:
        return call(Path(folder), command, inputs, options, *own)


def table(command: str, *inputs: Input, **options: Any) -> pd.DataFrame:
    """Return the table of a command that has ``--format csv``.

    >>> table("validate", "log.swf").columns[:3].tolist()
    ['severity', 'rule', 'count']
    """
    with tempfile.TemporaryDirectory(prefix="loadstone-") as folder:
        return _tables.result(call(Path(folder), command, inputs, options, "--format=csv"))


def json(command: str, *inputs: Input, **options: Any) -> dict[str, Any]:
    """Return the whole result of a command, its ``--format json``.

    >>> json("describe", "log.swf")["jobs"]
    5000
    """
    with tempfile.TemporaryDirectory(prefix="loadstone-") as folder:
        return _json.loads(call(Path(folder), command, inputs, options, "--format=json"))


def jobs(command: str, inputs: Any, options: dict[str, Any], *own: str) -> pd.DataFrame:
    """Return the jobs that a command writes with -o; what it prints as JSON is in attrs."""
    texts = None
    if inputs and isinstance(inputs[0], pd.DataFrame):
        source, texts = _inputs.number_ids(inputs[0], _reading(options))
        inputs = [source, *inputs[1:]]
    with tempfile.TemporaryDirectory(prefix="loadstone-") as folder:
        out = Path(folder) / "out.arrows"
        printed = call(Path(folder), command, inputs, options, f"--output={out}", *own)
        frame = _tables.jobs(out)
    if texts is not None and command != "anonymise":
        _inputs.keep_ids(frame, texts)
    if own:
        frame.attrs["result"] = _json.loads(printed)
    return frame


def _reading(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options that say how a log is read."""
    return {name: options[name] for name in ("map", "timezone", "quiet") if options.get(name) is not None}


def fit(log: Log, options: dict[str, Any]) -> Fit:
    """Return the model that the command's -o writes, and the report that it prints."""
    with tempfile.TemporaryDirectory(prefix="loadstone-") as folder:
        model = Path(folder) / "model.json"
        report = call(Path(folder), "fit", [log], options, f"--output={model}", "--format=json")
        return Fit(_json.loads(shown(model.read_text(), Path(folder))), _json.loads(report))


def call(folder: Path, command: str, inputs: Any, options: dict[str, Any], *own: str) -> str:
    """Run a command on inputs whose files go into the folder, which the caller removes."""
    zone = _inputs.common_zone([*inputs, *options.values()]) if options.get("timezone") is None else None
    options = {**options, "timezone": zone} if zone else options
    reading = _reading(options)
    files = [os.fspath(_inputs.log(source, folder, reading)) for source in inputs]
    files = [os.path.join(".", name) if name.startswith("-") else name for name in files]
    if inputs and all(isinstance(source, pd.DataFrame) and "header" in source.attrs for source in inputs):
        options = {name: value for name, value in options.items() if name != "map"}  # they were read with it
    options = {name: _inputs.file(value, folder, reading) for name, value in options.items()}
    return execute([*command.split(), *files, *flags(options), *own], folder)
