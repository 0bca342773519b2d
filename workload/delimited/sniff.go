package delimited

import (
	"bytes"

	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// csvSeparator guesses the separator from the header line: a comma, or a semicolon or tab if that
// occurs more often. Some programs call tables with these CSV too.
func csvSeparator(line []byte) byte {
	best := byte(',')
	for _, c := range []byte(";\t") {
		if bytes.Count(line, []byte{c}) > bytes.Count(line, []byte{best}) {
			best = c
		}
	}
	return best
}

// Sniff reports whether a file looks like CSV: its name ends in .csv or .tsv, apart from the
// extension of a compressed file, or its first line is a list of names separated by commas,
// semicolons or tabs. head is the beginning of its uncompressed text.
func Sniff(name string, head []byte) bool {
	if ext := parse.Extension(name); ext == ".csv" || ext == ".tsv" {
		return true
	}
	line, _, whole := bytes.Cut(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), []byte{'\n'})
	line = bytes.TrimSpace(line)
	if len(line) > 0 && (line[0] == ';' || line[0] == '#') { // a comment in other formats
		return false
	}
	names := bytes.Split(line, []byte{csvSeparator(line)})
	if len(names) < 2 {
		return false
	}
	if !whole {
		names = names[:len(names)-1] // the last may be incomplete
	}
	for _, n := range names {
		n = bytes.TrimSpace(n)
		if bytes.IndexByte(n, '|') >= 0 {
			return false
		}
		if len(n) > 0 {
			if _, want := parse.Number(n); want == "" {
				return false
			}
		}
	}
	return true
}
