package population

import (
	"context"
	"testing"

	fit "github.com/loadstone-hpc/loadstone/fit/population"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Of a model with any one field taken out that Decode accepts, jobs are drawn.
func TestTakenOut(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	m, _, err := fit.Fit(context.Background(), workload.JobsOf(asking()), &workload.Header{}, "asking", 64)
	if err != nil {
		t.Fatal(err)
	}
	file, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	jobtest.Without(t, file, func(path, name string, text []byte) {
		if m, err := population.Decode("x", text); err == nil && name != "about" {
			tried++
			if jobs, _ := made(t, m, Options{Jobs: 300}); len(jobs) != 300 {
				t.Errorf("%s taken out: %d jobs", path, len(jobs))
			}
		}
	})
	if tried < 10 {
		t.Errorf("%d models tried", tried)
	}
}
