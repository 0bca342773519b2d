package tables

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/study/sweep"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
)

// SweepRuns returns the table with a row for each run of a study and each of its measures;
// it has the processors where the study varies them.
func SweepRuns(s *sweep.Study) columnar.PlainForm[sweep.Row] {
	fields := []columnar.PlainField[sweep.Row]{
		columnar.TextField("study", "name of the study", func(r *sweep.Row) string { return r.Study }),
		columnar.IntField("run", "", "number of the run", func(r *sweep.Row) int64 { return int64(r.Number) }),
		columnar.TextField("log", "log or model", func(r *sweep.Row) string { return r.Log }),
		columnar.FloatField("load", "", "offered load asked for; null for the workload's own", func(r *sweep.Row) float64 { return float64(r.Load) }),
		columnar.IntField("seed", "", "seed of the workload", func(r *sweep.Row) int64 { return int64(r.Seed) }),
	}
	if len(s.Processors) > 0 {
		fields = append(fields, columnar.IntField("processors", "", "processors of the machine simulated", func(r *sweep.Row) int64 { return r.Processors }))
	}
	return columnar.PlainForm[sweep.Row]{Schema: "loadstone.sweep-table/1", Fields: append(fields,
		columnar.TextField("policy", "policy of the schedule; empty for predictors", func(r *sweep.Row) string { return r.Policy }),
		columnar.TextField("estimates", "run times that the policy plans with; empty where it uses none", func(r *sweep.Row) string { return r.Estimates }),
		columnar.TextField("feedback", "true of closed simulations, false of open ones; empty for predictors", func(r *sweep.Row) string { return feedbackOf(&r.Parameters) }),
		columnar.TextField("predicts", "what a predictor predicts: run-time or wait", func(r *sweep.Row) string { return r.Kind }),
		columnar.TextField("predictor", "predictor; empty for schedules", func(r *sweep.Row) string { return r.Predictor }),
		columnar.TextField("classes", "classes that the predictor learns from", func(r *sweep.Row) string { return r.Classes }),
		columnar.TextField("measure", "what is measured, with its unit", func(r *sweep.Row) string { return r.Measure }),
		columnar.FloatField("value", "", "the measure", func(r *sweep.Row) float64 { return r.Value }),
		columnar.IntField("seeds", "", "seeds with a value of the same parameters", func(r *sweep.Row) int64 { return int64(r.Over.Seeds) }),
		columnar.FloatField("mean", "", "mean over the seeds", func(r *sweep.Row) float64 { return float64(r.Over.Mean) }),
		columnar.FloatField("low", "", "lower end of the 95 % interval of the mean", func(r *sweep.Row) float64 { return float64(r.Over.Low) }),
		columnar.FloatField("high", "", "upper end of it", func(r *sweep.Row) float64 { return float64(r.Over.High) }),
		columnar.FloatField("difference", "", "value less that of the first policy on the same jobs", func(r *sweep.Row) float64 { return r.Difference }),
		columnar.FloatField("difference_mean", "", "mean difference over the seeds", func(r *sweep.Row) float64 { return float64(r.Differs.Mean) }),
		columnar.FloatField("difference_low", "", "lower end of the 95 % interval of the mean difference", func(r *sweep.Row) float64 { return float64(r.Differs.Low) }),
		columnar.FloatField("difference_high", "", "upper end of it", func(r *sweep.Row) float64 { return float64(r.Differs.High) }),
	)}
}

func feedbackOf(p *sweep.Parameters) string {
	if p.Policy == "" {
		return ""
	}
	return strconv.FormatBool(p.Feedback)
}

// parametersOf are the columns of a run's parameters.
func parametersOf[T any](of func(T) *sweep.Parameters) []present.Column[T] {
	text := func(name, heading string, value func(*sweep.Parameters) string) present.Column[T] {
		return present.Text(name, heading, func(r T) string { return value(of(r)) })
	}
	return []present.Column[T]{
		text("log", "log", func(p *sweep.Parameters) string { return p.Log }),
		present.Float("load", "load", func(r T) stats.Number { return of(r).Load }, func(x float64) string {
			if math.IsNaN(x) {
				return "own"
			}
			return fmt.Sprintf("%g", x)
		}),
		present.Integer("seed", "", func(r T) workload.Integer { return of(r).Seed }),
		present.Integer("processors", "", func(r T) workload.Integer { return workload.Integer(of(r).Processors) }),
		text("policy", "policy", func(p *sweep.Parameters) string { return p.Policy }),
		text("estimates", "estimates", func(p *sweep.Parameters) string { return p.Estimates }),
		text("feedback", "", feedbackOf),
		text("predicts", "", func(p *sweep.Parameters) string { return p.Kind }),
		text("predictor", "", func(p *sweep.Parameters) string { return p.Predictor }),
		text("classes", "", func(p *sweep.Parameters) string { return p.Classes }),
	}
}

// forPeople gives columns of some parameters their names as headings, and takes them from
// others. Only a study that varies the processors has their column.
func forPeople[T any](columns []present.Column[T], shown ...string) []present.Column[T] {
	if !slices.Contains(shown, "processors") {
		columns = slices.DeleteFunc(columns, func(c present.Column[T]) bool { return c.Name == "processors" })
	}
	for i := range columns {
		c := &columns[i]
		c.Heading = ""
		if slices.Contains(shown, c.Name) {
			c.Heading = c.Name
		}
	}
	return columns
}

// shownOf are the parameters that a study's runs differ by.
func shownOf(all []*sweep.Parameters, seeds bool) []string {
	shown := []string{"log"}
	add := func(name string, given func(*sweep.Parameters) bool) {
		for _, p := range all {
			if given(p) {
				shown = append(shown, name)
				return
			}
		}
	}
	add("load", func(p *sweep.Parameters) bool { return present.Known(p.Load) })
	add("seed", func(p *sweep.Parameters) bool { return seeds && p.Seed.Known() })
	add("processors", func(p *sweep.Parameters) bool { return p.Processors > 0 })
	add("policy", func(p *sweep.Parameters) bool { return p.Policy != "" })
	add("estimates", func(p *sweep.Parameters) bool { return p.Estimates != "" })
	add("feedback", func(p *sweep.Parameters) bool { return p.Feedback })
	add("predicts", func(p *sweep.Parameters) bool { return p.Kind != "" })
	add("predictor", func(p *sweep.Parameters) bool { return p.Predictor != "" })
	add("classes", func(p *sweep.Parameters) bool { return p.Classes != "" })
	return shown
}

// SweepList is the runs of a study, up to a million.
func SweepList(plan *sweep.Plan) present.Stream[sweep.Run] {
	var shown []string
	for run := range plan.Each() {
		if run.Number > plan.Group() { // which differ in their seed alone
			break
		}
		shown = append(shown, shownOf([]*sweep.Parameters{&run.Parameters}, true)...)
		slices.Sort(shown)
		shown = slices.Compact(shown)
	}
	columns := append([]present.Column[sweep.Run]{present.Count("run", "run", func(r sweep.Run) int { return r.Number })},
		forPeople(parametersOf(func(r sweep.Run) *sweep.Parameters { return &r.Parameters }), shown...)...)
	columns = append(columns, present.Text("identity", "", func(r sweep.Run) string { return r.Identity }))
	return present.Stream[sweep.Run]{JSON: plan.ListHead(), Columns: columns, Rows: plan.Each()}
}

// Sweep is a study's results over its seeds. The table for people has the main measures.
func Sweep(s *sweep.Summary) present.Result {
	var all []*sweep.Parameters
	var main []sweep.Group
	for i := range s.Groups {
		all = append(all, &s.Groups[i].Parameters)
		if s.Groups[i].Measure.Main {
			main = append(main, s.Groups[i])
		}
	}
	number := func(name string, of func(sweep.Group) stats.Number) present.Column[sweep.Group] {
		return present.Float(name, name, of, present.Sig)
	}
	difference := func(name string, of func(*sweep.Interval) stats.Number) present.Column[sweep.Group] {
		return present.Float("difference_"+name, "", func(g sweep.Group) stats.Number {
			if g.Difference == nil {
				return stats.Number(math.NaN())
			}
			return of(g.Difference)
		}, present.Sig)
	}
	columns := forPeople(parametersOf(func(g sweep.Group) *sweep.Parameters { return &g.Parameters }), shownOf(all, false)...)
	columns = slices.DeleteFunc(columns, func(c present.Column[sweep.Group]) bool { return c.Name == "seed" })
	columns = append(columns,
		present.Text("measure", "measure", func(g sweep.Group) string { return g.Name }),
		present.Count("seeds", "seeds", func(g sweep.Group) int { return g.Seeds }),
		number("mean", func(g sweep.Group) stats.Number { return g.Mean }),
		number("low", func(g sweep.Group) stats.Number { return g.Low }),
		number("high", func(g sweep.Group) stats.Number { return g.High }),
		difference("mean", func(d *sweep.Interval) stats.Number { return d.Mean }),
		difference("low", func(d *sweep.Interval) stats.Number { return d.Low }),
		difference("high", func(d *sweep.Interval) stats.Number { return d.High }),
	)
	if someDiffer(s) {
		for i := range columns[len(columns)-3:] {
			c := &columns[len(columns)-3+i]
			c.Heading = []string{"difference", "low", "high"}[i]
		}
	}
	r := present.Listing(s, columns, s.Groups)
	r.Text = func(w *present.Screen) {
		w.Table(present.People(columns, main))
		if legend := sweepLegend(main); len(legend) > 0 {
			writeLegend(w, legend...)
		}
	}
	return r
}

// sweepLegend explains the columns of the groups shown.
func sweepLegend(shown []sweep.Group) (legend []string) {
	several, differ := false, false
	for i := range shown {
		several = several || shown[i].Seeds > 1
		differ = differ || shown[i].Difference != nil
	}
	if several {
		legend = append(legend, "low, high: ends of the 95 % interval of the mean over the seeds, by Student's t; with few seeds, low can be below 0")
	}
	if differ {
		first := shown[0].Policy // the first group is of the first policy on the first machine
		if n := shown[0].Processors; n > 0 {
			first += fmt.Sprintf(" on %d processors", n)
		}
		legend = append(legend, fmt.Sprintf("difference: mean minus that of %s on the same jobs, followed by its own low and high", first))
	}
	switch {
	case len(shown) == 0 || shown[0].Policy == "":
	case several:
		legend = append(legend, "The intervals do not show how close the simulation is to the real machine: 'loadstone simulate LOG' also shows the log's own waits.")
	default:
		legend = append(legend, "To see how close the simulation is to the real machine: 'loadstone simulate LOG' also shows the log's own waits.")
	}
	return legend
}

func someDiffer(s *sweep.Summary) bool {
	for i := range s.Groups {
		if s.Groups[i].Difference != nil {
			return true
		}
	}
	return false
}
