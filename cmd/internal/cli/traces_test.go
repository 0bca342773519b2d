package cli

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// trace returns the path of a real log, or skips the test.
func trace(t *testing.T, name string) string {
	t.Helper()
	return reallogs.Path(t, "swf/"+name)
}

// fitsJSON is what a program reads of a fit's stable form.
type fitsJSON struct {
	Schema   string             `json:"schema"`
	Log      workload.Summary   `json:"log"`
	Site     json.RawMessage    `json:"site"`
	Check    *model.Check       `json:"check"`
	Warnings []workload.Warning `json:"warnings"`
	Fits     []struct {
		Attribute     string             `json:"attribute"`
		Transform     string             `json:"transform"`
		By            string             `json:"by"`
		Family        string             `json:"family"`
		Method        string             `json:"method"`
		Parameters    map[string]float64 `json:"parameters"`
		N             int64              `json:"n"`
		LeftOut       []map[string]any   `json:"left_out"`
		LogLikelihood *float64           `json:"log_likelihood"`
		AIC           *float64           `json:"aic"`
		BIC           *float64           `json:"bic"`
		KS            struct {
			D          float64  `json:"d"`
			PValue     *float64 `json:"p_value"`
			Method     string   `json:"method"`
			Replicates int      `json:"replicates"`
		} `json:"ks"`
		InModel    bool     `json:"in_model"`
		Status     string   `json:"status"`
		Iterations int      `json:"iterations"`
		Warnings   []string `json:"warnings"`
	} `json:"fits"`
}

// The commands' numbers on a real log, against those of another program
// (SciPy 1.10, NumPy 1.24), the same that the libraries' tests use: this is
// about what the commands make of flags and headers.
func TestKTH(t *testing.T) {
	t.Parallel()
	path := trace(t, "KTH-SP2-1996-2.1-cln.swf.gz")

	var d inspect.Description
	decode(t, &d, "describe", path)
	run, size := d.Columns["run_time_s"], d.Columns["size_processors"]
	// Quartiles and mean of the 28,475 jobs with a size, from the same program.
	if run.Q25 != 35 || run.Median != 847 || run.Q75 != 9806 || size.Known != 28475 || !near(size.Mean, 7.657699736611062) {
		t.Errorf("run times %+v, sizes %+v", run, size)
	}

	var f fitsJSON
	// Each alone, and so to all the jobs that it can use.
	decode(t, &f, "fit", path, "--family", "uniform-log")
	line := f.Fits[0]
	decode(t, &f, "fit", path, "--family", "hyper-gamma")
	mixture := f.Fits[0]
	for _, c := range []struct {
		name           string
		got            float64
		want, at, most float64
	}{
		{"intercept", line.Parameters["intercept"], -0.11146, 1e-3, 1e-3},
		{"slope", line.Parameters["slope"], 0.09446, 1e-3, 1e-3},
		{"r_squared", line.Parameters["r_squared"], 0.98675, 1e-3, 1e-3},
		{"log-likelihood of seconds", *mixture.LogLikelihood, -249703.83, 0.5, math.Inf(1)},
		{"D", mixture.KS.D, 0.04246, math.Inf(1), 2e-3},
	} {
		if low, high := c.want-c.at, c.want+c.most; !(c.got >= low && c.got <= high) {
			t.Errorf("%s is %v, want %v to %v", c.name, c.got, low, high)
		}
	}
	if line.N != 28468 || mixture.N != 28273 || f.Log.Jobs != 28476 {
		t.Errorf("fits of %d and %d of %d jobs, want 28468 and 28273 of 28476", line.N, mixture.N, f.Log.Jobs)
	}
	if line.LogLikelihood != nil {
		t.Errorf("the log-likelihood of a distribution that 687 jobs lie outside of is %v, want null", *line.LogLikelihood)
	}

	var r evaluate.RunTimesResult
	decode(t, &r, "runtime", path)
	if len(r.Scores) != 21 { // five predictors by four classes, and the users' estimates
		t.Fatalf("%d scores, want 21", len(r.Scores))
	}
	for _, s := range r.Scores {
		if s.Classes == "user" && s.Predictor == "last2" && (math.Abs(float64(s.AccuracyMean)-0.48933) > 5e-4 || math.Abs(float64(s.Predicted-28192)) > 5) {
			t.Errorf("user, last2: %+v, want accuracy 0.48933 over 28192", s)
		}
	}
}
