"""Reference values for the two-sample Kolmogorov-Smirnov test, by SciPy, and
for the block length of Politis and White (2004) with the correction of Patton,
Politis and White (2009), written out here over statsmodels' autocovariances.

Run: python3 twosample.py > twosample.json
"""
import json
import platform

import numpy as np
import scipy
import statsmodels
from scipy import stats
from statsmodels.tsa.stattools import acovf

rng = np.random.default_rng(4)


def test(x, y):
    r = stats.ks_2samp(x, y, method="exact" if len(x) * len(y) < 100000 else "asymp")
    en = len(x) * len(y) / (len(x) + len(y))
    return {"x": list(x), "y": list(y), "d": r.statistic, "at": r.statistic_location,
            "asymptotic": float(stats.kstwobign.sf(np.sqrt(en) * r.statistic))}


def run_times(n, mean):
    return np.floor(np.exp(rng.normal(mean, 2, n))) + 1


tests = [
    test(run_times(300, 5), run_times(200, 5)),
    test(run_times(250, 5), run_times(400, 5.6)),
    test(rng.normal(size=50), rng.normal(0.3, 1, 70)),
    test(rng.integers(0, 4, 60).astype(float), rng.integers(0, 5, 45).astype(float)),
    test(np.array([3.0]), np.array([1.0, 2.0, 4.0])),
    test(np.array([1.0, 2.0]), np.array([5.0, 6.0, 7.0])),
    test(np.array([1.0, 1.0, 2.0]), np.array([1.0, 1.0, 2.0])),
]


def block_length(x):
    n = len(x)
    eps = stats.rankdata(x)
    kn = max(5, int(np.ceil(np.sqrt(np.log10(n)))))
    m_max = min(n - 1, int(np.ceil(np.sqrt(n))) + kn)
    r = acovf(eps, adjusted=False, demean=True, fft=False)
    small = np.abs(r / r[0]) < 2 * np.sqrt(np.log10(n) / n)
    m_hat = None
    for m in range(0, m_max + 1 - kn):
        if small[m + 1:m + kn + 1].all():
            m_hat = m
            break
    persistent = m_hat is None
    if persistent:
        m_hat = max(k for k in range(1, m_max + 1) if not small[k])
    window = min(2 * max(1, m_hat), m_max)
    k = np.arange(-window, window + 1)
    t = np.abs(k) / window
    lam = np.where(t <= 0.5, 1.0, 2 * (1 - t))
    g_big = np.sum(lam * np.abs(k) * r[np.abs(k)])
    g = np.sum(lam * r[np.abs(k)])
    b = (2 * g_big ** 2 / (2 * g ** 2)) ** (1 / 3) * n ** (1 / 3)
    b_max = np.ceil(min(3 * np.sqrt(n), n / 3))
    return {"x": list(x), "lags": int(m_hat), "mean": float(max(1, min(b, b_max))), "capped": bool(b > b_max), "persistent": persistent}


def autoregression(n, phi):
    x = np.zeros(n)
    for i in range(1, n):
        x[i] = phi * x[i - 1] + rng.normal()
    return np.round(100 * x, 1)


blocks = [block_length(x) for x in [
    autoregression(300, 0.0), autoregression(300, 0.5), autoregression(400, 0.9),
    autoregression(300, -0.6), np.cumsum(rng.integers(-3, 4, 250)).astype(float),
    np.repeat(run_times(60, 5), 5), np.arange(40.0), np.tile([1.0, 2.0], 30), np.floor(np.arange(1200) / 100), rng.integers(0, 3, 100).astype(float),
]]

print(json.dumps({"made_with": "NumPy %s, SciPy %s, statsmodels %s, Python %s" % (
    np.__version__, scipy.__version__, statsmodels.__version__, platform.python_version()),
    "tests": tests, "blocks": blocks}))
