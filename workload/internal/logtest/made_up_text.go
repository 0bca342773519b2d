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

// MadeUpGWF writes jobs as the grid archive's logs have them: tabs, names for
// users, groups, executables, queues and sites, mostly nothing after that.
func MadeUpGWF(seed uint64, size int) []byte {
	return madeUp(seed, size, "# Grid Workload Format\n# MaxProcs: 1024\n", 1_100_000_000, 6, func(out []byte, j *textJob, rng *rand.Rand) []byte {
		site := rng.IntN(9)
		return fmt.Appendf(out, "%d\t%d\t%d\t%d\t%d\t%s\t%d\t%d\t%d\t-1\t%d\tU%d\tG%d\tX%d\tQ%d\t-1\tG1/site%d\tG1/site%d/c%d\tUNITARY\t-1\t-1\t-1\t-1\t-1\t-1\t-1\t-1\tVO%d\t-1\n",
			j.id, j.submit, rng.IntN(100000), j.run, j.procs, j.cpu, rng.IntN(1<<20), j.procs, 3600*(1+rng.IntN(40)), rng.IntN(2),
			1+rng.IntN(300), 1+rng.IntN(20), rng.IntN(2000), rng.IntN(10), site, site, rng.IntN(3), rng.IntN(4))
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
