package model

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
)

// Malleable is the model of jobs that run on any number of processors: three
// independent laws, and DowneyS for the speedup. Downey (1997), "Using queue
// time predictions for processor allocation", section 2.
type Malleable struct {
	SequentialTime     dist.Law // of the run time on one processor, in seconds, above 0
	AverageParallelism dist.Law // of A, at least 1
	Sigma              dist.Law // of the variance of parallelism, at least 0
	// Allocation determines the number of processors on which the jobs ran,
	// which makes them rigid. With NoAllocation they have neither size nor run
	// time.
	Allocation Allocation
}

// Allocation is a rule for the processors of a malleable job.
type Allocation string

const (
	NoAllocation Allocation = "" // left to the reader of the log
	// AverageParallelism gives a job its average parallelism, rounded up to a
	// whole number, at most the whole machine: the paper's strategy AVG on an
	// empty machine. Its run time is the sequential time over the speedup.
	AverageParallelism Allocation = "average-parallelism"
)

// Size returns the number of processors that Allocation gives a job.
func (m Malleable) Size(averageParallelism float64, processors int64) int64 {
	return int64(min(math.Ceil(averageParallelism), float64(processors)))
}

func (m *Malleable) visit(f *form) {
	for _, l := range []struct {
		name  string
		law   *dist.Law
		least float64
	}{{"sequential_time", &m.SequentialTime, 0}, {"average_parallelism", &m.AverageParallelism, 1}, {"sigma", &m.Sigma, 0}} {
		f.positive(l.name, required, l.law)
		f.check(func() error {
			at, law := f.at(l.name), *l.law
			if below := law.CDF(l.least); below > 0 {
				return &FieldError{Path: at, Saw: fmt.Sprintf("a distribution with %.2g of it not above %g", below, l.least), Want: fmt.Sprintf("a distribution of values above %g", l.least)}
			}
			if mean := dist.Mean(law); !(mean <= MaxSecondsLimit) {
				return &FieldError{Path: at, Saw: fmt.Sprintf("a %s distribution without a finite mean that is known", dist.FamilyOf(law)), Want: "a distribution with a finite mean"}
			}
			return nil
		})
	}
	f.text("allocation", optional, (*string)(&m.Allocation))
	if m.Allocation != NoAllocation && m.Allocation != AverageParallelism {
		f.reject("allocation", shorten(string(m.Allocation)), fmt.Sprintf("%q, or none", AverageParallelism))
	}
}

// means integrates over the average parallelism and sigma, by the midpoints
// of equal shares of their laws.
func (m Malleable) means(processors int64) (size, runTime, area float64) {
	const shares, sigmas = 4096, 32
	var n, t, w num.Sum
	for i := range shares {
		a := m.AverageParallelism.Quantile((float64(i) + 0.5) / shares)
		k := float64(m.Size(a, processors))
		n.Add(k / shares)
		for j := range sigmas {
			s := DowneyS(k, a, m.Sigma.Quantile((float64(j)+0.5)/sigmas))
			t.Add(1 / s / shares / sigmas)
			w.Add(k / s / shares / sigmas)
		}
	}
	sequential := dist.Mean(m.SequentialTime)
	return n.Value(), sequential * t.Value(), sequential * w.Value()
}
