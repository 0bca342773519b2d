package slurm

import (
	"bytes"
	"errors"
	"io"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/jsontext"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// maxRecord is the longest record of several lines that is looked for.
const maxRecord = 4 << 20

// sacctText is the source of sacct's lines.
type sacctText struct {
	name   string
	zone   *time.Location
	lines  *parse.Lines
	layout *sacctLayout

	carry  []byte       // lines for the next chunk
	finder *sacctParser // finds where to cut
	ended  bool
	free   chan []byte // chunks to use again
}

func newSacctText(name string, r io.Reader, zone *time.Location, size, buffers int) *sacctText {
	return &sacctText{name: name, zone: zone, lines: parse.NewLines(name, r, size, buffers), free: make(chan []byte, buffers)}
}

// readLayout takes the header line.
func (s *sacctText) readLayout() error {
	chunk, err := s.lines.Next()
	if err == io.EOF {
		return &workload.InputError{File: s.name, Err: workload.ErrNoJobs}
	}
	if err != nil {
		return err
	}
	end := bytes.IndexByte(chunk, '\n')
	if end > parse.MaxLine {
		return parse.LineTooLong(s.name, 1, chunk[:end])
	}
	if s.layout, err = newSacctLayout(s.name, string(parse.TrimReturn(chunk[:end]))); err != nil {
		return err
	}
	s.finder = newSacctParser(s.name, s.layout, s.zone, nil, &sacctBatch{})
	s.carry = append(s.carry, chunk[end+1:]...)
	s.lines.Recycle(chunk)
	return nil
}

func (s *sacctText) decode(c jsontext.Chunk, b *sacctBatch) error {
	defer s.recycle(c.Text)
	if cap(b.rows) == 0 {
		b.rows = make([]sacctRow, 0, parse.MostJobs(c.Text, 64))
	}
	return parseSacct(s.name, s.layout, s.zone, c.Text, b)
}

// next returns a chunk that begins with a record, or io.EOF.
func (s *sacctText) next() (jsontext.Chunk, error) {
	if s.ended {
		return jsontext.Chunk{}, io.EOF
	}
	for {
		var chunk []byte
		chunk, err := s.lines.Next()
		switch {
		case err == io.EOF:
			s.ended = true
			if len(s.carry) == 0 {
				return jsontext.Chunk{}, io.EOF
			}
			last := s.carry
			s.carry = nil
			return jsontext.Chunk{Text: last}, nil
		case err != nil:
			s.ended = true
			var e *workload.InputError
			if errors.As(err, &e) && e.Line > 0 {
				e.Line += int64(bytes.Count(s.carry, []byte{'\n'}))
			}
			return jsontext.Chunk{}, err
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
			return jsontext.Chunk{Text: text[:cut]}, nil
		}
		s.recycle(text)
		if len(s.carry) > maxRecord {
			s.ended = true
			return jsontext.Chunk{}, &workload.InputError{File: s.name, Line: 1, Saw: "more than 4 MiB without a record", Want: "records with " + words.Counted(len(s.layout.columns), "column")}
		}
	}
}

// lastRecord finds the last line that certainly begins a record, so that
// everything before it can be read by itself. It is 0 where there is none.
func (s *sacctText) lastRecord(text []byte) int {
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

func (s *sacctText) recycle(text []byte) {
	select {
	case s.free <- text:
	default:
	}
}
