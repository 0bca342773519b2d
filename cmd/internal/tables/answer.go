package tables

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/live/forecast"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Answer is an answer in its three forms.
func Answer(r *forecast.Answer) view.Result {
	return view.Result{JSON: r, CSV: view.CSV(r.Predictions), Text: func(w *view.Screen) {
		w.Printf("%s", prose.Text("wait", r))
		var bounded, others []forecast.Prediction
		for _, p := range r.Predictions {
			if len(p.Bounds) > 0 {
				bounded = append(bounded, p)
			} else {
				others = append(others, p)
			}
		}
		if len(bounded) > 0 {
			w.Table(boundsTable(r, bounded))
		}
		if len(bounded) > 0 && len(others) > 0 {
			w.Printf("\nexpected wait only, without bounds:\n")
		}
		if len(others) > 0 {
			w.Table(view.For(others).Without("observations").Table())
		}
		w.Printf("%s", prose.Text("wait record", r))
		if len(r.Turnarounds) > 0 {
			w.Printf("\n")
			w.Table(turnaroundTable(r))
		}
		if len(r.LeftOut) > 0 {
			w.Printf("\n%s", prose.Text("wait left out", r))
		}
	}}
}

// boundsTable has a column for each quantile.
func boundsTable(r *forecast.Answer, rows []forecast.Prediction) view.Table {
	for i := range rows {
		if rows[i].Recommended {
			rows[i].Predictor += " *"
		}
	}
	t := view.For(rows)
	for k, quantile := range r.Quantiles {
		t.With(view.Cell[forecast.Prediction]{Before: "observations", Heading: view.Level(quantile) + " wait at most", Text: func(p forecast.Prediction) string {
			return boundText(p.Bounds[k])
		}})
	}
	if r.Record != nil {
		t.With(view.Cell[forecast.Prediction]{Heading: view.Level(r.Record.Quantile) + " bounds covered", Text: func(p forecast.Prediction) string {
			return coveredText(r.JudgedOn(p))
		}})
	}
	return t.Table()
}

// boundText writes a bound, with its confidence where it has one.
func boundText(b forecast.Bound) string {
	text := view.Wait(b.Seconds)
	if view.Known(b.Seconds) && view.Known(b.Achieved) {
		text += " (" + view.Percent(100*b.Achieved) + ")"
	}
	return text
}

// coveredText writes a share of some jobs. Decimals mean nothing below a hundred of them.
func coveredText(coverage stats.Number, jobs int) string {
	switch {
	case jobs == 0:
		return "-"
	case jobs < 100:
		return fmt.Sprintf("%.0f%% of %d", 100*float64(coverage), jobs)
	}
	return fmt.Sprintf("%s of %d", view.Percent(100*float64(coverage)), jobs)
}

// sizeRow is a row of the table of turnarounds.
type sizeRow struct {
	number     int
	Processors int64   `show:"processors"`
	Run        float64 `show:"run time,wait"`
}

// turnaroundTable has a line for each size and a column for each predictor.
func turnaroundTable(r *forecast.Answer) view.Table {
	var rows []sizeRow
	for i, n := range r.Request.Processors {
		rows = append(rows, sizeRow{i, n, r.Request.Runs[i]})
	}
	table := view.For(rows)
	for _, t := range r.Turnarounds {
		table.With(view.Cell[sizeRow]{Heading: "turnaround by " + t.Predictor, Text: func(row sizeRow) string {
			text := view.Wait(t.Sizes[row.number].Turnaround)
			if t.Least != nil && *t.Least == row.Processors {
				text += " least"
			}
			return text
		}})
	}
	return table.Table()
}
