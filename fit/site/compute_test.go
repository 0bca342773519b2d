package site

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// logOf returns a log of n jobs, after calling each for every job.
func logOf(t *testing.T, n int, each func(int, *workload.Job)) *workload.Log {
	t.Helper()
	var b strings.Builder
	b.WriteString("; MaxProcs: 16\n")
	for j := range fittest.Jobs(n, each) {
		fmt.Fprintf(&b, "%d %.0f 0 %.0f %d -1 -1 %d -1 -1 1 1 1 1 1 -1 -1 -1\n", j.ID+1, j.Submit, j.Run, j.Size, j.Size)
	}
	log := jobtest.Must(logfile.OpenReader("some/kth.swf", strings.NewReader(b.String()), workload.Options{}))
	t.Cleanup(func() { log.Close() })
	return log
}

func TestOptionsNameTheirFault(t *testing.T) {
	for option, o := range map[string]Options{
		"attribute":       {Attributes: []fit.Attribute{"colour"}},
		"by":              {By: "colour"},
		"least-jobs":      {LeastJobs: 1},
		"site-replicates": {SiteReplicates: 38},
		"p-form":          {PForm: "logit"},
		"censored":        {Families: []string{"uniform-log"}, Fit: fit.Options{Censored: true}},
	} {
		var fault *workload.OptionError
		if err := o.Validate(); !errors.As(err, &fault) || fault.Option != option {
			t.Errorf("%s: error %v", option, err)
		}
	}
}

// The result lists what the log does not determine, together with everything that it does.
func TestComputeGoesOnWithoutAModel(t *testing.T) {
	r, err := Compute(context.Background(), logOf(t, 300, func(i int, j *workload.Job) {
		fittest.Plain(i, j)
		j.Size = -1
	}), Options{Families: []string{"gamma"}, Model: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Fits) != 1 || r.Site != nil || r.WhyNoModel == nil || !math.IsNaN(r.OfferedLoad()) {
		t.Errorf("%d fits, site %v, %v", len(r.Fits), r.Site, r.WhyNoModel)
	}
	if !slices.ContainsFunc(r.Warnings, func(w workload.Warning) bool { return w.Rule == "no-model" }) {
		t.Errorf("no warning: %v", r.Warnings)
	}
	_, err = Compute(context.Background(), logOf(t, 300, func(i int, j *workload.Job) {
		fittest.Plain(i, j)
		j.Run = -1
	}), Options{Model: true})
	if !errors.Is(err, ErrNothing) || !strings.HasPrefix(err.Error(), "some/kth.swf: nothing could be fitted") {
		t.Errorf("no run time: %v", err)
	}
	_, err = Compute(context.Background(), logOf(t, 0, nil), Options{})
	if !errors.Is(err, workload.ErrNoJobs) {
		t.Errorf("no job: %v", err)
	}
}

func TestComputeModel(t *testing.T) {
	r, err := Compute(context.Background(), logOf(t, 500, fittest.Plain), Options{Families: []string{"gamma", "hyper-gamma"}, Model: true})
	if err != nil {
		t.Fatal(err)
	}
	if r.Model.Name != "kth" || r.Model.Source != "fitted by loadstone to kth.swf" || r.Log.Jobs != 500 || r.Log.Name != "some/kth.swf" {
		t.Errorf("%+v, %+v", r.Model, r.Log)
	}
	for _, f := range r.Fits {
		if f.InModel != (f.Family == "hyper-gamma") {
			t.Errorf("%s: in the model %t", f.Family, f.InModel)
		}
	}
	text, err := json.Marshal(r)
	if err != nil || !strings.HasPrefix(string(text), `{"schema":"loadstone.fit/1","log":{"name":"some/kth.swf","jobs":500},"fits":[{"attribute":"run_time"`) {
		t.Errorf("%.120s, %v", text, err)
	}
}

// Each family has the requested number of replicates, and progress is reported for each.
func TestWorkOfLaws(t *testing.T) {
	var done atomic.Int64
	size := 0
	_, err := Compute(t.Context(), logOf(t, 100, fittest.Plain), Options{Families: []string{"exponential", "uniform-log"}, Fit: fit.Options{Replicates: 39}, Work: func(_, _ string, n int) (one, end func()) {
		size += n
		return func() { done.Add(1) }, func() {}
	}})
	if err != nil || size != 78 || done.Load() != 78 {
		t.Errorf("%d of %d replicates done, want 78: %v", done.Load(), size, err)
	}
}

// The load is the work of all jobs over the capacity of the machine between the first and the
// last submission, which jobs out of order do not shorten.
func TestOfferedLoadByHand(t *testing.T) {
	var work, first, last float64
	log := logOf(t, 500, func(i int, j *workload.Job) {
		fittest.Plain(i, j)
		if i == 499 { // between the others
			j.Submit /= 2
		}
		submit := math.Round(j.Submit)
		if i == 0 {
			first, last = submit, submit
		}
		work += math.Round(j.Run) * float64(j.Size)
		first, last = min(first, submit), max(last, submit)
	})
	r, err := Compute(context.Background(), log, Options{Families: []string{"hyper-gamma"}, Model: true})
	if err != nil {
		t.Fatal(err)
	}
	fittest.Relative(t, "load", r.OfferedLoad(), work/(16*(last-first)), 1e-12)
	r.Classes = nil
	if x := r.OfferedLoad(); !math.IsNaN(x) {
		t.Errorf("in zero time: %g", x)
	}
}

// If several families have no law for the same reason, there is one warning, with their names.
func TestWarningsOfLaws(t *testing.T) {
	r, err := Compute(context.Background(), logOf(t, 400, func(i int, j *workload.Job) {
		fittest.Plain(i, j)
		j.Run = 7
	}), Options{Families: []string{"gamma", "exponential", "weibull"}})
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, w := range r.Warnings {
		if w.Rule == "not-determined" {
			texts = append(texts, w.Text)
		}
	}
	if len(texts) != 1 || !strings.HasPrefix(texts[0], "gamma, weibull of ") {
		t.Errorf("%v, want one that begins with gamma, weibull", texts)
	}
}
