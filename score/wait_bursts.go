package score

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// BurstGap is the longest time, in seconds, between two submissions of one user
// within a burst: five minutes.
const BurstGap = 300

// Bursts tells jobs that are submitted in a burst: those that the same user
// submits within BurstGap of the job before. The first of a burst is not in it,
// because nothing tells it from any other job. Bounds rest on waits that have
// ended, and fail within bursts: Sonmez and others (2009), section 4.2 and
// figure 5. The zero value is ready.
type Bursts struct {
	last map[int64]float64
}

// In enters the next job by submission and says whether it is in a burst; a
// job without a user or a submission time is in none.
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
