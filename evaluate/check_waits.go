package evaluate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/resample"
)

// CheckWaits compares the waits of a log's jobs with those of jobs drawn from a model that was
// fitted to it: see model.Check. Add collects the jobs while the log is read for the fit; Check
// checks the model. The zero value is ready to use.
//
// For a long log, the MostCheckJobs consecutive jobs whose offered load is closest to that of
// the log are simulated, and as many jobs, or days, are drawn.
type CheckWaits struct {
	Workers int // goroutines; 0 means one for each core. The result does not depend on it

	jobs []checkJob
	work float64 // of all jobs, including those beyond mostCheckHeld, processor seconds
	from float64 // first and last submission, s
	to   float64
	most int // number of jobs to simulate; 0 means MostCheckJobs
}

const (
	// CheckSeeds is the number of draws from a model.
	CheckSeeds = 5
	// MostCheckJobs is the largest number of the log's jobs that are simulated.
	MostCheckJobs = 200_000
	// mostCheckHeld is the largest number of jobs, of 32 bytes each, held in memory to choose from.
	mostCheckHeld = 2_000_000
)

// checkPolicy is the policy of the simulated schedules.
const checkPolicy = "easy"

type checkJob struct {
	submit, run, time float64
	size              int64
}

// work returns the job's work in processor seconds.
func (j *checkJob) work() float64 { return j.run * float64(j.size) }

// ErrNoCheck is wrapped by the error of Check when the waits cannot be compared.
var ErrNoCheck = errors.New("no waits to compare")

// Add adds a job of the log. Jobs may come in any order; a job without a submission, run time
// or size is ignored.
func (c *CheckWaits) Add(j *workload.Job) {
	if math.IsNaN(j.Submit) || math.IsInf(j.Submit, 0) || !(j.Run >= 0) || math.IsInf(j.Run, 0) || j.Size < 1 {
		return
	}
	if c.work == 0 && len(c.jobs) == 0 {
		c.from, c.to = j.Submit, j.Submit
	}
	c.from, c.to = min(c.from, j.Submit), max(c.to, j.Submit)
	held := checkJob{j.Submit, j.Run, j.Time, j.Size}
	c.work += held.work()
	if len(c.jobs) < mostCheckHeld {
		c.jobs = append(c.jobs, held)
	}
}

// Watch returns the same jobs, and adds each as it passes.
func (c *CheckWaits) Watch(jobs workload.JobSeq) workload.JobSeq {
	return workload.Each(jobs, c.Add)
}

// Check simulates a part of the log, and an equally large part of each draw from the model.
// The error wraps ErrNoCheck if nothing can be simulated, for example if the model's sizes are
// GPUs.
func (c *CheckWaits) Check(ctx context.Context, m model.Model) (*model.Check, error) {
	about := m.Summary()
	if about.Unit != "processors" {
		return nil, fmt.Errorf("%w: the model's sizes are %s, and %s schedules processors", ErrNoCheck, about.Unit, checkPolicy)
	}
	processors := about.Processors
	part := c.part(processors)
	if len(part) < 2 || part[0].Submit == part[len(part)-1].Submit {
		return nil, fmt.Errorf("%w: the log has fewer than two jobs with submission, run time and size that differ in their submissions", ErrNoCheck)
	}
	out := &model.Check{Estimates: "user", Jobs: int64(len(part)), Seeds: CheckSeeds}
	if !about.Estimates || !slices.ContainsFunc(part, func(j workload.Job) bool { return j.Time > 0 }) {
		out.Estimates = "perfect"
	}
	o := ScheduleOptions{Policy: checkPolicy, Estimates: out.Estimates, Processors: processors}
	var draw generate.Options
	switch {
	case about.Days == 0:
		draw.Jobs = int64(len(part))
	case len(part) < len(c.jobs):
		draw.Days = (part[len(part)-1].Submit - part[0].Submit) / 86400
	}
	const week, mostWeeks = 7 * 86400, 10_000 // all later weeks count as one
	weekOf := func(submit float64) int { return int(min((submit-part[0].Submit)/week, mostWeeks)) }
	weeks := make([]resample.Week, 1+weekOf(part[len(part)-1].Submit)) // of the log
	waits := make([]float64, 1+CheckSeeds)
	err := par.Run(ctx, c.Workers, len(waits), func(i int) error {
		jobs := workload.JobsOf(part)
		if i > 0 {
			draw := draw
			draw.Seed = uint64(i)
			d, err := generate.Draw(ctx, m, draw)
			if err != nil {
				return err
			}
			jobs = d.Jobs
		}
		config, err := o.config(nil)
		if err != nil {
			return err
		}
		var wait stats.Moments
		for j, err := range sched.Simulate(workload.Until(ctx, jobs), config, nil) {
			if err != nil {
				return err
			}
			wait.Add(j.Wait)
			if i == 0 {
				w := &weeks[weekOf(j.Submit)]
				w.Wait, w.Jobs = w.Wait+j.Wait, w.Jobs+1
			}
		}
		waits[i] = math.Round(10*wait.Mean()) / 10 // to a tenth of a second
		return nil
	})
	if err != nil {
		return nil, err
	}
	drawn := waits[1:]
	slices.Sort(drawn)
	out.LogWait, out.Wait, out.WaitMin, out.WaitMax = waits[0], drawn[CheckSeeds/2], drawn[0], drawn[CheckSeeds-1]
	if len(weeks) >= resample.LeastWeeks {
		out.VariesFrom, out.VariesTo = resample.WaitsVary(weeks)
	}
	out.About = out.String()
	return out, nil
}

// part returns the jobs to simulate, in order of submission.
func (c *CheckWaits) part(processors int64) []workload.Job {
	c.jobs = slices.DeleteFunc(c.jobs, func(j checkJob) bool { return j.size > processors })
	slices.SortStableFunc(c.jobs, func(a, b checkJob) int { return cmp.Compare(a.submit, b.submit) })
	n, best := min(len(c.jobs), cmp.Or(c.most, MostCheckJobs)), 0
	load, nearest := c.work/(c.to-c.from), math.Inf(1)
	work := 0.0 // of the last n jobs up to and including job i
	for i, j := range c.jobs {
		if work += j.work(); i < n-1 {
			continue
		}
		first := c.jobs[i-(n-1)]
		if far := math.Abs(work/(j.submit-first.submit) - load); far < nearest {
			best, nearest = i-(n-1), far
		}
		work -= first.work()
	}
	var part []workload.Job
	for i, j := range c.jobs[best : best+n] {
		job := workload.UnknownJob()
		job.Row, job.ID = int64(i), int64(i+1)
		job.Submit, job.Run, job.Time, job.Size = j.submit, j.run, j.time, j.size
		part = append(part, job)
	}
	return part
}
