"""What users asked for in real logs: how many estimates, how popular, how true.

Reads the logs with nothing but gzip, not with the Go code. A field of -1 is
unknown; so is a requested time of 0. Run with Python 3, with the folder of the
logs:  python3 estimates_logs.py FOLDER > estimates_logs.json
"""
import bisect
import collections
import gzip
import json
import os
import sys

NAMES = ["KTH-SP2-1996-2.1-cln", "CTC-SP2-1996.simulated-waits", "SDSC-SP2-1998.simulated-waits", "LLNL-Thunder-2007-1.1-cln"]
ENDS = [2.0 ** -k for k in range(10, -1, -1)] + list(range(2, 21))  # in twentieths of the estimate

logs = []
for name in NAMES:
    asked, cells, left_out, overrun = collections.Counter(), [0] * len(ENDS), 0, 0
    with gzip.open(os.path.join(sys.argv[1], name + ".swf.gz"), "rt", errors="replace") as f:
        for line in f:
            field = line.split()
            if not field or line.lstrip().startswith(";"):
                continue
            run, estimate = float(field[3]), float(field[8])
            if run < 0 or estimate <= 0:
                left_out += 1
                continue
            asked[estimate] += 1
            overrun += run > estimate
            x = 20 * min(run, estimate) / estimate
            cells[bisect.bisect_left(ENDS, x)] += 1
    logs.append(dict(name=name, jobs=sum(asked.values()), left_out=left_out, overrun=overrun, distinct=len(asked),
                     top_20=sum(n for _, n in asked.most_common(20)), max_s=max(asked), accuracy=cells))
json.dump(logs, sys.stdout, indent=1)
print()
