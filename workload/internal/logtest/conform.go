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

// Cases are the texts with which Conform tries a format.
type Cases struct {
	Texts []string // of a few jobs, whole and broken
	// Endless are beginnings of texts, each with what follows over and over: the fault comes
	// before much of it is read.
	Endless map[string][2]string
	// Head and Line make a long text: Line is record n, counted from 1. No more than Bound bytes
	// are in use meanwhile.
	Head  string
	Line  func(n int) string
	Bound int64
	// Loose is for formats whose faults may be worded by where a chunk ends.
	Loose bool
}

// Conform holds a format of texts to what every one has to do: the same jobs, lines, header and
// warnings, or the same *workload.InputError, in chunks of any size and with any number of workers;
// to end when its reader has seen enough; to be read once; and, with -tags long, to read texts of
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

// Fuzz holds what Conform does of single texts for any.
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

// all is what becomes of a text: its jobs with their lines, header and warnings, or an error.
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

// differ describes how a text in chunks differs from the text in one; "" for not.
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

// long is a text of so many bytes.
func (c *Cases) long(size int) io.Reader {
	r := &maker{line: c.Line, left: size}
	return io.MultiReader(strings.NewReader(c.Head), r)
}

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
	// Of blank lines 64 MiB may be read.
	if read := size - rest.left; read > 16<<20 && strings.TrimSpace(text) != "" {
		t.Errorf("%d MB were read", read>>20)
	}
	if used = HeapInUse() - used; used > 150<<20 {
		t.Errorf("%d MB in use", used>>20)
	}
}

func (open Format) isBounded(t *testing.T, c Cases) {
	longtest.Only(t)
	defer debug.SetGCPercent(debug.SetGCPercent(25)) // what is in use counts, more than what is not collected yet
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

// maker makes up lines as they are read.
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

// HeapInUse is the memory of what is alive, and of what is not yet collected.
func HeapInUse() int64 {
	var m goruntime.MemStats
	goruntime.ReadMemStats(&m)
	return int64(m.HeapInuse)
}
