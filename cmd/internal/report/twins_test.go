package report

import (
	"testing"

	"github.com/loadstone-hpc/loadstone/score"
)

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
