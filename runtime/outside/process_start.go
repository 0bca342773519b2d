package outside

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
)

// Start starts the program. It is stopped when the context ends. The caller
// must call Finish after the last job, and Stop in any case.
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
		p.lastWords() // what left the group may hold it too
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
