"""Factors of the one-sided tolerance bound of a normal law, from the noncentral
t law: K = t(C; n-1, z_q sqrt(n)) / sqrt(n).

Run as: python3 tolerance.py > tolerance.json (numpy 1.24, SciPy 1.10).
"""
import json
import sys

import numpy as np
import scipy
from scipy import stats

json.dump(
    {
        "made_with": f"numpy {np.__version__}, scipy {scipy.__version__}",
        "factors": [
            {"n": n, "quantile": q, "confidence": c,
             "factor": stats.nct.ppf(c, n - 1, stats.norm.ppf(q) * np.sqrt(n)) / np.sqrt(n)}
            for q, c, ns in ((0.95, 0.95, (2, 5, 59, 100, 250)), (0.5, 0.95, (5, 59)), (0.99, 0.9, (59, 250)), (0.1, 0.5, (20,)))
            for n in ns
        ],
    },
    sys.stdout,
)
print()
