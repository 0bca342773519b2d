package outside

import (
	"bufio"
	"errors"
	"fmt"
	"os"
)

func (p *Process) unasked(text []byte) error {
	return fmt.Errorf("line %d of its output: saw %s, expected nothing: no submission awaits an answer", p.read+1, shown(text))
}

// noAnswer says why there is none to the submission of a row.
func (p *Process) noAnswer(part []byte, row int64, err error) error {
	late := errors.Is(err, os.ErrDeadlineExceeded) && !p.wait(0)
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return fmt.Errorf("line %d of its output: saw more than %d bytes in one line, expected an answer", p.read+1, buffered)
	case late && len(part) > 0:
		return fmt.Errorf("line %d of its output: saw %s and no end of the line for %v", p.read+1, shown(part), p.command.Limit)
	case late:
		return fmt.Errorf("no answer to the submission of row %d for %v; a program has to write out (flush) each of its answers at once", row, p.command.Limit)
	case len(part) > 0:
		return fmt.Errorf("line %d of its output: saw %s and the end of its output, expected a whole line", p.read+1, shown(part))
	}
	return fmt.Errorf("%s after %d answers, expected the answer to the submission of row %d", p.ended(), p.read, row)
}

// ended says how it ended.
func (p *Process) ended() string {
	if !p.wait(toExit) {
		return "it closed its standard output"
	}
	return "it ended (" + p.cmd.ProcessState.String() + ")"
}

// fail keeps the first fault and stops the program. Where the context has ended,
// that is the fault.
func (p *Process) fail(err error) {
	p.err = &Fault{p.command.Label, err}
	if p.ctx.Err() != nil {
		p.err = p.ctx.Err()
	}
	p.kill()
}
