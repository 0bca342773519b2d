package parse

import "strings"

// AppendComment appends a header's line behind the mark of comments: in parts,
// since a newline would turn the rest of it into a job, and without the carriage
// returns at its end, which would be read as part of the line's end.
func AppendComment(dst []byte, mark byte, line string) []byte {
	for part := range strings.SplitSeq(line, "\n") {
		dst = append(dst, mark)
		dst = append(dst, strings.TrimRight(part, "\r")...)
		dst = append(dst, '\n')
	}
	return dst
}
