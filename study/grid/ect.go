package grid

import (
	"math"

	"github.com/loadstone-hpc/loadstone/internal/heap"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

const ectPrefix = "ect-"

// ECTPerfect is earliest completion time with run times that are known: a job
// goes to the cluster where, behind all that run and wait there, it is expected
// to end first; the first of equals. Sonmez and others (2009), section 5.2.
type ECTPerfect struct{}

var _ Policy = ECTPerfect{}

// Name returns "ect-perfect".
func (ECTPerfect) Name() string { return ectPrefix + "perfect" }

// Broker implements Policy.
func (ECTPerfect) Broker(g *Grid) (sched.Broker, error) { return newEarliest(g, nil), nil }

// ECT is earliest completion time with predicted run times: ECT-Last2 of the
// paper by default. Each cluster simulates its queue with the predictions of
// the jobs that run and wait there, as section 4.1 does.
type ECT struct{ Forecast }

var _ Policy = ECT{}

// Name returns "ect-" and the predictor's name.
func (p ECT) Name() string { return ectPrefix + p.predictor() }

// Broker implements Policy.
func (p ECT) Broker(g *Grid) (sched.Broker, error) {
	f, err := newForecaster(p.Forecast, len(g.Clusters))
	if err != nil {
		return nil, err
	}
	return newEarliest(g, f), nil
}

// earliest is ECT at work.
type earliest struct {
	clusters []Cluster
	machines []*sched.State
	jobs     ectJobs
	forecast *forecaster     // nil is perfect
	plans    []plan          // of the clusters
	queues   []fifo[waiting] // of the clusters; not of perfect
	running  []runningHeap   // of the clusters, by their expected ends; not of perfect
	scratch  heap.Times[freed]
	busy     []offer // of a submission
}

// waiting is a job in a queue: little, because a queue is walked through often.
type waiting struct {
	size int64
	run  float64 // s, as expected on the cluster
}

func newEarliest(g *Grid, f *forecaster) *earliest {
	b := &earliest{clusters: g.Clusters, forecast: f}
	for _, c := range g.Clusters {
		b.plans = append(b.plans, plan{at: math.Inf(-1), free: c.Processors})
	}
	b.queues, b.running = make([]fifo[waiting], len(g.Clusters)), make([]runningHeap, len(g.Clusters))
	if f != nil {
		f.jobs = &b.jobs
	}
	return b
}

func (b *earliest) now() float64 { return b.machines[0].Now() }

func (b *earliest) Release([]*sched.State) (int32, int, bool) { return 0, 0, false }

func (b *earliest) Submit(t sched.Task, clusters []*sched.State) int {
	b.machines = clusters
	j, size := b.jobs.enter(t), t.Request.Size
	if b.forecast != nil {
		b.forecast.known = false
	}
	var best offer
	// First those where it starts at once, for which no schedule is needed; then
	// those that could still be better.
	b.busy = b.busy[:0]
	for i, c := range clusters {
		switch o := b.offer(t, i); {
		case size > c.Processors():
		case c.Queued() == 0 && size <= c.Free():
			best.take(o)
		default:
			b.busy = append(b.busy, o)
		}
	}
	b.likelyFirst()
	for _, o := range b.busy {
		if p := b.plan(&o, &best); p != nil {
			o.start = p.earliest(b.now(), size, &b.scratch)
			o.end = o.start + o.run
			best.take(o)
		}
	}
	if p := &b.plans[best.cluster]; b.forecast == nil || !b.stale(best.cluster) {
		p.place(best.start, size, best.run)
		p.next++
	}
	j.predictedWait, j.predictedRun = best.start-b.now(), best.run
	j.estimate, j.cluster = best.estimate, int32(best.cluster)
	if b.forecast != nil {
		b.forecast.enter(t.Key, best.cluster)
		j.queued = b.queues[best.cluster].push(waiting{size, j.predictedRun})
	}
	return best.cluster
}

// Predicted implements Predicting.
func (b *earliest) Predicted(key int32) (wait, run float64) {
	j := b.jobs.at(key)
	return j.predictedWait, j.predictedRun
}

// offer is what a cluster says to a job: when it is expected to start and to end
// there. The zero value is none.
type offer struct {
	some            bool
	cluster         int
	start, end, run float64
	estimate        estimate
}

// before says whether an offer is better than another.
func (o *offer) before(other *offer) bool {
	return o.some && (o.end < other.end || (o.end == other.end && o.cluster < other.cluster))
}

func (o *offer) take(other offer) {
	if !o.before(&other) {
		*o = other
	}
}

// offer is a cluster's if the job could start at once.
func (b *earliest) offer(t sched.Task, cluster int) offer {
	e := estimate{seconds: t.Estimate}
	if b.forecast != nil {
		e = b.forecast.of(t.Request, cluster)
	}
	run := e.seconds / b.clusters[cluster].Speed
	now := b.now()
	return offer{true, cluster, now, now + run, run, e}
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
	p, q := &b.plans[o.cluster], &b.queues[o.cluster]
	if b.forecast != nil { // else what was expected is what happened, and all is placed
		if b.stale(o.cluster) {
			b.restart(o.cluster)
		}
		now := b.now()
		for _, w := range q.from(p.next) {
			o.end = p.at + o.run
			if best.before(o) {
				return nil
			}
			p.follow(now, w.size, w.run)
			p.next++
		}
	}
	o.end = p.at + o.run
	if best.before(o) {
		return nil
	}
	return p
}

// stale says whether a cluster's plan no longer holds: predictions have changed,
// a job that was expected to end runs on, or one has started that was not placed.
func (b *earliest) stale(cluster int) bool {
	h := b.running[cluster].Times
	return b.forecast.changed[cluster] || (len(h) > 0 && h[0].At <= b.now()) || b.plans[cluster].next < b.queues[cluster].number()
}

// restart begins a cluster's expected schedule with what runs there now.
func (b *earliest) restart(cluster int) {
	p, h := &b.plans[cluster], &b.running[cluster]
	b.correct(cluster)
	for len(h.Times) > 0 && h.Times[0].At <= b.now() {
		first := h.Times[0].Value.key
		h.move(&b.jobs, first, b.expectedEnd(first))
	}
	p.at, p.free, p.ends, p.next = b.now(), b.machines[cluster].Free(), append(p.ends[:0], h.Times...), b.queues[cluster].number()
	b.forecast.changed[cluster] = false
}

// correct makes the estimates of a cluster's jobs anew whose classes have
// learned.
func (b *earliest) correct(cluster int) {
	q, h := &b.queues[cluster], &b.running[cluster]
	for slot, r := range b.forecast.outdated(cluster) {
		if !b.forecast.renew(slot, r, cluster) {
			continue
		}
		j := b.jobs.at(slot)
		if j.running >= 0 {
			h.move(&b.jobs, slot, b.expectedEnd(slot))
		} else {
			q.at(j.queued).run = j.estimate.seconds / b.clusters[cluster].Speed
		}
	}
}

// expectedEnd is that of a job that runs.
func (b *earliest) expectedEnd(slot int32) float64 {
	j := b.jobs.at(slot)
	return outlast(j.start, j.estimate.seconds/b.clusters[j.cluster].Speed, b.now())
}

func (b *earliest) Started(t sched.Task, c *sched.State) {
	if b.forecast == nil {
		return
	}
	j := b.jobs.at(t.Key)
	b.queues[j.cluster].pop()
	j.start = c.Now()
	b.running[j.cluster].push(&b.jobs, j.start+j.estimate.seconds/b.clusters[j.cluster].Speed, freed{uint32(t.Request.Size), t.Key})
}

func (b *earliest) Ended(job *workload.Job, key int32, c *sched.State) {
	if b.forecast == nil {
		return
	}
	b.running[c.Index()].remove(&b.jobs, key)
	// Its processors are free, and its class has learned.
	b.forecast.changed[c.Index()] = true
	b.forecast.leave(key, c.Index())
	b.forecast.observe(job, c.Index())
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
