"""Reference values for the multi-stage uniform-log law, by mpmath at 60 digits.

The conditional ones are from the definition, quotients and integrals of the
survival function, and not by Bayes' theorem stage by stage.

Run: python3 multistage.py > multistage.json
"""
import json
import platform

import mpmath
from mpmath import mp, mpf

mp.dps = 60
log = mpmath.log

LAWS = [
    [(0.25, 3.5, 60.0), (0.125, 60.0, 3600.0), (0.625, 3600.0, 64800.0)],
    [(0.5, 40.0, 1000.0), (0.125, 5.0, 300.0), (0.375, 2000.0, 50000.0)],
    [(1.0, 3.254, 128841.0)],
    [(2.0 ** -30, 1e-150, 1.0), (1 - 2.0 ** -30, 1.0, 1.0000001)],
]


def parts(law):
    return [(mpf(w), mpf(a), mpf(b)) for w, a, b in law]


def survival(law, x):
    s = mpf(0)
    for w, a, b in parts(law):
        s += w if x <= a else mpf(0) if x >= b else w * log(b / x) / log(b / a)
    return s


def cdf(law, x):
    return sum(mpf(0) if x <= a else w if x >= b else w * log(x / a) / log(b / a) for w, a, b in parts(law))


def logpdf(law, x):
    """The left density at a border; at the lower end of the support the right one."""
    left = sum(w / log(b / a) for w, a, b in parts(law) if a < x <= b)
    right = sum(w / log(b / a) for w, a, b in parts(law) if a == x)
    d = left or right
    return log(d / x) if d else -mpmath.inf


def moment(law, k):
    return sum(w * (b ** k - a ** k) / (k * log(b / a)) for w, a, b in parts(law))


def solve(reached, lo, hi):
    """The smallest x for which reached(x), by bisection."""
    lo, hi = log(lo), log(hi)
    for _ in range(190):
        m = (lo + hi) / 2
        lo, hi = (lo, m) if reached(mpmath.exp(m)) else (m, hi)
    return mpmath.exp(hi)


def num(x):
    x = float(x)
    return {mpmath.inf: "Inf", -mpmath.inf: "-Inf"}.get(x, x)


out = {"made_with": "mpmath %s at %d digits, Python %s" % (mpmath.__version__, mp.dps, platform.python_version()), "laws": []}
for law in LAWS:
    ends = sorted({x for _, a, b in law for x in (a, b)})
    low, high = ends[0], ends[-1]
    xs = [-1.0, 0.0, low / 2, 2 * high] + ends
    for a, b in zip(ends, ends[1:]):
        xs += [(a * b) ** 0.5, a * (1 + 1e-9), b * (1 - 1e-9)]
    points = []
    for x in sorted(set(xs)):
        m = mpf(x)
        points.append({"x": x, "log_pdf": num(logpdf(law, m)), "cdf": float(cdf(law, m)) if m > 0 else 0.0, "survival": float(survival(law, m)) if m > 0 else 1.0})
    quantiles = []
    for p in [1e-300, 1e-9, 0.01, 0.2, 0.3, 0.5, 0.7, 0.99]:
        quantiles.append({"p": p, "quantile": float(solve(lambda x: cdf(law, x) >= mpf(p), mpf(low), mpf(high))),
                          "inverse_survival": float(solve(lambda x: survival(law, x) <= mpf(p), mpf(low), mpf(high)))})
    given = []
    if len(law) > 1 and law[0][0] > 1e-6:
        for age in [0.0, 1.0, 5.0, 50.0, 60.0, 250.0, 900.0, 1500.0, 4000.0, 40000.0]:
            s = survival(law, mpf(age))
            cuts = [mpf(age)] + [mpf(x) for x in ends if x > age]
            mean = mpmath.quad(lambda x: survival(law, x), cuts) / s
            row = {"age": age, "mean_remaining": float(mean), "median_remaining": float(solve(lambda x: survival(law, x) <= s / 2, mpf(max(age, low)), mpf(high)) - mpf(age)), "survival": []}
            for t in [1e-3, 1.0, 100.0, 3000.0, 20000.0, 1e6]:
                row["survival"].append({"t": t, "survival": float(survival(law, mpf(age) + mpf(t)) / s)})
            given.append(row)
    parameters = {}
    for i, (w, a, b) in enumerate(law, 1):
        parameters.update({"weight_%d" % i: w, "t_min_%d_s" % i: a, "t_max_%d_s" % i: b})
    out["laws"].append({
        "law": {"family": "multi-stage-uniform-log", "parameters": parameters},
        "mean": num(moment(law, 1)), "variance": num(moment(law, 2) - moment(law, 1) ** 2),
        "points": points, "quantiles": quantiles, "given": given,
    })
print(json.dumps(out, indent=1))
