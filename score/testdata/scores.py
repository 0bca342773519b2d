"""Reference values for the scores, by NumPy and SciPy.

Run: python3 scores.py > scores.json
A pair is [predicted, actual] in seconds; null is no prediction.
"""
import json
import sys

import numpy as np
import scipy
from scipy import stats

rng = np.random.default_rng(1997)
n = 400
actual = np.round(np.exp(rng.normal(6, 2, n)))
predicted = np.round(np.exp(1.5 + 0.7 * np.log(np.maximum(actual, 1)) + rng.normal(0, 1.2, n)), 1)
actual[rng.random(n) < 0.15] = 0
predicted[rng.random(n) < 0.05] = 0
same = rng.random(n) < 0.1
predicted[same] = actual[same]
known = rng.random(n) >= 0.2

p, a = predicted[known], actual[known]
with np.errstate(invalid="ignore"):
    accuracy = np.where(p == a, 1, np.minimum(p, a) / np.maximum(p, a))
miss = np.abs(p - a)
both = (p > 0) & (a > 0)
line = stats.linregress(np.log(p[both]), np.log(a[both]))
json.dump(
    {
        "made_with": "Python %s, NumPy %s, SciPy %s" % (sys.version.split()[0], np.__version__, scipy.__version__),
        "jobs": n,
        "predicted": int(known.sum()),
        "accuracy_mean": float(accuracy.mean()),
        "absolute_error_mean_s": float(miss.mean()),
        "absolute_error_median_s": float(np.median(miss)),
        "under_pct": float(100 * np.mean(p < a)),
        "perfect_pct": float(100 * np.mean(p == a)),
        "over_pct": float(100 * np.mean(p > a)),
        "log_pairs": int(both.sum()),
        "correlation_log": float(line.rvalue),
        "bias_slope": float(line.slope),
        "bias_intercept": float(line.intercept),
        "bound_coverage": float(np.mean(a <= p)),
        "non_zero": int((a > 0).sum()),
        "non_zero_coverage": float(np.mean(a[a > 0] <= p[a > 0])),
        "pairs": [[float(x) if k else None, float(y)] for x, y, k in zip(predicted, actual, known)],
    },
    sys.stdout,
    indent=None,
    separators=(",", ":"),
)
print()
