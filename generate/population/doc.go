// Package population draws jobs from the model of a site's users
// (model/population).
//
//	Model --New--> Workload (generate.go): the model, and what laps share (prepare, in users.go)
//	    for each lap, a stretch as long as the log (lap.go):
//	      people     users and their traits, and what each is to do (users.go)
//	      draw       their sessions, bags and templates, user by user (sessions.go)
//	      gaps       the probabilities of the gaps in bags, by rank (sessions.go)
//	      sizesAndRunTimes  by rank, so that all jobs together have the laws, each user towards
//	                 its work (runs.go; sizes and the resources that go with them: sizes.go)
//	      requests   what each job asks for (requests.go), and how it ends (ends.go)
//	      schedule   when each user's sessions are, by the hours of the jobs (times.go), and in
//	                 which weeks of the lap, so that its work by week comes near a target (weeks.go)
//	      link       which job waits for which (workload/sessions)
//	    level        each lap brought to the model's load (load.go)
//	    --Jobs--> jobs, lap after lap
//
// Steps after draw know all users of the lap: they give out what the laws have, by rank. A bound
// on what one user does belongs where its amount is drawn: the number of jobs and the work in
// people.
//
// Design decisions:
//   - Users drawn independently add up to weeks with far more work than any
//     week of a log, whose users saw the queue and held back. So the lap has a
//     target for each week, with the variation and autocorrelation of the log,
//     and users are placed in weeks that are still below it.
//   - A higher load means more users.
//   - One seed; each user and each lap has its own random stream. The jobs do not
//     depend on the number of cores.
//
// Memory holds a lap for each core and as many that wait: some 150 bytes for
// each job.
package population
