"""Reference fits of the log-normal, Weibull and Pareto laws, made with NumPy and
SciPy.

    python3 tails.py FOLDER_OF_LOGS > tails.json

The folder holds the gzipped logs of the Parallel Workloads Archive that are
named below. Samples are distinct values with counts; scipy.stats' own fit
gets each value as often as it occurs. Nothing is shared with the Go code.
"""

import gzip
import json
import platform
import sys

import numpy as np
import scipy
from scipy import optimize, stats


def run_times(path):
    t = [float(line.split()[3]) for line in gzip.open(path, "rt", errors="replace") if line.strip() and line[0] != ";"]
    t = np.array(t)
    return t[t > 0]




def log_normal(x, c):
    s, _, scale = stats.lognorm.fit(np.repeat(x, c), floc=0)
    return {"parameters": [np.log(scale), s], "log_likelihood": (c * stats.lognorm.logpdf(x, s, scale=scale)).sum()}


def weibull(x, c):
    # scipy.stats' fit stops early; its result is improved by the root of the
    # likelihood equation.
    shape, _, _ = stats.weibull_min.fit(np.repeat(x, c), floc=0)
    y = np.log(x / x.max())
    mean = (c * y).sum() / c.sum()
    g = lambda a: (c * y * np.exp(a * y)).sum() / (c * np.exp(a * y)).sum() - 1 / a - mean
    a = optimize.brentq(g, shape / 2, shape * 2, xtol=1e-15, rtol=1e-14)
    scale = x.max() * ((c * np.exp(a * y)).sum() / c.sum()) ** (1 / a)
    return {"scipy_fit": shape, "parameters": [a, scale], "log_likelihood": (c * stats.weibull_min.logpdf(x, a, scale=scale)).sum()}


def pareto(x, c):
    a, _, scale = stats.pareto.fit(np.repeat(x, c), floc=0, fscale=x.min())
    return {"parameters": [scale, a], "log_likelihood": (c * stats.pareto.logpdf(x, a, scale=scale)).sum()}


def main(folder):
    rng = np.random.default_rng(20260101)
    # Ties by rounding up to whole seconds; weights are how often they occur.
    seconds = lambda law, n: np.ceil(law.rvs(n, random_state=rng))
    samples = {
        "log-normal": seconds(stats.lognorm(1.8, scale=600), 800),
        "weibull": seconds(stats.weibull_min(0.45, scale=3000), 800),
        "narrow weibull": seconds(stats.weibull_min(9, scale=40), 500),
        "pareto": seconds(stats.pareto(1.1, scale=10), 800),
        # Drawn, and not used: the stream goes on behind them.
        "two modes": np.concatenate([seconds(stats.lognorm(0.8, scale=30), 700), seconds(stats.lognorm(0.5, scale=9000), 500)]),
        "three modes": np.concatenate([seconds(stats.lognorm(0.6, scale=30), 400), seconds(stats.lognorm(0.5, scale=900), 500), seconds(stats.lognorm(0.3, scale=30000), 300)]),
        "rising": np.ceil(np.exp(12 * rng.power(2.0, 600))),
    }
    for name in ("KTH-SP2-1996-2.1-cln.swf", "SDSC-Par-1996-3.1-cln.swf"):
        samples[name] = run_times(folder + "/" + name + ".gz")
    out = {"made_with": "tails.py, Python %s, NumPy %s, SciPy %s" % (platform.python_version(), np.__version__, scipy.__version__), "samples": []}
    for name, t in samples.items():
        if name.endswith("modes"):
            continue
        x, c = np.unique(t, return_counts=True)
        r = {"name": name, "log_normal": log_normal(x, c), "weibull": weibull(x, c), "pareto": pareto(x, c)}
        if not name.endswith(".swf"):
            r["values"], r["counts"] = list(x), [float(v) for v in c]
        out["samples"].append(r)
    json.dump(out, sys.stdout, separators=(",", ":"))
    print()


main(sys.argv[1])
