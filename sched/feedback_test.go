package sched

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/workload"
)

// behind makes a job that waits for the one with that number, for so long.
func behind(j workload.Job, number int64, think float64) workload.Job {
	j.Preceding, j.Think = number, think
	return j
}

// closed simulates with feedback and returns each job's submission and start by
// row, NaN for one left out.
func closed(t interface{ Fatal(...any) }, jobs []workload.Job, cfg Config, o Observer) (submits, starts []float64) {
	cfg.Feedback = true
	submits, starts = make([]float64, len(jobs)), make([]float64, len(jobs))
	for i := range jobs {
		submits[i], starts[i] = nan, nan
	}
	for j, err := range Simulate(stream(jobs), cfg, o) {
		if err != nil {
			t.Fatal(err)
		}
		if !math.IsNaN(starts[j.Row]) {
			t.Fatal("job started twice: row", j.Row)
		}
		submits[j.Row], starts[j.Row] = j.Submit, j.Start()
	}
	return submits, starts
}

func equal(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) })
}

func TestFeedbackByHand(t *testing.T) {
	// The machine has 10. A (6) runs from 0 to 10. B (8, 10 s) is at the head from
	// 1. C (4, 8 s) comes at 1. D (4, 5 s) waits for C and thinks for 3 s, its own
	// time is 2. E (10, 5 s) waits for A, its own time is 40.
	log := []workload.Job{
		asked(0, 10, 10, 6), asked(1, 10, 10, 8), asked(1, 8, 8, 4),
		behind(asked(2, 5, 5, 4), 3, 3), behind(asked(40, 5, 5, 10), 1, 20),
	}
	// FCFS: B 10 to 20, C from 20 to 28, D comes at 31 and runs to 36, E comes at
	// its own time, since 10 + 20 is earlier.
	// EASY and conservative: C fits before B and runs from 1 to 9, D comes at 12,
	// while B holds 8 until 20, and runs from 20 to 25.
	backfilled := []float64{0, 10, 1, 20, 40}
	// One processor. B comes between A and C, which waits for A: at 130, so that it
	// is behind B and starts at 200, and D, which thinks 20 s after C, comes at 230,
	// before E.
	row := []workload.Job{
		asked(0, 100, 100, 1), asked(10, 100, 100, 1), behind(asked(50, 10, 10, 1), 1, 30),
		behind(asked(60, 20, 20, 1), 3, 20), asked(240, 1, 1, 1),
	}
	// A (5) runs from 0 to 10, B (6) from 10 to 20, E (10) from 20 to 50. F (4, 30
	// s), let go by A at 10, would end at 40 and delay E.
	long := []workload.Job{
		asked(0, 10, 10, 5), asked(1, 10, 10, 6), asked(2, 30, 30, 10), behind(asked(2, 30, 30, 4), 1, 0),
	}
	// The same, but F runs for 10 s and ends just when E starts.
	just := []workload.Job{
		asked(0, 10, 10, 5), asked(1, 10, 10, 6), asked(2, 30, 30, 10), behind(asked(2, 10, 10, 4), 1, 0),
	}
	// A (6) runs from 0 to 10, B (6) from 10 to 20, C (6) from 20 to 30. E (4, 5 s),
	// let go by A at 10, runs beside B. F (4, 20 s), let go by A at 15, would end at
	// 35. Under EASY the head is C then, which leaves 4 over: F starts, and D (10)
	// waits for its end. Under conservative D has 30 to 40 reserved: F starts at 40.
	late := []workload.Job{
		asked(0, 10, 10, 6), asked(1, 10, 10, 6), asked(2, 10, 10, 6), asked(3, 10, 10, 10),
		behind(asked(3, 5, 5, 4), 1, 0), behind(asked(4, 20, 20, 4), 1, 5),
	}
	for _, c := range []struct {
		name            string
		jobs            []workload.Job
		cfg             Config
		submits, starts []float64
	}{
		{"fcfs", log, Config{Processors: 10, Policy: FCFS{}}, []float64{0, 1, 1, 31, 40}, []float64{0, 10, 20, 31, 40}},
		{"easy", log, Config{Processors: 10, Policy: EASY{}}, []float64{0, 1, 1, 12, 40}, backfilled},
		{"conservative", log, Config{Processors: 10, Policy: Conservative{}}, []float64{0, 1, 1, 12, 40}, backfilled},
		{"in a row, fcfs", row, Config{Processors: 1}, []float64{0, 10, 130, 230, 240}, []float64{0, 100, 200, 230, 250}},
		{"in a row, easy", row, Config{Processors: 1, Policy: EASY{}}, []float64{0, 10, 130, 230, 240}, []float64{0, 100, 200, 230, 250}},
		{"in a row, sjf", row, Config{Processors: 1, Policy: SJF{}}, []float64{0, 10, 130, 230, 240}, []float64{0, 100, 200, 230, 250}},
		{"too long for the gap, easy", long, Config{Processors: 10, Policy: EASY{}}, []float64{0, 1, 2, 10}, []float64{0, 10, 20, 50}},
		{"too long for the gap, conservative", long, Config{Processors: 10, Policy: Conservative{}}, []float64{0, 1, 2, 10}, []float64{0, 10, 20, 50}},
		{"just in the gap, easy", just, Config{Processors: 10, Policy: EASY{}}, []float64{0, 1, 2, 10}, []float64{0, 10, 20, 10}},
		{"just in the gap, conservative", just, Config{Processors: 10, Policy: Conservative{}}, []float64{0, 1, 2, 10}, []float64{0, 10, 20, 10}},
		{"just in the gap, fcfs", just, Config{Processors: 10}, []float64{0, 1, 2, 10}, []float64{0, 10, 20, 50}},
		{"late, fcfs", late, Config{Processors: 10}, []float64{0, 1, 2, 3, 10, 15}, []float64{0, 10, 20, 30, 40, 40}},
		{"late, easy", late, Config{Processors: 10, Policy: EASY{}}, []float64{0, 1, 2, 3, 10, 15}, []float64{0, 10, 20, 35, 10, 15}},
		{"late, conservative", late, Config{Processors: 10, Policy: Conservative{}}, []float64{0, 1, 2, 3, 10, 15}, []float64{0, 10, 20, 30, 10, 40}},
		// A ends where it starts, at 0, and lets B go at 0. D has come at 0 too and
		// takes all, before B comes. At 7 B starts, ends and lets C go, which ends too.
		{"without length", []workload.Job{asked(0, 0, 1, 1), behind(asked(0, 0, 1, 1), 1, 0), behind(asked(0, 0, 1, 1), 2, nan), asked(0, 7, 7, 10), behind(asked(0, 3, 3, 1), 3, 4)},
			Config{Processors: 10}, []float64{0, 0, 7, 0, 11}, []float64{0, 7, 7, 0, 11}},
		// Two that are let go at one instant come in the log's order, before one
		// whose own time it is.
		{"one instant", []workload.Job{asked(0, 10, 10, 1), behind(asked(1, 1, 1, 1), 1, 5), behind(asked(2, 2, 2, 1), 1, 5), asked(15, 3, 3, 1)},
			Config{Processors: 1}, []float64{0, 15, 15, 15}, []float64{0, 15, 16, 18}},
		// What is killed at its estimate ends then.
		{"killed", []workload.Job{asked(0, 100, 10, 1), behind(asked(1, 1, 1, 1), 1, 5)},
			Config{Processors: 1, Kill: true}, []float64{0, 15}, []float64{0, 15}},
		// A job waits for one on another site.
		{"sites", []workload.Job{onSite(1, asked(0, 10, 10, 4)), onSite(1, asked(1, 10, 10, 4)), onSite(2, behind(asked(2, 5, 5, 4), 2, 1)), onSite(1, behind(asked(3, 1, 1, 4), 3, 0))},
			Config{Sites: map[int64]int64{1: 4, 2: 4}}, []float64{0, 1, 21, 26}, []float64{0, 10, 21, 26}},
	} {
		t.Run(c.name, func(t *testing.T) {
			submits, starts := closed(t, c.jobs, c.cfg, nil)
			if !equal(submits, c.submits) || !equal(starts, c.starts) {
				t.Errorf("submitted at %v, started at %v, want %v and %v", submits, starts, c.submits, c.starts)
			}
		})
	}
}

func onSite(partition int64, j workload.Job) workload.Job {
	j.Partition = partition
	return j
}

// Whatever a job says that it waits for, it is submitted, and what is odd is
// counted.
func TestOddDependencies(t *testing.T) {
	day := 86400.0
	var w workload.Warnings
	jobs := []workload.Job{
		behind(asked(0, 1, 1, 1), 1, 5),           // itself
		behind(asked(10, 1, 1, 1), 4, 5),          // a cycle, with the last but two
		behind(asked(20, 1, 1, 1), 99, 5),         // unknown
		behind(asked(30, 1, 1, 1), 2, 5),          // the job of row 1, which has ended
		asked(40, nan, 1, 1),                      // left out: cancelled
		behind(asked(50, 1, 1, 1), 5, 5),          // waits for it
		asked(60, 1, 1, 100),                      // left out: too large
		behind(asked(70, 1, 1, 1), 7, 5),          // waits for it
		behind(asked(80, 1, 1, 1), 8, -5),         // a negative think time is none
		behind(asked(80, 1, 1, 1), 8, 8*day),      // a break
		behind(asked(80, 1, 1, 1), 8, inf),        // a break
		behind(asked(9*day, 1, 1, 1), 3, 7*day),   // long over, and counted as missing
		behind(asked(9*day+1, 1, 1, 1), 98, 0),    // unknown, beside numbers that are known
		behind(asked(9*day+1, 1, 1, 1), -5e15, 0), // unknown
	}
	submits, starts := closed(t, jobs, Config{Processors: 10, Warnings: &w}, nil)
	for i, j := range jobs {
		want := j.Submit
		if i == 4 || i == 6 {
			want = nan
		}
		if !equal(submits[i:i+1], []float64{want}) || !equal(starts[i:i+1], []float64{want}) {
			t.Errorf("row %d: submitted at %g, started at %g, want %g", i, submits[i], starts[i], want)
		}
	}
	got := map[string]int64{}
	for _, x := range w.List() {
		got[x.Rule] = x.Count
	}
	for rule, n := range map[string]int64{"preceding-missing": 8, "think-time-long": 2, "no-run-time": 1, "larger-than-machine": 1, "preceding-never-ends": 0} {
		if got[rule] != n {
			t.Errorf("%s: counted %d, want %d", rule, got[rule], n)
		}
	}
}

var inf = math.Inf(1)

// A job that ends at no time keeps those that wait for it, and those behind them,
// out: they are counted.
func TestWaitForNoEnd(t *testing.T) {
	var w workload.Warnings
	jobs := []workload.Job{job(1e308, 1.7e308, 1), behind(job(1e308, 1, 1), 1, 0), behind(job(1e308, 1, 1), 2, 0)}
	submits, _ := closed(t, jobs, Config{Processors: 10, Warnings: &w}, nil)
	if !equal(submits, []float64{1e308, nan, nan}) {
		t.Errorf("submitted at %v", submits)
	}
	if l := w.List(); len(l) != 1 || l[0].Rule != "preceding-never-ends" || l[0].Count != 2 {
		t.Errorf("warnings %v", l)
	}
}

// Of jobs with one number the latest is meant, and the earlier one's end lets
// nobody go.
func TestOneNumberTwice(t *testing.T) {
	const days = 86400
	jobs := []workload.Job{
		job(0, 100, 1), job(1, 200, 1), behind(job(2, 1, 1), 7, 0), behind(job(500, 1, 1), 7, 400),
		job(600, 100, 1), job(700, 20*days, 1), behind(job(10*days, 1, 1), 9, 3), // the first 9 is forgotten by then
	}
	simulated := func(yield func(workload.Job, error) bool) {
		for i, j := range jobs {
			j.ID, j.Row = int64(7+i/2), int64(i)
			if !yield(j, nil) {
				return
			}
		}
	}
	var submits []float64
	for j, err := range Simulate(simulated, Config{Processors: 10, Feedback: true}, nil) {
		if err != nil {
			t.Fatal(err)
		}
		submits = append(submits, j.Submit)
	}
	if want := []float64{0, 1, 201, 600, 601, 700, 20*days + 703}; !slices.Equal(submits, want) {
		t.Errorf("submitted at %v, want %v", submits, want)
	}
}

func TestTooManyHeldBack(t *testing.T) {
	jobs := []workload.Job{job(0, 100, 1)}
	for range 5 {
		jobs = append(jobs, behind(job(1, 1, 1), 1, 0))
	}
	var err error
	for _, err = range Simulate(stream(jobs), Config{Processors: 10, Feedback: true, most: 4}, nil) {
	}
	if !errors.Is(err, ErrTooMany) {
		t.Errorf("%v, want %v", err, ErrTooMany)
	}
}

// delays notes the jobs that are submitted late.
type delays struct {
	queueLength
	late map[int64]float64 // by row
}

func (d *delays) Delayed(r *workload.Request, submit float64) { d.late[r.Row] = r.Submit - submit }

func TestDelayed(t *testing.T) {
	jobs := []workload.Job{job(0, 100, 1), behind(job(10, 1, 1), 1, 5), behind(job(200, 1, 1), 1, 5)}
	d := &delays{late: map[int64]float64{}}
	closed(t, jobs, Config{Processors: 10}, d)
	if len(d.late) != 1 || d.late[1] != 95 {
		t.Errorf("late by %v, want row 1 by 95 s", d.late)
	}
}

// link notes what a job waits for. Jobs are numbered from 1 by row.
func (r *reference) link(j *workload.Job) {
	to := -1
	if p := j.Preceding; p >= 1 && p <= j.Row {
		to = int(p - 1)
	}
	r.to, r.submits, r.ends = append(r.to, to), append(r.submits, j.Submit), append(r.ends, math.Inf(1))
}

// ready is when a job is submitted, infinite where that is not known yet.
func (r *reference) ready(j *referenceJob) float64 {
	if !r.feedback || r.to[j.row] < 0 {
		return j.Submit
	}
	at := r.ends[r.to[j.row]]
	if j.Think > 0 {
		at += j.Think
	}
	return max(j.Submit, at)
}

// Every policy, with every kind of estimate, against the reference.
func TestFeedbackAgainstReference(t *testing.T) {
	for _, p := range battery() {
		for _, s := range settings {
			t.Run(p.Name()+"/"+s.name, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					processors := rapid.Int64Range(1, 12).Draw(t, "processors")
					jobs := randomLog(t, processors)
					for i := range jobs {
						if rapid.Bool().Draw(t, "waits") {
							jobs[i].Preceding = rapid.Int64Range(-1, int64(len(jobs))+1).Draw(t, "preceding")
							jobs[i].Think = rapid.SampledFrom([]float64{0, 1, 7, nan}).Draw(t, "think")
						}
					}
					submits, got := closed(t, jobs, Config{Processors: processors, Policy: p, Estimator: s.estimator(), Correct: s.correct, Kill: s.kill}, nil)
					if s.kill {
						for i := range jobs {
							jobs[i].Run = min(jobs[i].Run, jobs[i].Time)
						}
					}
					r := &reference{processors: processors, policy: p, estimator: s.estimator(), correct: s.correct, feedback: true}
					want := r.starts(jobs)
					if !slices.Equal(got, want) || !slices.Equal(submits, r.submits) {
						t.Fatalf("submitted at %v, started at %v, want %v and %v", submits, got, r.submits, want)
					}
				})
			})
		}
	}
}
