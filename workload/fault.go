package workload

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// inputFault makes an *InputError of an error of the system.
func inputFault(name string, err error) error {
	var e *InputError
	if errors.As(err, &e) {
		return err
	}
	// A PathError would name the file a second time.
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return &InputError{File: name, Err: err}
}

// notText is the error for binary data.
func notText(name string, line int64, text []byte) error {
	want := "a text file"
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		want = "UTF-8 text, not UTF-16"
	}
	return &InputError{File: name, Line: line, Saw: "binary data " + shortenLine(text), Want: want}
}

// lineTooLong is the error for a line of more than maxLine bytes.
func lineTooLong(name string, line int64, text []byte) error {
	return &InputError{File: name, Line: line, Saw: "a line of more than 1 MiB that begins with " + shortenLine(text), Want: "lines of one job each"}
}

// shortenLine quotes the start of a line.
func shortenLine(line []byte) string {
	const most = 40
	if len(line) > most {
		return Shorten(line[:most]) + "..."
	}
	return Shorten(line)
}

// plural counts things.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// listShort names the first few.
func listShort(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// listNames is the first few names, for a message.
func listNames(names []string) string {
	const most = 6
	if len(names) == 0 {
		return "no columns"
	}
	s := Shorten([]byte(strings.Join(names[:min(len(names), most)], ", ")))
	if len(names) > most {
		s += fmt.Sprintf(" (%d columns)", len(names))
	}
	return s
}
