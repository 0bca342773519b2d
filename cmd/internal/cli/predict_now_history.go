package cli

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// nowHistory is what was known at the moment of the state of jobs that had
// started: the run times of those that ended, the waits of all. Times are of
// the state's clock.
type nowHistory struct {
	jobs  []workload.Job // by submission; an unknown run time where it was not known
	ended int
	waits int
}

// readHistory reads the logs. jobs are those of the state that had started.
func (a *app) readHistory(ctx context.Context, o *predictOptions, s *nowState, jobs []workload.Job) (*nowHistory, error) {
	h := &nowHistory{}
	type key struct {
		id     int64
		submit float64
	}
	met := map[key]bool{} // of the state, which may be cut from the same log
	for i := range s.jobs {
		if j := &s.jobs[i]; j.ID != workload.Unknown {
			met[key{j.ID, j.Submit}] = true
		}
	}
	take := func(j workload.Job) {
		switch predict.StandingAt(&j, s.now) {
		case predict.Ended:
		case predict.Running:
			// Neither its end nor what came of it is known yet.
			j.Run, j.CPUTime, j.UsedMemory, j.Status = math.NaN(), math.NaN(), math.NaN(), workload.Unknown
		default:
			return
		}
		if j.Run >= 0 {
			h.ended++
		}
		if j.Wait >= 0 {
			h.waits++
		}
		h.jobs = append(h.jobs, j)
	}
	for _, j := range jobs {
		take(j)
	}
	for _, name := range o.now.history {
		log, err := a.open(name)
		if err != nil {
			return nil, err
		}
		read, err := a.readPast(ctx, log, s)
		if err != nil {
			log.Close()
			return nil, about(name, err)
		}
		if err := log.Close(); err != nil {
			return nil, err
		}
		for _, j := range read {
			if !met[key{j.ID, j.Submit}] {
				take(j)
			}
		}
		if n, ok := log.Header.Processors(); ok && s.processors == 0 {
			s.processors = n
		}
	}
	slices.SortStableFunc(h.jobs, func(a, b workload.Job) int { return cmp.Compare(a.Submit, b.Submit) })
	for i := range h.jobs {
		h.jobs[i].Row = int64(i)
	}
	return h, nil
}

// readPast reads a log into the clock and the names of the state.
func (a *app) readPast(ctx context.Context, log *workload.Log, s *nowState) ([]workload.Job, error) {
	var jobs []workload.Job
	last := math.Inf(-1)
	for j, err := range until(ctx, log.Jobs()) {
		if err != nil {
			return nil, err
		}
		if math.IsNaN(j.Submit) {
			continue
		}
		if end := j.End(); end > last {
			last = end
		}
		jobs = append(jobs, j)
	}
	clock, _ := log.Header.Clock()
	shift := 0.0
	switch {
	case clock.Known && s.clock.Known:
		shift = clock.Start.Sub(s.clock.Start).Seconds()
	case clock.Known != s.clock.Known && !math.IsInf(last, 0):
		shift = s.now - last
		a.warn("%s: only one of it and the state has a date: its last job is taken to have ended at the moment of the state", log.Name)
	}
	translate := s.names.translator(log)
	for i := range jobs {
		jobs[i].Submit += shift
		translate(&jobs[i].Request)
	}
	a.warnAll(log.Name, log.Warnings())
	return jobs, nil
}

// all yields the jobs, by submission.
func (h *nowHistory) all(yield func(workload.Job, error) bool) {
	for i := range h.jobs {
		if !yield(h.jobs[i], nil) {
			return
		}
	}
}
