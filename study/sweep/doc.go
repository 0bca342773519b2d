// Package sweep runs studies: many simulations that differ in their parameters.
//
//	study file --ReadPlan--> Plan: runs, each with a number and an identity
//	        Plan.Run(k)   does one run              --> Result
//	        Store         is a folder with one file per result
//	        Store.Do      does runs on all cores
//	        Plan.Tabulate reads the results         --> Table: one row per run and measure
//
// A study is the cross product of logs and models, loads, seeds, sizes of the machine, policies,
// run time estimates, and open or closed simulation. Each run is one call of evaluate.Schedule;
// jobs come from packages generate, resample and reshape.
//
// Design decisions:
//   - All runs of one log, load and seed simulate the same jobs (common random numbers), so
//     differences between policies are paired.
//   - The seed is the outermost axis. The first runs cover all combinations, and more seeds add
//     runs at the end.
//   - A policy that uses no estimates has one run, not one for each kind of estimate.
//   - The identity of a run is a hash of all that determines its result: version, checksum of
//     its input, and parameters. Its result file has the same bytes no matter who does the run,
//     or in which order. File times are not used.
//   - There is no scheduler of tasks here. A task of Slurm, Snakemake or GNU parallel does its
//     runs; Do uses the cores of one machine.
//
// Memory: Do holds the jobs of a few workloads (log, load and seed), which their runs
// share. Tabulate holds one number per run and measure.
//
// Related packages: study/allocate and study/grid reproduce the studies of two papers.
package sweep
