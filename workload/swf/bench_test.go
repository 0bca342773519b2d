package swf_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/swf"
)

// BenchmarkReadSWF reads 100 MB from memory. input=loadstone is this package;
// the others are what it is to be compared with: counting lines, and the
// obvious program in Go, which checks less and makes no columns.
func BenchmarkReadSWF(b *testing.B) {
	text := logtest.MadeUpSWF(1, 100<<20)
	logtest.BenchRead(b, "input=loadstone", len(text), func(workers int) (*workload.Log, error) {
		return swf.Open("made-up.swf", bytes.NewReader(text), workload.Options{Workers: workers})
	})
	logtest.BenchOther(b, "input=scanner-and-fields", len(text), func() error {
		return logtest.ScanFields(bytes.NewReader(text), ";", parse.Fields)
	})
	logtest.BenchOther(b, "input=count-newlines", len(text), func() error {
		if bytes.Count(text, []byte{'\n'}) == 0 {
			return errors.New("no lines")
		}
		return nil
	})
}

// BenchmarkWriteSWF formats jobs as text.
func BenchmarkWriteSWF(b *testing.B) {
	l, err := swf.Open("made-up.swf", bytes.NewReader(logtest.MadeUpSWF(1, 20<<20)), workload.Options{})
	recs := logtest.Batches(b, l, err)
	logtest.BenchWrite(b, recs, func() (workload.Writer, error) {
		return logfile.NewWriter("swf", io.Discard, workload.Header{}, workload.WriteOptions{})
	})
}
