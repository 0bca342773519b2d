package cli

import (
	"encoding/csv"
	"errors"
	"strconv"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

// removalTable writes the jobs that were taken out, as they come, to a file
// that is whole or not there. Without a file it does nothing.
type removalTable struct {
	a    *app
	f    *logfile.File
	w    *csv.Writer
	stop func() // removes the file unless it is whole
}

func (a *app) newRemovalTable(path string) (*removalTable, error) {
	if path == "" {
		return &removalTable{stop: func() {}}, nil
	}
	if path == "-" {
		return nil, flags.Usage(a.cmd, errors.New("--removed -: want a file"))
	}
	f, err := logfile.NewFile(path)
	if err != nil {
		return nil, err
	}
	t := &removalTable{a, f, csv.NewWriter(f), a.outputs.keep(f)}
	if err := t.w.Write([]string{"job_id", "row", "filter", "reason"}); err != nil {
		t.stop()
		return nil, err
	}
	return t, nil
}

func (t *removalTable) add(r reshape.Removal) error {
	if t.f == nil {
		return nil
	}
	id := ""
	if r.Job != workload.Unknown {
		id = strconv.FormatInt(r.Job, 10)
	}
	return t.w.Write([]string{id, strconv.FormatInt(r.Row, 10), r.Filter, workload.SpreadsheetText(r.Reason)})
}

func (t *removalTable) finish() error {
	if t.f == nil {
		return nil
	}
	t.w.Flush()
	if err := t.w.Error(); err != nil {
		return err
	}
	return t.a.outputs.finish(t.f)
}
