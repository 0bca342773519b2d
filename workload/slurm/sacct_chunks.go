package slurm

import (
	"bytes"
	"errors"
	"io"
	"iter"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// next returns a chunk that begins with a record, or io.EOF.
func (s *sacctReader) next() ([]byte, error) {
	if s.ended {
		return nil, io.EOF
	}
	for {
		var chunk []byte
		chunk, err := s.lines.Next()
		switch {
		case err == io.EOF:
			s.ended = true
			if len(s.carry) == 0 {
				return nil, io.EOF
			}
			last := s.carry
			s.carry = nil
			return last, nil
		case err != nil:
			s.ended = true
			var e *workload.InputError
			if errors.As(err, &e) && e.Line > 0 {
				e.Line += int64(bytes.Count(s.carry, []byte{'\n'}))
			}
			return nil, err
		}
		var text []byte
		select {
		case text = <-s.free:
		default:
		}
		text = append(append(text[:0], s.carry...), chunk...)
		s.lines.Recycle(chunk)
		cut := s.lastRecord(text)
		s.carry = append(s.carry[:0], text[cut:]...)
		if cut > 0 {
			return text[:cut], nil
		}
		s.recycle(text)
		if len(s.carry) > maxRecord {
			s.ended = true
			return nil, &workload.InputError{File: s.name, Line: 1, Saw: "more than 4 MiB without a record", Want: "records with " + parse.Plural(len(s.layout.columns), "column")}
		}
	}
}

// lastRecord finds the last line that certainly begins a record, so that
// everything before it can be read by itself. It is 0 where there is none.
func (s *sacctReader) lastRecord(text []byte) int {
	for end := len(text); end > 0; {
		pos := bytes.LastIndexByte(text[:end-1], '\n') + 1
		// The decoder's own test, so that both see the same records.
		line := parse.TrimReturn(text[pos : end-1])
		if n := s.finder.cut(line); n >= len(s.layout.columns) {
			if _, want := s.finder.record(line, n); want == "" {
				s.finder.batch.reset()
				return pos
			}
		}
		end = pos
	}
	return 0
}

func (s *sacctReader) recycle(text []byte) {
	select {
	case s.free <- text:
	default:
	}
}

// chunks yields the chunks that are still to be decoded.
func (s *sacctReader) chunks() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for {
			chunk, err := s.next()
			if err == io.EOF || !yield(chunk, err) || err != nil {
				return
			}
		}
	}
}
