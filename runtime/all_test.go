package runtime

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/workload"
)

// TestAnswersDoNotMatterToAny: whatever the run times of a job and of those
// that have not ended when it is submitted, no predictor says otherwise.
func TestAnswersDoNotMatterToAny(t *testing.T) {
	entries := everything(t)
	rapid.Check(t, func(rt *rapid.T) {
		jobs := drawRequested(rt)
		i := rapid.IntRange(0, len(jobs)-1).Draw(rt, "i")
		want := predictions(t, jobs, entries...)[jobs[i].ID]
		other := slices.Clone(jobs)
		for k := range other {
			if k == i || end(jobs[k]) > jobs[i].Submit {
				other[k].Run += float64(rapid.IntRange(1, 1000).Draw(rt, "more"))
			}
		}
		if got := predictions(t, other, entries...)[jobs[i].ID]; !same(got, want) {
			rt.Fatalf("job %d: %v became %v", jobs[i].ID, want, got)
		}
	})
}

// TestAnyReplayLikePredictor: every predictor says in a replay what it says
// when it is plugged in from outside.
func TestAnyReplayLikePredictor(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		jobs := drawRequested(rt)
		entries, err := Entries(workload.Grouping{}, []string{"user", "user+size"}, PredictorNames(), nil)
		if err != nil {
			t.Fatal(err)
		}
		plugged := slices.Clone(entries)
		for i, e := range plugged {
			if plugged[i].Own, err = New(e.Predictor, e.Classes); err != nil {
				t.Fatal(err)
			}
		}
		for id, row := range predictions(t, jobs, append(entries, plugged...)...) {
			if !same(row[:len(entries)], row[len(entries):]) {
				rt.Fatalf("job %d: %v by groups, %v plugged in", id, row[:len(entries)], row[len(entries):])
			}
		}
	})
}

// TestTiesBetweenClassesOfAny: jobs of different classes that end at one time
// may do so in any order, but for the models that learn from all classes.
func TestTiesBetweenClassesOfAny(t *testing.T) {
	names := slices.DeleteFunc(PredictorNames(), func(name string) bool { return name == KernelName })
	entries, err := Entries(workload.Grouping{}, []string{"user"}, names, nil)
	if err != nil {
		t.Fatal(err)
	}
	// Three users' jobs are submitted and end together, again and again.
	log := func(order []int64) (jobs []workload.Job) {
		for step := range 80 {
			for _, user := range order {
				j := job(int64(len(jobs)), float64(100*step), 0, float64(50+7*user+int64(step%5)), user, 1)
				j.ID = int64(10*step) + user
				j.Run = 60
				j.Size = user + int64(step%3)
				j.Time = float64(60 + 10*(step%4))
				jobs = append(jobs, j)
			}
		}
		return jobs
	}
	want := predictions(t, log([]int64{1, 2, 3}), entries...)
	for _, order := range [][]int64{{3, 2, 1}, {2, 3, 1}} {
		for id, row := range predictions(t, log(order), entries...) {
			if !same(row, want[id]) {
				t.Fatalf("job %d: %v became %v", id, want[id], row)
			}
		}
	}
}
