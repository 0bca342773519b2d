package tables

import (
	"io"
	"strings"

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
		if err := prose.Result("listing", list.Runs, list, list.Runs).Write(&part, format); err != nil {
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
