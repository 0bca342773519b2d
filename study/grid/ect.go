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
	sched.Sender
	clusters []Cluster
	forecast *forecaster       // nil is perfect: what was expected is what happens
	jobs     []*ectJob         // by Task.Key
	plans    []plan            // of the clusters
	scratch  heap.Times[int64] // of a plan with a job that may go elsewhere
}

// ectJob is what ECT knows of a job from its submission to its end.
type ectJob struct {
	request                     *workload.Request
	cluster                     int
	estimate                    estimate
	run                         float64 // s, by the estimate, on the cluster
	ended                       bool
	predictedWait, predictedRun float64 // s
}

func newEarliest(g *Grid, f *forecaster) *earliest {
	b := &earliest{clusters: g.Clusters, forecast: f}
	for _, c := range g.Clusters {
		b.plans = append(b.plans, plan{at: math.Inf(-1), free: c.Processors, first: math.Inf(1)})
	}
	return b
}

// Submit implements sched.Broker.
func (b *earliest) Submit(t sched.Task, clusters []*sched.State) int {
	if b.forecast != nil {
		b.correct()
	}
	now, size := clusters[0].Now(), t.Request.Size
	j, end, e := &ectJob{request: t.Request, cluster: -1}, math.Inf(1), estimate{seconds: t.Estimate}
	for i, c := range clusters {
		if f := b.forecast; f != nil && (i == 0 || f.own) {
			e = f.of(t.Request, i)
		}
		if size > c.Processors() {
			continue
		}
		start, run := now, e.seconds/b.clusters[i].Speed
		if c.Queued() > 0 || size > c.Free() {
			trial := *b.plan(c)
			trial.ends = append(b.scratch[:0], trial.ends...)
			start = trial.follow(now, size, run)
			b.scratch = trial.ends
		}
		if j.cluster < 0 || start+run < end {
			end = start + run
			j.cluster, j.estimate, j.run, j.predictedWait, j.predictedRun = i, e, run, start-now, run
		}
	}
	if p := &b.plans[j.cluster]; p.holds(now) {
		p.follow(now, size, j.run)
	}
	for int(t.Key) >= len(b.jobs) {
		b.jobs = append(b.jobs, nil)
	}
	b.jobs[t.Key] = j
	if b.forecast != nil {
		b.forecast.enter(j, 0)
	}
	return j.cluster
}

func (b *earliest) predicted(key int32) (wait, run float64) {
	return b.jobs[key].predictedWait, b.jobs[key].predictedRun
}

// plan is a cluster's, which is made anew from what runs and waits there if it does not hold
// any more.
func (b *earliest) plan(m *sched.State) *plan {
	p := &b.plans[m.Index()]
	if p.holds(m.Now()) {
		return p
	}
	*p = plan{at: m.Now(), free: m.Free(), ends: p.ends[:0], first: math.Inf(1)}
	for r := range m.Running() {
		end := outlast(r.Start, b.jobs[r.Key].run, m.Now())
		p.ends.Push(heap.Time[int64]{At: end, Value: r.Request.Size})
		p.first = min(p.first, end)
	}
	for _, t := range m.Waiting() {
		p.follow(m.Now(), t.Request.Size, b.jobs[t.Key].run)
	}
	return p
}

// correct makes the estimates of the jobs anew whose classes have learned.
func (b *earliest) correct() {
	f := b.forecast
	for _, c := range f.learned {
		c.learned = false
		c.jobs = slices.DeleteFunc(c.jobs, func(j *ectJob) bool {
			if j.ended || j.estimate.level < c.level {
				return true
			}
			previous := j.estimate
			if j.estimate = f.of(j.request, j.cluster); j.estimate != previous {
				j.run = j.estimate.seconds / b.clusters[j.cluster].Speed
				f.enter(j, previous.level+1)
				b.plans[j.cluster].stale = true
			}
			return j.estimate.level < c.level
		})
	}
	f.learned = f.learned[:0]
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
func (b *earliest) Started(t sched.Task, m *sched.State) {
	if b.forecast != nil {
		p := &b.plans[m.Index()]
		p.first = min(p.first, m.Now()+b.jobs[t.Key].run)
	}
}

// Ended implements sched.Broker: the job's processors are free, and its class has learned.
func (b *earliest) Ended(job *workload.Job, key int32, m *sched.State) {
	if b.forecast == nil {
		return
	}
	b.jobs[key].ended = true
	b.plans[m.Index()].stale = true
	b.forecast.observe(job, m.Index())
}

// plan is the schedule that a cluster is expected to have, as far as a job
// behind all others needs it: under first come, first served that is when the
// last of them starts, and when processors become free from then on.
type plan struct {
	at    float64           // s, the last start
	free  int64             // processors at that time
	ends  heap.Times[int64] // processors of the jobs that hold some then
	first float64           // s, the first predicted end of a job that runs
	stale bool              // predictions have changed, or a job has ended
}

// holds says whether the plan has all jobs: no prediction has changed, and no job runs on that was
// expected to end.
func (p *plan) holds(now float64) bool { return !p.stale && p.first > now }

// follow places the next job of the queue, as soon as it can start, and returns when.
func (p *plan) follow(now float64, size int64, run float64) (start float64) {
	t, free := max(p.at, now), p.free
	x := p.ends
	for len(x) > 0 && (x[0].At <= t || free < size) {
		e := x.Pop()
		t, free = max(t, e.At), free+e.Value
	}
	x.Push(heap.Time[int64]{At: t + run, Value: size})
	p.at, p.free, p.ends = t, free-size, x
	return t
}
