package progress

import (
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/loadstone-hpc/loadstone/internal/printable"
)

// Progress is shown only if a command takes longer than a moment.
const (
	after = time.Second            // time until the line is first shown
	every = 200 * time.Millisecond // interval between updates
)

// Line is a line on a terminal that shows the progress of a command: the part
// of a log that has been read, or of the jobs that are written. It is nil if
// there is no terminal; the exported methods of a nil Line, except Show, show nothing.
type Line struct {
	w    io.Writer
	quit chan struct{} // closed by End

	mu    sync.Mutex
	tasks []*Task // the last one that is not done is shown
	bar   *progressbar.ProgressBar
	of    *Task // task that the bar shows
	done  bool  // whether the bar shows "computing", since all parts of the task are done
}

// Task is a task of a command whose progress is shown.
type Task struct {
	Label string
	Unit  string                    // unit of State: Bytes, "jobs" and so on
	State func() (done, size int64) // size is 0 if unknown, notYet to hide the task
}

const (
	Bytes        = "B"
	notYet int64 = -1 // as a size: there is nothing to show of the task yet
)

// OnTerminal returns a line that is drawn on w regularly; nil if w is not a terminal.
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

// New returns a line that is drawn on w whenever Show is called.
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

// Begin begins a task; the function returned ends it.
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

// Show redraws the line.
func (p *Line) Show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.tasks) == 0 {
		p.clear()
		return
	}
	t, done, size := p.current()
	// All parts are done, and the command computes with them for an unknown time.
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

// current returns the last task begun that is not done, or else the last one as done.
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
		progressbar.OptionSetSpinnerChangeInterval(0), // start no goroutine
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

// clear removes the line. p.mu must be held.
func (p *Line) clear() {
	if p.bar != nil {
		p.bar.Clear()
		p.bar.Exit()
		p.bar, p.of = nil, nil
	}
}

// Aside removes the line while f prints.
func (p *Line) Aside(f func()) {
	if p != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.clear()
	}
	f()
}

// End removes the line for good.
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

// Shown reports whether progress is shown: there is a terminal, and the line has not
// ended.
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
