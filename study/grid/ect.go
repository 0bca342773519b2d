package grid

import "math"

const ectPrefix = "ect-"

// ECTPerfect is earliest completion time with run times that are known: a job
// goes to the cluster where, behind all that run and wait there, it is expected
// to end first; the first of equals. Sonmez and others (2009), section 5.2.
type ECTPerfect struct{}

var _ Policy = ECTPerfect{}

// Name returns "ect-perfect".
func (ECTPerfect) Name() string { return ectPrefix + "perfect" }

func (ECTPerfect) broker(s *simulation) (broker, error) {
	return newEarliest(s, nil), nil
}

// ECT is earliest completion time with predicted run times: ECT-Last2 of the
// paper by default. Each cluster simulates its queue with the predictions of
// the jobs that run and wait there, as section 4.1 does.
type ECT struct{ Forecast }

var _ Policy = ECT{}

// Name returns "ect-" and the predictor's name.
func (p ECT) Name() string { return ectPrefix + p.predictor() }

func (p ECT) broker(s *simulation) (broker, error) {
	f, err := newForecaster(p.Forecast, s)
	if err != nil {
		return nil, err
	}
	return newEarliest(s, f), nil
}

// earliest is ECT at work.
type earliest struct {
	s        *simulation
	forecast *forecaster // nil is perfect
	plans    []plan      // of the clusters
	running  []slotHeap  // of the clusters, by their expected ends; not of perfect
	scratch  endHeap
	busy     []offer // of a submission
}

func newEarliest(s *simulation, f *forecaster) *earliest {
	b := &earliest{s: s, forecast: f}
	for _, c := range s.clusters {
		b.plans = append(b.plans, plan{at: math.Inf(-1), free: c.Processors})
	}
	b.running = make([]slotHeap, len(s.clusters))
	return b
}

func (b *earliest) release() (int32, int, bool) { return 0, 0, false }

func (b *earliest) submit(slot int32) int {
	j := b.s.jobs.At(slot)
	if b.forecast != nil {
		b.forecast.begin()
	}
	var best offer
	// First those where it starts at once, for which no schedule is needed; then
	// those that could still be better.
	b.busy = b.busy[:0]
	for i := range b.s.clusters {
		c := &b.s.clusters[i]
		switch o := b.offer(j, i); {
		case j.size > c.Processors:
		case c.queue.len() == 0 && j.size <= c.free:
			best.take(o)
		default:
			b.busy = append(b.busy, o)
		}
	}
	b.likelyFirst()
	for _, o := range b.busy {
		if p := b.plan(&o, &best); p != nil {
			o.start = p.earliest(b.s.now, j.size, &b.scratch)
			o.end = o.start + o.run
			best.take(o)
		}
	}
	if p := &b.plans[best.cluster]; b.forecast == nil || !b.stale(best.cluster) {
		p.place(best.start, j.size, best.run)
		p.next++
	}
	j.predictedWait, j.predictedRun = best.start-b.s.now, best.run
	j.estimate = best.estimate
	if b.forecast != nil {
		b.forecast.enter(slot, best.cluster)
	}
	return best.cluster
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
func (b *earliest) offer(j *held, cluster int) offer {
	e := estimate{seconds: j.job.Run}
	if b.forecast != nil {
		e = b.forecast.of(&j.job.Request, cluster)
	}
	run := e.seconds / b.s.clusters[cluster].Speed
	return offer{true, cluster, b.s.now, b.s.now + run, run, e}
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
	p, q := &b.plans[o.cluster], &b.s.clusters[o.cluster].queue
	if b.forecast != nil { // else what was expected is what happened, and all is placed
		if b.stale(o.cluster) {
			b.restart(o.cluster)
		}
		for _, w := range q.from(p.next) {
			o.end = p.at + o.run
			if best.before(o) {
				return nil
			}
			p.follow(b.s.now, w.size, w.run)
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
	h := b.running[cluster].heap
	return b.forecast.changed[cluster] || (len(h) > 0 && h[0].at <= b.s.now) || b.plans[cluster].next < b.s.clusters[cluster].queue.number()
}

// restart begins a cluster's expected schedule with what runs there now.
func (b *earliest) restart(cluster int) {
	c, p, h := &b.s.clusters[cluster], &b.plans[cluster], &b.running[cluster]
	b.correct(cluster)
	for len(h.heap) > 0 && h.heap[0].at <= b.s.now {
		h.move(&b.s.jobs, h.heap[0].slot, b.expectedEnd(h.heap[0].slot))
	}
	p.at, p.free, p.ends, p.next = b.s.now, c.free, append(p.ends[:0], h.heap...), c.queue.number()
	b.forecast.changed[cluster] = false
}

// correct makes the estimates of a cluster's jobs anew whose classes have
// learned.
func (b *earliest) correct(cluster int) {
	c, h := &b.s.clusters[cluster], &b.running[cluster]
	for slot := range b.forecast.outdated(cluster) {
		j := b.s.jobs.At(slot)
		if !b.forecast.renew(slot, cluster) {
			continue
		}
		if j.running >= 0 {
			h.move(&b.s.jobs, slot, b.expectedEnd(slot))
		} else {
			c.queue.at(j.queued).run = j.estimate.seconds / c.Speed
		}
	}
}

// expectedEnd is that of a job that runs.
func (b *earliest) expectedEnd(slot int32) float64 {
	j := b.s.jobs.At(slot)
	return outlast(j.start, j.estimate.seconds/b.s.clusters[j.cluster].Speed, b.s.now)
}

func (b *earliest) started(slot int32) {
	if b.forecast == nil {
		return
	}
	j := b.s.jobs.At(slot)
	b.running[j.cluster].push(&b.s.jobs, freeing{j.start + j.estimate.seconds/b.s.clusters[j.cluster].Speed, uint32(j.size), slot})
}

func (b *earliest) finished(slot int32) {
	if b.forecast == nil {
		return
	}
	j := b.s.jobs.At(slot)
	b.running[j.cluster].remove(&b.s.jobs, slot)
	// Its processors are free, and its class has learned.
	b.forecast.changed[j.cluster] = true
	b.forecast.leave(slot, int(j.cluster))
	b.forecast.observe(&j.job, int(j.cluster))
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
