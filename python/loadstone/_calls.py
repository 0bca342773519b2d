"""Calls of any command, and their results as text, frame or dict."""
from __future__ import annotations

import dataclasses
import json as _json
import os
import tempfile
from pathlib import Path
from typing import Any, Dict, Optional, Union

import pandas as pd

from . import _inputs, _tables
from ._command import execute, flags, shown

Log = Union[str, "os.PathLike[str]", pd.DataFrame]
Model = Union[str, "os.PathLike[str]", Dict[str, Any], "Fit"]
Input = Union[Log, Model]


@dataclasses.dataclass
class Fit:
    """A fit: the model that ``fit -o`` writes, as a dict, and the report of ``fit``."""

    model: dict[str, Any]
    report: dict[str, Any]

    @property
    def fits(self) -> pd.DataFrame:
        """One row for each fitted distribution, best first, with its parameters in columns."""
        return pd.json_normalize(self.report["fits"]).convert_dtypes()

    def __repr__(self) -> str:
        return f"<loadstone.Fit: {self.model['schema']} of {self.model['name']}, {len(self.report['fits'])} fitted distributions>"

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Write the model to a file."""
        Path(path).write_text(_json.dumps(self.model, indent=2) + "\n")


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

    >>> table("check", "log.swf", model="lublin1999").columns[:3].tolist()
    ['check', 'class', 'jobs']
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
    with tempfile.TemporaryDirectory(prefix="loadstone-") as folder:
        out = Path(folder) / "out.arrows"
        printed = call(Path(folder), command, inputs, options, f"--output={out}", *own)
        frame = _tables.jobs(out)
    if own:
        frame.attrs["result"] = _json.loads(printed)
    return frame


# Options of fit that go with a model of users; others are about distributions.
OF_USERS = {"as", "form", "map", "procs", "quiet", "timezone"}


def fit(log: Log, options: dict[str, Any]) -> Fit:
    """Return the model that the command's -o writes, and its report of distributions."""
    plain = {keyword.rstrip("_"): value for keyword, value in options.items() if value is not None and value is not False}
    with tempfile.TemporaryDirectory(prefix="loadstone-") as name:
        folder = Path(name)
        output = folder / "model.json"
        source = _inputs.log(log, folder)
        if plain.get("form") == "users" or plain.keys() <= OF_USERS and "form" not in plain:
            # With a model of users the command reports no distributions: a second run does.
            told: set[str] = set()
            call(folder, "fit", [source], {k: v for k, v in options.items() if k.rstrip("_") in OF_USERS}, f"--output={output}", told=told)
            options = {k: v for k, v in options.items() if k.rstrip("_") != "form"}
            report = call(folder, "fit", [source], options, "--format=json", told=told)
        else:
            report = call(folder, "fit", [source], options, f"--output={output}", "--format=json")
        return Fit(_json.loads(shown(output.read_text(), folder)), _json.loads(report))


def call(folder: Path, command: str, inputs: Any, options: dict[str, Any], *own: str, told: Optional[set[str]] = None) -> str:
    """Run a command on inputs whose files go into the folder, which the caller removes."""
    files = [os.fspath(_inputs.log(source, folder)) for source in inputs]
    files = [os.path.join(".", name) if name.startswith("-") else name for name in files]
    options = {name: _inputs.file(value, folder) for name, value in options.items()}
    return execute([*command.split(), *files, *flags(options), *own], folder, told)
