package grid

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/heap"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// earliest is ECT, earliest completion time: a job goes to the cluster where it is expected to
// end first if it is queued after all jobs there; the first of equals. Run times are known
// (ECT-Perfect) or predicted (such as ECT-Last2). If they are predicted, the queue of each
// cluster is simulated with the predictions for its running and waiting jobs, as in section 4.1
// of the paper.
type earliest struct {
	sched.Sender
	clusters []Cluster
	forecast *forecaster       // nil for ECT-Perfect
	jobs     []*ectJob         // by Task.Key
	plans    []plan            // by cluster
	scratch  heap.Times[int64] // memory for trial plans
}

// ectJob is the state of a job in ECT, from its submission to its end.
type ectJob struct {
	request                     *workload.Request
	cluster                     int
	estimate                    estimate
	run                         float64 // estimated run time on the cluster, s
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

// plan returns the plan of a cluster, computed again from the jobs that run and wait there if
// it is no longer valid.
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

// correct updates the estimates of jobs whose classes have learned.
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

// outlast returns the time at which a running job is expected to end: its start plus its
// predicted run time, which is doubled until that time is after now. If doubling is needed,
// a prediction below a second counts as a second.
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

// plan is the expected schedule of a cluster, as far as it matters for a job queued after all
// others: under first come, first served, this is the start of the last of them, and the times
// at which processors become free from then on.
type plan struct {
	at    float64           // time of the last start, s
	free  int64             // free processors at that time
	ends  heap.Times[int64] // ends of the jobs that run at that time, with their processors
	first float64           // first predicted end of a running job, s
	stale bool              // a prediction has changed, or a job has ended
}

// holds reports whether the plan is valid: no prediction has changed, and no job runs beyond its
// expected end.
func (p *plan) holds(now float64) bool { return !p.stale && p.first > now }

// follow appends a job to the queue and returns the earliest time at which it can start.
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
