package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"

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
	s := skim{header: &log.Header}
	if err := s.read(path); err != nil {
		return nil, err
	}
	from.Declare(s.columns)
	jobs := logJobs{from: from, lines: s.lines}
	from.Batches = workload.Batches(jobs.of(path), o.Allocator)
	return log, nil
}

// skim is what has to be known of a store before its jobs are read.
type skim struct {
	header  *workload.Header
	columns workload.ColumnSet // optional ones
	lines   int64
}

// read passes over the store once. It decodes what names something, and looks at the
// keys of the rest.
func (s *skim) read(dir string) error {
	all, err := segments(dir)
	if err != nil {
		return inputFault(dir, err)
	}
	missing := optionalKeys()
	var scan scanner
	names := map[string][]Name{}
	for i := range all {
		for text, err := range texts(all, i) {
			if err != nil {
				return err
			}
			s.lines++
			switch {
			case bytes.HasPrefix(text.json, []byte(`{"e":"begin"`)), bytes.HasPrefix(text.json, []byte(`{"e":"name"`)):
				e, fault := scan.decode(text.json)
				if fault != nil {
					return text.fault(fault)
				}
				switch e := e.(type) {
				case *Begin:
					s.begin(e)
				case *Name:
					names[e.Key] = append(names[e.Key], *e)
				}
			default:
				missing = slices.DeleteFunc(missing, func(k optionalKey) bool {
					found := bytes.Contains(beforeAnswers(text.json), k.text)
					if found {
						s.columns |= workload.ColumnSetOf(k.column)
					}
					return found
				})
			}
		}
	}
	for _, c := range workload.NamedColumns() {
		key := workload.NameKey(c)
		for _, n := range names[key] {
			s.header.AddNamed(key, n.Number, n.Text)
		}
		delete(names, key)
	}
	return nil
}

// begin says in the header what the store begins with.
func (s *skim) begin(e *Begin) {
	s.header.Add("Version", "2.2")
	if !e.Origin.IsZero() {
		s.header.AddStart(e.Origin)
	}
	s.header.Add("Note", "From the store of a live service. It watches: "+workload.OneLine(e.Source))
}

// optionalKey is the key of an optional column in a line.
type optionalKey struct {
	column int
	text   []byte
}

func optionalKeys() (keys []optionalKey) {
	for c := workload.FirstOptional; c < workload.NumColumns; c++ {
		keys = append(keys, optionalKey{c, []byte(`"` + workload.ColumnAt(c).Words[0] + `":`)})
	}
	return keys
}

// beforeAnswers returns the part of an event that has the keys of columns.
func beforeAnswers(json []byte) []byte {
	if i := bytes.Index(json, []byte(`,"answers":[`)); i >= 0 {
		return json[:i]
	}
	return json
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

// text is the JSON of a line.
type text struct {
	*lines
	json []byte // valid until the next
}

// texts yields the lines of a segment of a store.
func texts(all []segment, i int) iter.Seq2[text, error] {
	return func(yield func(text, error) bool) {
		l, err := all[i].open(1<<63 - 1)
		if err != nil {
			yield(text{}, inputFault(all[i].path(), err))
			return
		}
		defer l.done()
		for {
			json, err := l.next()
			if err == io.EOF || err == errTorn { // Read says if it may be
				return
			}
			if !yield(text{l, json}, err) || err != nil {
				return
			}
		}
	}
}
