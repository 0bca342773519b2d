package parse

import (
	"bytes"
	"fmt"
	"io"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// stretches are the chunks of a log that a share of it has. Chunk k is what lies
// between the last line ends before byte (k-1) size and byte k size of the text, so that
// a share has whole chunks of those that the log is read in, and every batch and
// warning is the same.
type stretches struct {
	text     workload.Text
	from, to int64 // the share has the chunks after from, up to to
	skipped  bool  // the chunks before are passed
}

// Divide has the reader yield only the share that the options ask for, whose lines and
// rows count from its own start. It is called before ReadHeader, by formats whose lines
// stand for themselves.
func (s *Reader) Divide(o workload.Options) {
	s.From.Share = o.Share
	if o.Share.Whole() {
		return
	}
	s.share = &stretches{text: o.Text}
	s.share.from, s.share.to = o.Share.Of(o.Text.Bytes/int64(s.Lines.size) + 1)
	if s.share.from == s.share.to { // nothing, and nothing is passed over for it
		s.share.from, s.share.to = 0, 0
	}
}

// in says whether the chunk that was cut last is in the share.
func (s *Reader) in() bool {
	return s.share == nil || s.share.from < s.Lines.blocks && s.Lines.blocks <= s.share.to
}

// skip passes over the chunks before the share; submits returns the last submission
// in a chunk, NaN where none is known, because a share's first job is held against the
// one above it.
func (s *Reader) skip(submits func(text []byte) (float64, error)) error {
	d := s.share
	if d == nil || s.Lines.blocks > d.from || d.to == 0 {
		return nil
	}
	d.skipped, s.Line = true, 0
	for back := int64(1); ; back *= 2 { // comments of any length may stand between
		at := s.toChunk(d.from - back)
		// The first line may begin before.
		known, err := s.passTo(d.from, d.text.At != nil && at > 0, submits)
		if err != nil || known || at <= 0 {
			return err
		}
		if d.text.At == nil {
			return fmt.Errorf("%s: no submission time is known in the MiB before part %s: want a log that is not compressed, or one run", s.Name, s.From.Share)
		}
	}
}

// toChunk moves to the start of a chunk where the text can be read anywhere.
func (s *Reader) toChunk(at int64) int64 {
	d := s.share
	if at = max(at, 0); d.text.At == nil {
		return at
	}
	size := int64(s.Lines.size)
	s.Lines = NewLines(s.Name, io.NewSectionReader(d.text.At, at*size, d.text.Bytes-at*size), s.Lines.size, cap(s.Lines.free))
	s.Lines.blocks = at
	return at
}

// passTo reads up to a chunk, and reports whether a submission was known in what it
// has looked at.
func (s *Reader) passTo(to int64, cut bool, submits func([]byte) (float64, error)) (known bool, err error) {
	packed := s.share.text.At == nil
	for first := packed; s.Lines.blocks < to || first; first = false {
		chunk, err := s.pending, error(nil)
		if !first {
			chunk, err = s.Lines.Next()
		}
		if err == io.EOF {
			return true, nil
		}
		if err != nil {
			return false, err
		}
		if packed {
			s.before += int64(bytes.Count(chunk, []byte{'\n'}))
			if s.Lines.blocks < to {
				s.Lines.Recycle(chunk)
				continue
			}
		}
		text := chunk
		if cut {
			text, cut = chunk[bytes.IndexByte(chunk, '\n')+1:], false
		}
		submit, err := submits(text)
		if err != nil {
			return false, err
		}
		if !math.IsNaN(submit) {
			s.Submit, known = submit, true
		}
	}
	return known, nil
}

// linesBefore counts the lines above the share, for the message of a fault.
func (s *Reader) linesBefore() int64 {
	if s.share == nil || !s.share.skipped {
		return 0
	}
	if s.share.text.At == nil {
		return s.before + s.headLines
	}
	var n int64
	buf := make([]byte, 1<<20)
	r := io.NewSectionReader(s.share.text.At, 0, s.share.from*int64(s.Lines.size))
	for {
		m, err := r.Read(buf)
		n += int64(bytes.Count(buf[:m], []byte{'\n'}))
		if err != nil {
			return n
		}
	}
}
