"""Reference values for this package's tests.

Run as: python3 reference.py > reference.json (numpy 1.24, SciPy 1.10).
"""
import json
import sys

import numpy as np
import scipy
from scipy import stats


def lag1(waits):
    """Autocorrelation at lag 1 of the normal scores of the last 100 waits."""
    w = np.array(waits[-100:])
    z = stats.norm.ppf(stats.rankdata(w, method="ordinal") / (len(w) + 1))

    def cov(lag):
        m = len(z)
        x, y = z[: m - lag], z[lag:]
        return ((x - x.mean()) * (y - y.mean())).sum() / (m - lag)

    return cov(1) / cov(0)


rng = np.random.default_rng(1)
series = {}
for name, n, rho in (("short", 59, 0.0), ("window", 100, 0.5), ("long", 230, 0.9)):
    x = [rng.standard_normal()]
    while len(x) < n:
        x.append(rho * x[-1] + np.sqrt(1 - rho * rho) * rng.standard_normal())
    # Whole seconds, so that there are ties, many of them zero.
    series[name] = [float(max(0, round(v))) for v in 20 * np.array(x)]

json.dump(
    {
        "made_with": f"numpy {np.__version__}, scipy {scipy.__version__}",
        "autocorrelation": [
            {"name": k, "waits": v, "lag_1": lag1(v)} for k, v in series.items()
        ],
    },
    sys.stdout,
    indent=None,
)
print()
