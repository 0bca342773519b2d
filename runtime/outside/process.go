package outside

import (
	"bufio"
	"context"
	"errors"
	"fmt"
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

// Process is a running program that predicts run times. It implements
// runtime.Predictor.
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

// Predict asks the program for a prediction. It is false if the program has
// none or has failed.
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

// Observe sends the program a job that has ended.
func (p *Process) Observe(j workload.Job) {
	if p.err != nil {
		return
	}
	if p.write = appendEnd(p.write, &j); len(p.write) >= buffered {
		p.flush()
	}
}

// Err returns the *Fault of the program, the context's error if that stopped
// it, or nil.
func (p *Process) Err() error { return p.err }

// Finish writes the last line and waits for the program's exit. It returns the
// fault of the program, if any, then or before.
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
	case errors.Is(err, os.ErrDeadlineExceeded) && !p.wait(0):
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
	if p.wait(0) {
		p.lastWords()
	}
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

// lastWords bounds the wait for what a program wrote before it exited.
func (p *Process) lastWords() { p.out.SetReadDeadline(time.Now().Add(toExit)) }

// early returns what the program wrote without being asked, nil if nothing.
func (p *Process) early() []byte {
	if n := p.lines.Buffered(); n > 0 {
		text, _ := p.lines.Peek(n)
		return text
	}
	return available(p.out)
}

// wait says whether it has exited, or does so in time.
func (p *Process) wait(most time.Duration) bool {
	select {
	case <-p.exited:
		return true
	default:
	}
	select {
	case <-p.exited:
		return true
	case <-time.After(most):
		return false
	}
}
