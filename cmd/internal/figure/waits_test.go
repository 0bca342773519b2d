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
	nan := math.NaN()
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
		{"wait calibration", func(w io.Writer, f string) error {
			return WaitCalibration(w, f, "a log", []Calibration{{"bmbp", []float64{0.5, 0.9, 0.95}, []float64{0.55, 0.93, nan}}, {"qbets", []float64{0.5}, []float64{nan}}})
		}, []string{"How often quantiles of the wait hold", "share of waits to be covered", "share of waits covered", "as asked for", "bmbp", "60 %"}, 0},
		{"wait coverage", func(w io.Writer, f string) error {
			return WaitCoverage(w, f, "a log", 0.95, []Coverage{{"bmbp", from, to, share}}, nil)
		}, []string{"How many waits bounds cover, over time", "days of the log", "share of waits covered", "asked for", "bmbp", "94 %", "200"}, 1},
		{"wait burst", func(w io.Writer, f string) error {
			return WaitBurst(w, f, "a log", []BurstWaits{{"real", real}, {"bmbp", bound}})
		}, []string{"Waits in a burst", "job of the burst", "wait (below 1 s drawn at 1 s)", "real", "bmbp", "10 min"}, 2},
	}
}

func TestWaitScatterSeries(t *testing.T) {
	p := WaitPoints{Predictor: "x", Side: 10, Cells: []WaitCell{{10, 1, 1}, {100, 100, 9}, {1e6, 10, 1}}, Columns: []WaitColumn{
		{1, 4, 10, 0.5, 0}, {4, 16, 9, 5, 5}, {16, 64, 10, 300, 20}, {256, 1024, 11, 50, 40},
	}}
	// Actual waits end at 1000 s: predictions from 10,000 s on are off.
	x, y, err := p.ranges()
	if err != nil || x != [2]float64{10, 1000} || y != [2]float64{1, 1000} {
		t.Errorf("ranges %v, %v, %v", x, y, err)
	}
	nan := math.NaN()
	want := [2]plotter.XYs{
		{{X: 2, Y: 1}, {X: 8, Y: nan}, {X: 32, Y: 300}, {X: 512, Y: nan}, {X: 512, Y: 50}},
		{{X: 2, Y: 1}, {X: 8, Y: nan}, {X: 32, Y: 20}, {X: 512, Y: nan}, {X: 512, Y: 40}},
	}
	for i, s := range p.columnSeries() {
		if got := fmt.Sprintf("%.9g", s.points); got != fmt.Sprintf("%.9g", want[i]) {
			t.Errorf("%s: %s, want %v", s.name, got, want[i])
		}
	}
	// A narrow axis has a decade around its middle.
	p.Cells, p.Side = []WaitCell{{100, 1, 1}}, 4
	if x, _, _ := p.ranges(); math.Abs(x[1]/x[0]-10) > 1e-9 || math.Abs(x[0]*x[1]-40000) > 1e-6 {
		t.Errorf("narrow: %v", x)
	}
	// One job is light, the most dark, their geometric mean halfway.
	c := cells{most: 81}
	for jobs, want := range map[int]uint32{1: 0xd2d2, 9: 0x8383, 81: 0x3333} {
		if r, g, b, _ := c.color(jobs).RGBA(); r != want || g != want || b != want {
			t.Errorf("%d jobs: %x %x %x, want %x", jobs, r, g, b, want)
		}
	}
}

func TestWaitSeries(t *testing.T) {
	nan := math.NaN()
	_, points := calibrationSeries(Calibration{"x", []float64{0.1, 0.5, 0.9}, []float64{0.2, nan, 1}})
	if got, want := fmt.Sprint(points), fmt.Sprint(plotter.XYs{{X: 0.1, Y: 0.2}, {X: 0.9, Y: 1}}); got != want {
		t.Errorf("calibration %s, want %s", got, want)
	}
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

func TestWaitFiguresRefuse(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	var b bytes.Buffer
	for name, err := range map[string]error{
		"no cells":            WaitScatter(&b, "svg", "", WaitPoints{Side: 2}),
		"no side":             WaitScatter(&b, "svg", "", WaitPoints{Side: nan, Cells: []WaitCell{{1, 1, 1}}}),
		"cell below 1 s":      WaitScatter(&b, "svg", "", WaitPoints{Side: 2, Cells: []WaitCell{{0.5, 1, 1}}}),
		"cell at infinity":    WaitScatter(&b, "svg", "", WaitPoints{Side: 2, Cells: []WaitCell{{1, inf, 1}}}),
		"empty cell":          WaitScatter(&b, "svg", "", WaitPoints{Side: 2, Cells: []WaitCell{{1, 1, 0}}}),
		"no calibration":      WaitCalibration(&b, "svg", "", []Calibration{{"x", []float64{0.5}, []float64{nan}}}),
		"uneven calibration":  WaitCalibration(&b, "svg", "", []Calibration{{"x", []float64{0.5}, nil}}),
		"no coverage":         WaitCoverage(&b, "svg", "", 0.95, nil, nil),
		"coverage of nothing": WaitCoverage(&b, "svg", "", 0.95, []Coverage{{"x", []float64{0}, []float64{1}, []float64{nan}}}, nil),
		"uneven coverage":     WaitCoverage(&b, "svg", "", 0.95, []Coverage{{"x", []float64{0}, nil, []float64{1}}}, nil),
		"no burst":            WaitBurst(&b, "svg", "", nil),
		"a burst of one":      WaitBurst(&b, "svg", "", []BurstWaits{{"real", []float64{60}}}),
		"nothing predicted":   WaitBurst(&b, "svg", "", []BurstWaits{{"real", []float64{60, 60}}, {"x", []float64{nan, nan}}}),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if b.Len() > 0 {
		t.Errorf("%d bytes written", b.Len())
	}
	// A bound far above waits of 0 is drawn all the same.
	if err := WaitScatter(io.Discard, "svg", "", WaitPoints{Side: 2, Cells: []WaitCell{{1e9, 1, 1}}}); err != nil {
		t.Error(err)
	}
	// Extreme numbers are drawn or refused, but never a panic or no number.
	odd := []float64{-inf, -1, 0, 5e-324, 1, 1e15, 1e300, math.MaxFloat64, inf, nan}
	for _, x := range odd {
		for _, y := range odd {
			_ = WaitScatter(&b, "svg", "", WaitPoints{Side: 1.2, Cells: []WaitCell{{x, y, 3}, {1, 1, 2}}, Columns: []WaitColumn{{x, y, 30, y, x}, {1, 2, 30, x, y}}})
			_ = WaitCalibration(&b, "svg", "", []Calibration{{"x", []float64{x, 1}, []float64{y, x}}})
			_ = WaitCoverage(&b, "svg", "", 0.5, []Coverage{{"x", []float64{x, 0}, []float64{y, 1}, []float64{y, 0.5}}}, nil)
			_ = WaitBurst(&b, "svg", "", []BurstWaits{{"real", []float64{x, y, 1}}, {"x", []float64{y, 1, x}}})
		}
	}
	if strings.Contains(b.String(), "NaN") || strings.Contains(b.String(), "Inf") {
		t.Error("a coordinate is no number")
	}
}
