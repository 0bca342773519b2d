package generate

import (
	"math"
	"slices"
)

// tailTimes returns the times of the estimates that are not in the head, in
// the order of the curve. Whole minutes; what collides is moved, or left out.
func (m TsafrirModel) tailTimes(head []float64) (times []float64) {
	k := m.distinct()
	n := k - len(head)
	a := 1 + 12.1039*math.Exp(-0.6026*math.Log(float64(k)))
	taken := map[float64]bool{}
	for _, t := range head {
		taken[t] = true
	}
	for i := 1; i <= n; i++ {
		x := float64(i) / float64(n)
		y := (a - 1) * x / (a - x)
		t := math.Round(y*m.Max/60) * 60
		for _, offset := range []float64{0, 30, -30, 20, -20, 10, -10} {
			if s := t + offset; s > 0 && s < m.Max && !taken[s] {
				taken[s] = true
				times = append(times, s)
				break
			}
		}
	}
	slices.Sort(times)
	return times
}

// tailPercents returns the shares of n estimates, falling, that sum to what the
// head leaves. Their ranks follow the head's 20.
func tailPercents(n int) []float64 {
	percents := make([]float64, n)
	sum := 0.0
	for i := range percents {
		percents[i] = 795.6 * math.Exp(-2.267*math.Log(float64(headBins+1+i)))
		sum += percents[i]
	}
	for i := range percents {
		percents[i] *= (100 - headPercent) / sum
	}
	return percents
}
