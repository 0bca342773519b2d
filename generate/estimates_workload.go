package generate

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// estimateSample is the largest number of jobs of a class whose run times are
// counted for the model of 2005: the law of the others' follows from theirs,
// with shares off by a thousandth at the most.
const estimateSample = 1 << 20

// newEstimator prepares the estimates of a class of that many jobs, which is
// an expectation where the number is left to chance; nil where there are none.
//
// The model of 2005 assigns estimates to jobs that are all known. Here they
// come from Conditional, the law to which its assignment tends, because jobs
// are made on many cores and not held: a first pass counts the run times of the
// class's jobs, the first estimateSample of them where there are more. Those
// are the very run times of its jobs, by their numbers; only where there are
// users, whose bags and sessions depend on the arrivals, they are others of the
// same law.
func newEstimator(m model.Class, c *class, jobs float64, o Options) (Estimator, error) {
	switch e := m.Estimates.(type) {
	case model.UniformEstimates:
		return NewUniformEstimates(e.Factor, !o.Exact, o.Seed, m.Name)
	case model.LogEstimates:
		return NewLogLaw(e, o.Seed, m.Name)
	case model.TsafrirEstimates:
		return newTsafrir(e, m.Name, c, jobs, o)
	}
	return nil, nil
}

// newTsafrir prepares estimates by the model of 2005.
func newTsafrir(e model.TsafrirEstimates, name string, c *class, jobs float64, o Options) (Estimator, error) {
	if o.Exact {
		return nil, optionError("estimates", "tsafrir with `exact`: it cuts run times", "none, uniform or a log's with `exact`")
	}
	n := int64(min(math.Round(max(1, jobs)), model.MaxEstimateJobs)) // 1 for NaN too
	t := TsafrirModel{Jobs: n, Max: e.Max, Distinct: e.Distinct}
	given := int64(0)
	for _, g := range e.Given {
		k := max(1, min(int64(math.Round(g.Share*float64(n))), n-given))
		given += k
		t.Given = append(t.Given, Bin{g.Time, k})
	}
	bins, err := t.Draw(o.Seed, name)
	if err != nil {
		return nil, err
	}
	counts, err := bins.Count()
	if err != nil {
		return nil, err
	}
	c.countRuns(counts, min(n, estimateSample))
	law, err := NewConditional(bins, counts, o.Seed, name)
	var long *LongRunsError
	if errors.As(err, &long) {
		return nil, optionError("max-estimate",
			fmt.Sprintf("%.10g, but %.3g %% of the jobs of class %s run longer than %.10g s, and %.3g %% of the estimates are longer", e.Max, 100*long.Runs, name, long.Longer, 100*long.Estimates),
			"a larger maximum, or larger shares of the given estimates, above all of the maximum")
	}
	return law, err
}

// countRuns counts the run times of the class's first jobs.
func (c *class) countRuns(counts *RunTimeCounts, jobs int64) {
	var pcg rand.PCG
	rng := rand.New(&pcg)
	runs := make([]float64, 0, min(jobs, workload.DefaultBatchRows))
	for job := range jobs {
		var run float64
		if c.habits != nil {
			_, _, _, run = c.habits.draw(&pcg, rng, job, job)
		} else {
			_, run = c.drawRigid(&pcg, rng, job)
		}
		if runs = append(runs, run); len(runs) == cap(runs) {
			counts.Add(runs)
			runs = runs[:0]
		}
	}
	counts.Add(runs)
}

// expectedJobs is how many jobs each class will have: as many as are asked for,
// where there is one class, and else by the rates of arrivals.
func (o Options) expectedJobs(s model.Site, stretch float64) []float64 {
	jobs := make([]float64, len(s.Classes))
	sum := 0.0
	for i, c := range s.Classes {
		jobs[i] = 1 / c.Arrivals.Mean(stretch)
		sum += jobs[i]
	}
	for i := range jobs {
		switch {
		case o.Jobs == 0:
			jobs[i] *= o.Days * secondsPerDay
		case len(jobs) == 1:
			jobs[i] = float64(o.Jobs)
		default:
			jobs[i] *= float64(o.Jobs) / sum
		}
	}
	return jobs
}

// estimate fills in what the jobs of a block ask for; first are the numbers of
// the block's first jobs in their classes.
func (w *Workload) estimate(b block, first []int64, runs []float64) (requested []float64, err error) {
	requested = make([]float64, len(runs))
	for k := range w.classes {
		var jobs []int64
		var of []int // rows of the class, where there are several classes
		in, out := runs, requested
		if b.classes != nil {
			in = nil
			for i, class := range b.classes {
				if int(class) == k {
					of, in = append(of, i), append(in, runs[i])
				}
			}
			out = make([]float64, len(in))
		}
		for i := range in {
			jobs = append(jobs, first[k]+int64(i))
			out[i] = math.NaN() // where the class has no estimates
		}
		if e := w.classes[k].estimator; e != nil {
			if err := e.Estimate(jobs, in, out); err != nil {
				return nil, err
			}
		}
		for i, row := range of {
			requested[row] = out[i]
		}
	}
	return requested, nil
}

// estimateNotes say of each class where its requested times are from.
func estimateNotes(s model.Site) (notes []string) {
	for _, c := range s.Classes {
		of := ""
		if len(s.Classes) > 1 {
			of = " of class " + c.Name
		}
		switch e := c.Estimates.(type) {
		case model.TsafrirEstimates:
			notes = append(notes, fmt.Sprintf("requested times%s: by the model of Tsafrir, Etsion and Feitelson (2005); run times above the largest, %.10g s, are cut to it", of, e.Max))
		case model.UniformEstimates:
			notes = append(notes, fmt.Sprintf("requested times%s: uniform from the run time to %.10g times it", of, e.Factor))
		case model.LogEstimates:
			notes = append(notes, fmt.Sprintf("requested times%s: %d of a log, given the run time; jobs that run longer than the largest, %.10g s, ask for that", of, len(e.Bins), e.Bins[len(e.Bins)-1].Time))
		}
	}
	return notes
}
