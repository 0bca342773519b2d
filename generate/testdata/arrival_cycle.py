"""How near the three arrival methods of Lublin and Feitelson (2003), section
7.3, come to the daily cycle that they are given: the paper's own measure, the
sum over the 48 half hours of (m-d)^2/(m+d), m jobs that were made and d that
the cycle expects. Made with the standard library of Python alone.

    python3 arrival_cycle.py > arrival_cycle.json

300,000 jobs by the paper's final model, tables 6 and 7 (ARAR 1; logarithms of
interarrival times above 13 are drawn again), 20 runs of each method. The second
method's shapes are those of model/testdata/arrival_methods.py, found by nested
bisection. `stationary` is no cycle at all. Nothing is shared with the Go code.
"""

import json
import math
import random
import statistics
import sys

SHAPE, SCALE = 10.23, 0.49
CYCLE = (8.17, 3.96)
JOBS, RUNS, MOST = 300_000, 20, 13.0


def gamma_cdf(shape, x):
    """The regularised lower incomplete Gamma function: series or continued fraction."""
    if x <= 0:
        return 0.0
    front = math.exp(shape * math.log(x) - x - math.lgamma(shape))
    if x < shape + 1:
        term = total = 1 / shape
        n = shape
        while term > 1e-17 * total:
            n += 1
            term *= x / n
            total += term
        return total * front
    b = x + 1 - shape
    c, d = 1e300, 1 / b
    h = d
    for i in range(1, 1000):
        a = -i * (i - shape)
        b += 2
        d = 1 / (a * d + b)
        c = b + a / c
        h *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return 1 - front * h


def weights():
    w = []
    for i in range(48):
        n = i + 1 if i >= 10 else i + 49
        w.append(gamma_cdf(CYCLE[0], (n + 0.5) / CYCLE[1]) - gamma_cdf(CYCLE[0], (n - 0.5) / CYCLE[1]))
    return [48 * v / sum(w) for v in w]


def jumps(shape):
    ends = [0.0] + [gamma_cdf(shape, math.log((k + 0.5) * 1800) / SCALE) for k in range(48)]
    return [b - a for a, b in zip(ends, ends[1:])]


def log_jump(shape):
    p = jumps(shape)
    return math.log(sum(k * v for k, v in enumerate(p)) / sum(p))


def expected_slots(w):
    pr = jumps(SHAPE)
    target = []
    for t in range(48):
        here = [w[(t + k) % 48] * pr[k] for k in range(48)]
        target.append(math.log(sum(k * v for k, v in enumerate(here)) / sum(here)))

    def shapes(c):
        found = []
        for v in target:
            lo, hi = 1.0, 40.0
            while hi - lo > 1e-6:
                mid = (lo + hi) / 2
                lo, hi = (mid, hi) if log_jump(mid) < v + c else (lo, mid)
            found.append((lo + hi) / 2)
        return found

    lo, hi = -0.5, 0.5
    while hi - lo > 1e-5:
        c = (lo + hi) / 2
        mean = statistics.fmean(a * b for a, b in zip(w, shapes(c)))
        lo, hi = (c, hi) if mean < SHAPE else (lo, c)
    return shapes((lo + hi) / 2)


def gap(rng, shape):
    while True:
        ln = rng.gammavariate(shape, SCALE)
        if ln <= MOST:
            return math.exp(ln)


def by_shape(rng, shapes):
    counts, now = [0] * 48, 0.0
    for _ in range(JOBS):
        now = (now + gap(rng, shapes[int(now // 1800)])) % 86400
        counts[min(int(now // 1800), 47)] += 1
    return counts


def by_weight(rng, w):
    """A half hour lasts 1800 w virtual seconds, a day 86400 as ever."""
    ends, total = [], 0.0
    for v in w:
        total += 1800 * v
        ends.append(total)
    counts, now, slot = [0] * 48, 0.0, 0
    for _ in range(JOBS):
        now += gap(rng, SHAPE)
        if now >= 86400:
            now, slot = now % 86400, 0
        while slot < 47 and ends[slot] <= now:
            slot += 1
        counts[slot] += 1
    return counts


def distance(counts, w):
    n = sum(counts)
    return sum((m - n * v / 48) ** 2 / (m + n * v / 48) for m, v in zip(counts, w))


def main():
    w = weights()
    first = [SHAPE - math.log(v) / SCALE for v in w]
    second = expected_slots(w)
    out = {"made_with": "arrival_cycle.py, Python %s" % sys.version.split()[0], "jobs": JOBS, "runs": RUNS, "methods": {}}
    for name, make in (
        ("slot-weights", lambda rng: by_weight(rng, w)),
        ("expected-interarrival", lambda rng: by_shape(rng, first)),
        ("expected-slots", lambda rng: by_shape(rng, second)),
        ("stationary", lambda rng: by_shape(rng, [SHAPE] * 48)),
    ):
        runs = [distance(make(random.Random(seed)), w) for seed in range(RUNS)]
        out["methods"][name] = {"mean": statistics.fmean(runs), "standard_deviation": statistics.stdev(runs)}
    json.dump(out, sys.stdout, indent=1)
    print()


main()
