package sched

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/workload"
)

// reference simulates as slowly and simply as the policies are defined: lists,
// and at every start everything anew. It is what the simulator is held against.
type reference struct {
	processors int64
	policy     Policy
	estimator  Estimator
	correct    bool

	now            float64
	waiting        []*referenceJob // by submission
	running        []*referenceJob // by start
	freed, revised bool            // conservative's plan is to be compressed, made anew
	promised       []float64       // by row: conservative's reservation at submission

	feedback      bool
	submits, ends []float64 // by row; jobs that have not ended end at infinity
	to            []int     // by row: what is waited for, -1 for none
}

type referenceJob struct {
	*workload.Job
	row                             int
	estimate, start, expected, plan float64
}

// length is what conservative plans: a job without length for a second.
func (j *referenceJob) length() float64 {
	if j.estimate == 0 {
		return 1
	}
	return j.estimate
}

func (r *reference) estimate(j *workload.Job) float64 {
	if _, ok := r.estimator.(Perfect); ok {
		return j.Run
	}
	if p, ok := r.estimator.Predict(j.Request); ok {
		return max(1, p.Seconds)
	}
	if j.Time > 0 {
		return j.Time
	}
	return DefaultEstimate
}

func (r *reference) free() int64 {
	free := r.processors
	for _, j := range r.running {
		free -= j.Size
	}
	return free
}

// starts simulates the jobs.
func (r *reference) starts(jobs []workload.Job) []float64 {
	at := make([]float64, len(jobs))
	r.promised = make([]float64, len(jobs))
	all := make([]*referenceJob, len(jobs))
	for i := range jobs {
		j := jobs[i]
		j.Row = int64(i)
		all[i] = &referenceJob{Job: &j, row: i}
		r.link(&j)
	}
	for len(all) > 0 || len(r.waiting)+len(r.running) > 0 {
		// The next instant.
		t := math.Inf(1)
		for _, j := range all {
			t = min(t, r.ready(j))
		}
		for _, j := range r.running {
			t = min(t, j.start+j.Run, j.expected)
		}
		r.now = t
		r.finish()
		for i := 0; i < len(all); {
			j := all[i]
			if r.ready(j) > t {
				i++
				continue
			}
			all = slices.Delete(all, i, i+1)
			j.Submit, r.submits[j.row] = t, t
			j.estimate = r.estimate(j.Job)
			r.settle()
			r.waiting = append(r.waiting, j)
			if r.policy == (Conservative{}) {
				j.plan = r.earliest(j)
				r.promised[j.row] = j.plan
			}
		}
		for {
			r.settle()
			k := r.choose()
			if k < 0 {
				break
			}
			j := r.waiting[k]
			if j.Size > r.free() {
				panic("the reference starts a job that does not fit")
			}
			r.waiting = slices.Delete(r.waiting, k, k+1)
			j.start, j.expected = t, t+j.estimate
			j.Wait = t - j.Submit
			at[j.row] = t
			r.running = append(r.running, j)
			if j.Run == 0 {
				r.finish()
			}
		}
	}
	return at
}

// finish ends jobs, in order of their ends, and doubles what is too short.
func (r *reference) finish() {
	ended := 0
	for k := 0; k < len(r.running); {
		j := r.running[k]
		if j.start+j.Run > r.now {
			k++
			continue
		}
		r.running = slices.Delete(r.running, k, k+1)
		r.ends[j.row] = r.now
		r.estimator.Observe(*j.Job)
		ended++
		if j.start+j.length() > r.now {
			r.freed = true
		}
	}
	for _, j := range r.running {
		for j.expected <= r.now {
			j.estimate *= 2
			j.expected = j.start + j.estimate
			r.revised = true
		}
	}
	if !r.correct || ended == 0 {
		return
	}
	for _, j := range slices.Concat(r.running, r.waiting) {
		estimate := r.estimate(j.Job)
		for slices.Contains(r.running, j) && j.start+estimate <= r.now {
			estimate *= 2
		}
		if estimate != j.estimate {
			j.estimate, j.expected = estimate, j.start+estimate
			r.revised = true
		}
	}
}

// choose returns which of the waiting jobs starts, -1 for none.
func (r *reference) choose() int {
	if len(r.waiting) == 0 {
		return -1
	}
	head := 0
	key := func(j *referenceJob) float64 { return 0 }
	switch p := r.policy.(type) {
	case Conservative:
		return slices.IndexFunc(r.waiting, func(j *referenceJob) bool { return j.plan <= r.now })
	case SJF:
		key = func(j *referenceJob) float64 { return j.estimate }
	case Priority:
		key = func(j *referenceJob) float64 {
			if i := slices.Index(p.Queues, j.Queue); i >= 0 {
				return float64(i)
			}
			return math.Inf(1)
		}
	}
	for i, j := range r.waiting {
		if key(j) < key(r.waiting[head]) {
			head = i
		}
	}
	if r.waiting[head].Size <= r.free() {
		return head
	}
	if r.policy != (EASY{}) {
		return -1
	}
	before := r.headStart()
	for i := 1; i < len(r.waiting); i++ {
		j := r.waiting[i]
		if j.Size > r.free() {
			continue
		}
		j.start, j.expected = r.now, r.now+j.estimate
		r.running = append(r.running, j)
		after := r.headStart()
		r.running = r.running[:len(r.running)-1]
		if after <= before {
			return i
		}
	}
	return -1
}

// headStart is when the head can start if the running jobs end as expected and
// no other starts.
func (r *reference) headStart() float64 {
	times := []float64{r.now}
	for _, j := range r.running {
		times = append(times, j.expected)
	}
	slices.Sort(times)
	for _, t := range times {
		free := r.processors
		for _, j := range r.running {
			if j.expected > t {
				free -= j.Size
			}
		}
		if free >= r.waiting[0].Size {
			return t
		}
	}
	return math.Inf(1)
}

// earliest is when a job fits beside the running jobs and the plans of the
// others that wait.
func (r *reference) earliest(job *referenceJob) float64 {
	return r.earliestBeside(job, r.waiting)
}

func (r *reference) earliestBeside(job *referenceJob, waiting []*referenceJob) float64 {
	type span struct {
		from, to float64
		size     int64
	}
	var spans []span
	times := []float64{r.now}
	for _, j := range r.running {
		spans = append(spans, span{r.now, j.expected, j.Size})
	}
	for _, j := range waiting {
		if j != job {
			spans = append(spans, span{j.plan, j.plan + j.length(), j.Size})
		}
	}
	for _, s := range spans {
		times = append(times, s.from, s.to)
	}
	slices.Sort(times)
	used := func(t float64) (n int64) {
		for _, s := range spans {
			if s.from <= t && t < s.to {
				n += s.size
			}
		}
		return n
	}
	for _, t := range times {
		if t >= r.now && !slices.ContainsFunc(times, func(u float64) bool {
			return u >= t && (u == t || u < t+job.length()) && used(u)+job.Size > r.processors
		}) {
			return t
		}
	}
	return math.Inf(1)
}

// settle puts conservative's plan right.
func (r *reference) settle() {
	freed, revised := r.freed, r.revised
	r.freed, r.revised = false, false
	switch {
	case r.policy != (Conservative{}):
	case revised:
		for i, j := range r.waiting {
			j.plan = r.earliestBeside(j, r.waiting[:i])
		}
	case freed:
		for moved := true; moved; {
			moved = false
			for _, j := range r.waiting {
				if t := r.earliest(j); t < j.plan {
					j.plan, moved = t, true
				}
			}
		}
	}
}

// lastRun predicts the run time of the user's (here: queue's) last job to end.
type lastRun struct{ run map[int64]float64 }

func newLastRun() *lastRun { return &lastRun{map[int64]float64{}} }

func (l *lastRun) Predict(r workload.Request) (workload.Prediction, bool) {
	run, ok := l.run[r.Queue]
	return workload.Prediction{Seconds: run, Observations: 1}, ok
}

func (l *lastRun) Observe(j workload.Job) { l.run[j.Queue] = j.Run }

// relatedLastRun says whose predictions change.
type relatedLastRun struct{ *lastRun }

func (relatedLastRun) Related(ended *workload.Job, r *workload.Request) bool {
	return ended.Queue == r.Queue
}

// settings are the ways in which each policy is tested.
var settings = []struct {
	name      string
	estimator func() Estimator
	correct   bool
	kill      bool
}{
	{"user", func() Estimator { return UserEstimates{} }, false, false},
	{"user, killed", func() Estimator { return UserEstimates{} }, false, true},
	{"perfect", func() Estimator { return Perfect{} }, false, false},
	{"last", func() Estimator { return newLastRun() }, false, false},
	{"last, corrected", func() Estimator { return newLastRun() }, true, false},
	{"last, corrected for the related", func() Estimator { return relatedLastRun{newLastRun()} }, true, false},
}

// battery is every policy, priorities with an order.
func battery() []Policy {
	return append(Policies(), Priority{Queues: []int64{3, 1}})
}

func TestPoliciesAgainstReference(t *testing.T) {
	for _, p := range battery() {
		for _, s := range settings {
			t.Run(p.Name()+"/"+s.name, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					processors := rapid.Int64Range(1, 12).Draw(t, "processors")
					jobs := randomLog(t, processors)
					got := starts(t, jobs, Config{Processors: processors, Policy: p, Estimator: s.estimator(), Correct: s.correct, Kill: s.kill}, nil)
					if s.kill {
						for i := range jobs {
							jobs[i].Run = min(jobs[i].Run, jobs[i].Time)
						}
					}
					r := &reference{processors: processors, policy: p, estimator: s.estimator(), correct: s.correct}
					if want := r.starts(jobs); !slices.Equal(got, want) {
						t.Fatalf("starts %v, want %v", got, want)
					}
				})
			})
		}
	}
}

// Logs with queues of hundreds, which the structures hold in several chunks.
func TestLongQueuesAgainstReference(t *testing.T) {
	jobs := madeUp(400, 64, 10)
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range jobs {
		jobs[i].Queue = 1 + rng.Int64N(3)
		if rng.IntN(5) == 0 {
			jobs[i].Time = math.Ceil(0.3 * jobs[i].Run) // too short
		}
	}
	for _, p := range battery() {
		for _, s := range settings {
			if p == (Conservative{}) && s.name != "user" && s.name != "perfect" {
				continue // the reference would take too long
			}
			jobs := slices.Clone(jobs)
			if p == (Conservative{}) {
				jobs = jobs[:200]
			}
			var q queueLength
			got := starts(t, jobs, Config{Processors: 64, Policy: p, Estimator: s.estimator(), Correct: s.correct, Kill: s.kill}, &q)
			if q.most < 2*entriesPerChunk && p != (Conservative{}) {
				t.Errorf("%s: at most %d jobs are queued", p.Name(), q.most)
			}
			if s.kill {
				for i := range jobs {
					jobs[i].Run = min(jobs[i].Run, jobs[i].Time)
				}
			}
			r := &reference{processors: 64, policy: p, estimator: s.estimator(), correct: s.correct}
			if want := r.starts(jobs); !slices.Equal(got, want) {
				t.Errorf("%s, %s: starts differ from the reference", p.Name(), s.name)
			}
		}
	}
}
