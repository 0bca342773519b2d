package score

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// BenchmarkProfile adds jobs with run times over six orders of magnitude.
func BenchmarkProfile(b *testing.B) {
	for _, by := range []string{"", "queue_id"} {
		b.Run(fmt.Sprintf("by=%s", by), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			jobs := make([]workload.Job, 1<<16)
			at := 0.0
			for i := range jobs {
				at += math.Floor(500 * rng.ExpFloat64())
				jobs[i] = jobOf(at, math.Floor(math.Exp(6+2*rng.NormFloat64())), int64(1)<<rng.IntN(8), rng.Int64N(3))
			}
			o := ProfileOptions{Clock: monday, Processors: 128}
			if by != "" {
				o.By, o.Classes = by, byColumn(by)
			}
			p := NewProfile(o)
			shift := 0.0
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				j := jobs[i%len(jobs)]
				if i%len(jobs) == 0 && i > 0 {
					shift += at
				}
				j.Submit += shift
				p.Add(&j)
			}
		})
	}
}
