package tables

import (
	"cmp"
	"fmt"
	"reflect"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/study"
	"github.com/loadstone-hpc/loadstone/study/allocate"
	"github.com/loadstone-hpc/loadstone/study/capacity"
)

// scheduleRow is a row of the scores of a schedule, of all jobs or of one partition's.
type scheduleRow struct {
	Of        string `csv:"of" show:"waits"` // simulated or log
	Partition string `csv:"partition" show:"partition"`
	score.Schedule
}

// scheduleRows returns rows for the simulated schedule, the log's, and the simulated schedules of
// partitions.
func scheduleRows(r *evaluate.ScheduleResult) []scheduleRow {
	rows := []scheduleRow{{"simulated", "", r.Whole}}
	if r.InLog != nil {
		rows = append(rows, scheduleRow{"log", "", *r.InLog})
	}
	for _, x := range r.Sites {
		name := "unknown"
		if x.Partition.Known() {
			name = cmp.Or(x.Name, fmt.Sprint(x.Partition))
		}
		rows = append(rows, scheduleRow{"simulated", name, x.Schedule})
	}
	return rows
}

// Schedule presents a simulated schedule; what describes the simulation.
func Schedule(what string, r *evaluate.ScheduleResult) view.Result {
	rows := scheduleRows(r)
	return prose.Result("simulate", scheduled{r, what, rows}, r, rows, r.Resources)
}

// scheduled is the data of the template of prose/simulate.txt.
type scheduled struct {
	*evaluate.ScheduleResult
	What string
	Rows []scheduleRow
}

// Ratio returns the mean simulated wait divided by the mean wait in the log.
func (s scheduled) Ratio() stats.Number { return s.Whole.Wait.Mean / s.InLog.Wait.Mean }

// Unlike reports whether the simulated waits are too unlike the log's to be compared: their means
// differ by a factor of 2 or more over at least 100 jobs of the log.
func (s scheduled) Unlike() bool {
	return s.InLog != nil && s.InLog.Jobs >= 100 && (s.Ratio() <= 0.5 || s.Ratio() >= 2)
}

// Quarters returns the schedule by quarter of its period; nil if the period is too short.
func (s scheduled) Quarters() []score.SchedulePart {
	if line := score.Coarser(s.Whole.Line, 4); len(line) == 4 {
		return line
	}
	return nil
}

// quantity is a row of the CSV: a quantity of a strategy.
type quantity struct {
	Strategy string `csv:"strategy"`
	Side     string `csv:"side"`
	Quantity string `csv:"quantity"`
	study.Interval
}

// strategyRow is a row of a table for people: a strategy from the view of applications or of the
// system.
type strategyRow[Side any] struct {
	Strategy string `show:"strategy"`
	Of       Side   `row:"flat"`
}

// allocation is the data of the template.
type allocation struct {
	*allocate.Result
	Alone []strategyRow[allocate.Application[study.Interval]] // strategies that can save time on avg's own schedule
	All   []strategyRow[allocate.System[study.Interval]]
}

// Allocation presents a study of strategies that allocate processors to malleable jobs.
func Allocation(r *allocate.Result) view.Result {
	shown := allocation{Result: r}
	var csv []quantity
	for _, x := range r.Strategies {
		row := quantity{Strategy: x.Name}
		csv = append(append(csv, quantities(row, "application", x.Application)...), quantities(row, "system", x.System)...)
		if x.Foresight != allocate.None || x.MinShare > 0 {
			shown.Alone = append(shown.Alone, strategyRow[allocate.Application[study.Interval]]{x.Name, x.Application})
		}
		shown.All = append(shown.All, strategyRow[allocate.System[study.Interval]]{x.Name, x.System})
	}
	return prose.Result("allocate", shown, r, csv)
}

// Capacity presents a study of the size of a machine.
func Capacity(r *capacity.Result) view.Result {
	return prose.Result("capacity", r, r, r.Answers, r.Curve, r.Classes, r.Limits)
}

// quantities returns rows of the CSV for one side of a strategy; of is a struct of intervals.
func quantities(row quantity, side string, of any) (rows []quantity) {
	intervals := reflect.ValueOf(of)
	for i := range intervals.NumField() {
		row.Side, row.Quantity, row.Interval = side, intervals.Type().Field(i).Tag.Get("json"), intervals.Field(i).Interface().(study.Interval)
		rows = append(rows, row)
	}
	return rows
}
