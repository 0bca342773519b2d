package logtest

import (
	"fmt"
	"math/rand/v2"
	"strconv"
)

// MadeUpSWF writes jobs as the archive's logs have them: columns padded with
// blanks, many fields unknown, a few decimals, times that grow.
func MadeUpSWF(seed uint64, size int) []byte {
	rng := rand.New(rand.NewPCG(seed, 0))
	out := make([]byte, 0, size+256)
	out = append(out, "; Version: 2.2\n; MaxProcs: 1024\n; UnixStartTime: 843480031\n"...)
	submit := 0
	for id := 1; len(out) < size; id++ {
		submit += rng.IntN(600)
		run := 1 << rng.IntN(17)
		run += rng.IntN(run)
		procs := 1 << rng.IntN(9)
		cpu := "-1"
		if rng.IntN(3) == 0 {
			cpu = strconv.FormatFloat(float64(rng.IntN(100*run))/100, 'f', 2, 64)
		}
		out = fmt.Appendf(out, "%6d %8d %6d %6d %4d %8s %5d %4d %6d    -1 %2d %3d %3d %3d %2d -1 -1 -1\n",
			id, submit, rng.IntN(100000), run, procs, cpu, -1, procs, 3600*(1+rng.IntN(40)), rng.IntN(2),
			1+rng.IntN(200), 1+rng.IntN(20), rng.IntN(500), rng.IntN(10))
	}
	return out
}
