"""Frames as files for the command, and its tables as frames with declared types."""
from __future__ import annotations

import functools
import io
import json
import re
from pathlib import Path
from typing import Any, Mapping

import pandas as pd

from ._command import execute, interface, warn

STATUS = ["failed", "completed", "partial", "last_completed", "last_failed", "cancelled"]  # in the order of its codes


def _named() -> dict[str, str]:
    """Return the columns of names, such as queue, by those of their numbers."""
    return {number: number[:-3] for number, c in interface()["columns"].items() if "names" in c}


def write(frame: pd.DataFrame, path: Path, mapped: Any) -> None:
    """Write a frame as CSV; the header that it has from a log stands before the names of columns. Mapped is map=."""
    header: Mapping[str, Any] = frame.attrs.get("header", {})
    was_read = "header" in frame.attrs
    frame = _whole(frame)
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        raise ValueError(f"the frame has two columns {twice[0]!r}: rename or drop one")
    if "predicted_s" not in frame:  # jobs, no predictions
        if not was_read:
            zones = {str(kind.tz) for kind in frame.dtypes if isinstance(kind, pd.DatetimeTZDtype)}
            header = {"TimeZoneString": zone for zone in zones if len(zones) == 1 and re.fullmatch(r"(?!Etc/)\w+/[\w/-]+", zone)}
        frame = number_ids(_agreed(frame, header), mapped)[0]
        columns = interface()["columns"]
        always = {name for name, c in columns.items() if c["always"]} - {"submit_time_s", *_named()}
        if was_read and not mapped and always.issubset(frame):  # no column was renamed: others are the user's own
            known = {*columns, "submit_time", "eligible_time", *_named().values()}
            frame = frame[[name for name in frame if name in known]]
    for name, values in frame.items():
        if pd.api.types.is_timedelta64_dtype(values):  # as Slurm writes them
            frame = frame.assign(**{str(name): [None if pd.isna(t) else f"{t.days}-{str(t).split()[-1]}" for t in values]})
        elif name == "status" and values.dtype == "category" and list(values.cat.categories) == STATUS:
            frame = frame.assign(status=values.cat.codes.mask(values.isna()))
    with open(path, "w", newline="") as out:
        out.writelines(f"; {key}: {line}\n" for key, text in header.items() for line in str(text).split("\n"))
        frame.to_csv(out, index=False)


def _whole(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with its named indexes as columns."""
    names = [name for name in frame.index.names if name is not None and name not in frame]
    return (frame.reset_index(names) if names else frame).reset_index(drop=True)


def _agreed(frame: pd.DataFrame, header: Mapping[str, Any]) -> pd.DataFrame:
    """Return a frame without moments where it has seconds since the log's start; warn of those and of names that disagree."""
    disagree = "{0} and {1} disagree: {2} is read. Change {2}, or drop it to have the other read"
    for date in ("submit_time", "eligible_time"):
        seconds = f"{date}_s"
        if date not in frame or seconds not in frame:
            continue
        if "UnixStartTime" not in header:  # seconds of which start is not known
            frame = frame.drop(columns=seconds)
            continue
        start = pd.to_datetime(float(str(header["UnixStartTime"]).split()[0]), unit="s", utc=True)
        moments = frame[date] if pd.api.types.is_datetime64_any_dtype(frame[date]) else frame[date].astype("string")
        counted = (pd.to_datetime(moments, errors="coerce", utc=True) - start).dt.total_seconds()
        given = pd.to_numeric(frame[seconds], errors="coerce").astype("float64")
        if ((counted - given).abs().gt(0.001) | (counted.isna() != given.isna())).any():
            warn(disagree.format(date, seconds, seconds))
        frame = frame.drop(columns=date)
    for number, name in _named().items():
        if name in frame and number in frame:
            pairs = frame[[name, number]].drop_duplicates().dropna(subset=[number])
            if pairs[name].isna().any() or pairs[name].duplicated().any() or header and pairs[number].duplicated().any():
                warn(disagree.format(name, number, name))
            frame = frame.drop(columns=number)
    return frame


def number_ids(frame: pd.DataFrame, mapped: Any) -> tuple[pd.DataFrame, pd.Series | None]:
    """Return a frame with numbers, its rows counted from 1, for job ids that are texts, and these by number, if there are any."""
    frame = _whole(frame)
    given = [mapped[name] for name in ("job_id", "job") if name in mapped] if isinstance(mapped, Mapping) else []
    plain = {re.sub(r"[\W_]", "", str(column)).lower(): column for column in reversed(frame.columns)}
    ids = (given or [plain[name] for name in ("jobid", "job", "jobnumber", "id") if name in plain] or [None])[0]
    if ids not in frame or {"JobIDRaw", "Elapsed", "ElapsedRaw"} & {*frame.columns}:
        return frame, None  # what sacct prints has ids of its own kind
    texts = frame["job"] if "job" in frame else frame[ids]
    if not texts.map(type).eq(str).any() or texts.astype("string").str.fullmatch(r"0|[1-9]\d*").all():
        return frame, None
    frame = frame.drop(columns="job") if ids == "job_id" and "job" in frame else frame.copy()
    if texts.name != ids and pd.api.types.is_numeric_dtype(frame[ids]) and frame[ids].is_unique:
        return frame, pd.Series(texts.array, frame[ids].array)  # as they were numbered before
    frame[ids] = pd.array(range(1, len(frame) + 1), "Int64")
    return frame.drop(columns="preceding_job_id", errors="ignore"), pd.Series(texts.astype("string").array, frame[ids].array)


def number_predictions(predictions: pd.DataFrame, texts: pd.Series | None) -> pd.DataFrame:
    """Return predictions whose job ids are texts with the numbers of these."""
    ids = next((name for name in ("job", "job_id") if name in predictions), None)
    if texts is None or ids is None or not predictions[ids].map(type).eq(str).any():
        return predictions
    numbers = predictions[ids].map(pd.Series(texts.index, texts.array).groupby(level=0).first())
    if numbers.isna().any():
        raise ValueError(f"{numbers.isna().sum()} predictions are for jobs that the log does not have, such as {predictions[ids][numbers.isna()].iloc[0]!r}")
    return predictions.drop(columns=["job", "job_id"], errors="ignore").assign(job_id=numbers.astype("Int64"))


@functools.lru_cache(maxsize=None)
def _types() -> dict[str, set[str]]:
    """Return the types of the columns of results, by name, which the JSON Schemas of results declare."""
    types: dict[str, set[str]] = {}
    parts = [json.loads(file.read_text()) for file in (Path(__file__).parent / "schema").glob("*.json")]
    for part in parts:
        for name, field in part.get("properties", {}).items():
            kinds = field.get("type", [])
            types.setdefault(name, set()).update([kinds] if isinstance(kinds, str) else kinds)
        parts.extend(below for below in part.values() if isinstance(below, dict))
    return types


def result(text: str) -> pd.DataFrame:
    """Return a result's CSV as a frame of string, boolean, Int64 and Float64 columns."""
    frame = pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)
    # The command's CSV has an apostrophe before texts that spreadsheets would compute.
    frame = frame.replace(r"^'(?=[=+\-@\t\r\n])", "", regex=True)
    for name in frame.columns:
        values = frame[name].where(frame[name] != "")
        kinds = (_types().get(name) or _types().get(name.partition("_")[2], set())) - {"null", "array", "object"}
        numbers = pd.to_numeric(values, errors="coerce")
        if "boolean" in kinds and values.dropna().isin(["true", "false"]).all():
            frame[name] = values.map({"true": True, "false": False}).astype("boolean")
        elif kinds == {"string"} or (numbers.isna() & values.notna()).any():
            frame[name] = values.astype("string")
        else:
            whole = "integer" in kinds and (numbers.dropna() % 1 == 0).all()
            frame[name] = numbers.astype("Int64" if whole else "Float64")
    return frame


def jobs(file: Path) -> pd.DataFrame:
    """Return the jobs of a file that the command wrote, with the header in attrs."""
    lines = io.StringIO(execute(["frame", str(file)]))
    head = json.loads(lines.readline())
    stale = {"MaxJobs", "MaxRecords", "EndTime", *(c.get("names") for c in interface()["columns"].values())}  # once jobs are left out
    header: dict[str, str] = {}
    for key, text in head["header"]:
        if text and key not in stale:
            header[key] = f"{header[key]}\n{text}" if key in header else text
    kinds = {name: "Float64" if c["float"] else "Int64" for name, c in interface()["columns"].items()}
    frame = pd.read_csv(lines, float_precision="round_trip")
    frame = frame.astype({name: kinds[name] for name in frame})
    for date in ("submit_time", "eligible_time"):
        if "UnixStartTime" in header and f"{date}_s" in frame:
            # NumPy warns of unknown numbers that become moments.
            after = pd.to_timedelta(frame[f"{date}_s"].dropna().astype("float64"), unit="s").reindex(frame.index)
            frame.insert(frame.columns.get_loc(f"{date}_s") + 1, date, pd.to_datetime(float(str(header["UnixStartTime"]).split()[0]), unit="s", utc=True) + after)
    frame["status"] = pd.Categorical(frame["status"].map(dict(enumerate(STATUS))), STATUS)
    for number, names in head["names"].items():
        if number in frame:
            text = {code: names.get(str(code), str(code)) for code in sorted({*map(int, names), *frame[number].dropna()})}
            values = pd.Categorical(frame[number].map(text), list(dict.fromkeys(text.values())))
            frame.insert(frame.columns.get_loc(number) + 1, number[:-3], values)
    frame.attrs["header"] = header
    return frame
