package view

import "github.com/loadstone-hpc/loadstone/workload"

// Remark is what there is to say beside a result: a warning that something may be
// wrong, or a note.
type Remark struct {
	Warning bool
	Text    string
}

// Warnings returns the remarks of warnings, each with the input that it is about.
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
