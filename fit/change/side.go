package change

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/stats"
)

// comparedSeries is one side of a comparison under way.
type comparedSeries struct {
	series                 Series
	sample                 fit.Sample
	place                  []int32 // of each job's value among the distinct ones
	block                  stats.BlockLength
	out                    Side
	parameters, quantities []replicated
}

// newComparedSeries fits the law to a series. A degenerate one is no error.
func newComparedSeries(s Series, o CompareOptions) (*comparedSeries, error) {
	side := &comparedSeries{series: s, sample: s.Sample(), place: make([]int32, len(s.Values))}
	for i, v := range s.Values {
		at, _ := slices.BinarySearch(side.sample.Values, v)
		side.place[i] = int32(at)
	}
	side.block = s.block(o.Block)
	side.out = Side{Label: s.Label, Jobs: s.Jobs, Block: stats.Number(side.block.Mean), Kept: len(s.Values), LeftOut: s.LeftOut}
	o.Fit.By = s.Label
	r, err := fit.Fit(o.Family, s.Attribute, side.sample, o.Fit)
	var degenerate *fit.DegenerateError
	switch {
	case errors.As(err, &degenerate):
		side.out.Why = err.Error() + ". "
	case err != nil:
		return nil, err
	default:
		side.out.Report = &r
	}
	return side, nil
}

func (s *comparedSeries) warnings() []string {
	var w []string
	b := s.block
	if blocks := float64(b.N) / b.Mean; blocks < fewestBlocks {
		w = append(w, fmt.Sprintf("%s: %d jobs are only %.1f blocks of %.0f: intervals and p-value say little", s.out.Label, b.N, blocks, b.Mean))
	}
	if b.Persistent || b.Capped {
		w = append(w, fmt.Sprintf("%s: jobs are still alike %d jobs apart, and no end to it is seen: blocks of %.0f may be too short, intervals too, and the p-value too small", s.out.Label, b.Lags, b.Mean))
	}
	if s.series.Stride > 1 {
		w = append(w, fmt.Sprintf("%s: each %d-th of %d jobs is compared", s.out.Label, s.series.Stride, s.series.Jobs))
	}
	return w
}

// resample fills the replicates of parameters and quantities.
func (s *comparedSeries) resample(o CompareOptions, side uint64) {
	fitted := make([][]dist.Parameter, o.Replicates)
	quantities := make([][2]float64, o.Replicates)
	refit := s.refitter(o)
	o.each(func(i int) {
		drawn := s.draw(source(o.Seed, side, i))
		quantities[i] = [2]float64{mean(drawn), stats.MedianOfCounts(drawn.Values, drawn.Counts)}
		if s.out.Report != nil {
			fitted[i] = refit(drawn)
		}
	})
	whole := [2]float64{mean(s.sample), stats.MedianOfCounts(s.sample.Values, s.sample.Counts)}
	for k, name := range []string{"mean", "median"} {
		r := replicated{dist.Parameter{Name: name, Value: whole[k]}, nil}
		for _, q := range quantities {
			r.replicates = append(r.replicates, q[k])
		}
		s.quantities = append(s.quantities, r)
	}
	if s.out.Report == nil {
		return
	}
	for _, p := range s.out.Report.Parameters {
		s.parameters = append(s.parameters, replicated{p, nil})
	}
	for _, parameters := range fitted {
		if !s.fill(parameters) {
			s.out.Failed++
		}
	}
	if fewest := fit.FewestReplicates(o.Level); o.Replicates-s.out.Failed < fewest {
		s.out.Report = nil
		s.out.Why = fmt.Sprintf("%s: %d of %d replicates could not be refitted: too few are left. ", s.out.Label, s.out.Failed, o.Replicates)
	}
}

// fill adds a replicate's parameters; false if they are not those of the fit.
func (s *comparedSeries) fill(parameters []dist.Parameter) bool {
	if len(parameters) != len(s.parameters) {
		return false
	}
	for i, p := range parameters {
		if p.Name != s.parameters[i].Name || math.IsNaN(p.Value) || math.IsInf(p.Value, 0) {
			return false
		}
	}
	for i, p := range parameters {
		s.parameters[i].replicates = append(s.parameters[i].replicates, p.Value)
	}
	return true
}

// draw resamples the series by blocks.
func (s *comparedSeries) draw(rng *rand.Rand) fit.Sample {
	counts := make([]float64, len(s.sample.Values))
	stats.StationaryBlocks(rng, len(s.place), s.block.Mean, func(from, to int) {
		for _, p := range s.place[from:to] {
			counts[p]++
		}
	})
	values := make([]float64, 0, len(counts))
	kept := counts[:0]
	for i, c := range counts {
		if c > 0 {
			values, kept = append(values, s.sample.Values[i]), append(kept, c)
		}
	}
	return fit.Sample{Values: values, Counts: kept}
}

// refitter returns a function that fits the law of the report to a resample,
// nil where it cannot be fitted. It has the resolution of the whole series.
func (s *comparedSeries) refitter(o CompareOptions) func(fit.Sample) []dist.Parameter {
	if s.out.Report == nil {
		return nil
	}
	refit := fit.NewRefit(o.Family, s.series.Attribute, s.sample, o.Fit, s.out.Report.Law, false)
	return func(drawn fit.Sample) []dist.Parameter {
		_, parameters, err := refit(drawn)
		if err != nil {
			return nil
		}
		return parameters
	}
}

func mean(s fit.Sample) float64 {
	var n, sum float64
	for i, v := range s.Values {
		n += s.Counts[i]
		sum += s.Counts[i] * v
	}
	return sum / n
}
