//go:build long

package cli

import (
	"fmt"
	"testing"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/internal/papers"
)

// The findings of docs/findings/papers.md about waits by a simulated schedule: the table's
// rows, and what the document says of them.
func TestFindingSimulated(t *testing.T) {
	const fcfs, easy = "simulated", "simulated-easy"
	grid := func(processors string) []string {
		return []string{"--sites", "all", "--procs", processors, "--first-jobs", "60000"}
	}
	for _, c := range []struct {
		row  string // in the document's table, without the policy
		log  string
		args []string
		// corrections says what correction does to the accuracy, by predictor:
		// 1 raises it by more than 0.02, -1 lowers it so, 0 neither.
		corrections   map[string]int
		easyIsOpposed bool // accuracy and correlation are higher under EASY
	}{
		{"KTH-SP2-1996", "KTH-SP2-1996-2.1-cln.swf.gz", nil, map[string]int{fcfs: 0, easy: 0}, false},
		{"CTC-SP2-1996", "CTC-SP2-1996.simulated-waits.swf.gz", nil, map[string]int{fcfs: 0, easy: 0}, false},
		{"SDSC-SP2-1998", "SDSC-SP2-1998.simulated-waits.swf.gz", nil, map[string]int{fcfs: 0, easy: 0}, false},
		{"SDSC-Par-1996", "SDSC-Par-1996-3.1-cln.swf.gz", []string{"--estimate-factor", "5"}, map[string]int{fcfs: 0, easy: 0}, false},
		{"SDSC-Par-1996, 2 sites", "SDSC-Par-1996-3.1-cln.swf.gz", []string{"--estimate-factor", "5", "--sites", "1=48,2=352"}, map[string]int{fcfs: 0, easy: 0}, false},
		{"UniLu-Gaia-2014", "UniLu-Gaia-2014-1.swf.gz", nil, map[string]int{fcfs: 0, easy: -1}, true},
		{"RICC-2010", "RICC-2010-2.swf.gz", []string{"--estimate-factor", "5", "--first-jobs", "60000"}, map[string]int{fcfs: 1, easy: 0}, false},
		// A grid of serial jobs without estimates.
		{"LCG-2005, sites of 32", "LCG-2005-1.swf.gz", grid("32"), map[string]int{fcfs: -1}, false},
		{"LCG-2005, sites of 64", "LCG-2005-1.swf.gz", grid("64"), map[string]int{fcfs: 1}, false},
		{"LCG-2005, sites of 128", "LCG-2005-1.swf.gz", grid("128"), map[string]int{fcfs: 1}, false},
	} {
		names := fcfs + "," + fcfs + "-corrected"
		_, both := c.corrections[easy]
		if both {
			names += "," + easy + "," + easy + "-corrected"
		}
		var r evaluate.WaitsResult
		decode(t, &r, append([]string{"predict", trace(t, c.log), "-q", "--predictors", names, "--replicates", "0"}, c.args...)...)
		at := map[string]evaluate.WaitScore{}
		for _, s := range r.Scores {
			at[s.Predictor] = s
			if float64(s.Predicted) < 0.98*float64(s.Jobs) {
				t.Errorf("%s, %s: %d of %d waits are predicted", c.log, s.Predictor, s.Predicted, s.Jobs)
			}
		}
		for name, want := range c.corrections {
			policy, s, corrected := "FCFS", at[name], at[name+"-corrected"]
			if name == easy {
				policy = "EASY"
			}
			line := fmt.Sprintf("| %s, %s | %s | %.3f | %.3f | %.0f | %.0f | %.1f %% | %.3f |", c.row, policy, view.Grouped(int64(s.Jobs)),
				float64(s.AccuracyMean), float64(corrected.AccuracyMean), float64(s.AbsoluteErrorMean), float64(corrected.AbsoluteErrorMean), float64(s.UnderPct), float64(s.CorrelationLog))
			t.Log(line)
			papers.Has(t, line)
			d := float64(at[name+"-corrected"].AccuracyMean - at[name].AccuracyMean)
			got := 0
			if d > 0.02 {
				got = 1
			} else if d < -0.02 {
				got = -1
			}
			if got != want {
				t.Errorf("%s %v, %s: correction changes the accuracy by %+.3f; want its sign, beyond 0.02, to be %d", c.log, c.args, name, d, want)
			}
		}
		if !both {
			continue
		}
		f, e := at[fcfs], at[easy]
		if c.easyIsOpposed != (e.AccuracyMean > f.AccuracyMean) || c.easyIsOpposed != (e.CorrelationLog > f.CorrelationLog) {
			t.Errorf("%s %v: EASY %+v, FCFS %+v; want accuracy and correlation under EASY higher: %v", c.log, c.args, e, f, c.easyIsOpposed)
		}
		if e.AbsoluteErrorMean >= f.AbsoluteErrorMean || e.UnderPct <= f.UnderPct {
			t.Errorf("%s %v: EASY %+v, FCFS %+v; want less error and more predictions too short under EASY", c.log, c.args, e, f)
		}
	}
}
