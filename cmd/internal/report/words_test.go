package report

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// A bound is not said to fail by what chance explains, nor to be good where it is ten times
// the wait for half of the jobs that waited.
func TestVerdictOnBounds(t *testing.T) {
	nan := stats.Number(math.NaN())
	for _, c := range []struct {
		coverage, low, high stats.Number
		tightness           stats.Number
		kind, verdict       string
	}{
		{0.95, 0.94, 0.96, 9.99, "good", "The bound holds."},
		{0.95, 0.94, 0.96, nan, "good", "The bound holds."},
		{0.95, 0.94, 0.96, 63, "missing", "The bound holds, but it is wide: for half of the jobs that waited it is 63 times the wait or more."},
		{0.949, 0.94, 0.951, 63, "warning", "The interval includes the target: the shortfall may be chance."},
		{0.9, 0.89, 0.91, 63, "warning", "The bound does not hold."},
		{0.9, nan, nan, 1, "warning", "The bound does not hold."},
	} {
		kind, verdict := verdictOn(evaluate.WaitScore{TightnessMedian: c.tightness, WaitPoints: score.WaitPoints{Coverage: c.coverage}, CoverageLow: c.low, CoverageHigh: c.high}, 0.95)
		if kind != c.kind || verdict != c.verdict {
			t.Errorf("%+v: %s, %s", c, kind, verdict)
		}
	}
}

// Loads above 1 are counted in words that fit none, one, some and all of the intervals.
func TestOverloadWords(t *testing.T) {
	for _, c := range []struct {
		width    float64
		high, of int
		want     string
	}{
		{7 * 86400, 0, 48, "In none of the 48 weeks did the work submitted exceed the machine's capacity."},
		{7 * 86400, 1, 48, "In 1 of the 48 weeks, the work submitted exceeded the machine's capacity."},
		{86400, 1234, 2000, "In 1,234 of the 2,000 days, the work submitted exceeded the machine's capacity."},
		{3 * 3600, 0, 88, "In none of the 88 intervals of 3 hours did the work submitted exceed the machine's capacity."},
		{3600, 5, 5, "In each of the 5 hours, the work submitted exceeded the machine's capacity."},
		{3600, 1, 1, "The work submitted exceeded the machine's capacity."},
		{3600, 0, 1, "The work submitted did not exceed the machine's capacity."},
	} {
		l := &Report{use: &inspect.Usage{Width: stats.Number(c.width)}}
		if got := l.overloadWords(c.high, c.of); got != c.want {
			t.Errorf("%d of %d: %q, want %q", c.high, c.of, got, c.want)
		}
	}
}

// A median wait of 0 s is put in everyday words.
func TestWaitedWords(t *testing.T) {
	for _, c := range []struct {
		median, q90 float64
		want        string
	}{
		{0, 0, "At least nine in ten jobs did not wait at all."},
		{0, 7200, "At least half of the jobs did not wait; one in ten waited longer than 2 h."},
		{5, 7200, "Half of the jobs waited no longer than 5 s; one in ten waited longer than 2 h."},
	} {
		var w inspect.WaitClass
		w.Median, w.Q90 = stats.Number(c.median), stats.Number(c.q90)
		if got := waitedWords(w, timeText(c.median), timeText(c.q90)); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// A sentence begins with a capital, but not where that would spell a name otherwise.
func TestSentence(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "nothing ran": "Nothing ran.", "oh.": "Oh.", "unknown": "Unknown.", "as asked, none": "As asked, none.",
		"kth.swf: 8 jobs left out": "kth.swf: 8 jobs left out.", "twin: no size": "twin: no size.", "log-normal: one value": "log-normal: one value.",
		"p(size): a line": "p(size): a line.", "8 jobs": "8 jobs.", "a job": "A job.",
	} {
		if got := sentence(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Most faults are of one rule, or they all are.
func TestMostFaults(t *testing.T) {
	finding := func(severity inspect.Severity, words string, n int64) inspect.Finding {
		return inspect.Finding{Severity: severity, Words: words, Count: n, Counts: "jobs"}
	}
	oddity := finding("oddity", "odd", 99)
	for want, v := range map[string]inspect.Validation{
		"":                            {Findings: []inspect.Finding{oddity}},
		": too long (1 job)":          {Faults: 1, Findings: []inspect.Finding{oddity, finding(inspect.Fault, "too long", 1)}},
		", mainly: too long (2 jobs)": {Faults: 3, Findings: []inspect.Finding{finding(inspect.Fault, "too wide", 1), finding(inspect.Fault, "too long", 2)}},
	} {
		if got := mostFaults(v); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestOptions(t *testing.T) {
	for want, o := range map[string]Options{
		"processors": {Processors: -1}, "predict-jobs": {Waits: -1}, "without": {Without: []string{"fit"}},
		"": {Waits: 10, Without: Parts()},
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

// Times that are read together have one unit, unless one would be 1000 of it.
func TestTimeTexts(t *testing.T) {
	for _, c := range []struct {
		seconds []float64
		want    string
	}{
		{[]float64{6300, 12600}, "1.8 h, 3.5 h"},
		{[]float64{7201, 6900, 4830}, "2.0 h, 1.9 h, 1.3 h"},
		{[]float64{0, 7200}, "0 h, 2 h"},
		{[]float64{1800, 7200}, "30 min, 120 min"},
		{[]float64{5, 86400}, "5 s, 24 h"}, // too far apart
		{[]float64{46, 70.4}, "46 s, 70.4 s"},
		{[]float64{60, 119}, "60 s, 119 s"},
		{[]float64{3600, 5400}, "60 min, 90 min"},
		{[]float64{.5, 30}, "0.5 s, 30 s"},
		{[]float64{math.NaN(), 7200}, "–, 2 h"},
		{[]float64{-7200, 10800}, "-2 h, 3 h"},
		{[]float64{0, 0}, "0 s, 0 s"},
		{nil, ""},
	} {
		if got := strings.Join(timeTexts(c.seconds...), ", "); got != c.want {
			t.Errorf("%v: %q, want %q", c.seconds, got, c.want)
		}
	}
	table := page.Table{Head: []string{"user", "wait"}, Rows: [][]page.Cell{{textCell("a"), timeCell(7201.)}, {textCell("b"), textCell("–")}, {textCell("c"), timeCell(6900.)}}}
	oneUnit(&table, 1)
	if got := tableLines(&table); got[2] != "a | 2.0 h" || got[3] != "b | –" || got[4] != "c | 1.9 h" || table.Rows[2][1].Value != "6900" {
		t.Errorf("%q", got)
	}
}
