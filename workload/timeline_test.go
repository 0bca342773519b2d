package workload

import (
	"cmp"
	"errors"
	"iter"
	"math"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func jobsOf(jobs []Job) iter.Seq2[Job, error] {
	return func(yield func(Job, error) bool) {
		for i, j := range jobs {
			j.Row = int64(i)
			if !yield(j, nil) {
				return
			}
		}
	}
}

// happening is an event without what is the timeline's own business.
type happening struct {
	Time float64
	Kind EventKind
	Row  int64
}

func happenings(t interface{ Fatal(...any) }, jobs []Job) (hs []happening) {
	for e, err := range Timeline(jobsOf(jobs)) {
		if err != nil {
			t.Fatal(err)
		}
		hs = append(hs, happening{e.Time, e.Kind, e.Job.Row})
	}
	return hs
}

func job(submit, wait, run float64) Job {
	j := UnknownJob()
	j.Submit, j.Wait, j.Run = submit, wait, run
	return j
}

// bruteForce plays the jobs' events instant by instant: at each, all finishes
// that are due, by row; then one submission, in the log's order; then, where
// there is none left, one start. It looks at everything each time, and keeps
// no queue.
func bruteForce(jobs []Job) (hs []happening) {
	const (
		coming = iota
		waiting
		running
		gone
	)
	state := make([]int, len(jobs))
	for {
		best := happening{Time: math.Inf(1)}
		found := false
		for i, j := range jobs {
			h := happening{Row: int64(i)}
			switch state[i] {
			case coming:
				h.Time, h.Kind = j.Submit, Submit
			case waiting:
				h.Time, h.Kind = j.Submit+j.Wait, Start
			case running:
				h.Time, h.Kind = j.Submit, Finish
				if j.Wait >= 0 {
					h.Time += j.Wait
				}
				h.Time += j.Run
			default:
				continue
			}
			if !found || cmp.Or(cmp.Compare(h.Time, best.Time), cmp.Compare(h.Kind, best.Kind), cmp.Compare(h.Row, best.Row)) < 0 {
				best, found = h, true
			}
		}
		if !found {
			return hs
		}
		hs = append(hs, best)
		j := jobs[best.Row]
		switch {
		case best.Kind == Submit && j.Wait >= 0:
			state[best.Row] = waiting
		case best.Kind != Finish && j.Run >= 0:
			state[best.Row] = running
		default:
			state[best.Row] = gone
		}
	}
}

// drawJobs draws jobs in order of submission with many ties.
func drawJobs(t *rapid.T) []Job {
	times := rapid.SampledFrom([]float64{0, 0, 1, 1, 2, 3, 5, 0.5, -1, math.NaN()})
	jobs := make([]Job, rapid.IntRange(0, 60).Draw(t, "jobs"))
	at := 0.0
	for i := range jobs {
		at += float64(rapid.IntRange(0, 2).Draw(t, "step"))
		jobs[i] = job(at, times.Draw(t, "wait"), times.Draw(t, "run"))
	}
	return jobs
}

func TestTimelineAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := drawJobs(t)
		if d := gocmp.Diff(bruteForce(jobs), happenings(t, jobs)); d != "" {
			t.Fatal(d)
		}
	})
}

// TestTimelineRules holds each rule of the comment, without a model.
func TestTimelineRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := drawJobs(t)
		var (
			last  = math.Inf(-1)
			seen  = make([]map[EventKind]float64, len(jobs))
			slots = map[int]int64{} // slot in use, by which row
			under = 0
			most  = 0
		)
		for e, err := range Timeline(jobsOf(jobs)) {
			if err != nil {
				t.Fatal(err)
			}
			row := e.Job.Row
			if e.Time < last {
				t.Fatalf("time goes back from %g to %g", last, e.Time)
			}
			last = e.Time
			if seen[row] == nil {
				seen[row] = map[EventKind]float64{}
				if e.Kind != Submit {
					t.Fatalf("row %d has a %v before its submission", row, e.Kind)
				}
				if other, used := slots[e.Slot]; used {
					t.Fatalf("slot %d is of rows %d and %d", e.Slot, other, row)
				}
				slots[e.Slot] = row
				under++
				most = max(most, under)
			}
			if slots[e.Slot] != row {
				t.Fatalf("row %d changes its slot to %d", row, e.Slot)
			}
			if _, twice := seen[row][e.Kind]; twice {
				t.Fatalf("row %d has two events %v", row, e.Kind)
			}
			if _, started := seen[row][Start]; e.Kind == Finish && e.Job.Wait >= 0 && !started {
				t.Fatalf("row %d ends before it starts", row)
			}
			seen[row][e.Kind] = e.Time
			j := jobs[row]
			done := e.Kind == Finish || !(j.Run >= 0) && (e.Kind == Start || !(j.Wait >= 0))
			if done {
				delete(slots, e.Slot)
				under--
			}
			if e.Slot >= most {
				t.Fatalf("slot %d, while at most %d jobs were under way", e.Slot, most)
			}
		}
		if len(slots) != 0 {
			t.Fatalf("slots left: %v", slots)
		}
		for i, j := range jobs {
			_, started := seen[i][Start]
			_, finished := seen[i][Finish]
			if started != (j.Wait >= 0) || finished != (j.Run >= 0) {
				t.Fatalf("row %d, wait %g and run %g: started %v, finished %v", i, j.Wait, j.Run, started, finished)
			}
		}
	})
}

func TestTimelinePassesErrorsOnAndStops(t *testing.T) {
	failure := errors.New("failure")
	last := error(nil)
	for _, err := range Timeline(jobsAt([]float64{1, 2}, failure)) {
		last = err
	}
	if !errors.Is(last, failure) {
		t.Errorf("error %v", last)
	}
	jobs := []Job{job(0, 1, 1), job(0, 2, 1), job(9, 0, 0)}
	all := happenings(t, jobs)
	for stop := range all {
		n := 0
		for range Timeline(jobsOf(jobs)) {
			if n++; n > stop {
				break
			}
		}
	}
}

// A job that goes back in time is an error, after which nothing follows, behind a job
// without a submission time too.
func TestTimelineOrder(t *testing.T) {
	var last error
	submitted := 0
	for e, err := range Timeline(jobsAt([]float64{1, 2, math.NaN(), 1.5, 3}, nil)) {
		if last = err; err == nil && e.Kind == Submit {
			submitted++
		}
	}
	if !errors.Is(last, ErrOrder) || submitted != 2 {
		t.Errorf("%d submitted, error %v, want 2 and ErrOrder", submitted, last)
	}
}
