//go:build long

package cli

import (
	"fmt"
	"testing"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/internal/papers"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
)

// The rows of docs/findings/papers.md about waits in a simulated schedule.
func TestFindingSimulated(t *testing.T) {
	grid := func(processors string) []string {
		return []string{"--sites", "all", "--procs", processors, "--first-jobs", "60000"}
	}
	for _, c := range []struct {
		row  string // in the document's table
		log  string
		args []string
	}{
		{"KTH-SP2-1996", "KTH-SP2-1996-2.1-cln.swf.gz", nil},
		{"CTC-SP2-1996", "CTC-SP2-1996.simulated-waits.swf.gz", nil},
		{"SDSC-SP2-1998", "SDSC-SP2-1998.simulated-waits.swf.gz", nil},
		{"SDSC-Par-1996", "SDSC-Par-1996-3.1-cln.swf.gz", nil},
		{"SDSC-Par-1996, 2 sites", "SDSC-Par-1996-3.1-cln.swf.gz", []string{"--sites", "1=48,2=352"}},
		{"UniLu-Gaia-2014", "UniLu-Gaia-2014-1.swf.gz", nil},
		{"RICC-2010", "RICC-2010-2.swf.gz", []string{"--first-jobs", "60000"}},
		// A grid of serial jobs without estimates.
		{"LCG-2005, sites of 32", "LCG-2005-1.swf.gz", grid("32")},
		{"LCG-2005, sites of 64", "LCG-2005-1.swf.gz", grid("64")},
		{"LCG-2005, sites of 128", "LCG-2005-1.swf.gz", grid("128")},
	} {
		var r evaluate.WaitsResult
		decode(t, &r, append([]string{"predict", reallogs.Path(t, "swf/"+c.log), "-q", "--predictors", "simulated,simulated-corrected", "--replicates", "0"}, c.args...)...)
		at := map[string]evaluate.WaitScore{}
		for _, s := range r.Scores {
			at[s.Predictor] = s
			if float64(s.Predicted) < 0.98*float64(s.Jobs) {
				t.Errorf("%s, %s: %d of %d waits are predicted", c.log, s.Predictor, s.Predicted, s.Jobs)
			}
		}
		s, corrected := at["simulated"], at["simulated-corrected"]
		line := fmt.Sprintf("| %s | %s | %.3f | %.3f | %.0f | %.0f | %.1f %% | %.3f |", c.row, view.Grouped(int64(s.Jobs)),
			float64(s.AccuracyMean), float64(corrected.AccuracyMean), float64(s.AbsoluteErrorMean), float64(corrected.AbsoluteErrorMean), float64(s.UnderPct), float64(s.CorrelationLog))
		t.Log(line)
		papers.Has(t, line)
	}
}
