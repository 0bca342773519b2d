"""Reference values for the laws, by mpmath at 60 digits and SciPy.

Run: python3 reference.py > reference.json
"""
import json
import platform

import mpmath
import scipy
from mpmath import mp, mpf
from scipy import stats

mp.dps = 60
INF = mpmath.inf
log = mpmath.log


class Gamma:
    def __init__(self, shape, scale):
        self.a, self.b = mpf(shape), mpf(scale)
        self.json = {"family": "gamma", "parameters": {"shape": shape, "scale": scale}}

    def logpdf(self, x):
        if x < 0:
            return -INF
        if x == 0:
            return -INF if self.a > 1 else -log(self.b) if self.a == 1 else INF
        return (self.a - 1) * log(x) - x / self.b - mpmath.loggamma(self.a) - self.a * log(self.b)

    def cdf(self, x):
        if x <= 0:
            return mpf(0)
        y = x / self.b
        s = t = mpf(1)
        n = 0
        while t > s * mpf(10) ** (-mp.dps):
            n += 1
            t *= y / (self.a + n)
            s += t
        return s * mpmath.exp(self.a * log(y) - y - mpmath.loggamma(self.a + 1))

    def sf(self, x):
        if x <= 0:
            return mpf(1)
        q = 1 - self.cdf(x)
        return q if q > 1e-20 else mpmath.gammainc(self.a, x / self.b, INF, regularized=True)

    def mean(self):
        return self.a * self.b

    def var(self):
        return self.a * self.b ** 2

    def points(self):
        m, s = self.mean(), mpmath.sqrt(self.var())
        xs = [m + k * s for k in (-30, -10, -5, -2, -0.5, 0, 0.5, 2, 5, 10, 30)] + [m / 1000, m / 3, m * 3]
        return [float(x) for x in xs if x > 0] + [-1.0, 0.0]

    def exp_moment(self, k, limit):
        """integral of exp(k x) pdf(x) up to limit."""
        if limit is None:
            return mpmath.power(1 - k * self.b, -self.a) if k * self.b < 1 else INF
        m, s = self.mean(), mpmath.sqrt(self.var())
        cuts = sorted({mpf(0), mpf(limit)} | {x for x in [m + j * s for j in range(-8, 60, 2)] if 0 < x < limit})
        return mpmath.quad(lambda x: mpmath.exp(k * x + self.logpdf(x)) if x > 0 else mpf(0), cuts)


class Mix:
    def __init__(self, parts, family):
        self.parts = [(mpf(w), Gamma(a, b)) for w, a, b in parts]
        if family == "hyper-gamma":
            (p, a1, b1), (_, a2, b2) = parts
            self.parts[1] = (1 - self.parts[0][0], self.parts[1][1])
            par = {"shape_1": a1, "scale_1": b1, "shape_2": a2, "scale_2": b2, "p": p}
        else:
            par = {}
            for i, (w, a, b) in enumerate(parts, 1):
                par.update({"shape_%d" % i: a, "scale_%d" % i: b, "p_%d" % i: w})
        self.json = {"family": family, "parameters": par}

    def logpdf(self, x):
        if x < 0:
            return -INF
        if x == 0:
            return max(g.logpdf(x) for _, g in self.parts)
        return log(sum(w * mpmath.exp(g.logpdf(x)) for w, g in self.parts))

    def cdf(self, x):
        return sum(w * g.cdf(x) for w, g in self.parts)

    def sf(self, x):
        return sum(w * g.sf(x) for w, g in self.parts)

    def mean(self):
        return sum(w * g.mean() for w, g in self.parts)

    def var(self):
        return sum(w * (g.var() + g.mean() ** 2) for w, g in self.parts) - self.mean() ** 2

    def points(self):
        return sorted({x for _, g in self.parts for x in g.points()})

    def exp_moment(self, k, limit):
        return sum(w * g.exp_moment(k, limit) for w, g in self.parts)


class Exponential(Gamma):
    def __init__(self, mean):
        super().__init__(1, mean)
        self.json = {"family": "exponential", "parameters": {"mean": mean}}


class Stages:
    """Piecewise uniform."""

    def __init__(self, js, stages):
        self.json, self.st = js, [(mpf(w), mpf(l), mpf(h)) for w, l, h in stages]
        self.lo, self.hi = self.st[0][1], self.st[-1][2]

    def logpdf(self, x):
        for w, l, h in self.st:
            if l <= x <= h:
                return log(w / (h - l))
        return -INF

    def cdf(self, x):
        return sum(w * min(max((x - l) / (h - l), mpf(0)), mpf(1)) for w, l, h in self.st)

    def sf(self, x):
        return sum(w * min(max((h - x) / (h - l), mpf(0)), mpf(1)) for w, l, h in self.st)

    def mean(self):
        return sum(w * (l + h) / 2 for w, l, h in self.st)

    def var(self):
        return sum(w * (h ** 3 - l ** 3) / (3 * (h - l)) for w, l, h in self.st) - self.mean() ** 2

    def points(self):
        d = float(self.hi - self.lo)
        lo, hi = float(self.lo), float(self.hi)
        return [lo - 1, lo, lo + 1e-9 * d, lo + 0.3 * d, lo + 0.7 * d, hi - 1e-9 * d, hi, hi + 1]

    def exp_moment(self, k, limit):
        t = mpf(0)
        for w, l, h in self.st:
            e = h if limit is None else min(h, mpf(limit))
            if e > l:
                t += w * (mpmath.exp(k * e) - mpmath.exp(k * l)) / (k * (h - l))
        return t


class UniformLog:
    def __init__(self, lo, hi):
        self.lo, self.hi = mpf(lo), mpf(hi)
        self.w = log(self.hi / self.lo)
        self.json = {"family": "uniform-log", "parameters": {"t_min_s": lo, "t_max_s": hi}}

    def logpdf(self, x):
        return -log(x) - log(self.w) if self.lo <= x <= self.hi else -INF

    def cdf(self, x):
        return mpf(0) if x <= self.lo else min(mpf(1), log(x / self.lo) / self.w)

    def sf(self, x):
        return mpf(1) if x <= self.lo else max(mpf(0), log(self.hi / x) / self.w)

    def mean(self):
        return (self.hi - self.lo) / self.w

    def var(self):
        return (self.hi ** 2 - self.lo ** 2) / (2 * self.w) - self.mean() ** 2

    def points(self):
        lo, hi = float(self.lo), float(self.hi)
        return [-1.0, 0.0, lo / 2, lo, lo * (1 + 1e-9), lo * 1.5, (lo * hi) ** 0.5, hi / 1.5, hi * (1 - 1e-9), hi, 2 * hi]


TAILS = [mpf(10) ** -k for k in (280, 100, 20, 5, 1)]


class Normal:
    def __init__(self, mean, sd):
        self.m, self.s = mpf(mean), mpf(sd)
        self.json = {"family": "normal", "parameters": {"mean": mean, "sd": sd}}

    def logpdf(self, x):
        return -((x - self.m) / self.s) ** 2 / 2 - log(self.s * mpmath.sqrt(2 * mpmath.pi))

    def cdf(self, x):
        return mpmath.erfc((self.m - x) / (self.s * mpmath.sqrt(2))) / 2

    def sf(self, x):
        return mpmath.erfc((x - self.m) / (self.s * mpmath.sqrt(2))) / 2

    def mean(self):
        return self.m

    def var(self):
        return self.s ** 2

    def points(self):
        return [float(self.m + z * self.s) for z in (-36, -20, -9, -4, -1.5, -0.3, 0, 0.3, 1.5, 4, 9, 20, 36)]

    def exp_moment(self, k, limit):
        whole = mpmath.exp(k * self.m + (k * self.s) ** 2 / 2)
        return whole if limit is None else whole * self.cdf(mpf(limit) - k * self.s ** 2)


class LogNormal:
    def __init__(self, mu, sigma):
        self.ln = Normal(mu, sigma)
        self.json = {"family": "log-normal", "parameters": {"mu": mu, "sigma": sigma}}

    def logpdf(self, x):
        return self.ln.logpdf(log(x)) - log(x) if x > 0 else -INF

    def cdf(self, x):
        return self.ln.cdf(log(x)) if x > 0 else mpf(0)

    def sf(self, x):
        return self.ln.sf(log(x)) if x > 0 else mpf(1)

    def mean(self):
        return self.ln.exp_moment(1, None)

    def var(self):
        return self.ln.exp_moment(2, None) - self.mean() ** 2

    def points(self):
        return [-1.0, 0.0] + [float(mpmath.exp(mpf(x))) for x in self.ln.points() if abs(x) < 700]


class Weibull:
    def __init__(self, shape, scale):
        self.a, self.b = mpf(shape), mpf(scale)
        self.json = {"family": "weibull", "parameters": {"shape": shape, "scale": scale}}

    def logpdf(self, x):
        if x < 0:
            return -INF
        if x == 0:
            return -INF if self.a > 1 else -log(self.b) if self.a == 1 else INF
        return log(self.a / self.b * (x / self.b) ** (self.a - 1)) - (x / self.b) ** self.a

    def cdf(self, x):
        return -mpmath.expm1(-((x / self.b) ** self.a)) if x > 0 else mpf(0)

    def sf(self, x):
        return mpmath.exp(-((x / self.b) ** self.a)) if x > 0 else mpf(1)

    def mean(self):
        return self.b * mpmath.gamma(1 + 1 / self.a)

    def var(self):
        return self.b ** 2 * mpmath.gamma(1 + 2 / self.a) - self.mean() ** 2

    def points(self):
        q = [-mpmath.log1p(-p) for p in TAILS] + [log(2)] + [-log(p) for p in TAILS]
        return [-1.0, 0.0] + [float(self.b * y ** (1 / self.a)) for y in q]


class Pareto:
    def __init__(self, x_min, alpha):
        self.lo, self.a = mpf(x_min), mpf(alpha)
        self.json = {"family": "pareto", "parameters": {"x_min": x_min, "alpha": alpha}}

    def logpdf(self, x):
        return log(self.a * self.lo ** self.a) - (self.a + 1) * log(x) if x >= self.lo else -INF

    def cdf(self, x):
        return 1 - (self.lo / x) ** self.a if x > self.lo else mpf(0)

    def sf(self, x):
        return (self.lo / x) ** self.a if x > self.lo else mpf(1)

    def mean(self):
        return self.a * self.lo / (self.a - 1) if self.a > 1 else INF

    def var(self):
        return self.a * self.lo ** 2 / (self.a - 2) - self.mean() ** 2 if self.a > 2 else INF

    def points(self):
        far = [self.lo * p ** (-1 / self.a) for p in TAILS + [mpf(1) / 2]]
        near = [self.lo * (1 + mpf(10) ** -k) for k in (1, 3, 9, 14)]
        return [0.0, float(self.lo) / 2, float(self.lo)] + [float(x) for x in near + far if x < 1e300]


class Ln:
    def __init__(self, inner, limit=None):
        self.inner, self.limit = inner, limit
        self.json = dict(inner.json, transform="ln")
        if limit is not None:
            self.json["max_ln"] = limit
        self.mass = mpf(1) if limit is None else inner.cdf(mpf(limit))

    def out(self, x):
        return self.limit is not None and x > self.limit

    def logpdf(self, t):
        if t <= 0 or self.out(log(t)):
            return -INF
        return self.inner.logpdf(log(t)) - log(t) - log(self.mass)

    def cdf(self, t):
        if t <= 0:
            return mpf(0)
        return mpf(1) if self.out(log(t)) else self.inner.cdf(log(t)) / self.mass

    def sf(self, t):
        if t <= 0:
            return mpf(1)
        x = log(t)
        if self.limit is None:
            return self.inner.sf(x)
        return mpf(0) if self.out(x) else (self.mass - self.inner.cdf(x)) / self.mass

    def moment(self, k):
        return self.inner.exp_moment(k, self.limit) / self.mass

    def mean(self):
        return self.moment(1)

    def var(self):
        m2 = self.moment(2)
        return INF if m2 == INF else m2 - self.mean() ** 2

    def points(self):
        xs = [x for x in self.inner.points() if abs(x) < 700]
        if self.limit is not None:
            xs += [self.limit - 1, self.limit - 1e-3, self.limit + 1]
        return [0.0, -1.0] + [float(mpmath.exp(mpf(x))) for x in xs]


KTH = [(0.58805, 4.8061, 0.94565), (0.41195, 69.8939, 0.132951)]
LAWS = [
    Gamma(0.05, 2.0), Gamma(0.7, 3.0), Gamma(1, 0.25), Gamma(4.2, 0.94), Gamma(312, 0.03), Gamma(639.1, 0.0156), Gamma(2000, 100.0),
    Exponential(90.0),
    Mix(KTH, "hyper-gamma"),
    Mix([(0.6986, 6.57, 0.823), (0.3014, 639.1, 0.0156)], "hyper-gamma"),
    Mix([(0.25, 0.5, 2.0), (0.5, 30, 0.2), (0.25, 400, 0.03)], "gamma-mixture"),
    Stages({"family": "uniform", "parameters": {"low": -3, "high": 12.5}}, [(1, -3, 12.5)]),
    Stages({"family": "two-stage-uniform", "parameters": {"low": 0.8, "mid": 4.5, "high": 7, "p": 0.86}},
           [(mpf(0.86), 0.8, 4.5), (1 - mpf(0.86), 4.5, 7)]),
    UniformLog(3.254, 128841.0), UniformLog(1e-200, 1e200), UniformLog(1.0, 1.0001),
    Ln(Gamma(4.2, 0.94)), Ln(Gamma(6.0415, 0.8531), 13), Ln(Gamma(3.4496, 1.14437), 12), Ln(Gamma(639.1, 0.0156)),
    Ln(Mix(KTH, "hyper-gamma")), Ln(Mix(KTH, "hyper-gamma"), 12), Ln(Mix([(0.6986, 6.57, 0.823), (0.3014, 639.1, 0.0156)], "hyper-gamma"), 12),
    Ln(Stages({"family": "uniform", "parameters": {"low": 2, "high": 12}}, [(1, 2, 12)])),
    Ln(Exponential(0.8), 11),
    Normal(0.0, 1.0), Normal(-2.0, 3.0), Normal(1e6, 0.5),
    Ln(Normal(6.5, 1.8)), Ln(Normal(6.5, 1.8), 12), Ln(Normal(6.0, 20.0), 5),
    LogNormal(6.5, 1.8), LogNormal(-1.0, 0.02), LogNormal(0.0, 1.0),
    Weibull(0.1, 1.0), Weibull(0.45, 3000.0), Weibull(1.0, 90.0), Weibull(7.5, 3.0), Weibull(400.0, 2.0), Weibull(1e5, 2.0),
    Pareto(10.0, 1.1), Pareto(0.5, 3.2), Pareto(1.0, 0.9), Pareto(2.0, 500.0),
]


def num(x):
    x = float(x)
    return {mpmath.inf: "Inf", -mpmath.inf: "-Inf"}.get(x, x)


out = {"made_with": "mpmath %s at %d digits, SciPy %s, Python %s" % (mpmath.__version__, mp.dps, scipy.__version__, platform.python_version()), "laws": []}
for law in LAWS:
    pts = []
    for x in sorted(set(law.points())):
        m = mpf(x)
        c, s = law.cdf(m), law.sf(m)
        pts.append({"x": x, "log_pdf": num(law.logpdf(m)), "cdf": float(c) if c > 1e-300 else 0.0, "survival": float(s) if s > 1e-300 else 0.0})
    out["laws"].append({"law": law.json, "mean": num(law.mean()), "variance": num(law.var()), "points": pts})
# Quantiles by SciPy, to its own accuracy of some 1e-10, and by mpmath.
q = []
for a, b in [(0.7, 3.0), (4.2, 0.94), (312, 0.03), (2000, 100.0)]:
    for p in [1e-100, 1e-9, 0.01, 0.5, 0.9]:
        q.append({"law": Gamma(a, b).json, "p": p, "quantile": stats.gamma(a, scale=b).ppf(p), "inverse_survival": stats.gamma(a, scale=b).isf(p)})
for p in [1e-100, 1e-9, 0.01, 0.5, 0.9]:
    u, e = stats.loguniform(3.254, 128841.0), stats.expon(scale=90.0)
    q.append({"law": UniformLog(3.254, 128841.0).json, "p": p, "quantile": u.ppf(p), "inverse_survival": u.isf(p)})
    q.append({"law": Exponential(90.0).json, "p": p, "quantile": e.ppf(p), "inverse_survival": e.isf(p)})


def solve(f, lo, hi):
    """the zero of f, which rises, between lo and hi, by bisection to the last of a double's digits."""
    lo, hi = mpf(lo), mpf(hi)
    for _ in range(120):
        mid = (lo + hi) / 2
        lo, hi = (lo, mid) if f(mid) > 0 else (mid, hi)
    return float(hi)


# SciPy's inverse survival functions of these are infinite at 1e-100, so these are mpmath's.
for p in [1e-100, 1e-9, 0.01, 0.5, 0.9]:
    for law, lo, hi in [(Normal(-2.0, 3.0), -99, 99), (LogNormal(6.5, 1.8), 1e-20, 1e23),
                        (Weibull(0.45, 3000.0), 0, 1e23), (Weibull(7.5, 3.0), 0, 9), (Pareto(10.0, 1.1), 10, 1e99)]:
        w = lambda x: mpmath.exp(x) if lo >= 0 else x
        ends = (log(mpf(lo) or mpf(10) ** -250), log(mpf(hi))) if lo >= 0 else (lo, hi)
        q.append({"law": law.json, "p": p, "quantile": float(w(mpf(solve(lambda x: law.cdf(w(x)) - p, *ends)))),
                  "inverse_survival": float(w(mpf(solve(lambda x: p - law.sf(w(x)), *ends))))})
out["quantiles"] = q
print(json.dumps(out, indent=1))
