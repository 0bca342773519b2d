"""Counts, sums and missing values of what Slurm 22.05 printed, by Python's json and csv.

    python3 values.py FOLDER > values.json

FOLDER has the real files (slurm-json of the traces). Written with Python 3.11. Nothing
here knows of the Go reader: the rules are those of docs/reference/formats.md. The test that reads
values.json is TestValuesByPython.
"""
import csv
import datetime
import json
import os
import sys


def row(job, submit, start, state, started, elapsed, ended, cpus, given, limit, **more):
    return dict(
        job_id=job, submit_time_s=submit, wait_time_s=start - submit if started else None,
        run_time_s=elapsed if started and ended else None, allocated_processors=given if started else None,
        requested_processors=cpus, requested_time_s=None if limit is None else 60 * limit, **more)


def tres(items):
    return {i["type"]: i["count"] for i in items if i["count"] is not None}


def sacct_json(path):
    for j in json.load(open(path))["jobs"]:
        t, state = j["time"], j["state"]["current"]
        asked, given = tres(j["tres"]["requested"]), tres(j["tres"]["allocated"])
        started = state != "PENDING" and j["nodes"] != "None assigned"
        memory = asked.get("mem")
        yield row(
            j["job_id"], t["submission"], t["start"], state, started, t["elapsed"], state != "RUNNING",
            j["required"]["CPUs"], given.get("cpu"), t["limit"],
            requested_nodes=asked.get("node"), allocated_nodes=j["allocation_nodes"] if started else None,
            requested_memory_total_kb=None if memory is None else 1024 * memory,
            array_id=j["array"]["job_id"] or None, eligible_time_s=t["eligible"] or None,
            account_id=j["account"], qos_id=j["qos"])


def moment(text):
    if text in ("", "Unknown", "None"):
        return None
    return int(datetime.datetime.fromisoformat(text + "+00:00").timestamp())


def sacct_text(path):
    with open(path, newline="") as f:
        for j in csv.DictReader(f, delimiter="|", quoting=csv.QUOTE_NONE):
            if "." in j["JobID"]:
                continue
            state = j["State"].split(" ")[0]
            started = state != "PENDING" and j["NodeList"] != "None assigned"
            asked = dict(i.split("=") for i in j["ReqTRES"].split(",") if i)
            kb = {"K": 1, "M": 1024, "G": 1024 ** 2}
            ended = started and state != "RUNNING"
            array = j["JobID"].split("_")[0] if "_" in j["JobID"] else None
            yield row(
                int(j["JobIDRaw"]), moment(j["Submit"]), moment(j["Start"]), state, started, int(j["ElapsedRaw"]), ended,
                int(j["ReqCPUS"]), int(j["NCPUS"]), int(j["TimelimitRaw"]) if j["TimelimitRaw"].isdigit() else None,
                requested_nodes=int(asked["node"]), allocated_nodes=int(j["AllocNodes"]) if started else None,
                requested_memory_total_kb=int(j["ReqMem"][:-1]) * kb[j["ReqMem"][-1]],
                array_id=int(array) if array else None, eligible_time_s=moment(j["Eligible"]),
                account_id=j["Account"], qos_id=j["QOS"])


def tasks(text):
    """The tasks that wait: 1-6%2 has 6, of which 2 may run at a time."""
    text, _, limit = text.partition("%")
    all = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        all += range(int(first), int(last or first) + 1)
    return all, int(limit or 0)


def squeue_jobs(path):
    jobs = json.load(open(path))["jobs"]
    for j in jobs:
        if not j["array_task_string"]:
            yield j
            continue
        all, limit = tasks(j["array_task_string"])
        if limit:  # the others wait for these, not for processors
            running = sum(i["job_state"] == "RUNNING" and i["array_job_id"] == j["array_job_id"] for i in jobs)
            all = all[:max(0, limit - running)]
        yield from (j for _ in all)


def squeue_json(path):
    for j in squeue_jobs(path):
        state = j["job_state"]
        started, ended = state != "PENDING" and j["nodes"] != "", state not in ("PENDING", "RUNNING")
        asked = dict(i.split("=") for i in j["tres_req_str"].split(",") if i)
        memory = asked.get("mem")
        yield row(
            j["job_id"], j["submit_time"], j["start_time"], state, started, j["end_time"] - j["start_time"], ended,
            j["cpus"], j["cpus"], j["time_limit"],
            requested_nodes=j["node_count"], allocated_nodes=j["node_count"] if started else None,
            requested_memory_total_kb=None if memory is None else int(memory[:-1]) * {"M": 1024, "G": 1024 ** 2}[memory[-1]],
            array_id=j["array_job_id"] or None, eligible_time_s=j["eligible_time"] or None,
            account_id=j["account"], qos_id=j["qos"])


def summary(rows):
    rows = list(rows)
    out = {"jobs": len(rows)}
    for name in rows[0]:
        known = [r[name] for r in rows if r[name] is not None]
        out[name] = [len(known), len(set(known)) if isinstance(known[0] if known else 0, str) else sum(known)]
    return out


def main(folder):
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "slurm-22.05")
    print(json.dumps({
        "sacct-22.05.json": summary(sacct_json(os.path.join(folder, "sacct-22.05.json"))),
        "sacct-all-22.05.txt": summary(sacct_text(os.path.join(folder, "sacct-all-22.05.txt"))),
        "squeue-22.05.json": summary(squeue_json(os.path.join(folder, "squeue-22.05.json"))),
        "testdata/sacct.json": summary(sacct_json(os.path.join(own, "sacct.json"))),
    }, separators=(",", ":")).replace("},", "},\n").replace("],", "], "))


main(sys.argv[1])
