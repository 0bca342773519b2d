# Made by python/stubs.py. Do not edit.
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
def allocate(*arguments: Any, days: int = ..., load: Union[float, timedelta] = ..., output: Text = ..., per_job: Text = ..., plot_format: Text = ..., plots: Text = ..., procs: int = ..., seed: int = ..., seeds: int = ..., sigma: Union[float, timedelta] = ..., strategies: Text = ..., as_: Text = ..., map: Text = ..., quiet: bool = ..., timezone: Text = ...) -> pd.DataFrame:
    """Study malleable jobs that choose their size by predicted wait: ``loadstone allocate [LOG]``."""
def anonymise(*arguments: Any, drop_site: bool = ..., key: Text = ..., mapping: Text = ..., output: Text = ..., as_: Text = ..., map: Text = ..., quiet: bool = ..., timezone: Text = ...) -> pd.DataFrame:
    """Replace the names in a log with numbers: ``loadstone anonymise LOG [--key FILE] [-o OUT]``."""
def capacity(*arguments: Any, beyond: Text = ..., by: Text = ..., checkpoint: Text = ..., machine: Text = ..., most_jobs: int = ..., output: Text = ..., plot_format: Text = ..., plots: Text = ..., policies: Text = ..., price: Union[float, timedelta] = ..., procs: int = ..., seed: int = ..., strict: bool = ..., target: Text = ..., twins: int = ..., vary: Text = ..., wait_from: Text = ..., as_: Text = ..., map: Text = ..., quiet: bool = ..., timezone: Text = ...) -> pd.DataFrame:
    """Find the smallest machine that meets a target of waits: ``loadstone capacity LOG --target TARGET``."""
def clean(*arguments: Any, filter: Text = ..., list: bool = ..., output: Text = ..., removed: Text = ..., as_: Text = ..., map: Text = ..., quiet: bool = ..., timezone: Text = ...) -> pd.DataFrame:
    """Remove jobs from a log and record why: ``loadstone clean LOG --filter FILTER... [-o OUT]``."""
def compare(*arguments: Any, estimates: Text = ..., feedback: bool = ..., jobs: int = ..., like: bool = ..., output: Text = ..., plot_format: Text = ..., plots: Text = ..., procs: int = ..., require: Text = ..., schedule: Text = ..., section: Text = ..., seed: int = ..., wait_from: Text = ..., as_: Text = ..., map: Text = ..., quiet: bool = ..., timezone: Text = ...) -> pd.DataFrame:
    """Compare two workloads: ``loadstone compare A B``."""
def convert(*arguments: Any, batsim_version: Text = ..., dependencies: bool = ..., output: Text = ..., strict: bool = ..., as_: Text = ..., map: Text = ..., quiet: bool = ..., timezone: Text = ...) -> pd.DataFrame:
    """Convert a log to another format: ``loadstone convert LOG [-o OUT]``."""
def read(*arguments: Any, batsim_version: Text = ..., dependencies: bool = ..., output: Text = ..., strict: bool = ..., as_: Text = ..., map: Text = ..., quiet: bool = ..., timezone: Text = ...) -> pd.DataFrame:
    """Convert a log to another format: ``loadstone convert LOG [-o OUT]``."""
def demo(*arguments: Any, output: Text = ..., as_: Text = ..., map: Text = ..., quiet: bool = ..., timezone: Text = ...) -> Any:
    """Try every step on a log, or without one: ``loadstone demo [LOG]``."""
def describe(*arguments: Any, by: Text = ..., class_: Text = ..., output: Text = ..., plot_format: Text = ..., plots: Text = ..., procs: int = ..., wait_from: Text = ..., as_: Text = ..., map: Text = ..., quiet: bool = ..., timezone: Text = ...) -> pd.DataFrame:
    """Summarise a log: ``loadstone describe LOG``."""
def fit(*arguments: Any, attribute: Text = ..., by: Text = ..., censored: bool = ..., class_: Text = ..., combine: Text = ..., family: Text = ..., form: Text = ..., intervals: Union[float, timedelta] = ..., least_jobs: int = ..., min_gap: Union[float, timedelta] = ..., no_check: bool = ..., output: Text = ..., p_form: Text = ..., plot_format: Text = ..., plots: Text = ..., procs: int = ..., replicates: int = ..., seed: int = ..., site: Text = ..., site_replicates: int = ..., status: Text = ..., subsamples: int = ..., tests: bool = ..., as_: Text = ..., map: Text = ..., quiet: bool = ..., timezone: Text = ...) -> Fit:
    """Fit distributions and a workload model to a log: ``loadstone fit LOG... [-o model.json]``."""
def generate(*arguments: Any, days: Union[float, timedelta] = ..., estimates: Text = ..., jobs: int = ..., like: Text = ..., load: Union[float, timedelta] = ..., max_estimate: Union[float, timedelta] = ..., method: Text = ..., model: Text = ..., output: Text = ..., procs: int = ..., seed: int = ..., set: Text = ..., start: Text = ..., as_: Text = ..., map: Text = ..., quiet: bool = ..., timezone: Text = ...) -> pd.DataFrame:
    """Generate a synthetic workload: ``loadstone generate {--model MODEL | --like LOG} [-o OUT]``."""
def grid(*arguments: Any, classes: Text = ..., days: int = ..., grid: Text = ..., history: Text = ..., no_sites: bool = ..., output: Text = ..., placements: Text = ..., plot_format: Text = ..., plots: Text = ..., policies: Text = ..., as_: Text = ..., map: Text = ..., quiet: bool = ..., timezone: Text = ...) -> pd.DataFrame:
    """Compare policies that place jobs on clusters: ``loadstone grid LOG --grid NAME|FILE``."""
def lifetimes(*arguments: Any, by: Text = ..., censored: bool = ..., class_: Text = ..., family: Text = ..., intervals: Union[float, timedelta] = ..., least_jobs: int = ..., months: int = ..., output: Text = ..., plot_format: Text = ..., plots: Text = ..., replicates: int = ..., seed: int = ..., status: Text = ..., as_: Text = ..., map: Text = ..., quiet: bool = ..., timezone: Text = ...) -> pd.DataFrame:
    """Fit run times by class, and predict remaining run times: ``loadstone lifetimes LOG [--by COLUMNS]``."""
def man(*arguments: Any, as_: Text = ..., map: Text = ..., quiet: bool = ..., timezone: Text = ...) -> Any:
    """Write the manual pages: ``loadstone man FOLDER``."""
def models(*arguments: Any, output: Text = ..., as_: Text = ..., map: Text = ..., quiet: bool = ..., timezone: Text = ...) -> pd.DataFrame:
    """List the published models, or print one: ``loadstone models [list | show NAME]``."""
def predict(*arguments: Any, allow_missing: bool = ..., baseline: Text = ..., by: Text = ..., class_: Text = ..., classes: Text = ..., confidence: Union[float, timedelta] = ..., estimate_factor: Union[float, timedelta] = ..., exec: Text = ..., exec_timeout: Text = ..., first_jobs: int = ..., groups: Text = ..., law: Text = ..., max_drop: Union[float, timedelta] = ..., months: int = ..., output: Text = ..., plot_format: Text = ..., plots: Text = ..., policy: Text = ..., predictions: Text = ..., predictors: Text = ..., procs: int = ..., quantile: Union[float, timedelta] = ..., replicates: int = ..., require: Text = ..., sample: int = ..., seed: int = ..., sites: Text = ..., trim: Union[float, timedelta] = ..., unbias: bool = ..., wait_from: Text = ..., as_: Text = ..., map: Text = ..., quiet: bool = ..., timezone: Text = ...) -> pd.DataFrame:
    """Score predictors of queue wait: ``loadstone predict LOG [LOG...]``."""
def report(*arguments: Any, output: Text = ..., procs: int = ..., seed: int = ..., without: Text = ..., as_: Text = ..., map: Text = ..., quiet: bool = ..., timezone: Text = ...) -> Any:
    """Write a one-page HTML report on a log: ``loadstone report LOG -o report.html``."""
def runtime(*arguments: Any, against: Text = ..., allow_missing: bool = ..., baseline: Text = ..., by: Text = ..., class_: Text = ..., classes: Text = ..., exec: Text = ..., exec_timeout: Text = ..., fallback: bool = ..., max_drop: Union[float, timedelta] = ..., output: Text = ..., plot_format: Text = ..., plots: Text = ..., predictions: Text = ..., predictors: Text = ..., replicates: int = ..., require: Text = ..., seed: int = ..., as_: Text = ..., map: Text = ..., quiet: bool = ..., timezone: Text = ...) -> pd.DataFrame:
    """Score predictors of run time: ``loadstone runtime LOG [LOG...]``."""
def sample(*arguments: Any, by: Text = ..., class_: Text = ..., fraction: Union[float, timedelta] = ..., jobs: int = ..., output: Text = ..., seed: int = ..., as_: Text = ..., map: Text = ..., quiet: bool = ..., timezone: Text = ...) -> pd.DataFrame:
    """Draw a random sample of a log's jobs or users: ``loadstone sample LOG {--fraction P | --jobs N} [-o OUT]``."""
def scale(*arguments: Any, load: Union[float, timedelta] = ..., output: Text = ..., procs: int = ..., seed: int = ..., as_: Text = ..., map: Text = ..., quiet: bool = ..., timezone: Text = ...) -> pd.DataFrame:
    """Scale a log's offered load: ``loadstone scale LOG --load R [-o OUT]``."""
def score(*arguments: Any, against: Text = ..., allow_missing: bool = ..., baseline: Text = ..., by: Text = ..., max_drop: Union[float, timedelta] = ..., of: Text = ..., output: Text = ..., plot_format: Text = ..., plots: Text = ..., replicates: int = ..., require: Text = ..., seed: int = ..., as_: Text = ..., map: Text = ..., quiet: bool = ..., timezone: Text = ...) -> pd.DataFrame:
    """Score the predictions of another program: ``loadstone score LOG PREDICTIONS``."""
def serve(*arguments: Any, confidence: Union[float, timedelta] = ..., config: Text = ..., frame_ancestors: Text = ..., history: Text = ..., history_days: Union[float, timedelta] = ..., hosts: Text = ..., interval: Text = ..., listen: Text = ..., log_format: Text = ..., log_level: Text = ..., predictors: Text = ..., procs: int = ..., replay: Text = ..., slurm: bool = ..., speed: Union[float, timedelta] = ..., state: Text = ..., store: Text = ..., token_file: Text = ..., as_: Text = ..., map: Text = ..., quiet: bool = ..., timezone: Text = ...) -> Any:
    """Predict waits over HTTP, for a live machine: ``loadstone serve {--slurm | --state FILE | --replay LOG}``."""
def simulate(*arguments: Any, classes: Text = ..., correct: bool = ..., estimates: Text = ..., feedback: bool = ..., kill: bool = ..., machine: Text = ..., output: Text = ..., policy: Text = ..., procs: int = ..., sites: Text = ..., wait_from: Text = ..., as_: Text = ..., map: Text = ..., quiet: bool = ..., timezone: Text = ...) -> pd.DataFrame:
    """Schedule a log's jobs under a policy: ``loadstone simulate LOG [-o OUT]``."""
def split(*arguments: Any, at: Text = ..., by: Text = ..., class_: Text = ..., output: Text = ..., parts: int = ..., as_: Text = ..., map: Text = ..., quiet: bool = ..., timezone: Text = ...) -> pd.DataFrame:
    """Split a log by time, by user or queue, or into equal parts: ``loadstone split LOG -o PATTERN {--at | --by | --parts} VALUE``."""
def sweep(*arguments: Any, collect: bool = ..., list: bool = ..., parallel: bool = ..., plot_format: Text = ..., plots: Text = ..., results: Text = ..., run: Text = ..., slurm: bool = ..., snakemake: bool = ..., as_: Text = ..., map: Text = ..., quiet: bool = ..., timezone: Text = ...) -> pd.DataFrame:
    """Run a study of many simulations: ``loadstone sweep STUDY [--results DIR]``."""
def validate(*arguments: Any, fail_on: Text = ..., first: int = ..., output: Text = ..., procs: int = ..., rules: Text = ..., as_: Text = ..., map: Text = ..., quiet: bool = ..., timezone: Text = ...) -> pd.DataFrame:
    """Check a log for errors and oddities: ``loadstone validate LOG``."""
def wait(*arguments: Any, at: Text = ..., confidence: Union[float, timedelta] = ..., groups: Text = ..., judged: int = ..., law: Text = ..., output: Text = ..., partition: Text = ..., policy: Text = ..., predictors: Text = ..., procs: int = ..., queue: Text = ..., seed: int = ..., size: Text = ..., time: Text = ..., user: Text = ..., wait_from: Text = ..., as_: Text = ..., map: Text = ..., quiet: bool = ..., timezone: Text = ...) -> pd.DataFrame:
    """Predict how long a request would wait now: ``loadstone wait STATE [HISTORY...] --size N``."""
