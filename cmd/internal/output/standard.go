package output

import (
	"errors"
	"io"
	"sync"
	"syscall"

	"github.com/loadstone-hpc/loadstone/cmd/internal/progress"
)

// Standard is the command's standard output. It keeps the first write error,
// since some writers, such as cobra, ignore it. It may be the terminal on which
// progress is shown, so a write ends the progress line.
type Standard struct {
	W        io.Writer
	Progress *progress.Line

	mu  sync.Mutex
	err error
}

// ErrReaderGone is the error of a write to a pipe without a reader.
var ErrReaderGone = errors.New("standard output: the reader has closed the pipe")

func (o *Standard) Write(b []byte) (int, error) {
	o.Progress.End()
	n, err := o.W.Write(b)
	switch {
	case errors.Is(err, syscall.EPIPE):
		err = ErrReaderGone
	case err != nil:
		err = fileFault("standard output", err)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// Fault returns the first write error.
func (o *Standard) Fault() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}
