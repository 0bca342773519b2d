package workload

import (
	"bytes"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"pgregory.net/rapid"
)

// openTraceBytes opens a file of a trace, and others as openParquetBytes does.
func openTraceBytes(b []byte, o Options) (*Log, error) {
	if l, err := openMapped("x.parquet", bytes.NewReader(b), int64(len(b)), traceOf, o); l != nil || err != nil {
		return l, err
	}
	return openParquetBytes(b, o)
}

func openParquetBytes(b []byte, o Options) (*Log, error) {
	return openParquet("x.parquet", bytes.NewReader(b), int64(len(b)), o)
}

// randomBatches draws batches whose columns are known never, always, or now
// and then, with few different values or many.
func randomBatches(t *rapid.T) []arrow.Record {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 7))
	var known [NumColumns]float64
	var spread [NumColumns]int64
	for i := range known {
		known[i] = rapid.SampledFrom([]float64{0, 1, 1, 0.5, 0.01, 0.99}).Draw(t, "known")
		spread[i] = rapid.SampledFrom([]int64{1, 2, 3, 300, 1 << 40, math.MaxInt64}).Draw(t, "spread")
	}
	var recs []arrow.Record
	for range rapid.IntRange(0, 4).Draw(t, "batches") {
		rows := rapid.SampledFrom([]int{0, 1, 7, 8, 9, 64, 500, 1025, 5000}).Draw(t, "rows")
		var values []Values
		for i := range columns {
			v := Values{Column: i}
			for range rows {
				n := rng.Int64N(spread[i])
				if rng.IntN(2) == 0 {
					n = -n
				}
				x := float64(n) / 4
				if rng.Float64() >= known[i] {
					n, x = Unknown, math.NaN()
				}
				if ColumnAt(i).Float() {
					v.Floats = append(v.Floats, x)
				} else {
					v.Ints = append(v.Ints, n)
				}
			}
			values = append(values, v)
		}
		rec := RecordOf(rows, values...)
		// A slice has an offset, which is not a multiple of eight.
		from := rapid.Int64Range(0, min(rec.NumRows(), 13)).Draw(t, "from")
		recs = append(recs, rec.NewSlice(from, rec.NumRows()))
		rec.Release()
	}
	return recs
}

func sequence(recs []arrow.Record) iter.Seq2[arrow.Record, error] {
	return func(yield func(arrow.Record, error) bool) {
		for _, rec := range recs {
			if !yield(rec, nil) {
				return
			}
		}
	}
}

// columnarFormats are those that hold everything, with their readers.
var columnarFormats = []struct {
	format string
	open   func(b []byte, o Options) (*Log, error)
}{
	{"parquet", openParquetBytes},
	{"arrow", func(b []byte, o Options) (*Log, error) {
		return openArrowFile("x.arrow", bytes.NewReader(b), int64(len(b)), o)
	}},
	{"arrows", func(b []byte, o Options) (*Log, error) { return openArrowStream("x.arrows", bytes.NewReader(b), o) }},
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
				h := Header{Lines: rapid.SliceOfN(rapid.SampledFrom([]string{" Version: 2.2", "", "   continued", " Note: caf\xe9", " Computer: \u00e9"}), 0, 4).Draw(t, "lines")}
				recs := randomBatches(t)
				defer func() {
					for _, rec := range recs {
						rec.Release()
					}
				}()
				var b bytes.Buffer
				w, err := newWriter(f.format, &b, h, WriteOptions{Workers: rapid.IntRange(1, 2).Draw(t, "writers")})
				if err != nil {
					t.Fatal(err)
				}
				writeAll(t, w, sequence(recs))
				l, err := f.open(b.Bytes(), Options{Allocator: mem, Workers: rapid.IntRange(1, 2).Draw(t, "readers")})
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
				got := collect(t, l.Batches(), mem)
				defer got.Release()
				want := collectAny(t, sequence(recs), mem)
				defer want.Release()
				sameRecords(t, got, want)
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
	const jobs = 2*groupRows + 1234
	mem := memory.DefaultAllocator
	b := parquetBytes(t, Header{}, owned(madeUpLog(1, jobs, 10_007, mem)))
	r, err := file.NewParquetReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if n := r.NumRowGroups(); n != 3 {
		t.Errorf("%d row groups, want 3", n)
	}
	for g := range r.NumRowGroups() {
		if n := r.RowGroup(g).NumRows(); n > groupRows {
			t.Errorf("row group of %d rows", n)
		}
		for i := range NumColumns {
			c, err := r.MetaData().RowGroup(g).ColumnChunk(i)
			if err != nil {
				t.Fatal(err)
			}
			if c.Compression() != compress.Codecs.Zstd {
				t.Errorf("%s is compressed by %v", ColumnAt(i).Name, c.Compression())
			}
			if i == ColUser && !c.HasDictionaryPage() {
				t.Errorf("%s has no dictionary", ColumnAt(i).Name)
			}
			if i == ColSubmitTime && g < 2 && c.HasDictionaryPage() {
				t.Errorf("%s has a dictionary", ColumnAt(i).Name)
			}
		}
	}
	l, err := openParquetBytes(b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := collect(t, l.Batches(), mem)
	want := collect(t, owned(madeUpLog(1, jobs, DefaultBatchRows, mem)), mem)
	sameRecords(t, got, want)
}

// The bytes are the same on any number of cores.
func TestParquetSameBytes(t *testing.T) {
	var all [2][]byte
	for i := range all {
		var b bytes.Buffer
		w, err := newParquetWriter(&b, Header{}, i+1)
		if err != nil {
			t.Fatal(err)
		}
		writeAll(t, w, owned(madeUpLog(1, 50_000, 5000, memory.DefaultAllocator)))
		all[i] = b.Bytes()
	}
	if !bytes.Equal(all[0], all[1]) {
		t.Error("one core and two write different bytes")
	}
}

// A consumer that stops early leaves no memory behind.
func TestParquetStop(t *testing.T) {
	b := parquetBytes(t, Header{}, owned(madeUpLog(1, 100_000, 5000, memory.DefaultAllocator)))
	for _, workers := range []int{1, 2} {
		mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
		l, err := openParquetBytes(b, Options{Allocator: mem, Workers: workers})
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
	b := parquetBytes(t, Header{Lines: []string{" Version: 2.2"}}, owned(madeUpLog(1, 70_000, 5000, memory.DefaultAllocator)))
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
