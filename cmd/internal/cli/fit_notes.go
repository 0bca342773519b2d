package cli

import (
	"fmt"
	"math"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/fit/survey"
)

// noteEstimates says that a model has the log's requested times.
func (a *app) noteEstimates(report *site.Report) {
	jobs, times := int64(0), 0
	for _, c := range report.Classes {
		if e := c.Estimates; e != nil {
			jobs, times = jobs+e.Jobs, max(times, e.Distinct)
		}
	}
	if jobs > 0 {
		a.note("the model has the requested times of %d jobs, up to %d different ones a class; 'loadstone generate --estimates none' leaves them out", jobs, times)
	}
}

// mostNoted is the largest number of classes of a model whose own warnings are
// printed.
const mostNoted = 3

// noteModel prints what the laws of run times in a site's model warn of.
func (a *app) noteModel(r *survey.Result) {
	for _, s := range r.Sites() {
		if len(s.Classes) > mostNoted {
			continue // the report has them
		}
		for _, c := range s.Classes {
			for _, w := range c.RunTimes.Warnings {
				a.note("note: %s (%s)", w, c.Name)
			}
		}
	}
}

// compareLoads says how the model's offered load compares with the log's.
func (a *app) compareLoads(input string, r *survey.Result) {
	load := r.OfferedLoad()
	if math.IsNaN(load) {
		return
	}
	const (
		text = "offered load: %.3f in the log, %.3f by the model; 'loadstone generate --load R' scales the arrivals of what it makes"
		near = 0.1 // a difference that is no matter
	)
	if made := r.Model.OfferedLoad(); math.Abs(made-load) > near*load {
		a.warn("%s: "+text, input, load, made)
	} else {
		a.note(text, load, made)
	}
}

// noteFits says what was left out of fits and warned of, once for all the fits
// that it is true of.
func (a *app) noteFits(result *survey.Result) {
	reports := result.Fits
	var texts []string
	fits := map[string][]string{}
	add := func(r fit.Report, text string) {
		name := r.Family
		if r.Attribute != fit.RunTime || r.By != "all" {
			name += fmt.Sprintf(" of %s, %s", r.Attribute, r.By)
		}
		if len(fits[text]) == 0 {
			texts = append(texts, text)
		}
		fits[text] = append(fits[text], name)
	}
	for _, r := range reports {
		for _, atom := range r.Atoms {
			add(r, atom.String())
		}
		for _, l := range r.LeftOut {
			add(r, fmt.Sprintf("%d %s left out: %s", l.Jobs, present.Plural(int(l.Jobs), "job", "jobs"), l.Why))
		}
		for _, text := range r.Warnings {
			add(r, text)
		}
	}
	if len(reports) > 0 && reports[0].KS.Method == fit.NoPValue {
		a.note("note: D has no p-value without replicates: '--replicates 199' draws one")
	}
	for _, text := range texts {
		const most = 4
		names := fits[text]
		switch {
		case len(names) == len(reports) && len(names) > 1:
			a.note("note: %s (all fits)", text)
		case len(names) > most:
			rest := len(names) - most
			a.note("note: %s (%s and %d other %s)", text, strings.Join(names[:most], "; "), rest, present.Plural(rest, "fit", "fits"))
		default:
			a.note("note: %s (%s)", text, strings.Join(names, "; "))
		}
	}
}
