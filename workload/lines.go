package workload

import (
	"bytes"
	"fmt"
	"io"
)

const (
	// chunkSize is how much text is decoded at a time: some 20,000 jobs, small
	// enough for a core's second-level cache.
	chunkSize = 1 << 20
	// sniffed is how much of a text is looked at to tell most formats.
	sniffed = 512
	// maxLine is the longest line that is read; a longer one is not a job.
	maxLine = 1 << 20
	// maxBlank is how much may stand between two lines that have something in
	// them: more is a bomb, or a file that was never filled.
	maxBlank = 64 << 20
)

// lineSource cuts a text into chunks of whole lines. Where it cuts depends on
// the text alone, never on how the text arrives, so that batches are the same
// on every run.
type lineSource struct {
	name  string
	r     io.Reader
	size  int         // bytes in a chunk, at most
	carry []byte      // start of the line that the last chunk cut
	free  chan []byte // buffers to use again
	blank int         // bytes without a text so far
	err   error       // what next returns from now on
	begun bool
}

// newLineSource cuts chunks of about size bytes; buffers is how many of them
// may be in use at a time.
func newLineSource(name string, r io.Reader, size, buffers int) *lineSource {
	size = max(size, 3) // the length of a byte order mark
	return &lineSource{name: name, r: r, size: size, free: make(chan []byte, buffers)}
}

// next returns the next chunk, which ends with a newline even where the text's
// last line has none, or io.EOF. Give it back with recycle. A line that is too
// long may still be within a chunk; where it is not, the *InputError's Line is
// 1, which counts from the end of the last chunk.
func (s *lineSource) next() ([]byte, error) {
	chunk, err := s.read()
	if err != nil {
		return nil, err
	}
	if s.blank += len(chunk); len(bytes.TrimLeft(chunk, " \t\r\n")) > 0 {
		s.blank = 0
	}
	if s.blank > maxBlank {
		s.err = &InputError{File: s.name, Line: 1, Saw: fmt.Sprintf("more than %d MiB of blank lines", maxBlank>>20), Want: "jobs"}
		return nil, s.err
	}
	return chunk, nil
}

// read reads such a chunk.
func (s *lineSource) read() ([]byte, error) {
	if s.err != nil {
		return nil, s.err
	}
	var buf []byte
	select {
	case buf = <-s.free:
	default:
		buf = make([]byte, s.size+maxLine+1)
	}
	n := copy(buf, s.carry)
	s.carry = s.carry[:0]
	for {
		var err error
		old := n // no newline before
		if n, err = s.fill(buf, n, n+s.size); !s.begun {
			s.begun = true
			if bytes.HasPrefix(buf[:n], []byte("\xef\xbb\xbf")) { // byte order mark
				n = copy(buf, buf[3:n])
			}
		}
		switch {
		case err == io.EOF:
			s.err = io.EOF
			if n > 0 && buf[n-1] != '\n' {
				buf[n] = '\n'
				n++
			}
			if n == 0 {
				return nil, io.EOF
			}
			return buf[:n], nil
		case err != nil:
			s.err = inputFault(s.name, err)
			return nil, s.err
		}
		end := 0
		if i := bytes.LastIndexByte(buf[old:n], '\n'); i >= 0 {
			end = old + i + 1
		}
		if n-end > maxLine {
			s.err = lineTooLong(s.name, 1, buf[end:n])
			if end == 0 {
				return nil, s.err
			}
		}
		if end > 0 {
			s.carry = append(s.carry, buf[end:n]...)
			return buf[:end], nil
		}
	}
}

// fill reads into buf from n to end. Unlike io.ReadFull it tells the end of
// the text from a decompressor's io.ErrUnexpectedEOF.
func (s *lineSource) fill(buf []byte, n, end int) (int, error) {
	for idle := 0; n < end; {
		m, err := s.r.Read(buf[n:end])
		n += m
		if err != nil {
			return n, err
		}
		if idle++; m > 0 {
			idle = 0
		} else if idle == 100 {
			return n, io.ErrNoProgress
		}
	}
	return n, nil
}

// recycle gives a chunk's memory back.
func (s *lineSource) recycle(chunk []byte) {
	select {
	case s.free <- chunk[:cap(chunk)]:
	default:
	}
}

// trimReturn takes the carriage return off a line.
func trimReturn(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}

// mostJobs bounds the jobs of a text by its lines, and by their least length.
func mostJobs(text []byte, least int) int {
	return min(bytes.Count(text, []byte{'\n'}), len(text)/least+1)
}
