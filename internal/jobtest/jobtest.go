// Package jobtest opens real logs, makes small ones, gathers jobs and takes model files
// apart, for tests.
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

// Must returns a value. An error stops the whole test program: it is for what a test begins
// with, and cannot fail.
func Must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// NoError ends a test in which there is an error.
func NoError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// OptionOf returns the name of the option that an error is about, "" where it is about none.
func OptionOf(err error) string {
	if fault := new(workload.OptionError); errors.As(err, &fault) {
		return fault.Option
	}
	return ""
}

// Rules are those of warnings.
func Rules(warnings []workload.Warning) (rules []string) {
	for _, w := range warnings {
		rules = append(rules, w.Rule)
	}
	return rules
}

// CheckNumbers holds fields of a result, by the names that they have in JSON, against numbers: up
// to rounding, where NaN is equal to NaN alone.
func CheckNumbers(t testing.TB, result any, want map[string]float64) {
	t.Helper()
	for name, x := range want {
		got, ok := field.Number(result, name)
		if !ok || got != x && !(math.Abs(got-x) <= 1e-12*math.Abs(x)) && (got == got || x == x) {
			t.Errorf("%s is %v, want %v", name, got, x)
		}
	}
}

// Open opens a real log of the folder swf until the test ends, or skips the test where
// there are none.
func Open(t testing.TB, name string) *workload.Log {
	t.Helper()
	log, err := logfile.Open(reallogs.Path(t, "swf/"+name), workload.Options{})
	NoError(t, err)
	t.Cleanup(func() { log.Close() })
	return log
}

// Collect gathers jobs. An error ends the test.
func Collect(t testing.TB, jobs workload.JobSeq) (all []workload.Job) {
	t.Helper()
	for j, err := range jobs {
		NoError(t, err)
		all = append(all, j)
	}
	return all
}

// InOrder returns the jobs of a real log by submission.
func InOrder(t testing.TB, name string) []workload.Job {
	t.Helper()
	return Collect(t, workload.InOrder(Open(t, name).Jobs(), nil))
}

// Same reports whether two jobs have the same values but for Row. Unknown values are the same.
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
