package site

import (
	"errors"
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
	N           int64         `json:"jobs"` // jobs whose size is known, positive and at most that of the machine
	LeftOut     []fit.LeftOut `json:"left_out"`
	Serial      int64         `json:"serial"`        // of these, with one processor
	Parallel    int64         `json:"parallel"`      // with more
	PowersOfTwo int64         `json:"powers_of_two"` // parallel, with a power of two
	Largest     int64         `json:"largest"`       // the largest size, before any was left out

	// Law is the two-stage uniform law of log2 of the parallel jobs' sizes;
	// empty, with NaN distances, if all jobs are serial.
	Law dist.JSON `json:"law"`

	// D is the ordinary Kolmogorov-Smirnov distance between log2 of the sizes
	// and the continuous law. It cannot be below half the share of the most
	// frequent size.
	//
	// DRounded is the largest difference, over the sizes that occur, between
	// the distribution functions of the parallel jobs and of the law after its
	// rounding, which may reach beyond the sizes of the machine. It is the
	// distance of table 1 of Lublin and Feitelson (2003).
	//
	// DGenerated is the distance between the sizes of all jobs, serial ones
	// too, and those that the model generates: the largest difference of the
	// two distribution functions at any size, whether it occurs or not.
	D          stats.Number `json:"ks_d"`
	DRounded   stats.Number `json:"ks_d_rounded"`
	DGenerated stats.Number `json:"ks_d_generated"`

	// Gamma is the law that the paper compares with the two-stage uniform;
	// nil where the sizes do not determine one.
	Gamma *SizesGamma `json:"gamma"`

	// FromJobs tells that the model has the observed sizes instead of Law,
	// which is too far from them.
	FromJobs bool `json:"from_jobs,omitempty"`

	Status     fit.Status `json:"status"`
	Iterations int        `json:"iterations"`
	Warnings   []string   `json:"warnings"`
}

// SizesGamma is the Gamma of log2 of the parallel jobs' sizes, by maximum
// likelihood.
type SizesGamma struct {
	Law      fit.Report   `json:"fit"`
	DRounded stats.Number `json:"ks_d_rounded"` // as SizesReport.DRounded; the ordinary D is in Law
}

// fitSizes fits the serial share, the share of powers of two among the
// parallel jobs, and the two-stage uniform law of log2 of the latter's sizes,
// by least squares of the distribution function after the model's rounding.
// Lublin and Feitelson (2003), section 3.1 and table 1.
//
// Sizes stay between the smallest and the largest of the parallel jobs, and the
// law between what rounds to these powers of two. The paper's model starts 0.2
// below log2 of the smallest size, but the rows of its table 1 do not, and logs
// differ: with low fixed there, DRounded of SDSC-Par-1996 is .052, not .018.
func fitSizes(c fit.Class, o Options) (model.RoundedSizes, SizesReport, error) {
	sizes, r, parallel, err := lawOfSizes(c, o)
	if err != nil || r.Parallel == 0 {
		return sizes, r, err
	}
	r.DGenerated = stats.Number(generatedDistance(c.Sample(fit.Size).UpTo(o.largestSize(), ""), sizes))
	r.DRounded, r.D = sizeDistances(parallel, sizes.Log2, sizes.PowerOfTwoShare)
	r.Gamma, err = fitSizesGamma(parallel, sizes.PowerOfTwoShare, fit.Options{By: c.Label(), Workers: o.Workers})
	return sizes, r, err
}

// lawOfSizes is fitSizes without what the law is worth and what it is compared
// with; parallel are the sizes that it is of.
func lawOfSizes(c fit.Class, o Options) (sizes model.RoundedSizes, r SizesReport, parallel fit.Sample, err error) {
	s := c.Sample(fit.Size)
	none := stats.Number(math.NaN())
	r = SizesReport{D: none, DRounded: none, DGenerated: none, Status: fit.Converged, Warnings: []string{}}
	if n := len(s.Values); n > 0 {
		r.Largest = int64(min(s.Values[n-1], model.MaxProcessors))
	}
	largest := o.largestSize()
	s = s.UpTo(largest, fmt.Sprintf("size above the machine's %g", largest))
	r.N, r.LeftOut = s.Jobs(), append([]fit.LeftOut{}, s.LeftOut...)
	if r.N == 0 {
		return sizes, r, parallel, fmt.Errorf("no job has a size that is known, positive and at most %.0f", largest)
	}
	parallel, r.Serial = s.Above(1)
	r.Parallel = parallel.Jobs()
	for i, v := range parallel.Values {
		if powerOfTwo(v) {
			r.PowersOfTwo += int64(parallel.Counts[i])
		}
	}
	sizes.SerialShare = float64(r.Serial) / float64(r.N)
	if r.Parallel > 0 {
		sizes.PowerOfTwoShare = float64(r.PowersOfTwo) / float64(r.Parallel)
		sizes.Smallest, sizes.Largest = int64(parallel.Values[0]), int64(parallel.Values[len(parallel.Values)-1])
	}
	switch len(parallel.Values) {
	case 0:
		// The law is never drawn from: any valid one will do.
		sizes.Log2 = dist.TwoStageUniform{Low: 0, Mid: 0.5, High: 1, P: 0.5}
		r.Warnings = append(r.Warnings, "all jobs are serial: the distribution of parallel sizes stands for nothing")
		return sizes, r, parallel, nil
	case 1:
		sizes.Log2 = oneSize(parallel.Values[0])
		r.Warnings = append(r.Warnings, fmt.Sprintf("all parallel jobs have %g processors", parallel.Values[0]))
	default:
		var law dist.TwoStageUniform
		var converged bool
		law, r.Iterations, converged = stages.FitTwoStage(roundedRows(parallel, sizes),
			math.Log2(float64(sizes.Smallest))-0.5, math.Log2(float64(sizes.Largest))+0.5)
		if !converged {
			r.Status = fit.IterationLimit
		}
		if err := dist.Validate(law); err != nil {
			return sizes, r, parallel, fmt.Errorf("sizes: %w", err)
		}
		sizes.Log2 = law
		if len(parallel.Values) < 5 {
			r.Warnings = append(r.Warnings, fmt.Sprintf("%d distinct parallel sizes do not determine a distribution of four parameters", len(parallel.Values)))
		}
		if r.Status != fit.Converged {
			r.Warnings = append(r.Warnings, fmt.Sprintf("sizes not converged (%s): the parameters are the best seen", r.Status))
		}
	}
	r.Law.Law = sizes.Log2
	return sizes, r, parallel, nil
}

// fitSizesGamma is nil where the parallel jobs do not determine a Gamma.
func fitSizesGamma(parallel fit.Sample, powers float64, o fit.Options) (*SizesGamma, error) {
	law, err := fit.Fit("gamma", fit.Size, parallel, o)
	var degenerate *fit.DegenerateError
	switch {
	case errors.As(err, &degenerate):
		return nil, nil
	case err != nil:
		return nil, err
	}
	rounded, _ := sizeDistances(parallel, law.Law, powers)
	return &SizesGamma{law, rounded}, nil
}

func powerOfTwo(size float64) bool { return bits.OnesCount64(uint64(size)) == 1 }

// oneSize is a narrow law that rounds to one size.
func oneSize(size float64) dist.TwoStageUniform {
	x := math.Log2(size)
	half := math.Log2(1+0.25/size) / 2
	return dist.TwoStageUniform{Low: x - half, Mid: x, High: x + half, P: 0.5}
}

// roundedRows are the points of the least squares, two for each job: the
// distribution function of the parallel sizes at the job's size and just below
// it. A job of the model has at most s processors if log2 was below half above
// the exponent of the largest power of two in s, for those rounded to powers of
// two, and below log2(s + 1/2) for the others; below the smallest power of two
// of the sizes there are none of the former, and from the largest on all.
//
// The point at the largest size is left out: there the model's distribution
// function is 1 whatever the law.
func roundedRows(parallel fit.Sample, sizes model.RoundedSizes) []stages.Row {
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

// exponent is the largest k with 2^k at most size.
func exponent(size float64) float64 { return float64(bits.Len64(uint64(size)) - 1) }

// largestSize is the largest size of a job that is not left out.
func (o Options) largestSize() float64 {
	if o.Processors > 0 {
		return float64(o.Processors)
	}
	return model.MaxProcessors
}
