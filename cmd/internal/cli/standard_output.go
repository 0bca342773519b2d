package cli

import (
	"errors"
	"io"
	"sync"
	"syscall"

	"github.com/loadstone-hpc/loadstone/cmd/internal/progress"
)

// standardOutput is the command's standard output. It keeps the first error of
// a write, which cobra, for one, does not pass on. It may be the terminal that
// progress is shown on: what comes out of a command ends the showing.
type standardOutput struct {
	w        io.Writer
	progress *progress.Line

	mu  sync.Mutex
	err error
}

// errReaderGone is the error of a write to a pipe that nobody reads any more.
var errReaderGone = errors.New("standard output: nobody reads it any more")

func (o *standardOutput) Write(b []byte) (int, error) {
	o.progress.End()
	n, err := o.w.Write(b)
	switch {
	case errors.Is(err, syscall.EPIPE):
		err = errReaderGone
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

// fault returns the first error of a write.
func (o *standardOutput) fault() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}
