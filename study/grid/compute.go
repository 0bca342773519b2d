package grid

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/sessions"
)

// Compute studies a log's jobs, or those of its busiest days, on a grid under
// several policies. open opens the log from its start and is called twice, the
// second time when the first log has been read and closed.
//
// An option that cannot be used is a *workload.OptionError. A log without sites
// is an error that wraps ErrNoSites, unless o.NoSites. Other errors are those of
// open, of Busiest and of Simulate.
func Compute(ctx context.Context, open func() (*workload.Log, error), o Options) (*Result, error) {
	o = o.filled()
	policies, err := o.policies()
	if err != nil {
		return nil, err
	}
	s := &computation{o: o}
	r := &s.result
	if err := s.read(ctx, open); err != nil {
		return nil, err
	}
	if err := s.checkSites(); err != nil {
		return nil, err
	}
	s.forewarn()
	jobs := func() iter.Seq2[workload.Job, error] {
		return s.watched(workload.Until(ctx, workload.JobsOf(r.Jobs)), len(r.Jobs))
	}
	if r.Outcomes, err = Study(jobs, policies, o); err != nil {
		return nil, err
	}
	r.Scores = Scores(o.Grid, r.Outcomes)
	r.Warnings = slices.Concat(r.Warnings, OddOf(r.Outcomes), r.unlike(), s.early)
	if o.Feedback {
		r.close(s.links)
	}
	if o.Predicts() {
		r.Learning = &Learning{Classes: o.Classes, History: o.History, Corrected: !o.Uncorrected}
	}
	return r, nil
}

// computation is a study at work.
type computation struct {
	o      Options
	sites  []int64 // different ones in the window, ascending
	early  []workload.Warning
	links  sessions.Links // of the whole log, under feedback
	result Result
}

func (s *computation) watched(jobs iter.Seq2[workload.Job, error], n int) iter.Seq2[workload.Job, error] {
	if s.o.Watch == nil {
		return jobs
	}
	return s.o.Watch(jobs, n)
}

// read finds the busiest days, and reads their jobs.
func (s *computation) read(ctx context.Context, open func() (*workload.Log, error)) error {
	var w Window
	_, err := workload.WithLog(open, func(log *workload.Log) (err error) {
		w, err = Busiest(workload.Until(ctx, log.Jobs()), s.o.Days)
		return err
	})
	if err != nil {
		return err
	}
	if err := holdable(w); err != nil {
		return err
	}
	r := &s.result
	work, seen := 0.0, map[int64]bool{}
	jobs := make([]workload.Job, 0, w.Jobs+w.Jobs/64) // and some that no machine can be simulated with
	_, err = workload.WithLog(open, func(log *workload.Log) error {
		var odd workload.Warnings
		read := s.watched(workload.InOrder(workload.Until(ctx, log.Jobs()), &odd), 0)
		if s.o.Feedback {
			read = sessions.Linked(read, sessions.Defaults(), &odd, &s.links)
		}
		for j, err := range read {
			if err != nil {
				return err
			}
			r.Log.Jobs++
			if !w.Holds(&j) {
				continue
			}
			jobs = append(jobs, j)
			work += s.o.Grid.Work(&j)
			if j.Partition != workload.Unknown {
				seen[j.Partition] = true
			}
		}
		r.Log.Name = log.Name
		r.Warnings = slices.Concat(log.Warnings(), odd.List())
		return nil
	})
	if err != nil {
		return err
	}
	s.sites = slices.Sorted(maps.Keys(seen))
	r.Schema, r.Grid, r.Tau, r.Jobs = ResultSchema, s.o.Grid, score.GridTau, jobs
	r.Window = Studied{
		Asked: s.o.Days, Days: (w.To - w.From) / day, From: w.From, To: w.To, Jobs: w.Jobs, Sites: len(s.sites),
		Load: stats.Number(work / (s.o.Grid.Capacity() * (w.To - w.From))),
	}
	return nil
}

// forewarn says what is to be expected of the simulation.
func (s *computation) forewarn() {
	r := &s.result
	if r.Window.Load <= 1 {
		return
	}
	w := workload.Warning{Rule: EarlyOverload, Count: 1, Text: fmt.Sprintf("the offered load is %.1f%% of the capacity of grid %s: queues grow without bound", 100*r.Window.Load, r.Grid.Name)}
	if s.o.Predicts() { // each change of a prediction moves all that queue behind it
		w.Rule = EarlySlow
		w.Text += ", and predicting them takes minutes beyond 100,000 jobs"
	}
	s.warnEarly(w)
	if w, much := memoryWarning(len(r.Jobs), len(s.o.Policies), par.Workers(s.o.Workers)); much {
		s.warnEarly(w)
	}
}

func (s *computation) warnEarly(w workload.Warning) {
	s.early = append(s.early, w)
	if s.o.Early != nil {
		s.o.Early(w)
	}
}
