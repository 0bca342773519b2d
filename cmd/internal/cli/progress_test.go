package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/cmd/internal/output"
	"github.com/loadstone-hpc/loadstone/cmd/internal/progress"
)

// TestProgress checks that the progress line is removed before notes and the result.
func TestProgress(t *testing.T) {
	var w bytes.Buffer
	p := progress.New(&w)
	a := &app{Streams: Streams{Out: &output.Standard{W: &w, Progress: p}, Err: &w}, progress: p}
	p.Begin(&progress.Task{Label: "reading log.swf", Unit: progress.Bytes, State: func() (int64, int64) { return 1, 4 }})
	p.Show()
	w.Reset()
	a.note("something")
	if got := w.String(); !strings.HasSuffix(got, "\x1b[2K\rsomething\n") {
		t.Errorf("a note: %q", got)
	}
	p.Show()
	w.Reset()
	io.WriteString(a.Out, "result\n")
	if got := w.String(); !strings.HasSuffix(got, "\x1b[2K\rresult\n") || p.Shown() {
		t.Errorf("the result: %q, progress shown %v", got, p.Shown())
	}
}

// TestQuietProgress checks that a quiet command shows no progress.
func TestQuietProgress(t *testing.T) {
	for _, quiet := range []bool{true, false} {
		a := &app{Streams: Streams{Out: io.Discard, Err: io.Discard}, ctx: context.Background(), progress: progress.New(io.Discard)}
		shown := quiet
		a.In = readThen{func() { shown = a.progress.Shown() }}
		root := a.root()
		root.SetArgs([]string{"describe", "-", fmt.Sprintf("--quiet=%t", quiet)})
		root.Execute() // fails: there is no job
		if shown == quiet {
			t.Errorf("quiet %t: progress shown %t", quiet, shown)
		}
	}
}

// readThen is an empty input that calls then when it is read.
type readThen struct{ then func() }

func (r readThen) Read([]byte) (int, error) {
	r.then()
	return 0, io.EOF
}
