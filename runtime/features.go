package runtime

import (
	"math"
	"unique"

	"github.com/loadstone-hpc/loadstone/workload"
)

// askedColumns are the columns of a request, beyond those of the standard workload format,
// by which jobs are compared.
var askedColumns = workload.AskedColumns()

// mostAsked is the largest number of askedColumns.
const mostAsked = 8

// askedValues contains a request's values of askedColumns: identifiers, and log2(1 + amount), so
// that 0 GPUs are as far from 1 as 1 is from 3. An unknown value is -1, not NaN, so that the
// values can be compared with ==.
type askedValues [mostAsked]float64

// askedSet is a handle of a request's askedValues: equal values have the same handle, which is
// small enough for the key of a map.
type askedSet = unique.Handle[askedValues]

// unasked is the askedSet of a request whose values are all unknown.
var unasked = func() askedSet {
	var v askedValues
	for i := range v {
		v[i] = -1
	}
	return unique.Make(v)
}()

func askedOf(r *workload.Request) askedSet {
	v, some := unasked.Value(), false
	for i, c := range askedColumns {
		x := c.NumberIn(r)
		switch {
		case math.IsNaN(x) || x < 0:
			continue
		case c.Use == workload.Amount:
			x = math.Log2(1 + x)
		}
		v[i], some = x, true
	}
	if !some {
		return unasked
	}
	return unique.Make(v)
}

// apart returns the distance of the values of two requests: octave times the differences of
// amounts in log2, 1 for each identifier that differs, and 1 for each value that only one of
// the two has.
func apart(a, b askedSet, octave float64) float64 {
	if a == b {
		return 0
	}
	v, w := a.Value(), b.Value()
	d := 0.0
	for i, c := range askedColumns {
		switch x, y := v[i], w[i]; {
		case x == y:
		case x < 0 || y < 0 || c.Use == workload.Identifier:
			d++
		default:
			d += octave * math.Abs(x-y)
		}
	}
	return d
}

// jobKind identifies a kind of jobs.
type jobKind struct {
	user, application, queue, partition, size int64
	time                                      float64 // requested, s; 0 if unknown
	asked                                     askedSet
}

// features contains the properties by which knn and Kernel compare a request with jobs that
// have ended, and the run time of such a job.
type features struct {
	kind             jobKind
	logSize, logTime float64 // NaN if unknown
	run, inverse     float64 // s, and 1/s for a Kernel
	length           float64 // (1 + run)^0.75, for a Kernel
}

func featuresOf(r *workload.Request, log func(float64) float64) features {
	x := features{kind: jobKind{user: r.User, application: r.Application, queue: r.Queue, partition: r.Partition, size: r.Size, asked: askedOf(r)}, logSize: math.NaN(), logTime: math.NaN()}
	if r.Size > 0 {
		x.logSize = log(float64(r.Size))
	}
	if t, ok := requestedTime(r); ok {
		x.kind.time, x.logTime = t, log(t)
	}
	return x
}

// gap returns the absolute difference of two logarithms: 1 if one of them is unknown (NaN), 0 if
// both are.
func gap(x, y float64) float64 {
	switch d := math.Abs(x - y); {
	case !math.IsNaN(d):
		return d
	case math.IsNaN(x) && math.IsNaN(y):
		return 0
	}
	return 1
}

// differ returns 1 if two numbers differ, else 0.
func differ(x, y int64) float64 {
	if x != y {
		return 1
	}
	return 0
}
