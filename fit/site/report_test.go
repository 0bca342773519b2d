package site

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// fieldsOf lists the paths of a JSON value's fields; an array's elements count
// as one, and so does a single fit, whose form is Report's.
func fieldsOf(path string, v any, into map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		if _, ok := v["log_likelihood"]; ok && v["family"] != nil {
			into[path+".(fit)"] = true
			return
		}
		for name, inner := range v {
			fieldsOf(strings.TrimPrefix(path+"."+name, "."), inner, into)
		}
	case []any:
		for _, inner := range v {
			fieldsOf(path+"[]", inner, into)
		}
		if len(v) == 0 {
			into[path+"[]"] = true
		}
	default:
		into[path] = true
	}
}

// nullsOf lists the paths of a JSON value's nulls.
func nullsOf(path string, v any, into map[string]bool) {
	switch v := v.(type) {
	case nil:
		into[path] = true
	case map[string]any:
		for name, inner := range v {
			nullsOf(strings.TrimPrefix(path+"."+name, "."), inner, into)
		}
	case []any:
		for _, inner := range v {
			nullsOf(path+"[]", inner, into)
		}
	}
}

// at takes a value out of decoded JSON.
func at(t *testing.T, v any, path ...any) any {
	t.Helper()
	for _, p := range path {
		switch p := p.(type) {
		case string:
			m, ok := v.(map[string]any)
			if !ok {
				t.Fatalf("%v: no object at %v", path, p)
			}
			if v, ok = m[p]; !ok {
				t.Fatalf("%v: no field %s", path, p)
			}
		case int:
			a, ok := v.([]any)
			if !ok || len(a) <= p {
				t.Fatalf("%v: no element %d", path, p)
			}
			v = a[p]
		}
	}
	return v
}

func decoded(t *testing.T, r Report) any {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestSiteReportJSON holds the names of the fields, which others read, to a
// list that is kept by hand, and some values to the report's.
func TestSiteReportJSON(t *testing.T) {
	log := fittest.OpenLog(t, fittest.KTH)
	clock, _ := log.Header.Clock()
	_, r, err := Fit(log.Jobs(), clock, Options{
		Name: "kth", Processors: 64,
		AutomaticPeaks: []AutomaticPeak{{"nine", 9, 10}},
		SizeRanges:     []fit.SizeRange{{From: 1, To: 4}, {From: 5, To: 100}, {From: 200, To: 300}},
	})
	if err != nil {
		t.Fatal(err)
	}
	r.Skipped = []fit.SkippedClass{{Label: "queue_id=3", Jobs: 5, Why: "5 jobs, want at least 100"}}
	v := decoded(t, r)
	fields := map[string]bool{}
	fieldsOf("", v, fields)
	var names []string
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	want, err := os.ReadFile(filepath.Join("testdata", "site-report-fields.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Fields(string(want)), names); diff != "" {
		t.Errorf("the fields are not those of testdata/site-report-fields.txt:\n%s", diff)
	}
	nulls := map[string]bool{}
	nullsOf("", v, nulls)
	// A constant share has no regression, no job has a size from 200 to 300, and
	// without replicates there is no p-value.
	wantNulls := map[string]bool{
		"column": true, "classes[].by_size[].run_time": true, "classes[].by_size[].work": true, "classes[].run_times.p_forms[].r_squared": true, "classes[].run_times.r_squared": true, // of a line by likelihood
		"classes[].sizes.gamma.fit.ks.p_value": true, "classes[].run_times.fit.ks.p_value": true, "classes[].work.fit.ks.p_value": true,
		"classes[].by_size[].run_time.ks.p_value": true, "classes[].by_size[].work.ks.p_value": true, "classes[].arrivals.peak.ks.p_value": true,
	}
	if diff := cmp.Diff(wantNulls, nulls); diff != "" {
		t.Errorf("null are:\n%s", diff)
	}
	c := r.Classes[0]
	for _, w := range []struct {
		path []any
		want any
	}{
		{[]any{"schema"}, "loadstone.site-report/1"},
		{[]any{"column"}, nil},
		{[]any{"jobs"}, 28476.},
		{[]any{"skipped", 0, "why"}, "5 jobs, want at least 100"},
		{[]any{"classes", 0, "sizes", "serial"}, 9370.},
		{[]any{"classes", 0, "sizes", "law", "family"}, "two-stage-uniform"},
		{[]any{"classes", 0, "sizes", "gamma", "fit", "family"}, "gamma"},
		{[]any{"classes", 0, "run_times", "p_slope"}, float64(c.RunTimes.Slope)},
		{[]any{"classes", 0, "run_times", "size_run_time_correlation"}, float64(c.RunTimes.Correlation)},
		{[]any{"classes", 0, "run_times", "p_forms", 2, "r_squared"}, nil},
		{[]any{"classes", 0, "run_times", "p_forms", 1, "form"}, "log-odds"},
		{[]any{"classes", 0, "work", "fit", "parameters", "p"}, fittest.Parameter(t, c.Work.Law.Parameters, "p")},
		{[]any{"classes", 0, "by_size", 1, "work", "n"}, 10949.},
		{[]any{"classes", 0, "estimates", "jobs"}, 28476.},
		{[]any{"classes", 0, "estimates", "largest_s"}, 216000.},
		{[]any{"classes", 0, "by_size", 2, "work"}, nil},
		{[]any{"classes", 0, "arrivals", "cycle", "automatic_peaks", 0, "jobs_left_out"}, 234.},
		{[]any{"classes", 0, "arrivals", "week", "jobs", 0}, 2227.},
		{[]any{"classes", 0, "arrivals", "methods", "expected_slots", "converged"}, true},
		{[]any{"classes", 0, "arrivals", "methods", "slot_weights", 47}, c.Arrivals.Methods.SlotWeights[47]},
	} {
		if got := at(t, v, w.path...); got != w.want {
			t.Errorf("%v is %v, want %v", w.path, got, w.want)
		}
	}
}

// What odd logs do not have is null or empty, and never breaks the JSON.
func TestSiteReportJSONOfOddLogs(t *testing.T) {
	_, r, err := Fit(fittest.Jobs(500, func(i int, j *workload.Job) { fittest.Plain(i, j); j.Size = 1 }), workload.Clock{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := at(t, decoded(t, r), "classes", 0)
	for _, path := range [][]any{
		{"sizes", "gamma"}, {"sizes", "d"}, {"sizes", "law"}, {"run_times", "r_squared"}, {"run_times", "size_run_time_correlation"},
		{"run_times", "p_forms", 0, "d"}, {"arrivals", "cycle"}, {"arrivals", "week"}, {"arrivals", "methods"},
	} {
		if got := at(t, c, path...); got != nil {
			t.Errorf("%v is %v, want null", path, got)
		}
	}
	_, empty, err := FitClasses(nil, workload.Clock{}, Options{CollectOptions: fit.CollectOptions{By: "queue_id"}})
	if !errors.Is(err, ErrNoClass) {
		t.Fatal(err)
	}
	v := decoded(t, empty)
	if at(t, v, "column") != "queue_id" || at(t, v, "classes") == nil || at(t, v, "skipped") == nil || at(t, v, "warnings") == nil {
		t.Errorf("an empty report is %v", v)
	}
}
