package runtime

import "github.com/loadstone-hpc/loadstone/workload"

// tsafrir is the mean run time of the two jobs of the class that ended last,
// at most the user's estimate; until two have ended it is the estimate. Its
// authors' classes are the users. Without an estimate it is last2.
//
// Tsafrir, Etsion and Feitelson (2007), "Backfilling using system-generated
// predictions rather than user runtime estimates", section 3.
type tsafrir struct{}

var (
	_ rule  = tsafrir{}
	_ early = tsafrir{}
)

func (tsafrir) early() {}

func (tsafrir) width() int { return last2{}.width() }

func (tsafrir) observe(state []float64, n int, j *workload.Job) { last2{}.observe(state, n, j) }

func (tsafrir) predict(state []float64, n int, r *workload.Request) workload.Prediction {
	most, known := limit(r)
	switch {
	case known && n < 2:
		return workload.Prediction{Seconds: most}
	case n == 0:
		return nothing()
	}
	p := last2{}.predict(state, n, r)
	if known {
		p.Seconds = min(p.Seconds, most)
	}
	return p
}
