// Package report summarises a log on one page.
//
// Compute calls the same functions as the commands: the description, the use of the machine and
// the checks (workload/inspect), the fits (fit/site), the model of users (fit/population), its
// verdict and the scores of predictors (evaluate). Report.Page presents the results with the
// templates of report.html, which contain the text of the page. It begins with the questions of a
// computing centre: load, waits, users, and what to trust. Collapsed sections follow with the
// output of the commands that fit, compare and score.
package report

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/internal/version"
)

//go:embed report.html
var reportHTML string

var templates = page.Sections(reportHTML, view.Functions, functions)

// RemarksTitle is the title of the section with the remarks that Report.Remarks returns.
const RemarksTitle = "What to trust"

// sections are the sections of the page. The template of each is named by its ID.
var sections = []page.Section{
	{ID: "summary", Title: "Summary"},
	{ID: "load", Title: "Load and use of the machine", About: "Offered load is the processor time of the jobs submitted, utilisation that of the jobs running, each as a share of the machine's capacity."},
	{ID: "waiting", Title: "Waits", About: "A wait is the time from a job's submission to its start."},
	{ID: "shares", Title: "Who used the machine"},
	{ID: "caveats", Title: RemarksTitle},
	{ID: "fits", Title: "Run times and their distributions", Group: "For modelling", Folded: true},
	{ID: "model", Title: "The model of the users", Folded: true},
	{ID: "run-times", Title: "Predicting run times", Folded: true},
	{ID: "predictions", Title: "Predicting waits", Folded: true},
	{ID: "made", Title: "How this page was made", Group: "About this page", Folded: true},
}

// Page returns the page of the results.
func (r *Report) Page() (p page.Page, err error) {
	p = page.Page{Title: "Workload of " + shortName(r.name), About: fmt.Sprintf("Made by loadstone %s from %s (%s).", version.Number, r.name, countedText(r.Log.Jobs, "job"))}
	if p.Key, err = page.Body(templates, "key", r); err != nil {
		return p, err
	}
	for _, s := range sections {
		if s.Body, err = page.Body(templates, s.ID, r); err != nil {
			return p, err
		}
		p.Sections = append(p.Sections, s)
	}
	return p, nil
}

// Printed is a part of the output of a command: lines, or a table.
type Printed struct {
	Lines []string
	Table *page.Table
}

// printed returns the text that a command prints for people. The caption of a table is the line
// before it or, without one, the title. A caption that is already used is followed by the table's
// first heading, so that captions are unique.
func printed(title string, result view.Result) (all []Printed) {
	caption, blocks := title, result.Blocks()
	for i, b := range blocks {
		if b.Text == "" {
			if slices.ContainsFunc(all, func(p Printed) bool { return p.Table != nil && p.Table.Caption == caption }) {
				caption += ": " + b.Table.Head[0]
			}
			all = append(all, Printed{Table: pageTable(caption, b.Table)})
			caption = title
			continue
		}
		for paragraph := range strings.SplitSeq(b.Text, "\n\n") {
			if lines := strings.Split(strings.Trim(paragraph, "\n"), "\n"); lines[0] != "" {
				all = append(all, Printed{Lines: lines})
			}
		}
		if n := len(all) - 1; n >= 0 && all[n].Table == nil && i < len(blocks)-1 {
			last := len(all[n].Lines) - 1
			caption = all[n].Lines[last]
			if all[n].Lines = all[n].Lines[:last]; last == 0 {
				all = all[:n]
			}
		}
	}
	return all
}

// Found returns the output of 'loadstone validate'.
func (r *Report) Found() []Printed {
	return printed("Faults and oddities", tables.Validation(r.Checks))
}

// Fitted returns the output of 'loadstone fit'.
func (r *Report) Fitted() []Printed {
	return printed("Distributions of the run times", tables.Fit(r.Fits, tables.SiteBrief))
}

// Judged returns the output of 'loadstone compare' for the log and jobs drawn from the model; nil
// if they were not compared.
func (r *Report) Judged() []Printed {
	if r.compared == nil {
		return nil
	}
	return printed("The log and the model", tables.Compared(r.compared, nil))
}

// Scored returns the output of 'loadstone runtime'; nil if it was not run.
func (r *Report) Scored() []Printed {
	if r.runTimes == nil {
		return nil
	}
	return printed("Predictors of run time", tables.RunTimes(r.runTimes))
}

// WaitsScored returns the output of 'loadstone predict'; nil if it was not run.
func (r *Report) WaitsScored() []Printed {
	if r.waits == nil {
		return nil
	}
	return printed("Predictors of waits", tables.Waits(r.waits, r.o.Processors))
}

// File returns the file of the model of the users; nil if there is none.
func (r *Report) File() *page.File {
	if r.file == nil {
		return nil
	}
	return &page.File{Name: r.modelName(), Kind: "application/json", Data: r.file}
}

// Generate returns the command that generates a workload from the model.
func (r *Report) Generate() string {
	return "loadstone generate --model " + view.ShellWord(r.modelName()) + " --jobs 100000 --seed 7 -o synthetic.swf"
}

// Again returns the command that makes the page.
func (r *Report) Again() string {
	again := "loadstone report " + view.ShellWord(r.input) + " -o " + view.ShellWord(r.o.Output)
	for _, part := range r.o.Without {
		again += " --without " + part
	}
	if r.o.Processors > 0 {
		again += fmt.Sprintf(" --procs %d", r.o.Processors)
	}
	if r.o.Seed != 1 {
		again += fmt.Sprintf(" --seed %d", r.o.Seed)
	}
	return again
}

// Commands returns the commands that print the numbers on the page.
func (r *Report) Commands() (all []string) {
	for _, s := range r.steps {
		if !s.isLeftOut {
			all = append(all, s.typed(r))
		}
	}
	return all
}

// Remarks returns the remarks of the commands, without duplicates.
func (r *Report) Remarks() (all []string) {
	seen := map[string]bool{}
	for _, s := range r.steps {
		for _, remark := range s.remarks {
			if text := sentence(remark.Text); !seen[text] {
				seen[text] = true
				all = append(all, s.command+": "+text)
			}
		}
	}
	return all
}
