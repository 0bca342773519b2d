package parse

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// InputFault returns an *InputError for an error of the system.
func InputFault(name string, err error) error {
	var e *workload.InputError
	if errors.As(err, &e) {
		return err
	}
	// A PathError would name the file a second time.
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return &workload.InputError{File: name, Err: err}
}

// AtLine adds before, the number of lines before the part that was read, to the line of an
// error.
func AtLine(err error, before int64) error {
	var e *workload.InputError
	if errors.As(err, &e) && e.Line > 0 {
		e.Line += before
	}
	return err
}

// WantText is the Want of the error for binary data.
const WantText = "a text file"

// NotText returns the error for binary data.
func NotText(name string, line int64, text []byte) error {
	want := WantText
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		want = "UTF-8 text, not UTF-16"
	}
	return &workload.InputError{File: name, Line: line, Saw: "binary data " + ShortenLine(text), Want: want}
}

// CheckBinary returns an error for a chunk with a zero byte, which no text has.
func CheckBinary(name string, chunk []byte) error {
	at := bytes.IndexByte(chunk, 0)
	if at < 0 {
		return nil
	}
	before := chunk[:bytes.LastIndexByte(chunk[:at], '\n')+1]
	return NotText(name, 1+int64(bytes.Count(before, []byte{'\n'})), chunk[len(before):])
}

// LineTooLong returns the error for a line of more than MaxLine bytes.
func LineTooLong(name string, line int64, text []byte) error {
	return &workload.InputError{File: name, Line: line, Saw: "a line of more than 1 MiB that begins with " + ShortenLine(text), Want: "lines of one job each"}
}

// ShortenLine quotes the first 40 bytes of a line.
func ShortenLine(line []byte) string {
	const most = 40
	if len(line) > most {
		return workload.Shorten(line[:most]) + "..."
	}
	return workload.Shorten(line)
}

// ListShort returns a list of names: the first most of them, and the number of the others.
func ListShort(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// QuoteNames returns a list of a file's columns for a message, with at most 30 names.
func QuoteNames(names []string) string {
	if len(names) == 0 {
		return "no columns"
	}
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = workload.Shorten([]byte(name))
	}
	return ListShort(quoted, 30)
}
