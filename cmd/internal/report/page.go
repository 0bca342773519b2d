// Package report says all that can be said of logs on one page.
//
// Compute calls what the commands call, describe and validate (workload/inspect),
// fits (fit/survey, fit/lifetimes), the scores of predictors and comparisons
// (evaluate), with options of its own, and keeps the results and their remarks.
// Page makes of them the sections of a page: tables, pictures by package figure,
// and words on what the numbers are worth. For its readers it names the commands
// that print the same numbers; none of them is run.
package report

import (
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/internal/version"
)

// Page orders what was found.
func (r *Report) Page() page.Page {
	p := page.Page{Title: r.title(), About: "Made by loadstone " + version.Number + " from " + r.of() + "."}
	each := func(id, title, about string, blocks func(*logReport) []page.Block) {
		s := page.Section{ID: id, Title: title, About: about}
		for _, l := range r.logs {
			part := page.Part{Blocks: r.thinned(l, blocks(l))}
			if len(r.logs) > 1 {
				part.Log = l.name
			}
			s.Parts = append(s.Parts, part)
		}
		p.Sections = append(p.Sections, s)
	}
	if len(r.logs) == 1 {
		p.Figures = r.logs[0].key()
	} else {
		p.Sections = append(p.Sections, r.glance())
	}
	each("who", "Who and what", "", (*logReport).who)
	each("quality", "Data quality", "Faults cannot be true, or the format forbids them. Oddities may be true, but users of the log should know them.", (*logReport).quality)
	each("load", "Load over time", "Offered load is the work of the jobs submitted in a stretch of time, over what the machine could do in it.", (*logReport).load)
	each("arrivals", "Arrivals", "When jobs are submitted, by the clock of the site, and how bursty that is.", (*logReport).arrivals)
	each("sizes", "Sizes", "How many processors jobs take, and how run times go with that.", (*logReport).sizes)
	each("run-times", "Run times", "The distribution of run times with the laws that come closest. D is the largest distance between the two curves, as a share of the jobs.", (*logReport).runTimes)
	each("by-size", "Run times by size", "p(size) is the share of short jobs, those of the first Gamma of run times, at a size (Lublin and Feitelson 2003).", (*logReport).bySize)
	each("lifetimes", "How much longer a job runs", "For jobs that have run for some time already: how much longer half of them still run, and their mean (Downey 1997).", (*logReport).lifetimes)
	each("model", "The fitted model", "The model of Lublin and Feitelson, fitted to all jobs. Its file can be saved, edited, and turned into synthetic workloads.", (*logReport).model)
	each("predictors", "Predicting run times", "Each job's run time is predicted at its submission from the jobs of its class that have ended. Accuracy is the smaller of predicted and actual over the larger; 1 is perfect.", (*logReport).predictors)
	each("waits", "Predicting waits", "How long a job will wait: bounds that a share of the waits is to stay below, and point predictions on a simulated queue.", (*logReport).waits)
	each("twins", "Twins", "Can synthetic workloads modelled on the log replace it? The log should lie among its twins.", (*logReport).twinSection)
	if r.between != nil {
		p.Sections = append(p.Sections, r.between.section())
	}
	each("trust", "What to trust, and what not", "", (*logReport).trust)
	each("made", "How this page was made", "", (*logReport).made)
	return p
}

func (r *Report) title() string {
	if len(r.logs) == 1 {
		return "Workload of " + present.ShortName(r.logs[0].name)
	}
	var names []string
	for _, l := range r.logs {
		names = append(names, present.ShortName(l.name))
	}
	return "Workloads of " + strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// of says which logs a page is of.
func (r *Report) of() string {
	var all []string
	for _, l := range r.logs {
		all = append(all, fmt.Sprintf("%s (%s jobs)", l.name, present.Grouped(l.describe.Jobs)))
	}
	return strings.Join(all, " and ")
}
