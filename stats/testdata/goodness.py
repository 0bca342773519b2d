"""Reference values for the Anderson-Darling and chi-square tests, by SciPy,
NumPy and mpmath.

Run: python3 goodness.py > goodness.json
"""
import json
import platform
import warnings

import mpmath
import numpy as np
import scipy
from mpmath import mp, mpf
from scipy import stats

warnings.simplefilter("ignore")
mp.dps = 60
out = {"made_with": "NumPy %s, SciPy %s, mpmath %s, Python %s" % (np.__version__, scipy.__version__, mpmath.__version__, platform.python_version())}


# The limiting law of A^2 by Anderson and Darling's (1954) series for its
# distribution function; the survival is one less that, in 60 digits.
def ad_cdf(z):
    z = mpf(z)
    total = mpf(0)
    for j in range(0, 60):
        c = mpmath.binomial(mpf(-1) / 2, j) * (4 * j + 1)
        a = (4 * j + 1) ** 2 * mpmath.pi ** 2 / (8 * z)
        f = lambda w: mpmath.exp(z / (8 * (w * w + 1)) - a * w * w - a)
        term = c * mpmath.quad(f, [0, 1 / mpmath.sqrt(a), 4 / mpmath.sqrt(a), 13 / mpmath.sqrt(a)])
        total += term
        if abs(term) < mpf(10) ** -45:
            break
    return mpmath.sqrt(2 * mpmath.pi) / z * total


out["anderson_darling_survival"] = [{"x": x, "survival": float(1 - ad_cdf(x))} for x in
                                    [0.02, 0.05, 0.1, 0.2, 0.5, 0.7, 1, 1.5, 1.933, 2, 2.492, 3.857, 5, 8, 12, 20, 30]]
# Marsaglia and Marsaglia (2004): 10, 5 and 1 % at 1.9330, 2.4924 and 3.8781
# (the 3.857 of older tables is 1.025 %).
assert all(abs(float(1 - ad_cdf(x)) - p) < 1e-5 for x, p in [(1.9330, 0.1), (2.4924, 0.05), (3.8781, 0.01)])


def a2(x, cdf, sf):
    """The statistic of a sample, one value a job, by the printed formula."""
    x = np.sort(x)
    n = len(x)
    i = np.arange(1, n + 1)
    return float(-n - ((2 * i - 1) * (np.log(cdf(x)) + np.log(sf(x[::-1])))).sum() / n)


rng = np.random.default_rng(7)
# scipy.stats.anderson fits the law to the sample first.
x = rng.exponential(40, 250)
e = stats.anderson(x, "expon").statistic
z = rng.normal(3, 2, 180)
u = stats.norm.cdf((z - z.mean()) / z.std(ddof=1))
g = stats.goodness_of_fit(stats.expon, x, known_params={"loc": 0, "scale": 40}, statistic="ad", n_mc_samples=2).statistic
out["exponential"] = {"sample": list(x), "fitted_a2": e, "mean": float(x.mean()), "a2_at_40": float(g)}
out["normal"] = {"uniform": list(u), "a2": stats.anderson(z, "norm").statistic}
assert abs(a2(z, lambda v: stats.norm.cdf(v, z.mean(), z.std(ddof=1)), lambda v: stats.norm.sf(v, z.mean(), z.std(ddof=1))) - out["normal"]["a2"]) < 1e-9

# Tied values with counts, by one value a job.
tied = np.floor(rng.gamma(4.2, 30, 2000) / 5) * 5 + 5
values, counts = np.unique(tied, return_counts=True)
rows = []
for shape, scale in [(4.2, 30.0), (3.0, 40.0), (1.0, 120.0)]:
    law = stats.gamma(shape, scale=scale)
    row = {"shape": shape, "scale": scale, "a2": a2(tied, law.cdf, law.sf), "chi_square": []}
    for cells, estimated in [(5, 0), (20, 2), (60, 2)]:
        observed = np.bincount(np.minimum((law.cdf(tied) * cells).astype(int), cells - 1), minlength=cells)
        r = stats.chisquare(observed, ddof=estimated)
        row["chi_square"].append({"cells": cells, "estimated": estimated, "x2": r.statistic, "p_value": r.pvalue})
    rows.append(row)
out["tied"] = {"values": list(values), "counts": [float(c) for c in counts], "laws": rows}

# Both tails far out: exponential of mean 1 at 1e-200 and at 600.
far = [mpf("1e-200"), mpf("1e-20"), mpf("0.5"), mpf(40), mpf(600)]
n = len(far)
total = sum((2 * i + 1) * (mpmath.log(-mpmath.expm1(-far[i])) - far[n - 1 - i]) for i in range(n))
out["far"] = {"values": [float(v) for v in far], "a2": float(-n - total / n)}

out["chi_square_survival"] = [{"x": x, "degrees": d, "survival": float(mpmath.gammainc(mpf(d) / 2, mpf(x) / 2, mpmath.inf, regularized=True))}
                              for x, d in [(1e-9, 1), (0.5, 1), (3.84, 1), (800, 1), (4, 7), (30, 7), (500, 499), (900, 499), (3000, 499)]]
print(json.dumps(out, indent=1))
