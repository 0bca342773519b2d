package score

import (
	"math"

	"github.com/loadstone-hpc/loadstone/model"
)

// Cycle compares when jobs are submitted: over the 48 half hours of a day, or
// the days of a week.
type Cycle struct {
	A, B []float64 // share of the jobs: by half hour from midnight on, or by weekday from Sunday on
	// ChiSquare is the measure of Lublin and Feitelson (2003), section 7.3: the
	// sum of (m-d)²/(m+d), m and d jobs of the two. Both are scaled to Jobs,
	// those of the smaller one, because the measure grows with them. By chance
	// alone it is at most about the number of half hours if jobs are
	// independent, and more if they come in bursts.
	ChiSquare float64
	Jobs      float64
	// Moved is the share of the jobs that would have to be submitted at another
	// time for the two to be alike: half the sum of the |differences| of shares.
	Moved float64
}

func compareCycles(a, b []int64) Cycle {
	c := Cycle{A: shares(a), B: shares(b)}
	var na, nb float64
	for i := range a {
		na += float64(a[i])
		nb += float64(b[i])
	}
	c.Jobs = min(na, nb)
	m, d := make([]float64, len(a)), make([]float64, len(a))
	for i := range a {
		c.Moved += math.Abs(c.A[i]-c.B[i]) / 2
		m[i], d[i] = c.Jobs*c.A[i], c.Jobs*c.B[i]
	}
	c.ChiSquare = chiSquareMeasure(m, d)
	return c
}

// chiSquareMeasure is the sum of (m-d)²/(m+d).
func chiSquareMeasure(m, d []float64) float64 {
	sum := 0.0
	for i := range m {
		if m[i]+d[i] > 0 {
			sum += (m[i] - d[i]) * (m[i] - d[i]) / (m[i] + d[i])
		}
	}
	return sum
}

func shares(counts []int64) []float64 {
	var n float64
	for _, c := range counts {
		n += float64(c)
	}
	out := make([]float64, len(counts))
	for i, c := range counts {
		out[i] = float64(c) / n
	}
	return out
}

// DaySlots is the number of half hours of a day.
const DaySlots = model.Slots
