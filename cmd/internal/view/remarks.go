package view

import "github.com/loadstone-hpc/loadstone/workload"

// Remark is a remark on a result: a warning that something may be wrong, or a note.
type Remark struct {
	Warning bool
	Text    string
}

// Warnings returns warnings as remarks, each preceded by the name of its input, if it has one.
func Warnings(all []workload.Warning) []Remark {
	var remarks []Remark
	for _, w := range all {
		text := w.String()
		if w.About != "" {
			text = w.About + ": " + text
		}
		remarks = append(remarks, Remark{true, text})
	}
	return remarks
}
