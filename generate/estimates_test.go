package generate

import (
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// twoEstimates describes a log with two estimates, 100 s and 1000 s.
func twoEstimates() *model.LogEstimates {
	return &model.LogEstimates{Bins: []model.LogEstimate{
		{Time: 100, Accuracy: [model.AccuracyCells]int64{10: 10, 15: 5, 29: 5}},
		{Time: 1000, Accuracy: [model.AccuracyCells]int64{10: 40, 20: 40}},
	}}
}

// asked holds the run times and requested times of jobs, and the rest of the log as text.
type asked struct {
	runs, requested []float64
	rest            string
	cut             int64
}

func jobsAsked(t testing.TB, w *Workload) (a asked) {
	t.Helper()
	var made Made
	rest := sha256.New()
	for j, err := range workload.Jobs(w.Counted(&made)) {
		if err != nil {
			t.Fatal(err)
		}
		a.runs, a.requested = append(a.runs, j.Run), append(a.requested, j.Time)
		fmt.Fprintln(rest, j.ID, j.Submit, j.Size, j.User, j.Queue, j.Think)
	}
	a.rest, a.cut = fmt.Sprintf("%x", rest.Sum(nil)), made.Cut
	return a
}

func withEstimates(t testing.TB, name string, e model.Estimates) model.Site {
	s := site(t, name)
	s.Classes = slices.Clone(s.Classes)
	for i := range s.Classes {
		s.Classes[i].Estimates = e
	}
	return s
}

// Estimates change only the requested times, and run times above the largest of Tsafrir's
// estimates. They do not depend on the number of cores, and are never below the run time.
func TestWorkloadEstimates(t *testing.T) {
	const n = workload.DefaultBatchRows + 99
	log := twoEstimates()
	for name, tt := range map[string]struct {
		model string
		e     model.Estimates
		o     Options
		most  float64
	}{
		"tsafrir": {model.Lublin1999Untyped, nil, Options{Estimates: EstimatesTsafrir, MaxEstimate: 64800}, 64800},
		"classes": {model.Lublin1999, &model.TsafrirEstimates{Max: 86400}, Options{}, 86400},
		"days":    {model.Lublin1999Untyped, nil, Options{Days: 30, Estimates: EstimatesTsafrir, MaxEstimate: 64800}, 64800},
		"log":     {model.Lublin1999, log, Options{}, math.Inf(1)},
	} {
		s := withEstimates(t, tt.model, tt.e)
		tt.o.Seed, tt.o.Workers = 3, 2
		if tt.o.Days == 0 {
			tt.o.Jobs = n
		}
		w := build(t, s, tt.o)
		if h := w.Header.Get("MaxRuntime"); tt.most == 64800 && h != "64800" {
			t.Errorf("%s: MaxRuntime %s", name, h)
		}
		got := jobsAsked(t, w)
		one := tt.o
		one.Workers = 1
		if other := jobsAsked(t, build(t, s, one)); !slices.Equal(got.requested, other.requested) || !slices.Equal(got.runs, other.runs) || got.cut != other.cut {
			t.Errorf("%s: one worker gives other jobs", name)
		}
		one.Estimates, one.MaxEstimate = EstimatesNone, 0
		none := jobsAsked(t, build(t, s, one))
		if got.rest != none.rest {
			t.Errorf("%s: estimates change more than requested times", name)
		}
		cut := int64(0)
		top := 1000.0 // the largest estimate of the log
		for i, r := range got.requested {
			want := got.runs[i]
			if tt.e == log {
				want = min(want, top)
			}
			if !(r >= want) {
				t.Fatalf("%s: job %d runs %g s and asked for %g", name, i+1, got.runs[i], r)
			}
			if r > tt.most || got.runs[i] > tt.most {
				t.Fatalf("%s: job %d asked for %g s, ran %g", name, i+1, r, got.runs[i])
			}
			if !math.IsNaN(none.requested[i]) {
				t.Fatalf("%s: estimates none, and %g s", name, none.requested[i])
			}
			if got.runs[i] != min(none.runs[i], tt.most) {
				t.Fatalf("%s: job %d runs %g s, without estimates %g", name, i+1, got.runs[i], none.runs[i])
			}
			if none.runs[i] > tt.most {
				cut++
			}
		}
		if cut != got.cut {
			t.Errorf("%s: %d run times cut, %d said", name, cut, got.cut)
		}
		if !math.IsInf(tt.most, 1) && got.cut == 0 {
			t.Errorf("%s: no run time is cut: the rule is not tested", name)
		}
	}
}
