package tables

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/score"
)

// valueOf is what B is beside A.
func valueOf(r score.VerdictRow) string {
	text := view.Sig(r.Compared)
	switch {
	case r.As == score.AsRatio:
		return "×" + text
	case r.As == score.AsDistance:
		return "D " + text
	case r.Compared > 0:
		return "+" + text
	}
	return text
}

// findingOf is what a row of a verdict comes to beside the log's own weeks.
func findingOf(r score.VerdictRow) string {
	switch {
	case r.NoDifference == nil:
		return ""
	case *r.NoDifference:
		return "no difference"
	}
	return "differs"
}

// rankOf is the log's rank among the twins.
func rankOf(r score.VerdictRow) string {
	switch {
	case r.RankOf == 0:
		return ""
	case r.Pinned:
		return "pinned"
	}
	text := fmt.Sprintf("%s of %d", view.Full(r.Rank), r.RankOf)
	if r.Inside != nil && !*r.Inside {
		text += ", outside"
	}
	return text
}

// twinVerdict is what the template of a verdict is given.
type twinVerdict struct {
	*score.Verdict
	Table          view.Table
	NotCompared    []string
	Judged, Within int // rows: all, and those in which B differs from A no more than A's weeks do
}

func verdictFor(v *score.Verdict) twinVerdict {
	compared := slices.DeleteFunc(slices.Clone(v.Rows), func(r score.VerdictRow) bool { return r.Why != "" })
	t := view.For(compared).
		With(view.Cell[score.VerdictRow]{After: "B", Heading: "value", Text: valueOf}).
		With(view.Cell[score.VerdictRow]{Heading: "finding", Text: findingOf}).
		With(view.Cell[score.VerdictRow]{Heading: "rank of A", Text: rankOf})
	if !slices.ContainsFunc(compared, func(r score.VerdictRow) bool { return r.Loop == score.ClosedLoop }) {
		t.Without("loop")
	}
	if v.Replicas > 0 { // there is no room for what the finding comes from
		t.Without("weeks 5 %", "95 %")
	}
	j := twinVerdict{Verdict: v, Table: t.Table(), NotCompared: notComparedTraits(v.Rows)}
	for _, r := range compared {
		if r.NoDifference != nil {
			j.Judged++
			if *r.NoDifference {
				j.Within++
			}
		}
	}
	return j
}

// notComparedTraits names the traits that have no row, a line for each reason.
func notComparedTraits(rows []score.VerdictRow) (lines []string) {
	var reasons []string
	traits := map[string][]string{}
	for _, r := range rows {
		if r.Why == "" {
			continue
		}
		if len(traits[r.Why]) == 0 {
			reasons = append(reasons, r.Why)
		}
		traits[r.Why] = append(traits[r.Why], r.Name)
	}
	for _, why := range reasons {
		lines = append(lines, why+": "+someOf(traits[why], 4))
	}
	return lines
}

// someOf names the first of some things, and says how many others there are.
func someOf(names []string, most int) string {
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}
