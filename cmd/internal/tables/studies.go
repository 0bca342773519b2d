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

// scheduleRow is a schedule of all jobs, or of those of a partition.
type scheduleRow struct {
	Of        string `csv:"of" show:"waits"` // simulated or log
	Partition string `csv:"partition" show:"partition"`
	score.Schedule
}

// scheduleRows are the simulated schedule, the log's and those of the partitions.
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

// Schedule presents a simulated schedule; what says what was simulated.
func Schedule(what string, r *evaluate.ScheduleResult) view.Result {
	rows := scheduleRows(r)
	return prose.Result("simulate", scheduled{r, what, rows}, r, rows, r.Resources)
}

// scheduled is what the template of prose/simulate.txt is given.
type scheduled struct {
	*evaluate.ScheduleResult
	What string
	Rows []scheduleRow
}

// Ratio is that of the mean waits, simulated and in the log.
func (s scheduled) Ratio() stats.Number { return s.Whole.Wait.Mean / s.InLog.Wait.Mean }

// Unlike says whether the waits are not to be compared with the log's.
func (s scheduled) Unlike() bool {
	return s.InLog != nil && s.InLog.Jobs >= 100 && (s.Ratio() <= 0.5 || s.Ratio() >= 2)
}

// Quarters are those of the time; nil where it is too short.
func (s scheduled) Quarters() []score.SchedulePart {
	if line := score.Coarser(s.Whole.Line, 4); len(line) == 4 {
		return line
	}
	return nil
}

// quantity is a row for programs: a quantity of a strategy.
type quantity struct {
	Strategy string `csv:"strategy"`
	Side     string `csv:"side"`
	Quantity string `csv:"quantity"`
	study.Interval
}

// strategyRow is a row for people: one side of a strategy.
type strategyRow[Side any] struct {
	Strategy string `show:"strategy"`
	Of       Side   `row:"flat"`
}

// allocation is what the template is given.
type allocation struct {
	*allocate.Result
	Alone []strategyRow[allocate.Application[study.Interval]] // that save something on avg's own schedule
	All   []strategyRow[allocate.System[study.Interval]]
}

// Allocation is the result in its three forms.
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

// Capacity is the result in its three forms.
func Capacity(r *capacity.Result) view.Result {
	return prose.Result("capacity", r, r, r.Answers, r.Curve, r.Classes, r.Limits)
}

// quantities are rows for programs of one side of a strategy.
func quantities(row quantity, side string, of any) (rows []quantity) {
	intervals := reflect.ValueOf(of)
	for i := range intervals.NumField() {
		row.Side, row.Quantity, row.Interval = side, intervals.Type().Field(i).Tag.Get("json"), intervals.Field(i).Interface().(study.Interval)
		rows = append(rows, row)
	}
	return rows
}
