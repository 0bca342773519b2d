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
		count := int64(-1)
		for i, segment := range all {
			most, last := int64(math.MaxInt64), i == len(all)-1
			if last {
				most = limit
			}
			for l, err := range segment.lines(most, count, last) {
				var e Entry
				if err == nil {
					e, err = l.entry(i == 0)
				}
				if !yield(e, err) || err != nil {
					return
				}
				count = l.count
			}
		}
	}
}

// lines yields those of a segment, the first limit bytes of a plain one. count is the number
// of the line before it in the store, -1 if that is not known. Of the last segment a torn
// line is passed over.
func (s segment) lines(limit, count int64, last bool) iter.Seq2[*lines, error] {
	return func(yield func(*lines, error) bool) {
		l, err := s.open(limit)
		if err != nil {
			yield(nil, inputFault(s.path(), err))
			return
		}
		defer l.done()
		l.count = max(count, l.count)
		for {
			err := l.next()
			switch {
			case err == io.EOF && !last && l.line == 0: // closed segments are never empty
				err = l.fault("", "an empty file", "a segment of the store: the file is damaged")
			case err == io.EOF, err == errTorn && last:
				return
			case err == errTorn:
				err = l.fault("", errTorn.Error(), "a whole line")
			}
			if !yield(l, err) || err != nil {
				return
			}
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
