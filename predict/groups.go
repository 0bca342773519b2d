package predict

import (
	"github.com/loadstone-hpc/loadstone/workload"
)

// Group is a range of processor counts whose jobs are assumed to wait alike.
// BMBP's ranges: 1 to 4, 5 to 16, 17 to 64, 65 and more.
type Group uint8

// The groups.
const (
	UnknownSize Group = iota
	UpTo4
	UpTo16
	UpTo64
	Over64
	groups
)

var groupNames = [groups]string{"unknown", "1-4", "5-16", "17-64", "65+"}

// String returns the range, such as "5-16".
func (g Group) String() string {
	if g < groups {
		return groupNames[g]
	}
	return "invalid"
}

// GroupOf returns the group of a request by the number of processors requested,
// or of what Units counts instead.
func GroupOf(r *workload.Request) Group {
	switch n := r.Units(); {
	case n <= 0: // workload.Unknown
		return UnknownSize
	case n <= 4:
		return UpTo4
	case n <= 16:
		return UpTo16
	case n <= 64:
		return UpTo64
	}
	return Over64
}

// grouped holds what a predictor knows of each group of jobs.
type grouped[T any] struct {
	classes *workload.Classifier // nil: by GroupOf
	met     map[workload.ClassKey]*labelled[T]
	fresh   func() T // of a group that is met for the first time
}

type labelled[T any] struct {
	label string
	of    T
}

func newGrouped[T any](classes *workload.Classifier, fresh func() T) grouped[T] {
	return grouped[T]{classes, map[workload.ClassKey]*labelled[T]{}, fresh}
}

// at returns the group of a request.
func (g *grouped[T]) at(r *workload.Request) *labelled[T] {
	var key workload.ClassKey
	if g.classes == nil {
		key[0] = int64(GroupOf(r))
	} else {
		key = g.classes.RequestKey(r)
	}
	if of, ok := g.met[key]; ok {
		return of
	}
	of := &labelled[T]{of: g.fresh()}
	if g.classes == nil {
		of.label = GroupOf(r).String()
	} else {
		of.label = g.classes.Label(key)
	}
	g.met[key] = of
	return of
}
