"""Lengths of runs of misses that are a rare event, for the change points.

For an AR(1) series of standard normal X with lag-1 autocorrelation rho, the
least k with P(X_1 > z, ..., X_k > z) <= 0.05^3, z the quantile of the normal
law, by a recursion on a fine grid of equal steps (Simpson's rule), which must agree
with SciPy's multivariate normal law where k is 2 or 3.

Run as: python3 changes.py > changes.json (numpy 1.24, SciPy 1.10).
"""
import json
import sys

import numpy as np
import scipy
from scipy import stats

RARE = 0.05**3


def run(q, rho):
    z = stats.norm.ppf(q)
    if rho == 0:
        k = 1
        while (1 - q) ** k > RARE * (1 + 1e-9):
            k += 1
        return k
    width = np.sqrt(1 - rho * rho)
    x = np.linspace(z, 9.5, 2001)
    w = np.ones(2001)
    w[1:-1:2], w[2:-1:2] = 4, 2
    w *= (x[1] - x[0]) / 3
    kernel = stats.norm.pdf((x[:, None] - rho * x[None, :]) / width) / width * w[None, :]
    d = stats.norm.pdf(x)
    k = 1
    while True:
        p = w @ d
        if k in (2, 3):
            cov = rho ** np.abs(np.subtract.outer(np.arange(k), np.arange(k)))
            exact = stats.multivariate_normal(np.zeros(k), cov).cdf(-z * np.ones(k))
            assert abs(exact - p) < 2e-5, (q, rho, k, exact, p)
        if p <= RARE:
            return k
        d = kernel @ d
        k += 1


json.dump(
    {
        "made_with": f"numpy {np.__version__}, scipy {scipy.__version__}",
        "rows": {
            str(q): [run(q, min(r / 10, 0.95)) for r in range(11)] for q in (0.5, 0.8, 0.9, 0.95, 0.99)
        },
    },
    sys.stdout,
)
print()
