package change

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// open returns a log of 200 jobs, a minute apart, that can be read only once.
func open(t *testing.T, name string, scale float64) *workload.Log {
	t.Helper()
	rng := rand.New(rand.NewPCG(4, uint64(scale)))
	var b strings.Builder
	b.WriteString("; Version: 2.2\n; UnixStartTime: 820454400\n; TimeZoneString: UTC\n")
	for i := range 200 {
		run := math.Ceil(scale * math.Exp(3*rng.Float64()))
		fmt.Fprintf(&b, "%d %d 0 %g %d -1 -1 -1 -1 -1 1 1 1 -1 1 -1 -1 -1\n", i+1, 60*i, run, 1<<rng.IntN(5))
	}
	log, err := logfile.OpenReader(name, strings.NewReader(b.String()), workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	return log
}

// TestLogsOfSeveralAttributes: one reading gathers all attributes, as one reading
// for each would.
func TestLogsOfSeveralAttributes(t *testing.T) {
	attributes := []fit.Attribute{fit.RunTime, fit.Work}
	o := Options{Family: "log-normal", Fit: fit.Options{Replicates: 39}}
	for _, at := range []string{"", "6000"} {
		o.At, o.Attributes = at, attributes
		b := open(t, "b.swf", 300)
		if at != "" {
			b = nil
		}
		got, err := Logs(t.Context(), open(t, "a.swf", 30), b, o)
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range attributes {
			o.Attributes = []fit.Attribute{a}
			want, err := Logs(t.Context(), open(t, "a.swf", 30), open(t, "b.swf", 300), o)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want.Comparisons[0].Changes, got.Comparisons[i].Changes); d != "" {
				t.Errorf("at %q, %s:\n%s", at, a, d)
			}
		}
		jobs := [2]int64{got.Comparisons[1].A.Jobs, got.Comparisons[1].B.Jobs}
		if want := map[string][2]int64{"": {200, 200}, "6000": {100, 100}}[at]; jobs != want {
			t.Errorf("at %q: %d jobs, want %d", at, jobs, want)
		}
	}
}

// TestLogsOfNoJobs: a moment outside the log is an error that says when its jobs
// were submitted.
func TestLogsOfNoJobs(t *testing.T) {
	_, err := Logs(t.Context(), open(t, "a.swf", 30), nil, Options{At: "90000"})
	const want = "a.swf: from 90000 has no job with a run_time: its jobs were submitted from second 0 to 11940, 1996-01-01 00:00:00 to 1996-01-01 03:19:00"
	if err == nil || err.Error() != want {
		t.Errorf("error is %v, want %s", err, want)
	}
}
