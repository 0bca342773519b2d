"""Reference values for package fit, made with NumPy and SciPy.

    python3 reference.py FOLDER_OF_LOGS > reference.json

The folder holds the gzipped logs of the Parallel Workloads Archive that are
named below. Nothing here is shared with the Go code: the Gamma law, its
likelihood equation and the minimisers are SciPy's, EM is plain, the line is
numpy.polyfit over all jobs, the groups come from the textbook O(n m^2)
dynamic programming.
"""

import json
import sys

import numpy as np
import scipy
from scipy import optimize, stats

import archive
from archive import gamma_ml


def log_terms(x, par):
    a1, b1, a2, b2, p = par
    return np.log(p) + stats.gamma.logpdf(x, a1, scale=b1), np.log1p(-p) + stats.gamma.logpdf(x, a2, scale=b2)


def em(x, c, par, iterations, tol):
    last = -np.inf
    for _ in range(iterations):
        l1, l2 = log_terms(x, par)
        m = np.logaddexp(l1, l2)
        ll = (c * m).sum()
        r = np.exp(l1 - m)
        par = gamma_ml(x, c * r) + gamma_ml(x, c * (1 - r)) + [(c * r).sum() / c.sum()]
        if abs(ll - last) < tol * abs(ll):
            break
        last = ll
    return par, (c * np.logaddexp(*log_terms(x, par))).sum()


def hyper_gamma(t):
    t = t[t > 1]
    x, c = np.unique(np.log(t), return_counts=True)
    best = None
    for q in (0.3, 0.5, 0.6, 0.7, 0.8, 0.9):
        low = x <= np.quantile(np.log(t), q)
        if low.sum() < 3 or (~low).sum() < 3:
            continue
        par, ll = em(x, c, gamma_ml(x[low], c[low]) + gamma_ml(x[~low], c[~low]) + [q], 3000, 1e-12)
        if best is None or ll > best[1]:
            best = par, ll
    par, ll = best
    a1, b1, a2, b2, p = par
    f = p * stats.gamma.cdf(x, a1, scale=b1) + (1 - p) * stats.gamma.cdf(x, a2, scale=b2)
    up, n = np.cumsum(c), c.sum()
    d = max(np.abs(up / n - f).max(), np.abs(f - (up - c) / n).max())
    return {"n": int(n), "parameters": par, "log_likelihood_of_ln": ll,
            "log_likelihood_of_seconds": ll - (c * x).sum(), "ks_d": d}


def uniform_log(t, trim):
    t = np.sort(t[t > 0])
    n = len(t)
    f = (np.arange(1, n + 1) - 0.5) / n
    k = (f >= trim) & (f <= 1 - trim)
    x, y = np.log(t[k]), f[k]
    b1, b0 = np.polyfit(x, y, 1)
    return {"n": n, "trim": trim, "intercept": b0, "slope": b1, "r_squared": np.corrcoef(x, y)[0, 1] ** 2,
            "t_min_s": np.exp(-b0 / b1), "t_max_s": np.exp((1 - b0) / b1)}


def two_stage(x, l, m, h, p):
    return np.where(x <= l, 0, np.where(x < m, p * (x - l) / (m - l), np.where(x < h, p + (1 - p) * (x - m) / (h - m), 1)))


def sizes(s):
    s = s[s > 0]
    par = s[s > 1]
    u, c = np.unique(par, return_counts=True)
    fn = np.cumsum(c) / c.sum()
    p2 = np.mean(np.log2(par) % 1 == 0)
    law = lambda v: p2 * two_stage(np.floor(np.log2(u)) + 0.5, *v) + (1 - p2) * two_stage(np.log2(u + 0.5), *v)
    # The sizes that are generated: from the smallest to the largest.
    least, most = 2 ** np.ceil(np.log2(u[0])), 2 ** np.floor(np.log2(u[-1]))

    def generated(n, v):
        log2 = np.log2(np.maximum(n, 1))
        powers = np.where(n < least, 0, np.where(n >= most, 1, two_stage(np.floor(log2) + 0.5, *v)))
        others = np.where(n < u[0], 0, np.where(n >= u[-1], 1, two_stage(np.log2(np.maximum(n, 1) + 0.5), *v)))
        return p2 * powers + (1 - p2) * others

    before = fn - c / c.sum()

    def sum_of_squares(v):
        l, m, h, p = v
        if not (np.log2(u[0]) - 0.5 <= l < m < h <= np.log2(u[-1]) + 0.5 and 0 <= p <= 1):
            return 1e9
        return (c / c.sum() * ((generated(u, v) - fn) ** 2 + (generated(u - 1, v) - before) ** 2)).sum()

    def d_generated(v):
        n = np.arange(0, u[-1] + 1)
        serial, parallel = (s == 1).sum() / len(s), len(par) / len(s)
        model = np.where(n >= 1, serial, 0) + parallel * generated(n, v)
        return np.abs(model - np.searchsorted(np.sort(s), n, side="right") / len(s)).max()

    best = None
    for start in ((0.6, 4, 6.2, 0.84), (1, 4.5, 6.7, 0.76), (0.7, 3, 6.5, 0.6), (0.9, 5, 7, 0.9), (0.55, 4.2, 6.6, 0.8)):
        r = optimize.minimize(sum_of_squares, start, method="Nelder-Mead", options={"maxiter": 20000, "xatol": 1e-8, "fatol": 1e-14})
        if best is None or r.fun < best.fun:
            best = r
    x = np.log2(par)
    return {"n": len(s), "serial": int((s == 1).sum()), "parallel": len(par), "powers_of_two": int((np.log2(par) % 1 == 0).sum()),
            "log2": list(best.x), "mean_square": best.fun, "d_rounded": np.abs(law(best.x) - fn).max(), "d_generated": d_generated(best.x),
            "gamma": gamma_ml(x, np.ones(len(x)))}


def groups(s, t, par):
    use = (s > 0) & (t > 1)
    s, x = s[use], np.log(t[use])
    u, c = np.unique(s, return_counts=True)
    m, g = len(u), 8
    up = np.concatenate([[0], np.cumsum(c)])
    best = np.full((g + 1, m + 1), np.inf)
    arg = np.zeros((g + 1, m + 1), int)
    best[0, 0] = 0
    for k in range(1, g + 1):
        for j in range(k, m + 1):
            i = np.arange(k - 1, j)
            v = best[k - 1, i] + (up[j] - up[i] - up[m] / g) ** 2.0
            arg[k, j] = i[np.argmin(v)]
            best[k, j] = v.min()
    ends, j = [m], m
    for k in range(g, 0, -1):
        j = arg[k, j]
        ends.append(j)
    ends = ends[::-1]
    out, medians, shares = [], [], []
    for i, j in zip(ends[:-1], ends[1:]):
        k = (s >= u[i]) & (s <= u[j - 1])
        f1, f2 = stats.gamma.pdf(x[k], par[0], scale=par[1]), stats.gamma.pdf(x[k], par[2], scale=par[3])
        r = optimize.minimize_scalar(lambda p: -np.log(p * f1 + (1 - p) * f2).sum(), bounds=(0, 1), method="bounded", options={"xatol": 1e-10})
        out.append({"smallest": u[i], "largest": u[j - 1], "median": np.median(s[k]), "jobs": int(k.sum()), "p": r.x})
        medians.append(np.median(s[k]))
        shares.append(r.x)
    slope, intercept = np.polyfit(medians, shares, 1)
    return {"groups": out, "slope": slope, "intercept": intercept}


def arrivals(header, submit):
    second, gap, at_peak = archive.gaps(header, submit)
    at_peak = np.log(at_peak[at_peak > 1])
    slot = second // 1800 + 1
    slot = np.where(slot < 11, slot + 48, slot).astype(float)
    a, b = gamma_ml(slot, np.ones(len(slot)))
    n = np.arange(11, 59)
    w = stats.gamma.cdf(n + 0.5, a, scale=b) - stats.gamma.cdf(n - 0.5, a, scale=b)
    model, data = w / w.sum() * len(slot), np.array([(slot == v).sum() for v in n])
    before, upto = (np.cumsum(data) - data) / len(slot), np.cumsum(data) / len(slot)
    d = max(np.abs(upto - stats.gamma.cdf(n + 0.5, a, scale=b)).max(), np.abs(before - stats.gamma.cdf(n - 0.5, a, scale=b)).max())
    return {"peak_gaps": len(at_peak), "peak": gamma_ml(at_peak, np.ones(len(at_peak))), "gaps": int((gap > 1).sum()),
            "arar": np.log(gap[gap > 1]).mean() / at_peak.mean(), "cycle": [a, b], "cycle_d": d,
            "cycle_distance": ((model - data) ** 2 / (model + data)).sum()}


def quantiles(par, n):
    """n quantiles of a mixture of two Gammas of ln t, rounded down to whole seconds: a sample without randomness."""
    a1, b1, a2, b2, p = par
    cdf = lambda x: p * stats.gamma.cdf(x, a1, scale=b1) + (1 - p) * stats.gamma.cdf(x, a2, scale=b2)
    return np.array([np.floor(np.exp(optimize.brentq(lambda x: cdf(x) - (i + 0.5) / n, 1e-9, 60))) for i in range(n)])


def main(folder):
    out = {"made_with": "reference.py, Python %s, NumPy %s, SciPy %s" % (sys.version.split()[0], np.__version__, scipy.__version__), "logs": {}, "samples": []}
    for name in ("KTH-SP2-1996-2.1-cln.swf", "SDSC-Par-1996-3.1-cln.swf", "NASA-iPSC-1993-3.1-cln.swf", "LCG-2005-1.swf"):
        header, d = archive.read(folder + "/" + name + ".gz")
        log = {}
        for label, keep in (("all", np.ones(len(d), bool)), ("status_1", d[:, 10] == 1)):
            j = d[keep]
            if (j[:, 3] > 0).sum() < 100:
                continue
            r = {"uniform_log": [uniform_log(j[:, 3], v) for v in (0.1, 0.25)], "hyper_gamma": hyper_gamma(j[:, 3])}
            if label == "all" and name[:3] in ("KTH", "SDS"):
                size = archive.sizes(j)
                r["sizes"] = sizes(size)
                r["share_by_size"] = groups(size, j[:, 3], r["hyper_gamma"]["parameters"])
                r["arrivals"] = arrivals(header, j[:, 1])
                r["work"] = hyper_gamma(np.where((size > 0) & (j[:, 3] > 0), size * j[:, 3], 0))
            log[label] = r
        out["logs"][name] = log
    for par, n in (((4, 1, 150, 0.06, 0.6), 400), ((4.2, 0.94, 312, 0.03, 0.685), 1500)):
        t = quantiles(par, n)
        x = np.log(t[t > 1])
        out["samples"].append({"seconds": list(t), "uniform_log": [uniform_log(t, v) for v in (0, 0.1, 0.25)],
                               "hyper_gamma": hyper_gamma(t), "gamma": gamma_ml(x, np.ones(len(x))),
                               "gamma_log_likelihood_of_ln": stats.gamma.logpdf(x, *[gamma_ml(x, np.ones(len(x)))[0]], scale=gamma_ml(x, np.ones(len(x)))[1]).sum()})
    json.dump(out, sys.stdout, indent=1)
    print()


main(sys.argv[1])
