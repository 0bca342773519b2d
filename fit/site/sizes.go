package site

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/internal/stages"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
)

// SizesReport is the fit of a class's sizes.
type SizesReport struct {
	N           int64         `json:"jobs"` // number of jobs whose size is known, positive and at most that of the machine
	LeftOut     []fit.LeftOut `json:"left_out"`
	Serial      int64         `json:"serial"`        // of these, with one processor
	Parallel    int64         `json:"parallel"`      // with more
	PowersOfTwo int64         `json:"powers_of_two"` // parallel jobs with a power of two
	Largest     int64         `json:"largest"`       // the largest size, before any was left out

	// Law is the two-stage uniform law of log2 of the parallel jobs' sizes;
	// empty, with NaN distances, if all jobs are serial.
	Law dist.JSON `json:"law"`

	// DRounded is the largest difference, over the sizes that occur, between
	// the distribution functions of the parallel jobs and of the law after its
	// rounding, which may reach beyond the sizes of the machine. It is the
	// distance of table 1 of Lublin and Feitelson (2003).
	//
	// DGenerated is the distance between the sizes of all jobs, including serial ones, and the
	// sizes that the model generates: the largest difference between the two distribution
	// functions at any size, whether it occurs or not.
	DRounded   stats.Number `json:"ks_d_rounded"`
	DGenerated stats.Number `json:"ks_d_generated"`

	// FromJobs reports whether the model has the observed sizes because Law is too far from them.
	FromJobs bool `json:"from_jobs,omitempty"`
}

// sizes fits the serial share, the share of powers of two among the parallel jobs, and the
// two-stage uniform law of log2 of the sizes of parallel jobs, by least squares of the
// distribution function after the model's rounding. Lublin and Feitelson (2003), section 3.1 and
// table 1.
//
// Sizes are limited to those from the smallest to the largest parallel job, and the law to values
// within 1/2 of log2 of these. The paper's model starts 0.2 below log2 of the smallest size, but
// the rows of its table 1 do not, and logs differ: with low fixed there, DRounded of
// SDSC-Par-1996 is .052, not .018.
func (f *fitter) sizes(c fit.Class, all *ClassReport) (*model.TwoStageSizes, error) {
	m := new(model.TwoStageSizes)
	r := &all.Sizes
	none := stats.Number(math.NaN())
	r.DRounded, r.DGenerated = none, none
	s := c.Sample(fit.Size)
	if n := len(s.Values); n > 0 {
		r.Largest = int64(min(s.Values[n-1], model.MaxProcessors))
	}
	most := largestSize(f.o)
	s = s.UpTo(most, fmt.Sprintf("size above the machine's %g", most))
	r.N, r.LeftOut = s.Jobs(), append([]fit.LeftOut{}, s.LeftOut...)
	if r.N == 0 {
		return m, fmt.Errorf("no job has a size that is known, positive and at most %.0f", most)
	}
	parallel, serial := s.Above(1)
	r.Serial, r.Parallel = serial, parallel.Jobs()
	m.SerialShare = float64(serial) / float64(r.N)
	if r.Parallel == 0 {
		// No value is drawn from the law, so any valid one will do.
		m.Log2 = dist.TwoStageUniform{Low: 0, Mid: 0.5, High: 1, P: 0.5}
		all.warn("all jobs are serial: the distribution of parallel sizes is arbitrary and not used")
		return m, nil
	}
	for i, v := range parallel.Values {
		if bits.OnesCount64(uint64(v)) == 1 {
			r.PowersOfTwo += int64(parallel.Counts[i])
		}
	}
	n := len(parallel.Values)
	m.PowerOfTwoShare = float64(r.PowersOfTwo) / float64(r.Parallel)
	m.Smallest, m.Largest = int64(parallel.Values[0]), int64(parallel.Values[n-1])
	if n == 1 {
		m.Log2 = oneSize(parallel.Values[0])
		all.warn("all parallel jobs have %g processors", parallel.Values[0])
	} else {
		law, _, converged := stages.FitTwoStage(roundedRows(parallel, m), math.Log2(float64(m.Smallest))-0.5, math.Log2(float64(m.Largest))+0.5)
		if err := dist.Validate(law); err != nil {
			return m, fmt.Errorf("sizes: %w", err)
		}
		m.Log2 = law
		if n < 5 {
			all.warn("%d distinct parallel sizes do not determine a distribution of four parameters", n)
		}
		if !converged {
			all.warn("sizes not converged (%s): the parameters are the best seen", fit.IterationLimit)
		}
	}
	r.Law.Law = m.Log2
	if f.whole != nil {
		return m, nil
	}
	r.DGenerated = stats.Number(generatedDistance(s, m))
	r.DRounded = roundedDistance(parallel, m.Log2, m.PowerOfTwoShare)
	return m, nil
}

// oneSize returns a narrow law that rounds to one size.
func oneSize(size float64) dist.TwoStageUniform {
	x := math.Log2(size)
	half := math.Log2(1+0.25/size) / 2
	return dist.TwoStageUniform{Low: x - half, Mid: x, High: x + half, P: 0.5}
}

// largestSize returns the largest size of a job that is not left out.
func largestSize(o Options) float64 {
	if o.Processors > 0 {
		return float64(o.Processors)
	}
	return model.MaxProcessors
}

// roundedRows returns the points of the least-squares fit, two for each job: the distribution
// function of the parallel sizes at the job's size and just below it. In the model, a size that
// is rounded to a power of two is at most s if its log2 was below k + 1/2, where 2^k is the
// largest power of two up to s; another size is at most s if its log2 was below log2(s + 1/2). No
// job of the first kind is below the smallest power of two among the sizes, and none is above the
// largest.
//
// The point at the largest size is left out: there the model's distribution function is 1 for any
// law.
func roundedRows(parallel fit.Sample, sizes *model.TwoStageSizes) []stages.Row {
	total, upTo := float64(parallel.Jobs()), 0.0
	least, most := model.PowersWithin(sizes.Smallest, sizes.Largest)
	row := func(size, weight float64) stages.Row {
		r := stages.Row{Near: exponent(size) + 0.5, Far: math.Log2(size + 0.5), FarShare: 1 - sizes.PowerOfTwoShare, Target: upTo / total, Weight: weight}
		switch {
		case size < float64(least):
			r.Near = math.Inf(-1)
		case size >= float64(most):
			r.Near = math.Inf(1)
		}
		return r
	}
	rows := make([]stages.Row, 0, 2*len(parallel.Values))
	for i, v := range parallel.Values {
		if i > 0 { // below the smallest size both are 0
			rows = append(rows, row(v-1, parallel.Counts[i]))
		}
		if upTo += parallel.Counts[i]; i < len(parallel.Values)-1 {
			rows = append(rows, row(v, parallel.Counts[i]))
		}
	}
	return rows
}

// exponent returns the largest k with 2^k at most size.
func exponent(size float64) float64 { return float64(bits.Len64(uint64(size)) - 1) }

// roundedDistance returns SizesReport.DRounded of a law of log2 of the sizes and
// the share of powers of two.
func roundedDistance(parallel fit.Sample, law dist.Law, powers float64) (d stats.Number) {
	total, upTo := float64(parallel.Jobs()), 0.0
	for i, v := range parallel.Values {
		upTo += parallel.Counts[i]
		model := powers*law.CDF(exponent(v)+0.5) + (1-powers)*law.CDF(math.Log2(v+0.5))
		d = max(d, stats.Number(math.Abs(upTo/total-model)))
	}
	return d
}

// generatedDistance returns SizesReport.DGenerated. Between two sizes that occur, the sample's
// distribution function is constant and the model's rises, so they are farthest apart at a size
// or just below one.
func generatedDistance(all fit.Sample, sizes *model.TwoStageSizes) float64 {
	total, upTo, d := float64(all.Jobs()), 0.0, 0.0
	for i, v := range all.Values {
		d = max(d, math.Abs(upTo/total-sizes.AtMost(int64(v)-1, model.MaxProcessors)))
		upTo += all.Counts[i]
		d = max(d, math.Abs(upTo/total-sizes.AtMost(int64(v), model.MaxProcessors)))
	}
	return d
}
