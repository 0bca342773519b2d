package columnar_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// Reading a damaged file ends in one input error or, if the damage is undetectable, in values:
// never in a panic, a fatal error, an endless loop or unbounded memory.
func TestDamagedFiles(t *testing.T) {
	const jobs = 20_000 // several batches
	trials := longtest.Size(60, 400)
	for _, f := range columnarFormats {
		for _, workers := range []int{1, 2} {
			t.Run(fmt.Sprintf("format=%s,workers=%d", f.format, workers), func(t *testing.T) {
				var b bytes.Buffer
				w, err := logfile.NewWriter(f.format, &b, workload.Header{Lines: []string{" Version: 2.2", " Computer: none"}}, workload.WriteOptions{})
				if err != nil {
					t.Fatal(err)
				}
				logtest.WriteAll(t, w, logtest.MadeUpLog(1, jobs, 1000))
				rng := rand.New(rand.NewPCG(5, uint64(workers)))
				start := time.Now()
				failed := 0
				for trial := range trials {
					bytes, moved := damage(rng, b.Bytes())
					rows, err := logtest.Drain(f.open(bytes, workload.Options{Workers: workers}))
					var input *workload.InputError
					switch {
					case err == nil && (rows != jobs || moved):
						t.Errorf("trial %d: %d rows of %d, bytes cut or put in: %t, and no error", trial, rows, jobs, moved)
					case err != nil && !errors.As(err, &input):
						t.Errorf("trial %d: %T %v", trial, err, err)
					case err != nil:
						failed++
					}
				}
				t.Logf("%d of %d are errors, %v", failed, trials, time.Since(start))
			})
		}
	}
}

// A flipped bit in a page never changes a value silently: zstd's frames have checksums; snappy's
// blocks do not.
func TestParquetFlippedPages(t *testing.T) {
	want := logtest.Collect(t, logtest.MadeUpLog(1, 5000, workload.DefaultBatchRows))
	b := parquetBytes(t, workload.Header{}, logtest.Sequence([]*workload.Batch{want}))
	size := int(b[len(b)-8]) | int(b[len(b)-7])<<8
	body := len(b) - 8 - size
	rng := rand.New(rand.NewPCG(6, 1))
	failed := 0
	for range 300 {
		at, bit := 4+rng.IntN(body-4), rng.IntN(8)
		b[at] ^= 1 << bit
		l, err := logtest.OpenParquetBytes(b, workload.Options{})
		var got *workload.Batch
		if err == nil {
			got, err = logtest.ReadAll(l)
		}
		if err != nil {
			failed++
		} else {
			logtest.SameBatches(t, got, want)
		}
		b[at] ^= 1 << bit
	}
	t.Logf("%d of 300 are errors", failed)
	// Some bytes are never read: a copy of each column's metadata, and statistics.
	if failed < 200 {
		t.Errorf("only %d of 300 flipped bits were noticed", failed)
	}
}

// damage alters a copy of a file: it flips a bit, zeroes a block, overwrites bytes randomly,
// truncates the file, or inserts bytes (zeros, random ones, or a repeated part of the file). moved
// is true for the last two, which are always detected. If the last values of a shifted body are
// zeros, they look like an end.
func damage(rng *rand.Rand, b []byte) (_ []byte, moved bool) {
	b = bytes.Clone(b)
	at := 1 + rng.IntN(len(b)-1)
	if rng.IntN(3) == 0 { // the footer is small and matters most
		at = len(b) - 1 - rng.IntN(min(len(b), 5000))
	}
	switch rng.IntN(7) {
	case 0, 1:
		b[at] ^= 1 << rng.IntN(8)
	case 2:
		clear(b[at:min(len(b), at+1+rng.IntN(64))])
	case 3:
		for i := range b[at:min(len(b), at+1+rng.IntN(8))] {
			b[at+i] = byte(rng.Uint32())
		}
	case 4:
		return b[:at], true
	case 5, 6:
		in := make([]byte, []int{1, 4, 8, 16, 64, 1000, 4096}[rng.IntN(7)])
		switch rng.IntN(3) {
		case 0:
			for i := range in {
				in[i] = byte(rng.Uint32())
			}
		case 1:
			copy(in, b[at:])
		}
		return slices.Insert(b, at, in...), true
	}
	return b, false
}
