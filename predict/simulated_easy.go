package predict

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// waitUnderEASY returns the predicted wait of the job that is the last to wait:
// what runs and waits goes through a machine of its own, which backfills by the
// users' estimates, as the true one does, while the jobs run as long as
// predicted. Whoever is submitted later, and may overtake the job, is unknown.
// Where somebody's run time is unknown there is no prediction, unless the job
// starts at once.
func (s *queueSimulation) waitUnderEASY(m *sched.State, queue []waitingOf) float64 {
	known := true
	s.jobs = s.jobs[:0]
	s.running = slices.AppendSeq(s.running[:0], m.Running())
	slices.SortFunc(s.running, func(a, b sched.Running) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Request.Row, b.Request.Row))
	})
	for _, j := range s.running {
		// It starts when it did, since all that run fit beside each other, and
		// so its estimate is outlived when it is in truth.
		known = s.enter(j.Task, j.Start, outlast(s.run(j.Task), m.Now()-j.Start)) && known
	}
	if len(queue) == 1 && queue[0].size <= m.Free() {
		return 0
	}
	for i, j := range queue {
		run := 0.0 // of the job itself: it does not matter
		if i < len(queue)-1 {
			run = s.run(j.task)
		}
		known = s.enter(j.task, m.Now(), run) && known
	}
	if !known {
		return math.NaN()
	}
	target := int64(len(s.jobs) - 1)
	machine := sched.Config{Processors: m.Processors(), Policy: sched.EASY{}}
	for j, err := range sched.Simulate(workload.JobsOf(s.jobs), machine, nil) {
		if err != nil {
			break
		}
		if j.Row == target {
			return j.Wait
		}
	}
	return math.NaN()
}

// enter adds a job to those to be simulated; false where its run time is not
// known.
func (s *queueSimulation) enter(j sched.Task, submit, run float64) bool {
	ahead := workload.Job{Request: *j.Request, Run: run, Wait: math.NaN()}
	ahead.Submit, ahead.Row = submit, int64(len(s.jobs))
	s.jobs = append(s.jobs, ahead)
	return !math.IsNaN(run)
}
