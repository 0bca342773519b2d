package columnar_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pierrec/lz4/v4"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// Files of other programs; testdata/foreign/make.mjs says which, and their
// values.
func TestForeignFiles(t *testing.T) {
	for name, jobs := range map[string]int{
		"lz4.parquet": 300, "lz4_raw.parquet": 300, "lz4_raw_v2.parquet": 300, "no_rows.parquet": 0,
		"jobs.arrow": 300, "jobs_lz4.arrow": 300, "jobs.arrows": 300, "no_rows.arrow": 0,
	} {
		for _, workers := range []int{1, 2} {
			l, err := logfile.Open(filepath.Join("testdata", "foreign", name), workload.Options{Workers: workers})
			if err != nil {
				t.Error(err)
				continue
			}
			i := 0
			for j, err := range l.Jobs() {
				if err != nil {
					t.Errorf("%s: %v", name, err)
					break
				}
				run := float64(i * i % 1000)
				if i%7 == 3 {
					run = math.NaN()
				}
				if j.ID != int64(i+1) || j.Submit != float64(60*i) || j.Run != run && j.Run == j.Run || math.IsNaN(j.Run) != math.IsNaN(run) || j.Processors != 1<<(i%5) {
					t.Fatalf("%s: row %d: %+v", name, i, j)
				}
				i++
			}
			if i != jobs {
				t.Errorf("%s: %d jobs, want %d", name, i, jobs)
			}
			l.Close()
		}
	}
}

// foreignFiles are those of a format, as seeds of fuzzers.
func foreignFiles(t logtest.Failer, pattern string) [][]byte {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", "foreign", pattern))
	if err != nil || len(names) == 0 {
		t.Fatal(pattern, err)
	}
	var files [][]byte
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, b)
	}
	return files
}

// A block of LZ4 by hand: three literals and 12 bytes from 3 back; then five
// literals (lz4_Block_format.md).
const (
	lz4Text  = "abcabcabcabcabcXYZZY"
	lz4Bytes = "\x38abc\x03\x00\x50XYZZY"
)

// The three framings of the codec LZ4, and none, give the same page.
func TestLZ4Framings(t *testing.T) {
	block := []byte(lz4Bytes)
	var frame bytes.Buffer
	w := lz4.NewWriter(&frame)
	if err := w.Apply(lz4.ChecksumOption(true), lz4.BlockChecksumOption(true)); err != nil {
		t.Fatal(err)
	}
	w.Write([]byte(lz4Text))
	w.Close()
	hadoop := slices.Concat([]byte{0, 0, 0, 20, 0, 0, 0, 12}, block)
	parts := slices.Concat( // a frame of two blocks, and one of one
		[]byte{0, 0, 0, 15, 0, 0, 0, 7}, []byte("\x60abcabc"), []byte{0, 0, 0, 10}, []byte("\x90abcabcabc"),
		[]byte{0, 0, 0, 5, 0, 0, 0, 6}, []byte("\x50XYZZY"))
	for name, c := range map[string]struct {
		page []byte
		size int
		ok   bool
	}{
		"bare":             {block, 20, true},
		"Hadoop":           {hadoop, 20, true},
		"Hadoop, parts":    {parts, 20, true},
		"frame":            {frame.Bytes(), 20, true},
		"bare, too long":   {block, 19, false},
		"bare, too short":  {block, 21, false},
		"Hadoop, too long": {hadoop, 19, false},
		"Hadoop, cut":      {hadoop[:len(hadoop)-1], 20, false},
		"Hadoop, more":     {append(slices.Clone(hadoop), 0), 20, false},
		"frame, more":      {frame.Bytes(), 19, false},
		"frame, cut":       {frame.Bytes()[:frame.Len()-3], 20, false},
		"nothing":          {nil, 20, false},
	} {
		page := make([]byte, c.size)
		err := columnar.Lz4Page(page, c.page)
		if (err == nil) != c.ok || c.ok && string(page) != lz4Text {
			t.Errorf("%s: %q, %v", name, page, err)
		}
		page = make([]byte, c.size)
		err = columnar.Lz4Block(page, c.page)
		if bare := name == "bare"; (err == nil) != bare || bare && string(page) != lz4Text {
			t.Errorf("%s as LZ4_RAW: %q, %v", name, page, err)
		}
	}
}
