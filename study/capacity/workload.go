package capacity

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"unique"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/resample"
	"github.com/loadstone-hpc/loadstone/workload/sessions"
)

const (
	week       = 7 * 86400 // s
	leastWeeks = 4         // smallest number of weeks of a log; it may be a day shorter
	mostWeeks  = 5000
)

// jobSet is a workload: the log's jobs, or a twin's.
type jobSet struct {
	batches []*workload.Batch
	rows    int
	weeks   []int32   // by job, week of its submission, counted from 0
	classes []string  // by job, label of its class
	work    []float64 // by week, seconds times the amount of the resource that varies
	first   float64   // first and last submission, s
	last    float64
}

// add appends a job. Jobs must come in order of submission.
func (s *jobSet) add(j *workload.Job, class string) {
	if s.rows == 0 {
		s.first = j.Submit
	}
	n := len(s.batches)
	if n == 0 || s.batches[n-1].Rows == workload.DefaultBatchRows {
		s.batches = append(s.batches, new(workload.Batch))
		n++
	}
	s.batches[n-1].Append(j)
	s.rows++
	s.last = j.Submit
	s.weeks = append(s.weeks, int32((j.Submit-s.first)/week))
	s.classes = append(s.classes, unique.Make(class).Value()) // one string for all jobs of the class
}

// jobs yields the jobs. Job.Row is the index of the job in the set.
func (s *jobSet) jobs() workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		row := int64(0)
		for _, b := range s.batches {
			for i := range b.Rows {
				if !yield(b.Job(i, row), nil) {
					return
				}
				row++
			}
		}
	}
}

// sumWork computes the work of the weeks. Jobs after the last week are counted in it.
func (s *jobSet) sumWork(weeks int, r sched.Resource) {
	s.work = make([]float64, weeks)
	for j := range s.jobs() {
		w := &s.weeks[j.Row]
		*w = min(*w, int32(weeks-1))
		s.work[*w] += j.Run * float64(sched.Demand(&j, r))
	}
}

// read reads the log's jobs, except those that today's machine cannot run.
func (s *study) read(ctx context.Context, log *workload.Log, r *Result) error {
	var odd workload.Warnings
	var links sessions.Links
	all, users, estimates := new(jobSet), false, false
	for j, err := range sessions.Linked(numbered(workload.InOrder(workload.Until(ctx, log.Jobs()), &odd)), &odd, &links) {
		if err != nil {
			return err
		}
		users = users || j.User != workload.Unknown
		estimates = estimates || j.Time > 0
		all.add(&j, "")
	}
	weeks := (all.last - all.first) / week
	r.Log = workload.Summary{Name: log.Name, Jobs: all.rows}
	switch {
	case all.rows == 0:
		return fmt.Errorf("%w with a submission time", workload.ErrNoJobs)
	case !(weeks >= leastWeeks-1.0/7 && weeks <= mostWeeks):
		return fmt.Errorf("the log has %.3g weeks: want %d to %d, between which the answer's interval is estimated", weeks, leastWeeks, mostWeeks)
	case !users:
		return errors.New("no job has a user: want a log with users, whom its twins move in time")
	case !estimates && slices.ContainsFunc(s.policies, sched.Policy.UsesEstimates):
		return fmt.Errorf("%w: want --policies fcfs, which plans without", sched.ErrNoEstimates)
	}
	config := s.config(s.machine.today, 0)
	config.Warnings = &odd
	waits, err := simulate(ctx, all.rows, all.jobs(), config)
	if err != nil {
		return err
	}
	own := new(jobSet)
	for j := range all.jobs() {
		if !math.IsNaN(waits[j.Row]) {
			own.add(&j, s.label(&j))
			s.logged = append(s.logged, j.Wait)
		}
	}
	s.weeks = max(1, int(math.Round((own.last-own.first)/week)))
	own.sumWork(s.weeks, s.machine.resource)
	s.sets, s.behaviours = []*jobSet{own}, 1
	if busy := len(logarithms(own.work)); busy < leastWeeks {
		return fmt.Errorf("jobs take %s, for longer than 0 s, in %d of the log's weeks: want at least %d", s.machine.name, busy, leastWeeks)
	}
	if early := own.eager(); early != nil {
		s.sets, s.behaviours = append(s.sets, early), 2
	}
	r.Warnings = append(append(r.Warnings, log.Warnings()...), odd.List()...)
	return nil
}

// numbered gives each job without a number a negative one, which no job of a log has, so that other
// jobs can depend on it.
func numbered(jobs workload.JobSeq) workload.JobSeq {
	return workload.Each(jobs, func(j *workload.Job) {
		if j.ID == workload.Unknown {
			j.ID = -1 - j.Row
		}
	})
}

// eager returns the log's jobs as submitted by users who submit sooner on a larger machine. A job
// that was submitted within its think time after the end of its preceding job is submitted as soon
// after that end on any machine, not only on smaller ones: its submission is set to the earliest
// possible, on a machine where no job waits. eager returns nil if no job would come earlier.
func (s *jobSet) eager() *jobSet {
	type ends struct{ logged, earliest float64 }
	known := map[int64]ends{} // by number
	var jobs []workload.Job
	moved := false
	for j := range s.jobs() {
		logged := sessions.End(&j)
		before, ok := known[j.Preceding]
		if think := max(0, j.Think); ok && j.Submit <= before.logged+think+1 && before.earliest+think < j.Submit {
			j.MoveTo(before.earliest + think)
			moved = true
		}
		known[j.ID] = ends{logged, j.Submit + j.Run}
		jobs = append(jobs, j)
	}
	if !moved {
		return nil
	}
	slices.SortStableFunc(jobs, func(a, b workload.Job) int { return cmp.Compare(a.Submit, b.Submit) })
	early := &jobSet{work: s.work}
	for i := range jobs {
		j := &jobs[i]
		early.add(j, s.classes[j.Row])
		early.weeks[i] = s.weeks[j.Row]
	}
	return early
}

// addTwins adds the twins of the log.
func (s *study) addTwins(ctx context.Context, header workload.Header) error {
	for i := range s.o.Twins {
		twin, err := resample.New(ctx, s.sets[0].jobs(), header, resample.Options{Seed: s.o.Seed + uint64(i), Workers: s.o.Workers})
		if err != nil {
			return err
		}
		set := new(jobSet)
		for j, err := range twin.Jobs(ctx) {
			if err != nil {
				return err
			}
			set.add(&j, s.label(&j))
		}
		set.sumWork(s.weeks, s.machine.resource)
		s.sets = append(s.sets, set)
	}
	return nil
}

// simulate returns the waits of jobs by row; NaN for those that cannot run. Jobs with the same row
// are parts of one job, and their waits are added.
func simulate(ctx context.Context, rows int, jobs workload.JobSeq, config sched.Config) ([]float64, error) {
	waits := make([]float64, rows)
	for i := range waits {
		waits[i] = math.NaN()
	}
	config.Feedback = true
	for j, err := range sched.Simulate(workload.Until(ctx, jobs), config, nil) {
		if err != nil {
			return nil, err
		}
		if math.IsNaN(waits[j.Row]) {
			waits[j.Row] = 0
		}
		waits[j.Row] += j.Wait
	}
	return waits, nil
}
