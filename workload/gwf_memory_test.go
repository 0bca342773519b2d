package workload

import (
	"errors"
	"fmt"
	"io"
	goruntime "runtime"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/google/go-cmp/cmp"
)

// Beyond the bound, names that are not yet known are left out and counted.
func TestGWFTooManyNames(t *testing.T) {
	var text strings.Builder
	for _, user := range []string{"a", "b", "-1", "c", "a", "d", "b", "c"} {
		text.WriteString(withField(" ", map[int]string{12: user}) + "\n")
	}
	b, err := parseGWF("x.gwf", []byte(text.String()), memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	names := logNames{most: 2 * (nameLineBytes + 1)}
	b.finish(&names, 0, 100)
	defer b.release()
	v := NewView(b.rec)
	var got []int64
	for i := range v.Len() {
		got = append(got, v.Int(ColUser, i))
	}
	if d := cmp.Diff([]int64{1, 2, Unknown, Unknown, 1, Unknown, 2, Unknown}, got); d != "" {
		t.Error(d)
	}
	if n := b.rec.Column(ColUser).NullN(); n != 4 {
		t.Errorf("%d nulls", n)
	}
	var w Warnings
	names.warn(&w)
	// A line stands between any two jobs: the first of "c" is in line 7 of these.
	want := []Warning{{Rule: "many-names-user_id", Text: "values of user_id left unknown: there are more different names than a header has room for", Count: 3, Line: 107}}
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
	before := heapInUse()
	line := withField("\t", map[int]string{12: "u%07d", 14: "executable-%07[1]d"})
	r := &lineMaker{most: 30 << 20, line: func(n int) string { return fmt.Sprintf(line, n) }}
	l, err := openGWF("names.gwf", r, Options{Workers: 2})
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
		known += rec.NumRows() - int64(rec.Column(ColUser).NullN())
		if batches++; batches%8 == 0 {
			most = max(most, heapInUse()-before)
		}
	}
	if got := int64(warned(l, "many-names-user_id")); got == 0 || known+got != values {
		t.Errorf("%d users known and %d left out of %d", known, got, values)
	}
	size := 0
	for _, line := range l.Header.Lines {
		size += len(line) + 16
	}
	if size > maxHeader {
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
		rest := &endless{text: []byte(c.text), left: 2 << 30}
		l, err := openGWF("long.gwf", multiReader(c.before, rest), Options{Workers: 2})
		if err == nil {
			_, err = readAll(l)
		}
		var e *InputError
		if !errors.As(err, &e) || e.Line != c.line || !strings.Contains(e.Saw, "more than 1 MiB") {
			t.Errorf("%q: error %v, want one in line %d", c.text, err, c.line)
		}
		if read := 2<<30 - rest.left; read > 8<<20 {
			t.Errorf("%q: %d MB were read", c.text, read>>20)
		}
	}
}

// No memory is left, also where reading stops early or fails.
func TestGWFReleases(t *testing.T) {
	text := madeUpGWF(6, 200<<10)
	for _, c := range []string{"", "1 2 3\n"} {
		for _, most := range []int{0, 1, 1000} {
			mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
			l, err := openGWFChunks("x", strings.NewReader(string(text)+c), Options{Workers: 2, Allocator: mem}, 8<<10)
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
