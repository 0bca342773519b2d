"""Reference fits of the log-normal, log-normal mixture, Weibull, Pareto and
bounded Pareto laws, made with NumPy and SciPy.

    python3 tails.py FOLDER_OF_LOGS > tails.json

The folder holds the gzipped logs of the Parallel Workloads Archive that are
named below. Samples are distinct values with counts; scipy.stats' own fit
gets each value as often as it occurs. Where SciPy has no fit of a law
(bounded Pareto, mixtures), the log-likelihood, written with scipy.stats'
densities, is maximised numerically. Nothing is shared with the Go code.
"""

import gzip
import json
import platform
import sys

import numpy as np
import scipy
from scipy import optimize, special, stats


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


def bounded_pareto(x, c):
    lo, hi = x.min(), x.max()
    n, s = c.sum(), (c * np.log(x / lo)).sum()
    w = np.log(hi / lo)
    # ln L = n ln(a / (1 - (lo/hi)^a)) - a s, less what does not depend on a.
    f = lambda a: -n * np.log(special.exprel(-a * w) * w) - a * s
    at = optimize.minimize_scalar(lambda a: -f(a), bounds=(-20, 20), method="bounded", options={"xatol": 1e-9}).x
    g = lambda a: n / a - n * w / np.expm1(a * w) - s
    a = optimize.brentq(g, at - 1e-4, at + 1e-4, xtol=1e-15, rtol=1e-14)
    return {"parameters": [lo, hi, a], "log_likelihood": f(a) - (c * np.log(x)).sum()}


def mixture_density(y, par):
    """par is mu_1, sigma_1, p_1, ...: the log-density of ln x = y."""
    terms = [np.log(par[i + 2]) + stats.norm.logpdf(y, par[i], par[i + 1]) for i in range(0, len(par), 3)]
    return special.logsumexp(terms, axis=0), terms


def mixture_em(x, c, cuts):
    """plain EM from the split at cuts of ln x, without any bound on sigma."""
    y = np.log(x)
    part = np.searchsorted(cuts, y, side="left")
    par = []
    for k in range(len(cuts) + 1):
        w = c * (part == k)
        m = (w * y).sum() / w.sum()
        par += [m, np.sqrt((w * (y - m) ** 2).sum() / w.sum()), w.sum() / c.sum()]
    last = -np.inf
    for _ in range(200000):
        l, terms = mixture_density(y, par)
        ll = (c * l).sum()
        for k, t in enumerate(terms):
            w = c * np.exp(t - l)
            m = (w * y).sum() / w.sum()
            par[3 * k:3 * k + 3] = [m, np.sqrt((w * (y - m) ** 2).sum() / w.sum()), w.sum() / c.sum()]
        if ll - last < 1e-13 * abs(ll):
            break
        last = ll
    return par, (c * mixture_density(y, par)[0]).sum()


def log_normal_mixture(x, c, k, narrowest):
    """the best end of EM from many splits at random ranks whose sigmas all stay above narrowest."""
    rng = np.random.default_rng(1)
    y = np.repeat(np.log(x), c)
    best = None
    for _ in range(12):
        cuts = np.sort(np.quantile(y, rng.uniform(0.05, 0.95, k - 1)))
        if len(np.unique(cuts)) < k - 1 or np.diff(np.concatenate([[np.log(x[0])], cuts, [np.log(x[-1])]])).min() <= 0:
            continue
        with np.errstate(all="ignore"):
            par, ll = mixture_em(x, c, cuts)
        sigmas = par[1::3]
        if not np.isfinite(ll) or min(sigmas) < narrowest:
            continue
        if best is None or ll > best[1]:
            best = par, ll
    par, ll = best
    order = np.argsort(par[0::3])
    par = np.array(par).reshape(-1, 3)[order].ravel()
    return {"components": k, "parameters": list(par), "log_likelihood": ll - (c * np.log(x)).sum()}


def main(folder):
    rng = np.random.default_rng(20260101)
    # Ties by rounding up to whole seconds; weights are how often they occur.
    seconds = lambda law, n: np.ceil(law.rvs(n, random_state=rng))
    samples = {
        "log-normal": seconds(stats.lognorm(1.8, scale=600), 800),
        "weibull": seconds(stats.weibull_min(0.45, scale=3000), 800),
        "narrow weibull": seconds(stats.weibull_min(9, scale=40), 500),
        "pareto": seconds(stats.pareto(1.1, scale=10), 800),
        "two modes": np.concatenate([seconds(stats.lognorm(0.8, scale=30), 700), seconds(stats.lognorm(0.5, scale=9000), 500)]),
        "three modes": np.concatenate([seconds(stats.lognorm(0.6, scale=30), 400), seconds(stats.lognorm(0.5, scale=900), 500), seconds(stats.lognorm(0.3, scale=30000), 300)]),
        "rising": np.ceil(np.exp(12 * rng.power(2.0, 600))),
    }
    for name in ("KTH-SP2-1996-2.1-cln.swf", "SDSC-Par-1996-3.1-cln.swf"):
        samples[name] = run_times(folder + "/" + name + ".gz")
    out = {"made_with": "tails.py, Python %s, NumPy %s, SciPy %s" % (platform.python_version(), np.__version__, scipy.__version__), "samples": []}
    for name, t in samples.items():
        x, c = np.unique(t, return_counts=True)
        r = {"name": name, "log_normal": log_normal(x, c), "weibull": weibull(x, c), "pareto": pareto(x, c), "bounded_pareto": bounded_pareto(x, c)}
        if name == "two modes" or name.startswith("KTH"):
            r["log_normal_mixture"] = log_normal_mixture(x, c, 2, 0.3)
        if name == "three modes":
            r["log_normal_mixture"] = log_normal_mixture(x, c, 3, 0.1)
        if not name.endswith(".swf"):
            r["values"], r["counts"] = list(x), [float(v) for v in c]
        out["samples"].append(r)
    json.dump(out, sys.stdout, separators=(",", ":"))
    print()


main(sys.argv[1])
