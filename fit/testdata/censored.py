"""Reference fits of laws where jobs were killed at a limit, made with SciPy.

    python3 censored.py > censored.json

Each sample is a set of quantiles of a law, without randomness, of which every
third job has the limit. Its likelihood, ln f a job that ended, ln S a killed one,
with scipy.stats' distribution functions, is maximised directly over parameters on
the real line, by Nelder-Mead and BFGS in turns.
"""

import json
import math
import sys

import numpy as np
import scipy
from scipy import optimize, stats

FAMILIES = {
    # parameters from the real line, and the frozen law
    "log-normal": (lambda v: [v[0], math.exp(v[1])], lambda p: stats.lognorm(p[1], scale=math.exp(p[0]))),
    "weibull": (lambda v: [math.exp(v[0]), math.exp(v[1])], lambda p: stats.weibull_min(p[0], scale=p[1])),
    "exponential": (lambda v: [math.exp(v[0])], lambda p: stats.expon(scale=p[0])),
}


def make(family, true, n, start, limit):
    to, law = FAMILIES[family]
    t = law(true).ppf((np.arange(n) + 0.5) / n)
    killed = (np.arange(n) % 3 == 0) & (t >= limit)
    t = np.where(killed, limit, t)

    def f(v):
        at = law(to(v))
        return -np.where(killed, at.logsf(t), at.logpdf(t)).sum()

    v = np.array(start, float)
    with np.errstate(all="ignore"):
        for _ in range(3):
            v = optimize.minimize(f, v, method="Nelder-Mead", options={"maxiter": 4000, "maxfev": 4000, "xatol": 1e-10, "fatol": 1e-12}).x
            v = optimize.minimize(f, v, method="BFGS", options={"gtol": 1e-7}).x
    return {"family": family, "seconds": list(t), "censored": [bool(k) for k in killed],
            "parameters": [float(p) for p in to(v)], "log_likelihood": float(-f(v))}


def main():
    out = [
        make("log-normal", [6.0, 1.0], 200, [6, 0.0], 600.0),
        make("weibull", [1.7, 4000.0], 200, [0.5, 8.3], 3600.0),
        make("exponential", [50.0], 200, [3.9], 60.0),
    ]
    json.dump({"made_with": "censored.py, Python %s, NumPy %s, SciPy %s" % (sys.version.split()[0], np.__version__, scipy.__version__), "samples": out}, sys.stdout)
    print()


main()
