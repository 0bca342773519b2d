// Package study is the root of the studies, which run many simulations each. It has no
// code; begin in the package of the study:
//
//   - study/sweep runs a study that a file describes: simulations or benchmarks of
//     predictors for every combination of logs, models, loads, seeds and policies, on one
//     machine or many. Begin with sweep.ReadPlan.
//   - study/allocate repeats Downey's study of how many processors a malleable job should
//     wait for, with predictions of its wait. Begin with allocate.Compute.
//   - study/grid repeats the study of Sonmez and others of brokers that send jobs to the
//     clusters of a grid by predicted run times and waits. Begin with grid.Compute.
//
// Each rests on package sched, which simulates one machine; package evaluate has
// benchmarks of one log.
package study
