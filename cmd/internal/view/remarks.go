package view

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

// Warnings returns the remarks of warnings, each with the input that it is about.
func Warnings(all []workload.Warning) []Remark { return hinted(all, nil) }

// hinted are the remarks of warnings; hints say what can be done about those of a rule.
func hinted(all []workload.Warning, hints map[string]string) []Remark {
	var remarks []Remark
	for _, w := range all {
		if hint := hints[w.Rule]; hint != "" {
			w.Text += "; " + hint
		}
		text := w.String()
		if w.About != "" {
			text = w.About + ": " + text
		}
		remarks = append(remarks, Remark{true, text})
	}
	return remarks
}

// HintSimulate says what gives a log waits.
const HintSimulate = "'loadstone simulate' gives a log simulated waits"

var (
	waitHints = map[string]string{
		"no-waits":     HintSimulate,
		"no-estimates": "--estimate-factor draws them",
		"overfull":     "'loadstone validate' tells where",
	}
	usersHints = map[string]string{"unusable": "right for jobs that never ran: if they ran, check the log's columns with 'loadstone describe'"}
)

// WaitRemarks returns what scores of wait predictors are of, and their warnings.
func WaitRemarks(r *evaluate.WaitsResult) []Remark {
	all := hinted(r.Warnings, waitHints)
	if r.FirstJobs > 0 {
		all = append([]Remark{{Text: fmt.Sprintf("only the first %d jobs by submission are replayed (--first-jobs)", r.FirstJobs)}}, all...)
	}
	return all
}

// UsersRemarks returns the warnings of a fit of users' behaviour.
func UsersRemarks(all []workload.Warning) []Remark { return hinted(all, usersHints) }
