"""Scores of run time predictions, from their definitions, with NumPy.

Run: /usr/bin/python3 runtime_scores.py > runtime_scores.json
"""
import json
import math
import random
import sys

import numpy as np

rng = random.Random(11)
pairs = []
for _ in range(900):
    actual = rng.choice([0, 1, 60, rng.randrange(1, 100000)])
    predicted = rng.choice([None, actual, 0, rng.randrange(0, 100000), actual * rng.uniform(0.2, 3)])
    pairs.append((predicted, actual))

said = [(p, a) for p, a in pairs if p is not None]
p, a = np.array([x[0] for x in said], float), np.array([x[1] for x in said], float)
with np.errstate(divide="ignore", invalid="ignore"):
    accuracy = np.where(p == a, 1.0, np.minimum(p, a) / np.maximum(p, a))
error = np.abs(p - a)
ran = a > 0
both = ran & (p > 0)
logs = np.log(p[both] / a[both])
print(json.dumps({
    "made_with": f"Python {sys.version.split()[0]}, NumPy {np.__version__}",
    "scores": {
        "accuracy_mean": accuracy.mean(), "accuracy_above_0_9": float((accuracy > 0.9).mean()),
        "absolute_error_mean_s": error.mean(), "absolute_error_median_s": np.quantile(error, 0.5),
        **{f"absolute_error_q{round(100 * q)}_s": np.quantile(error, q) for q in (0.25, 0.75, 0.9, 0.99)},
        "bias_s": (p - a).mean(), "relative_error_mean": (error[ran] / a[ran]).mean(),
        "log_pairs": int(both.sum()), "log_error_mean": np.abs(logs).mean(), "log_bias": logs.mean(),
        "under_pct": 100 * float((p < a).mean()), "perfect_pct": 100 * float((p == a).mean()), "over_pct": 100 * float((p > a).mean()),
    },
    "accuracy_at_most": [[x / 10, float((accuracy <= x / 10).mean())] for x in range(11)],
    "error_at_most": [[10 ** k, float((error <= 10 ** k).mean())] for k in range(6)],
    "pairs": pairs,
}))
