"""Reference values for the two-sample Kolmogorov-Smirnov test, by SciPy.

Run: python3 twosample.py > twosample.json
"""
import json
import platform

import numpy as np
import scipy
from scipy import stats

rng = np.random.default_rng(4)


def test(x, y):
    r = stats.ks_2samp(x, y, method="exact" if len(x) * len(y) < 100000 else "asymp")
    en = len(x) * len(y) / (len(x) + len(y))
    return {"x": list(x), "y": list(y), "d": r.statistic, "at": r.statistic_location,
            "asymptotic": float(stats.kstwobign.sf(np.sqrt(en) * r.statistic))}


def run_times(n, mean):
    return np.floor(np.exp(rng.normal(mean, 2, n))) + 1


tests = [
    test(run_times(300, 5), run_times(200, 5)),
    test(run_times(250, 5), run_times(400, 5.6)),
    test(rng.normal(size=50), rng.normal(0.3, 1, 70)),
    test(rng.integers(0, 4, 60).astype(float), rng.integers(0, 5, 45).astype(float)),
    test(np.array([3.0]), np.array([1.0, 2.0, 4.0])),
    test(np.array([1.0, 2.0]), np.array([5.0, 6.0, 7.0])),
    test(np.array([1.0, 1.0, 2.0]), np.array([1.0, 1.0, 2.0])),
]


print(json.dumps({"made_with": "NumPy %s, SciPy %s, Python %s" % (
    np.__version__, scipy.__version__, platform.python_version()), "tests": tests}))
