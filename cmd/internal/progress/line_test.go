package progress

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
)

// Of a command's current tasks, the line shows the one that began last and is not finished, and its
// progress.
func TestLine(t *testing.T) {
	var w bytes.Buffer
	p := New(&w)
	p.Show()
	if w.Len() > 0 {
		t.Errorf("without a task: %q", w.String())
	}
	shows := func(when string, wants ...string) {
		t.Helper()
		w.Reset()
		p.Show()
		for _, want := range wants {
			if got := w.String(); !strings.Contains(got, want) || strings.Contains(got, "computing") && strings.Contains(got, "%") {
				t.Errorf("%s: %q, want %q", when, got, want)
			}
		}
	}
	begin := func(label, unit string, done *int64, size int64) (end func()) {
		return p.Begin(&Task{Label: label, Unit: unit, State: func() (int64, int64) { return *done, size }})
	}
	read, written := int64(1<<20), int64(5)
	end := begin("reading log.swf", Bytes, &read, 4<<20)
	shows("a quarter", "reading log.swf  25%", "MB")
	simulated, endSimulations := p.Work("simulating", "simulations", 0)
	shows("before the first simulation", "reading log.swf")
	simulated()
	shows("after the first simulation", "simulating")
	endSimulations()
	read = 4 << 20
	shows("read to its end", "computing")
	endWriting := begin("writing a.swf", "jobs", &written, 10)
	shows("an inner task", "writing a.swf  50%", "5/10")
	endWriting()
	shows("after the inner task", "computing")
	replicated, endReplicates := p.Work("replicates of a distribution", "replicates", 4)
	replicated()
	endLater := begin("later", "jobs", &written, notYet)
	shows("a quarter of the replicates", "replicates of a distribution  25%", "1/4")
	endLater()
	for range 3 {
		replicated()
	}
	shows("all replicates", "computing")
	endReplicates()
	end()
}

// Printing removes the line first, and so does the end, after which no line is shown.
func TestLineEnds(t *testing.T) {
	var w bytes.Buffer
	p := New(&w)
	task := &Task{Label: "reading", Unit: "jobs", State: func() (int64, int64) { return 1, 2 }}
	p.Begin(task)
	for _, c := range []struct {
		text  string
		leave func()
	}{{"something\n", func() { p.Aside(func() { w.WriteString("something\n") }) }}, {"", p.End}} {
		p.Show()
		w.Reset()
		c.leave()
		if got := w.String(); !strings.HasSuffix(got, "\x1b[2K\r"+c.text) || strings.Contains(got, "reading") {
			t.Errorf("before %q: %q", c.text, got)
		}
	}
	w.Reset()
	p.Begin(task)
	one, end := p.Work("late", "jobs", 4)
	end()
	p.End()
	if p.Shown() || len(p.tasks) > 0 || one != nil || w.Len() > 0 {
		t.Errorf("after the end: %d tasks, %q", len(p.tasks), w.String())
	}
	p = nil
	p.End()
	p.Aside(func() {})
	if p.Begin(task)(); p.Shown() {
		t.Error("a line that is not there is shown")
	}
}

// No line is shown without a terminal.
func TestOnTerminal(t *testing.T) {
	f := jobtest.Must(os.CreateTemp(t.TempDir(), "log"))
	if OnTerminal(f) != nil || OnTerminal(new(bytes.Buffer)) != nil {
		t.Error("progress is shown in a file or a buffer")
	}
	f.Close()
	if OnTerminal(f) != nil {
		t.Error("progress is shown in a closed file")
	}
}
