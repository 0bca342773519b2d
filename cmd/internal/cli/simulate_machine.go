package cli

// machineDetails is for the long help.
const machineDetails = `A machine of several resources has pools of like nodes. A job runs in one pool,
the first of its partition's pools in which the policy can start it. Of whole
nodes it takes as many as each of its requests needs; otherwise nodes are
shared, and it takes what it asks for from the pool as a whole: jobs are not
placed on nodes. A job that waits holds up only those that could run in
one of its pools. Jobs that fit in no pool are left out, and counted by the
resource of which there is too little.

A request that is not in the log counts as none: no GPUs, no memory. A resource
that is not given for the machine is not limited. A --machine has pools that
differ, and partitions:

  {"schema": "loadstone.machine/1", "whole_nodes": false,
   "pools": [
     {"name": "thin", "nodes": 96, "processors": 64, "memory_gb": 256},
     {"name": "gpu", "nodes": 4, "processors": 64, "gpus": 8, "memory_gb": 1024}],
   "partitions": [
     {"name": "batch", "pools": ["thin"]},
     {"name": "gpu", "pools": ["gpu"]},
     {"name": "short", "pools": ["thin", "gpu"]}]}

Amounts are those of a node, or of the pool where "nodes" is not given; memory
is in GB of 2^20 KB. A partition's name is the log's name for it, or its number.
Without partitions all jobs may use all pools, in the order of the file.`
