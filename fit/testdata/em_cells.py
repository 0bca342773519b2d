"""Reference fits where values are rounded, censored or cut, made with SciPy.

    python3 em_cells.py > em_cells.json

Each sample is a set of quantiles of a law, rounded, without randomness. Its
likelihood, ln(F(hi) - F(lo)) a cell, ln S a censored job, less n ln F(max), is
maximised directly over ln of the parameters (logit of the share), by BFGS and
Nelder-Mead from several starts: no EM here.
"""

import json
import math
import sys

import numpy as np
import scipy
from scipy import optimize, special


def laws(v, kind):
    """shapes, scales and shares of the parameters on the real line."""
    if kind == "gamma":
        return [np.exp(v[0])], [np.exp(v[1])], [1.0]
    if kind == "exponential":
        return [1.0], [np.exp(v[0])], [1.0]
    p = 1 / (1 + np.exp(-v[-1]))
    if kind == "hyper-exponential":
        return [1.0, 1.0], [np.exp(v[0]), np.exp(v[1])], [p, 1 - p]
    return [np.exp(v[0]), np.exp(v[2])], [np.exp(v[1]), np.exp(v[3])], [p, 1 - p]


def mass(a, b, lo, hi):
    low = special.gammainc(a, hi / b) - special.gammainc(a, lo / b)
    high = special.gammaincc(a, lo / b) - special.gammaincc(a, hi / b)
    return np.where(lo > a * b, high, low)


def density(a, b, x):
    return np.exp((a - 1) * np.log(x / b) - x / b - special.gammaln(a)) / b


def log_likelihood(v, s):
    a, b, p = laws(v, s["family"])
    lo, hi, w, exact = s["cells"]
    total = np.zeros(len(w))
    for i in range(len(a)):
        with np.errstate(all="ignore"):
            m = np.where(exact, density(a[i], b[i], lo), mass(a[i], b[i], lo, np.where(exact, lo, hi)))
        total = total + p[i] * m
    if not (total > 0).all():
        return -1e300
    l = (w * np.log(total)).sum()
    if s["limit"]:
        l -= w.sum() * math.log(sum(p[i] * special.gammainc(a[i], s["limit"] / b[i]) for i in range(len(a))))
    return l


def best(s, starts):
    top = None
    f = lambda v: -log_likelihood(v, s)
    for v in starts:
        for _ in range(2):
            v = optimize.minimize(f, v, method="BFGS", options={"gtol": 1e-7}).x
            v = optimize.minimize(f, v, method="Nelder-Mead", options={"maxiter": 2000, "maxfev": 2000, "xatol": 1e-9, "fatol": 1e-11}).x
        if top is None or f(v) < f(top):
            top = v
    a, b, p = laws(top, s["family"])
    parameters = {"gamma": [a[0], b[0]], "exponential": [b[0]]}.get(s["family"])
    if parameters is None:
        if a[0] * b[0] > a[1] * b[1]:
            a, b, p = a[::-1], b[::-1], p[::-1]
        parameters = [b[0], b[1], p[0]] if s["family"] == "hyper-exponential" else [a[0], b[0], a[1], b[1], p[0]]
    return parameters, -f(top)


def sample(law, n, round_, cut, zeros):
    a, b, p, ln = law
    F = lambda x: sum(p[i] * special.gammainc(a[i], x / b[i]) for i in range(len(a)))
    whole = F(math.log(cut)) if cut and ln else F(cut) if cut else 1.0
    t = []
    for i in range(n):
        x = optimize.brentq(lambda x: F(x) / whole - (i + 0.5) / n, 1e-12, 60 if ln else 1e9, xtol=1e-13)
        t.append(round_(math.exp(x) if ln else x))
    return np.array(t, float)


def make(family, law, n, rounding, censor=None, cut=0.0, starts=None):
    ln = law[3]
    round_ = {"nearest": lambda t: math.floor(t + 0.5), "down": math.floor, "": lambda t: t}[rounding]
    t = sample(law, n, round_, cut, not ln)
    killed = np.zeros(n, bool)
    if censor:
        # Every third job has the limit.
        over = (np.arange(n) % 3 == 0) & (t >= censor)
        t, killed = np.where(over, censor, t), over
    x = np.log if ln else lambda t: t
    width = 0.5 if rounding == "nearest" else 0.0
    lo_t, hi_t = t - width, t + (width if rounding == "nearest" else 1.0 if rounding == "down" else 0.0)
    least = 1.0 if ln else 0.0
    lo_t = np.maximum(lo_t, least)
    if cut:
        hi_t = np.minimum(hi_t, cut)
    lo_t = np.where(killed, np.maximum(t, least), lo_t)
    hi_t = np.where(killed, cut if cut else np.inf, hi_t)
    keep = killed | (hi_t > least)
    with np.errstate(divide="ignore"):
        lo, hi = x(lo_t[keep]), x(hi_t[keep])
    exact = (lo_t == hi_t)[keep]
    limit = float(x(cut)) if cut else 0.0
    s = {"family": family, "cells": (lo, hi, np.ones(len(lo)), exact), "limit": limit}
    parameters, l = best(s, starts)
    return {"family": family, "rounding": rounding, "max": cut, "seconds": list(t), "censored": [bool(k) for k in killed],
            "n": int(keep.sum()), "parameters": list(map(float, parameters)), "log_likelihood_of_cells": float(l)}


def main():
    two = ([4.0, 150.0], [1.0, 0.06], [0.6, 0.4], True)
    lub = ([6.57, 639.1], [0.823, 0.0156], [0.65, 0.35], True)
    st = [[1.4, 0.0, 5.0, -2.8, 0.4], [1.9, -0.2, 6.4, -4.1, 0.6]]
    hyper = ([1.0, 1.0], [3.0, 400.0], [0.4, 0.6], False)
    out = [
        make("hyper-gamma", two, 300, "nearest", starts=st),
        make("hyper-gamma", two, 300, "down", starts=st),
        make("hyper-gamma", two, 300, "nearest", censor=3600.0, starts=st),
        make("hyper-gamma", two, 300, "", censor=3600.0, starts=st),
        make("hyper-gamma", lub, 400, "down", cut=20000.0, starts=st),
        make("gamma", ([2.0], [1.0], [1.0], True), 200, "nearest", starts=[[0.7, 0.0]]),
        make("gamma", ([6.0], [1.2], [1.0], True), 200, "nearest", censor=1800.0, cut=36000.0, starts=[[1.8, 0.2]]),
        make("hyper-exponential", hyper, 300, "nearest", starts=[[1.1, 6.0, -0.4]]),
        make("hyper-exponential", hyper, 300, "down", censor=300.0, starts=[[1.1, 6.0, -0.4]]),
        make("exponential", ([1.0], [5.0], [1.0], False), 200, "nearest", starts=[[1.6]]),
        make("exponential", ([1.0], [50.0], [1.0], False), 200, "", censor=60.0, starts=[[3.9]]),
    ]
    json.dump({"made_with": "em_cells.py, Python %s, NumPy %s, SciPy %s" % (sys.version.split()[0], np.__version__, scipy.__version__), "samples": out}, sys.stdout)
    print()


main()
