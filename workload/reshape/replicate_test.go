package reshape

import (
	"math"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// A whole copy has the log's distribution over the seconds of the week, as new
// users who do what the old ones did at another time.
func TestReplicateTwofold(t *testing.T) {
	clock := clockOf(t, " UnixStartTime: 978307200", " TimeZoneString: UTC")
	jobs := cyclic(7.3, clock)
	out := scaled(t, jobs, Replicated, 2*measured(t, jobs).Offered(8), clock)
	var old, copies []workload.Job
	for _, j := range out {
		if j.ID > int64(len(jobs)) {
			copies = append(copies, j)
		} else {
			old = append(old, j)
		}
	}
	if !slices.EqualFunc(old, jobs, same) {
		t.Error("the log's own jobs are not as they were")
	}
	seconds := func(jobs []workload.Job) (s []float64) {
		for _, j := range jobs {
			s = append(s, math.Mod(j.Submit, cycleWeek))
		}
		slices.Sort(s)
		return s
	}
	if !slices.Equal(seconds(copies), seconds(jobs)) {
		t.Error("the copy has another distribution over the week")
	}
	at := map[[2]float64]bool{}
	for _, j := range jobs {
		at[[2]float64{j.Submit, float64(j.User)}] = true
	}
	users := map[int64]int{}
	for _, j := range copies {
		users[j.User]++
	}
	if len(users) != 20 {
		t.Errorf("%d new users, want 20", len(users))
	}
	a, b := measured(t, jobs), measured(t, out)
	if a.First != b.First || a.Last != b.Last || 2*a.Work != b.Work {
		t.Errorf("got %+v of %+v", b, a)
	}
	ordered := int64(len(jobs))
	for _, j := range copies {
		if ordered++; j.ID != ordered {
			t.Fatalf("copy number %d, want %d", j.ID, ordered)
		}
	}
}

// Copies of one user never stand at the user's own second, nor at one
// another's, while there are weeks left.
func TestReplicateMovesEachCopyDifferently(t *testing.T) {
	none, _ := (&workload.Header{}).Clock()
	jobs := submitted(0, 9*cycleWeek)
	jobs[0].User, jobs[1].User = 4, workload.Unknown
	for seed := range uint64(20) {
		seq, err := Replicate(seqFrom(jobs), 5, none, seeded(seed))
		if err != nil {
			t.Fatal(err)
		}
		seen := map[float64]bool{}
		for _, j := range jobtest.Collect(t, seq) {
			if j.User == workload.Unknown {
				continue
			}
			if seen[j.Submit] || math.Mod(j.Submit, cycleWeek) != 0 {
				t.Errorf("seed %d: user %d at %g", seed, j.User, j.Submit)
			}
			seen[j.Submit] = true
		}
		if len(seen) != 5 {
			t.Errorf("seed %d: %d jobs of the user and the copies, want 5", seed, len(seen))
		}
	}
}

// A log of an afternoon has no weeks to move to.
func TestReplicateWithinTheHalfHour(t *testing.T) {
	clock := clockOf(t, " UnixStartTime: 978307200", " TimeZoneString: UTC")
	jobs := submitted(100, 1700, 1900, 7000)
	jobs[2].Preceding, jobs[2].Think = 1, 60
	jobs = append(jobs, submitted(math.NaN())...)
	jobs[4].ID = 4
	seq, err := Replicate(seqFrom(jobs), 3, clock, seeded(2))
	if err != nil {
		t.Fatal(err)
	}
	out := jobtest.Collect(t, seq)
	counts := map[float64]int{}
	for _, j := range out[:12] {
		counts[math.Floor(j.Submit/cycleSlot)]++
		if j.Submit < 100 || j.Submit > 7000 || j.Submit != math.Trunc(j.Submit) {
			t.Errorf("job %d at %g", j.ID, j.Submit)
		}
		if j.ID > 4 && (j.Preceding != workload.Unknown || !math.IsNaN(j.Think)) {
			t.Errorf("copy %d has a preceding job", j.ID)
		}
	}
	if len(out) != 13 || counts[0] != 6 || counts[1] != 3 || counts[3] != 3 || !same(out[12], jobs[4]) {
		t.Errorf("got %d jobs, by half hour %v, last %+v", len(out), counts, out[len(out)-1])
	}
}
