package slurm

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/jsontext"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// newJobArray splits a document into jobs: {"jobs": [...]}, or the array or the single jobs
// that jq extracts from it.
func newJobArray(r *bufio.Reader, size, buffers int) *jsontext.Array {
	key := "jobs"
	if peekJSON(r).bare {
		key = ""
	}
	return jsontext.NewArray(r, key, size, buffers)
}

// jobs reads the jobs of a chunk: read reads the one that comes next, of which it says
// what is wrong but for the JSON.
func (r *jsonReader) jobs(file string, c jsontext.Chunk, read func(at jsonAt) error) error {
	r.Reset(c.Text, c.Inside, c.First)
	at, passed := jsonAt{line: c.Line + 1, element: c.Element}, 0
	for ; !r.Blank() && r.Next(); at.element++ {
		r.Kind()
		at.line += int64(bytes.Count(c.Text[passed:r.Offset()], []byte{'\n'}))
		passed = r.Offset()
		at.offset = c.Offset + int64(passed)
		if err := read(at); err != nil {
			return err
		}
	}
	f := r.Fault()
	if f == nil {
		return nil
	}
	line := c.Line + 1 + int64(bytes.Count(c.Text[:f.At], []byte{'\n'}))
	member := fmt.Sprintf("jobs[%d]%s", max(at.element-1, c.Element), r.where())
	return &workload.InputError{File: file, Line: line, Field: jsonPlace(line, c.Offset+int64(f.At), member), Saw: f.Saw, Want: f.Want}
}

// jsonAt is where a job begins: its line, its byte in the document, its place among the jobs.
type jsonAt struct{ line, offset, element int64 }

// member names a member of the job in a message.
func (a jsonAt) member(path string) string {
	return jsonPlace(a.line, a.offset, fmt.Sprintf("jobs[%d].%s", a.element, path))
}

// jsonPlace names a place: the member, and in a document of one line the byte.
func jsonPlace(line, offset int64, member string) string {
	if line > 1 {
		return member
	}
	return strings.TrimSpace(fmt.Sprintf("%s at byte %d", member, offset))
}

// sawJSON shows a value in a message.
func sawJSON(v []byte) string {
	if len(v) == 0 {
		return "no value (missing, null, NaN, not set or 0)"
	}
	return workload.Shorten(v)
}

// jsonFault makes an *InputError of an error in the form of a document.
func jsonFault(name string, err error) error {
	var f *jsontext.TextFault
	switch {
	case err == nil || err == io.EOF:
		return err
	case errors.As(err, &f):
		return &workload.InputError{File: name, Line: f.Line, Field: jsonPlace(f.Line, f.Offset, ""), Saw: f.Saw, Want: f.Want}
	}
	return parse.InputFault(name, err)
}
