package gwf_test

import (
	"errors"
	"fmt"
	"io"
	goruntime "runtime"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/gwf"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Beyond the bound, names that are not yet known are left out and counted.
func TestGWFTooManyNames(t *testing.T) {
	var text strings.Builder
	for _, user := range []string{"a", "b", "-1", "c", "a", "d", "b", "c"} {
		text.WriteString(withField(" ", map[int]string{12: user}) + "\n")
	}
	b, err := gwf.ParseChunk("x.gwf", []byte(text.String()), memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	names := parse.Names{Most: 2 * (parse.NameLineBytes + 1)}
	b.Finish(&names, 0, 100)
	defer b.Release()
	v := workload.NewView(b.Rec)
	var got []int64
	for i := range v.Len() {
		got = append(got, v.Int(workload.ColUser, i))
	}
	if d := cmp.Diff([]int64{1, 2, workload.Unknown, workload.Unknown, 1, workload.Unknown, 2, workload.Unknown}, got); d != "" {
		t.Error(d)
	}
	if n := b.Rec.Column(workload.ColUser).NullN(); n != 4 {
		t.Errorf("%d nulls", n)
	}
	var w workload.Warnings
	names.Warn(&w)
	// A line stands between any two jobs: the first of "c" is in line 7 of these.
	want := []workload.Warning{{Rule: "many-names-user_id", Text: "values of user_id left unknown: there are more different names than a header can hold", Count: 3, Line: 107}}
	if d := cmp.Diff(want, w.List()); d != "" {
		t.Error(d)
	}
}

// TestGWFMemoryIsBounded reads 30 MB in which no two names are alike, more
// than twice as many as are kept.
func TestGWFMemoryIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 30 MB")
	}
	const bound = 120 << 20
	goruntime.GC()
	before := logtest.HeapInUse()
	line := withField("\t", map[int]string{12: "u%07d", 14: "executable-%07[1]d"})
	r := &lineMaker{most: 30 << 20, line: func(n int) string { return fmt.Sprintf(line, n) }}
	l, err := gwf.Open("names.gwf", r, workload.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	most, batches := int64(0), 0
	var known, values int64
	for rec, err := range l.Batches() {
		if err != nil {
			t.Fatal(err)
		}
		values += rec.NumRows()
		known += rec.NumRows() - int64(rec.Column(workload.ColUser).NullN())
		if batches++; batches%8 == 0 {
			most = max(most, logtest.HeapInUse()-before)
		}
	}
	if got := int64(logtest.Warned(l, "many-names-user_id")); got == 0 || known+got != values {
		t.Errorf("%d users known and %d left out of %d", known, got, values)
	}
	size := 0
	for _, line := range l.Header.Lines {
		size += len(line) + 16
	}
	if size > parse.MaxHeader {
		t.Errorf("a header of %d bytes, which no reader takes", size)
	}
	t.Logf("at most %d MB in use, %d names", most>>20, len(l.Header.Lines))
	if most > bound {
		t.Errorf("%d MB in use, want at most %d", most>>20, bound>>20)
	}
}

// lineMaker makes up lines as they are read.
type lineMaker struct {
	line func(n int) string
	most int
	n    int
	rest []byte
}

func (m *lineMaker) Read(p []byte) (int, error) {
	for len(m.rest) < len(p) && m.most > 0 {
		m.n++
		text := m.line(m.n)
		m.most -= len(text)
		m.rest = append(m.rest, text...)
	}
	n := copy(p, m.rest)
	m.rest = append(m.rest[:0], m.rest[n:]...)
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

// A line without an end is an error before much of it is read.
func TestGWFLongLineIsNotRead(t *testing.T) {
	for _, c := range []struct {
		before, text string
		line         int64
	}{{"", "1", 1}, {"", "#", 1}, {plainJob + "\n", "#", 2}, {plainJob + "\n", "\t", 2}, {plainJob + "\n", "-1 ", 2}} {
		rest := &logtest.Endless{Text: []byte(c.text), Left: 2 << 30}
		l, err := gwf.Open("long.gwf", multiReader(c.before, rest), workload.Options{Workers: 2})
		if err == nil {
			_, err = logtest.ReadAll(l)
		}
		var e *workload.InputError
		if !errors.As(err, &e) || e.Line != c.line || !strings.Contains(e.Saw, "more than 1 MiB") {
			t.Errorf("%q: error %v, want one in line %d", c.text, err, c.line)
		}
		if read := 2<<30 - rest.Left; read > 8<<20 {
			t.Errorf("%q: %d MB were read", c.text, read>>20)
		}
	}
}

// No memory is left, also where reading stops early or fails.
func TestGWFReleases(t *testing.T) {
	text := logtest.MadeUpGWF(6, 200<<10)
	for _, c := range []string{"", "1 2 3\n"} {
		for _, most := range []int{0, 1, 1000} {
			mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
			l, err := gwf.OpenChunks("x", strings.NewReader(string(text)+c), workload.Options{Workers: 2, Allocator: mem}, 8<<10)
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for range l.Batches() {
				if n++; n > most {
					break
				}
			}
			mem.AssertSize(t, 0)
		}
	}
}

func multiReader(before string, rest io.Reader) io.Reader {
	return io.MultiReader(strings.NewReader(before), rest)
}
