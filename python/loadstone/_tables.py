"""Reads the command's tables as pandas DataFrames with declared types."""
from __future__ import annotations

import io
import json
import re
import subprocess
from pathlib import Path

import pandas as pd

from ._command import executable, execute
from ._types import BOOLEAN, JOBS, NAMED, STATUS, TEXT, WHOLE

try:
    import pyarrow
    import pyarrow.ipc
except ImportError:  # as on Debian 12: tables come as CSV
    pyarrow = None

# Lines of a header that no longer hold once jobs were left out or changed.
_STALE = {"MaxJobs", "MaxRecords", "EndTime", *NAMED}


def result(text: str) -> pd.DataFrame:
    """Return a result's CSV as a frame of string, boolean, Int64 and Float64 columns.

    >>> result("predictor,jobs,coverage\\nbmbp,7,0.5\\nlast,8,\\n").dtypes.astype(str).tolist()
    ['string', 'Int64', 'Float64']
    """
    frame = pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)
    # The command's CSV has an apostrophe before texts that spreadsheets would compute.
    frame = frame.replace(r"^'(?=[=+\-@\t\r\n])", "", regex=True)
    for name in frame.columns:
        values = frame[name].where(frame[name] != "")
        if name in BOOLEAN:
            frame[name] = values.map({"true": True, "false": False}).astype("boolean")
        elif name in TEXT:
            frame[name] = values.astype("string")
        else:
            try:
                frame[name] = pd.to_numeric(values).astype("Int64" if name in WHOLE else "Float64")
            except ValueError:  # names, such as those of users where they are classes
                frame[name] = values.astype("string")
    return frame


def jobs(file: Path) -> pd.DataFrame:
    """Return the job table of an Arrow stream that the command wrote."""
    frame = _arrow(file) if pyarrow else _csv(file)
    header, names = _header(file)
    if "UnixStartTime" in header:
        start = pd.Timestamp(float(header["UnixStartTime"].splitlines()[0]), unit="s", tz="UTC")
        for name in ("submit_time_s", "eligible_time_s"):
            if name in frame:
                # NumPy warns of unknown numbers that become moments.
                after = pd.to_timedelta(frame[name].dropna().astype("float64"), unit="s").reindex(frame.index)
                frame.insert(frame.columns.get_loc(name) + 1, name[:-2], start + after)
    codes = frame["status"].fillna(-1).astype(int)
    frame["status"] = pd.Categorical.from_codes(codes.where(codes.between(0, len(STATUS) - 1), -1), STATUS)
    for name, of in names.items():
        if name in frame:
            text = {code: of.get(code, str(code)) for code in [*of, *frame[name].dropna().unique()]}
            values = pd.Categorical(frame[name].map(text), list(dict.fromkeys(text.values())))
            frame.insert(frame.columns.get_loc(name) + 1, name[:-3], values)
    frame.attrs["header"] = header
    return frame


def _arrow(file: Path) -> pd.DataFrame:
    types = {pyarrow.int64(): pd.Int64Dtype(), pyarrow.float64(): pd.Float64Dtype()}
    with pyarrow.OSFile(str(file)) as source, pyarrow.ipc.open_stream(source) as reader:
        return reader.read_all().to_pandas(types_mapper=types.get)


def _csv(file: Path) -> pd.DataFrame:
    text = execute(["convert", str(file), "--quiet", "--format=csv"], file.parent)
    frame = pd.read_csv(io.StringIO(text), float_precision="round_trip")
    for name in frame.columns:
        # A whole number beside an unknown one has become a float64.
        if JOBS[name] == "Int64" and frame[name].dtype == float and frame[name].abs().max() >= 2**53:
            digits = pd.read_csv(io.StringIO(text), usecols=[name], dtype=str)[name]
            frame[name] = pd.array([None if pd.isna(d) else int(d) for d in digits], "Int64")
    return frame.astype({name: JOBS[name] for name in frame.columns})


def _header(file: Path) -> tuple[dict[str, str], dict[str, dict[int, str]]]:
    """Return a log's header, and the names of numbers, by column.

    The values of a keyword that is repeated or continued are joined by newlines.
    """
    header: dict[str, str] = {}
    names: dict[str, dict[int, str]] = {}
    key = ""
    command = [executable(), "convert", str(file), "--quiet", "--format=swf"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        for line in process.stdout:  # type: ignore[union-attr]
            if not line.startswith(b";"):
                break
            value = line[1:].decode(errors="replace").strip()
            keyword = re.match(r"([A-Za-z_]+):(?!//)\s*", value)
            if keyword:
                key, value = keyword[1], value[keyword.end():]
            number, _, name = value.partition(" ")
            if key in NAMED and number.isdecimal() and name:
                names.setdefault(NAMED[key], {})[int(number)] = _unquoted(name.strip())
            elif key and value and key not in _STALE:
                header[key] = f"{header[key]}\n{value}" if key in header else value
        process.kill()
    return header, names


def _unquoted(name: str) -> str:
    """Return a name without the quotes around one that could be misread."""
    try:
        return str(json.loads(name, strict=False)) if name.startswith('"') else name
    except ValueError:
        return name
