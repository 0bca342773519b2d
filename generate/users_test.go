package generate

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// With users the jobs have the exact laws of sizes and run times that they
// have without, jointly: the checks are those of the authors' program.
func TestUsersKeepTheLaws(t *testing.T) {
	const n, count = 60_000, 40
	ref := readReference(t)
	w := prepare(t, model.Lublin1999Batch, Options{Jobs: n, Seed: 4, Users: count})
	checkMoments(t, "batch", collect(t, w), ref["batch"], 0)

	harmonic := 0.0
	for k := 1; k <= count; k++ {
		harmonic += 1 / float64(k)
	}
	var law []float64
	law = append(law, 0)
	for k := 1; k <= count; k++ {
		law = append(law, 1/float64(k)/harmonic)
	}
	counts := map[int64]int{}
	type cell struct{ user, application int64 }
	of := map[int64]int64{}
	last := map[cell]float64{}
	var near, far []float64 // differences of ln run times of jobs that follow each other
	previous := math.NaN()
	for j, err := range w.Jobs() {
		if err != nil {
			t.Fatal(err)
		}
		counts[j.User]++
		if user, seen := of[j.Application]; seen && user != j.User {
			t.Fatalf("application %d of users %d and %d", j.Application, user, j.User)
		}
		of[j.Application] = j.User
		ln := math.Log(j.Run)
		if before, seen := last[cell{j.User, j.Application}]; seen {
			near = append(near, math.Abs(ln-before))
			far = append(far, math.Abs(ln-previous))
		}
		last[cell{j.User, j.Application}], previous = ln, ln
	}
	checkCounts(t, "users", counts, law, n)
	if len(of) > count*userApplications || len(of) < count {
		t.Errorf("%d applications", len(of))
	}
	alike, _ := meanAndSD(near)
	unlike, _ := meanAndSD(far)
	if !(alike < unlike/2) {
		t.Errorf("ln run times of one application of one user differ by %.2f, others by %.2f: want less than half", alike, unlike)
	}
}

// The pieces of every size cover the quantiles of its run times once, and all
// pieces those of the sizes, with the sizes' shares.
func TestHabitsCoverAll(t *testing.T) {
	w := prepare(t, model.Lublin1999, Options{Jobs: 1, Seed: 2, Users: 30})
	for i, c := range w.Site.Classes {
		h := w.classes[i].habits
		shares, runs, cells := map[int64]float64{}, map[int64]float64{}, map[int32]float64{}
		at := 0.0
		for _, p := range h.pieces {
			shares[p.size] += p.end - at
			cells[p.cell] += p.end - at
			runs[p.size] += p.to - p.from
			at = p.end
		}
		if at != 1 {
			t.Errorf("%s: pieces up to %g", c.Name, at)
		}
		for size := int64(1); size <= w.Site.Processors; size++ {
			want := c.Sizes.Probability(size, w.Site.Processors)
			if math.Abs(shares[size]-want) > 1e-12 {
				t.Errorf("%s: share of size %d is %g, want %g", c.Name, size, shares[size], want)
			}
			if want > 1e-9 && math.Abs(runs[size]-1) > 1e-9 {
				t.Errorf("%s: run times of size %d cover %g of their distribution", c.Name, size, runs[size])
			}
		}
		for cell, got := range cells {
			if want := w.users.share(int(cell)); math.Abs(got-want) > 1e-12 {
				t.Errorf("%s: user and application %d have %g, want %g", c.Name, cell, got, want)
			}
		}
	}
}

// Sessions: what follows a job is its user's and its application's, after its
// end; half of the jobs follow another, and the mean rate stays.
func TestSessions(t *testing.T) {
	const n = 30_000
	s := completedFeitelson(t) // one class; Poisson, 300 s
	w := build(t, s, Options{Jobs: n, Seed: 6, Users: 25, Sessions: true})
	var all []workload.Job
	follow := 0
	var think []float64
	for j, err := range w.Jobs() {
		if err != nil {
			t.Fatal(err)
		}
		if j.Preceding != workload.Unknown {
			follow++
			before := all[j.Preceding-1]
			if before.User != j.User || before.Application != j.Application || j.Submit != before.Submit+before.Run+j.Think || j.Think < 0 {
				t.Fatalf("job %d, submitted at %g after a think time of %g, follows %+v", j.ID, j.Submit, j.Think, before)
			}
			think = append(think, j.Think)
		} else if !math.IsNaN(j.Think) {
			t.Fatalf("job %d has a think time and no job before it", j.ID)
		}
		if len(all) > 0 && j.Submit < all[len(all)-1].Submit {
			t.Fatalf("job %d is submitted before the one above it", j.ID)
		}
		all = append(all, j)
	}
	// The few at the end whose followers are not made matter by less than the
	// error allowed.
	checkShare(t, "jobs that follow one", follow, n, sessionAgain)
	mean, sd := meanAndSD(think)
	// An exponential law cut at 48 means loses nothing that shows; whole
	// seconds take half a second off.
	checkMean(t, "think time", mean+0.5, sessionThink, sd, len(think))
	// Sessions come every 600 s, by a Poisson process, with a geometric number
	// of jobs: index of dispersion (variance + mean^2)/mean = (2 + 4)/2.
	allowed := sigmas()*300*math.Sqrt(3*n) + secondsPerDay
	if last := all[n-1].Submit; math.Abs(last-n*300) > allowed {
		t.Errorf("%d jobs take %g s, want %d within %g", n, last, n*300, allowed)
	}
}
