package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/internal/version"
)

// RemarksTitle is the title of the section with the remarks that Report.Remarks counts,
// remarksID its identifier.
const (
	RemarksTitle = "Notes and warnings"
	remarksID    = "trust"
)

// trust says in plain words what the numbers are worth, and then what the
// commands remarked.
func (l *Report) trust() []page.Block {
	var blocks []page.Block
	say := func(kind, format string, args ...any) {
		blocks = append(blocks, remark(kind, fmt.Sprintf(format, args...)))
	}
	l.trustLog(say)
	l.trustFits(say)
	l.trustPredictions(say)
	var warnings, notes []string
	for _, s := range l.said() {
		text := s.command + ": " + s.text
		if s.warning {
			warnings = append(warnings, text)
		} else {
			notes = append(notes, text)
		}
	}
	if len(warnings) > 0 {
		blocks = append(blocks, paragraph("Warnings:"), page.Block{List: warnings})
	}
	if len(notes) > 0 {
		blocks = append(blocks, paragraph("Notes:"), page.Block{List: notes})
	}
	return blocks
}

func (l *Report) trustLog(say func(kind, format string, args ...any)) {
	switch v := l.validate; {
	case l.why["validate"] != "":
		say("warning", "The log was not validated: %s", l.why["validate"])
	case v.Faults == 0:
		say("good", "The checks found no fault in the log.")
	default:
		say("warning", "The checks found %s in the log's %s: treat results that use the affected columns with care.", countedText(v.Faults, "fault"), countedText(l.describe.Jobs, "job"))
	}
	switch p := l.describe.Columns["run_time_s"]; {
	case p.Known == 0:
		say("warning", "Run times are not in the log.")
	case float64(p.KnownPct) < 99:
		say("warning", "Run times are known for %s %% of the jobs. Results on run times are for these.", present.Fixed(p.KnownPct, 1))
	}
	switch p := l.describe.Columns["wait_time_s"]; {
	case p.Known == 0:
		say("warning", "Waits are not in the log.")
	case float64(p.KnownPct) < 99:
		say("warning", "Waits are known for %s %% of the jobs.", present.Fixed(p.KnownPct, 1))
	}
	if load := float64(l.describe.OfferedLoad); load > 1 {
		say("warning", "The offered load is %s, more than the machine's capacity: the machine's size, or the jobs' sizes or run times, may be wrong.", present.Fixed(load, 2))
	}
}

func (l *Report) trustFits(say func(kind, format string, args ...any)) {
	if l.fitted == nil {
		say("missing", "Nothing was fitted: %s", l.why["fit"])
		return
	}
	own := l.closest()
	if len(own) > 0 {
		best := own[0]
		say("warning", "No distribution of run times was tested: 'loadstone fit --replicates 199 --intervals 0.95' computes p-values and intervals. The closest, %s, differs from the log by at most %s %% of the jobs.", best.Family, present.Fixed(100*best.KS.D, 1))
		var bad []string
		for _, r := range own {
			if r.Status != fit.Converged {
				bad = append(bad, r.Family+" ("+string(r.Status)+")")
			}
		}
		if len(bad) > 0 {
			say("warning", "Fits that did not converge: %s.", strings.Join(bad, ", "))
		}
	}
	if c := l.site(); c != nil {
		say("warning", "The model draws jobs independently, apart from the daily cycle: it has no users, no repeated jobs and no bursts unless 'loadstone generate' is told to add them.")
		const near = 0.1 // a difference that is no matter
		made, load := l.fitted.Model.OfferedLoad(), float64(l.describe.OfferedLoad)
		if math.Abs(made-load) > near*load {
			say("warning", "The offered load of the model is %s, that of the log %s: 'loadstone generate --load %s' scales the model's to the log's.", present.Fixed(made, 3), present.Fixed(load, 3), present.Fixed(load, 3))
		}
	}
}

func (l *Report) trustPredictions(say func(kind, format string, args ...any)) {
	if l.scores == nil {
		say("missing", "Predictors of run time were not scored: %s", l.why[RunTimes])
	} else if b := l.scores.Bootstrap; b != nil && b.Users > 1 {
		say("good", "Intervals of accuracies come from resampling %d users: they hold for other users like these, not for other years.", b.Users)
	} else {
		say("warning", "Accuracies have no intervals, which need two users or more.")
	}
	if l.waited == nil {
		say("missing", "Predictors of wait were not scored: %s", l.why[Waits])
		return
	}
	say("warning", "Point predictions of waits are scored on a simulated queue, not on the site's own scheduler with its priorities and reservations.")
	if l.waited.Parameters == evaluate.Hindsight {
		say("warning", "Downey's predictors use lifetimes fitted to the whole log, including jobs that had not run yet. 'loadstone predict --months 1' uses past jobs only.")
	}
}

// made says how the page can be made again.
func (l *Report) made() []page.Block {
	typed := l.typed()
	again := "loadstone report " + shellWord(l.input) + " -o " + shellWord(l.o.Output)
	for _, part := range l.o.Without {
		again += " --without " + part
	}
	if l.o.Processors > 0 {
		again += fmt.Sprintf(" --procs %d", l.o.Processors)
	}
	if l.o.Waits != MostWaits {
		again += fmt.Sprintf(" --predict-jobs %d", l.o.Waits)
	}
	if l.o.Seed != 1 {
		again += fmt.Sprintf(" --seed %d", l.o.Seed)
	}
	return []page.Block{
		{Facts: []page.Fact{
			fact("Program", textCell("loadstone "+version.Number)),
			fact("Log", textCell(l.input)),
			{Name: "Jobs", Value: countCell(l.describe.Jobs)},
			fact("Seed", textCell(fmt.Sprint(l.o.Seed))),
			fact("Charts", textCell("uPlot "+page.UPlotVersion+" (MIT licence), within the page")),
		}},
		{Words: []string{"This command made the page:"}}, {Shell: []string{again}},
		{Words: []string{"These commands print its numbers:"}}, {Shell: typed},
	}
}
