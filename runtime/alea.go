package runtime

import "github.com/loadstone-hpc/loadstone/workload"

// alea is the request times the largest ratio of run time to request among the
// last five jobs of the class that ended with a request; until one has, it is
// the request. Its authors' classes are the users. A ratio above 1 is kept, so
// that a prediction may exceed the request. Without a request there is no
// prediction.
//
// It is the rule of the Alea simulator: Klusáček and Chlumský (2018),
// "Evaluating the impact of soft walltimes on job scheduling performance".
type alea struct{}

var (
	_ rule  = alea{}
	_ early = alea{}
)

// aleaRatios is how many ratios alea keeps of a class.
const aleaRatios = 5

func (alea) early() {}

// width is the count of ratios, then a ring of the last of them.
func (alea) width() int { return 1 + aleaRatios }

func (alea) observe(state []float64, _ int, j *workload.Job) {
	if most, known := limit(&j.Request); known {
		state[1+int(state[0])%aleaRatios] = j.Run / most
		state[0]++
	}
}

func (alea) predict(state []float64, _ int, r *workload.Request) workload.Prediction {
	most, known := limit(r)
	if !known {
		return nothing()
	}
	n := min(int(state[0]), aleaRatios)
	if n == 0 {
		return workload.Prediction{Seconds: most}
	}
	largest := state[1]
	for _, ratio := range state[2 : 1+n] {
		largest = max(largest, ratio)
	}
	return workload.Prediction{Seconds: most * largest, Observations: n}
}
