package columnar_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/ipc"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// arrowFormats are the columnar formats without checksums.
var arrowFormats = columnarFormats[1:]

// Bytes put into a file or a stream shift what follows them. Wherever they
// stand and whatever they are, that is an error: a body has no checksum, and
// where the last values of a shifted body are zeros, they look like an end.
func TestArrowInsertedBytes(t *testing.T) {
	for _, f := range arrowFormats {
		for _, c := range []struct {
			name        string
			jobs, batch int
		}{{"one batch", 200, 200}, {"three batches", 3 * workload.DefaultBatchRows / 4, workload.DefaultBatchRows / 4}} {
			t.Run(f.format+", "+c.name, func(t *testing.T) {
				var b bytes.Buffer
				w, err := logfile.NewWriter(f.format, &b, workload.Header{Lines: []string{" Version: 2.2"}}, workload.WriteOptions{})
				if err != nil {
					t.Fatal(err)
				}
				logtest.WriteAll(t, w, logtest.MadeUpLog(5, c.jobs, c.batch))
				whole := b.Bytes()
				if rows, err := logtest.Drain(f.open(whole, workload.Options{})); err != nil || rows != int64(c.jobs) {
					t.Fatalf("%d rows, %v", rows, err)
				}
				rng := rand.New(rand.NewPCG(16, 11))
				for range longtest.Size(100, 400) {
					at := 1 + rng.IntN(len(whole)-1)
					n := []int{1, 4, 8, 16, 64, 1000, 4096}[rng.IntN(7)]
					in := make([]byte, n) // zeros, random bytes, or values of the file once more
					switch rng.IntN(3) {
					case 0:
						for i := range in {
							in[i] = byte(rng.Uint32())
						}
					case 1:
						copy(in, whole[at:])
					}
					rows, err := logtest.Drain(f.open(slices.Insert(bytes.Clone(whole), at, in...), workload.Options{}))
					var input *workload.InputError
					if !errors.As(err, &input) {
						t.Errorf("%d bytes at %d of %d: %d rows, %v", n, at, len(whole), rows, err)
					}
				}
			})
		}
	}
}

// Nothing may follow a stream's end mark: not even another stream, whose jobs
// would be lost.
func TestArrowStreamTail(t *testing.T) {
	whole := smallFile(t, "arrows")
	for name, tail := range map[string][]byte{"a byte": {0}, "zeros": make([]byte, 8), "another stream": whole, "an end mark": {255, 255, 255, 255, 0, 0, 0, 0}} {
		_, err := logtest.Drain(columnar.OpenArrowStream("x.arrows", bytes.NewReader(append(bytes.Clone(whole), tail...)), workload.Options{}))
		if want := "x.arrows: saw more bytes after the stream's end mark, want none"; err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
}

// Files of other programs list dictionaries in their footers, too.
func TestArrowDictionaryBlocks(t *testing.T) {
	rec := logtest.TypedRecord(t, "job_id:int64,host:names\n1,a\n2,b\n3,a\n")
	for name, opts := range map[string][]ipc.Option{"plain": nil, "compressed": {ipc.WithZstd()}} {
		b := logtest.ForeignArrow(t, rec, opts...)
		rows, err := logtest.Drain(columnar.OpenArrowFile("x.arrow", bytes.NewReader(b), int64(len(b)), workload.Options{}))
		if err != nil || rows != 3 {
			t.Errorf("%s: %d rows, %v", name, rows, err)
		}
	}
}
