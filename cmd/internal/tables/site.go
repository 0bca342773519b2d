package tables

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/fit/survey"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
)

// How much of the site's model is printed.
const (
	SiteBrief = "brief"
	SiteFull  = "full"
	SiteNone  = "none"
)

// writeSite writes the site's model: a row a class, and all that was fitted of
// each class if the whole is asked for.
func writeSite(w *view.Screen, show string, r *survey.Result) {
	sites := r.Sites()
	if show == SiteNone || len(sites) == 0 {
		return
	}
	var rows []siteRow
	m := r.Model
	if len(m.Classes) == 0 {
		m = *r.ModelOfAll
	}
	if r.SiteOfAll != nil {
		rows = append(rows, siteRowOf(r.ModelOfAll.Classes[0], &r.SiteOfAll.Classes[0]))
	}
	if r.Site != nil {
		for i := range r.Site.Classes {
			rows = append(rows, siteRowOf(r.Model.Classes[i], &r.Site.Classes[i]))
		}
	}
	w.Message("\nmodel of %s, %d processors\n\n", m.Name, m.Processors)
	w.Printf("%s", prose.Text("site classes", siteClassesOf(rows)))
	for _, s := range sites {
		if i := s.Intervals; i != nil {
			people := view.For(i.Classes)
			people.Common("class")
			w.Printf("%s", prose.Text("intervals", drawnIntervals{i, people.Table(), 100 * i.Level}))
		}
	}
	for _, s := range sites {
		for _, c := range s.Classes {
			if show == SiteFull {
				writeClass(w, c)
			}
		}
	}
}

// drawnIntervals is what the template of intervals is given.
type drawnIntervals struct {
	*site.Intervals
	Table view.Table
	Pct   float64
}

// siteRow is a class of a site's model.
type siteRow struct {
	Class       string  `show:"class"`
	Jobs        int64   `show:"jobs"`
	Serial      float64 `show:"serial,%.3f"`
	PowersOfTwo float64 `show:"powers of 2,%.3f"`
	Sizes       string  `show:"log2 of size"`
	D           float64 `show:"KS of sizes,%.3f"`
	Short       string  `show:"share of short jobs"`
	Peak        string  `show:"ln of gap at peak"`
	Cycle       string  `show:"daily cycle"`
	Longest     float64 `show:"longest,duration"`
}

// siteRowOf is the row of a class; r is nil where it was not fitted to one log.
func siteRowOf(c model.Class, r *site.ClassReport) siteRow {
	l := c.Lublin()
	row := siteRow{
		Class: c.Name, Jobs: c.Jobs, Serial: l.Sizes.SerialShare, PowersOfTwo: l.Sizes.PowerOfTwoShare, D: math.NaN(),
		Sizes: fmt.Sprintf("%s-%s-%s, %s", view.Sig(l.Log2.Low), view.Sig(l.Log2.Mid), view.Sig(l.Log2.High), view.Sig(l.Log2.P)),
		Short: lineText(l.RunTimes.Line), Peak: gammaText(l.Gaps.Peak), Cycle: "none", Longest: math.Exp(l.RunTimes.MaxLn),
	}
	if c.Arrivals.Method != model.Stationary {
		row.Cycle = gammaText(l.Cycle)
	}
	if r == nil {
		return row
	}
	row.Class, row.D = labelled(*r), float64(r.Sizes.DGenerated)
	if r.Sizes.FromJobs {
		table, _ := c.Sizes.(model.SizeTable)
		n := len(table)
		row.Sizes, row.D = fmt.Sprintf("%d %s of the log", n, words.Noun(n, "size")), math.NaN()
		row.Serial = float64(r.Sizes.Serial) / float64(r.Sizes.N)
		row.PowersOfTwo = float64(r.Sizes.PowersOfTwo) / max(1, float64(r.Sizes.Parallel))
	}
	return row
}

// labelled is the name of a class, with what tells its jobs where the name does not.
func labelled(r site.ClassReport) string {
	if r.Label != r.Name {
		return r.Name + " (" + r.Label + ")"
	}
	return r.Name
}

// siteClasses are a table of sizes and one of times.
type siteClasses struct{ Sizes, Times view.Table }

func siteClassesOf(rows []siteRow) siteClasses {
	return siteClasses{
		view.For(rows).Without("share of short jobs", "ln of gap at peak", "daily cycle", "longest").Table(),
		view.For(rows).Without("jobs", "serial", "powers of 2", "log2 of size", "KS of sizes").Table(),
	}
}

func gammaText(g dist.Gamma) string { return view.Sig(g.Shape) + ", " + view.Sig(g.Scale) }

// lineText writes the share of the first Gamma as a line of the size.
func lineText(l model.Line) string {
	line, slope := view.Sig(l.PIntercept), l.PSlope
	switch {
	case slope < 0:
		line += " - " + view.Sig(-slope) + "·size"
	case slope > 0:
		line += " + " + view.Sig(slope) + "·size"
	}
	if l.PForm == model.LogOdds {
		return "log-odds " + line
	}
	return line
}

// writeClass writes the tables of one class.
func writeClass(w *view.Screen, r site.ClassReport) {
	for _, part := range ClassTables(r) {
		w.Message("\n%s: %s\n\n", labelled(r), part.Title)
		w.Table(part.Table)
	}
}

// Titled is a table with its title.
type Titled struct {
	Title string
	view.Table
}

// ClassTables returns what was fitted of one class of a site, table by table.
func ClassTables(r site.ClassReport) []Titled {
	shares := slices.Clone(r.RunTimes.Shares)
	for i, s := range shares {
		if s.Form == r.RunTimes.Form && s.Estimator == r.RunTimes.Estimator {
			shares[i].Form += ", in the model"
		}
	}
	sizes := view.Cell[site.SizeGroup]{First: true, Heading: "sizes", Text: func(g site.SizeGroup) string { return view.Range(g.Smallest, g.Largest) }}
	all := []Titled{
		{"distributions of the logarithms of sizes, run times, work and gaps between submissions", view.For(siteLaws(r)).Table()},
		{"p(size), the share of the first Gamma of run times, as a function of the size", view.For(shares).Table()},
		{"its groups of sizes", view.For(r.RunTimes.Groups).With(sizes).Table()},
		{"arrivals", view.For(arrivalRows(r.Arrivals)).Table()},
	}
	if r.Estimates != nil {
		all = append(all, Titled{"requested times", view.For([]site.EstimatesReport{*r.Estimates}).Table()})
	}
	return slices.DeleteFunc(all, func(t Titled) bool { return len(t.Rows) == 0 })
}

// siteLaw is a distribution of a class: tables 1 to 4 of Lublin and Feitelson (2003).
type siteLaw struct {
	Class string       `show:"class"`
	Of    string       `show:"of"`
	Sizes string       `show:"sizes"`
	Jobs  int64        `show:"jobs"`
	D     stats.Number `show:"KS distance,%.4f"`
	Law   string       `show:"parameters"` // or why there is none
}

func siteLaws(r site.ClassReport) (all []siteLaw) {
	add := func(of, sizes string, jobs int64, f *fit.Report, why string) {
		row := siteLaw{Of: of, Sizes: sizes, Jobs: jobs, D: unknown, Law: why}
		if f != nil {
			row.Jobs, row.D, row.Law = f.N, stats.Number(f.KS.D), lawText(f.Law)
		}
		all = append(all, row)
	}
	if law := r.Sizes.Law.Law; law != nil {
		all = append(all, siteLaw{Of: "size, rounded", Jobs: r.Sizes.Parallel, D: r.Sizes.DRounded, Law: lawText(law)})
	}
	if g := r.Sizes.Gamma; g != nil {
		add("size", "", 0, &g.Law, "")
	}
	add("run time", "all", 0, &r.RunTimes.Law, "")
	if r.Work != nil {
		add("work", "all", 0, &r.Work.Law, "")
	}
	for _, f := range r.BySize {
		add("run time", view.Range(f.From, f.To), f.Jobs, f.RunTime, f.WhyNoRunTime)
	}
	for _, f := range r.BySize {
		add("work", view.Range(f.From, f.To), f.Jobs, f.Work, f.WhyNoWork)
	}
	gap := "gap at peak hours"
	if r.Arrivals.AllHours {
		gap = "gap"
	}
	add(gap, "", 0, &r.Arrivals.Peak, "")
	for _, c := range []*site.CycleReport{r.Arrivals.Cycle, r.Arrivals.FullCycle} {
		if c != nil {
			all = append(all, siteLaw{Of: "half hour of the day", Jobs: c.N, D: c.D, Law: lawText(c.Law.Law)})
		}
	}
	return all
}

// lawText writes the parameters of a law.
func lawText(law dist.Law) string {
	return parameterText(fit.Report{Parameters: dist.Parameters(law)})
}

// arrivalRow is what was fitted of arrivals besides distributions.
type arrivalRow struct {
	What  string `show:"what"`
	Value string `show:"value"`
}

func arrivalRows(r site.ArrivalsReport) []arrivalRow {
	all := []arrivalRow{
		{"mean ln of gap, all hours over peak", view.Fixed(r.ARAR, 4)},
		{"gaps that count", fmt.Sprintf("%d above %s s", r.Gaps, view.Sig(r.MinGap))},
	}
	for _, c := range []*site.CycleReport{r.Cycle, r.FullCycle} {
		if c == nil {
			continue
		}
		text := view.Fixed(c.Distance, 0)
		for _, p := range c.Peaks {
			text += fmt.Sprintf(", %s: %.0f %s removed", p.Name, p.Jobs, words.Noun(int(math.Round(p.Jobs)), "job"))
		}
		all = append(all, arrivalRow{"daily cycle, sum of (m-d)²/(m+d)", text})
	}
	if r.Week != nil {
		var days []string
		for i, x := range r.Week.Weights {
			days = append(days, time.Weekday(i).String()[:3]+" "+view.Fixed(x, 2))
		}
		all = append(all, arrivalRow{"weekly cycle", strings.Join(days, ", ")})
	}
	m := r.Methods
	if m == nil {
		return all
	}
	times := m.Why
	if m.ExpectedInterarrival != nil {
		times = shapes(m.ExpectedInterarrival[:])
	}
	all = append(all, arrivalRow{"expected interarrival times", times})
	if s := m.ExpectedSlots; s != nil {
		slots := shapes(s.Shapes[:])
		if !s.Converged {
			slots += "; did not converge: ln of the jump is off by " + view.Sig(s.Residual)
		}
		all = append(all, arrivalRow{"expected slots", slots})
	}
	return all
}

// shapes says between which values the shapes of the half hours are.
func shapes(all []float64) string {
	return fmt.Sprintf("a shape for each half hour, %s to %s", view.Sig(slices.Min(all)), view.Sig(slices.Max(all)))
}
