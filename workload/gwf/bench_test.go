package gwf_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/gwf"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// BenchmarkReadGWF reads 100 MB from memory. input=loadstone is this package;
// input=scanner-and-fields is the obvious program in Go, which checks less,
// makes no columns and leaves names as they are.
func BenchmarkReadGWF(b *testing.B) {
	text := logtest.MadeUpGWF(1, 100<<20)
	logtest.BenchRead(b, "input=loadstone", len(text), func(workers int) (*workload.Log, error) {
		return gwf.Open("made-up.gwf", bytes.NewReader(text), workload.Options{Workers: workers})
	})
	logtest.BenchOther(b, "input=scanner-and-fields", len(text), func() error {
		return logtest.ScanFields(bytes.NewReader(text), "#", gwf.GwfUser)
	})
}

// BenchmarkWriteGrid formats jobs of a grid, whose names are in the header.
func BenchmarkWriteGrid(b *testing.B) {
	l, err := gwf.Open("made-up.gwf", bytes.NewReader(logtest.MadeUpGWF(2, 20<<20)), workload.Options{})
	recs := logtest.Batches(b, l, err)
	for _, format := range []string{"gwf", "batsim"} {
		b.Run("format="+format, func(b *testing.B) {
			logtest.BenchWrite(b, recs, func() (workload.Writer, error) {
				return logfile.NewWriter(format, io.Discard, l.Header, workload.WriteOptions{})
			})
		})
	}
}
