package runtime

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// TestLinearReference compares with testdata/linear.py.
func TestLinearReference(t *testing.T) {
	data, err := os.ReadFile("testdata/linear.json")
	if err != nil {
		t.Fatal(err)
	}
	var ref struct{ Jobs [][7]*float64 }
	if err := json.Unmarshal(data, &ref); err != nil {
		t.Fatal(err)
	}
	var jobs []workload.Job
	for i, r := range ref.Jobs {
		j := job(int64(i), *r[0], *r[1], *r[2], int64(*r[5]), 1)
		j.Size = int64(*r[4])
		if *r[3] > 0 {
			j.Time = *r[3]
		}
		jobs = append(jobs, j)
	}
	entries, err := Entries([]string{"user"}, []string{"linear"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	rows := predictions(t, jobs, entries...)
	compared := 0
	for i, r := range ref.Jobs {
		got := rows[int64(i+1)][0].Seconds
		if r[6] == nil {
			if !math.IsNaN(got) {
				t.Errorf("job %d: %g, want none", i+1, got)
			}
			continue
		}
		compared++
		if math.Abs(got-*r[6]) > 1e-6*(1+*r[6]) {
			t.Errorf("job %d: %.9g, want %.9g", i+1, got, *r[6])
		}
	}
	if compared < 100 {
		t.Errorf("only %d predictions compared", compared)
	}
}
