package lifetimes

import (
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// driftReference is testdata/drift.json; drift.py describes its contents.
type driftReference struct {
	Rows []struct {
		Class  string  `json:"class"`
		Status int64   `json:"status"` // 0 for all
		Trim   float64 `json:"trim"`
		Jobs   int64   `json:"jobs"`
		Median float64 `json:"median"`
		R2     float64 `json:"r_squared"`
	} `json:"rows"`
}

// table5Classes returns possible interpretations of the rows of table 5, by the queue's name: the
// number is the size, the last letter the length.
func table5Classes() map[string]func(queue string) bool {
	parallel := func(length string) func(string) bool {
		return func(q string) bool {
			return strings.HasPrefix(q, "q") && strings.HasSuffix(q, length) && !strings.HasPrefix(q, "q1l")
		}
	}
	standby := func(q string) bool { return strings.HasSuffix(q, "standby") }
	return map[string]func(string) bool{
		"sequential":           func(q string) bool { return q == "q1l" || q == "q1ll" },
		"q1l":                  func(q string) bool { return q == "q1l" },
		"q1ll":                 func(q string) bool { return q == "q1ll" },
		"short":                parallel("s"),
		"medium":               parallel("m"),
		"long":                 parallel("l"),
		"all jobs":             func(q string) bool { return !standby(q) },
		"all jobs but q1ll":    func(q string) bool { return !standby(q) && q != "q1ll" },
		"all jobs and standby": func(string) bool { return true },
	}
}

// TestDowneyTable5 compares the medians of the fitted laws with NumPy's for the same jobs;
// docs/findings/papers.md gives their distance from the printed ones.
func TestDowneyTable5(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	log := fittest.OpenLog(t, fittest.SDSC)
	clock, _ := log.Header.Clock()
	over, err := workload.Months(clock, 4)
	if err != nil {
		t.Fatal(err)
	}
	list := jobtest.Collect(t, log.Jobs())
	want := longtest.ReadJSON[driftReference](t, "testdata/drift.json")
	type selection struct {
		class  string
		status int64
	}
	collected := map[selection][]Class{}
	collect := func(sel selection) []Class {
		if c, ok := collected[sel]; ok {
			return c
		}
		groups := map[int64]string{}
		for id, name := range log.Header.Names("Queue") {
			if table5Classes()[sel.class](name) {
				groups[id] = sel.class
			}
		}
		o := Options{By: []workload.ClassColumn{{Column: "partition_id"}, {Column: "queue_id", Groups: groups}}, Over: &over}
		if sel.status != 0 {
			o.Status = []int64{sel.status}
		}
		collected[sel], _ = collectClasses(t, fittest.Jobs(len(list), func(i int, j *workload.Job) { *j = list[i] }), o)
		return collected[sel]
	}
	step := func(sel selection, trim float64) DriftStep {
		drifts, err := Drift(collect(sel), fit.Options{Trim: trim}, 40)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range drifts {
			for _, s := range d.Steps {
				if d.Label == "partition_id=2, "+sel.class && s.Label == "1996-01 to 1996-04" && s.Fit.Report != nil {
					return s
				}
			}
		}
		t.Fatalf("no fit of %+v", sel)
		return DriftStep{}
	}
	for _, row := range want.Rows {
		s := step(selection{row.Class, row.Status}, row.Trim)
		if n := s.Fit.Report.N; n != row.Jobs {
			t.Errorf("%s, status %d: %d jobs, want %d", row.Class, row.Status, n, row.Jobs)
		}
		fittest.Relative(t, row.Class+": median", float64(s.Median), row.Median, 1e-9)
		fittest.Relative(t, row.Class+": R²", fittest.Parameter(t, s.Fit.Report.Parameters, "r_squared"), row.R2, 1e-9)
	}
	if len(want.Rows) != 8*len(table5Classes()) {
		t.Errorf("%d rows in drift.json, want 8 for each of %d classes", len(want.Rows), len(table5Classes()))
	}
}
