"""Reference values for Describe on two real logs, by pandas.

Run: python3 describe.py FOLDER_OF_SWF_LOGS > describe.json
"""
import gzip
import json
import os
import platform
import re
import sys

import numpy as np
import pandas as pd

COLUMNS = ["job_id", "submit_time_s", "wait_time_s", "run_time_s", "allocated_processors", "cpu_time_s", "used_memory_kb",
           "requested_processors", "requested_time_s", "requested_memory_kb", "status", "user_id", "group_id",
           "application_id", "queue_id", "partition_id", "preceding_job_id", "think_time_s"]


def column(s):
    s = s.dropna()
    s = s[s >= 0]
    q = s.quantile([0.25, 0.5, 0.75])
    return {"known": len(s), "mean": s.mean(), "cv": s.std() / s.mean(), "q25": q[0.25], "median": q[0.5], "q75": q[0.75],
            "min": s.min(), "max": s.max()}


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
    out["columns"] = {c: column(t[c]) for c in ["submit_time_s", "wait_time_s", "run_time_s", "cpu_time_s", "requested_time_s", "size_processors"]
                      if t[c].notna().any()}

    when = pd.to_datetime(t.submit_time_s + int(header["UnixStartTime"]), unit="s", utc=True).dt.tz_convert(header["TimeZoneString"])
    out["by_hour"] = [int((when.dt.hour == h).sum()) for h in range(24)]
    out["by_weekday_from_monday"] = [int((when.dt.weekday == d).sum()) for d in range(7)]
    by = []
    if t.queue_id.notna().any():
        for q, part in t.groupby("queue_id"):
            by.append({"value": str(int(q)), "jobs": len(part), "users": part.user_id.nunique(), "run": column(part.run_time_s),
                       "size": column(part["size_processors"]), "load": part.work.sum() / (processors * span)})
    out["by_queue"] = sorted(by, key=lambda v: (-v["jobs"], int(v["value"])))
    return out


print(json.dumps({
    "made_with": "pandas %s, NumPy %s, Python %s" % (
        pd.__version__, np.__version__, platform.python_version()),
    "logs": {name: describe(os.path.join(sys.argv[1], name)) for name in ["KTH-SP2-1996-2.1-cln.swf.gz", "SDSC-Par-1996-3.1-cln.swf.gz"]},
}, default=lambda v: v.item(), indent=1).replace("NaN", "null"))
