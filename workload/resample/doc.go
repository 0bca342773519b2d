// Package resample makes a new log from a given one by moving its users in time: a
// twin, of any length and load, in which every user works as in the log, but in other
// weeks.
//
// The pipeline is
//
//	log --New--> source: jobs by user, their work by day, what waits for what
//	    for each lap, a stretch as long as the log:
//	      members   who is in it: all users, or more, or fewer (members.go)
//	      moves     each by whole weeks within the lap's ring (ring.go), so that the
//	                lap's work by week follows the log's profile (target.go)
//	      entries   their jobs by submission (lap.go)
//	    --Twin.Jobs--> jobs, lap after lap
//
// The method is that of Zakay and Feitelson (Workload resampling for performance
// evaluation of parallel job schedulers, ICPE 2013, and CPE 26, 2014): users are
// resampled, not jobs, so that what belongs together stays together. Users who
// come for a while arrive at their rate, those of the whole log are there all the
// time. What is added here is the target by week. Users that are drawn each for
// themselves meet in weeks of far more work than any of the log's, where users
// saw the queue and held back: without the target the mean wait under EASY is 1.5
// to 5 times the log's, with it within a factor of 1.25 on most logs.
//
// Opinions:
//   - Weekday and hour stay: a user is moved by whole weeks, and by up to five
//     minutes, without which two twins would have too many jobs in common. (By
//     whole days where the log has less than three weeks, by minutes alone where it
//     has less than two days.)
//   - A job keeps all that was known of it but its wait, which was that of another
//     schedule, and its number.
//   - A job waits for the one that it waited for in the log (workload/sessions):
//     Preceding and Think, by which a simulator closes the loop. Where the ring's
//     end parts two jobs there is no dependency.
//   - More load is more users, less load fewer. Time is not squeezed, so daily
//     cycles and think times stay.
//   - A twin has the records of users. Anonymise the log before it is passed on.
//
// Memory is the log, some 240 bytes a job for its first million jobs and 50 for
// the others, which are in a temporary file, and 24 bytes for each job of up to
// four laps per core: 0.5 GB for a log of 448,000 jobs, 0.2 GB for one of 28,000,
// however long the twin is, which is streamed.
//
// Related packages: package workload/sessions finds the dependencies, reshape adds
// users to a log that stays as it is (Replicate), generate draws jobs from a model.
package resample
