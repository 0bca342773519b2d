"""Reference values for the probability of a cell, made with mpmath.

    python3 interval.py > interval.json

Of a Gamma law with shape a and scale b and a cell [lo, hi): ln of its
probability and the means of x and ln x inside it, by 60 digits of mpmath's
incomplete Gamma functions; E[ln x] by mpmath's quadrature of the density of
ln x. hi is null for infinity.
"""

import json
import sys

import mpmath
from mpmath import mp, mpf

mp.dps = 60


def cell(a, b, lo, hi):
    a, b, lo = mpf(a), mpf(b), mpf(lo)
    hi = mpf("inf") if hi is None else mpf(hi)
    mass = mpmath.gammainc(a, lo / b, hi / b) / mpmath.gamma(a)
    x = b * mpmath.gammainc(a + 1, lo / b, hi / b) / mpmath.gamma(a) / mass
    # Around the density's highest point in the cell, so that quad sees it.
    top = min(max(a * b, lo), hi)
    sd = b * mpmath.sqrt(a) if top == a * b else min(b, top / a) if top == hi else b / max(mpf(1e-3), abs(1 - a * b / top))
    cuts = {lo, hi, top}
    for k in (0.1, 1, 3, 6, 10, 20, 40, 80, 160):
        for v in (top - k * sd, top + k * sd):
            if lo < v < hi:
                cuts.add(v)
    if lo == 0:
        for k in range(-14, 3):
            v = mpf(2) ** (4 * k) * b
            if lo < v < hi:
                cuts.add(v)
        low = max((v for v in cuts if v > 0), key=lambda v: -v)
        # Below low, ln x times the density integrates by substituting u = ln x.
        f = lambda u: u * mpmath.exp(a * (u - mpmath.log(b)) - mpmath.exp(u) / b)
        u0 = mpmath.log(low)
        first = mpmath.quad(f, [u0 - k / a for k in (400, 100, 40, 20, 10, 5, 2, 1, 0)])
        cuts.discard(mpf(0))
    else:
        first = mpf(0)
    density = lambda v: mpmath.log(v) * mpmath.exp((a - 1) * mpmath.log(v / b) - v / b) / b
    ln = (first + mpmath.quad(density, sorted(cuts))) / mpmath.gamma(a) / mass
    return {"shape": float(a), "scale": float(b), "lo": float(lo), "hi": None if mpmath.isinf(hi) else float(hi),
            "ln_mass": float(mpmath.log(mass)), "x": float(x), "ln_x": float(ln)}


def main():
    out = []
    for a, b in ((0.3, 5000), (1, 100), (4.2, 0.94), (6.57, 0.823), (45, 0.2), (639.1, 0.0156), (6190, 0.0018), (1e5, 1e-4)):
        mean, sd = a * b, b * a ** 0.5
        cells = [(mean - 0.001 * sd, mean + 0.001 * sd), (mean, mean + 0.02 * sd), (mean - 0.3 * sd, mean + 0.4 * sd),
                 (mean + 9 * sd, mean + 9.1 * sd), (mean + 6 * sd, None), (mean, None), (0, mean), (0, 0.4 * mean), (0.9 * mean, mean)]
        if a > 4:
            low = max(0.2 * mean, mean - 7 * sd)
            cells += [(low, low + 0.01 * sd), (low, None)]
        for lo, hi in cells:
            if lo >= 0:
                out.append(cell(float(a), float(b), float(lo), hi if hi is None else float(hi)))
    # Whole seconds: ln of [v - 0.5, v + 0.5), under laws of ln t.
    for a, b in ((4.2, 0.94), (639.1, 0.0156)):
        for v in (1, 2, 4, 60, 1000, 64800):
            out.append(cell(a, b, max(0.0, float(mpmath.log(v - 0.5))), float(mpmath.log(v + 0.5))))
    json.dump({"made_with": "interval.py, Python %s, mpmath %s" % (sys.version.split()[0], mpmath.__version__), "cells": out}, sys.stdout, indent=1)
    print()


main()
