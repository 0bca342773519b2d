"""User run time estimates: what of the model of Tsafrir, Etsion and Feitelson
(2005) is not left to chance, and the exact laws of what is.

Written from the procedure in words (bins, head, ranks, tail, equalising,
assignment), not from the Go code. Whole numbers are exact; ranks are
enumerated over the sets of ranks taken so far, assignments over all choices.
Run with Python 3:  python3 estimates.py > estimates.json
"""
import json
import sys
from collections import defaultdict
from fractions import Fraction
from math import exp, floor

H = 3600
JOINT = [300, 600, 900, 1200, 1800] + [h * H for h in (1, 2, 3, 4, 5, 6, 8, 10, 12, 18)]
ROUND = [h * H for h in (200, 100, 50, 10, 5, 2, 1)] + [1200, 600, 300]
RANKS = """3 1 1 1; 1 3 4 6; 4 4 10 5; 17 2 14 3; 13 12 20 7; 7 9 2 2; 8 8 3 18; 18 18 7 19; 2 6 12 4; 6 7 6 11;
16 11 19 20; 10 20 5 9; 5 16 18 10; 15 5 16 14; 14 14 9 13; 19 13 17 16; 11 10 15 15; 12 15 13 17; 9 17 8 8; 20 19 11 12"""
RANKS = [[int(x) for x in row.split()] for row in RANKS.replace("\n", " ").split(";")]


def half_up(x):
    """Of a number that is not negative."""
    return floor(x + Fraction(1, 2)) if isinstance(x, Fraction) else floor(x + 0.5)


def distinct(jobs, power):
    if power:
        return half_up(0.653566 * jobs ** 0.547761)
    points = [(0, 0), (20, 10), (200, 20), (1000, 35), (10000, 90), (70000, 340), (250000, 565)]
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        if x0 < jobs <= x1:
            return y0 + half_up(Fraction((jobs - x0) * (y1 - y0), x1 - x0))
    return 565


def default_times(m):
    head = {t for t in JOINT if t < m}
    for step in ROUND:
        k = m // step
        while k >= 1 and len(head) < 19:
            if k * step != m:
                head.add(k * step)
            k -= 1
    return head  # without the maximum


def head_times(m, given):
    own = default_times(m)
    new = {t for t in given if t not in own and t != m}
    excess = 1 + len(own) + len(new) - 20
    result = own | new
    for kind in (own - set(JOINT), own & set(JOINT)):
        pairs = sorted((abs(g - o), g, o) for g in new for o in kind if o not in given)
        done = set()
        for _, g, o in pairs:
            if excess > 0 and g in new and g not in done and o in result:
                result.discard(o)
                done.add(g)
                excess -= 1
        new -= done
    return [m] + sorted(result)


def head_shares(jobs, m, given, n):
    """Shares in percent by rank, and the ranks of the given times."""
    x = [14.0491 * exp(-0.177531 * r) + 0.462513 for r in range(2, n + 1)]
    if m in given:
        first = 100 * given[m] / jobs
        f = max(0.0, (89 - first) / sum(x))
        shares = sorted([first] + [f * s for s in x], reverse=True)
    else:
        shares = [89 - sum(x)] + x
    place = {}
    for t in sorted(given, key=lambda t: -given[t]):  # stable
        size = 100 * given[t] / jobs
        free = [k for k in range(n) if k not in place.values() and (k or t == m)] or [0]
        place[t] = min(free, key=lambda k: (abs(shares[k] - size), k))
    held = {k: t for t, k in place.items()}
    users = sum(100 * given[t] / jobs for t in given)
    rest = sum(s for k, s in enumerate(shares) if k not in held)
    scaled = []
    for k, s in enumerate(shares):
        if k in held:
            scaled.append((100 * given[held[k]] / jobs, held[k]))
        else:
            scaled.append((s * max(0.0, 89 - users) / rest if given else s, None))
    scaled = scaled[:1] + sorted(scaled[1:], key=lambda p: -p[0])  # stable
    return [s for s, _ in scaled], {t: k + 1 for k, (_, t) in enumerate(scaled) if t is not None}


def tail(k, m, head):
    n = k - len(head)
    a = 1 + 12.1039 * k ** -0.6026
    taken = set(head)
    times = []
    for i in range(1, n + 1):
        x = i / n
        whole = 60 * half_up((a - 1) * x / (a - x) * m / 60)
        for s in (whole, whole + 30, whole - 30, whole + 20, whole - 20, whole + 10, whole - 10):
            if 0 < s < m and s not in taken:
                taken.add(s)
                times.append(s)
                break
    raw = [795.6 * r ** -2.267 for r in range(21, 21 + len(times))]
    return sorted(times), [11 * r / sum(raw) for r in raw]


def counts(jobs, shares, given):
    """Sizes of the bins that are not given, largest first, without empty ones."""
    c = [max(1, half_up(s * jobs / 100)) for s in sorted(shares, reverse=True)]
    need = jobs - sum(given) - sum(c)
    if need > 0:
        f = need / sum(c)
        for i, n in enumerate(list(c)):
            by = min(need, -floor(-f * n))
            c[i] += by
            need -= by
    elif need < 0:
        need, f = -need, -need / sum(c)
        for by_of in (lambda n: min(n - 1, -floor(-f * n)), lambda n: min(n - 1, 1), lambda n: n - 1):
            for i, n in enumerate(list(c)):
                by = min(need, by_of(n))
                c[i] -= by
                need -= by
            c.sort(reverse=True)
        for i in reversed(range(len(c))):
            by = min(need, c[i])
            c[i] -= by
            need -= by
    assert need == 0
    return sorted([n for n in c if n], reverse=True)


def case(jobs, m, given=None, power=False):
    given = given or {}
    k = distinct(jobs, power)
    times = head_times(m, given)
    shares, ranks = head_shares(jobs, m, given, len(times))
    tail_times, tail_shares = tail(k, m, times)
    free = [s for r, s in enumerate(shares) if r + 1 not in ranks.values()] + tail_shares
    return dict(jobs=jobs, max_s=m, given=[dict(time_s=t, jobs=n) for t, n in given.items()], power_law=power, distinct=k,
                head_s=times, head_percent=shares, ranks=[ranks.get(t, 0) for t in times],
                tail_s=tail_times, tail_percent=tail_shares, counts=counts(jobs, free, given.values()))


def rank_law(rows=20, fixed=None):
    """Probability of every rank (column) of every row, by dynamic programming
    over the sets of ranks taken. Ranks of fewer than 20 rows are closed up."""
    fixed = fixed or {}
    reserved = set(fixed.values())
    last = {r: max(i for i, row in enumerate(RANKS) if r in row) for r in range(1, 21)}
    law = [[Fraction(0)] * 21 for _ in range(rows)]
    states = {(): Fraction(1)} if rows < 20 else {frozenset(): Fraction(1)}
    for row in range(rows):
        after = defaultdict(Fraction)
        for state, p in states.items():
            if row in fixed:
                law[row][fixed[row]] += p
                after[state] += p
                continue
            free = [r for r in range(1, 21) if r not in state and r not in reserved]
            due = [r for r in free if last[r] <= row]
            pool = sorted(r for i in range(row + 1) for r in RANKS[i] if r in free)
            if row == 0 or due or not pool:
                choice = {min(free) if row == 0 or not due else min(due): Fraction(1)}
            else:
                choice = {}
                n = len(pool)
                for r in set(pool):
                    above = sum(x > r for x in pool)
                    here = pool.count(r)
                    choice[r] = Fraction((above + here) ** 2 - above ** 2, n * n)
            for r, q in choice.items():
                if rows == 20:
                    law[row][r] += p * q
                    after[state | {r}] += p * q
                else:
                    after[state + (r,)] += p * q
        states = after
        if rows == 20:  # fractions of many digits are slow, floats exact enough
            states = {s: float(p) for s, p in states.items()}
    if rows < 20:
        for state, p in states.items():
            closed = {r: i + 1 for i, r in enumerate(sorted(state))}
            for row, r in enumerate(state):
                law[row][closed[r]] += p
    return [[float(p) for p in row[1:]] for row in law]


def assignments(runs, estimates):
    """Probability of every tuple of the jobs' estimates."""
    order = sorted(range(len(runs)), key=lambda i: -runs[i])
    law = defaultdict(Fraction)

    def go(k, left, got, p):
        if k == len(order):
            law[tuple(got)] += p
            return
        fit = [i for i, e in enumerate(left) if e >= runs[order[k]]]
        for i in fit:
            nxt = list(got)
            nxt[order[k]] = left[i]
            go(k + 1, left[:i] + left[i + 1:], nxt, p / len(fit))

    go(0, list(estimates), [None] * len(runs), Fraction(1))
    assert sum(law.values()) == 1
    return [dict(estimates=list(t), p=float(p)) for t, p in sorted(law.items())]


def assignment_case(runs, bins):
    flat = [t for t, n in bins for _ in range(n)]
    return dict(runs=runs, bins=[dict(time_s=t, jobs=n) for t, n in bins], law=assignments(runs, flat))


def main():
    plain = [(28490, 14400), (77222, 64800), (250000, 259200), (250001, 259200), (1000000, 216000), (100000000, 432000),
             (10000, 720000), (5000, 3601), (1000, 3600), (1000, 5400), (1000, 6000), (1000, 5999), (201, 86400), (200, 86400),
             (50, 5400), (20, 7200), (19, 7200), (2, 3600), (1, 3600), (3000, 1000000000)]
    cases = [case(j, m) for j, m in plain]
    cases += [case(j, 86400, power=True) for j in (100, 30000, 2000000)]
    cases += [case(20000, 64800, g) for g in (
        {64800: 5000},                                      # the maximum
        {64800: 100},                                       # a maximum that is not popular
        {3600: 4000, 420: 77, 64740: 900},                  # one of the model's, two others
        {t * 60: 500 + t for t in range(7, 7 + 19)},        # as many as there can be without the maximum
        {**{t * 60: 300 for t in range(7, 7 + 19)}, 64800: 1},
        {300: 9000, 64800: 9500},                           # more than the head has
        {7: 20000},                                         # all jobs
    )]
    cases += [case(500, 3600, {t * 60: 3 for t in range(2, 14)}), case(100, 7200, {7200: 60, 1234: 39})]
    json.dump(dict(
        python=sys.version.split()[0],
        cases=cases,
        rank_laws=[dict(times=20, fixed=[0] * 20, law=rank_law()),
                   dict(times=5, fixed=[0] * 5, law=rank_law(5)),
                   dict(times=20, fixed=[2] + [0] * 4 + [1, 7] + [0] * 13, law=rank_law(20, {0: 2, 5: 1, 6: 7}))],
        assignments=[assignment_case([25, 15, 5, 5], [(10, 1), (20, 2), (30, 1)]),
                     assignment_case([5, 12, 0, 20, 11], [(10, 2), (20, 1), (30, 2)]),
                     assignment_case([1, 1, 1, 30], [(10, 1), (20, 1), (30, 2)])],
    ), sys.stdout, indent=None, separators=(",", ":"))
    print()


main()
