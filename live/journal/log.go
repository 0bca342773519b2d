package journal

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"os"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Format is a store as a job log: its jobs in the order in which they were first seen,
// with what has become of them since. It is read without the lock, while a service
// writes it, and has what the store held when it was opened.
var Format = workload.Format{Name: storeFormat, OpenFolder: openLog}

const storeFormat = "store"

// IsStore reports whether a folder holds a store.
func IsStore(dir string) bool {
	all, err := segments(dir)
	return len(all) > 0 || err != nil && errors.Is(err, os.ErrNotExist) && isFolder(dir)
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func openLog(name, path string, o workload.Options) (*workload.Log, error) {
	if !IsStore(path) {
		return nil, nil
	}
	log, from := workload.NewLog(name, storeFormat)
	jobs := logJobs{from: from}
	columns, err := jobs.survey(path, &log.Header)
	if err != nil {
		return nil, err
	}
	from.Declare(columns)
	from.Batches = workload.Batches(jobs.of(path), o.Allocator)
	return log, nil
}

// survey reads the store once, for what has to be known before its jobs: names, and which
// optional columns they have.
func (l *logJobs) survey(dir string, header *workload.Header) (columns workload.ColumnSet, err error) {
	names := map[string][]*Name{}
	for entry, err := range Read(dir) {
		if err != nil {
			return 0, err
		}
		l.lines++
		switch e := entry.(type) {
		case *Begin:
			header.Add("Version", "2.2")
			if !e.Origin.IsZero() {
				header.AddStart(e.Origin)
			}
			header.Add("Note", "From the store of a live service. It watches: "+workload.OneLine(e.Source))
		case *Name:
			names[e.Key] = append(names[e.Key], e)
		case *Event:
			for c := workload.FirstOptional; c < workload.NumColumns; c++ {
				if at := workload.ColumnAt(c); at.Int(&e.Job) != workload.Unknown || !math.IsNaN(at.Number(&e.Job)) {
					columns |= workload.ColumnSetOf(c)
				}
			}
		}
	}
	for _, c := range workload.NamedColumns() {
		key := workload.NameKey(c)
		for _, n := range names[key] {
			header.AddNamed(key, n.Number, n.Text)
		}
		delete(names, key)
	}
	return columns, nil
}

// logJobs joins the events of jobs.
type logJobs struct {
	from  *workload.Reading
	lines int64 // of the store that are read

	waiting []*logJob // those that are not yielded yet, as they were first seen
	open    map[int64]*logJob
}

// logJob is a job that has been seen.
type logJob struct {
	workload.Job
	ended bool
}

// of yields the jobs of a store. It holds those that are under way, and those that came
// after the first of these.
func (l *logJobs) of(dir string) iter.Seq2[workload.Job, error] {
	return func(yield func(workload.Job, error) bool) {
		l.waiting, l.open = nil, map[int64]*logJob{}
		n := int64(0)
		for e, err := range Read(dir) {
			if err != nil {
				yield(workload.Job{}, err)
				return
			}
			if n++; n > l.lines {
				break
			}
			if e, ok := e.(*Event); ok {
				l.from.Taken, l.from.TakenKnown = e.Time, true
				if l.add(e); !l.yield(yield, false) {
					return
				}
			}
		}
		l.yield(yield, true)
	}
}

func (l *logJobs) add(e *Event) {
	if e.Kind == workload.Submit {
		j := &logJob{Job: e.Job}
		l.waiting = append(l.waiting, j)
		l.open[e.Job.Row] = j
		return
	}
	j := l.open[e.Job.Row]
	if j == nil {
		l.from.Warnings.Add("no-submission", "events of jobs whose submission is not in the store: left out", 0, fmt.Sprintf("the %s of %s", e.Kind, e.Job.Label()))
		return
	}
	e.Merge(&j.Job)
	if j.ended = e.Kind == workload.Finish; j.ended {
		delete(l.open, e.Job.Row)
	}
}

// yield passes on the jobs up to the first that is under way, or all.
func (l *logJobs) yield(yield func(workload.Job, error) bool, all bool) bool {
	n := 0
	for n < len(l.waiting) && (all || l.waiting[n].ended) {
		if !yield(l.waiting[n].Job, nil) {
			return false
		}
		l.waiting[n] = nil
		n++
	}
	l.waiting = l.waiting[n:]
	return true
}
