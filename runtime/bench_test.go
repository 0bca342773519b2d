package runtime

import (
	"fmt"
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

// BenchmarkReplay makes all twenty predictions for every job of a log of a
// million jobs, the making of the jobs included.
func BenchmarkReplay(b *testing.B) {
	const n = 1_000_000
	for _, c := range []struct{ users, burst int }{{100, 4}, {100_000, 4}, {100_000, 1}} {
		b.Run(fmt.Sprintf("jobs=%d/users=%d/burst=%d", n, c.users, c.burst), func(b *testing.B) {
			entries := allEntries(b)
			b.ReportAllocs()
			for b.Loop() {
				jobs := 0
				for _, err := range Replay(madeUp(n, c.users, c.burst), nil, entries...) {
					if err != nil {
						b.Fatal(err)
					}
					jobs++
				}
				if jobs != n {
					b.Fatalf("%d jobs", jobs)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
		})
	}
}
