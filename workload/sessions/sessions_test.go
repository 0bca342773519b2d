package sessions

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// job returns a job of a log made by hand. Its number is its row + 1.
func job(row, user int64, submit, wait, run float64) workload.Job {
	j := workload.UnknownJob()
	j.ID, j.Row, j.User, j.Submit, j.Wait, j.Run = row+1, row, user, submit, wait, run
	return j
}

// logged parses a log made by hand, with the user, submission, wait and run time of a job in each
// line.
func logged(table string) (jobs []workload.Job) {
	for i, line := range strings.Split(table, "\n") {
		j := job(int64(i), 0, 0, 0, 0)
		fmt.Sscan(line, &j.User, &j.Submit, &j.Wait, &j.Run)
		jobs = append(jobs, j)
	}
	return jobs
}

// twoUsers is a log of users 7 and 9, in order of submission. Each line has a job, its Place (a
// dash stands for no job) and the reason.
const twoUsers = `7 0 10 90 | {0 0 NaN - - NaN} | ends at 100
9 5 0 20000 | {0 0 NaN - - NaN} | ends at 20,005
7 50 0 500 | {0 0 50 - - NaN} | job 1 has not ended: the same batch; ends at 550
7 200 0 100 | {0 0 150 0 1 100} | job 3 (its last) has not ended, job 1 has: same batch, after job 1; ends at 300
7 600 0 4000 | {0 1 400 2 3 50} | its last job has ended: the next batch, after job 3; ends at 4,600
7 5000 0 10 | {0 2 4400 4 5 400} | 4,400 s after its last submission, 400 s after an end: the same session; ends at 5,010
7 8600 0 10 | {0 3 3600 5 6 1200} | 3,600 s after its last submission: the same session; ends at 8,610
9 10000 0 10 | {1 0 9995 - - NaN} | nothing of user 9 has ended, and 9,995 s have passed: another session
7 12201 0 10 | {1 0 3601 6 7 1200} | 3,601 s after the last submission, 3,591 s after the last end: another session
9 20000 0 10 | {2 0 10000 7 8 1200} | after job 8, which ended at 10,010; think time cut to 1,200 s
9 20005 1 1 | {2 0 5 1 2 0} | job 2 ends at this instant: after it, and job 10 has not ended
9 20006 1 1000 | {2 0 1 1 2 1} | nothing newer has ended`

func TestPlaces(t *testing.T) {
	tracker := NewTracker()
	jobs := logged(twoUsers)
	for i, line := range strings.Split(twoUsers, "\n") {
		got := strings.ReplaceAll(fmt.Sprint(tracker.Add(&jobs[i])), fmt.Sprint(workload.Unknown), "-")
		if want := strings.Split(line, " | ")[1]; got != want {
			t.Errorf("job %d: %s, want %s", i+1, got, want)
		}
	}
}

// The preceding job is searched for among the user's last 50 jobs. Of 52 jobs submitted a second
// apart only the first ends at once: it precedes each of the next 50, and the last has no preceding
// job.
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
	jobs := logged(twoUsers + "\n7 30000 0 1\n7 NaN 0 1\n7 40000 0 1\n7 40010 0 1") // the last waited for a job without a number
	jobs[2].Preceding, jobs[2].Think = 1, 7                                         // to be replaced: job 1 had not ended
	jobs[4].Wait = math.NaN()                                                       // the end of job 5 is unknown: job 6 waited for job 3
	jobs[12].User, jobs[14].ID = workload.Unknown, workload.Unknown
	var w workload.Warnings
	var preceding []int64
	for _, j := range jobtest.Collect(t, Dependencies(seq(jobs, nil), &w)) {
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
	for _, rule := range strings.Fields("no-user no-submit-time no-end no-job-id dependency-replaced") {
		if counts[rule] != 1 {
			t.Errorf("%s: counted %d, want 1", rule, counts[rule])
		}
	}
}

func TestFaults(t *testing.T) {
	fault := errors.New("broken")
	jobs := seq(logged(twoUsers)[:2], fault)
	for name, made := range map[string]workload.JobSeq{"dependencies": Dependencies(jobs, nil), "linked": Linked(jobs, nil, new(Links))} {
		n := 0
		for _, err := range made {
			if n++; (n == 3) != errors.Is(err, fault) || n > 3 {
				t.Errorf("%s, item %d: %v, want the fault, once, after 2 jobs", name, n, err)
			}
		}
		for range made {
			break // no panic
		}
	}
}

// Whatever the values, every job gets a place and nothing panics.
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
// left, and at 10 s the second has 20.
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

// Jobs of 1 and 3 processors that end at 100 and 200 s count as one job of 4 processors that ends
// at 175 s. Until the bag is complete, the work under way excludes them.
func TestBag(t *testing.T) {
	var u UnderWay
	var b Bag
	b.Add(1, 100)
	b.Add(3, 200)
	if got := u.Work(0); got != 0 {
		t.Errorf("before the bag is finished: %g", got)
	}
	b.Finish(&u)
	b.Finish(&u)
	if got := u.Work(75); got != 400 || u.NextEnd() != 175 {
		t.Errorf("at 75 s: %g, next end %g, want 400 and 175", got, u.NextEnd())
	}
}
