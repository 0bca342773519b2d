"""Reference values of the Mann-Kendall test and the Theil-Sen slope, by SciPy.

Run: python3 trend.py > trend.json
"""
import json
import sys

import numpy
import scipy
from scipy import stats

random = numpy.random.default_rng(7)
series = [
    [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
    [5.0, 3.0, 4.0, 1.0, 2.0, 0.5, 0.25],
    [0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 2.0],
    [round(x, 2) for x in (random.normal(size=24) + 0.05 * numpy.arange(24)).tolist()],
    [float(round(x)) for x in random.exponential(3, size=40).tolist()],
    [11.0, 9.0, 10.0, 8.0, 5.0, 7.0, 6.0, 1.0, 4.0, 2.0, 3.0],
    random.permutation(50).astype(float).tolist(),
    (random.permutation(50) + 2.0 * numpy.arange(50)).tolist(),
    [3.0, 1.0, 2.0],
    random.permutation(51).astype(float).tolist(),
]
out = []
for s in series:
    at = list(range(len(s)))
    exact = len(set(s)) == len(s) and len(s) <= 50
    k = stats.kendalltau(at, s, method="exact" if exact else "asymptotic")
    out.append({"series": s, "p_value": float(k.pvalue), "slope": float(stats.theilslopes(s, at)[0])})
json.dump({"made_with": f"NumPy {numpy.__version__}, SciPy {scipy.__version__}, Python {sys.version.split()[0]}", "trends": out}, sys.stdout)
