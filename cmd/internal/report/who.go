package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// key is what is worth knowing first.
func (l *Report) key() []page.Fact {
	d := l.describe
	all := []page.Fact{fact("Jobs", countCell(d.Jobs)), l.period(), fact("Processors", textCell("unknown"))}
	if p := d.Log.Processors; p.Known() {
		all[2].Value = countCell(int64(p))
	}
	if d.Users.Known() {
		all = append(all, fact("Users", countCell(int64(d.Users))))
	}
	offered := page.Fact{Name: "Offered load", Value: shareCell(d.OfferedLoad), More: "work submitted, as a share of the machine's capacity from the first to the last submission"}
	if !d.Log.Processors.Known() {
		offered.More = "the size of the machine is unknown"
	}
	used := "processor time used, as a share of the same capacity"
	if of := l.uncounted(); of != "" {
		used = "at least: " + of
	}
	if busy := l.overbooked(); busy != "" {
		offered.More, used = "unreliable: "+busy, "unreliable: "+busy
	}
	all = append(all, offered)
	if u := l.use; u != nil {
		if present.Known(u.Utilisation) {
			all = append(all, page.Fact{Name: "Utilisation", Value: shareCell(u.Utilisation), More: used})
		}
		if u.Waits.Jobs > 0 {
			median, q90 := l.waitTexts()
			all = append(all, page.Fact{Name: "Median wait", Value: cell(u.Waits.Median, median), More: "one in ten waited longer than " + q90})
		}
	}
	run, size := d.Columns["run_time_s"], d.Columns["size_processors"]
	all = append(all,
		quartileFact("Median run time", run, timeTexts),
		page.Fact{Name: "Median size", Value: cell(size.Median, sizeWords(float64(size.Median))), More: quartileFact("", size, sigs).More})
	if l.use != nil && present.Known(l.use.Failed) {
		failed := page.Fact{Name: "Failed jobs", Value: shareCell(l.use.Failed), More: "of the jobs whose outcome is known"}
		switch l.use.Failed { // many sites do not record it
		case 0:
			failed.Value, failed.More = textCell("none recorded"), "no job has the status failed"
		case 1:
			failed.Value, failed.More = textCell("not recorded"), "every job has the status 0, failed"
		}
		all = append(all, failed)
	}
	return all
}

// sizeWords is a number of processors.
func sizeWords(n float64) string {
	if n == 1 {
		return "1 processor"
	}
	return sig(n) + " processors"
}

// sigs are numbers to four digits.
func sigs(numbers ...float64) (all []string) {
	for _, x := range numbers {
		all = append(all, sig(x))
	}
	return all
}

// quartileFact is the median and the middle half of a column, in one unit.
func quartileFact(name string, c inspect.Column, texts func(...float64) []string) page.Fact {
	if c.Known == 0 {
		return page.Fact{Name: name, Value: textCell("–"), More: "not in the log"}
	}
	all := texts(float64(c.Median), float64(c.Q25), float64(c.Q75))
	half := "middle half " + all[1]
	if c.Q25 != c.Q75 {
		half += " to " + all[2]
	}
	return page.Fact{Name: name, Value: cell(c.Median, all[0]), More: half}
}

// period is the time that submissions span.
func (l *Report) period() page.Fact {
	d := l.describe
	f := page.Fact{Name: "Period", Value: cell(d.Months, tenths(float64(d.Months))+" months")}
	first, last := float64(d.Log.FirstSubmit), float64(d.Log.LastSubmit)
	switch days := (last - first) / 86400; {
	case days < 2:
		f.Value = textCell(timeText(last - first))
	case days < 60:
		f.Value = textCell(tenths(days) + " days")
	}
	if d.Clock.Dates(first, last) {
		from, to := d.Clock.At(first).Format(time.DateOnly), d.Clock.At(last).Format(time.DateOnly)
		if f.More = from; to != from {
			f.More += " to " + to
		}
	}
	return f
}

func (l *Report) who() []page.Block {
	d := l.describe
	facts := []page.Fact{fact("Log", textCell(l.name+" ("+d.Log.Format+")"))}
	for _, f := range []struct{ name, text string }{{"Computer", d.Log.Computer}, {"Installation", d.Log.Installation}} {
		if f.text != "" {
			facts = append(facts, fact(f.name, textCell(strings.ReplaceAll(f.text, "\n", " "))))
		}
	}
	facts = append(facts, fact("Jobs", countCell(d.Jobs)))
	if p := d.Log.Processors; p.Known() {
		facts = append(facts, fact("Processors", countCell(int64(p))))
	}
	p := l.period()
	switch {
	case !d.Clock.Known:
		p.More = "the log does not say when it began"
	case d.ClockNote != "":
		p.More += "; " + d.ClockNote
	}
	facts = append(facts, p, fact("Status", textCell(strings.Join(present.Statuses(d, present.Grouped), ", "))))
	for _, column := range inspect.Identifiers() {
		if x, ok := d.Groups[column]; ok && x.Known > 0 {
			c := countCell(x.Distinct)
			if x.Method != "exact" {
				c.Note = x.Method
			}
			facts = append(facts, fact(identifierWords(column), c))
		}
	}
	blocks := []page.Block{{Facts: facts}}
	if !d.Users.Known() {
		blocks = append(blocks, remark("missing", "The log does not identify users, so nothing is broken down by user."))
	}
	blocks = append(blocks, tableOf(l.columns()))
	if missing := d.Missing(); len(missing) > 0 {
		for i, name := range missing {
			missing[i] = columnName(name)
		}
		blocks = append(blocks, remark("missing", "Not in the log: "+strings.Join(missing, ", ")+"."))
	}
	if by := d.By; by != nil && len(by.Values) > 1 { // one queue is all jobs again
		blocks = append(blocks, tableOf(queueTable(by)))
	}
	return blocks
}

// identifierWords is what the different values of a column are called.
func identifierWords(column string) string {
	switch key := workload.FindColumn(column).NameKey; {
	case strings.HasSuffix(key, "S"):
		return key
	case key != "":
		return key + "s"
	}
	words := strings.ReplaceAll(strings.TrimSuffix(column, "_id"), "_", " ")
	return strings.ToUpper(words[:1]) + words[1:] + "s"
}

// columnName is a column's name without "_s": the page has times in larger units, and dates.
func columnName(name string) string { return strings.TrimSuffix(name, "_s") }

func (l *Report) columns() page.Table {
	t := page.Table{Caption: "What was measured", Head: []string{"column", "known", "mean", "CV", "lower quartile", "median", "upper quartile", "lowest", "highest"}}
	for _, name := range inspect.Measured() {
		j := l.describe.Columns[name]
		dates := (name == "submit_time_s" || name == "eligible_time_s") && l.describe.Clock.Dates(float64(l.describe.Log.FirstSubmit), float64(l.describe.Log.LastSubmit))
		if j.Known == 0 {
			continue
		}
		text := func(x stats.Number) page.Cell { return sigCell(x) }
		if j.Unit == "s" {
			text = func(x stats.Number) page.Cell { return timeCell(x) }
		}
		if dates {
			text = func(x stats.Number) page.Cell { return cell(x, l.describe.Clock.At(float64(x)).Format(time.DateOnly)) }
		}
		t.Rows = append(t.Rows, []page.Cell{textCell(columnName(name)), percentCell(j.KnownPct), text(j.Mean), fixedCell(j.CV, 2),
			text(j.Q25), text(j.Median), text(j.Q75), text(j.Min), text(j.Max)})
	}
	return t
}

// mostQueues is how many queues have a row.
const mostQueues = 12

func queueTable(by *inspect.Breakdown) page.Table {
	what := strings.TrimSuffix(by.Column, "_id")
	t := page.Table{Caption: strings.ToUpper(what[:1]) + what[1:] + "s", Head: []string{what, "jobs", "share", "users", "median run time", "median size", "offered load"}}
	values := slices.Clone(by.Values)
	slices.SortStableFunc(values, func(a, b inspect.ByValue) int { return cmp.Compare(b.Jobs, a.Jobs) })
	if n := len(values); n > mostQueues {
		t.Caption = fmt.Sprintf("The %d largest of %d %ss", mostQueues, n, what)
		values = values[:mostQueues]
	}
	for _, v := range values {
		name := cmp.Or(v.Label(), "none")
		users := textCell("–")
		if v.Users.Known() {
			users = countCell(int64(v.Users))
		}
		t.Rows = append(t.Rows, []page.Cell{textCell(name), countCell(v.Jobs), percentCell(v.Pct), users, timeCell(v.Run.Median), sigCell(v.Size.Median), fixedCell(v.Load, 3)})
	}
	oneUnit(&t, 5)
	return t
}
