// Package forecast predicts how long one request would wait on a machine, given its
// running and waiting jobs.
//
//	logfile.Open --> ReadState   --> State ---+
//	logfile.Open --> History.Add --> History -+--> Query --> Ask --> Answer
//
// A State is the jobs of a machine at one moment: a squeue listing, a sacct log with
// its running and pending jobs, or any log, cut at that moment. A History is logs of
// jobs that ended before. Ask aligns their clocks and names, finds which jobs run and
// wait, replays what has happened to every predictor (package standing), and asks it for
// each size of the request: Downey's from the law of the run times, simulated schedules,
// and bounds from past waits. For a request that could run on several sizes it also finds
// the size of the least turnaround.
//
// Design decisions:
//   - Events in a file after the moment are ignored.
//   - Options are validated first; the error names the option (workload.OptionError).
//   - An Answer repeats the question, names each predictor that had no answer
//     with the reason, and carries its warnings. A confidence is given only for
//     bounds from past waits, because only there it holds for the waits
//     themselves.
//   - Predictors are judged in the same replay, on past jobs: what a bound has covered
//     was covered by the predictor that gives it.
//   - One History can serve many States, as in a service.
//
// Related packages: predict has the predictors, evaluate scores them over a log; the
// command 'loadstone wait' turns flags into a Query and prints the Answer.
package forecast
