package cli

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// TestProgress: the line tells the task, its part and its end; notes and the
// result take it away first.
func TestProgress(t *testing.T) {
	var w bytes.Buffer
	p := &progress{w: &w, quit: make(chan struct{})}
	a := &app{Streams: Streams{Out: &standardOutput{w: &w, progress: p}, Err: &w}, progress: p}
	p.show()
	if w.Len() > 0 {
		t.Errorf("without a task: %q", w.String())
	}
	var done, size int64 = 1 << 20, 4 << 20
	end := a.begin(&task{"reading log.swf", inBytes, func() (int64, int64) { return done, size }})
	p.show()
	if got := w.String(); !strings.Contains(got, "reading log.swf  25%") || !strings.Contains(got, "MB") {
		t.Errorf("a quarter: %q", got)
	}
	w.Reset()
	a.note("something")
	if got := w.String(); !strings.HasSuffix(got, "\x1b[2K\rsomething\n") {
		t.Errorf("a note: %q", got)
	}
	w.Reset()
	done = size
	p.show()
	if got := w.String(); !strings.Contains(got, "computing") || strings.Contains(got, "%") {
		t.Errorf("read to its end: %q", got)
	}
	// The task begun last is shown, until it ends.
	endInner := a.begin(&task{"writing a.swf", "jobs", func() (int64, int64) { return 5, 10 }})
	w.Reset()
	p.show()
	if got := w.String(); !strings.Contains(got, "writing a.swf  50%") || !strings.Contains(got, "5/10") {
		t.Errorf("an inner task: %q", got)
	}
	endInner()
	w.Reset()
	p.show()
	if !strings.Contains(w.String(), "computing") {
		t.Errorf("after it: %q", w.String())
	}
	end()
	w.Reset()
	io.WriteString(a.Out, "result\n")
	if got := w.String(); !strings.HasSuffix(got, "result\n") {
		t.Errorf("the result: %q", got)
	}
	w.Reset()
	a.begin(&task{"late", "jobs", func() (int64, int64) { return 1, 2 }})
	a.quiet = true
	a.begin(&task{"quiet", "jobs", func() (int64, int64) { return 1, 2 }})
	if len(p.tasks) != 1 {
		t.Errorf("%d tasks, want none for a quiet command", len(p.tasks))
	}
	p.end()
	p.end()
	if w.Len() > 0 {
		t.Errorf("after the end: %q", w.String())
	}
	if newProgress(&w) != nil {
		t.Error("progress is shown where there is no terminal")
	}
}
