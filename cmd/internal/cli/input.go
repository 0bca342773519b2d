package cli

import (
	"fmt"
	"iter"
	"path/filepath"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/progress"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// open opens a log; "-" is the command's own standard input.
func (a *app) open(name string) (*workload.Log, error) {
	log, err := a.reopen(name)
	if err == nil && len(a.columns) > 0 && log.Format != "csv" {
		a.warn("%s: --map is of no use: it is for CSV files, and this is %s", name, log.Format)
	}
	return log, err
}

// reopen opens a log of which open has said all that is to be said.
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
	return workload.Options{TimeZone: a.timezone, Map: a.columns}
}

// countRows passes batches through and counts their jobs.
func countRows[T interface{ NumRows() int64 }](in iter.Seq2[T, error], n *atomic.Int64) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for rec, err := range in {
			if err == nil {
				n.Add(rec.NumRows())
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// oneLog is the arguments of a command that reads one log.
func oneLog(cmd *cobra.Command, args []string) error {
	switch len(args) {
	case 0:
		return fmt.Errorf("a log is missing: want a file, or - for standard input")
	case 1:
		if args[0] == "" {
			return fmt.Errorf("the log's name is empty: want a file, or - for standard input")
		}
		return nil
	}
	return fmt.Errorf("want one log, saw %q", args)
}

// about puts the input's name before an error that does not say it.
func about(input string, err error) error { return workload.About(input, err) }
