package allocate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Job is a malleable job: it can be given any number of processors when it starts,
// and keeps them. Its run time on n processors is Sequential / S(n), where S is the
// speedup of model.DowneyS.
type Job struct {
	ID int64
	// Day is the day of the submission, counted from 0, and Offset the seconds
	// since that day began. In a workload, Day does not decrease from one job to the
	// next, nor does Offset within a day. The beginning of a day depends on the
	// schedule: see Machine.Night.
	Day    int
	Offset float64

	Sequential  float64 // L, the run time on one processor, s, above 0
	Parallelism float64 // A, the average parallelism, at least 1
	Sigma       float64 // the variance of parallelism, at least 0
}

// mostJobs is the largest number of jobs of a workload: a study holds its jobs and their
// placements, about a kilobyte for each job with two simulations at once.
const mostJobs = 4_000_000

// draw draws the jobs of a seed from the preset downey1997, at the study's load on its
// machine. Jobs are submitted during the first 12 hours of each day.
func draw(ctx context.Context, o *Options, seed uint64) ([]Job, error) {
	site, err := model.Preset(model.Downey1997)
	if err != nil {
		return nil, err
	}
	// Jobs submitted per second of the day: lambda = rho N / E[L] in section 4.
	lifetimes := dist.UniformLog{TMin: math.Exp(2), TMax: math.Exp(12)}
	rate := o.Load * float64(o.processors()) / lifetimes.Mean()
	if mean := float64(o.Days) * rate * halfDay; mean > mostJobs {
		return nil, workload.OptionFault("days", o.Days, "a time for at most %d jobs at this load", mostJobs)
	}
	// Averaged over 24 hours, the interarrival time is twice that of the day.
	site.Classes[0].Arrivals.Interarrival.Law = dist.Exponential{Mean: 2 / rate}
	g, err := generate.New(site, generate.Options{Days: float64(o.Days), Seed: seed, Exact: true, Workers: 1})
	if err != nil {
		return nil, err
	}
	var jobs []Job
	for j, err := range workload.Until(ctx, g.Jobs()) {
		if err != nil {
			return nil, err
		}
		day := math.Floor(j.Submit / (2 * halfDay))
		jobs = append(jobs, Job{
			ID: j.ID, Day: int(day), Offset: j.Submit - float64(day*(2*halfDay)),
			Sequential: j.SequentialTime, Parallelism: j.AverageParallelism, Sigma: j.Sigma,
		})
	}
	return jobs, nil
}

// ErrRigid is wrapped by the error of Compute for a log without any job that it can use.
var ErrRigid = errors.New("no job of the log can be malleable")

// fromLog reads the jobs of a log, in any order, and returns them in order of submission. sigma,
// if not nil, makes rigid jobs malleable: A is the job's size in the log, and L follows from its
// run time on that size. This is an assumption of the user that nothing in a log supports.
// warnings counts the jobs that are left out.
func fromLog(log iter.Seq2[workload.Job, error], processors int64, sigma *float64, warnings *workload.Warnings) ([]Job, error) {
	var jobs []Job // with submission times in Offset
	read := 0
	for j, err := range log {
		if err != nil {
			return nil, err
		}
		read++
		if rule, why := unfit(&j, processors, sigma); rule != "" {
			warnings.Add(rule, "jobs left out: "+why, 0, j.Label())
			continue
		}
		m := Job{ID: j.ID, Offset: j.Submit, Sequential: j.SequentialTime, Parallelism: j.AverageParallelism, Sigma: j.Sigma}
		if !malleable(&j) {
			a := float64(j.Size)
			m.Sequential, m.Parallelism, m.Sigma = j.Run*model.DowneyS(a, a, *sigma), a, *sigma
		}
		if jobs = append(jobs, m); len(jobs) > mostJobs {
			return nil, fmt.Errorf("job %d is beyond the %d jobs that a study can hold: study a part of the log", j.ID, mostJobs)
		}
	}
	if len(jobs) == 0 {
		want := "jobs with sequential times, parallelism and sigma, or a sigma for those that have a size and a run time"
		if sigma != nil {
			want = "jobs with a submission, a size that fits the machine and a run time"
		}
		return nil, fmt.Errorf("%w, of %d, want %s", ErrRigid, read, want)
	}
	slices.SortStableFunc(jobs, func(a, b Job) int { return cmp.Compare(a.Offset, b.Offset) })
	first := jobs[0].Offset
	for i := range jobs {
		jobs[i].Offset -= first
	}
	return jobs, nil
}

// maxSeconds is the largest time of a job: some 30,000 years.
const maxSeconds = 1e12

func malleable(j *workload.Job) bool {
	return j.SequentialTime > 0 && j.SequentialTime <= maxSeconds && j.AverageParallelism >= 1 && !math.IsInf(j.AverageParallelism, 1) && j.Sigma >= 0 && !math.IsInf(j.Sigma, 1)
}

// unfit returns the rule and the reason by which a job is left out; "" if it is not.
func unfit(j *workload.Job, processors int64, sigma *float64) (rule, why string) {
	rigid := !malleable(j)
	switch {
	case !(math.Abs(j.Submit) <= maxSeconds):
		return "no-submit", "they have no submission time"
	case rigid && sigma == nil:
		return "rigid", "they are not malleable, and no sigma is given for those that are not"
	case rigid && !(j.Size > 0):
		return "no-size", "they have no size"
	case rigid && !(j.Run > 0 && j.Run <= maxSeconds):
		return "no-run-time", "they have no run time above 0"
	case rigid && j.Size > processors:
		return "too-large", "they are larger than the machine"
	}
	return "", ""
}
