"""Loadstone in Python: job logs of batch machines, models and predictors, as pandas frames.

Every function runs the command ``loadstone``, which this package carries; nothing is
computed in Python. A log is a path, in any format that the command reads, or a DataFrame.
Keyword arguments are the command's flags: ``wait_from="eligible"`` is ``--wait-from
eligible``, a list is joined by commas, ``True`` is a flag without a value, and a trailing
underscore is dropped (``as_="eagle"``).
"""
from __future__ import annotations

import importlib.metadata as _metadata
import json as _json
import os
from typing import Any, Optional, Union

import pandas as pd

from . import _tables
from ._calls import Input, Log, Model, fit as _fit, json, jobs as _jobs, run, table
from ._command import Error, Warning, executable
from ._fit import Fit
from ._inputs import model as _model, numbered as _numbered

__all__ = ["Error", "Fit", "Warning", "anonymise", "clean", "compare", "convert", "describe", "executable", "fit", "generate",
           "json", "lifetimes", "model", "models", "predict", "read", "report", "run", "runtime", "score", "simulate",
           "table", "validate", "wait"]

for _name in (Error, Fit, Warning):
    _name.__module__ = __name__  # where users find them


def __getattr__(name: str) -> str:
    if name == "__version__":
        return _metadata.version(__name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def read(log: Log, **options: Any) -> pd.DataFrame:
    """Read a log of any format as a job table.

    Numbers are nullable ``Int64`` and ``Float64``; ``submit_time`` is a moment in UTC where
    the log says when it starts; ``status`` is categorical; and where numbers have names,
    ``queue`` stands after ``queue_id``. Columns that end in ``_s`` are seconds:
    ``submit_time_s`` and ``eligible_time_s`` since the log's start, the others lengths of time.
    ``attrs["header"]`` has the header; the lines of one keyword are joined by newlines.

    Options: ``timezone`` of local times; ``map``, columns by other names, as
    ``{"run_time": "Elapsed"}``; ``as_``, a format that the name does not tell.

    In a frame of your own, numbers in columns of times are seconds; dates and ``Timedelta``
    have their own unit. Job ids that are texts come back as ``job``, after the numbers that
    the jobs get, ``job_id``: the row, counted from 1.

    >>> jobs = read("log.swf")
    >>> str(jobs["run_time_s"].dtype), str(jobs["submit_time"].dtype)
    ('Float64', 'datetime64[ns, UTC]')
    """
    return _jobs("convert", [log], options)


def convert(log: Log, output: Union[str, "os.PathLike[str]"], **options: Any) -> None:
    """Write a log to a file of the format that its extension names.

    A log that is given to many functions is read fastest as Parquet.

    >>> convert("log.swf", "log.parquet")
    """
    run("convert", log, output=output, **options)


def clean(log: Log, filter: Union[str, list[str]], **options: Any) -> pd.DataFrame:
    """Return the jobs of a log without those that match the filters, which apply in turn.

    >>> jobs = read("log.swf")
    >>> len(clean(jobs, ["run<60", "keep hour=9"])) < len(jobs)
    True
    """
    return _jobs("clean", [log], {"filter": filter, **options})


def anonymise(log: Log, **options: Any) -> pd.DataFrame:
    """Return the jobs of a log with numbers from a keyed hash for users, groups, queues and other names.

    ``key`` is the name of a file with the key, and ``key_env`` that of an environment variable.
    Without them the key is random and is not kept. Job ids that are texts are dropped.

    >>> anonymise("log.swf")["user_id"].nunique() == read("log.swf")["user_id"].nunique()
    True
    """
    return _jobs("anonymise", [log], options)


def describe(log: Log, **options: Any) -> pd.DataFrame:
    """Summarise a log: a row for each column, class (``by``) or row of a ``section``.

    The column ``unit`` has the unit of each row's numbers; elsewhere, ``_s`` in a name is seconds.

    >>> describe("log.swf").set_index("column").loc["run_time_s", "known"]
    5000
    """
    return table("describe", log, **{} if options.keys() & {"by", "section"} else {"section": "columns"}, **options)


def validate(log: Log, **options: Any) -> pd.DataFrame:
    """List the first faults and oddities of each rule in a log, with their ``line`` in a file.

    ``first`` says how many, by default 3; ``json("validate", log)`` counts all of them.
    ``row`` counts from 1 in a file, and from 0 in a frame, as ``iloc`` does.

    >>> validate("log.swf")["rule"].unique().tolist()
    ['wait-unknown']
    """
    try:
        faults = table("validate", log, **options)
    except Error as e:  # the exit code of a log with faults
        if not e.output:
            raise
        faults = _tables.result(e.output)
    if isinstance(log, pd.DataFrame):
        faults["row"] -= 1
        faults["line"] = pd.array([pd.NA] * len(faults), "Int64")
    return faults


def fit(log: Log, **options: Any) -> Fit:
    """Fit a model of a site, and distributions, to a log.

    ``model`` is the model that ``loadstone fit LOG -o FILE`` writes with the same flags: one
    of the site's users, or, with a flag about distributions or ``form="lublin2003"``, the
    model of Lublin and Feitelson. ``report`` and ``fits`` have the fitted distributions.

    >>> site = fit("log.swf")
    >>> site.model["schema"], site.fits["family"][0]
    ('loadstone.population/1', 'hyper-gamma')
    >>> fit("log.swf", family=["gamma", "hyper-gamma"])
    <loadstone.Fit: loadstone.model/1 of log, 2 fitted distributions>
    >>> len(generate(site, days=7, seed=1)) > 0
    True
    """
    return _fit(log, options)


def generate(model: Optional[Model] = None, **options: Any) -> pd.DataFrame:
    """Generate jobs from a model: a published one by name, a file, its dict, or a fit.

    Without a model, ``like=log`` resamples the users of a log.

    >>> jobs = generate("lublin1999", jobs=1000, seed=7)
    >>> len(jobs), jobs["queue"].cat.categories.tolist()
    (1000, ['interactive', 'batch'])
    """
    if isinstance(model, pd.DataFrame):
        raise TypeError("saw a DataFrame, want a model: fit one by loadstone.fit(jobs), or resample the users of these jobs by like=jobs")
    if isinstance(model, dict):
        _model(model)
    return _jobs("generate", [], {"model": model, **options})


def simulate(log: Log, **options: Any) -> pd.DataFrame:
    """Schedule a log: its jobs with simulated waits, and the measures in ``attrs["result"]``.

    The rows are in order of submission, and jobs that cannot be simulated are left out, so
    join them with other tables by ``job_id``.

    >>> jobs = simulate("log.swf", policy="easy", estimates="perfect")
    >>> measures = jobs.attrs["result"]["schedule"]
    >>> abs(jobs["wait_time_s"].mean() / measures["wait_s"]["mean"] - 1) < 1e-9
    True
    """
    return _jobs("simulate", [log], options, "--format=json")


def compare(a: Input, *others: Input, **options: Any) -> pd.DataFrame:
    """Compare logs, models and published models, in the units that the names of attributes end in.

    >>> compare("log.swf", "lublin1999")["attribute"].tolist()
    ['run_time_s', 'size_processors', 'work_processor_s', 'interarrival_s']
    """
    return table("compare", a, *others, **options)


def runtime(*logs: Log, **options: Any) -> pd.DataFrame:
    """Score predictors of run time. Columns that end in ``_s`` are seconds.

    >>> scores = runtime("log.swf", classes=["all"], predictors=["last2", "sm"])
    >>> scores[["classes", "predictor", "jobs"]].values.tolist()
    [['all', 'last2', 5000], ['all', 'sm', 5000]]
    """
    return _scores("runtime", *logs, **options)


def _scores(command: str, *inputs: Log, **options: Any) -> pd.DataFrame:
    if options.get("by"):
        of_waits = command == "predict" or options.get("of") == "wait"
        raise TypeError(f'by: a frame has no scores of parts; {"each of the scores of " if of_waits else ""}'
                        f'loadstone.json("{command}", ..., by=...) has them under "parts"')
    return table(command, *inputs, **options)


def score(log: Log, predictions: Log, **options: Any) -> pd.DataFrame:
    """Score predictions of run time, or of queue wait (``of="wait"``), made elsewhere.

    ``predictions`` has the columns ``job_id`` and ``predicted_s``, in seconds, and for a bound
    its ``quantile``. The result has the columns of ``runtime`` or of ``predict``.

    >>> jobs = read("log.swf")
    >>> score(jobs, jobs[["job_id"]].assign(predicted_s=100.0))["predicted"].tolist()
    [5000]
    """
    return _scores("score", log, _numbered(log, predictions, options), **options)


def predict(*logs: Log, **options: Any) -> pd.DataFrame:
    """Score predictors of queue wait. Columns that end in ``_min`` are minutes.

    ``coverage`` of a bound is the share of its ``predicted`` jobs that waited no longer; that of
    other predictors is ``predicted`` over ``jobs``, so that jobs without a prediction lower it.

    >>> predict(simulate("log.swf"), predictors=["bmbp"])["predictor"].tolist()
    ['bmbp']
    """
    return _scores("predict", *logs, **options)


def wait(state: Log, *history: Log, size: Any, **options: Any) -> pd.DataFrame:
    """Predict the wait of a request of ``size`` processors on the machine of a state.

    ``expected_s`` and ``bound_s`` are in seconds, ``history_pinball_loss_min`` and
    ``similar_pinball_loss_min`` in minutes; ``at`` is a date or seconds since the log's start.

    >>> jobs = simulate("log.swf")
    >>> wait(jobs, at=500000, size=[1, 8], predictors=["simulated"])["processors"].unique().tolist()
    [1, 8]
    """
    return table("wait", state, *history, size=size, **options)


def lifetimes(log: Log, by: Any, **options: Any) -> pd.DataFrame:
    """Fit run times by class, and tell how much longer jobs of an age run, in seconds.

    >>> lifetimes("log.swf", by=["queue_id"])["class"].unique().tolist()
    ['queue_id=0', 'queue_id=1']
    """
    return table("lifetimes", log, by=by, **options)


def report(log: Log, output: Union[str, "os.PathLike[str]"], **options: Any) -> None:
    """Write a report of a log as one HTML file.

    >>> report("log.swf", output="report.html", without=["runtime", "predict", "twins"])
    """
    run("report", log, output=output, **options)


def models() -> pd.DataFrame:
    """List the published models.

    >>> models()["name"].tolist()[:2]
    ['lublin1999', 'lublin1999-batch']
    """
    return table("models list")


def model(name: str) -> dict[str, Any]:
    """Return a published model, to edit.

    >>> model("lublin2003")["processors"]
    128
    """
    return _json.loads(run("models show", name))
