// Package placement gives the members of a group their places, so that what they
// do together comes near a target.
//
// It is a local search: members are taken out one by one, the heaviest first,
// more or less, and put back where, of the present place and some at random, the
// cost grows least. What a place is and what it costs is the caller's.
//
// Packages workload/resample and generate/population place users in weeks by it (weeks.go of both).
package placement

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// Search is how to place the members of a group, which are numbered from 0.
type Search[Place any] struct {
	Weights []float64 // of the members
	Passes  int       // how often each is moved

	// Tries returns how many places compete for a member, its present one among
	// them.
	Tries func(member int) int
	// Draw returns a place for a member at random, from the same source as Improve.
	Draw func(member int) Place
	// Put adds a member at a place (sign 1) or takes it out (sign -1), and returns
	// by how much the cost grows.
	Put func(member int, at Place, sign float64) float64
	// Cost returns by how much the cost would grow if a member that is taken out were
	// put at a place. Nil: Put says it.
	Cost func(member int, at Place) float64
}

// Improve puts each member at its place in at, moves the members, and leaves their
// new places in at. Of places of the same cost the first tried is taken, so that a
// member stays where no other place is better.
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
