package sched

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/workload"
)

// job makes a job of a test: its ID and row are set by stream.
func job(submit, run float64, size int64) workload.Job {
	j := workload.UnknownJob()
	j.Submit, j.Run, j.Size = submit, run, size
	return j
}

func stream(jobs []workload.Job) iter.Seq2[workload.Job, error] {
	return func(yield func(workload.Job, error) bool) {
		for i, j := range jobs {
			j.ID, j.Row = int64(i+1), int64(i)
			if !yield(j, nil) {
				return
			}
		}
	}
}

// starts simulates and returns each job's start by row, NaN for one left out.
func starts(t interface{ Fatal(...any) }, jobs []workload.Job, cfg Config, o Observer) []float64 {
	at := make([]float64, len(jobs))
	for i := range at {
		at[i] = math.NaN()
	}
	for j, err := range Simulate(stream(jobs), cfg, o) {
		if err != nil {
			t.Fatal(err)
		}
		if !math.IsNaN(at[j.Row]) {
			t.Fatal("job started twice: row", j.Row)
		}
		at[j.Row] = j.Start()
	}
	return at
}

var nan = math.NaN()

func TestFCFSByHand(t *testing.T) {
	for _, c := range []struct {
		name       string
		processors int64
		jobs       []workload.Job
		want       []float64
	}{
		{"one job", 4, []workload.Job{job(5, 10, 4)}, []float64{5}},
		// The machine has 10. Jobs 1 (6) and 2 (3) run from 0; job 3 (2) finds 1
		// free and waits for job 2's end at 4; job 4 (1) would fit at 2 and may
		// not overtake: it starts at 4 with job 3, the machine then full but for
		// 1. Job 5 (8) needs job 1 (ends 10) and the others (3 ends 9, 4 ends 5).
		{"no overtaking", 10, []workload.Job{
			job(0, 10, 6), job(0, 4, 3), job(1, 5, 2), job(2, 1, 1), job(3, 1, 8),
		}, []float64{0, 0, 4, 4, 10}},
		// The finish at 10 comes before the submission and the start at 10.
		{"finish before start", 2, []workload.Job{job(0, 10, 2), job(10, 1, 2)}, []float64{0, 10}},
		{"same instant, log order", 2, []workload.Job{job(0, 3, 2), job(0, 1, 2), job(0, 2, 1), job(0, 2, 1)}, []float64{0, 3, 4, 4}},
		{"no length", 2, []workload.Job{job(1, 0, 2), job(1, 0, 2), job(1, 7, 2), job(2, 0, 1), job(3, 1, 1)}, []float64{1, 1, 1, 8, 8}},
		{"too short for the clock", 1, []workload.Job{job(1e9, 1e-9, 1), job(1e9, 5, 1)}, []float64{1e9, 1e9}},
		{"idle between", 3, []workload.Job{job(0, 1, 3), job(50, 1, 3), job(50.5, 1, 1)}, []float64{0, 50, 51}},
		{"negative times", 1, []workload.Job{job(-20, 15, 1), job(-10, 1, 1)}, []float64{-20, -5}},
		{"left out", 4, []workload.Job{
			job(0, 10, 4), job(0, 10, 5), job(0, nan, 1), job(0, -1, 1), job(0, 10, 0),
			job(0, 10, workload.Unknown), job(nan, 1, 1), job(0, math.Inf(1), 1), job(1, 1, 4),
		}, []float64{0, nan, nan, nan, nan, nan, nan, nan, 10}},
		{"times beyond float64", 1, []workload.Job{job(1e308, 1.5e308, 1), job(1e308, 1, 1)}, []float64{1e308, math.Inf(1)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := starts(t, c.jobs, Config{Processors: c.processors}, nil)
			if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return a == b || a != a && b != b }) {
				t.Errorf("starts %v, want %v", got, c.want)
			}
		})
	}
}

// journal writes down what an observer sees.
type journal []string

func (l *journal) Blocked(head *workload.Request, s *State) { l.note("blocked", head, s) }
func (l *journal) Started(t Task, s *State)                 { l.note("started", t.Request, s) }

func (l *journal) note(what string, r *workload.Request, s *State) {
	line := fmt.Sprintf("%g %s %d: free %d, running", s.Now(), what, r.ID, s.Free())
	var ids []string
	for x := range s.Running() {
		ids = append(ids, fmt.Sprintf(" %d(%d)@%g", x.Request.ID, x.Request.Size, x.Start))
	}
	slices.Sort(ids)
	for _, id := range ids {
		line += id
	}
	line += ", queue"
	for _, q := range s.Waiting() {
		line += fmt.Sprint(" ", q.Request.ID)
	}
	*l = append(*l, line)
}

func TestObserver(t *testing.T) {
	var l journal
	starts(t, []workload.Job{
		job(0, 10, 6), job(0, 4, 3), job(1, 5, 2), job(2, 1, 1), job(3, 1, 8), job(3, 1, 9),
	}, Config{Processors: 10}, &l)
	want := journal{
		"0 started 1: free 4, running 1(6)@0, queue 2",
		"0 started 2: free 1, running 1(6)@0 2(3)@0, queue",
		"1 blocked 3: free 1, running 1(6)@0 2(3)@0, queue 3",
		"4 started 3: free 2, running 1(6)@0 3(2)@4, queue 4 5 6",
		"4 started 4: free 1, running 1(6)@0 3(2)@4 4(1)@4, queue 5 6",
		"4 blocked 5: free 1, running 1(6)@0 3(2)@4 4(1)@4, queue 5 6", // at the start before, not at submission
		"10 started 5: free 2, running 5(8)@10, queue 6",
		"10 blocked 6: free 2, running 5(8)@10, queue 6",
		"11 started 6: free 1, running 6(9)@11, queue",
	}
	if d := cmp.Diff(want, l); d != "" {
		t.Error(d)
	}
}

// At one instant: finishes, submissions, starts.
func TestObserverAtOneInstant(t *testing.T) {
	for _, c := range []struct {
		name string
		jobs []workload.Job
		want journal
	}{
		{"submitted at a finish", []workload.Job{job(0, 10, 2), job(10, 1, 2), job(12, 1, 1)}, journal{
			"0 started 1: free 0, running 1(2)@0, queue",
			"10 started 2: free 0, running 2(2)@10, queue", // not blocked
			"12 started 3: free 1, running 3(1)@12, queue",
		}},
		{"submitted at a start", []workload.Job{job(0, 10, 2), job(5, 1, 2), job(10, 1, 1)}, journal{
			"0 started 1: free 0, running 1(2)@0, queue",
			"5 blocked 2: free 0, running 1(2)@0, queue 2",
			"10 started 2: free 0, running 2(2)@10, queue 3",
			"10 blocked 3: free 0, running 2(2)@10, queue 3",
			"11 started 3: free 1, running 3(1)@11, queue",
		}},
		{"behind one without length", []workload.Job{job(1, 0, 2), job(1, 7, 2)}, journal{
			"1 started 1: free 0, running 1(2)@1, queue 2",
			"1 started 2: free 0, running 2(2)@1, queue", // not blocked
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var l journal
			starts(t, c.jobs, Config{Processors: 2}, &l)
			if d := cmp.Diff(c.want, l); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestWarnings(t *testing.T) {
	var w workload.Warnings
	starts(t, []workload.Job{
		job(0, 10, 5), job(0, nan, 1), job(0, -1, 1), job(0, 10, 0), job(nan, 1, 1), job(1, 1, 4),
	}, Config{Processors: 4, Warnings: &w}, nil)
	got := map[string]int64{}
	for _, x := range w.List() {
		got[x.Rule] = x.Count
	}
	want := map[string]int64{"larger-than-machine": 1, "no-run-time": 2, "no-size": 1, "no-submit-time": 1}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// Without warnings too, the error says why no job is left.
func TestNoJobsReasons(t *testing.T) {
	for _, err := range Simulate(stream([]workload.Job{job(0, 1, 0), job(0, 1, 2), job(1, 1, 0)}), Config{Processors: 1}, nil) {
		const want = "(2 no-size, first job 1; 1 larger-than-machine, first job 2 of 2 processors, machine of 1)"
		if !errors.Is(err, workload.ErrNoJobs) || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("error %v, want one that ends in %s", err, want)
		}
	}
}

func TestErrors(t *testing.T) {
	cause := errors.New("disk gone")
	broken := func(yield func(workload.Job, error) bool) {
		if yield(job(0, 1, 1), nil) {
			yield(workload.Job{}, cause)
		}
	}
	for _, c := range []struct {
		name string
		jobs iter.Seq2[workload.Job, error]
		p    int64
		is   error
	}{
		{"no processors", stream([]workload.Job{job(0, 1, 1)}), 0, nil},
		{"no jobs", stream(nil), 1, workload.ErrNoJobs},
		{"none fits", stream([]workload.Job{job(0, 1, 2), job(0, 1, 3)}), 1, workload.ErrNoJobs},
		{"out of order", stream([]workload.Job{job(5, 1, 1), job(4, 1, 1)}), 1, workload.ErrOrder},
		{"input", broken, 1, cause},
	} {
		t.Run(c.name, func(t *testing.T) {
			var errs []error
			after := 0
			for _, err := range Simulate(c.jobs, Config{Processors: c.p}, nil) {
				if err != nil {
					errs = append(errs, err)
				} else if len(errs) > 0 {
					after++
				}
			}
			if len(errs) != 1 || after > 0 {
				t.Fatalf("errors %v, %d jobs after them; want one error and nothing after it", errs, after)
			}
			if c.is != nil && !errors.Is(errs[0], c.is) {
				t.Errorf("%v does not unwrap to %v", errs[0], c.is)
			}
		})
	}
}

// A consumer may stop, and nothing is read that is not needed.
func TestStops(t *testing.T) {
	pulled := 0
	endless := func(yield func(workload.Job, error) bool) {
		for yield(job(float64(pulled), 2, 1), nil) {
			pulled++
		}
	}
	n := 0
	for _, err := range Simulate(endless, Config{Processors: 1}, nil) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == 100 {
			break
		}
	}
	// Job 100 starts at 198 s; the arrivals up to there, one a second, are read.
	if pulled > 200 {
		t.Errorf("read %d jobs for the first 100 starts", pulled)
	}
}

// randomLog draws a small log with many ties, jobs without length, and bursts.
func randomLog(t *rapid.T, processors int64) []workload.Job {
	var jobs []workload.Job
	now := 0.0
	for range rapid.IntRange(1, 40).Draw(t, "jobs") {
		now += float64(rapid.SampledFrom([]int{0, 0, 1, 1, 2, 5, 20}).Draw(t, "gap"))
		run := float64(rapid.IntRange(0, 12).Draw(t, "run"))
		j := job(now, run, rapid.Int64Range(1, processors).Draw(t, "size"))
		j.Time = max(1, run+float64(rapid.SampledFrom([]int{0, 0, 1, 3, 10, -1, -5}).Draw(t, "beyond")))
		j.Queue = rapid.Int64Range(1, 3).Draw(t, "queue")
		jobs = append(jobs, j)
	}
	return jobs
}

// audit holds a simulation's state against the jobs, at every moment.
type audit struct {
	t       *rapid.T
	jobs    []workload.Job
	started map[int64]float64
	ordered bool // the queue is by submission
}

func (a *audit) check(s *State) {
	used, n := int64(0), 0
	for r := range s.Running() {
		used += r.Request.Size
		n++
		if a.started[r.Request.Row] != r.Start {
			a.t.Fatalf("at %g: row %d runs since %g, was started at %g", s.Now(), r.Request.Row, r.Start, a.started[r.Request.Row])
		}
		if end := r.Start + a.jobs[r.Request.Row].Run; end < s.Now() {
			a.t.Fatalf("at %g: row %d still runs, should have ended at %g", s.Now(), r.Request.Row, end)
		}
	}
	if s.Free() < 0 || used+s.Free() != s.Processors() || n != s.RunningJobs() {
		a.t.Fatalf("at %g: %d used by %d jobs and %d free of %d", s.Now(), used, n, s.Free(), s.Processors())
	}
	n = 0
	last := int64(-1)
	for _, t := range s.Waiting() {
		q := t.Request
		n++
		if (a.ordered && q.Row <= last) || q.Submit > s.Now() {
			a.t.Fatalf("at %g: row %d (submitted %g) queued behind row %d", s.Now(), q.Row, q.Submit, last)
		}
		last = q.Row
	}
	if n != s.Queued() {
		a.t.Fatalf("%d jobs in the queue, Queued is %d", n, s.Queued())
	}
}

func (a *audit) Blocked(head *workload.Request, s *State) {
	a.check(s)
	if head.Size <= s.Free() {
		a.t.Fatalf("at %g: row %d of %d is blocked with %d free", s.Now(), head.Row, head.Size, s.Free())
	}
}

func (a *audit) Started(t Task, s *State) {
	r := t.Request
	a.started[r.Row] = s.Now()
	a.check(s)
}

// Every policy: all jobs start once, not before their submission, and no
// processor is used twice.
func TestPolicies(t *testing.T) {
	for _, p := range Policies() {
		t.Run(p.Name(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				processors := rapid.Int64Range(1, 12).Draw(t, "processors")
				jobs := randomLog(t, processors)
				a := &audit{t, jobs, map[int64]float64{}, orderOf(p) == nil}
				at := starts(t, jobs, Config{Processors: processors, Policy: p}, a)
				for i := range jobs {
					if !(at[i] >= jobs[i].Submit) {
						t.Fatalf("row %d, submitted at %g, starts at %g", i, jobs[i].Submit, at[i])
					}
					// What runs at this job's start, itself included. Jobs without
					// length hold nothing.
					used := int64(0)
					for k := range jobs {
						if at[k] <= at[i] && at[i] < at[k]+jobs[k].Run {
							used += jobs[k].Size
						}
					}
					if used > processors {
						t.Fatalf("%d of %d processors in use at %g", used, processors, at[i])
					}
				}
			})
		})
	}
}
