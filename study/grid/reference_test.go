package grid

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// simple is the same simulation in its simplest form: lists instead of heaps, and every prediction
// and every expected schedule recomputed whenever it is needed.
type simple struct {
	grid    *Grid
	running [][]*simpleJob // by cluster
	waiting [][]*simpleJob // by cluster, in the order in which jobs were sent
	global  []*simpleJob
	ended   []*simpleJob // in order of their ends

	submitted int
	now       float64
	out       []Placement
}

type simpleJob struct {
	job        workload.Job
	number     int // position among the submissions
	start, end float64
	cluster    int
	wait, run  float64
}

// simpleRun simulates jobs, all of which must have a size and a run time.
func simpleRun(jobs []workload.Job, g *Grid, policy string) []Placement {
	s := &simple{grid: g, running: make([][]*simpleJob, len(g.Clusters)), waiting: make([][]*simpleJob, len(g.Clusters)), out: make([]Placement, len(jobs))}
	for {
		s.now = s.next()
		if len(jobs) > 0 {
			s.now = min(s.now, jobs[0].Submit)
		}
		if math.IsInf(s.now, 1) {
			return s.out
		}
		s.finish()
		for len(jobs) > 0 && jobs[0].Submit == s.now {
			s.submit(jobs[0], policy)
			jobs = jobs[1:]
		}
		s.start(policy)
	}
}

// next returns the time of the first end.
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

func (s *simple) submit(job workload.Job, policy string) {
	j := &simpleJob{job: job, number: s.submitted, cluster: -1, wait: math.NaN(), run: math.NaN()}
	s.submitted++
	best := math.Inf(1)
	switch policy {
	case fpf, fpfInOrder:
		s.global = append(s.global, j)
		return
	case lb:
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
			run := s.predict(j, c, policy) / k.Speed
			if at := s.expected(j, c, policy); at+run < best {
				best, j.cluster, j.wait, j.run = at+run, c, at-s.now, run
			}
		}
	}
	s.waiting[j.cluster] = append(s.waiting[j.cluster], j)
}

// predict returns the predicted run time at speed 1: last2 by user, application and size.
func (s *simple) predict(j *simpleJob, cluster int, policy string) float64 {
	if policy == ectPerfect {
		return j.job.Run
	}
	a := &j.job
	likes := []func(b *simpleJob) bool{
		func(b *simpleJob) bool {
			return a.User == b.job.User && a.Application == b.job.Application && a.Size == b.job.Size
		},
		func(b *simpleJob) bool { return a.User == b.job.User },
		func(*simpleJob) bool { return true },
	}
	if policy == ownLast2 {
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

// expected returns when a job would start after all other jobs of a cluster.
func (s *simple) expected(j *simpleJob, c int, policy string) float64 {
	k := s.grid.Clusters[c]
	type hold struct {
		end  float64
		size int64
	}
	var holds []hold
	for _, o := range s.running[c] {
		end := o.end
		if policy != ectPerfect {
			end = outlast(o.start, s.predict(o, c, policy)/k.Speed, s.now)
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
			holds = append(holds, hold{at + s.predict(o, c, policy)/k.Speed, o.job.Size})
		}
	}
	return at
}

func (s *simple) start(policy string) {
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
			i = -1 // a job of zero length frees processors at once
		} else if policy == fpfInOrder {
			return
		}
	}
}

func (s *simple) place(j *simpleJob, c int) {
	j.cluster, j.start = c, s.now
	run := j.job.Run / s.grid.Clusters[c].Speed
	j.end = s.now + run
	s.running[c] = append(s.running[c], j)
	s.out[j.job.Row] = Placement{int32(c), s.now - j.job.Submit, run, j.wait, j.run}
	if j.end <= s.now {
		s.finish()
	}
}

// testGrid returns three clusters of unequal sizes and speeds; the ratios of the speeds are not
// whole numbers.
func testGrid() *Grid {
	return &Grid{Name: "three", Clusters: []Cluster{{"a", 5, 1, nil}, {"b", 3, 3, nil}, {"c", 8, 0.7, nil}}}
}

// randomJobs returns jobs in bursts, with times in whole seconds, some of zero length and some
// alike.
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

// ownLast2 stands for ect-last2 with HistoryCluster.
const ownLast2 = "own"

func simulated(jobs []workload.Job, g *Grid, policy string) (Outcome, error) {
	o := DefaultOptions()
	o.Grid = g
	if policy == ownLast2 {
		policy, o.History = "ect-last2", HistoryCluster
	}
	return o.simulate(workload.JobsOf(jobs), policy)
}

func run(t testing.TB, jobs []workload.Job, g *Grid, policy string) []Placement {
	t.Helper()
	out := jobtest.Must(simulated(jobs, g, policy))
	return out.Placements
}

// battery returns every policy that needs no sites, with histories of each kind.
func battery() []string {
	return []string{ectPerfect, "ect-last2", ownLast2, lb, fpf, fpfInOrder}
}

// Clusters, waits and predictions of all jobs agree with the simple simulation, under each policy,
// on logs of low, medium and excessive load.
func TestSimulateAgainstTheSimpleSimulation(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, load := range []float64{0.3, 1, 4} {
		for i := range 8 {
			jobs := randomJobs(rng, 120, load)
			grid := testGrid()
			if i%2 == 1 { // ties go to the first
				grid.Clusters[0].Speed, grid.Clusters[1].Speed, grid.Clusters[2].Speed = 1, 1, 1
			}
			for _, policy := range battery() {
				got, want := run(t, jobs, grid, policy), simpleRun(jobs, grid, policy)
				for k := range want {
					if g, w := fmt.Sprint(got[k]), fmt.Sprint(want[k]); g != w || got[k].Cluster < 0 {
						t.Fatalf("%s, job %d: %s, want %s", policy, k, g, w)
					}
				}
			}
		}
	}
}
