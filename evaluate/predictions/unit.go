package predictions

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
)

// units are the other units that predictions may be in.
var units = []struct {
	seconds float64
	name    string
}{{60, "minutes"}, {3600, "hours"}, {86400, "days"}, {1e-3, "milliseconds"}}

// unitGuess detects predictions that are not in seconds. The zero value is ready to use.
type unitGuess struct {
	n        int
	accuracy float64    // sum, in seconds
	in       [4]float64 // in each of units
}

const (
	unitJobs   = 10_000 // jobs that it rests on
	unitFactor = 3      // by so much are predictions more accurate in another unit
	unitLeast  = 0.2    // and at least as accurate
)

// add adds a prediction and the actual time, both in s.
func (u *unitGuess) add(predicted, actual float64) {
	if u.n >= unitJobs || !(predicted > 0 && actual > 0) || math.IsInf(predicted, 1) || math.IsInf(actual, 1) {
		return
	}
	u.n++
	u.accuracy += stats.Accuracy(predicted, actual)
	for i, unit := range units {
		u.in[i] += stats.Accuracy(predicted*unit.seconds, actual)
	}
}

// suspicion describes the unit that the predictions seem to be in; "" for seconds.
func (u *unitGuess) suspicion() string {
	best := 0
	for i := range u.in {
		if u.in[i] > u.in[best] {
			best = i
		}
	}
	n := float64(u.n)
	if u.n == 0 || u.in[best] < unitFactor*u.accuracy || u.in[best] < unitLeast*n {
		return ""
	}
	return fmt.Sprintf("predicted_s looks like %s: in that unit the mean accuracy is %.2f instead of %.2f; want seconds", units[best].name, u.in[best]/n, u.accuracy/n)
}
