#!/usr/bin/python3
"""Exact laws of the presets that are not of the authors' program, and of
one with laws of seconds, by enumeration and quadrature. Nothing is simulated and nothing of the Go code is used.

    /usr/bin/python3 presets.py > presets.json     # SciPy 1.10, NumPy 1.24
"""
import json
import numpy as np
from scipy import integrate, stats

LIMIT = 12.0  # ln of the longest run time


def rounded_sizes(P, serial, powers, cdf):
    """Probabilities of 0..P: serial, powers of two, others, of log2's cdf."""
    p = np.zeros(P + 1)
    largest = int(np.floor(np.log2(P)))
    for k in range(largest + 1):
        lo = -np.inf if k == 0 else k - 0.5
        hi = np.inf if k == largest else k + 0.5
        p[2 ** k] += (1 - serial) * powers * (cdf(hi) - cdf(lo))
    for n in range(1, P + 1):
        lo = -np.inf if n == 1 else np.log2(n - 0.5)
        hi = np.inf if n == P else np.log2(n + 0.5)
        p[n] += (1 - serial) * (1 - powers) * (cdf(hi) - cdf(lo))
    p[1] += serial
    return p


def two_stage(l, m, h, p):
    return lambda x: float(np.interp(x, [l, m, h], [0, p, 1]))


def gamma(shape, scale):
    return stats.gamma(shape, scale=scale)


def summary(sizes, upto, longest):
    """upto(n, t) is Pr{T < t} of the law before rounding, t an array; times
    are rounded down to whole seconds and are at least 1."""
    n = np.arange(len(sizes))
    out = {"size_law": list(sizes), "size_mean": float((n * sizes).sum()),
           "size_sd": float(np.sqrt((n ** 2 * sizes).sum() - (n * sizes).sum() ** 2))}
    k = np.arange(2, longest + 2, dtype=float)
    below = np.zeros(len(k))  # Pr{T < k}
    area = 0.0
    for size, p in enumerate(sizes):
        if p > 0:
            f = upto(size, k)
            below += p * f
            area += p * size * (1 + (1 - f).sum())
    above = 1 - below
    out["run_mean_s"] = 1 + float(above.sum())
    second = 1 + float(((2 * k - 1) * above).sum())
    out["run_sd_s"] = float(np.sqrt(second - out["run_mean_s"] ** 2))
    out["area_mean"] = float(area)
    out["run_quantiles"] = []
    for q in (0.1, 0.25, 0.5, 0.75, 0.95, 0.99):
        # Pr{T <= v} = Pr{T < v+1}, and k[i] = i+2
        i = int(np.searchsorted(below, q))
        v = i + 1
        out["run_quantiles"].append({"q": q, "value_s": v, "below": float(below[i - 1]) if i > 0 else 0.0, "not_above": float(below[i])})
    return out


def log_gaps(shape, scale, limit):
    g = gamma(shape, scale)
    mass = g.cdf(limit)
    m1 = integrate.quad(lambda x: np.exp(x) * g.pdf(x), 0, limit, epsabs=0, epsrel=1e-11, limit=500)[0] / mass
    m2 = integrate.quad(lambda x: np.exp(2 * x) * g.pdf(x), 0, limit, epsabs=0, epsrel=1e-11, limit=500)[0] / mass
    return {"interarrival_mean_s": m1, "interarrival_sd_s": float(np.sqrt(m2 - m1 * m1))}


def lublin2003():
    P = 128
    sizes = rounded_sizes(P, 0.24, 0.75, two_stage(0.8, 4.5, 7, 0.86))
    g1, g2 = gamma(4.20, 0.94), gamma(312.0, 0.03)

    def upto(n, t):
        p = min(1, max(0, 0.780 - 0.0054 * n))
        mass = p * g1.cdf(LIMIT) + (1 - p) * g2.cdf(LIMIT)
        x = np.minimum(np.log(t), LIMIT)
        return (p * g1.cdf(x) + (1 - p) * g2.cdf(x)) / mass
    return {**summary(sizes, upto, 162755), **log_gaps(10.23, 0.49, 13)}


def downey_speedup(n, a, s):
    if s <= 1:
        if n <= a:
            return a * n / (a + s * (n - 1) / 2)
        if n <= 2 * a - 1:
            return a * n / (s * (a - 0.5) + n * (1 - s / 2))
        return a
    if n <= a + a * s - s:
        return n * a * (s + 1) / (a + a * s - s + n * s)
    return a


def downey():
    lo, hi = np.exp(2), np.exp(12)
    mean = (hi - lo) / 10
    second = (hi ** 2 - lo ** 2) / 20
    out = {"sequential_mean_s": mean, "sequential_sd_s": float(np.sqrt(second - mean ** 2)),
           "parallelism_mean": 127 / np.log(128), "parallelism_sd": float(np.sqrt((128 ** 2 - 1) / 2 / np.log(128) - (127 / np.log(128)) ** 2)),
           "jobs_a_day": 0.75 * 128 / mean * 43200}
    sizes = np.zeros(129)
    for n in range(2, 129):
        sizes[n] = np.log(n / (n - 1)) / np.log(128)

    def F(t):  # of the sequential time
        return np.clip((np.log(t) - 2) / 10, 0, 1)
    # Gauss-Legendre in ln a on (n-1, n] and in sigma on [0, 1] and [1, 2]
    x, w = np.polynomial.legendre.leggauss(12)
    times = np.array([2, 5, 10, 50, 100, 500, 1000, 5000, 20000, 50000.0])
    runs = np.zeros(len(times))
    inverse = inverse2 = area = 0.0
    for n in range(2, 129):
        la, lb = np.log(n - 1), np.log(n)
        for xi, wi in zip(x, w):
            a = np.exp((la + lb) / 2 + (lb - la) / 2 * xi)
            # a sigma at which the break 2a-1 or a+as-s meets n is a kink of
            # S in sigma: for the second, s = (n-a)/(a-1)
            cuts = [0.0, 1.0, 2.0]
            if a > 1 and 1 < (n - a) / (a - 1) < 2:
                cuts.insert(2, (n - a) / (a - 1))
            for s0, s1 in zip(cuts, cuts[1:]):
                for xj, wj in zip(x, w):
                    s = (s0 + s1) / 2 + (s1 - s0) / 2 * xj
                    weight = wi / 2 * (lb - la) / np.log(128) * wj / 2 * (s1 - s0) / 2
                    S = downey_speedup(n, a, s)
                    runs += weight * F(times * S)  # Pr{L/S < t}
                    inverse += weight / S
                    inverse2 += weight / S ** 2
                    area += weight * n / S
    out.update(size_law=list(sizes), run_mean_s=mean * inverse, run_sd_s=float(np.sqrt(second * inverse2 - (mean * inverse) ** 2)),
               area_mean=mean * area, run_below=[{"t": float(t), "p": float(p)} for t, p in zip(times, runs)])
    return out


def poisson():
    """Mean run time 500 s, 60 s between submissions."""
    return {**summary(np.array([0.0, 1.0]), lambda n, t: 1 - np.exp(-t / 500), 30000), "interarrival_mean_s": 60, "interarrival_sd_s": 60}


def gamma_sizes():
    """lublin2003 with sizes by table 1's Gamma of KTH, 3.87 and 0.73, on 100
    processors."""
    sizes = rounded_sizes(100, 0.24, 0.75, lambda x: float(gamma(3.87, 0.73).cdf(x)))
    return {"size_law": list(sizes)}


print(json.dumps({"lublin2003": lublin2003(), "downey1997": downey(), "poisson": poisson(), "gamma-sizes": gamma_sizes()}, indent=1))
