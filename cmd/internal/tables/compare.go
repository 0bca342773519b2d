package tables

import (
	"slices"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/score"
)

// ComparedSections are the sections of a comparison without a verdict.
var ComparedSections = []string{"summary", "distances", "sizes", "cycles", "correlations"}

// Compared presents a comparison. The CSV has a row for each attribute or, with a verdict, the
// rows of the verdict. The text has the given sections; if none are given, it has all of them, or,
// with a verdict, those that do not repeat its rows.
func Compared(c *score.Compared, sections []string) view.Result {
	shown := compared{c, sections, len(sections) > 0}
	csv := []any{c.Comparison.Attributes}
	if c.Verdict != nil {
		csv = []any{c.Verdict.Rows}
	}
	switch {
	case shown.Asked:
	case c.Verdict != nil: // its rows cover the other sections
		shown.Sections = []string{"summary", "distances", "cycles"}
	default:
		shown.Sections = ComparedSections
	}
	return prose.Result("compare", shown, c, csv...)
}

// compared is the data of the template of a comparison.
type compared struct {
	*score.Compared
	Sections []string
	Asked    bool
}

func (c compared) Shows(section string) bool { return slices.Contains(c.Sections, section) }

// Pairs returns the correlations and autocorrelations.
func (c compared) Pairs() []score.Pair {
	return slices.Concat(c.Comparison.Correlations, c.Comparison.Autocorrelations)
}

// NotShown returns the quantities that could not be compared. If sections were requested without
// correlations, it leaves out correlations.
func (c compared) NotShown() []score.NotCompared {
	return slices.DeleteFunc(slices.Clone(c.Comparison.NotCompared), func(n score.NotCompared) bool {
		return c.Asked && !c.Shows("correlations") && slices.ContainsFunc(c.Pairs(), func(p score.Pair) bool { return p.Name == n.What })
	})
}

// LongEnough reports whether there is no verdict although log A covers enough weeks for one.
func (c compared) LongEnough() bool {
	return c.Verdict == nil && c.Comparison.A.Kind == "log" && float64(c.Comparison.A.Months)*(365.25/12/7) >= score.LeastWeeks
}
