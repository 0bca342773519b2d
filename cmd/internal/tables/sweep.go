package tables

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/study/sweep"
)

// mostListed is how many runs are listed at a time.
const mostListed = 10_000

// WriteSweepList writes the runs of a study in a form of view.Result. There may be millions:
// not all are in memory, and tables for people begin anew.
func WriteSweepList(w io.Writer, plan *sweep.Plan, format string) error {
	const before, behind = `"runs": [`, "\n  ]\n}\n" // in JSON
	for from := 1; from <= plan.Runs(); from += mostListed {
		to := min(from+mostListed-1, plan.Runs())
		list := plan.List(from, to)
		var part strings.Builder
		if err := view.Listing(list, list.Runs).Write(&part, format); err != nil {
			return err
		}
		text := part.String()
		switch begun := from > 1; {
		case begun && format == "csv":
			_, text, _ = strings.Cut(text, "\n")
		case begun && format == "json":
			_, text, _ = strings.Cut(text, before)
			text = "," + text
		case begun:
			text = "\n" + text
		}
		if to < plan.Runs() && format == "json" {
			text = strings.TrimSuffix(text, behind)
		}
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
	}
	return nil
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
