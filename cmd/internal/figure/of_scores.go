package figure

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/score"
)

// OfRunTimes returns figures 2 and 3 of Sonmez and others (2009) for a log: the mean
// accuracies by classification, with intervals, and the distributions of accuracy and error of
// the best predictor of each classification.
func OfRunTimes(r *evaluate.RunTimesResult) []Spec {
	if len(r.Best) == 0 {
		return []Spec{absent("run-time-accuracy", "nothing was predicted")}
	}
	source := fmt.Sprintf("%s, %d jobs with a run time", filepath.Base(r.Log.Name), r.Log.Jobs)
	accuracy, miss := accuracyAndError("run-time", "run times", source)
	if b := r.Bootstrap; b != nil && b.Users > 1 {
		source += fmt.Sprintf("; 95 %% intervals over %d users", b.Users)
	}
	byClasses := Spec{Name: "run-time-accuracy", Title: "How accurately run times are predicted", Source: source,
		X: Axis{Title: "classes of jobs", Kind: Categories}, Y: Axis{Title: "mean accuracy", Kind: Number, Max: 1}}
	for _, x := range r.Scores {
		put(&byClasses, Bars, x.Predictor, byClasses.X.category(x.Classes), x.AccuracyMean, x.AccuracyLow, x.AccuracyHigh)
	}
	for _, c := range r.Curves {
		accuracy.cumulative(c.Predictor+","+c.Classes, c.Accuracy)
		miss.cumulative(c.Predictor+","+c.Classes, c.Error)
	}
	miss.fromOne()
	return []Spec{byClasses, accuracy, miss}
}

// OfWaits returns, for each predictor, a picture of predicted and actual waits (figure 4 of
// Downey 1997), and pictures of the distributions of accuracies and errors.
func OfWaits(r *evaluate.WaitsResult) []Spec {
	var all []Spec
	for i := range r.Scores {
		all = append(all, scatterOf(r, &r.Scores[i]))
	}
	return append(all, waitErrors(r)...)
}

// waitsSource returns the line below a picture's title.
func waitsSource(r *evaluate.WaitsResult, waits, what string) string {
	of := "waits of the log"
	switch {
	case waits == evaluate.LogWaits:
	case r.Sites != nil:
		of = "simulated, FCFS, a machine for each site"
	default:
		of = fmt.Sprintf("simulated, FCFS on %d processors", *r.Processors)
	}
	return fmt.Sprintf("%s, %s, %s", filepath.Base(r.Log.Name), of, what)
}

func scatterOf(r *evaluate.WaitsResult, x *evaluate.WaitScore) Spec {
	title, predicted, actual := "Predicted and actual waits: ", "predicted wait", "actual wait"
	switch {
	case x.Bound:
		title, predicted = "Bounds and actual waits: ", "bound of the wait"
	case x.Waits == evaluate.HeadWaits:
		predicted, actual = "predicted time at the head of the queue", "actual time at the head of the queue"
	}
	return scatter("wait-scatter-"+x.Predictor, title+x.Predictor, waitsSource(r, x.Waits, fmt.Sprintf("%d jobs", x.Scatter.Jobs)), x.Scatter, predicted, actual)
}

// fewestInColumn is the least number of jobs for which the mean and the median of a column of
// a scatter plot are drawn.
const fewestInColumn = 10

// scatter returns a picture of actual against predicted waits, darker where there are more
// jobs, with the identity, and with the mean and the median of the actual waits
// by columns of predicted waits: figure 4 of Downey (1997), "Predicting queue
// times on space-sharing parallel computers". The identity is a straight line but not
// the diagonal, since each axis has its own range.
//
// Predictions beyond ten times the longest actual wait, or ten times the shortest prediction
// if that is longer, are left out; the source line counts them.
func scatter(name, title, source string, of score.Scatter, predicted, actual string) Spec {
	if of.Jobs == 0 {
		return absent(name, "nothing was predicted")
	}
	atASecond := func(title string, n int) Axis {
		if n > 0 {
			title += fmt.Sprintf(" (%d below 1 s, drawn at 1 s)", n)
		}
		return Axis{Title: title, Kind: Duration}
	}
	s := Spec{Name: name, Title: title, Source: source, Square: true, X: atASecond(predicted, of.ShortPredicted), Y: atASecond(actual, of.ShortActual)}
	cells := Series{Kind: Cells, Side: math.Pow(10, 1./score.ScatterCells)}
	shortest, longest := math.Inf(1), 0.0
	for _, c := range of.Cells {
		shortest, longest = min(shortest, c.Predicted), max(longest, c.Actual*cells.Side)
	}
	off := 0
	for _, c := range of.Cells {
		if c.Predicted > 10*max(longest, shortest) {
			off += c.Jobs
			continue
		}
		cells.X, cells.Y, cells.Count = append(cells.X, c.Predicted), append(cells.Y, c.Actual), append(cells.Count, c.Jobs)
	}
	if off > 0 {
		s.Source += fmt.Sprintf("; %d are off the chart", off)
	}
	cells.Name = fmt.Sprintf("up to %d jobs", slices.Max(cells.Count))
	s.X.decadeAtLeast(cells.X, cells.Side)
	s.Y.decadeAtLeast(cells.Y, cells.Side)
	var x, mean, median []float64
	for i, c := range of.Columns {
		if i > 0 && c.From > of.Columns[i-1].To*(1+1e-9) { // columns without jobs
			x, mean, median = append(x, c.From), append(mean, unknown), append(median, unknown)
		}
		a, b := max(1, c.Mean), max(1, c.Median)
		if c.Jobs < fewestInColumn {
			a, b = unknown, unknown
		}
		x, mean, median = append(x, math.Sqrt(c.From)*math.Sqrt(c.To)), append(mean, a), append(median, b)
	}
	s.Series = []Series{cells}
	if ends := []float64{max(s.X.Min, s.Y.Min), min(s.X.Max, s.Y.Max)}; ends[0] < ends[1] {
		s.Series = append(s.Series, reference("identity", ends, ends))
	}
	s.Series = append(s.Series, Series{Name: "mean", Kind: Line, Color: 1, X: x, Y: mean}, Series{Name: "median", Kind: Line, Color: 2, X: x, Y: median})
	return s
}

// decadeAtLeast sets the range of an axis to that of cells, given by their lower ends, but to a
// factor of ten at least.
func (a *Axis) decadeAtLeast(cells []float64, side float64) {
	low, high := slices.Min(cells), slices.Max(cells)*side
	f := max(1, math.Sqrt(10*low/high))
	a.Min, a.Max = low/f, high*f
}

// waitErrors returns pictures of the distributions of accuracy and error of waits predicted in the
// simulated queue: figure 4 of Sonmez and others (2009). Bounds of the log's own waits are left
// out: they are not meant to be close.
func waitErrors(r *evaluate.WaitsResult) []Spec {
	accuracy, miss := accuracyAndError("wait", "waits", "")
	jobs := 0
	for _, x := range r.Scores {
		if x.Waits == evaluate.QueueWaits && len(x.Accuracy) > 0 {
			accuracy.cumulative(x.Predictor, x.Accuracy)
			miss.cumulative(x.Predictor, x.Error)
			jobs = max(jobs, x.Predicted)
		}
	}
	if jobs == 0 {
		return nil
	}
	miss.fromOne()
	accuracy.Source = waitsSource(r, evaluate.QueueWaits, fmt.Sprintf("%d jobs that waited", jobs))
	miss.Source = accuracy.Source
	return []Spec{accuracy, miss}
}
