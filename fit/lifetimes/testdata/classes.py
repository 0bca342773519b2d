"""Downey (1997), tables 1 and 4: the uniform-log law by class, by Python alone.

    python3 classes.py FOLDER_OF_LOGS > classes.json

Least squares of the distribution function on ln t, of run times above 0, the
shortest and the longest 10 % left out. Of SDSC's Paragon the classes are batch
jobs (partition 2) by the names of their queues; of CTC's SP2, whose log has no
queues, ranges of the user's estimate. outlast is the share of a class's jobs that
run longer than the median of another's.
"""

import gzip
import json
import math
import os
import statistics
import sys

TRIM = 0.1


def read(path):
    queues, rows = {}, []
    for line in gzip.open(path, "rt", errors="replace"):
        if line.startswith("; Queue:"):
            number, name = line[8:].split()[:2]
            queues[int(number)] = name
        elif line.strip() and not line.startswith(";"):
            rows.append([float(v) for v in line.split()[:18]])
    return queues, rows


def paragon(folder):
    queues, rows = read(os.path.join(folder, "SDSC-Par-1996-3.1-cln.swf.gz"))
    classes = {"sequential": [], "short": [], "medium": [], "long": []}
    of = {"s": "short", "m": "medium", "l": "long"}
    for row in rows:
        name = queues[int(row[14])]
        if row[15] == 2 and row[3] > 0 and name[0] == "q":
            if name == "q1l":
                classes["sequential"].append(row[3])
            elif name[-1] in of:
                classes[of[name[-1]]].append(row[3])
    return classes


def sp2(folder):
    _, rows = read(os.path.join(folder, "CTC-SP2-1996.simulated-waits.swf.gz"))
    classes = {"short": [], "medium": [], "long": []}
    for row in rows:
        if row[3] > 0 and row[8] > 0:
            classes["short" if row[8] <= 3600 else "medium" if row[8] <= 6 * 3600 else "long"].append(row[3])
    return classes


def line(run):
    points = [(math.log(t), (i + 0.5) / len(run)) for i, t in enumerate(sorted(run))]
    points = [(x, y) for x, y in points if TRIM <= y <= 1 - TRIM]
    n, mx, my = len(points), statistics.fmean(x for x, _ in points), statistics.fmean(y for _, y in points)
    xx = math.fsum((x - mx) ** 2 for x, _ in points)
    yy = math.fsum((y - my) ** 2 for _, y in points)
    xy = math.fsum((x - mx) * (y - my) for x, y in points)
    return {"intercept": my - xy / xx * mx, "slope": xy / xx, "r_squared": xy * xy / xx / yy}


def main(folder):
    out = {"made_with": "classes.py, Python " + sys.version.split()[0], "rows": []}
    for log, classes in (("SDSC-Par-1996", paragon(folder)), ("CTC-SP2-1996", sp2(folder))):
        for name, run in classes.items():
            outlast = {}
            for other, runs in classes.items():
                median = statistics.median(runs)
                outlast[other] = sum(t > median for t in run) / len(run)
            out["rows"].append({"log": log, "class": name, "jobs": len(run), **line(run), "outlast": outlast})
    json.dump(out, sys.stdout, indent=1)
    print()


main(sys.argv[1])
