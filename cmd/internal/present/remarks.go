package present

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Remark is what there is to say beside a result: a warning that something may be
// wrong, or a note.
type Remark struct {
	Warning bool
	Text    string
}

// Warnings returns the remarks of warnings that are shown as they are.
func Warnings(all []workload.Warning) []Remark {
	var remarks []Remark
	for _, w := range all {
		remarks = append(remarks, Remark{true, w.String()})
	}
	return remarks
}

// HintSimulate says what gives a log waits.
const HintSimulate = "'loadstone simulate' gives a log simulated waits"

// waitHints say what can be done about a warning.
var waitHints = map[string]string{
	"no-waits":     HintSimulate,
	"no-estimates": "--estimate-factor draws them",
	"overfull":     "'loadstone validate' tells where",
}

// WaitRemarks returns what scores of wait predictors are of, and their warnings.
func WaitRemarks(r *evaluate.WaitsResult) []Remark {
	var all []Remark
	if r.FirstJobs > 0 {
		all = append(all, Remark{Text: fmt.Sprintf("only the first %d jobs by submission are replayed (--first-jobs)", r.FirstJobs)})
	}
	for _, w := range r.Warnings {
		if hint := waitHints[w.Rule]; hint != "" {
			w.Text += "; " + hint
		}
		all = append(all, Remark{true, w.String()})
	}
	return all
}

// UsersRemarks returns the warnings of a fit of users' behaviour.
func UsersRemarks(all []workload.Warning) []Remark {
	var remarks []Remark
	for _, w := range all {
		text := w.String()
		if w.Rule == "unusable" {
			text += "; right for jobs that never ran: if they ran, check the log's columns with 'loadstone describe'"
		}
		remarks = append(remarks, Remark{true, text})
	}
	return remarks
}

// CompareRemarks returns the warnings of a comparison, each with the input that it
// is about.
func CompareRemarks(all []workload.Warning) []Remark {
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
