package output

import (
	"errors"
	"io"
	"sync"
	"syscall"

	"github.com/loadstone-hpc/loadstone/cmd/internal/progress"
)

// Standard is the command's standard output. It keeps the first error of
// a write, which cobra, for one, does not pass on. It may be the terminal that
// progress is shown on: what comes out of a command ends the showing.
type Standard struct {
	W        io.Writer
	Progress *progress.Line

	mu  sync.Mutex
	err error
}

// ErrReaderGone is the error of a write to a pipe that nobody reads any more.
var ErrReaderGone = errors.New("standard output: nobody reads it any more")

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

// Fault returns the first error of a write.
func (o *Standard) Fault() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}
