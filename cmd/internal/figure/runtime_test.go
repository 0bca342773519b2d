package figure

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

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
}
