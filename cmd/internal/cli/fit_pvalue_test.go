package cli

import (
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Without replicates there is no p-value, and one note says so; with them it has
// the digits that they resolve.
func TestFitPValues(t *testing.T) {
	log := generated(t)
	got := loadstone(t, "", "fit", log, "--family", "gamma,hyper-gamma,exponential", "--tests")
	if strings.Contains(got.out, "p-value") || strings.Contains(got.out, "its p") {
		t.Errorf("without replicates: %s", got.out)
	}
	if n := strings.Count(got.err, "--replicates 199"); n != 1 {
		t.Errorf("%d times how to get a p-value: %s", n, got.err)
	}
	// One Gamma is not two: no replicate is as far.
	got = loadstone(t, "", "fit", log, "--family", "gamma", "--replicates", "19")
	if !strings.Contains(got.out, "< 0.05") {
		t.Errorf("19 replicates: %s", got.out)
	}
	for _, tt := range []struct {
		p          float64
		replicates int
		want       string
	}{
		{1.0 / 200, 199, "< 0.005"},
		{1.0 / 100, 99, "< 0.01"},
		{1.0 / 61, 60, "< 0.02"},
		{2.0 / 200, 199, "0.010"},
		{0.51, 199, "0.510"},
	} {
		s := fit.Significance{PValue: stats.Number(tt.p), Method: stats.ParametricBootstrap, Replicates: tt.replicates, Refits: &fit.Refits{}}
		if got := view.PValue(s); got != tt.want {
			t.Errorf("p %g of %d replicates is %q, want %q", tt.p, tt.replicates, got, tt.want)
		}
	}
	if got := view.PValue(fit.Significance{PValue: stats.Number(math.NaN()), Method: fit.NoPValue}); got != "" {
		t.Errorf("no p-value is %q", got)
	}
}
