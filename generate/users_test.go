package generate

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/model"
)

// withUsers returns the model with its jobs submitted by count users.
func withUsers(s model.Site, count int64) model.Site {
	s.Users = &model.Users{Count: count}
	return s
}

// With users, the jobs have the same joint laws of sizes and run times as without: the checks are
// those of the authors' program.
func TestUsersKeepTheLaws(t *testing.T) {
	const n, count = 60_000, 40
	ref := readReference(t)
	w := build(t, withUsers(site(t, model.Lublin1999Batch), count), Options{Jobs: n, Seed: 4})
	checkExact(t, "batch", collect(t, w), ref["batch"].At[0])

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
	var near, far []float64 // differences of ln run times of consecutive jobs
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
	longtest.CheckCounts(t, "users", counts, law, n, falseAlarm)
	if len(of) > count*model.Applications || len(of) < count {
		t.Errorf("%d applications", len(of))
	}
	alike, _ := meanAndSD(near)
	unlike, _ := meanAndSD(far)
	if !(alike < unlike/2) {
		t.Errorf("ln run times of one application of one user differ by %.2f, others by %.2f: want less than half", alike, unlike)
	}
}
