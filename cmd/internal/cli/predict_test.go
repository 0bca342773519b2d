package cli

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/evaluate"
)

// predictLog is 400 jobs of two users on 10 processors, a pair of them every
// five minutes, whose estimates are right to a factor of two. Each waits 60 s.
func predictLog(t *testing.T) string { return predictLogOf(t, true) }

func predictLogOf(t *testing.T, estimates bool) string {
	var b strings.Builder
	b.WriteString("; MaxProcs: 10\n; UnixStartTime: 820454400\n; TimeZoneString: UTC\n")
	for i := range 400 {
		run := 100 + 37*(i%11)
		estimate := run * (1 + i%2)
		if !estimates {
			estimate = -1
		}
		// job submit wait run allocated cpu memory requested time memory status user group app queue partition preceding think
		fmt.Fprintf(&b, "%d %d 60 %d %d -1 -1 %d %d -1 1 %d 1 %d %d %d -1 -1\n",
			i+1, 300*(i/2)+86400*(i/20), run, 1+i%8, 1+i%8, estimate, 1+i%2, i%3, i%2, 1+i%2)
	}
	return writeLog(t, b.String())
}

func TestPredictEverything(t *testing.T) {
	log := predictLog(t)
	var r evaluate.WaitsResult
	decode(t, &r, "predict", log, "--classes", "queue_id", "--by", "site,month,burst", "--unbias",
		"--predictors", "downey-a,downey-a-exact,downey-b,downey-n32,downey-benefactors,simulated,simulated-corrected,estimates,bmbp,bmbp-authors,chebyshev,chebyshev-one-sided,qbets")
	var names []string
	at := map[string]evaluate.WaitScore{}
	for _, s := range r.Scores {
		names = append(names, s.Predictor)
		at[s.Predictor] = s
	}
	if got, want := strings.Join(names, " "), "downey-a downey-a-exact downey-b downey-n32 downey-benefactors downey-a-unbiased downey-a-exact-unbiased downey-b-unbiased downey-n32-unbiased downey-benefactors-unbiased "+
		"simulated simulated-corrected estimates bmbp chebyshev qbets bmbp-authors chebyshev-one-sided"; got != want {
		t.Errorf("predictors %s\nwant       %s", got, want)
	}
	// No estimate is below its run time, so that they bound every wait.
	if s := at["estimates"]; s.Coverage != 1 || s.Jobs != 400 || s.Waits != "simulated-fcfs" {
		t.Errorf("estimates: %+v", s)
	}
	// All waits are 60 s: the bound is 60 s, and its ratio to the wait 1.
	for _, name := range []string{"bmbp", "chebyshev", "qbets", "bmbp-authors"} {
		if s := at[name]; s.Coverage != 1 || s.TightnessMedian != 1 || s.AbsoluteErrorMean != 0 || s.Jobs != 360 {
			t.Errorf("%s: %+v", name, s)
		}
	}
	for _, s := range r.Scores {
		sum := map[string]int{}
		for _, p := range s.Parts {
			sum[p.By] += p.Jobs
		}
		if sum["site"] != s.Jobs || sum["month"] != s.Jobs || sum["burst"] != s.Jobs {
			t.Errorf("%s: %d jobs, by parts %v", s.Predictor, s.Jobs, sum)
		}
	}
	if n := r.Needed; n == nil || n.Jobs != at["downey-b"].Jobs || n.WithoutBenefactor != n.Jobs-at["downey-a"].Predicted {
		t.Errorf("needed %+v, downey-a predicts %d of %d", n, at["downey-a"].Predicted, at["downey-a"].Jobs)
	}
	if r.Threshold == nil || len(r.Threshold.Ranges) != 8 || float64(r.Threshold.CorrelationLog) < float64(at["downey-n32"].CorrelationLog)-1e-9 {
		t.Errorf("threshold %+v is below n32's %v", r.Threshold, at["downey-n32"].CorrelationLog)
	}
	if got := loadstone(t, "", "predict", log, "--by", "burst", "-q"); got.code != exitDone || !strings.Contains(got.out, "burst in a burst") {
		t.Errorf("exit code %d, %s\n%s", got.code, got.err, got.out)
	}
}

// Parts of a log have the scores of the whole, whose pinball loss is the mean of the
// parts' weighted by their predictions.
func TestPredictPartsHaveTheScoresOfTheWhole(t *testing.T) {
	n := 0
	log := writeLog(t, regexp.MustCompile(`(?m)^(\d+ \d+) 60 `).ReplaceAllStringFunc(mustRead(t, predictLog(t)), func(job string) string {
		n++
		return strings.TrimSuffix(job, "60 ") + fmt.Sprintf("%d ", 30+n*n%7*50)
	}))
	args := []string{"predict", log, "--by", "site", "--predictors", "bmbp,chebyshev"}
	var r evaluate.WaitsResult
	decode(t, &r, args...)
	for _, s := range r.Scores {
		var loss, predicted float64
		for _, p := range s.Parts {
			loss += float64(p.QuantileLoss) * float64(p.Predicted)
			predicted += float64(p.Predicted)
		}
		if len(s.Parts) != 2 || !(s.QuantileLoss > 0) || math.Abs(loss/predicted-float64(s.QuantileLoss)) > 1e-9 {
			t.Errorf("%s: %g of %d parts, want %g", s.Predictor, loss/predicted, len(s.Parts), s.QuantileLoss)
		}
	}
	got := loadstone(t, "", append(args, "-q")...)
	for _, head := range []string{`predictor +jobs +predicted`, `part +predictor +jobs +predicted`} {
		if !regexp.MustCompile(`(?m)^` + head + ` +covered +pinball loss +median bound$`).MatchString(got.out) {
			t.Errorf("want the columns %s, covered, pinball loss, median bound:\n%s", head, got.out)
		}
	}
}

// In hindsight and from the interval before: the first month has nothing to be
// predicted from.
func TestPredictPrevious(t *testing.T) {
	log := predictLog(t)
	jobs := func(args ...string) int {
		var r evaluate.WaitsResult
		decode(t, &r, append([]string{"predict", log, "--predictors", "downey-b"}, args...)...)
		if len(args) > 0 && (r.Parameters != "previous" || r.Lifetimes != nil) {
			t.Errorf("%+v", r)
		}
		return r.Scores[0].Jobs
	}
	if all, later := jobs(), jobs("--months", "1"); later != 0 || all == 0 {
		t.Errorf("%d heads in 20 days of January, %d of them after January", all, later)
	}
}

// Correlations with the laws of the month before stand next to those of the same month:
// the log begins on 22 January.
func TestPredictMonths(t *testing.T) {
	log := writeLog(t, strings.Replace(mustRead(t, predictLog(t)), "820454400", "822268800", 1))
	args := []string{"predict", log, "--predictors", "downey-b,bmbp", "--months", "1"}
	var r evaluate.WaitsResult
	decode(t, &r, args...)
	s := r.Scores[0]
	if r.Months != 1 || s.Jobs < 50 || s.SameCorrelationLog == nil || s.CorrelationLogLoss == nil ||
		!near(*s.CorrelationLogLoss, float64(*s.SameCorrelationLog-s.CorrelationLog)) {
		t.Errorf("%+v", r)
	}
	if r.Scores[1].SameCorrelationLog != nil {
		t.Errorf("bmbp has another interval's: %+v", r.Scores[1])
	}
	got := loadstone(t, "", append(args, "-q")...)
	if !strings.Contains(got.out, "same interval   loss\n") || !strings.Contains(got.out, view.Fixed(float64(*s.CorrelationLogLoss), 3)) {
		t.Errorf("no loss in\n%s", got.out)
	}
}

func TestPredictWithoutEstimates(t *testing.T) {
	log := predictLogOf(t, false)
	got := loadstone(t, "", "predict", log, "--predictors", "estimates,simulated")
	if got.code != exitDone || !strings.Contains(got.err, "estimates left out") || strings.Contains(got.out, "estimates") {
		t.Errorf("exit code %d, %s\n%s", got.code, got.err, got.out)
	}
	var r evaluate.WaitsResult
	decode(t, &r, "predict", log, "--predictors", "estimates", "--estimate-factor", "5")
	if len(r.Scores) != 1 || r.Scores[0].Coverage != 1 || r.Scores[0].Predicted != 400 {
		t.Errorf("estimates drawn: %+v", r.Scores)
	}
}

func TestPredictUsage(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--classes", "run_time"}, `"run_time": want one or more of all, user`},
		{[]string{"--classes", "used_memory_kb"}, `"used_memory_kb": want one or more of all, user`},
		{[]string{"--classes", "queue_id,size,user_id,group_id,partition_id"}, "at most 4"},
		{[]string{"--groups", "queue_id,size,user_id,group_id,partition_id"}, "at most 4"},
		{[]string{"--months", "5"}, "--months 5: want 0, 1, 2, 3, 4, 6 or 12"},
		{[]string{"--estimate-factor", "0.5"}, "--estimate-factor 0.5"},
	} {
		got := loadstone(t, "", append([]string{"predict", "a"}, c.args...)...)
		if got.code != exitUsage || !strings.Contains(got.err, c.want) {
			t.Errorf("%v: exit code %d, %q, want %q", c.args, got.code, got.err, c.want)
		}
	}
}
