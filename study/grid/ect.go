package grid

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/heap"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// earliest is ECT, earliest completion time: a job goes to the cluster where, behind all
// that run and wait there, it is expected to end first; the first of equals. Run times are
// known (ECT-Perfect) or predicted (ECT-Last2): each cluster then simulates its queue with
// the predictions of the jobs that run and wait there, as section 4.1 of the paper does.
type earliest struct {
	clusters []Cluster
	machines []*sched.State
	forecast *forecaster // nil is perfect: what was expected is what happens
	jobs     []ectJob    // by Task.Key
	plans    []plan      // of the clusters
	scratch  heap.Times[int64]
	busy     []offer // of a submission

	// Of the clusters, where run times are predicted.
	queues  []fifo[waiting]
	running [][]running
	changed []bool // predictions have changed, or a job has ended
}

// ectJob is what ECT knows of a job from its submission to its end.
type ectJob struct {
	request                     *workload.Request
	estimate                    estimate
	start                       float64 // s
	place                       int64   // its number in the cluster's queue, then its index in running
	isRunning                   bool
	cluster                     int32
	predictedWait, predictedRun float64
}

// waiting is a job in a queue: little, because a queue is walked through often.
type waiting struct {
	size int64
	run  float64 // s, as expected on the cluster
}

type running struct {
	end  float64 // s, as expected
	size int64
	key  int32
}

func newEarliest(g *Grid, f *forecaster) *earliest {
	n := len(g.Clusters)
	b := &earliest{clusters: g.Clusters, forecast: f, queues: make([]fifo[waiting], n), running: make([][]running, n), changed: make([]bool, n)}
	for _, c := range g.Clusters {
		b.plans = append(b.plans, plan{at: math.Inf(-1), free: c.Processors, first: math.Inf(1)})
	}
	return b
}

func (b *earliest) now() float64 { return b.machines[0].Now() }

// Release implements sched.Broker: no job is held back.
func (b *earliest) Release([]*sched.State) (int32, int, bool) { return 0, 0, false }

// offer is when a job is expected to start and to end on a cluster.
type offer struct {
	cluster         int // -1 for none
	start, end, run float64
	estimate        estimate
}

// before says whether an offer is better than another; any is better than none.
func (o *offer) before(other *offer) bool {
	switch {
	case o.cluster < 0 || other.cluster < 0:
		return o.cluster >= 0
	case o.end == other.end:
		return o.cluster < other.cluster
	}
	return o.end < other.end
}

// Submit implements sched.Broker.
func (b *earliest) Submit(t sched.Task, clusters []*sched.State) int {
	b.machines = clusters
	now, size := b.now(), t.Request.Size
	best, e := offer{cluster: -1}, estimate{seconds: t.Estimate}
	// First those where it starts at once, for which no schedule is needed; then
	// those that could still be better.
	b.busy = b.busy[:0]
	for i, c := range clusters {
		if f := b.forecast; f != nil && (i == 0 || f.own) {
			e = f.of(t.Request, i)
		}
		run := e.seconds / b.clusters[i].Speed
		switch o := (offer{i, now, now + run, run, e}); {
		case size > c.Processors():
		case c.Queued() > 0 || size > c.Free():
			b.busy = append(b.busy, o)
		case o.before(&best):
			best = o
		}
	}
	b.likelyFirst()
	for _, o := range b.busy {
		if p := b.plan(&o, &best); p != nil {
			o.start = p.earliest(now, size, &b.scratch)
			if o.end = o.start + o.run; o.before(&best) {
				best = o
			}
		}
	}
	if b.forecast == nil || !b.stale(best.cluster) {
		b.plans[best.cluster].follow(now, size, best.run)
	}
	for int(t.Key) >= len(b.jobs) {
		b.jobs = append(b.jobs, ectJob{})
	}
	j := &b.jobs[t.Key]
	*j = ectJob{request: t.Request, estimate: best.estimate, cluster: int32(best.cluster), predictedWait: best.start - now, predictedRun: best.run}
	if b.forecast != nil {
		b.forecast.enter(t.Key, j)
		j.place = b.queues[best.cluster].push(waiting{size, best.run})
	}
	return best.cluster
}

func (b *earliest) predicted(key int32) (wait, run float64) {
	return b.jobs[key].predictedWait, b.jobs[key].predictedRun
}

// likelyFirst brings the offer to the front that would be the best if nothing
// had changed: the others need a schedule only as far as they could still win.
func (b *earliest) likelyFirst() {
	first := 0
	for i, o := range b.busy {
		if b.plans[o.cluster].at+o.run < b.plans[b.busy[first].cluster].at+b.busy[first].run {
			first = i
		}
	}
	if len(b.busy) > 0 {
		b.busy[0], b.busy[first] = b.busy[first], b.busy[0]
	}
}

// plan returns the expected schedule of an offer's cluster; nil if the offer
// cannot be better than the best. A schedule that does not hold any more is made
// anew, and as far as is needed: jobs start in turn, so that the last start says
// what a job behind all others can expect at best.
func (b *earliest) plan(o, best *offer) *plan {
	p := &b.plans[o.cluster]
	if b.forecast != nil {
		b.correct()
		if b.stale(o.cluster) {
			b.restart(o.cluster)
		}
		now := b.now()
		for _, w := range b.queues[o.cluster].from(p.next) {
			if o.end = p.at + o.run; best.before(o) {
				return nil
			}
			p.follow(now, w.size, w.run)
		}
	}
	if o.end = p.at + o.run; best.before(o) {
		return nil
	}
	return p
}

// stale says whether a cluster's plan no longer holds: predictions have changed,
// a job that was expected to end runs on, or one has started that was not placed.
func (b *earliest) stale(cluster int) bool {
	p := &b.plans[cluster]
	return b.changed[cluster] || len(b.forecast.learned) > 0 || p.first <= b.now() || p.next < b.queues[cluster].number()
}

// restart begins a cluster's expected schedule with what runs there now.
func (b *earliest) restart(cluster int) {
	p := &b.plans[cluster]
	*p = plan{at: b.now(), free: b.machines[cluster].Free(), ends: p.ends[:0], next: b.queues[cluster].number(), first: math.Inf(1)}
	list := b.running[cluster]
	for i := range list {
		r := &list[i]
		if r.end <= p.at {
			r.end = b.expectedEnd(r.key)
		}
		p.ends.Push(heap.Time[int64]{At: r.end, Value: r.size})
		p.first = min(p.first, r.end)
	}
	b.changed[cluster] = false
}

// correct makes the estimates of the jobs anew whose classes have learned.
func (b *earliest) correct() {
	f := b.forecast
	for _, c := range f.learned {
		c.learned = false
		for _, key := range slices.Clone(c.jobs) { // which leave and enter alter
			j := &b.jobs[key]
			e := f.of(j.request, int(j.cluster))
			if e == j.estimate {
				continue
			}
			if e.level != j.estimate.level {
				f.leave(key)
			}
			moved := e.level != j.estimate.level
			if j.estimate = e; moved {
				f.enter(key, j)
			}
			b.changed[j.cluster] = true
			if j.isRunning {
				b.running[j.cluster][j.place].end = b.expectedEnd(key)
			} else {
				b.queues[j.cluster].from(j.place)[0].run = b.expectedRun(j)
			}
		}
	}
	f.learned = f.learned[:0]
}

func (b *earliest) expectedRun(j *ectJob) float64 {
	return j.estimate.seconds / b.clusters[j.cluster].Speed
}

// expectedEnd is that of a job that runs.
func (b *earliest) expectedEnd(key int32) float64 {
	j := &b.jobs[key]
	return outlast(j.start, b.expectedRun(j), b.now())
}

// outlast is when a job is expected to end that runs now: its start and its
// predicted run time, doubled until that lies behind now. A prediction of 0
// counts as a second then.
func outlast(start, run, now float64) float64 {
	if start+run <= now {
		run = max(run, 1)
	}
	for start+run <= now {
		run *= 2
	}
	return start + run
}

// Started implements sched.Broker.
func (b *earliest) Started(t sched.Task, c *sched.State) {
	if b.forecast == nil {
		return
	}
	j, i := &b.jobs[t.Key], c.Index()
	b.queues[i].pop()
	j.start, j.isRunning, j.place = c.Now(), true, int64(len(b.running[i]))
	end := j.start + b.expectedRun(j)
	b.running[i] = append(b.running[i], running{end, t.Request.Size, t.Key})
	b.plans[i].first = min(b.plans[i].first, end)
}

// Ended implements sched.Broker.
func (b *earliest) Ended(job *workload.Job, key int32, c *sched.State) {
	if b.forecast == nil {
		return
	}
	i, place := c.Index(), b.jobs[key].place
	last := len(b.running[i]) - 1
	b.running[i][place] = b.running[i][last]
	b.jobs[b.running[i][place].key].place = place
	b.running[i] = b.running[i][:last]
	// Its processors are free, and its class has learned.
	b.changed[i] = true
	b.forecast.leave(key)
	b.forecast.observe(job, i)
}

// plan is the schedule that a cluster is expected to have, as far as a job
// behind all others needs it: under first come, first served that is when the
// last of them starts, and when processors become free from then on.
type plan struct {
	at    float64           // s, the last start
	free  int64             // processors at that time
	ends  heap.Times[int64] // processors of the jobs that hold some then
	next  int64             // the number in the queue of the first job that is not placed
	first float64           // s, the first expected end of a job that runs
}

// earliest returns when a job of a size that the cluster can hold would start.
func (p *plan) earliest(now float64, size int64, scratch *heap.Times[int64]) float64 {
	t := max(p.at, now)
	for len(p.ends) > 0 && p.ends[0].At <= t {
		p.free += p.ends.Pop().Value
	}
	if p.free >= size {
		return t
	}
	if first := p.ends[0]; p.free+first.Value >= size {
		return first.At
	}
	*scratch = append((*scratch)[:0], p.ends...)
	for free := p.free; free < size; {
		e := scratch.Pop()
		t, free = e.At, free+e.Value
	}
	return t
}

// follow places the next job of the queue, as soon as it can start.
func (p *plan) follow(now float64, size int64, run float64) {
	t, free := max(p.at, now), p.free
	x := p.ends
	for len(x) > 0 && (x[0].At <= t || free < size) {
		e := x.Pop()
		t, free = max(t, e.At), free+e.Value
	}
	x.Push(heap.Time[int64]{At: t + run, Value: size})
	p.at, p.free, p.ends = t, free-size, x
	p.next++
}
