"""Writes the two models of grid workloads that the tests generate from.

They are made up: their laws are not fitted to the papers' logs, which are not
at hand. What they share with them is what Sonmez and others (2009) print:

  das3-like.json       220,000 jobs in three months, 15 % of them parallel (table
                       1), mean run time 1,215 s (table 6, response less wait),
                       load 0.3 on 272 processors (tables 4 and 5)
  auvergrid-like.json  90,000 serial jobs, mean run time 34,440 s, load 0.7 on 475

Five sites submit in bursts (figure 1), of 11 jobs on average at a second from
one another, and 330 and 405 users (table 1) have five applications each. The
mean time between jobs follows from the load. Run: python3 models.py
"""
import json

PARALLEL = [(2, 0.04), (4, 0.04), (8, 0.03), (16, 0.02), (32, 0.015), (64, 0.005)]


def write(name, processors, sizes, mu, sigma, maximum, users, source):
    shares = [{"size": n, "share": p} for n, p in sizes]
    classes = []
    for site in range(5):
        classes.append({
            "name": f"site {site}", "column": "partition_id", "value": site,
            "sizes": {"shares": shares},
            "run_times": {"first": {"family": "log-normal", "parameters": {"mu": mu, "sigma": sigma}}, "max_s": maximum},
            "arrivals": {
                "method": "stationary",
                "interarrival": {"family": "gamma-mixture", "parameters": {
                    "shape_1": 1, "scale_1": 1, "p_1": 0.91, "shape_2": 1, "scale_2": 1000, "p_2": 0.09}},
            },
        })
    model = {"schema": "loadstone.model/1", "name": name, "source": source, "processors": processors,
             "classes": classes, "users": {"count": users}}
    with open(f"{name}.json", "w") as f:
        json.dump(model, f, indent=1)
        f.write("\n")


made_up = "made up: number of jobs, mean run time, load, users and parallel share as Sonmez and others (2009) print them for "
serial = [(1, 1 - sum(p for _, p in PARALLEL))]
write("das3-like", 272, serial + PARALLEL, 5.1, 2.1, 86400, 330, made_up + "DAS3")
write("auvergrid-like", 475, [(1, 1)], 9.5, 1.9, 259200, 405, made_up + "AuverGrid")
