// Package resample makes a new log from a given one by moving its users in time. The result
// is a twin: a log of any length and load in which every user works as in the original, but
// in other weeks.
//
// The pipeline is
//
//	log --New--> source: jobs by user, their work by day, dependencies between jobs (source.go)
//	    for each lap, a time span as long as the log (lap.go):
//	      members   the users in it: all, or more, or fewer
//	      moves     each user is moved by whole weeks within the lap, which is closed to a
//	                ring (weeks.go), so that work and waits are like the log's (course.go)
//	      entries   their jobs, by submission, and no more of them than the load allows
//	    --Twin.Jobs--> jobs, lap after lap (twin.go), with a header that describes the twin (made.go)
//
// The method is that of Zakay and Feitelson (Workload resampling for performance evaluation
// of parallel job schedulers, ICPE 2013, and CPE 26, 2014): users are resampled, not jobs,
// which preserves the correlations between the jobs of a user. Temporary users arrive at
// their rate in the log; long-term users are present all the time. The target for work and
// waits (course.go) is our addition. Users drawn independently of each other produce weeks with
// far more work than any week of the log, in which users saw the queue and held back. Without
// the target, the mean wait under EASY is 1.5 to 5 times that of the log; with it, the mean wait
// is within a factor of 1.1 on most logs, and vary.go warns of logs whose own waits vary.
//
// Design decisions:
//   - Weekday and hour are kept: a user is moved by whole weeks, and by up to five minutes,
//     so that two twins have fewer jobs in common. A log of less than three weeks is moved by
//     whole days, one of less than two days by minutes only.
//   - A job keeps all its values except its number and its wait, which came from another schedule.
//   - A job depends on the same job as in the log (workload/sessions): Preceding and Think,
//     which a closed simulation uses. A dependency across the end of the ring is dropped.
//   - More load means more users, less load fewer. Time is not scaled, so daily cycles and
//     think times are kept.
//   - A twin contains the records of real users. Anonymise the log before you share it.
//
// Memory use is that of the log, 8 bytes for each value and 50 for each job, plus 24 bytes for each
// job of up to four laps per core. Including garbage not collected yet, the peak of generate is 600
// to 900 bytes for each job of the log, measured on two cores with logs of 0.4 to 4 million jobs,
// and 1,000 with GOMAXPROCS=8. The twin itself is streamed, so its length does not matter.
//
// Related packages: workload/sessions finds the dependencies, reshape scales the load of
// a log that otherwise stays as it is, generate draws jobs from a model.
package resample
