package parse

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

const (
	// MaxHeader bounds the memory for a header, in bytes.
	MaxHeader = 16 << 20
	// ChunkSize is the amount of text decoded at a time, in bytes: some 20,000 jobs, small
	// enough for a core's second-level cache.
	ChunkSize = 1 << 20
	// Sniffed is the number of bytes of a text from which most formats are recognised.
	Sniffed = 512
	// MaxLine is the maximum length of a line, in bytes; a longer one is not a job.
	MaxLine = 1 << 20
	// maxBlank is the maximum amount of blank text in a row, in bytes. More than that is a
	// decompression bomb, or a file that was never filled.
	maxBlank = 64 << 20
	// maxRecord is the maximum length of a record of several lines, in bytes.
	maxRecord = 4 << 20
)

// Lines cuts a text into chunks of whole lines, or of whole records of several lines. The cuts
// depend on the text alone, never on how the text arrives, so that batches are the same on every
// run.
type Lines struct {
	// Cut returns the end of the last whole record in a text of whole lines, or 0 if there is
	// none. It is nil if each record is one line.
	Cut func(text []byte) int

	name  string
	r     io.Reader
	size  int         // bytes in a chunk, approximately
	carry []byte      // start of the record that the last chunk cut off
	free  chan []byte // buffers for reuse
	blank int         // bytes of blank text so far
	err   error       // what Next returns from now on
	begun bool
}

// NewLines returns Lines that cut a text into chunks of about size bytes; at most buffers chunks
// are kept for reuse.
func NewLines(name string, r io.Reader, size, buffers int) *Lines {
	size = max(size, 3) // the length of a byte order mark
	return &Lines{name: name, r: r, size: size, free: make(chan []byte, buffers)}
}

// Begins returns a function that reports whether a text begins with one of the bytes in marks.
// The text must not be empty.
func Begins(marks string) func([]byte) bool {
	return func(text []byte) bool { return strings.IndexByte(marks, text[0]) >= 0 }
}

// Header reads the comments and blank lines before the first other line. isComment is called for
// each line that is not blank, without its leading blanks. Header returns the comments without
// their first byte, and the number of lines that it read.
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
				// A string takes 16 bytes in addition to its text.
				if size += len(text) + 16; size > MaxHeader {
					return nil, 0, &workload.InputError{File: s.name, Line: lines, Saw: "more than 16 MiB of header", Want: "jobs"}
				}
			}
		}
		s.Recycle(chunk)
	}
}

// Unread puts back lines of the chunk that Next returned last. The next chunk begins with them.
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

// Next returns the next chunk, or io.EOF. A chunk ends with a newline even if the text's last
// line does not. Give it back with Recycle. A line that is too long may still be within a chunk;
// otherwise, the Line of the *InputError counts from the end of the last chunk, from 1.
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

// read is Next without the check for blank text.
func (s *Lines) read() ([]byte, error) {
	if s.err == io.EOF && len(s.carry) > 0 { // lines that were put back
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
	n, lines := copy(buf, s.carry), bytes.LastIndexByte(s.carry, '\n')+1 // number of bytes, and of bytes in whole lines
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

// grown returns a buffer of at least n bytes that begins with the content of buf.
func grown(buf []byte, n int) []byte {
	if n <= len(buf) {
		return buf
	}
	return append(buf, make([]byte, max(n, 2*len(buf))-len(buf))...)
}

// fill reads into buf from n to end. Unlike io.ReadFull, it distinguishes the end of the text
// from a decompressor's io.ErrUnexpectedEOF.
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

// Recycle keeps a chunk's memory for reuse.
func (s *Lines) Recycle(chunk []byte) {
	select {
	case s.free <- chunk[:cap(chunk)]:
	default:
	}
}

// TrimReturn removes the carriage return at the end of a line.
func TrimReturn(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}

// MostJobs returns an upper bound of the number of jobs in a text, from its number of lines and
// the minimum length of a job, least.
func MostJobs(text []byte, least int) int {
	return min(bytes.Count(text, []byte{'\n'}), len(text)/least+1)
}
