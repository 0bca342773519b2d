package tables

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/score"
)

// valueOf is what B is beside A.
func valueOf(r score.VerdictRow) string {
	text := present.Sig(r.Compared)
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
	text := fmt.Sprintf("%s of %d", present.Full(r.Rank), r.RankOf)
	if r.Inside != nil && !*r.Inside {
		text += ", outside"
	}
	return text
}

// printVerdict is the table for people.
func printVerdict(w *present.Screen, v *score.Verdict) {
	w.Printf("\nB as a twin of A")
	if v.Estimates != "" {
		w.Printf("; the waits of both are simulated, on %s with %s estimates", words.Counted(v.Processors, "processor"), v.Estimates)
	}
	w.Printf("\n")
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
	w.Table(t.Table())
	legend := append([]string{"value: × is B over A, of waits (B + 60 s) / (A + 60 s); D is the distance of distributions; others are B less A"},
		notComparedTraits(v.Rows)...)
	if v.Bootstraps > 0 {
		legend = append(legend, fmt.Sprintf("weeks: the same for A and %d draws of its %d weeks in blocks of %d; a value between 5 and 95 %% is no difference", v.Bootstraps, v.Weeks, v.BlockWeeks), answer(v))
	}
	if v.Replicas > 0 {
		inside := fmt.Sprintf("rank of A among %d twins: inside in %d of %d rows", v.Replicas, v.Inside, v.Tested)
		if v.Tested > 0 {
			inside += fmt.Sprintf(" (%s %%; for a log like its twins, %s %% of the rows are outside by chance)", present.Fixed(v.InsidePct, 0), present.Fixed(v.FalseAlarm, 1))
		}
		legend = append(legend, inside)
	}
	writeLegend(w, legend...)
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

// answer says in how many rows B is farther from A than A's own weeks are.
func answer(v *score.Verdict) string {
	var judged, within int64
	for _, r := range v.Rows {
		if r.NoDifference != nil {
			judged++
			if *r.NoDifference {
				within++
			}
		}
	}
	text := "B differs from A no more than A's weeks do in "
	switch {
	case judged == 0:
		return "no row can be judged by A's weeks"
	case within == judged:
		return text + "all of " + words.Counted(judged, "row")
	case v.Replicas > 0:
		return text + fmt.Sprintf("%d of %s", within, words.Counted(judged, "row"))
	}
	return text + fmt.Sprintf("%d of %s (a good twin differs in some rows too: --replicas draws many)", within, words.Counted(judged, "row"))
}
