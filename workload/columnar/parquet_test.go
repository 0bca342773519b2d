package columnar_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
)

// columnarFormats are those that hold everything, with their readers.
var columnarFormats = []struct {
	format string
	open   func(b []byte, o workload.Options) (*workload.Log, error)
}{
	{"parquet", logtest.OpenParquetBytes},
	{"arrow", func(b []byte, o workload.Options) (*workload.Log, error) {
		return columnar.OpenArrowFile("x.arrow", bytes.NewReader(b), int64(len(b)), o)
	}},
	{"arrows", func(b []byte, o workload.Options) (*workload.Log, error) {
		return columnar.OpenArrowStream("x.arrows", bytes.NewReader(b), o)
	}},
}

func TestColumnarRoundTrip(t *testing.T) {
	for _, f := range columnarFormats {
		t.Run(f.format, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
				defer func() {
					if n := mem.CurrentAlloc(); n != 0 {
						t.Fatalf("%d bytes not released", n)
					}
				}()
				h := workload.Header{Lines: rapid.SliceOfN(rapid.SampledFrom([]string{" Version: 2.2", "", "   continued", " Note: caf\xe9", " Computer: \u00e9"}), 0, 4).Draw(t, "lines")}
				recs := logtest.RandomBatches(t)
				defer func() {
					for _, rec := range recs {
						rec.Release()
					}
				}()
				var b bytes.Buffer
				w, err := map[string]workload.Format{"parquet": columnar.Parquet, "arrow": columnar.Arrow, "arrows": columnar.ArrowStream}[f.format].Create(&b, h, workload.WriteOptions{Columns: workload.OptionalColumns, Workers: rapid.IntRange(1, 2).Draw(t, "writers")})
				if err != nil {
					t.Fatal(err)
				}
				logtest.WriteAll(t, w, logtest.Sequence(recs))
				l, err := f.open(b.Bytes(), workload.Options{Allocator: mem, Workers: rapid.IntRange(1, 2).Draw(t, "readers")})
				if err != nil {
					t.Fatal(err)
				}
				if len(l.Header.Lines) != len(h.Lines) {
					t.Fatalf("header %q, want %q", l.Header.Lines, h.Lines)
				}
				for i := range h.Lines {
					if l.Header.Lines[i] != h.Lines[i] {
						t.Fatalf("header %q, want %q", l.Header.Lines, h.Lines)
					}
				}
				got := logtest.Collect(t, l.Batches(), mem)
				defer got.Release()
				want := collectAny(t, logtest.Sequence(recs), mem)
				defer want.Release()
				logtest.SameRecords(t, got, want)
				if ws := l.Warnings(); len(ws) > 0 {
					t.Fatal(ws)
				}
				if err := l.Close(); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

func TestParquetGroups(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	// Dictionary columns with nulls, batches that cross the border of a row
	// group, and batches of a size that is no multiple of anything.
	const jobs = 2*columnar.GroupRows + 1234
	mem := memory.DefaultAllocator
	b := parquetBytes(t, workload.Header{}, logtest.Owned(logtest.MadeUpLog(1, jobs, 10_007, mem)))
	r, err := file.NewParquetReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if n := r.NumRowGroups(); n != 3 {
		t.Errorf("%d row groups, want 3", n)
	}
	for g := range r.NumRowGroups() {
		if n := r.RowGroup(g).NumRows(); n > columnar.GroupRows {
			t.Errorf("row group of %d rows", n)
		}
		for i := range workload.NumColumns {
			c, err := r.MetaData().RowGroup(g).ColumnChunk(i)
			if err != nil {
				t.Fatal(err)
			}
			if c.Compression() != compress.Codecs.Zstd {
				t.Errorf("%s is compressed by %v", workload.ColumnAt(i).Name, c.Compression())
			}
			if i == workload.ColUser && !c.HasDictionaryPage() {
				t.Errorf("%s has no dictionary", workload.ColumnAt(i).Name)
			}
			if i == workload.ColSubmitTime && g < 2 && c.HasDictionaryPage() {
				t.Errorf("%s has a dictionary", workload.ColumnAt(i).Name)
			}
		}
	}
	l, err := logtest.OpenParquetBytes(b, workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := logtest.Collect(t, l.Batches(), mem)
	want := logtest.Collect(t, logtest.Owned(logtest.MadeUpLog(1, jobs, workload.DefaultBatchRows, mem)), mem)
	logtest.SameRecords(t, got, want)
}

// The bytes are the same on any number of cores.
func TestParquetSameBytes(t *testing.T) {
	var all [2][]byte
	for i := range all {
		var b bytes.Buffer
		w, err := columnar.NewParquetWriter(&b, workload.Header{}, workload.OptionalColumns, i+1)
		if err != nil {
			t.Fatal(err)
		}
		logtest.WriteAll(t, w, logtest.Owned(logtest.MadeUpLog(1, 50_000, 5000, memory.DefaultAllocator)))
		all[i] = b.Bytes()
	}
	if !bytes.Equal(all[0], all[1]) {
		t.Error("one core and two write different bytes")
	}
}

// A consumer that stops early leaves no memory behind.
func TestParquetStop(t *testing.T) {
	b := parquetBytes(t, workload.Header{}, logtest.Owned(logtest.MadeUpLog(1, 100_000, 5000, memory.DefaultAllocator)))
	for _, workers := range []int{1, 2} {
		mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
		l, err := logtest.OpenParquetBytes(b, workload.Options{Allocator: mem, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		for range l.Batches() {
			break
		}
		mem.AssertSize(t, 0)
	}
}

// Other programs open our files, where there are any at hand.
func TestParquetOtherPrograms(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x.parquet")
	b := parquetBytes(t, workload.Header{Lines: []string{" Version: 2.2"}}, logtest.Owned(logtest.MadeUpLog(1, 70_000, 5000, memory.DefaultAllocator)))
	if err := os.WriteFile(name, b, 0o666); err != nil {
		t.Fatal(err)
	}
	const sum = "SELECT count(*), count(cpu_time_s), sum(user_id) FROM "
	for _, p := range []struct {
		what string
		args []string
	}{
		{"pandas", []string{"python3", "-c", "import sys\ntry:\n import pandas, pyarrow\nexcept ImportError: sys.exit(77)\nt = pandas.read_parquet(sys.argv[1])\nassert len(t) == 70000", name}},
		{"duckdb", []string{"duckdb", "-c", sum + "'" + name + "'"}},
	} {
		t.Run(p.what, func(t *testing.T) {
			out, err := exec.Command(p.args[0], p.args[1:]...).CombinedOutput()
			if _, ok := err.(*exec.Error); ok {
				t.Skip("not at hand")
			}
			if e, ok := err.(*exec.ExitError); ok && e.ExitCode() == 77 {
				t.Skip("not at hand")
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		})
	}
}
