package gwf_test

import (
	"bytes"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/gwf"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
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
