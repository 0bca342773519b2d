"""Reference fits of log-normal and Weibull laws and of log-normal mixtures where values are rounded, censored or cut, made with SciPy.

    python3 tail_cells.py > tail_cells.json

Each sample is a set of quantiles of a law, rounded, without randomness. Its
likelihood, ln(F(hi) - F(lo)) a cell, ln f an exact value, ln(F(max) - F(lo)) a
censored job, less n ln F(max), with scipy.stats' distribution functions, is
maximised directly over parameters on the real line, by Nelder-Mead and BFGS
in turns: no EM, no slopes of ours. It takes some minutes.
"""

import json
import math
import sys

import numpy as np
import scipy
from scipy import optimize, stats

FAMILIES = {
    # parameters from the real line, frozen laws and shares of the parameters
    "log-normal": (lambda v: [v[0], math.exp(v[1])], lambda p: ([stats.lognorm(p[1], scale=math.exp(p[0]))], [1.0])),
    "weibull": (lambda v: [math.exp(v[0]), math.exp(v[1])], lambda p: ([stats.weibull_min(p[0], scale=p[1])], [1.0])),
    "log-normal-mixture": (
        lambda v: [v[0], math.exp(v[1]), 1 / (1 + math.exp(-v[4])), v[2], math.exp(v[3]), 1 - 1 / (1 + math.exp(-v[4]))],
        lambda p: ([stats.lognorm(p[1], scale=math.exp(p[0])), stats.lognorm(p[4], scale=math.exp(p[3]))], [p[2], p[5]]),
    ),
}


def mass(law, lo, hi):
    upper = law.sf(lo) - law.sf(hi)
    return np.where(law.cdf(lo) > 0.5, upper, law.cdf(hi) - law.cdf(lo))


def log_likelihood(p, s):
    laws, shares = FAMILIES[s["family"]][1](p)
    lo, hi, exact = s["cells"]
    total = np.zeros(len(lo))
    for law, share in zip(laws, shares):
        total = total + share * np.where(exact, law.pdf(lo), mass(law, lo, np.where(exact, lo + 1, hi)))
    if not (total > 0).all():
        return -1e300
    l = np.log(total).sum()
    if s["limit"]:
        l -= len(lo) * math.log(sum(share * law.cdf(s["limit"]) for law, share in zip(laws, shares)))
    return l


def best(s, start):
    to = FAMILIES[s["family"]][0]
    f = lambda v: -log_likelihood(to(v), s)
    v = np.array(start, float)
    with np.errstate(all="ignore"):
        for _ in range(3):
            v = optimize.minimize(f, v, method="Nelder-Mead", options={"maxiter": 4000, "maxfev": 4000, "xatol": 1e-10, "fatol": 1e-12}).x
            v = optimize.minimize(f, v, method="BFGS", options={"gtol": 1e-7}).x
    return to(v), -f(v)


def make(family, true, n, rounding, start, censor=None, cut=0.0):
    laws, shares = FAMILIES[family][1](true)
    F = lambda x: sum(p * l.cdf(x) for l, p in zip(laws, shares))
    whole = F(cut) if cut else 1.0
    round_ = {"nearest": lambda t: math.floor(t + 0.5), "down": math.floor, "": lambda t: t}[rounding]
    t = np.array([round_(math.exp(optimize.brentq(lambda u: F(math.exp(u)) / whole - (i + 0.5) / n, -40, 60, xtol=1e-14))) for i in range(n)], float)
    killed = np.zeros(n, bool)
    if censor:
        over = (np.arange(n) % 3 == 0) & (t >= censor)  # every third job has the limit
        t, killed = np.where(over, censor, t), over
    below, above = {"nearest": (0.5, 0.5), "down": (0.0, 1.0), "": (0.0, 0.0)}[rounding]
    lo, hi = np.maximum(t - below, 0), t + above
    if cut:
        hi = np.minimum(hi, cut)
    lo, hi = np.where(killed, t, lo), np.where(killed, cut if cut else np.inf, hi)
    exact = ~killed & (lo == hi)
    s = {"family": family, "cells": (lo, hi, exact), "limit": cut, "killed": killed}
    parameters, l = best(s, start)
    return {"family": family, "rounding": rounding, "max": cut, "seconds": list(t), "censored": [bool(k) for k in killed],
            "n": n, "parameters": [float(p) for p in parameters], "log_likelihood_of_cells": float(l)}


def main():
    ln, lnm = "log-normal", "log-normal-mixture"
    two = [2.5, 1.0, 0.55, 8.2, 0.5, 0.45]
    at = [2.5, 0.0, 8.2, -0.7, 0.2]
    out = [
        make(ln, [2.0, 1.4], 200, "nearest", [2, 0.3]),
        make(ln, [2.0, 1.4], 200, "down", [2, 0.3], censor=30.0),
        make(ln, [6.0, 1.0], 200, "", [6, 0.0], censor=600.0),
        make(ln, [6.0, 1.2], 200, "", [6, 0.0], cut=2000.5),
        make(ln, [5.0, 1.5], 200, "nearest", [5, 0.4], censor=300.0, cut=7200.0),
        make("weibull", [0.6, 40.0], 200, "nearest", [-0.5, 3.6]),
        make("weibull", [0.6, 40.0], 200, "down", [-0.5, 3.6], censor=60.0),
        make("weibull", [1.7, 4000.0], 200, "", [0.5, 8.3], censor=3600.0),
        make("weibull", [0.8, 900.0], 200, "", [-0.2, 6.8], cut=2400.5),
        make("weibull", [0.5, 900.0], 200, "nearest", [-0.7, 6.8], censor=600.0, cut=7200.0),
        make(lnm, two, 240, "nearest", at),
        make(lnm, two, 240, "down", at, censor=3600.0),
        make(lnm, two, 240, "", at, censor=3600.0),
        make(lnm, two, 240, "down", at, cut=6000.0),
    ]
    json.dump({"made_with": "tail_cells.py, Python %s, NumPy %s, SciPy %s" % (sys.version.split()[0], np.__version__, scipy.__version__), "samples": out}, sys.stdout)
    print()


main()
