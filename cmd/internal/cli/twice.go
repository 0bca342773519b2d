package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// source is a log that is read more than once. What can be read only once
// (standard input, a pipe) is copied to a temporary file first.
type source struct {
	a    *app
	name string
	copy *os.File // nil where the log itself can be opened again
}

// source prepares a log to be read more than once; close the source after use.
func (a *app) source(name string) (*source, error) {
	s := &source{a: a, name: name}
	from := a.In
	if name != "-" {
		info, err := os.Stat(name)
		if err != nil || info.Mode().IsRegular() || info.IsDir() {
			return s, nil // open says what is wrong with it
		}
		f, err := os.Open(name)
		if err != nil {
			return s, nil
		}
		defer f.Close()
		from = f
	}
	// Nothing is left of it even where an interrupt finds the copying blocked.
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

// open opens the log from its start. One opened before is not to be read any
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

// read opens the log, has f read it, and returns it closed, with the header
// that it has at its end.
func (s *source) read(f func(*workload.Log) error) (*workload.Log, error) {
	log, err := s.open()
	if err != nil {
		return nil, err
	}
	defer log.Close()
	return log, f(log)
}

// inLog names the log in an error of a package that does not know it.
func inLog(name string, err error) error {
	var input *workload.InputError
	if err == nil || errors.As(err, &input) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// named is inLog for a stream.
func named(name string, jobs workload.JobSeq) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			if !yield(j, inLog(name, err)) || err != nil {
				return
			}
		}
	}
}
