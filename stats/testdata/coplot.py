"""Reference values for the Wasserstein distance, by SciPy, and for co-plot:
smallest space analysis written out here over NumPy, by SMACOF with monotone
regression from many random starts, then SciPy's BFGS on the coefficient of
alienation, rounded off less and less.

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


def pava(y):
    """Pool adjacent violators: the nearest ascending series."""
    level, weight = [], []
    for v in y:
        level.append(v)
        weight.append(1)
        while len(level) > 1 and level[-2] > level[-1]:
            w = weight[-2] + weight[-1]
            level[-2:] = [(level[-2] * weight[-2] + level[-1] * weight[-1]) / w]
            weight[-2:] = [w]
    return np.repeat(level, weight)


def smacof(s, p, rounds=300):
    n = len(p)
    i, k = pairs(n)
    order = np.argsort(s, kind="stable")
    for _ in range(rounds):
        d = dist(p)
        hat = np.empty_like(d)
        hat[order] = pava(d[order])
        hat *= np.sqrt((d ** 2).sum() / (hat ** 2).sum())
        b = np.zeros((n, n))
        r = np.where(d > 0, hat / np.where(d > 0, d, 1), 0)
        b[i, k] = b[k, i] = -r
        b[np.arange(n), np.arange(n)] = -b.sum(axis=1)
        p = b @ p / n
    return p


def rounded(x, s, n, eps):
    """1 - mu with |x| rounded to sqrt(x^2 + eps^2), and its gradient."""
    p = x.reshape(n, 2)
    i, k = pairs(n)
    diff = p[i] - p[k]
    d = np.sqrt((diff ** 2).sum(axis=1)) + 1e-300
    ds, dd = s[:, None] - s[None, :], d[:, None] - d[None, :]
    root = np.sqrt(dd ** 2 + eps ** 2)
    top, low = (ds * dd).sum(), (np.abs(ds) * root).sum()
    by_d = 2 * (ds.sum(axis=1) / low - top / low ** 2 * (np.abs(ds) * dd / root).sum(axis=1))
    g = np.zeros((n, 2))
    step = by_d[:, None] * diff / d[:, None]
    np.add.at(g, i, step)
    np.add.at(g, k, -step)
    return 1 - top / low, -g.ravel()


def ssa(s, n, starts=60):
    best, least = None, 2.0
    for _ in range(starts):
        p = smacof(s, rng.normal(size=(n, 2)), 100)
        for eps in 10.0 ** np.arange(-1, -7.5, -0.5):
            p = p / np.sqrt((p ** 2).sum() / n)
            p = optimize.minimize(rounded, p.ravel(), args=(s, n, eps), jac=True, method="BFGS", options={"maxiter": 500}).x.reshape(n, 2)
        if alienation(s, p) < least:
            best, least = p, alienation(s, p)
    return best, least


def coplot(table):
    table = np.asarray(table, float)
    z = (table - table.mean(axis=0)) / table.std(axis=0, ddof=1)
    i, k = pairs(len(z))
    s = np.abs(z[i] - z[k]).sum(axis=1)
    p, theta = ssa(s, len(z))
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
