package tables

import (
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

var verdictColumns = func() []present.Column[score.VerdictRow] {
	type row = score.VerdictRow
	number := func(name, heading string, of func(row) stats.Number) present.Column[row] {
		return present.Float(name, heading, of, present.Sig[float64])
	}
	truth := func(of func(row) *bool) func(row) string {
		return func(r row) string {
			if x := of(r); x != nil {
				return fmt.Sprint(*x)
			}
			return ""
		}
	}
	return []present.Column[row]{
		present.Text("name", "trait", func(r row) string { return r.Name }),
		present.Text("policy", "policy", func(r row) string { return r.Policy }),
		present.Text("loop", "loop", func(r row) string { return r.Loop }),
		number("a", "A", func(r row) stats.Number { return r.A }),
		number("b", "B", func(r row) stats.Number { return r.B }),
		present.Text("compared_as", "compared as", func(r row) string { return r.As }),
		number("compared", "value", func(r row) stats.Number { return r.Compared }),
		number("noise_q05", "weeks 5 %", func(r row) stats.Number { return r.NoiseQ05 }),
		number("noise_q95", "95 %", func(r row) stats.Number { return r.NoiseQ95 }),
		present.Text("no_difference", "", truth(func(r row) *bool { return r.NoDifference })),
		present.Text("", "finding", verdictWord),
		number("rank", "", func(r row) stats.Number { return r.Rank }),
		present.Count("rank_of", "", func(r row) int { return r.RankOf }),
		present.Text("inside", "", truth(func(r row) *bool { return r.Inside })),
		present.Text("pinned", "", truth(func(r row) *bool { return &r.Pinned })),
		present.Text("", "rank of A", verdictRank),
		present.Text("why", "", func(r row) string { return r.Why }),
	}
}()

// verdictWord says what a row comes to beside the log's own weeks.
func verdictWord(r score.VerdictRow) string {
	switch {
	case r.Why != "":
		return r.Why
	case r.NoDifference == nil:
		return "-"
	case *r.NoDifference:
		return "no difference"
	}
	return "differs"
}

// verdictRank is the log's rank among the twins.
func verdictRank(r score.VerdictRow) string {
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
	var rows []score.VerdictRow
	unknown := 0
	for _, r := range v.Rows {
		if r.Why == score.UnknownOfBoth {
			unknown++
		} else {
			rows = append(rows, r)
		}
	}
	t := present.People(verdictColumns, rows)
	for _, empty := range []string{"policy", "loop", "rank of A"} {
		t = t.Without(empty, "")
	}
	w.Table(t)
	if v.Estimates != "" {
		w.Printf("ratio of waits: (B + 60 s) / (A + 60 s)\n")
	}
	if unknown > 0 {
		w.Printf("unknown in both: %s, listed by --format json\n", words.Counted(int64(unknown), "trait"))
	}
	if v.Bootstraps > 0 {
		w.Printf("weeks: the same for A and %d draws of its %d weeks in blocks of %d; a value between 5 and 95 %% is no difference\n", v.Bootstraps, v.Weeks, v.BlockWeeks)
		w.Printf("%s\n", answer(v))
	}
	if v.Replicas > 0 {
		w.Printf("rank of A among %d twins: inside in %d of %d rows", v.Replicas, v.Inside, v.Tested)
		if v.Tested > 0 {
			w.Printf(" (%s %%; for a log like its twins, %s %% of the rows are outside by chance)", present.Fixed(v.InsidePct, 0), present.Fixed(v.FalseAlarm, 1))
		}
		w.Printf("\n")
	}
}

// answer says in which rows B is farther from A than A's own weeks are.
func answer(v *score.Verdict) string {
	var judged int64
	var differ []string
	for _, r := range v.Rows {
		if r.NoDifference == nil {
			continue
		}
		if judged++; !*r.NoDifference {
			differ = append(differ, strings.Join(strings.Fields(r.Name+" "+r.Policy+" "+r.Loop), " "))
		}
	}
	within := "B differs from A no more than A's weeks do"
	switch {
	case judged == 0:
		return "no row can be judged by A's weeks"
	case len(differ) == 0:
		return fmt.Sprintf("%s in all of %s", within, words.Counted(judged, "row"))
	}
	text := fmt.Sprintf("%s in %d of %s, and more in %s", within, judged-int64(len(differ)), words.Counted(judged, "row"), strings.Join(differ, ", "))
	if v.Replicas == 0 {
		text += " (a good twin differs in some rows too: --replicas draws many)"
	}
	return text
}
