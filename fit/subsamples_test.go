package fit

import (
	"math"
	"testing"
)

// TestSubsamples: for a sample from the law itself, 95 % of the parts pass, except that the test
// is conservative for a few hundred jobs; at least 89 % must pass, which is within 5.33 binomial
// standard errors of 400 parts. For all jobs of KTH and SDSC96, the reproduction of Lublin and
// Feitelson (2003) finds 38 % and 68 % for run times, with its own random parts: 5.33 standard
// errors of two shares of 400 are 18 %.
func TestSubsamples(t *testing.T) {
	const parts = 400
	own := NewSample(RunTime, seconds(batch(0.6), 200000, 21, false))
	o := mustFit(t, "hyper-gamma", RunTime, own, Options{Subsamples: parts, Seed: 1}).Subsamples
	if least := 0.95 - 5.33*math.Sqrt(0.95*0.05/parts); o.Share < least || o.Samples != parts {
		t.Errorf("%+v, want at least a share of %.2f", o, least)
	}
	for log, want := range map[string]float64{kth: 0.38, sdsc: 0.68} {
		s := collectLog(t, log).Sample(RunTime)
		o := mustFit(t, "hyper-gamma", RunTime, s, Options{Subsamples: parts, Seed: 1}).Subsamples
		near(t, log+": share of parts that pass", o.Share, want, 5.33*math.Sqrt(2*0.25/parts))
	}
}
