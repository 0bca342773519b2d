"""Reference values for the tests of anonymise, sample and scale.

    python3 reshape.py > reshape.json

Replacements are worked out with Python's own hmac, quantiles with SciPy.
"""

import hashlib
import hmac
import json
import platform
import sys

import scipy
from scipy.stats import chi2, norm

KEY = b"an example key, not a secret one"
FALSE_ALARM = 1e-7


def replacement(column, kind, text, digits):
    message = "\0".join(["loadstone.anonymise/1", column, kind, text, "0"])
    head = hmac.new(KEY, message.encode(), hashlib.sha256).digest()[:8]
    return int.from_bytes(head, "big") * (10**digits - 1) // 2**64 + 1


cases = [
    ("user_id", "number", "1", 15),
    ("user_id", "number", "2", 15),
    ("user_id", "number", "0", 15),
    ("user_id", "name", "alice", 15),
    ("group_id", "number", "1", 15),
    ("application_id", "number", "1", 15),
    ("queue_id", "name", "long jobs (up to 4 days)", 15),
    ("partition_id", "number", "9223372036854775807", 15),
]
json.dump(
    {
        "versions": {"python": platform.python_version(), "scipy": scipy.__version__},
        "key": KEY.decode(),
        "replacements": [
            {"column": c, "kind": k, "text": t, "digits": d, "replacement": replacement(c, k, t, d)}
            for c, k, t, d in cases
        ],
        "false_alarm": FALSE_ALARM,
        "normal_two_sided": norm.isf(FALSE_ALARM / 2),
        "chi_square": {str(df): chi2.isf(FALSE_ALARM, df) for df in (5, 6, 9, 47)},
    },
    sys.stdout,
    indent=1,
)
print()
