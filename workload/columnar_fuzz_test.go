package workload

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"
)

// fuzzColumnar holds a reader to its promise: values or one input error.
func fuzzColumnar(f *testing.F, open func([]byte) (*Log, error), seeds ...[]byte) {
	for _, b := range seeds {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := open(b)
		if err == nil {
			defer l.Close()
			rows := int64(0)
			for rec, e := range l.Batches() {
				if err = e; err != nil {
					break
				}
				if rec.NumRows() > DefaultBatchRows {
					t.Errorf("a batch of %d rows", rec.NumRows())
				}
				v := NewView(rec)
				for i := range v.Len() {
					v.Job(i, rows)
				}
				// A few bytes can stand for very many nulls.
				if rows += rec.NumRows(); rows > 1<<22 {
					return
				}
			}
		}
		var input *InputError
		if err != nil && !errors.As(err, &input) {
			t.Errorf("%T %v", err, err)
		}
	})
}

// smallFile is one of 20 jobs.
func smallFile(f failer, format string) []byte {
	f.Helper()
	var b bytes.Buffer
	w, err := NewWriter(format, &b, Header{Lines: []string{" Version: 2.2"}})
	if err != nil {
		f.Fatal(err)
	}
	writeAll(f, w, owned(madeUpLog(1, 20, 20, memory.DefaultAllocator)))
	return b.Bytes()
}

// withInserted is a file with bytes put into its body, before its last bytes,
// and behind its end.
func withInserted(b []byte) [][]byte {
	var files [][]byte
	for _, at := range []int{len(b) * 3 / 4, len(b) - 8, len(b)} {
		for _, in := range [][]byte{make([]byte, 8), make([]byte, 64), {255, 255, 255, 255, 0, 0, 0, 0}, {1, 2, 3}} {
			files = append(files, slices.Insert(bytes.Clone(b), at, in...))
		}
	}
	return files
}

func FuzzParquet(f *testing.F) {
	fuzzColumnar(f, func(b []byte) (*Log, error) { return openTraceBytes(b, Options{Workers: 1}) }, append(foreignFiles(f, "*.parquet"), smallFile(f, "parquet"))...)
}

func FuzzArrowFile(f *testing.F) {
	fuzzColumnar(f, func(b []byte) (*Log, error) {
		return openArrowFile("x.arrow", bytes.NewReader(b), int64(len(b)), Options{})
	}, slices.Concat(foreignFiles(f, "*.arrow"), withInserted(smallFile(f, "arrow")), [][]byte{smallFile(f, "arrow")})...)
}

func FuzzArrowStream(f *testing.F) {
	fuzzColumnar(f, func(b []byte) (*Log, error) {
		return openArrowStream("x.arrows", bytes.NewReader(b), Options{})
	}, slices.Concat(foreignFiles(f, "*.arrows"), withInserted(smallFile(f, "arrows")), [][]byte{smallFile(f, "arrows")})...)
}
