"""Reference values for package num, by mpmath at 80 digits.

Run: python3 reference.py > reference.json
"""
import json
import platform

import mpmath
from mpmath import mp, mpf

mp.dps = 80

SHAPES = ["0.001", "0.05", "0.3", "0.7", "1", "1.5", "4.2", "9.9", "11", "45", "101.5", "312", "639.1", "1000", "2000", "50000"]
# Distances from the mean in standard deviations, and ratios to the mean.
SIGMAS = [-36, -20, -8, -3, -1, -0.1, -0.001, 0, 0.001, 0.1, 1, 3, 8, 20, 40]
RATIOS = ["1e-8", "0.001", "0.3", "0.999", "1.001", "3", "30", "300"]


def f(x):
    return float(x)


def lower_over_kernel(a, x):
    """gamma(a,x) by its positive series, exact to mp.dps."""
    s = t = mpf(1)
    n = 0
    while t > s * mpf(10) ** (-mp.dps):
        n += 1
        t *= x / (a + n)
        s += t
    return s


def pq(a, x):
    kernel = mpmath.exp(a * mpmath.log(x) - x - mpmath.loggamma(a + 1))
    p = kernel * lower_over_kernel(a, x)
    q = 1 - p
    if q < mpf("1e-20"):
        q = mpmath.gammainc(a, x, mpmath.inf, regularized=True)
    return p, q


out = {"made_with": "mpmath %s at %d digits, Python %s" % (mpmath.__version__, mp.dps, platform.python_version())}
gamma = []
for s in SHAPES:
    a = mpf(float(s))
    xs = [f(a + mpf(k) * mpmath.sqrt(a)) for k in SIGMAS] + [f(a * mpf(r)) for r in RATIOS]
    for x in sorted({x for x in xs if x > 0}):
        if x > 1e6 or x > 60 * a + 800:
            continue
        p, q = pq(a, mpf(x))
        if p < mpf("1e-290") or q < mpf("1e-290"):
            continue
        gamma.append({"a": f(a), "x": x, "p": f(p), "q": f(q)})
out["gamma"] = gamma
xs = [1e-6, 0.1, 0.5, 1, 1.4616321449683622, 2, 3.7, 9.99, 10, 11.99, 12, 12.01, 45.5, 312, 2000, 1e6, 1e9]
out["psi"] = [{"x": x, "digamma": f(mpmath.digamma(mpf(x))), "trigamma": f(mpmath.psi(1, mpf(x))),
               "ln_minus_digamma": f(mpmath.log(mpf(x)) - mpmath.digamma(mpf(x))),
               "trigamma_minus_inverse": f(mpmath.psi(1, mpf(x)) - 1 / mpf(x))} for x in xs]
out["stirling_error"] = [{"x": x, "y": f(mpmath.loggamma(mpf(x) + 1) - (mpf(x) + mpf(1) / 2) * mpmath.log(mpf(x)) + mpf(x) - mpmath.log(2 * mpmath.pi) / 2)} for x in xs]
lo = [-0.999, -0.5, -0.4, -0.1, -1e-5, -1e-10, 1e-300, 1e-9, 1e-3, 0.2, 0.79, 0.81, 3, 1e5]
out["log1pmx"] = [{"x": x, "y": f(mpmath.log1p(mpf(x)) - mpf(x))} for x in lo]
print(json.dumps(out, indent=1))
