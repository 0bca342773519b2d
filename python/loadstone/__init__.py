"""Loadstone in Python: job logs of batch machines, models and predictors, as pandas frames.

Every function runs the command ``loadstone``, which this package carries; nothing is
computed in Python. A log is a path, in any format that the command reads, or a DataFrame.
Keyword arguments are the command's flags: ``wait_from="eligible"`` is ``--wait-from
eligible``, a list is joined by commas, ``True`` is a flag without a value, and a trailing
underscore is dropped (``as_="eagle"``).
"""
from __future__ import annotations

import json as _json
import os
from typing import Any, Optional, Union

import pandas as pd

from . import _tables
from ._calls import Input, Log, Model, fit as _fit, json, jobs as _jobs, run, table
from ._command import Error, Warning, executable
from ._fit import Fit
from ._inputs import model as _model

__all__ = ["Error", "Fit", "Warning", "compare", "convert", "describe", "executable", "fit", "generate", "json",
           "lifetimes", "model", "models", "predict", "read", "run", "runtime", "score", "simulate", "table", "validate", "wait"]

for _name in (Error, Fit, Warning):
    _name.__module__ = __name__  # where users find them


def read(log: Log, **options: Any) -> pd.DataFrame:
    """Read a log of any format as a job table.

    Numbers are nullable ``Int64`` and ``Float64``; ``submit_time`` is a moment in UTC where
    the log says when it starts; ``status`` is categorical; and where numbers have names,
    ``queue`` stands after ``queue_id``. ``attrs["header"]`` has the lines of the header.

    >>> jobs = read("log.swf")
    >>> str(jobs["run_time_s"].dtype), str(jobs["submit_time"].dtype)
    ('Float64', 'datetime64[ns, UTC]')
    """
    return _jobs("convert", [log], options)


def convert(log: Log, output: Union[str, "os.PathLike[str]"], **options: Any) -> None:
    """Write a log to a file of the format that its extension names.

    >>> convert("log.swf", "log.parquet")
    """
    run("convert", log, output=output, **options)


def describe(log: Log, **options: Any) -> pd.DataFrame:
    """Summarise a log: a row for each column, class (``by``) or row of a ``section``.

    >>> describe("log.swf").set_index("column").loc["run_time_s", "known"]
    5000
    """
    return table("describe", log, **{} if options.keys() & {"by", "section"} else {"section": "columns"}, **options)


def validate(log: Log, **options: Any) -> pd.DataFrame:
    """List the faults and oddities of a log, with their lines.

    >>> validate("log.swf")["rule"].unique().tolist()
    ['wait-unknown']
    """
    try:
        return table("validate", log, **options)
    except Error as e:  # the exit code of a log with faults
        if not e.output:
            raise
        return _tables.result(e.output)


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
    """Compare logs, models and published models.

    >>> compare("log.swf", "lublin1999")["attribute"].tolist()
    ['run_time_s', 'size_processors', 'work_processor_s', 'interarrival_s']
    """
    return table("compare", a, *others, **options)


def runtime(*logs: Log, **options: Any) -> pd.DataFrame:
    """Score predictors of run time.

    >>> scores = runtime("log.swf", classes=["all"], predictors=["last2", "sm"])
    >>> scores[["classes", "predictor", "jobs"]].values.tolist()
    [['all', 'last2', 5000], ['all', 'sm', 5000]]
    """
    if options.get("by"):
        raise TypeError('by: a frame has no scores of parts; loadstone.json("runtime", log, by=...)["parts"] has them')
    return table("runtime", *logs, **options)


def score(log: Log, predictions: Log, **options: Any) -> pd.DataFrame:
    """Score predictions of run time, or of queue wait (``of="wait"``), made elsewhere.

    ``predictions`` has the columns ``job_id`` and ``predicted_s``.

    >>> jobs = read("log.swf")
    >>> score(jobs, jobs[["job_id"]].assign(predicted_s=100.0))["predicted"].tolist()
    [5000]
    """
    return table("score", log, predictions, **options)


def predict(*logs: Log, **options: Any) -> pd.DataFrame:
    """Score predictors of queue wait.

    >>> predict(simulate("log.swf"), predictors=["bmbp"])["predictor"].tolist()
    ['bmbp']
    """
    return table("predict", *logs, **options)


def wait(state: Log, *history: Log, size: Any, **options: Any) -> pd.DataFrame:
    """Predict the wait of a request of ``size`` processors on the machine of a state.

    >>> jobs = simulate("log.swf")
    >>> wait(jobs, at=500000, size=[1, 8], predictors=["simulated"])["processors"].unique().tolist()
    [1, 8]
    """
    return table("wait", state, *history, size=size, **options)


def lifetimes(log: Log, by: Any, **options: Any) -> pd.DataFrame:
    """Fit run times by class, and tell how much longer jobs of an age run.

    >>> lifetimes("log.swf", by=["queue_id"])["class"].unique().tolist()
    ['queue_id=0', 'queue_id=1']
    """
    return table("lifetimes", log, by=by, **options)


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
