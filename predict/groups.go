package predict

import (
	"github.com/loadstone-hpc/loadstone/workload"
)

// GroupOf returns the range of processors that contains r.Units(), such as "5-16", or "unknown".
// BMBP assumes that the waits of requests in one range are similar.
func GroupOf(r *workload.Request) string { return groups[groupOf(r)] }

var groups = []string{"unknown", "1-4", "5-16", "17-64", "65+"}

func groupOf(r *workload.Request) int64 {
	switch n := r.Units(); {
	case n <= 0: // workload.Unknown
		return 0
	case n <= 4:
		return 1
	case n <= 16:
		return 2
	case n <= 64:
		return 3
	}
	return 4
}

// grouped holds the state of a predictor for each group of jobs.
type grouped[T any] struct {
	classes *workload.Classifier // nil means by GroupOf
	met     map[workload.ClassKey]*labelled[T]
	fresh   func() T // returns the state of a new group
}

type labelled[T any] struct {
	label string
	of    T
}

func newGrouped[T any](classes *workload.Classifier, fresh func() T) grouped[T] {
	return grouped[T]{classes, map[workload.ClassKey]*labelled[T]{}, fresh}
}

// at returns the group of a request, and creates it if necessary.
func (g *grouped[T]) at(r *workload.Request) *labelled[T] {
	var key workload.ClassKey
	if g.classes == nil {
		key[0] = groupOf(r)
	} else {
		key = g.classes.RequestKey(r)
	}
	of, ok := g.met[key]
	if !ok {
		of = &labelled[T]{GroupOf(r), g.fresh()}
		if g.classes != nil {
			of.label = g.classes.Label(key)
		}
		g.met[key] = of
	}
	return of
}
