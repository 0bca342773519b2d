package report

import (
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// summary is what a centre's staff ask first, in sentences. A change or a trend is
// there only where it is a clear one.
func (l *logReport) summary() []page.Block {
	d, u := l.describe, l.use
	if u == nil {
		return missing(l.why[usagePart])
	}
	var all []string
	who := ""
	if d.Users.Known() {
		who = " of " + countedText(int64(d.Users), "user")
	}
	all = append(all, fmt.Sprintf("%s%s were submitted%s.", countedText(d.Jobs, "job"), who, l.periodWords()))
	if present.Known(d.OfferedLoad) {
		text := fmt.Sprintf("Their work is %s of what the machine's %s processors can do", percentText(float64(d.OfferedLoad)), present.Grouped(int64(d.Log.Processors)))
		if present.Known(u.Utilisation) {
			text += fmt.Sprintf("; the processors were busy for %s of the time", percentText(float64(u.Utilisation)))
		}
		all = append(all, text+".")
	}
	if u.Waits.Jobs > 0 {
		all = append(all, fmt.Sprintf("Half of the jobs waited no longer than %s; one in ten waited longer than %s.", timeText(float64(u.Waits.Median)), timeText(float64(u.Waits.Q90))))
	}
	if s := u.Users; s != nil && s.Distinct > 1 && present.Known(s.Top[0].WorkPct) {
		sum := 0.0
		for _, x := range s.Top {
			sum += float64(x.WorkPct)
		}
		all = append(all, fmt.Sprintf("The %s with most processor time took %s of it.", countedText(int64(len(s.Top)), "user"), percentText(sum)))
	}
	for _, c := range u.BySize {
		if t := c.Trend; t != nil && float64(t.PValue) < clearTrend && t.Slope != 0 {
			all = append(all, fmt.Sprintf("Long waits of jobs of %s processors are %s.", c.Name, l.trendWords(t)))
		}
	}
	var beyond []string
	for _, c := range u.Changes {
		if c.Beyond != "" {
			m := measures[c.Measure]
			beyond = append(beyond, fmt.Sprintf("%s (%s, %s)", m.name, m.cell(float64(c.Last)).Text, beyondWords(c, u.Unit)))
		}
	}
	if len(beyond) > 0 {
		all = append(all, fmt.Sprintf("In the last complete %s, %s, these were outside the range before: %s.", u.Unit, u.Changes[0].Period, strings.Join(beyond, "; ")))
	} else if len(u.Changes) > 0 {
		all = append(all, fmt.Sprintf("The last complete %s, %s, is within the range of those before in all that can be compared.", u.Unit, u.Changes[0].Period))
	}
	return []page.Block{{List: all}}
}

// periodWords say when jobs were submitted.
func (l *logReport) periodWords() string {
	p := l.period()
	if p.More != "" {
		from, to, _ := strings.Cut(p.More, " to ")
		return " from " + from + " to " + to
	}
	if p.Value.Value == "" && p.Value.Text == "" {
		return ""
	}
	return " in " + p.Value.Text
}

// caveats are what to know before the numbers are used, each with its details.
func (l *logReport) caveats() []page.Block {
	d := l.describe
	var blocks []page.Block
	say := func(kind, link, format string, args ...any) {
		b := remark(kind, fmt.Sprintf(format, args...))
		if len(l.o.Logs) == 1 {
			b.Remark.Link = link
		}
		blocks = append(blocks, b)
	}
	switch v := l.validate; {
	case l.why[validatePart] != "":
		say("warning", "quality", "The log was not checked: %s", l.why[validatePart])
	case v.Faults == 0:
		say("good", "quality", "No fault was found in the log's %s.", countedText(d.Jobs, "job"))
	default:
		say("warning", "quality", "%s found among %s%s.", foundWords(v.Faults), countedText(d.Jobs, "job"), mostFaults(v.Findings))
	}
	if !d.Log.Processors.Known() {
		say("warning", "who", "The size of the machine is unknown: there is no load and no utilisation. Give it with --procs.")
	} else if float64(d.OfferedLoad) > 1 {
		say("warning", "load", "More work was submitted than the machine can do (%s): its size, or the jobs' sizes or run times, may be wrong.", percentText(float64(d.OfferedLoad)))
	}
	for _, c := range []struct{ column, what string }{{"run_time_s", "Run times"}, {"wait_time_s", "Waits"}} {
		switch x := d.Columns[c.column]; {
		case x.Known == 0:
			say("warning", "who", "%s are not in the log.", c.what)
		case float64(x.KnownPct) < 100*leastPlaced:
			say("warning", "who", "%s are known for %s %% of the jobs.", c.what, present.Fixed(x.KnownPct, 1))
		}
	}
	if !d.Users.Known() {
		say("warning", "who", "Users are not in the log.")
	}
	if !d.Clock.Known {
		say("warning", "who", "The log does not say when it began: times are days since its first second, and hours of the day may be wrong.")
	} else if d.ClockNote != "" {
		say("warning", "who", "Times: %s.", d.ClockNote)
	}
	return blocks
}

// mostFaults says what most of the faults are.
func mostFaults(all []inspect.Finding) string {
	var most inspect.Finding
	for _, f := range all {
		if f.Severity == inspect.Fault && f.Count > most.Count {
			most = f
		}
	}
	if most.Count == 0 {
		return ""
	}
	return fmt.Sprintf(": %s (%s %s)", most.Words, present.Grouped(most.Count), most.Counts)
}

// foundWords are a number of faults as the beginning of a sentence.
func foundWords(n int64) string {
	if n == 1 {
		return "1 fault was"
	}
	return countedText(n, "fault") + " were"
}
