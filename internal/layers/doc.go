// Package layers holds the house's floor plan and the test that keeps it: which
// package may import which, where Arrow may be named, and that libraries
// neither print, log, read flags nor exit. It has no code of its own besides
// the plan, and no neighbours.
//
// A new package gets its row here and in the README's architecture section,
// with its reason. A package imports what its row names and what is below it
// on the plan, never its neighbours on the same floor.
package layers
