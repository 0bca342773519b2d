"""Loadstone in Python: job logs of batch machines, models and predictors, as pandas frames.

A function runs a command of ``loadstone``, which this package carries, and is made of what the
command says of itself: keyword arguments are its flags, ``wait_from="eligible"`` for
``--wait-from eligible``. A log is a path, in any format that is read, or a DataFrame.
``read(log)`` is ``convert`` without a file to write, and returns the jobs.
"""
from __future__ import annotations

import dataclasses
import importlib.metadata as _metadata
import inspect
import json as _json
import keyword
import os
import tempfile
import warnings
from pathlib import Path
from typing import Any, Callable, Iterable

import pandas as pd

from . import _command, _frames
from ._command import Error, Warning, executable


@dataclasses.dataclass(repr=False)
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

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file."""
        Path(path).write_text(_json.dumps(self.model, indent=2) + "\n")


def run(command: str, *inputs: Any, **options: Any) -> str:
    """Run any command and return what it prints; ``output`` and ``format`` may be given."""
    with tempfile.TemporaryDirectory(prefix="loadstone-") as folder:
        return _call(Path(folder), command, inputs, options)


def table(command: str, *inputs: Any, **options: Any) -> pd.DataFrame:
    """Return the table of a command that has ``--format csv``."""
    return _frames.result(run(command, *inputs, format="csv", **options))


def json(command: str, *inputs: Any, **options: Any) -> dict[str, Any]:
    """Return the whole result of a command, its ``--format json``."""
    return _json.loads(run(command, *inputs, format="json", **options))


def model(name: str) -> dict[str, Any]:
    """Return a published model, to edit."""
    return _json.loads(run("models show", name))


def _call(folder: Path, command: str, inputs: Iterable[Any], options: dict[str, Any]) -> str:
    """Run a command on inputs whose files go into the folder, which the caller removes."""
    name = command.split()[0]
    if name not in _command.interface()["commands"]:
        return _command.execute([name])  # which says what was meant
    with warnings.catch_warnings():
        if options.get("quiet"):
            warnings.simplefilter("ignore", Warning)
        list(_command.flags(name, dict.fromkeys(options)))  # are known, before files are written
        files = [os.fspath(_file(source, folder, options.get("map"), True)) for source in inputs]
        options = {k: _file(value, folder, options.get("map")) for k, value in options.items()}
        return _command.execute([*command.split(), *_command.flags(name, options), "--", *files], folder)


def _file(source: Any, folder: Path, mapped: Any, is_input: bool = False) -> Any:
    """Return the file of a frame or a model, which it writes into the folder, else the source: a path or an option's value."""
    number = sum(1 for _ in folder.glob("*.*"))
    if isinstance(source, pd.DataFrame):
        path = folder / (f"DataFrame-{number}.csv" if number else "DataFrame.csv")
        _frames.write(source, path, mapped)
        return path
    source = source.model if isinstance(source, Fit) else source
    if isinstance(source, dict) and "schema" in source:
        path = folder / f"model-{number}.json"
        path.write_text(_json.dumps(source))
        return path
    if is_input and not isinstance(source, (str, os.PathLike)):
        raise TypeError(f"saw a {type(source).__name__}, want a DataFrame with a row for each job, the path of a log, or a model")
    return source


def _jobs(command: str, inputs: list[Any], options: dict[str, Any], texts: pd.Series | None) -> pd.DataFrame:
    """Return the jobs that a command writes with -o; the measures that simulate prints are in attrs."""
    with tempfile.TemporaryDirectory(prefix="loadstone-") as folder:
        out = Path(folder) / "out.arrows"
        printed = _call(Path(folder), command, inputs, {**options, "output": out})
        frame = _frames.jobs(out)
    if texts is not None and command != "anonymise":
        frame.insert(frame.columns.get_loc("job_id") + 1, "job", frame["job_id"].map(texts).astype("string"))
    if options.get("format") == "json":
        frame.attrs["result"] = _json.loads(printed)
    return frame


def _fit(inputs: list[Any], options: dict[str, Any]) -> Fit:
    """Return the model that the command's -o writes, and the report that it prints."""
    with tempfile.TemporaryDirectory(prefix="loadstone-") as folder:
        out = Path(folder) / "model.json"
        report = _call(Path(folder), "fit", inputs, {**options, "output": out, "format": "json"})
        return Fit(_json.loads(_command.shown(out.read_text(), Path(folder))), _json.loads(report))


def _function(command: str) -> Callable[..., Any]:
    """Return the function of a command. It returns jobs, a table or what is printed, by the command's formats."""
    described = _command.interface()["commands"][command]
    formats = described["options"].get("format", {}).get("choices", [])

    def function(*arguments: Any, **options: Any) -> Any:
        inputs, given = _command.positional(command, arguments)
        options = {**given, **options}
        frame = inputs[0] if inputs and isinstance(inputs[0], pd.DataFrame) else None
        texts = None if frame is None else _frames.number_ids(frame, options.get("map"))[1]
        if command == "score" and len(inputs) == 2 and isinstance(inputs[1], pd.DataFrame):
            inputs[1] = _frames.number_predictions(inputs[1], texts)
        if command in ("runtime", "predict", "score") and options.get("by"):
            raise TypeError(f'by: a frame has no scores of parts: loadstone.json("{command}", ..., by=...) has them under "parts"')
        if options.get("output") is not None or not formats:
            printed = run(command, *inputs, **options)
            return printed if options.get("output") is None else None
        if command == "fit":
            return _fit(inputs, options)
        if "swf" in formats:
            return _jobs(command, inputs, {**options, "format": "json"} if command == "simulate" else options, texts)
        result = table(command, *inputs, **options)
        if command == "validate" and frame is not None:
            return result.assign(row=result["row"] - 1, line=pd.array([pd.NA] * len(result), "Int64"))
        return result

    function.__name__ = function.__qualname__ = command
    keywords = {name + "_" * keyword.iskeyword(name): option for name, option in described["options"].items() if name != "format"}
    parameters = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in keywords]
    function.__signature__ = inspect.Signature([inspect.Parameter("arguments", inspect.Parameter.VAR_POSITIONAL), *parameters])  # type: ignore[attr-defined]
    function.__doc__ = f"{described['summary']}: ``loadstone {described['usage']}``.\n"
    for name, option in keywords.items():
        default = option.get("default") not in (None, "[]", "0", "false")
        function.__doc__ += f"\n{name}: {option['help']}" + (f" (default {option['default']})" if default else "")
    return function


def __getattr__(name: str) -> Any:
    """Make the function of a command when it is first used."""
    if name == "__version__":
        return _metadata.version(__name__)
    command = "convert" if name == "read" else name
    if name.startswith("_") or command not in _command.interface()["commands"]:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return globals().setdefault(name, _function(command))


def __dir__() -> list[str]:
    return sorted({"Error", "Fit", "Warning", "executable", "json", "model", "read", "run", "table", *_command.interface()["commands"]})
