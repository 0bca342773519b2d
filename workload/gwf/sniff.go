package gwf

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// findGWF is how much of a file is looked at to tell the format.
const findGWF = 1 << 16

// sniff tells the grid workload format from its first lines, and from the
// name where they leave it open.
//
// A line of 29 or 30 fields that begins with numbers is a job of it, but in a
// file whose name says that it is the standard workload format with eleven
// fields more; so are comments with '#' that speak of JobID and SubmitTime or
// of the format, where no job can be seen.
func sniff(name string, head []byte) bool {
	named := extension(name)
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	if len(head) < findGWF-3 { // all there is, and its last line may have no end
		head = append(head[:len(head):len(head)], '\n')
	}
	comments := 0
	for rest := head; ; {
		line, more, whole := bytes.Cut(rest, []byte{'\n'})
		if !whole {
			break
		}
		rest = more
		line = bytes.Trim(line, " \t\r")
		switch {
		case len(line) == 0:
		case line[0] == '#':
			comments++
		case line[0] == ';':
			return false
		default:
			return named == ".gwf" || named != ".swf" && jobOfGWF(line)
		}
	}
	return named == ".gwf" || comments > 0 && (bytes.Contains(head, []byte("JobID")) && bytes.Contains(head, []byte("SubmitTime")) ||
		bytes.Contains(bytes.ToLower(head), []byte("grid workload")))
}

// jobOfGWF reports whether a line looks like a job: the number of its fields, and
// numbers where its times and sizes are.
func jobOfGWF(line []byte) bool {
	fields := bytes.Fields(line)
	if tabs := bytes.Split(line, []byte{'\t'}); len(tabs) == gwfFields {
		fields = tabs
	}
	if len(fields) != gwfFields && len(fields) != gwfFields+1 {
		return false
	}
	for _, f := range fields[1:gwfUser] {
		if f = bytes.TrimSpace(f); len(f) == 0 {
			continue
		}
		if _, want := parse.Number(f); want != "" {
			return false
		}
	}
	return true
}

// extension is that of a file's name, in lower case, without what tells that
// it is compressed.
func extension(name string) string {
	name = strings.ToLower(name)
	ext := filepath.Ext(name)
	switch ext {
	case ".gz", ".zst", ".xz", ".bz2":
		ext = filepath.Ext(strings.TrimSuffix(name, ext))
	}
	return ext
}
