"""Counts and sums of published job tables, by Python's csv module.

    python3 values.py TRACES > values.json

TRACES is the folder of real logs. Run with Python 3.11.
"""
import collections, csv, gzip, json, math, sys
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

traces = Path(sys.argv[1])


def rows(path):
    with gzip.open(traces / path, "rt", newline="") as f:
        yield from csv.DictReader(f)


def summary(path, jobs):
    """jobs: dicts from column to number, None where unknown, or text to be counted."""
    jobs = list(jobs)
    columns = {}
    for name in jobs[0]:
        values = [j[name] for j in jobs if j[name] is not None]
        c = {"known": len(values)}
        if values and isinstance(values[0], str):
            c["names"] = len(set(values))
            c["first"] = values[0]
        else:
            c["sum"] = math.fsum(values)
        columns[name] = c
    return {"file": path, "jobs": len(jobs), "columns": columns}


def eagle():
    path = "gpu/nrel-eagle-sample.csv.gz"
    zone = ZoneInfo("America/Denver")
    at = lambda text: datetime.fromisoformat(text).replace(tzinfo=zone).timestamp()
    start = min(at(r["submit_time"]) for r in rows(path))
    status = {"COMPLETED": 1, "TIMEOUT": 0}
    return summary(path, ({
        "job_id": int(r["job_id"]),
        "submit_time_s": at(r["submit_time"]) - start,
        "wait_time_s": at(r["start_time"]) - at(r["submit_time"]),
        "run_time_s": float(r["run_time"]),
        "requested_processors": int(r["processors_req"]),
        "requested_time_s": float(r["wallclock_req"]),
        "status": status[r["state"]],
        "user_id": r["user"],
        "application_id": r["name"],
        "partition_id": r["partition"],
        "requested_nodes": int(r["nodes_req"]),
        "requested_gpus": int(r["gpus_req"]),
        "requested_memory_total_kb": float(r["mem_req"]) * 1024 or None,
        "account_id": r["account"],
        "qos_id": r["qos"],
    } for r in rows(path)))


def openb():
    path = "gpu/alibaba-openb-2023-pods.csv.gz"
    number = lambda text: int(text) if text else None
    status = {"Succeeded": 1, "Failed": 0, "Running": None, "Pending": None}
    def job(r):
        created, scheduled, deleted = (number(r[k]) for k in ("creation_time", "scheduled_time", "deletion_time"))
        return {
            "job_id": int(r["name"].removeprefix("openb-pod-")),
            "submit_time_s": created,
            "wait_time_s": None if scheduled is None else scheduled - created,
            "run_time_s": None if scheduled is None else deleted - scheduled,
            "requested_processors": -(-int(r["cpu_milli"]) // 1000),
            "status": status[r["pod_phase"]],
            "requested_gpus": int(r["num_gpu"]),
            "gpu_share_milli": int(r["gpu_milli"]) or None,
            "requested_memory_total_kb": int(r["memory_mib"]) * 1024,
            "qos_id": r["qos"],
        }
    return summary(path, map(job, rows(path)))


def twins(site, table):
    """A table of Helios, Philly or Theta: real, or what a learned generator made."""
    path = f"rivals/{site}/{table}.csv.gz"
    whole = lambda text: math.floor(abs(float(text)) + 0.5) * (-1 if float(text) < 0 else 1)
    status = {"Pass": 1, "Failed": 0, "Killed": 5}
    def jobs():
        submit = 0.0
        for r in rows(path):
            submit += float(r["interval"])
            yield {
                "job_id": int(r["u_id"]),
                "submit_time_s": submit,
                "run_time_s": float(r["run_time"]),
                "requested_processors": None if float(r["cpu_num"]) == 0 else whole(r["cpu_num"]),
                "requested_time_s": None if float(r["wall_time"]) == 0 else float(r["wall_time"]),
                "status": status[r["new_status"]],
                "user_id": int(r["user"]),
                "requested_nodes": whole(r["node_num"]),
                "requested_gpus": whole(r["gpu_num"]),
            }
    return summary(path, jobs())


tables = [eagle() | {"format": "eagle"}, openb() | {"format": "alibaba-openb-2023"}]
for site in "helios", "philly", "theta":
    for table in "real", "cg", "ctgan", "gan", "gc", "tvae":
        tables.append(twins(site, table) | {"format": "gpu-twins"})
json.dump(tables, sys.stdout, indent=1)
print()
