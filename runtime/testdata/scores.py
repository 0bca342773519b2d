"""Reference scores of the run time predictors, from their definitions.

Run: python3 scores.py LOG.swf.gz... > scores.json

A job is left out if its run time or submission is unknown (below 0). An
unknown wait counts as 0. When a job is submitted, the history of its class is
the jobs of the class submitted before it (in an earlier second, or in an
earlier line of the same) with submit + wait + run at or before that time, in
order of this sum, then of the lines. The whole history is kept as a list, and
each predictor is a formula over it.
"""
import gzip
import heapq
import json
import os
import statistics
import sys

CLASSES = {
    "site": lambda j: j["partition"],
    "user": lambda j: j["user"],
    "user-site": lambda j: (j["user"], j["partition"]),
    "user-app-size-site": lambda j: (j["user"], j["app"], j["size"], j["partition"]),
}


def smoothed(history, memo):
    # The recursion over the whole list, continued from where it was left; the
    # sum for rm is kept beside it.
    for run in history[memo["seen"]:]:
        memo["es"] = run if memo["seen"] == 0 else 0.5 * run + 0.5 * memo["es"]
        memo["sum"] += run
        memo["seen"] += 1
    return memo["es"]


PREDICTORS = {
    "es": smoothed,
    "rm": lambda h, memo: memo["sum"] / len(h),
    "sm": lambda h, memo: statistics.median(h[-5:]),
    "last": lambda h, memo: h[-1],
    "last2": lambda h, memo: statistics.fmean(h[-2:]),
}


def jobs_of(path):
    jobs = []
    with gzip.open(path, "rt", errors="replace") as lines:
        for line in lines:
            f = line.split()
            if not f or f[0].startswith(";"):
                continue
            submit, wait, run = float(f[1]), float(f[2]), float(f[3])
            if submit < 0 or run < 0:
                continue
            allocated, asked = int(f[4]), int(f[7])
            jobs.append({
                "line": len(jobs), "submit": submit, "run": run, "end": submit + max(wait, 0) + run,
                "user": f[11], "app": f[13], "partition": f[15],
                "size": allocated if allocated > 0 else asked,
            })
    return jobs


def scores(path):
    jobs = jobs_of(path)
    result = []
    for classes, key in CLASSES.items():
        histories, memos = {}, {}
        errors = {p: [] for p in PREDICTORS}
        accuracies = {p: [] for p in PREDICTORS}
        under_way = []
        for job in sorted(jobs, key=lambda j: (j["submit"], j["line"])):
            while under_way and under_way[0][0] <= job["submit"]:
                _, _, ended = heapq.heappop(under_way)
                histories.setdefault(key(ended), []).append(ended["run"])
            heapq.heappush(under_way, (job["end"], job["line"], job))
            history = histories.get(key(job))
            if not history:
                continue
            memo = memos.setdefault(key(job), {"seen": 0, "sum": 0.0, "es": None})
            for name, predict in PREDICTORS.items():
                p, t = predict(history, memo), job["run"]
                errors[name].append(abs(p - t))
                accuracies[name].append(1.0 if p == t else min(p, t) / max(p, t))
        for name in PREDICTORS:
            result.append({
                "classes": classes, "predictor": name, "jobs": len(jobs), "predicted": len(errors[name]),
                "accuracy_mean": round(statistics.fmean(accuracies[name]), 7),
                "absolute_error_mean_s": round(statistics.fmean(errors[name]), 3),
                "absolute_error_median_s": round(statistics.median(errors[name]), 3),
            })
    return result


if __name__ == "__main__":
    out = {"made_with": "Python " + sys.version.split()[0],
           "logs": {os.path.basename(p): scores(p) for p in sys.argv[1:]}}
    text = json.dumps(out, indent=1)
    print(text.replace("\n    ", " ").replace("\n   }", " }"))
