package lifetimes

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/internal/stages"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ClassDrift is how the uniform-log law of one class's run times changes
// from period to period: table 5 of Downey (1997), section 6.1, "another
// time".
type ClassDrift struct {
	Label string      `json:"class" show:"class"`
	Steps []DriftStep `json:"steps" row:"each"` // in the order of time
}

// DriftStep is one period of a class.
type DriftStep struct {
	Label string `json:"period" show:"period"`
	Jobs  int64  `json:"jobs" show:"jobs"` // with a positive run time

	// The line of the fitted law and its median in seconds, as in table 5; NaN
	// if there is no law.
	Slope     stats.Number `json:"slope" show:"slope,%.4f" narrow:"3"`
	Intercept stats.Number `json:"intercept" show:"intercept,%.3f" narrow:"2"`
	RSquared  stats.Number `json:"r_squared" show:"R2,%.3f" narrow:"1"`
	Median    stats.Number `json:"median_s" show:"median,duration"`

	// D is the distance of this period's law; PreviousD and MedianRatio are
	// those of Previous.
	D           stats.Number `json:"ks_d" show:"KS distance,%.3f"`
	PreviousD   stats.Number `json:"ks_d_of_previous_law" show:"KS of previous,%.3f"`
	MedianRatio stats.Number `json:"median_ratio_of_previous_law" show:"its median / actual,%.2f"`
	Why         string       `json:"why,omitempty"`

	Period workload.Period `json:"-"`
	Fit    Fitted          `json:"-"`
	Own    TransferScore   `json:"-"` // of this period's law; the zero value if it was not fitted
	// Previous scores the law of the last earlier period that could be fitted,
	// which a site would have used; From is the label of that period. Previous
	// is nil if there is none.
	Previous *TransferScore `json:"-"`
	From     string         `json:"-"`
}

// newDriftStep returns a step that is not scored yet.
func newDriftStep(f Fitted) DriftStep {
	s := DriftStep{Label: f.Class.Period.Label, Jobs: f.Class.Sample.Jobs(), Why: f.Why, Period: f.Class.Period, Fit: f}
	s.Slope, s.Intercept, s.RSquared, s.Median, s.D, s.PreviousD, s.MedianRatio = unknown, unknown, unknown, unknown, unknown, unknown, unknown
	if f.Report == nil {
		return s
	}
	for _, p := range f.Report.Parameters {
		switch p.Name {
		case "slope":
			s.Slope = stats.Number(p.Value)
		case "intercept":
			s.Intercept = stats.Number(p.Value)
		case "r_squared":
			s.RSquared = stats.Number(p.Value)
		}
	}
	return s
}

// TransferScore contains the scores of a uniform-log law on jobs, including
// jobs to which it was not fitted.
type TransferScore struct {
	D        float64 // Kolmogorov-Smirnov distance
	RSquared float64 // 1 - (squares about the line)/(squares about the mean), over the jobs a fit would use; below 0 if a constant is closer
	Outside  float64 // share of the jobs outside the law's support
	// MedianRatio is the median of the law divided by that of the jobs.
	MedianRatio float64
}

// Drift compares the periods of each class; classes must be collected with
// Options.Over. It fits uniform-log laws as Fit does, with the same minJobs and
// options. A period with too few jobs is reported, not fitted.
func Drift(classes []Class, o fit.Options, minJobs int64) ([]ClassDrift, error) {
	fits, err := Fit(classes, "uniform-log", o, minJobs)
	if err != nil {
		return nil, err
	}
	var drifts []ClassDrift
	place := map[string]int{}
	for _, f := range fits {
		at, ok := place[f.Class.Label]
		if !ok {
			at = len(drifts)
			place[f.Class.Label] = at
			drifts = append(drifts, ClassDrift{Label: f.Class.Label})
		}
		drifts[at].Steps = append(drifts[at].Steps, newDriftStep(f))
	}
	for _, d := range drifts {
		slices.SortStableFunc(d.Steps, func(a, b DriftStep) int { return cmp.Compare(a.Period.Number, b.Period.Number) })
		if err := d.score(o); err != nil {
			return nil, err
		}
	}
	return drifts, nil
}

// score fills the scores of each step.
func (d ClassDrift) score(o fit.Options) error {
	var before *DriftStep
	for i := range d.Steps {
		step := &d.Steps[i]
		if step.Fit.Report == nil {
			continue
		}
		law := step.Fit.Report.Law.(dist.UniformLog)
		step.Median = stats.Number(law.Median())
		own, err := Transfer(law, step.Fit.Class.Sample, o)
		if err != nil {
			return err
		}
		step.Own, step.D = own, stats.Number(own.D)
		if before != nil {
			previous, err := Transfer(before.Fit.Report.Law.(dist.UniformLog), step.Fit.Class.Sample, o)
			if err != nil {
				return err
			}
			step.Previous, step.From = &previous, before.Label
			step.PreviousD, step.MedianRatio = stats.Number(previous.D), stats.Number(previous.MedianRatio)
		}
		before = step
	}
	return nil
}

// Transfer scores a uniform-log law on a sample of run times, whether or not
// it was fitted to it. Of the options only Trim counts. It is a
// *DegenerateError if the sample would not determine a line.
func Transfer(law dist.UniformLog, s fit.Sample, o fit.Options) (TransferScore, error) {
	if err := o.Validate("uniform-log"); err != nil {
		return TransferScore{}, err
	}
	if err := s.Validate(); err != nil {
		return TransferScore{}, err
	}
	if err := law.Validate(); err != nil {
		return TransferScore{}, err
	}
	trim := o.TrimmedShare()
	if _, ok := stages.FitUniform(s.Values, s.Counts, trim); !ok {
		return TransferScore{}, &fit.DegenerateError{
			Family: "uniform-log", Attribute: fit.RunTime, By: cmp.Or(o.By, "all"), Jobs: s.Jobs(), Distinct: len(s.Values),
			Why: fmt.Sprintf("want two distinct values among the jobs from %g to %g of the ranks", trim, 1-trim),
		}
	}
	g, err := stats.GoodnessOfFit(s.Values, s.Counts, law, stats.Tests{})
	if err != nil {
		return TransferScore{}, err
	}
	out := TransferScore{D: g.KS.D, RSquared: lineRSquared(s, trim, law), MedianRatio: law.Median() / stats.MedianOfCounts(s.Values, s.Counts)}
	n := 0.0
	for i, v := range s.Values {
		n += s.Counts[i]
		if v < law.TMin || v > law.TMax {
			out.Outside += s.Counts[i]
		}
	}
	out.Outside /= n
	return out, nil
}

// lineRSquared is R² of a law's line F = b0 + b1 ln t over the jobs that a fit
// would use, at their plotting positions: the fitted law's is what FitUniform
// returns, every other law's is less.
func lineRSquared(s fit.Sample, trim float64, law dist.UniformLog) float64 {
	n := 0.0
	for _, c := range s.Counts {
		n += c
	}
	first, last := stages.KeptRanks(n, trim)
	mean := ((first+last)/2 - 0.5) / n
	var about, total float64
	before := 0.0
	for i, v := range s.Values {
		lo, hi := max(before+1, first), min(before+s.Counts[i], last)
		before += s.Counts[i]
		if lo > hi {
			continue
		}
		k, y := hi-lo+1, ((lo+hi)/2-0.5)/n
		within := k * (k*k - 1) / 12 / (n * n) // positions 1/n apart about their mean
		off := y - law.Intercept() - law.Slope()*math.Log(v)
		about += k*off*off + within
		total += k*(y-mean)*(y-mean) + within
	}
	return 1 - about/total
}
