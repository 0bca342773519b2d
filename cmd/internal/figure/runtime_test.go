package figure

import (
	"bytes"
	"image/color"
	"math"
	"strings"
	"testing"
)

func TestAccuracyBars(t *testing.T) {
	nan := math.NaN()
	b, k := accuracyBars(1, 4, Accuracies{Mean: []float64{0.5, nan, 0.25}, Low: []float64{0.4, nan, nan}, High: []float64{0.6, nan, 0.3}})
	// The second of four, each a fifth wide, from a tenth of the group on.
	want := []bar{{0.3, 0.5, 0, 0.5}, {2.3, 2.5, 0, 0.25}}
	if len(b.all) != 2 || len(k) != 1 || math.Abs(k[0].from-0.4) > 1e-12 || k[0].low != 0.4 || k[0].top != 0.6 {
		t.Fatalf("bars %v, whiskers %v", b.all, k)
	}
	for i, w := range want {
		if g := b.all[i]; math.Abs(g.from-w.from) > 1e-12 || math.Abs(g.to-w.to) > 1e-12 || g.top != w.top {
			t.Errorf("bar %d is %v, want %v", i, g, w)
		}
	}
	seen := map[color.Color]bool{}
	for i := range 12 {
		seen[barColor(i)] = true
	}
	if len(seen) != 12 {
		t.Errorf("%d colours for 12 predictors", len(seen))
	}
}

// Every group of bars keeps its name, however narrow the figure and long the name.
func TestNamesOfGroups(t *testing.T) {
	groups := []string{"site", "user", "user-app-size-site", "applicationwithalongname"}
	mean := []float64{0.1, 0.2, 0.3, 0.4}
	var b bytes.Buffer
	if err := RunTimeAccuracies(&b, Compact, "", "", groups, []Accuracies{{"last", mean, mean, mean}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">site<", ">user<", ">user-app-<", ">size-site<", ">applica", "…<"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q", want)
		}
	}
}

func TestRunTimeFiguresDraw(t *testing.T) {
	one := Accuracies{"last<2>", []float64{0.5, 0.6}, []float64{0.4, math.NaN()}, []float64{0.6, math.NaN()}}
	curve := Shares{"last2,user", []float64{1, 10, 86400}, []float64{0, 0.5, 1}}
	for name, draw := range map[string]func(*bytes.Buffer) error{
		"last&lt;2&gt;": func(b *bytes.Buffer) error {
			return RunTimeAccuracies(b, "svg", "a log", "classes of jobs", []string{"user", "site"}, []Accuracies{one})
		},
		"accuracy": func(b *bytes.Buffer) error {
			return RunTimeAccuracyShares(b, "svg", "a log", []Shares{{"last2,user", []float64{0, 0.5, 1}, []float64{0, 0.5, 1}}})
		},
		"absolute error": func(b *bytes.Buffer) error { return RunTimeErrorShares(b, "svg", "a log", []Shares{curve}) },
	} {
		var b bytes.Buffer
		if err := draw(&b); err != nil || !strings.Contains(b.String(), name) || !strings.Contains(b.String(), "</svg>") || !strings.Contains(b.String(), "a log") {
			t.Errorf("%s: %v", name, err)
		}
	}
	var b bytes.Buffer
	nan := math.NaN()
	for name, err := range map[string]error{
		"no groups":    RunTimeAccuracies(&b, "svg", "", "classes of jobs", []string{"user"}, []Accuracies{one}),
		"no numbers":   RunTimeAccuracies(&b, "svg", "", "classes of jobs", []string{"user"}, []Accuracies{{"x", []float64{nan}, []float64{nan}, []float64{nan}}}),
		"no predictor": RunTimeAccuracies(&b, "svg", "", "classes of jobs", []string{"user"}, nil),
		"no curves":    RunTimeErrorShares(&b, "svg", "", nil),
		"uneven":       RunTimeErrorShares(&b, "svg", "", []Shares{{"x", []float64{1}, nil}}),
		"no points":    RunTimeAccuracyShares(&b, "svg", "", []Shares{{"x", []float64{nan}, []float64{nan}}}),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
