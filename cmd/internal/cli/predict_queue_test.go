package cli

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/evaluate"
)

// With a machine for each site the scores of a site's jobs are those of a log
// that has no others, under each policy: all classes of Last2 are by site.
func TestPredictBySite(t *testing.T) {
	var both strings.Builder
	var one [3]strings.Builder
	for i := range 600 {
		site, run := 1+i%2, 100+37*(i%11)
		line := fmt.Sprintf("%d %d -1 %d %d -1 -1 %d %d -1 1 %d 1 %d 1 %d -1 -1\n",
			i+1, 20*i, run, 1+i%4, 1+i%4, 2*run, 1+i%5, i%3, site)
		both.WriteString(line)
		one[site].WriteString(line)
	}
	names := []string{"--predictors", "simulated,simulated-corrected,estimates,simulated-easy,simulated-easy-corrected"}
	var r evaluate.WaitsResult
	decode(t, &r, append([]string{"predict", writeLog(t, both.String()), "--sites", "1=4", "--procs", "6", "--by", "site"}, names...)...)
	if r.Sites[1] != 4 || len(r.Sites) != 1 || r.Processors != nil || len(r.Scores) != 5 {
		t.Fatalf("%+v", r)
	}
	for site, processors := range map[int]string{1: "4", 2: "6"} {
		var alone evaluate.WaitsResult
		decode(t, &alone, append([]string{"predict", writeLog(t, one[site].String()), "--procs", processors}, names...)...)
		for i, want := range alone.Scores {
			at := slices.IndexFunc(r.Scores[i].Parts, func(p evaluate.WaitsPart) bool { return p.Part == fmt.Sprint(site) })
			if at < 0 {
				t.Fatalf("%s: no part for site %d", want.Predictor, site)
			}
			if got := r.Scores[i].Parts[at]; got.Jobs != want.Jobs || got.Predicted != want.Predicted || got.Jobs < 100 ||
				!near(got.AccuracyMean, float64(want.AccuracyMean)) || !near(got.AbsoluteErrorMean, float64(want.AbsoluteErrorMean)) {
				t.Errorf("%s, site %d: %+v, alone %+v", want.Predictor, site, got, want)
			}
		}
	}
	got := loadstone(t, "", "predict", writeLog(t, both.String()), "--sites", "1=4,2=6", "--predictors", "downey-b,simulated-easy")
	if got.code != exitDone || !strings.Contains(got.err, "Downey's predictors model a single machine: downey-b left out") ||
		!strings.HasPrefix(got.out, "simulated queue: EASY on the sites 1=4,2=6\n") {
		t.Errorf("exit code %d, %s\n%s", got.code, got.err, got.out)
	}
}

// EASY is left out where nobody has an estimate, and estimates are drawn for it
// where that is asked for.
func TestPredictEASYWithoutEstimates(t *testing.T) {
	log := predictLogOf(t, false)
	got := loadstone(t, "", "predict", log, "--predictors", "estimates,simulated,simulated-easy")
	if got.code != exitDone || !strings.Contains(got.err, "estimates and simulated-easy left out") || strings.Contains(got.out, "EASY") {
		t.Errorf("exit code %d, %s\n%s", got.code, got.err, got.out)
	}
	var r evaluate.WaitsResult
	decode(t, &r, "predict", log, "--predictors", "simulated-easy", "--estimate-factor", "5")
	if len(r.Scores) != 1 || r.Scores[0].Waits != "simulated-easy" || r.Scores[0].Predicted == 0 {
		t.Errorf("estimates drawn: %+v", r.Scores)
	}
	for _, c := range [][2]string{{"1", `--sites "1": want all`}, {"all", "want --procs"}} {
		if got := loadstone(t, "", "predict", "a", "--sites", c[0]); got.code != exitUsage || !strings.Contains(got.err, c[1]) {
			t.Errorf("--sites %s: exit code %d, %q, want %q", c[0], got.code, got.err, c[1])
		}
	}
}
