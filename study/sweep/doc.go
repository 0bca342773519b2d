// Package sweep runs studies: many simulations or benchmarks of predictors that differ
// in their parameters.
//
//	study file --Decode--> Study --Prepare--> Plan: runs, each with a number and an identity
//	        Plan.Run(k)   one of them               --> Result
//	        Plan.All      those that are not done, on all cores
//	        Store         a folder with one file a result
//	        Plan.Tabulate results                   --> Table: a row a run and measure
//
// A study of schedules is the cross product of logs and models, loads, seeds, policies,
// estimates of run times, and open or closed simulation. A study of predictors is that of
// logs and predictors of run times or waits. Each run is one call of package evaluate; jobs
// come from the packages generate, resample and reshape.
//
// Opinions:
//   - All runs of one log, load and seed simulate the same jobs (common random numbers), so
//     that differences between policies are paired.
//   - The seed is the outermost axis. The first runs cover all combinations, and more seeds
//     add runs at the end.
//   - A policy that uses no estimates has one run, not one for each kind of estimate.
//   - The identity of a run is a hash of all that determines its result: version,
//     checksum of its input, parameters. The result file has the same bytes whoever
//     runs it, and in whichever order.
//   - There is no task scheduler here: a task of Slurm, Snakemake or GNU parallel
//     calls Run; All uses the cores of one machine.
//   - File times are not used.
//
// Memory: All holds the jobs of a few workloads (log, load and seed), shared by their runs.
// Tabulate holds one number a run and measure.
//
// Related packages: study/allocate and study/grid are studies of two papers, which
// have options of their own; cmd writes the scripts for other engines and draws the
// pictures.
package sweep
