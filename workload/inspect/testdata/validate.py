"""Counts what is wrong with the SWF logs of a folder, rule by rule, in plain
Python with everything in memory: the reference for Validate.

    python3 validate.py FOLDER > validate.json

Only the standard library is used. The names of the rules are those of
rules.go; a rule with a count of 0 is left out. not-swf.* is no log.
"""

import glob
import gzip
import heapq
import itertools
import json
import os
import platform
import re
import sys

FIELDS = """job id|submit time|wait time|run time|allocated processors|cpu time|used memory|
requested processors|requested time|requested memory|status|user id|group id|application id|
queue id|partition id|preceding job id|think time""".replace("\n", "").split("|")


def read(path):
    """Header keywords (first of each) and jobs: 18 numbers, None for -1."""
    header, jobs, extra, late = {}, [], 0, 0
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as f:
        for line in f:
            words = line.decode("latin-1").split()
            if not words:
                continue
            if words[0].startswith(";"):
                late += bool(jobs)
                m = re.match(r"\s*;\s*([A-Za-z_]+):\s*(.*?)\s*$", line.decode("latin-1"))
                if m and not jobs:
                    header.setdefault(m.group(1).lower(), m.group(2))
                continue
            extra += len(words) > 18
            numbers = [float(w) for w in words[:18]]
            jobs.append([None if x == -1 else x for x in numbers])
    return header, jobs, extra, late


def number(header, key):
    m = re.match(r"\d+", header.get(key.lower(), ""))
    return int(m.group()) if m and int(m.group()) > 0 else None


def over(a, b):
    return a is not None and b is not None and a > b


def job_rules(header, jobs, n):
    """Rules that look at one job, or at those above it."""
    procs = number(header, "MaxProcs") or number(header, "MaxNodes")
    above, last = set(), None
    for j in jobs:
        job, submit, wait, run, alloc, cpu, used, req, time, mem, status, *_, prec, think = j
        size = next((x for x in (alloc, req) if x is not None and x > 0), None)
        part = status in (2, 3, 4)
        for rule, broken in {
            "submit-unknown": submit is None,
            "submit-order": over(last, submit),
            "wait-unknown": wait is None,
            "run-unknown": run is None,
            "run-past-estimate": over(time, 0) and over(run, time),
            "run-past-max": over(run, number(header, "MaxRuntime")),
            "cpu-over-run": cpu is not None and run is not None and run >= 0 and cpu > run + 0.5,
            "size-unknown": size is None,
            "allocated-over-machine": over(alloc, procs),
            "requested-over-machine": over(req, procs),
            "requested-below-allocated": over(req, 0) and over(alloc, req),
            "memory-over-requested": over(mem, 0) and over(used, mem),
            "memory-over-max": over(used, number(header, "MaxMemory")),
            "job-unknown": job is None,
            "job-duplicate": job is not None and job in above and not part,
            "status-unknown": status is None,
            "status-range": status is not None and status not in range(6),
            "status-part": part and header.get("preemption", "").lower() == "no",
            "cancelled-but-ran": status == 5 and over(run, 0),
            "completed-without-run": status == 1 and run is None,
            "failed-at-start": status == 0 and run == 0,
            "preceding-not-above": prec is not None and prec not in above,
            "think-without-preceding": prec is None and think is not None,
            "zero-run-time": run == 0,
            "zero-allocated-processors": alloc == 0,
            "zero-requested-processors": req == 0,
            "zero-requested-time": time == 0,
        }.items():
            n[rule] = n.get(rule, 0) + bool(broken)
        for name, x in zip(FIELDS, j):
            if x is not None and x < 0:
                rule = "negative-" + name.replace(" ", "-")
                n[rule] = n.get(rule, 0) + 1
        if job is not None:
            above.add(job)
        last = submit if submit is not None else last


def header_rules(header, jobs, n):
    says = {k: number(header, k) for k in ("MaxJobs", "MaxRecords", "MaxQueues", "MaxPartitions", "MaxNodes", "MaxProcs")}
    whole = sum(j[10] != 2 for j in jobs)
    n["header-jobs"] = says["MaxJobs"] not in (None, whole, len(jobs))
    n["header-records"] = says["MaxRecords"] not in (None, len(jobs))
    n["header-unreadable"] = sum(not re.match(r"\d+", header.get(k.lower(), "0")) for k in
                                 list(says) + ["MaxRuntime", "MaxMemory", "UnixStartTime"])


def busy(header, jobs):
    """Every start and end of the jobs that have them, in order of time."""
    procs = number(header, "MaxProcs") or number(header, "MaxNodes")
    if procs is None:
        return None
    events, spans = [], []
    for j in jobs:
        submit, wait, run, size = j[1], j[2], j[3], j[4] if j[4] is not None else j[7]
        if None in (submit, wait, run, size) or wait < 0 or run <= 0 or size <= 0:
            continue
        events += [(submit + wait, size), (submit + wait + run, -size)]
        spans.append((submit + wait, submit + wait + run))
    if not events:
        return None
    events.sort()
    out = {"placed": len(spans), "moments": 0, "seconds": 0.0, "peak": 0, "peak_at": 0.0}
    now, since, periods = 0, None, []
    for t, group in itertools.groupby(events, key=lambda e: e[0]):
        now += sum(size for _, size in group)
        if now > out["peak"]:
            out["peak"], out["peak_at"] = now, t
        out["moments"] += now > procs
        if now > procs and since is None:
            since = t
        elif now <= procs and since is not None:
            periods.append((since, t))
            since = None
    out["seconds"] = sum(b - a for a, b in periods)
    return out


def starts(header, jobs):
    """How many jobs fit of those submitted while 80 % of the machine is in use, where no job
    waits and at most a tenth does not fit: the submissions seem to be the starts."""
    procs = number(header, "MaxProcs") or number(header, "MaxNodes")
    if procs is None:
        return 0
    known = [(j[1], j[2] or 0, j[3], j[4] if j[4] else j[7] or 0) for j in jobs if j[1] is not None and j[3] is not None]
    known = sorted((j for j in known if j[2] > 0 and j[3] > 0), key=lambda j: j[0])
    ends, use, high, unfit = [], 0, 0, 0
    for submit, _, run, size in known:
        while ends and ends[0][0] <= submit:
            use -= heapq.heappop(ends)[1]
        if use >= 0.8 * procs:
            high += 1
            unfit += use + size > procs
        use += size
        heapq.heappush(ends, (submit + run, size))
    waited = sum(j[1] > 0 for j in known)
    few = high < 200 or high < 0.05 * len(known)
    return 0 if few or unfit > 0.1 * high or waited > 0.01 * len(known) else high - unfit


def main():
    logs = {}
    for path in sorted(glob.glob(os.path.join(sys.argv[1], "*.swf*"))):
        name = os.path.basename(path)
        if name.startswith("not-swf"):
            continue
        header, jobs, extra, late = read(path)
        counts = {"reader-extra-fields": extra, "reader-late-comment": late}
        job_rules(header, jobs, counts)
        header_rules(header, jobs, counts)
        use = busy(header, jobs)
        if use is not None:
            counts["machine-over-full"] = use["moments"]
        counts["submissions-are-starts"] = starts(header, jobs)
        counts = {rule: int(c) for rule, c in sorted(counts.items()) if c}
        logs[name] = {"jobs": len(jobs), "counts": counts, "busy": use}
    json.dump({"python": platform.python_version(), "logs": logs}, sys.stdout, indent=1)
    print()


main()
