package tables

import (
	"cmp"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/study/allocate"
)

// quantityRow is a row for programs.
type quantityRow struct {
	Parameter string        `csv:"swept_parameter"`
	Value     *stats.Number `csv:"swept_value"`
	Strategy  string        `csv:"strategy"`
	Side      string        `csv:"side"`
	Quantity  string        `csv:"quantity"`
	allocate.Interval
}

// strategyRow is a row for people: what an allocate.ApplicationResult or SystemResult of texts
// says of a strategy at a setting.
type strategyRow[Texts any] struct {
	value    *stats.Number
	Strategy string `show:"strategy"`
	Texts    Texts  `row:"flat"`
}

// Allocation is the result in its three forms.
func Allocation(r *allocate.Result) view.Result {
	var csv []quantityRow
	var alone []strategyRow[allocate.ApplicationResult[string]]
	var all []strategyRow[allocate.SystemResult[string]]
	for _, s := range r.Settings {
		for i := range s.Strategies {
			x := &s.Strategies[i]
			row := quantityRow{Parameter: r.Parameter, Value: s.Value, Strategy: x.Name}
			a := strategyRow[allocate.ApplicationResult[string]]{value: s.Value, Strategy: x.Name}
			b := strategyRow[allocate.SystemResult[string]]{value: s.Value, Strategy: x.Name}
			csv = append(append(csv, quantities(row, "application", x.Application, &a.Texts)...), quantities(row, "system", x.System, &b.Texts)...)
			if x.Foresight != allocate.None || x.MinShare > 0 { // avg saves nothing on its own schedule
				alone = append(alone, a)
			}
			all = append(all, b)
		}
	}
	return view.Result{JSON: r, CSV: view.CSV(csv), Text: func(w *view.Screen) {
		w.Printf("%s\n", r.Title())
		if len(alone) > 0 {
			w.Printf("\nWhat single jobs save on avg's schedule, each as if it alone chose:\n")
			w.Table(strategyTable(r.Parameter, alone))
		}
		w.Printf("\nThe schedules if all jobs choose:\n")
		w.Table(strategyTable(r.Parameter, all))
		if n := min(trialRows, len(r.Heuristics)); n > 0 {
			w.Printf("\nheur's parameters, the best %d of %d:\n", n, len(r.Heuristics))
			w.Table(view.For(r.Heuristics[:n]).Table())
		}
	}}
}

// trialRows is how many of a search's points the table for people shows.
const trialRows = 5

// quantities are rows for programs of one side of a strategy, of which texts are for people.
func quantities[Texts any](row quantityRow, side string, intervals any, texts *Texts) (rows []quantityRow) {
	in, out := reflect.ValueOf(intervals), reflect.ValueOf(texts).Elem()
	for i, f := range field.Of[Texts]() {
		row.Side, row.Quantity, row.Interval = side, f.Name, in.Field(i).Interface().(allocate.Interval)
		rows = append(rows, row)
		out.Field(i).SetString(intervalText(f, row.Interval))
	}
	return rows
}

// strategyTable has a row for each setting and strategy.
func strategyTable[Texts any](parameter string, rows []strategyRow[Texts]) view.Table {
	t := view.For(rows)
	if parameter != "" {
		t.With(view.Cell[strategyRow[Texts]]{First: true, Heading: parameter, Text: func(r strategyRow[Texts]) string { return view.Full(*r.value) }})
	}
	return t.Table()
}

// intervalText writes an interval as its mean and half its width, or with its ends where one
// was cut to what can be, in the unit and with the decimals of its field.
func intervalText(f field.Field, v allocate.Interval) string {
	unit, _ := f.Tag("unit")
	divisor, _ := strconv.ParseFloat(cmp.Or(unit, "1"), 64)
	decimals, _ := strconv.Atoi(strings.Trim(f.Verb, "%.f"))
	number := func(x stats.Number) string { return view.Fixed(float64(x)/divisor, decimals) }
	text := number(v.Mean)
	if text == "-" || math.IsNaN(float64(v.Low)) {
		return text
	}
	if low, high := number(v.Low), number(v.High); low != number(v.Mean-v.Half) || high != number(v.Mean+v.Half) {
		return text + " (" + low + " to " + high + ")"
	}
	return text + " ±" + number(v.Half)
}
