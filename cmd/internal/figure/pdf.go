package figure

import (
	"bytes"
	"regexp"
)

// pdfDate matches the two dates of a PDF file. Its writer takes them from the
// clock, and vgpdf has no way to set them.
var pdfDate = regexp.MustCompile(`/(CreationDate|ModDate) \(D:[0-9]{14}\)`)

// withoutClock sets the dates of a PDF file to 1970, so that the same data give
// the same bytes. The length stays: the file's end has offsets into it.
func withoutClock(pdf []byte) []byte {
	// They stand behind all streams, whose bytes are not looked at.
	i := max(bytes.LastIndex(pdf, []byte("endstream")), 0)
	return append(pdf[:i:i], pdfDate.ReplaceAll(pdf[i:], []byte("/$1 (D:19700101000000)"))...)
}
