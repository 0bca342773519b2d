// Package fittest has helpers for the tests of package fit, of the packages that it uses and of
// those that use it. It does not import fit.
package fittest

import (
	"iter"
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// The logs of the Parallel Workloads Archive that tests use.
const (
	KTH  = "KTH-SP2-1996-2.1-cln.swf"
	SDSC = "SDSC-Par-1996-3.1-cln.swf"
	NASA = "NASA-iPSC-1993-3.1-cln.swf"
	LCG  = "LCG-2005-1.swf"
)

// OpenLog opens a real log, or skips the test if there are none.
func OpenLog(t testing.TB, name string) *workload.Log {
	t.Helper()
	return jobtest.Open(t, name+".gz")
}

// Near reports an error unless got is within tolerance of want.
func Near[N ~float64](t testing.TB, what string, got N, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(float64(got)-want) <= tolerance) {
		t.Errorf("%s is %.15g, want %.15g within %.3g", what, got, want, tolerance)
	}
}

// Relative reports an error unless got is within the given share of want.
func Relative[N ~float64](t testing.TB, what string, got N, want, share float64) {
	t.Helper()
	Near(t, what, got, want, share*math.Abs(want))
}

// Parameter returns the value of the parameter with the given name.
func Parameter(t testing.TB, parameters []dist.Parameter, name string) float64 {
	t.Helper()
	for _, p := range parameters {
		if p.Name == name {
			return p.Value
		}
	}
	t.Fatalf("no parameter %s in %v", name, parameters)
	return math.NaN()
}

// Jobs yields n jobs, in which all values are unknown except those that f sets.
func Jobs(n int, f func(i int, j *workload.Job)) iter.Seq2[workload.Job, error] {
	return func(yield func(workload.Job, error) bool) {
		for i := range n {
			j := workload.UnknownJob()
			j.Row, j.ID = int64(i), int64(i+1)
			f(i, &j)
			if !yield(j, nil) {
				return
			}
		}
	}
}

// Plain sets the values of job i of an unremarkable log.
func Plain(i int, j *workload.Job) {
	j.Submit = float64(i*500 + i%7*30)
	j.Size = []int64{1, 2, 4, 5, 8, 16}[i%6]
	j.Run = float64(2 + (i*7919)%5000)
	j.Status, j.Queue = 1, int64(i%2)
}
