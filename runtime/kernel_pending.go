package runtime

import (
	"github.com/loadstone-hpc/loadstone/workload"
)

// kernelAsked is what is remembered of a prediction until its job ends.
type kernelAsked struct {
	points [kernelWays]float64 // of the weightings
	said   kernelSaid
	weight float64 // of what comes of it
	bin    int
	user   *kernelUser
	kind   *kernelHistory // nil for none yet
	class  *kernelClassed // nil for none yet
}

// kernelPending holds the predictions for the jobs that have not ended: for the last
// 65,536 to 131,072 of them.
type kernelPending struct{ newer, older map[kernelID]kernelAsked }

const kernelPendingJobs = 1 << 16

// kernelID identifies a job: one of the numbers may be the same for all jobs.
type kernelID struct{ id, row int64 }

func (p *kernelPending) put(r *workload.Request, a kernelAsked) {
	if p.newer == nil || len(p.newer) == kernelPendingJobs {
		p.newer, p.older = map[kernelID]kernelAsked{}, p.newer
	}
	p.newer[kernelID{r.ID, r.Row}] = a
}

func (p *kernelPending) take(r *workload.Request) (kernelAsked, bool) {
	id := kernelID{r.ID, r.Row}
	for _, m := range []map[kernelID]kernelAsked{p.newer, p.older} {
		if a, ok := m[id]; ok {
			delete(m, id)
			return a, true
		}
	}
	return kernelAsked{}, false
}
