"""Writes what a function is given as a file for the command."""
from __future__ import annotations

import contextlib
import json
import os
import re
import warnings
from pathlib import Path
from typing import Any, Iterable, Iterator, Mapping, Optional, Tuple

import numpy as np
import pandas as pd

from . import _tables
from ._command import Error, Warning, execute, flags, warn
from ._fit import Fit
from ._types import JOBS, JOBS_ALWAYS, JOBS_WHOLE, NAMED, STATUS


def file(source: Any, folder: Path, reading: Mapping[str, Any] = {}) -> Any:
    """Return the file of a frame or a model, which it writes into the folder, else the source.

    Reading has the options that say how the columns of a frame are read.
    """
    if isinstance(source, Fit):
        source = source.model
    number = len({p.stem for p in folder.iterdir()})
    path = folder / (f"DataFrame-{number}" if number else "DataFrame")
    if isinstance(source, pd.DataFrame):
        with quietly(reading):
            return _frame(whole(source), path, reading)
    if isinstance(source, dict) and "schema" in source:
        path = folder / f"model-{number}.json"
        path.write_text(json.dumps(source))
        return path
    return source  # a path, a name or a flag's value


def log(source: Any, folder: Path, reading: Mapping[str, Any] = {}) -> Any:
    """Return the file of a log or a model, which is a path, a frame, a dict or a fit."""
    if isinstance(source, dict):
        model(source)
    elif not isinstance(source, (str, os.PathLike, pd.DataFrame, Fit)):
        raise TypeError(f"saw a {type(source).__name__}, want a DataFrame with a row for each job, or the path of a log")
    return file(source, folder, reading)


def model(source: dict[str, Any]) -> dict[str, Any]:
    """Return a dict if it is a model, else raise ValueError."""
    if "schema" not in source:
        raise ValueError(f"saw a dict with the keys {', '.join(map(repr, source)) or 'none'}, want a model, which has the key 'schema'; columns of jobs are a log as pandas.DataFrame(...)")
    return source


def whole(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with its named indexes as columns, and without sparse columns."""
    if any(name is not None for name in frame.index.names):
        unnamed = [i for i, name in enumerate(frame.index.names) if name is None or name in frame]
        index = frame.index.droplevel(unnamed) if len(unnamed) < frame.index.nlevels else None
        attrs, frame = frame.attrs, frame.reset_index(drop=True)
        if index is not None:
            frame = pd.concat([index.to_frame(index=False), frame], axis=1)
        frame.attrs = attrs
    for name, kind in frame.dtypes.items():
        if isinstance(kind, pd.SparseDtype):
            frame = frame.assign(**{str(name): frame[name].sparse.to_dense()})
    if not len(frame.columns):
        raise ValueError("the frame has no columns, want a row for each job")
    return frame


def own_zone(frame: pd.DataFrame) -> Optional[str]:
    """Return the name of the time zone that the moments of a frame of the user's own have, unless it is UTC."""
    zones = {str(getattr(kind.tz, "key", None) or getattr(kind.tz, "zone", None)) for kind in frame.dtypes if isinstance(kind, pd.DatetimeTZDtype)}
    zone = zones.pop() if len(zones) == 1 and "header" not in frame.attrs else "None"
    return None if zone in ("None", "UTC", "Etc/UTC") else zone


def common_zone(sources: Iterable[Any]) -> Optional[str]:
    """Return the time zone of the frames among sources, if there are no logs of other zones or of unknown ones."""
    zones = {own_zone(whole(source)) if isinstance(source, pd.DataFrame) else None for source in sources
             if isinstance(source, pd.DataFrame) and "predicted_s" not in source or isinstance(source, (str, os.PathLike)) and os.path.isfile(source)}
    return zones.pop() if len(zones) == 1 else None


def number_ids(frame: pd.DataFrame, reading: Mapping[str, Any]) -> Tuple[pd.DataFrame, Optional[pd.Series]]:
    """Return a frame with numbers for job ids that are texts, and the texts by number, if there are any.

    The numbers are those that the command gives: the row, counted from 1.
    """
    with quietly(reading):
        frame = whole(frame)
        column = _column(frame, ("job_id", "job", "job_number", "id"), reading)
        preceding = _column(frame, ("preceding_job_id", "preceding_job"), reading)
        rows = pd.array(range(1, len(frame) + 1), "Int64")
        if column is None or frame.columns.duplicated().any() or _is_sacct(frame, reading):
            return frame, None
        if column == "job_id" and "job" in frame and pd.api.types.is_string_dtype(frame["job"]) and not _are_texts(frame[column]):
            known = frame[["job_id", "job"]].drop_duplicates()
            texts = pd.Series(frame["job"].array, frame["job_id"].array)
            if known["job_id"].duplicated().any() and _is_job_table(frame):
                warn("job_id repeats for other texts in job, as in a frame of two logs: the jobs are numbered again, by row")
                texts = pd.Series(texts.where(texts.notna().array, frame["job_id"].astype("string").array).array, rows)
                frame = _without(frame.assign(job_id=rows), preceding, pd.Series(False, frame.index))
            return frame, texts[~texts.index.duplicated()]
        if not _are_texts(frame[column]):
            if preceding is not None and not pd.api.types.is_numeric_dtype(frame[preceding]):
                frame = _without(frame, preceding, pd.to_numeric(frame[preceding], errors="coerce").notna())
            return frame, None
        ids = [_id(x) for x in frame[column]]
        named = [i for i, x in enumerate(ids) if x and not _NUMBER.fullmatch(x)] or [0]
        times = "once" if len(named) == 1 else f"{len(named)} times, first"
        warn(f'{column}: job ids are texts: the jobs are numbered by row; {times} in row {named[0]}: "{ids[named[0]]}"')
        texts = pd.Series([x or None for x in ids], rows, "string")
        frame = frame.drop(columns="job") if column != "job" and "job" in frame else frame
        frame = _put(frame, column, rows)
        if "header" in frame.attrs and column == "job":
            frame = frame.rename(columns={"job": "job_id"})
        if preceding is not None:
            numbers = pd.Series(rows, ids)
            found = frame[preceding].map(_id).map(numbers[~numbers.index.duplicated() & (numbers.index != "")])
            frame = _put(_without(frame, preceding, found.notna()), preceding, found.astype("Int64"))
        return frame, texts


# Texts that are numbers as the command writes them.
_NUMBER = re.compile(r"0|-?[1-9]\d{0,17}")


def _id(value: Any) -> str:
    """Return a job id as a text, empty if it is unknown."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = "" if pd.isna(value) else str(value).strip()
    return "" if text.lower() in ("na", "n/a", "nan", "null", "none", "unknown", "-", "\\n", "<na>") else text


def _is_sacct(frame: pd.DataFrame, reading: Mapping[str, Any]) -> bool:
    """Tell whether a frame is what Slurm's sacct prints, whose job ids and steps the command reads."""
    columns = set(frame.columns)
    return not reading.get("map") and bool(columns & {"JobID", "JobIDRaw"}) and bool(columns & {"Submit", "Start", "End", "Elapsed", "ElapsedRaw"})


def _are_texts(ids: pd.Series) -> bool:
    """Tell whether job ids are texts: one is no number or begins with 0, or two have the same number."""
    if pd.api.types.is_numeric_dtype(ids) or not any(isinstance(x, str) for x in ids):
        return False
    texts = {_id(x) for x in ids} - {""}
    numbers = {re.sub(r"\.0+$", "", x) for x in texts}
    return len(numbers) < len(texts) or not all(_NUMBER.fullmatch(x) for x in numbers)


def _column(frame: pd.DataFrame, names: Iterable[str], reading: Mapping[str, Any]) -> Any:
    """Return the name of the first column that the command finds by one of the names, or that map= names for one."""
    def plain(name: Any) -> str:
        return re.sub(r"[\W_]", "", str(name)).lower()
    given = reading.get("map")
    mapped = [given[name] for name in names if name in given] if isinstance(given, Mapping) else []
    columns = {plain(column): column for column in reversed(frame.columns)}
    return next((columns[plain(name)] for name in mapped or names if plain(name) in columns), None)


def _without(frame: pd.DataFrame, preceding: Any, found: pd.Series) -> pd.DataFrame:
    """Return a frame whose preceding jobs are unknown where they were not found, with a warning."""
    if preceding is None:
        return frame
    unknown = ~found & frame[preceding].map(_id).ne("")
    lost = frame.loc[unknown, preceding]
    if len(lost):
        what = "1 preceding job is" if len(lost) == 1 else f"{len(lost)} preceding jobs are"
        warn(f"{preceding}: {what} not known by the ids of the jobs, such as {lost.iloc[0]!r}: left unknown")
        frame = _put(frame, preceding, frame[preceding].mask(unknown))
    return frame


def _put(frame: pd.DataFrame, column: Any, values: Any) -> pd.DataFrame:
    """Return a frame with other values in a column, whose name need not be a text."""
    frame = frame.copy()
    frame[column] = values
    return frame


def keep_ids(jobs: pd.DataFrame, texts: pd.Series) -> None:
    """Put the texts that a frame has as job ids after their numbers."""
    jobs.insert(jobs.columns.get_loc("job_id") + 1, "job", jobs["job_id"].map(texts).astype("string"))


def numbered(log: Any, predictions: Any, reading: Mapping[str, Any]) -> Any:
    """Return predictions whose job ids are texts with the numbers that the jobs of a frame have."""
    if not (isinstance(log, pd.DataFrame) and isinstance(predictions, pd.DataFrame)):
        return predictions
    predictions = whole(predictions)
    column = _column(predictions, ("job_id", "job", "job_number", "id"), {})
    column = "job" if "job" in predictions and not any(isinstance(x, str) for x in predictions[column]) else column
    _, texts = number_ids(log, {**reading, "quiet": True})
    if column is None or texts is None or not any(isinstance(x, str) for x in predictions[column]):
        return predictions
    ids = predictions[column].map(_id)
    numbers = pd.Series(texts.index, texts.array)
    found = ids.map(numbers[~numbers.index.duplicated()])
    if found.isna().any():
        lost = ids[found.isna()]
        raise ValueError(f"{len(lost)} predictions are for jobs that the log does not have, such as {lost.iloc[0]!r}")
    return predictions.drop(columns=[column, "job_id"], errors="ignore").assign(job_id=found.astype("Int64"))


@contextlib.contextmanager
def quietly(reading: Mapping[str, Any]) -> Iterator[None]:
    """Ignore warnings about frames if quiet= is given."""
    with warnings.catch_warnings():
        if reading.get("quiet"):
            warnings.simplefilter("ignore", Warning)
        yield


def _frame(frame: pd.DataFrame, path: Path, reading: Mapping[str, Any]) -> Path:
    csv = path.with_suffix(".csv")
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        raise ValueError(f"the frame has two columns {twice[0]!r}: rename or drop one")
    if "predicted_s" in frame:  # predictions are no jobs
        _plain(frame).to_csv(csv, index=False)
        return csv
    frame = _named(number_ids(frame, reading)[0])
    if "header" not in frame.attrs:
        _check_starts(frame)
        _plain(frame.drop(columns=_computed(frame))).to_csv(csv, index=False)
        zone = None if reading.get("timezone") else own_zone(frame)
        if zone is None:
            return csv
        out = path.with_suffix(".arrows")  # beside logs of other zones
        execute(["convert", str(csv), f"--output={out}", f"--timezone={zone}", *flags(reading)], path.parent)
        return out
    frame = _agreed(_dated(frame, path, reading), reading)
    undated = any(date in frame and f"{date}_s" not in frame for date in ("submit_time", "eligible_time"))  # the header has no start
    if undated or reading.get("map") or not _is_job_table(frame):
        frame = _read(frame, path, reading)
    return _job_table(frame, path)


def _is_job_table(frame: pd.DataFrame) -> bool:
    """Tell whether the columns of a frame that was read here still are those of the job table.

    Columns may have been left out or added, but not both: one of them may be renamed.
    """
    known = {*JOBS, "job", *(name[:-3] for name in NAMED.values()), "submit_time", "eligible_time"}
    if not known.issuperset(frame.columns) and not frame.columns.isin(JOBS_ALWAYS).sum() == len(JOBS_ALWAYS):
        return False
    return not any((frame[name].dropna() % 1 != 0).any() for name in JOBS_WHOLE if name in frame and pd.api.types.is_float_dtype(frame[name]))


def _zone(frame: pd.DataFrame, reading: Mapping[str, Any]) -> Optional[str]:
    """Return the time zone of local times in a frame that was read here."""
    if reading.get("timezone"):
        return str(reading["timezone"])
    try:
        zone = str(frame.attrs["header"]["TimeZoneString"])
        pd.Timestamp(0, tz=zone)
    except (LookupError, ValueError):  # none, or none that is known
        return None
    return zone


def _dated(frame: pd.DataFrame, path: Path, reading: Mapping[str, Any]) -> pd.DataFrame:
    """Return a frame whose submissions are moments, which the command reads from what else they are, such as texts."""
    start, zone = frame.attrs["header"].get("UnixStartTime"), _zone(frame, reading)
    csv, out = path.with_suffix(".csv"), path.with_suffix(".dates.arrows")
    known = [f"--timezone={zone}", "--quiet"] if zone else ["--quiet"] if reading.get("quiet") else []
    for date in ("submit_time", "eligible_time") if start is not None else []:
        if date not in frame or date in _dates(frame):
            continue
        rows = pd.DataFrame({"job_id": range(1, len(frame) + 1), "submit_time": frame[date].array})
        _plain(rows).to_csv(csv, index=False)
        try:
            execute(["convert", str(csv), f"--output={out}", *known], path.parent)
        except Error as e:
            if f"{date}_s" not in frame:
                raise Error(str(e).replace("submit_time (submit_time_s)", date), e.code, e.output) from None
            warn(f"{date} and {date}_s disagree: {date}_s is read. Change {date}_s, or drop it to have {date} read")
            frame = frame.drop(columns=date)
            continue
        jobs = _tables.jobs(out)
        if "submit_time" not in jobs:  # seconds since the log's start
            after = pd.to_timedelta(jobs["submit_time_s"].dropna().astype("float64"), unit="s").reindex(jobs.index)
            jobs["submit_time"] = pd.Timestamp(float(start), unit="s", tz="UTC") + after
        frame = frame.assign(**{date: jobs["submit_time"].array})
    return frame


def _dates(frame: pd.DataFrame) -> list[str]:
    return [name for name in ("submit_time", "eligible_time") if name in frame and pd.api.types.is_datetime64_any_dtype(frame[name])]


def _computed(frame: pd.DataFrame) -> list[str]:
    """Return the columns of a frame that others say more than: those of a date's seconds, of a name's number."""
    computed = [f"{date}_s" for date in _dates(frame) if f"{date}_s" in frame]
    computed += ["job"] if "job" in frame and "job_id" in frame else []
    return computed + [number for number in NAMED.values() if number in frame and number[:-3] in frame]


def _check_starts(frame: pd.DataFrame) -> None:
    """Warn of a frame that has lost its clock if its dates and seconds have no single start, as of two logs."""
    for date in _dates(frame):
        if f"{date}_s" in frame:
            start = frame[date] - pd.to_timedelta(pd.to_numeric(frame[f"{date}_s"]).astype("float64"), unit="s")
            if (start - start.min()).abs().max() > pd.Timedelta("1ms"):
                warn(f"{date} and {date}_s do not count from one start, as in a frame of two logs: {date} is read")


def _read(frame: pd.DataFrame, path: Path, reading: Mapping[str, Any]) -> pd.DataFrame:
    """Read a frame as one of the user's own, and return it with the header that it had."""
    dates = [date for date in _dates(frame) if f"{date}_s" in frame]  # the header has the clock
    csv, out = path.with_suffix(".csv"), path.with_suffix(".read.arrows")
    _plain(frame.drop(columns=[name for name in _computed(frame) if name[:-2] not in dates] + dates)).to_csv(csv, index=False)
    execute(["convert", str(csv), f"--output={out}", *flags({**reading, "timezone": _zone(frame, reading)})], path.parent)
    jobs = _tables.jobs(out)
    jobs.attrs["header"] = {**frame.attrs["header"], **jobs.attrs["header"]}
    return jobs


def _job_table(frame: pd.DataFrame, path: Path) -> Path:
    """Write a job table with its header, so that the machine's size and the clock stay known."""
    csv, out = path.with_suffix(".csv"), path.with_suffix(".arrows")
    columns: dict[str, Any] = {}
    for name in frame.columns:
        if name == "status" and frame[name].dtype == "category":
            columns[name] = {"column": name, "values": {word: word for word in STATUS}}
        elif name in ("submit_time_s", "eligible_time_s"):
            columns[name] = {"column": name, "form": "relative"}
        elif name in NAMED.values():
            if name[:-3] not in frame:
                columns[name] = {"column": name, "form": "number"}
        elif f"{name}_id" in NAMED.values():
            columns[f"{name}_id"] = {"column": name, "form": "name"}
        elif name in JOBS:
            columns[name] = name
    # In another order than the command's own, since its own tables take no mapping.
    kept = [c if isinstance(c, str) else c["column"] for c in reversed(columns.values())]
    _plain(frame[kept]).to_csv(csv, index=False)
    mapping = path.with_suffix(".json")
    header = {key: str(value) for key, value in frame.attrs["header"].items()}
    mapping.write_text(json.dumps({"schema": "loadstone.mapping/1", "name": "DataFrame", "header": header, "columns": columns}))
    try:
        execute(["convert", str(csv), "--quiet", f"--map={mapping}", f"--output={out}"], path.parent)
    except Error as e:
        said = re.sub(rf"^map: {re.escape(mapping.name)}:\d+: header\.", f'{path.name}: attrs["header"]: ', str(e))
        raise Error(said, e.code, e.output) from None
    return out


def _agreed(frame: pd.DataFrame, reading: Mapping[str, Any]) -> pd.DataFrame:
    """Return a frame with seconds for the moments that it has alone; warn where both disagree."""
    start = frame.attrs["header"].get("UnixStartTime")
    for date in _dates(frame) if start is not None else []:
        name, moments = f"{date}_s", frame[date]
        if moments.dt.tz is None:
            zone = _zone(frame, reading) or "UTC"
            if name not in frame:
                warn(f"{date} has no time zone: its times are read as those of {zone}. Name their zone by .dt.tz_localize(...)")
            moments = moments.dt.tz_localize(zone, ambiguous=np.ones(len(frame), bool), nonexistent="shift_forward")
        seconds = (moments - pd.Timestamp(float(start), unit="s", tz="UTC")).dt.total_seconds()
        if name not in frame:
            frame = frame.assign(**{name: seconds})
            continue
        read = frame[name].astype("float64")
        wrong = int(((seconds - read).abs().gt(0.001) | (seconds.isna() != read.isna())).sum())
        if wrong:
            warn(f"{date} and {name} disagree in {wrong} rows: {name} is read. Change {name}, or drop it to have {date} read")
    return frame


def _named(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with a name wherever there is a number; warn where they disagree: names are read."""
    read_here = "header" in frame.attrs
    for number in NAMED.values():
        name = number[:-3]
        if read_here and number in frame and name not in frame and _is_text(frame[number]):
            frame = frame.rename(columns={number: name})
        if number not in frame or name not in frame:
            continue
        lacks = (frame[name].isna() | frame[name].eq("")) & frame[number].notna()
        if lacks.any():
            warn(f"{name} is empty in {lacks.sum()} {'row' if lacks.sum() == 1 else 'rows'} whose {number} is known: the number is read as its name")
            numbers = [str(int(x)) if isinstance(x, float) and x.is_integer() else str(x) for x in frame.loc[lacks, number]]
            names = frame[name].astype(object)
            names[lacks] = numbers
            frame = frame.assign(**{name: names})
        pairs = frame[[number, name]].drop_duplicates().dropna()
        # Numbers are those of each log, in a frame of two.
        if pairs[name].duplicated().any() or read_here and pairs[number].duplicated().any():
            several = pairs.loc[pairs[name].duplicated(), name]
            which = f", although {several.iloc[0]!r} stands for {(pairs[name] == several.iloc[0]).sum()} numbers" if len(several) else ""
            warn(f"{name} and {number} disagree: {name} is read{which}. Change {name}, or drop it to have {number} read")
    return frame


def _is_text(values: pd.Series) -> bool:
    """Tell whether a column has texts that are no numbers."""
    texts = [x for x in values if isinstance(x, str)]
    return bool(texts) and bool(pd.to_numeric(pd.Series(texts), errors="coerce").isna().any())


def _plain(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame whose moments and lengths of time are written as the command reads them."""
    frame = frame.copy()
    for name in frame.columns:
        values = frame[name]
        if pd.api.types.is_datetime64_any_dtype(values):
            zone = "" if values.dt.tz is None else "Z"
            moments = values if values.dt.tz is None else values.dt.tz_convert("UTC")
            frame[name] = moments.dt.strftime("%Y-%m-%dT%H:%M:%S.%f" + zone)
        elif pd.api.types.is_timedelta64_dtype(values):
            seconds = values.dt.total_seconds()
            frame[name] = seconds.map(_clock) if _is_sacct(frame, {}) else seconds
        elif pd.api.types.is_bool_dtype(values):
            frame[name] = values.astype("Int64")
    return frame


def _clock(seconds: float) -> str:
    """Return a length of time as Slurm prints it, empty if it is unknown."""
    if pd.isna(seconds):
        return ""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 1440}-{minutes // 60 % 24:02}:{minutes % 60:02}:{rest:02}"
