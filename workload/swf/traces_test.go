package swf_test

import (
	"bytes"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/longtest"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"

	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/swf"
)

// traceText returns the text of a log, decompressed without this package.
func traceText(t *testing.T, path string) string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// realLogs are the logs with their properties from the traces' README; steps is from an awk program
// over the decompressed text.
var realLogs = []struct {
	file  string
	jobs  int
	extra int64
	steps int64 // steps back in submission time
}{
	{"ANL-Theta-2023.crlf-unsorted.swf.gz", 8401, 0, 2726},
	{"CTC-SP2-1996.simulated-waits.swf.gz", 77199, 0, 29952},
	{"KTH-SP2-1996-2.1-cln.swf.gz", 28476, 0, 0},
	{"LANL-CM5-1994-4.1-cln.first60.swf", 60, 0, 0},
	{"LCG-2005-1.swf.gz", 188041, 0, 0},
	{"LLNL-Thunder-2007-1.1-cln.swf.gz", 121039, 0, 0},
	{"METACENTRUM-wagap-2013.21-fields.swf.gz", 17900, 17900, 0},
	{"NASA-iPSC-1993-3.1-cln.swf.gz", 18239, 0, 0},
	{"RICC-2010-2.swf.gz", 447794, 0, 0},
	{"SDSC-Par-1996-3.1-cln.swf.gz", 32135, 0, 0},
	{"SDSC-SP2-1998.simulated-waits.swf.gz", 54006, 0, 15537},
	{"UniLu-Gaia-2014-1.swf.gz", 51987, 0, 0},
}

// TestRealLogs reads every log and compares each field with the simple parser's, then writes it and
// compares the fields of the text with the original's.
func TestRealLogs(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	dir := reallogs.Path(t, "")
	for _, c := range realLogs {
		t.Run(c.file, func(t *testing.T) {
			if c.jobs > longtest.Size(100_000, math.MaxInt) {
				t.Skip("large: run with -tags long")
			}
			path := filepath.Join(dir, "swf", c.file)
			want := readSimply(traceText(t, path))
			l, err := logfile.Open(path, workload.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			got := logtest.Collect(t, l.Batches())
			logtest.SameBatches(t, got, want.jobs)
			if losses := swf.Losses(got); losses != nil {
				t.Errorf("a log of the format loses %v", losses)
			}
			back, err := swf.Open("written", bytes.NewReader(swf.Append(nil, got)), workload.Options{})
			if err != nil {
				t.Fatal(err)
			}
			logtest.SameBatches(t, logtest.Collect(t, back.Batches()), want.jobs)
			if got.Rows != c.jobs || want.fault != "" {
				t.Errorf("%d jobs, the README says %d; a fault at %q", got.Rows, c.jobs, want.fault)
			}
			if d := cmp.Diff(want.header, l.Header.Lines); d != "" {
				t.Errorf("header: %s", d)
			}
			if header := string(swf.AppendHeader(nil, l.Header)); len(want.header) > 0 && header != ";"+strings.Join(want.header, "\n;")+"\n" {
				t.Errorf("written header %q", header)
			}
			if n := logtest.Counts(l); n["extra-fields"] != c.extra || n["submit-order"] != c.steps {
				t.Errorf("%v, want %d lines with more fields and %d steps back in submission time", n, c.extra, c.steps)
			}
		})
	}
}
