package workload

import (
	"errors"
	"io"
	goruntime "runtime"
	"strings"
	"testing"
)

// endless yields one text over and over, up to a number of bytes, without
// holding more than it.
type endless struct {
	text []byte
	left int64
	pos  int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(int64(len(p)), e.left)], e.text[e.pos:])
	e.pos = (e.pos + n) % len(e.text)
	e.left -= int64(n)
	return n, nil
}

// heapInUse is the memory of what is alive, and of what is not yet collected.
func heapInUse() int64 {
	var m goruntime.MemStats
	goruntime.ReadMemStats(&m)
	return int64(m.HeapInuse)
}

// TestSWFMemoryIsBounded reads 300 MB of jobs; what is in use meanwhile is a
// few chunks and their columns, uncollected ones included.
func TestSWFMemoryIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 300 MB")
	}
	const bound = 100 << 20
	jobs := madeUpSWF(4, 1<<20)
	goruntime.GC()
	before := heapInUse()
	l, err := openSWF("endless.swf", &endless{text: jobs, left: 300 << 20}, Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	most, batches := int64(0), 0
	for _, err := range l.Batches() {
		var e *InputError
		if errors.As(err, &e) && batches > 100 {
			break // the text ends in the middle of a line
		}
		if err != nil {
			t.Fatal(err)
		}
		if batches++; batches%8 == 0 {
			most = max(most, heapInUse()-before)
		}
	}
	if batches < 100 {
		t.Errorf("only %d batches of 300 MB", batches)
	}
	t.Logf("at most %d MB in use", most>>20)
	if most > bound {
		t.Errorf("%d MB in use, want at most %d", most>>20, bound>>20)
	}
}

// TestSWFLongLineIsNotRead gives a line without an end, in each place where
// one may stand: it is an error before much of it is read.
func TestSWFLongLineIsNotRead(t *testing.T) {
	const size = 2 << 30
	for _, c := range []struct {
		name   string
		before string
		text   string
		line   int64
	}{
		{"digits", "", "1", 1},
		{"blanks", "", " ", 1},
		{"blanks after a job", swfLine(nil) + "\n", " ", 2},
		{"comment", "; header\n", ";", 2},
		{"late comment", "; header\n" + swfLine(nil) + "\n", ";", 3},
		{"more fields", swfLine(nil) + " ", "x ", 1},
		{"fields", swfLine(nil) + "\n\n", "1 ", 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			goruntime.GC()
			before := heapInUse()
			rest := &endless{text: []byte(c.text), left: size}
			l, err := openSWF("long.swf", io.MultiReader(&endless{text: []byte(c.before + " "), left: int64(len(c.before))}, rest), Options{Workers: 2})
			if err == nil {
				_, err = readAll(l)
			}
			var e *InputError
			if !errors.As(err, &e) || e.Line != c.line {
				t.Fatalf("error %v, want one in line %d", err, c.line)
			}
			if read := size - rest.left; read > 8<<20 {
				t.Errorf("%d MB were read", read>>20)
			}
			if used := heapInUse() - before; used > 100<<20 {
				t.Errorf("%d MB in use", used>>20)
			}
		})
	}
}

// TestSWFLongLineStopsAtOnce cuts so that a chunk's end falls just behind the
// longest line that is read.
func TestSWFLongLineStopsAtOnce(t *testing.T) {
	for over := 1; over < 50; over += 7 {
		size := (maxLine + over + 1) / 2
		l, err := openSWFChunks("log.swf", &endless{text: []byte("1"), left: 4 << 20}, Options{Workers: 1}, size)
		if err == nil {
			_, err = readAll(l)
		}
		var e *InputError
		if !errors.As(err, &e) || e.Line != 1 || !strings.Contains(e.Saw, "a line of more than 1 MiB") {
			t.Errorf("chunks of %d: error %v", size, err)
		}
	}
}

// TestSWFLineLength holds the border: a line of a mebibyte is read, one byte
// more is an error, wherever chunks are cut.
func TestSWFLineLength(t *testing.T) {
	for _, size := range []int{1 << 10, 1<<19 + 7, chunkSize} {
		for _, extra := range []int{0, 1} {
			for _, end := range []string{"", "\n", "\n" + swfLine(nil) + "\n"} {
				line := make([]byte, maxLine+extra)
				for i := range line {
					line[i] = ' '
				}
				copy(line, swfLine(nil))
				text := swfLine(nil) + "\n" + string(line) + end
				l, err := openSWFChunks("log.swf", &endless{text: []byte(text), left: int64(len(text))}, Options{Workers: 2}, size)
				if err != nil {
					t.Fatal(err)
				}
				jobs, err := readAll(l)
				var e *InputError
				switch {
				case extra == 0 && err != nil:
					t.Errorf("chunks of %d: %v", size, err)
				case extra == 0 && len(jobs) < 2:
					t.Errorf("chunks of %d: %d jobs", size, len(jobs))
				case extra == 1 && (!errors.As(err, &e) || e.Line != 2):
					t.Errorf("chunks of %d, end %q: error %v, want one in line 2", size, end, err)
				}
			}
		}
	}
}
