// Package par runs independent work on several cores with deterministic results:
// they are in the order of the input and do not depend on the number of cores.
// Memory is bounded by the number of workers.
//
// Map is for streams (decoding chunks of a file, formatting batches of jobs), Each
// for a known number of parts (replicates of a bootstrap, restarts of a fit).
// A panic in a worker is raised again in the goroutine that waits for the result, so
// that the caller can recover from it. Channels and goroutines are not exposed.
//
// The package imports nothing of this module.
package par
