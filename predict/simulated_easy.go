package predict

import (
	"math"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// waitUnderEASY returns the predicted wait of the job that is the last to wait:
// what runs and waits goes through a machine of its own, which backfills by the
// users' estimates, as the true one does, while the jobs run as long as
// predicted. Whoever is submitted later, and may overtake the job, is unknown.
// Where somebody's run time is unknown there is no prediction, unless the job
// starts at once.
func (s *queueSimulation) waitUnderEASY(m *queueSite, under []queueJob, now float64) float64 {
	free, known := m.processors, true
	s.jobs = s.jobs[:0]
	for _, slot := range m.running {
		j := &under[slot]
		free -= j.request.Size
		// It starts when it did, since all that run fit beside each other, and
		// so its estimate is outlived when it is in truth.
		known = s.enter(j, j.start, outlast(s.run(slot, j), now-j.start)) && known
	}
	last := len(m.waiting) - 1
	for i, slot := range m.waiting {
		j := &under[slot]
		run := 0.0 // of the job itself: it does not matter
		if i < last {
			run = s.run(slot, j)
		}
		known = s.enter(j, now, run) && known
	}
	if last == 0 && under[m.waiting[0]].request.Size <= free {
		return 0
	}
	if !known {
		return math.NaN()
	}
	target := int64(len(s.jobs) - 1)
	machine := sched.Config{Processors: m.processors, Policy: sched.EASY{}}
	for j, err := range sched.Simulate(s.ahead, machine, nil) {
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
func (s *queueSimulation) enter(j *queueJob, submit, run float64) bool {
	ahead := workload.Job{Request: j.request, Run: run, Wait: math.NaN()}
	ahead.Submit, ahead.Row = submit, int64(len(s.jobs))
	s.jobs = append(s.jobs, ahead)
	return !math.IsNaN(run)
}

// ahead yields the jobs to be simulated.
func (s *queueSimulation) ahead(yield func(workload.Job, error) bool) {
	for i := range s.jobs {
		if !yield(s.jobs[i], nil) {
			return
		}
	}
}
