"""Predictions of the linear model, from its definition.

Run: python3 linear.py > linear.json

The features are those of Gaussier and others (2015) without the running jobs',
with all products of two; the steps are algorithm 2 (NAG) of Ross, Mineiro and
Langford (2013), "Normalized online learning"; the loss is weight * over^2 where
the prediction is too long and weight * under where it is too short, with the
weight ln(e + size * run). Times are in hours. The history of a user is kept as
a list, and a job's features are computed from it when the job is submitted.
"""
import json
import math
import random
import sys

RATE = 0.1
DAY, WEEK = 86400.0, 7 * 86400.0


def features(job, past):
    asked = max(job["time"], 0) / 3600
    runs = [p["run"] / 3600 for p in reversed(past)]
    lasts = [runs[i] if i < len(runs) else asked for i in range(3)]
    if job["time"] > 0:
        lasts = [min(x, asked) for x in lasts]
    mean = sum(p["run"] for p in past) / 3600 / len(past) if past else 0.0
    idle = max(0.0, job["submit"] - past[-1]["end"]) / 3600 if past else 0.0
    sizes = sum(p["size"] for p in past) / len(past) if past else 0.0
    f = [asked, *lasts, (lasts[0] + lasts[1]) / 2, sum(lasts) / 3, mean, idle,
         job["size"] / sizes if sizes > 0 else 0.0, float(job["size"]),
         math.sin(2 * math.pi * (job["submit"] % DAY) / DAY), math.cos(2 * math.pi * (job["submit"] % DAY) / DAY),
         math.sin(2 * math.pi * (job["submit"] % WEEK) / WEEK), math.cos(2 * math.pi * (job["submit"] % WEEK) / WEEK)]
    return [1.0] + f + [f[i] * f[k] for i in range(len(f)) for k in range(i, len(f))]


class NAG:
    def __init__(self, n):
        self.w, self.s, self.g = [0.0] * n, [0.0] * n, [0.0] * n
        self.t, self.norm = 0, 0.0

    def predict(self, x):
        return sum(w * v for w, v in zip(self.w, x))

    def learn(self, x, y, weight):
        self.t += 1
        for i, v in enumerate(x):
            if abs(v) > self.s[i]:
                self.w[i] *= self.s[i] / abs(v)
                self.s[i] = abs(v)
        self.norm += sum((v / s) ** 2 for v, s in zip(x, self.s) if s > 0)
        p = self.predict(x)
        slope = 2 * weight * (p - y) if p >= y else -weight
        for i, v in enumerate(x):
            g = slope * v
            if g != 0:
                self.g[i] += g * g
                self.w[i] -= RATE * math.sqrt(self.t / self.norm) * g / (self.s[i] * math.sqrt(self.g[i]))


def main():
    rng = random.Random(7)
    jobs, submit = [], 0
    for i in range(120):
        submit += rng.randrange(4000)
        time = rng.choice([-1, 600, 3600, 36000])
        run = rng.randrange(1, 40000) if time < 0 else rng.randrange(0, time + 1)
        jobs.append({"submit": submit, "wait": rng.randrange(5000), "run": run, "time": time,
                     "size": rng.choice([1, 2, 4, 16]), "user": rng.randrange(3)})
        jobs[-1]["end"] = submit + jobs[-1]["wait"] + run
    model, past, under_way = NAG(1 + 14 + 105), {}, []
    for n, job in enumerate(jobs):
        # The tests' times seldom coincide; where ends do, the log's order decides.
        for _, k in sorted((jobs[k]["end"], k) for k in under_way if jobs[k]["end"] <= job["submit"]):
            under_way.remove(k)
            j = jobs[k]
            model.learn(j["x"], j["run"] / 3600, math.log(math.e + j["size"] * j["run"]))
            past.setdefault(j["user"], []).append(j)
        job["x"] = features(job, past.get(job["user"], []))
        job["predicted"] = None
        if model.t > 0:
            p = 3600 * max(0.0, model.predict(job["x"]))
            job["predicted"] = min(p, job["time"]) if job["time"] > 0 else p
        under_way.append(n)
    rows = [[j[k] for k in ("submit", "wait", "run", "time", "size", "user", "predicted")] for j in jobs]
    print(json.dumps({"made_with": "Python " + sys.version.split()[0], "jobs": rows}).replace("], [", "],\n ["))


main()
