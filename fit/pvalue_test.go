package fit

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/stats"
)

// A p-value has the digits that its replicates resolve.
func TestSignificanceString(t *testing.T) {
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
		s := Significance{PValue: stats.Number(tt.p), Method: stats.ParametricBootstrap, Replicates: tt.replicates, Refits: &Refits{}}
		if got := s.String(); got != tt.want {
			t.Errorf("p %g of %d replicates is %q, want %q", tt.p, tt.replicates, got, tt.want)
		}
	}
	if got := (Significance{PValue: stats.Number(math.NaN()), Method: NoPValue}).String(); got != "" {
		t.Errorf("no p-value is %q", got)
	}
}
