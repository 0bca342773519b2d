package sessions

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// job is a job of a hand-made log. Its number is its row + 1.
func job(row, user int64, submit, wait, run float64) workload.Job {
	j := workload.UnknownJob()
	j.ID, j.Row, j.User, j.Submit, j.Wait, j.Run = row+1, row, user, submit, wait, run
	return j
}

// twoUsers is a log of users 7 and 9, in order of submission. Each line tells
// the end of the job.
func twoUsers() []workload.Job {
	return []workload.Job{
		job(0, 7, 0, 10, 90),       // ends at 100
		job(1, 9, 5, 0, 20000),     // ends at 20,005
		job(2, 7, 50, 0, 500),      // job 1 has not ended: the same batch; ends at 550
		job(3, 7, 200, 0, 100),     // job 3 (its last) has not ended, job 1 has: same batch, after job 1; ends at 300
		job(4, 7, 600, 0, 4000),    // its last job has ended: the next batch, after job 3; ends at 4,600
		job(5, 7, 5000, 0, 10),     // 4,400 s after its last submission, 400 s after an end: the same session; ends at 5,010
		job(6, 7, 8600, 0, 10),     // 3,600 s after its last submission: the same session; ends at 8,610
		job(7, 9, 10000, 0, 10),    // nothing of user 9 has ended, and 9,995 s have passed: another session
		job(8, 7, 12201, 0, 10),    // 3,601 s after the last submission, 3,591 s after the last end: another session
		job(9, 9, 20000, 0, 10),    // after job 8, which ended at 10,010; think time cut to 1,200 s
		job(10, 9, 20005, 1, 1),    // job 2 ends at this instant: after it, and job 10 has not ended
		job(11, 9, 20006, 1, 1000), // nothing newer has ended
	}
}

func TestPlaces(t *testing.T) {
	none := workload.Unknown
	nan := math.NaN()
	want := []Place{
		{0, 0, nan, none, none, nan},
		{0, 0, nan, none, none, nan},
		{0, 0, 50, none, none, nan},
		{0, 0, 150, 0, 1, 100},
		{0, 1, 400, 2, 3, 50},
		{0, 2, 4400, 4, 5, 400},
		{0, 3, 3600, 5, 6, 1200},
		{1, 0, 9995, none, none, nan},
		{1, 0, 3601, 6, 7, 1200},
		{2, 0, 10000, 7, 8, 1200},
		{2, 0, 5, 1, 2, 0},
		{2, 0, 1, 1, 2, 1},
	}
	tracker := NewTracker()
	for i, j := range twoUsers() {
		if got := tracker.Add(&j); !samePlace(got, want[i]) {
			t.Errorf("job %d: %+v, want %+v", j.ID, got, want[i])
		}
	}
}

func samePlace(a, b Place) bool {
	return a.Session == b.Session && a.Batch == b.Batch && same(a.Gap, b.Gap) &&
		a.Preceding == b.Preceding && a.PrecedingID == b.PrecedingID && same(a.Think, b.Think)
}

func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// The preceding job is looked for among the user's last 50 jobs: of 51 that are submitted each
// second the first ends at once, which the next knows, and none after them.
func TestHistory(t *testing.T) {
	tracker := NewTracker()
	for i := range int64(52) {
		j := job(i, 1, float64(i), 0, 500)
		if i == 0 {
			j.Run = 0
		}
		want := workload.Unknown
		if i > 0 && i < 51 {
			want = 1
		}
		if got := tracker.Add(&j).PrecedingID; got != want {
			t.Errorf("job %d: preceding job %d, want %d", j.ID, got, want)
		}
	}
}

func TestDependencies(t *testing.T) {
	jobs := twoUsers()
	jobs[2].Preceding, jobs[2].Think = 1, 7 // to be replaced: job 1 had not ended
	jobs[4].Wait = math.NaN()               // job 5 ends nobody knows when: job 6 waited for job 3
	jobs = append(jobs, job(12, workload.Unknown, 30000, 0, 1))
	jobs = append(jobs, job(13, 7, math.NaN(), 0, 1))
	jobs = append(jobs, job(14, 7, 40000, 0, 1))
	jobs[14].ID = workload.Unknown
	jobs = append(jobs, job(15, 7, 40010, 0, 1)) // it waited for a job without a number
	var w workload.Warnings
	var preceding []int64
	for j, err := range Dependencies(seq(jobs, nil), &w) {
		if err != nil {
			t.Fatal(err)
		}
		preceding = append(preceding, j.Preceding)
		if (j.Preceding == workload.Unknown) != math.IsNaN(j.Think) {
			t.Errorf("job %d: preceding job %d and think time %g", j.ID, j.Preceding, j.Think)
		}
	}
	none := workload.Unknown
	if want := []int64{none, none, none, 1, 3, 3, 6, none, 7, 8, 2, 2, none, none, 9, none}; !slices.Equal(preceding, want) {
		t.Errorf("preceding jobs %v, want %v", preceding, want)
	}
	counts := map[string]int64{}
	for _, x := range w.List() {
		counts[x.Rule] = x.Count
	}
	for rule, n := range map[string]int64{"no-user": 1, "no-submit-time": 1, "no-end": 1, "no-job-id": 1, "dependency-replaced": 1} {
		if counts[rule] != n {
			t.Errorf("%s: counted %d, want %d", rule, counts[rule], n)
		}
	}
}

func TestDependenciesFaults(t *testing.T) {
	fault := errors.New("broken")
	n := 0
	for _, err := range Dependencies(seq(twoUsers()[:2], fault), nil) {
		if n++; n == 3 && !errors.Is(err, fault) || n > 3 {
			t.Errorf("item %d: %v, want the fault, once, after 2 jobs", n, err)
		}
	}
}

// Whatever the values, a place is told and nothing panics.
func TestOddValues(t *testing.T) {
	odd := []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 0, 1e308}
	tracker := NewTracker()
	row := int64(0)
	for _, submit := range odd {
		for _, wait := range odd {
			for _, run := range odd {
				j := job(row, row%3, submit, wait, run)
				p := tracker.Add(&j)
				if p.Preceding != workload.Unknown && !(p.Think >= 0 && p.Think <= 1200) {
					t.Errorf("job submitted at %g, wait %g, run %g: think time %g", submit, wait, run, p.Think)
				}
				row++
			}
		}
	}
}

func seq(jobs []workload.Job, fault error) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		for _, j := range jobs {
			if !yield(j, nil) {
				return
			}
		}
		if fault != nil {
			yield(workload.Job{}, fault)
		}
	}
}

// Two jobs of 3 and 2 processors end at 10 and 20 s: at 4 s they have 18 and 32 processor seconds
// left, at 10 s the second 20.
func TestUnderWay(t *testing.T) {
	var u UnderWay
	if got := u.Work(-5); got != 0 || !math.IsInf(u.NextEnd(), 1) {
		t.Errorf("without jobs: %g, next end %g", got, u.NextEnd())
	}
	u.Add(2, 20)
	u.Add(3, 10)
	for _, c := range []struct{ at, work, next float64 }{{4, 50, 10}, {10, 20, 20}, {20, 0, math.Inf(1)}} {
		if got := u.Work(c.at); got != c.work || u.NextEnd() != c.next {
			t.Errorf("at %g s: %g, next end %g, want %g and %g", c.at, got, u.NextEnd(), c.work, c.next)
		}
	}
}
