package batsim

// NewWriter exports newWriter for the tests outside the package.
var NewWriter = newWriter

// LimitIDs limits the memory used for job numbers.
func (b *writer) LimitIDs(blocks int) { b.ids.MaxBlocks = blocks }
