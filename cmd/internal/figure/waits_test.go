package figure

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
)

// waitDrawings are the pictures of made-up waits.
func waitDrawings() []drawing {
	var p WaitPoints
	p.Predictor, p.Side, p.Predicted, p.Actual, p.ShortActual = "bmbp", 2, "bound of the wait", "actual wait", 3
	for i := range 12 {
		x := math.Exp2(float64(i))
		p.Cells = append(p.Cells, WaitCell{x, x, 1 + i}, WaitCell{x, 1, 20})
		p.Columns = append(p.Columns, WaitColumn{x, 2 * x, 21 + i, x / 2, x / 4})
	}
	p.Cells = append(p.Cells, WaitCell{1e9, 60, 7})
	var from, to, share []float64
	for i := range 60 {
		from, to, share = append(from, 604800*float64(i)), append(to, 604800*float64(i+1)), append(share, 0.9+0.001*float64(i))
	}
	real, bound := make([]float64, 80), make([]float64, 80)
	for i := range real {
		real[i], bound[i] = 100*float64(i), 3600
	}
	of := []Shares{{"simulated", []float64{0, 0.5, 1}, []float64{0, 0.5, 1}}}
	return []drawing{
		{"wait accuracies", func(w io.Writer, f string) error { return WaitAccuracyShares(w, f, "a log", of) },
			[]string{"How the accuracy of predicted waits is distributed", "accuracy", "simulated", "100 %"}, 0},
		{"wait errors", func(w io.Writer, f string) error {
			return WaitErrorShares(w, f, "a log", []Shares{{"simulated", []float64{1, 60, 7200}, []float64{0.1, 0.5, 1}}})
		}, []string{"How far predicted waits are off", "absolute error", "1 min", "20 %"}, 0},
		{"wait scatter", func(w io.Writer, f string) error { return WaitScatter(w, f, "a log", p) },
			[]string{"Bounds and actual waits: bmbp", "bound of the wait", "actual wait (3 below 1 s, drawn at 1 s)", "1 job", "20 jobs", "identity", "mean", "median", "10 min", "a log; 7 are off the chart"}, 0},
		{"wait coverage", func(w io.Writer, f string) error {
			return WaitCoverage(w, f, "a log", 0.95, []Coverage{{"bmbp", from, to, share}}, nil)
		}, []string{"How many waits bounds cover, over time", "days of the log", "share of waits covered", "asked for", "bmbp", "94 %", "200"}, 1},
		{"wait burst", func(w io.Writer, f string) error {
			return WaitBurst(w, f, "a log", []BurstWaits{{"real", real}, {"bmbp", bound}})
		}, []string{"Waits in a burst", "job of the burst", "wait (below 1 s drawn at 1 s)", "real", "bmbp", "10 min"}, 2},
	}
}

func TestWaitSeries(t *testing.T) {
	nan := math.NaN()
	// Two stretches in a row, a gap, and one without jobs.
	s := coverageSeries(Coverage{"x", []float64{0, 10, 30, 40}, []float64{10, 20, 40, 50}, []float64{0.5, 1, 0.75, nan}})
	want := plotter.XYs{{X: 5, Y: 0.5}, {X: 15, Y: 1}, {X: 30, Y: nan}, {X: 35, Y: 0.75}, {X: 45, Y: nan}}
	if got := fmt.Sprint(s.points); got != fmt.Sprint(want) {
		t.Errorf("coverage %s, want %v", got, want)
	}
	s = burstSeries(BurstWaits{"x", []float64{0, 60, nan}})
	if got, want := fmt.Sprint(s.points), fmt.Sprint(plotter.XYs{{X: 1, Y: 1}, {X: 2, Y: 60}, {X: 3, Y: nan}}); got != want {
		t.Errorf("burst %s, want %s", got, want)
	}
}

func TestExtremeWaitsDoNotPanic(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	var b bytes.Buffer
	// A bound far above waits of 0 is drawn all the same.
	if err := WaitScatter(io.Discard, "svg", "", WaitPoints{Side: 2, Cells: []WaitCell{{1e9, 1, 1}}}); err != nil {
		t.Error(err)
	}
	// Extreme numbers are drawn or refused, but never a panic or no number.
	odd := []float64{-inf, -1, 0, 5e-324, 1, 1e15, 1e300, math.MaxFloat64, inf, nan}
	for _, x := range odd {
		for _, y := range odd {
			_ = WaitScatter(&b, "svg", "", WaitPoints{Side: 1.2, Cells: []WaitCell{{x, y, 3}, {1, 1, 2}}, Columns: []WaitColumn{{x, y, 30, y, x}, {1, 2, 30, x, y}}})
			_ = WaitCoverage(&b, "svg", "", 0.5, []Coverage{{"x", []float64{x, 0}, []float64{y, 1}, []float64{y, 0.5}}}, nil)
			_ = WaitBurst(&b, "svg", "", []BurstWaits{{"real", []float64{x, y, 1}}, {"x", []float64{y, 1, x}}})
		}
	}
	if strings.Contains(b.String(), "NaN") || strings.Contains(b.String(), "Inf") {
		t.Error("a coordinate is no number")
	}
}
