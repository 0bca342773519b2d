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
