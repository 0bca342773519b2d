package parse

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

const (
	// MaxHeader bounds the memory that a header may take.
	MaxHeader = 16 << 20
	// ChunkSize is how much text is decoded at a time: some 20,000 jobs, small
	// enough for a core's second-level cache.
	ChunkSize = 1 << 20
	// Sniffed is how much of a text is looked at to tell most formats.
	Sniffed = 512
	// MaxLine is the longest line that is read; a longer one is not a job.
	MaxLine = 1 << 20
	// maxBlank is how much may stand between two lines that have something in
	// them: more is a bomb, or a file that was never filled.
	maxBlank = 64 << 20
	// maxRecord is the longest record of several lines.
	maxRecord = 4 << 20
)

// Lines cuts a text into chunks of whole lines, or of whole records of several lines. Where it
// cuts depends on the text alone, never on how the text arrives, so that batches are the same
// on every run.
type Lines struct {
	// Cut returns the end of the last whole record in a text of whole lines, 0 where there is
	// none. nil is for records of one line.
	Cut func(text []byte) int

	name  string
	r     io.Reader
	size  int         // bytes in a chunk, at most
	carry []byte      // start of the record that the last chunk cut
	free  chan []byte // buffers to use again
	blank int         // bytes without a text so far
	err   error       // what next returns from now on
	begun bool
}

// NewLines cuts chunks of about size bytes; buffers is how many of them
// may be in use at a time.
func NewLines(name string, r io.Reader, size, buffers int) *Lines {
	size = max(size, 3) // the length of a byte order mark
	return &Lines{name: name, r: r, size: size, free: make(chan []byte, buffers)}
}

// Begins returns a function that reports whether a text begins with one of marks.
func Begins(marks string) func([]byte) bool {
	return func(text []byte) bool { return strings.IndexByte(marks, text[0]) >= 0 }
}

// Header reads the comments and blank lines before the first other line. isComment is asked about
// lines that are not blank, without blanks before. It returns the comments without their first byte,
// and the number of lines.
func (s *Lines) Header(isComment func(line []byte) bool) (comments []string, lines int64, err error) {
	for size := 0; ; {
		chunk, err := s.Next()
		if err == io.EOF {
			return comments, lines, nil
		}
		if err != nil {
			return nil, 0, AtLine(err, lines)
		}
		for pos := 0; pos < len(chunk); {
			end := pos + bytes.IndexByte(chunk[pos:], '\n')
			if end-pos > MaxLine {
				return nil, 0, LineTooLong(s.name, lines+1, chunk[pos:end])
			}
			text := bytes.TrimLeft(TrimReturn(chunk[pos:end]), " \t")
			if len(text) > 0 && !isComment(text) {
				s.Unread(chunk[pos:])
				s.Recycle(chunk)
				return comments, lines, nil
			}
			lines++
			if bytes.IndexByte(text, 0) >= 0 {
				return nil, 0, NotText(s.name, lines, text)
			}
			pos = end + 1
			if len(text) > 0 {
				comments = append(comments, string(text[1:]))
				// A string takes 16 bytes beside its text.
				if size += len(text) + 16; size > MaxHeader {
					return nil, 0, &workload.InputError{File: s.name, Line: lines, Saw: "more than 16 MiB of header", Want: "jobs"}
				}
			}
		}
		s.Recycle(chunk)
	}
}

// Unread puts lines back of the chunk that Next returned last: they begin the next one.
func (s *Lines) Unread(lines []byte) { s.carry = append(bytes.Clone(lines), s.carry...) }

// Chunks yields the chunks that Next returns.
func (s *Lines) Chunks(yield func([]byte, error) bool) {
	for {
		chunk, err := s.Next()
		if err == io.EOF || !yield(chunk, err) || err != nil {
			return
		}
	}
}

// Next returns the next chunk, which ends with a newline even where the text's
// last line has none, or io.EOF. Give it back with Recycle. A line that is too
// long may still be within a chunk; where it is not, the *InputError's Line
// counts from the end of the last chunk, from 1.
func (s *Lines) Next() ([]byte, error) {
	chunk, err := s.read()
	if err != nil {
		return nil, err
	}
	if s.blank += len(chunk); len(bytes.TrimLeft(chunk, " \t\r\n")) > 0 {
		s.blank = 0
	}
	if s.blank > maxBlank {
		s.err = &workload.InputError{File: s.name, Line: 1, Saw: fmt.Sprintf("more than %d MiB of blank lines", maxBlank>>20), Want: "jobs"}
		return nil, s.err
	}
	return chunk, nil
}

// read reads such a chunk.
func (s *Lines) read() ([]byte, error) {
	if s.err == io.EOF && len(s.carry) > 0 { // put back
		rest := s.carry
		s.carry = nil
		return rest, nil
	}
	if s.err != nil {
		return nil, s.err
	}
	var buf []byte
	select {
	case buf = <-s.free:
	default:
		buf = make([]byte, s.size+MaxLine+1)
	}
	buf = grown(buf, len(s.carry))
	n, lines := copy(buf, s.carry), bytes.LastIndexByte(s.carry, '\n')+1 // bytes, and those of whole lines
	s.carry = s.carry[:0]
	for {
		var err error
		old := n
		buf = grown(buf, n+s.size+1)
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
			s.err = InputFault(s.name, err)
			return nil, s.err
		}
		if i := bytes.LastIndexByte(buf[old:n], '\n'); i >= 0 {
			lines = old + i + 1
		}
		end := lines
		if s.Cut != nil && lines > 0 {
			end = s.Cut(buf[:lines])
		}
		switch {
		case n-lines > MaxLine:
			s.err = LineTooLong(s.name, 1+int64(bytes.Count(buf[end:lines], []byte{'\n'})), buf[lines:n])
		case n-end > maxRecord:
			s.err = &workload.InputError{File: s.name, Line: 1, Saw: "a record of more than 4 MiB that begins with " + ShortenLine(buf[end:n]), Want: "the end of the record, such as a quote that is closed"}
		}
		switch {
		case end > 0:
			s.carry = append(s.carry, buf[end:n]...)
			return buf[:end], nil
		case s.err != nil:
			return nil, s.err
		}
	}
}

// grown returns a buffer of at least n bytes that begins with what was in it.
func grown(buf []byte, n int) []byte {
	if n <= len(buf) {
		return buf
	}
	return append(buf, make([]byte, max(n, 2*len(buf))-len(buf))...)
}

// fill reads into buf from n to end. Unlike io.ReadFull it tells the end of
// the text from a decompressor's io.ErrUnexpectedEOF.
func (s *Lines) fill(buf []byte, n, end int) (int, error) {
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

// Recycle gives a chunk's memory back.
func (s *Lines) Recycle(chunk []byte) {
	select {
	case s.free <- chunk[:cap(chunk)]:
	default:
	}
}

// TrimReturn takes the carriage return off a line.
func TrimReturn(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}

// MostJobs bounds the jobs of a text by its lines, and by their least length.
func MostJobs(text []byte, least int) int {
	return min(bytes.Count(text, []byte{'\n'}), len(text)/least+1)
}
