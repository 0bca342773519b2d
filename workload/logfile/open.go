package logfile

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
	"github.com/loadstone-hpc/loadstone/workload/swf"
)

// Open opens the job log at path, a file, a folder in one of the formats that have folders,
// or "-" for standard input. The format is recognised by content (see Formats), and files
// compressed with gzip, zstd, bzip2 or xz are decompressed. Close the log after use.
//
// A log that cannot be read is a *workload.InputError, from Open or later from the log's
// batches. An invalid time zone or mapping in the options is a *workload.OptionError or a
// *workload.InputError.
func Open(path string, o workload.Options) (*workload.Log, error) {
	if path == "-" {
		return OpenReader(path, os.Stdin, o)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, parse.InputFault(path, err)
	}
	l, err := OpenReader(path, f, o)
	if err != nil {
		f.Close()
		return nil, err
	}
	l.AtClose(f.Close)
	return l, nil
}

// OpenReader is like Open but reads from r; name stands for the file in messages. Closing
// the log does not close r. Formats that need random access, such as Parquet, are copied to
// a temporary file first unless r is an *os.File of a regular file.
func OpenReader(name string, r io.Reader, o workload.Options) (*workload.Log, error) {
	// Check the zone here: formats that count seconds do not look at it.
	if _, err := o.Zone(); err != nil {
		return nil, err
	}
	l, err := openReader(name, r, o)
	if err != nil {
		return nil, err
	}
	l.PlaceIn(o.TimeZone)
	if err := l.CountWaitsFrom(o.WaitFrom); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

func openReader(name string, r io.Reader, o workload.Options) (*workload.Log, error) {
	if f, ok := r.(*os.File); ok {
		info, err := f.Stat()
		switch {
		case err != nil:
			return nil, parse.InputFault(name, err)
		case info.IsDir():
			return openFolder(name, f.Name(), o)
		case info.Mode().IsRegular():
			return openFile(name, f, info.Size(), o)
		}
	}
	return openStream(name, bufio.NewReaderSize(r, 1<<16), o)
}

// headBytes is the number of bytes of the content that are examined for a format's Magic.
const headBytes = 512

// folderWant is the Want of the error for a folder in no known format.
const folderWant = "a job log: name a file in it, such as tasks.parquet of OpenDC (folders that can be read hold the Parquet files of one table, such as tasks/schema-1.0 of the Workflow Trace Archive, or a store of 'loadstone serve')"

// openFolder opens a folder in the first format that recognises it.
func openFolder(name, path string, o workload.Options) (*workload.Log, error) {
	for _, f := range among(o.Formats) {
		if f.OpenFolder == nil {
			continue
		}
		if l, err := f.OpenFolder(name, path, o); l != nil || err != nil {
			return l, err
		}
	}
	return nil, &workload.InputError{File: name, Saw: "a folder", Want: folderWant}
}

// openFile opens a regular file, which can be read in any order.
func openFile(name string, f *os.File, size int64, o workload.Options) (*workload.Log, error) {
	// Standard input may be a file that has already been read in part.
	from, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, parse.InputFault(name, err)
	}
	section := io.NewSectionReader(f, from, max(size-from, 0))
	p := &position{file: f, size: section.Size()}
	head := make([]byte, headBytes)
	n, err := section.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return nil, parse.InputFault(name, err)
	}
	l, err := openAt(name, head[:n], io.NewSectionReader(p, from, section.Size()), section.Size(), o)
	if l == nil && err == nil {
		l, err = openStream(name, bufio.NewReaderSize(p, 1<<16), o)
	}
	if l != nil {
		l.CountBy(p.of)
	}
	return l, err
}

// openAt opens a file in a format that needs random access. It returns nil if the file is in no
// such format.
func openAt(name string, head []byte, r io.ReaderAt, size int64, o workload.Options) (*workload.Log, error) {
	for _, f := range among(o.Formats) {
		if f.OpenAt == nil || !bytes.HasPrefix(head, []byte(f.Magic)) {
			continue
		}
		if l, err := f.OpenAt(name, r, size, o); l != nil || err != nil {
			return l, err
		}
	}
	return nil, nil
}

// openStream opens a stream, which can only be read from front to end, and decompresses it.
func openStream(name string, r *bufio.Reader, o workload.Options) (*workload.Log, error) {
	u, err := unpack(name, r)
	if err != nil {
		return nil, err
	}
	if len(u.head) == 0 && !u.compressed {
		return nil, &workload.InputError{File: name, Saw: "an empty file", Want: "a job log"}
	}
	l, err := openContent(name, u.Reader, o)
	if err != nil {
		u.free()
		return nil, err
	}
	if u.compressed {
		l.AtClose(func() error { u.free(); return nil })
	}
	return l, nil
}

// openContent opens a stream that is not compressed, by its content.
func openContent(name string, r *bufio.Reader, o workload.Options) (*workload.Log, error) {
	head, err := r.Peek(headBytes)
	switch {
	case len(head) == 0 && err == io.EOF:
		return nil, &workload.InputError{File: name, Saw: "nothing in it", Want: "a job log"}
	case err != nil && err != io.EOF:
		return nil, parse.InputFault(name, err)
	}
	for _, f := range among(o.Formats) {
		switch {
		case f.Magic == "" || !bytes.HasPrefix(head, []byte(f.Magic)):
		case f.OpenAt != nil:
			return openSpooled(name, bytes.Clone(head), r, o)
		default:
			return f.Open(name, r, o)
		}
	}
	if o.MapFile == "" && o.As == "" && len(o.Map) == 0 && o.Formats == nil {
		if err := notRead(name, head); err != nil {
			return nil, err
		}
	}
	json := isJSON(head)
	var rest *workload.Format // the format without Magic and Sniff, used if no other fits
	for _, f := range among(o.Formats) {
		switch {
		case f.Open == nil || f.Magic != "":
		case f.Sniff == nil:
			rest = cmp.Or(rest, f)
		case (f.JSON || !json) && f.Sniff(name, r, o):
			return f.Open(name, r, o)
		}
	}
	if err := notLog(name, head, o); err != nil {
		return nil, err
	}
	if json {
		return nil, otherJSON(name, head)
	}
	if rest == nil {
		return nil, &workload.InputError{File: name, Saw: parse.ShortenLine(head), Want: "a job log of one of the formats given"}
	}
	if err := notNumbers(name, head, rest); err != nil {
		return nil, err
	}
	return rest.Open(name, r, o)
}

// formatsWant is the Want of the error for a text in no known format.
const formatsWant = "a job log: SWF (18 numbers a line), GWF, output of Slurm's sacct, squeue or scontrol, accounting files of PBS, Grid Engine, LSF or HTCondor, Parquet, Arrow, JSON, or CSV with names of columns in the first line"

// notNumbers returns the error for a text that would be read as SWF, a format without a name or
// a header that identifies it, but is something else: its first line that is not blank begins
// neither with a comment of SWF nor with a number, and most of its fields are not numbers.
func notNumbers(name string, head []byte, rest *workload.Format) error {
	if rest != &swf.Format {
		return nil
	}
	text := bytes.TrimLeftFunc(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), unicode.IsSpace)
	line, _, _ := bytes.Cut(text, []byte("\n"))
	fields := bytes.Fields(line)
	if len(fields) == 0 || line[0] == ';' || isNumber(fields[0]) {
		return nil
	}
	numbers := 0
	for _, f := range fields {
		if isNumber(f) {
			numbers++
		}
	}
	if 2*numbers >= len(fields) {
		return nil
	}
	number := int64(bytes.Count(head[:len(head)-len(text)], []byte("\n")) + 1)
	return &workload.InputError{File: name, Line: number, Saw: parse.ShortenLine(line), Want: formatsWant + formatsHelp}
}

// isNumber reports whether a field of a text is a number.
func isNumber(field []byte) bool {
	_, err := strconv.ParseFloat(string(field), 64)
	return err == nil
}

// isJSON reports whether a text begins like a JSON object or array.
func isJSON(head []byte) bool {
	text := jsonText(head)
	return len(text) > 0 && (text[0] == '{' || text[0] == '[')
}

// jsonText returns a text without the blanks and the byte order mark that may precede a JSON value.
func jsonText(head []byte) []byte { return bytes.TrimLeft(head, " \t\r\n\xef\xbb\xbf") }

// OtherJSON reports whether r holds a JSON object that is not a job log under these
// options, for example a model.
func OtherJSON(r io.Reader, o workload.Options) bool {
	b := bufio.NewReaderSize(r, 1<<16)
	head, _ := b.Peek(headBytes)
	text := jsonText(head)
	return len(text) > 0 && text[0] == '{' && (ownSchema.Match(text) ||
		!slices.ContainsFunc(among(o.Formats), func(f *workload.Format) bool { return f.JSON && f.Sniff("", b, o) }))
}

// otherJSON returns the error for JSON in no format that is read.
func otherJSON(name string, head []byte) error {
	text := jsonText(head)
	if schema := ownSchema.FindSubmatch(text); schema != nil {
		return &workload.InputError{File: name, Saw: fmt.Sprintf("JSON of the schema %q", schema[1]), Want: "a job log"}
	}
	return &workload.InputError{File: name, Saw: "JSON, " + parse.ShortenLine(text), Want: "a job log: of JSON, what Slurm's sacct, squeue and scontrol show job print with --json, and tables by --map"}
}

// ownSchema matches the schema at the beginning of the toolkit's JSON files, such as models and
// results.
var ownSchema = regexp.MustCompile(`^\{\s*"schema":\s*"(loadstone\.[-a-z0-9./]+)"`)

// formatsHelp is the part of a message that refers to the list of formats.
const formatsHelp = " ('loadstone help formats' lists what can be read)"

// notLog returns the error for content whose first bytes show that it is compressed twice, is not
// text, or is not in the format that its name promises; nil for other content.
func notLog(name string, head []byte, o workload.Options) error {
	switch {
	case findCompression(head) != nil:
		return &workload.InputError{File: name, Saw: "compressed data inside compressed data", Want: "a job log"}
	case bytes.IndexByte(head, 0) >= 0:
		err := parse.NotText(name, 0, head)
		var e *workload.InputError
		if errors.As(err, &e) && e.Want == parse.WantText {
			e.Saw, e.Want = "binary data of no known format, "+parse.ShortenLine(head), "a job log"+formatsHelp
		}
		return err
	}
	for _, f := range among(o.Formats) {
		if f.Magic != "" && slices.Contains(f.Extensions, strings.ToLower(filepath.Ext(name))) {
			return &workload.InputError{File: name, Saw: "content that begins with " + parse.ShortenLine(head), Want: f.Looks}
		}
	}
	return nil
}

// openSpooled opens a stream in a format that needs random access, by copying it to a temporary
// file.
func openSpooled(name string, head []byte, r io.Reader, o workload.Options) (*workload.Log, error) {
	f, err := workload.UnlinkedFile()
	if err != nil {
		return nil, parse.InputFault(name, err)
	}
	size, err := io.Copy(f, r)
	if err != nil {
		f.Close()
		return nil, parse.InputFault(name, err)
	}
	l, err := openAt(name, head, f, size, o)
	if err != nil {
		f.Close()
		return nil, err
	}
	l.AtClose(f.Close)
	return l, nil
}
