// Package sweep runs studies: many simulations that differ in their parameters.
//
//	study file --ReadPlan--> Plan: runs, each with a number and an identity
//	        Plan.Run(k)   performs one run          --> Result
//	        Store         is a folder with one file per result
//	        Store.Do      performs runs on all cores
//	        Plan.Tabulate reads the results         --> Table: one row per run and measure
//
// A study is the cross product of logs and models, loads, seeds, sizes of the machine, policies,
// run time estimates, and open or closed simulation. Each run is one call of evaluate.Schedule;
// jobs come from packages generate, resample and reshape.
//
// Design decisions:
//   - All runs of one log, load and seed simulate the same jobs (common random numbers), so
//     differences between policies are paired.
//   - The seed is the outermost axis. The first runs cover all combinations, and additional
//     seeds add runs at the end.
//   - A policy that uses no estimates has one run, not one for each kind of estimate.
//   - The identity of a run is a hash of everything that determines its result: version, checksum
//     of its input, and parameters. Its result file has the same bytes regardless of the process
//     and the order in which runs are performed. File times are not used.
//   - There is no scheduler of tasks here. Tasks of Slurm, Snakemake or GNU parallel perform
//     their runs; Do uses the cores of one machine.
//
// Memory: Do holds the jobs of a few workloads (log, load and seed), which their runs
// share. Tabulate holds one number per run and measure.
//
// Related packages: study/allocate and study/grid reproduce the studies of two papers.
package sweep
