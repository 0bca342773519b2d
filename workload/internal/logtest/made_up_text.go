package logtest

import (
	"fmt"
	"math/rand/v2"
	"strconv"
)

// MadeUpSWF writes jobs as the archive's logs have them: columns padded with
// blanks, many fields unknown, a few decimals, times that grow.
func MadeUpSWF(seed uint64, size int) []byte {
	return madeUp(seed, size, "; Version: 2.2\n; MaxProcs: 1024\n; UnixStartTime: 843480031\n", 0, 9, func(out []byte, j *textJob, rng *rand.Rand) []byte {
		return fmt.Appendf(out, "%6d %8d %6d %6d %4d %8s %5d %4d %6d    -1 %2d %3d %3d %3d %2d -1 -1 -1\n",
			j.id, j.submit, rng.IntN(100000), j.run, j.procs, j.cpu, -1, j.procs, 3600*(1+rng.IntN(40)), rng.IntN(2),
			1+rng.IntN(200), 1+rng.IntN(20), rng.IntN(500), rng.IntN(10))
	})
}

// textJob is what the lines of both formats begin with.
type textJob struct {
	id, submit, run, procs int
	cpu                    string
}

// madeUp writes a header and about size bytes of lines, of jobs from submit on, with
// so many sizes.
func madeUp(seed uint64, size int, header string, submit, sizes int, line func([]byte, *textJob, *rand.Rand) []byte) []byte {
	rng := rand.New(rand.NewPCG(seed, 0))
	out := append(make([]byte, 0, size+512), header...)
	j := textJob{submit: submit}
	for len(out) < size {
		j.id++
		j.submit += rng.IntN(600)
		j.run = 1 << rng.IntN(17)
		j.run += rng.IntN(j.run)
		j.procs = 1 << rng.IntN(sizes)
		j.cpu = "-1"
		if rng.IntN(3) == 0 {
			j.cpu = strconv.FormatFloat(float64(rng.IntN(100*j.run))/100, 'f', 2, 64)
		}
		out = line(out, &j, rng)
	}
	return out
}
