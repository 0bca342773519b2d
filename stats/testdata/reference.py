"""Reference values for package stats, by NumPy and SciPy; tails of the
Kolmogorov law and of binomials by mpmath and exact fractions.

Run: python3 reference.py > reference.json
"""
import json
import platform
from fractions import Fraction
from math import comb

import mpmath
import numpy as np
import scipy
from mpmath import mp, mpf
from scipy import stats

mp.dps = 50
out = {"made_with": "NumPy %s, SciPy %s, mpmath %s, Python %s" % (np.__version__, scipy.__version__, mpmath.__version__, platform.python_version())}

# Kolmogorov's limiting law; SciPy's kstwobign agrees to its accuracy.
k = []
for x in [0.05, 0.2, 0.5, 0.7, 0.89, 0.91, 1.0, 1.3581, 1.6276, 2, 3, 6, 15]:
    if x < 1:
        t = mpmath.pi ** 2 / (8 * mpf(x) ** 2)
        s = 1 - mpmath.sqrt(2 * mpmath.pi) / mpf(x) * sum(mpmath.exp(-(2 * j - 1) ** 2 * t) for j in range(1, 40))
    else:
        s = 2 * sum((-1) ** (j - 1) * mpmath.exp(-2 * j * j * mpf(x) ** 2) for j in range(1, 60))
    assert abs(float(s) - stats.kstwobign.sf(x)) < 1e-12
    k.append({"x": x, "survival": float(s)})
out["kolmogorov"] = k

# KS tests of SciPy on a sample with ties.
rng = np.random.default_rng(1)
x = np.sort(np.floor(rng.gamma(4.2, 30, 300)) + 1)
tests = []
for a, b in [(4.2, 30.0), (3.0, 40.0), (1.0, 120.0)]:
    r = stats.kstest(x, stats.gamma(a, scale=b).cdf, mode="asymp")
    tests.append({"shape": a, "scale": b, "d": r.statistic, "p_value": r.pvalue})
out["ks"] = {"sample": list(x), "tests": tests}

# Quantiles and moments.
q = []
for n in [1, 2, 3, 10, 11, 300]:
    v = np.concatenate([rng.lognormal(3, 2, n - n // 3), np.round(rng.lognormal(3, 2, n // 3))])
    ps = [0, 0.01, 0.05, 0.1, 0.25, 1 / 3, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1]
    q.append({"values": list(v), "p": ps, "quantiles": [float(np.quantile(v, p)) for p in ps],
              "mean": float(v.mean()), "variance": float(v.var(ddof=1)) if n > 1 else None})
out["quantiles"] = q

# A line.
a = rng.normal(5, 2, 50)
b = 3 - 0.7 * a + rng.normal(0, 1, 50)
r = stats.linregress(a, b)
out["line"] = {"x": list(a), "y": list(b), "slope": r.slope, "intercept": r.intercept, "r": r.rvalue}


# Ranks of upper bounds, in exact arithmetic.
def rank(n, quantile, confidence):
    q, c = Fraction(quantile), Fraction(confidence)
    total = Fraction(0)
    for k in range(1, n + 1):
        total += comb(n, k - 1) * q ** (k - 1) * (1 - q) ** (n - k + 1)
        if total >= c:
            return k, float(total)
    return 0, 0.0


ranks = []
for quantile, confidence in [("0.95", "0.95"), ("0.95", "0.99"), ("0.5", "0.9"), ("0.75", "0.95"), ("0.99", "0.95"), ("0.9", "0.05"), ("0.99", "0.999"), ("0.1", "0.02"), ("0.1", "0.999")]:
    for n in [1, 2, 5, 22, 58, 59, 60, 89, 90, 100, 181, 200, 298, 299, 500, 700]:
        k, achieved = rank(n, quantile, confidence)
        ranks.append({"n": n, "quantile": float(quantile), "confidence": float(confidence), "rank": k, "achieved": achieved})
for n in [5000, 100000, 1000000]:
    k = next(k for k in range(int(n * 0.95), n) if stats.binom.cdf(k - 1, n, 0.95) >= 0.95)
    ranks.append({"n": n, "quantile": 0.95, "confidence": 0.95, "rank": k, "achieved": float(stats.binom.cdf(k - 1, n, 0.95))})
out["ranks"] = ranks
print(json.dumps(out, indent=1))
