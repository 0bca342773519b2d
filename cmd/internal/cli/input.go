package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/loadstone-hpc/loadstone/cmd/internal/progress"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// open opens a log and warns if a mapping has no effect on it; "-" is standard input.
func (a *app) open(name string) (*workload.Log, error) {
	log, err := a.reopen(name)
	if err == nil {
		if unused := a.Mapping.Unused(log.Format); unused != "" {
			a.warn("%s: %s", name, unused)
		}
	}
	return log, err
}

// reopen is like open, but does not warn.
func (a *app) reopen(name string) (*workload.Log, error) {
	o := a.readOptions()
	open := func() (*workload.Log, error) { return logfile.Open(name, o) }
	if name == "-" {
		open = func() (*workload.Log, error) { return logfile.OpenReader(name, a.In, o) }
	}
	log, err := open()
	if err == nil {
		a.progress.Begin(&progress.Task{Label: "reading " + filepath.Base(name), Unit: progress.Bytes, State: log.Position})
	}
	return log, err
}

func (a *app) readOptions() workload.Options {
	o := a.Mapping.Options(string(a.Timezone))
	if a.cmd != nil {
		if f := a.cmd.Flags().Lookup(waitFromFlag); f != nil {
			o.WaitFrom = f.Value.String()
		}
	}
	return o
}

const waitFromFlag = "wait-from"

// countFrom is the option that sets when the log's own waits begin. readOptions looks up the flag.
type countFrom struct {
	WaitFrom string `opt:"wait-from" default:"submit" help:"count waits from submission, or from when a held job could start"`
}

// Choices returns the values of the option.
func (countFrom) Choices(string) []string { return workload.WaitsFrom() }

// queuedFrom is the option that sets when jobs arrive in simulations. readOptions looks up the
// flag.
type queuedFrom struct {
	WaitFrom string `opt:"wait-from" help:"a job arrives when it was submitted, or when a held job could start (default submit)"`
}

// Choices returns the values of the option.
func (queuedFrom) Choices(string) []string { return workload.WaitsFrom() }

// countRows passes batches through and adds the number of their jobs to n.
func countRows(in workload.BatchSeq, n *atomic.Int64) workload.BatchSeq {
	return func(yield func(*workload.Batch, error) bool) {
		for b, err := range in {
			if err == nil {
				n.Add(int64(b.Rows))
			}
			if !yield(b, err) {
				return
			}
		}
	}
}

// oneLog is the part of the options of a command that reads one log.
type oneLog struct{ input string }

func (l *oneLog) args(args []string) error {
	switch {
	case len(args) == 0:
		return fmt.Errorf("a log is missing: want a file, or - for standard input")
	case len(args) > 1:
		return fmt.Errorf("want one log, saw %q", args)
	case args[0] == "":
		return fmt.Errorf("the log's name is empty: want a file, or - for standard input")
	}
	l.input = args[0]
	return nil
}

// noArgs is the part of the options of a command that has no arguments.
type noArgs struct{}

func (noArgs) args(args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("want no arguments, saw %q", args)
	}
	return nil
}

// fromLog opens a log, and returns the result of f for it. Errors name the log.
func fromLog[R any](a *app, name string, f func(*workload.Log) (R, error)) (r R, err error) {
	log, err := a.open(name)
	if err != nil {
		return r, err
	}
	defer log.Close()
	r, err = f(log)
	return r, about(name, err)
}

// about adds the name of an input to an error that does not contain it.
func about(input string, err error) error { return workload.About(input, err) }

// source is a log that is read more than once. An input that can be read only once
// (standard input, a pipe) is copied to a temporary file first.
type source struct {
	a    *app
	name string
	copy *workload.TempFile // nil if the log itself can be opened again
}

// source prepares a log to be read more than once; close the source after use.
func (a *app) source(name string) (*source, error) {
	s := &source{a: a, name: name}
	from := a.In
	if name != "-" {
		info, err := os.Stat(name)
		if err != nil || info.Mode().IsRegular() || info.IsDir() {
			return s, nil // open returns the error, if there is one
		}
		f, err := os.Open(name)
		if err != nil {
			return s, nil
		}
		defer f.Close()
		from = f
	}
	// An unlinked file disappears even if an interrupt finds the copying blocked.
	f, err := workload.UnlinkedFile()
	if err != nil {
		return nil, err
	}
	s.copy = f
	if _, err := io.Copy(f, from); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// open opens the log from its start. A log opened before must not be read any
// more.
func (s *source) open() (*workload.Log, error) {
	if s.copy == nil {
		return s.a.open(s.name)
	}
	if _, err := s.copy.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return logfile.OpenReader(s.name, s.copy, s.a.readOptions())
}

func (s *source) close() {
	if s.copy != nil {
		s.copy.Close()
	}
}

// read opens the log, calls f to read it, and returns it closed, with its header as of
// the end of the log.
func (s *source) read(f func(*workload.Log) error) (*workload.Log, error) {
	return workload.WithLog(s.open, f)
}

// inLog adds the name of the log to an error of a package that does not know it.
func inLog(name string, err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return about(name, err)
}

// named applies inLog to the errors of a stream.
func named(name string, jobs workload.JobSeq) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			if !yield(j, inLog(name, err)) || err != nil {
				return
			}
		}
	}
}
