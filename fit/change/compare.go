package change

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// CompareOptions are the options of Compare. The zero value is the default.
type CompareOptions struct {
	Family string      // "" is uniform-log for run times, else hyper-gamma
	Fit    fit.Options // of the family; options for tests and intervals are ignored
	// Level is the level of the intervals, in (0, 1); 0 means
	// fit.DefaultLevel.
	Level      float64
	Replicates int     // of the bootstrap; 0 means 499
	Block      float64 // mean length of blocks, in jobs of the series; 0 means stats.AutomaticBlockLength of each series
	Seed       uint64
	Workers    int // goroutines; 0 means one for each core. The result does not depend on it
}

const (
	defaultReplicates = 499
	fewestBlocks      = 20
)

// Compare compares two series of one attribute, parameter by parameter of a law
// fitted to each, and tests whether they have the same law.
//
// Intervals and p-value come from resampling each series by blocks
// (stats.StationaryBlocks), with a mean length chosen from its
// autocorrelations, because a user's jobs come in bursts and are alike: n jobs
// contain less information than n independent ones. The two series are taken as
// independent of each other; for two periods of one log that is true except for
// the jobs near their border.
//
// A side that does not determine the law is reported, not fitted, and the
// rest is compared. It is an error if the series are of different attributes,
// if one has fewer than 30 values, or if an option is out of range.
func Compare(a, b Series, o CompareOptions) (Comparison, error) {
	o, err := o.filled(a, b)
	if err != nil {
		return Comparison{}, err
	}
	c := Comparison{Attribute: a.Attribute, Family: o.Family, Level: o.Level, Replicates: o.Replicates, Seed: o.Seed, Warnings: []string{}}
	sides := [2]*comparedSeries{}
	for i, s := range []Series{a, b} {
		sides[i], err = newComparedSeries(s, o)
		if err != nil {
			return Comparison{}, err
		}
		c.Warnings = append(c.Warnings, sides[i].warnings()...)
	}
	blocks, err := stats.KolmogorovSmirnovBlocks(a.Values, b.Values, stats.BlockBootstrap{
		Replicates: o.Replicates, BlockX: sides[0].block.Mean, BlockY: sides[1].block.Mean, Seed: o.Seed, Workers: o.Workers,
	})
	if err != nil {
		return Comparison{}, fmt.Errorf("change: comparing %s with %s: %w", a.Label, b.Label, err)
	}
	x, y := sides[0].sample, sides[1].sample
	independent, err := stats.KolmogorovSmirnovTwoSample(x.Values, x.Counts, y.Values, y.Counts)
	if err != nil {
		return Comparison{}, fmt.Errorf("change: comparing %s with %s: %w", a.Label, b.Label, err)
	}
	c.KS = Test{stats.Number(blocks.D), stats.Number(blocks.At), stats.Number(blocks.PValue), blocks.Method, stats.Number(independent.PValue)}
	for i, s := range sides {
		s.resample(o, uint64(i))
	}
	c.A, c.B = sides[0].out, sides[1].out
	c.Changes = changes(sides[0].quantities, sides[1].quantities, o.Level)
	switch {
	case c.A.Report == nil || c.B.Report == nil:
		c.Warnings = append(c.Warnings, "no parameters to compare: "+c.A.Why+c.B.Why)
	case !sameNames(sides[0].parameters, sides[1].parameters):
		c.Warnings = append(c.Warnings, "no parameters to compare: the two distributions have different ones")
	default:
		c.Changes = append(c.Changes, changes(sides[0].parameters, sides[1].parameters, o.Level)...)
	}
	for _, s := range sides {
		if s.out.Failed > 0 {
			c.Warnings = append(c.Warnings, fmt.Sprintf("%s: %d of %d replicates could not be refitted and are left out", s.out.Label, s.out.Failed, o.Replicates))
		}
	}
	return c, nil
}

// filled returns o with the defaults put in.
func (o CompareOptions) filled(a, b Series) (CompareOptions, error) {
	for _, s := range []Series{a, b} {
		if err := s.Validate(); err != nil {
			return o, err
		}
	}
	if a.Attribute != b.Attribute {
		return o, fmt.Errorf("change: comparing %s with %s, want one attribute", a.Attribute, b.Attribute)
	}
	if o.Family == "" {
		o.Family = "hyper-gamma"
		if a.Attribute == fit.RunTime {
			o.Family = "uniform-log"
		}
	}
	if o.Level == 0 {
		o.Level = fit.DefaultLevel
	}
	if o.Replicates == 0 {
		o.Replicates = defaultReplicates
	}
	if !(o.Level > 0 && o.Level < 1) {
		return o, workload.OptionFault("intervals", o.Level, "a level between 0 and 1, such as 0.95")
	}
	if fewest := fit.FewestReplicates(o.Level); o.Replicates < fewest {
		return o, workload.OptionFault("replicates", o.Replicates, "at least %d for intervals at the level %g", fewest, o.Level)
	}
	if o.Block != 0 && !(o.Block >= 1) {
		return o, workload.OptionFault("block", o.Block, "at least 1, or 0 for the automatic choice")
	}
	if len(a.Values) == 0 || len(b.Values) == 0 {
		return o, errors.New("change: a series to compare has no values")
	}
	o.Fit.Replicates, o.Fit.Sequential, o.Fit.Intervals, o.Fit.Folds, o.Fit.Subsamples = 0, 0, 0, 0, 0
	o.Fit.Tests = false
	o.Fit.Workers = o.Workers
	return o, nil
}

// replicated is a number and its bootstrap replicates.
type replicated struct {
	dist.Parameter
	replicates []float64
}

func sameNames(a, b []replicated) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Name != b[i].Name {
			return false
		}
	}
	return true
}

// changes takes intervals from replicates. Those of the difference are of
// the replicates in their order, which are independent.
func changes(a, b []replicated, level float64) []Change {
	var out []Change
	for i := range a {
		difference := replicated{dist.Parameter{Value: b[i].Value - a[i].Value}, nil}
		for k := range min(len(a[i].replicates), len(b[i].replicates)) {
			difference.replicates = append(difference.replicates, b[i].replicates[k]-a[i].replicates[k])
		}
		c := Change{Name: a[i].Name, A: a[i].bounded(level), B: b[i].bounded(level), Difference: difference.bounded(level)}
		c.Differs = c.Difference.Low > 0 || c.Difference.High < 0
		out = append(out, c)
	}
	return out
}

func (r replicated) bounded(level float64) Bounded {
	low, high := fit.Percentiles(r.replicates, level)
	return Bounded{stats.Number(r.Value), stats.Number(low), stats.Number(high)}
}

// source is the random source of one side's replicate.
func source(seed, side uint64, replicate int) *rand.Rand {
	// The test of change has the replicates from 0 on.
	return rand.New(rand.NewPCG(seed, (side+1)<<32+uint64(replicate)))
}

// each runs f for every replicate, on any number of cores.
func (o CompareOptions) each(f func(i int)) {
	par.Each(o.Workers, o.Replicates, func(i int) {
		f(i)
		if o.Fit.Replicated != nil {
			o.Fit.Replicated()
		}
	})
}
