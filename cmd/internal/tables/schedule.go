package tables

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// scheduleRow is a schedule of all jobs, or of those of a partition.
type scheduleRow struct {
	Of        string `csv:"of" show:"waits"` // simulated or log
	Partition string `csv:"partition" show:"partition"`
	score.Schedule
}

// scheduleRows are the simulated schedule, the log's and those of the partitions.
func scheduleRows(r *evaluate.ScheduleResult) []scheduleRow {
	rows := []scheduleRow{{"simulated", "", r.Whole}}
	if l := r.InLog; l != nil {
		rows = append(rows, scheduleRow{"log", "", waitsOnly(l.Jobs, l.Wait, l.Response, l.BoundedSlowdown, l.WaitedPct)})
	}
	for _, x := range r.Sites {
		name := "unknown"
		if x.Partition.Known() {
			name = fmt.Sprint(x.Partition)
		}
		rows = append(rows, scheduleRow{"simulated", name, x.Schedule})
	}
	for _, x := range r.Partitions {
		name := x.Name
		if name == "" {
			name = fmt.Sprint(x.Partition)
		}
		rows = append(rows, scheduleRow{"simulated", name, waitsOnly(x.Jobs, x.Wait, unknownSpread, x.BoundedSlowdown, x.WaitedPct)})
	}
	return rows
}

var (
	unknown       = stats.Number(math.NaN())
	unknownSpread = score.Spread{Mean: unknown, Median: unknown, Q90: unknown, Q95: unknown, Max: unknown}
)

// waitsOnly is a schedule of which only the jobs' waits are known.
func waitsOnly(jobs int, wait, response, slowdown score.Spread, waited stats.Number) score.Schedule {
	return score.Schedule{Jobs: jobs, First: unknown, Last: unknown, Wait: wait, Response: response, BoundedSlowdown: slowdown, WaitedPct: waited,
		Utilisation: unknown, QueuedMean: unknown, QueuedMost: workload.Integer(workload.Unknown), QueuedMostAt: unknown}
}

// Schedule presents a simulated schedule; what says what was simulated.
func Schedule(what string, r *evaluate.ScheduleResult) present.Result {
	rows := scheduleRows(r)
	return present.Result{JSON: r, CSV: view.CSV(rows, r.Resources), Text: func(w *present.Screen) { printSchedule(w, what, r, rows) }}
}

// resourceWords are the resources for people.
var resourceWords = map[string]string{"processors": "processors", "gpus": "GPUs", "memory_kb": "memory", "nodes": "nodes"}

// printSchedule writes the result for people.
func printSchedule(w *present.Screen, what string, r *evaluate.ScheduleResult, rows []scheduleRow) {
	w.Printf("%s\n\n", what)
	w.Table(view.For(rows).Without("slowdown median", "slowdown 95%", "slowdown max").Table())
	if len(r.Resources) > 0 {
		w.Printf("\n")
		w.Table(view.For(r.Resources).Table())
	}
	s := r.Whole
	legend := []string{fmt.Sprintf("slowdown: wait and run time over the run time, which counts as at least %s s", present.Sig(s.Tau))}
	if r.UtilisationOf != "" {
		legend[0] += "; utilisation: of " + resourceWords[r.UtilisationOf]
	}
	queued := fmt.Sprintf("queued: %s on average, at most %d", present.Sig(s.QueuedMean), s.QueuedMost)
	if line := score.Coarser(s.Line, 4); len(line) == 4 {
		queued += fmt.Sprintf("; in the quarters of the time %s, %s, %s and %s",
			present.Sig(line[0].QueuedMean), present.Sig(line[1].QueuedMean), present.Sig(line[2].QueuedMean), present.Sig(line[3].QueuedMean))
	}
	writeLegend(w, slices.Concat(legend, unlikeTheLog(r), []string{queued}, feedbackLines(r))...)
}

// otherWaits is the ratio of mean waits, either way, at which the table warns that the
// simulation is unlike the log.
const otherWaits = 2

// unlikeTheLog warns of waits that are not to be compared with the log's.
func unlikeTheLog(r *evaluate.ScheduleResult) []string {
	if r.Elsewhere() {
		return []string{fmt.Sprintf("log: on its machine of %s; compare with a simulation of that machine, without --procs", words.Counted(*r.InLog.Processors, "processor"))}
	}
	if r.InLog == nil || r.InLog.Jobs < 100 {
		return nil
	}
	ratio := float64(r.Whole.Wait.Mean / r.InLog.Wait.Mean)
	if math.IsNaN(ratio) || ratio > 1./otherWaits && ratio < otherWaits {
		return nil
	}
	return []string{fmt.Sprintf("the simulated mean wait is %s times the log's, not between half and double: the simulation does not reproduce\n"+
		"how this machine scheduled its jobs, and differences between policies may not hold there", present.Sig(ratio))}
}

// feedbackLines tells what feedback did and what got done; there are none for an open
// simulation.
func feedbackLines(r *evaluate.ScheduleResult) []string {
	f, t := r.Feedback, r.Whole.Throughput
	if f == nil {
		return nil
	}
	done, delayed := present.Sig(t.JobsPerDay)+" jobs", ""
	if r.UtilisationOf == "" {
		done += " and " + present.Sig(t.WorkPerDay/3600) + " processor hours"
	}
	if f.Delayed > 0 {
		delayed = fmt.Sprintf(", by %s on average and %s at most", present.Duration(f.DelayMean), present.Duration(f.DelayMax))
	}
	return []string{
		fmt.Sprintf("throughput: %s a day, makespan %s days", done, present.Sig(t.Makespan/86400)),
		fmt.Sprintf("feedback: %d jobs have a preceding job, %s; %d submitted later than in the log%s", f.Linked, prose.Text("dependencies", f.Dependencies), f.Delayed, delayed),
	}
}

// SiteSizes writes the sizes of sites as parseSites reads them.
func SiteSizes(sites map[int64]int64) string {
	var sizes []string
	for _, p := range slices.Sorted(maps.Keys(sites)) {
		sizes = append(sizes, fmt.Sprintf("%d=%d", p, sites[p]))
	}
	return strings.Join(sizes, ",")
}
