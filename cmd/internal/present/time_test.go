package present

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/stats"
)

// A column's unit is the largest that its median is at least two of; what is unknown or
// zero has no say.
func TestTimeUnitOf(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		seconds []float64
		x       float64
		want    string
	}{
		{nil, 5, "5 s"},
		{[]float64{nan, 0}, nan, "-"},
		{[]float64{119}, 119, "119 s"},
		{[]float64{120}, 90, "1.500 min"},
		{[]float64{7199}, 7200, "120 min"},
		{[]float64{7200, 7200, 60}, 60, "0.01667 h"},
		{[]float64{-9e6, 0, 0, 0, nan}, -172800, "-2 d"},
		{[]float64{2809 * 60}, 2809 * 60, "46.82 h"},
		{[]float64{8106 * 60}, 8106 * 60, "5.629 d"},
	} {
		if got := TimeUnitOf(c.seconds...).Write(c.x); got != c.want {
			t.Errorf("%g s in the unit of %v: got %q, want %q", c.x, c.seconds, got, c.want)
		}
	}
}

// People read a column of minutes in hours where its values are; programs read minutes.
func TestTimeColumn(t *testing.T) {
	columns := []Column[float64]{Time("error_min", "error", func(x float64) stats.Number { return stats.Number(x) }, 60)}
	columns = []Column[float64]{Of(columns[0], func(x float64) float64 { return x })}
	rows := []float64{30, 2809, 150, math.NaN()}
	const want = "   error\n0.5000 h\n 46.82 h\n 2.500 h\n       -\n"
	if got := People(columns, rows).String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := CSV(columns, rows); got.Rows[1][0] != "2809" || got.Rows[3][0] != "" {
		t.Errorf("CSV %v", got.Rows)
	}
}

func TestWait(t *testing.T) {
	for _, c := range []struct {
		seconds float64
		want    string
	}{
		{0, "0 min"},
		{0.0003382 * 60, "< 1 s"}, // was 0.0003382 min
		{1, "1 s"},
		{42.4, "42 s"},
		{59.4, "59 s"},
		{59.6, "1 min"},
		{60, "1 min"},
		{90, "1.500 min"},
		{7200, "2 h"}, // was 120 min
		{172800, "2 d"},
		{math.NaN(), "-"},
	} {
		if got := Wait(c.seconds); got != c.want {
			t.Errorf("%g s: got %q, want %q", c.seconds, got, c.want)
		}
	}
}
