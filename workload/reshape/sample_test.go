package reshape

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// numbered are n jobs with numbers from 0 on, of users in turn.
func numbered(n, users int) (jobs []workload.Job) {
	for i := range n {
		j := workload.UnknownJob()
		j.ID, j.User, j.Submit, j.Run, j.Processors, j.Size = int64(i), int64(i%users), float64(10*i), 60, 1, 1
		jobs = append(jobs, j)
	}
	return jobs
}

func jobIDs(jobs []workload.Job) (out []int64) {
	for _, j := range jobs {
		out = append(out, j.ID)
	}
	return out
}

func TestSampleFraction(t *testing.T) {
	const n = 100000
	jobs := numbered(n, 7)
	z := readReference(t).Normal
	for _, p := range []float64{0.01, 0.3, 0.9} {
		got := jobtest.Collect(t, SampleFraction(seqFrom(jobs), p, seeded(1)))
		// The binomial's own bounds at a false-alarm rate of 1e-7.
		if off := float64(len(got)) - n*p; math.Abs(off) > z*math.Sqrt(n*p*(1-p))+1 {
			t.Errorf("fraction %g: %d of %d jobs", p, len(got), n)
		}
		if !slices.IsSorted(jobIDs(got)) {
			t.Errorf("fraction %g: out of order", p)
		}
		for _, j := range got {
			if !same(j, jobs[j.ID]) {
				t.Fatalf("got %+v, want %+v", j, jobs[j.ID])
			}
		}
		if again := jobtest.Collect(t, SampleFraction(seqFrom(jobs), p, seeded(1))); !slices.Equal(jobIDs(got), jobIDs(again)) {
			t.Errorf("fraction %g: the same seed gives another sample", p)
		}
		if other := jobtest.Collect(t, SampleFraction(seqFrom(jobs), p, seeded(2))); slices.Equal(jobIDs(got), jobIDs(other)) {
			t.Errorf("fraction %g: another seed gives the same sample", p)
		}
	}
	if got := jobtest.Collect(t, SampleFraction(seqFrom(jobs), 1, seeded(1))); len(got) != n {
		t.Errorf("fraction 1: %d of %d jobs", len(got), n)
	}
	if err := failing(SampleFraction(seqFrom(jobs[:2]), 1e-12, seeded(1))); !errors.Is(err, workload.ErrNoJobs) {
		t.Errorf("no job drawn: got %v", err)
	}
}

// Each of the six pairs out of four jobs is as likely as the others.
func TestSampleJobsDrawsEveryChoiceAlike(t *testing.T) {
	const draws = 6000
	rng := seeded(5)
	counts := map[[2]int64]int{}
	for range draws {
		got := jobIDs(jobtest.Collect(t, SampleJobs(seqFrom(numbered(4, 1)), 2, 4, rng)))
		if len(got) != 2 || got[0] >= got[1] {
			t.Fatalf("got jobs %d, want two in order", got)
		}
		counts[[2]int64(got)]++
	}
	chi := 0.0
	for _, n := range counts {
		chi += math.Pow(float64(n)-draws/6, 2) / (draws / 6)
	}
	if len(counts) != 6 || chi > readReference(t).ChiSquare["5"] {
		t.Errorf("chi-square %g of %v", chi, counts)
	}
}

func TestSampleJobs(t *testing.T) {
	jobs := numbered(1000, 3)
	for _, n := range []int64{1, 2, 500, 999, 1000, 5000} {
		if got := jobtest.Collect(t, SampleJobs(seqFrom(jobs), n, 1000, seeded(3))); len(got) != int(min(n, 1000)) {
			t.Errorf("%d of 1000: got %d", n, len(got))
		}
	}
	for _, total := range []int64{999, 1001} {
		if err := failing(SampleJobs(seqFrom(jobs), 1000, total, seeded(3))); total == 1001 && err != ErrChanged {
			t.Errorf("%d jobs were counted, 1000 are there: got %v", total, err)
		}
	}
}

// byUser makes a class of each user.
func byUser(t *testing.T) *workload.Classifier {
	t.Helper()
	c, err := workload.ClassesOf([]string{"user"}, byWords)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func countClasses(t *testing.T, jobs []workload.Job) *Classes {
	c := NewClasses(byUser(t))
	for _, j := range jobs {
		c.Add(&j)
	}
	return c
}

func TestSampleClassesTakesWholeUsers(t *testing.T) {
	jobs := numbered(30000, 1000)
	jobs[0].User = workload.Unknown
	c := countClasses(t, jobs)
	if c.Unknown != 1 || len(c.Jobs) != 1000 {
		t.Fatalf("got %d unknown, %d users", c.Unknown, len(c.Jobs))
	}
	z := readReference(t).Normal
	for _, choice := range []Choice{c.ChooseFraction(0.2, seeded(1)), c.ChooseJobs(6000, seeded(1))} {
		got := jobtest.Collect(t, SampleClasses(seqFrom(jobs), choice))
		per := map[int64]int64{}
		for _, j := range got {
			per[j.User]++
		}
		for user, n := range per {
			if n != c.Jobs[workload.ClassKey{user}] {
				t.Errorf("user %d has %d jobs of %d", user, n, c.Jobs[workload.ClassKey{user}])
			}
		}
		if int64(len(got)) != choice.Jobs || len(per) != len(choice.Values) {
			t.Errorf("%d jobs of %d users, promised %d of %d", len(got), len(per), choice.Jobs, len(choice.Values))
		}
		if off := float64(len(per)) - 200; math.Abs(off) > z*math.Sqrt(1000*0.2*0.8) {
			t.Errorf("%d users, want about 200", len(per))
		}
	}
}

// Users of 10, 20 and 100 jobs, in every order.
func TestChooseJobsComesNearest(t *testing.T) {
	c := &Classes{By: byUser(t), Jobs: map[workload.ClassKey]int64{{1}: 10, {2}: 20, {3}: 100}}
	seen := map[int64]bool{}
	for seed := range uint64(60) {
		got := c.ChooseJobs(25, seeded(seed))
		seen[got.Jobs] = true
	}
	// 10 then 20 is 30, nearer to 25 than 10; 20 then 10 is 30, as near as 20;
	// 10 then 100 stays at 10, 20 then 100 at 20; 100 first is 100.
	want := map[int64]bool{30: true, 10: true, 20: true, 100: true}
	for n := range want {
		if !seen[n] {
			t.Errorf("never got %d jobs, of %v", n, seen)
		}
	}
	if len(seen) != len(want) {
		t.Errorf("got %v, want %v", seen, want)
	}
}
