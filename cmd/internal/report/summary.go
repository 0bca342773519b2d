package report

import (
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// summary is what a centre's staff ask first, in sentences. A change or a trend is
// there only where it is a clear one.
func (l *Report) summary() []page.Block {
	d, u := l.describe, l.use
	if u == nil {
		return missing(l.why[usagePart])
	}
	var all []string
	switch {
	case d.Users.Known():
		all = append(all, fmt.Sprintf("%s submitted %s%s.", countedText(int64(d.Users), "user"), countedText(d.Jobs, "job"), l.periodWords()))
	case d.Jobs == 1:
		all = append(all, "1 job was submitted.")
	default:
		all = append(all, fmt.Sprintf("%s were submitted%s.", countedText(d.Jobs, "job"), l.periodWords()))
	}
	if present.Known(d.OfferedLoad) {
		text := fmt.Sprintf("The work submitted (offered load) is %s of the capacity of the machine's %s", percentText(float64(d.OfferedLoad)), countedText(int64(d.Log.Processors), "processor"))
		if present.Known(u.Utilisation) {
			least, why := "", ""
			if of := l.uncounted(); of != "" {
				least, why = "at least ", ": "+of
			}
			text += fmt.Sprintf("; %s%s of that capacity was used (utilisation)%s", least, percentText(float64(u.Utilisation)), why)
		}
		text += "."
		if busy := l.overbooked(); busy != "" {
			text += fmt.Sprintf(" Both are unreliable: %s.", busy)
		}
		if isClear(u.LoadTrend) {
			text += fmt.Sprintf(" The load is %s.", l.loadTrend())
		}
		all = append(all, text)
	}
	if u.Waits.Jobs > 0 {
		all = append(all, l.waitedWords())
	}
	if s := u.Users; s != nil && s.Distinct > 1 && present.Known(s.Top[0].WorkPct) {
		text := fmt.Sprintf("Of the processor time, %s used %s, more than any other user", shareName("user", s.Top[0]), percentText(float64(s.Top[0].WorkPct)))
		if n := int64(len(s.Top)); n < s.Distinct {
			sum := 0.0
			for _, x := range s.Top {
				sum += float64(x.WorkPct)
			}
			text += fmt.Sprintf("; the top %d of %s used %s", n, countedText(s.Distinct, "user"), percentText(sum))
		}
		all = append(all, text+".")
	}
	if text := l.waitTrends(); text != "" {
		all = append(all, text)
	}
	for _, c := range u.BySize {
		if isClear(c.Trend) {
			all = append(all, fmt.Sprintf("The 90th percentile of waits of jobs with %s is %s%s.", processorsWords(c.Name), l.trendWords(c.Trend), l.waitsTurn(c.Trend, c.Q90ByPeriod)))
		}
	}
	if text := changeWords(u.Changes, u.Unit); text != "" {
		all = append(all, text)
	}
	return []page.Block{{List: all}}
}

// waitTrends say whether the waits of all jobs rise or fall; "" where that cannot be told.
func (l *Report) waitTrends() string {
	w := l.use.Waits
	var clear []string
	if isClear(w.Trend) {
		clear = append(clear, "the 90th percentile of the waits of all jobs is "+l.trendWords(w.Trend)+l.waitsTurn(w.Trend, w.Q90ByPeriod))
	}
	if isClear(w.MeanTrend) {
		clear = append(clear, "the mean wait of all jobs is "+l.trendWords(w.MeanTrend)+l.waitsTurn(w.MeanTrend, w.MeanByPeriod))
	}
	switch {
	case len(clear) > 0:
		return sentence(strings.Join(clear, "; "))
	case w.Trend != nil:
		return fmt.Sprintf("The waits of all jobs show no clear trend over %d %s.", w.Trend.N, plural(l.use.Unit))
	}
	return ""
}

// changeWords name the measures in which the last period is the highest or the lowest,
// and how many would be so by chance; "" where nothing was compared.
func changeWords(changes []inspect.Change, unit string) string {
	if len(changes) == 0 {
		return ""
	}
	var beyond []string
	for _, c := range changes {
		if c.Beyond != "" {
			m := measures[c.Measure]
			beyond = append(beyond, fmt.Sprintf("%s %s (%s)", m.name, m.cell(float64(c.Last)).Text, beyondWords(c, unit)))
		}
	}
	last := fmt.Sprintf("the last %s compared, %s,", period(unit), changes[0].Period)
	if len(beyond) == 0 {
		return sentence(last + " is within the range of those before in every measure compared")
	}
	return fmt.Sprintf("In %s %d of %d measures %s earlier range (by chance: %s): %s.",
		last, len(beyond), len(changes), words.Plural(len(beyond), "is outside its", "are outside their"), chanceText(changes), strings.Join(beyond, ", "))
}

// periodWords say when jobs were submitted.
func (l *Report) periodWords() string {
	p := l.period()
	if from, to, several := strings.Cut(p.More, " to "); several {
		return " from " + from + " to " + to
	} else if from != "" {
		return " on " + from
	}
	if p.Value.Value == "" && p.Value.Text == "" {
		return ""
	}
	return " over " + p.Value.Text
}

// processorsWords are the processors of a class of sizes.
func processorsWords(class string) string {
	if class == "1" {
		return "1 processor"
	}
	return class + " processors"
}

// caveats are what to know before the numbers are used, each with its details.
func (l *Report) caveats() []page.Block {
	d := l.describe
	var blocks []page.Block
	say := func(kind, link, format string, args ...any) {
		b := remark(kind, fmt.Sprintf(format, args...))
		b.Remark.Link = link
		blocks = append(blocks, b)
	}
	switch v := l.validate; {
	case l.why[validatePart] != "":
		say("warning", "quality", "The log was not checked: %s", l.why[validatePart])
	case v.Faults == 0:
		say("good", "quality", "The checks found no fault in the log's %s.", countedText(d.Jobs, "job"))
	default:
		say("warning", "quality", "The checks found %s in the log's %s%s.", countedText(v.Faults, "fault"), countedText(d.Jobs, "job"), mostFaults(v))
	}
	if !d.Log.Processors.Known() {
		say("warning", "who", "The size of the machine is unknown, so there is no load and no utilisation. Set it with --procs.")
	} else if busy := l.overbooked(); busy != "" {
		say("warning", "quality", "Load and utilisation are unreliable: %s. The size in the log may be wrong, or the log may have jobs of other machines; --procs sets the size.", busy)
	} else if float64(d.OfferedLoad) > 1 {
		say("warning", "load", "The offered load is %s, more than the machine's capacity: the machine's size, or the jobs' sizes or run times, may be wrong.", percentText(float64(d.OfferedLoad)))
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
		say("warning", "who", "The log does not say when it began: times are in days since then, and hours of the day may be wrong.")
	} else if d.ClockNote != "" {
		say("warning", "who", "Times: %s.", d.ClockNote)
	}
	if n := len(l.said()); n > 0 {
		say("missing", remarksID, "%s on the computations: see %s.", countedText(int64(n), "remark"), RemarksTitle)
	}
	return blocks
}

// mostFaults says what most of the faults are.
func mostFaults(v inspect.Validation) string {
	var most inspect.Finding
	for _, f := range v.Findings {
		if f.Severity == inspect.Fault && f.Count > most.Count {
			most = f
		}
	}
	if most.Count == 0 {
		return ""
	}
	before := ": "
	if most.Count < v.Faults {
		before = ", mainly: "
	}
	return fmt.Sprintf("%s%s (%s)", before, most.Words, countedText(most.Count, strings.TrimSuffix(most.Counts, "s")))
}
