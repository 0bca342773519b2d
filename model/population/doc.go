// Package population is a model of a site's workload as the work of its users: how
// many there are, how much each does, when they come, in what sessions and bags, and
// how similar consecutive jobs are. It is plain data, stored as JSON of some tens of
// kilobytes.
//
//	log --fit/population--> Model --generate/population--> jobs
//	                         |  ^
//	                  Encode v  | Decode
//	                      model file
//
// A user is a vector of traits (traits.go). Users are in strata by their work; a
// stratum has the quantiles of each trait and the correlations between them, a
// Gaussian copula. All users share laws: sizes, run times by size, waits by run time,
// gaps within and between bags, the hours of the week, and how the work varies from
// week to week.
//
// Terms:
//   - A session is a user's continuous work (workload/sessions).
//   - A bag is jobs of a session at gaps of up to a minute.
//   - A template is what consecutive jobs share: the size, the request and the
//     application.
//   - A score is a normal score: the quantile of the standard normal law at a
//     value's rank among those of all jobs.
//
// Design decisions:
//   - A model contains no job of the log. It does contain extremes, as the ends
//     of laws: the longest run time of a class of sizes, the largest bag of a
//     stratum and, in a stratum of few users, their traits, each separately.
//   - The parts cycle, load and waits are optional; without them hours and
//     weeks are alike and nobody waits.
//
// The idea of drawing users, sessions and jobs in turn is from Feitelson
// (Workload Modeling for Computer Systems Performance Evaluation, 2015, chapter
// 8) and Shmueli and Feitelson (TPDS 2009). In package model jobs are drawn
// independently.
package population
