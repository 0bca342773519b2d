package figure

import (
	"io"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// BenchmarkDraw draws a million points with each figure that is given so many,
// as SVG and as PNG: want less than a second.
func BenchmarkDraw(b *testing.B) {
	const n = 1_000_000
	rng := rand.New(rand.NewPCG(1, 2))
	var sample Sample
	var pairs Pairs
	var waits Waits
	counts, loads := Counts{Width: 300, Max: make([]float64, n)}, make([]float64, n)
	edges := make([]float64, n+1)
	path := Path{Name: "noise"}
	share := Shares{Name: "noise"}
	coverage := Coverage{Name: "noise"}
	burst := BurstWaits{Name: "noise"}
	rest := Remaining{Name: "noise"}
	for i := range n {
		x := math.Exp(14 * (float64(i) + 1) / n)
		sample.Values, sample.Counts = append(sample.Values, x), append(sample.Counts, 1)
		noisy := x * math.Exp(rng.NormFloat64())
		pairs.Model, pairs.Log = append(pairs.Model, math.Pow(x, 1.1)), append(pairs.Log, x) // both ascend
		waits.Predicted, waits.Actual = append(waits.Predicted, x), append(waits.Actual, noisy)
		counts.Max[i], loads[i] = float64(rng.IntN(50)), 2*rng.Float64()
		edges[i+1] = float64(300 * (i + 1))
		path.X, path.Y = append(path.X, float64(i)), append(path.Y, rng.Float64())
		share.Value, share.AtMost = append(share.Value, x), append(share.AtMost, float64(i+1)/n)
		coverage.From, coverage.To = append(coverage.From, float64(300*i)), append(coverage.To, float64(300*i+300))
		coverage.Share = append(coverage.Share, rng.Float64())
		burst.Seconds = append(burst.Seconds, noisy)
		rest.Age, rest.Median, rest.Mean = append(rest.Age, x), append(rest.Median, noisy), append(rest.Mean, 2*noisy)
	}
	at := func(s float64) time.Time { return time.Unix(int64(s), 0).UTC() }
	law := Law{Name: "law", CDF: func(x float64) float64 { return math.Log(x) / 14 }, Density: func(float64) float64 { return 1. / 14 }}
	none := make([]float64, len(path.X)) // a path without intervals
	for i := range none {
		none[i] = math.NaN()
	}
	for _, f := range []struct {
		name string
		draw func(format string) error
	}{
		{"distribution", func(f string) error { return Distribution(io.Discard, f, "a log", RunTime, sample, []Law{law}) }},
		{"density", func(f string) error { return Density(io.Discard, f, "a log", RunTime, sample, []Law{law}) }},
		{"by-class", func(f string) error {
			return ByClass(io.Discard, f, "a log", "queue", RunTime, []Group{{"a", sample, &law}, {"b", sample, nil}})
		}},
		{"qq", func(f string) error { return QQ(io.Discard, f, "a log", RunTime, []Pairs{pairs}) }},
		{"remaining", func(f string) error { return RemainingLifetime(io.Discard, f, "a log", []Remaining{rest}) }},
		{"submissions", func(f string) error { return Submissions(io.Discard, f, "a log", counts, at) }},
		{"load", func(f string) error {
			return OverTime(io.Discard, f, "a log", History{Axis: "load", Edges: edges, Lines: []HistoryLine{{"load", loads}}}, at)
		}},
		{"paths", func(f string) error {
			return Varied(io.Discard, f, "a log", "load", "wait", []Trend{{Path: path, Low: none, High: none}})
		}},
		{"shares", func(f string) error { return RunTimeErrorShares(io.Discard, f, "a log", []Shares{share}) }},
		{"grid-shares", func(f string) error { return GridShares(io.Discard, f, "a log", GridWait, []Shares{share}) }},
		{"coverage", func(f string) error { return WaitCoverage(io.Discard, f, "a log", 0.95, []Coverage{coverage}, at) }},
		{"burst", func(f string) error { return WaitBurst(io.Discard, f, "a log", []BurstWaits{burst}) }},
		{"predicted-waits", func(f string) error { return PredictedWaits(io.Discard, f, "a log", "bias", waits) }},
	} {
		for _, format := range []string{"svg", "png"} {
			b.Run("figure="+f.name+"/format="+format, func(b *testing.B) {
				for b.Loop() {
					if err := f.draw(format); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
