"""What least squares' estimates do in samples of known laws: their bias, and
how often percentile intervals of the parametric bootstrap hold the truth.

    python3 recovery.py > recovery.json

Lines are fitted in closed form, two stages and broken lines by Levenberg's and
Marquardt's method from the law that the sample was drawn from, many samples at
once, written with NumPy. Nothing is shared with the Go code, which searches
for the least sum of squares from a grid.
"""

import json
import platform
import sys

import numpy as np

TRIM, LEVEL = 0.1, 0.9


def positions(n):
    return (np.arange(1, n + 1) - 0.5) / n


def squares(residuals, parameters, rounds=40):
    """Levenberg-Marquardt in all rows at once; residuals returns r and its
    derivatives, a huge r where parameters are out of order."""
    p = parameters.copy()
    damping = np.full(len(p), 1e-3)
    r, j = residuals(p)
    cost, idle = (r * r).sum(1), 0
    for _ in range(rounds):
        jt = j.transpose(0, 2, 1)
        g = (jt @ r[:, :, None])[:, :, 0]
        a = jt @ j
        d = np.einsum("rkk->rk", a)
        a = a + np.eye(p.shape[1]) * (damping[:, None] * d + 1e-14)[:, None, :]
        q = p - np.linalg.solve(a, g[:, :, None])[:, :, 0]
        r1, j1 = residuals(q)
        c1 = (r1 * r1).sum(1)
        better = c1 < cost
        idle = 0 if (better & (cost - c1 > 1e-9 * cost)).any() else idle + 1
        if idle == 6:
            break
        p[better], r[better], j[better], cost[better] = q[better], r1[better], j1[better], c1[better]
        damping = np.where(better, damping / 5, damping * 5)
    return p


class Line:
    """Downey's line; parameters are intercept, slope, t_min_s, t_max_s."""

    names = ["intercept", "slope", "t_min_s", "t_max_s"]
    n, replicates, samples = 1000, 99, 4000

    def __init__(self):
        low, high = np.log(5.8), np.log(24.2 * 3600)
        self.truth = np.array([[-low / (high - low), 1 / (high - low)]])

    def published(self, p, x=None):
        return np.stack([p[:, 0], p[:, 1], np.exp(-p[:, 0] / p[:, 1]), np.exp((1 - p[:, 0]) / p[:, 1])], 1)

    def draw(self, rng, p, n):
        return (np.sort(rng.random((len(p), n)), 1) - p[:, :1]) / p[:, 1:]

    def fit(self, x, start):
        y = positions(x.shape[1])
        kept = (y >= TRIM) & (y <= 1 - TRIM)
        x, y = x[:, kept], y[kept]
        d = x - x.mean(1, keepdims=True)
        slope = (d * (y - y.mean())).sum(1) / (d * d).sum(1)
        return np.stack([y.mean() - slope * x.mean(1), slope], 1)


class TwoStage:
    """A two-stage uniform law of ln t: low, mid, high, p."""

    names = ["low", "mid", "high", "p"]
    n, replicates, samples = 400, 19, 1000
    truth = np.array([[1, 9, 11, 0.3]])

    def published(self, p, x=None):
        return p

    def draw(self, rng, p, n):
        u = np.sort(rng.random((len(p), n)), 1)
        l, m, h, w = (p[:, i : i + 1] for i in range(4))
        return np.where(u < w, l + (m - l) * u / w, m + (h - m) * (u - w) / (1 - w))

    def fit(self, x, start):
        y = positions(x.shape[1])

        def residuals(p):
            l, m, h, w = (p[:, i : i + 1] for i in range(4))
            below, above = np.clip((x - l) / (m - l), 0, 1), np.clip((x - m) / (h - m), 0, 1)
            first, second = (x > l) & (x < m), (x > m) & (x < h)
            j = np.stack(
                [
                    np.where(first, w * (x - m) / (m - l) ** 2, 0),
                    np.where(first, -w * (x - l) / (m - l) ** 2, 0) + np.where(second, (1 - w) * (x - h) / (h - m) ** 2, 0),
                    np.where(second, -(1 - w) * (x - m) / (h - m) ** 2, 0),
                    below - above,
                ],
                2,
            )
            r = w * below + (1 - w) * above - y
            r[~((l < m) & (m < h) & (w > 0) & (w < 1))[:, 0]] = 1e9
            return r, j

        return squares(residuals, start)


class Stages:
    """Three stages of a uniform-log law, in ln t: parameters are the broken
    line's intercept and slope, the changes of its slope, and the breaks."""

    n, replicates, samples = 1000, 19, 600
    at, f = np.log([5, 60, 5000, 90000]), np.array([0, 0.45, 0.6, 1])
    names = ["weight_1", "t_min_1_s", "t_max_1_s", "weight_2", "t_min_2_s", "t_max_2_s", "weight_3", "t_min_3_s", "t_max_3_s"]

    def __init__(self):
        s = np.diff(self.f) / np.diff(self.at)
        self.truth = np.array([[-s[0] * self.at[0], s[0], s[1] - s[0], s[2] - s[1], self.at[1], self.at[2]]])

    def line(self, p):
        c, s, d1, d2, b1, b2 = p.T
        h1 = c + s * b1
        h2 = h1 + (s + d1) * (b2 - b1)
        return -c / s, b1, b2, b2 + (1 - h2) / (s + d1 + d2), h1, h2

    def published(self, p, x=None):
        low, b1, b2, high, h1, h2 = self.line(p)
        e = np.exp
        return np.stack([h1, e(low), e(b1), h2 - h1, e(b1), e(b2), 1 - h2, e(b2), e(high)], 1)

    def law(self, p, x):
        """Ends and heights of the law that a fit is."""
        return self.line(p)

    def draw(self, rng, law, n):
        low, b1, b2, high, h1, h2 = (v[:, None] for v in law)
        u = np.sort(rng.random((len(law[0]), n)), 1)
        return np.where(
            u < h1,
            low + (b1 - low) * u / h1,
            np.where(u < h2, b1 + (b2 - b1) * (u - h1) / (h2 - h1), b2 + (high - b2) * (u - h2) / (1 - h2)),
        )

    def fit(self, x, start):
        y = positions(x.shape[1])
        kept = (y >= TRIM) & (y <= 1 - TRIM)
        x, y = x[:, kept], y[kept]

        def residuals(p):
            c, s, d1, d2, b1, b2 = (p[:, i : i + 1] for i in range(6))
            one, two = np.maximum(x - b1, 0), np.maximum(x - b2, 0)
            j = np.stack([np.ones_like(x), x, one, two, np.where(one > 0, -d1, 0), np.where(two > 0, -d2, 0)], 2)
            r = c + s * x + d1 * one + d2 * two - y
            r[~((x[:, :1] < b1) & (b1 < b2) & (b2 < x[:, -1:]))[:, 0]] = 1e9
            return r, j

        return squares(residuals, start)


def run(family, seed):
    rng = np.random.default_rng(seed)
    stages = isinstance(family, Stages)
    true_law = family.line(family.truth) if stages else None
    truth = Stages.published(family, family.truth)[0] if stages else family.published(family.truth)[0]
    estimates, covered = [], []
    ranks = np.round((family.replicates + 1) * np.array([(1 - LEVEL) / 2, (1 + LEVEL) / 2])).astype(int) - 1
    for _ in range(family.samples):
        x = family.draw(rng, true_law if stages else family.truth, family.n)
        p = family.fit(x, family.truth.copy())
        estimates.append(family.published(p, x)[0])
        many = np.repeat(p, family.replicates, 0)
        law = tuple(np.repeat(np.atleast_1d(v), family.replicates, 0) for v in family.law(p, x)) if stages else many
        y = family.draw(rng, law, family.n)
        again = np.sort(family.published(family.fit(y, many), y), 0)
        covered.append((again[ranks[0]] <= truth) & (truth <= again[ranks[1]]))
    estimates, covered = np.array(estimates), np.array(covered)
    bias = estimates.mean(0) - truth
    error = estimates.std(0, ddof=1) / np.sqrt(family.samples)
    return {
        "n": family.n,
        "replicates": family.replicates,
        "level": LEVEL,
        "samples": family.samples,
        "parameters": [
            {"name": name, "truth": t, "bias": b, "bias_error": e, "covered": int(c)}
            for name, t, b, e, c in zip(family.names, truth, bias, error, covered.sum(0))
        ],
    }


if __name__ == "__main__":
    out = {"versions": {"python": platform.python_version(), "numpy": np.__version__}}
    for name, family, seed in [
        ("uniform-log", Line(), 1),
        ("two-stage-uniform", TwoStage(), 2),
        ("multi-stage least-squares", Stages(), 3),
    ]:
        out[name] = run(family, seed)
        print(name, "done", file=sys.stderr)
    json.dump(out, sys.stdout, indent=1)
    print()
