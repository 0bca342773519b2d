package outside

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/workload"
)

const (
	// buffered is the number of bytes after which buffered lines are written, and the length
	// of the longest line that is read.
	buffered = 1 << 16
	// toExit is the time limit for a program that has closed its output to exit by itself,
	// and for the output of a program that has exited to arrive.
	toExit = time.Second
)

// Process is a running program that predicts run times, as a runtime.Predictor, or waits.
type Process struct {
	command   Command
	quantiles []float64 // of waits; nil if it predicts run times
	ctx       context.Context
	cmd       *exec.Cmd
	in        *os.File // the program's standard input
	out       *os.File // the program's standard output
	lines     *bufio.Reader
	write     []byte        // lines not yet sent to the program
	asked     int           // number of submissions
	read      int           // number of lines read
	exited    chan struct{} // closed when the program has exited
	said      chan struct{} // closed when its standard error has ended
	unwatch   func() bool
	stop      sync.Once
	err       error
}

var _ runtime.Fallible = (*Process)(nil)

// Start starts a program. If quantiles is not nil, the program predicts waits and bounds of
// them at these quantiles; otherwise it predicts run times. It is stopped when the context
// ends. The caller must call Finish after the last job, and Stop in any case.
func Start(ctx context.Context, c Command, quantiles []float64) (*Process, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	c.Limit = cmp.Or(c.Limit, DefaultLimit)
	p := &Process{command: c, quantiles: quantiles, ctx: ctx, exited: make(chan struct{}), said: make(chan struct{})}
	if err := p.start(); err != nil {
		return nil, &Fault{c.Label, fmt.Errorf("it cannot be started: %w", err)}
	}
	p.unwatch = context.AfterFunc(ctx, p.kill)
	p.write = appendBegin(p.write, quantiles)
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
		p.cmd.Wait()     // ProcessState has the result
		killGroup(p.cmd) // processes it left behind hold its output open
		close(p.exited)
		p.lastWords() // processes that left the group may hold it open, too
	}()
	go p.listen(ours[2])
	return nil
}

// listen passes the program's standard error to Command.Said.
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

// Ask sends a submission and returns the program's answer. After a failure, the answer has no
// prediction, and Err returns the fault.
func (p *Process) Ask(r *workload.Request) Answer {
	nothing := Answer{Prediction: workload.Prediction{Seconds: math.NaN()}}
	if p.err != nil {
		return nothing
	}
	p.asked++
	p.write = appendEvent(p.write, "submit", &workload.Job{Request: *r}, nil)
	if p.flush(); p.err != nil {
		return nothing
	}
	line, err := p.lines.ReadSlice('\n')
	if err != nil {
		p.fail(p.noAnswer(line, r.Row+1, err))
		return nothing
	}
	p.read++
	a, err := parseAnswer(line, r.Row+1, p.quantiles)
	if err != nil {
		p.fail(fmt.Errorf("line %d of its output: %w", p.read, err))
		return nothing
	}
	return a
}

// Predict implements runtime.Predictor. It returns false if the program has no prediction or
// has failed.
func (p *Process) Predict(r *workload.Request) (workload.Prediction, bool) {
	a := p.Ask(r)
	return a.Prediction, !math.IsNaN(a.Seconds)
}

// Started reports to the program that a job has started. Use it only for predictors of waits.
func (p *Process) Started(j *workload.Job) { p.send("start", j, atStart) }

// Observe reports to the program that a job has ended.
func (p *Process) Observe(j *workload.Job) { p.send("end", j, atEnd) }

func (p *Process) send(event string, j *workload.Job, more []*workload.Column) {
	if p.err != nil {
		return
	}
	if p.write = appendEvent(p.write, event, j, more); len(p.write) >= buffered {
		p.flush()
	}
}

// Err returns the *Fault of the program, the error of the context if that stopped
// the program, or nil.
func (p *Process) Err() error { return p.err }

// Finish writes the last line and waits for the program to exit. It returns the error
// of the program, if any, as Err does.
func (p *Process) Finish() error {
	if p.err != nil {
		return p.err
	}
	p.write = fmt.Appendf(p.write, "{\"done\":{\"jobs\":%d}}\n", p.asked)
	if p.flush(); p.err != nil {
		return p.err
	}
	p.in.Close()
	switch rest, err := p.lines.ReadSlice('\n'); {
	case len(rest) > 0:
		p.fail(fmt.Errorf("line %d of its output: saw %s, expected nothing: no submission awaits an answer", p.read+1, shown(rest)))
	case errors.Is(err, os.ErrDeadlineExceeded) && !p.wait(0):
		p.fail(fmt.Errorf("it has not exited %v after the last line", p.command.Limit))
	case p.wait(p.command.Limit) && p.cmd.ProcessState.Success():
	default:
		p.fail(fmt.Errorf("%s, expected exit code 0", p.ended()))
	}
	p.Stop()
	return p.err
}

// Stop kills the program and all processes of its group, and waits until it has exited.
func (p *Process) Stop() {
	p.stop.Do(func() {
		p.unwatch()
		p.kill()
		<-p.exited
		select {
		case <-p.said:
		case <-time.After(toExit): // a process that left the group holds standard error open
		}
		p.in.Close()
		p.out.Close()
	})
}

// kill may be called by any goroutine, at any time.
func (p *Process) kill() {
	killGroup(p.cmd)
	p.in.SetDeadline(time.Unix(1, 0)) // unblocks reads and writes
	p.out.SetDeadline(time.Unix(1, 0))
}

// flush sends the buffered lines to the program. It sets the deadlines for sending them and
// for the answer.
func (p *Process) flush() {
	at := time.Now().Add(p.command.Limit)
	p.in.SetWriteDeadline(at)
	p.out.SetReadDeadline(at)
	if p.wait(0) {
		p.lastWords()
	}
	if err := p.ctx.Err(); err != nil { // the new deadlines may have replaced those of kill
		p.fail(err)
		return
	}
	_, err := p.in.Write(p.write)
	p.write = p.write[:0]
	switch {
	case err == nil:
	case errors.Is(err, os.ErrDeadlineExceeded):
		p.fail(fmt.Errorf("it has not read its input for %v, after %d answers", p.command.Limit, p.read))
	default:
		p.fail(fmt.Errorf("%s after %d answers, expected it to read its input to the last line", p.ended(), p.read))
	}
}

// lastWords limits the wait for the output that a program wrote before it exited.
func (p *Process) lastWords() { p.out.SetReadDeadline(time.Now().Add(toExit)) }

// wait reports whether the program has exited or does so within most.
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

// Fault is the error for a program that breaks the protocol or fails.
type Fault struct {
	Label string // Command.Label
	Err   error  // the cause; for invalid output with the line, the text and the expected form
}

func (f *Fault) Error() string { return f.Label + ": " + f.Err.Error() }

func (f *Fault) Unwrap() error { return f.Err }

// fail records a fault, or the error of the context if it has ended, and kills the program.
func (p *Process) fail(err error) {
	p.err = &Fault{p.command.Label, err}
	if p.ctx.Err() != nil {
		p.err = p.ctx.Err()
	}
	p.kill()
}

// noAnswer returns the error for a missing answer to the submission of a row. part is the
// output read so far, err the read error.
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

// ended describes how the program ended.
func (p *Process) ended() string {
	if !p.wait(toExit) {
		return "it closed its standard output"
	}
	return "it ended (" + p.cmd.ProcessState.String() + ")"
}
