package reshape

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Totals on real logs against a count in Python (testdata/clean_reference.py),
// and that a kept job is the job that it was.
func TestCleanTraces(t *testing.T) {
	text, err := os.ReadFile("testdata/clean_reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var reference struct {
		Logs map[string]struct {
			Jobs    int64
			Filters map[string]struct {
				Removed int64
				IDSum   int64 `json:"id_sum"`
			}
		}
	}
	if err := json.Unmarshal(text, &reference); err != nil {
		t.Fatal(err)
	}
	for name, want := range reference.Logs {
		log := jobtest.Open(t, name)
		jobs, header := jobtest.Collect(t, log.Jobs()), log.Header
		if int64(len(jobs)) != want.Jobs {
			t.Errorf("%s: %d jobs, want %d", name, len(jobs), want.Jobs)
		}
		for filter, w := range want.Filters {
			removed, sum := cleanAll(t, header, jobs, filter)
			if removed != w.Removed || sum != w.IDSum {
				t.Errorf("%s: %s takes out %d jobs with numbers adding up to %d, want %d, %d", name, filter, removed, sum, w.Removed, w.IDSum)
			}
		}
		// Neither log has duplicates or parts.
		for _, filter := range []string{"duplicates", "duplicates by=id", "partials"} {
			if removed, _ := cleanAll(t, header, jobs, filter); removed != 0 {
				t.Errorf("%s: %s takes out %d jobs", name, filter, removed)
			}
		}
	}
}

// cleanAll returns how many jobs a filter takes out, and the sum of their
// numbers. Every job has to be either kept as it is, in order, or told of.
func cleanAll(t *testing.T, h workload.Header, jobs []workload.Job, filter string) (removed, sum int64) {
	t.Helper()
	f, err := ParseFilter(filter)
	if err != nil {
		t.Fatal(err)
	}
	gone := map[int64]bool{}
	c := NewCleaning(h, []Filter{f}, func(r Removal) error {
		if r.Job != jobs[r.Row-1].ID || gone[r.Row-1] {
			t.Errorf("%s: removal %+v is of job %d, or told twice", filter, r, jobs[r.Row-1].ID)
		}
		gone[r.Row-1] = true
		sum += r.Job
		return nil
	})
	row := int64(0)
	for j, err := range c.Jobs(workload.JobsOf(jobs)) {
		if err != nil {
			t.Fatal(err)
		}
		for ; row < j.Row; row++ {
			if !gone[row] {
				t.Fatalf("%s: row %d is neither kept nor told of", filter, row+1)
			}
		}
		if row != j.Row || !same(j, jobs[row]) {
			t.Fatalf("%s: row %d came as %+v, was %+v", filter, row+1, j, jobs[row])
		}
		row++
	}
	if c.Kept+int64(len(gone)) != int64(len(jobs)) {
		t.Errorf("%s: %d kept and %d removed of %d", filter, c.Kept, len(gone), len(jobs))
	}
	return int64(len(gone)), sum
}
