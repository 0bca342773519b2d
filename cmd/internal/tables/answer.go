package tables

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/live/forecast"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Answer is an answer in its three forms.
func Answer(r *forecast.Answer) present.Result {
	csv := waitCSV(r)
	return present.Result{JSON: r, CSV: csv, Text: func(w *present.Screen) { printWait(w, r) }}
}

// waitBound is a line of the CSV: a prediction and one of its bounds.
type waitBound struct {
	*forecast.Prediction
	forecast.Bound
}

// waitCSV has a line for each bound, or one without a bound for predictors that
// have none.
func waitCSV(r *forecast.Answer) present.Table {
	var rows []waitBound
	for i := range r.Predictions {
		p := &r.Predictions[i]
		for _, b := range p.Bounds {
			rows = append(rows, waitBound{p, b})
		}
		if nan := stats.Number(math.NaN()); len(p.Bounds) == 0 {
			rows = append(rows, waitBound{p, forecast.Bound{Quantile: math.NaN(), Seconds: nan, Achieved: nan, Coverage: nan, Loss: nan, SimilarCoverage: nan, SimilarLoss: nan}})
		}
	}
	return present.CSV([]present.Column[waitBound]{
		present.Count("processors", "", func(b waitBound) int { return int(b.Processors) }),
		present.Text("predictor", "", func(b waitBound) string { return b.Predictor }),
		present.Float("expected_s", "", func(b waitBound) stats.Number { return b.Expected }, nil),
		present.Float("quantile", "", func(b waitBound) stats.Number { return stats.Number(b.Quantile) }, nil),
		present.Float("bound_s", "", func(b waitBound) stats.Number { return b.Seconds }, nil),
		present.Float("achieved_confidence", "", func(b waitBound) stats.Number { return b.Achieved }, nil),
		present.Count("observations", "", func(b waitBound) int { return b.Observations }),
		present.Text("group", "", func(b waitBound) string { return b.Prediction.Group }),
		present.Float("history_coverage", "", func(b waitBound) stats.Number { return b.Coverage }, nil),
		present.Count("history_jobs", "", func(b waitBound) int { return b.Jobs }),
		present.Float("history_pinball_loss_min", "", func(b waitBound) stats.Number { return b.Loss }, nil),
		present.Text("recommended", "", func(b waitBound) string { return strconv.FormatBool(b.Recommended) }),
		present.Float("similar_coverage", "", func(b waitBound) stats.Number { return b.SimilarCoverage }, nil),
		present.Count("similar_jobs", "", func(b waitBound) int { return b.SimilarJobs }),
		present.Float("similar_pinball_loss_min", "", func(b waitBound) stats.Number { return b.SimilarLoss }, nil),
	}, rows)
}

// split returns the predictions with bounds and those that are an expected wait only. If
// none has bounds, the table shows them all.
func split(r *forecast.Answer) (rows, expected []forecast.Prediction) {
	for _, p := range r.Predictions {
		if len(p.Bounds) > 0 {
			rows = append(rows, p)
		} else {
			expected = append(expected, p)
		}
	}
	if len(rows) == 0 {
		return r.Predictions, nil
	}
	return rows, expected
}

// expectedText lists the predictions that are an expected wait only, a line for each size.
func expectedText(all []forecast.Prediction) string {
	var text strings.Builder
	for i, p := range all {
		if i == 0 || p.Processors != all[i-1].Processors {
			fmt.Fprintf(&text, "\nexpected wait only, without bounds, for %d %s:", p.Processors, words.Noun(int(p.Processors), "processor"))
		} else {
			text.WriteByte(',')
		}
		fmt.Fprintf(&text, " %s %s", p.Predictor, duration(p.Expected))
	}
	return text.String()
}

// waitTable has a column for each quantile.
func waitTable(r *forecast.Answer, rows []forecast.Prediction) present.Table {
	type row = forecast.Prediction
	columns := []present.Column[row]{
		present.Count("", "processors", func(p row) int { return int(p.Processors) }),
		present.Text("", "predictor", func(p row) string {
			if p.Recommended {
				return p.Predictor + " *"
			}
			return p.Predictor
		}),
		present.Text("", "expected", func(p row) string { return duration(p.Expected) }),
	}
	for i, quantile := range r.Quantiles {
		columns = append(columns, present.Text("", percentShort(quantile)+" wait at most", func(p row) string {
			if i >= len(p.Bounds) {
				return "-"
			}
			return waitCell(p.Bounds[i])
		}))
	}
	columns = append(columns, present.Count("", "observations", func(p row) int { return p.Observations }))
	if r.Record != nil {
		k := slices.Index(r.Quantiles, r.Record.Quantile)
		columns = append(columns, present.Text("", percentShort(r.Record.Quantile)+" bounds covered", func(p row) string {
			if k >= len(p.Bounds) {
				return "-"
			}
			return coveredCell(judgedOn(r, p, k))
		}))
	}
	return present.People(columns, rows)
}

// judgedOn returns the share of the past waits that the k-th bounds of a prediction covered,
// and the number of these waits.
func judgedOn(r *forecast.Answer, p forecast.Prediction, k int) (coverage stats.Number, jobs int) {
	b := &p.Bounds[k]
	if sizeRecord(r, p.Processors).Group != "" {
		return b.SimilarCoverage, b.SimilarJobs
	}
	return b.Coverage, b.Jobs
}

// coveredCell writes a share of some jobs. Decimals mean nothing below a hundred of them.
func coveredCell(coverage stats.Number, jobs int) string {
	switch {
	case jobs == 0:
		return "-"
	case jobs < 100:
		return fmt.Sprintf("%.0f%% of %d", 100*float64(coverage), jobs)
	}
	return fmt.Sprintf("%s of %d", present.Percent(100*float64(coverage)), jobs)
}

// fewerJudged reports whether a predictor had no bound for some of the jobs on which the
// predictors of its size are judged.
func fewerJudged(r *forecast.Answer) bool {
	k := slices.Index(r.Quantiles, r.Record.Quantile)
	return slices.ContainsFunc(r.Predictions, func(p forecast.Prediction) bool {
		if k >= len(p.Bounds) {
			return false
		}
		_, jobs := judgedOn(r, p, k)
		return jobs > 0 && jobs < sizeRecord(r, p.Processors).Jobs
	})
}

// sizeRecord returns the past jobs by which a predictor is recommended for a size.
func sizeRecord(r *forecast.Answer, processors int64) *forecast.SizeRecord {
	return &r.Record.Sizes[slices.IndexFunc(r.Record.Sizes, func(s forecast.SizeRecord) bool { return s.Processors == processors })]
}

// waitCell writes a bound, with its confidence where it has one.
func waitCell(b forecast.Bound) string {
	cell := duration(b.Seconds)
	if !math.IsNaN(float64(b.Seconds)) && !math.IsNaN(float64(b.Achieved)) {
		cell += " (" + present.Percent(100*float64(b.Achieved)) + ")"
	}
	return cell
}

// duration writes seconds for people, in minutes, hours or days from one minute on. It
// is "-" where they are unknown.
func duration[N ~float64](seconds N) string {
	switch {
	case seconds > 0 && seconds < 1:
		return "< 1 s"
	case seconds >= 1 && seconds < 59.5:
		return present.Fixed(float64(seconds), 0) + " s"
	case seconds >= 59.5 && seconds < 60:
		return "1 min"
	case seconds >= 60 && seconds < 120:
		return present.Sig(float64(seconds)/60) + " min"
	case seconds == 0:
		return "0 min"
	}
	return present.Duration(seconds)
}

// turnaroundTable has a line for each size and a column for each predictor.
func turnaroundTable(r *forecast.Answer) present.Table {
	columns := []present.Column[int]{
		present.Count("", "processors", func(i int) int { return int(r.Request.Processors[i]) }),
		present.Text("", "run time", func(i int) string { return duration(r.Request.Runs[i]) }),
	}
	for _, t := range r.Turnarounds {
		columns = append(columns, present.Text("", "turnaround by "+t.Predictor, func(i int) string {
			cell := duration(t.Sizes[i].Turnaround)
			if t.Least != nil && *t.Least == t.Sizes[i].Processors {
				cell += " least"
			}
			return cell
		}))
	}
	var rows []int
	for i := range r.Request.Processors {
		rows = append(rows, i)
	}
	return present.People(columns, rows)
}

// seconds writes a time for people; "-" where it has no value.
func seconds[N ~float64](x N) string {
	if text := present.Sig(float64(x)); text != "-" {
		return text + " s"
	}
	return "-"
}

// percentShort is a share in per cent without decimals that say nothing.
func percentShort(x float64) string { return strconv.FormatFloat(100*x, 'g', -1, 64) + "%" }
