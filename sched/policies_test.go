package sched

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/workload"
)

// asked makes a job with an estimate.
func asked(submit, run, estimate float64, size int64) workload.Job {
	j := job(submit, run, size)
	j.Time = estimate
	return j
}

// inQueue makes a job of a queue of the log.
func inQueue(queue int64, submit, run float64, size int64) workload.Job {
	j := job(submit, run, size)
	j.Queue = queue
	return j
}

func TestPoliciesByHand(t *testing.T) {
	// The machine has 10. A (6) runs from 0 to 10; B (6) is at the head from 1
	// and cannot start before 10, when 4 are left over. C (4, 20 s) takes those
	// 4 at 2 and may, since B leaves them over. D (4, 8 s) would fit had C not
	// come. At 10 B starts, with C: D comes at 16, when B ends.
	leftOver := []workload.Job{asked(0, 10, 10, 6), asked(1, 6, 6, 6), asked(2, 20, 20, 4), asked(3, 8, 8, 4)}
	// A (6) runs from 0 to 10, B (8) waits for it. C (4, until 12) would delay B
	// and waits; D (4, 8 s from 2) is expected to end just when B starts.
	gap := []workload.Job{asked(0, 10, 10, 6), asked(1, 5, 5, 8), asked(1, 11, 11, 4), asked(2, 8, 8, 4)}
	// A (10) is expected to end at 100 and does at 10. B (10) has 100 s
	// reserved from 100 then, C (1) its second from 200. At 10 both move up.
	early := []workload.Job{asked(0, 10, 100, 10), asked(1, 5, 100, 10), asked(2, 3, 3, 1)}
	// A (5) runs to 10. B (8) has 10 to 20. C (5, 20 s) and D (4, 9 s) would
	// delay it; conservatively C has 20 to 40 and D 20 to 29. E (5, 7 s) ends
	// at 10 when it starts at 3, in nobody's way. F (2, 30 s) comes at 10.
	crowd := []workload.Job{asked(0, 10, 10, 5), asked(1, 10, 10, 8), asked(2, 20, 20, 5), asked(3, 9, 9, 4), asked(3, 7, 7, 5), asked(10, 30, 30, 2)}
	for _, c := range []struct {
		name string
		jobs []workload.Job
		cfg  Config
		want []float64
	}{
		{"fcfs", gap, Config{Policy: FCFS{}}, []float64{0, 10, 15, 15}},
		{"extra processors", leftOver, Config{Policy: EASY{}}, []float64{0, 10, 2, 16}},
		{"extra processors, conservative", leftOver, Config{Policy: Conservative{}}, []float64{0, 10, 2, 16}},
		{"into the gap", gap, Config{Policy: EASY{}}, []float64{0, 10, 15, 2}},
		{"into the gap, conservative", gap, Config{Policy: Conservative{}}, []float64{0, 10, 15, 2}},
		{"ends early", early, Config{Policy: EASY{}}, []float64{0, 10, 15}},
		{"ends early, conservative", early, Config{Policy: Conservative{}}, []float64{0, 10, 15}},
		{"perfect", early, Config{Policy: EASY{}, Estimator: Perfect{}}, []float64{0, 10, 15}},
		// F takes the two that B leaves: C, then the head, has its 5 at 20 all the
		// same. But D is not protected: C and F leave it 3 until both end at 40.
		{"reservations of one", crowd, Config{Policy: EASY{}}, []float64{0, 10, 20, 40, 3, 10}},
		// D is: beside C and D only 1 is free from 20, so that F waits for 29.
		{"reservations of all", crowd, Config{Policy: Conservative{}}, []float64{0, 10, 20, 20, 3, 29}},
		// A to 20 on all; the shortest of those that wait is D, then C, B.
		{"shortest first", []workload.Job{asked(0, 20, 20, 10), asked(1, 9, 9, 10), asked(2, 5, 5, 10), asked(3, 2, 2, 10), asked(4, 5, 5, 10)},
			Config{Policy: SJF{}}, []float64{0, 32, 22, 20, 27}},
		// The shortest is too large, and holds up the others.
		{"shortest at the head", []workload.Job{asked(0, 20, 20, 5), asked(1, 2, 2, 6), asked(1, 3, 3, 5)},
			Config{Policy: SJF{}}, []float64{0, 20, 22}},
		// Queue 7 before queue 2 before the rest.
		{"queues", []workload.Job{inQueue(1, 0, 20, 10), inQueue(1, 1, 1, 10), inQueue(2, 2, 2, 10), inQueue(3, 3, 3, 10), inQueue(7, 4, 4, 10), inQueue(2, 5, 5, 10)},
			Config{Policy: Priority{Queues: []int64{7, 2}}}, []float64{0, 31, 24, 32, 20, 26}},
		// A's 5 s prove too short at 5 and are doubled to 10, at 10 to 20. At 5
		// B, the head, is expected at 10: C (4, 9 s) may not start, D (4, 5 s)
		// may. At 10 B is expected at 20, and C may.
		{"doubled", []workload.Job{asked(0, 14, 5, 6), asked(1, 1, 1, 8), asked(1, 9, 9, 4), asked(1, 5, 5, 4)},
			Config{Policy: EASY{}}, []float64{0, 19, 10, 5}},
		{"killed", []workload.Job{asked(0, 14, 5, 6), asked(1, 1, 1, 8), asked(1, 9, 9, 4)},
			Config{Policy: EASY{}, Kill: true}, []float64{0, 5, 6}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.cfg.Processors = 10
			got := starts(t, c.jobs, c.cfg, nil)
			if !slices.Equal(got, c.want) {
				t.Errorf("starts %v, want %v", got, c.want)
			}
		})
	}
}

// promises holds a simulation to what it promised: under EASY the head's
// reservation, as the running jobs' estimates give it, and under Conservative
// every job's at its submission. It also sums up what the machine did.
type promises struct {
	jobs    []workload.Job
	perfect bool
	by      map[int64]float64 // the latest start, by row
	started map[int64]float64

	at, work float64
	busy     int64
}

func newPromises(jobs []workload.Job, perfect bool) *promises {
	return &promises{jobs: jobs, perfect: perfect, by: map[int64]float64{}, started: map[int64]float64{}}
}

func (p *promises) Blocked(head *workload.Request, s *State) {
	if s.queue.at(s.queue.first()).reserved > 0 {
		return // conservative
	}
	type end struct {
		at   float64
		size int64
	}
	var ends []end
	for r := range s.Running() {
		length := r.Request.Time
		if p.perfect {
			length = p.jobs[r.Request.Row].Run
		}
		ends = append(ends, end{r.Start + length, r.Request.Size})
	}
	slices.SortFunc(ends, func(a, b end) int { return int(a.at - b.at) })
	free := s.Free()
	for _, e := range ends {
		if free += e.size; free >= head.Size {
			p.by[head.Row] = e.at
			return
		}
	}
}

func (p *promises) Started(t Task, s *State) { p.started[t.Request.Row] = s.Now() }

func (p *promises) Settled(s *State) {
	p.work += float64(p.busy) * (s.Now() - p.at)
	p.at, p.busy = s.Now(), s.Processors()-s.Free()
	for c := range s.queue.all {
		e := s.queue.at(c)
		row := s.jobs.At(e.slot).job.Row
		if _, ok := p.by[row]; !ok && e.reserved > 0 {
			p.by[row] = e.reserved
		}
	}
}

// EASY never delays the reservation of the head, Conservative none that was
// made at submission, as long as no estimate is too short; and every policy
// gives each job what it is worth: the processors were busy for the sum of
// size and run time.
func TestPromises(t *testing.T) {
	for _, p := range battery() {
		for _, perfect := range []bool{true, false} {
			t.Run(p.Name(), func(t *testing.T) {
				kept := 0
				rapid.Check(t, func(t *rapid.T) {
					processors := rapid.Int64Range(1, 12).Draw(t, "processors")
					jobs := randomLog(t, processors)
					work := 0.0
					for i := range jobs {
						jobs[i].Time = max(jobs[i].Time, jobs[i].Run)
						work += jobs[i].Run * float64(jobs[i].Size)
					}
					var e Estimator = UserEstimates{}
					if perfect {
						e = Perfect{}
					}
					w := newPromises(jobs, perfect)
					starts(t, jobs, Config{Processors: processors, Policy: p, Estimator: e}, w)
					if w.work != work || w.busy != 0 {
						t.Fatalf("the processors were busy for %g s, and %d are at the end; want %g and 0", w.work, w.busy, work)
					}
					if p != (EASY{}) && p != (Conservative{}) {
						return
					}
					for row, by := range w.by {
						kept++
						if w.started[row] > by {
							t.Fatalf("row %d was promised a start at %g and started at %g", row, by, w.started[row])
						}
					}
				})
				if (p == (EASY{}) || p == (Conservative{})) && kept == 0 {
					t.Error("nothing was ever promised")
				}
			})
		}
	}
}

// One machine a site, from one log: as if each site's jobs were a log of their
// own.
func TestSites(t *testing.T) {
	for _, p := range battery() {
		t.Run(p.Name(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				jobs := randomLog(t, 4)
				for i := range jobs {
					jobs[i].Partition = rapid.SampledFrom([]int64{1, 2, 3, workload.Unknown}).Draw(t, "partition")
				}
				sizes := map[int64]int64{1: 4, 2: 6}
				// 3 and the unknown have the 5 of all others.
				got := starts(t, jobs, Config{Processors: 5, Policy: p, Sites: sizes}, nil)
				for _, site := range []int64{1, 2, 3, workload.Unknown} {
					var own []workload.Job
					var rows []int
					for i, j := range jobs {
						if j.Partition == site {
							own, rows = append(own, j), append(rows, i)
						}
					}
					if len(own) == 0 {
						continue
					}
					size, ok := sizes[site]
					if !ok {
						size = 5
					}
					for k, want := range starts(t, own, Config{Processors: size, Policy: p}, nil) {
						if got[rows[k]] != want {
							t.Fatalf("row %d starts at %g on site %d, want %g", rows[k], got[rows[k]], site, want)
						}
					}
				}
			})
		})
	}
}

// An estimator that all sites share learns from them in order of time.
func TestSitesShareTheEstimator(t *testing.T) {
	at := func(site int64, j workload.Job) workload.Job {
		j.Partition, j.Queue = site, 1
		return j
	}
	jobs := []workload.Job{
		at(1, asked(0, 10, 50, 1)), // ends at 10: the class runs for 10 s
		at(2, asked(0, 30, 50, 6)), // predicted before: to 50
		at(2, asked(10, 5, 50, 8)), // the head, expected at 50
		at(2, asked(11, 9, 50, 4)), // predicted 10 s: to 21
	}
	got := starts(t, jobs, Config{Policy: EASY{}, Estimator: newLastRun(), Sites: map[int64]int64{1: 1, 2: 10}}, nil)
	if want := []float64{0, 0, 30, 11}; !slices.Equal(got, want) {
		t.Errorf("starts %v, want %v", got, want)
	}
}

func TestSitesWithoutMachine(t *testing.T) {
	a, b := job(0, 1, 1), job(0, 1, 1)
	a.Partition, b.Partition = 1, 2
	var w workload.Warnings
	got := starts(t, []workload.Job{a, b}, Config{Sites: map[int64]int64{1: 1}, Warnings: &w}, nil)
	if got[0] != 0 || !math.IsNaN(got[1]) || len(w.List()) != 1 || w.List()[0].Rule != "no-site-size" {
		t.Errorf("starts %v, warnings %v", got, w.List())
	}
	for _, sizes := range []map[int64]int64{{1: 0}, {1: -3}} {
		for _, err := range Simulate(stream([]workload.Job{a}), Config{Sites: sizes}, nil) {
			if err == nil {
				t.Errorf("sites %v: no error", sizes)
			}
		}
	}
}

func TestNoEstimates(t *testing.T) {
	with := asked(0, 5, 10, 1)
	for _, c := range []struct {
		policy Policy
		e      Estimator
		jobs   []workload.Job
		fails  bool
		warns  int
	}{
		{FCFS{}, nil, []workload.Job{job(0, 1, 1)}, false, 0},
		{Priority{}, nil, []workload.Job{job(0, 1, 1)}, false, 0},
		{EASY{}, nil, []workload.Job{job(0, 1, 1), job(0, 1, 1)}, true, 2},
		{SJF{}, nil, []workload.Job{job(0, 1, 1), with}, false, 1},
		{Conservative{}, Perfect{}, []workload.Job{job(0, 1, 1)}, false, 0},
		{Conservative{}, newLastRun(), []workload.Job{job(0, 1, 1), job(5, 1, 1)}, false, 1},
	} {
		var w workload.Warnings
		var fault error
		for _, err := range Simulate(stream(c.jobs), Config{Processors: 4, Policy: c.policy, Estimator: c.e, Warnings: &w}, nil) {
			fault = err
		}
		warned := 0
		for _, x := range w.List() {
			if x.Rule == "no-estimate" {
				warned += int(x.Count)
			}
		}
		if errors.Is(fault, ErrNoEstimates) != c.fails || (fault != nil) != c.fails || warned != c.warns {
			t.Errorf("%s: error %v, %d warnings; want an error: %v, warnings: %d", c.policy.Name(), fault, warned, c.fails, c.warns)
		}
	}
}

// always predicts the same, whatever it is.
type always float64

func (a always) Predict(workload.Request) (workload.Prediction, bool) {
	return workload.Prediction{Seconds: float64(a)}, true
}

func (always) Observe(workload.Job) {}

// A prediction that is none gives way to the user's estimate, and is counted. The machine
// has 2. Jobs 2 and 3 wait for job 1, whose estimate ends at 10. Job 3, of which 5 s are
// expected, starts at once beside job 1; of which a day, after job 2.
func TestBadPredictions(t *testing.T) {
	jobs := []workload.Job{asked(0, 10, 10, 1), asked(1, 10, 10, 2), asked(2, 5, 5, 1)}
	for _, seconds := range []float64{nan, -1, math.Inf(1)} {
		var w workload.Warnings
		got := starts(t, jobs, Config{Processors: 2, Policy: EASY{}, Estimator: always(seconds), Warnings: &w}, nil)
		if !slices.Equal(got, []float64{0, 10, 2}) || len(w.List()) != 1 || w.List()[0].Rule != "bad-prediction" || w.List()[0].Count != 3 {
			t.Errorf("%g s: starts %v, warnings %v", seconds, got, w.List())
		}
	}
}

// A job that is killed says so.
func TestKilled(t *testing.T) {
	long := asked(0, 14, 5, 1)
	long.CPUTime = 13
	for j, err := range Simulate(stream([]workload.Job{long}), Config{Processors: 1, Kill: true}, nil) {
		if err != nil || j.Run != 5 || j.CPUTime != 5 || j.Status != workload.StatusFailed {
			t.Errorf("killed: %+v, %v", j, err)
		}
	}
}

// Times that float64 does not tell apart, and those beyond it, end.
func TestPoliciesOfExtremeTimes(t *testing.T) {
	for _, p := range battery() {
		for _, s := range settings {
			jobs := []workload.Job{asked(0, 1e-300, 5, 2), asked(0, 1e300, 1, 2), asked(1e300, 1, 1e-300, 2), asked(1e308, 1.7e308, 1, 2), asked(1e308, 1, 1, 1)}
			got := starts(t, jobs, Config{Processors: 2, Policy: p, Estimator: s.estimator(), Correct: s.correct, Kill: s.kill}, nil)
			for i, at := range got {
				if math.IsNaN(at) || at < jobs[i].Submit {
					t.Errorf("%s, %s: starts %v", p.Name(), s.name, got)
				}
			}
		}
	}
}

// A correction finds its way to jobs far back in the queue. A (6) holds up B
// (8) until 1000; behind it 100 jobs of 4 processors and 5000 s, then one of
// the class of C, which ends at 10 after 10 s: then that one may start.
func TestCorrectionFarBack(t *testing.T) {
	of := func(class int64, j workload.Job) workload.Job {
		j.Queue = class
		return j
	}
	jobs := []workload.Job{of(1, asked(0, 1000, 1000, 6)), of(3, asked(0, 10, 5000, 1)), of(2, asked(1, 5, 5, 8))}
	for range 100 {
		jobs = append(jobs, of(4, asked(1, 5000, 5000, 4)))
	}
	jobs = append(jobs, of(3, asked(1, 10, 5000, 4)))
	got := starts(t, jobs, Config{Processors: 10, Policy: EASY{}, Estimator: newLastRun(), Correct: true}, nil)
	if at := got[len(got)-1]; at != 10 || got[2] != 1000 {
		t.Errorf("the last job starts at %g and B at %g, want 10 and 1000", at, got[2])
	}
}
