"""Writes the stub of the package, for editors and type checkers, from what the command says of itself.

    LOADSTONE=path/of/loadstone python3 python/stubs.py         prints it
    go build -o /tmp/loadstone ./cmd/loadstone && LOADSTONE=/tmp/loadstone python3 python/stubs.py > python/loadstone/__init__.pyi

It needs no pandas.
"""
import json
import keyword
import os
import subprocess

HEAD = '''# Made by python/stubs.py. Do not edit.
from os import PathLike
from datetime import datetime, timedelta
from typing import Any, Mapping, Sequence, Union

import pandas as pd

File = Union[str, PathLike[str]]
Log = Union[File, pd.DataFrame]
Input = Union[Log, Mapping[str, Any], "Fit"]
Text = Union[str, PathLike[str], float, datetime, timedelta, Sequence[Any], Mapping[Any, Any], pd.DataFrame, pd.Series, "Fit"]

__version__: str

class Error(Exception):
    code: int
    output: str
    def __init__(self, message: str, code: int, output: str = ...) -> None: ...

class Warning(UserWarning): ...

class Fit:
    model: dict[str, Any]
    report: dict[str, Any]
    def __init__(self, model: dict[str, Any], report: dict[str, Any]) -> None: ...
    @property
    def fits(self) -> pd.DataFrame: ...
    def save(self, path: File) -> None: ...

def executable() -> str: ...
def run(command: str, *inputs: Input, **options: Any) -> str: ...
def table(command: str, *inputs: Input, **options: Any) -> pd.DataFrame: ...
def json(command: str, *inputs: Input, **options: Any) -> dict[str, Any]: ...
def model(name: str) -> dict[str, Any]: ...
'''

# Types of flags that are more than texts: a list of numbers is one text.
TYPES = {"bool": "bool", "int": "int", "int64": "int", "uint64": "int", "float64": "Union[float, timedelta]"}


def functions(command):
    """Yield the lines of the function of a command."""
    formats = next((o["choices"] for o in command["options"] if o["name"] == "format"), [])
    result = "Any" if not formats else "Fit" if command["command"] == "fit" else "pd.DataFrame"
    keywords = []
    for option in command["options"]:
        name = option["name"].replace("-", "_")
        if name != "format":
            keywords.append(f"{name}{'_' * keyword.iskeyword(name)}: {TYPES.get(option['type'], 'Text')} = ...")
    for name in [command["command"]] + ["read"] * (command["command"] == "convert"):
        yield f"def {name}(*arguments: Any, {', '.join(keywords)}) -> {result}:"
        yield f'    """{command["summary"]}: ``loadstone {command["usage"]}``."""'


said = subprocess.run([os.environ.get("LOADSTONE", "loadstone"), "options"], check=True, capture_output=True, text=True).stdout
print(HEAD + "\n".join(line for command in json.loads(said)["commands"] for line in functions(command)))
