// Package layers has tests of the whole module and no other code. They check imports
// against a table of which package may import which, where Arrow may be named, that
// libraries neither print, log, read flags nor exit, the entries of the bibliography, the
// names and paths in the docs, that examples have an output, and plain words.
//
// A new package gets its row in the table of docs/architecture.md, which names what it imports
// from its own layer or lower ones.
package layers
