package grid

import (
	"cmp"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// The policies of Sonmez and others (2009), section 5.2, except the last two.
const (
	ectPrefix  = "ect-"        // followed by the name of a predictor of run times: see earliest
	ectPerfect = "ect-perfect" // with known run times
	lb         = "lb"          // see leastLoaded
	fpf        = "fpf"         // see fastestFirst
	fpfInOrder = "fpf-in-order"
	home       = "home" // see atHome
)

// paperPolicies returns the four policies of the paper's table 6, in its order.
func paperPolicies() []string { return []string{ectPerfect, ectPrefix + "last2", lb, fpf} }

// PolicyNames returns the names of the policies, those of the paper first.
func PolicyNames() []string {
	names := paperPolicies()
	for _, r := range runtime.PredictorNames() {
		if name := ectPrefix + r; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return append(names, fpfInOrder, home)
}

// predicts reports whether a policy learns from jobs that end.
func predicts(policy string) bool {
	return strings.HasPrefix(policy, ectPrefix) && policy != ectPerfect
}

// broker returns a new broker for a policy, which sends each job to a cluster. The machines of
// its simulation must be the clusters of the grid, in order.
func (o *Options) broker(policy string) (sched.Broker, error) {
	g := o.Grid
	switch policy {
	case ectPerfect:
		return newEarliest(g, nil), nil
	case lb:
		return &leastLoaded{claimed: make([]int64, len(g.Clusters))}, nil
	case fpf, fpfInOrder:
		return &fastestFirst{clusters: g.Clusters, inOrder: policy == fpfInOrder}, nil
	case home:
		for _, c := range g.Clusters {
			if c.Partition == nil {
				return nil, workload.OptionFault("policies", home, "a site of the log for each cluster, since it sends jobs to their own sites: cluster %s of grid %s has no \"partition\"", c.Name, g.Name)
			}
		}
		return atHome{grid: g}, nil
	}
	f, err := newForecaster(strings.TrimPrefix(policy, ectPrefix), o)
	if err != nil {
		return nil, err
	}
	return newEarliest(g, f), nil
}

// selective is a broker that cannot place every job that fits a cluster. The jobs that it does
// not take are left out and counted.
type selective interface {
	takes(r *workload.Request) bool
}

// predicting is a broker that predicts the wait and the run time of each job on the cluster
// to which it sends the job.
type predicting interface {
	// predicted returns the predictions for a job that has started, in seconds on its cluster.
	predicted(key int32) (wait, run float64)
}

// leastLoaded is LB, the load balancer: a job goes to the least loaded cluster that is large
// enough for it, the first of equals. The load is the number of processors of all jobs that run
// or wait on the cluster divided by the cluster's processors. Run times and speeds do not matter.
type leastLoaded struct {
	sched.Sender
	claimed []int64 // by cluster, processors of all jobs that run or wait
}

func (b *leastLoaded) Submit(t sched.Task, clusters []*sched.State) int {
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

func (b *leastLoaded) Ended(j *workload.Job, _ int32, c *sched.State) {
	b.claimed[c.Index()] -= j.Size
}

// atHome sends each job to the cluster that represents its own site
// (Cluster.Partition): the grid without a broker, as in section 4 of the paper. A job
// that is larger than the cluster of its site is left out.
type atHome struct {
	sched.Sender
	grid *Grid
}

func (b atHome) takes(r *workload.Request) bool {
	c := b.grid.of(r.Partition)
	return c >= 0 && r.Size <= b.grid.Clusters[c].Processors
}

func (b atHome) Submit(t sched.Task, _ []*sched.State) int { return b.grid.of(t.Request.Partition) }

// fastestFirst is FPF, fastest processor first: a job goes to the fastest of the clusters
// that have enough idle processors for it, the first of equals, and waits in
// the global queue as long as there is none. At every instant all jobs of that queue are
// candidates, tried in order of submission, so that a small job may start before a large
// one: in section 5.1 of the paper, the broker "considers all jobs in its queue as the
// eligible set". With inOrder, which is not from the paper, only the first job is a
// candidate.
type fastestFirst struct {
	sched.Sender
	clusters []Cluster
	inOrder  bool
	sizes    []sizeQueue // the global queue by ascending size: of each size, only the first job can be next
}

type sizeQueue struct {
	size int64
	jobs []heldBack // in order of submission
}

type heldBack struct {
	key    int32
	number int64 // position among the submissions
}

func (b *fastestFirst) Submit(t sched.Task, _ []*sched.State) int {
	size := t.Request.Size
	i, known := slices.BinarySearchFunc(b.sizes, size, func(q sizeQueue, size int64) int { return cmp.Compare(q.size, size) })
	if !known {
		b.sizes = slices.Insert(b.sizes, i, sizeQueue{size: size})
	}
	b.sizes[i].jobs = append(b.sizes[i].jobs, heldBack{t.Key, t.Number})
	return sched.Hold
}

func (b *fastestFirst) Release(clusters []*sched.State) (int32, int, bool) {
	most := int64(0)
	for _, c := range clusters {
		most = max(most, c.Free())
	}
	first := -1
	for i := range b.sizes {
		q := &b.sizes[i]
		if q.size > most && !b.inOrder {
			break
		}
		if len(q.jobs) > 0 && (first < 0 || q.jobs[0].number < b.sizes[first].jobs[0].number) {
			first = i
		}
	}
	if first < 0 || b.sizes[first].size > most {
		return 0, 0, false
	}
	best := -1
	for i, c := range clusters {
		if c.Free() >= b.sizes[first].size && (best < 0 || b.clusters[i].Speed > b.clusters[best].Speed) {
			best = i
		}
	}
	next := b.sizes[first].jobs[0]
	b.sizes[first].jobs = b.sizes[first].jobs[1:]
	return next.key, best, true
}
