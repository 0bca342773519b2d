package cli

import (
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/score"
)

// runtimeLog is a log whose scores are worked out by hand: one job an hour of
// user 1, who runs 100, 200, 200 and 100 s, and two of user 2 between them.
const runtimeLog = `; MaxProcs: 4
; UnixStartTime: 978307200
; TimeZoneString: UTC
1 0 0 100 1 -1 -1 1 400 -1 1 1 1 -1 0 1 -1 -1
2 1800 0 50 1 -1 -1 1 60 -1 1 2 1 -1 1 2 -1 -1
3 3600 0 200 1 -1 -1 1 400 -1 1 1 1 -1 0 1 -1 -1
4 5400 0 50 1 -1 -1 1 60 -1 1 2 1 -1 1 2 -1 -1
5 7200 0 200 1 -1 -1 1 400 -1 1 1 1 -1 0 1 -1 -1
6 10800 0 100 1 -1 -1 1 400 -1 1 1 1 -1 0 1 -1 -1
`

// Without --predictors the users' estimates are scored too, once: of tiny they are 200, 60,
// 10 and 20 s for 100, 50, 10 and 20 s. A log without estimates has no such score, and no
// fewer common jobs for it.
func TestRuntimeScoresTheUsersEstimates(t *testing.T) {
	var r evaluate.RunTimesResult
	decode(t, &r, "runtime", writeLog(t, tiny), "--classes", "user")
	n := len(r.Scores)
	if n != 6 || r.Scores[n-1].Label() != "estimate,all" || r.Scores[n-1].Predicted != 4 || !near(r.Scores[n-1].AccuracyMean, (0.5+5.0/6+1+1)/4) {
		t.Errorf("scores %+v", r.Scores)
	}
	without := writeLog(t, growingLog(4))
	var bare evaluate.RunTimesResult
	decode(t, &bare, "runtime", without, "--classes", "user")
	if len(bare.Scores) != 5 || bare.Scores[0].CommonJobs != 4*11 || len(bare.LeftOut) != 0 {
		t.Errorf("without estimates: scores %+v, left out %v", bare.Scores, bare.LeftOut)
	}
	got := loadstone(t, "", "runtime", without, "--classes", "user", "--require", "accuracy(estimate,all)>=0.1")
	if got.code != exitThreshold || !strings.Contains(got.err, "no job has an estimate of its run time") {
		t.Errorf("exit code %d, %s", got.code, got.err)
	}
	got = loadstone(t, "", "runtime", writeLog(t, tiny), "--predictors", "last", "--classes", "user", "--format", "csv")
	if strings.Contains(got.out, "estimate,") {
		t.Errorf("--predictors last:\n%s", got.out)
	}
}

func TestRuntimeScores(t *testing.T) {
	log := writeLog(t, runtimeLog)
	var r evaluate.RunTimesResult
	decode(t, &r, "runtime", log, "--classes", "user,user+queue,all", "--predictors", "last,estimate", "--fallback", "user,all,estimate", "--against", "last,user")
	if r.Schema != "loadstone.runtime-scores/1" || r.Log.Jobs != 6 || len(r.Scores) != 8 {
		t.Fatalf("%s, %d jobs, %d scores", r.Schema, r.Log.Jobs, len(r.Scores))
	}
	of := func(classes, predictor string) evaluate.RunTimeScore {
		i := slices.IndexFunc(r.Scores, func(s evaluate.RunTimeScore) bool { return s.Classes == classes && s.Predictor == predictor })
		if i < 0 {
			t.Fatalf("no score of %s under %s", predictor, classes)
		}
		return r.Scores[i]
	}
	// Last says 100, 200 and 200 for 200, 200 and 100 s, and 50 for 50.
	for _, classes := range []string{"user", "user+queue"} {
		s := of(classes, "last")
		if s.Predicted != 4 || s.AccuracyMean != 0.75 || s.AbsoluteErrorMean != 50 || s.Bias != 0 || s.UnderPct != 25 || s.PerfectPct != 50 || s.OverPct != 25 ||
			s.RelativeErrorMean != 0.375 || !near(s.LogErrorMean, math.Ln2/2) || !near(s.LogBias, 0) || s.DifferenceJobs != 4 || s.Difference != 0 {
			t.Errorf("%s: %+v", classes, s)
		}
	}
	// All jobs in one class: 100, 50, 200, 50 and 200 for 50, 200, 50, 200, 100.
	if s := of("all", "last"); s.Predicted != 5 || s.AccuracyMean != 0.35 || s.DifferenceJobs != 4 || !near(s.Difference, (0.25+0.25+0.25+0.5)/4-0.75) {
		t.Errorf("all: %+v", s)
	}
	// The chain: as user, but the first jobs have 400 (the estimate) for 100, and 100 for 50.
	if s := of("fallback", "last"); s.Predicted != 6 || s.Coverage != 1 || !near(s.AccuracyMean, (0.25+0.5+4*0.75)/6) {
		t.Errorf("fallback: %+v", s)
	}
	if s := of("user", "estimate"); s.Predicted != 6 || !near(s.AccuracyMean, (0.25+5./6+0.5+5./6+0.5+0.25)/6) {
		t.Errorf("estimate: %+v", s)
	}
	if b := r.Best[0]; b.Classes != "user" || b.Predictor != "last" || b.Among != "all" || r.Bootstrap.Users != 2 || r.Bootstrap.AgainstPredictor != "last" {
		t.Errorf("best %+v, bootstrap %+v", b, r.Bootstrap)
	}
	if c := r.Curves[0]; len(c.Accuracy) != 101 || c.Accuracy[50] != (score.Share{Value: 0.5, AtMost: 0.5}) || c.Accuracy[100] != (score.Share{Value: 1, AtMost: 1}) || c.Method != "exact" {
		t.Errorf("distribution %+v", c)
	}
}

// On a log of one site, user-site are the classes of user, and with one size and application
// the finest are too: the table has one of them, a line names the others, and the best
// predictor is named once. JSON has all.
func TestRuntimeShowsEqualClassesOnce(t *testing.T) {
	log := writeLog(t, strings.ReplaceAll(runtimeLog, " 2 -1 -1\n", " 1 -1 -1\n"))
	got := loadstone(t, "", "runtime", log, "--predictors", "last,rm")
	if got.code != exitDone || !strings.Contains(got.out, "\nuser ") || strings.Contains(got.out, "\nuser-") || strings.Count(got.out, "\nbest") != 1 ||
		!strings.Contains(got.out, "\nnot shown: classes with the same scores as user on this log (user-site, user-app-size-site)\n") {
		t.Errorf("%s%s", got.out, got.err)
	}
	var r evaluate.RunTimesResult
	decode(t, &r, "runtime", log, "--predictors", "last,rm")
	if len(r.Scores) != 8 || len(r.Best) != 3 {
		t.Errorf("%d scores, %d best", len(r.Scores), len(r.Best))
	}
}

// Scores of fewer than 100 jobs come with a warning, whoever predicts. The first tenth of 96
// waits is for learning.
func TestFewScoredJobsWarn(t *testing.T) {
	few, enough := writeLog(t, growingLog(8)), writeLog(t, growingLog(10))
	mine := filepath.Join(t.TempDir(), "mine.csv")
	for _, c := range []struct {
		want string
		args []string
	}{
		{"few run times are scored (96): with more jobs the scores may differ much (want 100 or more) (few-jobs)", []string{"runtime", few, "--classes", "user", "--predictions", mine}},
		{"few run times are scored (96)", []string{"score", few, mine}},
		{"few waits in the log are scored (87)", []string{"predict", few, "--predictors", "bmbp"}},
		{"", []string{"runtime", enough, "--classes", "user"}},
		{"", []string{"predict", enough, "--predictors", "bmbp"}},
	} {
		got := loadstone(t, "", c.args...)
		if got.code != exitDone || !strings.Contains(got.err, c.want) || c.want == "" && strings.Contains(got.err, "few-jobs") {
			t.Errorf("%q: exit code %d, %s, want %q", c.args, got.code, got.err, c.want)
		}
	}
	// The kind of waits with the fewest jobs is named.
	if got := loadstone(t, "", "predict", writeLog(t, tiny)); !strings.Contains(got.err, "at the head of the simulated queue are scored (") {
		t.Error(got.err)
	}
}

func TestRuntimeFallbackChains(t *testing.T) {
	log := writeLog(t, runtimeLog)
	for chain, want := range map[string][]string{
		"default":              {"user-app-size-site", "user-site", "user", "site"},
		"default,all,estimate": {"user-app-size-site", "user-site", "user", "site", "all", "estimate"},
		"user+queue":           {"user+queue"},
	} {
		var r evaluate.RunTimesResult
		decode(t, &r, "runtime", log, "--fallback", chain)
		last := r.Scores[len(r.Scores)-1]
		if !slices.Equal(r.Fallback, want) || len(r.Scores) != 26 || last.Classes != "fallback" {
			t.Errorf("%s: chain %q, %d scores, the last of %s", chain, r.Fallback, len(r.Scores), last.Classes)
		}
		if strings.HasSuffix(chain, "estimate") != (last.Coverage == 1) {
			t.Errorf("%s: coverage %g", chain, float64(last.Coverage))
		}
	}
}

func TestRuntimeParts(t *testing.T) {
	log := writeLog(t, runtimeLog)
	var r evaluate.RunTimesResult
	decode(t, &r, "runtime", log, "--classes", "user", "--predictors", "last,rm", "--by", "length,site,month")
	var got []string
	for _, p := range r.Parts {
		got = append(got, fmt.Sprintf("%s %s %d %s %g", p.By, p.Part, p.Jobs, p.Best.Predictor, float64(p.Scores[0].AccuracyMean)))
	}
	want := []string{"length short 6 last 0.75", "site 1 4 last 0.6666666666666666", "site 2 2 last 1", "month 2001-01 6 last 0.75"}
	if !slices.Equal(got, want) {
		t.Errorf("parts %q, want %q", got, want)
	}
	undated := writeLog(t, strings.ReplaceAll(runtimeLog, "; UnixStartTime: 978307200\n", ""))
	decode(t, &r, "runtime", undated, "--classes", "user", "--by", "month")
	if r.Parts[len(r.Parts)-1].Part != "days 0-29" {
		t.Errorf("part %q of a log without a date", r.Parts[len(r.Parts)-1].Part)
	}
	out := loadstone(t, "", "runtime", log, "-q", "--by", "site")
	if !strings.Contains(out.out, "\nsite  jobs  best classes") {
		t.Errorf("no table by site in\n%s", out.out)
	}
}

// TestRuntimeLeavesClassesOut: classes of a column that the log lacks are left
// out with a reason, and the others go on.
func TestRuntimeLeavesClassesOut(t *testing.T) {
	nobody := writeLog(t, "1 0 0 100 1 -1 -1 1 -1 -1 1 -1 1 -1 -1 1 -1 -1\n2 500 0 100 1 -1 -1 1 -1 -1 1 -1 1 -1 -1 1 -1 -1\n")
	var r evaluate.RunTimesResult
	decode(t, &r, "runtime", nobody, "--classes", "site,user,user-site,user-app-size-site,queue,size,size+application", "--predictors", "last")
	var kept, left []string
	for _, s := range r.Scores {
		kept = append(kept, s.Classes)
	}
	for _, l := range r.LeftOut {
		left = append(left, l.Classes+": "+l.Why)
	}
	if want := "site size"; strings.Join(kept, " ") != want {
		t.Errorf("scored %q, want %s", kept, want)
	}
	want := []string{"user: no job has the user", "user-site: no job has the user", "user-app-size-site: no job has the user",
		"queue: no job has the queue", "size+application: no job has the application"}
	if !slices.Equal(left, want) {
		t.Errorf("left out %q, want %q", left, want)
	}
	got := loadstone(t, "", "runtime", nobody, "--classes", "site,queue")
	if got.code != exitDone || !strings.Contains(got.err, "classes queue are left out: no job has the queue") {
		t.Errorf("exit code %d, %s", got.code, got.err)
	}
	if got := loadstone(t, "", "runtime", nobody, "--classes", "user"); got.code != exitFailed || !strings.Contains(got.err, "no classes are left") || got.out != "" {
		t.Errorf("exit code %d, %s", got.code, got.err)
	}
	if got := loadstone(t, "", "runtime", nobody, "--classes", "site,user", "--require", "accuracy(last,user)>=0"); got.code != exitThreshold || !strings.Contains(got.err, "left out") {
		t.Errorf("exit code %d, %s", got.code, got.err)
	}
}

func TestRuntimeBadOptions(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--alpha", "-0.1"}, "--alpha -0.1: want 0 to 1"},
		{[]string{"--alpha", "1.1"}, "--alpha 1.1: want 0 to 1"},
		{[]string{"--alpha", "NaN"}, "--alpha NaN"},
		{[]string{"--neighbours", "0"}, "--neighbours 0"},
		{[]string{"--quantile", "1"}, "--quantile 1"},
		{[]string{"--quantile", "0.9999", "--predictors", "quantile"}, "want a pair that takes at most 1000"},
		{[]string{"--confidence", "0"}, "--confidence 0"},
		{[]string{"--replicates", "-1"}, "--replicates -1"},
		{[]string{"--classes", "user+shoe"}, `"shoe": want one or more of all, user, group, application, queue, partition, gpu_type, account, qos, processors, estimate, memory, requested_nodes, requested_gpus, gpu_share, memory_total, size, nodes, gpus, kind, class; an amount can have ranges, such as size:4:16:64; or one of site, user, user-site`},
		{[]string{"--fallback", "user,user+shoe"}, `"shoe": want one or more of`},
		{[]string{"--against", "last2"}, "want a predictor and classes"},
		{[]string{"--against", "knn,user"}, `instead of "knn": es, rm`},
		{[]string{"--predictions", "p.xlsx"}, ".csv, .parquet or .arrow"},
		{[]string{"--require", "accuracy>=0.5"}, "such as 'accuracy(last2,user)>=0.48'"},
		{[]string{"--require", "beauty(last2,user)>=0.5"}, `"beauty" is none of jobs, predicted, coverage`},
		{[]string{"--require", "accuracy(last2,user)>=much"}, `saw the limit "much"`},
		{[]string{"--require", "accuracy(last3,user)>=0"}, `instead of "last3": es, rm, sm, last, last2`},
		{[]string{"--require", "accuracy(last2,queue)>=0"}, `instead of "queue": site, user`},
		{[]string{"--require", "accuracy(last2,user)=0.5"}, "such as"},
	} {
		got := loadstone(t, "", append([]string{"runtime", "a"}, c.args...)...)
		if got.code != exitUsage || got.out != "" || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: exit code %d, output %q, error %q; want %d, none and %q", c.args, got.code, got.out, got.err, exitUsage, c.want)
		}
	}
}

// TestRuntimeQuantileOfKernel: kernel reads --quantile.
func TestRuntimeQuantileOfKernel(t *testing.T) {
	got := loadstone(t, "", "runtime", writeLog(t, tiny), "-q", "--predictors", "kernel", "--quantile", "0.9", "--format", "json")
	if got.code != exitDone || !strings.Contains(got.out, `"quantile": 0.9`) {
		t.Errorf("exit code %d, %s", got.code, got.err)
	}
}

// TestRuntimeOrder: a log out of order is put in order.
func TestRuntimeOrder(t *testing.T) {
	all := lines(runtimeLog)
	all[3], all[8] = all[8], all[3]
	sorted := loadstone(t, "", "runtime", writeLog(t, runtimeLog), "--format", "csv", "-q")
	got := loadstone(t, "", "runtime", writeLog(t, strings.Join(all, "\n")+"\n"), "--format", "csv")
	if got.code != exitDone || got.out != sorted.out || !strings.Contains(got.err, "jobs put in order") {
		t.Errorf("exit code %d, %s\n%s\nwant\n%s", got.code, got.err, got.out, sorted.out)
	}
}

func TestRuntimePredictions(t *testing.T) {
	log, dir := writeLog(t, runtimeLog), t.TempDir()
	path := filepath.Join(dir, "p.csv")
	if got := loadstone(t, "", "runtime", log, "-q", "--classes", "user", "--predictors", "last", "--predictions", path); got.code != exitDone {
		t.Fatal(got.err)
	}
	want := "job_id,classes,predictor,predicted_s,actual_s,history_n\n3,user,last,100,200,1\n4,user,last,50,50,1\n5,user,last,200,200,1\n6,user,last,200,100,1\n"
	if got := mustRead(t, path); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	// Parquet and Arrow are read back in package workload.
	for name, magic := range map[string]string{"p.parquet": "PAR1", "p.arrow": "ARROW1"} {
		path := filepath.Join(dir, name)
		if got := loadstone(t, "", "runtime", log, "-q", "--predictions", path); got.code != exitDone || !strings.HasPrefix(mustRead(t, path), magic) {
			t.Errorf("%s: exit code %d, %s", name, got.code, got.err)
		}
	}
}

// A picture with bars of user-site says of a log without sites that they are
// those of user.
func TestRuntimePlotsSayWhatIsNotApart(t *testing.T) {
	sites := strings.NewReplacer(" 0 1 -1 -1\n", " 0 -1 -1 -1\n", " 1 2 -1 -1\n", " 1 -1 -1 -1\n")
	applications := strings.NewReplacer(" -1 0 1 -1 -1\n", " 5 0 1 -1 -1\n", " -1 1 2 -1 -1\n", " 5 1 2 -1 -1\n")
	for _, c := range []struct{ log, want string }{
		{runtimeLog, ">(no applications in the log)<"},
		{sites.Replace(runtimeLog), ">(no applications and no sites in the log)<"},
		{applications.Replace(runtimeLog), ">classes of jobs<"},
	} {
		dir := filepath.Join(t.TempDir(), "plots")
		if got := loadstone(t, "", "runtime", writeLog(t, c.log), "-q", "--plots", dir); got.code != exitDone {
			t.Fatal(got.err)
		}
		text := mustRead(t, filepath.Join(dir, "run-time-accuracy.svg"))
		if !strings.Contains(text, c.want) || !strings.Contains(text, ">classes of jobs<") || strings.Contains(text, "apart") != strings.Contains(c.want, "apart") {
			t.Errorf("the picture lacks %q, or says more", c.want)
		}
	}
}

// TestRuntimeThresholds: the result is there, and the exit code is 3.
func TestRuntimeThresholds(t *testing.T) {
	log, dir := writeLog(t, runtimeLog), t.TempDir()
	run := func(args ...string) outcome {
		return loadstone(t, "", append([]string{"runtime", log, "-q", "--classes", "user", "--predictors", "last,rm"}, args...)...)
	}
	for text, code := range map[string]int{
		"accuracy(last,user)>=0.75": exitDone, "accuracy( last , user ) > 0.75": exitThreshold, "accuracy(last,user)<0.75": exitThreshold,
		"accuracy(last,user)<=0.75": exitDone, "coverage(rm,user)>=0.6": exitDone, "absolute_error_mean_s(last,user)<=49.9": exitThreshold, "under_pct(last,user)<=25": exitDone,
	} {
		out := filepath.Join(dir, strconv.Itoa(len(files(t, dir)))+".csv")
		got := run("--require", "coverage(last,user)>0", "--require", text, "--predictions", out)
		if got.code != code || got.out == "" || !strings.HasPrefix(mustRead(t, out), "job_id") || (code != exitDone) != strings.Contains(got.err, text) {
			t.Errorf("%s: exit code %d, want %d; %s", text, got.code, code, got.err)
		}
	}
	// Nothing is predicted of one job: no score, and nothing met.
	one := writeLog(t, "1 0 0 100 1 -1 -1 1 -1 -1 1 1 1 -1 -1 1 -1 -1\n")
	if got := loadstone(t, "", "runtime", one, "-q", "--require", "accuracy(last,user)<=1"); got.code != exitThreshold || !strings.Contains(got.err, "nothing was predicted") {
		t.Errorf("exit code %d, %s", got.code, got.err)
	}
}

// TestRuntimeManualThreshold runs the manual's example of a threshold that is
// not met, which its own test cannot.
func TestRuntimeManualThreshold(t *testing.T) {
	text := mustRead(t, "../../../docs/guides/ci-and-cron.md")
	example := regexp.MustCompile(`(?m)^    \$ loadstone (runtime .*); echo \$\?\n    (.*)\n    3$`).FindStringSubmatch(text)
	if example == nil {
		t.Fatal("no example in docs/guides/ci-and-cron.md")
	}
	t.Chdir(t.TempDir())
	if got := loadstone(t, "", shellWords("generate --model lublin1999-batch --jobs 2000 --seed 5 -o batch.swf")...); got.code != exitDone {
		t.Fatal(got.err)
	}
	if got := loadstone(t, "", shellWords(example[1])...); got.code != exitThreshold || got.out != "" || got.err != example[2]+"\n" {
		t.Errorf("exit code %d, %q\nwant 3 and\n%q", got.code, got.err, example[2])
	}
}

// TestOneScoreHasNoDifference: a lone predictor has none to differ from.
func TestOneScoreHasNoDifference(t *testing.T) {
	text := ""
	for i := range 8 {
		text += fmt.Sprintf("%d %d 0 %d 1 -1 -1 1 -1 -1 1 %d 1 1 1 1 -1 -1\n", i+1, 1000*i, 100+i, i%2)
	}
	args := []string{"runtime", writeLog(t, text), "--classes", "all", "--predictors"}
	two, one := loadstone(t, "", append(args, "last2,last")...), loadstone(t, "", append(args, "last2")...)
	for _, got := range []outcome{one, two} {
		if got.code != exitDone || !strings.Contains(got.out, "95% interval") {
			t.Fatalf("exit code %d, %q %q", got.code, got.out, got.err)
		}
	}
	if !strings.Contains(two.out, "minus last2,all") || strings.Contains(one.out, "minus last2,all") {
		t.Errorf("%s%s", two.out, one.out)
	}
}
