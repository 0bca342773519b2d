// Package format shows how to add a format of job logs: write a workload.Format, and give
// it to package logfile.
package format

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// magic is the beginning of a ledger. The number of processors of the machine follows it.
const magic = "ledger of "

// Ledger is a text format with a line for each job: its submission, wait and run time, in
// seconds, and its processors. A dash stands for an unknown value.
//
//	ledger of 128
//	0 10 3600 4
//	60 - - 128
var Ledger = workload.Format{
	Name: "ledger", Extensions: []string{".ledger"}, Text: true,
	Magic: magic, Looks: "a ledger, which begins with " + magic,
	Open: open, Create: create,
}

func open(name string, r *bufio.Reader, o workload.Options) (*workload.Log, error) {
	first, err := r.ReadString('\n')
	if err != nil && err != io.EOF {
		return nil, &workload.InputError{File: name, Err: err}
	}
	size := strings.TrimSpace(strings.TrimPrefix(first, magic))
	if n, err := strconv.ParseInt(size, 10, 64); err != nil || n < 1 {
		return nil, &workload.InputError{File: name, Line: 1, Saw: workload.Shorten([]byte(size)), Want: "the processors of the machine"}
	}
	l, reading := workload.NewLog(name, "ledger")
	l.Header.Set("MaxProcs", size)
	reading.Batches = workload.Batches(jobs(name, r))
	return l, nil
}

// jobs reads the lines after the first.
func jobs(name string, r io.Reader) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		lines := bufio.NewScanner(r)
		for n := int64(2); lines.Scan(); n++ {
			j, err := parse(lines.Text())
			if err != nil {
				err.File, err.Line = name, n
				yield(j, err)
				return
			}
			j.ID = n - 1
			if !yield(j, nil) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(workload.Job{}, &workload.InputError{File: name, Err: err})
		}
	}
}

func parse(line string) (workload.Job, *workload.InputError) {
	j := workload.UnknownJob()
	size := math.NaN()
	fields := []struct {
		name string
		to   *float64
	}{{"submit", &j.Submit}, {"wait", &j.Wait}, {"run", &j.Run}, {"processors", &size}}
	words := strings.Fields(line)
	if len(words) != len(fields) {
		return j, &workload.InputError{Saw: workload.Shorten([]byte(line)), Want: "four fields"}
	}
	for i, f := range fields {
		if words[i] == "-" {
			continue
		}
		x, err := strconv.ParseFloat(words[i], 64)
		if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
			return j, &workload.InputError{Field: f.name, Saw: workload.Shorten([]byte(words[i])), Want: "a number, or -"}
		}
		*f.to = x
	}
	if size == math.Trunc(size) && size >= 1 && size < 1<<31 {
		j.Allocated = int64(size)
	} else if size == size {
		return j, &workload.InputError{Field: "processors", Saw: words[3], Want: "a whole number from 1"}
	}
	return j, nil
}

// writer writes a ledger.
type writer struct{ to *bufio.Writer }

func create(w io.Writer, h workload.Header, _ workload.WriteOptions) (workload.Writer, error) {
	size, ok := h.Processors()
	if !ok {
		return nil, fmt.Errorf("ledger: %w", workload.ErrNoMachine)
	}
	to := bufio.NewWriter(w)
	_, err := fmt.Fprintf(to, "%s%d\n", magic, size)
	return writer{to}, err
}

// Write implements workload.Writer. A write error is returned by Close.
func (w writer) Write(batch *workload.Batch) error {
	for i := range batch.Rows {
		j := batch.Job(i, 0)
		for _, x := range []float64{j.Submit, j.Wait, j.Run} {
			if math.IsNaN(x) {
				w.to.WriteString("- ")
			} else {
				w.to.WriteString(strconv.FormatFloat(x, 'g', -1, 64) + " ")
			}
		}
		if j.Size == workload.Unknown {
			w.to.WriteString("-\n")
		} else {
			fmt.Fprintln(w.to, j.Size)
		}
	}
	return nil
}

// Close implements workload.Writer.
func (w writer) Close() error { return w.to.Flush() }
