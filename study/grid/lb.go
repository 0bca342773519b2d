package grid

import (
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// LB is the load balancer: a job goes to the least loaded cluster that is large
// enough for it, where load is the processors of all jobs that run or wait
// there over the cluster's processors; the first of equals. It looks at neither
// run times nor speeds. Sonmez and others (2009), section 5.2.
type LB struct{}

var _ Policy = LB{}

// Name returns "lb".
func (LB) Name() string { return "lb" }

// Broker implements Policy.
func (LB) Broker(g *Grid) (sched.Broker, error) {
	return &loadBalancer{claimed: make([]int64, len(g.Clusters))}, nil
}

type loadBalancer struct {
	sched.Sender
	claimed []int64 // by cluster: processors of all jobs that run or wait
}

func (b *loadBalancer) Submit(t sched.Task, clusters []*sched.State) int {
	size := t.Request.Size
	best, least := -1, 0.0
	for i, c := range clusters {
		if size > c.Processors() {
			continue
		}
		if load := float64(b.claimed[i]) / float64(c.Processors()); best < 0 || load < least {
			best, least = i, load
		}
	}
	b.claimed[best] += size
	return best
}

func (b *loadBalancer) Ended(j *workload.Job, _ int32, c *sched.State) {
	b.claimed[c.Index()] -= j.Size
}
