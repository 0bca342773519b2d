package cli

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
	progressAfter = time.Second // that a command has run
	progressEvery = 200 * time.Millisecond
)

// progress is a line on a terminal that says how far the command is: the part
// of a log that has been read, or of the jobs that are written. It is nil where
// there is no terminal, and its methods do nothing then.
type progress struct {
	w    io.Writer
	quit chan struct{}

	mu    sync.Mutex
	tasks []*task // the last one that is not done is shown
	bar   *progressbar.ProgressBar
	of    *task // what the bar shows
	done  bool  // of it: what follows is not counted
}

// task is what a command is at.
type task struct {
	label string
	unit  string                    // that is counted: inBytes, "jobs", ...
	state func() (done, size int64) // size 0 is not known
}

const (
	inBytes       = "B"
	notYet  int64 = -1 // for a size: there is nothing to say of the task yet
)

// newProgress shows progress on w if that is a terminal.
func newProgress(w io.Writer) *progress {
	f, ok := w.(*os.File)
	if !ok {
		return nil
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	p := &progress{w: w, quit: make(chan struct{})}
	go p.run(time.NewTimer(progressAfter))
	return p
}

func (p *progress) run(start *time.Timer) {
	select {
	case <-p.quit:
		start.Stop()
		return
	case <-start.C:
	}
	ticker := time.NewTicker(progressEvery)
	defer ticker.Stop()
	for {
		p.show()
		select {
		case <-p.quit:
			return
		case <-ticker.C:
		}
	}
}

// begin says what the command is at; the function returned ends it.
func (p *progress) begin(t *task) (end func()) {
	if p == nil {
		return func() {}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	t.label = printable.Text(t.label)
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

// show draws the line anew.
func (p *progress) show() {
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
func (p *progress) current() (t *task, done, size int64) {
	for i := len(p.tasks) - 1; i >= 0; i-- {
		done, size = p.tasks[i].state()
		if size == 0 || size > 0 && done < size {
			return p.tasks[i], done, size
		}
	}
	return p.tasks[len(p.tasks)-1], 1, 1
}

func (p *progress) newBar(t *task, size int64, computing bool) *progressbar.ProgressBar {
	label, bytes := t.label, t.unit == inBytes
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
			options = append(options, progressbar.OptionShowIts(), progressbar.OptionSetItsString(t.unit))
		}
	}
	if size <= 0 {
		size = -1
	}
	return progressbar.NewOptions64(size, append(options, progressbar.OptionSetDescription(label), progressbar.OptionShowBytes(bytes))...)
}

// clear takes the line away; p.mu is held.
func (p *progress) clear() {
	if p.bar != nil {
		p.bar.Clear()
		p.bar.Exit()
		p.bar, p.of = nil, nil
	}
}

// aside takes the line away while f prints.
func (p *progress) aside(f func()) {
	if p != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.clear()
	}
	f()
}

// end takes the line away for good.
func (p *progress) end() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.quit:
	default:
		close(p.quit)
	}
	p.tasks = nil
	p.clear()
}

// begin is progress.begin, unless the user wants quiet.
func (a *app) begin(t *task) (end func()) {
	if a.quiet {
		return func() {}
	}
	return a.progress.begin(t)
}
