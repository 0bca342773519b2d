"""Reference values for the parts of the site model that reference.py lacks.

    python3 site.py FOLDER_OF_LOGS REFERENCE_JSON > site.json

REFERENCE_JSON is reference.json: its two Gammas of the run times and its
groups of sizes are taken as given. Nothing is shared with the Go code.
"""

import datetime
import json
import pathlib
import sys

import numpy as np
import scipy
from scipy import optimize, stats

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "testdata"))
from archive import clock, gamma_ml, gaps, read, sizes


def ks(x, cdf):
    u, inverse, c = np.unique(x, return_inverse=True, return_counts=True)
    f, up = cdf(u), np.cumsum(c) / len(x)
    return max(np.abs(up - f).max(), np.abs(f - (up - c / len(x))).max())


def size_gamma(size):
    par = size[size > 1]
    a, b = gamma_ml(np.log2(par))
    u, c = np.unique(par, return_counts=True)
    fn = np.cumsum(c) / c.sum()
    p2 = np.mean(np.log2(par) % 1 == 0)
    cdf = lambda x: stats.gamma.cdf(x, a, scale=b)
    rounded = p2 * cdf(np.floor(np.log2(u)) + 0.5) + (1 - p2) * cdf(np.log2(u + 0.5))
    return {"shape": a, "scale": b, "d": ks(np.log2(par), cdf), "d_rounded": np.abs(rounded - fn).max(), "n": len(par),
            "log_likelihood": stats.gamma.logpdf(np.log2(par), a, scale=b).sum()}


def forms(size, run, par, groups):
    use = (size > 0) & (run > 1)
    s, x = size[use], np.log(run[use])
    a1, b1, a2, b2, _ = par
    f1, f2 = stats.gamma.pdf(x, a1, scale=b1), stats.gamma.pdf(x, a2, scale=b2)
    mix = lambda p: lambda v: p * stats.gamma.cdf(v, a1, scale=b1) + (1 - p) * stats.gamma.cdf(v, a2, scale=b2)
    fit = lambda k: optimize.minimize_scalar(lambda p: -np.log(p * f1[k] + (1 - p) * f2[k]).sum(), bounds=(0, 1), method="bounded", options={"xatol": 1e-11}).x
    inside = [(s >= g["smallest"]) & (s <= g["largest"]) for g in groups]
    medians = [g["median"] for g in groups]
    p = np.array([fit(k) for k in inside])
    line = np.polyfit(medians, p, 1)
    out = {}
    for name, slope, intercept, at in (
        ("linear", line[0], line[1], np.clip(line[0] * s + line[1], 0, 1)),
        ("constant", 0, fit(s > 0), np.full(len(s), fit(s > 0))),
    ):
        out[name] = {"slope": slope, "intercept": intercept, "log_likelihood": np.log(at * f1 + (1 - at) * f2).sum(),
                     "d": ks(x, mix(at.mean()))}
    return out


def week(header, submit):
    zone, start = clock(header)
    local = [datetime.datetime.fromtimestamp(start + v, zone) for v in submit]
    jobs, seconds = np.zeros(7), np.zeros(7)
    for v in local:
        jobs[(v.weekday() + 1) % 7] += 1
    # Midnights by calendar, each turned into an instant: days of 23 or 25 hours.
    day, last = local[0].date(), local[-1].date()
    midnight = lambda d: datetime.datetime(d.year, d.month, d.day, tzinfo=zone).timestamp()
    while day <= last:
        after = day + datetime.timedelta(1)
        lo, hi = max(midnight(day), start + submit[0]), min(midnight(after), start + submit[-1])
        seconds[(day.weekday() + 1) % 7] += max(0, hi - lo)
        day = after
    rate = jobs / seconds
    return {"weights": list(rate / rate.mean())}


def arrivals(header, submit):
    _, gap, at_peak = gaps(header, submit)
    out = {"gaps": []}
    for least in (1, 2, 5):
        x = np.log(at_peak[at_peak > least])
        out["gaps"].append({"min": least, "n": len(x), "law": gamma_ml(x), "arar": np.log(gap[gap > least]).mean() / x.mean()})
    return out


def main(folder, reference):
    reference = json.load(open(reference))
    out = {"made_with": "site.py, Python %s, NumPy %s, SciPy %s" % (sys.version.split()[0], np.__version__, scipy.__version__), "logs": {}}
    for name in ("KTH-SP2-1996-2.1-cln.swf", "SDSC-Par-1996-3.1-cln.swf"):
        header, j = read(folder + "/" + name + ".gz")
        size = sizes(j)
        r = reference["logs"][name]["all"]
        out["logs"][name] = {
            "size_gamma": size_gamma(size[size > 0]),
            "forms": forms(size, j[:, 3], r["hyper_gamma"]["parameters"], r["share_by_size"]["groups"]),
            "week": week(header, j[:, 1]),
            "arrivals": arrivals(header, j[:, 1]),
        }
    json.dump(out, sys.stdout, indent=1)
    print()


main(sys.argv[1], sys.argv[2])
