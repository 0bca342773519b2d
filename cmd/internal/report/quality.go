package report

import (
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// overFull is the rule whose findings are times.
const overFull = "machine-over-full"

// quality is what validate found.
func (l *Report) quality() []page.Block {
	v := l.validate
	var blocks []page.Block
	switch {
	case v.Faults == 0 && v.Oddities == 0:
		blocks = append(blocks, remark("good", "No fault and no oddity was found."))
	case v.Faults == 0:
		blocks = append(blocks, remark("good", fmt.Sprintf("No fault was found, and %s.", countedText(v.Oddities, "oddity"))))
	default:
		blocks = append(blocks, remark("warning", fmt.Sprintf("%s and %s were found; 'loadstone validate' gives the places.", countedText(v.Faults, "fault"), countedText(v.Oddities, "oddity"))), page.Block{List: faultWords(&v)})
	}
	if len(v.Findings) > 0 {
		t := page.Table{Caption: "What was found", Head: []string{"rule", "", "times", "what", "first place"}}
		for _, f := range v.Findings {
			what := textCell(f.Words)
			what.Note = f.Note
			if b := v.Busy; b != nil && f.Rule == overFull { // the note has seconds of the log
				what.Note = fmt.Sprintf("%s, %s in all; %s ran in them; most %s processors, %s", countedText(b.Periods, "period"), timeText(float64(b.Seconds)),
					countedText(b.Jobs, "job"), present.Grouped(b.Peak), present.Moment(l.describe.Clock, b.PeakAt))
			}
			t.Rows = append(t.Rows, []page.Cell{textCell(f.Rule), textCell(string(f.Severity)), {Text: countedText(f.Count, strings.TrimSuffix(f.Counts, "s")), Value: present.Whole(f.Count)}, what, textCell(firstPlace(f))})
		}
		blocks = append(blocks, tableOf(t))
	}
	if b := v.Busy; b != nil && v.Log.Processors.Known() {
		blocks = append(blocks, page.Block{Facts: []page.Fact{
			{Name: "Most processors at once", Value: cell(b.PeakPct, present.Grouped(b.Peak)), More: fmt.Sprintf("%s %% of the machine's %s", present.Fixed(b.PeakPct, 1), present.Grouped(int64(v.Log.Processors)))},
		}})
	}
	if len(v.NotChecked) > 0 {
		t := page.Table{Caption: fmt.Sprintf("What could not be checked (%d)", len(v.NotChecked)), Head: []string{"rule", "why"}, Folded: true}
		for _, n := range v.NotChecked {
			t.Rows = append(t.Rows, []page.Cell{textCell(n.Rule), textCell(n.Why)})
		}
		blocks = append(blocks, tableOf(t))
	}
	return blocks
}

// firstPlace is where a rule is broken first.
func firstPlace(f inspect.Finding) string {
	if len(f.Places) == 0 {
		return "–"
	}
	p := f.Places[0]
	var parts []string
	if p.Line.Known() {
		parts = append(parts, "line "+present.Whole(int64(p.Line)))
	} else if p.Row.Known() {
		parts = append(parts, "row "+present.Whole(int64(p.Row)))
	}
	if p.Saw != "" && f.Rule != overFull {
		parts = append(parts, "saw "+p.Saw)
	}
	return strings.Join(parts, ", ")
}
