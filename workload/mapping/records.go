package mapping

import (
	"maps"
	"slices"
)

// records are the ways in which objects that are not flat become rows, by the name
// that a mapping has for them.
var records = map[string]rowOf{}

func recordNames() []string { return slices.Sorted(maps.Keys(records)) }
