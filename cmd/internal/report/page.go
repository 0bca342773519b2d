// Package report writes one page on a log.
//
// Compute calls what the commands call: the description, the use of the machine and the
// checks (workload/inspect), the fits (fit/survey), the scores of predictors and of twins
// (evaluate). Page turns the results into sections. The
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
func (l *Report) Page() page.Page {
	p := page.Page{Title: "Workload of " + shortName(l.name), Figures: l.key(),
		About: fmt.Sprintf("Made by loadstone %s from %s (%s jobs).", version.Number, l.name, present.Grouped(l.describe.Jobs))}
	folded, group := false, ""
	add := func(id, title, about string, blocks []page.Block) {
		p.Sections = append(p.Sections, page.Section{ID: id, Title: title, About: about, Blocks: blocks, Folded: folded, Group: group})
		group = ""
	}
	add("summary", "Summary", "", l.summary())
	add("load", "Load and use of the machine", "Offered load is the processor time of the jobs submitted, utilisation that of the jobs running, each as a share of the machine's capacity.", l.loadAndUse())
	add("queue", "The queue", "", l.queue())
	add("waiting", "How long jobs waited", "", l.waitsNow())
	add("shares", "Who used the machine", "", l.shares())
	add("changes", "What changed", "", l.changed())
	add("caveats", "What to trust", "", l.caveats())
	folded, group = true, "The log in detail"
	add("who", "What is in the log", "", l.who())
	add("quality", "Data quality", "A fault cannot be true or violates the format. An oddity may be true but deserves a look.", l.quality())
	add("arrivals", "Arrivals", "When jobs are submitted, by the site's clock, and how bursty submissions are.", l.arrivals())
	group = "The workload model"
	add("sizes", "Sizes", "How many processors jobs use, and how their run times depend on that.", l.sizes())
	add("run-times", "Run times", "The distribution of run times, with the fitted distributions that come closest. D is the largest distance between the two curves, as a share of the jobs.", l.runTimes())
	add("model", "The fitted model", "The model of the site's users, from which synthetic workloads can be generated, and the parameters of the model of Lublin and Feitelson (2003), fitted to all jobs.", l.model())
	add("predictors", "Predicting run times", "Each job's run time is predicted at its submission from the jobs of its class that have ended; the users' own estimates are scored beside it. Accuracy is the smaller of predicted and actual over the larger; 1 is perfect.", l.predictors())
	add("waits", "Predicting waits", "How well waiting times can be predicted: upper bounds on the log's waits first, then predictions of the waits in simulated queues.", l.waits())
	add("twins", "Twins", "Can synthetic workloads made from the log stand in for it? If so, the log's values lie among theirs.", l.twinSection())
	group = "About this page"
	add(remarksID, RemarksTitle, "", l.trust())
	add("made", "How this page was made", "", l.made())
	add("glossary", "Terms", "", glossary())
	return p
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
