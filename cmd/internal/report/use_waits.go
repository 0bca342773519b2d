package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// waitsNow is how long jobs waited, by size and by queue or partition.
func (l *Report) waitsNow() []page.Block {
	u := l.use
	if u == nil || u.Waits.Jobs == 0 {
		return missing("The log has no waiting times. 'loadstone simulate' adds simulated ones.")
	}
	blocks := []page.Block{paragraph("%s", l.waitedWords()), tableOf(l.waitsBySize())}
	if len(u.ByValue) > 1 {
		what := strings.TrimSuffix(u.By, "_id")
		blocks = append(blocks, tableOf(l.waitTable("Waits by "+what, what, u.ByValue)))
	}
	if l.describe.Log.Processors.Known() {
		blocks = append(blocks, paragraph("What if the machine had N processors? 'loadstone simulate LOG --policy easy --procs N' tells how long the same jobs would wait; without --procs, on the machine of the log, and how far from the waits in the log that is."))
	}
	if u.Unit != "" {
		blocks = append(blocks, paragraph("The small charts show the 90th percentile and the mean of the waits in each %s, on scales from 0, with gaps where fewer than %[2]d jobs of the row were submitted. A trend is reported only if fewer than 1 in 100 logs without a trend would show one as clear, assuming that each %[1]s is independent of the one before (Mann-Kendall test).", period(u.Unit), inspect.LeastPeriodWaits))
	}
	return blocks
}

// waitsBySize are the waits by number of processors, and in the last row those of all jobs.
func (l *Report) waitsBySize() page.Table {
	all := l.use.Waits
	all.Name = "all jobs"
	return l.waitTable("Waits by number of processors", "processors", append(slices.Clone(l.use.BySize), all))
}

// waitTexts are the median and the 90th percentile of the waits, as in the table.
func (l *Report) waitTexts() (median, q90 string) {
	rows := l.waitsBySize().Rows
	all := rows[len(rows)-1]
	return all[2].Text, all[3].Text
}

// waitedWords say how long jobs waited.
func (l *Report) waitedWords() string {
	median, q90 := l.waitTexts()
	return waitedWords(l.use.Waits, median, q90)
}

func waitedWords(w inspect.WaitClass, median, q90 string) string {
	switch {
	case w.Q90 == 0:
		return "At least nine in ten jobs did not wait at all."
	case w.Median == 0:
		return fmt.Sprintf("At least half of the jobs did not wait; one in ten waited longer than %s.", q90)
	}
	return fmt.Sprintf("Half of the jobs waited no longer than %s; one in ten waited longer than %s.", median, q90)
}

// clearTrend is the p-value below which a trend is called one: there are a dozen rows.
const clearTrend = 0.01

func (l *Report) waitTable(caption, first string, rows []inspect.WaitClass) page.Table {
	t := page.Table{Caption: caption, Head: []string{first, "jobs", "median wait", "90th percentile", "trend of the 90th percentile", "mean wait", "trend of the mean"}}
	for _, c := range rows {
		q90, few := l.trendCell(c.Trend, c.Q90ByPeriod)
		mean, _ := l.trendCell(c.MeanTrend, c.MeanByPeriod)
		q90.Note = few
		t.Rows = append(t.Rows, []page.Cell{textCell(c.Name), countCell(c.Jobs), timeCell(c.Median), timeCell(c.Q90), q90, timeCell(c.Mean), mean})
	}
	oneUnit(&t, 2, 3, 5)
	return t
}

// trendCell says whether waits rise or fall and draws them in each period that the log
// covers; few says in how many of those the jobs are too few.
func (l *Report) trendCell(t *stats.Trend, waits []stats.Number) (trend page.Cell, few string) {
	trend = textCell(l.trendWords(t))
	without, complete := 0, 0
	for i, w := range waits {
		y := math.NaN()
		if l.use.Periods[i].Complete {
			complete++
			if y = float64(w); math.IsNaN(y) {
				without++
			}
		}
		trend.Spark = append(trend.Spark, y)
	}
	if without > 0 {
		few = fmt.Sprintf("too few jobs in %d of %d %s", without, complete, plural(l.use.Unit))
	}
	return trend, few
}

// trendWords say whether waits rise or fall.
func (l *Report) trendWords(t *stats.Trend) string { return l.trendIn(t, timeText) }

// trendIn says whether a quantity rises or falls, and by how much of what amount writes.
func (l *Report) trendIn(t *stats.Trend, amount func(float64) string) string {
	switch {
	case t == nil && l.use.Unit == "":
		return "log too short"
	case t == nil:
		return "too few " + plural(l.use.Unit)
	case !isClear(t):
		return "no clear trend"
	case t.Slope > 0:
		return "rising by about " + amount(float64(t.Slope)) + " per " + l.use.Unit
	}
	return "falling by about " + amount(-float64(t.Slope)) + " per " + l.use.Unit
}

// clearTurn is by how much of itself a quantity changes in the last period, against its trend,
// where that is to be said: a fall to two thirds, or a rise by half.
const clearTurn = 1.5

// turnWords say that a quantity went clearly against its trend in the last period, and from
// what to what; "" where it did not.
func (l *Report) turnWords(t *stats.Trend, value func(period int) stats.Number, amounts func(...float64) []string) string {
	var complete []int
	for k, p := range l.use.Periods {
		if p.Complete {
			complete = append(complete, k)
		}
	}
	n := len(complete)
	if !isClear(t) || n < 2 {
		return ""
	}
	before, last, slope := float64(value(complete[n-2])), float64(value(complete[n-1])), float64(t.Slope)
	how, less, more := "rose", before, last
	if slope > 0 {
		how, less, more = "fell", last, before
	}
	if !(more >= clearTurn*less && more-less > math.Abs(slope)) { // also where one is not known
		return ""
	}
	texts := amounts(before, last)
	return fmt.Sprintf(", but it %s from %s to %s in the last %s, %s", how, texts[0], texts[1], period(l.use.Unit), l.use.Periods[complete[n-1]].Label)
}

// waitsTurn are those of waits by period.
func (l *Report) waitsTurn(t *stats.Trend, byPeriod []stats.Number) string {
	return l.turnWords(t, func(k int) stats.Number { return byPeriod[k] }, timeTexts)
}

// isClear reports whether a trend is to be called one.
func isClear(t *stats.Trend) bool {
	return t != nil && float64(t.PValue) < clearTrend && t.Slope != 0
}

// loadTrend says whether the load rises or falls.
func (l *Report) loadTrend() string {
	return l.trendIn(l.use.LoadTrend, pointsText) + l.turnWords(l.use.LoadTrend, func(k int) stats.Number { return l.use.Periods[k].Load }, percentTexts)
}

// percentTexts are shares of 1 for people.
func percentTexts(shares ...float64) (all []string) {
	for _, x := range shares {
		all = append(all, percentText(x))
	}
	return all
}

// pointsText writes a difference of shares.
func pointsText(x float64) string { return present.Sig(100*x) + " percentage points" }

// plural is the plural of a period's name.
func plural(unit string) string {
	if strings.HasSuffix(unit, "s") {
		return "periods of " + unit
	}
	return unit + "s"
}

// period is one of them.
func period(unit string) string {
	if strings.HasSuffix(unit, "s") {
		return "period of " + unit
	}
	return unit
}

// changed is the last period against those before it.
func (l *Report) changed() []page.Block {
	u := l.use
	if u == nil || len(u.Changes) == 0 {
		return missing("The log has fewer than four complete days, weeks or months, too few for a comparison.")
	}
	first := u.Changes[0]
	t := page.Table{Caption: fmt.Sprintf("%s compared with the complete %s before it", first.Period, plural(u.Unit)), Head: []string{"measure", first.Period, "earlier median", "earlier range"}}
	for _, c := range u.Changes {
		m := measures[c.Measure]
		last, median, low, high := m.cell(float64(c.Last)), m.cell(float64(c.Median)), m.cell(float64(c.Low)), m.cell(float64(c.High))
		if strings.HasSuffix(c.Measure, "_s") {
			inOneUnit(&last, &median, &low, &high)
		}
		last.Note = beyondWords(c, u.Unit)
		t.Rows = append(t.Rows, []page.Cell{textCell(m.name), last, median, textCell(low.Text + " to " + high.Text)})
	}
	blocks := []page.Block{tableOf(t), paragraph("%s", oddsWords(u.Changes, u.Unit))}
	var partial []string
	for _, p := range u.Periods {
		if !p.Complete {
			partial = append(partial, fmt.Sprintf("%s (%s)", p.Label, percentText(float64(p.Covered))))
		}
	}
	if len(partial) > 0 {
		blocks = append(blocks, remark("missing", "Left out, because the log covers less than 90 % of the "+period(u.Unit)+": "+strings.Join(partial, ", ")+"."))
	}
	var absent []string
	for _, m := range measureOrder {
		if !hasChange(u.Changes, m) {
			absent = append(absent, measures[m].name)
		}
	}
	if len(absent) > 0 {
		blocks = append(blocks, remark("missing", "Not compared, because the log lacks the data: "+strings.Join(absent, ", ")+"."))
	}
	return blocks
}

// oddsWords say how many measures would stand out by chance.
func oddsWords(all []inspect.Change, unit string) string {
	n, periods := len(all), all[0].Earlier+1
	text := fmt.Sprintf("The highest or lowest of %d %s is weak evidence of a change: without any change, each measure would be one of the two with a probability of 2 in %[1]d", periods, plural(unit))
	if n > 1 {
		text += fmt.Sprintf("; on average, %s of the %d measures would be", chanceText(all), n)
	}
	return text + "."
}

// byChance is how many measures would stand out on average if nothing had changed.
func byChance(all []inspect.Change) (expected float64) {
	for _, c := range all {
		expected += 2 / float64(c.Earlier+1)
	}
	return expected
}

func chanceText(all []inspect.Change) string { return present.Fixed(byChance(all), 1) }

func hasChange(all []inspect.Change, measure string) bool {
	for _, c := range all {
		if c.Measure == measure {
			return true
		}
	}
	return false
}

// measureOrder is the order of the measures that can be compared.
var measureOrder = []string{"jobs_per_day", "users", "offered_load", "utilisation", "wait_mean_s", "wait_median_s", "wait_q90_s", "failed_pct"}

// measures are how they are written.
var measures = map[string]struct {
	name string
	cell func(float64) page.Cell
}{
	"jobs_per_day":  {"jobs a day", perDayCell},
	"users":         {"active users", func(x float64) page.Cell { return cell(x, strings.TrimSuffix(present.Fixed(x, 1), ".0")) }},
	"offered_load":  {"offered load", shareCell[float64]},
	"utilisation":   {"utilisation", shareCell[float64]},
	"wait_mean_s":   {"mean wait", timeCell[float64]},
	"wait_median_s": {"median wait", timeCell[float64]},
	"wait_q90_s":    {"90th percentile of waits", timeCell[float64]},
	"failed_pct":    {"failed jobs", percentCell[float64]},
}

// perDayCell is a number of jobs a day.
func perDayCell(x float64) page.Cell {
	if x >= 100 {
		return cell(x, present.Grouped(int64(math.Round(x))))
	}
	return cell(x, present.Fixed(x, 1))
}

// beyondWords say where the last period is outside its earlier range; else "".
func beyondWords(c inspect.Change, unit string) string {
	switch c.Beyond {
	case "above":
		return fmt.Sprintf("highest of %d %s", c.Earlier+1, plural(unit))
	case "below":
		return fmt.Sprintf("lowest of %d %s", c.Earlier+1, plural(unit))
	}
	return ""
}

// shares are the users and accounts with most processor time.
func (l *Report) shares() []page.Block {
	var blocks []page.Block
	if l.use != nil && l.use.Users != nil {
		blocks = append(blocks, tableOf(shareTable("user", l.use.Users)))
	} else {
		blocks = append(blocks, remark("missing", "The log does not identify users, so there are no shares by user."))
	}
	if l.use != nil && l.use.Accounts != nil {
		blocks = append(blocks, tableOf(shareTable("account", l.use.Accounts)))
	} else {
		blocks = append(blocks, remark("missing", "The log has no accounts or projects."))
	}
	return blocks
}

func shareTable(what string, s *inspect.Shares) page.Table {
	caption := fmt.Sprintf("The %s with the most processor time", countedText(int64(len(s.Top)), what))
	switch {
	case s.Distinct == 1:
		caption = "The only " + what
	case int64(len(s.Top)) < s.Distinct:
		caption += ", of " + present.Grouped(s.Distinct)
	}
	t := page.Table{Caption: caption, Head: []string{what, "processor hours", "share of hours", "share of jobs"}, Beside: true}
	unit := 3600.0
	if mostWork(s.Top) < 2*unit { // of a short log
		unit, t.Head[1], t.Head[2] = 60, "processor minutes", "share of minutes"
	}
	for _, x := range s.Top {
		work := x.Work / unit
		text := present.Grouped(int64(math.Round(work)))
		if work < 10 {
			text = tenths(work)
		}
		t.Rows = append(t.Rows, []page.Cell{textCell(shareName(what, x)), cell(work, text), shareCell(x.WorkPct), shareCell(x.JobsPct)})
	}
	return t
}

// mostWork is the most processor time of one.
func mostWork(top []inspect.UserShare) (most float64) {
	for _, x := range top {
		most = max(most, float64(x.Work))
	}
	return most
}

// shareName is what a user or an account is called.
func shareName(what string, x inspect.UserShare) string {
	if x.Name == "" {
		return fmt.Sprintf("%s %d", what, x.ID)
	}
	return x.Name
}
