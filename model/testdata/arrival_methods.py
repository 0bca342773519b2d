"""Reference values of the first two arrival methods of Lublin and Feitelson
(2003), section 7.3, made with SciPy.

    python3 arrival_methods.py > arrival_methods.json

The second method's shapes are found by nested root finding: at a given
constant c every half hour's shape solves J(shape) = c E(t), and c is such that
the shapes' average, weighted by w, is the law's. Nothing of it is shared with
the Go code's iteration.
"""

import json
import sys

import numpy as np
import scipy
from scipy import optimize, stats


def weights(shape, scale):
    n = np.arange(1, 49)
    n = np.where(n < 11, n + 48, n)
    w = stats.gamma.cdf(n + 0.5, shape, scale=scale) - stats.gamma.cdf(n - 0.5, shape, scale=scale)
    return w / w.mean()


def jumps(shape, scale):
    ends = np.concatenate([[0], stats.gamma.cdf(np.log((np.arange(48) + 0.5) * 1800), shape, scale=scale)])
    return np.diff(ends)


def expected_slots(shape, scale, w):
    pr, k = jumps(shape, scale), np.arange(48)
    e = np.array([(np.roll(w, -t) * k * pr).sum() / (np.roll(w, -t) * pr).sum() for t in range(48)])

    def jump(a):
        p = jumps(a, scale)
        return (k * p).sum() / p.sum()

    def shapes(c):
        return np.array([optimize.brentq(lambda a: np.log(jump(a)) - np.log(v) - c, 0.3, 60, xtol=1e-13) for v in e])

    c = optimize.brentq(lambda c: (w * shapes(c)).mean() - shape, -0.5, 0.3, xtol=1e-11)
    return shapes(c)


out = {"made_with": "arrival_methods.py, Python %s, NumPy %s, SciPy %s" % (sys.version.split()[0], np.__version__, scipy.__version__), "cases": []}
for name, peak, arar, cycle in (
    ("KTH-SP2-1996", (6.087, 0.818), 1.0453, (11.892, 2.6078)),
    ("SDSC-Par-1996", (5.674, 0.876), 1.0586, (6.648, 4.8869)),
    ("final model of the paper", (10.23, 0.49), 1.0225, (8.17, 3.96)),
):
    shape, scale = peak[0] * arar, peak[1]
    w = weights(*cycle)
    out["cases"].append({"name": name, "peak": peak, "arar": arar, "cycle": cycle,
                         "expected_interarrival": list(shape + np.log(1 / w) / scale),
                         "expected_slots": list(expected_slots(shape, scale, w))})
json.dump(out, sys.stdout, indent=1)
print()
