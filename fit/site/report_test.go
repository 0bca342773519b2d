package site

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
	"github.com/loadstone-hpc/loadstone/workload"
)

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

// What odd logs do not have is null or empty, and never breaks the JSON.
func TestSiteReportJSONOfOddLogs(t *testing.T) {
	_, r, err := Fit(fittest.Jobs(500, func(i int, j *workload.Job) { fittest.Plain(i, j); j.Size = 1 }), workload.Clock{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := at(t, decoded(t, r), "classes", 0)
	for _, path := range [][]any{
		{"sizes", "gamma"}, {"sizes", "ks_d"}, {"sizes", "law"}, {"run_times", "r_squared"}, {"run_times", "size_run_time_correlation"},
		{"run_times", "p_forms", 0, "ks_d"}, {"arrivals", "cycle"}, {"arrivals", "week"}, {"arrivals", "methods"},
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
