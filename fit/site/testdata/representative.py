"""The representative laws of Lublin and Feitelson (2003), section 5.2, made
with the standard library of Python alone.

    python3 representative.py > representative.json

From the printed rows of the four logs, tables 2, 3, 5, 6 and 7: the average
models, and the search model, all 243 combinations. The search is of
fit.SearchLaw's definition: three values that divide the range of a parameter's
logarithm into four equal parts; the modes and the valley within the range of
the logs' own; the least integral of |density - median of the logs' densities|.
Nothing of it is shared with the Go code. Modes are found by golden-section
search between grid points, integrals by the trapezoidal rule on a finer grid.

`readings` are the search by other readings of "three values which divide the
range into equal parts", and `printed` is where the printed search model stands.
"""

import bisect
import itertools
import json
import math
import statistics
import sys

TABLE_2 = [(2.35, 1.50, 1533, 0.007, 0.94), (4.15, 0.96, 569.7, 0.018, 0.70), (5.76, 0.82, 159.5, 0.05, 0.61), (6.00, 0.66, 68.5, 0.13, 0.55)]
TABLE_3 = [(3.66, 1.32, 13.4, 0.87, 0.88), (5.12, 1.09, 120.0, 0.10, 0.71), (118.4, 0.06, 42.2, 0.28, 0.30), (5.16, 1.10, 30.6, 0.34, 0.59)]
TABLE_5 = [(-0.0043, 0.995), (-0.0107, 0.900), (-0.0065, 0.649), (-0.00027, 0.575)]
TABLE_6 = [(6.89, 0.62), (7.13, 0.70), (14.10, 0.37), (15.81, 0.35)]
TABLE_7 = [(7.77, 4.16), (6.84, 4.77), (12.00, 2.55), (7.00, 4.86)]

STEP = 0.008
END = 26.0  # ln of 6200 years, or of 2e11 processor seconds: no law has mass beyond
X = [STEP * (i + 0.5) for i in range(int(END / STEP))]


def log_gamma_density(shape, scale, x):
    return (shape - 1) * math.log(x) - x / scale - math.lgamma(shape) - shape * math.log(scale)


_components = {}


def component(shape, scale):
    if (shape, scale) not in _components:
        _components[shape, scale] = [math.exp(log_gamma_density(shape, scale, x)) for x in X]
    return _components[shape, scale]


def density(law):
    a1, b1, a2, b2, p = law
    return [p * f + (1 - p) * g for f, g in zip(component(a1, b1), component(a2, b2))]


def extrema(f, law):
    """Places of the maxima and minima of a density, refined between points."""
    a1, b1, a2, b2, p = law

    def at(x):
        return p * math.exp(log_gamma_density(a1, b1, x)) + (1 - p) * math.exp(log_gamma_density(a2, b2, x))

    found, sign = [], 1
    for i in range(1, len(f)):
        if f[i] < 1e-12 and X[i] > 5:
            break
        if (f[i] - f[i - 1]) * sign < 0:
            lo, hi = X[max(i - 2, 0)], X[i]
            for _ in range(60):
                m1, m2 = lo + 0.381966 * (hi - lo), hi - 0.381966 * (hi - lo)
                if sign * at(m1) < sign * at(m2):
                    lo = m1
                else:
                    hi = m2
            found.append((lo + hi) / 2)
            sign = -sign
    return found


def geometric(rows):
    return [statistics.geometric_mean(column) for column in zip(*rows)]


def arithmetic(rows):
    return [statistics.fmean(column) for column in zip(*rows)]


def quarters_of_logarithm(lo, hi):
    return [lo * (hi / lo) ** (k / 4) for k in (1, 2, 3)]


def quarters(lo, hi):
    return [lo + (hi - lo) * k / 4 for k in (1, 2, 3)]


def halves_of_logarithm(lo, hi):
    return [lo, math.sqrt(lo * hi), hi]


def halves(lo, hi):
    return [lo, (lo + hi) / 2, hi]


def search(rows, divide, printed):
    logs = [density(row) for row in rows]
    middle = [statistics.median(column) for column in zip(*logs)]
    own = [e for e in (extrema(f, row) for f, row in zip(logs, rows)) if len(e) == 3]
    places = [(min(column), max(column)) for column in zip(*own)]

    def distance(f):
        return sum(abs(a - b) for a, b in zip(f, middle)) * STEP

    def right(e):
        return len(e) == 3 and all(lo <= v <= hi for v, (lo, hi) in zip(e, places))

    kept, tried = [], 0
    for law in itertools.product(*(divide(min(c), max(c)) for c in zip(*rows))):
        tried += 1
        f = density(law)
        e = extrema(f, law)
        if right(e):
            kept.append((distance(f), list(law), e))
    kept.sort()
    f = density(printed)
    e = extrema(f, printed)
    result = {"tried": tried, "kept": len(kept),
              "printed": {"law": printed, "distance": distance(f), "turns": e, "right": right(e),
                          "kept_nearer": bisect.bisect([k[0] for k in kept], distance(f))}}
    if kept:
        result.update(law=kept[0][1], distance=kept[0][0], turns=kept[0][2], next_distance=kept[1][0] if len(kept) > 1 else None)
    return result


def main():
    out = {
        "made_with": "representative.py, Python %s" % sys.version.split()[0],
        "average": {"run_times": geometric(TABLE_2), "work": geometric(TABLE_3), "p_of_size": arithmetic(TABLE_5),
                    "peak": geometric(TABLE_6), "cycle": geometric(TABLE_7)},
        "search": {}, "readings": {},
    }
    for what, rows, printed in (("run_times", TABLE_2, (4.0, 1.0, 500.0, 0.02, 0.70)), ("work", TABLE_3, (5.0, 1.1, 45.0, 0.30, 0.70))):
        out["search"][what] = search(rows, quarters_of_logarithm, printed)
        out["readings"][what] = {d.__name__: search(rows, d, printed) for d in (quarters, halves_of_logarithm, halves)}
    json.dump(out, sys.stdout, indent=1)
    print()


main()
