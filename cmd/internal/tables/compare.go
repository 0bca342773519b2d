package tables

import (
	"slices"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/score"
)

// ComparedSections are those of a comparison, without a verdict.
var ComparedSections = []string{"summary", "distances", "sizes", "cycles", "correlations"}

// Compared is a comparison. CSV has a row for each attribute; with a verdict it has its rows.
// Without sections people see all of them.
func Compared(c *score.Compared, sections []string) view.Result {
	shown := compared{c, sections, len(sections) > 0}
	csv := []any{c.Comparison.Attributes}
	if c.Verdict != nil {
		csv = []any{c.Verdict.Rows}
	}
	switch {
	case shown.Asked:
	case c.Verdict != nil: // it has the rest in its rows
		shown.Sections = []string{"summary", "distances", "cycles"}
	default:
		shown.Sections = ComparedSections
	}
	return prose.Result("compare", shown, c, csv...)
}

// compared is what the template of a comparison is given.
type compared struct {
	*score.Compared
	Sections []string
	Asked    bool
}

func (c compared) Shows(section string) bool { return slices.Contains(c.Sections, section) }

// Pairs are the correlations.
func (c compared) Pairs() []score.Pair {
	return slices.Concat(c.Comparison.Correlations, c.Comparison.Autocorrelations)
}

// NotShown is what is not compared of the sections that are shown.
func (c compared) NotShown() []score.NotCompared {
	return slices.DeleteFunc(slices.Clone(c.Comparison.NotCompared), func(n score.NotCompared) bool {
		return c.Asked && !c.Shows("correlations") && slices.ContainsFunc(c.Pairs(), func(p score.Pair) bool { return p.Name == n.What })
	})
}

// LongEnough says whether A has the weeks for a verdict.
func (c compared) LongEnough() bool {
	return c.Verdict == nil && c.Comparison.A.Kind == "log" && float64(c.Comparison.A.Months)*(365.25/12/7) >= score.LeastWeeks
}
