package score

import (
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
)

// Cycle compares when jobs are submitted: over the 48 half hours of a day, or
// the days of a week.
type Cycle struct {
	// ChiSquare is the measure of Lublin and Feitelson (2003), section 7.3:
	// the sum of (m-d)²/(m+d), where m and d are the numbers of jobs of the
	// two workloads in a half hour or on a day. Both are scaled to Jobs, the
	// number of jobs in the smaller workload, because the measure grows with
	// it. By chance alone it is at most about the number of half hours if jobs
	// are independent, and more if they come in bursts.
	ChiSquare stats.Number `json:"chi_square_measure" show:"chi-square"`
	Jobs      stats.Number `json:"jobs" show:"of jobs"`
	// Moved is the share of jobs that would have to be submitted at another
	// time for the cycles to be equal: half the sum of the absolute
	// differences of shares.
	Moved stats.Share `json:"moved_pct" show:"moved,%"`
	// D is the largest difference between the two cumulative shares: the
	// Kolmogorov-Smirnov distance of the times from midnight, or from Sunday,
	// to the half hour or the day.
	D stats.Number `json:"ks_d" show:"KS distance,%.4f"`
	// A and B are shares of the jobs: by half hour from midnight on, or by
	// weekday from Sunday on.
	A []stats.Share `json:"a_pct"`
	B []stats.Share `json:"b_pct"`
}

func compareCycles(a, b []int64) Cycle {
	c := Cycle{A: shares(a), B: shares(b)}
	var na, nb float64
	for i := range a {
		na += float64(a[i])
		nb += float64(b[i])
	}
	jobs := min(na, nb)
	c.Jobs = stats.Number(jobs)
	m, d := make([]float64, len(a)), make([]float64, len(a))
	apart := 0.0
	for i := range a {
		x, y := float64(c.A[i]), float64(c.B[i])
		c.Moved += stats.Share(math.Abs(x-y) / 2)
		apart += x - y
		c.D = max(c.D, stats.Number(math.Abs(apart)))
		m[i], d[i] = jobs*x, jobs*y
	}
	c.ChiSquare = stats.Number(chiSquareMeasure(m, d))
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

func shares(counts []int64) []stats.Share {
	var n float64
	for _, c := range counts {
		n += float64(c)
	}
	out := make([]stats.Share, len(counts))
	for i, c := range counts {
		out[i] = stats.Share(float64(c) / n)
	}
	return out
}
