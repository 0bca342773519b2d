// Package population draws jobs from the model of a site's users
// (model/population).
//
//	Model --New--> Workload
//	    for each lap, a stretch as long as the log:
//	      people     users and their traits, and what each is to do (prepare.go)
//	      draw       their sessions, bags and templates, user by user (users.go)
//	      sizes      by rank, so that all jobs together have the law of sizes (attributes.go)
//	      requests   what each job asks for (requests.go)
//	      runs       by rank within the sizes of a class, each user towards its work (runs.go)
//	      times      when each user's sessions are (times.go), and in which weeks of
//	                 the lap, so that its work by week comes near a target (schedule.go)
//	      link       which job waits for which (workload/sessions)
//	    --Jobs--> jobs, lap after lap, each brought to the model's load
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
