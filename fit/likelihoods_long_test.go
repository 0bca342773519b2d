//go:build long

package fit

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
)

// likelihoods are log-likelihoods of mixtures fitted to the run times of real logs, by the program
// of 28 November 2026 (8a61c2a6). Its EM, before it was of two Gammas alone, and that of 22
// November (6517dbf3), before package em, agree to 4e-12 of each.
const likelihoods = `
log | hyper-gamma | hyper-exponential | hyper-erlang
KTH-SP2-1996-2.1-cln.swf | -249703.831066 | -254433.859583 | -249707.533994
NASA-iPSC-1993-3.1-cln.swf | -120154.709071 | -121142.213248 | -120154.931753
ANL-Theta-2023.crlf-unsorted.swf | -79609.131185 | -80801.261240 | -79609.172909
METACENTRUM-wagap-2013.21-fields.swf | -176911.299435 | -188023.769164 | -176912.674272
SDSC-Par-1996-3.1-cln.swf | -261533.016169 | -268232.815121 | -261626.475771
UniLu-Gaia-2014-1.swf | -491627.529214 | -493696.187628 | -491627.581271
CTC-SP2-1996.simulated-waits.swf | -720384.204846 | -722850.639086 | -720384.544551
SDSC-SP2-1998.simulated-waits.swf | -462655.237592 | -469433.925249 | -462655.357219
LLNL-Thunder-2007-1.1-cln.swf | -763658.366587 | -800967.911735 | -763786.673880
LCG-2005-1.swf | -1585710.987242 | -1618814.686317 | -1585718.854910
RICC-2010-2.swf | -4063293.620257 | -4233386.311223 | -4063337.710964
`

// TestLikelihoodsOfLogs checks that no mixture is less likely than before.
func TestLikelihoodsOfLogs(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(likelihoods), "\n")
	families := strings.Split(lines[0], " | ")
	for _, line := range lines[1:] {
		cells := strings.Split(line, " | ")
		s := collectLog(t, cells[0]).Sample(RunTime)
		for i, family := range families[1:] {
			want := jobtest.Must(strconv.ParseFloat(cells[i+1], 64))
			r := mustFit(t, family, RunTime, s, Options{})
			if got := float64(r.LogLikelihood); !(got >= want-1e-9*math.Abs(want)) || r.Status != Converged {
				t.Errorf("%s of %s: log-likelihood %.6f (%s), want at least %.6f", family, cells[0], got, r.Status, want)
			}
		}
	}
}
