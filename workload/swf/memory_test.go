package swf_test

import (
	"errors"
	"io"
	goruntime "runtime"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
	"github.com/loadstone-hpc/loadstone/workload/swf"
)

// TestSWFMemoryIsBounded reads 300 MB of jobs; what is in use meanwhile is a
// few chunks and their columns, uncollected ones included.
func TestSWFMemoryIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 300 MB")
	}
	const bound = 100 << 20
	jobs := logtest.MadeUpSWF(4, 1<<20)
	goruntime.GC()
	before := logtest.HeapInUse()
	l, err := swf.Open("endless.swf", &logtest.Endless{Text: jobs, Left: 300 << 20}, workload.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	most, batches := int64(0), 0
	for _, err := range l.Batches() {
		var e *workload.InputError
		if errors.As(err, &e) && batches > 100 {
			break // the text ends in the middle of a line
		}
		if err != nil {
			t.Fatal(err)
		}
		if batches++; batches%8 == 0 {
			most = max(most, logtest.HeapInUse()-before)
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
			before := logtest.HeapInUse()
			rest := &logtest.Endless{Text: []byte(c.text), Left: size}
			l, err := swf.Open("long.swf", io.MultiReader(&logtest.Endless{Text: []byte(c.before + " "), Left: int64(len(c.before))}, rest), workload.Options{Workers: 2})
			if err == nil {
				_, err = logtest.ReadAll(l)
			}
			var e *workload.InputError
			if !errors.As(err, &e) || e.Line != c.line {
				t.Fatalf("error %v, want one in line %d", err, c.line)
			}
			if read := size - rest.Left; read > 8<<20 {
				t.Errorf("%d MB were read", read>>20)
			}
			if used := logtest.HeapInUse() - before; used > 100<<20 {
				t.Errorf("%d MB in use", used>>20)
			}
		})
	}
}

// TestSWFLongLineStopsAtOnce cuts so that a chunk's end falls just behind the
// longest line that is read.
func TestSWFLongLineStopsAtOnce(t *testing.T) {
	for over := 1; over < 50; over += 7 {
		size := (parse.MaxLine + over + 1) / 2
		l, err := swf.OpenChunks("log.swf", &logtest.Endless{Text: []byte("1"), Left: 4 << 20}, workload.Options{Workers: 1}, size)
		if err == nil {
			_, err = logtest.ReadAll(l)
		}
		var e *workload.InputError
		if !errors.As(err, &e) || e.Line != 1 || !strings.Contains(e.Saw, "a line of more than 1 MiB") {
			t.Errorf("chunks of %d: error %v", size, err)
		}
	}
}

// TestSWFLineLength holds the border: a line of a mebibyte is read, one byte
// more is an error, wherever chunks are cut.
func TestSWFLineLength(t *testing.T) {
	for _, size := range []int{1 << 10, 1<<19 + 7, parse.ChunkSize} {
		for _, extra := range []int{0, 1} {
			for _, end := range []string{"", "\n", "\n" + swfLine(nil) + "\n"} {
				line := make([]byte, parse.MaxLine+extra)
				for i := range line {
					line[i] = ' '
				}
				copy(line, swfLine(nil))
				text := swfLine(nil) + "\n" + string(line) + end
				l, err := swf.OpenChunks("log.swf", &logtest.Endless{Text: []byte(text), Left: int64(len(text))}, workload.Options{Workers: 2}, size)
				if err != nil {
					t.Fatal(err)
				}
				jobs, err := logtest.ReadAll(l)
				var e *workload.InputError
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
