"""Reference values for the Wasserstein distance, by SciPy.

Run: python3 wasserstein.py > wasserstein.json
"""
import json
import platform

import numpy as np
import scipy
from scipy import stats

rng = np.random.default_rng(11)


def run_times(n, mean):
    return np.floor(np.exp(rng.normal(mean, 2, n))) + 1


def wasserstein(x, y):
    x, y = np.asarray(x, float), np.asarray(y, float)
    return {"x": list(x), "y": list(y), "distance": stats.wasserstein_distance(x, y)}


distances = [
    wasserstein(run_times(300, 5), run_times(200, 5)),
    wasserstein(rng.normal(size=50), rng.normal(0.3, 1, 70)),
    wasserstein(rng.integers(0, 4, 60), rng.integers(0, 5, 45)),
    wasserstein([3.0], [1.0, 2.0, 4.0]),
    wasserstein([1.0, 2.0], [5.0, 6.0, 7.0]),
]


print(json.dumps({"made_with": "NumPy %s, SciPy %s, Python %s" % (np.__version__, scipy.__version__, platform.python_version()),
                  "wasserstein": distances}))
