package tables

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/study/sweep"
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

// SweepList is the runs of a study.
func SweepList(plan *sweep.Plan) present.Result {
	list := plan.List()
	return view.Listing(list, list.Runs)
}

// Sweep is a study's results over its seeds. The table for people has the main measures.
func Sweep(s *sweep.Summary) present.Result {
	return present.Result{JSON: s, CSV: view.CSV(s.Groups), Text: func(w *present.Screen) {
		main := slices.DeleteFunc(slices.Clone(s.Groups), func(g sweep.Group) bool { return !g.Measure.Main })
		w.Table(view.For(main).Without("diff. seeds").Grouped().Table())
		if legend := sweepLegend(main); len(legend) > 0 {
			writeLegend(w, legend...)
		}
	}}
}

// sweepLegend explains the columns of the groups shown.
func sweepLegend(shown []sweep.Group) (legend []string) {
	several := slices.ContainsFunc(shown, func(g sweep.Group) bool { return g.Seeds > 1 })
	if several {
		legend = append(legend, "low, high: ends of the 95 % interval of the mean over the seeds, by Student's t; with few seeds, low can be below 0")
	}
	if slices.ContainsFunc(shown, func(g sweep.Group) bool { return g.Difference != nil }) {
		first := shown[0].Policy // the first group is of the first policy on the first machine
		if n := shown[0].Processors; n > 0 {
			first += fmt.Sprintf(" on %d processors", n)
		}
		legend = append(legend, fmt.Sprintf("diff.: mean minus that of %s on the same jobs, followed by its own low and high", first))
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
