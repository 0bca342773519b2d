// Package report writes one page on one or several logs.
//
// Compute calls what the commands call: the description, the use of the machine and the
// checks (workload/inspect), the fits (fit/survey, fit/lifetimes), the scores of
// predictors and the comparisons (evaluate). Page turns the results into sections. The
// first ones answer a computing centre: load, queue, waits, users, changes, what to
// trust. Behind them, folded, are the log in detail and the workload model. The page
// names the commands that print the same numbers; it runs none of them.
package report

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/internal/version"
)

// Page orders what was found.
func (r *Report) Page() page.Page {
	p := page.Page{Title: r.title(), About: "Made by loadstone " + version.Number + " from " + r.of() + "."}
	folded, group := false, ""
	add := func(s page.Section) {
		s.Folded, s.Group, group = folded, group, ""
		p.Sections = append(p.Sections, s)
	}
	each := func(id, title, about string, blocks func(*logReport) []page.Block) {
		s := page.Section{ID: id, Title: title, About: about}
		for _, l := range r.logs {
			part := page.Part{Blocks: r.thinned(l, blocks(l))}
			if len(r.logs) > 1 {
				part.Log = l.name
			}
			s.Parts = append(s.Parts, part)
		}
		add(s)
	}
	if len(r.logs) == 1 {
		p.Figures = r.logs[0].key()
	} else {
		add(r.glance())
	}
	each("summary", "Summary", "", (*logReport).summary)
	each("load", "Load and use of the machine", "Offered load is the processor time of the jobs submitted, utilisation that of the jobs running, each as a share of the machine's capacity.", (*logReport).loadAndUse)
	each("queue", "The queue", "", (*logReport).queue)
	each("waiting", "How long jobs waited", "", (*logReport).waitsNow)
	each("shares", "Who used the machine", "", (*logReport).shares)
	each("changes", "What changed", "", (*logReport).changed)
	each("caveats", "What to trust", "", (*logReport).caveats)
	if r.between != nil {
		add(r.between.section())
	}
	folded, group = true, "The log in detail"
	each("who", "What is in the log", "", (*logReport).who)
	each("quality", "Data quality", "A fault cannot be true or violates the format. An oddity may be true but deserves a look.", (*logReport).quality)
	each("arrivals", "Arrivals", "When jobs are submitted, by the site's clock, and how bursty submissions are.", (*logReport).arrivals)
	group = "The workload model"
	each("sizes", "Sizes", "How many processors jobs use, and how their run times depend on that.", (*logReport).sizes)
	each("run-times", "Run times", "The distribution of run times, with the fitted distributions that come closest. D is the largest distance between the two curves, as a share of the jobs.", (*logReport).runTimes)
	each("by-size", "Run times by size", "p(size) is the share of short jobs, those of the first Gamma of run times, at a size (Lublin and Feitelson 2003).", (*logReport).bySize)
	each("lifetimes", "How much longer a job runs", "How much longer a job runs that has already run for some time, in the median and on average (Downey 1997).", (*logReport).lifetimes)
	each("model", "The fitted model", "The model of the site's users, from which synthetic workloads can be generated, and the parameters of the model of Lublin and Feitelson (2003), fitted to all jobs.", (*logReport).model)
	each("predictors", "Predicting run times", "Each job's run time is predicted at its submission from the jobs of its class that have ended; the users' own estimates are scored beside it. Accuracy is the smaller of predicted and actual over the larger; 1 is perfect.", (*logReport).predictors)
	each("waits", "Predicting waits", "How well waiting times can be predicted: upper bounds on the log's waits first, then predictions of the waits in simulated queues.", (*logReport).waits)
	each("twins", "Twins", "Can synthetic workloads made from the log stand in for it? If so, the log's values lie among theirs.", (*logReport).twinSection)
	group = "About this page"
	each(remarksID, RemarksTitle, "", (*logReport).trust)
	each("made", "How this page was made", "", (*logReport).made)
	add(glossary())
	return p
}

func (r *Report) title() string {
	if len(r.logs) == 1 {
		return "Workload of " + shortName(r.logs[0].name)
	}
	var names []string
	for _, l := range r.logs {
		names = append(names, shortName(l.name))
	}
	return "Workloads of " + strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// shortName is a name without the endings of files of jobs.
func shortName(name string) string {
	for range 2 {
		switch ext := strings.ToLower(filepath.Ext(name)); ext {
		case ".gz", ".zst", ".xz", ".bz2", ".swf", ".gwf", ".csv", ".parquet", ".arrow", ".arrows", ".json":
			name = name[:len(name)-len(ext)]
		}
	}
	return name
}

// of says which logs a page is of.
func (r *Report) of() string {
	var all []string
	for _, l := range r.logs {
		all = append(all, fmt.Sprintf("%s (%s jobs)", l.name, present.Grouped(l.describe.Jobs)))
	}
	return strings.Join(all, " and ")
}
