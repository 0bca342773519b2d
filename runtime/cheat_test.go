package runtime

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/workload"
)

// cheat is a predictor that looks for the answer: in what it was told of the
// job before, and in every field of the request that it is asked about.
type cheat struct {
	answers map[int64]float64 // by job
	secrets map[float64]bool  // all run times of the log
	found   *[]string
}

func (c cheat) Predict(r workload.Request) (workload.Prediction, bool) {
	if run, ok := c.answers[r.ID]; ok {
		*c.found = append(*c.found, "the job was observed before it was asked about")
		return workload.Prediction{Seconds: run, Observations: 1}, true
	}
	if x, ok := c.look(reflect.ValueOf(r)); ok {
		return workload.Prediction{Seconds: x, Observations: 1}, true
	}
	return workload.Prediction{}, false
}

// look searches the fields of a struct.
func (c cheat) look(v reflect.Value) (answer float64, ok bool) {
	for i := range v.NumField() {
		f := v.Field(i)
		if asked, ok := f.Interface().(*workload.Asked); ok {
			if x, ok := c.look(reflect.ValueOf(asked.Value())); ok {
				return x, true
			}
			continue
		}
		if f.Kind() != reflect.Float64 && f.Kind() != reflect.Int64 {
			*c.found = append(*c.found, v.Type().Field(i).Name+" may lead on to the job")
			continue
		}
		x := 0.0
		if f.CanInt() {
			x = float64(f.Int())
		} else {
			x = f.Float()
		}
		if c.secrets[x] {
			*c.found = append(*c.found, v.Type().Field(i).Name+" is the run time")
			return x, true
		}
	}
	return 0, false
}

func (c cheat) Observe(j workload.Job) { c.answers[j.ID] = j.Run }

// TestCheatGetsNothing: a predictor that does all it can to see the answer has
// nothing to say, for any job of any log.
func TestCheatGetsNothing(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		jobs := drawRequested(rt)
		secrets := map[float64]bool{}
		for i := range jobs {
			jobs[i].Run += 1e6 + float64(i)/1024 // like no other number of the log
			secrets[jobs[i].Run] = true
		}
		var found []string
		rows := predictions(t, jobs, Entry{Predictor: "cheat", Own: cheat{map[int64]float64{}, secrets, &found}})
		for id, row := range rows {
			if !math.IsNaN(row[0].Seconds) {
				rt.Fatalf("job %d: the answer is %g", id, row[0].Seconds)
			}
		}
		if len(found) > 0 || len(rows) != len(jobs) {
			rt.Fatalf("%d of %d jobs: %q", len(rows), len(jobs), found)
		}
	})
}

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
			if plugged[i].Own, err = New(e.Predictor, e.Classes, nil); err != nil {
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
