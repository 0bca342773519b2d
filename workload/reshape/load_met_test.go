package reshape

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// TestScaleMeetsTheLoad: jobs whose work differs by four orders of magnitude,
// the sum of those drawn freely by several percent, have the load that is asked
// for, by every method and seed.
func TestScaleMeetsTheLoad(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var jobs []workload.Job
	for i := range 5000 {
		j := workload.UnknownJob()
		j.Row, j.ID, j.User = int64(i), int64(i+1), int64(i%30)
		j.Submit, j.Size, j.Run = float64(600*i), 1, math.Exp(9*rng.Float64())
		jobs = append(jobs, j)
	}
	opened := 0
	open := opener(&opened, []string{" MaxProcs: 8", " UnixStartTime: 978307200"}, jobs)
	for _, method := range Methods() {
		for _, times := range []float64{0.3, 0.77, 1.3, 2.9} {
			for seed := range uint64(4) {
				if Method(method) == Thin && times > 1 || Method(method) == Replicated && times < 1 {
					continue
				}
				t.Run(fmt.Sprintf("%s %g seed %d", method, times, seed), func(t *testing.T) {
					s, err := Scale(t.Context(), open, ScaleOptions{Times: times, Method: Method(method), Seed: seed})
					if err != nil {
						t.Fatal(err)
					}
					defer s.Close()
					l, err := MeasureLoad(s.Jobs)
					if err != nil {
						t.Fatal(err)
					}
					if got := l.Offered(8) / s.Before; math.Abs(got/times-1) > 0.005 {
						t.Errorf("the load is %.4f times the log's", got)
					}
				})
			}
		}
	}
}
