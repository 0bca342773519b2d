//go:build long

package cli

import "testing"

// The findings of docs/papers.md about waits by a simulated schedule: the tables
// are logged, and what the document says of them is asserted.
func TestFindingSimulated(t *testing.T) {
	const names = "simulated,simulated-corrected,simulated-easy,simulated-easy-corrected"
	for _, c := range []struct {
		log  string
		args []string
	}{
		{"KTH-SP2-1996-2.1-cln.swf.gz", nil},
		{"CTC-SP2-1996.simulated-waits.swf.gz", nil},
		{"SDSC-SP2-1998.simulated-waits.swf.gz", nil},
		{"SDSC-Par-1996-3.1-cln.swf.gz", []string{"--estimate-factor", "5"}},
		{"SDSC-Par-1996-3.1-cln.swf.gz", []string{"--estimate-factor", "5", "--sites", "1=48,2=352"}},
	} {
		var r predictJSON
		decode(t, &r, append([]string{"predict", trace(t, c.log), "-q", "--predictors", names}, c.args...)...)
		at := map[string]predictScoreJSON{}
		for _, s := range r.Scores {
			at[s.Predictor] = s
			t.Logf("| %s %v | %s | %d | %.3f | %.0f | %.1f %% | %.3f |", c.log, c.args, s.Predictor, s.Jobs, float64(s.AccuracyMean), float64(s.AbsoluteErrorMean), float64(s.Under), float64(s.CorrelationLog))
			if float64(s.Predicted) < 0.98*float64(s.Jobs) {
				t.Errorf("%s, %s: %d of %d waits are predicted", c.log, s.Predictor, s.Predicted, s.Jobs)
			}
		}
		fcfs, easy := at["simulated"], at["simulated-easy"]
		if easy.AccuracyMean >= fcfs.AccuracyMean || easy.CorrelationLog >= fcfs.CorrelationLog || easy.AbsoluteErrorMean >= fcfs.AbsoluteErrorMean {
			t.Errorf("%s %v: EASY %+v, FCFS %+v; want under EASY less accuracy, correlation and error", c.log, c.args, easy, fcfs)
		}
		if easy.Under <= fcfs.Under {
			t.Errorf("%s %v: %.1f %% under under EASY, %.1f %% under FCFS; want more", c.log, c.args, float64(easy.Under), float64(fcfs.Under))
		}
		for _, name := range []string{"simulated", "simulated-easy"} {
			if d := at[name+"-corrected"].AccuracyMean - at[name].AccuracyMean; d < -0.02 || d > 0.02 {
				t.Errorf("%s %v, %s: correction changes the accuracy by %+.3f, want within 0.02", c.log, c.args, name, float64(d))
			}
		}
	}
}
