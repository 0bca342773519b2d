package tables

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/fit/survey"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/model"
)

// How much of the site's model is printed.
const (
	SiteBrief = "brief"
	SiteFull  = "full"
	SiteNone  = "none"
)

// writeSite writes the site's model: a row a class, and all that was fitted of
// each class if the whole is asked for.
func writeSite(w *present.Screen, show string, r *survey.Result) {
	sites := r.Sites()
	if show == SiteNone || len(sites) == 0 {
		return
	}
	t := siteTable()
	m := r.Model
	if len(m.Classes) == 0 {
		m = *r.ModelOfAll
	}
	if r.SiteOfAll != nil {
		addSiteRow(&t, r.ModelOfAll.Classes[0], &r.SiteOfAll.Classes[0])
	}
	if r.Site != nil {
		for i := range r.Site.Classes {
			addSiteRow(&t, r.Model.Classes[i], &r.Site.Classes[i])
		}
	}
	w.Message("\nmodel of %s, %d processors\n\n", m.Name, m.Processors)
	w.Table(t)
	writeLegend(w,
		"serial, powers of 2: shares of all jobs and of parallel jobs; gamma: shape, scale",
		"log2 of size: low-mid-high of a two-stage uniform distribution, share below mid; KS distance: of sizes",
		"share of short jobs: of the first of the two Gammas of ln run time, by size in processors")
	writeIntervals(w, sites)
	if show != SiteFull {
		return
	}
	for _, s := range sites {
		for _, c := range s.Classes {
			writeClass(w, c)
		}
	}
}

func siteTable() present.Table {
	return present.Table{Head: []string{"class", "jobs", "serial", "powers of 2", "log2 of size", "KS distance", "share of short jobs", "ln of interarrival at peak", "daily cycle", "longest"}}
}

// addSiteRow adds a class to the table of a model; r is nil where it was not
// fitted to one log.
func addSiteRow(t *present.Table, c model.Class, r *site.ClassReport) {
	l := c.Lublin()
	sizes := l.Sizes
	law := fmt.Sprintf("%s-%s-%s, %s", present.Sig(l.Log2.Low), present.Sig(l.Log2.Mid), present.Sig(l.Log2.High), present.Sig(l.Log2.P))
	cycle := "none"
	if c.Arrivals.Method != model.Stationary {
		cycle = gammaText(l.Cycle)
	}
	name, d := c.Name, "-"
	if r != nil {
		if r.Label != name {
			name += " (" + r.Label + ")"
		}
		d = present.Fixed(r.Sizes.DGenerated, 3)
		if r.Sizes.FromJobs {
			table, _ := c.Sizes.(model.SizeTable)
			n := len(table)
			law, d = fmt.Sprintf("%d %s of the log", n, words.Noun(n, "size")), "-"
			sizes.SerialShare = float64(r.Sizes.Serial) / float64(r.Sizes.N)
			sizes.PowerOfTwoShare = float64(r.Sizes.PowersOfTwo) / max(1, float64(r.Sizes.Parallel))
		}
	}
	t.Add(name, present.Whole(c.Jobs), present.Fixed(sizes.SerialShare, 3), present.Fixed(sizes.PowerOfTwoShare, 3),
		law, d,
		lineText(l.RunTimes.Line),
		gammaText(l.Gaps.Peak),
		cycle, present.Duration(math.Exp(l.RunTimes.MaxLn)))
}

func gammaText(g dist.Gamma) string {
	return fmt.Sprintf("gamma %s, %s", present.Sig(g.Shape), present.Sig(g.Scale))
}

// lineText writes the share of the first Gamma as a line of the size.
func lineText(l model.Line) string {
	line, slope := present.Sig(l.PIntercept), l.PSlope
	switch {
	case slope < 0:
		line += " - " + present.Sig(-slope) + "·size"
	case slope > 0:
		line += " + " + present.Sig(slope) + "·size"
	}
	if l.PForm == model.LogOdds {
		return "log-odds " + line
	}
	return line
}

// writeClass writes the tables of one class.
func writeClass(w *present.Screen, r site.ClassReport) {
	for _, part := range present.ClassTables(r) {
		if len(part.Table.Rows) == 0 {
			continue
		}
		name := r.Name
		if r.Label != name {
			name += " (" + r.Label + ")"
		}
		w.Message("\n%s: %s\n\n", name, part.Title)
		w.Table(part.Table)
	}
}
