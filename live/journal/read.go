package journal

import (
	"errors"
	"io"
	"io/fs"
	"iter"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Read yields the entries of a store in their order. It takes no lock and changes
// nothing: the store may be written meanwhile, so a torn last line is passed over. A
// folder without a store is an error. After an error nothing follows. Entries do not
// share memory.
func Read(dir string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		all, err := segments(dir)
		if err == nil && len(all) == 0 {
			err = &workload.InputError{File: dir, Saw: "no " + prefix + "00001" + plain, Want: "a store of the live service"}
		}
		if err != nil {
			yield(nil, inputFault(dir, err))
			return
		}
		entries(all, math.MaxInt64)(yield)
	}
}

// entries yields those of all segments, of the last one those in its first limit bytes.
func entries(all []segment, limit int64) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		s := scanner{count: -1}
		for i, segment := range all {
			most := int64(math.MaxInt64)
			if i == len(all)-1 {
				most = limit
			}
			ok, err := segment.entries(&s, most, i == 0, i == len(all)-1, yield)
			if err != nil {
				yield(nil, err)
			}
			if !ok || err != nil {
				return
			}
		}
	}
}

// entries yields those of one segment, and is false where no more are asked for.
func (s segment) entries(scan *scanner, limit int64, first, last bool, yield func(Entry, error) bool) (bool, error) {
	l, err := s.open(limit)
	if err != nil {
		return false, inputFault(s.path(), err)
	}
	defer l.done()
	if scan.count >= 0 {
		l.count = scan.count
	}
	defer func() { scan.count = l.count }()
	return l.entries(scan, first, last, yield)
}

func (l *lines) entries(scan *scanner, first, last bool, yield func(Entry, error) bool) (bool, error) {
	for {
		text, err := l.next()
		switch {
		case err == io.EOF && !last && l.line == 0: // closed segments are never empty
			return false, l.fault(&workload.InputError{Saw: "an empty file", Want: "a segment of the store: the file is damaged"})
		case err == io.EOF || err == errTorn && last:
			return true, nil
		case err == errTorn:
			return false, l.fault(&workload.InputError{Saw: "the end of the file within a line", Want: "a whole line: the file is damaged"})
		case err != nil:
			return false, err
		}
		e, fault := scan.decode(text)
		if _, begin := e.(*Begin); fault == nil && begin != (first && l.line == 1) {
			fault = &workload.InputError{Saw: workload.Shorten(text), Want: "a begin entry in the first line of the store, and only there"}
		}
		if fault != nil {
			return false, l.fault(fault)
		}
		if !yield(e, nil) {
			return false, nil
		}
	}
}

// inputFault names the file of an error of the system, once.
func inputFault(name string, err error) error {
	var fault *workload.InputError
	if errors.As(err, &fault) {
		return err
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return &workload.InputError{File: name, Err: err}
}
