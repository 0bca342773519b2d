package progress

import (
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/loadstone-hpc/loadstone/internal/printable"
)

// Progress is shown on a terminal alone, and only of what takes its time.
const (
	after = time.Second // that a command has run
	every = 200 * time.Millisecond
)

// Line is a line on a terminal that says how far the command is: the part
// of a log that has been read, or of the jobs that are written. It is nil where
// there is no terminal, and its methods do nothing then.
type Line struct {
	w    io.Writer
	quit chan struct{} // closed by end

	mu    sync.Mutex
	tasks []*Task // the last one that is not done is shown
	bar   *progressbar.ProgressBar
	of    *Task // what the bar shows
	done  bool  // of it: what follows is not counted
}

// Task is what a command is at.
type Task struct {
	Label string
	Unit  string                    // that is counted: inBytes, "jobs", ...
	State func() (done, size int64) // size 0 is not known
}

const (
	Bytes        = "B"
	notYet int64 = -1 // for a size: there is nothing to say of the task yet
)

// OnTerminal shows progress on w; nil if w is no terminal.
func OnTerminal(w io.Writer) *Line {
	f, ok := w.(*os.File)
	if !ok {
		return nil
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	p := New(w)
	go p.run(time.NewTimer(after))
	return p
}

// New returns a line that is drawn on w whenever show is called.
func New(w io.Writer) *Line { return &Line{w: w, quit: make(chan struct{})} }

func (p *Line) run(start *time.Timer) {
	select {
	case <-p.quit:
		start.Stop()
		return
	case <-start.C:
	}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		p.Show()
		select {
		case <-p.quit:
			return
		case <-ticker.C:
		}
	}
}

// Begin says what the command is at; the function returned ends it.
func (p *Line) Begin(t *Task) (end func()) {
	if !p.Shown() {
		return func() {}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	t.Label = printable.Text(t.Label)
	p.tasks = append(p.tasks, t)
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		for i, other := range p.tasks {
			if other == t {
				p.tasks = append(p.tasks[:i:i], p.tasks[i+1:]...)
				return
			}
		}
	}
}

// Show draws the line anew.
func (p *Line) Show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.tasks) == 0 {
		p.clear()
		return
	}
	t, done, size := p.current()
	// All that is counted is done, and is computed with: how long is not known.
	computing := size > 0 && done >= size
	if p.bar == nil || p.of != t || p.done != computing {
		p.clear()
		p.of, p.done = t, computing
		p.bar = p.newBar(t, size, computing)
	}
	if computing {
		p.bar.Add(1)
		return
	}
	p.bar.Set64(done)
}

// current is the last task begun that is not done, else the last one.
func (p *Line) current() (t *Task, done, size int64) {
	for i := len(p.tasks) - 1; i >= 0; i-- {
		done, size = p.tasks[i].State()
		if size == 0 || size > 0 && done < size {
			return p.tasks[i], done, size
		}
	}
	return p.tasks[len(p.tasks)-1], 1, 1
}

func (p *Line) newBar(t *Task, size int64, computing bool) *progressbar.ProgressBar {
	label, bytes := t.Label, t.Unit == Bytes
	options := []progressbar.Option{
		progressbar.OptionSetWriter(p.w), progressbar.OptionThrottle(0), progressbar.OptionSetRenderBlankState(true),
		progressbar.OptionUseANSICodes(true), progressbar.OptionSetElapsedTime(true), progressbar.OptionSetWidth(20),
		progressbar.OptionSetSpinnerChangeInterval(0), // no goroutine of its own
	}
	switch {
	case computing:
		label, bytes, size = "computing", false, 0
	default:
		options = append(options, progressbar.OptionSetPredictTime(true), progressbar.OptionShowCount())
		if !bytes {
			options = append(options, progressbar.OptionShowIts(), progressbar.OptionSetItsString(t.Unit))
		}
	}
	if size <= 0 {
		size = -1
	}
	return progressbar.NewOptions64(size, append(options, progressbar.OptionSetDescription(label), progressbar.OptionShowBytes(bytes))...)
}

// clear takes the line away; p.mu is held.
func (p *Line) clear() {
	if p.bar != nil {
		p.bar.Clear()
		p.bar.Exit()
		p.bar, p.of = nil, nil
	}
}

// Aside takes the line away while f prints.
func (p *Line) Aside(f func()) {
	if p != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.clear()
	}
	f()
}

// End takes the line away for good.
func (p *Line) End() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.Shown() {
		close(p.quit)
	}
	p.tasks = nil
	p.clear()
}

// Shown says whether somebody looks at the progress: there is a terminal, and
// the line has not ended.
func (p *Line) Shown() bool {
	if p == nil {
		return false
	}
	select {
	case <-p.quit:
		return false
	default:
		return true
	}
}
