package slurm

import (
	"bytes"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// isSacct reports whether a text begins with a header line of sacct: names of its
// columns with bars between. Half of them have to be known, so that new
// versions may have new ones.
func isSacct(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	line, _, whole := bytes.Cut(head, []byte{'\n'})
	names := strings.Split(string(parse.TrimReturn(line)), "|")
	if !whole && len(names) > 2 {
		names = names[:len(names)-1] // may be cut
	}
	known := 0
	for _, name := range names {
		if _, ok := sacctKnown[strings.ToLower(name)]; ok {
			known++
		}
	}
	return bytes.IndexByte(line, '|') > 0 && known > 1 && 2*known >= len(names) || isOtherSacct(head)
}

// otherSacct returns what is wanted of a text that looks like sacct's and
// cannot be read, or "".
func otherSacct(head []byte) string {
	line, rest, _ := bytes.Cut(head, []byte{'\n'})
	line = parse.TrimReturn(line)
	words := strings.FieldsFunc(string(line), func(r rune) bool { return !isNameRune(r) })
	known := 0
	for _, w := range words {
		if _, ok := sacctKnown[strings.ToLower(w)]; ok {
			known++
		}
	}
	padded := bytes.HasPrefix(bytes.TrimLeft(rest, " "), []byte("---"))
	if known > 1 && 2*known >= len(words) && padded || hasSacctNames(words) && isLongBetween(head) {
		return "sacct's columns separated by bars: run sacct with -P and without --delimiter"
	}
	for _, between := range []byte("|,;\t") {
		times, states := 0, 0
		fields := bytes.Split(line, []byte{between})
		for _, f := range fields {
			if t, want := parseSacctTime(f); want == "" && t.kind == timeLocal {
				times++
			}
			if parseSacctState(f) != stateUnknown {
				states++
			}
		}
		id, want := parseSacctID(fields[0])
		if len(fields) > 3 && times > 0 && (between == '|' || want == "" && id.job > 0 && states > 0) {
			return "a header line with the names of the columns: run sacct without -n (--noheader)"
		}
	}
	return ""
}
