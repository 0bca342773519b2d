package stats

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func TestDickeyFullerAgainstStatsmodels(t *testing.T) {
	for _, r := range readSeriesReference(t).DickeyFuller {
		got, err := AugmentedDickeyFuller(r.Series, r.MaxLags)
		if err != nil {
			t.Errorf("%s, %d lags: %v", r.Name, r.MaxLags, err)
			continue
		}
		if got.Lags != r.Lags || got.Used != r.Used || !near(got.Statistic, r.Statistic, 1e-8) || !near(got.PValue, r.PValue, 1e-7) {
			t.Errorf("%s, %d lags: got %+v, want statistic %.12g, p-value %.12g, lags %d, used %d", r.Name, r.MaxLags, got, r.Statistic, r.PValue, r.Lags, r.Used)
		}
		if got.Length != len(r.Series) || r.MaxLags >= 0 && got.MaxLags != r.MaxLags {
			t.Errorf("%s: %+v does not repeat its input", r.Name, got)
		}
	}
}

func TestMacKinnon(t *testing.T) {
	for _, r := range readSeriesReference(t).MacKinnon {
		if got := mackinnonP(r.T); !near(got, r.P, 1e-12) {
			t.Errorf("p-value of %g is %.15g, want %.15g", r.T, got, r.P)
		}
	}
}

func TestDickeyFullerRefuses(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		x    []float64
		lags int
		want error
	}{
		{nil, -1, ErrShortSeries},
		{[]float64{1, 2, 3}, -1, ErrShortSeries},
		{[]float64{1, 2, 3, 5, 1, 2}, 2, ErrShortSeries},
		{[]float64{7, 7, 7, 7, 7, 7, 7, 7}, -1, ErrConstantSeries},
		// Straight: the differences do not vary.
		{[]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 0, ErrExactSeries},
		// To and fro: the level foretells every difference.
		{[]float64{1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2}, -1, ErrExactSeries},
		{[]float64{1, 2, nan, 4, 5, 6, 7, 8, 9, 10}, 0, nil},
		{[]float64{1, 2, math.Inf(1), 4, 5, 6, 7, 8, 9, 10}, 0, nil},
	} {
		_, err := AugmentedDickeyFuller(c.x, c.lags)
		if err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%v: error %v, want %v", c.x, err, c.want)
		}
	}
}

func BenchmarkAugmentedDickeyFuller(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1000, 65536} {
		x := make([]float64, n)
		for i := range x {
			x[i] = math.Floor(math.Exp(3 * rng.NormFloat64()))
		}
		b.Run(fmt.Sprintf("values=%d", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := AugmentedDickeyFuller(x, -1); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "values/s")
		})
	}
}
