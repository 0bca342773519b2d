package grid

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// compute simulates the log of TestPoliciesByHand, with sites.
func compute(ctx context.Context, o Options) (*Result, error) {
	o.Grid = jobtest.Must(Decode("two-clusters.json", jobtest.Must(os.ReadFile("testdata/two-clusters.json"))))
	return Compute(ctx, func() (*workload.Log, error) { return logfile.Open("testdata/two-sites.swf", workload.Options{}) }, o)
}

// The waits, worked out by hand, are 0, 0, 0, 80, 20 under ECT-Perfect and 0, 0, 0, 80, 0 under
// FPF.
func TestCompute(t *testing.T) {
	o := DefaultOptions()
	r := jobtest.Must(compute(t.Context(), o))
	if len(r.Scores) != 4 || r.Scores[0].Wait.Mean != 20 || r.Scores[3].Wait.Mean != 16 || r.Log.Jobs != 5 || len(r.Jobs) != 5 || r.Window.Sites != 2 || r.Tau != 60 || r.Learning == nil {
		t.Errorf("got %+v", r)
	}
	for _, policy := range []string{"lottery", "ect-oracle", "ect-sm(window=0)"} {
		o.Policies = []string{policy}
		if _, err := compute(t.Context(), o); jobtest.OptionOf(err) != "policies" {
			t.Errorf("%s: %v", policy, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := compute(ctx, DefaultOptions()); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
