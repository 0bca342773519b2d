package mapping_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// Reading a damaged file by each built-in mapping ends in jobs or an input error, in bounded time.
func TestDamagedFiles(t *testing.T) {
	inputs, _ := filepath.Glob(filepath.Join("testdata", "made", "*.*"))
	for _, input := range inputs {
		base := filepath.Base(input)
		if filepath.Ext(base) == ".want" {
			continue
		}
		name, _, _ := strings.Cut(base, ".")
		if strings.HasSuffix(base, ".typed.csv") {
			input = typed(t, input)
		}
		data := jobtest.Must(os.ReadFile(input))
		rng := rand.New(rand.NewPCG(uint64(len(data)), 29))
		for trial := range longtest.Size(30, 300) {
			path := write(t, filepath.Base(input), string(damaged(rng, data)))
			begun := time.Now()
			_, err := logtest.Drain(logfile.Open(path, workload.Options{As: name, Workers: 1 + trial%2}))
			var fault *workload.InputError
			if err != nil && !errors.As(err, &fault) || time.Since(begun) > 20*time.Second {
				t.Errorf("%s, trial %d: %v after %v", base, trial, err, time.Since(begun))
			}
		}
	}
}

// damaged alters a copy of a file: it flips bits, overwrites, removes or duplicates bytes, or
// truncates the file.
func damaged(rng *rand.Rand, data []byte) []byte {
	b := bytes.Clone(data)
	for range 1 + rng.IntN(4) {
		at := rng.IntN(len(b))
		end := min(len(b), at+1+rng.IntN(64))
		switch rng.IntN(5) {
		case 0:
			b[at] ^= 1 << rng.IntN(8)
		case 1:
			b[at] = ` ";:,[]{}=\n-.9`[rng.IntN(14)]
		case 2:
			b = slices.Delete(b, at, end)
		case 3:
			b = slices.Insert(b, at, bytes.Clone(b[at:end])...)
		default:
			b = b[:at]
		}
		if len(b) == 0 {
			return b
		}
	}
	return b
}
