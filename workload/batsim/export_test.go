package batsim

// NewWriter is what the tests outside the package see of it.
var NewWriter = newWriter

// LimitIDs bounds the memory for the numbers of jobs.
func (b *writer) LimitIDs(blocks int) { b.ids.MaxBlocks = blocks }
