package score

import "math/rand/v2"

// resample draws n clusters with replacement, as many as there are, replicates
// times, and tells each time how often each was drawn. Each draw has a stream
// of the seed of its own. times is valid until the next draw.
func resample(n, replicates int, seed uint64, each func(times []int)) {
	times := make([]int, n)
	for r := range replicates {
		rng := rand.New(rand.NewPCG(seed, uint64(r)))
		clear(times)
		for range n {
			times[rng.IntN(n)]++
		}
		each(times)
	}
}
