"""SciPy's side of rivals.sh, and its medians.

    python3 rivals.py NAME RUN_TIMES TASK...
    python3 rivals.py command NAME COMMAND ARGUMENT...
    python3 rivals.py draw > SAMPLES
    python3 rivals.py medians < LINES

Files, tasks and lines are those of rivals.go. What is timed is from the array
of run times to the fitted parameters, with D and kstest's p-value for laws of
one component. hyper-gamma is a plain EM, since SciPy has none; with counts it
is over the distinct values.
"""

import resource
import statistics
import subprocess
import sys
import time

import numpy as np
import scipy
from scipy import special, stats


def hyper_gamma(x, w):
    """EM for two Gammas from a split at the median, until a step gains less
    than 1e-9 of log-likelihood a job, or for 2,000 steps. It fails where a
    component collapses onto one value that many jobs have."""
    ln_x, n = np.log(x), w.sum()
    first = (np.cumsum(w) <= n / 2) if len(x) < n else x <= np.median(x)
    share = np.array([first, ~first], dtype=float)
    last = -np.inf
    for step in range(2000):
        weighted = share * w
        size = weighted.sum(axis=1)
        mean = weighted @ x / size
        s = np.log(mean) - weighted @ ln_x / size
        shape = (3 - s + np.sqrt((s - 3) ** 2 + 24 * s)) / (12 * s)
        for _ in range(20):
            change = (np.log(shape) - special.digamma(shape) - s) / (1 / shape - special.polygamma(1, shape))
            shape = shape - change
            if np.all(np.abs(change) < 1e-12 * shape):
                break
        scale = mean / shape
        ln_density = (
            np.log(size / n)[:, None]
            + np.outer(shape - 1, ln_x)
            - np.outer(1 / scale, x)
            - (special.gammaln(shape) + shape * np.log(scale))[:, None]
        )
        ln_sum = np.logaddexp(ln_density[0], ln_density[1])
        share = np.exp(ln_density - ln_sum)
        log_likelihood = w @ ln_sum
        if not log_likelihood - last >= 1e-9 * n:  # or NaN
            break
        last = log_likelihood
    return log_likelihood, f"{step} steps"


laws = {"gamma": stats.gamma, "log-normal": stats.lognorm, "weibull": stats.weibull_min}


def fit(task, t):
    """The log-likelihood of ln run time that a task reaches, and a remark."""
    if task == "hyper-gamma":
        y = np.log(t)
        return hyper_gamma(y, np.ones(len(y)))
    if task == "hyper-gamma counts":
        values, counts = np.unique(t, return_counts=True)
        return hyper_gamma(np.log(values), counts.astype(float))
    family, _, replicates = task.partition("/")
    law = laws[family]
    x = np.log(t) if family == "gamma" else t
    jacobian = 0 if family == "gamma" else np.log(t).sum()
    if replicates:
        r = stats.goodness_of_fit(law, x, known_params={"loc": 0}, statistic="ks", n_mc_samples=int(replicates), random_state=1)
        frozen = law(*r.fit_result.params)
        return frozen.logpdf(x).sum() + jacobian, f"D={r.statistic:.5f} p={r.pvalue:.3g} goodness_of_fit"
    frozen = law(*law.fit(x, floc=0))
    ks = stats.kstest(x, frozen.cdf)
    return frozen.logpdf(x).sum() + jacobian, f"D={ks.statistic:.5f} p={ks.pvalue:.3g} kstest"


def rejections(task, samples):
    """How often a test rejects the log-normal law at 5 %."""

    rejected = 0
    for seed, t in enumerate(samples):
        if task == "rejections kstest":
            r = stats.kstest(t, stats.lognorm(*stats.lognorm.fit(t, floc=0)).cdf)
        else:
            r = stats.goodness_of_fit(
                stats.lognorm, t, known_params={"loc": 0}, statistic="ks", n_mc_samples=99, random_state=seed
            )
        rejected += r.pvalue <= 0.05
    return np.nan, f"{rejected} of {len(samples)}"


def timed(name, task, program, who, work):
    """A line for a piece of work, whose CPU time is counted for who."""

    def cpu():
        u = resource.getrusage(who)
        return u.ru_utime + u.ru_stime

    before, start = cpu(), time.perf_counter()
    log_likelihood, remark = work()
    print(name, task, program, f"{cpu() - before:.6f}", f"{time.perf_counter() - start:.6f}", f"{log_likelihood:.4f}", remark, sep="\t", flush=True)


def draw():
    """1,000 samples of 1,000 run times of a log-normal law, in whole seconds."""
    rng = np.random.default_rng(1)
    for _ in range(1000):
        t = np.rint(np.exp(rng.normal(4, 1.5, 2000)))
        print(*t[t > 0][:1000].astype(int))


def medians():
    rows = {}
    for line in sys.stdin:
        name, task, program, *figures = line.rstrip("\n").split("\t")
        rows.setdefault((name, task, program), []).append(figures)
    print("data", "task", "program", "runs", "CPU s", "from", "to", "wall s", "log-likelihood", "remark", sep="\t")
    for key, runs in rows.items():
        cpu, wall, ll = ([float(r[i]) for r in runs] for i in range(3))
        remarks = sorted({r[3] for r in runs})
        reached = f"{statistics.median(ll):.2f}" + (f" (lowest {min(ll):.2f})" if max(ll) - min(ll) > 0.005 else "")
        print(*key, len(runs), *(f"{v:.4g}" for v in (statistics.median(cpu), min(cpu), max(cpu), statistics.median(wall))), reached, "; ".join(remarks), sep="\t")


def main(name, path, *tasks):
    program = f"scipy {scipy.__version__}"
    with open(path) as f:
        data = [np.array(line.split(), dtype=float) for line in f] if tasks[0].startswith("rejections") else np.loadtxt(f)
    for task in tasks:
        work = rejections if task.startswith("rejections") else fit
        timed(name, task, program, resource.RUSAGE_SELF, lambda: work(task, data))


def command(name, *argv):
    def work():
        subprocess.run(argv, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return np.nan, ""

    timed(name, "command", " ".join(argv[1:2] + argv[3:]), resource.RUSAGE_CHILDREN, work)


if __name__ == "__main__":
    {"command": command, "draw": draw, "medians": medians}.get(sys.argv[1], lambda *a: main(sys.argv[1], *a))(*sys.argv[2:])
