package grid

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// simple is the same simulation as one would write it down: lists, no heaps,
// every prediction and every expected schedule made anew whenever it is needed.
type simple struct {
	grid    Grid
	running [][]*simpleJob // by cluster
	waiting [][]*simpleJob // by cluster, in the order in which they were sent
	global  []*simpleJob
	ended   []*simpleJob // in order

	submitted int
	now       float64
	out       []Placed
	later     []workload.Job // held back, in the order of the log; Submit is the log's
}

type simpleJob struct {
	job        workload.Job
	number     int // position among the submissions
	start, end float64
	cluster    int
	first      float64 // what was predicted when it was sent
	sent       bool
	wait, run  float64
}

// simpleRun simulates jobs that all have a size and a run time.
func simpleRun(jobs []workload.Job, g Grid, p Policy, feedback bool) []Placed {
	s := &simple{grid: g, running: make([][]*simpleJob, len(g.Clusters)), waiting: make([][]*simpleJob, len(g.Clusters))}
	for {
		s.now = min(s.next(), s.ready())
		if len(jobs) > 0 {
			s.now = min(s.now, jobs[0].Submit)
		}
		if math.IsInf(s.now, 1) {
			return s.out
		}
		s.finish()
		s.arrive(p)
		for len(jobs) > 0 && jobs[0].Submit == s.now {
			j := jobs[0]
			if jobs = jobs[1:]; feedback && s.due(&j) > s.now {
				s.later = append(s.later, j)
				continue
			}
			s.submit(j, p)
		}
		s.start(p)
	}
}

// due is when a job may be submitted, infinite where that is not known yet. Jobs
// are numbered from 0 by row, and wait for earlier ones.
func (s *simple) due(j *workload.Job) float64 {
	if j.Preceding == workload.Unknown {
		return j.Submit
	}
	for _, x := range s.ended {
		if x.job.ID == j.Preceding {
			return max(j.Submit, x.end+j.Think)
		}
	}
	return math.Inf(1)
}

// ready is when the first job that was held back is submitted.
func (s *simple) ready() float64 {
	at := math.Inf(1)
	for i := range s.later {
		at = min(at, s.due(&s.later[i]))
	}
	return at
}

func (s *simple) arrive(p Policy) {
	for i := 0; i < len(s.later); i++ {
		if j := s.later[i]; s.due(&j) <= s.now {
			s.later = slices.Delete(s.later, i, i+1)
			j.Submit = s.now
			s.submit(j, p)
			i--
		}
	}
}

// next is the first end.
func (s *simple) next() float64 {
	at := math.Inf(1)
	for _, list := range s.running {
		for _, j := range list {
			at = min(at, j.end)
		}
	}
	return at
}

func (s *simple) finish() {
	var done []*simpleJob
	for c := range s.running {
		s.running[c] = slices.DeleteFunc(s.running[c], func(j *simpleJob) bool {
			if j.end <= s.now {
				done = append(done, j)
			}
			return j.end <= s.now
		})
	}
	slices.SortFunc(done, func(a, b *simpleJob) int { return a.number - b.number })
	s.ended = append(s.ended, done...)
}

func (s *simple) free(c int) int64 {
	free := s.grid.Clusters[c].Processors
	for _, j := range s.running[c] {
		free -= j.job.Size
	}
	return free
}

func (s *simple) submit(job workload.Job, p Policy) {
	j := &simpleJob{job: job, number: s.submitted, cluster: -1, wait: math.NaN(), run: math.NaN()}
	s.submitted++
	best := math.Inf(1)
	switch p := p.(type) {
	case FPF:
		s.global = append(s.global, j)
		return
	case LB:
		for c, k := range s.grid.Clusters {
			claimed := int64(0)
			for _, o := range append(slices.Clone(s.running[c]), s.waiting[c]...) {
				claimed += o.job.Size
			}
			if load := float64(claimed) / float64(k.Processors); k.Processors >= job.Size && load < best {
				best, j.cluster = load, c
			}
		}
	default:
		for c, k := range s.grid.Clusters {
			if k.Processors < job.Size {
				continue
			}
			run := s.predict(j, c, p) / k.Speed
			if at := s.expected(j, c, p); at+run < best {
				best, j.cluster, j.wait, j.run = at+run, c, at-s.now, run
			}
		}
		j.first, j.sent = s.predict(j, j.cluster, p), true
	}
	s.waiting[j.cluster] = append(s.waiting[j.cluster], j)
}

// predict is a run time at speed 1: last2 by user, application and size.
func (s *simple) predict(j *simpleJob, cluster int, p Policy) float64 {
	ect, ok := p.(ECT)
	if !ok {
		return j.job.Run
	}
	if ect.Uncorrected && j.sent {
		return j.first
	}
	a := &j.job
	likes := []func(b *simpleJob) bool{
		func(b *simpleJob) bool {
			return a.User == b.job.User && a.Application == b.job.Application && a.Size == b.job.Size
		},
		func(b *simpleJob) bool { return a.User == b.job.User },
		func(*simpleJob) bool { return true },
	}
	if ect.Own {
		finest := likes[0]
		likes = append([]func(*simpleJob) bool{func(b *simpleJob) bool { return b.cluster == cluster && finest(b) }}, likes...)
	}
	for _, like := range likes {
		var last []float64
		for _, b := range s.ended {
			if like(b) {
				last = append(last, b.job.Run)
			}
		}
		switch n := len(last); {
		case n == 1:
			return last[0]
		case n > 1:
			return (last[n-1] + last[n-2]) / 2
		}
	}
	if a.Time > 0 {
		return a.Time
	}
	return 86400
}

// expected is when a job would start behind all others of a cluster.
func (s *simple) expected(j *simpleJob, c int, p Policy) float64 {
	k := s.grid.Clusters[c]
	type hold struct {
		end  float64
		size int64
	}
	var holds []hold
	for _, o := range s.running[c] {
		end := o.end
		if _, ok := p.(ECT); ok {
			end = outlast(o.start, s.predict(o, c, p)/k.Speed, s.now)
		}
		holds = append(holds, hold{end, o.job.Size})
	}
	at := s.now
	for _, o := range append(slices.Clone(s.waiting[c]), j) {
		for {
			held := int64(0)
			next := math.Inf(1)
			for _, h := range holds {
				if h.end > at {
					held += h.size
					next = min(next, h.end)
				}
			}
			if k.Processors-held >= o.job.Size {
				break
			}
			at = next
		}
		if o != j {
			holds = append(holds, hold{at + s.predict(o, c, p)/k.Speed, o.job.Size})
		}
	}
	return at
}

func (s *simple) start(p Policy) {
	for c := range s.waiting {
		for len(s.waiting[c]) > 0 && s.waiting[c][0].job.Size <= s.free(c) {
			j := s.waiting[c][0]
			s.waiting[c] = s.waiting[c][1:]
			s.place(j, c)
		}
	}
	for i := 0; i < len(s.global); i++ {
		j := s.global[i]
		best := -1
		for c, k := range s.grid.Clusters {
			if s.free(c) >= j.job.Size && (best < 0 || k.Speed > s.grid.Clusters[best].Speed) {
				best = c
			}
		}
		if best >= 0 {
			s.global = slices.Delete(s.global, i, i+1)
			s.place(j, best)
			i = -1 // a job without length gives room
		} else if p.(FPF).InOrder {
			return
		}
	}
}

func (s *simple) place(j *simpleJob, c int) {
	j.cluster, j.start = c, s.now
	run := j.job.Run / s.grid.Clusters[c].Speed
	j.end = s.now + run
	s.running[c] = append(s.running[c], j)
	out := Placed{Job: j.job, Cluster: c, PredictedWait: j.wait, PredictedRun: j.run}
	out.Job.Wait, out.Job.Run = s.now-j.job.Submit, run
	s.out = append(s.out, out)
	if j.end <= s.now {
		s.finish()
	}
}

// testGrid has three clusters of unequal sizes and speeds, whose quotients are
// not whole.
func testGrid() Grid {
	u := workload.Integer(workload.Unknown)
	return Grid{Name: "three", Clusters: []Cluster{{"a", 5, 1, u}, {"b", 3, 3, u}, {"c", 8, 0.7, u}}}
}

// randomJobs come in bursts, some without length, some alike, whole seconds.
func randomJobs(rng *rand.Rand, n int, load float64) []workload.Job {
	var jobs []workload.Job
	at := 0.0
	for i := range n {
		j := workload.UnknownJob()
		if rng.Float64() < 0.5 {
			at += math.Floor(rng.ExpFloat64() * 60 / load)
		}
		j.ID, j.Row, j.Submit = int64(i), int64(i), at
		j.User, j.Application = rng.Int64N(4), rng.Int64N(2)
		j.Size = 1 + rng.Int64N(8)
		if rng.Float64() < 0.7 {
			j.Size = 1
		}
		j.Run = math.Floor(math.Exp(rng.Float64()*3+float64(j.User))) - 1
		if rng.Float64() < 0.3 {
			j.Time = j.Run * 2
		}
		jobs = append(jobs, j)
	}
	return jobs
}

func run(t testing.TB, jobs []workload.Job, g Grid, p Policy) []Placed {
	return simulated(t, jobs, Config{Grid: g, Policy: p})
}

func simulated(t testing.TB, jobs []workload.Job, cfg Config) []Placed {
	t.Helper()
	var all []Placed
	for x, err := range Simulate(workload.JobsOf(jobs), cfg) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, x)
	}
	return all
}

// battery is every policy that needs no sites, and forecasts of each kind.
func battery() []Policy {
	return []Policy{
		ECTPerfect{}, ECT{}, ECT{Forecast{Own: true}}, ECT{Forecast{Uncorrected: true}}, ECT{Forecast{Own: true, Uncorrected: true}},
		LB{}, FPF{}, FPF{InOrder: true},
	}
}

func label(p Policy) string { return fmt.Sprintf("%s %+v", p.Name(), p) }

// dependent has some of the jobs wait for earlier ones.
func dependent(jobs []workload.Job, rng *rand.Rand) []workload.Job {
	jobs = slices.Clone(jobs)
	for i := range jobs {
		if i > 0 && rng.Float64() < 0.5 {
			jobs[i].Preceding = rng.Int64N(int64(i))
			jobs[i].Think = math.Floor(rng.Float64() * 30)
		}
	}
	return jobs
}

// Every job's submission, cluster, wait and prediction are those of the simple
// simulation, under each policy, on logs of low, middling and too high load, open
// and closed.
func TestSimulateAgainstTheSimpleSimulation(t *testing.T) {
	rng, other := rand.New(rand.NewPCG(1, 2)), rand.New(rand.NewPCG(3, 4))
	late := 0
	for _, load := range []float64{0.3, 1, 4} {
		for i := range 8 {
			jobs := randomJobs(rng, 120, load)
			grid := testGrid()
			if i%2 == 1 { // ties go to the first
				grid.Clusters[0].Speed, grid.Clusters[1].Speed, grid.Clusters[2].Speed = 1, 1, 1
			}
			for _, p := range battery() {
				sameAsSimple(t, jobs, grid, p, false)
				late += sameAsSimple(t, dependent(jobs, other), grid, p, true)
			}
		}
	}
	if late < 1000 {
		t.Errorf("%d jobs were submitted late: feedback is not tested", late)
	}
}

// sameAsSimple returns how many jobs were submitted later than in the log.
func sameAsSimple(t *testing.T, jobs []workload.Job, grid Grid, p Policy, feedback bool) (late int) {
	t.Helper()
	got, want := simulated(t, jobs, Config{Grid: grid, Policy: p, Feedback: feedback}), simpleRun(jobs, grid, p, feedback)
	byRow := func(a, b Placed) int { return int(a.Job.Row - b.Job.Row) }
	slices.SortFunc(got, byRow)
	slices.SortFunc(want, byRow)
	if len(got) != len(jobs) || len(want) != len(jobs) {
		t.Fatalf("%s, feedback %t: %d and %d of %d jobs started", label(p), feedback, len(got), len(want), len(jobs))
	}
	for k := range got {
		g, w := got[k], want[k]
		if g.Job.Submit > jobs[k].Submit {
			late++
		}
		if g.Cluster != w.Cluster || g.Job.Submit != w.Job.Submit || g.Job.Wait != w.Job.Wait || g.Job.Run != w.Job.Run ||
			!same(g.PredictedWait, w.PredictedWait) || !same(g.PredictedRun, w.PredictedRun) {
			t.Fatalf("%s, feedback %t, job %d: submitted at %g, cluster %d, wait %g, run %g, predicted %g and %g; want %g, %d, %g, %g, %g and %g", label(p), feedback, k,
				g.Job.Submit, g.Cluster, g.Job.Wait, g.Job.Run, g.PredictedWait, g.PredictedRun, w.Job.Submit, w.Cluster, w.Job.Wait, w.Job.Run, w.PredictedWait, w.PredictedRun)
		}
	}
	return late
}

func same(a, b float64) bool { return a == b || (a != a && b != b) }
