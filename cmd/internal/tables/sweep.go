package tables

import (
	"fmt"
	"slices"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/study/sweep"
)

// SweepList is the runs of a study.
func SweepList(plan *sweep.Plan) view.Result {
	list := plan.List()
	return view.Listing(list, list.Runs)
}

// Sweep is a study's results over its seeds. The table for people has the main measures.
func Sweep(s *sweep.Summary) view.Result {
	return view.Result{JSON: s, CSV: view.CSV(s.Groups), Text: func(w *view.Screen) {
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
