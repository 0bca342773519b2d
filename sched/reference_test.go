package sched

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// reference simulates a Cluster as slowly and simply as the policies are defined, with lists and by
// computing everything anew at every start. A plain machine is a cluster with one pool of
// processors. The simulator is compared with it; the two share only the descriptions of the machine
// and of the job.
type reference struct {
	cluster   *Cluster
	policy    Policy
	estimator Estimator
	correct   bool
	feedback  bool

	now            float64
	jobs           []*referenceJob // by row
	waiting        []*referenceJob // by submission
	running        []*referenceJob // by start
	freed, revised bool            // conservative's plan is to be compressed, made anew
}

type referenceJob struct {
	workload.Job
	before                                 *referenceJob // the job it waits for with feedback
	choices                                []choice      // by the order of the partition's pools
	in                                     choice        // where it runs or is planned
	estimate, start, expected, plan, ended float64
}

// choice is the part of a pool that a job takes.
type choice struct {
	pool int
	take [4]int64
}

// length returns the run time that conservative plans with: one second for a job of zero length.
func (j *referenceJob) length() float64 {
	if j.estimate == 0 {
		return 1
	}
	return j.estimate
}

// ready returns the time of a job's submission, infinity if it is not known yet.
func (j *referenceJob) ready() float64 {
	if j.before == nil {
		return j.Submit
	}
	think := 0.0
	if j.Think > 0 {
		think = j.Think
	}
	return max(j.Submit, j.before.ended+think)
}

func (r *reference) estimate(j *referenceJob) float64 {
	if _, ok := r.estimator.(Perfect); ok {
		return j.Run
	}
	if p, ok := r.estimator.Predict(&j.Request); ok {
		return max(1, p.Seconds)
	}
	return max(1, j.Time)
}

// choices tries the pools. If nodes are allocated whole, it tries one node after another.
func (r *reference) choices(j *workload.Job) (all []choice) {
	need := needs(j)
	if need == (amounts{}) {
		return nil
	}
	var pools []string
	for _, p := range r.cluster.Pools {
		pools = append(pools, p.Name)
	}
	if r.cluster.Partitions != nil {
		i := slices.IndexFunc(r.cluster.Partitions, func(p Partition) bool { return p.Name == strconv.Itoa(int(j.Partition)) })
		if i < 0 {
			return nil
		}
		pools = r.cluster.Partitions[i].Pools
	}
	var anywhere [3]int64
	for _, p := range r.cluster.Pools {
		for k, n := range []int64{p.Processors, 1000 * p.GPUs, int64(p.MemoryGB * KBPerGB)} {
			anywhere[k] += n
		}
	}
	for _, name := range pools {
		i := slices.IndexFunc(r.cluster.Pools, func(p Pool) bool { return p.Name == name })
		p := r.cluster.Pools[i]
		node := [3]int64{p.Processors, 1000 * p.GPUs, int64(p.MemoryGB * KBPerGB)}
		if need[GPUs] > 0 && p.GPUType != "" && j.GPUType != workload.Unknown && p.GPUType != strconv.Itoa(int(j.GPUType)) {
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

// fits reports whether a choice fits, given what other jobs hold of its pool.
func (r *reference) fits(c choice, others []*referenceJob) bool {
	free := r.cluster.capacity(c.pool)
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

// simulate returns the jobs by row with their submission, start and pool; the start of jobs that
// fit nowhere is NaN.
func (r *reference) simulate(jobs []workload.Job) []*referenceJob {
	var all []*referenceJob
	for i := range jobs {
		j := &referenceJob{Job: jobs[i], choices: r.choices(&jobs[i]), start: nan, ended: math.Inf(1)}
		if p := j.Preceding; r.feedback && p >= 1 && p <= int64(i) && r.jobs[p-1].choices != nil {
			j.before = r.jobs[p-1]
		}
		r.jobs = append(r.jobs, j)
		if j.choices != nil {
			all = append(all, j)
		}
	}
	for len(all)+len(r.waiting)+len(r.running) > 0 {
		// The next instant.
		r.now = math.Inf(1)
		for _, j := range all {
			r.now = min(r.now, j.ready())
		}
		for _, j := range r.running {
			r.now = min(r.now, j.start+j.Run, j.expected)
		}
		r.finish()
		all = slices.DeleteFunc(all, func(j *referenceJob) bool {
			if j.ready() > r.now {
				return false
			}
			j.Submit, j.before = r.now, nil
			j.estimate = r.estimate(j)
			r.settle()
			r.waiting = append(r.waiting, j)
			if r.policy == (Conservative{}) {
				j.plan, j.in = r.earliest(j, r.waiting)
			}
			return true
		})
		for {
			r.settle()
			j := r.choose()
			if j == nil {
				break
			}
			if !r.fits(j.in, r.running) {
				panic("the reference starts a job that does not fit")
			}
			r.waiting = slices.DeleteFunc(r.waiting, func(x *referenceJob) bool { return x == j })
			j.start, j.expected, j.Wait = r.now, r.now+j.estimate, r.now-j.Submit
			r.running = append(r.running, j)
			if j.Run == 0 {
				r.finish()
			}
		}
	}
	return r.jobs
}

// finish ends jobs, in order of their starts, and doubles expected run times that were too short.
func (r *reference) finish() {
	ended := false
	r.running = slices.DeleteFunc(r.running, func(j *referenceJob) bool {
		if j.start+j.Run > r.now {
			return false
		}
		ended, j.ended = true, r.now
		r.estimator.Observe(&j.Job)
		r.freed = r.freed || j.start+j.length() > r.now
		return true
	})
	for _, j := range r.running {
		for j.expected <= r.now {
			j.estimate *= 2
			j.expected, r.revised = j.start+j.estimate, true
		}
	}
	if !r.correct || !ended {
		return
	}
	for _, j := range slices.Concat(r.running, r.waiting) {
		estimate := r.estimate(j)
		for slices.Contains(r.running, j) && j.start+estimate <= r.now {
			estimate *= 2
		}
		if estimate != j.estimate {
			j.estimate, j.expected, r.revised = estimate, j.start+estimate, true
		}
	}
}

// choose returns the waiting job that starts next, with its place in the field in; nil if none.
func (r *reference) choose() *referenceJob {
	queue := slices.Clone(r.waiting)
	switch p := r.policy.(type) {
	case Conservative:
		if i := slices.IndexFunc(queue, func(j *referenceJob) bool { return j.plan <= r.now }); i >= 0 {
			return queue[i]
		}
		return nil
	case EASY:
		return r.chooseEASY()
	case SJF:
		slices.SortStableFunc(queue, func(a, b *referenceJob) int { return cmp.Compare(a.estimate, b.estimate) })
	case Priority:
		rank := func(j *referenceJob) uint { return uint(slices.Index(p.Queues, j.Queue)) } // other queues: the largest
		slices.SortStableFunc(queue, func(a, b *referenceJob) int { return cmp.Compare(rank(a), rank(b)) })
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

// chooseEASY tries each job in each pool, and checks whether the heads could start as early as
// without it.
func (r *reference) chooseEASY() *referenceJob {
	heads := map[*referenceJob]float64{}
	reserved := map[int]bool{}
	for _, j := range r.waiting {
		for _, c := range j.choices {
			if !r.fits(c, r.running) {
				continue
			}
			j.in, j.expected = c, r.now+j.estimate
			r.running = append(r.running, j)
			delays := false
			for h, before := range heads {
				delays = delays || r.headStart(h) > before
			}
			r.running = r.running[:len(r.running)-1]
			if !delays {
				return j
			}
		}
		if slices.ContainsFunc(j.choices, func(c choice) bool { return reserved[c.pool] }) {
			continue
		}
		heads[j] = r.headStart(j)
		for _, c := range j.choices {
			reserved[c.pool] = true
		}
	}
	return nil
}

// headStart returns the time at which a job can start if the running jobs end as expected and no
// other job starts.
func (r *reference) headStart(head *referenceJob) float64 {
	times := []float64{r.now}
	for _, j := range r.running {
		times = append(times, j.expected)
	}
	slices.Sort(times)
	for _, t := range times {
		still := slices.DeleteFunc(slices.Clone(r.running), func(j *referenceJob) bool { return j.expected <= t })
		if slices.ContainsFunc(head.choices, func(c choice) bool { return r.fits(c, still) }) {
			return t
		}
	}
	return math.Inf(1)
}

// earliest returns when and where a job fits, given the running jobs and the plans of other waiting
// jobs.
func (r *reference) earliest(job *referenceJob, waiting []*referenceJob) (float64, choice) {
	type span struct {
		*referenceJob
		from, to float64
	}
	var spans []span
	for _, j := range r.running {
		spans = append(spans, span{j, r.now, j.expected})
	}
	for _, j := range waiting {
		if j != job {
			spans = append(spans, span{j, j.plan, j.plan + j.length()})
		}
	}
	times := []float64{r.now}
	for _, s := range spans {
		times = append(times, s.from, s.to)
	}
	slices.Sort(times)
	during := func(t float64) (all []*referenceJob) {
		for _, s := range spans {
			if s.from <= t && t < s.to {
				all = append(all, s.referenceJob)
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

// settle corrects conservative's plan.
func (r *reference) settle() {
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

// lastRun predicts the run time of the user's (here: queue's) last job to end.
type lastRun struct{ run map[int64]float64 }

func newLastRun() Estimator { return lastRun{map[int64]float64{}} }

func (l lastRun) Predict(r *workload.Request) (workload.Prediction, bool) {
	run, ok := l.run[r.Queue]
	return workload.Prediction{Seconds: run, Observations: 1}, ok
}

func (l lastRun) Observe(j *workload.Job) { l.run[j.Queue] = j.Run }

// relatedLastRun also reports whose predictions change.
type relatedLastRun struct{ lastRun }

func (relatedLastRun) Related(ended *workload.Job, r *workload.Request) bool {
	return ended.Queue == r.Queue
}

// settings are the variants in which each policy is tested.
var settings = []struct {
	name          string
	estimator     func() Estimator
	correct, kill bool
}{
	{"user", func() Estimator { return UserEstimates{} }, false, false},
	{"user, killed", func() Estimator { return UserEstimates{} }, false, true},
	{"perfect", func() Estimator { return Perfect{} }, false, false},
	{"last", newLastRun, false, false},
	{"last, corrected", newLastRun, true, false},
	{"last, corrected for the related", func() Estimator { return relatedLastRun{lastRun{map[int64]float64{}}} }, true, false},
}

// battery returns every policy; priorities are in one order.
func battery() []Policy {
	return append(Policies(), Priority{Queues: []int64{3, 1}})
}

// compare simulates jobs with a Config, and with the reference on the equivalent cluster. It
// returns the maximum number of jobs that waited.
func compare(t interface{ Fatalf(string, ...any) }, jobs []workload.Job, cfg Config, estimator Estimator, cluster *Cluster) (most int) {
	type scheduled struct {
		submit, start float64
		pool          int
	}
	w := &audit{t: t, pools: map[int64]int{}, plain: cfg.Cluster == nil, inOrder: orderOf(cfg.Policy) == nil}
	got := slices.Repeat([]scheduled{{}}, len(jobs))
	for j, err := range Simulate(stream(jobs), cfg, &Observer{Blocked: w.blocked, Started: w.started}) {
		if err != nil && !errors.Is(err, workload.ErrNoJobs) {
			t.Fatalf("%v", err)
		}
		if err == nil {
			got[j.Row] = scheduled{j.Submit, j.Start(), w.pools[j.Row]}
		}
	}
	if cfg.Kill {
		jobs = slices.Clone(jobs)
		for i := range jobs {
			jobs[i].Run = min(jobs[i].Run, jobs[i].Time)
		}
	}
	r := &reference{cluster: cluster, policy: cfg.Policy, estimator: estimator, correct: cfg.Correct, feedback: cfg.Feedback}
	for i, j := range r.simulate(jobs) {
		want := scheduled{}
		if !math.IsNaN(j.start) {
			want = scheduled{j.Submit, j.start, j.in.pool}
		}
		if cfg.Cluster == nil {
			want.pool = 0
		}
		if got[i] != want {
			t.Fatalf("row %d: submission, start and pool %v, want %v", i, got[i], want)
		}
	}
	for i := range cluster.Pools {
		if cfg.Cluster != nil && w.last != nil && w.last.machine.pools[i].free != cluster.capacity(i) {
			t.Fatalf("at the end pool %d has %v free", i, w.last.machine.pools[i].free)
		}
	}
	return w.most
}

// audit records the pool of each job, and checks at every instant that nothing is allocated twice,
// that the running jobs hold everything that is not free, and that only submitted jobs wait.
type audit struct {
	t       interface{ Fatalf(string, ...any) }
	pools   map[int64]int // by row
	plain   bool          // no Cluster was given
	inOrder bool          // the queue is by submission
	most    int           // maximum number of waiting jobs
	last    *State
}

func (w *audit) blocked(head *workload.Request, s *State) {
	if w.plain && head.Size <= s.Free() {
		w.t.Fatalf("at %g: a job of %d is blocked with %d free", s.Now(), head.Size, s.Free())
	}
}

func (w *audit) started(t Task, s *State) {
	w.last, w.most = s, max(w.most, s.Queued())
	used := int64(0)
	for r := range s.Running() {
		used += r.Request.Size
	}
	waiting, last := 0, math.Inf(-1)
	for _, q := range s.Waiting() {
		if q.Request.Submit > s.Now() || w.inOrder && q.Request.Submit < last {
			w.t.Fatalf("at %g: a job submitted at %g waits behind one of %g", s.Now(), q.Request.Submit, last)
		}
		waiting, last = waiting+1, q.Request.Submit
	}
	if waiting != s.Queued() {
		w.t.Fatalf("at %g: %d wait, counted %d", s.Now(), waiting, s.Queued())
	}
	x := &s.machine
	if w.plain {
		if s.Free() < 0 || used+s.Free() != s.Processors() {
			w.t.Fatalf("at %g: %d used and %d free of %d", s.Now(), used, s.Free(), s.Processors())
		}
		return
	}
	var free []amounts
	for i := range x.pools {
		free = append(free, x.cluster.capacity(i))
	}
	var held amounts
	for i := range s.machine.running {
		slot := s.machine.running[i].Value
		o := s.jobs.At(slot).has
		free[o.pool].subtract(&o.take)
		held.add(&o.take)
		if s.jobs.At(slot).job.Row == t.Request.Row {
			w.pools[t.Request.Row] = int(o.pool)
		}
	}
	for i := range free {
		if free[i] != x.pools[i].free || !free[i].covers(&amounts{}) {
			w.t.Fatalf("at %g: %v free in pool %d, counted %v", s.Now(), x.pools[i].free, i, free[i])
		}
	}
	for r := range held {
		if resource := Resource(r); held[r] != s.Held(resource) || held[r] > s.Capacity(resource) {
			w.t.Fatalf("at %g: %d %s held, counted %d, of %d", s.Now(), s.Held(resource), resource.Name(), held[r], s.Capacity(resource))
		}
	}
}

// randomLog draws a small log with many ties, jobs of zero length, bursts, and jobs that wait for
// others.
func randomLog(t *rapid.T, processors int64) []workload.Job {
	var jobs []workload.Job
	now := 0.0
	for range rapid.IntRange(1, 40).Draw(t, "jobs") {
		now += float64(rapid.SampledFrom([]int{0, 0, 1, 1, 2, 5, 20}).Draw(t, "gap"))
		run := float64(rapid.IntRange(0, 12).Draw(t, "run"))
		j := job(now, run, rapid.Int64Range(1, processors).Draw(t, "size"))
		j.Time = max(1, run+float64(rapid.SampledFrom([]int{0, 0, 1, 3, 10, -1, -5}).Draw(t, "beyond")))
		j.Queue, j.Partition = rapid.Int64Range(1, 3).Draw(t, "queue"), rapid.Int64Range(1, 3).Draw(t, "partition")
		if rapid.Bool().Draw(t, "waits") {
			j.Preceding = rapid.Int64Range(-1, 42).Draw(t, "preceding")
			j.Think = rapid.SampledFrom([]float64{0, 1, 7, nan}).Draw(t, "think")
		}
		jobs = append(jobs, j)
	}
	return jobs
}

// randomCluster draws a small machine: pools that may lack a resource, and overlapping partitions.
func randomCluster(t *rapid.T) *Cluster {
	c := &Cluster{WholeNodes: rapid.Bool().Draw(t, "whole")}
	for i := range rapid.IntRange(1, 3).Draw(t, "pools") {
		p := Pool{Name: strconv.Itoa(i), Nodes: rapid.Int64Range(1, 4).Draw(t, "nodes"), Processors: rapid.Int64Range(1, 4).Draw(t, "processors"),
			GPUs: rapid.Int64Range(0, 2).Draw(t, "gpus"), GPUType: rapid.SampledFrom([]string{"", "1", "2"}).Draw(t, "kind"), MemoryGB: float64(rapid.Int64Range(0, 5).Draw(t, "memory")) * kb}
		if !c.WholeNodes && rapid.IntRange(0, 4).Draw(t, "nodes told") == 0 {
			p.Nodes = 0
		}
		c.Pools = append(c.Pools, p)
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "partitions") {
		order := rapid.Permutation([]string{"0", "1", "2"}[:len(c.Pools)]).Draw(t, "order")
		c.Partitions = append(c.Partitions, Partition{strconv.Itoa(i + 1), order[:rapid.IntRange(1, len(order)).Draw(t, "among")]})
	}
	return c
}

// randomNeeds gives the jobs of a random log needs for each resource.
func randomNeeds(t *rapid.T, jobs []workload.Job) {
	for i := range jobs {
		j := &jobs[i]
		if rapid.Bool().Draw(t, "memory told") {
			j.Memory = float64(rapid.IntRange(0, 8).Draw(t, "memory")) / 2
		}
		if rapid.Bool().Draw(t, "more told") {
			j.TakesGPUs, j.GPUShare = rapid.Int64Range(0, 4).Draw(t, "gpus"), rapid.SampledFrom([]int64{workload.Unknown, 500, 1000}).Draw(t, "share")
			j.TakesNodes = rapid.SampledFrom([]int64{workload.Unknown, 1, 2}).Draw(t, "nodes")
			j.GPUType = rapid.SampledFrom([]int64{workload.Unknown, 1, 2}).Draw(t, "kind")
			if rapid.IntRange(0, 3).Draw(t, "size unknown") == 0 {
				j.Size = workload.Unknown
			}
		}
	}
}

// Every policy starts the jobs of any log at the time and place given by its definition, on each
// kind of machine, with each kind of estimate, with and without feedback.
func TestAgainstReference(t *testing.T) {
	disjoint := func(a, b, c int64) *Cluster {
		return &Cluster{Pools: []Pool{{Name: "a", Processors: a}, {Name: "b", Processors: b}, {Name: "c", Processors: c}},
			Partitions: []Partition{{"1", []string{"a"}}, {"2", []string{"b"}}, {"3", []string{"c"}}}}
	}
	for machine, draw := range map[string]func(t *rapid.T, cfg *Config) (*Cluster, []workload.Job){
		"processors": func(t *rapid.T, cfg *Config) (*Cluster, []workload.Job) {
			n := rapid.Int64Range(1, 12).Draw(t, "processors")
			c := &Cluster{Pools: []Pool{{Processors: n}}}
			if rapid.Bool().Draw(t, "as a pool") {
				cfg.Cluster = c
			} else {
				cfg.Processors = n
			}
			return c, randomLog(t, n)
		},
		"sites": func(t *rapid.T, cfg *Config) (*Cluster, []workload.Job) {
			cfg.Processors, cfg.Sites = 5, map[int64]int64{1: 4, 2: 6} // site 3 has the default of 5
			return disjoint(4, 6, 5), randomLog(t, 4)
		},
		"pools": func(t *rapid.T, cfg *Config) (*Cluster, []workload.Job) {
			cfg.Cluster = randomCluster(t)
			jobs := randomLog(t, 6)
			randomNeeds(t, jobs)
			return cfg.Cluster, jobs
		},
	} {
		for _, p := range battery() {
			for i, s := range settings {
				// Not comparable with the reference, which is a single cluster: estimators learn
				// from one site after another, and an estimate that is too short changes the plans
				// of its site only.
				if machine == "sites" && (i > 2 || i == 0 && p == (Conservative{})) {
					continue
				}
				t.Run(machine+"/"+p.Name()+"/"+s.name, func(t *testing.T) {
					rapid.Check(t, func(t *rapid.T) {
						cfg := Config{Policy: p, Estimator: s.estimator(), Correct: s.correct, Kill: s.kill, Feedback: rapid.Bool().Draw(t, "feedback")}
						cluster, jobs := draw(t, &cfg)
						compare(t, jobs, cfg, s.estimator(), cluster)
					})
				})
			}
		}
	}
}

// Logs with queues of hundreds of jobs, which are stored in several chunks.
func TestLongQueuesAgainstReference(t *testing.T) {
	jobs := madeUp(400, 64, 10)
	madeUpNeeds(jobs)
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range jobs {
		jobs[i].Queue = 1 + rng.Int64N(3)
		if rng.IntN(5) == 0 {
			jobs[i].Time = math.Ceil(0.3 * jobs[i].Run) // too short
		}
		if i > 200 && rng.IntN(4) == 0 {
			jobs[i].Preceding, jobs[i].Think = rng.Int64N(100), 600
		}
	}
	shared := Cluster{
		Pools:      []Pool{{Name: "a", Nodes: 2, Processors: 16, MemoryGB: 128 * kb}, {Name: "b", Nodes: 2, Processors: 16, MemoryGB: 64 * kb}, {Name: "c", Nodes: 4, Processors: 16, MemoryGB: 128 * kb, GPUs: 4}},
		Partitions: []Partition{{"1", []string{"a", "b"}}, {"2", []string{"c"}}, {"3", []string{"c", "b"}}},
	}
	whole := shared
	whole.WholeNodes = true
	for _, p := range battery() {
		for i, s := range settings {
			for name, m := range map[string]Config{
				"processors": {Processors: 64}, "feedback": {Processors: 64, Feedback: true},
				"shared": {Cluster: &shared}, "whole": {Cluster: &whole},
			} {
				cluster, jobs := m.Cluster, jobs
				switch {
				case p == (Conservative{}) && (i > 0 && i != 2 || cluster != nil):
					continue // the reference would take too long
				case p == (Conservative{}):
					jobs = jobs[:200]
				case cluster != nil && i > 0 && i < 4:
					continue
				}
				if cluster == nil {
					cluster = &Cluster{Pools: []Pool{{Processors: 64}}}
				}
				m.Policy, m.Estimator, m.Correct, m.Kill = p, s.estimator(), s.correct, s.kill
				t.Run(name+"/"+p.Name()+"/"+s.name, func(t *testing.T) {
					isVariant := name == "feedback" || name == "whole"
					if isVariant && (i > 0 || p == (Conservative{})) {
						longtest.Only(t) // the ordinary run has each variant once
					}
					if most := compare(t, jobs, m, s.estimator(), cluster); most <= entriesPerChunk {
						t.Errorf("at most %d jobs are queued", most)
					}
				})
			}
		}
	}
}
