package cli

import (
	goruntime "runtime"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/evaluate"
)

// What pipelines that run at once give and say, and what ends them, is what they
// do one after another.
func TestPredictPipelinesAtOnce(t *testing.T) {
	everything := []string{"--sample", "20", "--by", "site,month,burst", "--unbias",
		"--predictors", strings.Join(slices.DeleteFunc(evaluate.AllWaitPredictors(), func(name string) bool { return strings.HasPrefix(name, "chebyshev") || name == "bmbp-authors" }), ",")}
	larger := strings.Replace(mustRead(t, predictLog(t)), "; MaxProcs: 10\n", "; MaxProcs: 7\n", 1)
	faulty := strings.Replace(larger, "\n300 ", "\n300 x ", 1)
	for _, c := range []struct {
		name, log string
		args      []string
		code      int
		said      []string // in this order
	}{
		{"all", mustRead(t, predictLog(t)), everything, exitDone, nil},
		{"jobs larger than the machine, drawn estimates", larger, append([]string{"--estimate-factor", "3"}, everything...), exitDone,
			[]string{"cannot all be right", "larger than the machine; 50 times, first: "}},
		{"no waits", waitless(t), everything, exitDone,
			[]string{"no job has a known wait: bmbp and qbets and conformal and conformal-point left out"}},
		{"sites", mustRead(t, predictLogOf(t, false)), append([]string{"--sites", "all", "--procs", "8"}, everything...), exitDone,
			[]string{"Downey's predictors model a single machine", "no job has an estimate of its run time", "cannot all be right"}},
		{"no machine", strings.Replace(larger, "; MaxProcs: 7\n", "", 1), everything, exitFailed, []string{"--procs"}},
		{"a faulty line", faulty, everything, exitFailed, []string{"tiny.swf:"}},
		{"waits alone, and none", waitless(t), []string{"--predictors", "bmbp"}, exitFailed, []string{"no job has a known wait: 'loadstone simulate'"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			log := writeLog(t, c.log)
			on := func(cores int) outcome {
				defer goruntime.GOMAXPROCS(goruntime.GOMAXPROCS(cores))
				return loadstone(t, "", append([]string{"predict", log, "--format", "json"}, c.args...)...)
			}
			one, four := on(1), on(4)
			if one != four {
				t.Errorf("one core: %+v\nfour: %+v", one, four)
			}
			if four.code != c.code {
				t.Errorf("exit code %d, want %d: %s", four.code, c.code, four.err)
			}
			rest := four.err
			for _, text := range c.said {
				at := strings.Index(rest, text)
				if at < 0 || strings.Count(four.err, text) != 1 {
					t.Fatalf("%q is not said once, and in its place:\n%s", text, four.err)
				}
				rest = rest[at:]
			}
		})
	}
}
