"""What reference.py, and site.py of fit/site, share: how a log of the Parallel
Workloads Archive is read, its local times, and the Gamma law of the greatest
likelihood.
"""

import datetime
import gzip
import zoneinfo

import numpy as np
from scipy import optimize, special


def read(path):
    """The header's keywords (first of each) and the jobs, 18 numbers each."""
    header, rows = {}, []
    for line in gzip.open(path, "rt", errors="replace"):
        line = line.strip()
        if line.startswith(";"):
            if ":" in line:
                key, value = line[1:].split(":", 1)
                header.setdefault(key.strip(), value.strip())
        elif line:
            rows.append([float(v) for v in line.split()[:18]])
    return header, np.array(rows)


def sizes(jobs):
    """Allocated processors, or requested ones where those are not above 0."""
    return np.where(jobs[:, 4] > 0, jobs[:, 4], jobs[:, 7])


def clock(header):
    """The time zone, and the Unix time that submissions count from."""
    zone, start = zoneinfo.ZoneInfo(header["TimeZoneString"]), int(header["UnixStartTime"].split()[0])
    return zone, start


def gaps(header, submit):
    """Seconds of the day of the submissions, all gaps, and those within one day's
    peak, which is from 8:00 to 19:00 on weekdays."""
    zone, start = clock(header)
    local = [datetime.datetime.fromtimestamp(start + v, zone) for v in submit]
    day = np.array([v.toordinal() for v in local])
    second = np.array([v.hour * 3600 + v.minute * 60 + v.second for v in local])
    weekday = np.array([v.weekday() for v in local])
    peak = (weekday < 5) & (second >= 8 * 3600) & (second < 19 * 3600)
    gap = np.diff(submit)
    return second, gap, gap[peak[1:] & peak[:-1] & (day[1:] == day[:-1])]


def gamma_ml(x, w=None):
    """Shape and scale; w are weights."""
    w = np.ones(len(x)) if w is None else w
    mean = (w * x).sum() / w.sum()
    s = np.log(mean) - (w * np.log(x)).sum() / w.sum()
    a = np.exp(optimize.brentq(lambda u: u - special.digamma(np.exp(u)) - s, -20, 40, xtol=1e-14))
    return [a, mean / a]
