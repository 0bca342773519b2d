"""The last column of table 5 of Downey (1997), January to April 1996, by NumPy.

    python3 drift.py FOLDER_OF_LOGS > drift.json

Median of the uniform-log law of run times above 0, of the batch jobs submitted
from 1 January to 30 April 1996 (US/Pacific), for several readings of which jobs
a row is of (class, status 1 alone or all), and of how many are left out at each
end of the line (trim; the paper says 10 %).
"""

import datetime
import gzip
import json
import os
import sys
import zoneinfo

import numpy as np

LOG = "SDSC-Par-1996-3.1-cln.swf"
BATCH = 2

CLASSES = {
    "sequential": lambda q: q.startswith("q1l"),
    "q1l": lambda q: q == "q1l",
    "q1ll": lambda q: q == "q1ll",
    "short": lambda q: q.startswith("q") and q.endswith("s"),
    "medium": lambda q: q.startswith("q") and q.endswith("m"),
    "long": lambda q: q.startswith("q") and q.endswith("l") and not q.startswith("q1l"),
    "all jobs": lambda q: "standby" not in q,
    "all jobs but q1ll": lambda q: "standby" not in q and q != "q1ll",
    "all jobs and standby": lambda q: True,
}


def read(path):
    start, queues, rows = 0, {}, []
    for line in gzip.open(path, "rt", errors="replace"):
        if line.startswith("; UnixStartTime:"):
            start = int(line.split(":")[1])
        elif line.startswith("; Queue:"):
            number, name = line[8:].split()[:2]
            queues[int(number)] = name
        elif line.strip() and not line.startswith(";"):
            rows.append([float(v) for v in line.split()[:18]])
    return start, queues, np.array(rows)


def line(run, trim):
    run = np.sort(run)
    position = (np.arange(len(run)) + 0.5) / len(run)
    kept = (position >= trim) & (position <= 1 - trim)
    x, y = np.log(run[kept]), position[kept]
    slope, intercept = np.polyfit(x, y, 1)
    return {"median": float(np.exp((0.5 - intercept) / slope)), "r_squared": float(np.corrcoef(x, y)[0, 1] ** 2)}


def main(folder):
    start, queues, rows = read(os.path.join(folder, LOG + ".gz"))
    zone = zoneinfo.ZoneInfo("US/Pacific")
    begin, end = (datetime.datetime(1996, month, 1, tzinfo=zone).timestamp() - start for month in (1, 5))
    rows = rows[(rows[:, 1] >= begin) & (rows[:, 1] < end) & (rows[:, 15] == BATCH) & (rows[:, 3] > 0)]
    names = [queues[int(q)] for q in rows[:, 14]]
    out = {"made_with": "drift.py, Python %s, NumPy %s" % (sys.version.split()[0], np.__version__), "rows": []}
    for name, of in CLASSES.items():
        member = np.array([of(q) for q in names])
        for status in (0, 1):
            for trim in (0.05, 0.1, 0.125, 0.15):
                run = rows[member & ((status == 0) | (rows[:, 10] == status)), 3]
                out["rows"].append({"class": name, "status": status, "trim": trim, "jobs": len(run), **line(run, trim)})
    json.dump(out, sys.stdout, indent=1)
    print()


main(sys.argv[1])
