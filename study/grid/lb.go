package grid

// LB is the load balancer: a job goes to the least loaded cluster that is large
// enough for it, where load is the processors of all jobs that run or wait
// there over the cluster's processors; the first of equals. It looks at neither
// run times nor speeds. Sonmez and others (2009), section 5.2.
type LB struct{}

var _ Policy = LB{}

// Name returns "lb".
func (LB) Name() string { return "lb" }

func (LB) broker(s *simulation) (broker, error) { return &loadBalancer{s: s}, nil }

type loadBalancer struct {
	sender
	s *simulation
}

func (b *loadBalancer) submit(slot int32) int {
	size := b.s.jobs.At(slot).size
	best, least := -1, 0.0
	for i := range b.s.clusters {
		c := &b.s.clusters[i]
		if size > c.Processors {
			continue
		}
		if load := float64(c.claimed) / float64(c.Processors); best < 0 || load < least {
			best, least = i, load
		}
	}
	return best
}
