package lifetimes

import (
	"cmp"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/stats"
)

// ClassDrift describes the change of the uniform-log law of one class's run times from period to
// period: table 5 of Downey (1997), section 6.1, "another time".
type ClassDrift struct {
	Label string      `json:"class" show:"class"`
	Steps []DriftStep `json:"steps" row:"each"` // in chronological order
}

// DriftStep is one period of a class.
type DriftStep struct {
	Label string `json:"period" show:"period"`
	Jobs  int64  `json:"jobs" show:"jobs"` // number of jobs with a positive run time

	// The line of the fitted law and its median in seconds, as in table 5; NaN
	// if there is no law.
	Slope     stats.Number `json:"slope" show:"slope,%.4f" narrow:"3"`
	Intercept stats.Number `json:"intercept" show:"intercept,%.3f" narrow:"2"`
	RSquared  stats.Number `json:"r_squared" show:"R2,%.3f" narrow:"1"`
	Median    stats.Number `json:"median_s" show:"median,duration"`

	// D is the Kolmogorov-Smirnov distance of this period's law. PreviousD and MedianRatio
	// compare the law of the last earlier period that could be fitted, which a site would have
	// used: its distance from this period's jobs, and its median divided by theirs.
	D           stats.Number `json:"ks_d" show:"KS distance,%.3f"`
	PreviousD   stats.Number `json:"ks_d_of_previous_law" show:"KS of previous,%.3f"`
	MedianRatio stats.Number `json:"median_ratio_of_previous_law" show:"its median / actual,%.2f"`
	Why         string       `json:"why,omitempty"`

	Fit Fitted `json:"-"`
}

// Drift compares the periods of each class; classes must be collected with Options.Over. It fits
// uniform-log laws as Fit does, with the same minJobs and options. A period with too few jobs is
// not fitted; its Why has the reason.
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
		drifts[at].Steps = append(drifts[at].Steps, DriftStep{
			Label: f.Class.Period.Label, Jobs: f.Class.Sample.Jobs(), Why: f.Why, Fit: f,
			Slope: unknown, Intercept: unknown, RSquared: unknown, Median: unknown, D: unknown, PreviousD: unknown, MedianRatio: unknown,
		})
	}
	for _, d := range drifts {
		slices.SortStableFunc(d.Steps, func(a, b DriftStep) int {
			return cmp.Compare(a.Fit.Class.Period.Number, b.Fit.Class.Period.Number)
		})
		if err := d.score(); err != nil {
			return nil, err
		}
	}
	return drifts, nil
}

// score sets the numbers of each step that has a law.
func (d ClassDrift) score() error {
	var before dist.Law // law of the last step with one
	for i := range d.Steps {
		step := &d.Steps[i]
		report := step.Fit.Report
		if report == nil {
			continue
		}
		for _, p := range report.Parameters {
			switch p.Name {
			case "slope":
				step.Slope = stats.Number(p.Value)
			case "intercept":
				step.Intercept = stats.Number(p.Value)
			case "r_squared":
				step.RSquared = stats.Number(p.Value)
			}
		}
		step.Median, step.D = stats.Number(report.Law.Quantile(0.5)), stats.Number(report.KS.D)
		if before != nil {
			s := step.Fit.Class.Sample
			g, err := stats.GoodnessOfFit(s.Values, s.Counts, before, stats.Tests{})
			if err != nil {
				return err
			}
			step.PreviousD = stats.Number(g.KS.D)
			step.MedianRatio = stats.Number(before.Quantile(0.5) / stats.MedianOfCounts(s.Values, s.Counts))
		}
		before = report.Law
	}
	return nil
}
