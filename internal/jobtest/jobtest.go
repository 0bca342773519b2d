// Package jobtest contains helpers for tests: it opens real logs, makes small ones, collects jobs
// and removes fields from model files.
package jobtest

import (
	"errors"
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// Must returns a value and panics if there is an error. It is for the setup of a test, which
// should not fail.
func Must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// NoError ends the test with a failure if err is not nil.
func NoError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// OptionOf returns the option of a *workload.OptionError, and "" for other errors.
func OptionOf(err error) string {
	if fault := new(workload.OptionError); errors.As(err, &fault) {
		return fault.Option
	}
	return ""
}

// Rules returns the rules of warnings.
func Rules(warnings []workload.Warning) (rules []string) {
	for _, w := range warnings {
		rules = append(rules, w.Rule)
	}
	return rules
}

// CheckNumbers compares fields of a result, by their names in JSON, with the wanted numbers, up to
// rounding. NaN equals only NaN.
func CheckNumbers(t testing.TB, result any, want map[string]float64) {
	t.Helper()
	for name, x := range want {
		got, ok := field.Number(result, name)
		if !ok || got != x && !(math.Abs(got-x) <= 1e-12*math.Abs(x)) && (got == got || x == x) {
			t.Errorf("%s is %v, want %v", name, got, x)
		}
	}
}

// Open opens a real log in the folder swf until the test ends, or skips the test if the log is
// not there.
func Open(t testing.TB, name string) *workload.Log {
	t.Helper()
	log, err := logfile.Open(reallogs.Path(t, "swf/"+name), workload.Options{})
	NoError(t, err)
	t.Cleanup(func() { log.Close() })
	return log
}

// Collect returns the jobs of a sequence. An error ends the test.
func Collect(t testing.TB, jobs workload.JobSeq) (all []workload.Job) {
	t.Helper()
	for j, err := range jobs {
		NoError(t, err)
		all = append(all, j)
	}
	return all
}

// InOrder returns the jobs of a real log in order of submission.
func InOrder(t testing.TB, name string) []workload.Job {
	t.Helper()
	return Collect(t, workload.InOrder(Open(t, name).Jobs(), nil))
}

// Same reports whether two jobs are equal apart from Row. Unknown values are equal.
func Same(a, b *workload.Job) bool {
	for i := range workload.NumColumns {
		c := workload.ColumnAt(i)
		x, y := c.Number(a), c.Number(b)
		if c.Int(a) != c.Int(b) || x != y && (x == x || y == y) {
			return false
		}
	}
	return a.Size == b.Size && a.TakesNodes == b.TakesNodes && a.TakesGPUs == b.TakesGPUs
}
