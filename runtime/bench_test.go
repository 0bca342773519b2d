package runtime

import (
	"iter"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// madeUp yields n jobs of some users, made as they are pulled. Every user has
// two sites, three applications and three sizes, and submits burst jobs alike
// in a row; some hundred jobs run at a time.
func madeUp(n, users, burst int) iter.Seq2[workload.Job, error] {
	return func(yield func(workload.Job, error) bool) {
		r := rand.New(rand.NewPCG(1, 2))
		j := workload.UnknownJob()
		j.Submit = 0
		for i := range n {
			j.ID, j.Row = int64(i+1), int64(i)
			j.Submit += float64(r.IntN(60))
			if i%burst == 0 {
				j.User = r.Int64N(int64(users))
				j.Application = r.Int64N(3)
				j.Size = 1 << r.IntN(3)
				j.Partition = (j.User + r.Int64N(2)) % 100
			}
			j.Wait, j.Run = float64(r.IntN(600)), float64(r.IntN(7200))
			if !yield(j, nil) {
				return
			}
		}
	}
}

// BenchmarkPredictors makes one predictor's predictions, by user.
func BenchmarkPredictors(b *testing.B) {
	const n = 100_000
	for _, name := range PredictorNames() {
		b.Run("predictor="+name, func(b *testing.B) {
			entries, err := Entries(workload.Grouping{}, []string{"user"}, []string{name}, nil)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				for _, err := range Replay(madeUp(n, 100, 4), nil, entries...) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
		})
	}
}
