package report

import (
	"errors"
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Means twice the log's and more are explained; closer ones, and laws without
// one, are not spoken of.
func TestFarMeans(t *testing.T) {
	log := figure.Remaining{Name: "the log", Age: []float64{1, 60}, Mean: []float64{7200, 9000}}
	near := figure.Remaining{Name: "gamma", Age: log.Age, Mean: []float64{14399, 1e9}}
	far := figure.Remaining{Name: "hyper-gamma", Age: log.Age, Mean: []float64{86400, 1e5}}
	none := figure.Remaining{Name: "pareto", Age: log.Age}
	unknown := figure.Remaining{Name: "weibull", Age: log.Age, Mean: []float64{math.NaN(), 1}}
	if got := farMeans([]figure.Remaining{log, near, none, unknown}); got != "" {
		t.Errorf("near means: %q", got)
	}
	want := "At the age of 1 s a job of the log runs 2 h longer in the mean, where hyper-gamma says 24 h: the tail of such a law goes on past the log's longest job, and its mean rests on that. Its medians do not."
	if got := farMeans([]figure.Remaining{log, near, far}); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// A bound is not said to fail by what chance explains.
func TestVerdictOnBounds(t *testing.T) {
	nan := stats.Number(math.NaN())
	for _, c := range []struct {
		coverage, low, high stats.Number
		kind, verdict       string
	}{
		{0.95, 0.94, 0.96, "good", "it holds"},
		{0.949, 0.94, 0.951, "warning", "it falls short, by no more than chance explains"},
		{0.9, 0.89, 0.91, "warning", "it does not hold"},
		{0.9, nan, nan, "warning", "it does not hold"},
	} {
		kind, verdict := verdictOn(evaluate.WaitScore{WaitPoints: score.WaitPoints{Coverage: c.coverage}, CoverageLow: c.low, CoverageHigh: c.high}, 0.95)
		if kind != c.kind || verdict != c.verdict {
			t.Errorf("%+v: %s, %s", c, kind, verdict)
		}
	}
}

// The words on a burst are those of its numbers, without the unknown ones.
func TestBurstWords(t *testing.T) {
	got := burstWords([]figure.BurstWaits{
		{Name: "actual", Seconds: []float64{300, 30, 7200}}, {Name: "bmbp", Seconds: []float64{math.NaN(), 90, 60}}, {Name: "none", Seconds: []float64{math.NaN(), math.NaN(), math.NaN()}},
	})
	if want := " Over its 3 jobs: actual 30 s to 2 h, bmbp 60 s to 90 s."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCountedText(t *testing.T) {
	for n, want := range map[int64]string{0: "0 oddities", 1: "1 oddity", 1751: "1,751 oddities"} {
		if got := countedText(n, "oddity"); got != want {
			t.Errorf("%d: got %q, want %q", n, got, want)
		}
	}
}

// A row for each quantile, a column for each predictor.
func TestCalibrationTable(t *testing.T) {
	curve := []score.CalibrationPoint{{Asked: 0.5, Jobs: 4, Achieved: 0.75}, {Asked: 0.95, Jobs: 4, Achieved: 1}}
	l := &logReport{waited: &evaluate.WaitsResult{Calibration: []evaluate.WaitsCalibration{{Predictor: "bmbp", Curve: curve}, {Predictor: "qbets", Curve: curve}, {Predictor: "downey-a-exact", Curve: curve}}}}
	table := l.calibrationTable()
	if len(table.Head) != 4 || len(table.Rows) != 2 || len(table.Rows[0]) != 4 || table.Rows[1][3].Value != "1" {
		t.Errorf("%+v", table)
	}
}

func TestOptions(t *testing.T) {
	for want, o := range map[string]Options{
		"processors": {Processors: -1}, "predict-jobs": {Waits: -1}, "replicates": {Replicates: 38}, "without": {Without: []string{"fit"}},
		"": {Waits: 10, Replicates: 39, Without: Parts()},
	} {
		got := ""
		var option *workload.OptionError
		if errors.As(o.Validate(), &option) {
			got = option.Option
		}
		if got != want {
			t.Errorf("%+v: fault of %q, want %q", o, got, want)
		}
	}
}
