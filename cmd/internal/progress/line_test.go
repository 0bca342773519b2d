package progress

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestLine: the line tells the task, its part and its end; what is printed aside
// takes it away first.
func TestLine(t *testing.T) {
	var w bytes.Buffer
	p := New(&w)
	p.Show()
	if w.Len() > 0 {
		t.Errorf("without a task: %q", w.String())
	}
	var done, size int64 = 1 << 20, 4 << 20
	end := p.Begin(&Task{Label: "reading log.swf", Unit: Bytes, State: func() (int64, int64) { return done, size }})
	p.Show()
	if got := w.String(); !strings.Contains(got, "reading log.swf  25%") || !strings.Contains(got, "MB") {
		t.Errorf("a quarter: %q", got)
	}
	w.Reset()
	p.Aside(func() { w.WriteString("something\n") })
	if got := w.String(); !strings.HasSuffix(got, "\x1b[2K\rsomething\n") {
		t.Errorf("a note: %q", got)
	}
	w.Reset()
	done = size
	p.Show()
	if got := w.String(); !strings.Contains(got, "computing") || strings.Contains(got, "%") {
		t.Errorf("read to its end: %q", got)
	}
	// The task begun last is shown, until it ends.
	endInner := p.Begin(&Task{Label: "writing a.swf", Unit: "jobs", State: func() (int64, int64) { return 5, 10 }})
	w.Reset()
	p.Show()
	if got := w.String(); !strings.Contains(got, "writing a.swf  50%") || !strings.Contains(got, "5/10") {
		t.Errorf("an inner task: %q", got)
	}
	endInner()
	w.Reset()
	p.Show()
	if !strings.Contains(w.String(), "computing") {
		t.Errorf("after it: %q", w.String())
	}
	end()
	p.End()
	w.Reset()
	p.Begin(&Task{Label: "late", Unit: "jobs", State: func() (int64, int64) { return 1, 2 }})
	if p.Shown() || len(p.tasks) > 0 {
		t.Errorf("%d tasks, want none after the end", len(p.tasks))
	}
	p.End()
	if w.Len() > 0 {
		t.Errorf("after the end: %q", w.String())
	}
	if OnTerminal(&w) != nil {
		t.Error("progress is shown where there is no terminal")
	}
}

// There is no line in a file; a line that ends while it is shown is taken away; none
// at all does nothing.
func TestLineEnds(t *testing.T) {
	f, err := os.CreateTemp(t.TempDir(), "log")
	if err != nil {
		t.Fatal(err)
	}
	if OnTerminal(f) != nil {
		t.Error("progress is shown in a file")
	}
	f.Close()
	if OnTerminal(f) != nil {
		t.Error("progress is shown in a closed file")
	}
	var w bytes.Buffer
	p := New(&w)
	p.Begin(&Task{Label: "reading", Unit: "jobs", State: func() (int64, int64) { return 1, 2 }})
	p.Show()
	w.Reset()
	p.End()
	if got := w.String(); !strings.Contains(got, "\x1b[2K\r") || strings.Contains(got, "reading") {
		t.Errorf("at its end: %q", got)
	}
	p = nil
	p.End()
	p.Aside(func() { w.Reset() })
	if p.Begin(&Task{})(); p.Shown() || w.Len() > 0 {
		t.Error("a line that is not there is shown")
	}
}
