"""Reference values for the series statistics of package stats: autocorrelations
by statsmodels, rank correlations by SciPy, counts of events by pandas.

Run: python3 series.py > series.json
"""
import json
import platform

import numpy as np
import pandas as pd
import scipy
import statsmodels
from scipy import stats
from statsmodels.tsa.stattools import acf

rng = np.random.default_rng(20)


def autoregression(n, phi):
    x = np.zeros(n)
    for i in range(1, n):
        x[i] = phi * x[i - 1] + rng.normal()
    return np.round(100 * x, 1)


run_times = np.floor(np.exp(rng.gamma(10, 0.55, 500)))
series = {
    "random walk": np.round(np.cumsum(rng.normal(size=300)), 2),
    "autoregression 0.5": autoregression(400, 0.5),
    "autoregression 0.97": autoregression(400, 0.97),
    "explosive": autoregression(60, 1.08),
    "run times": run_times,
    "run times of changing kind": np.concatenate([run_times[:150], 20 + run_times[150:320] // 100, run_times[320:]]),
    "few values": rng.integers(0, 3, 120).astype(float),
    "nine values": np.array([3.0, 1, 4, 1, 5, 9, 2, 6, 5]),
    "a high level": 1e6 + autoregression(200, 0.8),
}
lags = [1, 2, 10, 50]
correlations = []
for name, x in series.items():
    ks = [k for k in lags if k < len(x)]
    r = acf(x, nlags=max(ks), fft=False)
    correlations.append({"series": list(x), "lags": ks, "r": [r[k] for k in ks]})

x = np.floor(rng.gamma(1, 9, 200)) + 1
y = np.floor(np.exp(rng.normal(4, 2, 200) + 0.05 * x))
ranks = {"x": list(x), "y": list(y), "r": stats.spearmanr(x, y).correlation}

# Bursts in Poisson arrivals, with empty stretches; the first is before 0.
events = np.sort(np.round(np.concatenate([rng.uniform(-1000, 90000, 150), rng.normal(40000, 300, 60), rng.uniform(300000, 301000, 40)]), 1))
counts = []
for width in [300.0, 3600.0, 86400.0]:
    bins = np.floor(events / width).astype(int)
    c = pd.Series(bins).value_counts().reindex(range(bins[0], bins[-1] + 1), fill_value=0)
    ks = [k for k in [1, 10, 100] if k < len(c)]
    r = acf(c.to_numpy(float), nlags=max(ks), fft=False)
    counts.append({"width": width, "intervals": len(c), "mean": c.mean(), "variance": c.var(), "max": int(c.max()),
                   "max_start": float(c.idxmax() * width), "lags": ks, "r": [r[k] for k in ks]})

print(json.dumps({
    "made_with": "statsmodels %s, SciPy %s, pandas %s, NumPy %s, Python %s" % (
        statsmodels.__version__, scipy.__version__, pd.__version__, np.__version__, platform.python_version()),
    "autocorrelation": correlations, "spearman": ranks,
    "events": list(events), "counts": counts}))
