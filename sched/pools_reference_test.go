package sched

import (
	"math"
	"slices"
	"sort"

	"github.com/loadstone-hpc/loadstone/workload"
)

// plainCluster simulates a Cluster as slowly and simply as its policies are
// defined: lists, and at every start everything anew. What it shares with the
// simulator is the description of the machine and of the job alone.
type plainCluster struct {
	cluster  *Cluster
	policy   Policy
	estimate func(*workload.Job) float64

	now            float64
	waiting        []*clusterJob // by submission
	running        []*clusterJob // by start
	freed, revised bool          // conservative's plan is to be compressed, made anew
}

type clusterJob struct {
	*workload.Job
	row                                     int
	choices                                 []choice // by the order of the partition's pools
	in                                      choice   // where it runs or is planned
	submit, estimate, start, expected, plan float64
}

// choice is what a job takes of a pool.
type choice struct {
	pool int
	take [4]int64
}

// length is what conservative plans: a job without length for a second.
func (j *clusterJob) length() float64 {
	if j.estimate == 0 {
		return 1
	}
	return j.estimate
}

// choicesOf tries the pools. Where nodes are whole it tries one node after another.
func (r *plainCluster) choicesOf(j *workload.Job) (all []choice) {
	need := needs(j)
	if need == (amounts{}) {
		return nil
	}
	pools := []int{}
	for i := range r.cluster.Pools {
		pools = append(pools, i)
	}
	if r.cluster.Partitions != nil {
		i := slices.IndexFunc(r.cluster.Partitions, func(p Partition) bool { return p.Name == string(rune('0'+j.Partition)) })
		if i < 0 {
			return nil
		}
		pools = r.cluster.Partitions[i].Pools
	}
	var anywhere [3]int64
	for _, p := range r.cluster.Pools {
		for k, n := range []int64{p.Processors, 1000 * p.GPUs, p.Memory} {
			anywhere[k] += n
		}
	}
	for _, i := range pools {
		p := r.cluster.Pools[i]
		node := [3]int64{p.Processors, 1000 * p.GPUs, p.Memory}
		if a := j.Asked; need[GPUs] > 0 && p.GPUType != "" && a.GPUType != workload.Unknown && p.GPUType != string(rune('0'+a.GPUType)) {
			continue
		}
		enough := func(nodes int64) bool {
			for k := range node {
				if anywhere[k] > 0 && need[k] > nodes*node[k] {
					return false
				}
			}
			return true
		}
		if !r.cluster.WholeNodes {
			least := max(1, p.Nodes)
			if p.Nodes > 0 && need[Nodes] > 0 {
				least = need[Nodes]
			}
			if least <= max(1, p.Nodes) && enough(least) {
				c := choice{pool: i}
				for k := range node {
					if anywhere[k] > 0 {
						c.take[k] = need[k]
					}
				}
				all = append(all, c)
			}
			continue
		}
		for n := max(1, need[Nodes]); n <= p.Nodes; n++ {
			if enough(n) {
				all = append(all, choice{i, [4]int64{n * node[0], n * node[1], n * node[2], n}})
				break
			}
		}
	}
	return all
}

// capacity is what a pool has.
func (r *plainCluster) capacity(i int) [4]int64 {
	p := r.cluster.Pools[i]
	n := max(1, p.Nodes)
	c := [4]int64{n * p.Processors, 1000 * n * p.GPUs, n * p.Memory}
	if r.cluster.WholeNodes {
		c[3] = p.Nodes
	}
	return c
}

// fits says whether a choice fits beside what others hold of its pool.
func (r *plainCluster) fits(c choice, others []*clusterJob) bool {
	free := r.capacity(c.pool)
	for _, j := range others {
		for k := range free {
			if j.in.pool == c.pool {
				free[k] -= j.in.take[k]
			}
		}
	}
	for k := range free {
		if c.take[k] > free[k] {
			return false
		}
	}
	return true
}

// starts simulates the jobs; those that fit nowhere start never.
func (r *plainCluster) starts(jobs []workload.Job) (at []float64, pools []int) {
	var all []*clusterJob
	for i := range jobs {
		at, pools = append(at, math.NaN()), append(pools, -1)
		if c := r.choicesOf(&jobs[i]); len(c) > 0 {
			all = append(all, &clusterJob{Job: &jobs[i], row: i, choices: c, submit: jobs[i].Submit})
		}
	}
	for len(all)+len(r.waiting)+len(r.running) > 0 {
		t := math.Inf(1)
		for _, j := range all {
			t = min(t, j.submit)
		}
		for _, j := range r.running {
			t = min(t, j.start+j.Run, j.expected)
		}
		r.now = t
		r.finish()
		for len(all) > 0 && all[0].submit == t {
			j := all[0]
			all = all[1:]
			j.estimate = r.estimate(j.Job)
			r.settle()
			r.waiting = append(r.waiting, j)
			if r.policy == (Conservative{}) {
				j.plan, j.in = r.earliest(j, r.waiting)
			}
		}
		for {
			r.settle()
			j := r.choose()
			if j == nil {
				break
			}
			if !r.fits(j.in, r.running) {
				panic("the reference starts a job that does not fit")
			}
			r.waiting = slices.DeleteFunc(r.waiting, func(x *clusterJob) bool { return x == j })
			j.start, j.expected = t, t+j.estimate
			at[j.row], pools[j.row] = t, j.in.pool
			r.running = append(r.running, j)
			if j.Run == 0 {
				r.finish()
			}
		}
	}
	return at, pools
}

func (r *plainCluster) finish() {
	r.running = slices.DeleteFunc(r.running, func(j *clusterJob) bool {
		ended := j.start+j.Run <= r.now
		if ended && j.start+j.length() > r.now {
			r.freed = true
		}
		return ended
	})
	for _, j := range r.running {
		for j.expected <= r.now {
			j.estimate *= 2
			j.expected, r.revised = j.start+j.estimate, true
		}
	}
}

// choose returns which of the waiting jobs starts, and where (in); nil for none.
func (r *plainCluster) choose() *clusterJob {
	queue := slices.Clone(r.waiting)
	switch p := r.policy.(type) {
	case Conservative:
		for _, j := range queue {
			if j.plan <= r.now {
				return j
			}
		}
		return nil
	case EASY:
		return r.chooseEASY(queue)
	case SJF:
		sort.SliceStable(queue, func(a, b int) bool { return queue[a].estimate < queue[b].estimate })
	case Priority:
		rank := func(j *clusterJob) int { return slices.Index(append(slices.Clone(p.Queues), j.Queue), j.Queue) }
		sort.SliceStable(queue, func(a, b int) bool { return rank(queue[a]) < rank(queue[b]) })
	}
	heldUp := map[int]bool{}
	for _, j := range queue {
		if !slices.ContainsFunc(j.choices, func(c choice) bool { return heldUp[c.pool] }) {
			for _, c := range j.choices {
				if r.fits(c, r.running) {
					j.in = c
					return j
				}
			}
		}
		for _, c := range j.choices {
			heldUp[c.pool] = true
		}
	}
	return nil
}

// chooseEASY tries each job in each pool, and looks whether the heads could start
// as early as without it.
func (r *plainCluster) chooseEASY(queue []*clusterJob) *clusterJob {
	var heads []*clusterJob
	for _, j := range queue {
		var before []float64
		for _, h := range heads {
			before = append(before, r.headStart(h))
		}
		for _, c := range j.choices {
			if !r.fits(c, r.running) {
				continue
			}
			j.in, j.expected = c, r.now+j.estimate
			r.running = append(r.running, j)
			delays := false
			for i, h := range heads {
				delays = delays || r.headStart(h) > before[i]
			}
			r.running = r.running[:len(r.running)-1]
			if !delays {
				return j
			}
		}
		if !slices.ContainsFunc(heads, func(h *clusterJob) bool {
			return slices.ContainsFunc(h.choices, func(a choice) bool {
				return slices.ContainsFunc(j.choices, func(b choice) bool { return a.pool == b.pool })
			})
		}) {
			heads = append(heads, j)
		}
	}
	return nil
}

// headStart is when a job can start if the running jobs end as expected and no
// other starts.
func (r *plainCluster) headStart(head *clusterJob) float64 {
	times := []float64{r.now}
	for _, j := range r.running {
		times = append(times, j.expected)
	}
	slices.Sort(times)
	for _, t := range times {
		var still []*clusterJob
		for _, j := range r.running {
			if j.expected > t {
				still = append(still, j)
			}
		}
		for _, c := range head.choices {
			if r.fits(c, still) {
				return t
			}
		}
	}
	return math.Inf(1)
}

// earliest is when and where a job fits beside the running jobs and the plans of
// others that wait.
func (r *plainCluster) earliest(job *clusterJob, waiting []*clusterJob) (float64, choice) {
	type span struct {
		*clusterJob
		from, to float64
	}
	var spans []span
	times := []float64{r.now}
	for _, j := range r.running {
		spans = append(spans, span{j, r.now, j.expected})
	}
	for _, j := range waiting {
		if j != job {
			spans = append(spans, span{j, j.plan, j.plan + j.length()})
		}
	}
	for _, s := range spans {
		times = append(times, s.from, s.to)
	}
	slices.Sort(times)
	during := func(t float64) (all []*clusterJob) {
		for _, s := range spans {
			if s.from <= t && t < s.to {
				all = append(all, s.clusterJob)
			}
		}
		return all
	}
	for _, t := range times {
		if t < r.now {
			continue
		}
		for _, c := range job.choices {
			if !slices.ContainsFunc(times, func(u float64) bool {
				return u >= t && (u == t || u < t+job.length()) && !r.fits(c, during(u))
			}) {
				return t, c
			}
		}
	}
	return math.Inf(1), choice{}
}

// settle puts conservative's plan right.
func (r *plainCluster) settle() {
	freed, revised := r.freed, r.revised
	r.freed, r.revised = false, false
	switch {
	case r.policy != (Conservative{}):
	case revised:
		for i, j := range r.waiting {
			j.plan, j.in = r.earliest(j, r.waiting[:i])
		}
	case freed:
		for moved := true; moved; {
			moved = false
			for _, j := range r.waiting {
				if t, c := r.earliest(j, r.waiting); t < j.plan {
					j.plan, j.in, moved = t, c, true
				}
			}
		}
	}
}
