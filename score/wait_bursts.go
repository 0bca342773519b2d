package score

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// BurstGap is the longest time, in seconds, between two submissions of one user
// within a burst: five minutes.
const BurstGap = 300

// Bursts identifies jobs that are submitted in a burst: within BurstGap of the
// same user's previous job. The first job of a burst is not counted, because
// nothing distinguishes it from any other job when it is submitted. Bounds rest
// on waits that have ended, and fail within bursts: Sonmez and others (2009),
// section 4.2 and figure 5. The zero value is ready.
type Bursts struct {
	last map[int64]float64
}

// In enters the next job in order of submission and reports whether it is in a
// burst. A job without a user or a submission time is in none.
func (b *Bursts) In(r *workload.Request) bool {
	if r.User == workload.Unknown || math.IsNaN(r.Submit) {
		return false
	}
	if b.last == nil {
		b.last = map[int64]float64{}
	}
	last, ok := b.last[r.User]
	b.last[r.User] = r.Submit
	return ok && r.Submit-last <= BurstGap
}
