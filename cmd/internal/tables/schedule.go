package tables

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// scheduleRow is a row of CSV: the whole, or a site.
type scheduleRow struct {
	site string
	score.Schedule
}

// scheduleColumns returns the columns, with those of throughput where the
// simulation is closed.
func scheduleColumns(closed bool) []present.Column[scheduleRow] {
	processors := func(r scheduleRow) int { return int(r.Processors) }
	columns := []present.Column[scheduleRow]{
		present.Text("partition", "site", func(r scheduleRow) string { return r.site }),
		present.Count("", "processors", processors),
		present.Count("jobs", "jobs", func(r scheduleRow) int { return r.Jobs }),
		present.Count("processors", "", processors),
		present.Float("first_submit_s", "", func(r scheduleRow) stats.Number { return r.First }, nil),
		present.Float("last_end_s", "", func(r scheduleRow) stats.Number { return r.Last }, nil),
	}
	seconds := func(name, heading string, of func(scheduleRow) stats.Number) present.Column[scheduleRow] {
		return present.Time(name, heading, of, second)
	}
	plain := func(name, heading string, of func(scheduleRow) stats.Number) present.Column[scheduleRow] {
		return present.Float(name, heading, of, present.Sig[float64])
	}
	for _, x := range []struct {
		name, mean, median string
		of                 func(*scheduleRow) *score.Spread
		number             func(string, string, func(scheduleRow) stats.Number) present.Column[scheduleRow]
	}{
		{"wait_s", "wait mean", "median", func(r *scheduleRow) *score.Spread { return &r.Wait }, seconds},
		{"response_s", "", "", func(r *scheduleRow) *score.Spread { return &r.Response }, seconds},
		{"bounded_slowdown", "slowdown mean", "", func(r *scheduleRow) *score.Spread { return &r.BoundedSlowdown }, plain},
	} {
		columns = append(columns,
			x.number(x.name+"_mean", x.mean, func(r scheduleRow) stats.Number { return x.of(&r).Mean }),
			x.number(x.name+"_median", x.median, func(r scheduleRow) stats.Number { return x.of(&r).Median }),
			present.Float(x.name+"_q90", "", func(r scheduleRow) stats.Number { return x.of(&r).Q90 }, nil),
			present.Float(x.name+"_q95", "", func(r scheduleRow) stats.Number { return x.of(&r).Q95 }, nil),
			present.Float(x.name+"_max", "", func(r scheduleRow) stats.Number { return x.of(&r).Max }, nil))
	}
	columns = append(columns,
		present.Float("waited_pct", "", func(r scheduleRow) stats.Number { return r.WaitedPct }, nil),
		present.Float("utilisation", "utilisation", func(r scheduleRow) stats.Number { return r.Utilisation }, func(x float64) string { return present.Percent(100 * x) }),
		present.Float("queued_mean", "queued mean", func(r scheduleRow) stats.Number { return r.QueuedMean }, present.Sig[float64]),
		present.Count("queued_most", "most", func(r scheduleRow) int { return r.QueuedMost }),
		present.Float("queued_most_at_s", "", func(r scheduleRow) stats.Number { return r.QueuedMostAt }, nil))
	if !closed {
		return columns
	}
	return append(columns,
		present.Float("makespan_s", "", func(r scheduleRow) stats.Number { return r.Throughput.Makespan }, nil),
		present.Float("jobs_per_day", "jobs a day", func(r scheduleRow) stats.Number { return r.Throughput.JobsPerDay }, present.Sig[float64]),
		present.Float("processor_s_per_day", "", func(r scheduleRow) stats.Number { return r.Throughput.WorkPerDay }, nil))
}

// Schedule presents a simulated schedule; what says what was simulated.
func Schedule(what string, r *evaluate.ScheduleResult) present.Result {
	var sites []scheduleRow
	for _, x := range r.Sites {
		name := "unknown"
		if x.Partition.Known() {
			name = strconv.FormatInt(int64(x.Partition), 10)
		}
		sites = append(sites, scheduleRow{name, x.Schedule})
	}
	columns := scheduleColumns(r.Feedback != nil)
	rows := append([]scheduleRow{{"", r.Whole}}, sites...)
	return present.Result{JSON: r, CSV: present.CSV(append(columns, resourceColumns(r.Resources)...), rows),
		Text: func(w *present.Screen) {
			printSchedule(w, what, r, present.People(columns, sites))
		}}
}

// otherWaits is the ratio of mean waits, either way, at which the table warns that the
// simulation is unlike the log.
const otherWaits = 2

// printSchedule writes the result for people.
func printSchedule(w *present.Screen, what string, r *evaluate.ScheduleResult, sites present.Table) {
	s := r.Whole
	of := ""
	if r.UtilisationOf != "" {
		of = " of " + resourceWords[r.UtilisationOf]
	}
	waited := present.Percent(s.WaitedPct) + " waited"
	logs := &evaluate.ScheduleInLog{}
	if r.InLog != nil {
		logs = r.InLog
		waited += fmt.Sprintf(" (%s in the log)", present.Percent(logs.WaitedPct))
	}
	w.Printf("%s: %d jobs, utilisation%s %s, %s\n\n", what, s.Jobs, of, present.Percent(100*s.Utilisation), waited)
	people := present.Table{Head: []string{"", "mean", "median", "90%", "95%", "max"}}
	add := func(name string, write func(stats.Number) string, x score.Spread) {
		people.Add(name, write(x.Mean), write(x.Median), write(x.Q90), write(x.Q95), write(x.Max))
	}
	// Each time in its own unit: of one schedule the median may be seconds and the longest days.
	time, plain := present.Duration[stats.Number], present.Sig[stats.Number]
	for _, row := range []struct {
		name             string
		write            func(stats.Number) string
		simulated, inLog score.Spread
	}{
		{"wait", time, s.Wait, logs.Wait},
		{"response time", time, s.Response, logs.Response},
		{fmt.Sprintf("bounded slowdown (tau %s s)", present.Sig(s.Tau)), plain, s.BoundedSlowdown, logs.BoundedSlowdown},
	} {
		add(row.name, row.write, row.simulated)
		if r.InLog != nil {
			add("  in the log", row.write, row.inLog)
		}
	}
	w.Table(people)
	if r.InLog != nil && logs.Jobs < s.Jobs {
		w.Printf("in the log: of the %d jobs whose wait it knows\n", logs.Jobs)
	}
	ratio := float64(s.Wait.Mean / logs.Wait.Mean)
	switch {
	case r.Elsewhere():
		w.Printf("in the log: on its machine of %s; compare with a simulation of that machine, without --procs\n", words.Counted(*logs.Processors, "processor"))
	case logs.Jobs >= 100 && (ratio >= otherWaits || ratio <= 1./otherWaits):
		w.Printf("the simulated mean wait is %s times the log's, not between half and double: the simulation does not reproduce how this machine scheduled its jobs, and differences between policies may not hold there\n", present.Sig(ratio))
	}
	quarters := ""
	if line := score.Coarser(s.Line, 4); len(line) == 4 {
		quarters = fmt.Sprintf("; in the quarters of the time %s, %s, %s and %s",
			present.Sig(line[0].QueuedMean), present.Sig(line[1].QueuedMean), present.Sig(line[2].QueuedMean), present.Sig(line[3].QueuedMean))
	}
	w.Printf("\nqueued: %s on average, at most %d%s\n%s", present.Sig(s.QueuedMean), s.QueuedMost, quarters, feedbackLines(r))
	printCluster(w, r)
	if len(sites.Rows) == 0 {
		return
	}
	w.Printf("\n")
	w.Table(sites)
}

// SiteSizes writes the sizes of sites as parseSites reads them.
func SiteSizes(sites map[int64]int64) string {
	var sizes []string
	for _, p := range slices.Sorted(maps.Keys(sites)) {
		sizes = append(sizes, fmt.Sprintf("%d=%d", p, sites[p]))
	}
	return strings.Join(sizes, ",")
}
