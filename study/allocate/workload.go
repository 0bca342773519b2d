package allocate

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Workload determines the jobs to draw: those of Downey (1997), section 2.2,
// with parameters that its section 7.1 suggests to vary.
type Workload struct {
	Days int `json:"days" opt:"days" in:"[1,)" required:"true" common:"true" help:"days of each workload"`
	// Load is rho, the offered load of the day: arrivals times E[L] over Processors. At the
	// least no jobs are to be expected in any time.
	Load       float64 `json:"load" opt:"load" in:"[1e-9,50]" required:"true" common:"true" help:"offered load of the day: sequential time that arrives over what the machine has; above 1 predictions take ten times as long a job" brief:"offered load of the day"`
	Processors int     `json:"-" opt:"procs" in:"[1,1048576]" required:"true"` // size of the machine

	MaxSequential  float64 `json:"max_sequential_time_s"`   // s, the upper end of the uniform-log law of L; the paper's is e^12
	MaxParallelism float64 `json:"max_average_parallelism"` // the upper end of the uniform-log law of A; the paper's is 128
	MaxSigma       float64 `json:"max_sigma"`               // the upper end of the uniform law of sigma; the paper's is 2
}

// PaperWorkload returns the workload of the paper: 120 days at the load 0.75 on 128
// processors, about 30,600 jobs.
func PaperWorkload() Workload {
	return Workload{Days: 120, Load: 0.75, Processors: 128, MaxSequential: math.Exp(12), MaxParallelism: 128, MaxSigma: 2}
}

const minSequential = 7.38905609893065 // e^2

// mostJobs is how many jobs a workload may have: a study holds its jobs and their
// placements, about a kilobyte a job with two simulations at once.
const mostJobs = 4_000_000

// Validate returns an error for the first parameter that is out of range.
func (w Workload) Validate() error {
	fail := func(name string, saw float64, want string) error {
		return fmt.Errorf("%s: saw %g, want %s", name, saw, want)
	}
	if err := opt.Check(&w); err != nil {
		return err
	}
	switch {
	case !(w.MaxSequential > minSequential && w.MaxSequential <= 1e9):
		return fail("the longest sequential time", w.MaxSequential, "seconds above e^2, at most 1e9")
	case !(w.MaxParallelism > 1 && w.MaxParallelism <= MaxProcessors):
		return fail("the largest parallelism", w.MaxParallelism, fmt.Sprintf("a number above 1, at most %d", MaxProcessors))
	case !(w.MaxSigma > 0 && w.MaxSigma <= 1e6):
		return fail("the largest sigma", w.MaxSigma, "a number above 0, at most 1e6")
	case w.MeanJobs() > mostJobs:
		return fail("days", float64(w.Days), fmt.Sprintf("a time for at most %d jobs at this load", int64(mostJobs)))
	}
	return nil
}

// lifetimes is the law of L.
func (w Workload) lifetimes() dist.UniformLog {
	return dist.UniformLog{TMin: minSequential, TMax: w.MaxSequential}
}

// Rate returns the number of jobs submitted per second of the day: lambda = rho
// N / E[L] in section 4.
func (w Workload) Rate() float64 {
	return w.Load * float64(w.Processors) / w.lifetimes().Mean()
}

// MeanJobs returns the expected number of jobs of the workload.
func (w Workload) MeanJobs() float64 { return float64(w.Days) * w.Rate() * HalfDay }

// Jobs draws the jobs of a seed, by package generate from the preset downey1997
// with the parameters of the Workload. Days have 12 hours.
func (w Workload) Jobs(seed uint64) ([]Job, error) { return w.jobs(seed, nil) }

func (w Workload) jobs(seed uint64, stop func() error) ([]Job, error) {
	if err := w.Validate(); err != nil {
		return nil, err
	}
	site, err := model.Preset(model.Downey1997)
	if err != nil {
		return nil, err
	}
	c := &site.Classes[0]
	c.Malleable.SequentialTime = w.lifetimes()
	c.Malleable.AverageParallelism = dist.UniformLog{TMin: 1, TMax: w.MaxParallelism}
	c.Malleable.Sigma = dist.Uniform{Low: 0, High: w.MaxSigma}
	// Over whole days the mean is twice that of the day.
	c.Arrivals.Gaps = model.SecondsGaps{Law: dist.Exponential{Mean: 2 / w.Rate()}}
	g, err := generate.New(site, generate.Options{Days: float64(w.Days), Seed: seed, Exact: true, Workers: 1})
	if err != nil {
		return nil, err
	}
	var jobs []Job
	s := stopper{ask: stop}
	for j, err := range g.Jobs() {
		if err != nil {
			return nil, err
		}
		if s.stopped() {
			return nil, s.err
		}
		jobs = append(jobs, ofDay(&j))
	}
	return jobs, nil
}

// ofDay takes a job apart as the preset says: its day is the submission over
// 24 hours, its offset the rest.
func ofDay(j *workload.Job) Job {
	day := math.Floor(j.Submit / (2 * HalfDay))
	return Job{
		ID: j.ID, Day: int(day), Offset: j.Submit - float64(day*(2*HalfDay)),
		Sequential: j.SequentialTime, Parallelism: j.AverageParallelism, Sigma: j.Sigma,
	}
}
