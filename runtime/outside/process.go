package outside

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/workload"
)

const (
	// buffered is how much is written at once, and the longest line that is read,
	// in bytes.
	buffered = 1 << 16
	// toExit is how long a program that closed its output has to exit by itself,
	// and its last words to arrive.
	toExit = time.Second
)

// Process is a program that predicts.
type Process struct {
	command Command
	ctx     context.Context
	cmd     *exec.Cmd
	in      *os.File // its standard input
	out     *os.File // its standard output
	lines   *bufio.Reader
	write   []byte        // lines that it has not been sent yet
	asked   int           // submissions
	read    int           // lines
	exited  chan struct{} // closed when it has
	said    chan struct{} // closed when its standard error has ended
	unwatch func() bool
	stop    sync.Once
	err     error
}

var _ runtime.Fallible = (*Process)(nil)

// Start starts the program. It is stopped when the context ends. The caller calls
// Finish after the last job, and Stop in any case.
func Start(ctx context.Context, c Command) (*Process, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if c.Limit == 0 {
		c.Limit = DefaultLimit
	}
	p := &Process{command: c, ctx: ctx, exited: make(chan struct{}), said: make(chan struct{})}
	if err := p.start(); err != nil {
		return nil, &Fault{c.Label, fmt.Errorf("it cannot be started: %w", err)}
	}
	p.unwatch = context.AfterFunc(ctx, p.kill)
	p.write = appendBegin(p.write)
	return p, nil
}

func (p *Process) start() (err error) {
	var theirs, ours []*os.File
	defer func() {
		for _, f := range theirs {
			f.Close()
		}
		if err != nil {
			for _, f := range ours {
				f.Close()
			}
		}
	}()
	for range 3 {
		r, w, err := os.Pipe()
		if err != nil {
			return err
		}
		if len(theirs) == 0 { // standard input
			r, w = w, r
		}
		ours, theirs = append(ours, r), append(theirs, w)
	}
	p.in, p.out = ours[0], ours[1]
	p.lines = bufio.NewReaderSize(p.out, buffered)
	p.cmd = exec.Command("/bin/sh", "-c", p.command.Line)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = theirs[0], theirs[1], theirs[2]
	if err := ownGroup(p.cmd); err != nil {
		return err
	}
	if err := p.cmd.Start(); err != nil {
		return err
	}
	go func() {
		p.cmd.Wait()     // the state says how it ended
		killGroup(p.cmd) // what it left holds its output open
		close(p.exited)
	}()
	go p.listen(ours[2])
	return nil
}

// listen passes its standard error on.
func (p *Process) listen(stderr *os.File) {
	defer close(p.said)
	defer stderr.Close()
	lines := bufio.NewReaderSize(stderr, 1<<12)
	for {
		line, _, err := lines.ReadLine() // a longer line is passed on in pieces
		if err != nil {
			return
		}
		if p.command.Said != nil {
			p.command.Said(string(line))
		}
	}
}

// Predict asks the program.
func (p *Process) Predict(r workload.Request) (workload.Prediction, bool) {
	if p.err != nil {
		return workload.Prediction{}, false
	}
	p.asked++
	p.write = appendSubmit(p.write, &r)
	if p.flush(); p.err != nil {
		return workload.Prediction{}, false
	}
	line, err := p.lines.ReadSlice('\n')
	if err != nil {
		p.fail(p.noAnswer(line, r.Row+1, err))
		return workload.Prediction{}, false
	}
	p.read++
	prediction, ok, err := parseAnswer(line, r.Row+1)
	if err != nil {
		p.fail(fmt.Errorf("line %d of its output: %w", p.read, err))
		return workload.Prediction{}, false
	}
	return prediction, ok
}

// Observe tells the program of a job that has ended.
func (p *Process) Observe(j workload.Job) {
	if p.err != nil {
		return
	}
	if p.write = appendEnd(p.write, &j); len(p.write) >= buffered {
		p.flush()
	}
}

// Err returns what the program did wrong, nil if nothing.
func (p *Process) Err() error { return p.err }

// Finish writes the last line and waits for the program's exit. It returns what the
// program did wrong, then or before.
func (p *Process) Finish() error {
	if p.err != nil {
		return p.err
	}
	p.write = appendDone(p.write, p.asked)
	if p.flush(); p.err != nil {
		return p.err
	}
	p.in.Close()
	switch rest, err := p.lines.ReadSlice('\n'); {
	case len(rest) > 0:
		p.fail(p.unasked(rest))
	case errors.Is(err, os.ErrDeadlineExceeded):
		p.fail(fmt.Errorf("it has not exited %v after the last line", p.command.Limit))
	case p.wait(p.command.Limit) && p.cmd.ProcessState.Success():
	default:
		p.fail(fmt.Errorf("%s, expected exit code 0", p.ended()))
	}
	p.Stop()
	return p.err
}

// Stop ends the program and all processes of its group.
func (p *Process) Stop() {
	p.stop.Do(func() {
		p.unwatch()
		p.kill()
		<-p.exited
		select {
		case <-p.said:
		case <-time.After(toExit): // a process that left the group has it open
		}
		p.in.Close()
		p.out.Close()
	})
}

// kill may be called by any goroutine, at any time.
func (p *Process) kill() {
	killGroup(p.cmd)
	p.in.SetDeadline(time.Unix(1, 0)) // whoever waits for a pipe goes on
	p.out.SetDeadline(time.Unix(1, 0))
}

// flush sends the program what there is to send. It and the answer to it have to
// come in time.
func (p *Process) flush() {
	at := time.Now().Add(p.command.Limit)
	p.in.SetWriteDeadline(at)
	p.out.SetReadDeadline(at)
	if err := p.ctx.Err(); err != nil { // kill may have set the deadlines before
		p.fail(err)
		return
	}
	if early := p.early(); early != nil {
		p.fail(p.unasked(early))
		return
	}
	_, err := p.in.Write(p.write)
	p.write = p.write[:0]
	if err == nil {
		return
	}
	early := p.early()
	switch {
	case early != nil: // which may be why it no longer reads
		p.fail(p.unasked(early))
	case errors.Is(err, os.ErrDeadlineExceeded):
		p.fail(fmt.Errorf("it has not read its input for %v, after %d answers", p.command.Limit, p.read))
	default:
		p.fail(fmt.Errorf("%s after %d answers, expected it to read its input to the last line", p.ended(), p.read))
	}
}

// early returns what the program wrote without being asked, nil if nothing.
func (p *Process) early() []byte {
	if n := p.lines.Buffered(); n > 0 {
		text, _ := p.lines.Peek(n)
		return text
	}
	return available(p.out)
}

func (p *Process) unasked(text []byte) error {
	return fmt.Errorf("line %d of its output: saw %s, expected nothing: no submission awaits an answer", p.read+1, shown(text))
}

// noAnswer says why there is none to the submission of a row.
func (p *Process) noAnswer(part []byte, row int64, err error) error {
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return fmt.Errorf("line %d of its output: saw more than %d bytes in one line, expected an answer", p.read+1, buffered)
	case errors.Is(err, os.ErrDeadlineExceeded) && len(part) > 0:
		return fmt.Errorf("line %d of its output: saw %s and no end of the line for %v", p.read+1, shown(part), p.command.Limit)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Errorf("no answer to the submission of row %d for %v; a program has to write out (flush) each of its answers at once", row, p.command.Limit)
	case errors.Is(err, io.EOF) && len(part) > 0:
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

// wait says whether it has exited, or does so in time.
func (p *Process) wait(most time.Duration) bool {
	select {
	case <-p.exited:
		return true
	case <-time.After(most):
		return false
	}
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
