package report

import (
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// A row of a verdict tells its rank, that it lies outside, that it is a difference or a
// distance, or that the twins have the log's value; rows that are not compared, of other
// policies, or that are not ranked and that the page does not have are left out. Of the five
// that the sentence counts each is in the table.
func TestTwinSection(t *testing.T) {
	yes, no, nan := true, false, stats.Number(math.NaN())
	v := &score.Verdict{Replicas: 20, Tested: 5, Inside: 4, InsidePct: 80, FalseAlarm: 10, Rows: []score.VerdictRow{
		{Name: "offered_load", As: score.AsRatio, A: .5, B: .6, Compared: 1.2, Rank: 3.5, RankOf: 21, Inside: &yes},
		{Name: "utilisation", Policy: "easy", Loop: score.OpenLoop, As: score.AsRatio, A: .5, B: .5, Compared: 1, Rank: 21, RankOf: 21, Inside: &no},
		{Name: "run_time_ln_lag_1", As: score.AsDifference, A: .25, B: .5, Compared: .25, Pinned: true},
		{Name: "wait_mean_s", Policy: "fcfs", Loop: score.OpenLoop, As: score.AsRatio, Rank: 1, RankOf: 21},
		{Name: "wait_median_s", Policy: "easy", Loop: score.OpenLoop, As: score.AsRatio, Why: "nobody waits"},
		{Name: "jobs", As: score.AsRatio, Rank: 1, RankOf: 21},
		{Name: "interarrival_s", As: score.AsDistance, A: nan, B: nan, Compared: .125, Rank: 2, RankOf: 21, Inside: &yes},
		{Name: "size_ln_lag_1", As: score.AsDifference, A: .5, B: .25, Compared: -.25, Rank: 4, RankOf: 21, Inside: &yes},
		{Name: "size_run_time_spearman", As: score.AsDifference, A: .25, B: .5, Compared: .25, Rank: 9, RankOf: 21, Inside: &yes},
	}}
	l := &Report{twins: &evaluate.CompareResult{Compared: &score.Compared{Verdict: v}}}
	blocks := l.twinSection()
	var got []string
	for _, row := range blocks[2].Table.Rows {
		var cells []string
		for _, c := range row {
			cells = append(cells, c.Text)
		}
		got = append(got, strings.Join(cells, " | "))
	}
	want := []string{
		"offered load | 0.5000 | 0.6000 | 1.200 | 0 | 0 | 3.5 of 21",
		"correlation of ln run time with that of the job before (difference) | 0.2500 | 0.5000 | 0.2500 | 0 | 0 | not ranked",
		"correlation of ln size with that of the job before (difference) | 0.5000 | 0.2500 | -0.2500 | 0 | 0 | 4 of 21",
		"interarrival times (distance) | – | – | 0.1250 | 0 | 0 | 2 of 21",
		"utilisation | 0.5000 | 0.5000 | 1 | 0 | 0 | 21 of 21, outside",
		"size run time spearman (difference) | 0.2500 | 0.5000 | 0.2500 | 0 | 0 | 9 of 21",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if r := blocks[1].Remark; r.Kind != "good" || !strings.Contains(r.Text, "In 4 of the 5 traits") || !strings.Contains(r.Text, "10.0 % of the traits") {
		t.Errorf("%+v", r)
	}
	v.InsidePct = 79
	if r := l.twinSection()[1].Remark; r.Kind != "warning" {
		t.Errorf("79 %% inside: %+v", r)
	}
	v.Tested = 0
	if r := l.twinSection()[1].Remark; r.Kind != "missing" {
		t.Errorf("no row judged: %+v", r)
	}
	l = &Report{why: map[string]string{Twins: "It was left out."}}
	if b := l.twinSection(); len(b) != 1 || b[0].Remark.Text != "It was left out." {
		t.Errorf("no twins: %+v", b)
	}
}

// A table has at most 20 points of a curve, and of waits none beyond the first that
// nobody exceeds in the log or, but for 5 %, in a twin.
func TestCurveTable(t *testing.T) {
	curve := func(name string, n int, log, low float64) score.Curve {
		c := score.Curve{Name: name}
		for i := range n {
			c.X = append(c.X, float64(60*i))
			c.A, c.Low = append(c.A, min(1, float64(i)/log)), append(c.Low, min(1, float64(i)/low))
			c.Middle, c.High = append(c.Middle, 1), append(c.High, 1)
		}
		return c
	}
	for _, c := range []struct {
		name                string
		points, rows        int
		head, caption, last string
	}{
		{score.WaitsUpTo, 45, 16, "wait", "The numbers of one point in 2", "30 min"}, // 31 points
		{score.WaitsUpTo, 20, 20, "wait", "The numbers", "19 min"},
		{"days", 21, 11, "day", "The numbers of one point in 2", "1,200"},
		{"days", 45, 15, "day", "The numbers of one point in 3", "2,520"},
	} {
		got := curveTable(curve(c.name, c.points, 29, 30))
		if other := curveTable(curve(c.name, c.points, 30, 29)); len(other.Rows) != len(got.Rows) {
			t.Errorf("%s: %d rows where the log waits longer, want %d", c.name, len(other.Rows), len(got.Rows))
		}
		if len(got.Rows) != c.rows || got.Head[0] != c.head || got.Caption != c.caption || got.Rows[len(got.Rows)-1][0].Text != c.last {
			t.Errorf("%s of %d: %d rows up to %s, %s, %q, want %+v", c.name, c.points, len(got.Rows), got.Rows[len(got.Rows)-1][0].Text, got.Head[0], got.Caption, c)
		}
	}
}
