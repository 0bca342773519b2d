package sweep

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// IntervalLevel is the level of the confidence intervals.
const IntervalLevel = 0.95

// Table holds the results of all runs of a study.
type Table struct {
	plan   *Plan
	values [][]float64 // by run and measure; NaN for unknown

	// Warnings counts the runs that have a warning of a rule, with the text of the first.
	Warnings []WarningCount
}

// WarningCount counts the runs that have a warning.
type WarningCount struct {
	Rule string `json:"rule"`
	Text string `json:"text"`
	Runs int    `json:"runs"`
	Run  int    `json:"first_run"`
}

// Row is one measure of one run. Difference is Value minus the value of the reference run
// on the same jobs: the first policy of the study on its first machine, with the same
// estimates if it uses any. Means and intervals are over the seeds and the same in the rows
// of all seeds.
type Row struct {
	Study      string           `json:"study" help:"name of the study"`
	Run        int              `json:"run" help:"number of the run"`
	Log        string           `json:"log" help:"log or model"`
	Load       stats.Number     `json:"load" help:"offered load asked for; null for the workload's own"`
	Seed       workload.Integer `json:"seed" help:"seed of the workload"`
	Processors int64            `json:"processors" help:"processors of the machine simulated"`
	Policy     string           `json:"policy" help:"policy of the schedule; empty for predictors"`
	Estimates  string           `json:"estimates" help:"run times that the policy plans with; empty where it uses none"`
	Feedback   string           `json:"feedback" help:"true of closed simulations, false of open ones; empty for predictors"`
	Kind       string           `json:"predicts" help:"what a predictor predicts: run-time or wait"`
	Predictor  string           `json:"predictor" help:"predictor; empty for schedules"`
	Classes    string           `json:"classes" help:"classes that the predictor learns from"`
	Measure    string           `json:"measure" help:"what is measured, with its unit"`
	Value      float64          `json:"value" help:"the measure"`

	Seeds int          `json:"seeds" help:"seeds with a value of the same parameters"`
	Mean  stats.Number `json:"mean" help:"mean over the seeds"`
	Low   stats.Number `json:"low" help:"lower end of the 95 % interval of the mean"`
	High  stats.Number `json:"high" help:"upper end of it"`

	// NaN for the reference itself and for predictors.
	Difference     float64      `json:"difference" help:"value less that of the first policy on the same jobs"`
	DifferenceMean stats.Number `json:"difference_mean" help:"mean difference over the seeds"`
	DifferenceLow  stats.Number `json:"difference_low" help:"lower end of the 95 % interval of the mean difference"`
	DifferenceHigh stats.Number `json:"difference_high" help:"upper end of it"`
}

// feedback says whether a simulation is closed; "" of predictors.
func (p *Parameters) feedback() string {
	if p.Policy == "" {
		return ""
	}
	return strconv.FormatBool(p.Feedback)
}

// Interval is a mean over seeds with its confidence interval at IntervalLevel by Student's
// t distribution. Low and High are NaN for fewer than two seeds.
type Interval struct {
	Seeds int          `json:"seeds" show:"seeds"` // with a value
	Mean  stats.Number `json:"mean" show:"mean"`
	Low   stats.Number `json:"low" show:"low"`
	High  stats.Number `json:"high" show:"high"`
}

// Tabulate reads the results of all runs. A run without a result is an error.
func (p *Plan) Tabulate(ctx context.Context, s *Store) (*Table, error) {
	t := &Table{plan: p, values: make([][]float64, p.Runs())}
	missing, first := 0, 0
	counts := map[string]int{} // places among the warnings
	for k := range t.values {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r, err := s.Load(k + 1)
		switch {
		case err != nil:
			return nil, err
		case r == nil:
			if missing++; missing == 1 {
				first = k + 1
			}
			continue
		}
		for _, v := range r.Measures {
			t.values[k] = append(t.values[k], float64(v.Value))
		}
		seen := map[string]bool{}
		for _, w := range r.Warnings {
			if seen[w.Rule] {
				continue
			}
			seen[w.Rule] = true
			i, ok := counts[w.Rule]
			if !ok {
				i = len(t.Warnings)
				counts[w.Rule] = i
				t.Warnings = append(t.Warnings, WarningCount{Rule: w.Rule, Text: w.Text, Run: k + 1})
			}
			t.Warnings[i].Runs++
		}
	}
	if missing > 0 {
		return nil, fmt.Errorf("%s: %d of %d runs are not done, the first of them run %d", s.Folder, missing, p.Runs(), first)
	}
	return t, nil
}

// reference returns the run on the same jobs that the k-th run is compared with: of the
// first policy on the first machine, with the same estimates if it uses some, else the
// first, and with the same feedback. ok is false for runs of that policy on that machine
// and for predictors.
func (p *Plan) reference(k int) (run int, ok bool) {
	mine := p.points[k%len(p.points)]
	first := p.points[0]
	if mine.Policy == "" || mine.Policy == first.Policy && mine.Processors == first.Processors {
		return 0, false
	}
	best := -1
	for i, x := range p.points {
		if x.Policy == first.Policy && x.Processors == first.Processors && x.Feedback == mine.Feedback && (best < 0 || x.Estimates == mine.Estimates) {
			best = i
		}
	}
	return p.workload(k)*len(p.points) + best, true
}

// difference is what a run exceeds its reference by.
func (t *Table) difference(k, measure int) float64 {
	if ref, ok := t.plan.reference(k); ok {
		return t.values[k][measure] - t.values[ref][measure]
	}
	return math.NaN()
}

// over is the interval of numbers of the run of each seed that has the parameters of the
// g-th run.
func (t *Table) over(g int, of func(k int) float64) Interval {
	var m stats.Moments
	for k := g; k < len(t.values); k += t.plan.Group() {
		if x := of(k); !math.IsNaN(x) {
			m.Add(x)
		}
	}
	return intervalOf(m)
}

func intervalOf(m stats.Moments) Interval {
	nan := stats.Number(math.NaN())
	in := Interval{m.N(), nan, nan, nan}
	if in.Seeds == 0 {
		return in
	}
	mean := m.Mean()
	in.Mean = stats.Number(mean)
	if in.Seeds > 1 {
		n := float64(in.Seeds)
		half := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile((1+IntervalLevel)/2) * math.Sqrt(m.Variance()/n)
		in.Low, in.High = stats.Number(mean-half), stats.Number(mean+half)
	}
	return in
}

// Rows calls save with each row, ordered by run and measure, until save returns an error,
// which it returns.
func (t *Table) Rows(save func(Row) error) error {
	group := t.plan.Group()
	type pair struct{ value, difference Interval }
	over := make([][]pair, group)
	for k, values := range t.values {
		run := t.plan.at(k)
		for i, m := range t.plan.measures(k) {
			if k < group {
				over[k] = append(over[k], pair{
					t.over(k, func(k int) float64 { return t.values[k][i] }),
					t.over(k, func(k int) float64 { return t.difference(k, i) }),
				})
			}
			x := over[k%group][i]
			over, differs := x.value, x.difference
			if err := save(Row{
				t.plan.Study.Name, run.Number, run.Log, run.Load, run.Seed, run.Processors, run.Policy, run.Estimates, run.feedback(), run.Kind, run.Predictor, run.Classes,
				m.Name, values[i], over.Seeds, over.Mean, over.Low, over.High, t.difference(k, i), differs.Mean, differs.Low, differs.High,
			}); err != nil {
				return err
			}
		}
	}
	return nil
}
