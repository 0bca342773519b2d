"""Exact reference values for Describe on two real logs: rational arithmetic over the
numbers of the files, each value rounded once, to the nearest double. Standard library
only.

Run: python3 describe_exact.py FOLDER_OF_SWF_LOGS > describe_exact.json
"""
import gzip
import json
import math
import os
import platform
import re
import sys
from fractions import Fraction

COLUMNS = {"submit_time_s": 1, "wait_time_s": 2, "run_time_s": 3, "cpu_time_s": 5, "requested_time_s": 8}


def root(q):
    """The square root of a fraction, to 30 digits more than a double holds."""
    shift = 400 + max(0, q.denominator.bit_length() - q.numerator.bit_length())
    return Fraction(math.isqrt((q.numerator << 2 * shift) // q.denominator), 1 << shift)


def moments(values):
    n, total, squares = len(values), sum(values), sum(v * v for v in values)
    mean, variance = Fraction(total) / n, Fraction(n * squares - total * total) / (n * (n - 1))
    return {"mean": float(mean), "variance": float(variance), "cv": float(root(variance) / mean)}


def describe(path):
    header, jobs = {}, []
    with gzip.open(path, "rt", errors="replace") as f:
        for line in f:
            m = re.match(r";\s*(\w+):\s*(.*)", line)
            if m:
                header.setdefault(m.group(1), m.group(2).strip())
            elif line.strip() and not line.startswith(";"):
                jobs.append([Fraction(float(v)) for v in line.split()[:18]])
    out = {"columns": {}}
    for name, at in COLUMNS.items():
        known = [j[at] for j in jobs if j[at] >= 0]
        if known:
            out["columns"][name] = moments(known)
    sized = [(next((n for n in (j[4], j[7]) if n > 0), None), j[3]) for j in jobs]
    out["columns"]["size_processors"] = moments([n for n, _ in sized if n])

    submits = sorted(j[1] for j in jobs)
    work = sum(n * run for n, run in sized if n and run > 0)
    out["work"] = float(work)
    out["load"] = float(work / (int(header["MaxProcs"].split()[0]) * (submits[-1] - submits[0])))
    return out


print(json.dumps({
    "made_with": "Python %s" % platform.python_version(),
    "logs": {name: describe(os.path.join(sys.argv[1], name)) for name in ["KTH-SP2-1996-2.1-cln.swf.gz", "SDSC-Par-1996-3.1-cln.swf.gz"]},
}, indent=1))
