package predict

import "math"

// history is the past waits of one group that still count, in the order in
// which they became known.
type history struct {
	waits   []float64 // s
	changes changes
}

// add learns a wait and the bound that was predicted for it, NaN for none. It
// returns true where older waits were dropped, so that whatever summarises
// the waits has to be made anew.
func (h *history) add(wait, bound float64) (dropped bool) {
	h.waits = append(h.waits, wait)
	verdict := unbounded
	switch {
	case math.IsNaN(bound):
	case wait > bound:
		verdict = miss
	default:
		verdict = hit
	}
	over := len(h.waits) - h.changes.minimum
	if !h.changes.observe(h.waits, verdict) || over <= 0 {
		return false
	}
	// Slicing off the front is enough: append copies what is left when it
	// next grows.
	h.waits = h.waits[over:]
	return true
}
