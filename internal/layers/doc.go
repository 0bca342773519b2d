// Package layers has the table of which package may import which, and the test
// that holds it, where Arrow may be named, and that libraries neither print, log,
// read flags nor exit. It has no other code.
//
// A new package gets its entry here and its row in the table of
// docs/architecture.md. A package imports what its entry names, from lower layers but for the
// exceptions in sameLayer and in layer 0.
package layers
