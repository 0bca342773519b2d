"""What some filters of "loadstone clean" take out of two logs, counted by the
words of their documentation, without the package.

    python3 clean_reference.py FOLDER-WITH-LOGS > clean_reference.json
"""
import datetime, gzip, json, platform, sys, zoneinfo

LOGS = {
    "KTH-SP2-1996-2.1-cln.swf.gz": (843480031, "Europe/Stockholm"),
    "SDSC-Par-1996-3.1-cln.swf.gz": (820090437, "US/Pacific"),
}
ID, SUBMIT, RUN, ALLOC, REQ, STATUS, USER = 0, 1, 3, 4, 7, 10, 11


def size(j):
    return j[ALLOC] if j[ALLOC] > 0 else j[REQ]


def local(j, start, zone):
    return datetime.datetime.fromtimestamp(start + j[SUBMIT], zone)


def main():
    out = {"made_with": "Python " + platform.python_version(), "logs": {}}
    for name, (start, zone) in LOGS.items():
        zone = zoneinfo.ZoneInfo(zone)
        with gzip.open(sys.argv[1] + "/" + name, "rt", encoding="latin-1") as f:
            jobs = [[float(x) for x in line.split()] for line in f if line.strip() and not line.startswith(";")]
        jobs = [[int(x) if x == int(x) else x for x in j] for j in jobs]
        assert all(a[SUBMIT] <= b[SUBMIT] for a, b in zip(jobs, jobs[1:]))
        from_, to = (datetime.datetime(y, m, 1, tzinfo=zone).timestamp() - start for y, m in ((1996, 11), (1997, 2)))
        gone = {
            "status=0": [j for j in jobs if j[STATUS] == 0],
            "keep status=1,5": [j for j in jobs if j[STATUS] not in (1, 5)],
            "size=17..64": [j for j in jobs if 17 <= size(j) <= 64],
            "run>=12h": [j for j in jobs if j[RUN] >= 12 * 3600],
            "user=5 and (hour>=3 and hour<=3)": [j for j in jobs if j[USER] == 5 and local(j, start, zone).hour == 3],
            "weekday=sat,sun": [j for j in jobs if local(j, start, zone).weekday() >= 5],
            "keep submit>=1996-11-01 and submit<1997-02-01": [j for j in jobs if not from_ <= j[SUBMIT] < to],
            "status=0,5 and (run<=10s or run=unknown)": [j for j in jobs if j[STATUS] in (0, 5) and j[RUN] <= 10],
        }
        out["logs"][name] = {
            "jobs": len(jobs),
            "filters": {f: {"removed": len(g), "id_sum": sum(j[ID] for j in g)} for f, g in gone.items()},
        }
    json.dump(out, sys.stdout, indent=2)
    print()


main()
