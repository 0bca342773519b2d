"""Exact moments of the published presets, by enumeration.

Written from the procedure of Lublin and Feitelson's program alone, not from
the Go code: sizes and run times are discrete, so their laws are enumerated.
Run with Python 3 and SciPy 1.10:  python3 lublin1999.py > lublin1999.json
"""
import json
import math

import numpy as np
import scipy
from scipy.integrate import quad
from scipy.stats import gamma

CONSTANTS = {
    "batch": dict(serial=0.2927, pow2=0.6686, low=1.2, med=5, hi=7, prob=0.875, a1=6.57, b1=0.823, a2=639.1, b2=0.0156,
                  pa=-0.003, pb=0.6986, aarr=6.0415, barr=0.8531, anum=6.1271, bnum=5.2740, arar=1.0519),
    "interactive": dict(serial=0.1541, pow2=0.625, low=1, med=3, hi=5.5, prob=0.705, a1=3.8351, b1=0.6605, a2=7.073, b2=0.6856,
                        pa=-0.0118, pb=0.9156, aarr=6.5510, barr=0.6621, anum=8.9186, bnum=3.6680, arar=0.9797),
    "untyped": dict(serial=0.244, pow2=0.576, low=0.8, med=4.5, hi=7, prob=0.86, a1=4.2, b1=0.94, a2=312, b2=0.03,
                    pa=-0.0054, pb=0.78, aarr=10.2303, barr=0.4871, anum=8.1737, bnum=3.9631, arar=1.0225),
}


def size_law(c, processors):
    """Probability of every size from 1 up. Jobs that rounding would lift
    above the machine get the largest power of two, or number, that fits."""
    def cdf(x):
        if x <= c["low"]:
            return 0.0
        if x <= c["med"]:
            return c["prob"] * (x - c["low"]) / (c["med"] - c["low"])
        if x < c["hi"]:
            return c["prob"] + (1 - c["prob"]) * (x - c["med"]) / (c["hi"] - c["med"])
        return 1.0

    law = np.zeros(processors + 1)
    law[1] += c["serial"]
    k = 0
    while k - 0.5 < c["hi"]:
        n = 2 ** k
        while n > processors:
            n //= 2
        law[n] += c["pow2"] * (cdf(k + 0.5) - (cdf(k - 0.5) if k else 0))
        k += 1
    rest = 1 - c["serial"] - c["pow2"]
    n = 1
    while True:
        law[min(n, processors)] += rest * (cdf(math.log2(n + 0.5)) - (cdf(math.log2(n - 0.5)) if n > 1 else 0))
        if math.log2(n + 0.5) >= c["hi"]:
            break
        n += 1
    assert abs(law.sum() - 1) < 1e-12
    return law


def run_law(c, law):
    """Survival of the whole-second run time, P(T > t) for t = 0, 1, ..., and
    the mean at every size."""
    t = np.arange(0, int(math.exp(12)) + 1)
    g1, g2 = gamma(c["a1"], scale=c["b1"]), gamma(c["a2"], scale=c["b2"])
    f1, f2 = g1.cdf(12), g2.cdf(12)
    edges = np.minimum(np.log(t + 1), 12)
    s1, s2 = np.maximum(f1 - g1.cdf(edges), 0), np.maximum(f2 - g2.cdf(edges), 0)
    a = b = 0.0
    means = np.zeros(len(law))
    for n, w in enumerate(law):
        if w == 0:
            continue
        p = min(1.0, max(0.0, c["pa"] * n + c["pb"]))
        d = p * f1 + (1 - p) * f2
        a += w * p / d
        b += w * (1 - p) / d
        means[n] = (p * s1.sum() + (1 - p) * s2.sum()) / d
    return a * s1 + b * s2, means


def moments(c, processors):
    law = size_law(c, processors)
    n = np.arange(len(law))
    survival, means = run_law(c, law)
    t = np.arange(len(survival))
    mean_run = survival.sum()
    second = ((2 * t + 1) * survival).sum()

    def quantile(q):
        at = int(np.argmax(1 - survival >= q))
        return dict(q=q, value_s=at, below=float(1 - survival[at - 1]), not_above=float(1 - survival[at]))

    powers = [2 ** k for k in range(1, 25) if 2 ** k <= processors]
    return dict(
        processors=processors,
        size_mean=float((law * n).sum()), size_sd=float(math.sqrt((law * n * n).sum() - (law * n).sum() ** 2)),
        serial=float(law[1]), power_of_two=float(law[powers].sum()),
        run_mean_s=float(mean_run), run_sd_s=float(math.sqrt(second - mean_run ** 2)),
        area_mean=float((law * n * means).sum()),
        run_quantiles=[quantile(0.5), quantile(0.95)],
        size_law=[float(x) for x in law],
    )


def interarrival(c):
    """Mean and standard deviation of exp(g), g at most 13, in seconds."""
    g = gamma(c["aarr"] * c["arar"], scale=c["barr"])
    m = [quad(lambda x: math.exp(k * x) * g.pdf(x), 0, 13, epsrel=1e-12, limit=500)[0] / g.cdf(13) for k in (1, 2)]
    return dict(interarrival_mean_s=m[0], interarrival_sd_s=math.sqrt(m[1] - m[0] ** 2))


def weights(c):
    w = np.zeros(48)
    for i in range(11, 59):
        w[(i - 1) % 48] = gamma.cdf(i + 0.5, c["anum"], scale=c["bnum"]) - gamma.cdf(i - 0.5, c["anum"], scale=c["bnum"])
    return [float(x) for x in w / w.mean()]


def shifted(c, processors):
    """The constants for another machine than one of 128 processors."""
    shift = math.log2(processors) - 7
    return dict(c, med=c["med"] + shift, hi=c["hi"] + shift)


out = dict(scipy=scipy.__version__, numpy=np.__version__, classes={})
for name, c in CONSTANTS.items():
    out["classes"][name] = dict(
        at=[moments(c, 128)] + [moments(shifted(c, p), p) for p in (100, 300)],
        weights=weights(c), **interarrival(c))
print(json.dumps(out, indent=1))
