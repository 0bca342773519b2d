package workload

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/google/go-cmp/cmp"
)

// The header that is set last stands in every format as if it had been given
// first, and the jobs are the same.
func TestHeaderLast(t *testing.T) {
	mem := memory.DefaultAllocator
	first, batches := smallLog()
	want := collect(t, batches, mem)
	last := first.Clone()
	last.Add("Note", "only known at the end, caf\xe9 and all")
	for _, name := range []string{"x.swf", "x.swf.gz", "x.swf.zst", "x.parquet", "x.arrow", "x.arrows"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, name)
			o, err := Create(path, first, WriteOptions{HeaderLast: true})
			if err != nil {
				t.Fatal(err)
			}
			defer o.Abort()
			_, batches := smallLog()
			if err := o.WriteAll(batches); err != nil {
				t.Fatal(err)
			}
			o.SetHeader(last)
			if err := o.Commit(); err != nil {
				t.Fatal(err)
			}
			onlyFiles(t, dir, name)
			l, err := Open(path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			sameRecords(t, collect(t, l.Batches(), mem), want)
			if d := cmp.Diff(last, l.Header); d != "" {
				t.Error(d)
			}
		})
	}
	// Losses are those of a direct write.
	o, err := Create(filepath.Join(t.TempDir(), "x.csv"), first, WriteOptions{HeaderLast: true})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Abort()
	o.SetHeader(last)
	if d := cmp.Diff([]Loss{{"header", "the format has no header", 3}}, o.Losses()); d != "" {
		t.Error(d)
	}
}

// Without SetHeader the header given at first is written, and the bytes are
// those of a direct write.
func TestHeaderLastUnset(t *testing.T) {
	dir := t.TempDir()
	var got [2][]byte
	for i, late := range []bool{false, true} {
		path := filepath.Join(dir, "x.swf")
		h, batches := smallLog()
		o, err := Create(path, h, WriteOptions{HeaderLast: late})
		if err != nil {
			t.Fatal(err)
		}
		if err := o.WriteAll(batches); err != nil {
			t.Fatal(err)
		}
		if err := o.Commit(); err != nil {
			t.Fatal(err)
		}
		if got[i], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(got[0], got[1]) {
		t.Errorf("%d bytes with the header last, %d with it first", len(got[1]), len(got[0]))
	}
}

func TestHeaderLastAbort(t *testing.T) {
	dir := t.TempDir()
	h, batches := smallLog()
	o, err := Create(filepath.Join(dir, "x.swf"), h, WriteOptions{HeaderLast: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := o.WriteAll(batches); err != nil {
		t.Fatal(err)
	}
	o.Abort()
	if err := o.Commit(); err == nil {
		t.Error("Commit after Abort succeeds")
	}
	onlyFiles(t, dir)
}

// An empty spool has no batches; it can be closed twice.
func TestSpoolEmpty(t *testing.T) {
	s, err := NewSpool()
	if err != nil {
		t.Fatal(err)
	}
	for range s.Batches() {
		t.Error("a batch of nothing")
	}
	s.Close()
	s.Close()
}
