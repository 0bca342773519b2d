package tables

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

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
	return score.Schedule{Jobs: jobs, Processors: workload.Integer(workload.Unknown), First: unknown, Last: unknown, Wait: wait, Response: response, BoundedSlowdown: slowdown, WaitedPct: waited,
		Utilisation: unknown, QueuedMean: unknown, QueuedMost: workload.Integer(workload.Unknown), QueuedMostAt: unknown}
}

// Schedule presents a simulated schedule; what says what was simulated.
func Schedule(what string, r *evaluate.ScheduleResult) view.Result {
	rows := scheduleRows(r)
	return view.Result{JSON: r, CSV: view.CSV(rows, r.Resources), Text: func(w *view.Screen) {
		table := view.For(rows).Without("slowdown median", "slowdown 95%", "slowdown max").Table()
		w.Printf("%s", prose.Text("simulate", scheduled{r, what, table, view.For(r.Resources).Table()}))
	}}
}

// scheduled is what the template of prose/simulate.txt is given.
type scheduled struct {
	*evaluate.ScheduleResult
	What                 string
	Table, ResourceTable view.Table
}

// Ratio is that of the mean waits, simulated and in the log.
func (s scheduled) Ratio() stats.Number { return s.Whole.Wait.Mean / s.InLog.Wait.Mean }

// Unlike says whether the waits are not to be compared with the log's.
func (s scheduled) Unlike() bool {
	return s.InLog != nil && s.InLog.Jobs >= 100 && (s.Ratio() <= 0.5 || s.Ratio() >= 2)
}

func (s scheduled) LogMachine() string { return words.Counted(*s.InLog.Processors, "processor") }

func (s scheduled) HoursPerDay() stats.Number { return s.Whole.Throughput.WorkPerDay / 3600 }

// Quarters are those of the time; nil where it is too short.
func (s scheduled) Quarters() []score.SchedulePart {
	if line := score.Coarser(s.Whole.Line, 4); len(line) == 4 {
		return line
	}
	return nil
}

// SiteSizes writes the sizes of sites as parseSites reads them.
func SiteSizes(sites map[int64]int64) string {
	var sizes []string
	for _, p := range slices.Sorted(maps.Keys(sites)) {
		sizes = append(sizes, fmt.Sprintf("%d=%d", p, sites[p]))
	}
	return strings.Join(sizes, ",")
}
