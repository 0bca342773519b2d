// Package population models a site's workload as the work of its users: the number of users, the
// amount of work of each, when they submit it, in which sessions and bags, and how similar
// consecutive jobs are. A model is plain data, stored as some tens of kilobytes of JSON.
//
//	log --fit/population--> Model --generate/population--> jobs
//	                         |  ^
//	                  Encode v  | Decode
//	                      model file
//
// A user is a vector of traits (traits.go). Users are divided into strata by their work. A
// stratum has the quantiles of each trait and the correlations between traits, a Gaussian copula.
// All users share the same laws of sizes, run times by size, waits by size, gaps within and
// between bags, the hours of the week, and the variation of work from week to week.
//
// Terms:
//   - A session is a user's continuous work (workload/sessions).
//   - A bag is a group of jobs of a session with gaps of up to a minute.
//   - A template is the properties that consecutive jobs share: the size, the request and the
//     application.
//   - A score is a normal score: the quantile of the standard normal law at a
//     value's rank among those of all jobs.
//
// Design decisions:
//   - A model contains no job of the log. It does contain extremes, as the ends
//     of laws: the longest run time of a class of sizes, the largest bag of a
//     stratum and, in a stratum of few users, their traits, each separately.
//   - The parts cycle, load and waits are optional. Without them, hours and weeks are alike and
//     jobs do not wait.
//
// The idea of drawing users, sessions and jobs in turn is from Feitelson (Workload Modeling for
// Computer Systems Performance Evaluation, 2015, chapter 8) and Shmueli and Feitelson (TPDS
// 2009). In the models of package model, jobs are drawn independently.
package population
