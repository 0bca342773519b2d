package logtest

import (
	"errors"
	"fmt"
	"io"
	goruntime "runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Format opens a text of a format, in chunks of about size bytes.
type Format func(name string, r io.Reader, o workload.Options, size int) (*workload.Log, error)

// Cases are the texts with which Conform tests a format.
type Cases struct {
	Texts []string // of a few jobs, whole and broken
	// Endless maps names to the beginning of a text and a part that repeats without end. The
	// fault must be found before much of it is read.
	Endless map[string][2]string
	// Head and Line make a long text: Line returns record n, from 1. At most Bound bytes may be
	// in use while it is read.
	Head  string
	Line  func(n int) string
	Bound int64
	// Loose is true for formats in which the wording of a fault may depend on where a chunk
	// ends.
	Loose bool
}

// Conform tests what every text format must do: return the same jobs, lines, header and
// warnings, or the same *workload.InputError, for chunks of any size and any number of workers;
// stop when the caller has seen enough; be read only once; and, with -tags long, read texts of
// any length in bounded memory.
func Conform(t *testing.T, open Format, c Cases) {
	for i, text := range c.Texts {
		for _, size := range []int{1, 7, 50, 333, 4096} {
			if d := open.differ(text, size, c.Loose); d != "" {
				t.Errorf("text %d, chunks of %d: %s", i, size, d)
			}
		}
	}
	t.Run("stop", func(t *testing.T) { open.stops(t, c) })
	for name, text := range c.Endless {
		t.Run("endless "+name, func(t *testing.T) { open.ends(t, text[0], text[1]) })
	}
	t.Run("memory", func(t *testing.T) { open.isBounded(t, c) })
}

// Fuzz tests for any text what Conform tests for single texts.
func Fuzz(f *testing.F, open Format, c Cases) {
	for _, text := range c.Texts {
		f.Add(text, uint16(0))
		f.Add(text, uint16(70))
	}
	f.Fuzz(func(t *testing.T, text string, size uint16) {
		if d := open.differ(text, int(size)+1, c.Loose); d != "" {
			t.Fatal(d)
		}
	})
}

// all returns the content of a log, its jobs with their lines, header and warnings, or an error.
func (open Format) all(text string, workers, size int) (string, error) {
	l, err := open("log", strings.NewReader(text), workload.Options{Workers: workers, TimeZone: "Europe/Zurich"}, size)
	if err != nil {
		return "", err
	}
	defer l.Close()
	var b strings.Builder
	row := int64(0)
	for batch, err := range l.Batches() {
		if err != nil {
			return "", err
		}
		for i := range batch.Rows {
			fmt.Fprintln(&b, l.Line(row), batch.Job(i, row))
			row++
		}
	}
	var warnings []string
	for _, w := range l.Warnings() {
		warnings = append(warnings, w.String())
	}
	slices.Sort(warnings)
	fmt.Fprint(&b, strings.Join(slices.Concat(l.Header.Lines, warnings), "\n"))
	return b.String(), nil
}

// differ describes how a text read in chunks differs from one read as a whole; "" if it does
// not.
func (open Format) differ(text string, size int, loose bool) string {
	want, wantErr := open.all(text, 1, parse.ChunkSize)
	got, err := open.all(text, 3, size)
	var input *workload.InputError
	switch {
	case (err == nil) != (wantErr == nil), err != nil && !loose && err.Error() != wantErr.Error():
		return fmt.Sprintf("error %v, want %v", err, wantErr)
	case err != nil && !errors.As(err, &input):
		return fmt.Sprintf("%T %v is no InputError", err, err)
	case err == nil && got != want:
		return fmt.Sprintf("got\n%s\nwant\n%s", got, want)
	}
	return ""
}

// long returns a reader of a text of about size bytes.
func (c *Cases) long(size int) io.Reader {
	r := &maker{line: c.Line, left: size}
	return io.MultiReader(strings.NewReader(c.Head), r)
}

// stops checks that reading can stop early, without goroutines left, and cannot be repeated.
func (open Format) stops(t *testing.T, c Cases) {
	before := goruntime.NumGoroutine()
	for stop := range 3 {
		l, err := open("log", c.long(4<<20), workload.Options{Workers: 2}, 1<<18)
		if err != nil {
			t.Fatal(err)
		}
		seen := 0
		for _, err := range l.Batches() {
			if err != nil {
				t.Fatal(err)
			}
			if seen++; seen > stop {
				break
			}
		}
		for _, err := range l.Batches() {
			if err == nil {
				t.Error("a log was read a second time")
			}
		}
	}
	for range 100 {
		if goruntime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", goruntime.NumGoroutine(), before)
}

// ends checks that an endless text fails early and in bounded memory.
func (open Format) ends(t *testing.T, before, text string) {
	if testing.Short() {
		t.Skip("long")
	}
	const size = 1 << 30
	goruntime.GC()
	used := HeapInUse()
	rest := &maker{line: func(int) string { return text }, left: size}
	l, err := open("log", io.MultiReader(strings.NewReader(before), rest), workload.Options{Workers: 2}, parse.ChunkSize)
	_, err = Drain(l, err)
	var input *workload.InputError
	if !errors.As(err, &input) {
		t.Fatalf("error %v", err)
	}
	// Up to 64 MiB of blank lines may be read.
	if read := size - rest.left; read > 16<<20 && strings.TrimSpace(text) != "" {
		t.Errorf("%d MB were read", read>>20)
	}
	if used = HeapInUse() - used; used > 150<<20 {
		t.Errorf("%d MB in use", used>>20)
	}
}

// isBounded checks the memory in use while a long text is read.
func (open Format) isBounded(t *testing.T, c Cases) {
	longtest.Only(t)
	defer debug.SetGCPercent(debug.SetGCPercent(25)) // so that the heap in use is mostly live
	goruntime.GC()
	before, most := HeapInUse(), int64(0)
	l, err := open("log", c.long(120<<20), workload.Options{Workers: 2}, parse.ChunkSize)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range l.Batches() {
		if err != nil {
			t.Fatal(err)
		}
		most = max(most, HeapInUse()-before)
	}
	if most > c.Bound {
		t.Errorf("%d MB in use, want at most %d", most>>20, c.Bound>>20)
	}
}

// maker makes lines as they are read.
type maker struct {
	line    func(n int) string
	n, left int
	rest    string
}

func (m *maker) Read(p []byte) (int, error) {
	if m.rest == "" {
		if m.left <= 0 {
			return 0, io.EOF
		}
		m.n++
		m.rest = m.line(m.n)
		m.left -= len(m.rest)
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// HeapInUse returns the bytes of the heap in use, by live objects and by those not yet
// collected.
func HeapInUse() int64 {
	var m goruntime.MemStats
	goruntime.ReadMemStats(&m)
	return int64(m.HeapInuse)
}
