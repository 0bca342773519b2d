// Package par runs independent work on several cores without letting it show:
// results come in the order of the input, memory is bounded by the number of
// workers, and what comes out is the same on any number of cores.
//
// Map is for streams (decode chunks of a file, format batches of jobs), Each
// for a known number of parts (replicates of a bootstrap, restarts of a fit).
// A panic in a worker is raised again where the result is awaited, so that a
// caller's recover sees it. Channels and goroutines stay inside.
//
// Its only neighbours are its callers: it imports nothing of this module.
package par
