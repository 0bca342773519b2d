"""Reference values for the Wasserstein distance, by SciPy, and for co-plot:
classical scaling by NumPy's eigenvectors.

Run: python3 coplot.py > coplot.json
"""
import json
import platform

import numpy as np
import scipy
from scipy import optimize, stats

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


def pairs(n):
    return np.tril_indices(n, -1)


def dist(p):
    i, k = pairs(len(p))
    return np.sqrt(((p[i] - p[k]) ** 2).sum(axis=1))


def alienation(s, p):
    d = dist(p)
    a = (s[:, None] - s[None, :]) * (d[:, None] - d[None, :])
    mu = a.sum() / np.abs(a).sum()
    return float(np.sqrt(1 - mu * mu)) if mu > 0 else 1.0


def classical(s, n):
    i, k = pairs(n)
    d = np.zeros((n, n))
    d[i, k] = d[k, i] = s
    centre = np.eye(n) - 1 / n
    values, vectors = np.linalg.eigh(-centre @ d**2 @ centre / 2)
    p = vectors[:, -2:] * np.sqrt(np.maximum(values[-2:], 0))
    return p, alienation(s, p)


def coplot(table):
    table = np.asarray(table, float)
    z = (table - table.mean(axis=0)) / table.std(axis=0, ddof=1)
    i, k = pairs(len(z))
    s = np.abs(z[i] - z[k]).sum(axis=1)
    p, theta = classical(s, len(z))
    p = p - p.mean(axis=0)
    arrows = []
    for j in range(z.shape[1]):
        # By brute force: the best of many directions, then refined.
        def against(angle):
            return -np.corrcoef(p @ [np.cos(angle), np.sin(angle)], z[:, j])[0, 1]
        grid = np.linspace(0, 2 * np.pi, 721)
        at = grid[np.argmin([against(a) for a in grid])]
        r = optimize.minimize_scalar(against, bounds=(at - 0.01, at + 0.01), method="bounded", options={"xatol": 1e-10})
        arrows.append(-float(r.fun))
    return {"table": table.tolist(), "dissimilarities": s.tolist(), "points": p.tolist(), "alienation": theta,
            "distances": dist(p).tolist(), "correlations": arrows}


plots = [coplot(rng.normal(size=(10, 6))), coplot(rng.normal(size=(9, 4)))]
# A map given, only its coefficient: with ties.
given = {"s": [0.0, 1.0, 1.0, 2.0, 3.0, 2.0], "points": [[0, 0], [1, 0], [0, 2], [2, 2]]}
given["alienation"] = alienation(np.array(given["s"]), np.array(given["points"], float))

print(json.dumps({"made_with": "NumPy %s, SciPy %s, Python %s" % (np.__version__, scipy.__version__, platform.python_version()),
                  "wasserstein": distances, "coplots": plots, "given": given}))
