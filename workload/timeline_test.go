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

// happening is an event without the timeline's internal fields.
type happening struct {
	Time float64
	Kind EventKind
	Row  int64
}

// happenings returns the events of jobs. It checks their slots: a job keeps its slot, no two jobs
// under way share one, and none is higher than the maximum number of jobs under way.
func happenings(t interface{ Fatal(...any) }, jobs []Job) (hs []happening) {
	slots, most := map[int]int64{}, 0
	for e, err := range Timeline(jobsOf(jobs)) {
		if err != nil {
			t.Fatal(err)
		}
		if _, used := slots[e.Slot]; e.Kind == Submit && !used {
			slots[e.Slot] = e.Job.Row
		}
		if most = max(most, len(slots)); slots[e.Slot] != e.Job.Row || e.Slot >= most {
			t.Fatal("slot", e.Slot, "of row", e.Job.Row, "among", slots)
		}
		if e.Kind == Finish || !(e.Job.Run >= 0) && (e.Kind == Start || !(e.Job.Wait >= 0)) {
			delete(slots, e.Slot)
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

// bruteForce replays the jobs' events instant by instant: at each, all finishes that are due, by
// row; then one submission, in the log's order; then, if no submission is left, one start. It
// examines all jobs each time and keeps no queue.
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

// A job that goes back in time is an error, after which nothing follows, even after a job without a
// submission time.
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
