// Package placement assigns places to the members of a group, so that their
// combined effect comes close to a target.
//
// It is a local search: members are removed one by one, roughly the heaviest
// first, and put back at the place with the least increase of the cost, among the
// present place and some random ones. The caller defines the places and the cost.
//
// Packages workload/resample and generate/population use it to place users in weeks (weeks.go in
// both).
package placement

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// Search describes a search for the places of a group's members, which are numbered from 0.
type Search[Place any] struct {
	Weights []float64 // by member
	Passes  int       // number of times that each member is moved

	// Tries returns the number of places to try for a member, including the present
	// one.
	Tries func(member int) int
	// Draw returns a random place for a member. It should use the random source that is
	// passed to Improve.
	Draw func(member int) Place
	// Put adds a member at a place (sign 1) or removes it (sign -1), and returns the
	// increase of the cost.
	Put func(member int, at Place, sign float64) float64
	// Cost returns the increase of the cost if a member that has been removed were put
	// at a place. If it is nil, Put is used instead.
	Cost func(member int, at Place) float64
}

// Improve puts each member at its place in at, moves the members, and stores their
// new places in at. Of places with the same cost it takes the first one tried, so that
// a member stays if no other place is better.
func (s Search[Place]) Improve(at []Place, rng *rand.Rand) {
	for i, place := range at {
		s.Put(i, place, 1)
	}
	cost := s.Cost
	if cost == nil {
		cost = func(i int, place Place) float64 {
			grows := s.Put(i, place, 1)
			s.Put(i, place, -1)
			return grows
		}
	}
	order, weights := make([]int, len(at)), make([]float64, len(at))
	for range s.Passes {
		for i := range order {
			order[i], weights[i] = i, s.Weights[i]*(.5+.5*rng.Float64())
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(weights[b], weights[a]), cmp.Compare(a, b)) })
		for _, i := range order {
			s.Put(i, at[i], -1)
			best, least := at[i], math.Inf(1)
			for try := range s.Tries(i) {
				place := at[i]
				if try > 0 {
					place = s.Draw(i)
				}
				grows := cost(i, place)
				if grows < least {
					best, least = place, grows
				}
			}
			at[i] = best
			s.Put(i, best, 1)
		}
	}
}
