// Package population draws jobs from the model of a site's users
// (model/population).
//
//	Model --New--> Workload (generate.go): the model, and data that laps share (prepare, in users.go)
//	    for each lap, a stretch as long as the log (lap.go):
//	      people     users, their traits, and the work that each is to do (users.go)
//	      draw       their sessions, bags and templates, user by user (sessions.go)
//	      gaps       the probabilities of the gaps in bags, by rank (sessions.go)
//	      sizesAndRunTimes  by rank, so that all jobs together follow the model's distributions and
//	                 each user comes near its work (runs.go; sizes and their resources: sizes.go)
//	      requests   what each job requests (requests.go), and how it ends (ends.go)
//	      schedule   when each user's sessions begin, by the hours of the jobs (times.go), and in
//	                 which weeks of the lap, so that its work by week comes near a target (weeks.go)
//	      link       which job waits for which (workload/sessions)
//	    level        scales each lap to the wanted load (load.go)
//	    --Jobs--> jobs, lap after lap
//
// Steps after draw see all users of the lap, and assign values of the model's distributions by
// rank. A bound on the activity of one user belongs where the amount is drawn: the number of jobs
// and the work in people.
//
// Design decisions:
//   - If users were drawn independently, some weeks would have far more work
//     than any week of a log, whose users saw the queue and held back. So the
//     lap has a target for each week, with the variation and autocorrelation of
//     the log, and users are placed in weeks that are still below it.
//   - A higher load means more users.
//   - One seed; each user and each lap has its own random stream. The jobs do not
//     depend on the number of cores.
//
// Memory holds one lap for each core and as many that wait to be yielded, at
// some 150 bytes per job.
package population
