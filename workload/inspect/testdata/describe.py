"""Reference values for Describe on two real logs, by pandas, SciPy and
statsmodels.

Run: python3 describe.py FOLDER_OF_SWF_LOGS > describe.json
"""
import bisect
import gzip
import json
import os
import platform
import re
import sys
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import scipy
import statsmodels
from scipy import stats
from statsmodels.tsa.stattools import acf

COLUMNS = ["job_id", "submit_time_s", "wait_time_s", "run_time_s", "allocated_processors", "cpu_time_s", "used_memory_kb",
           "requested_processors", "requested_time_s", "requested_memory_kb", "status", "user_id", "group_id",
           "application_id", "queue_id", "partition_id", "preceding_job_id", "think_time_s"]
LAGS = [1, 10, 100]


def column(s):
    s = s.dropna()
    s = s[s >= 0]
    q = s.quantile([0.25, 0.5, 0.75])
    return {"known": len(s), "mean": s.mean(), "cv": s.std() / s.mean(), "q25": q[0.25], "median": q[0.5], "q75": q[0.75],
            "min": s.min(), "max": s.max()}


def lagged(x):
    ks = [k for k in LAGS if k < len(x)]
    r = acf(np.asarray(x, float), nlags=max(ks), fft=True)
    return [r[k] for k in ks]


def equal_groups(counts, n):
    """Least sum of squared counts, by plain dynamic programming."""
    m = len(counts)
    upto = np.concatenate([[0], np.cumsum(counts)]).astype(float)
    best = np.full((n + 1, m + 1), np.inf)
    start = np.zeros((n + 1, m + 1), int)
    best[0, 0] = 0
    for g in range(1, n + 1):
        for j in range(g, m + 1):
            costs = best[g - 1, :j] + (upto[j] - upto[:j]) ** 2
            start[g, j] = costs.argmin()
            best[g, j] = costs.min()
    ends, j = [], m
    for g in range(n, 0, -1):
        ends.append(j)
        j = start[g, j]
    return ends[::-1]


def weeks(submits, work, processors, start, zone):
    """Load by weeks that begin at midnight, the first on the day on which the log starts."""
    zone = ZoneInfo(zone)
    day = datetime.fromtimestamp(start, zone).replace(hour=0, minute=0, second=0)
    first, last = min(submits), max(submits)
    begins = []
    while not begins or begins[-1] <= last:
        begins.append(day.timestamp() - start)
        day += timedelta(days=7)  # of the wall clock
    jobs, sums = [0] * len(begins), [0.0] * len(begins)
    for s, w in zip(submits, work):
        k = bisect.bisect_right(begins, s) - 1
        jobs[k] += 1
        sums[k] += w
    some = [k for k in range(len(begins) - 1) if begins[k + 1] > first]
    covered = {k: min(begins[k + 1], last) - max(begins[k], first) for k in some}
    return {"start": [float(begins[k]) for k in some], "covered": [float(covered[k]) for k in some], "jobs": [jobs[k] for k in some],
            "load": [sums[k] / (processors * covered[k]) for k in some]}


def describe(path):
    header, rows = {}, []
    with gzip.open(path, "rt", errors="replace") as f:
        for line in f:
            m = re.match(r";\s*(\w+):\s*(.*)", line)
            if m:
                header.setdefault(m.group(1), m.group(2).strip())
            elif line.strip() and not line.startswith(";"):
                rows.append([float(v) for v in line.split()[:18]])
    t = pd.DataFrame(rows, columns=COLUMNS).replace(-1, np.nan)
    processors = int(header["MaxProcs"].split()[0])
    t["size_processors"] = t.allocated_processors.where(t.allocated_processors > 0, t.requested_processors.where(t.requested_processors > 0))
    t["work"] = (t["size_processors"] * t.run_time_s).where(t.run_time_s > 0, 0).fillna(0)
    first, last = t.submit_time_s.min(), t.submit_time_s.max()
    span = last - first
    out = {"jobs": len(t), "processors": processors, "months": span / (365.25 * 86400 / 12), "users": t.user_id.nunique(),
           "sites": t.partition_id.nunique(), "parallel": (t["size_processors"].dropna() > 1).mean(),
           "load": t.work.sum() / (processors * span)}
    out["known"] = {c: int(t[c].notna().sum()) for c in COLUMNS}
    out["columns"] = {c: column(t[c]) for c in ["submit_time_s", "wait_time_s", "run_time_s", "cpu_time_s", "requested_time_s", "size_processors"]
                      if t[c].notna().any()}

    when = pd.to_datetime(t.submit_time_s + int(header["UnixStartTime"]), unit="s", utc=True).dt.tz_convert(header["TimeZoneString"])
    out["by_hour"] = [int((when.dt.hour == h).sum()) for h in range(24)]
    out["by_weekday_from_monday"] = [int((when.dt.weekday == d).sum()) for d in range(7)]
    out["monday_at_10"] = int(((when.dt.weekday == 0) & (when.dt.hour == 10)).sum())

    out["weeks"] = weeks(list(t.submit_time_s), list(t.work), processors, int(header["UnixStartTime"]), header["TimeZoneString"])

    counts = []
    for width in [300, 3600, 86400]:
        bins = np.floor(t.submit_time_s / width).astype(int)
        c = bins.value_counts().reindex(range(bins.min(), bins.max() + 1), fill_value=0)
        counts.append({"width": width, "intervals": len(c), "mean": c.mean(), "variance": c.var(), "dispersion": c.var() / c.mean(),
                       "max": int(c.max()), "max_start": int(c.idxmax()) * width, "r": lagged(c)})
    out["counts"] = counts
    ordered = t.sort_values("submit_time_s", kind="stable")
    gaps = ordered.submit_time_s.diff().dropna()
    out["interarrivals"] = {"known": len(gaps), "mean": gaps.mean(), "cv": gaps.std() / gaps.mean(), "zero": (gaps == 0).mean(),
                            "max": gaps.max(), "r": lagged(gaps)}

    both = t[t["size_processors"].notna() & (t.run_time_s >= 0)]
    positive = both[both.run_time_s > 0]
    out["relation"] = {"jobs": len(both), "pearson": both["size_processors"].corr(both.run_time_s), "spearman": stats.spearmanr(both["size_processors"], both.run_time_s).correlation,
                       "log_jobs": len(positive), "log": np.corrcoef(np.log(positive["size_processors"]), np.log(positive.run_time_s))[0, 1]}
    by_size = both.groupby("size_processors").size()
    groups, begin = [], 0
    for end in equal_groups(by_size.to_numpy(), 8):
        sizes = by_size.index[begin:end]
        runs = both[both["size_processors"].isin(sizes)].run_time_s
        q = runs.quantile([0.25, 0.5, 0.75])
        groups.append({"from": int(sizes[0]), "to": int(sizes[-1]), "jobs": len(runs), "mean": runs.mean(), "q25": q[0.25], "median": q[0.5], "q75": q[0.75]})
        begin = end
    out["size_groups"] = groups

    by = []
    if t.queue_id.notna().any():
        for q, part in t.groupby("queue_id"):
            by.append({"value": str(int(q)), "jobs": len(part), "users": part.user_id.nunique(), "run": column(part.run_time_s),
                       "size": column(part["size_processors"]), "load": part.work.sum() / (processors * span)})
    out["by_queue"] = sorted(by, key=lambda v: (-v["jobs"], int(v["value"])))
    return out


print(json.dumps({
    "made_with": "pandas %s, SciPy %s, statsmodels %s, NumPy %s, Python %s" % (
        pd.__version__, scipy.__version__, statsmodels.__version__, np.__version__, platform.python_version()),
    "logs": {name: describe(os.path.join(sys.argv[1], name)) for name in ["KTH-SP2-1996-2.1-cln.swf.gz", "SDSC-Par-1996-3.1-cln.swf.gz"]},
}, default=lambda v: v.item(), indent=1).replace("NaN", "null"))
