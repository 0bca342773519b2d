package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/evaluate"
)

// TestPredictPlotsOfNothing: what has nothing to show is left out with a note, and
// the result is written.
func TestPredictPlotsOfNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "plots")
	// One job does not wait, and has no history for a bound.
	log := writeLog(t, "; MaxProcs: 10\n1 0 0 100 1 -1 -1 1 200 -1 1 1 1 -1 0 1 -1 -1\n")
	got := loadstone(t, "", "predict", log, "--plots", dir, "--predictors", "simulated,bmbp")
	if _, err := os.Stat(dir); got.code != exitDone || got.out == "" || !os.IsNotExist(err) {
		t.Errorf("exit code %d, folder of no pictures: %v\n%s", got.code, err, got.err)
	}
	for _, want := range []string{
		"wait-scatter-simulated.svg: not drawn: nothing was predicted", "wait-scatter-bmbp.svg: not drawn: nothing was predicted",
		"wait-coverage.svg: not drawn: the log is shorter than ten days",
		"wait-burst.svg: not drawn: no user's jobs", "wait-burst-simulated.svg: not drawn: no user's jobs",
	} {
		if !strings.Contains(got.err, want) {
			t.Errorf("no %q in\n%s", want, got.err)
		}
	}
	if strings.Contains(got.out, "NaN") {
		t.Errorf("NaN in\n%s", got.out)
	}
}

// TestPredictWithoutUsers: what a log without users cannot have is told.
func TestPredictWithoutUsers(t *testing.T) {
	text := regexp.MustCompile(`(?m)^((?:\S+ ){11})\d+ `).ReplaceAllString(mustRead(t, predictLog(t)), "${1}-1 ")
	got := loadstone(t, "", "predict", writeLog(t, text), "--by", "burst", "--classes", "user_id", "--groups", "user_id", "--plots", filepath.Join(t.TempDir(), "plots"))
	for _, want := range []string{
		"no job has a user: the simulated predictors treat all jobs as those of one user when they predict run times",
		"no job has a user: no job is in a burst", "no job has a user_id: all jobs are one class",
		"wait-burst.svg: not drawn: no user's jobs",
	} {
		if !strings.Contains(got.err, want) {
			t.Errorf("no %q in\n%s", want, got.err)
		}
	}
	if got.code != exitDone || strings.Contains(got.out, "NaN") || strings.Contains(got.out, "burst in a burst") {
		t.Errorf("exit code %d\n%s", got.code, got.out)
	}
	if got := loadstone(t, "", "predict", predictLog(t), "--by", "burst"); strings.Contains(got.err, "user") {
		t.Errorf("a log with users: %s", got.err)
	}
}

// TestPredictWithoutColumns: a column of groups that no job has is a warning.
func TestPredictWithoutColumns(t *testing.T) {
	got := loadstone(t, "", "predict", predictLog(t), "--predictors", "bmbp,conformal", "--groups", "user,gpu_type")
	if want := "no job has a gpu_type_id: the classes are those of the other columns (no-class)"; !strings.Contains(got.err, want) {
		t.Errorf("no %q in\n%s", want, got.err)
	}
	if got.code != exitDone || strings.Contains(got.err, "no job has a user") {
		t.Errorf("exit code %d\n%s", got.code, got.err)
	}
}

// TestPredictWithoutAnyWaits: pipelines that simulate run, and JSON has no score
// of those that cannot.
func TestPredictWithoutAnyWaits(t *testing.T) {
	log := writeLog(t, waitless(t))
	got := loadstone(t, "", "predict", log, "--format", "json", "--predictors", "downey-b,bmbp,chebyshev")
	if got.code != exitDone || !strings.Contains(got.err, "no job has a known wait: bmbp and chebyshev left out; 'loadstone simulate'") || strings.Contains(got.out, `"predictor": "bmbp"`) {
		t.Errorf("exit code %d, %s", got.code, got.err)
	}
	if got := loadstone(t, "", "predict", log, "--predictors", "bmbp"); got.code != exitFailed || got.out != "" || !strings.Contains(got.err, "no job has a known wait: 'loadstone simulate'") {
		t.Errorf("exit code %d, %s", got.code, got.err)
	}
}

// TestPredictSizes: jobs larger than the machine are left out of the simulated
// queue and counted; where all are, nothing is predicted.
func TestPredictSizes(t *testing.T) {
	log := predictLog(t) // of 1 to 8 processors, 50 jobs each
	for _, predictors := range []string{"downey-b", "estimates", "downey-b,estimates"} {
		var r evaluate.WaitsResult
		decode(t, &r, "predict", log, "--procs", "6", "--predictors", predictors)
		if s := r.Scores[len(r.Scores)-1]; s.Predictor == "estimates" && s.Jobs != 300 {
			t.Errorf("%s: %d jobs, want 300", predictors, s.Jobs)
		}
		got := loadstone(t, "", "predict", log, "--procs", "6", "--predictors", predictors)
		if n := strings.Count(got.err, "larger than the machine; 100 times, first: "); got.code != exitDone || n != 1 {
			t.Errorf("%s: exit code %d, told %d times\n%s", predictors, got.code, n, got.err)
		}
	}
	big := writeLog(t, "; MaxProcs: 4\n1 0 0 100 8 -1 -1 8 200 -1 1 1 1 -1 0 1 -1 -1\n2 50 0 100 8 -1 -1 8 200 -1 1 1 1 -1 0 1 -1 -1\n")
	for _, predictor := range []string{"downey-b", "simulated"} {
		got := loadstone(t, "", "predict", big, "--predictors", predictor)
		if got.code != exitFailed || got.out != "" || !strings.Contains(got.err, "no job") {
			t.Errorf("%s: exit code %d, %s\n%s", predictor, got.code, got.err, got.out)
		}
	}
}

// TestPredictBogusWaits: jobs that the log's waits have run side by side do not fit
// on the machine. On 10 processors 4 and 8 are too many, and 4 that begin as 8 end
// are not.
func TestPredictBogusWaits(t *testing.T) {
	const job = "%d %d %d 100 %d -1 -1 %d 200 -1 1 1 1 -1 0 1 -1 -1\n"
	write := func(second int) string {
		text := "; MaxProcs: 10\n" + fmt.Sprintf(job, 1, 0, 0, 8, 8) + fmt.Sprintf(job, 2, 50, second, 4, 4) + fmt.Sprintf(job, 3, 60, 1000, 4, 4)
		return writeLog(t, text)
	}
	const want = "the waits in the log cannot all be right: at 1 starts more processors are busy than the machine's 10, at most 12;"
	for wait, bogus := range map[int]bool{49: true, 50: false, -1: false} {
		got := loadstone(t, "", "predict", write(wait), "--predictors", "bmbp")
		if got.code != exitDone || strings.Contains(got.err, want) != bogus {
			t.Errorf("wait %d: exit code %d, %s", wait, got.code, got.err)
		}
	}
	if got := loadstone(t, "", "predict", write(49), "--predictors", "bmbp", "--procs", "12"); strings.Contains(got.err, "cannot all be right") {
		t.Errorf("on 12 processors: %s", got.err)
	}
	if got := loadstone(t, "", "predict", write(49), "--predictors", "estimates"); strings.Contains(got.err, "cannot all be right") {
		t.Errorf("without bounds: %s", got.err)
	}
}

// A predictor that predicts nothing says why; nothing to score is an error.
func TestPredictSilence(t *testing.T) {
	log := filepath.Join(t.TempDir(), "waits.swf")
	if got := loadstone(t, "", "simulate", generated(t), "-o", log); got.code != exitDone {
		t.Fatal(got.err)
	}
	got := loadstone(t, "", "predict", log, "--predictors", "bmbp", "--quantile", "0.999999")
	if got.code != exitDone || !strings.Contains(got.err, "bmbp predicted nothing: no group had enough waits") || strings.Contains(got.out, "- min") {
		t.Errorf("%d %s%s", got.code, got.out, got.err)
	}
	got = loadstone(t, "", "predict", log, "--predictors", "downey-a", "--sites", "all", "--procs", "100")
	if got.code != exitFailed || !strings.Contains(got.err, "none of the predictors that were asked for could be scored") {
		t.Errorf("%d %s%s", got.code, got.out, got.err)
	}
	damaged := filepath.Join(t.TempDir(), "b.json")
	if err := os.WriteFile(damaged, []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{damaged: "saw text that is no JSON, or not all of it", filepath.Join(damaged, "x"): "not a directory"} {
		if got := loadstone(t, "", "predict", log, "--predictors", "bmbp", "--baseline", path); got.code == exitDone || !strings.Contains(got.err, want) || strings.Contains(got.err, "open ") {
			t.Errorf("%s: %d %s", path, got.code, got.err)
		}
	}
}

// TestPredictWithoutALaw: run times that determine no law leave Downey's
// predictors out, and the others have their scores; alone they are an error.
func TestPredictWithoutALaw(t *testing.T) {
	var b strings.Builder
	b.WriteString("; MaxProcs: 10\n")
	for i := range 200 {
		fmt.Fprintf(&b, "%d %d %d 100 4 -1 -1 4 200 -1 1 1 1 1 1 1 -1 -1\n", i+1, 50*i, i%7)
	}
	log := writeLog(t, b.String())
	got := loadstone(t, "", "predict", log, "--predictors", "downey-a,downey-b,simulated,bmbp")
	for _, want := range []string{"1 distinct value can be used", ": downey-a, downey-b left out", "simulated predicted nothing: no job waits under this policy"} {
		if !strings.Contains(got.err, want) {
			t.Errorf("no %q in\n%s", want, got.err)
		}
	}
	if got.code != exitDone || !strings.Contains(got.out, "bmbp") || strings.Contains(got.out, "downey") {
		t.Errorf("exit code %d\n%s", got.code, got.out)
	}
	if got := loadstone(t, "", "predict", log, "--predictors", "downey-a"); got.code != exitFailed || !strings.Contains(got.err, "1 distinct value can be used") {
		t.Errorf("alone: exit code %d\n%s", got.code, got.err)
	}
	got = loadstone(t, "", "predict", log, "--predictors", "downey-a,bmbp", "--require", "accuracy(downey-a)>=0.1")
	if got.code != 3 || !strings.Contains(got.err, "downey-a is left out: ") {
		t.Errorf("required: exit code %d\n%s", got.code, got.err)
	}
}
