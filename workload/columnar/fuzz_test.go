package columnar_test

import (
	"bytes"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// smallFile is one of 20 jobs.
func smallFile(f logtest.Failer, format string) []byte {
	f.Helper()
	var b bytes.Buffer
	w, err := logfile.NewWriter(format, &b, workload.Header{Lines: []string{" Version: 2.2"}}, workload.WriteOptions{Columns: workload.OptionalColumns})
	if err != nil {
		f.Fatal(err)
	}
	logtest.WriteAll(f, w, logtest.MadeUpLog(1, 20, 20))
	return b.Bytes()
}

func FuzzParquet(f *testing.F) {
	logtest.FuzzColumnar(f, func(b []byte) (*workload.Log, error) { return logtest.OpenTraceBytes(b, workload.Options{Workers: 1}) }, append(foreignFiles(f, "*.parquet"), smallFile(f, "parquet"))...)
}

func FuzzArrowFile(f *testing.F) {
	logtest.FuzzColumnar(f, func(b []byte) (*workload.Log, error) {
		return columnar.OpenArrowFile("x.arrow", bytes.NewReader(b), int64(len(b)), workload.Options{})
	}, append(foreignFiles(f, "*.arrow"), smallFile(f, "arrow"))...)
}

func FuzzArrowStream(f *testing.F) {
	logtest.FuzzColumnar(f, func(b []byte) (*workload.Log, error) {
		return columnar.OpenArrowStream("x.arrows", bytes.NewReader(b), workload.Options{})
	}, append(foreignFiles(f, "*.arrows"), smallFile(f, "arrows"))...)
}
