package reshape

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// reference is testdata/reshape.json: see the script beside it.
type reference struct {
	Key          string
	Replacements []struct {
		Column, Kind, Text string
		Digits             int
		Replacement        int64
	}
	Normal    float64            `json:"normal_two_sided"`
	ChiSquare map[string]float64 `json:"chi_square"`
}

func readReference(t *testing.T) (r reference) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "reshape.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// seqFrom is a log of these jobs, with rows as they stand.
func seqFrom(jobs []workload.Job) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		for i, j := range jobs {
			j.Row = int64(i)
			if !yield(j, nil) {
				return
			}
		}
	}
}

// failing is the error that a stream ends with.
func failing(jobs workload.JobSeq) (err error) {
	for _, err = range jobs {
	}
	return err
}

// kth is a real log, or the test is skipped.
func kth(t *testing.T) ([]workload.Job, workload.Header) {
	t.Helper()
	log := jobtest.Open(t, "KTH-SP2-1996-2.1-cln.swf.gz")
	return jobtest.Collect(t, log.Jobs()), log.Header
}

// same compares jobs, unknown values with unknown values. Row is left out.
func same(a, b workload.Job) bool { return jobtest.Same(&a, &b) }
